// Integrals of a function of one variable to a wanted accuracy: the 15-point rule of Gauss and Kronrod on pieces that
// are halved until the pieces agree with the 7-point rule inside them (QUADPACK's rule).
#pragma once

#include <array>
#include <cmath>

namespace davit {

struct PieceIntegral {
  double value, error;
};

// One application of the rule.
template <class Function>
PieceIntegral integrate_piece(const Function& f, double from, double to) {
  static constexpr std::array<double, 8> x = {0.991455371120812639206854697526329, 0.949107912342758524526189684047851,
                                              0.864864423359769072789712788640926, 0.741531185599394439863864773280788,
                                              0.586087235467691130294144691693014, 0.405845151377397166906606412076961,
                                              0.207784955007898467600689403773245, 0};
  static constexpr std::array<double, 8> kronrod = {
      0.022935322010529224963732008058970, 0.063092092629978553290700663189204, 0.104790010322250183839876322541518,
      0.140653259715525918745189590510238, 0.169004726639267902826583426598550, 0.190350578064785409913256402421014,
      0.204432940075298892414161999234649, 0.209482141084727828012999174891714};
  static constexpr std::array<double, 4> gauss = {
      0.129484966168869693270611432679082, 0.279705391489276667901467771423780, 0.381830050505118944950369775488975,
      0.417959183673469387755102040816327};
  const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
  double fine = kronrod[7] * f(middle), coarse = gauss[3] * (fine / kronrod[7]);
  for (std::size_t i = 0; i < 7; ++i) {
    const double pair = f(middle - half * x[i]) + f(middle + half * x[i]);
    fine += kronrod[i] * pair;
    if (i % 2 == 1) coarse += gauss[i / 2] * pair;
  }
  return {half * fine, std::abs(half * (fine - coarse))};
}

// Halves pieces until the sum of their errors is below `tolerance` (absolute), at most 40 times over.
template <class Function>
double integrate(const Function& f, double from, double to, double tolerance, int halvings = 40) {
  const PieceIntegral whole = integrate_piece(f, from, to);
  // The difference of the rules is the error of the coarse one; the fine one is far better.
  if (halvings == 0 || whole.error <= tolerance || whole.error <= 1e-13 * std::abs(whole.value)) return whole.value;
  const double middle = 0.5 * (from + to);
  return integrate(f, from, middle, 0.5 * tolerance, halvings - 1) +
         integrate(f, middle, to, 0.5 * tolerance, halvings - 1);
}

}  // namespace davit
