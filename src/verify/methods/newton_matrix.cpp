#include "verify/methods/newton_matrix.hpp"

#include <fmt/format.h>

#include <cmath>

#include "davit/solve/reduced_newton.hpp"
#include "verify/methods/method_problems.hpp"
#include "verify/plans/rotary_crane.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

constexpr double steps[] = {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6};

struct Case {
  std::string name;
  std::shared_ptr<const Model> model;
};
std::vector<Case> cases() {
  std::vector<Case> all;
  for (const MethodProblem& p : method_problems())
    if (p.name == "director bodies") all.push_back({"pendulum, 12 coordinates", p.model});
  all.push_back({"rotary crane, 42 coordinates", std::shared_ptr<const Model>(rotary_crane_by_directors().model)});
  return all;
}

// Rows and columns divided by the roots of their largest entries until these are one (Ruiz 2001).
MatX equilibrated(MatX A) {
  for (int round = 0; round < 20; ++round) {
    for (Eigen::Index i = 0; i < A.rows(); ++i) A.row(i) /= std::sqrt(A.row(i).cwiseAbs().maxCoeff());
    for (Eigen::Index j = 0; j < A.cols(); ++j) A.col(j) /= std::sqrt(A.col(j).cwiseAbs().maxCoeff());
  }
  return A;
}

}  // namespace

NewtonConditions newton_conditions(const Model& model, double h) {
  System system(model);
  const State s = model.initial_state();
  StepEquations equations(model, ReducedNewton::most_unknowns);
  Stage& stage = equations.stage();
  stage.clear(s.u.size());
  stage.h = h;
  stage.t_point = s.t + h / 2;
  stage.t_end = s.t + h;
  stage.u_point = {0.5 * s.u, 0.5};
  stage.d_point = {h / 4 * s.u, h / 4};
  stage.d_end = {h / 2 * s.u, h / 2};
  stage.a_point = {-s.u / h, 1 / h};
  stage.gradient = Stage::Gradient::discrete_gradient;
  stage.laws = Stage::Laws::discrete_gradient;
  equations.begin(system, s);
  auto unknowns = equations.make_unknowns();
  unknowns.x = s.u;
  ReducedNewton newton(model, equations);
  if (!newton.solve(system, equations, unknowns, {}).converged) return {};
  NewtonConditions out;
  out.h = h;
  const MatX& A = newton.full_matrix();
  out.speeds = condition_number(A);
  out.scaled = condition_number(equilibrated(A));
  out.reduced = condition_number(newton.matrix());
  // (3.4b) is h times the balance, and the speeds are those of (3.4a): v₁ = 2/h (q₁ - q₀) - v₀. The rows are g itself.
  MatX textbook = A;
  textbook.topLeftCorner(model.nu(), model.nu()) *= 2;
  textbook.topRightCorner(model.nu(), model.rows()) *= h;
  out.textbook = condition_number(textbook);
  return out;
}

std::string newton_conditions_csv() {
  std::string out =
      "# Made by davit verify --conditions FILE. Numbers above 1e16 are round-off.\n"
      "model,step_s,textbook_q_lambda,speeds_lambda,speeds_lambda_scaled,reduced\n";
  for (const Case& c : cases())
    for (const double h : steps) {
      const NewtonConditions n = newton_conditions(*c.model, h);
      out += fmt::format("\"{}\",{:.0e},{:.3e},{:.3e},{:.3e},{:.3e}\n", c.name, h, n.textbook, n.speeds, n.scaled,
                         n.reduced);
    }
  return out;
}

void newton_matrix(Checker& check) {
  for (const Case& c : cases()) {
    double smallest = std::numeric_limits<double>::infinity(), largest = 0;
    std::vector<NewtonConditions> all;
    for (const double h : steps) all.push_back(newton_conditions(*c.model, h));
    for (const NewtonConditions& n : all) {
      smallest = std::min(smallest, n.reduced);
      largest = std::max(largest, n.reduced);
    }
    // From 0.1 to 1e-3 s: beyond 1e16 singular values are round-off.
    const auto growth = [&](double NewtonConditions::*kind) { return std::log10(all[2].*kind / all[0].*kind) / 2; };
    check.order(c.name, "power of 1/Δt with which the matrix of (3.4) in q and λ grows", 3,
                "exact: h⁻¹ of M times h⁻² of its Schur complement", growth(&NewtonConditions::textbook), 0.1);
    check.order(c.name, "power of 1/Δt with which the matrix in speeds and λ grows", 2,
                "exact: h⁻¹ of M times h⁻¹ of its Schur complement", growth(&NewtonConditions::speeds), 0.1);
    check.at_most(c.name, "largest over smallest condition number of the reduced matrix, Δt = 0.1 to 1e-6 s", "1",
                  "published: thesis 3.3, the reduced scheme stays well conditioned", largest / smallest, 10);
  }
}

}  // namespace davit::verify
