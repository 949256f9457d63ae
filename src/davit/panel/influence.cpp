// Influence of panels and their images on each other, by closed forms and quadrature, assembled in parallel.
#include "davit/panel/influence.hpp"

#include <tbb/parallel_for.h>

#include <cmath>
#include <numbers>

#include "davit/panel/rankine.hpp"

namespace davit::panel {

namespace {

struct FieldPoint {
  Vec3 point, normal;
};

// A field point with the images of which the influence of the images of a source is made: G(x, Rξ) = G(Rx, ξ).
FieldPoint seen_in(const FlatPanel& panel, const hull::Image& image) {
  return {hull::mirrored(panel.centre, image), hull::mirrored(panel.normal, image)};
}

// The wave term of a panel at a field point: potential and normal velocity. One point is enough at some distance from
// the mirror image of the panel in the water plane, where the term is singular; not so for lids, because what they
// radiate does not fade with depth and all but cancels what the hull below them does.
struct WaveInfluence {
  Complex potential, velocity;
};

WaveInfluence at_point(const GreenFunction& green, const FieldPoint& field, const Vec3& source) {
  const double dx = field.point.x() - source.x(), dy = field.point.y() - source.y(), r = std::sqrt(dx * dx + dy * dy);
  const WaveTerm term = green.wave(r, field.point.z(), source.z());
  const double radial = r > 0 ? (field.normal.x() * dx + field.normal.y() * dy) / r : 0;
  return {term.value, radial * term.slope_r + field.normal.z() * term.slope_z};
}

template <int n>
WaveInfluence by_quadrature(const GreenFunction& green, const FieldPoint& field, const FlatPanel& panel) {
  WaveInfluence sum{};
  over_panel<n>(panel, [&](const Vec3& point, double weight) {
    const WaveInfluence part = at_point(green, field, point);
    sum.potential += weight * part.potential;
    sum.velocity += weight * part.velocity;
  });
  return sum;
}

WaveInfluence wave_influence(const GreenFunction& green, const FieldPoint& field, const FlatPanel& panel) {
  const Vec3 below = field.point - panel.centre;
  const double height = field.point.z() + panel.centre.z();
  const double mirror2 = below.x() * below.x() + below.y() * below.y() + height * height;
  const double size2 = panel.size * panel.size;
  const bool close = mirror2 < 6 * size2, on_surface = panel.centre.z() == 0;
  if (close)
    return mirror2 > size2 && !on_surface ? by_quadrature<2>(green, field, panel)
                                          : by_quadrature<6>(green, field, panel);
  if (on_surface) return by_quadrature<2>(green, field, panel);
  const WaveInfluence part = at_point(green, field, panel.centre);
  return {panel.area * part.potential, panel.area * part.velocity};
}

}  // namespace

std::vector<RankineInfluence> rankine_influence(const Surface& surface, double depth) {
  const int n = surface.count(), wetted = surface.wetted();
  const auto& panels = surface.panels();
  std::vector<RankineInfluence> out(surface.parities().size());
  for (RankineInfluence& influence : out) {
    influence.direct_potential = MatX::Zero(wetted, n);
    influence.direct_velocity = influence.mirror_velocity = influence.mirror_potential = MatX::Zero(n, n);
  }
  tbb::parallel_for(0, n, [&](int j) {
    const FlatPanel& source = panels[static_cast<size_t>(j)];
    for (int i = 0; i < n; ++i) {
      const FlatPanel& target = panels[static_cast<size_t>(i)];
      const double share = source.area / target.area;
      for (const hull::Image& image : surface.images()) {
        const Vec3 at = hull::mirrored(source.centre, image);
        const auto mean_over_target = [&](double height) {
          return source_potential(target, Vec3(at.x(), at.y(), height));
        };
        Potential direct = mean_over_target(at.z());
        const Potential mirror = mean_over_target(-at.z());
        if (!std::isinf(depth)) {
          const Potential bottom = mean_over_target(-2 * depth - at.z());
          direct.value += bottom.value;
          direct.gradient += bottom.gradient;
        }
        // The gradient is by the place of the source; by that of the target it is the opposite.
        for (size_t p = 0; p < out.size(); ++p) {
          const double sign = share * surface.parities()[p].at(image);
          if (i < wetted) out[p].direct_potential(i, j) += sign * direct.value;
          out[p].mirror_potential(i, j) += sign * mirror.value;
          out[p].direct_velocity(i, j) -= sign * target.normal.dot(direct.gradient);
          out[p].mirror_velocity(i, j) -= sign * target.normal.dot(mirror.gradient);
        }
      }
    }
    // The jump at the panel itself: −2π on the side to which the normal points; a lid is seen from below, against its
    // normal, and lies on its own mirror image.
    for (RankineInfluence& influence : out) {
      influence.direct_velocity(j, j) += (j < wetted ? -2 : 2) * std::numbers::pi;
      if (j >= wetted) influence.mirror_velocity(j, j) += 2 * std::numbers::pi;
    }
  });
  return out;
}

void assemble(const Surface& surface, const std::vector<RankineInfluence>& rankine, const GreenFunction& green,
              bool with_lids, std::vector<Influence>& out) {
  const int wetted = surface.wetted(), n = with_lids ? surface.count() : wetted;
  const auto& panels = surface.panels();
  const auto& images = surface.images();
  const size_t parities = surface.parities().size();
  const double mirror = green.image_sign(), twice_k = green.has_waves() ? 2 * green.deep_wave_number() : 0;
  out.resize(parities);
  for (Influence& influence : out) {
    influence.potential.resize(wetted, n);
    influence.velocity.resize(n, n);
  }
  std::vector<FieldPoint> fields;  // image after image for each panel
  fields.reserve(static_cast<size_t>(n) * images.size());
  for (const FlatPanel& panel : panels)
    for (const hull::Image& image : images) fields.push_back(seen_in(panel, image));

  for (int j = 0; j < n; ++j) {
    const FlatPanel& source = panels[static_cast<size_t>(j)];
    for (int i = 0; i < n; ++i) {
      std::array<WaveInfluence, 4> sum{};
      if (!green.vanishes())
        for (size_t m = 0; m < images.size(); ++m) {
          const WaveInfluence part = wave_influence(green, fields[static_cast<size_t>(i) * images.size() + m], source);
          for (size_t p = 0; p < parities; ++p) {
            const double sign = surface.parities()[p].at(images[m]);
            sum[p].potential += sign * part.potential;
            sum[p].velocity += sign * part.velocity;
          }
        }
      const double upward = twice_k * panels[static_cast<size_t>(i)].normal.z();
      for (size_t p = 0; p < parities; ++p) {
        const RankineInfluence& closed = rankine[p];
        if (i < wetted)
          out[p].potential(i, j) =
              closed.direct_potential(i, j) + mirror * closed.mirror_potential(i, j) + sum[p].potential;
        out[p].velocity(i, j) = closed.direct_velocity(i, j) + mirror * closed.mirror_velocity(i, j) +
                                upward * closed.mirror_potential(i, j) + sum[p].velocity;
      }
    }
  }
}

}  // namespace davit::panel
