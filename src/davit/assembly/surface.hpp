// The surface of a body, ready for questions: what ropes touch and clearances are measured between. In the axes of its
// frame, so that it is made once and shared.
#pragma once

#include <string>

#include "davit/mesh/edge_tree.hpp"
#include "davit/mesh/mend.hpp"
#include "davit/mesh/triangle_tree.hpp"
#include "davit/model/kin.hpp"

namespace davit {

struct BodySurface {
  // The mesh is mended first; what was found is in `mended.problems`.
  BodySurface(std::string name_, const Frame& frame_, const TriangleMesh& given)
      : name(std::move(name_)),
        frame(frame_),
        mended(mend(given)),
        features(find_features(mended.mesh)),
        edges(features),
        triangles(mended.mesh) {}

  bool usable() const {
    for (const MeshProblem& problem : mended.problems)
      if (!problem.mended) return false;
    return true;
  }
  Pose pose(const Kin& kin) const { return {rotation(kin, frame), position(kin, frame)}; }

  std::string name;
  Frame frame;
  MendedMesh mended;
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
    return outer.mended.closed && outer.triangles.inside(pose.inverse() * (other * inner.mended.mesh.corner(0, 0)));
  };
  return holds(a, at, b, bt) || holds(b, bt, a, at) ? 0 : apart;
}

}  // namespace davit
