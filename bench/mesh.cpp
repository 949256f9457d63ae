// Segments against meshes of 10³ to 10⁶ triangles, and distances of two meshes: time per query of Davit's trees and,
// where it is installed, of FCL on the same queries in the same run; answers are compared.
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>

#include "allocations.hpp"
#include "davit/mesh/edge_tree.hpp"
#include "davit/mesh/shapes.hpp"
#include "davit/mesh/triangle_tree.hpp"
#include "fcl_mesh.hpp"
#include "processor_time.hpp"
#include "smoke.hpp"

using namespace davit;
using namespace davit::bench;

namespace {

constexpr double body = 10, rope_piece = 3;  // m

PlainMesh plain(const TriangleMesh& mesh) {
  PlainMesh out;
  for (const Vec3& p : mesh.points) out.points.insert(out.points.end(), p.begin(), p.end());
  for (const auto& t : mesh.triangles) out.triangles.insert(out.triangles.end(), t.begin(), t.end());
  return out;
}

PlainPose plain(const Pose& pose) {
  PlainPose out;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) out.R[3 * i + j] = pose.R(i, j);
    out.p[i] = pose.p[i];
  }
  return out;
}

// Least time of one pass over all queries in five, per query.
template <class Query>
double seconds_per_query(int queries, Query&& query) {
  double least = 1e9;
  for (int pass = 0; pass < repetitions(5); ++pass) {
    const double begin = processor_seconds();
    for (int i = 0; i < queries; ++i) query(i);
    least = std::min(least, processor_seconds() - begin);
  }
  return least / queries;
}

struct Random {
  std::mt19937_64 engine{7};
  double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine); }
  Vec3 direction() {
    for (;;) {
      const Vec3 v(between(-1, 1), between(-1, 1), between(-1, 1));
      if (v.norm() < 1 && v.norm() > 0.1) return v.normalized();
    }
  }
  Mat3 rotation() { return exp_rotation(Vec3(between(0, 3) * direction())); }
};

bool wrong = false;

void measure(int subdivisions, MakeFclMeshes* make_fcl) {
  const TriangleMesh mesh = eared_mesh(body, subdivisions), second = sphere_mesh(2, std::min(subdivisions, 6));
  double begin = processor_seconds();
  const Features features = find_features(mesh);
  const EdgeTree edges(features);
  const double edge_build = processor_seconds() - begin;
  begin = processor_seconds();
  const TriangleTree tree(mesh), second_tree(second);
  const double build = processor_seconds() - begin;

  // Pieces of rope about the surface, as a rope that wraps it has them.
  Random random;
  constexpr int queries = 2000, distances = 200;
  std::vector<Pose> pieces, places;
  for (int i = 0; i < queries; ++i) {
    const Mat3 R = random.rotation();
    const Vec3 middle = random.between(0.3, 0.6) * body * random.direction();
    pieces.push_back({R, middle - R * Vec3(rope_piece / 2, 0, 0)});
  }
  for (int i = 0; i < distances; ++i)
    places.push_back({random.rotation(), random.between(0.9, 2) * body * random.direction()});
  const auto end_of = [](const Pose& piece) { return Vec3(piece.p + rope_piece * piece.R.col(0)); };

  long met = 0, near = 0;
  const Allocations counted;
  const double own = seconds_per_query(queries, [&](int i) {
    const Pose& piece = pieces[static_cast<size_t>(i)];
    tree.all_hits(piece.p, end_of(piece), [&](const SegmentHit&) { ++met; });
  });
  const double own_edges = seconds_per_query(queries, [&](int i) {
    const Pose& piece = pieces[static_cast<size_t>(i)];
    edges.near_segment(piece.p, end_of(piece), Vec3::Constant(0.01), [&](int) { ++near; });
  });
  double sum = 0;
  const double own_distance = seconds_per_query(
      distances, [&](int i) { sum += distance(tree, {}, second_tree, places[static_cast<size_t>(i)]).distance; });
  const long allocated = counted.so_far();
  fmt::print(
      "{:>8} triangles: trees built in {:.0f} ms (edges with features {:.0f} ms); per query: segment {:.2f} µs ({:.1f} "
      "met), "
      "convex edges near a segment {:.2f} µs ({:.1f} found), distance to {} triangles {:.1f} µs; allocations {}\n",
      mesh.count(), 1e3 * build, 1e3 * edge_build, 1e6 * own, static_cast<double>(met) / queries / 5, 1e6 * own_edges,
      static_cast<double>(near) / queries / 5, second.count(), 1e6 * own_distance, allocated);
  wrong = wrong || allocated != 0;
  if (!make_fcl) return;

  const std::unique_ptr<FclMeshes> fcl(make_fcl(plain(mesh), plain(second), rope_piece));
  std::vector<PlainPose> plain_pieces, plain_places;
  for (const Pose& p : pieces) plain_pieces.push_back(plain(p));
  for (const Pose& p : places) plain_places.push_back(plain(p));
  std::vector<int> hit;
  hit.reserve(10000);
  const double theirs = seconds_per_query(queries, [&](int i) {
    hit.clear();
    fcl->meet(plain_pieces[static_cast<size_t>(i)], hit);
  });
  int different = 0;
  for (int i = 0; i < queries; ++i) {
    hit.clear();
    fcl->meet(plain_pieces[static_cast<size_t>(i)], hit);
    std::vector<int> ours;
    const Pose& piece = pieces[static_cast<size_t>(i)];
    tree.all_hits(piece.p, end_of(piece), [&](const SegmentHit& h) { ours.push_back(h.triangle); });
    std::sort(hit.begin(), hit.end());
    std::sort(ours.begin(), ours.end());
    different += hit != ours;
  }
  const double theirs_distance =
      seconds_per_query(distances, [&](int i) { fcl->distance(plain_places[static_cast<size_t>(i)]); });
  double largest = 0;
  for (int i = 0; i < distances; ++i)
    largest = std::max(largest, std::abs(fcl->distance(plain_places[static_cast<size_t>(i)]) -
                                         distance(tree, {}, second_tree, places[static_cast<size_t>(i)]).distance));
  fmt::print(
      "    FCL: segment {:.2f} µs, ratio {:.1f} ({} of {} differ); distance {:.1f} µs, ratio {:.1f}, largest "
      "difference {:.1e} m\n",
      1e6 * theirs, theirs / own, different, queries, 1e6 * theirs_distance, theirs_distance / own_distance, largest);
  // A segment that meets a side to round-off may count one triangle or both.
  wrong = wrong || different > queries / 200 || largest > 1e-9;
}

}  // namespace

int main() {
  void* module = smoke() ? nullptr : dlopen(DAVIT_FCL_MESH, RTLD_NOW);
  auto* make_fcl = module ? reinterpret_cast<MakeFclMeshes*>(dlsym(module, "davit_fcl_meshes")) : nullptr;
  if (!make_fcl) fmt::print("FCL is not there (libfcl-dev): Davit alone\n");
  fmt::print("segments of {} m near an eared body {} m high\n", rope_piece, body);
  for (const int subdivisions : cases({3, 4, 5, 6, 7, 8})) {
    measure(subdivisions, make_fcl);
    std::fflush(stdout);
  }
  if (wrong) fmt::print("the codes disagree, or a query allocated\n");
  return wrong ? 1 : 0;
}
