// A scenario that is run from its text, with all its rows in memory.
#pragma once

#include "davit/run/sinks.hpp"

namespace davit::verify {

struct CarriedRun {
  MemorySink memory{};
  RunOutcome outcome{};
  std::vector<operation::PhaseReport> phases{};
  std::vector<result::ChannelInfo> channels{};
  std::vector<result::LimitResult> limits{};
  State end{};

  size_t column(const std::string& name) const;
  double last(const std::string& channel) const { return memory.rows.back()[column(channel)]; }
  double largest(const std::string& channel) const;
  // At the nearest row.
  double at(const std::string& channel, double t) const;
  double begun(size_t phase) const { return phases[phase].begun.value_or(NAN); }
  double ended(size_t phase) const { return phases[phase].ended.value_or(NAN); }
  // The largest |channel - exact(t)| of the rows from a time on.
  double largest_error(const std::string& channel, const std::function<double(double t)>& exact, double from = 0) const;
};

// Throws what is wrong with the text, or why the run broke.
CarriedRun carried_out(const std::string& text);

}  // namespace davit::verify
