// Natural periods of a floating hull, from its decay in time after a blow, which has the fitted memory, against the
// curves of the database alone.
//
// - A unit blow in one motion, with all others free to follow: the transform of the decay over its whole length is the
//   receptance, an entry of (−ω²(M + A) + iω(B + D) + C)⁻¹. The natural frequency is where its real part vanishes and
//   inertia and restoring balance; its size there is set by damping. That is well defined however strong damping is.
// - The decay is a sum of oscillations, and the exponent of one of them is iω at a complex root ω of that matrix. In
//   roll, and in heave of the ship, it stands out. Other motions of these hulls decay as fast as the waves that they
//   made: curves over real frequencies do not tell roots that far from them. Nor does a memory that was fitted to these
//   curves to 0.3 %, whose own exponents lie around: in heave of the ship it is 1.6 % off. The convolution has none.
#include <fmt/format.h>

#include <complex>
#include <functional>

#include "davit/hydro/convert.hpp"
#include "davit/hydro/database_file.hpp"
#include "davit/math/constants.hpp"
#include "davit/math/linear_algebra.hpp"
#include "davit/math/rotation.hpp"
#include "davit/test/source_tree.hpp"
#include "verify/complex_algebra.hpp"
#include "verify/scenarios/scenario_run.hpp"
#include "verify/vessels/between_frequencies.hpp"
#include "verify/vessels/vessel_cases.hpp"

namespace davit::verify {

namespace {

constexpr double roll_damping = 0.03;
using Complex = std::complex<double>;
using Mat6c = Eigen::Matrix<Complex, 6, 6>;

// M, D and C about the origin of the hull.
struct Rigid {
  Mat6 mass, damping = Mat6::Zero(), restoring;
  explicit Rigid(const hydro::Database& db)
      : mass(hydro::mass_matrix(*db.bodies[0].loading, db.bodies[0].reference)), restoring(db.bodies[0].restoring) {
    damping(3, 3) = roll_damping * 2 * std::sqrt(restoring(3, 3) * (mass(3, 3) + (*db.added_mass_infinite)(3, 3)));
  }
};

Complex receptance_by_frequency(const hydro::Database& db, int motion, double w) {
  const Rigid rigid(db);
  const Mat6 added = between_frequencies(db.frequencies, w, [&](size_t f) -> Mat6 { return db.added_mass[f]; });
  const Mat6 damping = between_frequencies(db.frequencies, w, [&](size_t f) -> Mat6 { return db.damping[f]; });
  const Mat6c impedance = (rigid.restoring - w * w * (rigid.mass + added)).cast<Complex>() +
                          Complex(0, w) * (rigid.damping + damping).cast<Complex>();
  return inverse(MatXc(impedance))(motion, motion);
}

// One motion after a unit blow to it, at even times.
struct Decay {
  double step;
  VecX motion;

  Complex receptance(double w) const {
    Complex sum = 0;
    for (Eigen::Index n = 0; n < motion.size(); ++n)
      sum += motion[n] * std::polar(step, -w * step * static_cast<double>(n));
    return sum;
  }
  // Of the oscillations that it is made of (matrix pencil: Hua & Sarkar, IEEE Trans. Acoust. 38 (1990) 814–824), the
  // one that is nearest.
  Complex exponent_near(Complex s) const {
    constexpr Eigen::Index every = 10, width = 60, rows = 60;
    MatX hankel(rows, width + 1);
    for (Eigen::Index r = 0; r < rows; ++r)
      for (Eigen::Index c = 0; c <= width; ++c) hankel(r, c) = motion[every * (r + c)];
    const SingularValues svd = singular_value_decomposition(hankel);
    const Eigen::Index rank = (svd.values.array() > 1e-6 * svd.values[0]).count();
    const MatX V = svd.V.leftCols(rank);
    const MatX shift = davit::least_squares(MatX(V.topRows(width)), MatX(V.bottomRows(width)));
    const Eigen::VectorXcd exponents = complex_eigenvalues(shift).array().log() / (step * every);
    Eigen::Index nearest = 0;
    (exponents.array() - s).abs().minCoeff(&nearest);
    return exponents[nearest];
  }
};

Decay decay_in_time(const std::string& file, const hydro::Database& db, int motion, const std::string& memory) {
  constexpr double step = 0.05, length = 300;
  ScenarioRun run(
      fmt::format("davit: 1\ntitle: decay\n"
                  "vessels: {{ship: {{hydrodynamics: {}, {}, roll_damping: {}}}}}\n"
                  "run: {{duration: {} s, step: {} s}}\n",
                  file, memory, roll_damping, length, step));
  // So small that nothing of second order is seen.
  const Vec6 velocity = solve_ldlt(Rigid(db).mass + *db.added_mass_infinite, VecX(VecX::Unit(6, motion)));
  const double scale = 1e-6 / velocity[motion];
  run.state().u << scale * velocity.tail<3>(), scale * velocity.head<3>();
  run.begin();
  Decay out{step, VecX::Zero(static_cast<Eigen::Index>(length / step))};
  for (Eigen::Index n = 1; n < out.motion.size(); ++n) {
    run.step(step);
    const Kin& kin = run.look();
    out.motion[n] =
        (motion == 2 ? position(kin, run.first()).z() : rpy_of_rotation(rotation(kin, run.first()))[motion - 3]) /
        scale;
  }
  return out;
}

struct Resonance {
  double frequency, size;
};
// Where the real part vanishes and the imaginary part is largest.
Resonance resonance(const std::function<Complex(double)>& receptance) {
  constexpr double step = 0.02;
  Resonance out{0, 0};
  for (double low = 0.3; low < 2; low += step) {
    if (receptance(low).real() * receptance(low + step).real() > 0) continue;
    double a = low, b = low + step;
    for (int i = 0; i < 30; ++i) (receptance(a).real() * receptance(0.5 * (a + b)).real() > 0 ? a : b) = 0.5 * (a + b);
    if (const double size = std::abs(receptance(a)); size > out.size) out = {a, size};
  }
  return out;
}

// M + A − i(B + D)/ω off the real axis. A − iB/ω is an analytic function of ω that is known on a line: a polynomial by
// least squares through the frequencies within `reach` of `centre`.
class InertiaNear {
 public:
  InertiaNear(const hydro::Database& db, double centre) : centre_(centre), rigid_(db) {
    std::vector<size_t> near;
    for (size_t f = 0; f < db.frequencies.size(); ++f)
      if (std::abs(db.frequencies[f] - centre) <= reach) near.push_back(f);
    const auto rows = static_cast<Eigen::Index>(near.size());
    MatXc basis(rows, terms), values(rows, 36);
    for (Eigen::Index r = 0; r < rows; ++r) {
      const size_t f = near[static_cast<size_t>(r)];
      basis.row(r) = chebyshev(db.frequencies[f]).transpose();
      const Mat6c value = db.added_mass[f].cast<Complex>() - Complex(0, 1 / db.frequencies[f]) * db.damping[f];
      values.row(r) = Eigen::Map<const Eigen::Matrix<Complex, 1, 36>>(value.data());
    }
    coefficients_ = least_squares(basis, values);
  }
  Mat6c operator()(Complex w) const {
    const Eigen::Matrix<Complex, 1, 36> flat = chebyshev(w).transpose() * coefficients_;
    return rigid_.mass + Mat6c(Eigen::Map<const Mat6c>(flat.data())) - Complex(0, 1) / w * rigid_.damping;
  }

 private:
  static constexpr double reach = 0.4;
  static constexpr int terms = 11;
  Eigen::VectorXcd chebyshev(Complex w) const {
    const Complex x = (w - centre_) / reach;
    Eigen::VectorXcd out(terms);
    out[0] = 1, out[1] = x;
    for (int k = 2; k < terms; ++k) out[k] = 2.0 * x * out[k - 1] - out[k - 2];
    return out;
  }
  double centre_;
  Rigid rigid_;
  MatXc coefficients_;
};

// iω at the root near a frequency: ω² is an eigenvalue of (inertia at ω)⁻¹ C.
Complex root_by_frequency(const hydro::Database& db, double near) {
  const InertiaNear inertia(db, near);
  Complex w = near;
  for (int i = 0; i < 50; ++i) {
    const MatXc ratio = solve_lu(inertia(w), MatXc(db.bodies[0].restoring.cast<Complex>()));
    const VecXc roots = eigenvalues(ratio).array().sqrt();
    Eigen::Index nearest = 0;
    (roots.array() - w).abs().minCoeff(&nearest);
    w = roots[nearest];
  }
  return Complex(0, 1) * w;
}

}  // namespace

void natural_periods(Checker& check) {
  const std::string ship = "supply ship", barge = "barge 59 x 22 m";
  for (const auto& [name, file] :
       {std::pair{ship, in_source("vessels/supply_ship.h5")}, {barge, in_source("vessels/barge_59x22.h5")}}) {
    hydro::Database db = hydro::read_database(file);
    hydro::move_reference(db, 0, Vec3::Zero());
    const std::string case_name = fmt::format("{}, decay in time", name);
    for (const auto& [motion, what] : {std::pair{2, "heave"}, {3, "roll"}, {4, "pitch"}}) {
      const bool one_root_stands_out = motion == 3 || (motion == 2 && name == ship);
      const Decay decay = decay_in_time(file, db, motion, "memory_tolerance: 0.002");
      const Resonance in_time = resonance([&](double w) { return decay.receptance(w); });
      const Resonance exact = resonance([&, i = motion](double w) { return receptance_by_frequency(db, i, w); });
      const std::string source = "oracle: the same from added mass and damping over frequency, without memory";
      check.relative(case_name, fmt::format("natural period of {}", what), "s", rounded(2 * pi / exact.frequency),
                     source, 2 * pi / in_time.frequency, 0.005);
      check.relative(case_name, fmt::format("receptance of {} there, by damping", what),
                     motion == 2 ? "m/N" : "rad/(N m)", rounded(exact.size), source, in_time.size, 0.01);
      if (!one_root_stands_out) continue;
      const Complex root = root_by_frequency(db, exact.frequency);
      const Complex found = decay_in_time(file, db, motion, "memory: convolution").exponent_near(root);
      const std::string complex = "oracle: complex root of the impedance over frequency";
      check.relative(case_name, fmt::format("period of the decay of {}, by convolution", what), "s",
                     rounded(2 * pi / root.imag()), complex, 2 * pi / found.imag(), 0.005);
      check.relative(case_name, "its rate", "1/s", rounded(-root.real()), complex, -found.real(), 0.005);
    }
  }
}

}  // namespace davit::verify
