// The scalars of inverse dynamics beside double and Dual8: Taylor series in time. The longer one carries derivatives of
// what is computed in the shorter one: a change φ(τ) of high order leaves the first coefficients alone and shows what
// it does, linearly and exactly, in the coefficients behind them (derivative_array.hpp).
#pragma once

#include "davit/math/taylor.hpp"

namespace davit::inverse_dynamics {

inline constexpr int series_length = 8;
using Series = Taylor<series_length>;
inline constexpr int long_series_length = 20;
using LongSeries = Taylor<long_series_length>;

}  // namespace davit::inverse_dynamics
