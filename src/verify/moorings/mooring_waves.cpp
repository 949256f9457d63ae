// Waves at lines: a taut line that hardly moves feels Morison's forces, and a line in a sea is met by windows of time
// as by sums at every step.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "davit/sea/kinematics.hpp"
#include "davit/sea/wave_field.hpp"
#include "verify/moorings/bent_lines.hpp"
#include "verify/moorings/mooring_lines.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

constexpr double pi = std::numbers::pi;

cable::Flow flow_of(const std::shared_ptr<const sea::WaveField>& field) {
  return [field](double time, const Vec3* points, int count, cable::WaterSample* samples) {
    for (int i = 0; i < count; ++i) {
      const sea::WaveField::Sample s = field->at(time, points[i]);
      samples[i] = {s.velocity, s.acceleration, s.elevation};
    }
  };
}

// A line of 0.5 m with a great tension.
cable::Section stiff_line(double length, int elements) {
  cable::Section s = rod(length, elements, 1e13, 0, 300);
  s.diameter = 0.5, s.displacement = pi / 4 * 0.25;
  s.drag_normal = 1.1, s.added_mass_normal = 0.9;
  s.drag_tangential = 0, s.added_mass_tangential = 0;
  s.damping_time = 0.01;
  return s;
}

struct Wave {
  double height, period, depth;
};

// Morison's force on a straight line from a to b, up to the surface, by another way: plain sums and Simpson's rule. The
// pressure of the undisturbed flow acts as weight in water does, in all directions: tension is the effective one.
Vec3 morison(const std::vector<sea::Component>& waves, const sea::Water& water, const Vec3& a, const Vec3& b,
             double time) {
  const int parts = 2000;
  const Vec3 t = (b - a).normalized();
  const cable::Section s = stiff_line(1, 1);
  Vec3 sum = Vec3::Zero();
  for (int i = 0; i <= parts; ++i) {
    const Vec3 p = a + (b - a) * i / parts;
    const sea::Flow f = sea::flow(waves, water, p, time);
    if (p.z() > f.elevation) continue;
    const Vec3 v = f.velocity - t.dot(f.velocity) * t, dv = f.acceleration - t.dot(f.acceleration) * t;
    const double weight = (i == 0 || i == parts ? 1 : i % 2 ? 4 : 2) / 3.0 * (b - a).norm() / parts;
    sum += weight * (0.5 * water.density * s.diameter * s.drag_normal * v.norm() * v +
                     water.density * s.displacement * (f.acceleration + s.added_mass_normal * dv));
  }
  return sum;
}

// Rms of the difference over a period, over the rms of Morison's force: the part along the waves.
double difference(const Wave& wave, const Vec3& a, const Vec3& b, int elements, bool by_windows, bool beams) {
  sea::Water water;
  water.depth = wave.depth;
  const std::vector<sea::Component> waves = {sea::regular_wave(wave.height, 2 * pi / wave.period, 0, 0.3, water)};
  const auto field = std::make_shared<const sea::WaveField>(waves, water, 0);
  const cable::Surroundings around{water, nullptr, true};
  const cable::Sea sea{flow_of(field), by_windows ? field->window() : 0};
  const double strain = 1e-4, length = (b - a).norm() / (1 + strain), h = wave.period / 200;
  const cable::Section section = stiff_line(length, elements);
  MooredLine bars(cable::Line({section}, {}, {}, around, {.tolerance = 1e-9}));
  BentLine bent(cable::Beam({section}, {}, {}, around, {}, {.tolerance = 1e-9}));
  bars.sea = &sea;
  if (beams)
    bent.settle({a, b}, cable::Beam::Start::straight);
  else
    bars.settle(a, b);
  double square = 0, miss = 0;
  for (int i = 1; i <= 400; ++i) {
    const double time = i * h;
    const bool good = beams ? bent.step(time - h, h, {.a = a, .b = b, .waves = {&sea}}) : bars.step(time - h, h, a, b);
    if (!good) return NAN;
    if (i <= 200) continue;
    const cable::EndForces& f = beams ? bent.forces : bars.forces;
    const double exact = morison(waves, water, a, b, time).x(), found = f.a.x() + f.b.x();
    square += exact * exact;
    miss += (found - exact) * (found - exact);
  }
  return std::sqrt(miss / square);
}

void held_in_a_regular_wave(Checker& check) {
  struct Case {
    const char* name;
    Wave wave;
    Vec3 a, b;
    int elements;
  };
  const Case cases[] = {
      {"horizontal line across waves of 4 m and 8 s, 5 m down", {4, 8, 40}, {0, -15, -5}, {0, 15, -5}, 30},
      {"vertical line through the surface in waves of 3 m and 7 s", {3, 7, 40}, {0, 0, -30}, {0, 0, 5}, 140},
      {"slanting line in waves of 3 m and 9 s", {3, 9, INFINITY}, {-10, 0, -30}, {10, 0, -4}, 60},
  };
  for (const Case& c : cases) {
    const std::string source = "exact: Morison's integral by plain sums and Simpson's rule";
    const std::string quantity = "rms difference of the force over the rms";
    check.at_most(fmt::format("{}, {} bars", c.name, c.elements), quantity, "", source,
                  difference(c.wave, c.a, c.b, c.elements, false, false), 0.01);
    check.at_most(fmt::format("{}, {} bars, by windows", c.name, c.elements), quantity, "", source,
                  difference(c.wave, c.a, c.b, c.elements, true, false), 0.01);
    check.at_most(fmt::format("{}, {} beams, by windows", c.name, c.elements / 2), quantity, "", source,
                  difference(c.wave, c.a, c.b, c.elements / 2, true, true), 0.01);
  }
}

// The chain of the thesis with its fairlead held near the surface of a sea.
std::vector<double> in_a_sea(bool by_windows) {
  sea::Water water;
  water.depth = 50;
  sea::IrregularSea sea{sea::jonswap(4, 2 * pi / 8, 3.3), 0};
  sea.frequencies = 40;
  sea::Random random(7);
  const auto field = std::make_shared<const sea::WaveField>(sea::realise(sea, water, random), water, 20);
  const cable::Surroundings around{water, nullptr, true};
  const cable::Sea met{flow_of(field), by_windows ? field->window() : 0};
  MooredLine line(cable::Line({thesis_chain(170, 60)}, {}, thesis_bed(-50), around, {.tolerance = 1e-7}));
  line.sea = &met;
  const Vec3 a(0, 0, -50), b(150, 0, -2);
  line.settle(a, b);
  std::vector<double> out;
  const double h = 0.05;
  for (int i = 1; i <= 2000; ++i) out.push_back(line.step((i - 1) * h, h, a, b) ? line.forces.b.norm() : NAN);
  return out;
}
void by_windows_in_a_sea(Checker& check) {
  const std::vector<double> windows = in_a_sea(true), sums = in_a_sea(false);
  double mean = 0, square = 0, miss = 0;
  const double n = static_cast<double>(sums.size());
  for (const double x : sums) mean += x / n;
  for (size_t i = 0; i < sums.size(); ++i) {
    square += (sums[i] - mean) * (sums[i] - mean);
    miss += (windows[i] - sums[i]) * (windows[i] - sums[i]);
  }
  check.at_most("chain with its fairlead held in a sea of 4 m and 8 s",
                "rms difference of the tension by windows and by sums at every step, over its deviation", "",
                "exact: sums at every step", std::sqrt(miss / square), 0.01);
}

// It comes up as forces on vessels do: the line begins at rest, in equilibrium.
void begins_at_rest(Checker& check) {
  const sea::Water water{.depth = 50};
  const auto field = std::make_shared<const sea::WaveField>(
      std::vector<sea::Component>{sea::regular_wave(4, 2 * pi / 8, 0, 0.3, water)}, water, 24);
  const cable::Sea met{flow_of(field), field->window()};
  MooredLine line(cable::Line({thesis_chain(170, 60)}, {}, thesis_bed(-50), {water, nullptr, true}));
  line.sea = &met;
  const Vec3 a(0, 0, -50), b(150, 0, -2);
  line.settle(a, b);
  const double rest = line.view().tension_b;
  double first = 0;
  for (int i = 1; i <= 10; ++i) {
    if (!line.step(0.05 * (i - 1), 0.05, a, b)) first = NAN;
    first = std::max(first, std::abs(line.forces.b.norm() / rest - 1));
  }
  check.at_most("chain in waves that come up over 24 s, first half second", "largest change of its tension", "",
                "invariant: it begins at rest", first, 1e-3);
}

}  // namespace

void mooring_waves(Checker& check) {
  held_in_a_regular_wave(check);
  by_windows_in_a_sea(check);
  begins_at_rest(check);
}

}  // namespace davit::verify
