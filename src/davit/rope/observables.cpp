// Channels and events of a rope: tensions, lengths, wraps, slip, forces on its ends, nodes.
#include "davit/rope/observables.hpp"

#include <algorithm>

namespace davit::rope {

namespace {

using View = RopeForce::View;

size_t node_of(const View& v, size_t waypoint) {
  const auto found = std::find_if(v.state.path.begin(), v.state.path.end(),
                                  [&](const PathNode& n) { return n.waypoint == static_cast<int>(waypoint); });
  return static_cast<size_t>(found - v.state.path.begin());
}

// How far the rope turns at node i: round a sheave, or between its straight pieces.
double turn_at(const Layout& layout, const View& v, size_t i) {
  const PathNode& n = v.state.path[i];
  const LegT<double>&before = v.tensions.legs[i - 1], &after = v.tensions.legs[i];
  if (layout.radius(n) > 0) return wrap_angle(n, before, after);
  const Vec3 a = before.to - before.from, b = after.to - after.from;
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

// Describes the numbers of a rope, in the order in which `RopeNumbers` fills them.
class Description {
 public:
  explicit Description(const RopeForce& rope) : rope_(rope) {
    const Layout& layout = rope.setup().rope.layout;
    add("tension", "N", "largest tension along the rope, with damping and its own weight", "rope tensions", true);
    add("tension_from", "N", "tension at its first end, with the same", "rope tensions");
    add("tension_to", "N", "tension at its last end, with the same", "rope tensions");
    add("tension_elastic", "N", "largest tension by its stretch alone: without damping and weight", "rope tensions");
    add("length", "m", "length as it lies", "rope lengths");
    add("unstretched", "m", "unstretched length", "rope lengths");
    add("nodes", "1", "places where it touches surfaces", "rope nodes");
    add("largest_turn", "rad", "largest angle by which it turns at one place", "rope turns");
    if (!layout.surfaces.empty())
      add("contact_force", "N", "largest force at one place where it touches a surface", "rope contact", true);
    add_force("from", layout.waypoints.front().name);
    add_force("to", layout.waypoints.back().name);
    int number = 0;
    for (size_t i = 1; i + 1 < layout.waypoints.size(); ++i)
      if (layout.waypoints[i].passing) add_pass("pass" + std::to_string(++number), layout.waypoints[i].name);
  }
  std::vector<ScalarInfo> infos;

 private:
  void add(const std::string& what, const char* unit, const std::string& description, const char* group,
           bool main = false) {
    infos.push_back({rope_.name() + "." + what, unit, description, "rope " + rope_.name(), group, main});
  }
  void add_force(const std::string& at, const std::string& on) {
    for (const char* axis : {"Fx", "Fy", "Fz"})
      add(at + "." + axis, "N", "force of the rope on " + on + ", in world axes", "rope forces");
    add(at + ".force", "N", "size of the force of the rope on " + on, "rope forces");
  }
  void add_pass(const std::string& at, const std::string& waypoint) {
    add_force(at, waypoint);
    add(at + ".tension", "N", "tension after " + waypoint, "rope tensions");
    add(at + ".turn", "rad", "angle by which it turns at " + waypoint, "rope turns");
    if (!rope_.setup().rope.friction) return;
    add(at + ".slip", "m/s", "speed of the rope over " + waypoint, "rope slip");
    add(at + ".sticks", "1", "1 while the rope does not move over " + waypoint, "rope slip");
  }

  const RopeForce& rope_;
};

const RatesT<double>* rates_with_friction(const RopeForce& rope, const ContextT<double>& c) {
  return rope.setup().rope.friction ? &rope.rates(c) : nullptr;
}

class RopeNumbers {
 public:
  RopeNumbers(const Rope& rope, const View& view, const RatesT<double>* rates, double* next)
      : rope_(rope), v_(view), rates_(rates), next_(next) {
    const Layout& layout = rope.layout;
    const auto& elastic = v_.tensions.tension;
    add(largest_tension(rope, v_.acting));
    add(tension_at(rope, v_.acting, 0, 0));
    add(tension_at(rope, v_.acting, v_.acting.legs.size() - 1, 1));
    add(*std::max_element(elastic.begin(), elastic.end()));
    add(v_.tensions.total_length);
    add(v_.state.material);
    add_nodes();
    const size_t last = layout.waypoints.size() - 1;
    add_force(node_of(v_, 0));
    add_force(node_of(v_, last));
    for (size_t i = 1; i < last; ++i)
      if (layout.waypoints[i].passing) add_pass(node_of(v_, i));
  }

 private:
  void add(double value) { *next_++ = value; }
  void add_nodes() {
    double turn = 0, force = 0;
    int nodes = 0;
    for (size_t i = 1; i + 1 < v_.state.path.size(); ++i) {
      turn = std::max(turn, turn_at(rope_.layout, v_, i));
      if (!v_.state.path[i].on_edge()) continue;
      force = std::max(force, force_on(rope_, v_.acting, i).norm());
      ++nodes;
    }
    add(nodes);
    add(turn);
    if (!rope_.layout.surfaces.empty()) add(force);
  }
  void add_force(size_t node) {
    const Vec3 force = force_on(rope_, v_.acting, node);
    for (int k = 0; k < 3; ++k) add(force[k]);
    add(force.norm());
  }
  void add_pass(size_t node) {
    add_force(node);
    add(tension_at(rope_, v_.acting, node, 0));
    add(turn_at(rope_.layout, v_, node));
    if (!rates_) return;
    add(rates_->over[node]);
    add(v_.state.path[node].slips ? 0 : 1);
  }

  const Rope& rope_;
  const View& v_;
  const RatesT<double>* rates_;  // of a rope with friction
  double* next_;
};

void report_nodes(const RopeForce& rope, const View& v, const RatesT<double>* rates, double t, EventSink& events) {
  const Rope& of = rope.setup().rope;
  for (size_t i = 1; i + 1 < v.state.path.size(); ++i) {
    const PathNode& n = v.state.path[i];
    if (!n.on_edge()) continue;
    const Vec3& at = v.tensions.at[i];
    const double values[] = {at.x(),
                             at.y(),
                             at.z(),
                             force_on(of, v.acting, i).norm(),
                             tension_at(of, v.acting, i - 1, 1),
                             tension_at(of, v.acting, i, 0),
                             rates ? rates->over[i] : 0,
                             rates ? rates->along[i] : 0};
    events.event(t, rope.name(), n.slips ? "slips" : "sticks", of.layout.surfaces[static_cast<size_t>(n.surface)].name,
                 values);
  }
}

}  // namespace

void add_observables(const std::shared_ptr<const RopeForce>& rope, const ElementPlace& place, Observables& out) {
  out.add_scalars(Description(*rope).infos, [rope, place](const State& s, const Workspace& w, double* values) {
    const auto context = place.context(s, w);
    RopeNumbers(rope->setup().rope, rope->view(context), rates_with_friction(*rope, context), values);
  });
  if (!rope->setup().rope.layout.surfaces.empty())
    out.events.push_back({[rope, place](const State& s, const Workspace& w, EventSink& events) {
      const auto context = place.context(s, w);
      report_nodes(*rope, rope->view(context), rates_with_friction(*rope, context), s.t, events);
    }});
}

}  // namespace davit::rope
