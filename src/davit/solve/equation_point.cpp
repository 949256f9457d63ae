#include "davit/solve/equation_point.hpp"

#include <cmath>
#include <numeric>
#include <stdexcept>

#include "davit/math/linear_algebra.hpp"

namespace davit {

namespace {

// Of rows of unit size: what is left of one beside the others.
constexpr double dependent = 1e-9;
// A row whose speeds have no larger factors is met by the coordinates themselves, but for round-off.
constexpr double nothing = 1e-11;

// Of a matrix whose rows and columns were brought to one.
constexpr double no_pivot = 1e-13;

double power_of_two(double size) { return size > 0 ? std::exp2(std::round(std::log2(size))) : 1.0; }

std::vector<int> drives_of_continuous_servos(System& system, const State& state) {
  std::vector<int> drives;
  int first = 0;
  for (const auto& s : system.model().servos()) {
    const auto count = static_cast<int>(s.element->speeds().size());
    const bool sampled =
        s.element->held({system.workspace().kin, nullptr, nullptr, state.discrete, s.first_slot}) != nullptr;
    for (int k = 0; k < count && !sampled; ++k) drives.push_back(first + k);
    first += count;
  }
  return drives;
}

VecX held_drives(System& system, const State& state) {
  VecX drive = VecX::Zero(system.model().drives());
  Eigen::Index first = 0;
  for (const auto& s : system.model().servos()) {
    const auto count = static_cast<Eigen::Index>(s.element->speeds().size());
    if (const double* held = s.element->held({system.workspace().kin, nullptr, nullptr, state.discrete, s.first_slot}))
      drive.segment(first, count) = Eigen::Map<const VecX>(held, count);
    first += count;
  }
  return drive;
}

}  // namespace

std::vector<int> independent_rows(const MatX& rows) {
  MatX columns(rows.cols(), 0);
  std::vector<int> candidates;
  for (Eigen::Index i = 0; i < rows.rows(); ++i)
    if (rows.row(i).norm() > nothing) {
      candidates.push_back(static_cast<int>(i));
      columns.conservativeResize(Eigen::NoChange, columns.cols() + 1);
      columns.rightCols<1>() = rows.row(i).transpose().normalized();
    }
  if (candidates.empty()) return {};
  PivotedQr qr;
  MatX frame;
  qr.compute(columns, dependent, frame);
  std::vector<int> out;
  for (Eigen::Index k = 0; k < qr.rank(); ++k) out.push_back(candidates[static_cast<size_t>(qr.column(k))]);
  return out;
}

AccelerationAnswer::AccelerationAnswer(const Model& model, const ArgumentPlaces& places, const EquationDerivatives& d,
                                       const Unknowns& unknowns)
    : places_(places), derivatives_(d), unknowns_(unknowns) {
  const int nu = model.nu(), rows = static_cast<int>(unknowns.rows.size()),
            drives = static_cast<int>(unknowns.drives.size()), size = nu + rows + drives;
  std::vector<int> columns(static_cast<size_t>(nu));
  std::iota(columns.begin(), columns.end(), places.a);
  for (const int row : unknowns.rows) columns.push_back(places.lambda + row);
  for (const int drive : unknowns.drives) columns.push_back(places.drive + drive);
  matrix_.resize(size, size);
  matrix_.topRows(nu) = d.F.by(Eigen::all, columns);
  matrix_.middleRows(nu, rows) = d.second.by(unknowns.rows, columns);
  matrix_.bottomRows(drives) = d.demand.by(unknowns.drives, columns);
  row_scale_ = VecX::Ones(size);
  column_scale_ = VecX::Ones(size);
  for (int sweep = 0; sweep < 4; ++sweep)
    for (int i = 0; i < size; ++i) {
      const double row = 1 / power_of_two(matrix_.row(i).cwiseAbs().maxCoeff());
      matrix_.row(i) *= row;
      row_scale_[i] *= row;
      const double column = 1 / power_of_two(matrix_.col(i).cwiseAbs().maxCoeff());
      matrix_.col(i) *= column;
      column_scale_[i] *= column;
    }
  FullPivotLu lu;
  lu.compute(matrix_, no_pivot);
  if (size == 0 || lu.rank() == size) return;
  const Eigen::Index missing = lu.column(lu.rank());
  throw std::runtime_error(missing < nu
                               ? "the motion " + model.speed_names()[static_cast<size_t>(missing)] +
                                     " has no inertia: give it mass, or tie it to what has"
                               : "constraints or drives have no effect here: the mechanism is at a dead point");
}

MatX AccelerationAnswer::to(const MatX& F, const MatX& second, const MatX& demand) const {
  const Eigen::Index nu = F.rows(), rows = static_cast<Eigen::Index>(unknowns_.rows.size());
  MatX right(matrix_.rows(), F.cols()), out = MatX::Zero(places_.size, F.cols());
  right.topRows(nu) = F;
  right.middleRows(nu, rows) = second(unknowns_.rows, Eigen::all);
  right.bottomRows(static_cast<Eigen::Index>(unknowns_.drives.size())) = demand(unknowns_.drives, Eigen::all);
  right = -(row_scale_.asDiagonal() * right);
  if (matrix_.rows() == 0) return out;
  // One refinement takes back what pivots lost.
  MatX x = solve_lu(matrix_, right);
  x += solve_lu(matrix_, MatX(right - matrix_ * x));
  x = column_scale_.asDiagonal() * x;
  out.middleRows(places_.a, nu) = x.topRows(nu);
  for (Eigen::Index i = 0; i < rows; ++i)
    out.row(places_.lambda + unknowns_.rows[static_cast<size_t>(i)]) = x.row(nu + i);
  for (size_t i = 0; i < unknowns_.drives.size(); ++i)
    out.row(places_.drive + unknowns_.drives[i]) = x.row(nu + rows + static_cast<Eigen::Index>(i));
  return out;
}

void AccelerationAnswer::complete(MatX& arguments) const {
  arguments +=
      to(derivatives_.F.by * arguments, derivatives_.second.by * arguments, derivatives_.demand.by * arguments);
}

EquationPoint find_equation_point(System& system, ModelEquations& equations, const State& state, Unknowns& unknowns) {
  const Model& model = system.model();
  const ArgumentPlaces& places = equations.places();
  EquationPoint at{state, VecX::Zero(model.nu()), VecX::Zero(model.rows()), held_drives(system, state),
                   VecX::Zero(static_cast<Eigen::Index>(model.inputs().size()))};
  // Equations are affine in what is unknown, but for bearing friction.
  for (int iteration = 0; iteration < 30; ++iteration) {
    const EquationDerivatives d = equations.derivatives(at, Loop::closed);
    if (iteration == 0)
      unknowns = {independent_rows(d.rate.by.middleCols(places.u, model.nu())),
                  drives_of_continuous_servos(system, state)};
    at.w = d.w.value;
    const MatX change = AccelerationAnswer(model, places, d, unknowns).to(d.F.value, d.second.value, d.demand.value);
    if (!change.allFinite()) break;
    at.a += change.middleRows(places.a, model.nu());
    at.lambda += change.middleRows(places.lambda, model.rows());
    at.drive += change.middleRows(places.drive, model.drives());
    const auto small = [&](int first, const VecX& x) {
      return x.size() == 0 ||
             change.middleRows(first, x.size()).cwiseAbs().maxCoeff() <= 1e-10 * (1 + x.cwiseAbs().maxCoeff());
    };
    if (small(places.a, at.a) && small(places.lambda, at.lambda) && small(places.drive, at.drive)) return at;
  }
  throw std::runtime_error("the accelerations at this instant were not found: " + system.failure().why);
}

}  // namespace davit
