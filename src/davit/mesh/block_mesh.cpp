#include "davit/mesh/block_mesh.hpp"

#include <algorithm>
#include <unordered_map>

namespace davit {

namespace {

struct Interval {
  double from, to;
  bool has(double x) const { return from < x && x < to; }
};

bool any_has(const std::vector<Interval>& all, double x) {
  return std::any_of(all.begin(), all.end(), [&](const Interval& each) { return each.has(x); });
}

Interval about(double middle, double width) { return {middle - width / 2, middle + width / 2}; }

// Where there is steel, asked by points that lie on no boundary.
class Structure {
 public:
  explicit Structure(const BlockForm& form) : form_(form) {
    const double L = form.size.x(), B = form.size.y(), D = form.size.z(), t = form.plate;
    for (int i = 1; i <= form.floors; ++i) floors_.push_back(about(-L / 2 + i * L / (form.floors + 1), t));
    girders_ = {{-B / 2, -B / 2 + t}, {B / 2 - t, B / 2}};
    const double bay = B / (form.girders + 1);
    for (int j = 1; j <= form.girders; ++j) girders_.push_back(about(-B / 2 + j * bay, t));
    for (int j = 0; j <= form.girders; ++j) {
      const double left = -B / 2 + j * bay;
      holes_.push_back({left + BlockForm::hole_left * bay, left + BlockForm::hole_right * bay});
      for (int k = 1; k <= form.stiffeners; ++k)
        stiffeners_.push_back(about(left + k * bay / (form.stiffeners + 1), t));
    }
    const double h = BlockForm::stiffener_height * D;
    plates_ = {{-D / 2, -D / 2 + t}, {D / 2 - t, D / 2}};
    bars_ = {{-D / 2 + t, -D / 2 + t + h}, {D / 2 - t - h, D / 2 - t}};
    hole_height_ = {-D / 2 + BlockForm::hole_bottom * D, -D / 2 + BlockForm::hole_top * D};
    if (form.lug_length > 0) {
      const Vec2 at = form.lugs();
      for (const double side : {-1.0, 1.0}) lug_lengths_.push_back(about(side * at.x(), form.lug_length));
      for (const double side : {-1.0, 1.0}) lug_sides_.push_back(about(side * at.y(), t));
    }
  }

  // All boundaries along an axis, in order.
  std::vector<double> lines(int axis) const {
    const double half = form_.size[axis] / 2;
    std::vector<double> out{-half, half};
    const auto add = [&](const std::vector<Interval>& all) {
      for (const Interval& each : all) out.insert(out.end(), {each.from, each.to});
    };
    if (axis == 0) add(floors_), add(lug_lengths_);
    if (axis == 1) add(girders_), add(holes_), add(stiffeners_);
    if (axis == 2) add(plates_), add(bars_), add({hole_height_});
    if (axis == 2 && form_.lug_length > 0) out.push_back(half + form_.lug_height);
    std::sort(out.begin(), out.end());
    // Lines that are one but for rounding.
    const double close = 1e-9 * half;
    out.erase(std::unique(out.begin(), out.end(), [&](double a, double b) { return b - a < close; }), out.end());
    return out;
  }

  bool is_steel(const Vec3& p) const {
    if (p.z() > form_.size.z() / 2) return any_has(lug_lengths_, p.x()) && any_has(lug_sides_, p.y());
    if (any_has(plates_, p.z()) || any_has(girders_, p.y())) return true;
    if (any_has(stiffeners_, p.y()) && any_has(bars_, p.z())) return true;
    return any_has(floors_, p.x()) && !(any_has(holes_, p.y()) && hole_height_.has(p.z()));
  }

 private:
  const BlockForm& form_;
  std::vector<Interval> floors_, girders_, holes_, stiffeners_, plates_, bars_, lug_lengths_, lug_sides_;
  Interval hole_height_{};
};

// The faces between cells of steel and cells of air of a grid.
class Surface {
 public:
  explicit Surface(const Structure& structure) {
    for (int axis = 0; axis < 3; ++axis) lines_[axis] = structure.lines(axis);
    for (int axis = 0; axis < 3; ++axis) cells_[axis] = static_cast<int>(lines_[axis].size()) - 1;
    steel_.resize(static_cast<size_t>(cells_[0] * cells_[1] * cells_[2]));
    for_cells([&](const Cell& cell) {
      Vec3 middle;
      for (int axis = 0; axis < 3; ++axis) middle[axis] = (line(axis, cell[axis]) + line(axis, cell[axis] + 1)) / 2;
      steel_[index(cell)] = structure.is_steel(middle);
    });
  }

  TriangleMesh mesh() {
    for_cells([&](const Cell& cell) {
      if (!is_steel(cell)) return;
      for (int axis = 0; axis < 3; ++axis)
        for (const int side : {0, 1}) {
          Cell next = cell;
          next[axis] += side ? 1 : -1;
          if (!is_steel(next)) add_face(cell, axis, side);
        }
    });
    return std::move(mesh_);
  }

 private:
  using Cell = Eigen::Vector3i;

  template <class F>
  void for_cells(F f) const {
    for (int i = 0; i < cells_[0]; ++i)
      for (int j = 0; j < cells_[1]; ++j)
        for (int k = 0; k < cells_[2]; ++k) f(Cell(i, j, k));
  }
  double line(int axis, int i) const { return lines_[axis][static_cast<size_t>(i)]; }
  size_t index(const Cell& c) const { return static_cast<size_t>((c[0] * cells_[1] + c[1]) * cells_[2] + c[2]); }
  bool is_steel(const Cell& c) const {
    return (c.array() >= 0).all() && (c.array() < cells_.array()).all() && steel_[index(c)];
  }

  int point(const Cell& corner) {
    const int key = (corner[0] * (cells_[1] + 1) + corner[1]) * (cells_[2] + 1) + corner[2];
    const auto [at, added] = points_.try_emplace(key, static_cast<int>(mesh_.points.size()));
    if (added) mesh_.points.emplace_back(line(0, corner[0]), line(1, corner[1]), line(2, corner[2]));
    return at->second;
  }

  void add_face(const Cell& cell, int axis, int side) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;  // u, v, axis: right-handed
    Cell corner = cell;
    corner[axis] += side;
    std::array<int, 4> around{};
    for (size_t i = 0; i < 4; ++i) {
      Cell at = corner;
      at[u] += i == 1 || i == 2;
      at[v] += i >= 2;
      around[i] = point(at);
    }
    if (!side) std::swap(around[1], around[3]);
    mesh_.triangles.push_back({around[0], around[1], around[2]});
    mesh_.triangles.push_back({around[0], around[2], around[3]});
  }

  std::array<std::vector<double>, 3> lines_;
  Eigen::Vector3i cells_;
  std::vector<bool> steel_;
  std::unordered_map<int, int> points_;
  TriangleMesh mesh_;
};

}  // namespace

const char* BlockForm::mistake() const {
  const double bay = size.y() / (girders + 1), frame = size.x() / (floors + 1);
  if (plate >= 0.1 * std::min({size.z(), bay, frame})) return "the plates are too thick for the distances between them";
  if (plate >= 0.2 * bay / (stiffeners + 1)) return "the stiffeners are too close to each other";
  // Cells of the grid that the surface is found on.
  const double across = 2.0 * floors + 6, along = 2.0 * (girders + 2) + 2.0 * (girders + 1) * (stiffeners + 1);
  if (11 * across * along > 1e6) return "the block has more plates than a surface can be made of";
  if (lug_length > 0 && girders == 0) return "the lugs stand on girders, and there are none";
  if (lug_length >= 0.4 * size.x()) return "the lugs are too long";
  return "";
}

Vec2 BlockForm::lugs() const {
  const double bay = size.y() / (girders + 1);
  return {lug_place * size.x(), (girders - 1) * bay / 2};
}

TriangleMesh block_mesh(const BlockForm& form) { return Surface(Structure(form)).mesh(); }

}  // namespace davit
