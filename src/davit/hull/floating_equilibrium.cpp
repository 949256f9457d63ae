#include "davit/hull/floating_equilibrium.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <stdexcept>

#include "davit/hull/panel_edges.hpp"
#include "davit/hull/panel_geometry.hpp"
#include "davit/hull/waterplane.hpp"
#include "davit/math/constants.hpp"

namespace davit::hull {

namespace {

// Heave is counted in sizes of the hull, and energy in weight times size, so that all three motions weigh alike.
struct Balance {
  double energy = 0;
  Vec3 force = Vec3::Zero();  // heave, heel, trim
  Mat3 stiffness = Mat3::Zero();
  Hydrostatics water;
};

// The directions in which a search may go.
struct Free {
  bool heel = true, trim = true;
};

class Floater {
 public:
  Floater(const PanelMesh& hull, const Weight& weight, const Water& water)
      : hull_(expand(hull)), weight_(weight), water_(water), size_(extent(hull_)) {
    if (!(weight.mass > 0) || !(size_ > 0)) throw std::invalid_argument("a hull and a mass are needed");
    for (const auto& [edge, uses] : find_edges(hull_))
      if (uses.size() == 1) rim_.insert(rim_.end(), {edge.first, edge.second});
    const double middle = bounds(hull_).centre().z();
    for (int i = 0; i < hull_.count(); ++i) {
      const PanelGeometry g = panel_geometry(hull_, i);
      if (g.normal.z() > 0.9 && g.centroid.z() > middle)
        deck_.insert(deck_.end(), hull_.panels[static_cast<size_t>(i)].begin(),
                     hull_.panels[static_cast<size_t>(i)].end());
    }
  }

  double size() const { return size_; }
  bool closed() const { return rim_.empty(); }
  double most_mass() const { return water_.density * hydrostatics(hull_).volume; }

  Pose pose(const Mat3& R, double height) const { return {R, Vec3(0, 0, height - (R * weight_.centre).z())}; }

  bool wet(const std::vector<int>& points, const Pose& at) const {
    return std::any_of(points.begin(), points.end(),
                       [&](int p) { return (at * hull_.points[static_cast<size_t>(p)]).z() < -1e-6 * size_; });
  }
  bool deck_wet(const Pose& at) const { return wet(deck_, at); }
  bool rim_wet(const Pose& at) const { return wet(rim_, at); }

  // With the centre of gravity at `height` above the water.
  Balance balance(const Mat3& R, double height) const {
    const Pose at = pose(R, height);
    Balance b;
    b.water = hydrostatics(cut_at_waterplane(placed(hull_, at), 0));
    const Vec3 G = at * weight_.centre;
    const double m = weight_.mass, displaced = water_.density * b.water.volume / m;
    b.energy = (height - displaced * b.water.buoyancy.z()) / size_;
    b.force = Vec3(displaced - 1, displaced * (b.water.buoyancy.y() - G.y()) / size_,
                   -displaced * (b.water.buoyancy.x() - G.x()) / size_);
    const Mat6 C = restoring(b.water, water_, G, {m, G}) / (m * water_.gravity * size_);
    const Vec3 scale(size_, 1, 1);
    b.stiffness = scale.asDiagonal() * C.block<3, 3>(2, 2) * scale.asDiagonal();
    return b;
  }

  // The height at which the hull, held upright or at any other angles, displaces its mass.
  double height_of_draft(const Mat3& R) const {
    double low = -2 * size_ + lift(R), high = 2 * size_ + lift(R);
    for (int i = 0; i < 60; ++i) {
      const double middle = 0.5 * (low + high);
      (balance(R, middle).force[0] > 0 ? low : high) = middle;
    }
    return 0.5 * (low + high);
  }

  // Goes down to a minimum of the energy over the free motions, from where R and height are.
  Balance descend(Mat3& R, double& height, const Free& free) const {
    Balance now = balance(R, height);
    constexpr double enough = 1e-11;
    for (int i = 0; i < 200; ++i) {
      Eigen::SelfAdjointEigenSolver<Mat3> modes(restricted(now.stiffness, free));
      const Vec3 force = restricted(now.force, free);
      const bool balanced = force.norm() < enough;
      if (balanced && modes.eigenvalues()[0] > -1e-9) return now;
      Vec3 step = Vec3::Zero();
      if (balanced) {
        // On top of a hill or on a saddle: any way down will do.
        step = 0.05 * modes.eigenvectors().col(0);
        if (step[1] < 0) step = -step;
      } else {
        for (int k = 0; k < 3; ++k) {
          const Vec3 v = modes.eigenvectors().col(k);
          step += v.dot(force) / std::max(std::abs(modes.eigenvalues()[k]), 1e-4) * v;
        }
        if (step.norm() > 0.1) step *= 0.1 / step.norm();
      }
      bool moved = false;
      for (int halvings = 0; halvings < 40 && !moved; ++halvings, step *= 0.5) {
        const Mat3 R_new = exp_rotation(Vec3(step[1], step[2], 0)) * R;
        const double height_new = height + step[0] * size_;
        const Balance next = balance(R_new, height_new);
        // Close to the minimum round-off hides the fall of the energy, but not that of the forces.
        const bool nearer = force.norm() < 1e-5 && restricted(next.force, free).norm() < force.norm();
        if (next.energy < now.energy || nearer) {
          R = R_new;
          height = height_new;
          now = next;
          moved = true;
        }
      }
      if (!moved) return now;
    }
    return now;
  }

 private:
  // Height of the centre of gravity when the middle of the hull's box is in the water plane.
  double lift(const Mat3& R) const { return (R * (weight_.centre - bounds(hull_).centre())).z(); }

  static Vec3 restricted(Vec3 force, const Free& free) {
    if (!free.heel) force[1] = 0;
    if (!free.trim) force[2] = 0;
    return force;
  }
  // Motions that are held have a stiffness of their own and couple with nothing.
  static Mat3 restricted(Mat3 stiffness, const Free& free) {
    for (const auto& [k, is_free] : {std::pair{1, free.heel}, std::pair{2, free.trim}})
      if (!is_free) {
        stiffness.row(k).setZero();
        stiffness.col(k).setZero();
        stiffness(k, k) = 1;
      }
    return stiffness;
  }

  PanelMesh hull_;
  Weight weight_;
  Water water_;
  double size_;
  std::vector<int> deck_, rim_;  // points
};

Mat3 about_x(double angle) { return exp_rotation(Vec3(angle, 0, 0)); }
Mat3 about_y(double angle) { return exp_rotation(Vec3(0, angle, 0)); }
double heel_of(const Mat3& R) { return std::atan2(R(2, 1), R(2, 2)); }
double trim_of(const Mat3& R) { return std::asin(std::clamp(-R(2, 0), -1.0, 1.0)); }

std::string angle_in_words(const char* what, double angle, const char* positive, const char* negative) {
  const double degrees = std::abs(angle) * 180 / pi;
  if (degrees < 0.005) return fmt::format("no {}", what);
  return fmt::format("{} {:.3g} deg {}", what, degrees, angle > 0 ? positive : negative);
}

std::string too_heavy(const Weight& weight, double most) {
  return fmt::format("sinks: its mass of {:.4g} t is more than the {:.4g} t that the hull displaces up to its deck",
                     weight.mass / 1000, most / 1000);
}

std::string in_words(const Floating& f) {
  const std::string how = fmt::format("draft {:.3g} m, {}", f.hydrostatics.draft, tilt_in_words(f.heel, f.trim));
  switch (f.state) {
    case Floating::State::deck_wet:
      return "would float with its deck under water: " + how;
    case Floating::State::flooded:
      return "water would run in over the open top: " + how;
    case Floating::State::capsized:
      return "turns over: " + how;
    default:
      return "floats: " + how;
  }
}

}  // namespace

std::string tilt_in_words(double heel, double trim) {
  return angle_in_words("heel", heel, "to starboard", "to port") + ", " +
         angle_in_words("trim", trim, "by the bow", "by the stern");
}

Floating float_hull(const PanelMesh& hull, const Weight& weight, const Water& water) {
  const Floater floater(hull, weight, water);
  Floating result;
  if (floater.closed() && weight.mass >= floater.most_mass()) {
    result.state = Floating::State::sunk;
    result.message = too_heavy(weight, floater.most_mass());
    return result;
  }
  Mat3 R = Mat3::Identity();
  double height = floater.height_of_draft(R);
  result.hydrostatics = floater.descend(R, height, {}).water;

  // Turned about the vertical so that the bow looks along x again, and not moved horizontally.
  result.heel = heel_of(R);
  result.trim = trim_of(R);
  R = about_y(result.trim) * about_x(result.heel);
  const Balance rest = floater.balance(R, height);
  result.pose = floater.pose(R, height);
  result.hydrostatics = rest.water;
  result.metacentre = metacentric_heights(rest.water, result.pose * weight.centre);
  using State = Floating::State;
  result.state = R(2, 2) <= 0                    ? State::capsized
                 : floater.rim_wet(result.pose)  ? State::flooded
                 : floater.deck_wet(result.pose) ? State::deck_wet
                                                 : State::afloat;
  result.message = in_words(result);
  return result;
}

RightingCurve gz_curve(const PanelMesh& hull, const Weight& weight, const Water& water, double step, double last) {
  const Floater floater(hull, weight, water);
  if (floater.closed() && weight.mass >= floater.most_mass())
    throw std::invalid_argument(too_heavy(weight, floater.most_mass()));
  if (!(step > 0) || !(last > 0)) throw std::invalid_argument("angles of heel go up from zero");

  double trim = 0, first_energy = 0;
  std::optional<double> height;
  const auto at = [&](double heel) {
    Mat3 R = about_y(trim) * about_x(heel);
    double h = height ? *height : floater.height_of_draft(R);
    const Balance b = floater.descend(R, h, {.heel = false});
    trim = trim_of(R);
    height = h;
    RightingArm arm;
    arm.heel = heel;
    arm.arm = -b.force[1] * floater.size();
    arm.trim = trim;
    arm.work = b.energy * floater.size() - first_energy;
    arm.deck_wet = floater.deck_wet(floater.pose(R, h));
    return arm;
  };

  RightingCurve curve;
  const int parts = std::max(1, static_cast<int>(std::ceil(last / step - 1e-4)));
  for (int i = 0; i <= parts; ++i) {
    RightingArm arm = at(i * last / parts);
    if (i == 0) {
      first_energy = arm.work;
      arm.work = 0;
    }
    curve.arms.push_back(arm);
  }
  const auto by_arm = [](const RightingArm& a, const RightingArm& b) { return a.arm < b.arm; };
  const auto largest = std::max_element(curve.arms.begin(), curve.arms.end(), by_arm);
  curve.largest = *largest;
  curve.area = curve.arms.back().work;
  for (auto a = largest; a + 1 < curve.arms.end() && !curve.vanishing; ++a) {
    if (!(a->arm > 0 && (a + 1)->arm <= 0)) continue;
    double low = a->heel, high = (a + 1)->heel;
    RightingArm zero;
    for (int i = 0; i < 30; ++i) {
      zero = at(0.5 * (low + high));
      (zero.arm > 0 ? low : high) = zero.heel;
    }
    curve.vanishing = zero;
    curve.area = zero.work;
  }
  return curve;
}

}  // namespace davit::hull
