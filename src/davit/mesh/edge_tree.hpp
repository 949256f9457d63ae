// Which convex edges of a body a straight piece of rope may touch: a bounding-volume tree, in the body's own axes, so
// that it is built once.
#pragma once

#include "davit/mesh/box_tree.hpp"
#include "davit/mesh/features.hpp"

namespace davit {

class EdgeTree {
 public:
  explicit EdgeTree(const Features& features) {
    std::vector<int> convex;
    std::vector<Box> boxes;
    for (size_t e = 0; e < features.edges.size(); ++e) {
      const FeatureEdge& edge = features.edges[e];
      if (!edge.convex) continue;
      Box box;
      box.add(edge.a);
      box.add(edge.b);
      bounds_.add(box);
      boxes.push_back(box);
      convex.push_back(static_cast<int>(e));
    }
    tree_ = BoxTree(boxes);
    items_.reserve(convex.size());
    for (const int i : tree_.order()) {
      const Box& box = boxes[static_cast<size_t>(i)];
      items_.push_back({box.low + box.high, box.high - box.low, convex[static_cast<size_t>(i)]});
    }
  }

  // Calls visit(edge index) for each convex edge whose box, grown by `reach` in each axis, meets the segment p..q;
  // always in the same order, without allocation.
  template <class Visit>
  void near_segment(const Vec3& p, const Vec3& q, const Vec3& reach, Visit&& visit) const {
    const SegmentMeetsBox meets(p, q, reach);
    tree_.visit(meets, [&](int first, int count) {
      for (int i = first; i < first + count; ++i) {
        const Item& item = items_[static_cast<size_t>(i)];
        if (meets(item.corners, item.difference)) visit(item.edge);
      }
    });
  }

  // Of all convex edges.
  const Box& bounds() const { return bounds_; }

 private:
  struct Item {
    Vec3 corners, difference;  // sum and difference of the corners of the edge's box
    int edge;
  };
  BoxTree tree_;
  std::vector<Item> items_;
  Box bounds_;
};

}  // namespace davit
