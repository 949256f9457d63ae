// A box of 10 m and 1 t falls 15 m onto a rope that spans beneath it (thesis on block erection, 3.1.1), in full: the
// rope finds the box, wraps its lower edges and lets it go again.
#include <cmath>

#include "davit/mesh/shapes.hpp"
#include "verify/ropes/rope_lab.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

constexpr double mass = 1000, gravity = 9.80665, drop = 15, half_span = 39.63, stiffness = 1e7, side = 10;
constexpr double tonne = 1000 * gravity, length = 2 * half_span + side;

double stretch(double depth) { return 2 * (std::hypot(half_span, depth) - half_span); }

// Where the rope has all the energy of the fall.
double deepest() {
  double low = 0, high = 10;
  for (int i = 0; i < 200; ++i) {
    const double y = (low + high) / 2;
    (0.5 * stiffness * stretch(y) * stretch(y) > mass * gravity * (drop + y) ? high : low) = y;
  }
  return (low + high) / 2;
}

struct Fall {
  bool ok = true;
  double touch = 0, lowest = 100, tension = 0, energy_left = 0;
  int tops = 0;
  std::string fault;
};

Fall fall(double h, int tops) {
  const double z = drop + side / 2;
  const LabBody box{"box", {Mat3::Identity(), Vec3(0, 0, z)}, true, mass, box_inertia(mass, Vec3::Constant(side))};
  LabRope rope{"rope", {{"world", Vec3(-length / 2, 0, 0)}, {"world", Vec3(length / 2, 0, 0)}}};
  rope.surfaces = {{"box", box_mesh(Vec3::Constant(side))}};
  rope.EA = stiffness * length;
  rope.length = length;
  RopeLab lab({box}, {rope}, gravity);
  const double energy = lab.energy().total();
  const double floor = mass * gravity * side / 2;  // with the box at rest on the rope, unstretched
  Fall out;
  double before = 0;
  while (out.tops < tops && lab.t() < 100 && out.ok)
    out.ok = lab.run(lab.t() + h, h, [&] {
      const double height = lab.position("box").z(), speed = lab.velocity("box").z();
      const auto& rope_now = lab.rope(0);
      if (out.touch == 0 && rope_now.state.path.size() > 2) out.touch = lab.t();
      out.lowest = std::min(out.lowest, height);
      out.tension = std::max(out.tension, rope_now.tensions.tension.front());
      if (before > 0 && speed <= 0) ++out.tops;
      before = speed;
      if (out.fault.empty()) out.fault = lab.self_check();
      out.energy_left = (lab.energy().total() - floor) / (energy - floor);
    });
  return out;
}

}  // namespace

void rope_box_drop(Checker& check) {
  const double depth = deepest(), tension = stiffness * stretch(depth);
  const std::string published = "published: thesis on block erection, Table 3-1, analytic";
  const Fall coarse = fall(0.01, 10), fine = fall(0.001, 1);
  check.absolute("10 ms", "time of touch", "s", std::sqrt(2 * drop / gravity), "exact: free fall", coarse.touch, 0.01);
  check.relative("10 ms", "lowest height of the box", "m", 2.28, published, coarse.lowest, 0.01);
  check.relative("10 ms", "greatest tension", "t", 190.11, published, coarse.tension / tonne, 0.01);
  check.at_most("10 ms", "energy lost or gained over 10 bounces", "1", "exact: energy",
                std::abs(coarse.energy_left - 1), 0.005);
  check.relative("1 ms", "lowest height of the box", "m", side / 2 - depth, "exact: energy", fine.lowest, 0.001);
  check.relative("1 ms", "greatest tension", "t", tension / tonne, "exact: energy", fine.tension / tonne, 0.001);
  for (const Fall* f : {&coarse, &fine})
    check.at_most(f == &coarse ? "10 ms" : "1 ms", "self-checks of the rope that fail", "1", "invariant",
                  f->ok && f->fault.empty() ? 0 : 1, 0);
}

}  // namespace davit::verify
