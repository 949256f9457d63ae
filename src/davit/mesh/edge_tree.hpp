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
    each_place(p, q, reach, [&](int place) { visit(items_[static_cast<size_t>(place)].edge); });
  }

  // Edges that were near a segment, for others close to it: searched again only for one that leaves its neighbourhood.
  class Nearby {
   public:
    // As near_segment of the tree, which is the same for all calls.
    template <class Visit>
    void near_segment(const EdgeTree& tree, const Vec3& p, const Vec3& q, const Vec3& reach, Visit&& visit) {
      if (!covers(p, q, reach)) look_round(tree, p, q, reach);
      if (places_.size() > most) return tree.near_segment(p, q, reach, visit);
      const SegmentMeetsBox meets(p, q, reach);
      for (const int place : places_) {
        const Item& item = tree.items_[static_cast<size_t>(place)];
        if (meets(item.corners, item.difference)) visit(item.edge);
      }
    }

   private:
    // Of more of them a search is as quick.
    static constexpr size_t most = 24;

    // A box that meets p..q meets p₀..q₀ when it is grown by as much more as their ends are apart.
    bool covers(const Vec3& p, const Vec3& q, const Vec3& reach) const {
      const Vec3 needed = (p - p_).cwiseAbs().cwiseMax((q - q_).cwiseAbs()) + reach;
      return (needed.array() <= reach_.array()).all();
    }
    void look_round(const EdgeTree& tree, const Vec3& p, const Vec3& q, const Vec3& reach) {
      constexpr double margin = 0.002;
      p_ = p;
      q_ = q;
      reach_ = 2 * reach + Vec3::Constant(margin * tree.bounds_.size());
      places_.clear();
      tree.each_place(p_, q_, reach_ * (1 + 1e-9), [&](int place) { places_.push_back(place); });
    }

    Vec3 p_ = Vec3::Zero(), q_ = Vec3::Zero(), reach_ = Vec3::Constant(-1);
    std::vector<int> places_;
  };

  // Of all convex edges.
  const Box& bounds() const { return bounds_; }

 private:
  struct Item {
    Vec3 corners, difference;  // sum and difference of the corners of the edge's box
    int edge;
  };

  // Where in the list of items, which grows.
  template <class Visit>
  void each_place(const Vec3& p, const Vec3& q, const Vec3& reach, Visit&& visit) const {
    const SegmentMeetsBox meets(p, q, reach);
    tree_.visit(meets, [&](int first, int count) {
      for (int i = first; i < first + count; ++i) {
        const Item& item = items_[static_cast<size_t>(i)];
        if (meets(item.corners, item.difference)) visit(i);
      }
    });
  }

  BoxTree tree_;
  std::vector<Item> items_;
  Box bounds_;
};

}  // namespace davit
