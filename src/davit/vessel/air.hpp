#pragma once

namespace davit::vessel {

inline constexpr double air_density = 1.225;  // kg/m³: dry, 15 °C, at sea level (ISO 2533)

}  // namespace davit::vessel
