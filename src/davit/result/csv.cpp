#include "davit/result/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "davit/io/csv_cell.hpp"
#include "davit/io/printable.hpp"
#include "davit/result/result_error.hpp"
#include "davit/result/write_whole.hpp"

namespace davit::result {
namespace {

// Of rounded numbers as many digits as they have, else as many as tell the number from all others.
constexpr int digits_of_rounded = 9;

void append_number(std::string& line, double value, bool rounded) {
  if (std::isnan(value)) {  // to_chars would show the sign of a NaN
    line += "nan";
    return;
  }
  std::array<char, 32> digits;
  char* const last = digits.data() + digits.size();
  line.append(digits.data(),
              rounded ? std::to_chars(digits.data(), last, value, std::chars_format::general, digits_of_rounded).ptr
                      : std::to_chars(digits.data(), last, value).ptr);
}

}  // namespace

// Greedy with one step back: on a mismatch the last '*' takes one character more.
bool matches(std::string_view pattern, std::string_view name) {
  std::size_t p = 0;
  std::size_t n = 0;
  std::size_t star = pattern.npos;
  std::size_t resume = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (star != pattern.npos) {
      p = star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == pattern.npos;
}

std::vector<std::size_t> select_channels(const Result& result, std::span<const std::string> patterns) {
  const auto& channels = result.channels();
  for (const std::string& pattern : patterns) {
    if (std::none_of(channels.begin(), channels.end(), [&](const auto& info) { return matches(pattern, info.name); })) {
      throw ResultError(fmt::format("{}: no channel matches '{}' (it has {}, for instance '{}')",
                                    result.path().string(), pattern, channels.size(),
                                    channels.empty() ? "" : channels.front().name));
    }
  }
  std::vector<std::size_t> selected;
  for (std::size_t c = 0; c < channels.size(); ++c) {
    const auto fits = [&](const std::string& pattern) { return matches(pattern, channels[c].name); };
    if (patterns.empty() || std::any_of(patterns.begin(), patterns.end(), fits)) selected.push_back(c);
  }
  return selected;
}

void export_csv(const Result& result, std::ostream& out, std::span<const std::string> patterns) {
  const std::vector<std::size_t> selected = select_channels(result, patterns);
  std::string line = "time [s]";
  for (const std::size_t c : selected) {
    const ChannelInfo& info = result.channels()[c];
    line +=
        ',' + io::csv_cell(io::printable(info.unit.empty() ? info.name : fmt::format("{} [{}]", info.name, info.unit)));
  }
  out << line << '\n';

  // As many rows at once as fit into 32 MB, whatever the number of channels.
  constexpr std::uint64_t most_rows = 4096, most_values = std::uint64_t{4} << 20u;
  const std::uint64_t block = std::clamp<std::uint64_t>(most_values / (selected.size() + 1), 1, most_rows);
  const bool rounded = result.header().mantissa_bits < all_mantissa_bits;
  std::vector<double> times(block);
  std::vector<double> columns(block * selected.size());
  for (std::uint64_t first = 0; first < result.rows(); first += block) {
    const std::uint64_t count = std::min(block, result.rows() - first);
    result.read_times(first, std::span(times).first(count));
    for (std::size_t s = 0; s < selected.size(); ++s) {
      result.read_channel(selected[s], first, std::span(columns).subspan(s * block, count));
    }
    for (std::uint64_t r = 0; r < count; ++r) {
      line.clear();
      append_number(line, times[r], false);
      for (std::size_t s = 0; s < selected.size(); ++s) {
        line += ',';
        append_number(line, columns[s * block + r], rounded);
      }
      out << line << '\n';
    }
  }
}

void export_csv(const Result& result, const std::filesystem::path& path, std::span<const std::string> patterns) {
  write_whole(path, [&](std::ostream& out) { export_csv(result, out, patterns); });
}

}  // namespace davit::result
