#include "davit/sea/wave_field.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "davit/sea/ramp.hpp"

namespace davit::sea {

namespace {

using Four = Eigen::Array<double, 4, 1>;
constexpr double pi = std::numbers::pi;
constexpr double faded = 6;  // kz at which a wave is a 400th of what it is at the surface

struct Turned {
  Four cosine, sine;
};
// Of angles in turns, to 1e-10: sine and cosine of half of what is left after whole turns, |a| < π/2, by Taylor's
// series, and then of the double angle.
inline Turned turned(const Four& turns) {
  const Four a = pi * (turns - turns.round()), b = a * a;
  const Four s =
      a * (1 - b * (1.0 / 6) *
                   (1 - b * (1.0 / 20) *
                            (1 - b * (1.0 / 42) *
                                     (1 - b * (1.0 / 72) *
                                              (1 - b * (1.0 / 110) * (1 - b * (1.0 / 156) * (1 - b * (1.0 / 210))))))));
  const Four c =
      1 -
      b * (1.0 / 2) *
          (1 - b * (1.0 / 12) *
                   (1 - b * (1.0 / 30) *
                            (1 - b * (1.0 / 56) *
                                     (1 - b * (1.0 / 90) *
                                              (1 - b * (1.0 / 132) * (1 - b * (1.0 / 182) * (1 - b * (1.0 / 240))))))));
  return {1 - 2 * s * s, 2 * s * c};
}

inline Four four(const double* p) { return Eigen::Map<const Four>(p); }

}  // namespace

WaveField::WaveField(std::vector<Component> components, const Water& water, double ramp) : water_(water), ramp_(ramp) {
  std::sort(components.begin(), components.end(),
            [](const Component& a, const Component& b) { return a.wave_number < b.wave_number; });
  double energy = 0, weighted = 0, below = 0;
  for (const Component& c : components) {
    energy += c.amplitude * c.amplitude;
    weighted += c.amplitude * c.amplitude * c.frequency;
    highest_ += c.amplitude;
  }
  if (energy > 0) mean_frequency_ = weighted / energy;
  for (const Component& c : components) {
    below += c.amplitude * c.amplitude;
    if (window_ == 0 && below >= 0.98 * energy && c.frequency > 0) window_ = 3 * 0.6 / c.frequency;
  }
  packs_.resize((components.size() + lanes - 1) / lanes);
  for (Pack& p : packs_) p = {};
  for (size_t i = 0; i < packs_.size() * lanes; ++i) {
    Pack& p = packs_[i / lanes];
    const size_t lane = i % lanes;
    if (i >= components.size()) {
      p.k[lane] = components.back().wave_number;
      p.fade[lane] = 1;
      continue;
    }
    const Component& c = components[i];
    const double cosine = std::cos(c.heading), sine = std::sin(c.heading);
    p.turns_per_second[lane] = c.frequency / (2 * pi);
    p.turns_per_x[lane] = c.wave_number * cosine / (2 * pi);
    p.turns_per_y[lane] = c.wave_number * sine / (2 * pi);
    p.phase[lane] = c.phase / (2 * pi);
    p.k[lane] = c.wave_number;
    p.amplitude[lane] = c.amplitude;
    p.along[lane] = water.gravity * c.amplitude / c.frequency * c.wave_number;
    p.x[lane] = cosine;
    p.y[lane] = sine;
    p.frequency[lane] = c.frequency;
    p.fade[lane] = std::isinf(water.depth) ? 1 : 1 / (1 + std::exp(-2 * c.wave_number * water.depth));
  }
}

// How many packs reach down to a height.
int WaveField::reaching(double z) const {
  const double above = -z - highest_;
  if (above <= 0) return static_cast<int>(packs_.size());
  const auto end =
      std::partition_point(packs_.begin(), packs_.end(), [&](const Pack& p) { return p.k[0] * above < faded; });
  return static_cast<int>(end - packs_.begin());
}

WaveField::Sample WaveField::at(double time, const Vec3& point) const {
  Sample out;
  const double ramp = ramp_up(time, ramp_);
  if (ramp == 0 || packs_.empty()) return out;
  const int count = reaching(point.z());
  const auto angle = [&](const Pack& p) {
    return Four(four(p.turns_per_second) * time + four(p.phase) - four(p.turns_per_x) * point.x() -
                four(p.turns_per_y) * point.y());
  };
  constexpr int most_kept = 128;
  Turned kept[most_kept];
  Four surface = Four::Zero();
  for (int i = 0; i < count; ++i) {
    const Pack& p = packs_[static_cast<size_t>(i)];
    const Turned t = turned(angle(p));
    surface += four(p.amplitude) * t.cosine;
    if (i < most_kept) kept[i] = t;
  }
  out.elevation = ramp * surface.sum();
  const bool deep = std::isinf(water_.depth);
  double z = std::min(point.z(), out.elevation) - out.elevation;
  if (!deep) z *= water_.depth / (water_.depth + out.elevation);
  Four vx = Four::Zero(), vy = vx, vz = vx, ax = vx, ay = vx, az = vx;
  for (int i = 0; i < count; ++i) {
    const Pack& p = packs_[static_cast<size_t>(i)];
    const Turned t = i < most_kept ? kept[i] : turned(angle(p));
    const Four k = four(p.k), w = four(p.frequency);
    Four value = (k * z).exp(), slope = value;
    if (!deep && p.k[0] * (z + 2 * water_.depth) < 30) {
      const Four down = (-k * (z + 2 * water_.depth)).exp();
      value += down;
      slope -= down;
    }
    const Four fade = four(p.fade), along = four(p.along) * fade * value, rise = four(p.along) * fade * slope;
    const Four x = along * four(p.x), y = along * four(p.y);
    vx += x * t.cosine, vy += y * t.cosine, vz -= rise * t.sine;
    ax -= w * x * t.sine, ay -= w * y * t.sine, az -= w * rise * t.cosine;
  }
  out.velocity = ramp * Vec3(vx.sum(), vy.sum(), vz.sum());
  out.acceleration = ramp * Vec3(ax.sum(), ay.sum(), az.sum());
  return out;
}

}  // namespace davit::sea
