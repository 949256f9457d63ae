#include "davit/inverse_dynamics/units.hpp"

#include <cmath>

namespace davit::inverse_dynamics {

namespace {

// Speeds v and turning rates w of the bodies that one unit of each speed moves, at the most, and how far the bodies
// are apart.
struct Moved {
  VecX v, w;
  double apart = 0;
};
Moved moved_by_speeds(const ServoProblem& problem) {
  const Model& model = *problem.model;
  Kin kin;
  kin.body.resize(static_cast<size_t>(model.bodies()));
  Moved out{VecX::Zero(model.nu()), VecX::Zero(model.nu())};
  for (Eigen::Index i = 0; i < model.nu(); ++i) {
    const VecX u = VecX::Unit(model.nu(), i);
    for (const auto& b : model.blocks())
      b.block->kinematics(problem.start.q.data() + b.first_q, u.data() + b.first_u, kin);
    for (const auto& body : kin.body) {
      out.v[i] = std::max(out.v[i], body.v.norm());
      out.w[i] = std::max(out.w[i], body.w.norm());
    }
  }
  for (size_t i = 1; i < kin.body.size(); ++i)
    for (size_t j = 1; j < i; ++j) out.apart = std::max(out.apart, (kin.body[i].p - kin.body[j].p).norm());
  return out;
}

// How far outputs go, as the way of bodies.
double way_of(const ServoProblem& problem, ServoEquations& equations, Instant at, const Moved& moved) {
  const MatX S = equations.output_tangent.gradient;
  VecX most = VecX::Zero(S.rows());
  equations.evaluate(at);
  const VecX start = equations.output.value;
  for (const double part : {0.25, 0.5, 0.75, 1.0}) {
    at.t = problem.start.t + part * (problem.end - problem.start.t);
    equations.evaluate(at);
    most = most.cwiseMax((equations.output.value - start).cwiseAbs());
  }
  double way = 0;
  for (Eigen::Index j = 0; j < S.rows(); ++j) {
    double least = std::numeric_limits<double>::infinity();
    for (Eigen::Index i = 0; i < S.cols(); ++i)
      if (moved.v[i] > 0 && S(j, i) != 0) least = std::min(least, moved.v[i] / std::abs(S(j, i)));
    if (std::isfinite(least)) way = std::max(way, least * most[j]);
  }
  return way;
}

double length_of(const ServoProblem& problem, ServoEquations& equations, const Instant& at, const Moved& moved) {
  // The largest radius of gyration of what turns, by the largest mass that is moved along.
  double turning = 0, mass = 0;
  for (Eigen::Index i = 0; i < moved.v.size(); ++i) {
    if (moved.w[i] > 0) turning = std::max(turning, equations.M(i, i) / (moved.w[i] * moved.w[i]));
    if (moved.w[i] == 0 && moved.v[i] > 0) mass = std::max(mass, equations.M(i, i) / (moved.v[i] * moved.v[i]));
  }
  const double length =
      std::max({moved.apart, way_of(problem, equations, at, moved), mass > 0 ? std::sqrt(turning / mass) : 0.0});
  return length > 0 ? length : 1;
}

// What one unit of the coordinates that are known does to a row.
double unit_of_row(const MatX& gradient, Eigen::Index row, const VecX& coordinates) {
  return gradient.row(row).cwiseAbs().cwiseProduct(coordinates.transpose()).maxCoeff();
}

// Coordinates that move no body (drums) have the units of the rows that they are in.
void follow_rows(const MatX& G, VecX& coordinates) {
  for (bool more = true; more;) {
    more = false;
    for (Eigen::Index i = 0; i < G.cols(); ++i) {
      if (coordinates[i] > 0) continue;
      double least = std::numeric_limits<double>::infinity();
      for (Eigen::Index j = 0; j < G.rows(); ++j)
        if (const double row = unit_of_row(G, j, coordinates); row > 0 && G(j, i) != 0)
          least = std::min(least, row / std::abs(G(j, i)));
      if (!std::isfinite(least)) continue;
      coordinates[i] = least;
      more = true;
    }
  }
}

VecX coordinates_of(const MatX& M, const MatX& G, const Moved& moved, double length) {
  VecX out = VecX::Zero(moved.v.size());
  for (Eigen::Index i = 0; i < out.size(); ++i)
    if (const double way = std::max(moved.v[i], length * moved.w[i]); way > 0) out[i] = length / way;
  follow_rows(G, out);
  // The others (directors, free rotors) by their inertia, then whatever hangs on those.
  const double most = M.diagonal().cwiseProduct(out.cwiseAbs2()).maxCoeff();
  for (Eigen::Index i = 0; i < out.size(); ++i)
    if (out[i] == 0 && M(i, i) > 0 && most > 0) out[i] = std::sqrt(most / M(i, i));
  follow_rows(G, out);
  for (double& unit : out)
    if (unit == 0) unit = 1;
  return out;
}

VecX units_of_rows(const MatX& gradient, const VecX& coordinates, double otherwise) {
  VecX out(gradient.rows());
  for (Eigen::Index j = 0; j < out.size(); ++j) {
    const double unit = unit_of_row(gradient, j, coordinates);
    out[j] = unit > 0 ? unit : otherwise;
  }
  return out;
}

}  // namespace

Units units_of(const ServoProblem& problem, double time) {
  ServoEquations equations(problem);
  const int n = equations.speeds();
  const Instant at{problem.start.t,
                   problem.start.q,
                   VecX::Zero(n),
                   VecX::Zero(n),
                   VecX::Zero(equations.constraints()),
                   VecX::Zero(equations.inputs())};
  equations.linearise(at);
  const Moved moved = moved_by_speeds(problem);
  const MatX &M = equations.M, G = equations.constraint_tangent.gradient;
  Units out;
  out.time = time;
  out.length = length_of(problem, equations, at, moved);
  out.coordinates = coordinates_of(M, G, moved, out.length);
  out.inertias = M.diagonal().cwiseProduct(out.coordinates.cwiseAbs2());
  const double inertia = out.inertias.maxCoeff();
  if (inertia > 0) out.inertias /= inertia;
  equations.evaluate(at);
  const double whole = std::max(problem.end - problem.start.t, time);
  const double most =
      std::max(equations.R.cwiseAbs().cwiseProduct(out.coordinates).maxCoeff(), inertia / (whole * whole));
  out.energy = most > 0 ? most : 1;
  out.motion = out.energy * out.coordinates.cwiseInverse();
  out.constraints = units_of_rows(G, out.coordinates, out.length);
  out.outputs = units_of_rows(equations.output_tangent.gradient, out.coordinates, out.length);
  out.multipliers = out.energy * out.constraints.cwiseInverse();
  out.inputs = out.energy * units_of_rows(equations.B.transpose(), out.coordinates, out.length).cwiseInverse();
  return out;
}

double relative_size(const VecX& change, const VecX& of, const VecX& unit) {
  if (change.size() == 0) return 0;
  return change.cwiseQuotient(unit).cwiseAbs().maxCoeff() / (1 + of.cwiseQuotient(unit).cwiseAbs().maxCoeff());
}

}  // namespace davit::inverse_dynamics
