#include "davit/mooring/line_spec.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <tuple>

#include "davit/assembly/element_channel.hpp"
#include "davit/cable/bar_line.hpp"
#include "davit/cable/beam_line.hpp"
#include "davit/model/workspace.hpp"
#include "davit/mooring/line_force.hpp"

namespace davit::mooring {

const input::Record<SectionSpec>& SectionSpec::record() {
  static const auto r =
      input::Record<SectionSpec>("section", "A piece of a mooring line; sections follow one another from the anchor")
          .choice("type", &SectionSpec::type,
                  {{"studless_chain", LineKind::studless_chain},
                   {"studlink_chain", LineKind::studlink_chain},
                   {"wire", LineKind::wire},
                   {"polyester", LineKind::polyester}},
                  "typical properties by nominal diameter; what is given beside it comes first")
          .choice("grade", &SectionSpec::grade,
                  {{"R3", ChainGrade::R3}, {"R3S", ChainGrade::R3S}, {"R4", ChainGrade::R4}, {"R5", ChainGrade::R5}},
                  "of chain, for its breaking load")
          .by_default()
          .field("diameter", &SectionSpec::diameter, "m", "nominal, of the bar of a chain; drag is on it")
          .above(0)
          .at_most(2)
          .field("length", &SectionSpec::length, "m", "unstretched")
          .above(0)
          .at_most(1e5)
          .field("elements", &SectionSpec::elements,
                 "bars that it is divided into; if not given, as many as the way it touches the bed needs")
          .at_least(1)
          .at_most(2000)
          .field("EA", &SectionSpec::EA, "N", "axial stiffness")
          .above(0)
          .field("EI", &SectionSpec::EI, "N m^2", "bending stiffness; none if not given")
          .at_least(0)
          .field("mass", &SectionSpec::mass, "kg/m", "in air")
          .above(0)
          .field("submerged_weight", &SectionSpec::submerged_weight, "N/m", "in water")
          .field("mbl", &SectionSpec::mbl, "N", "breaking load")
          .above(0)
          .field("drag_normal", &SectionSpec::drag_normal, "1", "coefficient across, on the diameter")
          .at_least(0)
          .field("drag_tangential", &SectionSpec::drag_tangential, "1", "coefficient along, on the diameter")
          .at_least(0)
          .field("added_mass_normal", &SectionSpec::added_mass_normal, "1",
                 "coefficient across, of the water displaced")
          .at_least(0)
          .field("added_mass_tangential", &SectionSpec::added_mass_tangential, "1",
                 "coefficient along, of the water displaced")
          .at_least(0)
          .field("damping_time", &SectionSpec::damping_time, "s", "of the material: T = EA (strain + time * its rate)")
          .at_least(0)
          .at_most(10)
          .by_default()
          .located(&SectionSpec::where);
  return r;
}

const input::Record<AttachmentSpec>& AttachmentSpec::record() {
  static const auto r = input::Record<AttachmentSpec>("attachment", "A clump weight or a buoy on a mooring line")
                            .field("at", &AttachmentSpec::at, "m", "unstretched length from the anchor")
                            .above(0)
                            .field("mass", &AttachmentSpec::mass, "kg", "in air")
                            .at_least(0)
                            .field("volume", &AttachmentSpec::volume, "m^3", "of water that it displaces")
                            .at_least(0)
                            .by_default()
                            .field("drag_area", &AttachmentSpec::drag_area, "m^2", "coefficient of drag times area")
                            .at_least(0)
                            .by_default()
                            .field("added_mass", &AttachmentSpec::added_mass, "kg", "of the water around it")
                            .at_least(0)
                            .by_default()
                            .located(&AttachmentSpec::where);
  return r;
}

const input::Record<SeabedSpec>& SeabedSpec::record() {
  static const auto r =
      input::Record<SeabedSpec>("seabed", "The bed under a mooring line, level")
          .field("depth", &SeabedSpec::depth, "m", "below still water; if not given, that of the environment")
          .above(0)
          .field("stiffness", &SeabedSpec::stiffness, "N/m^2",
                 "per metre of line; if not given, the line sinks in by 0.2 m of its own weight")
          .above(0)
          .field("damping", &SeabedSpec::damping, "N s/m^2",
                 "per metre of line; if not given, critical damping of the line on the bed")
          .at_least(0)
          .field("friction", &SeabedSpec::friction, "1", "coefficient of Coulomb's friction, in all directions")
          .at_least(0)
          .at_most(5)
          .by_default();
  return r;
}

const input::Record<MooringLineSpec>& MooringLineSpec::record() {
  static const auto r =
      input::Record<MooringLineSpec>("mooring_line", "A line from an anchor, or a body, to a body: chain, wire, fibre")
          .field("anchor", &MooringLineSpec::anchor, "m", "place of the anchor in the world, z up from still water")
          .example("[300 m, 0, -50 m]")
          .field("from", &MooringLineSpec::from, "instead: a body or a named point that holds the first end")
          .field("to", &MooringLineSpec::to, "the body or named point that holds the other end: a fairlead")
          .field("sections", &MooringLineSpec::sections, "what it is made of, from the anchor on")
          .example("[{type: studless_chain, diameter: 76 mm, length: 290 m}]")
          .field("attachments", &MooringLineSpec::attachments, "clump weights and buoys")
          .by_default()
          .field("seabed", &MooringLineSpec::seabed, "on which it lies; none in water without a depth")
          .field("tension", &MooringLineSpec::tension, "N",
                 "at the fairlead at the start: the length of the last section is found for it")
          .above(0)
          .choice(
              "element", &MooringLineSpec::element,
              {{"auto", ElementKind::automatic}, {"bar", ElementKind::bar}, {"ancf", ElementKind::ancf}},
              "bars, which do not bend, or ANCF beams; auto: beams where an end is clamped, or where the line bends "
              "over more than a fifth of a bar, sqrt(EI/T)")
          .by_default()
          .choice("strain", &MooringLineSpec::strain,
                  {{"engineering", cable::Strain::engineering}, {"green", cable::Strain::green}},
                  "of beams; Green and Lagrange's is stiffer by 1.5 times the strain")
          .by_default()
          .field(
              "clamped_from", &MooringLineSpec::clamped_from, "1",
              "clamped at its first end: direction in which it leaves, in the axes of the body, of an anchor those of "
              "the world")
          .example("[1, 0, 0]")
          .field("clamped_to", &MooringLineSpec::clamped_to, "1",
                 "clamped at the fairlead: direction in which it leaves, in the axes of the body")
          .example("[0, 0, -1]")
          .field(
              "accuracy", &MooringLineSpec::accuracy, "1",
              "error of the tension under the motion of the waves, over its deviation, that elements are chosen for; "
              "a step of the run that is too long for it is reported")
          .at_least(finest_accuracy)
          .at_most(coarsest_accuracy)
          .by_default()
          .located(&MooringLineSpec::where);
  return r;
}

namespace {

// A section with all its properties; nothing after a mistake.
std::optional<cable::Section> section_of(const SectionSpec& spec, const sea::Water& water, input::Problems& problems) {
  cable::Section out;
  if (spec.type) {
    if (!spec.diameter) {
      problems.error(spec.where, "typical properties need a diameter", "give 'diameter', of a chain that of its bar");
      return std::nullopt;
    }
    out = typical_section(*spec.type, *spec.diameter, spec.grade);
  } else if (!spec.EA || !spec.mass || !spec.submerged_weight) {
    problems.error(spec.where, "a section without 'type' needs EA, mass and submerged_weight",
                   "give them, or a type with a diameter: {type: studless_chain, diameter: 76 mm}");
    return std::nullopt;
  }
  out.length = spec.length;
  if (spec.diameter) out.diameter = *spec.diameter;
  if (spec.EA) out.EA = *spec.EA;
  if (spec.EI) out.EI = *spec.EI;
  if (spec.mass) {
    if (spec.type) out.displacement *= *spec.mass / out.mass;
    out.mass = *spec.mass;
  }
  if (spec.submerged_weight) out.displacement = (out.mass - *spec.submerged_weight / water.gravity) / water.density;
  if (out.displacement < 0) {
    problems.error(spec.where,
                   fmt::format("a line of {:.4g} kg/m cannot weigh {:.4g} N/m in water", out.mass,
                               (out.mass - water.density * out.displacement) * water.gravity),
                   "mass is that in air, submerged_weight is in N/m: 100 kg/m of steel weigh about 850 N/m in water");
    return std::nullopt;
  }
  if (spec.mbl) out.breaking_load = *spec.mbl;
  if (spec.drag_normal) out.drag_normal = *spec.drag_normal;
  if (spec.drag_tangential) out.drag_tangential = *spec.drag_tangential;
  if (spec.added_mass_normal) out.added_mass_normal = *spec.added_mass_normal;
  if (spec.added_mass_tangential) out.added_mass_tangential = *spec.added_mass_tangential;
  out.damping_time = spec.damping_time;
  return out;
}

// A cubic of a beam does the work of so many bars.
constexpr double beam_in_bars = 2;

// The line with its ends as they are at the start.
class LineBuilder {
 public:
  LineBuilder(const MooringLineSpec& spec, std::vector<cable::Section> sections, cable::Bed bed,
              cable::Surroundings around, const cable::LineEnds& ends)
      : spec_(spec), sections_(std::move(sections)), bed_(bed), around_(std::move(around)), ends_(ends) {
    beams_ = spec.element == ElementKind::ancf;
    for (const AttachmentSpec& at : spec.attachments)
      attachments_.push_back({at.at, at.mass, at.volume, at.drag_area, at.added_mass});
  }

  // What was chosen, for the banner.
  std::string choice() const {
    const double accuracy = 100 * spec_.accuracy;
    std::string out = fmt::format("for {:g} %", accuracy);
    if (spec_.element == ElementKind::automatic && bending_ > 0)
      out += fmt::format("; {} because it bends over {:.2g} m", beams_ ? "beams" : "bars", bending_);
    return out;
  }

  std::unique_ptr<const cable::LineModel> build(input::Problems& problems) {
    try {
      choose_elements(3);
      if (!check_reach(problems)) return nullptr;
      if (spec_.tension && !find_length(problems)) return nullptr;
      auto rest = settled(problems);
      if (!rest) return nullptr;
      const double horizontal = rest->force_b.head<2>().norm();
      if (bed_.stiffness > 0)
        bar_length_ = std::max(0.5, fineness_for(spec_.accuracy).bar_length * std::sqrt(horizontal / bed_.stiffness));
      bending_ = bending_length(sections_, 0.5 * (rest->tension_a + rest->tension_b));
      choose_kind();
      choose_elements(beams_ ? beam_in_bars * bar_length_ : bar_length_);
      check_bending(problems);
      // Beams hang a little otherwise.
      if (spec_.tension && beams_ && !find_length(problems)) return nullptr;
      return line();
    } catch (const std::invalid_argument& mistake) {
      problems.error(spec_.where, mistake.what(), "change what it names");
      return nullptr;
    }
  }

 private:
  std::unique_ptr<const cable::LineModel> line() const {
    if (!beams_) return std::make_unique<cable::BarLine>(cable::Line(sections_, attachments_, bed_, around_));
    cable::BeamOptions options{.strain = spec_.strain};
    if (spec_.clamped_from) options.a = cable::Hold::clamped;
    if (spec_.clamped_to) options.b = cable::Hold::clamped;
    return std::make_unique<cable::BeamLine>(cable::Beam(sections_, attachments_, bed_, around_, options));
  }
  bool clamped() const { return spec_.clamped_from || spec_.clamped_to; }
  void choose_kind() {
    if (spec_.element == ElementKind::automatic) beams_ = clamped() || bending_counts(bending_, bar_length_);
  }
  void check_bending(input::Problems& problems) const {
    if (!beams_ && clamped())
      problems.error(spec_.where, "bars do not bend, and an end of the line is clamped",
                     "leave out 'element: bar', or let the end turn");
    if (!clamped()) return;
    if (!(bending_ > 0)) {
      problems.error(spec_.where, "an end of the line is clamped, and the line has no bending stiffness",
                     "give its sections EI, or let the end turn");
      return;
    }
    // From the clamp on it bends over √(EI/T), which its elements must be able to follow.
    for (const bool first : {true, false}) {
      if (first ? !spec_.clamped_from : !spec_.clamped_to) continue;
      const cable::Section& s = first ? sections_.front() : sections_.back();
      const double element = s.length / s.elements;
      if (element > 2 * bending_)
        problems.warning(
            spec_.where,
            fmt::format("the line bends over {:.3g} m from where it is clamped, and its elements there are "
                        "{:.3g} m long: its moment and curvature there are rough",
                        bending_, element),
            fmt::format("give its end a section of its own with elements of {:.2g} m", bending_));
    }
  }
  void choose_elements(double size) {
    constexpr int fewest = 5, most = 400;
    for (size_t i = 0; i < sections_.size(); ++i)
      sections_[i].elements = spec_.sections[i].elements.value_or(
          std::clamp(static_cast<int>(std::ceil(sections_[i].length / size)), fewest, most));
  }
  double length() const {
    double sum = 0;
    for (const cable::Section& s : sections_) sum += s.length;
    return sum;
  }
  // Stretched to its breaking load, or by a tenth, it must reach from end to end.
  bool check_reach(input::Problems& problems) const {
    double reach = 0;
    for (const cable::Section& s : sections_)
      reach += s.length * (1 + (s.breaking_load > 0 ? s.breaking_load / s.EA : 0.1));
    if ((ends_.b - ends_.a).norm() <= reach || spec_.tension) return true;
    problems.error(
        spec_.where,
        fmt::format("the line is {:.5g} m long, and its ends are {:.5g} m apart", length(), (ends_.b - ends_.a).norm()),
        "lengthen a section, or move the anchor");
    return false;
  }
  std::optional<cable::LineView> settled(input::Problems& problems) const {
    const auto trial = line();
    const auto scratch = trial->make_scratch();
    std::vector<double> state(static_cast<size_t>(trial->state_size()), 0.0);
    cable::EndForces forces;
    const cable::Outcome outcome = trial->settle(ends_, state.data(), forces, *scratch);
    if (!outcome.converged) {
      problems.error(spec_.where,
                     fmt::format("no equilibrium of the line was found: {:.3g} N are left", outcome.residual),
                     "check lengths, weights and the places of its ends");
      return std::nullopt;
    }
    cable::LineView view;
    trial->look(state.data(), view);
    return view;
  }
  // Shorter lines pull more: bisection of the length of the last section.
  bool find_length(input::Problems& problems) {
    double& last = sections_.back().length;
    const double others = length() - last, apart = (ends_.b - ends_.a).norm();
    double low = std::max(0.5 * last, 0.9 * apart - others), high = std::max(2 * last, 2 * apart);
    const double wanted = *spec_.tension;
    for (int i = 0; i < 60; ++i) {
      last = 0.5 * (low + high);
      const auto view = settled(problems);
      if (!view) return false;
      (view->tension_b > wanted ? low : high) = last;
      if (high - low < 1e-6 * apart) return true;
    }
    return true;
  }

  const MooringLineSpec& spec_;
  std::vector<cable::Section> sections_;
  std::vector<cable::Attachment> attachments_;
  cable::Bed bed_;
  cable::Surroundings around_;
  cable::LineEnds ends_;
  bool beams_ = false;
  double bar_length_ = 3, bending_ = 0;  // m
};

// `strong`: its breaking load is known.
void add_observables(const std::shared_ptr<const LineForce>& force, const ElementPlace& place, bool strong,
                     Assembly& assembly) {
  const bool bends = force->line().bends();
  const cable::Clamps clamps = force->line().clamps();
  const std::string& name = force->name();
  const auto info = [&](const char* what, const char* unit, const char* words, bool main) {
    return element_scalar("mooring line", name, what, unit, words, main);
  };
  std::vector<ScalarInfo> infos = {
      info("tension", "N", "at the fairlead", true),
      info("anchor_tension", "N", "at the anchor, or the first end", false),
      info("grounded_length", "m", "in touch with the bed", false),
      info("uplift_angle", "rad", "of the pull on the anchor above the bed", false),
      info("lowest_tension", "N", "of all elements: zero where it is slack", false),
  };
  if (strong) infos.push_back(info("safety_factor", "1", "lowest of breaking load over tension along the line", false));
  if (bends) infos.push_back(info("curvature", "1/m", "largest along the line", false));
  if (clamps.a) infos.push_back(info("anchor_moment", "N m", "of bending at the first end", false));
  if (clamps.b) infos.push_back(info("moment", "N m", "of bending at the fairlead", false));
  assembly.observables().add_scalars(std::move(infos), [=](const State& s, const Workspace& w, double* values) {
    const cable::LineView& v = force->view(place.context(s, w));
    *values++ = v.tension_b;
    *values++ = v.tension_a;
    *values++ = v.grounded_length;
    *values++ = v.uplift_angle;
    *values++ = *std::min_element(v.tension.begin(), v.tension.end());
    if (strong) *values++ = v.safety_factor;
    if (bends) *values++ = *std::max_element(v.curvature.begin(), v.curvature.end());
    if (clamps.a) *values++ = v.moment_a.norm();
    if (clamps.b) *values++ = v.moment_b.norm();
  });
  assembly.observables().polylines.push_back(
      {name, [force, place](const State& s, const Workspace& w, Polyline& out) {
         const cable::LineView& v = force->view(place.context(s, w));
         out.vertices.resize(v.positions.size());
         for (size_t i = 0; i < v.positions.size(); ++i)
           out.vertices[i] = {v.positions[i], i < v.tension.size() ? v.tension[i] : 0};
       }});
}

}  // namespace

void MooringLineSpec::build(const std::string& name, Assembly& assembly) const {
  input::Problems& problems = assembly.problems();
  if (anchor.has_value() == from.has_value()) {
    problems.error(where, "a mooring line has either an anchor or a first end on a body",
                   "give 'anchor: [x, y, z]' or 'from: body.point'");
    return;
  }
  const auto near = assembly.frame(to);
  const auto far = from ? assembly.frame(*from) : std::optional(Frame{0, {Mat3::Identity(), *anchor}});
  if (!near || !far) return;
  if (sections.empty()) {
    problems.error(where, "the line has no sections",
                   "give one: sections: [{type: wire, diameter: 60 mm, length: 200 m}]");
    return;
  }
  const auto water = assembly.shared<sea::Water>();
  cable::Surroundings around;
  if (water) around.water = *water;
  around.current = assembly.shared<sea::Current>();
  std::vector<cable::Section> made;
  double heaviest = 0;
  for (const SectionSpec& each : sections) {
    const auto section = section_of(each, around.water, problems);
    if (!section) return;
    made.push_back(*section);
    heaviest =
        std::max(heaviest, (section->mass - around.water.density * section->displacement) * around.water.gravity);
  }
  const Kin kin = assembly.start_kinematics();
  const Vec3 a = position(kin, *far), b = position(kin, *near);
  cable::Bed bed;
  const double depth = seabed && seabed->depth ? *seabed->depth : around.water.depth;
  if (std::isfinite(depth)) {
    constexpr double sinks = 0.2;  // m
    bed.height = -depth;
    bed.stiffness = seabed && seabed->stiffness ? *seabed->stiffness : std::max(100.0, heaviest / sinks);
    if (seabed) {
      bed.damping = seabed->damping;
      bed.friction_along = bed.friction_across = seabed->friction;
    }
    for (const auto& [end, what] : {std::pair{a, "first end"}, std::pair{b, "fairlead"}})
      if (end.z() < -depth - 1) {
        problems.error(
            where,
            fmt::format("its {} is {:.4g} m below the bed, which is {:.4g} m deep", what, -depth - end.z(), depth),
            "put it on the bed or above, or give the depth there: seabed: {depth: ...}");
        return;
      }
    if (anchor && a.z() > -depth + 1)
      problems.warning(where, fmt::format("its anchor is {:.4g} m above the bed", a.z() + depth),
                       "put it on the bed if it is one: z is up from still water");
  } else if (seabed) {
    problems.error(where, "there is a seabed, and its depth is not known",
                   "give environment.water_depth or seabed.depth");
    return;
  }
  const bool strong = std::any_of(made.begin(), made.end(), [](const auto& s) { return s.breaking_load > 0; });
  // The x of a clamped end's frame is the direction of the line there, from the first end to the fairlead.
  Frame first = *far, last = *near;
  for (const auto& [clamped, frame, sign] :
       {std::tuple{&clamped_from, &first, 1.0}, std::tuple{&clamped_to, &last, -1.0}}) {
    if (!*clamped) continue;
    if (!((*clamped)->norm() > 0)) {
      problems.error(where, "the direction of a clamped end has no length", "give one: clamped_to: [0, 0, -1]");
      return;
    }
    frame->offset.R = Eigen::Quaterniond::FromTwoVectors(Vec3::UnitX(), sign * **clamped).toRotationMatrix();
  }
  const cable::LineEnds ends{a, b, LineForce::direction(kin, first), LineForce::direction(kin, last)};
  LineBuilder builder(*this, std::move(made), bed, std::move(around), ends);
  auto line = builder.build(problems);
  if (!line) return;
  const auto force = std::make_shared<LineForce>(name, std::move(line), first, last, builder.choice());
  add_observables(force, assembly.add(force), strong, assembly);
}

}  // namespace davit::mooring
