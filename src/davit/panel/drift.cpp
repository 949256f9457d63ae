#include "davit/panel/drift.hpp"

#include <cmath>

#include "davit/math/constants.hpp"
#include "davit/panel/wave_numbers.hpp"

namespace davit::panel {

std::vector<Drift> mean_drift(const FarField& far, const Eigen::MatrixXcd& motions, double frequency,
                              const std::vector<double>& headings, const Water& water) {
  const double deep = frequency * frequency / water.gravity, k = wave_number(deep, water.depth);
  const double strength = -pi * frequency / water.gravity * wave_strength(deep, k, water.depth);
  const double scale = water.density * water.gravity * group_velocity(frequency, k, water.depth) / (pi * k * frequency);
  const Eigen::Index directions = far.round.rows(), modes = motions.rows();
  const double step = 2 * pi / static_cast<double>(directions);

  std::vector<Drift> out;
  for (Eigen::Index b = 0; b < motions.cols(); ++b) {
    // All sources together: of the diffracted wave, and of the motions with their velocities iωξ.
    Eigen::VectorXcd share = Eigen::VectorXcd::Zero(far.round.cols());
    share.head(modes) = i_unit * frequency * motions.col(b);
    share[modes + b] = 1;
    const Eigen::VectorXcd wave = strength * (far.round * share), slope = strength * (far.round_slope * share);
    const Complex ahead = strength * (far.at_headings.row(b) * share).value();
    const Complex ahead_slope = strength * (far.at_headings_slope.row(b) * share).value();
    double energy = 0, along_x = 0, along_y = 0, turning = 0;
    for (Eigen::Index m = 0; m < directions; ++m) {
      const double theta = step * static_cast<double>(m), part = step * std::norm(wave[m]);
      energy += part;
      along_x += part * std::cos(theta);
      along_y += part * std::sin(theta);
      turning += step * std::imag(std::conj(wave[m]) * slope[m]);
    }
    const double taken = 2 * pi * ahead.real(), beta = headings[static_cast<size_t>(b)];
    Drift drift;
    drift.surge = -scale * k * (along_x + taken * std::cos(beta));
    drift.sway = -scale * k * (along_y + taken * std::sin(beta));
    drift.yaw = scale * (turning + 2 * pi * ahead_slope.imag());
    drift.energy_gap = energy > 0 ? std::abs(energy + taken) / energy : 0;
    out.push_back(drift);
  }
  return out;
}

}  // namespace davit::panel
