// The model on the series of plans.
#include "davit/inverse_dynamics/series_kernels.hpp"

namespace davit::inverse_dynamics {

template class SeriesModel<Series>;

std::vector<std::string> without_series(const ServoProblem& problem) {
  std::vector<std::string> names;
  for (const auto& b : problem.model->blocks())
    if (!series_block<Series>(*b.block)) names.push_back("a block of coordinates");
  for (const auto& f : problem.model->forces())
    if (!series_force<Series>(*f.element)) names.push_back(f.element->name());
  for (const auto& c : problem.model->constraints())
    if (!series_rows<Series>(*c.constraint.geometry)) names.push_back(c.constraint.name);
  for (const Output& o : problem.outputs)
    if (!series_rows<Series>(*o.rows)) names.push_back(o.name);
  return names;
}

}  // namespace davit::inverse_dynamics
