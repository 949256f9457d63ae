#include "davit/solve/channel_derivatives.hpp"

#include <algorithm>
#include <cmath>

namespace davit {

namespace {

double greatest_of(const VecX& x) { return x.size() ? x.cwiseAbs().maxCoeff() : 0.0; }

// A change moves nothing by more than this, m or rad, nor its speed or acceleration.
constexpr double probe_width = 1e-4;

// What is computed from numbers of a size has no digits below this part of it.
constexpr double lost_digits = 1e-13;

double step_along(const VecX& change, const ArgumentPlaces& place, int nu) {
  const double moved = std::max({greatest_of(change.segment(place.d, nu)), greatest_of(change.segment(place.u, nu)),
                                 greatest_of(change.segment(place.a, nu))});
  return probe_width / (moved > 0 ? moved : std::max(greatest_of(change), 1e-300));
}

// The size of the numbers that each channel comes from: its own, one, and of forces the wrenches that joints transmit.
VecX sizes_of(std::span<const Channel> channels, const VecX& values, const Workspace& work) {
  double wrench = 1;
  for (const Wrench& w : work.transmitted)
    wrench = std::max({wrench, w.n.cwiseAbs().maxCoeff(), w.f.cwiseAbs().maxCoeff()});
  VecX sizes = values.cwiseAbs().cwiseMax(1.0);
  for (size_t i = 0; i < channels.size(); ++i)
    if (channels[i].unit == "N" || channels[i].unit == "N m")
      sizes[static_cast<Eigen::Index>(i)] = std::max(sizes[static_cast<Eigen::Index>(i)], wrench);
  return sizes;
}

}  // namespace

// Central differences over two widths, f'(x) ≈ (4 D(h) - D(2h))/3; their difference tells the error of the wider one.
ChannelDerivatives channel_derivatives(ModelEquations& equations, const EquationPoint& at, Loop loop,
                                       const MatX& changes, std::span<const Channel> channels, System& system) {
  const auto count = static_cast<Eigen::Index>(channels.size());
  ChannelDerivatives out{MatX(count, changes.cols()), VecX::Zero(count), VecX(count)};
  if (count == 0) return out;
  ChannelReader reader(channels);
  State state = at.state;
  const auto read = [&](const VecX& off) {
    VecX values(count);
    equations.show(at, loop, off, state);
    reader.read(state, system.workspace(), values.data());
    return values;
  };
  const VecX none = VecX::Zero(equations.places().size);
  out.value = read(none);
  const VecX sizes = sizes_of(channels, out.value, system.workspace());
  for (Eigen::Index j = 0; j < changes.cols(); ++j) {
    const VecX change = changes.col(j);
    const double h = step_along(change, equations.places(), system.model().nu());
    const VecX near = (read(h * change) - read(-h * change)) / (2 * h);
    const VecX far = (read(2 * h * change) - read(-2 * h * change)) / (4 * h);
    for (Eigen::Index i = 0; i < count; ++i) {
      const double slope = (4 * near[i] - far[i]) / 3;
      out.by(i, j) = std::abs(slope) < lost_digits * sizes[i] / h ? 0 : slope;
      if (out.by(i, j) != 0) out.error[i] = std::max(out.error[i], std::abs(near[i] - far[i]) / 3);
    }
  }
  for (Eigen::Index i = 0; i < count; ++i)
    if (const double size = out.by.row(i).cwiseAbs().maxCoeff(); size > 0) out.error[i] /= size;
  read(none);
  equations.follow_signals();
  return out;
}

}  // namespace davit
