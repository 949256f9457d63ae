// The model on series that carry derivatives too.
#include "davit/inverse_dynamics/series_kernels.hpp"

namespace davit::inverse_dynamics {

template class SeriesModel<LongSeries>;

}  // namespace davit::inverse_dynamics
