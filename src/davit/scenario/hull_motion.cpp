#include "davit/scenario/hull_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "davit/math/bspline.hpp"
#include "davit/result/reader.hpp"
#include "davit/result/result_error.hpp"

namespace davit {

namespace {

constexpr int degree = 9;
constexpr int rows_in_a_span = 3;
// So many rows beside the plan, so that the ends of the spline are not its own.
constexpr int rows_beside = 30;

// Without the jumps of an angle that goes through half a turn.
void unwrap(std::vector<double>& angles) {
  constexpr double turn = 2 * std::numbers::pi;
  for (size_t i = 1; i < angles.size(); ++i) angles[i] -= turn * std::round((angles[i] - angles[i - 1]) / turn);
}

struct Rows {
  std::vector<double> times;
  std::array<std::vector<double>, 6> places;
};

// A result by its folder or its file.
result::Result open(const inverse_dynamics::HullMotionSpec& spec) {
  const std::filesystem::path path = spec.motion.resolved();
  return result::Result::open(std::filesystem::is_directory(path) ? path / "result.h5" : path);
}

// The rows of the plan's time and some beside it, in the plan's time. Throws ResultError.
Rows rows_of(const inverse_dynamics::HullMotionSpec& spec, const std::string& vessel, double end) {
  const auto result = open(spec);
  const double from = spec.from;
  Rows all, out;
  all.times = result.times();
  const char* const channels[] = {"position_x", "position_y", "position_z", "roll", "pitch", "yaw"};
  for (size_t k = 0; k < 6; ++k) {
    all.places[k] = result.channel(vessel + "." + channels[k]);
    if (k >= 3) unwrap(all.places[k]);
  }
  const auto first = std::lower_bound(all.times.begin(), all.times.end(), from) - all.times.begin();
  const auto last = std::upper_bound(all.times.begin(), all.times.end(), from + end) - all.times.begin();
  const auto begin = static_cast<size_t>(std::max<std::ptrdiff_t>(0, first - rows_beside));
  const auto stop = std::min(all.times.size(), static_cast<size_t>(last + rows_beside));
  for (size_t i = begin; i < stop; ++i) {
    if (!out.times.empty() && all.times[i] - from <= out.times.back()) continue;
    out.times.push_back(all.times[i] - from);
    for (size_t k = 0; k < 6; ++k) out.places[k].push_back(all.places[k][i]);
  }
  return out;
}

// Values of the basis at a place of a span: those of c[first] … c[first + degree].
std::vector<double> basis_at(const BSpline& spline, int span, double x) {
  std::vector<double> out;
  BSpline one = spline;
  for (int k = 0; k <= degree; ++k) {
    one.c.segment(spline.first(span), degree + 1) = VecX::Unit(degree + 1, k);
    out.push_back(one.derivatives(span, x).front());
  }
  return out;
}

}  // namespace

Motion smooth_through(const std::vector<double>& times, const std::vector<double>& values) {
  const double begin = times.front(), length = times.back() - begin;
  const int spans = std::max(1, static_cast<int>(times.size()) / rows_in_a_span);
  BSpline spline(degree, degree - 1, spans);
  const Eigen::Index n = spline.c.size();
  MatX A = MatX::Zero(n, n);
  VecX b = VecX::Zero(n);
  for (size_t i = 0; i < times.size(); ++i) {
    const double x = (times[i] - begin) / length;
    const int span = std::clamp(static_cast<int>(x * spans), 0, spans - 1);
    const std::vector<double> row = basis_at(spline, span, x);
    const Eigen::Map<const VecX> r(row.data(), degree + 1);
    const int at = spline.first(span);
    A.block(at, at, degree + 1, degree + 1) += r * r.transpose();
    b.segment(at, degree + 1) += (values[i] - values.front()) * r;
  }
  spline.c = solve_ldlt(A, b);
  std::vector<double> joints{begin};
  std::vector<std::vector<double>> derivatives;
  for (int span = 0; span < spans; ++span) {
    std::vector<double> d = spline.derivatives(span, double(span + 1) / spans);
    d[0] += values.front();
    for (size_t k = 1; k < d.size(); ++k) d[k] /= std::pow(length, double(k));
    derivatives.push_back(std::move(d));
    joints.push_back(begin + length * (span + 1) / spans);
  }
  return Motion::in_pieces(values.front(), joints, derivatives);
}

std::map<std::string, RecordedPlace> recorded_places(const inverse_dynamics::HullMotionSpec& spec,
                                                     const std::vector<std::string>& bodies) {
  const auto result = open(spec);
  const auto times = result.times();
  const auto row = static_cast<size_t>(
      std::min(std::lower_bound(times.begin(), times.end(), spec.from), times.end() - 1) - times.begin());
  std::map<std::string, RecordedPlace> out;
  for (const std::string& body : bodies) {
    const auto three = [&](const std::array<const char*, 3>& names) -> std::optional<Vec3> {
      Vec3 values;
      for (int k = 0; k < 3; ++k) {
        const std::string name = body + "." + names[static_cast<size_t>(k)];
        if (!result.find(name)) return std::nullopt;
        values[k] = result.channel(name)[row];
      }
      return values;
    };
    if (const auto at = three({"position_x", "position_y", "position_z"}))
      out[body] = {*at, three({"roll", "pitch", "yaw"})};
  }
  return out;
}

std::optional<HullMotion> recorded_motion(const inverse_dynamics::HullMotionSpec& spec, const std::string& vessel,
                                          double end, input::Problems& problems) {
  Rows rows;
  try {
    rows = rows_of(spec, vessel, end);
  } catch (const std::exception& mistake) {
    problems.error(spec.motion.where, mistake.what(),
                   "name the result of a run in the same sea, in which '" + vessel +
                       "' is recorded: position_x … yaw, ten rows a second or more");
    return std::nullopt;
  }
  if (rows.times.size() < 2 * degree || rows.times.front() > 0 || rows.times.back() < end) {
    problems.error(spec.motion.where,
                   fmt::format("it does not cover the plan, which takes {:.4g} s from {:.4g} s on", end, spec.from),
                   "run it for longer, or let the plan begin elsewhere with 'from'");
    return std::nullopt;
  }
  HullMotion out;
  for (size_t k = 0; k < 6; ++k) out[k] = smooth_through(rows.times, rows.places[k]);
  return out;
}

}  // namespace davit
