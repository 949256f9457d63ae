#include "verify/vessels/linear_ship.hpp"

#include "davit/math/linear_algebra.hpp"

namespace davit::verify {

Vec6 LinearShip::force(double t, const Vec6& eta, const Vec6& nu, const VecX& x) const {
  Vec6 tau = Vec6::Zero();
  for (const Wave& wave : waves) tau += (wave.force * std::polar(1.0, wave.frequency * t)).real();
  if (t < ramp) tau *= t * t / (ramp * ramp) * (3 - 2 * t / ramp);
  return tau - damping * nu - C * x - restoring * eta;
}

Mat6 rates_of_position(const Vec6& eta) {
  const double cf = std::cos(eta[3]), sf = std::sin(eta[3]), ct = std::cos(eta[4]), st = std::sin(eta[4]),
               cp = std::cos(eta[5]), sp = std::sin(eta[5]);
  Mat6 J = Mat6::Zero();
  J.topLeftCorner<3, 3>() << cp * ct, cp * st * sf - sp * cf, cp * st * cf + sp * sf,  //
      sp * ct, sp * st * sf + cp * cf, sp * st * cf - cp * sf,                         //
      -st, ct * sf, ct * cf;
  J.bottomRightCorner<3, 3>() << 1, sf * st / ct, cf * st / ct,  //
      0, cf, -sf,                                                //
      0, sf / ct, cf / ct;
  return J;
}

VecX linear_ship_rates(const LinearShip& ship, double t, const VecX& y) {
  const Vec6 eta = y.head<6>(), nu = y.segment<6>(6);
  const VecX x = y.tail(y.size() - 12);
  VecX rate(y.size());
  rate << rates_of_position(eta) * nu, solve_ldlt(ship.mass + ship.added_mass, VecX(ship.force(t, eta, nu, x))),
      ship.A * x + ship.B * nu;
  return rate;
}

}  // namespace davit::verify
