#include "davit/result/scene_sketch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

namespace davit::result {

namespace {

using nlohmann::json;

constexpr std::size_t most_labels = 8;
constexpr std::size_t most_points = 20'000;  // of a mesh; more are thinned, which its outline hardly shows

Point rotated(const std::array<double, 4>& q, const Point& v) {
  // v + 2 w (u × v) + 2 u × (u × v)
  const Point u{q[1], q[2], q[3]};
  const auto cross = [](const Point& a, const Point& b) {
    return Point{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  };
  const Point once = cross(u, v), twice = cross(u, once);
  Point out{};
  for (std::size_t k = 0; k < 3; ++k) out[k] = v[k] + 2 * (q[0] * once[k] + twice[k]);
  return out;
}

Point placed(const BodyPose& pose, const Point& v) {
  Point out = rotated(pose.attitude, v);
  for (std::size_t k = 0; k < 3; ++k) out[k] += pose.at[k];
  return out;
}

BodyPose pose_of(const json& numbers) {
  BodyPose pose;
  for (std::size_t k = 0; k < 3; ++k) pose.at[k] = numbers.at(k).get<double>();
  for (std::size_t k = 0; k < 4; ++k) pose.attitude[k] = numbers.at(3 + k).get<double>();
  return pose;
}

// The points of a shape in its own axes.
std::vector<Point> points_of(const json& shape, const json& document, const SceneMeshes& meshes) {
  std::vector<Point> out;
  const std::string kind = shape.at("kind");
  if (kind == "box") {
    const json& size = shape.at("size");
    for (const double x : {-0.5, 0.5})
      for (const double y : {-0.5, 0.5})
        for (const double z : {-0.5, 0.5})
          out.push_back({x * size.at(0).get<double>(), y * size.at(1).get<double>(), z * size.at(2).get<double>()});
  } else if (kind == "cylinder" || kind == "sphere") {
    constexpr int around = 24;
    const double radius = shape.at("radius");
    for (int i = 0; i < around; ++i) {
      const double angle = 2 * std::numbers::pi * i / around, c = radius * std::cos(angle),
                   s = radius * std::sin(angle);
      if (kind == "cylinder") {
        const double half = shape.at("length").get<double>() / 2;
        for (const double z : {-half, half}) out.push_back({c, s, z});
      } else {
        out.insert(out.end(), {{c, s, 0}, {c, 0, s}, {0, c, s}});
      }
    }
  } else {
    const json& mesh = document.at("meshes").at(shape.at("mesh").get<std::size_t>());
    const std::size_t first = mesh.at("first_point"), count = mesh.at("points");
    const std::size_t all = meshes.points.size() / 3;
    const std::size_t end = first > all ? all : first + std::min(count, all - first);
    const std::size_t step = std::max<std::size_t>(count / most_points, 1);
    for (std::size_t p = first; p < end; p += step)
      out.push_back({meshes.points[3 * p], meshes.points[3 * p + 1], meshes.points[3 * p + 2]});
  }
  return out;
}

SketchBody body_sketch(const json& shapes, const BodyPose& at, const json& document, const SceneMeshes& meshes) {
  SketchBody out;
  for (const json& shape : shapes) {
    const std::string role = shape.at("role");
    const BodyPose own = pose_of(shape.at("pose"));
    std::vector<Point> solid = points_of(shape, document, meshes);
    for (Point& point : solid) point = placed(at, placed(own, point));
    if (role == "hull") out.kind = "hull";
    out.solids.push_back(std::move(solid));
  }
  return out;
}

std::vector<SketchBody> line_sketches(const Frame& frame, const json& lines) {
  std::vector<SketchBody> out;
  for (std::size_t l = 0; l < frame.lines.size(); ++l) {
    SketchBody line;
    line.kind = lines.at(l).at("kind") == "mooring" ? "mooring" : "rope";
    line.polylines.emplace_back();
    for (const LineVertex& vertex : frame.lines[l]) {
      line.polylines.back().push_back(vertex.at);
      if ((vertex.flags & LineVertex::gap_after) != 0) line.polylines.emplace_back();
    }
    out.push_back(std::move(line));
  }
  return out;
}

// The heaviest, so that names do not cover everything.
void label(std::vector<SketchBody>& drawn, const json& bodies) {
  std::vector<std::pair<double, std::size_t>> by_mass;
  for (std::size_t b = 0; b < drawn.size(); ++b)
    if (const double mass = bodies.at(b).value("mass", 0.0); mass > 0) by_mass.emplace_back(-mass, b);
  std::sort(by_mass.begin(), by_mass.end());
  for (std::size_t i = 0; i < std::min(by_mass.size(), most_labels); ++i)
    drawn[by_mass[i].second].label = bodies.at(by_mass[i].second).at("name");
}

std::vector<SketchBody> sketch_of(const Scene& scene, const Frame& frame) {
  const json document = json::parse(scene.document);
  const json& bodies = document.at("bodies");
  std::vector<SketchBody> out;
  for (std::size_t b = 0; b < std::min(frame.bodies.size(), bodies.size()); ++b)
    out.push_back(body_sketch(bodies.at(b).at("shapes"), frame.bodies[b], document, scene.meshes));
  label(out, bodies);
  out.push_back(body_sketch(document.at("world"), {}, document, scene.meshes));
  for (SketchBody& line : line_sketches(frame, document.at("lines"))) out.push_back(std::move(line));
  return out;
}

}  // namespace

std::vector<SketchBody> sketch_at(const Result& result, double time) {
  if (result.frames() == 0) return {};
  const std::vector<double> times = result.frame_times();
  const auto after = std::upper_bound(times.begin(), times.end(), time + 1e-9);
  const auto index = static_cast<std::uint64_t>(std::max<std::ptrdiff_t>(after - times.begin() - 1, 0));
  const std::uint64_t first = index / frames_per_block * frames_per_block;
  try {
    const Scene& scene = *result.scene();
    return sketch_of(scene, unpack(scene.frames, result.read_frames(first, index - first + 1)).back());
  } catch (const json::exception&) {
    return {};  // a document that another version wrote
  }
}

}  // namespace davit::result
