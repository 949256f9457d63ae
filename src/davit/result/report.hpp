// The report of a run: one page that an engineer hands in.
//
// Solves: verdict, limits, time histories, extremes, modes, model and how it was run, in one HTML file without network
// or other files; it prints on A4, follows light and dark, and is complete without scripts.
// Does not: compute anything beyond thinning curves; all numbers come from the summary and the recorded series.
#pragma once

#include <filesystem>
#include <string>

#include "davit/result/reader.hpp"
#include "davit/result/sketch.hpp"
#include "davit/result/summary.hpp"

namespace davit::result {

std::string report_html(const RunSummary& summary, const Result& result, const ModelSketch& sketch);
void write_report(const RunSummary& summary, const Result& result, const ModelSketch& sketch,
                  const std::filesystem::path& path);

}  // namespace davit::result
