#include "davit/math/inertia.hpp"

#include <sstream>

#include "davit/math/linear_algebra.hpp"

namespace davit {

std::string unphysical_inertia(double mass, const Sym3& about_centre) {
  if (mass < 0) return "the mass is negative";
  const Vec3 moments = symmetric_eigenvalues(Mat3(about_centre.matrix()));
  const double tolerance = 1e-9 * moments.cwiseAbs().maxCoeff();
  std::ostringstream text;
  if (moments[0] < -tolerance) {
    text << "a principal moment of inertia is negative (" << moments[0] << " kg m²)";
  } else if (moments[2] > moments[0] + moments[1] + tolerance) {
    text << "the largest principal moment (" << moments[2] << " kg m²) exceeds the sum of the other two ("
         << moments[0] + moments[1] << " kg m²)";
  }
  return text.str();
}

}  // namespace davit
