#include "davit/hull/ship_form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "davit/hull/dimensions.hpp"
#include "davit/hull/hydrostatics.hpp"
#include "davit/hull/panel_geometry.hpp"
#include "davit/hull/panel_grid.hpp"
#include "davit/mesh/triangle_mesh.hpp"

namespace davit::hull {

namespace {

// The numbers that give the form: what the smooth form would have with infinitely small panels.
struct Form {
  double prismatic, midship, waterplane;
  double forward;  // the forebody's prismatic coefficient is larger by this, the afterbody's smaller
};

// From 1 at ξ = 0 to 0 at ξ = 1, with the mean `fullness`.
double fall(double fullness, double xi) {
  if (fullness >= 2.0 / 3) return 1 - std::pow(xi, fullness / (1 - fullness));
  const double c = 7.5 * (2.0 / 3 - fullness);
  return (1 - xi * xi) * (1 - c * xi * xi);
}

// Area of a superellipse by that of its box: Γ(1 + 1/n)² / Γ(1 + 2/n), growing with n.
double fullness_of_exponent(double n) { return std::exp(2 * std::lgamma(1 + 1 / n) - std::lgamma(1 + 2 / n)); }
double exponent_of_fullness(double fullness) {
  double low = std::log(0.3), high = std::log(300.0);
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (fullness_of_exponent(std::exp(middle)) < fullness ? low : high) = middle;
  }
  return std::exp(0.5 * (low + high));
}

struct Section {
  double half_breadth, draft, exponent;
};

// At ξ = 2x/L.
Section section(const Ship& ship, const Form& form, double xi) {
  const double parallel = std::clamp(2 * (form.prismatic - 0.68), 0.0, 0.5);
  const double prismatic = form.prismatic + (xi >= 0 ? 1 : -1) * form.forward;
  // In both halves the waterline keeps the same share of what the section areas lack to a box.
  const double waterplane = 1 - (1 - prismatic) * (1 - form.waterplane) / (1 - form.prismatic);
  const auto at = [&](double mean, double along) {
    return fall((mean - parallel) / (1 - parallel), std::clamp((along - parallel) / (1 - parallel), 0.0, 1.0));
  };
  // The ratio of the two has a limit at the ends.
  const double inner = std::min(std::abs(xi), 1 - 1e-6);
  const double ratio = form.midship * at(prismatic, inner) / at(waterplane, inner);
  const auto not_hollow = [](double r) { return std::pow(std::pow(r, 6) + std::pow(0.5, 6), 1.0 / 6); };
  const double scale = form.midship / not_hollow(form.midship);
  const double fullness = not_hollow(ratio) * scale;
  return {0.5 * ship.beam * at(waterplane, std::abs(xi)), ship.draft * ratio / fullness,
          exponent_of_fullness(fullness)};
}

// Points of a section from keel to waterline at equal distances along it, `bottom` steps to the bilge (where y/b and
// z/t are equal) and `side` steps from there, whose parts are given.
std::vector<Vec2> girth(const Section& s, int bottom, const std::vector<double>& side) {
  constexpr int fine = 80;
  const double bilge = std::pow(0.5, 1 / s.exponent);
  const auto other = [&](double x) { return std::pow(std::max(0.0, 1 - std::pow(x, s.exponent)), 1 / s.exponent); };
  const auto along = [&](bool below, const std::vector<double>& parts, std::vector<Vec2>& out) {
    std::vector<Vec2> line;
    std::vector<double> length{0};
    for (int i = 0; i <= fine; ++i) {
      const double x = bilge * (below ? i : fine - i) / fine;
      line.emplace_back(s.half_breadth * (below ? x : other(x)), -s.draft * (below ? other(x) : x));
      if (i > 0)
        length.push_back(length.back() + (line[static_cast<size_t>(i)] - line[static_cast<size_t>(i - 1)]).norm());
    }
    for (size_t k = 1; k < parts.size(); ++k) {
      const double due = parts[k] * length.back();
      const auto after = std::lower_bound(length.begin() + 1, length.end() - 1, due);
      const size_t j = static_cast<size_t>(after - length.begin());
      const double step = length[j] - length[j - 1];
      out.push_back(line[j - 1] + (step > 0 ? (due - length[j - 1]) / step : 1.0) * (line[j] - line[j - 1]));
    }
  };
  std::vector<Vec2> points{Vec2(0, -s.draft)};
  along(true, spaced(0, 1, 1.0 / bottom), points);
  along(false, side, points);
  points.back() = Vec2(s.half_breadth, 0);
  return points;
}

struct Lines {
  std::vector<double> stations;            // x, from aft
  std::vector<std::vector<Vec2>> offsets;  // (y, z) of each, from the keel to the waterline
};

PanelMesh wetted_mesh(const Lines& lines) {
  PanelMesh mesh;
  mesh.mirror_y = true;
  const int across = static_cast<int>(lines.offsets[0].size());
  for (size_t i = 0; i < lines.stations.size(); ++i)
    for (const Vec2& p : lines.offsets[i]) mesh.points.emplace_back(lines.stations[i], p.x(), p.y());
  for (int i = 0; i + 1 < static_cast<int>(lines.stations.size()); ++i)
    for (int j = 0; j + 1 < across; ++j) {
      const int p = i * across + j;
      mesh.panels.push_back({p, p + 1, p + across + 1, p + across});
    }
  return mesh;
}

double midship_area(const Lines& lines) {
  const auto& p = lines.offsets[lines.stations.size() / 2];
  double half = 0;
  for (size_t k = 0; k + 1 < p.size(); ++k) half += 0.5 * (p[k].x() + p[k + 1].x()) * (p[k + 1].y() - p[k].y());
  return 2 * half;
}

void check(const Ship& s) {
  require_length(s.length, "the length");
  require_length(s.beam, "the beam");
  require_length(s.depth, "the depth");
  require_draft(s.draft, s.depth, "the depth");
  const double cm = midship_of(s), cw = waterplane_of(s), cp = s.block / cm;
  if (!(cm >= 0.6 && cm <= 0.998))
    throw std::invalid_argument(fmt::format("the midship coefficient of {:.3f} is not between 0.6 and 0.998", cm));
  if (!(cp >= 0.54 && cp <= 0.95))
    throw std::invalid_argument(
        fmt::format("the prismatic coefficient cb / cm = {:.3f} is not between 0.54 and 0.95", cp));
  if (!(cw >= cp + 0.02 && cw <= 0.985))
    throw std::invalid_argument(fmt::format(
        "the waterplane coefficient of {:.3f} is not between cb / cm + 0.02 = {:.3f} and 0.985", cw, cp + 0.02));
}

}  // namespace

double midship_of(const Ship& ship) { return ship.midship.value_or(1 - 0.0056 * std::pow(ship.block, -3.56)); }
double waterplane_of(const Ship& ship) { return ship.waterplane.value_or((1 + 2 * ship.block) / 3); }
double lcb_of(const Ship& ship) { return ship.lcb.value_or(0.2 * (ship.block - 0.675) * ship.length); }

PanelMesh ship_mesh(const Ship& ship, double size, double refine, bool whole) {
  check(ship);
  const double L = ship.length, B = ship.beam, T = ship.draft;
  const double cm = midship_of(ship), cw = waterplane_of(ship), cp = ship.block / cm, lcb = lcb_of(ship);
  Lines lines;
  // Ends are curved more than the middle: stations are closer there.
  const std::vector<double> half = spaced(0, 0.5 * L, size, std::max(1.0, refine), Fine::last);
  for (size_t i = half.size() - 1; i > 0; --i) lines.stations.push_back(-half[i]);
  lines.stations.insert(lines.stations.end(), half.begin(), half.end());
  const int bottom = std::max(2, static_cast<int>(std::ceil(0.5 * B / size)));
  const std::vector<double> side = spaced(0, 1, 1.0 / std::max(2.0, std::ceil(T / size)), refine);

  // Panels cut corners; the form is made fuller until the panels have what was asked for.
  Form form{cp, cm, cw, 0};
  PanelMesh mesh;
  double volume_error = 1, lcb_error = 1;
  for (int i = 0; i < 60 && (std::abs(volume_error) > 1e-6 || std::abs(lcb_error) > 1e-6); ++i) {
    lines.offsets.clear();
    for (const double x : lines.stations) lines.offsets.push_back(girth(section(ship, form, 2 * x / L), bottom, side));
    mesh = wetted_mesh(lines);
    const Hydrostatics h = hydrostatics(mesh);
    volume_error = h.volume / (ship.block * L * B * T) - 1;
    lcb_error = (h.buoyancy.x() - lcb) / L;
    // By half of what is due: where a bilge is one corner of panels, its area answers more than in proportion.
    form.midship = std::clamp(form.midship * std::sqrt(cm * B * T / midship_area(lines)), 0.5, 0.9985);
    form.prismatic = std::clamp(form.prismatic / (1 + volume_error), 0.53, 0.97);
    form.waterplane = std::clamp(form.waterplane * cw * L * B / h.waterplane, form.prismatic + 0.005, 0.995);
    // A prismatic coefficient that is larger by 1 in front would move the centre by about 0.4 L.
    const double possible = std::max(0.0, std::min(form.prismatic - 0.534, 0.975 - form.prismatic));
    const double room = ship.lcb ? possible : 0.5 * possible;  // a wish must not make one end needle-fine
    form.forward = std::clamp(form.forward - lcb_error / 0.4, -room, room);
  }
  if (std::abs(volume_error) > 1e-5)
    throw std::invalid_argument(fmt::format(
        "panels of {:.3g} m cannot make a hull of block coefficient {}: take smaller ones", size, ship.block));
  if (ship.lcb && std::abs(lcb_error) > 1e-4)
    throw std::invalid_argument(fmt::format(
        "with cb {} the centre of buoyancy cannot be {:.3g} m forward of midships; {:.3g} m would be possible",
        ship.block, lcb, lcb + lcb_error * L));

  if (whole) {
    const double top = ship.depth - T;
    std::vector<double> order(lines.stations.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<double>(i);
    const auto edge = [&](double station) {
      const size_t i = static_cast<size_t>(station);
      return Vec2(lines.stations[i], lines.offsets[i].back().x());
    };
    if (top > 0)
      add_grid(mesh, spaced(0, top, size, refine), order,
               [&](double z, double i) { return Vec3(edge(i).x(), edge(i).y(), z); });
    add_grid(mesh, order, spaced(0, 1, 1.0 / bottom),
             [&](double i, double v) { return Vec3(edge(i).x(), v * edge(i).y(), top); });
  }
  return mesh;
}

}  // namespace davit::hull
