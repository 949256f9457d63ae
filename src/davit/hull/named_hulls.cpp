#include "davit/hull/named_hulls.hpp"

#include <stdexcept>

#include "davit/hull/dimensions.hpp"
#include "davit/hull/panel_geometry.hpp"
#include "davit/hull/panel_grid.hpp"
#include "davit/math/constants.hpp"
#include "davit/mesh/triangle_mesh.hpp"

namespace davit::hull {

namespace {

void check(const Barge& b) {
  require_length(b.length, "the length");
  require_length(b.beam, "the beam");
  require_length(b.depth, "the depth");
  require_draft(b.draft.value_or(b.depth), b.depth, "the depth");
}

void check(const Cylinder& c) {
  require_length(c.diameter, "the diameter");
  require_length(c.depth, "the depth");
  require_draft(c.draft.value_or(c.depth), c.depth, "the depth");
}

void check(const Sphere& s) {
  require_length(s.diameter, "the diameter");
  require_draft(s.draft.value_or(0.5 * s.diameter), s.diameter, "the diameter");
}

// How a hull is divided: the size of this attempt, and what was asked for.
struct Division {
  double size, refine;
  Part part;
};

PanelMesh build(const Barge& barge, const Division& d) {
  check(barge);
  PanelMesh mesh;
  mesh.mirror_x = mesh.mirror_y = true;
  const double X = 0.5 * barge.length, Y = 0.5 * barge.beam, draft = barge.draft.value_or(barge.depth);
  const double freeboard = barge.depth - draft;
  const auto xs = spaced(0, X, d.size, d.refine, Fine::last), ys = spaced(0, Y, d.size, d.refine, Fine::last);
  const auto sides = [&](const std::vector<double>& zs) {
    add_grid(mesh, zs, xs, [&](double z, double x) { return Vec3(x, Y, z); });
    add_grid(mesh, ys, zs, [&](double y, double z) { return Vec3(X, y, z); });
  };
  add_grid(mesh, ys, xs, [&](double y, double x) { return Vec3(x, y, -draft); });
  sides(spaced(-draft, 0, d.size, d.refine));
  if (d.part == Part::whole) {
    if (freeboard > 0) sides(spaced(0, freeboard, d.size, d.refine));
    add_grid(mesh, xs, ys, [&](double x, double y) { return Vec3(x, y, freeboard); });
  }
  return mesh;
}

// A quarter of the unit disc in squares without a pole: a core with a blunt corner, and two fields between it and the
// rim. `surface` takes a point of the disc to its place; panels face along the image of +z, or of −z if `down`.
template <class Surface>
void add_quarter_disc(PanelMesh& mesh, int around, int outwards, double refine, bool down, const Surface& surface) {
  constexpr double core = 0.55, corner = 0.42;
  const auto across = spaced(0, 1, 1.0 / around), out = spaced(0, 1, 1.0 / outwards, refine, Fine::last);
  const auto put = [&](const std::vector<double>& us, const std::vector<double>& vs, const auto& at) {
    if (down)
      add_grid(mesh, vs, us, [&](double v, double u) { return surface(at(u, v)); });
    else
      add_grid(mesh, us, vs, [&](double u, double v) { return surface(at(u, v)); });
  };
  put(across, across,
      [](double u, double v) { return Vec2(u * (core + v * (corner - core)), v * (core + u * (corner - core))); });
  // From the core's side (t along it) to the rim at the angle πt/4.
  const auto field = [](double s, double t) {
    const Vec2 inner(core + t * (corner - core), t * corner);
    const Vec2 rim(std::cos(0.25 * pi * t), std::sin(0.25 * pi * t));
    return Vec2((1 - s) * inner + s * rim);
  };
  put(out, across, field);
  put(across, out, [&](double t, double s) { return Vec2(field(s, t).reverse()); });
}

struct DiscDivision {
  int around, outwards;
};
DiscDivision disc_division(double rim_radius, double radius, double size) {
  return {std::max(1, static_cast<int>(std::ceil(0.25 * pi * rim_radius / size - 1e-9))),
          std::max(1, static_cast<int>(std::ceil(0.45 * radius / size - 1e-9)))};
}

PanelMesh build(const Cylinder& cylinder, const Division& d) {
  check(cylinder);
  PanelMesh mesh;
  mesh.mirror_x = mesh.mirror_y = true;
  const double R = 0.5 * cylinder.diameter, draft = cylinder.draft.value_or(cylinder.depth);
  const double freeboard = cylinder.depth - draft;
  const auto [around, outwards] = disc_division(R, R, d.size);
  const auto angles = spaced(0, 0.5 * pi, 0.25 * pi / around);
  const auto side = [&](const std::vector<double>& zs) {
    add_grid(mesh, angles, zs, [&](double a, double z) { return Vec3(R * std::cos(a), R * std::sin(a), z); });
  };
  add_quarter_disc(mesh, around, outwards, d.refine, true,
                   [&](const Vec2& p) { return Vec3(R * p.x(), R * p.y(), -draft); });
  side(spaced(-draft, 0, d.size, d.refine));
  if (d.part == Part::whole) {
    if (freeboard > 0) side(spaced(0, freeboard, d.size, d.refine));
    add_quarter_disc(mesh, around, outwards, d.refine, false,
                     [&](const Vec2& p) { return Vec3(R * p.x(), R * p.y(), freeboard); });
  }
  return mesh;
}

PanelMesh build(const Sphere& sphere, const Division& d) {
  check(sphere);
  PanelMesh mesh;
  mesh.mirror_x = mesh.mirror_y = true;
  const double R = 0.5 * sphere.diameter, draft = sphere.draft.value_or(R), centre = R - draft;
  // Distance from the pole on the disc becomes angle from the pole on the sphere; z exactly 0 on the rim.
  // The two caps of a whole sphere meet in the waterline and need the same division of it: that of the larger one.
  const double opening_below = std::acos(std::clamp(1 - draft / R, -1.0, 1.0));
  const double widest = d.part == Part::whole ? R : R * std::sin(std::min(opening_below, 0.5 * pi));
  const auto cap = [&](double opening, bool down) {
    const auto [around, outwards] = disc_division(widest, R * opening, d.size);
    add_quarter_disc(mesh, around, outwards, d.refine, down, [&](const Vec2& p) {
      const double r = p.norm(), angle = std::min(r, 1.0) * opening;
      const Vec2 across = r > 0 ? Vec2(p / r * R * std::sin(angle)) : Vec2(Vec2::Zero());
      const double z = r > 1 - 1e-12 ? 0 : centre + (down ? -1 : 1) * R * std::cos(angle);
      return Vec3(across.x(), across.y(), z);
    });
  };
  cap(opening_below, true);
  if (d.part == Part::whole && draft < sphere.diameter) cap(pi - opening_below, false);
  return mesh;
}

// Of the listed part, roughly: enough to tell which sizes of panels are far too small.
double listed_area(const Barge& b) { return 0.25 * b.length * b.beam + 0.5 * (b.length + b.beam) * b.depth; }
double listed_area(const Cylinder& c) { return 0.25 * pi * c.diameter * (0.25 * c.diameter + c.depth); }
double listed_area(const Sphere& s) { return 0.25 * pi * s.diameter * s.diameter; }
double listed_area(const Ship& s) { return s.length * (0.5 * s.beam + s.draft); }

PanelMesh build(const Ship& ship, const Division& d) {
  return ship_mesh(ship, d.size, d.refine, d.part == Part::whole);
}

}  // namespace

double draft_of(const Shape& shape) {
  return std::visit(
      [](const auto& s) {
        using Kind = std::decay_t<decltype(s)>;
        if constexpr (std::is_same_v<Kind, Ship>)
          return s.draft;
        else if constexpr (std::is_same_v<Kind, Sphere>)
          return s.draft.value_or(0.5 * s.diameter);
        else
          return s.draft.value_or(s.depth);
      },
      shape);
}

PanelMesh panelled(const Shape& shape, const Panelling& panelling, Part part) {
  if (!(panelling.size > 0)) throw std::invalid_argument("the size of panels must be more than zero");
  return std::visit(
      [&](const auto& s) {
        const int most = std::max(panelling.most, 1);
        for (double size = std::max(panelling.size, std::sqrt(listed_area(s) / (4.0 * most)));;) {
          const PanelMesh mesh = build(s, {size, panelling.refine, part});
          const double excess = double(mesh.count()) / most;
          // A mesh of the fewest panels there can be stays as it is.
          if (excess <= 1 || size > 1e3 * extent(mesh)) return compacted(welded(mesh, mesh_precision * extent(mesh)));
          size *= std::max(1.02, std::sqrt(excess));
        }
      },
      shape);
}

}  // namespace davit::hull
