#include "davit/hydro/wamit_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "davit/math/constants.hpp"

namespace davit::hydro {
namespace {

constexpr int most_wamit_periods = 1'000'000;

std::string trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
  return std::string(text);
}

void read_gdf(TextFile file, WamitInput& input) {
  file.next_line();
  input.title = trimmed(file.line());
  const auto& numbers = file.expect(2, "ULEN and GRAV");
  if (!(numbers[0] > 0) || !(numbers[1] > 0)) file.fail("ULEN and GRAV must be positive", "correct the file");
  input.length = numbers[0];
  input.gravity = numbers[1];
}

WamitInput::Body body_at(const std::vector<double>& numbers, size_t first) {
  WamitInput::Body body;
  body.place = {numbers[first], numbers[first + 1], numbers[first + 2]};
  body.yaw = numbers[first + 3] * degree;
  return body;
}

void read_depth(double value, WamitInput& input) {
  input.depth = value > 0 ? value : std::numeric_limits<double>::infinity();
}

// Form 1 has depth and place of its one body on one line, which older versions put two lines of switches before; form 2
// has the depth alone, then the waves, then every body with its file, place and switches.
void read_pot(TextFile file, WamitInput& input) {
  file.next_line();
  std::vector<std::vector<double>> head;
  for (int i = 0; i < 3; ++i) head.push_back(file.expect(1, "the water depth"));
  for (const auto& numbers : head)
    if (numbers.size() >= 5) {
      read_depth(numbers[0], input);
      input.bodies.push_back(body_at(numbers, 1));
      return;
    }
  read_depth(head[0][0], input);
  const auto skip_list = [&](double count) {
    // NPER < 0 asks for a range, which takes two numbers.
    const int n = count < 0 ? 2 : static_cast<int>(std::min(count, static_cast<double>(most_wamit_periods)));
    for (int i = 0; i < n; ++i) file.next_number();
  };
  skip_list(head[2][0]);  // periods; their number came third
  file.expect(1, "the number of headings");
  skip_list(file.numbers()[0]);
  file.expect(1, "the number of bodies");
  const int count = file.whole(0, 1, 1000);
  for (int b = 0; b < count; ++b) {
    if (!file.next_line()) file.fail("the file ends before all bodies are described", "write it again: it was cut off");
    const std::string name = trimmed(file.line());
    file.expect(4, "the place of a body (XBODY)");
    input.bodies.push_back(body_at(file.numbers(), 0));
    input.bodies.back().name = name.substr(0, name.find_last_of('.'));
    file.next_line();  // which modes are solved
  }
}

// Over the motions of all bodies, in lines broken at will.
MatX matrix_of_motions(TextFile& file, size_t bodies) {
  const auto n = static_cast<Eigen::Index>(6 * bodies);
  MatX out(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j) out(i, j) = file.next_number();
  return out;
}

// A matrix of form 2 behind the line that says whether it follows; files of which nothing more is needed may end
// before.
std::optional<MatX> announced_matrix(TextFile& file, size_t bodies, const char* name) {
  if (!file.next_line() || file.numbers().empty() || file.numbers()[0] == 0) return std::nullopt;
  if (file.numbers()[0] != 1)
    file.fail(fmt::format("{} is {}: only matrices in this file are read", name, file.numbers()[0]),
              fmt::format("write the matrix here after {} = 1, or 0 for none", name));
  return matrix_of_motions(file, bodies);
}

// Form 1 gives of each body the height of the centre of gravity and nine radii of gyration about its axes; the mass is
// that of the displaced water, which only panels tell.
void read_first_form(TextFile file, size_t bodies, WamitInput& input) {
  input.bodies.resize(std::max(input.bodies.size(), bodies));
  for (size_t b = 0; b < bodies; ++b) {
    if (!file.next_line() || file.numbers().empty()) return;
    input.bodies[b].centre = {0, 0, file.numbers()[0]};
    Mat3 radii;
    for (Eigen::Index i = 0; i < 3; ++i) {
      if (!file.next_line() || file.numbers().size() < 3) return;
      for (Eigen::Index j = 0; j < 3; ++j) radii(i, j) = file.numbers()[static_cast<size_t>(j)];
    }
    input.bodies[b].radii = radii;
  }
}

// Form 2 gives density, centres of gravity, and matrices of mass and of what is outside of the flow: damping and
// stiffness.
void read_frc(TextFile file, size_t bodies, WamitInput& input) {
  file.next_line();
  if (!file.next_line()) return;  // which results are wanted
  const TextFile after_switches = file;
  std::vector<std::vector<double>> head;
  for (size_t i = 0; i < 2 + bodies; ++i) {
    if (!file.next_line()) return;
    head.push_back(file.numbers());
  }
  const bool centres = std::all_of(head.begin() + 1, head.end() - 1, [](const auto& n) { return n.size() >= 3; });
  const auto& last = head.back();
  const bool second_form = head[0].size() == 1 && centres && last.size() == 1 && (last[0] == 0 || last[0] == 1) &&
                           (bodies != 3 || head[0][0] > 0.5);
  if (!second_form) return read_first_form(after_switches, bodies, input);
  input.density = head[0][0];
  input.bodies.resize(std::max(input.bodies.size(), bodies));
  for (size_t b = 0; b < bodies; ++b) input.bodies[b].centre = {head[1 + b][0], head[1 + b][1], head[1 + b][2]};
  if (last[0] == 1) {
    const MatX mass = matrix_of_motions(file, bodies);
    for (size_t b = 0; b < bodies; ++b)
      input.bodies[b].mass = mass.block<6, 6>(static_cast<Eigen::Index>(6 * b), static_cast<Eigen::Index>(6 * b));
  }
  input.external_damping = announced_matrix(file, bodies, "IDAMP");
  input.external_stiffness = announced_matrix(file, bodies, "ISTIF");
}

// IPERIO, or else IPERIN, says what the first column is: 1 period, 2 frequency, 3 and 4 wave numbers.
void read_cfg(TextFile file, WamitInput& input) {
  int of_input = 1, of_output = 0;
  while (file.next_line()) {
    std::string line(file.line().substr(0, file.line().find('!')));
    std::transform(line.begin(), line.end(), line.begin(), [](unsigned char c) { return std::toupper(c); });
    const auto equals = line.find('=');
    if (equals == line.npos) continue;
    const std::string key = trimmed(std::string_view(line).substr(0, equals));
    const std::string value = trimmed(std::string_view(line).substr(equals + 1));
    if (key != "IPERIN" && key != "IPERIO") continue;
    if (value.size() != 1 || value[0] < '1' || value[0] > '2')
      file.fail(key + " is " + value + ": only periods (1) and frequencies (2) are read",
                "run WAMIT with IPERIO=1 or 2");
    (key == "IPERIN" ? of_input : of_output) = value[0] - '0';
  }
  input.column_is_frequency = (of_output ? of_output : of_input) == 2;
}

}  // namespace

WamitInput read_wamit_input(const std::string& stem, const Texts& files, size_t bodies) {
  WamitInput input;
  const auto with = [&](const char* ending, auto&& read) {
    if (const auto found = files.find(ending); found != files.end()) read(TextFile(stem + ending, found->second));
  };
  with(".gdf", [&](TextFile file) { read_gdf(std::move(file), input); });
  with(".pot", [&](TextFile file) { read_pot(std::move(file), input); });
  with(".frc", [&](TextFile file) { read_frc(std::move(file), bodies, input); });
  with(".cfg", [&](TextFile file) { read_cfg(std::move(file), input); });
  return input;
}

}  // namespace davit::hydro
