#include "davit/contact/compliant_contact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace davit::contact {

namespace {

// Where a frame is, without derivatives.
template <class S>
Pose pose_at(const KinT<S>& kin, const Frame& frame) {
  const auto& body = kin.body[static_cast<size_t>(frame.body)];
  const auto value = [](const S& x) { return value_of(x); };
  return Pose{body.R.unaryExpr(value), body.p.unaryExpr(value)} * frame.offset;
}

template <class S>
Pose body_in_surface(const KinT<S>& kin, const ContactSide& side) {
  return pose_at(kin, side.frame).inverse() * pose_at(kin, Frame{side.body(), Pose{}});
}

template <class S>
Vec3T<S> into_axes(const KinT<S>& kin, const Frame& frame, const Vec3T<S>& point) {
  return rotation(kin, frame).transpose() * (point - position(kin, frame));
}

template <class S>
S bounded(const S& x) {
  return value_of(x) > 0 ? x : S(0);
}

// The vector, shortened to a length where it is longer.
template <class S>
Vec3T<S> shortened(const Vec3T<S>& v, const S& length) {
  using std::sqrt;
  const S square = v.squaredNorm();
  if (value_of(square) <= value_of(length) * value_of(length)) return v;
  return v * (length / sqrt(square));
}

}  // namespace

CompliantContact::CompliantContact(std::string name, ContactLaw law, std::vector<ContactSide> sides, const Kin& start)
    : ForceOf(std::move(name)), law_(std::move(law)), sides_(std::move(sides)) {
  for (const ContactSide& side : sides_) {
    Box box;
    for (const ContactPoint& point : side.points) {
      box.add(point.frame.offset.p);
      start_.push_back(into_axes<double>(start, side.frame, position(start, point.frame)));
    }
    balls_.push_back({box.centre(), box.size() / 2});
  }
}

std::string CompliantContact::summary() const {
  const bool one = start_.size() == 1;
  return fmt::format("compliant contact, {} {} on {}{}", start_.size(), one ? "point" : "points",
                     sides_[0].surface->summary(),
                     sides_.back().surface != sides_[0].surface ? " and the other way round" : "");
}

std::vector<Figure> CompliantContact::figures() const {
  double sum = 0;
  for (const ContactSide& side : sides_)
    if (side.surface == sides_[0].surface)
      for (const ContactPoint& point : side.points) sum += point.weight;
  return {{"stiffness of all points", sum * law_.spring.stiffness(), "N/m"}, {"friction", law_.friction, ""}};
}

std::vector<Coupling> CompliantContact::couplings() const {
  std::set<int> bodies;
  for (const ContactSide& side : sides_) {
    bodies.insert(side.frame.body);
    bodies.insert(side.body());
  }
  return {{.bodies = {bodies.begin(), bodies.end()}}};
}

std::vector<DiscreteSlot> CompliantContact::discrete_slots() const {
  // A slot of one record is there from the beginning; that of the points is to be empty then.
  const int capacity = std::max<int>(2, static_cast<int>(start_.size()));
  return {{name() + ": clock", RunClock::size, 1}, {name() + ": points that touch", Kept::size, capacity}};
}

template <class S>
CompliantContact::Near<S> CompliantContact::near(const KinT<S>& kin, int index, const ContactSide& side,
                                                 const ContactPoint& point, const TangentPlane& plane) const {
  const Mat3T<S> R = rotation(kin, side.frame);
  const Vec3T<S> from = position(kin, point.frame) - position(kin, side.frame);
  const Vec3T<S>& spin = kin.body[static_cast<size_t>(side.frame.body)].w;
  const Vec3T<S> at = R.transpose() * from;
  const Vec3T<S> rate = R.transpose() * (velocity(kin, point.frame) - velocity(kin, side.frame) - spin.cross(from));
  return {index, side, point, plane, at, rate, plane.gap(at), as<S>(plane.normal).dot(rate)};
}

bool CompliantContact::is_far(const Pose& body_in_surface, size_t side) const {
  const Ball& ball = balls_[side];
  return sides_[side].surface->least_distance(body_in_surface * ball.centre) > ball.radius;
}

template <class S, class Visit>
void CompliantContact::each_touching(const KinT<S>& kin, Visit&& visit) const {
  int first = 0;
  for (size_t i = 0; i < sides_.size(); first += static_cast<int>(sides_[i++].points.size())) {
    const ContactSide& side = sides_[i];
    const Pose into = body_in_surface(kin, side);
    if (is_far(into, i)) continue;
    for (size_t k = 0; k < side.points.size(); ++k)
      if (const auto plane = side.surface->next_to(into * side.points[k].frame.offset.p, 0))
        visit(near(kin, first + static_cast<int>(k), side, side.points[k], *plane));
  }
}

template <class S>
S CompliantContact::normal_force(const S& gap, const S& rate) const {
  if (value_of(gap) >= 0) return S(0);
  return bounded(S(law_.spring.force(S(-gap)) - S(damping(-value_of(gap))) * rate));
}

template <class S>
S CompliantContact::step_normal_force(const S& gap0, const S& gap1, double h) const {
  const double before = value_of(gap0), after = value_of(gap1);
  if (before >= 0 && after >= 0) return S(0);
  // Of the way, the part inside is damped.
  const S inside0 = before < 0 ? gap0 : S(0), inside1 = after < 0 ? gap1 : S(0);
  const double depth = std::max(0.0, -0.5 * (before + after));
  return bounded(S(law_.spring.step_force(S(-gap0), S(-gap1)) - S(damping(depth) / h) * S(inside1 - inside0)));
}

template <class S>
Vec3T<S> CompliantContact::stretch(const ContextT<S>& c, const Near<S>& near, const S& normal) const {
  const auto kept = c.discrete.find(c.first_slot + points_slot, near.index);
  if (kept.empty()) return Vec3T<S>::Zero();
  const Vec3 place(kept.data() + Kept::place), before(kept.data() + Kept::stretch);
  const Vec3T<S> s = near.plane.along(Vec3T<S>(as<S>(before) + near.at - as<S>(place)));
  return shortened(s, S(law_.friction / law_.tangential_stiffness) * normal);
}

template <class S>
Vec3T<S> CompliantContact::stretch_at_rest(const Near<S>& n) const {
  return n.plane.along(Vec3T<S>(n.at - as<S>(start_[static_cast<size_t>(n.index)])));
}

template <class S>
Vec3T<S> CompliantContact::elastic_stretch(const ContextT<S>& c, const Near<S>& n) const {
  return begun(c.discrete, c.first_slot) ? stretch(c, n, normal_force(n.gap, S(0))) : stretch_at_rest(n);
}

template <class S>
void CompliantContact::add(const KinT<S>& kin, const ContactSide& side, const ContactPoint& point,
                           const Vec3T<S>& force, LoadsT<S>& loads) const {
  const Vec3T<S> f = rotation(kin, side.frame) * force, at = position(kin, point.frame);
  const auto on = [&](int body, const Vec3T<S>& push) {
    if (body > 0) loads.add_force(body, at - kin.body[static_cast<size_t>(body)].p, push);
  };
  on(point.frame.body, f);
  on(side.frame.body, -f);
}

// On a point of weight one, in the axes of the surface.
template <class S>
Vec3T<S> CompliantContact::friction_force(const ContextT<S>& c, const Near<S>& n, const S& normal) const {
  if (law_.friction == 0) return Vec3T<S>::Zero();
  const bool moves = begun(c.discrete, c.first_slot);
  const Vec3T<S> s = moves ? stretch(c, n, normal) : stretch_at_rest(n);
  const Vec3T<S> hold = S(law_.tangential_stiffness) * s + S(law_.tangential_damping) * n.plane.along(n.rate);
  return moves ? Vec3T<S>(-shortened(hold, S(S(law_.friction) * normal))) : Vec3T<S>(-hold);
}

template <class S>
S CompliantContact::normal_force(const Pressing<S>& p) {
  return bounded(S(p.elastic - S(p.damping) * p.rate));
}

// A body that rolls presses points in ahead and lets them go behind: damped one by one they would push ahead more than
// behind, and brake it by τ v of lever whatever the stiffness. So the approach of all points together is damped in
// full, and how single ones differ from it only where the body rocks, that is where its points reach further than a
// round body of its size would: with relative rotation ω along the surface a patch that rolls has
//   Σ k (δ̇ - mean)² = ϱ ω² N,  ϱ the radius of curvature,
// and feet at a distance b, pressed in by δ, have ϱ = b²/δ, which is far more than the size of any body. Both parts
// only lose energy.
template <class S>
void CompliantContact::damp_without_braking(const KinT<S>& kin, size_t side, std::vector<Pressing<S>>& points) const {
  constexpr double rolls = 4, rocks = 8;  // radius of curvature over the size of the body
  if (points.size() < 2) return;
  double sum = 0;
  S mean(0), normal(0), spread(0);
  Vec3 direction = Vec3::Zero();
  for (const Pressing<S>& p : points) {
    const double weight = p.now.point.weight;
    sum += weight * p.damping;
    mean += S(weight * p.damping) * p.rate;
    normal += S(weight) * p.elastic;
    direction += weight * value_of(p.elastic) * p.now.plane.normal;
  }
  if (!(sum > 0) || !(value_of(normal) > 0)) return;
  mean /= S(sum);
  for (const Pressing<S>& p : points) {
    const S off = p.rate - mean;
    spread += S(p.now.point.weight * p.stiffness) * off * off;
  }
  const ContactSide& of = sides_[side];
  const Vec3T<S> spin = rotation(kin, of.frame).transpose() * Vec3T<S>(kin.body[static_cast<size_t>(of.body())].w -
                                                                       kin.body[static_cast<size_t>(of.frame.body)].w);
  const Vec3T<S> along = spin - as<S>(direction.normalized()) * as<S>(direction.normalized()).dot(spin);
  const S round = S(balls_[side].radius) * along.squaredNorm() * normal;
  const double curvature = value_of(spread), least = rolls * value_of(round), full = rocks * value_of(round);
  if (curvature >= full) return;
  const S share = curvature <= least ? S(0) : S((spread - S(rolls) * round) / (S(rocks - rolls) * round));
  for (Pressing<S>& p : points) p.rate = mean + share * (p.rate - mean);
}

template <class S>
const std::vector<CompliantContact::Pressing<S>>& CompliantContact::pressing(const ContextT<S>& c, size_t i,
                                                                             int first) const {
  auto& out = static_cast<Work<S>&>(*c.work).pressing;
  out.clear();
  const ContactSide& side = sides_[i];
  const Pose into = body_in_surface(c.kin, side);
  if (is_far(into, i)) return out;
  for (size_t k = 0; k < side.points.size(); ++k) {
    const auto plane = side.surface->next_to(into * side.points[k].frame.offset.p, 0);
    if (!plane) continue;
    const Near<S> n = near(c.kin, first + static_cast<int>(k), side, side.points[k], *plane);
    const double depth = -value_of(n.gap);
    if (depth > 0)
      out.push_back({n, n, law_.spring.force(S(-n.gap)), n.gap_rate, damping(depth), law_.spring.slope(depth)});
  }
  damp_without_braking(c.kin, i, out);
  return out;
}

// Of the way, the part inside is damped.
template <class S>
const std::vector<CompliantContact::Pressing<S>>& CompliantContact::pressing(const StepContextT<S>& c, size_t i,
                                                                             int first) const {
  auto& out = static_cast<Work<S>&>(*c.point.work).pressing;
  out.clear();
  const ContactSide& side = sides_[i];
  const Pose into0 = body_in_surface(c.start, side), into1 = body_in_surface(c.end, side);
  if (is_far(into0, i) && is_far(into1, i)) return out;
  for (size_t k = 0; k < side.points.size(); ++k) {
    const ContactPoint& point = side.points[k];
    const auto before = side.surface->next_to(into0 * point.frame.offset.p, 0),
               after = side.surface->next_to(into1 * point.frame.offset.p, 0);
    if (!before && !after) continue;
    const TangentPlane& plane = after ? *after : *before;
    const int index = first + static_cast<int>(k);
    const Near<S> start = near(c.start, index, side, point, before ? *before : plane),
                  end = near(c.end, index, side, point, plane);
    const double gap0 = value_of(start.gap), gap1 = value_of(end.gap);
    if (gap0 >= 0 && gap1 >= 0) continue;
    const S inside0 = gap0 < 0 ? start.gap : S(0), inside1 = gap1 < 0 ? end.gap : S(0);
    const double depth = std::max(0.0, -0.5 * (gap0 + gap1));
    out.push_back({start, end, law_.spring.step_force(S(-start.gap), S(-end.gap)), S(inside1 - inside0) / S(c.h),
                   damping(depth), law_.spring.slope(depth)});
  }
  damp_without_braking(c.point.kin, i, out);
  return out;
}

template <class S, class Visit>
void CompliantContact::each_pressing(const ContextT<S>& c, Visit&& visit) const {
  int first = 0;
  for (size_t i = 0; i < sides_.size(); first += static_cast<int>(sides_[i++].points.size()))
    for (const Pressing<S>& p : pressing(c, i, first)) visit(p.now, normal_force(p));
}

template <class S>
void CompliantContact::add_loads(const ContextT<S>& c, LoadsT<S>& loads, S*) const {
  each_pressing(c, [&](const Near<S>& n, const S& normal) {
    const Vec3T<S> force = as<S>(n.plane.normal) * normal + friction_force(c, n, normal);
    add(c.kin, n.side, n.point, Vec3T<S>(S(n.point.weight) * force), loads);
  });
}

// Of a point of weight one over a step, in the axes of the surface.
template <class S>
Vec3T<S> CompliantContact::step_force(const StepContextT<S>& c, const Pressing<S>& p) const {
  const Near<S>&start = p.before, &end = p.now;
  const TangentPlane& plane = end.plane;
  const S normal = normal_force(p);
  const Vec3T<S> push = as<S>(plane.normal) * normal;
  const ContextT<S>& at = c.point;
  const bool held = law_.friction > 0 && !at.discrete.find(at.first_slot + points_slot, end.index).empty();
  if (!held) return push;
  const ContextT<S> begin{c.start, at.z, at.w, at.discrete, at.first_slot, at.work};
  const Vec3T<S> before = stretch(begin, start, normal_force(start.gap, S(0)));
  const Vec3T<S> way = plane.along(Vec3T<S>(end.at - start.at));
  return push - shortened(step_hold(before, way, c.h), S(S(law_.friction) * normal));
}

template <class S>
void CompliantContact::add_step_loads(const StepContextT<S>& c, LoadsT<S>& loads) const {
  int first = 0;
  for (size_t i = 0; i < sides_.size(); first += static_cast<int>(sides_[i++].points.size()))
    for (const Pressing<S>& p : pressing(c, i, first))
      add(c.point.kin, p.now.side, p.now.point, Vec3T<S>(S(p.now.point.weight) * step_force(c, p)), loads);
}

template <class S>
S CompliantContact::potential_energy(const ContextT<S>& c) const {
  S sum(0);
  each_touching(c.kin, [&](const Near<S>& n) {
    S stored = law_.spring.energy(S(-n.gap));
    if (law_.friction > 0) stored += S(0.5 * law_.tangential_stiffness) * elastic_stretch(c, n).squaredNorm();
    sum += S(n.point.weight) * stored;
  });
  return sum;
}

double CompliantContact::potential_rate(const ContextT<double>& c) const {
  double sum = 0;
  each_touching(c.kin, [&](const Near<double>& n) {
    const double elastic = normal_force(n.gap, 0.0);
    double rate = -elastic * n.gap_rate;
    if (law_.friction > 0) {
      const Vec3 s = elastic_stretch(c, n);
      const bool sticks = law_.tangential_stiffness * s.norm() < (1 - 1e-9) * law_.friction * elastic;
      if (sticks) rate += law_.tangential_stiffness * s.dot(n.plane.along(n.rate));
    }
    sum += n.point.weight * rate;
  });
  return sum;
}

// s₁ of a point that was there at the beginning of a step: k (s₀ + s₁)/2 + c (s₁ - s₀)/h is the force of the step.
Vec3 CompliantContact::next_stretch(std::span<const double> kept, const Near<double>& n, double h) const {
  const double elastic = normal_force(n.gap, 0.0), k = law_.tangential_stiffness;
  const Vec3 place(kept.data() + Kept::place);
  const Vec3 before = n.plane.along(Vec3(kept.data() + Kept::stretch)), way = n.plane.along(Vec3(n.at - place));
  if (!(h > 0)) return shortened(Vec3(before + way), law_.friction * elastic / k);
  const double damping = law_.tangential_damping / h;
  const Vec3 force = shortened(step_hold(before, way, h), law_.friction * step_normal_force(kept[Kept::gap], n.gap, h));
  return shortened(Vec3(before + (force - k * before) / (0.5 * k + damping)), law_.friction * elastic / k);
}

template <class Visit>
void CompliantContact::each_to_keep(const ContextT<double>& c, DiscreteState& discrete, Visit&& visit) const {
  const int slot = c.first_slot + points_slot;
  int next = 0;  // of the points that have not been looked at
  const auto forget = [&](int until) {
    for (; next < until; ++next) discrete.erase(slot, next);
  };
  each_touching(c.kin, [&](const Near<double>& n) {
    if (!(n.gap < 0)) return;
    forget(n.index);
    next = n.index + 1;
    visit(n, discrete.find(slot, n.index));
  });
  if (discrete.size(slot) > 0) forget(static_cast<int>(start_.size()));
}

Vec3 CompliantContact::bounded_stretch_at_rest(const Near<double>& n) const {
  return shortened(stretch_at_rest(n), law_.friction * normal_force(n.gap, 0.0) / law_.tangential_stiffness);
}

void CompliantContact::keep(const Near<double>& n, const Vec3& stretch, std::span<double> kept) {
  std::copy_n(n.at.data(), 3, kept.begin() + Kept::place);
  std::copy_n(stretch.data(), 3, kept.begin() + Kept::stretch);
  kept[Kept::gap] = n.gap;
}

// What touches is kept with its stretch.
bool CompliantContact::commit(const ContextT<double>& c, DiscreteState& discrete) const {
  const double h = RunClock::advance(discrete.record(c.first_slot + clock_slot, 0), c.kin.t);
  const bool moves = begun(discrete, c.first_slot);
  each_to_keep(c, discrete, [&](const Near<double>& n, std::span<double> kept) {
    const Vec3 s = !moves ? bounded_stretch_at_rest(n) : kept.empty() ? Vec3::Zero() : next_stretch(kept, n, h);
    keep(n, s, kept.empty() ? discrete.insert(c.first_slot + points_slot, n.index) : kept);
  });
  return false;
}

void CompliantContact::meet_what_touches(const ContextT<double>& c, DiscreteState& discrete) const {
  if (!begun(discrete, c.first_slot)) return;
  each_to_keep(c, discrete, [&](const Near<double>& n, std::span<double> kept) {
    if (kept.empty()) keep(n, Vec3::Zero(), discrete.insert(c.first_slot + points_slot, n.index));
  });
}

void CompliantContact::hold_where_it_touches(const ContextT<double>& c, DiscreteState& discrete) const {
  if (begun(discrete, c.first_slot)) return;
  each_to_keep(c, discrete, [&](const Near<double>& n, std::span<double> kept) {
    keep(n, bounded_stretch_at_rest(n), kept.empty() ? discrete.insert(c.first_slot + points_slot, n.index) : kept);
  });
  RunClock::begin(discrete.record(c.first_slot + clock_slot, 0));
}

const ContactView& CompliantContact::view(const ContextT<double>& c) const {
  ContactView& out = static_cast<Work<double>&>(*c.work).view;
  out.point_normal.assign(start_.size(), 0.0);
  out.normal = 0;
  out.friction.setZero();
  out.force.setZero();
  out.centre.setZero();
  out.touching = 0;
  each_pressing(c, [&](const Near<double>& n, double normal) {
    const double weight = n.point.weight;
    // Where both surfaces press on each other by their points, those of what is touched feel the reaction.
    const double sign = n.side.surface == sides_[0].surface ? 1 : -1;
    const Mat3 axes = rotation(c.kin, n.side.frame);
    const Vec3 friction = sign * weight * (axes * friction_force(c, n, normal));
    ++out.touching;
    out.normal += weight * normal;
    out.point_normal[static_cast<size_t>(n.index)] = weight * normal;
    out.friction += friction;
    out.force += friction + sign * weight * normal * (axes * n.plane.normal);
    out.centre += weight * normal * position(c.kin, n.point.frame);
  });
  if (out.normal > 0) out.centre /= out.normal;
  out.gap = least_gap(c.kin);
  return out;
}

std::optional<std::string> CompliantContact::cannot_rest(const ContextT<double>& c) const {
  if (law_.friction == 0 || begun(c.discrete, c.first_slot)) return std::nullopt;
  double worst = 0;
  each_touching(c.kin, [&](const Near<double>& n) {
    const double normal = normal_force(n.gap, 0.0);
    if (normal > 0) worst = std::max(worst, friction_force(c, n, normal).norm() / normal);
  });
  if (worst <= law_.friction * (1 + 1e-6)) return std::nullopt;
  return fmt::format("what rests on '{}' would need a friction of {:.3g} and slides, because it has {:.3g}", name(),
                     worst, law_.friction);
}

double CompliantContact::least_gap(const Kin& kin) const {
  double least = std::numeric_limits<double>::infinity();
  for (const ContactSide& side : sides_) {
    const Pose into = body_in_surface(kin, side);
    for (const ContactPoint& point : side.points) {
      const Vec3 at = into * point.frame.offset.p;
      if (const auto plane = side.surface->next_to(at, std::max(least, 0.0))) least = std::min(least, plane->gap(at));
    }
  }
  return std::isfinite(least) ? least : least_way(kin);
}

double CompliantContact::least_way(const Kin& kin) const {
  double least = std::numeric_limits<double>::infinity();
  for (const ContactSide& side : sides_) {
    const Pose into = body_in_surface(kin, side);
    for (const ContactPoint& point : side.points)
      least = std::min(least, side.surface->least_distance(into * point.frame.offset.p));
  }
  return least;
}

}  // namespace davit::contact

namespace davit {
template class ForceOf<contact::CompliantContact>;
}  // namespace davit
