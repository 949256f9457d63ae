// Plane waves on water of finite or infinite depth: ω² = g k tanh(k h).
#pragma once

namespace davit::hydro {

// The wave number k; depth may be infinite.
double wave_number(double frequency, double depth, double gravity);

// ∂ω/∂k, the speed at which the energy of the wave travels.
double group_velocity(double frequency, double depth, double gravity);

}  // namespace davit::hydro
