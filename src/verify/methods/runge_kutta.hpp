// The classical Runge-Kutta method, for references that are equations of motion of their own: ẏ = rate(t, y).
#pragma once

namespace davit::verify {

template <class Rate, class Values>
void runge_kutta_step(const Rate& rate, double t, double h, Values& y) {
  const Values k1 = rate(t, y), k2 = rate(t + h / 2, Values(y + h / 2 * k1)),
               k3 = rate(t + h / 2, Values(y + h / 2 * k2)), k4 = rate(t + h, Values(y + h * k3));
  y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
}

template <class Rate, class Values>
Values runge_kutta(const Rate& rate, Values y, double from, double to, int steps) {
  const double h = (to - from) / steps;
  for (int i = 0; i < steps; ++i) runge_kutta_step(rate, from + i * h, h, y);
  return y;
}

}  // namespace davit::verify
