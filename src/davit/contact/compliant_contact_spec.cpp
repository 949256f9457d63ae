#include "davit/contact/compliant_contact_spec.hpp"

#include <fmt/format.h>

#include "davit/assembly/element_channel.hpp"
#include "davit/assembly/spring_table.hpp"
#include "davit/contact/surface_points.hpp"

namespace davit::contact {

namespace {

constexpr size_t most_points = 20000;
constexpr double shown_of_endless = 40;  // m, of a plane without end where it is looked at
// Of the normal stiffness: what a half-space of steel has beside it, 2 (1 - ν)/(2 - ν) with ν = 0.3.
constexpr double tangential_share = 0.82;

void add_channels(const std::shared_ptr<const CompliantContact>& force, const ElementPlace& place,
                  const std::vector<std::string>& points, Assembly& assembly) {
  const std::string& name = force->name();
  const auto info = [&](const std::string& what, const char* unit, const char* words, bool main) {
    return element_scalar("contact", name, what, unit, words, main);
  };
  std::vector<ScalarInfo> infos = {
      info("normal", "N", "sum of the normal forces of all points", true),
      info("friction", "N", "size of the sum of all forces along the surface", true),
      info("gap", "m", "least height of a point above the surface; beside its edges the way to it", false),
      info("touching", "1", "number of points that touch", false)};
  infos[2].crossing = {name, "touch", "part"};
  for (const std::string& point : points) {
    infos.push_back(info(point + ".normal", "N", "normal force there", false));
    infos.back().group = "contact " + name + ", points";
  }
  const size_t count = points.size();
  const auto add_resultant = [&](const std::string& of, const char* unit, const char* words) {
    for (const char* const axis : {"_x", "_y", "_z"}) {
      infos.push_back(info(of + axis, unit, words, false));
      infos.back().group = "contact " + name + ", resultant";
    }
  };
  if (count == 0) {
    add_resultant("centre", "m", "centre of pressure; 0 where nothing presses");
    add_resultant("force", "N", "of all forces on what touches");
  }
  assembly.observables().add_scalars(std::move(infos),
                                     [force, place, count](const State& s, const Workspace& w, double* values) {
                                       const ContactView& v = force->view(place.context(s, w));
                                       *values++ = v.normal;
                                       *values++ = v.friction.norm();
                                       *values++ = v.gap;
                                       *values++ = v.touching;
                                       for (size_t i = 0; i < count; ++i) *values++ = v.point_normal[i];
                                       if (count > 0) return;
                                       for (const double x : v.centre) *values++ = x;
                                       for (const double x : v.force) *values++ = x;
                                     });
}

// All over a surface; nothing after a mistake.
std::vector<ContactPoint> points_on(const BodySurface& surface, const std::optional<double>& spacing,
                                    const input::Where& where, input::Problems& problems) {
  const double apart = spacing.value_or(surface.triangles.bounds().size() / 20);
  std::vector<ContactPoint> out;
  for (const SurfacePoint& point : surface_points(surface.repaired.mesh, apart, most_points))
    out.push_back({{surface.frame.body, surface.frame.offset * Pose{Mat3::Identity(), point.at}}, point.area});
  if (out.empty())
    problems.error(where,
                   fmt::format("points {:.3g} m apart on '{}' are more than {}", apart, surface.name, most_points),
                   "give a larger spacing, or a coarser mesh");
  return out;
}

// The name of a point in a channel: `p1` of module.p1, or module_p1 where that is taken.
std::vector<std::string> channel_names(const std::vector<input::Reference>& points) {
  std::vector<std::string> names;
  for (const input::Reference& point : points) {
    const size_t dot = point.name.rfind('.');
    std::string name = dot == std::string::npos ? point.name : point.name.substr(dot + 1);
    if (std::find(names.begin(), names.end(), name) != names.end()) {
      name = point.name;
      std::replace(name.begin(), name.end(), '.', '_');
    }
    names.push_back(name);
  }
  return names;
}

}  // namespace

const input::Record<CompliantContactSpec>& CompliantContactSpec::record() {
  using Spec = CompliantContactSpec;
  static const auto r = [] {
    auto record =
        input::Record<Spec>("compliant contact",
                            "Points that press into a plane or a surface: ground, quay, deck, grillage, guide, fender")
            .field("surface", &Spec::surface, "a body or a point of one, through which a plane goes")
            .example("barge.deck");
    normal_field(record)
        .field("length", &Spec::length, "m", "of the plane along its x axis, centred; without end if not given")
        .above(0)
        .field("width", &Spec::width, "m", "of the plane along its y axis, centred; without end if not given")
        .above(0)
        .field("mesh", &Spec::mesh, "in place of a plane: one of the surfaces of the file")
        .field("points", &Spec::points, "bodies or points of bodies that may touch it")
        .example("[module.p1, module.p2]")
        .by_default()
        .field("points_of", &Spec::points_of,
               "in place of points: a surface of the file, all over; both press on each other if 'mesh' is given")
        .field("spacing", &Spec::spacing, "m", "of these points; a twentieth of the surface's size if not given")
        .above(0)
        .field("stiffness", &Spec::stiffness, "N/m", "of each point")
        .above(0)
        .field("stiffness_per_area", &Spec::stiffness_per_area, "N/m^3", "with points_of: per square metre")
        .above(0)
        .field("table", &Spec::table, "in place of a stiffness: compression and force of each point, as of a fender")
        .example("[[0.1 m, 50 kN], [0.3 m, 400 kN]]")
        .by_default()
        .field("damping", &Spec::damping, "N s/m", "of each point, in place of damping_time")
        .at_least(0)
        .field("damping_time", &Spec::damping_time, "s", "damping as this time multiplied by the stiffness")
        .at_least(0)
        .at_most(10)
        .by_default();
    friction_field(record)
        .at_most(10)
        .field("tangential_stiffness", &Spec::tangential_stiffness, "N/m",
               "of each point that sticks (N/m^3 with points_of); 0.82 of the normal one if not given")
        .above(0)
        .located(&Spec::where)
        .check([](const Spec& s, const input::Where& place, input::Problems& problems) {
          if (s.surface.has_value() == s.mesh.has_value())
            problems.error(place, s.mesh ? "the contact has two surfaces" : "the contact has no surface",
                           "give 'surface', a plane, or 'mesh', a surface of the file");
          if (s.points_of.has_value() != s.points.empty())
            problems.error(place, s.points_of ? "the contact has points twice" : "the contact has no points",
                           "give 'points' or 'points_of'");
          if (s.mesh && (s.length || s.width))
            problems.error(place, "'length' and 'width' are of planes", "leave them out");
          if (s.points_of && (!s.stiffness_per_area || s.stiffness || !s.table.empty() || s.damping))
            problems.error(place, "with points_of the law is per square metre",
                           "give stiffness_per_area, e.g. 100 MN/m^3, and damping_time");
          else if (!s.points_of && (s.stiffness_per_area || s.stiffness.has_value() == !s.table.empty()))
            problems.error(place, "the stiffness of the points is missing, or given twice",
                           "give 'stiffness', e.g. 50 MN/m, or 'table'");
        });
    return record;
  }();
  return r;
}

std::optional<ContactLaw> CompliantContactSpec::law(input::Problems& problems) const {
  ContactLaw out;
  if (!table.empty()) {
    const auto rows = read_spring_table(table, {"compression", "m", "0.1 m"}, {"force", "N", "50 kN"}, where, problems);
    if (!rows) return std::nullopt;
    out.spring = OneSidedSpring(*rows);
  } else {
    out.spring = OneSidedSpring(stiffness ? *stiffness : *stiffness_per_area);
  }
  out.friction = friction;
  const double onset = out.spring.slope(0);
  out.tangential_stiffness = tangential_stiffness.value_or(tangential_share * onset);
  if (damping)
    out.damping = *damping;
  else
    out.damping_time = damping_time;
  out.tangential_damping = out.tangential_stiffness * (damping ? *damping / onset : damping_time);
  return out;
}

std::optional<ContactSide> CompliantContactSpec::touched(Assembly& assembly) const {
  if (mesh) {
    const auto body = assembly.surface(*mesh);
    if (!body) return std::nullopt;
    if (!body->repaired.closed) {
      assembly.problems().error(mesh->where, "the surface '" + body->name + "' is open: it has no inside to press into",
                                "close it, or give a plane");
      return std::nullopt;
    }
    return ContactSide{body->frame, std::make_shared<MeshSurface>(body), {}};
  }
  const auto frame = plane(*surface, assembly);
  if (!frame) return std::nullopt;
  constexpr double endless = std::numeric_limits<double>::infinity();
  return ContactSide{*frame, std::make_shared<PlaneSurface>(length.value_or(endless), width.value_or(endless)), {}};
}

void CompliantContactSpec::build(const std::string& name, Assembly& assembly) const {
  input::Problems& problems = assembly.problems();
  const auto contact_law = law(problems);
  auto side = touched(assembly);
  if (!contact_law || !side) return;
  if (surface)
    show_plane(name, side->frame, length.value_or(shown_of_endless), width.value_or(shown_of_endless), assembly);
  std::vector<ContactSide> sides;
  if (points_of) {
    const auto pressing = assembly.surface(*points_of);
    if (!pressing || !on_another_body(side->frame, pressing->frame, points_of->where, assembly)) return;
    side->points = points_on(*pressing, spacing, points_of->where, problems);
    if (side->points.empty()) return;
    sides.push_back(*side);
    if (mesh && pressing->repaired.closed) {
      ContactSide back{pressing->frame, std::make_shared<MeshSurface>(pressing),
                       points_on(*assembly.surface(*mesh), spacing, mesh->where, problems)};
      if (back.points.empty()) return;
      // Both say the same of one place, so that each counts half.
      for (ContactSide* each : {&sides[0], &back})
        for (ContactPoint& point : each->points) point.weight *= 0.5;
      sides.push_back(std::move(back));
    }
  } else {
    for (const input::Reference& point : points) {
      const auto frame = assembly.frame(point);
      if (!frame || !on_another_body(side->frame, *frame, point.where, assembly)) return;
      if (sides.empty() || sides.back().body() != frame->body) sides.push_back(*side);
      sides.back().points.push_back({*frame});
    }
  }
  const auto force =
      std::make_shared<CompliantContact>(name, *contact_law, std::move(sides), assembly.start_kinematics());
  add_channels(force, assembly.add(force), channel_names(points), assembly);
}

}  // namespace davit::contact
