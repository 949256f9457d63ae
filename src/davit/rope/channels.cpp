#include "davit/rope/channels.hpp"

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

}  // namespace

void add_channels(const std::string& name, const std::shared_ptr<const RopeForce>& rope, const ElementPlace& place,
                  Assembly& assembly) {
  const auto add = [&](const std::string& what, const char* unit, const std::string& description, const char* group,
                       bool main, auto value) {
    Channel c;
    c.name = name + "." + what;
    c.unit = unit;
    c.description = description;
    c.source = "rope " + name;
    c.group = group;
    c.main = main;
    c.value = [rope, place, value](const State& s, const Workspace& w) {
      return static_cast<double>(value(rope->view(place.context(s, w))));
    };
    assembly.add_channel(std::move(c));
  };
  const Layout& layout = rope->setup().rope.layout;
  add("tension", "N", "largest tension in the rope", "rope tensions", true,
      [](const View& v) { return *std::max_element(v.tensions.tension.begin(), v.tensions.tension.end()); });
  add("tension_from", "N", "tension at its first end", "rope tensions", false,
      [](const View& v) { return v.tensions.tension.front(); });
  add("tension_to", "N", "tension at its last end", "rope tensions", false,
      [](const View& v) { return v.tensions.tension.back(); });
  add("length", "m", "length as it lies", "rope lengths", false, [](const View& v) { return v.tensions.total_length; });
  add("unstretched", "m", "unstretched length", "rope lengths", false, [](const View& v) { return v.state.material; });
  add("nodes", "1", "places where it touches surfaces", "rope nodes", false, [](const View& v) {
    return std::count_if(v.state.path.begin(), v.state.path.end(), [](const PathNode& n) { return n.on_edge(); });
  });
  add("largest_turn", "rad", "largest angle by which it turns at one place", "rope turns", false,
      [rope](const View& v) {
        double most = 0;
        for (size_t i = 1; i + 1 < v.state.path.size(); ++i)
          most = std::max(most, turn_at(rope->setup().rope.layout, v, i));
        return most;
      });
  if (!layout.surfaces.empty())
    add("contact_force", "N", "largest force at one place where it touches a surface", "rope contact", true,
        [rope](const View& v) {
          double most = 0;
          for (size_t i = 1; i + 1 < v.state.path.size(); ++i)
            if (v.state.path[i].on_edge()) most = std::max(most, force_on(rope->setup().rope, v.tensions, i).norm());
          return most;
        });
  const auto force = [&](const std::string& at, const std::string& on, size_t waypoint) {
    static const char* const axes[] = {"Fx", "Fy", "Fz"};
    for (int k = 0; k < 3; ++k)
      add(at + "." + axes[k], "N", "force of the rope on " + on + ", in world axes", "rope forces", false,
          [rope, waypoint, k](const View& v) {
            return force_on(rope->setup().rope, v.tensions, node_of(v, waypoint))[k];
          });
    add(at + ".force", "N", "size of the force of the rope on " + on, "rope forces", false,
        [rope, waypoint](const View& v) {
          return force_on(rope->setup().rope, v.tensions, node_of(v, waypoint)).norm();
        });
  };
  const size_t last = layout.waypoints.size() - 1;
  force("from", layout.waypoints.front().name, 0);
  force("to", layout.waypoints[last].name, last);
  int number = 0;
  for (size_t i = 1; i < last; ++i) {
    const Waypoint& waypoint = layout.waypoints[i];
    if (!waypoint.passing) continue;
    const std::string at = "pass" + std::to_string(++number);
    force(at, waypoint.name, i);
    add(at + ".tension", "N", "tension after " + waypoint.name, "rope tensions", false,
        [i](const View& v) { return v.tensions.tension[node_of(v, i)]; });
    add(at + ".turn", "rad", "angle by which it turns at " + waypoint.name, "rope turns", false,
        [rope, i](const View& v) { return turn_at(rope->setup().rope.layout, v, node_of(v, i)); });
    if (!rope->setup().rope.friction) continue;
    add(at + ".slip", "m/s", "speed of the rope over " + waypoint.name + " in the last step", "rope slip", false,
        [i](const View& v) { return v.state.path[node_of(v, i)].over_speed; });
    add(at + ".sticks", "1", "1 while the rope does not move over " + waypoint.name, "rope slip", false,
        [i](const View& v) { return v.state.path[node_of(v, i)].slips ? 0 : 1; });
  }
}

}  // namespace davit::rope
