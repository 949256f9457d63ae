#include "davit/run/continuation.hpp"

#include <fmt/format.h>

#include "davit/io/read_file.hpp"
#include "davit/io/write_file.hpp"
#include "davit/math/archive.hpp"

namespace davit {

namespace {

constexpr std::uintmax_t largest_state = std::uintmax_t{1} << 32U;  // bytes; beyond it is no saved run

std::string bytes_of(const std::filesystem::path& path) {
  try {
    return io::read_file(path, largest_state);
  } catch (const io::FileError& error) {
    throw BadSave(
        fmt::format("{}: {}. A run can go on that was interrupted, killed after it was saved, or came to its end; "
                    "not one that broke or was stopped, is driven live, or has a controller in a shared library",
                    path.string(), error.what()));
  }
}

}  // namespace

bool Continuation::save(const Simulation& run, const std::vector<Sink*>& sinks) {
  if (const auto why = run.cannot_be_saved()) {
    why_not_ = *why;
    return false;
  }
  ArchiveWriter all;
  std::vector<std::string> seen_by;
  for (const Sink* sink : sinks) {
    ArchiveWriter seen;
    sink->save(seen);
    seen_by.push_back(seen.bytes());
  }
  all(run.save(), seen_by);
  try {
    io::write_file(state_file(), all.bytes());
  } catch (const io::FileError& error) {
    why_not_ = error.what();
    return false;
  }
  return true;
}

void Continuation::forget() const {
  std::error_code ignored;
  std::filesystem::remove(state_file(), ignored);
  std::filesystem::remove(earlier_result(), ignored);
}

void Continuation::begin(const Scenario& scenario, const State& start) {
  const std::string bytes = bytes_of(state_file());
  try {
    ArchiveReader all(bytes);
    all(run_, sinks_);
  } catch (const BadArchive& bad) {
    throw BadSave(fmt::format("{}: {}", state_file().string(), bad.what()));
  }
  Simulation(scenario, start).restore(run_);
  // One that was cut off before it had taken over all rows left the earlier result where it is.
  if (!std::filesystem::exists(earlier_result())) std::filesystem::rename(folder_ / "result.h5", earlier_result());
}

void Continuation::restore(Simulation& run, const std::vector<Sink*>& sinks) {
  run.restore(run_);
  if (sinks.size() != sinks_.size()) throw BadSave("the run was watched otherwise when it was saved");
  try {
    for (size_t i = 0; i < sinks.size(); ++i) {
      ArchiveReader seen(sinks_[i]);
      sinks[i]->restore(seen);
      if (!seen.at_end()) throw BadArchive("there is more than belongs to it");
    }
  } catch (const BadArchive& bad) {
    throw BadSave(fmt::format("a saved run cannot go on: {}", bad.what()));
  }
  std::filesystem::remove(earlier_result());
}

}  // namespace davit
