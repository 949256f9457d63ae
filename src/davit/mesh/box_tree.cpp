#include "davit/mesh/box_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace davit {

namespace {

constexpr int leaf_size = 4;
constexpr int bins = 16;
// Deeper than this, halves of equal count: together with the depth that halving 2³¹ items needs, never above max_depth.
constexpr int heuristic_depth = BoxTree::max_depth - 32;

struct Item {
  std::array<float, 3> low, high;
  int index;
  float twice_centre(int axis) const { return low[static_cast<size_t>(axis)] + high[static_cast<size_t>(axis)]; }
};

struct Bounds {
  std::array<float, 3> low{inf, inf, inf}, high{-inf, -inf, -inf};
  static constexpr float inf = std::numeric_limits<float>::infinity();
  void add(const std::array<float, 3>& l, const std::array<float, 3>& h) {
    for (size_t i = 0; i < 3; ++i) low[i] = std::min(low[i], l[i]), high[i] = std::max(high[i], h[i]);
  }
  // Half of the surface of a box that holds something.
  float surface() const {
    const float x = high[0] - low[0], y = high[1] - low[1], z = high[2] - low[2];
    return x * y + y * z + z * x;
  }
};

float rounded_down(double x) {
  const float f = static_cast<float>(x);
  return f > x ? std::nextafter(f, -Bounds::inf) : f;
}

struct Part {
  int node, begin, end, depth;
};

// Orders items begin .. end and returns where the second half begins.
int split(std::vector<Item>& items, const Part& part) {
  const auto begin = items.begin() + part.begin, end = items.begin() + part.end;
  Bounds centres;
  for (auto item = begin; item != end; ++item) {
    std::array<float, 3> c;
    for (int i = 0; i < 3; ++i) c[static_cast<size_t>(i)] = item->twice_centre(i);
    centres.add(c, c);
  }
  int axis = 0;
  const auto extent = [&](int i) { return centres.high[static_cast<size_t>(i)] - centres.low[static_cast<size_t>(i)]; };
  for (int i = 1; i < 3; ++i)
    if (extent(i) > extent(axis)) axis = i;
  const int middle = part.begin + (part.end - part.begin) / 2;
  // Below the least extent a bin's width would be no number.
  if (part.depth < heuristic_depth && extent(axis) > 1e-30f) {
    const float start = centres.low[static_cast<size_t>(axis)], scale = bins / extent(axis);
    const auto bin_of = [&](const Item& item) {
      return std::clamp(static_cast<int>((item.twice_centre(axis) - start) * scale), 0, bins - 1);
    };
    std::array<Bounds, bins> box;
    std::array<int, bins> count{};
    for (auto item = begin; item != end; ++item) {
      const auto b = static_cast<size_t>(bin_of(*item));
      box[b].add(item->low, item->high);
      ++count[b];
    }
    // cost of what lies right of each cut, then of both sides
    std::array<float, bins> right{};
    Bounds sweep;
    int n = 0;
    for (size_t b = bins - 1; b > 0; --b) {
      sweep.add(box[b].low, box[b].high);
      n += count[b];
      right[b] = n > 0 ? sweep.surface() * static_cast<float>(n) : Bounds::inf;
    }
    float best = Bounds::inf;
    int cut = 0;
    sweep = {};
    n = 0;
    for (size_t b = 0; b + 1 < bins; ++b) {
      sweep.add(box[b].low, box[b].high);
      n += count[b];
      const float cost = n > 0 ? sweep.surface() * static_cast<float>(n) + right[b + 1] : Bounds::inf;
      if (cost < best) best = cost, cut = static_cast<int>(b) + 1;
    }
    if (cut > 0) {
      const auto second = std::partition(begin, end, [&](const Item& item) { return bin_of(item) < cut; });
      if (second != begin && second != end) return static_cast<int>(second - items.begin());
    }
  }
  std::nth_element(begin, items.begin() + middle, end, [&](const Item& a, const Item& b) {
    const float x = a.twice_centre(axis), y = b.twice_centre(axis);
    return x != y ? x < y : a.index < b.index;
  });
  return middle;
}

}  // namespace

BoxTree::BoxTree(const std::vector<Box>& boxes) {
  if (boxes.empty()) return;
  const int n = static_cast<int>(boxes.size());
  std::vector<Item> items(boxes.size());
  for (int i = 0; i < n; ++i) {
    Item& item = items[static_cast<size_t>(i)];
    for (size_t k = 0; k < 3; ++k) {
      item.low[k] = rounded_down(boxes[static_cast<size_t>(i)].low[static_cast<Eigen::Index>(k)]);
      item.high[k] = -rounded_down(-boxes[static_cast<size_t>(i)].high[static_cast<Eigen::Index>(k)]);
    }
    item.index = i;
  }
  nodes_.reserve(boxes.size());
  nodes_.resize(2);  // the second is never used: it keeps pairs of children in one cache line
  std::vector<Part> open{{0, 0, n, 0}};
  while (!open.empty()) {
    const Part part = open.back();
    open.pop_back();
    Bounds box;
    for (int i = part.begin; i < part.end; ++i)
      box.add(items[static_cast<size_t>(i)].low, items[static_cast<size_t>(i)].high);
    Node node{box.low, part.begin, box.high, part.end - part.begin};
    if (node.count > leaf_size) {
      const int middle = split(items, part);
      node.count = 0;
      node.first = static_cast<std::int32_t>(nodes_.size());
      open.push_back({node.first + 1, middle, part.end, part.depth + 1});
      open.push_back({node.first, part.begin, middle, part.depth + 1});
      nodes_.resize(nodes_.size() + 2);
    }
    nodes_[static_cast<size_t>(part.node)] = node;
  }
  order_.resize(items.size());
  for (size_t i = 0; i < items.size(); ++i) order_[i] = items[i].index;
}

}  // namespace davit
