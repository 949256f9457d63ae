// The surface of a body, ready for questions: what ropes touch and clearances are measured between. In the axes of its
// frame, so that it is made once and shared.
#pragma once

#include <string>

#include "davit/mesh/edge_tree.hpp"
#include "davit/mesh/repair.hpp"
#include "davit/mesh/triangle_tree.hpp"
#include "davit/model/kin.hpp"

namespace davit {

struct BodySurface {
  // The mesh is repaired first; what was found is in `repaired.problems`.
  BodySurface(std::string name_, const Frame& frame_, const TriangleMesh& given)
      : name(std::move(name_)),
        frame(frame_),
        repaired(repair(given)),
        features(find_features(repaired.mesh)),
        edges(features),
        triangles(repaired.mesh) {}

  bool usable() const {
    for (const MeshProblem& problem : repaired.problems)
      if (!problem.repaired) return false;
    return true;
  }
  Pose pose(const Kin& kin) const { return {rotation(kin, frame), position(kin, frame)}; }

  std::string name;
  Frame frame;
  RepairedMesh repaired;
  Features features;
  EdgeTree edges;
  TriangleTree triangles;
};

// The least distance of two surfaces; zero where they touch, cut, or one body holds the other. Allocates nothing.
inline double clearance(const BodySurface& a, const BodySurface& b, const Kin& kin) {
  const Pose at = a.pose(kin), bt = b.pose(kin);
  const double apart = distance(a.triangles, at, b.triangles, bt).distance;
  if (apart == 0) return 0;
  // Surfaces that do not cut: one point tells where all of the other body is.
  const auto holds = [](const BodySurface& outer, const Pose& pose, const BodySurface& inner, const Pose& other) {
    return outer.repaired.closed && outer.triangles.inside(pose.inverse() * (other * inner.repaired.mesh.corner(0, 0)));
  };
  return holds(a, at, b, bt) || holds(b, bt, a, at) ? 0 : apart;
}

}  // namespace davit
