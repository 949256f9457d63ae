#include "davit/hull/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "davit/hull/holes.hpp"
#include "davit/hull/hydrostatics.hpp"
#include "davit/hull/panel_edges.hpp"
#include "davit/hull/panel_geometry.hpp"
#include "davit/hull/waterplane.hpp"

namespace davit::hull {

namespace {

using Severity = Finding::Severity;

// Deviations that are smaller are round-off of files: of the hull's extent.
constexpr double close_to = 1e-5;
constexpr double most_warp = 0.1;            // of the panel's diameter
constexpr double most_slender = 10;          // longest side by mean width
constexpr double least_area = 1e-10;         // of the squared extent
constexpr double volumes_agree = 1e-3;       // by the flux of x, y and z: seams of a sound hull
constexpr double volumes_acceptable = 0.01;  // forces are then right to about as much
constexpr double least_hole = 1e-3;          // of the surface under water: what is smaller changes forces less

class Checker {
 public:
  Checker(const PanelMesh& mesh, double shortest_wave)
      : mesh_(mesh), size_(extent(mesh)), panels_(panel_geometries(mesh)), shortest_wave_(shortest_wave) {}

  std::vector<Finding> all() {
    if (mesh_.panels.empty()) {
      add(Severity::error, "there are no panels", "", "give a hull");
      return found_;
    }
    wrong_side();
    above_water();
    nothing();
    twice();
    edges();
    inside_out();
    shapes();
    sizes();
    return found_;
  }

 private:
  void add(Severity severity, std::string what, std::string where, std::string remedy) {
    found_.push_back({severity, std::move(what), std::move(where), std::move(remedy)});
  }

  std::string place(int panel) const {
    const Vec3& c = panels_[static_cast<size_t>(panel)].centroid;
    return fmt::format("panel {} at ({:.2f}, {:.2f}, {:.2f})", panel + 1, c.x(), c.y(), c.z());
  }

  // Reports panels of one kind: how many, and the worst.
  void report(Severity severity, const std::function<double(int)>& badness, const std::string& what,
              const std::string& remedy) {
    int count = 0, worst = 0;
    double most = 0;
    for (int i = 0; i < mesh_.count(); ++i) {
      const double bad = badness(i);
      if (!(bad > 0)) continue;
      ++count;
      if (bad > most) most = bad, worst = i;
    }
    if (count > 0)
      add(severity, fmt::format("{} panel{} {}", count, count == 1 ? "" : "s", what), place(worst), remedy);
  }

  bool wet(int i) const { return panels_[static_cast<size_t>(i)].centroid.z() < 0; }

  void wrong_side() {
    const auto across = [&](bool mirror, int axis, const char* plane) {
      if (!mirror) return;
      const double side = panels_.empty() ? 0 : bounds(mesh_).centre()[axis] < 0 ? -1 : 1;
      report(
          Severity::error,
          [&](int i) { return -side * panels_[static_cast<size_t>(i)].centroid[axis] - close_to * size_; },
          fmt::format("beyond the plane of symmetry {} = 0: their images overlap others", plane),
          "list one side only, or give the hull without symmetry");
    };
    across(mesh_.mirror_x, 0, "x");
    across(mesh_.mirror_y, 1, "y");
  }

  void above_water() {
    const auto top = [&](int i) {
      double z = 0;
      for (int k = 0; k < 4; ++k) z = std::max(z, mesh_.corner(i, k).z());
      return z;
    };
    report(
        Severity::note, [&](int i) { return top(i) - close_to * size_; }, "above the water, wholly or in part",
        "the hull is cut at z = 0");
    report(
        Severity::note,
        [&](int i) {
          double off = 0;
          for (int k = 0; k < 4; ++k) off = std::max(off, std::abs(mesh_.corner(i, k).z()));
          return off <= close_to * size_ ? 1.0 : 0.0;
        },
        "in the waterplane: a deck or a lid", "they are left out; a lid is made where it is needed");
    if (std::none_of(panels_.begin(), panels_.end(), [](const auto& g) { return g.centroid.z() < 0; }))
      add(Severity::error, "the whole hull is above the water", "", "z = 0 is the waterplane: give the draft");
  }

  void nothing() {
    report(
        Severity::warning,
        [&](int i) { return panels_[static_cast<size_t>(i)].area <= least_area * size_ * size_ ? 1.0 : 0.0; },
        "without area", "they are left out");
  }

  void twice() {
    std::map<std::array<int, 4>, int> first;
    std::vector<char> again(mesh_.panels.size(), 0);
    for (size_t i = 0; i < mesh_.panels.size(); ++i) {
      if (panels_[i].area <= 0) continue;
      auto points = mesh_.panels[i];
      std::sort(points.begin(), points.end());
      again[i] = !first.emplace(points, static_cast<int>(i)).second;
    }
    report(
        Severity::error, [&](int i) { return double(again[static_cast<size_t>(i)]); }, "found twice",
        "leave the copies out; a thin plate needs two sides at some distance");
  }

  void edges() {
    const double near = close_to * size_;
    int opposed = 0, opposed_at = 0, crowded = 0, crowded_at = 0;
    for (const auto& [edge, uses] : find_edges(mesh_)) {
      const Vec3 &a = mesh_.points[static_cast<size_t>(edge.first)],
                 &b = mesh_.points[static_cast<size_t>(edge.second)];
      if (a.z() >= -near && b.z() >= -near) continue;
      if (uses.size() == 2 && uses[0].forward == uses[1].forward) {
        ++opposed;
        opposed_at = uses[0].panel;
      } else if (uses.size() > 2) {
        ++crowded;
        crowded_at = uses[0].panel;
      }
    }
    if (opposed > 0)
      add(Severity::error, fmt::format("neighbours look to opposite sides at {} edges", opposed), place(opposed_at),
          "turn panels: counter-clockwise seen from the water");
    if (crowded > 0)
      add(Severity::warning, fmt::format("{} edges with three or more panels", crowded), place(crowded_at),
          "leave inner walls out: panels bound the water only");
    const std::vector<OpenEdge> open = open_edges(mesh_, near);
    const double share = holes(open);
    if (!open.empty() && share < least_hole) seams(open, share > 0);
  }

  // Where panels are missing. Returns their part of the surface under water.
  double holes(const std::vector<OpenEdge>& open) {
    const std::vector<Hole> found = find_holes(mesh_, open);
    if (found.empty()) return 0;
    double wetted = 0, area = 0;
    for (size_t i = 0; i < panels_.size(); ++i)
      if (wet(static_cast<int>(i))) wetted += panels_[i].area;
    const Hole* largest = &found[0];
    for (const Hole& hole : found) {
      area += hole.area;
      if (hole.area > largest->area) largest = &hole;
    }
    const double share = area / (wetted + area);
    const std::string what = fmt::format("{} below the water, of about {:.2g} m² ({:.2g} % of the surface there)",
                                         found.size() == 1 ? "a hole" : "holes", area, 100 * share);
    if (share >= least_hole)
      add(Severity::error, what, place(largest->panel),
          "add the panels that are missing; a thin plate needs two sides at some distance");
    else
      add(Severity::warning, what, place(largest->panel),
          "the hull is taken as it is; add the panel that is missing for more accurate forces");
    return share;
  }

  // Panels that meet without sharing corners are no mistake, as long as the surface closes.
  void seams(const std::vector<OpenEdge>& open, bool has_small_hole) {
    double length = 0, longest = 0;
    int at = 0;
    for (const OpenEdge& e : open) {
      const double l = (mesh_.points[static_cast<size_t>(e.to)] - mesh_.points[static_cast<size_t>(e.from)]).norm();
      length += l;
      if (l > longest) longest = l, at = e.panel;
    }
    const Vec3 volumes = volumes_by_flux(cut_at_waterplane(mesh_));
    const double apart = (volumes.maxCoeff() - volumes.minCoeff()) / volumes.cwiseAbs().maxCoeff();
    const std::string lengths = fmt::format("{} open edges below the water, {:.3g} m together", open.size(), length);
    const std::string differ = fmt::format("volumes by x, y and z differ by {:.2g} %", 100 * apart);
    if (apart < volumes_agree) {
      if (!has_small_hole)
        add(Severity::note, lengths + ": panels meet, but not corner to corner", place(at),
            "nothing needs to be done if this is how the mesh was divided");
    } else if (apart < volumes_acceptable) {
      add(Severity::warning, lengths + ": panels meet with gaps (" + differ + ")", place(at),
          "the hull is taken as it is; close the gaps for more accurate forces");
    } else {
      add(Severity::error, lengths + ": the hull is not closed (" + differ + ")", place(at),
          "close the hull below z = 0, or move it to its draft");
    }
  }

  void inside_out() {
    const double volume = hydrostatics(cut_at_waterplane(mesh_)).volume;
    if (volume < 0)
      add(Severity::error, fmt::format("the volume is negative ({:.4g} m³): normals point into the hull", volume), "",
          "turn all panels: counter-clockwise seen from the water");
  }

  void shapes() {
    report(
        Severity::warning,
        [&](int i) {
          const auto& g = panels_[static_cast<size_t>(i)];
          return wet(i) && g.diameter > 0 ? g.warp / g.diameter - most_warp : 0.0;
        },
        "strongly warped", "divide them into triangles");
    report(
        Severity::warning,
        [&](int i) {
          const auto& g = panels_[static_cast<size_t>(i)];
          if (!wet(i) || g.area <= least_area * size_ * size_) return 0.0;
          return g.longest_side * g.longest_side / g.area - most_slender;
        },
        fmt::format("more than {} times as long as wide", most_slender), "divide them lengthwise");
  }

  void sizes() {
    if (!(shortest_wave_ > 0)) return;
    report(
        Severity::warning,
        [&](int i) {
          return wet(i) ? panels_[static_cast<size_t>(i)].longest_side - shortest_wave_ / panels_per_wave : 0.0;
        },
        fmt::format("longer than a {:g}th of the shortest wave ({:.3g} m); waves of {:.3g} m and longer are resolved",
                    panels_per_wave, shortest_wave_, shortest_wave_resolved(mesh_)),
        "take smaller panels or longer waves");
  }

  const PanelMesh& mesh_;
  double size_;
  std::vector<PanelGeometry> panels_;
  double shortest_wave_;
  std::vector<Finding> found_;
};

}  // namespace

std::string in_words(const Finding& f) {
  const char* severity = f.severity == Severity::error ? "error" : f.severity == Severity::warning ? "warning" : "note";
  return fmt::format("{}: {}{}; {}", severity, f.what, f.where.empty() ? "" : ", e.g. " + f.where, f.remedy);
}

double shortest_wave_resolved(const PanelMesh& mesh) {
  double longest = 0;
  for (const auto& g : panel_geometries(mesh))
    if (g.centroid.z() < 0) longest = std::max(longest, g.longest_side);
  return panels_per_wave * longest;
}

std::vector<Finding> check(const PanelMesh& mesh, double shortest_wave_length) {
  return Checker(mesh, shortest_wave_length).all();
}

}  // namespace davit::hull
