#include "davit/rope/self_check.hpp"

#include <fmt/format.h>

#include <cmath>

#include "davit/rope/crossing.hpp"
#include "davit/rope/rope_ends.hpp"

namespace davit::rope {

namespace {

Vec3 world(const Layout& layout, const Poses& poses, const PathNode& n) {
  return poses[static_cast<size_t>(layout.place(n))] * layout.local(n);
}

double total_length(const Rope& rope, const Poses& poses, const Path& path, const std::vector<double>& s) {
  TensionsT<double> t;
  evaluate_legs(rope, poses, path, s, t, *make_balance_work());
  return t.total_length;
}

// Largest difference between the pulls and the derivatives of the length by where bodies are, with nodes held.
double worst_pull(const Rope& rope, const RopeForce::View& v) {
  const Layout& layout = rope.layout;
  const Poses& poses = v.state.poses;
  const Path& path = v.state.path;
  double worst = 0;
  for (size_t b = 0; b < poses.size(); ++b) {
    Vec3 force = Vec3::Zero(), moment = Vec3::Zero();  // of unit tension, about the body's origin
    const auto add = [&](const PathNode& n, const Vec3& at, const Vec3& pull, const Vec3& extra) {
      if (static_cast<size_t>(layout.place(n)) != b) return;
      force += pull;
      moment += (at - poses[b].p).cross(pull) + extra;
    };
    for (size_t j = 0; j < v.tensions.legs.size(); ++j) {
      const auto& leg = v.tensions.legs[j];
      add(path[j], leg.from, leg.pull_from, leg.moment_from);
      add(path[j + 1], leg.to, leg.pull_to, leg.moment_to);
    }
    for (int k = 0; k < 6; ++k) {
      const double step = 1e-6;
      const auto moved = [&](double by) {
        Poses there = poses;
        if (k < 3)
          there[b].R = exp_rotation(Vec3(by * Vec3::Unit(k))) * poses[b].R;
        else
          there[b].p[k - 3] += by;
        return total_length(rope, there, path, v.s);
      };
      const double slope = (moved(step) - moved(-step)) / (2 * step);
      const double arm = k < 3 ? 1 + poses[b].p.norm() + v.tensions.total_length : 1;
      worst = std::max(worst, std::abs(slope + (k < 3 ? moment[k] : force[k - 3])) / arm);
    }
  }
  return worst;
}

}  // namespace

std::string self_check(const RopeForce& force, const RopeForce::View& v) {
  const Rope& rope = force.setup().rope;
  const Layout& layout = rope.layout;
  const Path& path = v.state.path;
  const Poses& poses = v.state.poses;
  if (!v.outcome.settled) return "the path did not settle";
  if (!v.outcome.balanced) return "the balance of its nodes did not converge";
  if (!std::isfinite(v.tensions.total_length)) return "its length is not a number";
  const double distance = (world(layout, poses, path.back()) - world(layout, poses, path.front())).norm();
  if (v.tensions.total_length < distance * (1 - 1e-12))
    return fmt::format("its path of {} m is shorter than the {} m between its ends", v.tensions.total_length, distance);
  double material = 0;
  for (size_t j = 0; j < v.tensions.material.size(); ++j) {
    material += v.tensions.material[j];
    if (!(v.tensions.material[j] > 0)) return fmt::format("leg {} has {} m of rope", j, v.tensions.material[j]);
    if (!(v.tensions.tension[j] >= 0)) return fmt::format("leg {} pushes with {} N", j, -v.tensions.tension[j]);
  }
  if (std::abs(material - v.state.material) > 1e-9 * v.state.material)
    return fmt::format("its legs have {} m of rope, all of it is {} m", material, v.state.material);
  double size = 1;
  for (const TouchedSurface& s : layout.surfaces) size = std::max(size, s.size);
  const double depth = deepest_penetration(rope, poses, path);
  if (depth > 1e-6 * size) return fmt::format("it is {} m inside a body", depth);
  for (size_t i = 1; i + 1 < path.size(); ++i) {
    const PathNode& n = path[i];
    if (!n.on_edge()) continue;
    if (!(n.s >= 0 && n.s <= layout.edge_length(n))) return fmt::format("node {} is off its edge", i);
    const auto local = [&](const PathNode& m) {
      const Pose& pose = poses[static_cast<size_t>(layout.place(n))];
      return Vec3(pose.R.transpose() * (world(layout, poses, m) - pose.p));
    };
    const double h = height(local(path[i - 1]), local(path[i + 1]), layout.edge(n), n.direction);
    if (h > 1e-9 * size) return fmt::format("node {} does not press: its neighbours pass {} m above it", i, h);
  }
  const double misfit = friction_misfit(rope, poses, paid_out_between(force.setup(), v.state, v.state), path);
  if (misfit > 1e-6) return fmt::format("forces at a node exceed friction by {} of it", misfit);
  const double pull = worst_pull(rope, v);
  if (pull > 1e-6) return fmt::format("pulls differ from the derivatives of the length by {}", pull);
  return {};
}

}  // namespace davit::rope
