#include "davit/view/gltf.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <type_traits>

#include "davit/io/write_file.hpp"
#include "davit/mesh/shapes.hpp"
#include "davit/result/result_error.hpp"

namespace davit::view {

namespace {

using nlohmann::json;

// Numbers of the standard.
constexpr int type_float = 5126, type_uint = 5125;
constexpr int array_buffer = 34962, element_array_buffer = 34963;
constexpr std::uint32_t glb_magic = 0x46546C67, json_chunk = 0x4E4F534A, binary_chunk = 0x004E4942;

// As web/src/colours.ts, linear.
constexpr std::array<std::array<double, 3>, 6> body_colours{{{0.69, 0.26, 0.02},
                                                             {0.08, 0.24, 0.43},
                                                             {0.11, 0.34, 0.21},
                                                             {0.43, 0.19, 0.35},
                                                             {0.54, 0.14, 0.04},
                                                             {0.39, 0.32, 0.07}}};
constexpr std::array<double, 3> hull_colour{0.07, 0.15, 0.26}, rope_colour{0.03, 0.03, 0.03};

class Document {
 public:
  json root = {{"asset", {{"version", "2.0"}, {"generator", "davit"}}}};

  // Returns the number of the accessor.
  template <typename T>
  std::size_t add(const std::vector<T>& values, const char* type, int components, std::optional<int> target = {}) {
    const std::size_t bytes = values.size() * sizeof(T);
    json view = {{"buffer", 0}, {"byteOffset", binary_.size()}, {"byteLength", bytes}};
    if (target) view["target"] = *target;
    root["bufferViews"].push_back(std::move(view));
    binary_.append(reinterpret_cast<const char*>(values.data()), bytes);
    json accessor = {{"bufferView", root["bufferViews"].size() - 1},
                     {"componentType", std::is_same_v<T, float> ? type_float : type_uint},
                     {"count", values.size() / static_cast<std::size_t>(components)},
                     {"type", type}};
    // Places and times must say how far they go.
    if (std::is_same_v<T, float> && !values.empty()) {
      std::vector<T> low(static_cast<std::size_t>(components), std::numeric_limits<T>::max()),
          high(static_cast<std::size_t>(components), std::numeric_limits<T>::lowest());
      for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t k = i % static_cast<std::size_t>(components);
        low[k] = std::min(low[k], values[i]);
        high[k] = std::max(high[k], values[i]);
      }
      accessor["min"] = low;
      accessor["max"] = high;
    }
    root["accessors"].push_back(std::move(accessor));
    return root["accessors"].size() - 1;
  }

  std::size_t add_material(const std::array<double, 3>& colour) {
    root["materials"].push_back({{"doubleSided", true},
                                 {"pbrMetallicRoughness",
                                  {{"baseColorFactor", {colour[0], colour[1], colour[2], 1}},
                                   {"metallicFactor", 0.1},
                                   {"roughnessFactor", 0.8}}}});
    return root["materials"].size() - 1;
  }

  std::size_t add_mesh(const std::string& name, const std::vector<float>& points,
                       const std::vector<std::uint32_t>& triangles, std::size_t material) {
    const std::size_t positions = add(points, "VEC3", 3, array_buffer);
    const std::size_t indices = add(triangles, "SCALAR", 1, element_array_buffer);
    root["meshes"].push_back(
        {{"name", name},
         {"primitives", {{{"attributes", {{"POSITION", positions}}}, {"indices", indices}, {"material", material}}}}});
    return root["meshes"].size() - 1;
  }

  std::size_t add_node(json node) {
    root["nodes"].push_back(std::move(node));
    return root["nodes"].size() - 1;
  }

  std::string bytes() {
    binary_.resize((binary_.size() + 3) / 4 * 4, '\0');
    root["buffers"] = {{{"byteLength", binary_.size()}}};
    std::string text = root.dump(-1, ' ', false, json::error_handler_t::replace);
    text.resize((text.size() + 3) / 4 * 4, ' ');
    std::string out;
    const auto word = [&](std::size_t value) {
      const auto four = static_cast<std::uint32_t>(value);
      out.append(reinterpret_cast<const char*>(&four), sizeof four);
    };
    word(glb_magic);
    word(2);
    word(12 + 8 + text.size() + 8 + binary_.size());
    word(text.size());
    word(json_chunk);
    out += text;
    word(binary_.size());
    word(binary_chunk);
    return out + binary_;
  }

 private:
  std::string binary_;
};

class Exporter {
 public:
  Exporter(const result::Result& result, std::uint64_t most_frames)
      : result_(result), scene_(*result.scene()), scene_document_(json::parse(scene_.document)) {
    stride = std::max<std::uint64_t>((result.frames() + most_frames - 1) / std::max<std::uint64_t>(most_frames, 1), 1);
    read_frames();
  }

  std::string make() {
    json children = json::array();
    std::vector<float> times;
    for (const result::Frame& frame : frames) times.push_back(static_cast<float>(frame.time));
    times_ = out_.add(times, "SCALAR", 1);
    const json& bodies = scene_document_.at("bodies");
    for (std::size_t b = 0; b < std::min<std::size_t>(bodies.size(), scene_.frames.bodies); ++b)
      children.push_back(add_body(bodies.at(b), b));
    for (const json& shape : scene_document_.at("world")) children.push_back(add_shape(shape, body_colours[5]));
    add_tubes(children);
    // z up becomes y up.
    const std::size_t world = out_.add_node(
        {{"name", "world"}, {"children", children}, {"rotation", {-std::sqrt(0.5), 0, 0, std::sqrt(0.5)}}});
    out_.root["scenes"] = {{{"nodes", {world}}}};
    out_.root["scene"] = 0;
    if (!channels_.empty())
      out_.root["animations"] = {{{"name", "lift"}, {"channels", channels_}, {"samplers", samplers_}}};
    return out_.bytes();
  }

  std::uint64_t stride = 1;
  std::vector<result::Frame> frames;

 private:
  void read_frames() {
    constexpr std::uint64_t at_once = 16 * result::frames_per_block;
    for (std::uint64_t first = 0; first < result_.frames(); first += at_once) {
      auto read = unpack(scene_.frames, result_.read_frames(first, std::min(at_once, result_.frames() - first)));
      for (std::uint64_t f = 0; f < read.size(); ++f)
        if ((first + f) % stride == 0) frames.push_back(std::move(read[f]));
    }
  }

  void animate(std::size_t node, const char* path, const std::vector<float>& values, const char* type, int components) {
    samplers_.push_back(
        {{"input", times_}, {"output", out_.add(values, type, components)}, {"interpolation", "LINEAR"}});
    channels_.push_back({{"sampler", samplers_.size() - 1}, {"target", {{"node", node}, {"path", path}}}});
  }

  std::size_t add_body(const json& body, std::size_t index) {
    const bool vessel = std::any_of(body.at("shapes").begin(), body.at("shapes").end(),
                                    [](const json& shape) { return shape.at("role") == "hull"; });
    const auto& colour = vessel ? hull_colour : body_colours[index % body_colours.size()];
    json node = {{"name", body.at("name")}};
    for (const json& shape : body.at("shapes")) node["children"].push_back(add_shape(shape, colour));
    const std::size_t number = out_.add_node(std::move(node));
    std::vector<float> places, turns;
    for (const result::Frame& frame : frames) {
      const result::BodyPose& pose = frame.bodies.at(index);
      for (const double x : pose.at) places.push_back(static_cast<float>(x));
      append_quaternion(pose.attitude, turns);
    }
    animate(number, "translation", places, "VEC3", 3);
    animate(number, "rotation", turns, "VEC4", 4);
    return number;
  }

  // glTF has w last, and of unit length.
  static void append_quaternion(const std::array<double, 4>& q, std::vector<float>& to) {
    const double size = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (const std::size_t k : {1U, 2U, 3U, 0U})
      to.push_back(size > 0 ? static_cast<float>(q[k] / size) : k == 0 ? 1.0F : 0.0F);
  }

  std::size_t add_triangles(const std::string& name, const TriangleMesh& mesh, std::size_t material) {
    std::vector<float> points;
    std::vector<std::uint32_t> triangles;
    for (const Vec3& p : mesh.points)
      for (const double x : p) points.push_back(static_cast<float>(x));
    for (const auto& t : mesh.triangles)
      for (const int corner : t) triangles.push_back(static_cast<std::uint32_t>(corner));
    return out_.add_mesh(name, points, triangles, material);
  }

  std::size_t add_recorded_mesh(const json& shape, std::size_t material) {
    const json& of = scene_document_.at("meshes").at(shape.at("mesh").get<std::size_t>());
    const std::size_t first_point = of.at("first_point"), points = of.at("points"),
                      first_triangle = of.at("first_triangle"), triangles = of.at("triangles");
    const auto& p = scene_.meshes.points;
    const auto& t = scene_.meshes.triangles;
    if (first_point > p.size() / 3 || points > p.size() / 3 - first_point || first_triangle > t.size() / 3 ||
        triangles > t.size() / 3 - first_triangle)
      throw result::ResultError("a mesh of the scene is not there");
    const auto part = [](const auto& all, std::size_t first, std::size_t count) {
      return std::vector(all.begin() + static_cast<std::ptrdiff_t>(3 * first),
                         all.begin() + static_cast<std::ptrdiff_t>(3 * (first + count)));
    };
    std::vector<std::uint32_t> corners = part(t, first_triangle, triangles);
    if (std::any_of(corners.begin(), corners.end(), [&](std::uint32_t corner) { return corner >= points; }))
      throw result::ResultError("a mesh of the scene has corners that are not there");
    return out_.add_mesh(of.at("name"), part(p, first_point, points), corners, material);
  }

  std::size_t add_shape(const json& shape, const std::array<double, 3>& colour) {
    const std::size_t material = out_.add_material(shape.at("role") == "sheave" ? rope_colour : colour);
    const std::string kind = shape.at("kind"), name = shape.value("name", kind);
    const auto number = [&](const char* key) { return std::clamp(shape.at(key).get<double>(), 1e-6, 1e6); };
    std::size_t mesh = 0;
    if (kind == "box") {
      const json& size = shape.at("size");
      mesh = add_triangles(
          name, box_mesh({size.at(0).get<double>(), size.at(1).get<double>(), size.at(2).get<double>()}), material);
    } else if (kind == "cylinder") {
      mesh = add_triangles(name, cylinder_mesh(number("radius"), number("length"), 32), material);
    } else if (kind == "sphere") {
      mesh = add_triangles(name, sphere_mesh(number("radius"), 3), material);
    } else {
      mesh = add_recorded_mesh(shape, material);
    }
    const json& pose = shape.at("pose");
    return out_.add_node({{"name", name},
                          {"mesh", mesh},
                          {"translation", {pose.at(0), pose.at(1), pose.at(2)}},
                          {"rotation", {pose.at(4), pose.at(5), pose.at(6), pose.at(3)}}});
  }

  // A tube of unit size for every piece that a line ever has, moved, turned and stretched; of no size where there is
  // none.
  void add_tubes(json& children) {
    const std::size_t material = out_.add_material(rope_colour);
    const std::size_t tube = add_triangles("tube", cylinder_mesh(1, 1, 8), material);
    for (std::size_t l = 0; l < scene_.frames.lines; ++l) {
      std::size_t pieces = 0;
      for (const result::Frame& frame : frames) pieces = std::max(pieces, frame.lines[l].size());
      for (std::size_t i = 0; i + 1 < pieces; ++i) children.push_back(add_piece(l, i, tube));
    }
  }

  std::size_t add_piece(std::size_t line, std::size_t piece, std::size_t tube) {
    constexpr double radius = 0.05;  // m
    const std::string name = scene_document_.at("lines").at(line).at("name");
    const std::size_t node = out_.add_node({{"name", name}, {"mesh", tube}});
    std::vector<float> places, turns, sizes;
    for (const result::Frame& frame : frames) {
      const auto& vertices = frame.lines[line];
      Vec3 a = Vec3::Zero(), along = Vec3::Zero();
      if (piece + 1 < vertices.size() && (vertices[piece].flags & result::LineVertex::gap_after) == 0) {
        a = Vec3(vertices[piece].at.data());
        along = Vec3(vertices[piece + 1].at.data()) - a;
      }
      const double length = along.norm();
      const Vec3 middle = a + along / 2;
      for (const double x : middle) places.push_back(static_cast<float>(x));
      const Eigen::Quaterniond turn =
          length > 0 ? Eigen::Quaterniond::FromTwoVectors(Vec3::UnitZ(), along) : Eigen::Quaterniond::Identity();
      append_quaternion({turn.w(), turn.x(), turn.y(), turn.z()}, turns);
      const auto thick = static_cast<float>(length > 0 ? radius : 0);
      sizes.insert(sizes.end(), {thick, thick, static_cast<float>(length)});
    }
    animate(node, "translation", places, "VEC3", 3);
    animate(node, "rotation", turns, "VEC4", 4);
    animate(node, "scale", sizes, "VEC3", 3);
    return node;
  }

  const result::Result& result_;
  const result::Scene& scene_;
  const json scene_document_;
  Document out_;
  std::size_t times_ = 0;
  json channels_ = json::array(), samplers_ = json::array();
};

}  // namespace

WrittenGltf write_gltf(const result::Result& result, const std::filesystem::path& path, std::uint64_t most_frames) {
  if (!result.scene() || result.frames() == 0)
    throw result::ResultError(result.path().string() +
                              ": there is no scene in it: run the scenario again, without run.frames: 0");
  try {
    Exporter exporter(result, most_frames);
    const std::string bytes = exporter.make();
    io::write_file(path, bytes);
    return {bytes.size(), exporter.frames.size(), exporter.stride};
  } catch (const json::exception& error) {
    throw result::ResultError(result.path().string() + ": its scene is not as davit writes it (" + error.what() + ")");
  } catch (const io::FileError& error) {
    throw result::ResultError(path.string() + ": " + error.what());
  }
}

}  // namespace davit::view
