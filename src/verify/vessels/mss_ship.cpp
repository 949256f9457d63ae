#include "verify/vessels/mss_ship.hpp"

#include <matio.h>

#include <cmath>
#include <memory>
#include <stdexcept>

namespace davit::verify {

namespace {

matvar_t* field(matvar_t* of, const char* name) {
  matvar_t* found = of ? Mat_VarGetStructFieldByName(of, name, 0) : nullptr;
  if (!found) throw std::runtime_error(std::string("supply.mat has no ") + name);
  return found;
}
const double* values(const matvar_t* variable) { return static_cast<const double*>(variable->data); }
std::vector<double> list(const matvar_t* variable) {
  return {values(variable), values(variable) + variable->nbytes / sizeof(double)};
}
// The first of a series of matrices.
Mat6 matrix(const matvar_t* variable) { return Eigen::Map<const Mat6>(values(variable)); }

// The velocity of the origin by that of a point at r from it.
Mat6 by_motion_of(const Vec3& r) {
  Mat6 T = Mat6::Identity();
  T.topRightCorner<3, 3>() << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0;
  return T;
}

size_t nearest(const std::vector<double>& list, double x) {
  size_t best = 0;
  for (size_t i = 0; i < list.size(); ++i)
    if (std::abs(list[i] - x) < std::abs(list[best] - x)) best = i;
  return best;
}

}  // namespace

MssShip::MssShip(const std::filesystem::path& supply_mat) {
  const std::unique_ptr<mat_t, int (*)(mat_t*)> file(Mat_Open(supply_mat.c_str(), MAT_ACC_RDONLY), Mat_Close);
  const std::unique_ptr<matvar_t, void (*)(matvar_t*)> read(file ? Mat_VarRead(file.get(), "vessel") : nullptr,
                                                            Mat_VarFree);
  matvar_t* vessel = read.get();
  mass_ = matrix(field(vessel, "MRB"));
  restoring_ = matrix(field(vessel, "C"));
  damping_ = matrix(field(vessel, "Bv"));
  // m r̂ is the lower left of the mass matrix.
  centre_ = Vec3(mass_(5, 1), mass_(3, 2), mass_(4, 0)) / mass_(0, 0);
  gravity_ = values(field(field(vessel, "main"), "g"))[0];
  frequencies_ = list(field(vessel, "freqs"));
  headings_ = list(field(vessel, "headings"));
  const auto rows = static_cast<Eigen::Index>(frequencies_.size()),
             columns = static_cast<Eigen::Index>(headings_.size());
  for (int motion = 0; motion < 6; ++motion) {
    // Zero speed is the first.
    const auto part = [&](const char* name) {
      return Eigen::Map<const MatX>(values(Mat_VarGetCell(field(field(vessel, "forceRAO"), name), motion)), rows,
                                    columns);
    };
    const MatX amplitude = part("amp"), phase = part("phase");
    forces_.push_back(amplitude.cast<std::complex<double>>().cwiseProduct(
        (std::complex<double>(0, 1) * phase.cast<std::complex<double>>()).array().exp().matrix()));
  }
}

double MssShip::frequency_near(double w) const { return frequencies_[nearest(frequencies_, w)]; }

void MssShip::put_into(LinearShip& ship, double amplitude, double frequency, double heading) const {
  const Mat6 T = by_motion_of(centre_), up = by_motion_of({0, 0, centre_.z()});
  ship.mass = T.transpose() * mass_ * T;
  ship.restoring = T.transpose() * restoring_ * T;
  ship.damping = T.transpose() * damping_ * T;
  Eigen::Matrix<std::complex<double>, 6, 1> force;
  for (int motion = 0; motion < 6; ++motion)
    force[motion] = forces_[static_cast<size_t>(motion)](static_cast<Eigen::Index>(nearest(frequencies_, frequency)),
                                                         static_cast<Eigen::Index>(nearest(headings_, heading)));
  // The crest passes the centre of gravity later.
  const double lag = frequency * frequency / gravity_ * centre_.x() * std::cos(heading);
  ship.waves = {{frequency, up.transpose() * force * std::polar(amplitude, -lag)}};
}

}  // namespace davit::verify
