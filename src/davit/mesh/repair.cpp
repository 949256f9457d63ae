#include "davit/mesh/repair.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "davit/mesh/box_tree.hpp"
#include "davit/mesh/neighbours.hpp"

namespace davit {

namespace {

using Triangle = std::array<int, 3>;

std::string place(const Vec3& p) { return fmt::format("({:.4g}, {:.4g}, {:.4g})", p.x(), p.y(), p.z()); }

// "1 triangle is …" or "3 triangles are …"
std::string counted(int n, const char* one, const char* many) { return fmt::format("{} {}", n, n == 1 ? one : many); }

// Finds earlier points within a distance by a grid of cells somewhat larger than that, so that mostly one cell is
// asked.
class Welder {
 public:
  explicit Welder(double tolerance) : tolerance_(tolerance), cell_(16 * tolerance) {}

  // Index of an earlier point within the tolerance, or of this one, now added.
  int find_or_add(const Vec3& point) {
    std::array<std::int64_t, 3> low, high;
    for (Eigen::Index i = 0; i < 3; ++i) {
      low[static_cast<size_t>(i)] = cell(point[i] - tolerance_);
      high[static_cast<size_t>(i)] = cell(point[i] + tolerance_);
    }
    for (auto x = low[0]; x <= high[0]; ++x)
      for (auto y = low[1]; y <= high[1]; ++y)
        for (auto z = low[2]; z <= high[2]; ++z) {
          const auto found = first_.find(key(x, y, z));
          if (found == first_.end()) continue;
          for (int p = found->second; p >= 0; p = next_[at(p)])
            if ((points[at(p)] - point).squaredNorm() <= tolerance_ * tolerance_) return p;
        }
    const int added = static_cast<int>(points.size());
    points.push_back(point);
    const auto [head, fresh] = first_.try_emplace(key(cell(point.x()), cell(point.y()), cell(point.z())), added);
    next_.push_back(fresh ? -1 : head->second);
    head->second = added;
    return added;
  }

  std::vector<Vec3> points;

 private:
  std::int64_t cell(double x) const { return static_cast<std::int64_t>(std::floor(x / cell_)); }
  // Cells that share a key are merely searched together.
  static std::uint64_t key(std::int64_t x, std::int64_t y, std::int64_t z) {
    return static_cast<std::uint64_t>(x) * 0x9E3779B97F4A7C15u ^ static_cast<std::uint64_t>(y) * 0xC2B2AE3D27D4EB4Fu ^
           static_cast<std::uint64_t>(z) * 0x165667B19E3779F9u;
  }
  double tolerance_, cell_;
  std::unordered_map<std::uint64_t, int> first_;
  std::vector<int> next_;
};

class Mender {
 public:
  Mender(const TriangleMesh& given, double weld) : given_(given) {
    weld_points(weld);
    bool changed = true;
    for (int pass = 0; changed && pass < 64; ++pass) {
      changed = flatten_caps();
      drop_repeated();
      changed = split_at_junctions() || changed;
    }
    drop_unused_points();
    if (mesh_.triangles.empty()) {
      out.problems.insert(out.problems.begin(), {"no usable triangles", false});
      return;
    }
    report();
    orient();
    find_rims();
    find_slivers();
    out.mesh = std::move(mesh_);
  }

  RepairedMesh out;

 private:
  // How often something was found, and one place where it was.
  struct Count {
    int count = 0;
    std::string example;
    void add(const std::string& where) {
      if (count++ == 0) example = where;
    }
  };

  std::string triangle_name(int t) const { return fmt::format("triangle {}", origin_[at(t)]); }

  void weld_points(double weld) {
    Box box;
    std::vector<bool> usable(given_.triangles.size(), false);
    const int points = static_cast<int>(given_.points.size());
    for (int t = 0; t < given_.count(); ++t) {
      const Triangle& triangle = given_.triangles[at(t)];
      const bool known = std::all_of(triangle.begin(), triangle.end(), [&](int p) { return p >= 0 && p < points; });
      // Trees keep single precision, whose squares end at 1e38; and no body is that large.
      const bool finite = known && std::all_of(triangle.begin(), triangle.end(), [&](int p) {
                            return (given_.points[at(p)].array().abs() < 1e15).all();
                          });
      if (!known) unknown_points_.add(fmt::format("triangle {}", t));
      if (known && !finite) not_finite_.add(fmt::format("triangle {}", t));
      usable[at(t)] = finite;
      if (finite)
        for (const int p : triangle) box.add(given_.points[at(p)]);
    }
    if (box.empty()) return;
    const double extent = std::max({box.size(), box.low.cwiseAbs().maxCoeff(), box.high.cwiseAbs().maxCoeff()});
    tolerance_ = weld >= 0 ? weld : mesh_precision * extent;
    // Grid cells need some size, also where nothing but equal points is to be welded.
    Welder welder(std::max(tolerance_, 1e-15 * extent + 1e-300));
    std::vector<int> welded(given_.points.size(), -1);
    for (int t = 0; t < given_.count(); ++t) {
      if (!usable[at(t)]) continue;
      Triangle triangle = given_.triangles[at(t)];
      for (int& p : triangle) {
        if (welded[at(p)] < 0) welded[at(p)] = welder.find_or_add(given_.points[at(p)]);
        p = welded[at(p)];
      }
      mesh_.triangles.push_back(triangle);
      origin_.push_back(t);
    }
    mesh_.points = std::move(welder.points);
  }

  // Keeps the triangles of which keep(t) is true.
  template <class Keep>
  void filter(Keep&& keep) {
    size_t kept = 0;
    for (int t = 0; t < mesh_.count(); ++t) {
      if (!keep(t)) continue;
      mesh_.triangles[kept] = mesh_.triangles[at(t)];
      origin_[kept++] = origin_[at(t)];
    }
    mesh_.triangles.resize(kept);
    origin_.resize(kept);
  }

  static std::uint64_t key_of(int a, int b) {
    const auto [low, high] = std::minmax(a, b);
    return static_cast<std::uint64_t>(low) << 32 | static_cast<std::uint64_t>(high);
  }
  static bool has_three_points(const Triangle& t) { return t[0] != t[1] && t[1] != t[2] && t[2] != t[0]; }

  // The side of a triangle without height on which its third point lies, or −1.
  int flat_side(int t) const {
    double longest = -1;
    int side = 0;
    for (int k = 0; k < 3; ++k) {
      const double length = (mesh_.corner(t, (k + 1) % 3) - mesh_.corner(t, k)).norm();
      if (length > longest) longest = length, side = k;
    }
    return 2 * area_vector(mesh_, t).norm() <= tolerance_ * longest ? 3 * t + side : -1;
  }

  // Triangles without height: two points in one are left out; else the third point lies on the longest side, and the
  // other diagonal of the triangle and its neighbour there is taken (shorter, so that this ends). True if there were
  // any.
  bool flatten_caps() {
    filter([&](int t) {
      const bool three = has_three_points(mesh_.triangles[at(t)]);
      if (!three) flat_.add(triangle_name(t));
      return three;
    });
    std::vector<int> flat_sides;
    for (int t = 0; t < mesh_.count(); ++t)
      if (const int side = flat_side(t); side >= 0) flat_sides.push_back(side);
    if (flat_sides.empty()) return false;
    const Neighbours neighbours = find_neighbours(mesh_);
    // New diagonals, and whether they are edges already: then the triangle is folded away and is only left out.
    const auto opposite = [&](int h) { return start_of(mesh_, previous_side(h)); };
    std::unordered_map<std::uint64_t, bool> is_edge;
    for (const int side : flat_sides)
      if (const int other = neighbours.across[at(side)]; other >= 0) is_edge[key_of(opposite(side), opposite(other))];
    for (int h = 0; h < 3 * mesh_.count(); ++h)
      if (const auto found = is_edge.find(key_of(start_of(mesh_, h), end_of(mesh_, h))); found != is_edge.end())
        found->second = true;
    std::vector<bool> touched(mesh_.triangles.size(), false), dropped(mesh_.triangles.size(), false);
    for (const int side : flat_sides) {
      const int t = triangle_of(side), other = neighbours.across[at(side)];
      if (touched[at(t)] || (other >= 0 && touched[at(triangle_of(other))])) continue;
      flat_.add(triangle_name(t));
      touched[at(t)] = true;
      if (other < 0 || std::exchange(is_edge[key_of(opposite(side), opposite(other))], true)) {
        dropped[at(t)] = true;
        continue;
      }
      const int from = start_of(mesh_, side), to = end_of(mesh_, side);
      const int here = opposite(side), there = opposite(other);
      touched[at(triangle_of(other))] = true;
      mesh_.triangles[at(t)] = {from, there, here};
      mesh_.triangles[at(triangle_of(other))] = {there, to, here};
    }
    filter([&](int t) { return !dropped[at(t)]; });
    return true;
  }

  void drop_repeated() {
    const auto sorted = [&](int t) {
      Triangle triangle = mesh_.triangles[at(t)];
      std::sort(triangle.begin(), triangle.end());
      return triangle;
    };
    std::vector<int> order(at(mesh_.count()));
    std::iota(order.begin(), order.end(), 0);
    std::vector<Triangle> keys;
    for (int t = 0; t < mesh_.count(); ++t) keys.push_back(sorted(t));
    std::sort(order.begin(), order.end(),
              [&](int a, int b) { return keys[at(a)] != keys[at(b)] ? keys[at(a)] < keys[at(b)] : a < b; });
    std::vector<bool> repeated(order.size(), false);
    for (size_t i = 1; i < order.size(); ++i)
      if (keys[at(order[i])] == keys[at(order[i - 1])]) repeated[at(order[i])] = true;
    filter([&](int t) {
      if (repeated[at(t)]) repeated_.add(triangle_name(t));
      return !repeated[at(t)];
    });
  }

  // Divides triangles at points that lie on one of their free sides; true if there were any. One side of a triangle at
  // a time: its parts come up again with the others.
  bool split_at_junctions() {
    const Neighbours neighbours = find_neighbours(mesh_);
    std::vector<int> sides;
    std::vector<Box> boxes;
    std::vector<int> points;
    for (int h = 0; h < 3 * mesh_.count(); ++h) {
      if (neighbours.across[at(h)] != Neighbours::rim) continue;
      sides.push_back(h);
      points.push_back(start_of(mesh_, h));
      points.push_back(end_of(mesh_, h));
      Box box;
      box.add(mesh_.points[at(start_of(mesh_, h))]);
      box.add(mesh_.points[at(end_of(mesh_, h))]);
      boxes.push_back(box);
    }
    std::sort(points.begin(), points.end());
    points.erase(std::unique(points.begin(), points.end()), points.end());
    const BoxTree tree(boxes);
    std::map<int, std::vector<std::pair<double, int>>> on_side;  // by half-edge: place along it, point
    for (const int p : points) {
      const Vec3& point = mesh_.points[at(p)];
      const SegmentMeetsBox meets(point, point, Vec3::Constant(tolerance_));
      tree.visit(meets, [&](int first, int count) {
        for (int i = first; i < first + count; ++i) {
          const int h = sides[at(tree.order()[at(i)])];
          const int from = start_of(mesh_, h), to = end_of(mesh_, h);
          if (p == from || p == to || p == start_of(mesh_, previous_side(h))) continue;
          const Vec3& a = mesh_.points[at(from)];
          const Vec3 along = mesh_.points[at(to)] - a;
          const double s = along.dot(point - a) / along.squaredNorm();
          if (s > 0 && s < 1 && (a + s * along - point).norm() <= tolerance_) on_side[h].emplace_back(s, p);
        }
      });
    }
    std::vector<bool> divided(mesh_.triangles.size(), false);
    for (auto& [h, on] : on_side) {
      const int t = triangle_of(h);
      if (divided[at(t)]) continue;
      divided[at(t)] = true;
      std::sort(on.begin(), on.end());
      int from = start_of(mesh_, h);
      const int to = end_of(mesh_, h), opposite = start_of(mesh_, previous_side(h));
      for (const auto& [s, p] : on) {
        junctions_.add(place(mesh_.points[at(p)]));
        mesh_.triangles.push_back({from, p, opposite});
        origin_.push_back(origin_[at(t)]);
        from = p;
      }
      mesh_.triangles[at(t)] = {from, to, opposite};
    }
    return !on_side.empty();
  }

  void drop_unused_points() {
    std::vector<int> renamed(mesh_.points.size(), -1);
    std::vector<Vec3> used;
    for (Triangle& triangle : mesh_.triangles)
      for (int& p : triangle) {
        if (renamed[at(p)] < 0) {
          renamed[at(p)] = static_cast<int>(used.size());
          used.push_back(mesh_.points[at(p)]);
        }
        p = renamed[at(p)];
      }
    mesh_.points = std::move(used);
  }

  void say(const Count& found, const char* one, const char* many, const char* done) {
    if (found.count > 0)
      out.problems.push_back(
          {fmt::format("{}, e.g. {}: {}", counted(found.count, one, many), found.example, done), true});
  }

  void report() {
    say(unknown_points_, "triangle names a point that does not exist", "triangles name points that do not exist",
        "left out");
    say(not_finite_, "triangle has a coordinate that is not a number",
        "triangles have coordinates that are not numbers", "left out");
    say(flat_, "triangle has no height", "triangles have no height", "left out");
    say(repeated_, "triangle is there twice", "triangles are there twice", "left out");
    say(junctions_, "point lies on a side of a triangle that does not know it",
        "points lie on sides of triangles that do not know them", "divided there");
  }

  // Neighbours alike, then pieces outwards: closed pieces by their volume; open ones by the volume under a lid on their
  // holes, if that is worth the name, and else as most of their triangles were.
  void orient() {
    const Neighbours neighbours = find_neighbours(mesh_);
    const int n = mesh_.count();
    std::vector<int> piece(at(n), -1), members;
    std::vector<bool> turned(at(n), false);
    Count flipped, one_sided;
    bool all_closed = neighbours.crowded_edges.empty();
    for (int seed = 0; seed < n; ++seed) {
      if (piece[at(seed)] >= 0) continue;
      members.assign(1, seed);
      piece[at(seed)] = seed;
      bool closed = true;
      for (size_t i = 0; i < members.size(); ++i)
        for (int k = 0; k < 3; ++k) {
          const int h = 3 * members[i] + k, other = neighbours.across[at(h)];
          closed = closed && other >= 0;
          if (other < 0) continue;
          const int t = triangle_of(other);
          const bool against = (start_of(mesh_, h) == start_of(mesh_, other)) != turned[at(members[i])];
          if (piece[at(t)] < 0) {
            piece[at(t)] = seed;
            turned[at(t)] = against;
            members.push_back(t);
          } else if (turned[at(t)] != against) {
            one_sided.add(place(mesh_.corner(t, 0)));
          }
        }
      all_closed = all_closed && closed;
      const double volume = orient_piece(members, turned, neighbours);
      if (closed) out.volume += volume;
      for (const int t : members)
        if (turned[at(t)]) flipped.add(triangle_name(t));
    }
    for (int t = 0; t < n; ++t)
      if (turned[at(t)]) std::swap(mesh_.triangles[at(t)][1], mesh_.triangles[at(t)][2]);
    out.closed = all_closed;
    say(flipped, "triangle faced inwards", "triangles faced inwards", "turned");
    if (one_sided.count > 0)
      out.problems.push_back(
          {fmt::format("a surface with one side only (as a Möbius strip), seen at {}: it has no outside",
                       one_sided.example),
           false});
    if (!neighbours.crowded_edges.empty()) {
      const Vec3& p = mesh_.points[at(start_of(mesh_, neighbours.crowded_edges.front()))];
      out.problems.push_back(
          {fmt::format("{}, e.g. at {}: ropes bend around the outermost two only",
                       counted(static_cast<int>(neighbours.crowded_edges.size()), "edge joins three or more triangles",
                               "edges join three or more triangles"),
                       place(p)),
           true});
    }
  }

  // Returns the volume of the piece once it looks outwards.
  double orient_piece(const std::vector<int>& members, std::vector<bool>& turned, const Neighbours& neighbours) {
    Box box;
    double area = 0, kept = 0;
    Vec3 rim = Vec3::Zero();
    int rims = 0;
    for (const int t : members) {
      const double size = area_vector(mesh_, t).norm();
      area += size;
      kept += turned[at(t)] ? -size : size;
      for (int k = 0; k < 3; ++k) {
        box.add(mesh_.corner(t, k));
        if (neighbours.across[at(3 * t + k)] < 0) rim += mesh_.corner(t, k), ++rims;
      }
    }
    // Seen from the middle of the rim, a lid made of triangles to that point has no volume. ∫ r·dA/3 = volume
    const Vec3 origin = rims > 0 ? Vec3(rim / rims) : box.centre();
    double volume = 0;
    for (const int t : members)
      volume += (turned[at(t)] ? -1 : 1) * area_vector(mesh_, t).dot(mesh_.corner(t, 0) - origin) / 3;
    const bool clear = std::abs(volume) > 1e-6 * area * box.size();
    if (clear ? volume < 0 : kept < 0) {
      for (const int t : members) turned[at(t)] = !turned[at(t)];
      volume = -volume;
    }
    return volume;
  }

  void find_rims() {
    const Neighbours neighbours = find_neighbours(mesh_);
    const int sides = 3 * mesh_.count();
    std::vector<bool> seen(at(sides), false);
    int holes = 0;
    double widest = -1;
    std::string largest;
    for (int h = 0; h < sides; ++h) {
      if (neighbours.across[at(h)] != Neighbours::rim || seen[at(h)]) continue;
      Box box;
      int length = 0;
      for (int side = h; side >= 0 && !seen[at(side)];) {
        seen[at(side)] = true;
        box.add(mesh_.points[at(start_of(mesh_, side))]);
        ++length;
        // The next free side: turn about the end point until there is no neighbour.
        side = next_side(side);
        for (int turns = 0; neighbours.across[at(side)] >= 0 && turns < sides; ++turns)
          side = next_side(neighbours.across[at(side)]);
        if (neighbours.across[at(side)] != Neighbours::rim) break;
      }
      ++holes;
      if (box.size() > widest) {
        widest = box.size();
        largest = fmt::format("{:.3g} m wide with {} sides about {}", widest, length, place(box.centre()));
      }
    }
    if (holes > 0)
      out.problems.push_back({fmt::format("the surface is open: {}, the largest {}; rims count as edges",
                                          counted(holes, "rim or hole", "rims or holes"), largest),
                              true});
  }

  void find_slivers() {
    constexpr double thin = 1e-4;
    Count slivers;
    for (int t = 0; t < mesh_.count(); ++t) {
      double longest = 0;
      for (int k = 0; k < 3; ++k)
        longest = std::max(longest, (mesh_.corner(t, (k + 1) % 3) - mesh_.corner(t, k)).squaredNorm());
      if (2 * area_vector(mesh_, t).norm() < thin * longest) slivers.add(place(mesh_.corner(t, 0)));
    }
    say(slivers, "triangle is more than 10000 times longer than high",
        "triangles are more than 10000 times longer than high", "kept");
  }

  const TriangleMesh& given_;
  TriangleMesh mesh_;
  std::vector<int> origin_;  // of each triangle: its number in the given mesh
  double tolerance_ = 0;
  Count unknown_points_, not_finite_, flat_, repeated_, junctions_;
};

}  // namespace

RepairedMesh repair(const TriangleMesh& mesh, double weld) { return Mender(mesh, weld).out; }

}  // namespace davit
