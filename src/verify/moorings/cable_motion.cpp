// Cables in motion: natural frequencies, energy, a submerged pendulum, a chain whose end falls faster than free fall.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "verify/moorings/bent_lines.hpp"
#include "verify/moorings/cable_groups.hpp"
#include "verify/moorings/mooring_lines.hpp"

namespace davit::verify {

namespace {

using cable::Beam;
using cable::Hold;
using cable::LineEnds;

constexpr double pi = std::numbers::pi, gravity = 9.80665;

// Mean time between crossings of zero in the same direction.
class Period {
 public:
  void see(double time, double value) {
    if (seen_ && last_ < 0 && value >= 0) {
      const double at = time_ + (time - time_) * last_ / (last_ - value);
      if (crossings_++ == 0) first_ = at;
      latest_ = at;
    }
    seen_ = true, time_ = time, last_ = value;
  }
  double mean() const { return crossings_ > 1 ? (latest_ - first_) / (crossings_ - 1) : NAN; }

 private:
  bool seen_ = false;
  int crossings_ = 0;
  double time_ = 0, last_ = 0, first_ = 0, latest_ = 0;
};

// Deflected by its weight, then without weight: the part of the first sine of its shape swings by itself.
template <class Sagging, class Weightless>
double first_period(Sagging sagging, Weightless swinging, const std::function<bool(Weightless&, double, double)>& step,
                    double expected) {
  const int nodes = swinging.line.nodes();
  const double length = swinging.line.length(), h = expected / 1000;
  swinging.state = sagging.state;
  Period period;
  for (int i = 1; i <= 3500; ++i) {
    if (!step(swinging, (i - 1) * h, h)) return NAN;
    double sine = 0;
    for (int k = 1; k + 1 < nodes; ++k)
      sine += (swinging.line.position(swinging.state.data(), k).z() + 50) *
              std::sin(pi * swinging.line.unstretched(k) / length);
    period.see(i * h, sine);
  }
  return period.mean();
}

void natural_frequencies(Checker& check) {
  const double length = 10, EA = 1e6, mass = 2;
  // A string under T, a beam, and a beam under tension: f² = (T + EI (π/L)²)/(4 m L²).
  struct Case {
    const char* name;
    double tension, EI;
  };
  for (const Case& c : {Case{"taut string", 2000, 0}, Case{"simply supported beam", 0, 1000},
                        Case{"simply supported beam under tension", 2000, 1000}}) {
    const double strain = c.tension / EA;
    const Vec3 a(0, 0, -50), b(length * (1 + strain), 0, -50);
    const double exact = 2 * length * std::sqrt(mass / (c.tension + c.EI * std::pow(pi / length, 2))) *
                         std::sqrt(1 + strain);  // of its stretched length and thinner mass, but for the ends
    const LineEnds ends{a, b};
    const cable::Section section = rod(length, 20, EA, c.EI, mass);
    const auto beam = [&](double g) { return BentLine(Beam({section}, {}, {}, space(g), {}, {.tolerance = 1e-12})); };
    BentLine sagging = beam(1e-3), swinging = beam(0);
    sagging.settle(ends, Beam::Start::straight);
    const double period = first_period<BentLine, BentLine>(
        sagging, swinging, [&](BentLine& l, double t, double h) { return l.step(t, h, ends); }, exact);
    check.relative(fmt::format("{}, 20 beams, 1000 steps a period", c.name), "first natural period", "s",
                   rounded(exact), "exact: f² = (T + EI (π/L)²)/(4 m L²)", period, 1e-3);
    if (c.EI > 0) continue;
    const auto bars = [&](double g) {
      return MooredLine(cable::Line({section}, {}, {}, space(g), {.tolerance = 1e-12}));
    };
    MooredLine slack = bars(1e-3), string = bars(0);
    slack.settle(a, b);
    const double of_bars = first_period<MooredLine, MooredLine>(
        slack, string, [&](MooredLine& l, double t, double h) { return l.step(t, h, a, b); }, exact);
    // With their mass at two Gauss points bars swing faster by (π/N)²/24.
    check.relative(fmt::format("{}, 20 bars, 1000 steps a period", c.name), "first natural period", "s", rounded(exact),
                   "exact: f² = T/(4 m L²)", of_bars, 1.2e-3);
  }
}

// A cable let go from the horizontal, in air: what is lost is the step's.
double energy_lost(double h) {
  const double length = 10;
  BentLine cable(Beam({rod(length, 20, 1e6, 5, 2)}, {}, {}, space(gravity), {.b = Hold::free}, {.tolerance = 1e-8}));
  const cable::StateLayout layout{cable.line.nodes(), 6, 3};
  for (int i = 0; i < cable.line.nodes(); ++i) {
    cable.state[static_cast<size_t>(layout.position(0) + i)] = cable.line.unstretched(i);
    cable.state[static_cast<size_t>(layout.position(2) + i)] = 100;
    cable.state[static_cast<size_t>(layout.position(3) + i)] = 1;
  }
  const LineEnds ends{Vec3(0, 0, 100), Vec3::Zero()};
  const double begin = cable.line.energy(cable.state.data()).total();
  double last = begin;
  for (int i = 1; i <= std::lround(1.5 / h); ++i) {
    if (!cable.step((i - 1) * h, h, ends)) return NAN;
    last = cable.line.energy(cable.state.data()).total();
  }
  return (begin - last) / (2 * length * gravity * length / 2);
}
void swinging_cable(Checker& check) {
  const double lost = energy_lost(2e-3), lost_fine = energy_lost(5e-4);
  const std::string name = "cable let go from the horizontal, 1.5 s, 20 beams";
  check.at_most(name + ", 2 ms", "energy lost over weight times half its length", "", "invariant: energy",
                std::abs(lost), 1e-3);
  check.at_most(name + ", 0.5 ms", "energy lost over weight times half its length", "", "invariant: energy",
                std::abs(lost_fine), 1e-4);
}

// A sphere on a line under water swings in 2π √((m + m_a) L/((m − ρV) g)).
void submerged_pendulum(Checker& check) {
  const double length = 5, m = 500, volume = 0.2, added = 0.5 * 1025 * volume;
  const double exact = 2 * pi * std::sqrt((m + added) * length / ((m - 1025 * volume) * gravity));
  const double EA = 1e7, EI = 1, stretch = 1 + (m - 1025 * volume) * gravity / EA;
  cable::Section line = rod(length, 10, EA, EI, 0.01), rest = rod(0.05, 1, EA, EI, 0.01);
  BentLine pendulum(
      Beam({line, rest}, {{length, m, volume, 0, added}}, {}, {}, {.b = Hold::free}, {.tolerance = 1e-9}));
  const Vec3 a(0, 0, -20);
  const double turn = 0.02, h = exact / 1000;
  const cable::StateLayout layout{pendulum.line.nodes(), 6, 3};
  for (int i = 0; i < pendulum.line.nodes(); ++i) {
    const Vec3 d = stretch * Vec3(std::sin(turn), 0, -std::cos(turn));
    for (int axis = 0; axis < 3; ++axis) {
      pendulum.state[static_cast<size_t>(layout.position(axis) + i)] = a[axis] + pendulum.line.unstretched(i) * d[axis];
      pendulum.state[static_cast<size_t>(layout.position(3 + axis) + i)] = d[axis];
    }
  }
  Period period;
  bool good = true;
  for (int i = 1; i <= 3500; ++i) {
    good = pendulum.step((i - 1) * h, h, {a, a}) && good;
    period.see(i * h, pendulum.position(10).x());
  }
  check.relative("sphere of 500 kg and 0.2 m³ on 5 m of line under water", "period", "s", rounded(exact),
                 "exact: 2π √((m + m_a) L/((m − ρV) g))", good ? period.mean() : NAN, 2e-3);
}

// A chain hangs folded from two points side by side; the end that is let go is pulled down by the fold as a whip is:
// without losses it falls by x with v² = 2 g x (1 − x/2L)/(1 − x/L), faster than a stone.
void whip(Checker& check) {
  const double length = 10, gap = 0.2, mass = 1;
  const int elements = 160;
  const cable::Section chain = rod(length, elements, 1e5, 1e-4, mass);
  BentLine held(Beam({chain}, {}, {}, space(gravity), {}, {.tolerance = 1e-6}));
  BentLine falling(Beam({chain}, {}, {}, space(gravity), {.b = Hold::free}, {.tolerance = 1e-6}));
  const Vec3 a(0, 0, 100), b(gap, 0, 100);
  held.settle({a, b});
  falling.state = held.state;
  const double h = 5e-4, fallen = 0.8;
  double time = NAN;
  for (int i = 1; i < 4000; ++i) {
    if (!falling.step((i - 1) * h, h, {a, b})) break;
    if (100 - falling.position(elements).z() > fallen * length) {
      time = i * h;
      break;
    }
  }
  // ∫ dx/v with x = L s²: dx = 2 L s ds
  double exact = 0;
  const int parts = 2000;
  for (int i = 0; i < parts; ++i) {
    const double s = std::sqrt(fallen) * (i + 0.5) / parts, x = s * s;
    exact += std::sqrt(fallen) / parts * 2 * s * std::sqrt(length / gravity) / std::sqrt(2 * x * (1 - x / 2) / (1 - x));
  }
  const double stone = std::sqrt(2 * fallen * length / gravity);
  const std::string name = "folded chain whose end is let go, 160 beams, 0.5 ms";
  check.relative(name, "time in which the end falls by 8 of 10 m", "s", rounded(exact),
                 "exact: folded chain without losses (Calkin and March 1989)", time, 0.02);
  check.trend(name, "the same over that of a stone", "", Checker::Side::below, 1, "published: Calkin and March",
              time / stone);
}

}  // namespace

void cable_motion(Checker& check) {
  natural_frequencies(check);
  swinging_cable(check);
  submerged_pendulum(check);
  whip(check);
}

void cables(Checker& check) {
  cable_bending(check);
  cable_motion(check);
}

}  // namespace davit::verify
