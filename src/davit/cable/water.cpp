// The water at a line.
#include <algorithm>
#include <cmath>

#include "davit/cable/divided_line.hpp"

namespace davit::cable {

void DividedLine::sample(NodeWork& work, const StepSpan* step) const {
  const Surroundings& around = surroundings_;
  const double* z = work.position.data() + 2 * work.stride;
  const bool waves = step && step->waves.sea, uneven = bed_.uneven();
  const double margin = 1;  // m that a node may move in the iterations
  work.open = waves || around.current || *std::max_element(z, z + work.elements + 1) > -margin;
  if (!work.open && !uneven) return;
  const size_t points = static_cast<size_t>(layout_.points * work.elements);
  gauss_points(work.position.data(), work.stride, work.elements, work.sample_points.data());
  for (size_t i = 0; i < points; ++i) {
    Vec3& p = work.sample_points[i];
    if (uneven) work.planes[i] = bed_.at(p);
    const double buried = bed_.embedment(p);
    if (buried > 0) p += buried * bed_.at(p).normal;
    work.samples[i] = {};
  }
  if (waves) {
    meet_waves(work, *step);
    for (size_t i = 0; i < points && step->waves.times != 1; ++i) {
      work.samples[i].velocity *= step->waves.times;
      work.samples[i].acceleration *= step->waves.times;
      work.samples[i].surface *= step->waves.times;
    }
  }
  if (!around.current) return;
  for (size_t i = 0; i < points; ++i) work.samples[i].velocity += around.current->velocity(work.sample_points[i].z());
}

namespace {

// Waves that reach down by d are longer than d. Sums are formed at points that are not farther apart than a part of
// their depth, and taken straight between: at kd = 2 that is wrong by (k Δ)²/8 = 0.011 of what is there.
constexpr double part_of_depth = 0.15;

void choose_stations(const Vec3* points, int count, std::vector<int>& stations) {
  stations.clear();
  stations.push_back(0);
  double way = 0;
  for (int i = 1; i < count; ++i) {
    const double piece = (points[i] - points[i - 1]).norm();
    way += piece;
    const double next = i + 1 < count ? (points[i + 1] - points[i]).norm() : 0;
    const double shallower = std::min(-points[i].z(), -points[stations.back()].z());
    if (i + 1 < count && way + next <= part_of_depth * shallower) continue;
    stations.push_back(i);
    way = 0;
  }
}

void waves_at(const Flow& waves, double time, const Vec3* points, int count, NodeWork& work, WaterSample* out) {
  choose_stations(points, count, work.stations);
  const size_t stations = work.stations.size();
  for (size_t i = 0; i < stations; ++i) work.station_points[i] = points[work.stations[i]];
  waves(time, work.station_points.data(), static_cast<int>(stations), work.station_samples.data());
  for (size_t s = 0; s + 1 < stations; ++s) {
    const WaterSample &a = work.station_samples[s], &b = work.station_samples[s + 1];
    const int from = work.stations[s], to = work.stations[s + 1];
    out[from] = a;
    for (int i = from + 1; i < to; ++i) {
      const double part = static_cast<double>(i - from) / (to - from);
      out[i] = {a.velocity + part * (b.velocity - a.velocity),
                a.acceleration + part * (b.acceleration - a.acceleration), a.surface + part * (b.surface - a.surface)};
    }
  }
  out[count - 1] = work.station_samples[stations - 1];
}

}  // namespace

// Sums over waves are formed at four times of a window, on the way that each point would make with the velocity it had
// when the window began, and a cubic through them is taken in between. The way is part of the state, so that the water
// does not depend on what was asked before; the samples are kept in the work as long as the way is the same. Where
// steps are long, the sums are formed at their ends.
void DividedLine::meet_waves(NodeWork& work, const StepSpan& step) const {
  const int points = layout_.points * work.elements;
  const double end = step.time + step.h, length = step.waves.sea->window;
  if (!layout_.windows || !(length > 0) || step.h > 0.5 * length) {
    std::fill(work.way.begin(), work.way.end(), 0.0);
    waves_at(step.waves.sea->flow, end, work.sample_points.data(), points, work, work.samples.data());
    return;
  }
  const double index = std::floor(end / length), name = index + 0.5;  // zero: none
  const size_t n = static_cast<size_t>(points);
  Vec3* const scratch = work.sample_points.data();
  const double* kept = step.before + layout_.way();
  double* way = work.way.data();
  if (kept[0] == name) {
    std::copy_n(kept, layout_.way_size(), way);
  } else {
    way[0] = name;
    way[1] = step.time;
    for (const bool moving : {false, true}) {
      gauss_points(step.before + (moving ? layout_.velocity(0) : layout_.position(0)), layout_.nodes, work.elements,
                   scratch);
      for (size_t i = 0; i < n; ++i) Vec3::Map(way + 2 + 3 * ((moving ? n : 0) + i)) = scratch[i];
    }
  }
  if (work.way != work.way_of_window) {
    work.way_of_window = work.way;
    for (int j = 0; j < 4; ++j) {
      const double at = (index + j / 3.0) * length;
      for (size_t i = 0; i < n; ++i) {
        scratch[i] = Vec3::Map(way + 2 + 3 * i) + (at - way[1]) * Vec3::Map(way + 2 + 3 * (n + i));
        const double buried = bed_.embedment(scratch[i]);
        if (buried > 0) scratch[i].z() += buried;
      }
      waves_at(step.waves.sea->flow, at, scratch, points, work, work.window.data() + static_cast<size_t>(j) * n);
    }
  }
  // Lagrange's polynomials through 0, 1, 2, 3.
  const double s = 3 * (end / length - index);
  const double weight[4] = {-(s - 1) * (s - 2) * (s - 3) / 6, s * (s - 2) * (s - 3) / 2, -s * (s - 1) * (s - 3) / 2,
                            s * (s - 1) * (s - 2) / 6};
  for (size_t i = 0; i < n; ++i) {
    WaterSample& out = work.samples[i];
    for (size_t j = 0; j < 4; ++j) {
      const WaterSample& in = work.window[j * n + i];
      out.velocity += weight[j] * in.velocity;
      out.acceleration += weight[j] * in.acceleration;
      out.surface += weight[j] * in.surface;
    }
  }
  // For the current.
  gauss_points(work.position.data(), work.stride, work.elements, scratch);
}

}  // namespace davit::cable
