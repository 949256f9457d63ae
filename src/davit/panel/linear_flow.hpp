// Radiation and diffraction of all bodies at one frequency, by sources on their panels:
//
//   −2πσ + ∫ σ ∂G/∂n dS = v,   φ = ∫ σ G dS,
//
// v = the normal velocity of a unit motion, or minus that of the incident wave. A lid on the water plane inside the
// hull with no flow through its lower side removes irregular frequencies (Lee, Newman & Zhu, Int. J. Numer. Meth.
// Fluids 23 (1996) 637–660); below the first of them it is left out. Everything is about the origin of the frame:
//
//   A − iB/ω = −ρ ∫ φⱼ nᵢ dS,  X = iωρ ∫ (φ_I + φ_D) nᵢ dS = iωρ ∫ (φ_I nᵢ − φᵢ ∂φ_I/∂n) dS  (Haskind)
//
// Damping is that of the pressure, or where this differs by more than some percent that of the energy of the waves that
// a motion makes (Newman 1962),
//
//   Bᵢⱼ = k/(8πρg c_g) Re ∫ Xᵢ(β) Xⱼ*(β) dβ  with Haskind's X,
//
// which is never negative and far less sensitive to panels. On a barge of 110 m with panels of a seventh of the wave,
// near an irregular frequency, the pressure gives −4.3e6 N s/m in heave and the waves 9.0e6, where fine panels give
// 8.9e6 by both.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "davit/panel/influence.hpp"
#include "davit/sea/water.hpp"

namespace davit::panel {

using sea::Water;

// What leaves the bodies towards the direction θ: H(θ) = ∫ σ c(ζ) exp(ik(ξ cos θ + η sin θ)) dS of all sources, and its
// derivative, for each unit motion (in velocity) and then each heading, at even directions θ = 2πm/rows and, for the
// derivative at the headings, there.
struct FarField {
  Eigen::MatrixXcd round;                           // directions × (6n + headings)
  Eigen::MatrixXcd round_slope;                     // its derivative by θ
  Eigen::MatrixXcd at_headings, at_headings_slope;  // headings × (6n + headings)
};

struct FrequencyResult {
  MatX added_mass, damping;                                        // 6n × 6n
  MatX damping_by_pressure, damping_by_waves;                      // of which `damping` is the one to believe
  Eigen::MatrixXcd excitation, excitation_haskind, froude_krylov;  // 6n × headings
  FarField far_field;                                              // empty unless asked for
};

// What a thread keeps between frequencies.
struct FlowScratch {
  std::vector<Influence> influence;
  Eigen::MatrixXcd wetted;  // of one parity, without the lids
};

class LinearFlow {
 public:
  LinearFlow(Surface surface, const Water& water, std::vector<double> headings);

  FrequencyResult solve(double frequency, bool with_far_field, FlowScratch& scratch) const;
  MatX added_mass_infinite() const { return limit(std::numeric_limits<double>::infinity()); }
  // With a bottom the flow of a heaving body has no limit as ω → 0 (its potential grows as a logarithm).
  bool has_zero_limit() const { return std::isinf(water_.depth); }
  MatX added_mass_zero() const { return limit(0); }

  const Surface& surface() const { return surface_; }
  // Bytes that all frequencies share, and that each thread needs beside.
  static double shared_bytes(const Surface& surface);
  static double thread_bytes(const Surface& surface);

 private:
  // With the matrices that were assembled; those with lids are overwritten.
  FrequencyResult solve(const GreenFunction& green, double frequency, bool with_lids, bool with_far_field,
                        FlowScratch& scratch) const;
  MatX damping_by_waves(double frequency, double wave_number, const Parity& parity, const MatX& weight,
                        const Eigen::MatrixXcd& radiated) const;
  static MatX believable_damping(const FrequencyResult& found, double frequency);
  MatX limit(double deep_wave_number) const;
  std::vector<int> motions_of(const Parity& parity) const;
  // Normal velocities of unit motions, each on its own body: wetted × motions.
  MatX normals_of(const std::vector<int>& motions) const;
  Eigen::MatrixXcd incident(double frequency, double wave_number, const Parity& parity,
                            const std::vector<double>& headings, Eigen::MatrixXcd& velocity) const;
  void add_far_field(FarField& far, double wave_number, const Parity& parity, const std::vector<int>& columns,
                     const Eigen::MatrixXcd& potential, const Eigen::MatrixXcd& velocity) const;
  // The square of what leaves the hull has orders up to k times its greatest distance: more even directions than that
  // integrate it to all digits.
  int directions_round(double wave_number) const;

  Surface surface_;
  Water water_;
  std::vector<double> headings_;
  std::vector<RankineInfluence> rankine_;
  MatX normals_;  // wetted × 6: (n, r × n)
  VecX areas_;    // wetted
};

}  // namespace davit::panel
