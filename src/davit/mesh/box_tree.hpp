// A bounding-volume tree over boxes: the common part of the trees of edges and of triangles. Splits minimise the
// surface that a random line would have to hit (surface-area heuristic, in bins along the longest axis). Boxes are kept
// in single precision, rounded outwards: they only sort out, and two children share a cache line.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "davit/mesh/box.hpp"

namespace davit {

class BoxTree {
 public:
  // Inner nodes have count 0 and children `first` and `first + 1`; leaves hold places first .. first + count.
  struct alignas(32) Node {
    std::array<float, 3> low;
    std::int32_t first;
    std::array<float, 3> high;
    std::int32_t count;
  };
  static constexpr int max_depth = 64;

  BoxTree() = default;
  explicit BoxTree(const std::vector<Box>& boxes);

  bool empty() const { return order_.empty(); }
  const std::vector<Node>& nodes() const { return nodes_; }
  // Indices of the given boxes, in the order in which leaves hold them: a client keeps its items in this order.
  const std::vector<int>& order() const { return order_; }

  // Calls leaf(first, count) for the leaves that are reached through nodes of which meets(node) is true; always in the
  // same order.
  template <class Meets, class Leaf>
  void visit(Meets&& meets, Leaf&& leaf) const {
    if (empty() || !meets(nodes_[0])) return;
    std::array<std::int32_t, max_depth> stack;
    int depth = 0;
    std::int32_t at = 0;
    for (;;) {
      const Node& node = nodes_[static_cast<size_t>(at)];
      if (node.count > 0) {
        leaf(node.first, node.count);
      } else {
        const bool left = meets(nodes_[static_cast<size_t>(node.first)]);
        const bool right = meets(nodes_[static_cast<size_t>(node.first) + 1]);
        if (left && right) stack[static_cast<size_t>(depth++)] = node.first + 1;
        if (left || right) {
          at = left ? node.first : node.first + 1;
          continue;
        }
      }
      if (depth == 0) return;
      at = stack[static_cast<size_t>(--depth)];
    }
  }

 private:
  std::vector<Node> nodes_;
  std::vector<int> order_;
};

// Whether a segment meets boxes, by the separating axes of a segment and a box: the three normals of the box and their
// cross products with the segment. No division, so that segments along an axis or of no length are like any other.
// All lengths are doubled: sums instead of means. Grown by a few round-offs, so that touching counts.
class SegmentMeetsBox {
 public:
  SegmentMeetsBox(const Vec3& p, const Vec3& q, const Vec3& reach = Vec3::Zero())
      : sum_(p + q),
        along_(q - p),
        extent_(along_.cwiseAbs()),
        growth_(2 * reach + 1e-14 * (p.cwiseAbs() + q.cwiseAbs())) {}

  // A box of which the sum and the difference of opposite corners are given.
  bool operator()(const Vec3& corners, const Vec3& difference) const {
    const Vec3 apart = sum_ - corners, size = difference + growth_;
    if (std::abs(apart.x()) > size.x() + extent_.x() || std::abs(apart.y()) > size.y() + extent_.y() ||
        std::abs(apart.z()) > size.z() + extent_.z())
      return false;
    return std::abs(along_.y() * apart.z() - along_.z() * apart.y()) <=
               size.y() * extent_.z() + size.z() * extent_.y() &&
           std::abs(along_.z() * apart.x() - along_.x() * apart.z()) <=
               size.z() * extent_.x() + size.x() * extent_.z() &&
           std::abs(along_.x() * apart.y() - along_.y() * apart.x()) <= size.x() * extent_.y() + size.y() * extent_.x();
  }
  bool operator()(const BoxTree::Node& node) const {
    const Vec3 low(node.low[0], node.low[1], node.low[2]), high(node.high[0], node.high[1], node.high[2]);
    return (*this)(low + high, high - low);
  }

 private:
  Vec3 sum_, along_, extent_, growth_;
};

}  // namespace davit
