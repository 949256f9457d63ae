#include "davit/mesh/features.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "davit/mesh/neighbours.hpp"

namespace davit {

namespace {

// Divides the triangles of a mesh into flat faces.
class FaceFinder {
 public:
  FaceFinder(const TriangleMesh& mesh, const Neighbours& neighbours, double flat_angle, double tolerance)
      : mesh_(mesh), neighbours_(neighbours), flat_sine_(std::sin(flat_angle)), tolerance_(tolerance) {
    const int n = mesh.count();
    areas_.reserve(at(n));
    for (int t = 0; t < n; ++t) areas_.push_back(area_vector(mesh, t));
    face_of.assign(at(n), -1);
    // Large triangles first: their planes are sure, and thin ones find a face to belong to.
    std::vector<int> seeds(at(n));
    std::iota(seeds.begin(), seeds.end(), 0);
    std::vector<double> size;
    for (const Vec3& area : areas_) size.push_back(area.norm());
    std::sort(seeds.begin(), seeds.end(),
              [&](int a, int b) { return size[at(a)] != size[at(b)] ? size[at(a)] > size[at(b)] : a < b; });
    for (const int seed : seeds)
      if (face_of[at(seed)] < 0) grow(seed);
    settle_borders();
  }

  std::vector<Face> faces;
  std::vector<int> face_of;  // of each triangle

 private:
  double distance(int triangle, const Face& face) const {
    double largest = 0;
    for (int k = 0; k < 3; ++k)
      largest = std::max(largest, std::abs(face.normal.dot(mesh_.corner(triangle, k) - face.at)));
    return largest;
  }

  // A triangle that is not higher than the tolerance has no normal worth the name.
  bool faces_away(int triangle, const Face& face) const {
    const Vec3& area = areas_[at(triangle)];
    if (area.dot(face.normal) > 0) return false;
    double longest = 0;
    for (int k = 0; k < 3; ++k)
      longest = std::max(longest, (mesh_.corner(triangle, (k + 1) % 3) - mesh_.corner(triangle, k)).norm());
    return 2 * area.norm() > 2 * tolerance_ * longest;
  }

  bool belongs(int triangle, const Face& face) const {
    const Vec3& area = areas_[at(triangle)];
    if (faces_away(triangle, face)) return false;
    if (distance(triangle, face) <= tolerance_) return true;
    return area.dot(face.normal) > 0 && area.cross(face.normal).norm() <= flat_sine_ * area.norm();
  }

  // The face is the mean of its triangles so far, so what was refused at first may belong to it in the end.
  void grow(int seed) {
    const int id = static_cast<int>(faces.size());
    Face face;
    Vec3 area = Vec3::Zero(), moment = Vec3::Zero();
    double weight = 0;
    const auto take = [&](int t) {
      face_of[at(t)] = id;
      const double size = std::max(areas_[at(t)].norm(), 1e-300);
      area += areas_[at(t)];
      moment += size / 3 * (mesh_.corner(t, 0) + mesh_.corner(t, 1) + mesh_.corner(t, 2));
      weight += size;
      face = {moment / weight, area.normalized()};
      front_.push_back(t);
    };
    front_.clear();
    refused_.clear();
    take(seed);
    size_t taken = 0;
    for (bool grew = true; grew;) {
      for (; taken < front_.size(); ++taken)
        for (int k = 0; k < 3; ++k) {
          const int other = neighbours_.across[at(3 * front_[taken] + k)];
          if (other < 0 || face_of[at(triangle_of(other))] >= 0) continue;
          if (belongs(triangle_of(other), face))
            take(triangle_of(other));
          else
            refused_.push_back(triangle_of(other));
        }
      grew = false;
      if (front_.size() == 1) break;
      std::erase_if(refused_, [&](int t) { return face_of[at(t)] >= 0; });
      for (const int t : refused_)
        if (face_of[at(t)] < 0 && belongs(t, face)) take(t), grew = true;
    }
    faces.push_back(face);
  }

  // Where two faces meet at a small angle, thin triangles along their edge may have gone to the wrong one, whichever
  // grew first: each goes to the plane it lies in best.
  void settle_borders() {
    bool moved = true;
    for (int sweep = 0; sweep < 8 && moved; ++sweep) {
      moved = false;
      for (int t = 0; t < mesh_.count(); ++t) {
        double best = 0.5 * distance(t, faces[at(face_of[at(t)])]);
        for (int k = 0; k < 3; ++k) {
          const int other = neighbours_.across[at(3 * t + k)];
          if (other < 0) continue;
          const int candidate = face_of[at(triangle_of(other))];
          if (candidate == face_of[at(t)]) continue;
          const double off = distance(t, faces[at(candidate)]);
          if (off < best && off <= tolerance_ && !faces_away(t, faces[at(candidate)]))
            best = off, face_of[at(t)] = candidate, moved = true;
        }
      }
    }
  }

  const TriangleMesh& mesh_;
  const Neighbours& neighbours_;
  double flat_sine_, tolerance_;
  std::vector<Vec3> areas_;
  std::vector<int> front_, refused_;
};

// One edge of a triangle between two faces, or between a face and nothing.
struct Segment {
  int from, to, left, right;
  int edge = -1;  // the feature edge that it became part of
};

// Joins segments to chains, chains to straight edges, and orders edges about vertices.
class EdgeFinder {
 public:
  EdgeFinder(const TriangleMesh& mesh, const Neighbours& neighbours, const FaceFinder& found, double tolerance)
      : mesh_(mesh), neighbours_(neighbours), face_of_(found.face_of), tolerance_(tolerance) {
    features.faces = found.faces;
    find_segments();
    vertex_of_.assign(mesh.points.size(), -1);
    for (int s = 0; s < static_cast<int>(segments_.size()); ++s)
      if (segments_[at(s)].edge < 0) follow_chain(s);
    order_vertices();
    place_vertices();
    for (FeatureEdge& edge : features.edges) {
      edge.a = features.vertices[at(edge.from)].at;
      edge.b = features.vertices[at(edge.to)].at;
      const Vec3 side = edge.left.cross(edge.right);
      // Faces back to back, as on a rim, leave no room for anything but convex.
      edge.convex = side.norm() < 1e-9 || side.dot(edge.b - edge.a) > 0;
    }
  }

  Features features;

 private:
  static constexpr int nothing = -1, visiting = -2;

  void find_segments() {
    const int sides = 3 * mesh_.count();
    segment_of_.assign(at(sides), -1);
    for (int h = 0; h < sides; ++h) {
      const int other = neighbours_.across[at(h)];
      if (other == Neighbours::crowded || (other >= 0 && other < h)) continue;
      const int left = face_of_[at(triangle_of(h))];
      const int right = other >= 0 ? face_of_[at(triangle_of(other))] : nothing;
      if (left == right) continue;
      segment_of_[at(h)] = static_cast<int>(segments_.size());
      if (other >= 0) segment_of_[at(other)] = segment_of_[at(h)];
      segments_.push_back({start_of(mesh_, h), end_of(mesh_, h), left, right});
    }
    // Segments about each point, in one list.
    first_.assign(mesh_.points.size() + 1, 0);
    for (const Segment& s : segments_) ++first_[at(s.from) + 1], ++first_[at(s.to) + 1];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    about_.resize(2 * segments_.size());
    std::vector<int> next(first_.begin(), first_.end() - 1);
    for (int s = 0; s < static_cast<int>(segments_.size()); ++s) {
      about_[at(next[at(segments_[at(s)].from)]++)] = s;
      about_[at(next[at(segments_[at(s)].to)]++)] = s;
    }
  }

  // The segment that continues this one through a point where no others meet, between the same two faces; or −1.
  // Directions may differ: `reversed` says whether left and right change places.
  int continuation(int segment, int point, bool& reversed) const {
    if (first_[at(point) + 1] - first_[at(point)] != 2) return -1;
    const int first = about_[at(first_[at(point)])], second = about_[at(first_[at(point)] + 1)];
    const int other = first == segment ? second : first;
    const Segment &here = segments_[at(segment)], &there = segments_[at(other)];
    const bool same_way = (here.to == point) == (there.from == point);
    const bool alike = same_way ? here.left == there.left && here.right == there.right
                                : here.left == there.right && here.right == there.left;
    if (other == segment || !alike) return -1;
    reversed = !same_way;
    return other;
  }

  // All segments of one chain, in order, as points along it; then its straight pieces.
  void follow_chain(int start) {
    chain_.assign(1, start);
    segments_[at(start)].edge = visiting;
    points_.assign({segments_[at(start)].from, segments_[at(start)].to});
    const bool closed = extend();
    if (!closed) {
      std::reverse(chain_.begin(), chain_.end());
      std::reverse(points_.begin(), points_.end());
      extend();
      std::reverse(chain_.begin(), chain_.end());
      std::reverse(points_.begin(), points_.end());
    }
    const Segment& s = segments_[at(start)];
    left_ = s.left, right_ = s.right;
    const int last = static_cast<int>(chain_.size());
    if (closed) {
      // Begin at the point farthest from the middle: a corner, because nothing of the chain lies beyond it.
      Vec3 middle = Vec3::Zero();
      for (const int p : points_) middle += mesh_.points[at(p)];
      middle /= static_cast<double>(points_.size());
      points_.pop_back();
      const int corner = farthest(middle);
      std::rotate(points_.begin(), points_.begin() + corner, points_.end());
      std::rotate(chain_.begin(), chain_.begin() + corner, chain_.end());
      const int opposite = farthest(mesh_.points[at(points_[0])]);
      points_.push_back(points_[0]);
      straighten(0, opposite);
      straighten(opposite, last);
    } else {
      straighten(0, last);
    }
  }

  // Continues the chain at its end; true if it closes.
  bool extend() {
    for (;;) {
      bool reversed = false;
      const int next = continuation(chain_.back(), points_.back(), reversed);
      if (next < 0) return false;
      if (segments_[at(next)].edge == visiting) return true;
      segments_[at(next)].edge = visiting;
      const Segment& s = segments_[at(next)];
      const int point = points_.back();
      chain_.push_back(next);
      points_.push_back(s.from == point ? s.to : s.from);
    }
  }

  int farthest(const Vec3& from) const {
    int best = 0;
    double largest = -1;
    for (int i = 0; i < static_cast<int>(points_.size()); ++i) {
      const double d = (mesh_.points[at(points_[at(i)])] - from).squaredNorm();
      if (d > largest) largest = d, best = i;
    }
    return best;
  }

  // Divides points begin .. end of the chain at the one farthest from the straight line, until all lie on it (Douglas &
  // Peucker). Points within the tolerance of both faces are within tolerance/sine of their line of intersection.
  void straighten(int begin, int end) {
    double allowed = tolerance_;
    if (right_ >= 0) {
      const double sine = features.faces[at(left_)].normal.cross(features.faces[at(right_)].normal).norm();
      allowed *= std::min(100.0, 1 / std::max(sine, 1e-9));
    }
    std::vector<std::pair<int, int>> open{{begin, end}};
    while (!open.empty()) {
      const auto [i, j] = open.back();
      open.pop_back();
      const Vec3 &a = mesh_.points[at(points_[at(i)])], &b = mesh_.points[at(points_[at(j)])];
      const Vec3 along = (b - a).normalized();
      int corner = i;
      double largest = allowed;
      for (int k = i + 1; k < j; ++k) {
        const Vec3 r = mesh_.points[at(points_[at(k)])] - a;
        const double off = (r - along * std::clamp(along.dot(r), 0.0, (b - a).norm())).norm();
        if (off > largest) largest = off, corner = k;
      }
      if (corner == i) {
        add_edge(i, j);
      } else {
        open.emplace_back(corner, j);
        open.emplace_back(i, corner);
      }
    }
  }

  void add_edge(int begin, int end) {
    const Segment& first = segments_[at(chain_[at(begin)])];
    const bool forward = first.from == points_[at(begin)];
    const int from = points_[at(forward ? begin : end)], to = points_[at(forward ? end : begin)];
    const Vec3& left = features.faces[at(first.left)].normal;
    const Vec3 right = first.right >= 0 ? features.faces[at(first.right)].normal : Vec3(-left);
    for (int k = begin; k < end; ++k) segments_[at(chain_[at(k)])].edge = static_cast<int>(features.edges.size());
    features.edges.push_back({mesh_.points[at(from)], mesh_.points[at(to)], vertex(from), vertex(to), left, right,
                              first.left, first.right >= 0 ? first.right : first.left, true});
  }

  int vertex(int point) {
    int& v = vertex_of_[at(point)];
    if (v < 0) {
      v = static_cast<int>(features.vertices.size());
      features.vertices.push_back({mesh_.points[at(point)], {}});
    }
    return v;
  }

  // Turns about each vertex from triangle to triangle.
  void order_vertices() {
    std::vector<bool> done(at(3 * mesh_.count()), false);
    for (int h = 0; h < 3 * mesh_.count(); ++h) {
      const int v = vertex_of_[at(start_of(mesh_, h))];
      if (v < 0 || done[at(h)]) continue;
      const auto clockwise = [&](int out) {
        const int other = neighbours_.across[at(out)];
        return other >= 0 ? next_side(other) : -1;
      };
      int start = h;
      for (int out = clockwise(h); out >= 0 && out != h; out = clockwise(out)) start = out;
      if (clockwise(start) == h) start = h;  // all the way round
      std::vector<int>& edges = features.vertices[at(v)].edges;
      const auto list = [&](int half_edge) {
        if (segment_of_[at(half_edge)] < 0) return;
        const int e = segments_[at(segment_of_[at(half_edge)])].edge;
        edges.push_back(features.edges[at(e)].from == v ? e : ~e);
      };
      for (int out = start;;) {
        done[at(out)] = true;
        list(out);
        const int back = previous_side(out), other = neighbours_.across[at(back)];
        if (other < 0) list(back);
        if (other < 0 || other == start || done[at(other)]) break;
        out = other;
      }
    }
  }

  // A corner is where the planes of its faces meet: min Σ (n·(x − at))², with a little of the mesh's own point where
  // they do not say. So edges lie in their faces to round-off, whatever the noise of the points.
  void place_vertices() {
    for (FeatureVertex& vertex : features.vertices) {
      Mat3 normals = 1e-6 * Mat3::Identity();
      Vec3 offsets = Vec3::Zero();
      for (const int e : vertex.edges) {
        const FeatureEdge& edge = features.edges[at(e >= 0 ? e : ~e)];
        for (const int f : {edge.left_face, edge.right_face}) {
          const Face& face = features.faces[at(f)];
          normals += face.normal * face.normal.transpose();
          offsets += face.normal * face.normal.dot(face.at - vertex.at);
        }
      }
      const Vec3 shift = normals.ldlt().solve(offsets);
      if (shift.norm() <= 10 * tolerance_) vertex.at += shift;
    }
  }

  const TriangleMesh& mesh_;
  const Neighbours& neighbours_;
  const std::vector<int>& face_of_;
  double tolerance_;
  std::vector<Segment> segments_;
  std::vector<int> segment_of_;     // of each half-edge, or −1
  std::vector<int> first_, about_;  // segments about point p: about_[first_[p]] .. about_[first_[p + 1]]
  std::vector<int> vertex_of_;      // of each point, or −1
  std::vector<int> chain_, points_;
  int left_ = 0, right_ = 0;
};

}  // namespace

Features find_features(const TriangleMesh& mesh, const FeatureOptions& options) {
  const double tolerance = options.straight_tolerance * bounds(mesh).size();
  Neighbours neighbours = find_neighbours(mesh);
  // Neighbours that turn their outsides to different sides (a Möbius strip has such a seam) have no edge between them.
  for (int h = 0; h < 3 * mesh.count(); ++h) {
    int& other = neighbours.across[at(h)];
    if (other < 0 || start_of(mesh, h) == end_of(mesh, other)) continue;
    neighbours.across[at(other)] = Neighbours::crowded;
    other = Neighbours::crowded;
  }
  const FaceFinder faces(mesh, neighbours, options.flat_angle, tolerance);
  return EdgeFinder(mesh, neighbours, faces, tolerance).features;
}

}  // namespace davit
