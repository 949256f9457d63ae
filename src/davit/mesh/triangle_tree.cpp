#include "davit/mesh/triangle_tree.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace davit {

namespace {

Vec3 low_of(const BoxTree::Node& n) { return {n.low[0], n.low[1], n.low[2]}; }
Vec3 high_of(const BoxTree::Node& n) { return {n.high[0], n.high[1], n.high[2]}; }

double square_distance(const Vec3& point, const BoxTree::Node& node) {
  return (low_of(node) - point).cwiseMax(point - high_of(node)).cwiseMax(0).squaredNorm();
}

}  // namespace

TriangleTree::TriangleTree(const TriangleMesh& mesh) {
  std::vector<Box> boxes(mesh.triangles.size());
  for (int t = 0; t < mesh.count(); ++t) {
    for (int k = 0; k < 3; ++k) boxes[static_cast<size_t>(t)].add(mesh.corner(t, k));
    bounds_.add(boxes[static_cast<size_t>(t)]);
  }
  tree_ = BoxTree(boxes);
  items_.reserve(boxes.size());
  for (const int t : tree_.order()) items_.push_back({{mesh.corner(t, 0), mesh.corner(t, 1), mesh.corner(t, 2)}, t});
  fit_bricks();
}

// Axes are the principal axes of all corners.
void TriangleTree::fit_bricks() {
  const auto& nodes = tree_.nodes();
  struct Sums {
    int begin = 0, end = 0;  // items
    Vec3 first = Vec3::Zero();
    Mat3 second = Mat3::Zero();
  };
  const Vec3 origin = bounds_.empty() ? Vec3(Vec3::Zero()) : bounds_.centre();
  std::vector<Sums> sums(nodes.size());
  bricks_.resize(nodes.size());
  // Children come after their parents. The second node is none.
  for (size_t i = nodes.size(); i-- > 0;) {
    if (i == 1) continue;
    const BoxTree::Node& node = nodes[i];
    Sums& sum = sums[i];
    if (node.count > 0) {
      sum.begin = node.first;
      sum.end = node.first + node.count;
      for (int k = sum.begin; k < sum.end; ++k)
        for (const Vec3& corner : items_[static_cast<size_t>(k)].corners) {
          sum.first += corner - origin;
          sum.second += (corner - origin) * (corner - origin).transpose();
        }
    } else {
      const Sums &left = sums[static_cast<size_t>(node.first)], &right = sums[static_cast<size_t>(node.first) + 1];
      sum = {left.begin, right.end, left.first + right.first, left.second + right.second};
    }
    const Vec3 mean = sum.first / (3.0 * (sum.end - sum.begin));
    const Mat3 spread = sum.second / (3.0 * (sum.end - sum.begin)) - mean * mean.transpose();
    Eigen::SelfAdjointEigenSolver<Mat3> solver;
    solver.computeDirect(spread);
    // Square to each other to round-off, which the closed form alone does not promise.
    Mat3 axes;
    axes.col(0) = solver.eigenvectors().col(0).normalized();
    axes.col(2) = axes.col(0).cross(solver.eigenvectors().col(1));
    if (!(axes.col(2).squaredNorm() > 0.1)) axes.col(2) = axes.col(0).unitOrthogonal();
    axes.col(2).normalize();
    axes.col(1) = axes.col(2).cross(axes.col(0));
    Box box;
    for (int k = sum.begin; k < sum.end; ++k)
      for (const Vec3& corner : items_[static_cast<size_t>(k)].corners) box.add(axes.transpose() * corner);
    bricks_[i] = {axes * box.centre(), axes * Vec3(0.5 * (box.high - box.low)).asDiagonal()};
  }
}

// Möller & Trumbore (1997): p + x along = a + u (b − a) + v (c − a), by Cramer's rule.
std::optional<SegmentHit> TriangleTree::meet(const Item& item, const Vec3& p, const Vec3& along) {
  constexpr double margin = 1e-12, sharp = 1e-9;  // of barycentric coordinates
  const Vec3 ab = item.corners[1] - item.corners[0], ac = item.corners[2] - item.corners[0];
  const Vec3 across = along.cross(ac);
  const double determinant = ab.dot(across);
  // Six times the volume of the edges, against the largest that such edges could have: a segment in the plane of the
  // face meets its sides instead, which belong to its neighbours too.
  if (!(std::abs(determinant) > 1e-14 * std::sqrt(ab.squaredNorm() * ac.squaredNorm() * along.squaredNorm())))
    return std::nullopt;
  const double inverse = 1 / determinant;
  const Vec3 r = p - item.corners[0];
  const double u = inverse * r.dot(across);
  if (u < -margin || u > 1 + margin) return std::nullopt;
  const Vec3 turned = r.cross(ab);
  const double v = inverse * along.dot(turned);
  if (v < -margin || u + v > 1 + margin) return std::nullopt;
  const double x = inverse * ac.dot(turned);
  if (x < -margin || x > 1 + margin) return std::nullopt;
  const double clear = std::min({u, v, 1 - u - v});
  const bool steep = std::abs(determinant) > 1e-6 * along.norm() * ab.cross(ac).norm();
  return SegmentHit{std::clamp(x, 0.0, 1.0), item.triangle, clear > sharp && steep, determinant > 0};
}

std::optional<SegmentHit> TriangleTree::first_hit(const Vec3& p, const Vec3& q) const {
  const Vec3 along = q - p;
  std::optional<SegmentHit> best;
  SegmentMeetsBox meets(p, q);
  // The segment is cut off at the best hit so far.
  tree_.visit([&](const BoxTree::Node& node) { return meets(node); },
              [&](int first, int count) {
                for (int i = first; i < first + count; ++i) {
                  const auto hit = meet(items_[static_cast<size_t>(i)], p, along);
                  if (!hit || (best && (hit->at > best->at || (hit->at == best->at && hit->triangle > best->triangle))))
                    continue;
                  best = hit;
                  meets = SegmentMeetsBox(p, p + hit->at * along);
                }
              });
  return best;
}

bool TriangleTree::inside(const Vec3& point) const {
  if (empty() || (point.array() < bounds_.low.array()).any() || (point.array() > bounds_.high.array()).any())
    return false;
  const double far = 2 * bounds_.size();
  int leaves = 0;
  // Directions that share no plane with each other or with the axes, so that what one grazes another does not.
  for (int attempt = 1; attempt <= 16; ++attempt) {
    const Vec3 direction(std::cos(1.7 * attempt), std::sin(2.3 * attempt), 0.9 * std::cos(0.7 * attempt + 0.4));
    leaves = 0;
    bool sharp = true;
    all_hits(point, point + far * direction.normalized(), [&](const SegmentHit& hit) {
      leaves += hit.inward ? -1 : 1;
      sharp = sharp && hit.sharp;
    });
    if (sharp) break;
  }
  return leaves > 0;
}

ClosestPoint TriangleTree::closest(const Vec3& point) const {
  double best = std::numeric_limits<double>::infinity();
  ClosestPoint found{Vec3::Zero(), -1, best};
  struct Open {
    std::int32_t node;
    double square;
  };
  std::array<Open, BoxTree::max_depth + 1> stack;
  int depth = 0;
  stack[0] = {0, 0};
  depth = 1;
  while (depth > 0) {
    const Open open = stack[static_cast<size_t>(--depth)];
    if (open.square >= best) continue;
    const BoxTree::Node& node = tree_.nodes()[static_cast<size_t>(open.node)];
    if (node.count == 0) {
      const double left = square_distance(point, tree_.nodes()[static_cast<size_t>(node.first)]);
      const double right = square_distance(point, tree_.nodes()[static_cast<size_t>(node.first) + 1]);
      const bool left_first = left <= right;
      // The nearer one is taken next.
      stack[static_cast<size_t>(depth++)] = {node.first + (left_first ? 1 : 0), std::max(left, right)};
      stack[static_cast<size_t>(depth++)] = {node.first + (left_first ? 0 : 1), std::min(left, right)};
      continue;
    }
    for (int i = node.first; i < node.first + node.count; ++i) {
      const Item& item = items_[static_cast<size_t>(i)];
      const Vec3 on = closest_on_triangle(point, item.corners);
      const double square = (on - point).squaredNorm();
      if (square < best) best = square, found = {on, item.triangle, 0};
    }
  }
  found.distance = std::sqrt(best);
  return found;
}

// Branch and bound over pairs of nodes, nearer pairs first, all in the axes of a. Along any direction u two bricks are
// apart by at least |u·Δ| − extents, with Δ between their centres; tried are the direction of the best pair so far,
// that between the centres, and the thin sides of both. A pair of nodes that cannot come closer than the best so far by
// more than 1e-12 of it is dropped.
Separation distance(const TriangleTree& a, const Pose& pose_a, const TriangleTree& b, const Pose& pose_b) {
  const Pose pose = pose_a.inverse() * pose_b;
  const Mat3 back = pose.R.transpose();
  struct Open {
    std::int32_t a, b;
    double apart;
  };
  const auto node_a = [&](int i) -> const BoxTree::Node& { return a.tree_.nodes()[static_cast<size_t>(i)]; };
  const auto node_b = [&](int i) -> const BoxTree::Node& { return b.tree_.nodes()[static_cast<size_t>(i)]; };
  double enough = std::numeric_limits<double>::infinity();  // what is not closer than this is of no interest
  double best = enough;
  Vec3 between = Vec3::Zero();  // unit vector of the best pair

  const auto apart = [&](int i, int j) {
    const TriangleTree::Brick &m = a.bricks_[static_cast<size_t>(i)], &n = b.bricks_[static_cast<size_t>(j)];
    const Vec3 delta = pose * n.centre - m.centre;
    double gap = 0;
    const auto along = [&](const Vec3& u) {
      gap = std::max(gap, std::abs(u.dot(delta)) - m.extent(u) - n.extent(back * u));
      return gap >= enough;
    };
    if (along(between)) return gap;
    const double length = delta.norm();
    if (length > 0 && along(delta / length)) return gap;
    const double thin_a = m.thin().norm(), thin_b = n.thin().norm();
    if (thin_a > 0 && along(m.thin() / thin_a)) return gap;
    if (thin_b > 0) along(pose.R * (n.thin() / thin_b));
    return gap;
  };
  const auto size = [](const TriangleTree::Brick& brick) { return brick.halves.squaredNorm(); };

  Separation found{best, Vec3::Zero(), Vec3::Zero(), -1, -1};
  std::array<Open, 2 * BoxTree::max_depth + 2> stack;
  int depth = 0;
  stack[static_cast<size_t>(depth++)] = {0, 0, 0};
  while (depth > 0) {
    const Open open = stack[static_cast<size_t>(--depth)];
    // Once more with the direction of today.
    if (open.apart >= enough || apart(open.a, open.b) >= enough) continue;
    const BoxTree::Node &m = node_a(open.a), &n = node_b(open.b);
    if (m.count == 0 || n.count == 0) {
      // The larger one is opened.
      const bool open_a = n.count > 0 || (m.count == 0 && size(a.bricks_[static_cast<size_t>(open.a)]) >=
                                                              size(b.bricks_[static_cast<size_t>(open.b)]));
      Open first{open_a ? m.first : open.a, open_a ? open.b : n.first, 0};
      Open second{open_a ? m.first + 1 : open.a, open_a ? open.b : n.first + 1, 0};
      first.apart = apart(first.a, first.b);
      second.apart = apart(second.a, second.b);
      if (second.apart < first.apart) std::swap(first, second);
      if (second.apart < enough) stack[static_cast<size_t>(depth++)] = second;
      if (first.apart < enough) stack[static_cast<size_t>(depth++)] = first;
      continue;
    }
    for (int j = n.first; j < n.first + n.count; ++j) {
      const TriangleTree::Item& there = b.items_[static_cast<size_t>(j)];
      Corners turned;
      for (size_t k = 0; k < 3; ++k) turned[k] = pose * there.corners[k];
      const double low = std::min({between.dot(turned[0]), between.dot(turned[1]), between.dot(turned[2])});
      for (int i = m.first; i < m.first + m.count; ++i) {
        const TriangleTree::Item& here = a.items_[static_cast<size_t>(i)];
        const Corners& t = here.corners;
        if (low - std::max({between.dot(t[0]), between.dot(t[1]), between.dot(t[2])}) >= enough) continue;
        const PointPair points = closest_of_triangles(t, turned);
        if (points.square >= best * best) continue;
        best = std::sqrt(points.square);
        enough = best * (1 - 1e-12);
        found = {best, points.a, points.b, here.triangle, there.triangle};
        if (best == 0) break;
        between = (points.b - points.a) / best;
      }
      if (best == 0) break;
    }
    if (best == 0) break;
  }
  return {best, pose_a * found.a, pose_a * found.b, found.triangle_a, found.triangle_b};
}

}  // namespace davit
