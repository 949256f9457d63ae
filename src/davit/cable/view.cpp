// What there is to see of a line, and its energy.
#include <algorithm>
#include <cmath>

#include "davit/cable/element_kernel.hpp"
#include "davit/cable/line.hpp"

namespace davit::cable {

LineWork Line::make_work() const {
  LineWork work;
  prepare(work);
  work.equations.resize(packs_.size() + 1);
  work.eliminated.resize(static_cast<size_t>(layout_.nodes));
  work.change.assign(static_cast<size_t>(layout_.nodes), Vec3::Zero());
  if (relaxes_) {
    work.branch_base.assign(packs_.size(), Pack::Zero());
    work.branch_slope.assign(packs_.size(), Pack::Zero());
  }
  return work;
}

Vec3 Line::material_velocity(const double* state, int element) const {
  const Vec3 v = velocity(state, element + 1);
  const double rate = state[StateLayout::pay_rate];
  if (rate == 0 || element + 1 < elements(state)) return v;
  return v - rate / rest_length(state, element) * (position(state, element + 1) - position(state, element));
}

double Line::tension(const double* state, int element) const {
  const ElementPack& p = packs_[static_cast<size_t>(element / lanes)];
  const int lane = element % lanes;
  const Vec3 d = position(state, element + 1) - position(state, element);
  const Vec3 v = material_velocity(state, element) - velocity(state, element);
  const double stretched = d.norm(), rest = rest_length(state, element);
  const double rate = stretched > 0 ? d.dot(v) / stretched : 0;
  const double elastic =
      (p.EA[lane] * (stretched - rest) + p.EA_tau[lane] * rate) / rest + state[layout_.branch() + element];
  return taut_tension(elastic, p.onset[lane]);
}

void DividedLine::look(const double* state, LineView& view) const {
  const int skipped = nothing_a_ ? 1 : 0;
  const size_t count = static_cast<size_t>(elements(state) - skipped - (nothing_b_ ? 1 : 0));
  view.positions.resize(count + 1);
  view.tension.resize(count);
  for (size_t i = 0; i <= count; ++i) view.positions[i] = position(state, static_cast<int>(i) + skipped);
  view.force_a = Eigen::Map<const Vec3>(state + StateLayout::force_a);
  view.force_b = Eigen::Map<const Vec3>(state + StateLayout::force_b);
  view.tension_a = view.force_a.norm();
  view.tension_b = view.force_b.norm();
  view.grounded_length = view.touchdown = view.safety_factor = 0;
  view.touchdown_point.setZero();

  for (size_t i = 0; i < count; ++i) {
    const size_t element = i + static_cast<size_t>(skipped);
    view.tension[i] = tension(state, static_cast<int>(element));
    // The greatest tension of the outermost elements is that of the ends.
    double greatest = view.tension[i];
    if (i == 0) greatest = std::max(greatest, view.tension_a);
    if (i + 1 == count) greatest = std::max(greatest, view.tension_b);
    if (breaking_load_[element] > 0 && greatest > 0) {
      const double factor = breaking_load_[element] / greatest;
      view.safety_factor = view.safety_factor > 0 ? std::min(view.safety_factor, factor) : factor;
    }
    const Vec3 &p = view.positions[i], &q = view.positions[i + 1];
    const double in = embedment(element, p), out = embedment(element, q);
    if (in < 0 && out < 0) continue;
    // The part of the bar that is in the bed.
    const double share = in >= 0 && out >= 0 ? 1 : std::max(in, out) / std::abs(in - out);
    const double rest = rest_length(state, static_cast<int>(element));
    view.grounded_length += share * rest;
    const double leaves = out >= 0 ? 1 : share;
    view.touchdown = arc_[element] + leaves * rest;
    view.touchdown_point = p + leaves * (q - p);
  }
  const Vec3 normal = bed_.at(view.positions[0]).normal;
  const double up = view.force_a.dot(normal);
  view.uplift_angle = std::atan2(up, (view.force_a - up * normal).norm());
}

// Of a piece of an element around a Gauss point.
void DividedLine::add_energy_at(const PointState& at, int element, double piece, const double* stretches,
                                LineEnergy& out) const {
  const ElementPack& p = packs_[static_cast<size_t>(element / lanes)];
  const int lane = element % lanes;
  const auto& [r, v, t] = at;
  const double along = v.dot(t), across = v.squaredNorm() - along * along;
  const double depth = std::max(0.0, embedment(static_cast<size_t>(element), r));
  out.kinetic +=
      0.5 * piece *
      ((p.mass[lane] + p.added_normal[lane]) * across + (p.mass[lane] + p.added_tangential[lane]) * along * along);
  out.bed += 0.5 * piece * p.bed_stiffness[lane] * depth * depth;
  out.weight += piece * (p.mass[lane] - p.displaced[lane]) * surroundings_.water.gravity * r.z();
  if (!bed_.rough()) return;
  // The springs of friction.
  const LocalPlane plane = bed_.at(r);
  const double d1 = t.dot(plane.along), d2 = t.dot(plane.across), flat = std::max(1e-15, std::hypot(d1, d2));
  const double* s = stretches;
  const double sa = (s[0] * d1 + s[1] * d2) / flat, sc = (s[1] * d1 - s[0] * d2) / flat;
  out.bed += 0.5 * piece * p.weight[lane] / bed_.stick_length *
             (bed_.friction_along * sa * sa + bed_.friction_across * sc * sc);
}

void DividedLine::add_energy_of_attachments(const double* state, LineEnergy& out) const {
  for (const NodeLoad& n : loads_) {
    const Vec3 r = position(state, n.node);
    const double depth = std::max(0.0, bed_.embedment(r));
    out.kinetic += 0.5 * (n.mass + n.added) * velocity(state, n.node).squaredNorm();
    out.weight += (n.mass - n.displaced) * surroundings_.water.gravity * r.z();
    out.bed += 0.5 * n.bed_stiffness * depth * depth;
  }
}

LineEnergy Line::energy(const double* state) const {
  LineEnergy out;
  for (int i = 0; i < elements(state); ++i) {
    const ElementPack& p = packs_[static_cast<size_t>(i / lanes)];
    const int lane = i % lanes;
    const double rest = rest_length(state, i);
    const Vec3 a = position(state, i), b = position(state, i + 1), va = velocity(state, i),
               vb = material_velocity(state, i);
    const double stretched = (b - a).norm(), stretch = std::max(0.0, stretched - rest);
    const Vec3 t = (b - a) / std::max(stretched, 1e-15);
    out.elastic += 0.5 * p.EA[lane] / rest * stretch * stretch;
    if (const double q = state[layout_.branch() + i]; q != 0) out.elastic += 0.5 * rest * q * q / p.EA_branch[lane];
    for (int g = 0; g < 2; ++g) {
      const double share = 0.5 + (g - 0.5) / std::sqrt(3.0);
      const double* stretches = state + layout_.friction() + layout_.friction_stride() * i + 2 * g;
      add_energy_at({a + share * (b - a), va + share * (vb - va), t}, i, 0.5 * rest, stretches, out);
    }
  }
  add_energy_of_attachments(state, out);
  return out;
}

}  // namespace davit::cable
