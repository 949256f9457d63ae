// A box falls on two ropes one metre off their middle, tilts, slides and drops off (thesis on block erection, 3.1.2).
// The same box in twelve triangles, in twelve thousand irregular ones, and in as many with noise and T-junctions, as
// exported meshes have them, must do the same.
#include <fmt/format.h>

#include <cmath>

#include "davit/mesh/shapes.hpp"
#include "verify/ropes/rope_lab.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

constexpr double mass = 1000, gravity = 9.80665, side = 10, length = 89.26, stiffness = 1e6, step = 0.01, end = 8;

struct Trace {
  bool ok = true;
  std::string fault;
  std::vector<double> y, z;
  std::vector<double> tension[2];
  double release = 0;  // last time that a rope touches
  size_t most_nodes = 0;
};

Trace drop(const TriangleMesh& mesh) {
  const LabBody box{
      "box", {Mat3::Identity(), Vec3(0, 1, side / 2 + 2)}, true, mass, box_inertia(mass, Vec3::Constant(side))};
  std::vector<LabRope> ropes;
  for (const double y : {-3.0, 3.0}) {
    LabRope rope{"rope", {{"world", Vec3(-length / 2, y, 0)}, {"world", Vec3(length / 2, y, 0)}}};
    rope.surfaces = {{"box", mesh}};
    rope.EA = stiffness * length;
    rope.length = length;
    ropes.push_back(rope);
  }
  RopeLab lab({box}, ropes, gravity);
  Trace out;
  out.ok = lab.run(end, step, [&] {
    const Vec3 at = lab.position("box");
    out.y.push_back(at.y());
    out.z.push_back(at.z());
    for (size_t i = 0; i < 2; ++i) {
      const auto& rope = lab.rope(i);
      out.tension[i].push_back(rope.tensions.tension.front());
      out.most_nodes = std::max(out.most_nodes, rope.state.path.size() - 2);
      if (rope.state.path.size() > 2) out.release = lab.t();
    }
    if (out.fault.empty()) out.fault = lab.self_check();
  });
  return out;
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0, scale = 0;
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    largest = std::max(largest, std::abs(a[i] - b[i]));
    scale = std::max(scale, std::abs(a[i]));
  }
  return a.size() == b.size() ? largest / scale : 1;
}

}  // namespace

void rope_mesh_independence(Checker& check) {
  const TriangleMesh plain = box_mesh(Vec3::Constant(side)), fine = refine_irregularly(plain, 12000, 1);
  const TriangleMesh rough = with_t_junctions(roughen(fine, 1e-9, 2), 500, 3);
  const Trace reference = drop(plain);
  check.trend("12 triangles", "height of the box at the end, below the ropes", "m", Checker::Side::below, -side,
              "published: thesis on block erection, Fig. 3-5: it slides off", reference.z.back());
  check.at_most("12 triangles", "self-checks of the ropes that fail", "1", "invariant",
                reference.ok && reference.fault.empty() ? 0 : 1, 0);
  for (const auto& [name, mesh] : {std::pair("12,000 irregular triangles", fine),
                                   std::pair("12,000 with noise of 1e-9 m and 500 T-junctions", rough)}) {
    const Trace trace = drop(mesh);
    const std::string source = "invariant: the same body";
    check.at_most(name, "difference of y to the 12 triangles", "1", source, difference(reference.y, trace.y), 1e-6);
    check.at_most(name, "difference of z", "1", source, difference(reference.z, trace.z), 1e-6);
    for (size_t i = 0; i < 2; ++i)
      check.at_most(name, fmt::format("difference of tension {}", i + 1), "1", source,
                    difference(reference.tension[i], trace.tension[i]), 1e-6);
    check.absolute(name, "time of release", "s", reference.release, source, trace.release, 0);
    check.at_most(name, "self-checks of the ropes that fail", "1", "invariant", trace.ok && trace.fault.empty() ? 0 : 1,
                  0);
  }
}

}  // namespace davit::verify
