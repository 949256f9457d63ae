#pragma once

#include <numbers>

namespace davit {

inline constexpr double pi = std::numbers::pi;
inline constexpr double degree = pi / 180;           // rad
inline constexpr double standard_gravity = 9.80665;  // m/s²

}  // namespace davit
