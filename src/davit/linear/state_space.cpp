#include "davit/linear/state_space.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "davit/linear/balanced_matrix.hpp"
#include "davit/math/linear_algebra.hpp"
#include "davit/math/pencil.hpp"

namespace davit::linear {

StateSpace selected(const StateSpace& s, const std::vector<int>& inputs, const std::vector<int>& outputs) {
  StateSpace out{s.A, s.B(Eigen::all, inputs), s.C(outputs, Eigen::all), s.D(outputs, inputs), s.states, {}, {}};
  for (const int i : inputs) out.inputs.push_back(s.inputs[static_cast<size_t>(i)]);
  for (const int i : outputs) out.outputs.push_back(s.outputs[static_cast<size_t>(i)]);
  return out;
}

std::vector<Complex> poles(const StateSpace& s) { return eigenvalues(balanced(s.A)); }

std::vector<Complex> zeros(const StateSpace& s) {
  const Eigen::Index n = s.A.rows(), m = s.B.cols();
  if (s.C.rows() != m) throw std::invalid_argument("zeros are of as many outputs as inputs");
  MatX A(n + m, n + m), E = MatX::Zero(n + m, n + m);
  A << s.A, s.B, s.C, s.D;
  E.topLeftCorner(n, n).setIdentity();
  return finite_eigenvalues(A, E);
}

MatXc transfer(const StateSpace& s, Complex at) {
  const Eigen::Index n = s.A.rows();
  const MatXc resolvent = at * MatXc::Identity(n, n) - s.A.cast<Complex>();
  return s.C.cast<Complex>() * solve_lu(resolvent, MatXc(s.B.cast<Complex>())) + s.D.cast<Complex>();
}

std::string in_words(Complex pole) {
  const double size = std::abs(pole);
  if (size < 1e-7) return "drifts: nothing holds it";
  const double damping = -pole.real() / size;
  if (pole.imag() != 0) {
    const std::string period = fmt::format("period {:.4g} s", 2 * M_PI / std::abs(pole.imag()));
    if (std::abs(damping) < 5e-7) return "swings, " + period + ", no damping";
    return fmt::format("{}, {}, damping {:.3g} %", damping > 0 ? "swings" : "swings ever wider", period, 100 * damping);
  }
  return fmt::format("{}, time constant {:.4g} s", pole.real() < 0 ? "dies away" : "runs away", 1 / size);
}

}  // namespace davit::linear
