// Everything a user can write wrongly gets an error with its place, what is wrong and what to do.
#include <fmt/format.h>

#include <chrono>

#include "davit/input/document.hpp"
#include "davit/scenario/test/support.hpp"

namespace davit::test {
namespace {

std::vector<input::Problem> problems_of(const std::string& text) {
  input::Problems problems;
  const auto scenario = parse_scenario(text, "lift.yaml", problems);
  EXPECT_EQ(scenario.has_value(), !problems.has_errors());
  return problems.all();
}

std::string to_text(const std::vector<input::Problem>& list) {
  std::string text;
  for (const auto& p : list)
    text += fmt::format("{}:{}: {}: {} | {}\n", p.where.line, p.where.column, p.where.path, p.message, p.remedy);
  return text;
}

struct Mistake {
  const char* name;
  std::string text;
  int line, column;
  const char* path;
  const char* message;  // part of it
  const char* remedy;   // part of it
};

void PrintTo(const Mistake& m, std::ostream* out) { *out << m.name; }

// A good lift; the line of the first body is 4, what follows the bodies begins at 6.
std::string two_bodies(const std::string& more, const std::string& run = "{duration: 1 s, step: 10 ms}") {
  return lift(
      "  king: {joint: {revolute: z}, mass: 1 t, inertia: [1, 1, 1]}\n"
      "  boom: {on: king, joint: {revolute: y}, mass: 1 t, inertia: [1, 1, 1], points: {tip: [1 m, 0, 0]}}\n",
      more, run);
}
std::string body(const std::string& keys) { return lift("  king: {" + keys + "}\n"); }
std::string with_hook(const std::string& more, const std::string& run = "{duration: 1 s, step: 10 ms}") {
  return lift(
      "  king: {joint: {revolute: z}, mass: 1 t, inertia: [1, 1, 1]}\n"
      "  hook: {coordinates: particle, mass: 1 kg}\n",
      more, run);
}
constexpr const char* turning = "joint: {revolute: z}, mass: 1 t, inertia: [1, 1, 1]";

std::vector<Mistake> mistakes() {
  const std::string good = turning;
  return {
      // the file
      {"empty", "", 0, 0, "", "there is nothing in it", "davit: 1"},
      {"only_a_comment", "# lift\n", 0, 0, "", "there is nothing in it", "davit: 1"},
      {"a_list", "- a\n- b\n", 1, 1, "", "found a list; a map (scenario) is expected here",
       "the keys are: davit, title"},
      {"a_word", "lift", 1, 1, "", "found 'lift'", "the keys are"},
      {"not_yaml", "davit: 1\nbodies: {a: [1, 2}\n", 2, 18, "", "", ""},
      {"duplicate_key",
       "davit: 1\ntitle: a\ntitle: b\nbodies: {a: {joint: {prismatic: z}, mass: 1 kg}}\n"
       "run: {duration: 1 s}\n",
       3, 1, "title", "'title' is given twice, first in line 2", "keep one"},
      {"duplicate_body", lift("  a: {joint: {prismatic: z}, mass: 1 kg}\n  a: {mass: 1 kg}\n"), 5, 3, "bodies.a",
       "'a' is given twice, first in line 4", "keep one"},
      {"another_version", "davit: 2\n" + two_bodies("").substr(9), 1, 8, "davit", "'2' is too large", "at most 1"},
      {"no_version", two_bodies("").substr(9), 1, 1, "", "'davit' is missing", "1"},
      {"no_run", "davit: 1\ntitle: a\nbodies: {a: {joint: {prismatic: z}, mass: 1 kg}}\n", 1, 1, "", "'run' is missing",
       ""},
      // contacts that give
      {"contact_without_surface", two_bodies("forces: {c: {contact: {points: [king], stiffness: 1 MN/m}}}"), 6, 23,
       "forces.c.contact", "the contact has no surface", "'mesh'"},
      {"contact_without_points", two_bodies("forces: {c: {contact: {surface: world, stiffness: 1 MN/m}}}"), 6, 23,
       "forces.c.contact", "the contact has no points", "'points_of'"},
      {"contact_without_stiffness", two_bodies("forces: {c: {contact: {surface: world, points: [king]}}}"), 6, 23,
       "forces.c.contact", "the stiffness of the points is missing", "50 MN/m"},
      {"contact_with_itself", two_bodies("forces: {c: {contact: {surface: king, points: [king], stiffness: 1 MN/m}}}"),
       6, 48, "forces.c.contact.points[0]", "on one body", "different bodies"},
      {"contact_table_that_falls",
       two_bodies("forces: {c: {contact: {surface: world, points: [king], table: [[0.1 m, 5 kN], [0.2 m, 4 kN]]}}}"), 6,
       80, "forces.c.contact.table[1][0]", "must grow", "order the points"},
      // keys and types
      {"misspelt_section", two_bodies("enviroment: {gravity: 1}"), 6, 1, "enviroment",
       "scenario has no key 'enviroment'", "did you mean 'environment'?"},
      {"misspelt_key", body(good + ", centr: [0, 0, 0]"), 4, 63, "bodies.king.centr", "body has no key 'centr'",
       "did you mean 'centre'?"},
      {"misspelt_kind", two_bodies("forces: {f: {joint_sprnig: {joint: king}}}"), 6, 14, "forces.f.joint_sprnig",
       "force has no key 'joint_sprnig'", "did you mean 'joint_spring'?"},
      {"misspelt_joint", body("joint: {revolut: z}, mass: 1 t, inertia: [1, 1, 1], start: {angle: 1}"), 4, 18,
       "bodies.king.joint.revolut", "joint has no key 'revolut'", "did you mean 'revolute'?"},
      {"misspelt_joint_word", body("joint: fre, mass: 1 t, inertia: [1, 1, 1]"), 4, 17, "bodies.king.joint",
       "there is no joint 'fre'", "did you mean 'free'?"},
      {"bodies_a_list", "davit: 1\ntitle: a\nbodies: [a]\nrun: {duration: 1 s}\n", 3, 9, "bodies", "found a list", ""},
      {"bodies_a_word", "davit: 1\ntitle: a\nbodies: many\nlimits: [{channel: a.b, below: 1}]\nrun: {duration: 1 s}\n",
       3, 9, "bodies", "found 'many'", ""},
      {"no_bodies", "davit: 1\ntitle: a\nbodies: {}\nrun: {duration: 1 s}\n", 1, 1, "", "there are no bodies",
       "give at least one body"},
      {"a_word_for_a_number", body("joint: {revolute: z}, mass: heavy, inertia: [1, 1, 1]"), 4, 38, "bodies.king.mass",
       "'heavy' is not a number", "348 t"},
      {"a_list_for_a_number", body("joint: {revolute: z}, mass: [1], inertia: [1, 1, 1]"), 4, 38, "bodies.king.mass",
       "found a list", ""},
      {"a_number_for_a_list", body("joint: {revolute: z}, mass: 1 t, inertia: 3"), 4, 52, "bodies.king.inertia",
       "found '3'", ""},
      {"two_of_three", body("joint: {revolute: z}, mass: 1 t, inertia: [1, 2]"), 4, 52, "bodies.king.inertia",
       "list of 2", ""},
      {"no_boolean", body(good + ", weightless: perhaps"), 4, 75, "bodies.king.weightless", "perhaps", "true"},
      {"nothing", body(good + ", centre: "), 4, 63, "bodies.king.centre", "has no value", "leave the key out"},
      {"no_axis", body("joint: {revolute: up}, mass: 1 t, inertia: [1, 1, 1]"), 4, 28, "bodies.king.joint.revolute",
       "'up' is no axis", "give x, y, z"},
      {"axis_of_zeros", body("joint: {revolute: [0, 0, 0]}, mass: 1 t, inertia: [1, 1, 1]"), 4, 28,
       "bodies.king.joint.revolute", "the axis has no direction", "give x, y, z"},
      {"one_axis_for_two", body("joint: {universal: [x]}, mass: 1 t, inertia: [1, 1, 1]"), 4, 9, "bodies.king",
       "a universal joint has two axes", "{universal: [x, y]}"},
      {"parallel_axes", body("joint: {universal: [x, [3, 0, 0]]}, mass: 1 t, inertia: [1, 1, 1]"), 4, 9, "bodies.king",
       "parallel", "choose axes that cross"},
      {"two_joints", body("joint: {revolute: z, prismatic: z}, mass: 1 t, inertia: [1, 1, 1]"), 4, 17,
       "bodies.king.joint", "given as revolute, prismatic at once", "exactly one"},
      {"two_turns_in_one", body(good + ", turn: [{x: 1, y: 2}]"), 4, 70, "bodies.king.turn[0]", "at once",
       "exactly one"},
      {"wrong_method", two_bodies("", "{duration: 1 s, method: euler}"), 6, 30, "run.method", "euler", "rk4"},
      // quantities
      {"km_for_a_mass", body("joint: {revolute: z}, mass: 12 km, inertia: [1, 1, 1]"), 4, 38, "bodies.king.mass",
       "'12 km' is a length; a mass is expected here", "give a mass, e.g. 348 t"},
      {"tf_for_a_mass", body("joint: {revolute: z}, mass: 12 tf, inertia: [1, 1, 1]"), 4, 38, "bodies.king.mass",
       "'12 tf' is a force; a mass is expected here", "give a mass"},
      {"unknown_unit", body("joint: {revolute: z}, mass: 12 tonnen, inertia: [1, 1, 1]"), 4, 38, "bodies.king.mass",
       "tonnen", ""},
      {"decimal_comma", body("joint: {revolute: z}, mass: \"1,5 t\", inertia: [1, 1, 1]"), 4, 38, "bodies.king.mass",
       "not a number", "with a point"},
      {"not_finite", body("joint: {revolute: z}, mass: .nan, inertia: [1, 1, 1]"), 4, 38, "bodies.king.mass",
       "not finite", ""},
      {"degrees_for_a_length", body(good + ", centre: [0, 3 deg, 0]"), 4, 75, "bodies.king.centre[1]",
       "'3 deg' is an angle; a length is expected here", ""},
      {"start_in_metres", body(good + ", start: {angle: 3 m}"), 4, 78, "bodies.king.start.angle",
       "'3 m' is a length; an angle is expected here", ""},
      {"unknown_start", body(good + ", start: {angel: 3 deg}"), 4, 78, "bodies.king.start.angel",
       "there is no start coordinate 'angel'", "did you mean 'angle'?"},
      {"start_of_a_fixed_body", lift("  king: {" + good + "}\n  a: {on: king, mass: 1 kg, start: {x: 1 m}}\n"), 5, 40,
       "bodies.a.start.x", "'a' is fixed and has no coordinates", "leave 'start' out"},
      // coordinates of a body
      {"unknown_coordinates", body("coordinates: particles, mass: 1 kg"), 4, 23, "bodies.king.coordinates", "particles",
       "particle"},
      {"particle_with_joint", body("coordinates: particle, mass: 1 kg, joint: free"), 4, 9, "bodies.king",
       "'joint' beside coordinates: particle", "a particle is a point"},
      {"particle_with_denavit_hartenberg", body("coordinates: particle, mass: 1 kg, denavit_hartenberg: {a: 1 m}"), 4,
       9, "bodies.king", "'denavit_hartenberg' beside coordinates: particle", "a particle is a point"},
      {"particle_with_turn", body("coordinates: particle, mass: 1 kg, turn: [{x: 1 rad}]"), 4, 9, "bodies.king",
       "'turn' beside coordinates: particle", "a particle is a point"},
      {"particle_with_centre", body("coordinates: particle, mass: 1 kg, centre: [1 m, 0, 0]"), 4, 9, "bodies.king",
       "'centre' beside coordinates: particle", "a particle is a point"},
      {"particle_with_inertia", body("coordinates: particle, mass: 1 kg, inertia: [1, 1, 1]"), 4, 9, "bodies.king",
       "'inertia' beside coordinates: particle", "a particle is a point"},
      {"particle_with_box", body("coordinates: particle, mass: 1 kg, box: {size: [1, 1, 1]}"), 4, 9, "bodies.king",
       "'box' beside coordinates: particle", "a particle is a point"},
      {"particle_with_cylinder", body("coordinates: particle, mass: 1 kg, cylinder: {radius: 1, length: 1}"), 4, 9,
       "bodies.king", "'cylinder' beside coordinates: particle", "a particle is a point"},
      {"particle_with_sphere", body("coordinates: particle, mass: 1 kg, sphere: {radius: 1 m}"), 4, 9, "bodies.king",
       "'sphere' beside coordinates: particle", "a particle is a point"},
      {"particle_with_points", body("coordinates: particle, mass: 1 kg, points: {tip: [1 m, 0, 0]}"), 4, 9,
       "bodies.king", "'points' beside coordinates: particle", "a particle is a point"},
      {"particle_without_mass", body("coordinates: particle"), 4, 9, "bodies.king", "the particle 'king' has no mass",
       "mass: 100 kg"},
      {"particle_that_starts_turned", body("coordinates: particle, mass: 1 kg, start: {roll: 1 deg}"), 4, 59,
       "bodies.king.start.roll", "there is no start coordinate 'roll'", ""},
      {"directors_with_a_joint", body("coordinates: directors, joint: {revolute: z}, mass: 1 kg, inertia: [1, 1, 1]"),
       4, 9, "bodies.king", "'joint' beside coordinates: directors", "the body moves freely"},
      {"directors_of_a_rod", body("coordinates: directors, mass: 1 kg, inertia: [0, 1, 1]"), 4, 9, "bodies.king",
       "king: ", "any two exceed the third"},
      {"level_but_held", body("level: true, joint: {revolute: z}, mass: 1 kg, inertia: [1, 1, 1]"), 4, 9, "bodies.king",
       "'level' of a body that is not free", "leave it out"},
      {"block_of_thick_plates",
       lift("  king: {" + good + "}\n", "surfaces:\n  s: {on: king, block: {size: [9 m, 9 m, 2 m], plate: 1 m}}\n"), 6,
       24, "surfaces.s.block", "the plates are too thick", "thinner plates"},
      {"on_no_point", lift("  king: {" + good + "}\n  a: {on: king.tip, coordinates: particle, mass: 1 kg}\n"), 5, 11,
       "bodies.a.on", "there is no point 'king.tip'", "there are no points"},
      {"body_on_a_particle", lift("  king: {on: a, " + good + "}\n  a: {coordinates: particle, mass: 1 kg}\n"), 4, 9,
       "bodies.king", "which has coordinates: particle and carries no bodies", "hold it by a constraint"},
      {"body_on_directors",
       lift("  a: {coordinates: directors, mass: 1 kg, inertia: [1, 1, 1]}\n  king: {on: a, " + good + "}\n"), 5, 9,
       "bodies.king", "which has coordinates: directors and carries no bodies", "hold it by a constraint"},
      {"ground_as_a_particle", lift("  world: {coordinates: directors, mass: 1 kg, inertia: [1, 1, 1]}\n"), 4, 10,
       "bodies.world", "'world' is the name of the ground", "another name"},
      {"hinge_of_a_particle", with_hook("constraints: {c: {hinge: {from: king, to: hook}}}"), 6, 43,
       "constraints.c.hinge.to", "'hook' is a particle and cannot turn", "ball, rod, line"},
      {"universal_of_a_particle", with_hook("constraints: {c: {universal: {from: hook, to: king}}}"), 6, 37,
       "constraints.c.universal.from", "cannot turn", "ball, rod, line"},
      {"skate_of_a_particle", with_hook("constraints: {c: {skate: {on: hook}}}"), 6, 31, "constraints.c.skate.on",
       "cannot turn", "ball, rod, line"},
      {"surface_of_a_particle", with_hook("constraints: {c: {contact: {surface: hook, point: king}}}"), 6, 38,
       "constraints.c.contact.surface", "cannot turn", "ball, rod, line"},
      {"moment_on_a_particle", with_hook("forces: {w: {wrench: {on: hook, moment: [1, 0, 0]}}}"), 6, 27,
       "forces.w.wrench.on", "cannot turn", "ball, rod, line"},
      {"spring_of_a_particle", with_hook("forces: {s: {joint_spring: {joint: hook.x, stiffness: 1}}}"), 6, 36,
       "forces.s.joint_spring.joint", "'hook' has no joint to act on", "a wrench or a line"},
      {"point_of_a_particle", with_hook("forces: {w: {wrench: {on: hook.tip, force: [1, 0, 0]}}}"), 6, 27,
       "forces.w.wrench.on", "there is no body or point 'hook.tip'", ""},
      {"energy_momentum_on_a_tree", with_hook("", "{duration: 1 s, step: 10 ms, method: energy_momentum}"), 6, 6, "run",
       "constant", "run.method"},
      // masses and trees
      {"negative_mass", body("joint: {revolute: z}, mass: -1 t, inertia: [1, 1, 1]"), 4, 38, "bodies.king.mass",
       "'-1 t' is too small", "at least 0 kg"},
      {"impossible_inertia", body("joint: {revolute: z}, mass: 1 t, inertia: [1, 1, 3]"), 4, 9, "bodies.king",
       "no body can have the inertia of 'king'", "each is at most the sum of the other two"},
      {"negative_inertia", body("joint: {revolute: z}, mass: 1 t, inertia: [1, 1, 1], products: [2, 0, 0]"), 4, 9,
       "bodies.king", "negative", "check the moments"},
      {"inertia_twice", body(good + ", sphere: {radius: 1 m}"), 4, 9, "bodies.king", "in more than one way",
       "keep one of"},
      {"products_alone", body("joint: {prismatic: z}, mass: 1 t, products: [0, 0, 0]"), 4, 9, "bodies.king",
       "'products' without 'inertia'", "give 'inertia' too"},
      {"zero_inertia", lift("  king: {" + good + "}\n  pin: {joint: {revolute: x}, mass: 1 kg}\n"), 5, 8, "bodies.pin",
       "pin: rotation about the axis of the joint has no inertia", "mass or moments of inertia"},
      {"no_mass_at_all", body("joint: free"), 4, 9, "bodies.king", "has no inertia", "mass or moments of inertia"},
      {"missing_parent", lift("  king: {" + good + "}\n  boom: {on: kign, mass: 1 kg}\n"), 5, 14, "bodies.boom.on",
       "there is no body 'kign'", "did you mean 'king'? bodies are: world, king, boom"},
      {"a_circle", lift("  a: {on: c, mass: 1 kg}\n  b: {on: a, mass: 1 kg}\n  c: {on: b, mass: 1 kg}\n"), 5, 6,
       "bodies.b", "the bodies are on each other in a cycle: a on c on b on a", "let one of them be on world"},
      {"on_itself", lift("  a: {on: a, joint: free, mass: 1 kg, inertia: [1, 1, 1]}\n"), 4, 6, "bodies.a",
       "in a cycle: a on a", "let one of them be on world"},
      {"called_world", lift("  world: {joint: free, mass: 1 kg, inertia: [1, 1, 1]}\n"), 4, 10, "bodies.world",
       "'world' is the name of the ground", "choose another name"},
      {"no_name", lift("  'my king': {joint: free, mass: 1 kg, inertia: [1, 1, 1]}\n"), 4, 3, "bodies.my king",
       "'my king' is not a name", "begin with a letter"},
      {"nothing_moves", body("mass: 1 t"), 1, 1, "", "nothing can move", "joint: {revolute: z}"},
      {"parameters_and_joint", body(good + ", denavit_hartenberg: {a: 1 m}"), 4, 9, "bodies.king",
       "'denavit_hartenberg' stands beside at, turn or joint", "leave those out"},
      {"name_used_twice", two_bodies("forces:\n  king: {joint_spring: {joint: boom, stiffness: 1}}"), 7, 9,
       "forces.king", "the force 'king' has the name of something else", "give each its own name"},
      // forces, control, operation
      {"unknown_body", two_bodies("forces: {f: {joint_spring: {joint: bom, stiffness: 1}}}"), 6, 36,
       "forces.f.joint_spring.joint", "there is no body 'bom'", "did you mean 'boom'?"},
      {"unknown_point", two_bodies("forces: {f: {wrench: {on: boom.tpi, force: [1, 0, 0]}}}"), 6, 27,
       "forces.f.wrench.on", "there is no body or point 'boom.tpi'", "did you mean 'boom.tip'?"},
      {"unit_of_a_slide", two_bodies("forces: {f: {joint_spring: {joint: boom, stiffness: 1 kN/m}}}"), 6, 53,
       "forces.f.joint_spring.stiffness", "'1 kN/m'", "N m/rad"},
      {"gain_of_a_slide", two_bodies("control: {c: {pid: {joints: [king], kp: 3 N/m}}}"), 6, 41, "control.c.pid.kp",
       "'3 N/m'", ""},
      {"no_joints", two_bodies("control: {c: {pid: {joints: [], kp: 3}}}"), 6, 20, "control.c.pid", "'joints' is empty",
       "name the joints to drive"},
      {"joint_twice", two_bodies("control: {c: {pid: {joints: [king, king.angle], kp: 3}}}"), 6, 36,
       "control.c.pid.joints[1]", "'king.angle' is named twice", "name each joint once"},
      {"limit_of_zero", two_bodies("control: {c: {pid: {joints: [king], kp: 3, limit: 0}}}"), 6, 51,
       "control.c.pid.limit", "above zero", "50 kN m"},
      {"negative_integral_limit",
       two_bodies("control: {c: {pid: {joints: [king], kp: 3, ki: 1, integral_limit: -3 N m}}}"), 6, 67,
       "control.c.pid.integral_limit", "above zero", "50 kN m"},
      {"limit_in_newtons", two_bodies("control: {c: {pid: {joints: [king], kp: 3, limit: 3 N}}}"), 6, 51,
       "control.c.pid.limit", "'3 N' is a force", ""},
      {"sample_time_of_zero", two_bodies("control: {c: {pid: {joints: [king], kp: 3, sample_time: 0 s}}}"), 6, 57,
       "control.c.pid.sample_time", "'0 s' is too small", "above 0 s"},
      {"half_read_wrench", two_bodies("forces: {w: {wrench: {on: king, force: [1, 0, 0], from: 1 s, until: 3(s}}}"), 6,
       69, "forces.w.wrench.until", "", ""},
      {"wrench_without_time",
       two_bodies("forces: {w: {wrench: {on: king, force: [1, 0, 0], from: 1 s, until: 1.5 s, ramp: 0.3 s}}}"), 6, 22,
       "forces.w.wrench", "'until' leaves the wrench no time to come and go", "a shorter 'ramp'"},
      {"open_constraint", two_bodies("constraints: {pin: {ball: {from: boom.tip, to: world}}}"), 6, 20,
       "constraints.pin", "'pin' is open by 1 (m or rad) at the start", "so that it is closed"},
      {"constraint_on_one_body", two_bodies("constraints: {pin: {ball: {from: boom.tip, to: boom}}}"), 6, 48,
       "constraints.pin.ball.to", "both ends are on one body", "different bodies"},
      {"damping_of_a_rigid_rod", two_bodies("constraints: {pin: {rod: {from: boom.tip, to: world, damping: 3 N s/m}}}"),
       6, 26, "constraints.pin.rod", "'damping' needs 'compliance'", "give 'compliance' above zero"},
      {"half_a_compliant_hinge",
       two_bodies("constraints: {pin: {hinge: {from: boom, to: world, compliance: 1e-8 m/N}}}"), 6, 28,
       "constraints.pin.hinge", "'angular_compliance' is missing beside 'compliance'", "0 is rigid"},
      {"compliance_of_an_angle",
       two_bodies("constraints: {g: {gear: {joints: [king, boom], ratio: 2, compliance: "
                  "1e-6 m/N}}}"),
       6, 70, "constraints.g.gear.compliance", "'1e-6 m/N' is", ""},
      {"gear_of_one", two_bodies("constraints: {g: {gear: {joints: [king], ratio: 2}}}"), 6, 25, "constraints.g.gear",
       "a gear has two joints", "name two"},
      {"gear_with_itself", two_bodies("constraints: {g: {gear: {joints: [king, king], ratio: 2}}}"), 6, 41,
       "constraints.g.gear.joints[1]", "'king.angle' is named twice", "two different joints"},
      {"gear_without_ratio", two_bodies("constraints: {g: {gear: {joints: [king, boom], ratio: 0}}}"), 6, 55,
       "constraints.g.gear.ratio", "the ratio is zero", ""},
      {"skate_on_the_world", two_bodies("constraints: {s: {skate: {on: world}}}"), 6, 31, "constraints.s.skate.on",
       "the world does not move", "put the skate on a body"},
      {"speeds_that_contradict",
       two_bodies("constraints: {a: {speed: {joint: king, speed: 1 rad/s}}, b: {motion: {joint: king}}}"), 6, 61,
       "constraints.b", "'b' and 'a' contradict each other: they ask for different speeds at 0 s",
       "leave one of them out"},
      {"gears_that_contradict",
       two_bodies("constraints: {g: {gear: {joints: [king, boom], ratio: 2}}, a: {motion: {joint: king}}, b: {motion: "
                  "{joint: boom}}}\noperation:\n  - {at: 0 s, over: 0.5 s, move: {king: 1 rad, boom: 1 rad}}"),
       6, 63, "constraints.a", "'a' and 'g', 'b' contradict each other: they ask for different speeds at 0.125 s",
       "ratios, motions and speeds that agree"},
      {"motion_of_what_is_held",
       two_bodies("constraints: {lock: {fixed: {from: world, to: king}}, a: {motion: {joint: king}}}\noperation:\n"
                  "  - {at: 0 s, over: 0.5 s, move: {king: 1 rad}}"),
       6, 58, "constraints.a", "'a' and 'lock' contradict each other", ""},
      {"undriven_move", two_bodies("operation:\n  - {at: 0 s, over: 1 s, move: {king: 1 rad}}"), 7, 5, "operation[0]",
       "nothing drives 'king.angle'", "add a controller for it"},
      {"overlapping_moves",
       two_bodies(
           "control: {c: {pid: {joints: [king], kp: 3}}}\noperation:\n  - {at: 0 s, over: 2 s, move: {king: 1}}\n"
           "  - {at: 0.5 s, over: 2 s, move: {king: 2}}"),
       9, 5, "operation[1]", "'king.angle' would begin this move at 0.5 s, before the one before it has ended at 2 s",
       "let each end before the next begins"},
      {"move_of_nothing", two_bodies("operation:\n  - {at: 0 s, over: 1 s, move: {kng: 1 rad}}"), 7, 33,
       "operation[0].move.kng", "there is no body 'kng'", "did you mean 'king'?"},
      {"move_without_targets", two_bodies("operation:\n  - {at: 0 s, over: 1 s, move: king}"), 7, 32,
       "operation[0].move", "joints and their targets are expected here", "{king: 90 deg"},
      {"move_of_an_empty_map", two_bodies("operation:\n  - {over: 1 s, move: {}}"), 7, 23, "operation[0].move",
       "it names nothing to move; joints or winches and their targets are expected here", "{king: 90 deg"},
      {"hoist_of_an_empty_map", two_bodies("operation:\n  - {over: 1 s, hoist: {}}"), 7, 24, "operation[0].hoist",
       "it names nothing to move", "name a winch and a length of rope"},
      {"mass_beyond_numbers", body("joint: free, mass: 1e300 kg, box: {size: [1 m, 1 m, 1 m]}"), 4, 9, "bodies.king",
       "'king' has a mass of 1e+300 kg, more than the 1e+20 kg that can be computed with", "check its unit"},
      {"move_in_no_time",
       two_bodies("control: {c: {pid: {joints: [king], kp: 3}}}\noperation:\n"
                  "  - {at: 0 s, over: 0 s, move: {king: 1}}"),
       8, 21, "operation[0].over", "'0 s' is too small", "above 0 s"},
      {"ramp_longer_than_the_move",
       two_bodies("control: {c: {pid: {joints: [king], kp: 3}}}\noperation:\n"
                  "  - {at: 0 s, over: 1 s, ramp: 0.6 s, move: {king: 1}}"),
       8, 5, "operation[0]", "the ramps of a move are longer than the move", "at most half of 'over'"},
      {"smoother_than_smooth",
       two_bodies("control: {c: {pid: {joints: [king], kp: 3}}}\noperation:\n"
                  "  - {at: 0 s, over: 1 s, smoothness: 13, move: {king: 1}}"),
       8, 38, "operation[0].smoothness", "'13' is too large", "at most 12"},
      {"phase_without_a_speed",
       two_bodies("control: {c: {pid: {joints: [king], kp: 3}}}\noperation:\n  - {slew: {king: 1 rad}}"), 8, 13,
       "operation[0].slew.king", "it is not said how fast 'king.angle' moves", "speed: 2 deg/s"},
      {"phase_with_an_unreadable_speed",
       two_bodies(
           "control: {c: {pid: {joints: [king], kp: 3}}}\noperation:\n  - {slew: {king: 1 rad}, speed: 2 dge/s}"),
       8, 34, "operation[0].speed", "unknown unit 'dge'", ""},
      {"condition_on_nothing", two_bodies("operation:\n  - {hold: 1 s, until: {channel: king.angel, above: 1 rad}}"), 7,
       34, "operation[0].until.channel", "there is no channel 'king.angel'", "did you mean 'king.angle'?"},
      {"condition_in_the_wrong_unit",
       two_bodies("operation:\n  - {hold: 1 s, until: {channel: king.angle, above: 1 m}}"), 7, 53,
       "operation[0].until.above", "'1 m' is a length", ""},
      {"condition_without_bound", two_bodies("operation:\n  - {until: {channel: king.angle}}"), 7, 13,
       "operation[0].until", "the condition has no bound", "give 'above' or 'below'"},
      {"phase_after_nothing", two_bodies("operation:\n  - {name: a, hold: 1 s}\n  - {after: [b], hold: 1 s}"), 8, 14,
       "operation[1].after[0]", "there is no phase 'b'", ""},
      {"phases_that_wait_for_each_other",
       two_bodies("operation:\n  - {name: a, after: [b], hold: 1 s}\n  - {name: b, after: [a], hold: 1 s}"), 7, 5,
       "operation[0]", "the phase 'a' waits for itself and never begins", "phases that come before it"},
      {"phases_of_one_name", two_bodies("operation:\n  - {name: a, hold: 1 s}\n  - {name: a, hold: 1 s}"), 8, 5,
       "operation[1]", "two phases have the name 'a'", "its own name"},
      {"two_phases_move_one_joint",
       two_bodies(
           "control: {c: {pid: {joints: [king], kp: 3}}}\noperation:\n  - parallel: [{move: {king: 1}, over: 1 s}, "
           "{move: {king: 2}, over: 1 s}]"),
       8, 54, "operation[0].parallel[1].move.king", "is moved by the phases 'phase 1' and 'phase 2'",
       "let one come after the other"},
      {"a_phase_moves_a_joint_twice",
       two_bodies(
           "control: {c: {pid: {joints: [king], kp: 3}}}\noperation:\n  - {move: {king: 1}, slew: {king.angle: 2}, "
           "over: 1 s}"),
       8, 30, "operation[0].slew.king.angle", "the phase moves 'king.angle' twice", ""},
      {"hoist_a_joint", two_bodies("operation:\n  - {hoist: {king: 2 m}, over: 1 s}"), 7, 14, "operation[0].hoist.king",
       "hoist: 'king' is a joint, and not a winch", "name a winch"},
      {"release_nothing", two_bodies("operation:\n  - {release: [king]}"), 7, 16, "operation[0].release[0]",
       "'king' is no rope, sling or mooring line", "let go or connected"},
      {"timeout_of_nothing", two_bodies("operation:\n  - {hold: 1 s, timeout: 3 s}"), 7, 5, "operation[0]",
       "the phase has a timeout, and waits for nothing", "'until' or 'when'"},
      {"group_that_acts", two_bodies("operation:\n  - {hold: 1 s, parallel: [{hold: 2 s}]}"), 7, 5, "operation[0]",
       "a phase that holds others does nothing itself", "a phase of its own"},
      {"table_that_goes_back",
       two_bodies(
           "control: {c: {pid: {joints: [king], kp: 3}}}\noperation:\n  - {follow: {king: {table: [[1 s, 0], [1 s, "
           "1]]}}}"),
       8, 41, "operation[0].follow.king.table[1][0]", "the times of the table do not rise", "order the points"},
      {"limit_in_no_phase",
       two_bodies("operation:\n  - {name: wait, hold: 1 s}\nlimits:\n  - {channel: king.angle, below: 1, phase: wat}"),
       9, 44, "limits[0].phase", "there is no phase 'wat'", "did you mean 'wait'?"},
      // limits
      {"unknown_channel", two_bodies("limits:\n  - {channel: king.angel, below: 1}"), 7, 15, "limits[0].channel",
       "there is no channel 'king.angel'", "did you mean 'king.angle'?"},
      {"wrong_dimension", two_bodies("limits:\n  - {channel: king.angle, below: 3 kN}"), 7, 34, "limits[0].below",
       "'3 kN' is a force; an angle is expected here", "give an angle"},
      {"unknown_value", two_bodies("limits:\n  - {channel: king.reaction.Fz, below: 0.3 * mbl}"), 7, 40,
       "limits[0].below", "there is no value of 'king' in N 'mbl'", "weight"},
      {"value_of_another_unit", two_bodies("limits:\n  - {channel: king.reaction.Mx, below: 3 * weight}"), 7, 40,
       "limits[0].below", "value of 'king' in N m", ""},
      {"value_of_no_other", two_bodies("limits:\n  - {channel: king.reaction.Fz, below: 2 * bom.weight}"), 7, 40,
       "limits[0].below", "there is no value in N 'bom.weight'", "did you mean 'boom.weight'?"},
      {"pattern_without_match", two_bodies("limits:\n  - {channel: kng*.angle, below: 1}"), 7, 15, "limits[0].channel",
       "the pattern 'kng*.angle' matches no channel", "channels that end in '.angle' are: king.angle, boom.angle"},
      {"limit_after_the_end", two_bodies("limits:\n  - {channel: king.angle, below: 1, from: 5 s}"), 7, 5, "limits[0]",
       "holds from 5 s, and the run ends at 1 s", "run.duration"},
      {"limit_backwards", two_bodies("limits:\n  - {channel: king.angle, below: 1, from: 0.5 s, until: 0.2 s}"), 7, 5,
       "limits[0]", "ends before it begins", "'until' after 'from'"},
      {"limit_begins_twice",
       two_bodies("limits:\n  - {channel: king.angle, below: 1, from: 0.5 s, after: start-up}",
                  "{duration: 1 s, step: 10 ms, start_up: 0.2 s}"),
       7, 5, "limits[0]", "says twice", "'from' or 'after'"},
      {"no_start_up", two_bodies("limits:\n  - {channel: king.angle, below: 1, after: start-up}"), 7, 5, "limits[0]",
       "the run has no start-up", "run.start_up"},
      {"static_without_equilibrium", two_bodies("limits:\n  - {channel: king.angle, below: 1.3 * static}"), 7, 5,
       "limits[0]", "'static' is the value in the equilibrium", "run.from_equilibrium: true"},
      {"no_bound", two_bodies("limits:\n  - {channel: king.angle}"), 7, 5, "limits[0]", "the limit has no bound",
       "give 'below' or 'above'"},
      // the run
      {"step_of_zero", two_bodies("", "{duration: 1 s, step: 0 s}"), 6, 28, "run.step", "'0 s' is too small",
       "above 0 s"},
      {"negative_duration", two_bodies("", "{duration: -1 s}"), 6, 17, "run.duration", "'-1 s' is too small",
       "above 0 s"},
      {"step_longer_than_the_run", two_bodies("", "{duration: 1 s, step: 2 s}"), 6, 6, "run",
       "the step is longer than the run", "a small part"},
      {"rk4_without_a_step", two_bodies("", "{duration: 1 s, method: rk4}"), 6, 6, "run", "method rk4 needs a step",
       "step: 10 ms"},
      {"reduced_rk4", two_bodies("", "{duration: 1 s, step: 10 ms, method: rk4, reduced: true}"), 6, 6, "run",
       "rk4 is explicit", "leave run.reduced out"},
      {"too_long", two_bodies("", "{duration: 1e9 s, step: 1 ms}"), 6, 6, "run", "the result would have 1e+12 rows of",
       "record less often (run.output: "},
      {"output_of_nothing", two_bodies("", "{duration: 1 s, output: 1e-300 s}"), 6, 6, "run", "rows of",
       "record less often (run.output: "},
      {"steps_without_end", two_bodies("", "{duration: 1e9 s, step: 1e-6 s, output: 1e6 s}"), 6, 6, "run",
       "more than 1e12 steps", "shorten the duration"},
      {"no_such_channels", two_bodies("", "{duration: 1 s, channels: [kong.*]}"), 6, 6, "run",
       "run.channels: 'kong.*' matches no channel", "davit check --channels"},
      {"step_and_samples",
       two_bodies("control: {c: {pid: {joints: [king], kp: 3, sample_time: 25 ms}}}", "{duration: 1 s, step: 10 ms}"),
       7, 6, "run", "not a whole number of steps", "run.step"},
  };
}

class Mistakes : public ::testing::TestWithParam<Mistake> {};

// Each is found, at its place, and nothing else is said: consequences of a mistake are no mistakes.
TEST_P(Mistakes, is_reported_once_with_place_and_remedy) {
  const Mistake& m = GetParam();
  const auto list = problems_of(m.text);
  ASSERT_EQ(list.size(), 1u) << to_text(list) << "in\n" << m.text;
  const auto& p = list[0];
  EXPECT_EQ(p.severity, input::Problem::error);
  EXPECT_EQ(p.where.file, "lift.yaml");
  EXPECT_EQ(p.where.line, m.line) << to_text(list) << m.text;
  EXPECT_EQ(p.where.column, m.column) << to_text(list) << m.text;
  EXPECT_EQ(p.where.path, m.path);
  EXPECT_NE(p.message.find(m.message), std::string::npos) << to_text(list);
  EXPECT_NE(p.remedy.find(m.remedy), std::string::npos) << to_text(list);
  EXPECT_FALSE(p.remedy.empty()) << to_text(list);
}

INSTANTIATE_TEST_SUITE_P(All, Mistakes, ::testing::ValuesIn(mistakes()),
                         [](const auto& chosen) { return std::string(chosen.param.name); });

TEST(ManyMistakes, the_good_ones_are_good) {
  EXPECT_TRUE(problems_of(two_bodies("")).empty()) << to_text(problems_of(two_bodies("")));
  EXPECT_TRUE(problems_of(body(turning)).empty());
}

TEST(ManyMistakes, are_all_reported_at_once) {
  const auto list = problems_of(
      "davit: 1\n"
      "titel: lift\n"                                                              // 2: misspelt; no title
      "bodies:\n"                                                                  //
      "  king: {joint: {revolute: z}, mass: 12 km, inertia: [1, 1, 1]}\n"          // 4: no mass
      "  boom: {on: kign, joint: {revolute: z}, mass: 1 t, inertia: [1, 1, 5]}\n"  // 5: parent, inertia
      "  load: {joint: free, mass: 1 t, inertia: [1, 1, 1]}\n"                     //
      "forces:\n"                                                                  //
      "  f: {joint_spring: {joint: load, stiffness: 3}}\n"                         // 8: no coordinate
      "  g: {line: {from: world, to: king.tip, length: 1 m, stiffness: 1}}\n"      // not known: king is bad
      "  h: {line: {from: world, to: load.tip, length: 1 m, stiffness: 1}}\n"      // 10: no such point
      "operation: [{at: 0 s, over: 1 s, move: {king: 1 m}}]\n"                     // not known: king is bad
      "limits: [{channel: load.reaction.Fq, below: 1}, {channel: boom.reaction.Fz, below: 1 m}]\n"  // 12: two
      "run: {duration: 1 s, step: 2 s}\n");                                                         // 13: step
  const auto has = [&](int line, const std::string& part) {
    EXPECT_TRUE(
        std::any_of(list.begin(), list.end(),
                    [&](const auto& p) { return p.where.line == line && p.message.find(part) != std::string::npos; }))
        << line << ": " << part << " is not in\n"
        << to_text(list);
  };
  has(2, "no key 'titel'");
  has(1, "'title' is missing");
  has(4, "'12 km' is a length");
  has(5, "no body 'kign'");
  has(5, "no body can have the inertia");
  has(8, "no coordinate to act on");
  has(10, "no body or point 'load.tip'");
  has(12, "no channel 'load.reaction.Fq'");
  has(12, "'1 m' is a length");
  has(13, "the step is longer than the run");
  EXPECT_EQ(list.size(), 10u) << to_text(list);
}

TEST(ManyMistakes, how_large_a_long_run_would_be_and_an_output_that_does) {
  const auto list = problems_of(two_bodies("", "{duration: 1e9 s, step: 1 ms}"));
  ASSERT_EQ(list.size(), 1u);
  EXPECT_NE(list[0].message.find(" TB"), std::string::npos) << list[0].message;
  // Doing as told helps.
  const std::string advice = "run.output: ";
  const auto begin = list[0].remedy.find(advice) + advice.size();
  const std::string output = list[0].remedy.substr(begin, list[0].remedy.find(')', begin) - begin);
  const auto then = problems_of(two_bodies("", "{duration: 1e9 s, step: 1 ms, output: " + output + "}"));
  EXPECT_TRUE(then.empty()) << output << "\n" << to_text(then);
}

// The sweep of dynamics goes from the tips to the roots and keeps the last joint without inertia, which may be one that
// only hangs together with the culprit: to be enabled when it keeps the first.
TEST(ManyMistakes, a_joint_without_inertia_is_not_blamed_on_the_one_inboard) {
  const auto list =
      problems_of(lift("  king: {joint: {revolute: z}, mass: 1 t, inertia: [1, 1, 1]}\n"
                       "  boom: {on: king, joint: {revolute: x}, mass: 1 t}\n"));
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].where.path, "bodies.boom") << to_text(list);
}

TEST(ManyMistakes, a_phase_after_the_end_is_warned_of) {
  const auto list = problems_of(two_bodies(
      "control: {c: {pid: {joints: [king], kp: 3}}}\noperation:\n  - {at: 1 s, over: 2 s, move: {king: 1}}"));
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].severity, input::Problem::warning);
  EXPECT_EQ(list[0].where.path, "operation[0]");
  EXPECT_NE(list[0].message.find("after the end"), std::string::npos);
}

TEST(ManyMistakes, bare_degrees_are_warned_of) {
  const auto list = problems_of(body(std::string(turning) + ", start: {angle: 90}"));
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].severity, input::Problem::warning);
  EXPECT_NE(list[0].remedy.find("90 deg"), std::string::npos);
}

struct Oddity {
  const char* name;
  std::string text;
  const char* path;
  const char* message;
  const char* remedy;
};
void PrintTo(const Oddity& o, std::ostream* out) { *out << o.name; }

std::string hung_on(const std::string& load, const std::string& rope) {
  return lift("  boom: {mass: 1 t, points: {tip: [0, 0, 20 m]}}\n  load: {joint: {prismatic: z}, " + load + "}\n",
              "ropes: {hoist: {from: boom.tip, to: load, EA: 100 MN, " + rope + "}}");
}

std::vector<Oddity> oddities() {
  const std::string waves = "environment: {waves: {spectrum: jonswap, hs: 2 m, tp: 6 s, heading: ";
  return {
      {"bare_mass_of_a_large_box", body("joint: {revolute: z}, mass: 120, box: {size: [8 m, 6 m, 4 m]}"), "bodies.king",
       "'king' has 120 kg for a shape of 192 m³", "write 'mass: 120 t' if tonnes"},
      {"bare_mass_on_a_taut_rope", hung_on("mass: 120", "tension: 1.2 MN"), "bodies.load",
       "'load' has 120 kg on the rope 'hoist' with a tension of 1200 kN", "'mass: 120 kg' if not"},
      {"bare_mass_on_a_strong_rope", hung_on("mass: 50", "tension: 490 N, mbl: 6 MN, mass: 1 kg/m"), "bodies.load",
       "that breaks at 6000 kN", "'mass: 50 t'"},
      {"shape_without_mass", body(std::string(turning) + "}\n  hook: {on: king, sphere: {radius: 1 m}"), "bodies.hook",
       "has a shape and no mass", "give it a mass"},
      {"surface_in_millimetres",
       lift("  king: {joint: {revolute: z}, mass: 1 t, box: {size: [8 m, 6 m, 4 m]}}\n",
            "surfaces: {hull: {on: king, box: [8000, 6000, 4000]}}"),
       "surfaces.hull", "8000 m long, 1e+03 times its body 'king'", "'mm' if millimetres"},
      {"heading_in_bare_degrees", two_bodies(waves + "400}}"), "environment.waves.heading", "'400' is read as radians",
       "'400 deg'"},
      {"waves_for_nobody", two_bodies(waves + "40 deg}}"), "environment.waves", "no vessel meets the waves", "vessels"},
      {"step_longer_than_waves", two_bodies(waves + "40 deg}}", "{duration: 9 s, step: 2 s, method: rk4}"), "run",
       "a step of 2 s does not resolve the waves", "or less"},
      {"no_such_plot", two_bodies("", "{duration: 1 s, plot: [kong.*]}"), "run",
       "run.plot: 'kong.*' matches no channel", "davit check --channels"},
      {"steel_rope_without_mass", hung_on("mass: 500 kg", "tension: 4.9 kN, mbl: 1.5 MN"), "ropes.hoist",
       "weigh about 1.96 kN, beside a tension of 4.9 kN", "mass: 10 kg/m"},
      {"rope_that_sags",
       lift("  boom: {mass: 1 t, points: {tip: [0, 0, 20 m]}}\n  load: {joint: {prismatic: x}, at: [80 m, 0, 20 m], "
            "mass: "
            "5 t}\n",
            "ropes: {tow: {from: boom.tip, to: load, EA: 100 MN, tension: 20 kN, mass: 10 kg/m}}"),
       "ropes.tow", "a piece of 80 m would sag by 3.9 m", "chain of particles"}};
}

class Oddities : public ::testing::TestWithParam<Oddity> {};

// What can be run and is hardly meant.
TEST_P(Oddities, is_warned_of) {
  const Oddity& o = GetParam();
  const auto list = problems_of(o.text);
  int said = 0;
  for (const auto& p : list) {
    EXPECT_EQ(p.severity, input::Problem::warning) << to_text(list);
    said += p.where.path == o.path && p.message.find(o.message) != std::string::npos &&
            p.remedy.find(o.remedy) != std::string::npos;
  }
  EXPECT_EQ(said, 1) << to_text(list) << o.text;
}
INSTANTIATE_TEST_SUITE_P(All, Oddities, ::testing::ValuesIn(oddities()),
                         [](const auto& chosen) { return std::string(chosen.param.name); });

TEST(ManyMistakes, what_was_meant_is_not_warned_of) {
  EXPECT_TRUE(problems_of(body("joint: {revolute: z}, mass: 120 kg, box: {size: [8 m, 6 m, 4 m]}")).empty());
  EXPECT_TRUE(problems_of(hung_on("mass: 500 kg", "tension: 4.9 kN, mbl: 50 kN")).empty());
  EXPECT_TRUE(problems_of(hung_on("mass: 500 kg", "tension: 4.9 kN, mbl: 1.5 MN, mass: 10 kg/m")).empty());
}

TEST(ManyMistakes, spellings_of_others_are_known) {
  const auto remedy = [](const std::string& keys) {
    const auto list = problems_of(body(keys + ", inertia: [1, 1, 1]"));
    return list.empty() ? std::string() : list[0].remedy;
  };
  EXPECT_NE(remedy("joint: ball, mass: 1 t").find("did you mean 'spherical'?"), std::string::npos);
  EXPECT_NE(remedy("joint: {hinge: z}, mass: 1 t").find("did you mean 'revolute'?"), std::string::npos);
  for (const char* unit : {"tonnes", "tonne", "mt", "ton"})
    EXPECT_EQ(remedy(std::string("joint: {revolute: z}, mass: 5 ") + unit), "write 't'");
  EXPECT_EQ(remedy("joint: {revolute: z}, mass: 2,5 t"), "write decimals with a point: mass: 2.5 t");
  EXPECT_EQ(remedy("joint: {revolute: z}, mass: '2,5 t'"), "write decimals with a point, as in 1.5");
}

TEST(ManyMistakes, a_bad_name_of_a_driver_is_one_mistake) {
  const auto list =
      problems_of(two_bodies("control: {c: {pid: {joints: [kign], kp: 3}}}\n"
                             "operation: [{at: 0.1 s, over: 0.5 s, move: {king: 3 deg}}]"));
  ASSERT_EQ(list.size(), 1u) << to_text(list);
  EXPECT_EQ(list[0].where.path, "control.c.pid.joints[0]");
}

// A spring that rk4 would break on: auto says so, and takes a method that steps over it.
TEST(ManyMistakes, auto_takes_no_method_that_breaks) {
  const auto method = [](const char* step) {
    return read_lift(lift("  bob: {joint: {prismatic: x}, mass: 1 kg}\n",
                          "forces: {k: {joint_spring: {joint: bob, stiffness: 1e6 N/m}}}",
                          std::string("{duration: 1 s, step: ") + step + "}"));
  };
  EXPECT_EQ(method("2 ms").method, "rk4");
  const Scenario stiff = method("10 ms");
  EXPECT_EQ(stiff.method, "conserving");
  EXPECT_NE(stiff.method_reason.find("does not resolve the stiffest part"), std::string::npos) << stiff.method_reason;
}

TEST(ManyMistakes, in_bases_and_settings_name_their_source) {
  const TempFolder folder;
  folder.write("base.yaml", body("joint: {revolute: z}, mass: 12 km, inertia: [1, 1, 1]"));
  const auto file = folder.write("variation.yaml", "base: base.yaml\nrun: {step: 2 kg}\n");
  input::Problems problems;
  EXPECT_FALSE(load_scenario(file, {"bodies.king.centr=[0, 0, 0]", "nonsense"}, problems));
  const auto list = problems.all();
  ASSERT_EQ(list.size(), 4u) << problems.to_text();
  EXPECT_EQ(list[0].where.file, "--set");
  EXPECT_EQ(list[1].where.file, "--set");
  EXPECT_NE(problems.to_text().find("'nonsense' has no '='"), std::string::npos);
  EXPECT_NE(problems.to_text().find("did you mean 'centre'?"), std::string::npos);
  EXPECT_EQ(list[2].where.file, (folder / "base.yaml").string());
  EXPECT_EQ(list[2].where.line, 4);
  EXPECT_EQ(list[3].where.file, file.string());
  EXPECT_EQ(list[3].where.line, 2);
  // A base that is not there, and one that is its own.
  for (const auto& [text, part] :
       {std::pair{"base: gone.yaml\n", "gone.yaml"}, {"base: self.yaml\n", "form a cycle"}}) {
    input::Problems own;
    EXPECT_FALSE(load_scenario(folder.write("self.yaml", text), {}, own));
    ASSERT_EQ(own.all().size(), 1u) << own.to_text();
    EXPECT_EQ(own.all()[0].where.line, 1);
    EXPECT_NE(own.to_text().find(part), std::string::npos) << own.to_text();
  }
}

TEST(ManyMistakes, settings_on_what_is_no_map) {
  const TempFolder folder;
  const auto file = folder.write("list.yaml", "- 1\n");
  input::Problems problems;
  EXPECT_FALSE(load_scenario(file, {"run.step=1 ms"}, problems));
  EXPECT_TRUE(problems.has_errors());
}

// ---- hostile files are refused, and soon

template <class F>
double seconds(F&& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

TEST(Hostile, a_hundred_megabytes) {
  const TempFolder folder;
  const auto file = folder.write("large.yaml", "davit: 1\n");
  std::filesystem::resize_file(file, 100'000'000);
  input::Problems problems;
  EXPECT_LT(seconds([&] { EXPECT_FALSE(load_scenario(file, {}, problems)); }), 1);
  ASSERT_EQ(problems.all().size(), 1u);
  EXPECT_NE(problems.to_text().find("larger than 16 MiB"), std::string::npos) << problems.to_text();
}

TEST(Hostile, a_hundred_thousand_levels) {
  for (const std::string& text :
       {std::string(100'000, '['), std::string(100'000, '{'), "bodies: " + std::string(100'000, '[')}) {
    EXPECT_LT(seconds([&] { EXPECT_FALSE(problems_of(text).empty()); }), 2);
  }
  std::string indented;
  for (int i = 0; i < 1000; ++i) indented += std::string(static_cast<size_t>(i), ' ') + "a:\n";
  EXPECT_FALSE(problems_of(indented).empty());
}

TEST(Hostile, what_is_no_text_at_all) {
  std::string bytes;
  for (int i = 0; i < 10'000; ++i) bytes += static_cast<char>(i * 7919 >> 3);
  EXPECT_FALSE(problems_of(bytes).empty());
  input::Problems problems;
  EXPECT_FALSE(load_scenario(std::filesystem::temp_directory_path(), {}, problems));
  EXPECT_FALSE(load_scenario("/no/such/file.yaml", {}, problems));
  EXPECT_EQ(problems.all().size(), 2u) << problems.to_text();
}

// What could not be read is not built, whatever its name is.
TEST(Hostile, names_with_dots_and_brackets) {
  for (const std::string section :
       {"vessels", "surfaces", "constraints", "forces", "ropes", "winches", "slings", "control", "clearances"})
    for (const std::string name : {"a.b", "a.b, above", "\"a[0].b\"", "\".\"", "\"[\"", "\"\""})
      for (const std::string value : {"1 m}", "{}", "[]", ""})
        EXPECT_FALSE(problems_of(two_bodies(section + ":\n  " + name + ": " + value + "\n")).empty())
            << section << " " << name << " " << value;
}

// Its values mean nothing: building it would refuse them a second time, or throw.
TEST(Hostile, what_could_not_be_read_is_not_built) {
  const auto once = [](const std::string& more, const char* path) {
    const auto problems = problems_of(two_bodies(more));
    ASSERT_EQ(problems.size(), 1u) << to_text(problems);
    EXPECT_EQ(problems[0].where.path, path);
  };
  once("forces:\n  w: {wrench: {on: boom.tip, force: [1, 2, 3], from: 1 s, until: 3(s, ramp: 0.5 s}}\n",
       "forces.w.wrench.until");
  once("winches:\n  w: {mode: length}\n", "winches.w");
  // A name that is written otherwise in a place.
  EXPECT_EQ(problems_of(two_bodies("winches:\n  \"w\\e\": {mode: length}\n")).size(), 2u);
}

// Four times as many mistakes take some four times as long, not sixteen: a ratio, because machines differ.
TEST(Hostile, many_mistakes_take_no_time) {
  const auto with_limits = [](int count) {
    std::string limits = "limits:\n";
    for (int i = 0; i < count; ++i) limits += fmt::format("  - {{channel: a{}.b, below: 1}}\n", i);
    return seconds([&] { EXPECT_EQ(problems_of(two_bodies(limits)).size(), 1000u); });
  };
  EXPECT_LT(with_limits(20'000), 10 * with_limits(5'000));
  // A circle of many is told in few words.
  const auto in_a_circle = [](int count) {
    std::string bodies;
    for (int i = 0; i < count; ++i) bodies += fmt::format("  b{}: {{on: b{}, mass: 1 kg}}\n", i, (i + 1) % count);
    return seconds([&] {
      const auto list = problems_of(lift(bodies));
      ASSERT_EQ(list.size(), 1u);
      EXPECT_LT(list[0].message.size(), 200u);
    });
  };
  EXPECT_LT(in_a_circle(20'000), 10 * in_a_circle(5'000));
}

}  // namespace
}  // namespace davit::test
