#include "davit/statics/statics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "davit/math/linear_algebra.hpp"
#include "davit/math/rotation.hpp"
#include "davit/model/forces_with.hpp"
#include "davit/solve/rest.hpp"

namespace davit {

namespace {

using SixSpeeds = std::array<int, 6>;

std::optional<SixSpeeds> six_speeds(const std::vector<std::string>& names, const std::string& body) {
  SixSpeeds out{};
  const char* const motions[] = {"x", "y", "z", "roll", "pitch", "yaw"};
  for (size_t i = 0; i < 6; ++i) {
    const auto at = std::find(names.begin(), names.end(), body + "." + motions[i]);
    if (at == names.end()) return std::nullopt;
    out[i] = static_cast<int>(at - names.begin());
  }
  return out;
}

struct HeldBody {
  std::string name;
  Frame frame;
  SixSpeeds speeds;
};

// The body that was asked for, or the first that has six freedoms.
HeldBody held_body(const Scenario& scenario, const std::string& asked) {
  const auto names = scenario.model->speed_names();
  for (size_t i = 0; i < scenario.body_frames.size(); ++i) {
    const std::string& name = scenario.bodies[i].first;
    if (!asked.empty() && name != asked) continue;
    if (const auto speeds = six_speeds(names, name)) return {name, scenario.body_frames[i], *speeds};
  }
  throw std::invalid_argument(asked.empty() ? "the scenario has no vessel and no other body with six freedoms"
                                            : fmt::format("'{}' is no body with six freedoms", asked));
}

// Lines are committed at the state, so that what they show is of there.
std::vector<LineAtRest> lines_at(System& system, const State& at) {
  State state = at;
  system.commit(state);
  system.evaluate(state, System::Want::unconstrained);
  std::vector<LineAtRest> out;
  for (const auto& line : forces_with<MooringStrand>(system.model()))
    out.push_back({line.as->loads(line.context(state, system.workspace())), line.name()});
  return out;
}

// Motions that the constraints allow and that leave the surge, sway and yaw of a vessel as they are, if one is held.
MatX free_directions(const RestPoint& rest, const std::optional<SixSpeeds>& held_vessel) {
  if (!held_vessel) return rest.N;
  const SixSpeeds& vessel = *held_vessel;
  MatX held(rest.N.cols(), 3);
  for (int i = 0; i < 3; ++i) held.col(i) = rest.N.row(vessel[static_cast<size_t>(i < 2 ? i : 5)]).transpose();
  return rest.N * orthogonal_frame(held).rightCols(rest.N.cols() - 3);
}

// Newton's method on all that is not held, in steps of half a metre at most; the residual is what has to hold the rest.
bool come_to_rest(System& system, const std::optional<SixSpeeds>& vessel, State& state, VecX& holding) {
  constexpr double still = 1e-9;   // m/s², rad/s²
  constexpr double longest = 0.5;  // m, rad
  for (int i = 0; i < 300; ++i) {
    const RestPoint rest = rest_point(system, state);
    if (!rest.residual.allFinite()) return false;
    const MatX Z = free_directions(rest, vessel);
    const VecX left = Z.transpose() * rest.residual;
    const MatX mass = Z.transpose() * rest.lin.M * Z;
    holding = rest.residual;
    const VecX drift = Z.cols() > 0 ? VecX(solve_lu(mass, left)) : VecX(left);
    if (drift.size() == 0 || drift.cwiseAbs().maxCoeff() < still) return true;
    // A little mass, for motions that nothing holds.
    VecX change = -Z * solve_lu(MatX(Z.transpose() * rest.lin.K * Z + 1e-6 * mass), left);
    change *= std::min(1.0, longest / change.cwiseAbs().maxCoeff());
    VecX moved(state.q.size());
    system.retract(state.q, change, moved);
    state.q = moved;
    if (system.model().rows() > 0) system.satisfy_constraints(state);
  }
  return false;
}

Mat3 attitude(System& system, const State& state, const Frame& frame) {
  system.evaluate(state, System::Want::unconstrained);
  return rotation(system.workspace().kin, frame);
}

// From where the search for an equilibrium goes no farther: a vessel that lost a line may have tens of metres to go.
bool walk_to_rest(System& system, const State& start, Equilibrium& out) {
  State state = start;
  state.u.setZero();
  VecX nothing;
  if (!come_to_rest(system, std::nullopt, state, nothing) || why_it_cannot_rest(system, state)) return false;
  const RestPoint rest = rest_point(system, state);
  const MatX K = rest.reduced(rest.slow_stiffness()), M = rest.reduced(rest.lin.M);
  out.stable = positive_definite(MatX(0.5 * (K + K.transpose()) + 1e-9 * M));
  out.converged = true;
  out.why.clear();
  out.residual = rest.acceleration;
  out.state = state;
  return true;
}

RestoringCurve restoring_curve(System& system, const State& rest, const Frame& frame, const SixSpeeds& vessel,
                               const StaticsSettings& settings) {
  RestoringCurve out{settings.vessel, settings.heading, {}};
  const double c = std::cos(settings.heading), s = std::sin(settings.heading);
  const int half = std::max(1, settings.points / 2);
  out.points.resize(static_cast<size_t>(2 * half + 1));
  // Outwards from the place at rest, each point from the one before it.
  for (const int side : {-1, 1}) {
    State state = rest;
    for (int n = side > 0 ? 0 : 1; n <= half; ++n) {
      RestoringPoint& point = out.points[static_cast<size_t>(half + side * n)];
      point.offset = side * n * settings.reach / half;
      if (n > 0) {
        // Speeds of a body are in its own axes.
        const Vec3 step = attitude(system, state, frame).transpose() * (side * settings.reach / half * Vec3(c, s, 0));
        VecX shift = VecX::Zero(rest.u.size()), moved(rest.q.size());
        for (size_t i = 0; i < 3; ++i) shift[vessel[i]] = step[static_cast<int>(i)];
        system.retract(state.q, shift, moved);
        state.q = moved;
      }
      VecX holding;
      point.found = come_to_rest(system, vessel, state, holding);
      if (!point.found) break;
      const Vec3 force =
          attitude(system, state, frame) * Vec3(holding[vessel[0]], holding[vessel[1]], holding[vessel[2]]);
      point.along = force.x() * c + force.y() * s;
      point.across = force.y() * c - force.x() * s;
      point.moment = holding[vessel[5]];
      point.lines = lines_at(system, state);
    }
  }
  return out;
}

}  // namespace

bool has_mooring_lines(const Model& model) { return !forces_with<MooringStrand>(model).empty(); }

Equilibrium find_rest(System& system, const State& start, Nearness nearness) {
  Equilibrium out = find_equilibrium(system, start, nearness);
  if (!out.converged && system.model().contacts().empty()) walk_to_rest(system, start, out);
  return out;
}

Statics find_statics(const Scenario& scenario, const StaticsSettings& asked,
                     const std::optional<Equilibrium>& at_rest) {
  StaticsSettings settings = asked;
  const auto [name, frame, speeds] = held_body(scenario, asked.vessel);
  settings.vessel = name;
  System system(*scenario.model);
  Statics out;
  out.vessel = name;
  State start = scenario.initial_state();
  system.commit(start);
  out.equilibrium = at_rest ? *at_rest : find_rest(system, start);
  if (!out.equilibrium.converged) return out;
  State state = out.equilibrium.state;
  system.commit(state);
  out.lines = lines_at(system, state);
  const Mat3 R = attitude(system, state, frame);
  out.place = position(system.workspace().kin, frame);
  out.turn = rpy_of_rotation<double>(R);
  const RestPoint rest = rest_point(system, state);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j)
      out.stiffness(i, j) = rest.lin.K(speeds[static_cast<size_t>(i)], speeds[static_cast<size_t>(j)]);
  if (settings.reach > 0) out.curve = restoring_curve(system, state, frame, speeds, settings);
  return out;
}

}  // namespace davit
