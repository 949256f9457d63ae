// Lines as a spring along the straight line between their ends, and as a stiffness about one place of the ends.
#include "davit/cable/spring_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace davit::cable {

Outcome InstantLine::settle(const LineEnds& ends, double* state, EndForces& out, Scratch&, const double*) const {
  Eigen::Map<Vec3>(state + 0) = ends.a;
  Eigen::Map<Vec3>(state + 3) = ends.b;
  const bool anchored = out.anchored;
  out = forces(ends);
  out.anchored = anchored;
  return {true, 0, 0, 0};
}
Outcome InstantLine::step(const double*, double, double, const LineEnds& ends, double* after, EndForces& out,
                          Scratch& scratch) const {
  return settle(ends, after, out, scratch, nullptr);
}
LineEnds InstantLine::ends(const double* state) const {
  return {Eigen::Map<const Vec3>(state), Eigen::Map<const Vec3>(state + 3)};
}

void InstantLine::look(const double* state, LineView& view) const {
  const LineEnds at = ends(state);
  const EndForces f = forces(at);
  view.positions.assign({at.a, at.b});
  view.force_a = f.a;
  view.force_b = f.b;
  view.tension_a = f.a.norm();
  view.tension_b = f.b.norm();
  view.tension.assign(1, std::min(view.tension_a, view.tension_b));
  view.uplift_angle = std::atan2(f.a.z(), f.a.head<2>().norm());
  const double most = std::max(view.tension_a, view.tension_b);
  view.safety_factor = breaking_load > 0 && most > 0 ? breaking_load / most : 0;
}

SpringLine::SpringLine(std::vector<Point> curve, double strength) : curve_(std::move(curve)) {
  breaking_load = strength;
  if (curve_.size() < 2) throw std::invalid_argument("a spring's table needs two points at least");
  for (size_t i = 0; i < curve_.size(); ++i) {
    const Point& p = curve_[i];
    if (!(p.distance >= 0 && p.tension >= 0 && std::isfinite(p.distance + p.tension)))
      throw std::invalid_argument(fmt::format(
          "distance and tension of a spring must not be negative (they are {:g} m and {:g} N)", p.distance, p.tension));
    if (i > 0 && !(p.distance > curve_[i - 1].distance && p.tension >= curve_[i - 1].tension))
      throw std::invalid_argument(
          fmt::format("a spring's tension must grow with the distance: {:g} m, {:g} N come after {:g} m, {:g} N",
                      p.distance, p.tension, curve_[i - 1].distance, curve_[i - 1].tension));
  }
}

std::vector<SpringLine::Point> SpringLine::linear(double stiffness, double distance, double tension) {
  const double slack = distance - tension / stiffness;
  if (tension > 0 && slack > 0) return {{slack, 0}, {distance, tension}};
  if (tension > 0) return {{0, tension - stiffness * distance}, {distance, tension}};
  return {{distance, 0}, {distance + 1, stiffness}};
}

std::string SpringLine::describe() const {
  return curve_.size() == 2 ? std::string("linear spring")
                            : fmt::format("spring by a table of {} points", curve_.size());
}

SpringLine::Pull SpringLine::pull(double d) const {
  double energy = 0;
  if (d <= curve_.front().distance)
    return {curve_.front().tension, 0, curve_.front().tension * (d - curve_[0].distance)};
  size_t i = 1;
  for (; i + 1 < curve_.size() && d > curve_[i].distance; ++i)
    energy += 0.5 * (curve_[i].tension + curve_[i - 1].tension) * (curve_[i].distance - curve_[i - 1].distance);
  const Point &p = curve_[i - 1], &q = curve_[i];
  const double slope = (q.tension - p.tension) / (q.distance - p.distance), beyond = d - p.distance;
  return {p.tension + slope * beyond, slope, energy + (p.tension + 0.5 * slope * beyond) * beyond};
}

EndForces SpringLine::forces(const LineEnds& ends) const {
  const Vec3 apart = ends.b - ends.a;
  const double d = std::max(apart.norm(), 1e-9);
  const Vec3 t = apart / d;
  const Pull p = pull(d);
  EndForces out;
  out.a = p.tension * t;
  out.b = -out.a;
  const Mat3 along = t * t.transpose(), K = p.slope * along + p.tension / d * (Mat3::Identity() - along);
  out.tangent << -K, K, K, -K;
  return out;
}

LineEnergy SpringLine::energy(const double* state) const {
  const LineEnds at = ends(state);
  LineEnergy out;
  out.elastic = pull((at.b - at.a).norm()).energy;
  return out;
}

LinearLine::LinearLine(const LineEnds& ends, const EndForces& at, double length, double strength)
    : ends_(ends), at_(at), length_(length) {
  breaking_load = strength;
}

Vec6 LinearLine::away(const LineEnds& ends) const {
  Vec6 out;
  out << ends.a - ends_.a, ends.b - ends_.b;
  return out;
}

EndForces LinearLine::forces(const LineEnds& ends) const {
  EndForces out = at_;
  const Vec6 more = at_.tangent * away(ends);
  out.a += more.head<3>();
  out.b += more.tail<3>();
  return out;
}

// Minus the work of its forces from the place at the start.
LineEnergy LinearLine::energy(const double* state) const {
  const Vec6 d = away(ends(state));
  LineEnergy out;
  out.elastic = -(at_.a.dot(d.head<3>()) + at_.b.dot(d.tail<3>()) + 0.5 * d.dot(at_.tangent * d));
  return out;
}

}  // namespace davit::cable
