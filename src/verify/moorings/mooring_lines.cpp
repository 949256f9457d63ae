#include "verify/moorings/mooring_lines.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "davit/cable/bar_line.hpp"
#include "davit/cable/beam_line.hpp"
#include "verify/embedded.hpp"

namespace davit::verify {

void MooredLine::settle(const Vec3& a, const Vec3& b) {
  if (!line.settle(a, b, state.data(), work).converged) std::fill(state.begin(), state.end(), NAN);
}
bool MooredLine::step(double time, double h, const Vec3& a, const Vec3& b) {
  const bool good =
      line.step(state.data(), time, h, a, b, next.data(), forces, work, cable::Guess::prediction, {}, {sea}).converged;
  state.swap(next);
  return good;
}
void MooredLine::step_paying_out(double time, double h, const Vec3& a, const Vec3& b, const cable::PaidOut& paid_out) {
  const auto outcome =
      line.step(state.data(), time, h, a, b, next.data(), forces, work, cable::Guess::prediction, paid_out);
  state.swap(next);
  if (!outcome.converged) std::fill(state.begin() + cable::StateLayout::header, state.end(), NAN);
  line.remesh(state.data());
}
cable::LineView MooredLine::view() const {
  cable::LineView out;
  line.look(state.data(), out);
  return out;
}

cable::Section thesis_chain(double length, int elements) {
  cable::Section s;
  s.length = length;
  s.elements = elements;
  s.EA = 61.56e6;
  s.mass = 234.52;
  s.displacement = (234.52 - 203.9) / 1025;
  s.diameter = 0.195;
  // Along the line the thesis counts its 0.2 on the skin, πd.
  s.drag_normal = 1.2, s.drag_tangential = 0.2 * std::numbers::pi;
  s.added_mass_normal = 1.0, s.added_mass_tangential = 0.5;
  return s;
}
cable::Bed thesis_bed(double height) {
  cable::Bed bed;
  bed.height = height;
  bed.stiffness = 4785;
  return bed;
}

ForcedLine forced_g1(double period) { return {"depth 25.8 m, span 159 m", 25.8, 159, period, period < 10 ? 6.0 : 4.0}; }
ForcedLine forced_g2(double period) { return {"depth 50 m, span 143.2 m", 50, 143.2, period, period < 10 ? 6.0 : 4.0}; }

Vec3 ForcedLine::fairlead(double time) const {
  const double ramp = time < 10 ? 0.5 * (1 - std::cos(std::numbers::pi * time / 10)) : 1;
  return {span + amplitude * ramp * std::sin(2 * std::numbers::pi * time / period), 0, -10};
}

double TensionHistory::at(double t) const {
  const size_t next = static_cast<size_t>(std::lower_bound(time.begin(), time.end(), t) - time.begin());
  if (next == 0 || next == time.size()) return NAN;
  const double part = (t - time[next - 1]) / (time[next] - time[next - 1]);
  return tension[next - 1] + part * (tension[next] - tension[next - 1]);
}

TensionHistory run_forced(const ForcedLine& forced, const cable::LineModel& line, double h) {
  const auto scratch = line.make_scratch();
  std::vector<double> state(static_cast<size_t>(line.state_size())), next(state);
  cable::EndForces forces;
  forces.anchored = true;
  bool good = line.settle({forced.anchor(), forced.fairlead(0)}, state.data(), forces, *scratch).converged;
  TensionHistory out;
  out.least = INFINITY;
  const double end = forced.cycles * forced.period;
  const int steps = static_cast<int>(std::ceil(end / h));
  for (int i = 1; i <= steps; ++i) {
    const double t = i * h;
    const cable::LineEnds ends{forced.anchor(), forced.fairlead(t)};
    good = line.step(state.data(), t - h, h, ends, next.data(), forces, *scratch).converged && good;
    state.swap(next);
    out.time.push_back(t);
    out.tension.push_back(good ? forces.b.norm() : NAN);
    if (t < end - 2 * forced.period) continue;
    out.largest = std::max(out.largest, out.tension.back());
    out.least = std::min(out.least, out.tension.back());
  }
  return out;
}

TensionHistory run_forced(const ForcedLine& forced, int elements, double h, double damping_time, Element element) {
  cable::Section section = thesis_chain(170, elements);
  section.damping_time = damping_time;
  section.EA = forced.EA;
  const cable::Bed bed = thesis_bed(-10 - forced.depth);
  if (element == Element::bar) return run_forced(forced, cable::BarLine(cable::Line({section}, {}, bed, {})), h);
  return run_forced(forced, cable::BeamLine(cable::Beam({section}, {}, bed, {})), h);
}

namespace {

// Of differences, over the deviation of what is exact.
class Difference {
 public:
  void add(double exact, double found) {
    square_ += (found - exact) * (found - exact);
    sum_ += exact;
    squares_ += exact * exact;
    n_ += 1;
  }
  double relative() const { return std::sqrt(square_ / n_) / std::sqrt(squares_ / n_ - sum_ * sum_ / (n_ * n_)); }

 private:
  double square_ = 0, sum_ = 0, squares_ = 0, n_ = 0;
};

}  // namespace

double rms_error(const TensionHistory& history, const std::string& embedded_name) {
  const NumberTable reference(embedded_name);
  Difference difference;
  for (size_t i = 0; i < reference.rows(); ++i)
    difference.add(reference.at(i, "fairlead_tension_N"), history.at(reference.at(i, "time_s")));
  return difference.relative();
}

double rms_difference(const TensionHistory& history, const TensionHistory& reference, double from) {
  Difference difference;
  for (size_t i = 0; i < reference.time.size(); ++i)
    if (reference.time[i] >= from && reference.time[i] < history.time.back())
      difference.add(reference.tension[i], history.at(reference.time[i]));
  return difference.relative();
}

}  // namespace davit::verify
