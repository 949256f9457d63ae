// The supply vessel of MSS as its file has it: NED axes, matrices about the origin amidships in the water plane, forces
// about the point of the water plane above the centre of gravity, with phases that lead the crest there. Read and moved
// to the centre of gravity by code of its own, for the oracle of a linear ship.
#pragma once

#include <filesystem>

#include "verify/vessels/linear_ship.hpp"

namespace davit::verify {

class MssShip {
 public:
  explicit MssShip(const std::filesystem::path& supply_mat);
  // The frequency of the file that is nearest.
  double frequency_near(double w) const;
  // Mass, restoring, damping beyond potential flow, and one wave whose crest is at the origin at t = 0 and which goes
  // towards a heading of the file. Added mass and memory are left as they are.
  void put_into(LinearShip& ship, double amplitude, double frequency, double heading) const;

 private:
  Mat6 mass_, restoring_, damping_;  // about the origin
  Vec3 centre_;                      // of gravity
  double gravity_;
  std::vector<double> frequencies_, headings_;
  std::vector<Eigen::MatrixXcd> forces_;  // by motion: frequencies × headings
};

}  // namespace davit::verify
