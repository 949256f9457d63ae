#include "davit/scene/scene_shapes.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <variant>

#include "davit/hull/shape_text.hpp"
#include "davit/hull/waterplane.hpp"
#include "davit/mesh/shapes.hpp"
#include "davit/panel/floating_hull.hpp"

namespace davit {

namespace {

// Of cranes and lattices, all of the room that they take up; of blocks and modules.
constexpr double density_of_beams = 250, density_of_blocks = 400;  // kg/m³
constexpr double nearly_full = 0.97;                               // waterplanes that are taken for rectangles

TriangleMesh triangles_of(const hull::PanelMesh& panels) {
  TriangleMesh out;
  const auto add = [&](double mx, double my) {
    const int first = static_cast<int>(out.points.size());
    const bool turned = mx * my < 0;
    for (const Vec3& p : panels.points) out.points.emplace_back(mx * p.x(), my * p.y(), p.z());
    for (const auto& [a, b, c, d] : panels.panels)
      for (const std::array<int, 3>& t : {std::array{a, b, c}, std::array{a, c, d}}) {
        if (t[0] == t[1] || t[1] == t[2] || t[0] == t[2]) continue;
        out.triangles.push_back({first + t[0], first + t[turned ? 2 : 1], first + t[turned ? 1 : 2]});
      }
  };
  for (const double mx : {1.0, -1.0})
    for (const double my : {1.0, -1.0})
      if ((mx > 0 || panels.mirror_x) && (my > 0 || panels.mirror_y)) add(mx, my);
  return out;
}

// Its panels, at the draft that the vessel is given, or else as the file has them in the water.
std::optional<TriangleMesh> hull_of_file(const panel::HullSpec& hull, const std::optional<double>& draft) {
  input::Problems ignored;  // the vessel was read with them
  const auto whole = panel::whole_hull(hull, ignored);
  if (!whole) return std::nullopt;
  const double up = draft ? -*draft - whole->lowest : 0;
  return triangles_of(hull::placed(whole->mesh, {Mat3::Identity(), Vec3(0, 0, up)}));
}

std::optional<TriangleMesh> given_hull(const vessel::VesselSpec& spec, const HullForm& form) {
  if (!spec.hull) return std::nullopt;
  panel::HullSpec named;
  named.hull = *spec.hull;
  named.where = spec.where;
  if (named.mesh_file()) return hull_of_file(named, spec.draft);
  try {
    auto parsed = hull::parse_shape(*spec.hull);
    if (!parsed.value) return std::nullopt;
    const double draft = spec.draft.value_or(form.draft);
    const double length = std::visit(
        [&](auto& shape) {
          if (draft > 0) shape.draft = draft;
          if constexpr (requires { shape.length; }) return shape.length;
          if constexpr (requires { shape.diameter; }) return shape.diameter;
          return 1.0;
        },
        *parsed.value);
    return triangles_of(hull::panelled(*parsed.value, {.size = length / 24, .most = 1500}, hull::Part::whole));
  } catch (const std::exception&) {
    return std::nullopt;  // a picture is no reason to stop: the form tells enough
  }
}

// Seen from above, with a bow where the waterplane is not a rectangle.
std::vector<Vec2> waterline(const HullForm& form) {
  const double b = form.beam / 2;
  if (form.fullness > nearly_full) {
    const double l = form.length / 2;
    return {{-l, -b}, {l, -b}, {l, b}, {-l, b}};
  }
  // A waterplane with fine ends is longer than the box of its second moment.
  const double l = 1.1 * form.length / 2, wide = 1.05 * b;
  std::vector<Vec2> half = {{-l, 0.85 * wide},     {-0.7 * l, wide},        {0.45 * l, wide},
                            {0.7 * l, 0.8 * wide}, {0.88 * l, 0.45 * wide}, {l, 0.06 * wide}};
  std::vector<Vec2> out;
  for (const Vec2& p : half) out.emplace_back(p.x(), -p.y());
  for (auto p = half.rbegin(); p != half.rend(); ++p) out.push_back(*p);
  return out;
}

}  // namespace

int MeshStore::add(const std::string& name, const TriangleMesh& mesh) {
  const std::size_t first_point = meshes.points.size() / 3, first_triangle = meshes.triangles.size() / 3;
  for (const Vec3& p : mesh.points)
    for (const double x : p) meshes.points.push_back(static_cast<float>(x));
  for (const auto& triangle : mesh.triangles)
    for (const int corner : triangle) meshes.triangles.push_back(static_cast<std::uint32_t>(corner));
  list.push_back({{"name", name},
                  {"first_point", first_point},
                  {"points", mesh.points.size()},
                  {"first_triangle", first_triangle},
                  {"triangles", mesh.triangles.size()}});
  return static_cast<int>(list.size()) - 1;
}

nlohmann::json as_json(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

nlohmann::json as_json(const Pose& pose) {
  const Eigen::Quaterniond turned(pose.R);
  return {pose.p.x(), pose.p.y(), pose.p.z(), turned.w(), turned.x(), turned.y(), turned.z()};
}

nlohmann::json given_solid(const BodySpec& spec) {
  const auto shape = [&](const char* kind, const Mat3& R) {
    return nlohmann::json{{"kind", kind}, {"role", "body"}, {"pose", as_json(Pose{R, spec.centre})}};
  };
  nlohmann::json shapes = nlohmann::json::array();
  if (spec.box) {
    shapes.push_back(shape("box", Mat3::Identity()));
    shapes.back()["size"] = as_json(spec.box->size);
  }
  if (spec.cylinder) {
    shapes.push_back(shape("cylinder", rotation_from_z(spec.cylinder->axis.direction)));
    shapes.back()["radius"] = spec.cylinder->radius;
    shapes.back()["length"] = spec.cylinder->length;
  }
  if (spec.sphere) {
    shapes.push_back(shape("sphere", Mat3::Identity()));
    shapes.back()["radius"] = spec.sphere->radius;
  }
  return shapes;
}

std::optional<HullMesh> hull_mesh(const Scenario& scenario, std::size_t vessel, std::optional<double> deck) {
  const HullForm form = vessel < scenario.forms.size() ? scenario.forms[vessel] : HullForm{};
  if (auto given = given_hull(scenario.specification.elements.of<vessel::VesselSpec>()[vessel].second, form))
    return HullMesh{*std::move(given), false};
  if (!(form.length > 0)) return std::nullopt;
  const double above = deck.value_or(0.5 * form.draft + 1), height = form.draft + above;
  TriangleMesh mesh = prism_mesh(waterline(form), height);
  for (Vec3& p : mesh.points) p.z() += above - height / 2;
  return HullMesh{std::move(mesh), true};
}

nlohmann::json guessed_shapes(double mass, const Vec3& centre, const Vec3& joint, const std::vector<Vec3>& ends) {
  nlohmann::json shapes = nlohmann::json::array();
  double length = 0;
  for (const Vec3& end : ends) length += (end - joint).norm();
  if (length < 1e-6) {
    const double side = std::cbrt(std::max(mass, 1.0) / density_of_blocks);
    shapes.push_back({{"kind", "box"},
                      {"role", "guess"},
                      {"size", {side, side, side}},
                      {"pose", as_json(Pose{Mat3::Identity(), centre})}});
    return shapes;
  }
  const double thick = std::sqrt(std::max(mass, 1e-3) / (density_of_beams * length));
  for (const Vec3& end : ends) {
    const double long_ = (end - joint).norm();
    if (long_ < 1e-3 * length) continue;
    const double width = std::clamp(thick, 0.015 * long_, 0.15 * long_);
    shapes.push_back({{"kind", "box"},
                      {"role", "guess"},
                      {"size", {width, width, long_}},
                      {"pose", as_json(Pose{rotation_from_z((end - joint).normalized()), (joint + end) / 2})}});
  }
  return shapes;
}

}  // namespace davit
