// What a rope tells of itself to pictures, report and statics (model/strand.hpp).
#include <algorithm>
#include <numbers>

#include "davit/rope/rope_force.hpp"

namespace davit::rope {

namespace {

// Pieces of an arc round a sheave turn by no more.
constexpr double finest_turn = 15 * std::numbers::pi / 180;

double to_the_vertical(const LegT<double>& leg) {
  const Vec3 d = leg.to - leg.from;
  return std::atan2(d.head<2>().norm(), std::abs(d.z()));
}

}  // namespace

// Straight pieces, and arcs round sheaves.
void RopeForce::draw(const ContextT<double>& c, Polyline& line) const {
  const Rope& rope = setup_.rope;
  const View v = view(c);
  const Layout& layout = rope.layout;
  const Path& path = v.state.path;
  const auto& legs = v.tensions.legs;
  line.vertices.clear();
  line.vertices.push_back({legs.front().from, largest_tension(rope, v.acting, 0), {}, layout.gap_after(path.front())});
  for (size_t i = 1; i + 1 < path.size(); ++i) {
    const PathNode& n = path[i];
    Polyline::Vertex vertex{legs[i - 1].to, largest_tension(rope, v.acting, i)};
    if (n.on_edge() || rope.friction) vertex.contact = n.slips ? Polyline::Contact::slips : Polyline::Contact::sticks;
    if (layout.radius(n) > 0) {
      const Vec3& centre = v.tensions.at[i];
      const Vec3 axis =
                     v.state.poses[static_cast<size_t>(layout.place(n))].R * layout.waypoint(n).frame.offset.R.col(2),
                 radius = vertex.at - centre;
      const double wrap = wrap_angle(n, legs[i - 1], legs[i]);
      const double pieces = std::ceil(std::abs(wrap) / finest_turn);
      for (int k = 0; k < pieces; ++k) {
        vertex.at = centre + exp_rotation(Vec3(k * wrap / pieces * axis)) * radius;
        line.vertices.push_back(vertex);
      }
    }
    vertex.at = legs[i].from;
    vertex.gap_after = layout.gap_after(n);
    line.vertices.push_back(vertex);
  }
  line.vertices.push_back({legs.back().to});
}

std::vector<Strand::Wheel> RopeForce::wheels() const {
  std::vector<Wheel> out;
  for (const Waypoint& point : setup_.rope.layout.waypoints)
    if (point.radius > 0) out.push_back({point.name, point.frame, point.radius});
  return out;
}

// Its waypoints, then the bodies that take part. Of a rope in pieces every waypoint is an end of one.
std::vector<RiggingStrand::Place> RopeForce::places() const {
  const Layout& layout = setup_.rope.layout;
  std::vector<Place> out;
  for (const Waypoint& point : layout.waypoints) out.push_back({point.name, point.frame.body, setup_.in_pieces});
  out.front().lug = out[layout.waypoints.size() - 1].lug = true;
  for (const int body : layout.bodies) out.push_back({{}, body});
  return out;
}

void RopeForce::pulls(const ContextT<double>& c, std::vector<Pull>& out) const {
  const Layout& layout = setup_.rope.layout;
  const View v = view(c);
  out.clear();
  for (size_t i = 0; i < v.state.path.size(); ++i) {
    const PathNode& n = v.state.path[i];
    const size_t place = n.waypoint >= 0 ? static_cast<size_t>(n.waypoint)
                                         : layout.waypoints.size() + static_cast<size_t>(layout.place(n));
    out.push_back({place, force_on(setup_.rope, v.acting, i)});
  }
}

double RopeForce::tension(const ContextT<double>& c) const { return largest_tension(setup_.rope, view(c).acting); }

double RopeForce::angle_to_vertical(const ContextT<double>& c) const {
  const View v = view(c);
  const auto& legs = v.tensions.legs;
  double angle = to_the_vertical(legs.back());
  if (setup_.in_pieces)
    for (size_t j = 0; j < legs.size(); ++j)
      if (!setup_.rope.layout.gap_after(v.state.path[j])) angle = std::max(angle, to_the_vertical(legs[j]));
  return angle;
}

RiggingStrand::Piece RopeForce::first_piece(const ContextT<double>& c) const {
  const View v = view(c);
  const LegT<double>& leg = v.tensions.legs.front();
  const double tension = v.tensions.tension.front();
  return {(leg.to - leg.from).normalized(), tension, largest_tension(setup_.rope, v.tensions) - tension};
}

}  // namespace davit::rope
