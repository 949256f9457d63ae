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

struct ReportPictures {
  std::vector<SketchBody> drawing{};  // of the model at its start, for results without a scene
  std::string replay{};               // HTML: the lift in motion; nothing to do without
};

std::string report_html(const RunSummary& summary, const Result& result, const ReportPictures& pictures = {});
void write_report(const RunSummary& summary, const Result& result, const ReportPictures& pictures,
                  const std::filesystem::path& path);

}  // namespace davit::result
