// The memory of waves that a hull has made: F = −∫ K(t−τ) ν(τ) dτ as a sum of damped oscillations,
//
//   K(t) ≈ Σₖ Re{Rₖ exp(sₖt)},   ẋₖ = sₖ xₖ + ν,   F = −Σₖ Re{Rₖ xₖ} − D ν,
//
// found from the retardation function (memory_fit.hpp). Motions that share poles are a group (surge, heave and pitch;
// sway, roll and yaw, of a symmetric hull). D is the small direct part that makes the whole passive.
//
// Velocity and force are in axes that follow the slow heading but not roll and pitch, those of the linear theory: in
// the axes of the hull, heave times roll would be a force to the side that is there on average, larger than mean drift
// (slow_place.hpp).
#pragma once

#include <complex>
#include <vector>

#include "davit/hydro/hull_frame.hpp"
#include "davit/hydro/slow_place.hpp"
#include "davit/model/element.hpp"

namespace davit::hydro {

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
  RadiationMemory(std::string name, const Frame& frame, MemoryModel model, SlowHeading axes = {});
  std::string summary() const override;
  int auxiliary_states() const override { return states_ + axes_.states(); }
  void initial_z(double* z) const override { axes_.initial(z + states_); }
  const MemoryModel& model() const { return model_; }

  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S* zdot) const {
    const HullStateT<S> hull = hull_state(c.kin, frame_);
    const S axes = axes_.value(c.z + states_, hull);
    axes_.rates(c.z + states_, hull, zdot + states_);
    const Vec6T<S> velocity = hull.level_velocity(axes);
    Vec6T<S> load = -(model_.direct.cast<S>() * velocity);
    const S* z = c.z;
    for (const MemoryGroup& group : model_.groups) {
      const size_t n = group.motions.size();
      for (size_t k = 0; k < group.poles.size(); ++k) {
        const double decay = group.poles[k].real(), turn = group.poles[k].imag();
        // Of each motion the real part of its state, then the imaginary part if the pole has one.
        const bool turns = turn != 0;
        for (size_t j = 0; j < n; ++j) {
          const S re = z[0], im = turns ? z[1] : S(0);
          zdot[0] = decay * re - turn * im + velocity[group.motions[j]];
          if (turns) zdot[1] = turn * re + decay * im;
          for (size_t i = 0; i < n; ++i) {
            const std::complex<double> r =
                group.residues[k](static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
            load[group.motions[i]] -= r.real() * re - r.imag() * im;
          }
          z += turns ? 2 : 1;
          zdot += turns ? 2 : 1;
        }
      }
    }
    add_level_load<S>(loads, frame_, hull, axes, load);
  }

 private:
  Frame frame_;
  MemoryModel model_;
  int states_;
  SlowHeading axes_;
};

}  // namespace davit::hydro
