// How a line is divided into elements, and its properties checked; how much a winch has paid out; attachments.
#include "davit/cable/divided_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "davit/cable/element_kernel.hpp"

namespace davit::cable {

LocalPlane local_plane(const Vec3& normal, const Vec3& point) {
  LocalPlane out;
  out.normal = normal.normalized();
  out.along = (Vec3::UnitX() - out.normal.x() * out.normal).normalized();
  out.across = out.normal.cross(out.along);
  out.level = point.dot(out.normal);
  return out;
}

LocalPlane BedOfLine::at(const Vec3& p) const {
  if (!map) return plane;
  const HeightMap::Point here = map->at(p.x(), p.y());
  return local_plane(Vec3(-here.slope.x(), -here.slope.y(), 1), Vec3(p.x(), p.y(), here.height));
}

namespace {

[[noreturn]] void refuse(const std::string& what) { throw std::invalid_argument(what); }

void check(const Section& s, size_t index) {
  const auto need = [&](bool good, const char* what, double value) {
    if (!good) refuse(fmt::format("section {} of the line: {} (it is {:g})", index + 1, what, value));
  };
  const auto positive = [](double x) { return x > 0 && std::isfinite(x); };
  const auto not_negative = [](double x) { return x >= 0 && std::isfinite(x); };
  need(positive(s.length), "its length must be positive", s.length);
  need(s.elements >= 1, "it needs one element at least", s.elements);
  need(positive(s.EA), "EA must be positive", s.EA);
  need(not_negative(s.EI), "EI must not be negative", s.EI);
  need(positive(s.mass), "its mass per metre must be positive", s.mass);
  need(not_negative(s.displacement), "its displacement must not be negative", s.displacement);
  need(not_negative(s.diameter), "its diameter must not be negative", s.diameter);
  need(not_negative(s.drag_normal), "the drag coefficient across must not be negative", s.drag_normal);
  need(not_negative(s.drag_tangential), "the drag coefficient along must not be negative", s.drag_tangential);
  need(not_negative(s.added_mass_normal), "the added mass across must not be negative", s.added_mass_normal);
  need(not_negative(s.added_mass_tangential), "the added mass along must not be negative", s.added_mass_tangential);
  need(not_negative(s.axis_height), "the height of its axis above the bed must not be negative", s.axis_height);
  need(not_negative(s.damping_time), "the damping time must not be negative", s.damping_time);
  need(not_negative(s.breaking_load), "the breaking load must not be negative", s.breaking_load);
  if (s.EA_dynamic == 0) return;
  need(s.EA_dynamic >= s.EA && std::isfinite(s.EA_dynamic), "its dynamic EA must be as large as EA at least",
       s.EA_dynamic);
  need(positive(s.relaxation_time), "its relaxation time must be positive", s.relaxation_time);
}

BedOfLine bed_for_line(const Bed& bed) {
  BedOfLine out;
  if (bed.stiffness < 0)
    refuse(fmt::format("the stiffness of the bed must not be negative (it is {:g})", bed.stiffness));
  if (!(bed.normal.z() > 1e-3 * bed.normal.norm())) refuse("the normal of the bed must point upwards");
  if (!(bed.ramp > 0 && bed.stick_length > 0)) refuse("the ramp and the stick length of the bed must be positive");
  if (!(bed.friction_along >= 0 && bed.friction_across >= 0)) refuse("friction of the bed must not be negative");
  out.present = bed.stiffness > 0;
  out.plane = local_plane(bed.normal, Vec3(0, 0, bed.height));
  out.map = bed.map;
  out.ramp = bed.ramp;
  out.friction_along = bed.friction_along;
  out.friction_across = bed.friction_across;
  out.stick_length = bed.stick_length;
  return out;
}

// Of a bed as given, or critical for the mass above it.
double damping_of(const Bed& bed, double stiffness, double mass) {
  return bed.damping.value_or(2 * std::sqrt(stiffness * mass));
}

void set_element(ElementPack& p, int lane, const Section& s, double length, const Bed& bed, const sea::Water& water) {
  const double displaced = water.density * s.displacement;
  p.length[lane] = length;
  p.per_length[lane] = 1 / length;
  p.EA[lane] = s.EA;
  p.EA_tau[lane] = s.EA * s.damping_time;
  p.onset[lane] = onset_strain * s.EA;
  if (s.EA_dynamic > 0) {
    p.EA_branch[lane] = s.EA_dynamic - s.EA;
    p.relaxation_time[lane] = s.relaxation_time;
  }
  p.EI[lane] = s.EI;
  p.mass[lane] = s.mass;
  p.displaced[lane] = displaced;
  p.added_normal[lane] = s.added_mass_normal * displaced;
  p.added_tangential[lane] = s.added_mass_tangential * displaced;
  p.drag_normal[lane] = 0.5 * water.density * s.diameter * s.drag_normal;
  p.drag_tangential[lane] = 0.5 * water.density * s.diameter * s.drag_tangential;
  p.diameter[lane] = std::max(s.diameter, 1e-3);
  p.bed_stiffness[lane] = bed.stiffness;
  p.axis_height[lane] = s.axis_height;
  p.bed_damping[lane] = damping_of(bed, bed.stiffness, s.mass);
  p.weight[lane] = std::max(0.0, (s.mass - displaced) * water.gravity);
}

// A clump sinks so far into the bed, on springs of its own.
constexpr double clump_embedment = 0.1;

// Of an element: what a winch leaves out of the line that it can take in.
constexpr double least_share = 0.2;

}  // namespace

DividedLine::DividedLine(const std::vector<Section>& sections, std::vector<Attachment> attachments, Bed bed,
                         Surroundings around, Numerics numerics, Winch winch)
    : bed_(bed_for_line(bed)), surroundings_(std::move(around)), numerics_(numerics) {
  if (sections.empty()) refuse("the line has no section");
  for (size_t i = 0; i < sections.size(); ++i) {
    check(sections[i], i);
    relaxes_ = relaxes_ || sections[i].EA_dynamic > sections[i].EA;
    length_ += sections[i].length;
  }
  std::sort(attachments.begin(), attachments.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
  for (const Attachment& a : attachments) {
    if (!(a.at > 0 && a.at < length_))
      refuse(fmt::format("an attachment at {:g} m is not inside the line of {:g} m", a.at, length_));
    if (!(a.mass >= 0 && a.displacement >= 0 && a.drag_area >= 0 && a.added_mass >= 0))
      refuse(fmt::format("the attachment at {:g} m: mass, displacement, drag area and added mass must not be negative",
                         a.at));
  }

  // Sections are parted where something is attached, so that it has a node.
  const sea::Water& water = surroundings_.water;
  arc_ = {0};
  double end = 0;
  for (const Section& s : sections) {
    double from = end;
    end += s.length;
    std::vector<double> marks;
    for (const Attachment& a : attachments)
      if (a.at > from + 1e-9 && a.at < end - 1e-9 && (marks.empty() || a.at > marks.back() + 1e-9))
        marks.push_back(a.at);
    marks.push_back(end);
    for (const double to : marks) {
      first_wound_ = elements_;
      const int count = std::max(1, static_cast<int>(std::lround(s.elements * (to - from) / s.length)));
      for (int i = 1; i <= count; ++i) {
        const int lane = elements_ % lanes;
        if (lane == 0) packs_.emplace_back();
        const double length = (to - from) / count;
        set_element(packs_.back(), lane, s, length, bed, water);
        rest_length_.push_back(length);
        breaking_load_.push_back(s.breaking_load);
        arc_.push_back(i == count ? to : from + i * length);
        weight_ += length * (s.mass - water.density * s.displacement) * water.gravity;
        ++elements_;
      }
      from = to;
    }
  }
  layout_.nodes = elements_ + 1;
  // Elements that come and go have no way.
  layout_.windows = surroundings_.waves && !winch.present();
  for (const Attachment& a : attachments) {
    const auto near = std::min_element(arc_.begin() + 1, arc_.end() - 1,
                                       [&](double x, double y) { return std::abs(x - a.at) < std::abs(y - a.at); });
    const double displaced = water.density * a.displacement, net = (a.mass - displaced) * water.gravity;
    const double stiffness = bed_.present ? std::max(0.0, net) / clump_embedment : 0;
    const double radius = std::max(0.05, std::cbrt(3 * a.displacement / (4 * std::numbers::pi)));
    loads_.push_back({static_cast<int>(near - arc_.begin()), a.mass, a.added_mass, displaced,
                      0.5 * water.density * a.drag_area, radius, stiffness, 2 * std::sqrt(stiffness * a.mass)});
    weight_ += net;
  }
  const Section& last = sections.back();
  wound_weight_ = (last.mass - water.density * last.displacement) * water.gravity;
  if (!winch.present()) return;
  const double size = rest_length_.back(), wound = length_ - arc_[static_cast<size_t>(first_wound_)];
  if (wound + winch.least < least_share * size)
    refuse(
        fmt::format("the winch takes in {:g} m, and there are {:g} m that it can take in, of the last section and "
                    "beyond what is attached",
                    -winch.least, wound - least_share * size));
  const int more = static_cast<int>(std::ceil(std::max(0.0, winch.most) / size)) + 1;
  for (int i = 0; i < more; ++i) {
    const int lane = layout_.nodes - 1;
    if (lane % lanes == 0) packs_.emplace_back();
    set_element(packs_.back(), lane % lanes, last, size, bed, water);
    rest_length_.push_back(size);
    breaking_load_.push_back(last.breaking_load);
    arc_.push_back(arc_.back() + size);
    ++layout_.nodes;
  }
}

int DividedLine::elements_for(double paid_out) const {
  if (layout_.nodes == elements_ + 1) return elements_;
  const double size = rest_length_.back(), wound = length_ + paid_out - arc_[static_cast<size_t>(first_wound_)];
  return first_wound_ + std::clamp(static_cast<int>(std::lround(wound / size)), 1, layout_.nodes - 1 - first_wound_);
}

DividedLine::Extent DividedLine::extent(double paid_out, int elements) const {
  // Without a winch the last element is what it is, to the bit.
  if (layout_.nodes == elements_ + 1) return {elements_, rest_length_.back(), length_, weight_};
  const double length = length_ + paid_out;
  return {elements, length - arc_[static_cast<size_t>(elements - 1)], length, weight_ + wound_weight_ * paid_out};
}

void DividedLine::take(const Extent& extent, NodeWork& work) const {
  work.elements = extent.elements;
  work.last_pack = packs_[static_cast<size_t>((extent.elements - 1) / lanes)];
  const int lane = (extent.elements - 1) % lanes;
  work.last_pack.length[lane] = extent.last;
  work.last_pack.per_length[lane] = 1 / extent.last;
}

void DividedLine::prepare(NodeWork& work) const {
  take(extent(0, elements_), work);
  work.resize(layout_, static_cast<int>(packs_.size()) * lanes);
  if (bed_.uneven()) work.planes.assign(work.sample_points.size(), bed_.plane);
}

double DividedLine::tolerable_force() const {
  constexpr double part = 1e-7, round_off = 1e-13;
  double bending = 0, tensile = 0;
  for (const ElementPack& p : packs_) {
    bending = std::max(bending, p.EI.maxCoeff() / (length_ * length_));
    tensile = std::max(tensile, p.EA.maxCoeff());
  }
  return part * std::max(std::abs(weight_), bending) + round_off * tensile;
}

NodeLoads DividedLine::attachment_loads(const NodeLoad& n, const NodeWork& work, const Rates& rates) const {
  const double gravity = surroundings_.water.gravity;
  const auto at = [&](const std::vector<double>& array) {
    const double* p = array.data() + n.node;
    return Vec3(p[0], p[work.stride], p[2 * work.stride]);
  };
  const Vec3 r = at(work.position), v = at(work.velocity), a = at(work.acceleration);
  WaterSample water;
  if (work.open) water = work.samples[static_cast<size_t>(layout_.points * n.node)];
  const double under = 0.5 - 0.5 * (r.z() - water.surface) / n.radius, wet = std::clamp(under, 0.0, 1.0);
  const Vec3 through = v - water.velocity;
  const double speed = through.norm(), drag = wet * n.drag, added = wet * n.added, displaced = wet * n.displaced;
  NodeLoads out;
  out.residual =
      n.mass * a + added * (a - water.acceleration) - displaced * water.acceleration + drag * speed * through;
  out.residual.z() += gravity * (n.mass - displaced);
  out.tangent = Mat3::Identity() * (rates.acceleration * (n.mass + added) + rates.velocity * drag * speed);
  out.tangent += through * through.transpose() * (rates.velocity * drag / std::max(speed, 1e-9));
  if (under > 0 && under < 1) out.tangent(2, 2) += gravity * n.displaced * 0.5 / n.radius;
  const LocalPlane plane = bed_.at(r);
  const double embedment = bed_.present ? plane.level - r.dot(plane.normal) : 0;
  if (embedment > 0) {
    const double ramp = std::min(1.0, embedment / bed_.ramp);
    out.residual -= (n.bed_stiffness * embedment - n.bed_damping * ramp * v.dot(plane.normal)) * plane.normal;
    out.tangent += (n.bed_stiffness + rates.velocity * ramp * n.bed_damping) * plane.normal * plane.normal.transpose();
  }
  return out;
}

PaidOut DividedLine::paid_out(const double* state) const {
  if (layout_.nodes == elements_ + 1) return {};
  const double out = arc_[static_cast<size_t>(elements(state) - 1)] + state[StateLayout::last_length];
  return {out - length_, state[StateLayout::pay_rate], 0};
}

Vec3 DividedLine::position(const double* state, int node) const {
  return {state[layout_.position(0) + node], state[layout_.position(1) + node], state[layout_.position(2) + node]};
}
Vec3 DividedLine::velocity(const double* state, int node) const {
  return {state[layout_.velocity(0) + node], state[layout_.velocity(1) + node], state[layout_.velocity(2) + node]};
}

}  // namespace davit::cable
