// davit report: the report of a result made again, or one of several results that compares them.
#include <fmt/format.h>

#include <set>

#include "davit/app/commands.hpp"
#include "davit/app/run_files.hpp"
#include "davit/app/terminal.hpp"
#include "davit/io/write_file.hpp"
#include "davit/result/comparison.hpp"
#include "davit/result/report.hpp"
#include "davit/result/result_error.hpp"
#include "davit/result/summary_reader.hpp"
#include "davit/view/replay_figure.hpp"

namespace davit::app {

namespace {

namespace fs = std::filesystem;

// A run that was written: the folder, or the result.h5 in it.
struct WrittenRun {
  fs::path folder;
  result::Result result;
  result::RunSummary summary;
};

WrittenRun open_run(const std::string& named) {
  const fs::path file = result_file(named);
  const fs::path folder = file.parent_path().empty() ? fs::path(".") : file.parent_path();
  if (!fs::exists(folder / "summary.json"))
    throw result::ResultError(fmt::format(
        "{}: there is no summary.json beside the result: name the folder that 'davit run' wrote", folder.string()));
  WrittenRun run{folder, result::Result::open(file), result::read_summary(folder / "summary.json")};
  result::describe_channels(run.summary, run.result);
  return run;
}

// The last parts of paths that tell runs apart: storm and calm, not results/lift/storm.
std::vector<std::string> short_names(const std::vector<WrittenRun>& runs) {
  for (int parts = 1; parts < 64; ++parts) {
    std::vector<std::string> names;
    for (const WrittenRun& run : runs) {
      fs::path name, rest = fs::absolute(run.folder).lexically_normal();
      for (int i = 0; i < parts && rest.has_relative_path(); rest = rest.parent_path()) {
        if (rest.filename().empty()) continue;
        name = name.empty() ? rest.filename() : rest.filename() / name;
        ++i;
      }
      names.push_back(name.string());
    }
    if (std::set<std::string>(names.begin(), names.end()).size() == names.size()) return names;
  }
  std::vector<std::string> numbers;
  for (size_t i = 0; i < runs.size(); ++i) numbers.push_back(fmt::format("run {}", i + 1));
  return numbers;
}

std::string compare(const std::vector<WrittenRun>& runs) {
  const auto names = short_names(runs);
  std::vector<result::ComparedRun> compared;
  for (size_t i = 0; i < runs.size(); ++i) compared.push_back({names[i], runs[i].summary, &runs[i].result});
  return result::comparison_html(compared);
}

}  // namespace

int report_command(const ReportArguments& arguments) {
  if (arguments.results.size() > result::most_compared) {
    complain("error: at most {} results are compared at once, not {}\nremedy: name fewer\n", result::most_compared,
             arguments.results.size());
    return exit_bad_input;
  }
  try {
    std::vector<WrittenRun> runs;
    for (const std::string& named : arguments.results) runs.push_back(open_run(named));
    const bool one = runs.size() == 1;
    const fs::path out = !arguments.out.empty() ? fs::path(arguments.out)
                         : one                  ? runs[0].folder / "report.html"
                                                : fs::path("comparison.html");
    for (const WrittenRun& run : runs)
      for (const fs::path& source : {run.result.path(), run.folder / "summary.json"})
        if (is_same_file(source, out)) {
          complain("error: {} is part of a result itself\nremedy: give the report another name\n", out.string());
          return exit_bad_input;
        }
    const auto page = [&] {
      if (!one) return compare(runs);
      result::ReportPictures pictures;
      if (runs[0].summary.replay) pictures.replay = view::replay_figure(runs[0].result);
      return result::report_html(runs[0].summary, runs[0].result, pictures);
    };
    io::write_file(out, page());
    say("{}\n", out.string());
    return exit_ok;
  } catch (const result::ResultError& error) {
    complain("error: {}\n", error.what());
    return exit_bad_input;
  } catch (const io::FileError& error) {
    complain("error: the report cannot be written: {}\n", error.what());
    return exit_bad_input;
  }
}

}  // namespace davit::app
