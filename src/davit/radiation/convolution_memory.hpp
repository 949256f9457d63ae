// The memory of waves as it is defined: the convolution of the kernel with the velocity that the hull has had,
//
//   F(t) = −∫ K(τ) ν(t − τ) dτ,
//
// on the grid of the kernel (step Δ, memory_kernel.hpp) by the trapezoidal rule. Velocities at the times t₀ + nΔ are
// kept in the discrete state, `commit` adds those that a step has passed by, linear between its ends: any method, fixed
// or adaptive, may be used. What they do to the grid times to come, H(t_n + kΔ) = Δ Σ″ K((k + j)Δ) ν_{n−j}, is summed
// once for each grid time; a force at any time is then a cubic through four of those sums and the trapezoid from t_n to
// now, so it costs little however often a step asks for it, and is continuous from step to step. Its error is of second
// order in Δ, and in the step where that is longer.
//
// A hull that moves steadily makes no waves: ∫K dτ is the damping at frequency zero, which is none. A kernel that is
// cut off has lost a part of its integral and would brake it. What is missing is spread over its length by a window (1
// - cos 2πτ/L)/L, which damping at wave frequencies, above 4π/L, does not feel; and the sums above are such that a
// steady velocity makes no force at any time between grid times either.
//
// Nothing is fitted, which makes it the check of the fitted memory (radiation_memory.hpp); it takes a thousand numbers
// of state where that takes some dozens, and is not passive by construction. Axes are as there.
#pragma once

#include "davit/hull_load/hull_frame.hpp"
#include "davit/hull_load/load_axes.hpp"
#include "davit/model/element.hpp"
#include "davit/radiation/memory_kernel.hpp"

namespace davit::radiation {

class ConvolutionMemory final : public ForceOf<ConvolutionMemory> {
 public:
  // The frame is at the reference point of the kernel. Before its first commit the hull was at rest.
  ConvolutionMemory(std::string name, const Frame& frame, MemoryKernel kernel,
                    hull_load::ForceAxes axes = hull_load::ForceAxes::heading);
  std::string summary() const override;
  std::vector<Coupling> couplings() const override { return {{.bodies = {frame_.body}}}; }
  std::vector<DiscreteSlot> discrete_slots() const override;
  bool commit(const ContextT<double>&, DiscreteState&) const override;

  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S*) const {
    const hull_load::HullStateT<S> hull = hull_load::hull_state(c.kin, frame_);
    const hull_load::LoadAxes<S> axes(axes_, hull);
    const History history(c.discrete, c.first_slot, kernel_);
    if (!history.begun()) return;
    // Equilibrium is sought at a time just before the start.
    S place = (c.kin.t - S(history.newest_time())) / S(kernel_.step);
    if (value_of(place) < 0) place = S(0);
    const int first = std::max(0, static_cast<int>(value_of(place)) - 1);
    Vec6T<S> load = Vec6T<S>::Zero();
    for (int k = 0; k < 4; ++k) load -= cubic_weight(k, S(place - S(first))) * as<S>(history.sum(first + k));
    // The trapezoid from t_n to now, of which the part of ν_n is what the same cubic leaves of the integral so far.
    Mat6T<S> so_far = Mat6T<S>::Zero();
    for (int k = 0; k < 4; ++k) so_far += cubic_weight(k, S(place - S(first))) * as<S>(integral(first + k));
    const Mat6T<S> fresh = (S(0.5 * kernel_.step) * place) * as<S>(kernel_.values.front());
    load -= (so_far - fresh) * as<S>(history.newest()) + fresh * axes.velocity();
    axes.add(loads, frame_, load);
  }

 private:
  static constexpr int kept_sums = 4;

  // The slots of the discrete state by name.
  class History {
   public:
    History(const DiscreteState& discrete, int first_slot, const MemoryKernel& kernel)
        : head_(discrete.record(first_slot, 0).data()),
          ring_(discrete.record(first_slot + 1, 0).data()),
          kernel_(kernel) {}
    bool begun() const { return head_[0] != 0; }
    double first_time() const { return head_[1]; }
    double newest_number() const { return head_[2]; }  // n
    double newest_time() const { return first_time() + newest_number() * kernel_.step; }
    double last_time() const { return head_[3]; }  // of the last step, with its velocity
    Vec6 last_velocity() const { return Eigen::Map<const Vec6>(head_ + 4); }
    Vec6 velocity(double number) const { return Eigen::Map<const Vec6>(ring_ + place(number, kernel_)); }
    Vec6 newest() const { return velocity(newest_number()); }
    // H at k grid times after the newest: kept, or of a step that is long.
    Vec6 sum(int k) const { return k < kept_sums ? Vec6(Eigen::Map<const Vec6>(head_ + 10 + 6 * k)) : summed(k); }
    Vec6 summed(int k) const;

    static constexpr int head_width = 10 + 6 * kept_sums;
    static size_t place(double number, const MemoryKernel& kernel) {
      return 6 * (static_cast<size_t>(number) % kernel.values.size());
    }

   private:
    const double *head_, *ring_;
    const MemoryKernel& kernel_;
  };

  // Lagrange's polynomials on the places 0, 1, 2, 3.
  template <class S>
  static S cubic_weight(int k, const S& x) {
    constexpr double scale[4] = {-1.0 / 6, 0.5, -0.5, 1.0 / 6};
    S weight(scale[k]);
    for (int other = 0; other < 4; ++other)
      if (other != k) weight *= x - S(other);
    return weight;
  }

  // ∫K dτ over the first k steps, by trapezoids.
  const Mat6& integral(int k) const { return integrals_[std::min(static_cast<size_t>(k), integrals_.size() - 1)]; }

  Frame frame_;
  MemoryKernel kernel_;
  std::vector<Mat6> integrals_;
  hull_load::ForceAxes axes_;
};

}  // namespace davit::radiation

namespace davit {
extern template class ForceOf<radiation::ConvolutionMemory>;
}  // namespace davit
