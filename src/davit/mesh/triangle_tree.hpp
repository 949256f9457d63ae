// Questions about the surface of a body: where a segment meets it, whether a point is inside, the closest point, and
// the distance of two bodies at two poses. A bounding-volume tree in the body's own axes, built once; queries allocate
// nothing.
#pragma once

#include <optional>

#include "davit/math/pose.hpp"
#include "davit/mesh/box_tree.hpp"
#include "davit/mesh/triangle_distance.hpp"
#include "davit/mesh/triangle_mesh.hpp"

namespace davit {

struct SegmentHit {
  double at;     // 0 at the begin of the segment, 1 at its end
  int triangle;  // of the mesh
  bool sharp;    // the segment clearly passes through the inside of the triangle, not through a side or along the face
  bool inward;   // it comes from outside
};

struct ClosestPoint {
  Vec3 point;
  int triangle;
  double distance;
};

struct Separation {
  double distance;             // 0 where the surfaces touch or cut
  Vec3 a, b;                   // where it is attained, in the axes in which the poses are given
  int triangle_a, triangle_b;  // of the meshes
};

class TriangleTree {
 public:
  explicit TriangleTree(const TriangleMesh& mesh);

  bool empty() const { return tree_.empty(); }
  const Box& bounds() const { return bounds_; }

  // Every triangle that the segment p..q meets, in the order of the tree. Watertight: a side belongs to both of its
  // triangles, by a margin above round-off, so that nothing slips through, and something may be met twice.
  template <class Visit>
  void all_hits(const Vec3& p, const Vec3& q, Visit&& visit) const {
    const SegmentMeetsBox meets(p, q);
    const Vec3 along = q - p;
    tree_.visit(meets, [&](int first, int count) {
      for (int i = first; i < first + count; ++i)
        if (const auto hit = meet(items_[static_cast<size_t>(i)], p, along)) visit(*hit);
    });
  }
  std::optional<SegmentHit> first_hit(const Vec3& p, const Vec3& q) const;

  // Of a closed surface that faces outwards. Counts how often a ray leaves it; a ray that grazes a side is not counted
  // but replaced by another.
  bool inside(const Vec3& point) const;

  // The tree must not be empty.
  ClosestPoint closest(const Vec3& point) const;
  friend Separation distance(const TriangleTree& a, const Pose& pose_a, const TriangleTree& b, const Pose& pose_b);

 private:
  struct Item {
    Corners corners;
    int triangle;
  };
  static std::optional<SegmentHit> meet(const Item& item, const Vec3& p, const Vec3& along);
  void fit_bricks();

  // A box about what a node holds, turned as that lies: on a fine mesh of a curved surface it is thin, while a box
  // along the axes is as thick as a triangle is long, and far too many pairs of those come as close as the surfaces do.
  struct Brick {
    Vec3 centre;
    Mat3 halves;  // columns: half of each side, the thinnest first
    // Half of the extent along a direction.
    double extent(const Vec3& direction) const { return (halves.transpose() * direction).lpNorm<1>(); }
    Vec3 thin() const { return halves.col(0); }
  };

  BoxTree tree_;
  std::vector<Brick> bricks_;  // of each node
  std::vector<Item> items_;
  Box bounds_;
};

// The least distance of two surfaces, each at its pose; neither tree may be empty. It is that of the surfaces: of a
// body wholly within another it is not zero (inside() tells).
Separation distance(const TriangleTree& a, const Pose& pose_a, const TriangleTree& b, const Pose& pose_b);

}  // namespace davit
