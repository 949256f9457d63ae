#include "davit/result/summary_reader.hpp"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "davit/io/read_file.hpp"
#include "davit/result/result_error.hpp"
#include "davit/result/summary_record.hpp"

namespace davit::result {
namespace {

using nlohmann::json;

constexpr std::uintmax_t largest_summary = std::uintmax_t{64} << 20U;
constexpr int deepest = 16;

// What is not in the file because it follows from it.
void complete(CheckedLimit& limit, const std::string& status) {
  LimitResult& result = limit.result;
  result.complete = status == "complete";
  // Beyond all measure: infinite, which JSON cannot say.
  if (!result.utilisation && result.worst && result.bound && *result.bound != 0)
    result.utilisation = std::numeric_limits<double>::infinity();
}

RunSummary summary_of(const PlacedJson& file) {
  RunSummary out;
  output_record<RunSummary>().read(file, out);
  for (const char* key : {"title", "status", "limits", "channels"})
    if (!file.member(key)) throw ResultError(fmt::format("'{}' is missing", key));
  for (CheckedLimit& limit : out.limits) complete(limit, out.status);
  return out;
}

}  // namespace

RunSummary parse_summary(std::string_view text, const std::string& name) {
  const char* const remedy = "name the summary.json that 'davit run' wrote, or run the scenario again";
  try {
    // Deeper than a summary goes; a file of brackets alone would take forty times its size.
    const auto shallow = [](int depth, json::parse_event_t, json&) {
      if (depth > deepest) throw ResultError("it is nested too deeply");
      return true;
    };
    return summary_of({json::parse(text, shallow), ""});
  } catch (const json::exception& error) {
    throw ResultError(fmt::format("{}: not a summary of a run: {}; {}", name, error.what(), remedy));
  } catch (const ResultError& error) {
    throw ResultError(fmt::format("{}: not a summary of a run: {}; {}", name, error.what(), remedy));
  }
}

RunSummary read_summary(const std::filesystem::path& path) {
  std::string text;
  try {
    text = io::read_file(path, largest_summary);
  } catch (const io::FileError& error) {
    throw ResultError(fmt::format("{}: {}", path.string(), error.what()));
  }
  return parse_summary(text, path.string());
}

}  // namespace davit::result
