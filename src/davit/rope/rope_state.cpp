// The path of a rope in the discrete state.
#include "davit/rope/rope_ends.hpp"
#include "davit/rope/rope_work.hpp"

namespace davit::rope {

namespace {

// Indices in the discrete state of a node, and of the rope as a whole.
enum NodeField {
  f_station,
  f_surface,
  f_edge,
  f_direction,
  f_s,
  f_material,
  f_mark,
  f_turned,
  f_gauge,
  f_slips,
  f_count
};
enum RopeField { r_material, r_first, r_last, r_first_by_angle, r_last_by_angle, r_work, r_count };
enum Slot { slot_nodes, slot_poses, slot_rope, slot_count };

}  // namespace

std::vector<DiscreteSlot> RopeForce::discrete_slots() const {
  return {{name(), f_count, static_cast<int>(setup_.most_nodes)},
          {name(), 12, static_cast<int>(setup_.rope.layout.bodies.size()) + 1},
          {name(), r_count, 1}};
}

void RopeForce::read(const DiscreteState& discrete, int first_slot, PathState& out) const {
  const int count = discrete.size(first_slot + slot_nodes);
  if (count == 0) {
    out = start_;
    return;
  }
  out.path.resize(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) {
    const auto r = discrete.record(first_slot + slot_nodes, i);
    PathNode& n = out.path[static_cast<size_t>(i)];
    n = PathNode{};
    n.waypoint = static_cast<int>(r[f_station]);
    n.surface = static_cast<int>(r[f_surface]);
    n.edge = static_cast<int>(r[f_edge]);
    n.direction = static_cast<int>(r[f_direction]);
    n.s = n.s_before = r[f_s];
    n.material = r[f_material];
    n.mark = r[f_mark];
    n.turned = r[f_turned];
    n.gauge = r[f_gauge];
    n.slips = r[f_slips] != 0;
  }
  out.poses.resize(setup_.rope.layout.bodies.size());
  for (size_t i = 0; i < out.poses.size(); ++i) {
    const auto r = discrete.record(first_slot + slot_poses, static_cast<int>(i));
    out.poses[i].R = Eigen::Map<const Mat3>(r.data());
    out.poses[i].p = Eigen::Map<const Vec3>(r.data() + 9);
  }
  const auto r = discrete.record(first_slot + slot_rope, 0);
  out.material = r[r_material];
  out.first_paid = r[r_first];
  out.last_paid = r[r_last];
  out.first_by_angle = r[r_first_by_angle];
  out.last_by_angle = r[r_last_by_angle];
  out.friction_work = r[r_work];
}

ReelMark RopeForce::reel_mark(const DiscreteState& discrete, int first_slot, int end) const {
  if (discrete.size(first_slot + slot_nodes) == 0) return mark_of(setup_, end, start_);
  const auto r = discrete.record(first_slot + slot_rope, 0);
  const auto pose = discrete.record(first_slot + slot_poses, waypoint_of(setup_, end).place);
  return {r[end == 0 ? r_first : r_last], r[end == 0 ? r_first_by_angle : r_last_by_angle],
          Mat3(Eigen::Map<const Mat3>(pose.data()))};
}

void RopeForce::write(const PathState& in, DiscreteState& discrete, int first_slot) const {
  const auto fit = [&](int slot, size_t count) {
    for (int i = discrete.size(slot); i < static_cast<int>(count); ++i) discrete.insert(slot, i);
    for (int i = discrete.size(slot); i > static_cast<int>(count); --i) discrete.erase(slot, i - 1);
  };
  fit(first_slot + slot_nodes, in.path.size());
  fit(first_slot + slot_poses, in.poses.size());
  for (size_t i = 0; i < in.path.size(); ++i) {
    const PathNode& n = in.path[i];
    const auto r = discrete.record(first_slot + slot_nodes, static_cast<int>(i));
    r[f_station] = n.waypoint;
    r[f_surface] = n.surface;
    r[f_edge] = n.edge;
    r[f_direction] = n.direction;
    r[f_s] = n.s;
    r[f_material] = n.material;
    r[f_mark] = n.mark;
    r[f_turned] = n.turned;
    r[f_gauge] = n.gauge;
    r[f_slips] = n.slips;
  }
  for (size_t i = 0; i < in.poses.size(); ++i) {
    const auto r = discrete.record(first_slot + slot_poses, static_cast<int>(i));
    Eigen::Map<Mat3>(r.data()) = in.poses[i].R;
    Eigen::Map<Vec3>(r.data() + 9) = in.poses[i].p;
  }
  const auto r = discrete.record(first_slot + slot_rope, 0);
  r[r_material] = in.material;
  r[r_first] = in.first_paid;
  r[r_last] = in.last_paid;
  r[r_first_by_angle] = in.first_by_angle;
  r[r_last_by_angle] = in.last_by_angle;
  r[r_work] = in.friction_work;
}

double RopeForce::unstretched(const DiscreteState& discrete, int first_slot) const {
  if (discrete.size(first_slot + slot_nodes) == 0) return start_.material;
  return discrete.record(first_slot + slot_rope, 0)[r_material];
}

void RopeForce::lengthen(DiscreteState& discrete, int first_slot, double by) const {
  PathState state;
  read(discrete, first_slot, state);
  const double factor = 1 + by / state.material;
  state.material += by;
  for (PathNode& n : state.path) n.material *= factor;
  write(state, discrete, first_slot);
}

// The work with the path as committed; what was found for another is forgotten.
template <class S>
RopeForce::Work<S>& RopeForce::committed(const ContextT<S>& c) const {
  auto& w = static_cast<Work<S>&>(*c.work);
  w.records_now.clear();
  for (int slot = c.first_slot; slot < c.first_slot + slot_count; ++slot) {
    w.records_now.push_back(c.discrete.size(slot));
    for (int i = 0; i < c.discrete.size(slot); ++i) {
      const auto record = c.discrete.record(slot, i);
      w.records_now.insert(w.records_now.end(), record.begin(), record.end());
    }
  }
  if (same_bits(w.records_now, w.records)) return w;
  w.here.known = w.begin.known = w.end.known = false;
  w.records.swap(w.records_now);
  read(c.discrete, c.first_slot, w.committed);
  return w;
}

template RopeForce::Work<double>& RopeForce::committed(const ContextT<double>&) const;
template RopeForce::Work<Dual8>& RopeForce::committed(const ContextT<Dual8>&) const;

}  // namespace davit::rope
