#include "check.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

namespace davit::bench {

std::vector<KnownState> read_reference(const std::string& file) {
  std::vector<KnownState> out;
  std::ifstream in(file);
  std::string line, cell;
  if (!std::getline(in, line)) return out;
  std::vector<std::string> names;
  for (std::istringstream row(line); std::getline(row, cell, ',');) names.push_back(cell);
  while (std::getline(in, line)) {
    std::map<std::string, double> x;
    size_t column = 0;
    for (std::istringstream row(line); std::getline(row, cell, ',') && column < names.size();)
      x[names[column++]] = std::stod(cell);
    if (column < names.size()) continue;
    KnownState k;
    const char* const axis[] = {"x", "y", "z"};
    k.state.quaternion = {x.at("quat_w"), x.at("quat_x"), x.at("quat_y"), x.at("quat_z")};
    for (size_t i = 0; i < 3; ++i) {
      const std::string a = axis[i];
      k.state.position[i] = x.at(a);
      k.state.v[i] = x.at("v_b" + a);
      k.state.w[i] = x.at("w_b" + a);
      k.state.force[i] = x.at("Wapp_f" + a);
      k.state.moment[i] = x.at("Wapp_m" + a);
      k.rates[i] = x.at("vdot_b" + a);
      k.rates[i + 3] = x.at("wdot_b" + a);
      for (size_t j = 0; j < 5; ++j) {
        const std::string joint = "J" + std::to_string(j + 1);
        k.wrenches[j][i] = x.at(joint + "_f" + a);
        k.wrenches[j][i + 3] = x.at(joint + "_m" + a);
      }
    }
    for (size_t i = 0; i < 5; ++i) {
      const std::string n = std::to_string(i + 1);
      k.state.q[i] = x.at("q" + n);
      k.state.qd[i] = x.at("qd" + n);
      k.state.tau[i] = x.at("tau" + n);
      k.rates[i + 6] = x.at("qdd" + n);
    }
    out.push_back(k);
  }
  return out;
}

namespace {

// Not a number counts as infinitely wrong.
double largest(const double* a, const double* b, size_t count) {
  double out = 0;
  for (size_t i = 0; i < count; ++i) {
    const double x = std::abs(a[i] - b[i]);
    out = x <= out ? out : std::isnan(x) ? HUGE_VAL : x;
  }
  return out;
}
double size_of(const double* a, size_t count) {
  double out = 0;
  for (size_t i = 0; i < count; ++i) out = std::max(out, std::abs(a[i]));
  return out;
}

}  // namespace

double difference(const CraneRates& a, const CraneRates& b) {
  // A kind that is zero in this state is measured against a millionth of the others.
  const double all = 1e-6 * size_of(b.data(), b.size());
  double out = 0;
  const size_t first[] = {0, 3, 6, 11};
  for (size_t g = 0; g < 3; ++g) {
    const size_t n = first[g + 1] - first[g];
    out = std::max(out, largest(&a[first[g]], &b[first[g]], n) / std::max(size_of(&b[first[g]], n), all));
  }
  return out;
}

double difference(const CraneWrenches& a, const CraneWrenches& b) {
  double force = 0, moment = 0, force_error = 0, moment_error = 0;
  for (size_t i = 0; i < 5; ++i) {
    force = std::max(force, size_of(&b[i][0], 3));
    moment = std::max(moment, size_of(&b[i][3], 3));
    force_error = std::max(force_error, largest(&a[i][0], &b[i][0], 3));
    moment_error = std::max(moment_error, largest(&a[i][3], &b[i][3], 3));
  }
  // All moments may be zero: then it is the largest force at an arm of 1 m that counts.
  return std::max(force_error / force, moment_error / std::max(moment, force));
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return HUGE_VAL;
  return largest(a.data(), b.data(), a.size()) / size_of(b.data(), b.size());
}

}  // namespace davit::bench
