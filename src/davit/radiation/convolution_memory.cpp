#include "davit/radiation/convolution_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace davit::radiation {

namespace {

// Of all values up to each, by trapezoids.
std::vector<Mat6> integrals_of(const MemoryKernel& kernel) {
  std::vector<Mat6> out{Mat6::Zero()};
  for (size_t n = 1; n < kernel.values.size(); ++n)
    out.push_back(out.back() + 0.5 * kernel.step * (kernel.values[n - 1] + kernel.values[n]));
  return out;
}

// ∫τ K dτ, by trapezoids.
Mat6 first_moment(const MemoryKernel& kernel) {
  Mat6 out = Mat6::Zero();
  for (size_t n = 0; n < kernel.values.size(); ++n) {
    const double weight = n + 1 < kernel.values.size() ? 1 : 0.5;
    out += weight * kernel.step * kernel.step * static_cast<double>(n) * kernel.values[n];
  }
  return out;
}

// A kernel that is cut off is no longer that of slow motions: its integral, B(0), is to vanish, and ∫τ K dτ is
// A(∞) − A(0). What is missing is spread over its length, smoothly: by a bump for the integral, and by two of opposite
// signs, which have none, for the moment.
MemoryKernel with_slow_limits(MemoryKernel kernel) {
  const double length = kernel.length();
  if (!(length > 0)) return kernel;
  const auto place = [&](size_t n) { return kernel.step * static_cast<double>(n) / length; };
  const auto bump = [&](size_t n) { return (1 - std::cos(2 * std::numbers::pi * place(n))) / length; };
  const Mat6 left = integrals_of(kernel).back();
  for (size_t n = 0; n < kernel.values.size(); ++n) kernel.values[n] -= bump(n) * left;
  if (!kernel.zero) return kernel;
  double moment = 0;
  for (size_t n = 0; n < kernel.values.size(); ++n)
    moment += kernel.step * length * place(n) * bump(n) * (place(n) - 0.5);
  Mat6 missing = kernel.infinite - *kernel.zero - first_moment(kernel);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j)
      if (kernel.values.front()(i, j) == 0) missing(i, j) = 0;
  for (size_t n = 0; n < kernel.values.size(); ++n) kernel.values[n] += bump(n) * (place(n) - 0.5) / moment * missing;
  return kernel;
}

}  // namespace

ConvolutionMemory::ConvolutionMemory(std::string name, const Frame& frame, MemoryKernel kernel,
                                     hull_load::ForceAxes axes)
    : ForceOf(std::move(name)),
      frame_(frame),
      kernel_(with_slow_limits(std::move(kernel))),
      integrals_(integrals_of(kernel_)),
      axes_(axes) {}

std::string ConvolutionMemory::summary() const {
  return fmt::format("radiation memory of {:.3g} s by convolution, every {:.3g} s", kernel_.length(), kernel_.step);
}

std::vector<DiscreteSlot> ConvolutionMemory::discrete_slots() const {
  return {{name(), History::head_width, 1}, {name(), 6 * static_cast<int>(kernel_.values.size()), 1}};
}

Vec6 ConvolutionMemory::History::summed(int k) const {
  const auto size = static_cast<int>(kernel_.values.size());
  const int oldest = static_cast<int>(std::min(newest_number(), static_cast<double>(size - 1)));
  Vec6 sum = Vec6::Zero();
  for (int j = 0; j <= oldest && k + j < size; ++j) {
    const double weight = (j == 0 ? 0.5 : 1) - (j == oldest || k + j == size - 1 ? 0.5 : 0);
    sum += weight * kernel_.values[static_cast<size_t>(k + j)] * velocity(newest_number() - j);
  }
  return kernel_.step * sum;
}

bool ConvolutionMemory::commit(const ContextT<double>& c, DiscreteState& discrete) const {
  const History history(discrete, c.first_slot, kernel_);
  double* head = discrete.record(c.first_slot, 0).data();
  double* ring = discrete.record(c.first_slot + 1, 0).data();
  const auto keep = [&](double number, const Vec6& velocity) {
    head[2] = number;
    Eigen::Map<Vec6>(ring + History::place(number, kernel_)) = velocity;
  };
  const double t = c.kin.t;
  const hull_load::HullStateT<double> hull = hull_load::hull_state(c.kin, frame_);
  const Vec6 velocity = hull_load::LoadAxes<double>(axes_, hull).velocity();
  bool passed = false;
  if (!history.begun()) {
    head[0] = 1;
    head[1] = t;
    keep(0, velocity);
    passed = true;
  }
  // A step that ends on a grid time but for round-off has passed it.
  while (t >= history.newest_time() + kernel_.step * (1 - 1e-9)) {
    const double part = (history.newest_time() + kernel_.step - history.last_time()) / (t - history.last_time());
    keep(history.newest_number() + 1, history.last_velocity() + part * (velocity - history.last_velocity()));
    passed = true;
  }
  if (passed)
    for (int k = 0; k < kept_sums; ++k) Eigen::Map<Vec6>(head + 10 + 6 * k) = history.summed(k);
  head[3] = t;
  Eigen::Map<Vec6>(head + 4) = velocity;
  return false;
}

}  // namespace davit::radiation

namespace davit {
template class ForceOf<radiation::ConvolutionMemory>;
}  // namespace davit
