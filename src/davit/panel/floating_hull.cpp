// Draft or weight of a hull to wetted panels, hydrostatics and mass: the draft is found by halving, or it floats level.
#include "davit/panel/floating_hull.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "davit/hull/floating_equilibrium.hpp"
#include "davit/hull/hull_file.hpp"
#include "davit/hull/panel_edges.hpp"
#include "davit/hull/shape_text.hpp"
#include "davit/hull/waterplane.hpp"
#include "davit/math/constants.hpp"

namespace davit::panel {

namespace {

using hull::PanelMesh;

// A hull before it is in the water: a shape that can be panelled at any draft, or a mesh.
struct Source {
  std::optional<hull::Shape> shape;
  PanelMesh mesh;         // oriented; of a shape: its whole, up to the deck
  double depth = 0;       // from the lowest to the highest point
  double lowest = 0;      // z of the lowest point in the mesh
  bool has_draft = true;  // of its own: false for a box of which only the depth was said
};

bool says_draft(const hull::Shape& shape) {
  return std::visit(
      [](const auto& s) {
        using Kind = std::decay_t<decltype(s)>;
        if constexpr (std::is_same_v<Kind, hull::Barge> || std::is_same_v<Kind, hull::Cylinder>)
          return s.draft.has_value();
        else
          return true;
      },
      shape);
}

void set_draft(hull::Shape& shape, double draft) {
  std::visit([&](auto& s) { s.draft = draft; }, shape);
}

double longest_dimension(const hull::Shape& shape) {
  return std::visit(
      [](const auto& s) {
        if constexpr (requires { s.length; })
          return std::max(s.length, s.beam);
        else
          return s.diameter;
      },
      shape);
}

std::optional<Source> load(const HullSpec& spec, input::Problems& problems) {
  Source source;
  try {
    if (const auto file = spec.mesh_file()) {
      source.mesh = hull::orient(hull::read_hull(*file));
    } else {
      const auto shape = hull::parse_shape(spec.hull);
      if (!shape.value) {
        problems.error(spec.where, shape.mistake, shape.remedy);
        return std::nullopt;
      }
      source.shape = *shape.value;
      source.has_draft = says_draft(*source.shape);
      source.mesh = hull::panelled(*source.shape, {longest_dimension(*source.shape) / 60, 4000, 0}, hull::Part::whole);
    }
  } catch (const MeshFileError& error) {
    problems.error(spec.where, spec.mesh_file()->string() + ": " + error.message, error.remedy);
    return std::nullopt;
  } catch (const std::invalid_argument& error) {
    problems.error(spec.where, error.what(), "change the dimensions of the hull");
    return std::nullopt;
  }
  if (source.mesh.panels.empty()) {
    problems.error(spec.where, "the hull has no panels", "export it again, as a surface");
    return std::nullopt;
  }
  const Box box = hull::bounds(source.mesh);
  source.lowest = box.low.z();
  source.depth = box.high.z() - box.low.z();
  return source;
}

PanelMesh shifted(const PanelMesh& mesh, const Vec3& by) { return hull::placed(mesh, {Mat3::Identity(), by}); }

// How deep the hull floats upright under its mass: the volume under water grows with the draft, so halving finds it.
std::optional<double> level_draft(const Source& source, double mass, double density) {
  const auto displaced = [&](double draft) {
    const PanelMesh wetted = hull::cut_at_waterplane(shifted(source.mesh, {0, 0, -draft - source.lowest}));
    return wetted.panels.empty() ? 0.0 : density * hull::hydrostatics(wetted).volume;
  };
  double low = 0, high = source.depth * (1 - 1e-9);
  if (displaced(high) < mass) return std::nullopt;
  for (int round = 0; round < 60 && high - low > 1e-9 * source.depth; ++round) {
    const double middle = 0.5 * (low + high);
    (displaced(middle) < mass ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

// The hull in the water: wetted panels, and where its lowest point (in its own axes) has come to.
struct InWater {
  PanelMesh wetted;
  Pose pose;  // of the hull's own axes with the origin at its lowest point, x and y as they are
};

class Preparation {
 public:
  Preparation(const HullSpec& spec, const WaterSpec& water, const PanelRules& rules, input::Problems& problems)
      : spec_(spec), water_(water), rules_(rules), problems_(problems) {}

  std::optional<FloatingHull> operator()(const std::string& name) {
    auto source = load(spec_, problems_);
    if (!source) return std::nullopt;
    const auto in_water = put_in_water(*source);
    if (!in_water) return std::nullopt;
    if (in_water->wetted.panels.empty()) {
      fail("no part of the hull is under water", "give its draft, or move the mesh so that the water is at z = 0");
      return std::nullopt;
    }
    if (const double draught = -hull::bounds(in_water->wetted).low.z(); water_.depth && draught >= *water_.depth) {
      fail(fmt::format("the hull is {:.3g} m deep in water of {:.3g} m", draught, *water_.depth),
           "give a larger depth of the water, or a smaller draft");
      return std::nullopt;
    }
    const Vec3 at(spec_.at.x(), spec_.at.y(), 0);
    const Pose pose{in_water->pose.R, in_water->pose.p + at};

    FloatingHull out;
    out.pose = pose;
    out.notes = std::move(notes_);
    out.wetted.name = name;
    out.wetted.wetted = at.isZero(0) ? in_water->wetted : shifted(in_water->wetted, at);
    if (!sound(out)) return std::nullopt;
    out.statics = hull::hydrostatics(out.wetted.wetted);
    if (!(out.statics.volume > 0)) {
      fail("the hull displaces no water", "turn its panels round, or close its surface below the water");
      return std::nullopt;
    }
    if (rules_.lid) add_lid(out);
    weigh(out, *source, pose);
    return out;
  }

 private:
  void fail(const std::string& what, const std::string& remedy) { problems_.error(spec_.where, what, remedy); }

  // Small against the shortest wave, and against the hull itself.
  double panel_size(const hull::Shape& shape) const {
    const double of_wave = rules_.shortest_wave / panels_in_shortest_wave, of_hull = longest_dimension(shape) / 60;
    return spec_.panel_size.value_or(rules_.finer * std::min(of_wave, of_hull));
  }
  // Sharp edges need panels of a quarter of the others, smooth hulls only somewhat smaller ones at the water.
  static double refinement(const hull::Shape& shape) {
    const bool has_edges = std::holds_alternative<hull::Barge>(shape) || std::holds_alternative<hull::Cylinder>(shape);
    return has_edges ? 2 : 1;
  }

  InWater at_draft(Source& source, double draft) {
    const Pose pose{Mat3::Identity(), {0, 0, -draft}};
    if (source.shape) {
      set_draft(*source.shape, draft);
      const hull::Panelling panelling{panel_size(*source.shape), rules_.most_panels, refinement(*source.shape)};
      return {hull::panelled(*source.shape, panelling), pose};
    }
    return {hull::cut_at_waterplane(shifted(source.mesh, {0, 0, -draft - source.lowest})), pose};
  }

  std::optional<InWater> put_in_water(Source& source) {
    try {
      if (spec_.draft) {
        if (*spec_.draft > source.depth * (1 + 1e-9)) {
          fail(fmt::format("a draft of {:.4g} m is more than the hull's depth of {:.4g} m", *spec_.draft, source.depth),
               "give a smaller draft, or a hull that goes up to its deck");
          return std::nullopt;
        }
        return at_draft(source, *spec_.draft);
      }
      if (spec_.mass) return spec_.centre ? under_weight(source) : level(source);
      if (!source.has_draft) {
        fail("it is not said how deep the hull floats", "give its 'draft', or its 'mass'");
        return std::nullopt;
      }
      return at_draft(source, -source.lowest);
    } catch (const std::invalid_argument& error) {
      fail(error.what(), "change the dimensions of the hull");
      return std::nullopt;
    }
  }

  std::optional<InWater> level(Source& source) {
    const auto draft = level_draft(source, *spec_.mass, water_.density);
    if (!draft) {
      fail(fmt::format("the hull sinks: {:.6g} t is more than it can carry", *spec_.mass / 1000),
           "give a smaller mass, or a hull that goes up to its deck");
      return std::nullopt;
    }
    notes_.push_back(fmt::format("floats upright at a draft of {:.4g} m", *draft));
    return at_draft(source, *draft);
  }

  std::optional<InWater> under_weight(Source& source) {
    const Vec3 keel(0, 0, source.lowest);
    const hull::Weight weight{*spec_.mass, *spec_.centre + keel};
    const hull::Floating floating = hull::float_hull(source.mesh, weight, {water_.density, water_.gravity});
    using State = hull::Floating::State;
    if (floating.state == State::deck_wet) {
      problems_.warning(spec_.where, floating.message, "check mass and centre of gravity");
    } else if (floating.state != State::afloat) {
      fail(floating.message, "check mass and centre of gravity");
      return std::nullopt;
    }
    notes_.push_back(fmt::format("floats at a draft of {:.4g} m, {}", floating.hydrostatics.draft,
                                 hull::tilt_in_words(floating.heel, floating.trim)));
    const Pose pose{floating.pose.R, floating.pose.p + floating.pose.R * keel};
    constexpr double level_enough = 1e-5;  // radians: below what a draft mark tells
    if (std::abs(floating.heel) < level_enough && std::abs(floating.trim) < level_enough)
      return at_draft(source, -pose.p.z());
    PanelMesh mesh = source.mesh;
    if (source.shape)
      mesh = hull::panelled(*source.shape, {panel_size(*source.shape), rules_.most_panels, 0}, hull::Part::whole);
    return InWater{hull::cut_at_waterplane(hull::placed(mesh, floating.pose)), pose};
  }

  // Reports what is found; false for a hull of which all numbers would be wrong.
  bool sound(FloatingHull& out) {
    bool good = true;
    out.findings = hull::check(out.wetted.wetted, rules_.shortest_wave);
    for (const hull::Finding& finding : out.findings) {
      const std::string what = finding.where.empty() ? finding.what : finding.what + " (" + finding.where + ")";
      if (finding.severity == hull::Finding::Severity::error) {
        fail(what, finding.remedy);
        good = false;
      } else if (finding.severity == hull::Finding::Severity::warning) {
        problems_.warning(spec_.where, what, finding.remedy);
      }
    }
    return good;
  }

  // As fine as the hull at its waterline, where sources of lid and hull are neighbours.
  void add_lid(FloatingHull& out) {
    std::vector<double> sides;
    for (const auto& panel : hull::panel_geometries(out.wetted.wetted)) sides.push_back(panel.longest_side);
    std::nth_element(sides.begin(), sides.begin() + static_cast<std::ptrdiff_t>(sides.size() / 2), sides.end());
    out.wetted.lid = hull::lid(out.wetted.wetted, 1.2 * sides[sides.size() / 2]);
    out.wetted.lid.mirror_x = out.wetted.wetted.mirror_x;
    out.wetted.lid.mirror_y = out.wetted.wetted.mirror_y;
  }

  void weigh(FloatingHull& out, const Source& source, const Pose& pose) {
    const hull::Hydrostatics& statics = out.statics;
    const double displaced = water_.density * statics.volume;
    hydro::MassProperties loading;
    loading.mass = spec_.mass.value_or(displaced);
    if (!spec_.mass)
      out.notes.push_back(fmt::format("mass not given: {:.6g} t, what the hull displaces", displaced / 1000));
    if (std::abs(loading.mass - displaced) > 0.01 * displaced)
      problems_.warning(spec_.where,
                        fmt::format("the mass of {:.6g} t is not what the hull displaces at its draft, {:.6g} t",
                                    loading.mass / 1000, displaced / 1000),
                        "leave out 'draft' to let it float, or 'mass' to take what it displaces");
    loading.centre = centre_of_gravity(out, source, pose);
    const hull::MetacentricHeights gm = hull::metacentric_heights(statics, loading.centre);
    if (gm.transverse <= 0 || gm.longitudinal <= 0)
      problems_.warning(spec_.where,
                        fmt::format("the hull is not stable: GM is {:.3g} m in roll and {:.3g} m in pitch",
                                    gm.transverse, gm.longitudinal),
                        "check the centre of gravity");
    Vec3 radii;
    if (spec_.gyration) {
      radii = *spec_.gyration;
    } else {
      const hull::GyrationRadii typical = hull::typical_gyration(statics.length, statics.beam);
      radii = {typical.xx, typical.yy, typical.zz};
      out.notes.push_back(typical.note);
    }
    loading.inertia = (loading.mass * radii.cwiseAbs2()).asDiagonal();

    hydro::FloatingBody& body = out.body;
    body.name = out.wetted.name;
    body.reference = spec_.reference.value_or(Vec3::Zero()) + Vec3(spec_.at.x(), spec_.at.y(), 0);
    body.volume = statics.volume;
    body.buoyancy = statics.buoyancy;
    body.restoring =
        hull::restoring(statics, {water_.density, water_.gravity}, Vec3::Zero(), {loading.mass, loading.centre});
    body.loading = loading;
  }

  Vec3 centre_of_gravity(FloatingHull& out, const Source& source, const Pose& pose) {
    if (spec_.centre) return pose * *spec_.centre;
    const Vec3& buoyancy = out.statics.buoyancy;
    if (spec_.kg) return {buoyancy.x(), buoyancy.y(), pose.p.z() + *spec_.kg};
    // Typical of laden ships and barges: six tenths of the depth above the keel, but not so high that it hardly stands
    // upright.
    const double metacentre =
        buoyancy.z() + std::min(out.statics.transverse(), out.statics.longitudinal()) / out.statics.volume;
    const double height = std::min(pose.p.z() + 0.6 * source.depth, metacentre - 0.05 * out.statics.beam);
    out.notes.push_back(
        fmt::format("centre of gravity not given: {:.4g} m above the lowest point, over the centre of buoyancy",
                    height - pose.p.z()));
    return {buoyancy.x(), buoyancy.y(), height};
  }

  const HullSpec& spec_;
  const WaterSpec& water_;
  const PanelRules& rules_;
  input::Problems& problems_;
  std::vector<std::string> notes_;
};

}  // namespace

std::optional<double> length_of(const HullSpec& spec, input::Problems& problems) {
  const auto source = load(spec, problems);
  if (!source) return std::nullopt;
  if (source->shape) return longest_dimension(*source->shape);
  Box box = hull::bounds(hull::expand(source->mesh));
  return (box.high - box.low).head<2>().maxCoeff();
}

std::optional<WholeHull> whole_hull(const HullSpec& spec, input::Problems& problems) {
  auto source = load(spec, problems);
  if (!source) return std::nullopt;
  return WholeHull{std::move(source->mesh), source->lowest};
}

std::optional<FloatingHull> prepare_hull(const std::string& name, const HullSpec& spec, const WaterSpec& water,
                                         const PanelRules& rules, input::Problems& problems) {
  return Preparation(spec, water, rules, problems)(name);
}

}  // namespace davit::panel
