// A sling round a cylinder, which is a prism of ever more sides: wrap, length and pressure against those of the circle,
// and the tension that friction holds against the capstan's, T₂ = T₁ e^{μπ}.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "davit/mesh/shapes.hpp"
#include "davit/rope/self_check.hpp"
#include "verify/ropes/rope_pull.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

constexpr double radius = 0.5, hanging = 3;

// Two legs hang down from a fixed cylinder along y; the end of the second one can be pulled down.
PulledRope sling(int sides, double friction) {
  rope::RopeSetup setup;
  setup.rope.elasticity = rope::Elasticity(1e7, 0);
  setup.tension = 1e4;
  setup.most_nodes = 400;
  // An edge, not a face, on top, so that the highest nodes are those of the circle.
  const Mat3 lies = axis_rotation(0, std::numbers::pi / 2);
  const TriangleMesh mesh = transformed(cylinder_mesh(radius, 2, sides), Pose{lies, Vec3::Zero()});
  setup.rope.layout.surfaces = {standing_surface("cylinder", mesh, friction)};
  return pulled_rope(std::move(setup),
                     {Vec3(-radius, 0, -hanging), Vec3(-radius, 0, 2), Vec3(radius, 0, 2), Vec3(radius, 0, -hanging)});
}

}  // namespace

void rope_on_cylinder(Checker& check) {
  double last_error = 0;
  for (const int sides : {16, 32, 64, 128}) {
    const PulledRope s = sling(sides, 0);
    const auto& v = s.view();
    const auto& legs = v.tensions.legs;
    const std::string name = fmt::format("sling round a prism of {} sides", sides);
    double wrap = 0, pressure = 0;
    for (size_t i = 0; i + 1 < legs.size(); ++i) {
      const Vec3 before = (legs[i].to - legs[i].from).normalized(),
                 after = (legs[i + 1].to - legs[i + 1].from).normalized();
      wrap += std::acos(std::clamp(before.dot(after), -1.0, 1.0));
      const double force = v.tensions.tension[0] * (after - before).norm();
      if (i > 0 && i + 2 < legs.size()) pressure = force / legs[i].length;
    }
    check.relative(name, "wrap angle", "rad", std::numbers::pi, "exact: half a turn", wrap, 1e-7);
    check.relative(name, "pressure", "N/m", v.tensions.tension[0] / radius, "exact: T/R", pressure, 1e-9);
    double on_cylinder = 0;
    for (size_t j = 1; j + 1 < legs.size(); ++j) on_cylinder += legs[j].length;
    const double error = std::abs(on_cylinder / (std::numbers::pi * radius) - 1);
    if (last_error > 0 && sides > 16)
      check.order(name, "length on the cylinder, order in the number of sides", 2, "exact: π R",
                  std::log2(last_error / error), 0.1);
    last_error = error;
    const std::string fault = rope::self_check(*s.rope, v);
    check.at_most(name, "self-checks that fail", "1", "invariant", fault.empty() ? 0 : 1, 0);
  }
  const double mu = 0.2, exact = std::exp(mu * std::numbers::pi);
  for (const int sides : {16, 64}) {
    PulledRope s = sling(sides, mu);
    for (int i = 0; i < 60; ++i) s.pull(Vec3(0, 0, -0.001));
    const auto& v = s.view();
    const double ratio = v.tensions.tension.back() / v.tensions.tension.front(), angle = 2 * std::numbers::pi / sides;
    const std::string name = fmt::format("sling pulled over a prism of {} sides, μ = 0.2", sides);
    check.relative(name, "T₂/T₁", "1", exact, "exact: capstan, as the sides become many", ratio,
                   2 * angle * angle + 1e-3);
    const std::string fault = rope::self_check(*s.rope, v);
    check.at_most(name, "self-checks that fail", "1", "invariant", fault.empty() ? 0 : 1, 0);
    if (!fault.empty()) fmt::print(stderr, "{}: {}\n", name, fault);
  }
}

}  // namespace davit::verify
