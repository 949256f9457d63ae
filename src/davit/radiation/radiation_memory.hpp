// The memory of waves that a hull has made: F = −∫ K(t−τ) ν(τ) dτ as a sum of damped oscillations,
//
//   K(t) ≈ Σₖ Re{Rₖ exp(sₖt)},   ẋₖ = sₖ xₖ + ν,   F = −Σₖ Re{Rₖ xₖ} − D ν,
//
// found from the retardation function (memory_fit.hpp). Motions that share poles are a group (surge, heave and pitch;
// sway, roll and yaw, of a symmetric hull). D is the small direct part that makes the whole passive.
//
// Velocity and force are in level axes that follow the heading but not roll and pitch, those of the linear theory: in
// the axes of the hull, heave times roll would be a force to the side that is there on average, larger than mean drift.
#pragma once

#include <complex>
#include <vector>

#include "davit/hull_load/hull_frame.hpp"
#include "davit/hull_load/load_axes.hpp"
#include "davit/model/element.hpp"

namespace davit::radiation {

// Poles with positive imaginary part stand for themselves and their conjugates; real poles have a real residue.
struct MemoryGroup {
  std::vector<int> motions;  // 0 … 5
  std::vector<std::complex<double>> poles;
  std::vector<Eigen::MatrixXcd> residues;  // [pole]: motions × motions

  int order() const;  // poles, a pair counted twice
};
struct MemoryModel {
  std::vector<MemoryGroup> groups;
  Mat6 direct = Mat6::Zero();

  Mat6 kernel(double t) const;                                                 // without the direct part
  Eigen::Matrix<std::complex<double>, 6, 6> transfer(double frequency) const;  // K(iω), whose real part is the damping
  int states() const;
};

class RadiationMemory final : public ForceOf<RadiationMemory> {
 public:
  // The frame is at the reference point of the database. Before the start the hull was at rest.
  RadiationMemory(std::string name, const Frame& frame, MemoryModel model,
                  hull_load::ForceAxes axes = hull_load::ForceAxes::heading);
  std::string summary() const override;
  std::vector<Coupling> couplings() const override { return {{.bodies = {frame_.body}}}; }
  int auxiliary_states() const override { return static_cast<int>(force_.cols()); }
  int tangent_states() const override { return static_cast<int>(force_.cols()); }
  void state_tangent(const ContextT<double>&, StateTangent&) const override;
  const MemoryModel& model() const { return model_; }

  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S* zdot) const {
    const hull_load::HullStateT<S> hull = hull_load::hull_state(c.kin, frame_);
    const hull_load::LoadAxes<S> axes(axes_, hull);
    const Vec6T<S> velocity = axes.velocity();
    // Two sums that do not wait for each other.
    Vec6T<S> load = -(model_.direct.cast<S>() * velocity), other = Vec6T<S>::Zero();
    size_t k = 0;
    for (const Answer& answer : answers_) {
      const S re = c.z[k];
      if (answer.turn == 0) {
        zdot[k] = answer.decay * re + velocity[answer.motion];
      } else {
        const S im = c.z[k + 1];
        zdot[k] = answer.decay * re - answer.turn * im + velocity[answer.motion];
        zdot[k + 1] = answer.turn * re + answer.decay * im;
        add_force(k + 1, im, other);
      }
      add_force(k, re, load);
      k += answer.turn == 0 ? 1 : 2;
    }
    load += other;
    axes.add(loads, frame_, load);
  }

 private:
  template <class S>
  void add_force(size_t state, const S& z, Vec6T<S>& load) const {
    for (int i = 0; i < 6; ++i) load[i] += force_(i, static_cast<Eigen::Index>(state)) * z;
  }

  // One motion through one pole: one state, or the real and imaginary part if the pole turns.
  struct Answer {
    int motion;
    double decay, turn;
  };
  Frame frame_;
  MemoryModel model_;
  hull_load::ForceAxes axes_;
  std::vector<Answer> answers_;
  Eigen::Matrix<double, 6, Eigen::Dynamic> force_;  // of unit states
};

}  // namespace davit::radiation

namespace davit {
extern template class ForceOf<radiation::RadiationMemory>;
}  // namespace davit
