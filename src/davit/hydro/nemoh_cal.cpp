#include "davit/hydro/nemoh_cal.hpp"

#include <cctype>
#include <cmath>
#include <limits>
#include <optional>

namespace davit::hydro {
namespace {

constexpr int most_nemoh_bodies = 50, most_modes = 6;

// "1 0. 1. 0. 0. 0. 0." is a translation along y, "2 0. 1. 0. x y z" a rotation about a line along y through a point.
class Axes {
 public:
  int mode(TextFile& file, int body) {
    const auto& n = file.expect(4, "a motion or force: kind, direction and point");
    const int kind = file.whole(0, 1, 2);
    for (int axis = 0; axis < 3; ++axis) {
      Vec3 unit = Vec3::Zero();
      unit[axis] = 1;
      if (Vec3(n[1], n[2], n[3]) != unit) continue;
      if (kind == 2) through(file, n.size() >= 7 ? Vec3(n[4], n[5], n[6]) : Vec3(Vec3::Zero()));
      return 6 * body + axis + (kind == 2 ? 3 : 0);
    }
    file.fail("this direction is none of the axes", "let NEMOH compute motions and forces along x, y and z");
  }
  Vec3 point() const { return point_.value_or(Vec3::Zero()); }

 private:
  void through(TextFile& file, const Vec3& point) {
    if (point_ && (*point_ - point).norm() > 1e-6)
      file.fail("rotations and moments of this body are about different points",
                "give NEMOH one point for all of them");
    point_ = point;
  }
  std::optional<Vec3> point_;
};

}  // namespace

NemohCal read_nemoh_cal(TextFile file) {
  NemohCal cal;
  const auto title = [&](const char* what) {
    if (!file.next_line()) file.fail(std::string("the file ends before ") + what, "write it again: it was cut off");
  };
  title("the environment");
  cal.density = file.expect(1, "the density")[0];
  cal.gravity = file.expect(1, "gravity")[0];
  const double depth = file.expect(1, "the water depth")[0];
  cal.depth = depth > 0 ? depth : std::numeric_limits<double>::infinity();
  const auto& point = file.expect(2, "the wave measurement point");
  cal.wave_point = {point[0], point[1]};
  title("the bodies");
  file.expect(1, "the number of bodies");
  const int bodies = file.whole(0, 1, most_nemoh_bodies);
  for (int b = 0; b < bodies; ++b) {
    NemohCal::Body body;
    Axes axes;
    title("a body");
    title("the name of its mesh");
    body.mesh = file.line().substr(0, file.line().find_first_of(" \t!\r"));
    file.expect(2, "numbers of points and panels");
    file.expect(1, "the number of motions");
    body.motions = file.whole(0, 0, most_modes);
    for (int i = 0; i < body.motions; ++i) cal.motions.push_back(axes.mode(file, b));
    file.expect(1, "the number of forces");
    body.forces = file.whole(0, 0, most_modes);
    for (int i = 0; i < body.forces; ++i) cal.forces.push_back(axes.mode(file, b));
    file.expect(1, "the number of additional lines");
    for (int extra = file.whole(0, 0, 1000); extra > 0; --extra) title("additional lines");
    body.reference = axes.point();
    cal.bodies.push_back(body);
  }
  return cal;
}

}  // namespace davit::hydro
