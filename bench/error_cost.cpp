// Error against cost of every method, on four lifts: a hook and a load below it (a tree), a spreader bar on two slings
// (a loop), a hook that swings on a stiff line, and a weight on a line that goes slack and taut. The first two are put
// together twice, by tree joints and by particles on rods: methods that need a constant mass take the second, and the
// two check each other.
// Writes a CSV file and a plot per lift into the folder that is given: docs/methods.md.
#include <fmt/format.h>
#include <fmt/os.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "davit/constraint/compliant_constraint.hpp"
#include "davit/constraint/point_distance.hpp"
#include "davit/constraint/spring_law.hpp"
#include "davit/dynamics/particles.hpp"
#include "davit/dynamics/tree.hpp"
#include "davit/force/gravity.hpp"
#include "davit/solve/methods.hpp"
#include "log_plot.hpp"
#include "processor_time.hpp"
#include "smoke.hpp"

using namespace davit;
using davit::bench::processor_seconds;

namespace {

constexpr double gravity = 9.81;
constexpr int samples = 10;  // times at which a run is compared
// Where the lines of the plots end.
constexpr double most_cost = 0.01;  // s per simulated second
constexpr double shortest_step = 1e-5;

struct Setup {
  std::string coordinates;
  std::unique_ptr<Model> model;
  State start;
  std::vector<Frame> points;  // whose places are compared
};

using Places = std::vector<Vec3>;
Places places(const Setup& setup, System& system, const State& s) {
  Kin& kin = system.workspace().kin;
  for (const auto& b : setup.model->blocks()) b.block->kinematics(s.q.data() + b.first_q, s.u.data() + b.first_u, kin);
  Places out;
  for (const Frame& f : setup.points) out.push_back(position(kin, f));
  return out;
}

void finish(Setup& setup, ModelParts parts) {
  setup.model = std::make_unique<Model>(std::move(parts));
  setup.start = setup.model->initial_state();
  System system(*setup.model);
  if (!system.satisfy_constraints(setup.start)) throw std::logic_error("the start does not meet the constraints");
}

// A point of some mass that hangs from the world or from another one.
struct Hanging {
  std::string name, on;
  Vec3 from = Vec3::Zero();  // in the world
  double length, mass;
  double angle1, angle2, rate1, rate2;
};
struct Bar {
  int a, b;
  double length;
};
using Hangings = std::vector<Hanging>;

Setup by_joints(const Hangings& all, const std::vector<Bar>& bars) {
  std::vector<Body> bodies;
  for (const Hanging& h : all) {
    Body b;
    b.name = h.name;
    b.mass = h.mass;
    b.centre = {0, 0, -h.length};
    b.joint = {JointKind::universal, Vec3::UnitX(), Vec3::UnitY(), {h.angle1, h.angle2}, {h.rate1, h.rate2}};
    b.at.p = h.from;
    const auto above = std::find_if(all.begin(), all.end(), [&](const Hanging& other) { return other.name == h.on; });
    if (above != all.end()) {
      b.on = h.on;
      b.at.p = {0, 0, -above->length};
    }
    bodies.push_back(b);
  }
  Setup out{"joints", {}, {}, {}};
  const auto tree = std::make_shared<Tree>(bodies);
  ModelParts parts;
  parts.blocks = {tree};
  parts.body_names = tree->segment_names();
  std::vector<Gravity::Weight> weights;
  for (const TreeBody& b : tree->bodies_of_tree()) {
    weights.push_back({b.last_segment, b.body.mass, b.frame * b.body.centre});
    out.points.push_back(tree->frame(b.body.name, Pose{Mat3::Identity(), b.body.centre}));
  }
  parts.forces = {std::make_shared<Gravity>(Vec3(0, 0, -gravity), weights)};
  for (const Bar& bar : bars)
    parts.constraints.push_back(
        {"bar", std::make_shared<PointDistance>(out.points[static_cast<size_t>(bar.a)],
                                                out.points[static_cast<size_t>(bar.b)], bar.length)});
  finish(out, std::move(parts));
  return out;
}

// The same motion: particles start where the points of the joints are, as fast as those.
Setup by_rods(const Hangings& all, const std::vector<Bar>& bars) {
  const Setup joints = by_joints(all, bars);
  System system(*joints.model);
  const Places at = places(joints, system, joints.start);
  const Kin& kin = system.workspace().kin;
  const auto empty = std::make_shared<Tree>(std::vector<Body>{});
  std::vector<Particle> particles;
  for (size_t i = 0; i < all.size(); ++i) {
    particles.push_back({all[i].name, all[i].mass, at[i], velocity(kin, joints.points[i])});
  }
  const auto block = std::make_shared<Particles>(after(*empty), particles);
  Setup out{"rods", {}, {}, {}};
  ModelParts parts;
  parts.blocks = {empty, block};
  parts.body_names = {"world"};
  std::vector<Gravity::Weight> weights;
  for (size_t i = 0; i < all.size(); ++i) {
    const int particle = static_cast<int>(i);
    parts.body_names.push_back(all[i].name);
    weights.push_back({block->body(particle), all[i].mass, Vec3::Zero()});
    out.points.push_back(block->frame(particle));
    Frame above{0, {Mat3::Identity(), all[i].from}};
    for (size_t k = 0; k < i; ++k)
      if (all[k].name == all[i].on) above = out.points[k];
    parts.constraints.push_back(
        {"rod of " + all[i].name, std::make_shared<PointDistance>(above, out.points[i], all[i].length)});
  }
  for (const Bar& bar : bars)
    parts.constraints.push_back(
        {"bar", std::make_shared<PointDistance>(out.points[static_cast<size_t>(bar.a)],
                                                out.points[static_cast<size_t>(bar.b)], bar.length)});
  parts.forces = {std::make_shared<Gravity>(Vec3(0, 0, -gravity), weights)};
  finish(out, std::move(parts));
  return out;
}

struct Lift {
  std::string name, title;
  double duration, longest_step;
  double weight;  // of all that hangs, N
  std::vector<Setup> setups;
  std::vector<Places> reference;  // at the sample times
};

double sample_time(const Lift& lift, int i) { return lift.duration * i / samples; }

// Steps to the end and shows every state; false when a step fails. An interval between samples has `steps` steps, or as
// many as an adaptive method wants.
template <class Show>
bool run(const Lift& lift, const Setup& setup, Stepper& stepper, int steps, Show&& show) {
  System system(*setup.model);
  State s = setup.start;
  show(system, s, -1);
  for (int i = 0; i < samples; ++i) {
    const double end = sample_time(lift, i + 1), h = (end - s.t) / steps;
    for (int k = 0; stepper.adaptive() ? s.t < end * (1 - 1e-14) : k < steps; ++k) {
      if (!stepper.step(system, s, stepper.adaptive() ? end - s.t : h).ok || !s.u.allFinite()) return false;
      show(system, s, -1);
    }
    s.t = end;
    show(system, s, i);
  }
  return true;
}

std::vector<Places> fine_solution(const Lift& lift, const Setup& setup) {
  std::vector<Places> out;
  const auto stepper = make_dormand_prince(*setup.model, {.tolerance = 1e-13});
  if (!run(lift, setup, *stepper, 0, [&](System& system, const State& s, int sample) {
        if (sample >= 0) out.push_back(places(setup, system, s));
      }))
    throw std::logic_error("no reference for " + lift.name);
  return out;
}

double distance(const Places& a, const Places& b) {
  double worst = 0;
  for (size_t i = 0; i < a.size(); ++i) worst = std::max(worst, (a[i] - b[i]).norm());
  return worst;
}

Lift hook_and_load() {
  const Hangings all = {{"hook", "", Vec3::Zero(), 10, 500, 0.2, 0.5, 0, 0},
                        {"load", "hook", Vec3::Zero(), 4, 2000, -0.1, 0.3, 0.4, 0}};
  Lift lift{"hook_and_load", "Smooth tree: hook and load, a double pendulum in space", 10, 0.2, 2500 * gravity, {}, {}};
  lift.setups.push_back(by_joints(all, {}));
  lift.setups.push_back(by_rods(all, {}));
  return lift;
}

Lift spreader() {
  const double open = std::asin(1.0 / 6);
  const Hangings all = {{"left", "", Vec3(-1, 0, 0), 6, 1000, 0.4, open, 0, 0.5},
                        {"right", "", Vec3(1, 0, 0), 6, 1500, 0.1, -open, 0.3, 0}};
  Lift lift{"spreader", "Loop: spreader bar on two slings", 10, 0.2, 2500 * gravity, {}, {}};
  lift.setups.push_back(by_joints(all, {{0, 1, 4}}));
  lift.setups.push_back(by_rods(all, {{0, 1, 4}}));
  return lift;
}

struct Line {
  double mass, length, stiffness;
};
Setup on_line(const Line& line, const Vec3& start) {
  const auto empty = std::make_shared<Tree>(std::vector<Body>{});
  const auto weight =
      std::make_shared<Particles>(after(*empty), std::vector<Particle>{{"weight", line.mass, start, Vec3::Zero()}});
  ModelParts parts;
  parts.blocks = {empty, weight};
  parts.body_names = {"world", "weight"};
  parts.forces = {std::make_shared<Gravity>(Vec3(0, 0, -gravity),
                                            std::vector<Gravity::Weight>{{weight->body(0), line.mass, Vec3::Zero()}}),
                  std::make_shared<CompliantConstraint>(
                      "line", elastic_row(std::make_shared<PointDistance>(Frame{}, weight->frame(0)),
                                          {.stiffness = line.stiffness, .length = line.length, .tension_only = true}))};
  Setup out{"particle", {}, {}, {weight->frame(0)}};
  finish(out, std::move(parts));
  return out;
}

// An empty hook on the falls of a big crane swings from rest, stretched as its weight wants: 71 Hz along the line, 0.16
// Hz across.
Lift stiff_line() {
  const Line line{.mass = 500, .length = 10, .stiffness = 1e8};
  const double angle = 0.3, r = line.length + line.mass * gravity * std::cos(angle) / line.stiffness;
  Lift lift{"stiff_line", "Stiff: a hook that swings on a taut, stiff line", 10, 0.2, line.mass * gravity, {}, {}};
  lift.setups.push_back(on_line(line, r * Vec3(std::sin(angle), 0, -std::cos(angle))));
  return lift;
}

// A weight that falls half a metre into a line, and again and again: the exact solution is a free fall and half a
// vibration in turn.
Lift snapping_line() {
  const double mass = 1000, length = 10, fall = 0.5, stiffness = 2e6;
  Lift lift{"snapping_line", "Slack and taut: a weight that falls into a stiff line", 2, 0.05, mass * gravity, {}, {}};
  lift.setups.push_back(on_line({mass, length, stiffness}, Vec3(0, 0, fall - length)));

  const double omega = std::sqrt(stiffness / mass), sag = gravity / (omega * omega);
  const double falling = std::sqrt(2 * fall / gravity), speed = gravity * falling;
  const double phase = std::atan2(speed / omega, sag), amplitude = std::hypot(speed / omega, sag);
  const double taut = 2 * (M_PI - phase) / omega, period = 2 * falling + taut;
  for (int i = 0; i < samples; ++i) {
    const double t = std::fmod(sample_time(lift, i + 1), period);
    const double into = t - falling, rest = std::min(t, period - t);  // a fall is a rise backwards
    const double stretch =
        into > 0 && into < taut ? sag - amplitude * std::cos(omega * into + phase) : gravity / 2 * rest * rest - fall;
    lift.reference.push_back({Vec3(0, 0, -length - stretch)});
  }
  return lift;
}

struct Measured {
  double error = 0;   // largest distance at the sample times, m
  double energy = 0;  // its largest change, with its sign, over the weight: a height, m
  double cost = 0;    // s per simulated second
  StepCounts counts;
};

std::optional<Measured> measure(const Lift& lift, const Setup& setup, const MethodInfo& method,
                                const MethodOptions& options, int steps) {
  Measured out;
  double energy0 = NAN;
  auto stepper = method.make(*setup.model, options);
  if (!run(lift, setup, *stepper, steps, [&](System& system, const State& s, int sample) {
        if (sample >= 0)
          out.error =
              std::max(out.error, distance(places(setup, system, s), lift.reference[static_cast<size_t>(sample)]));
        system.apply_forces<double>(system.workspace(), s.t, s.q.data(), s.u.data(), s.z.data(), s.discrete);
        const double energy = system.energy(s).total();
        if (std::isnan(energy0)) energy0 = energy;
        const double change = (energy - energy0) / lift.weight;
        if (std::abs(change) > std::abs(out.energy)) out.energy = change;
      }))
    return std::nullopt;
  out.counts = stepper->counts();
  // The least of some repetitions is the least disturbed one.
  double least = INFINITY, sum = 0;
  for (int i = 0; i < 3 || (sum < 0.03 && i < 100); ++i) {
    stepper = method.make(*setup.model, options);
    const double begin = processor_seconds();
    run(lift, setup, *stepper, steps, [](System&, const State&, int) {});
    const double seconds = processor_seconds() - begin;
    least = std::min(least, seconds);
    sum += seconds;
  }
  out.cost = least / lift.duration;
  return out;
}

// Colours of Okabe & Ito, which the colour-blind can tell apart; relatives share one and differ by their marks.
// Those that do the same on some lifts are drawn one within the other.
bench::Series style(const std::string& method) {
  using bench::Marker;
  static const std::vector<bench::Series> all = {
      {"rk4", "#000000", Marker::circle, true, false, false, {}},
      {"dopri5", "#000000", Marker::circle, false, true, false, {}},
      {"conserving", "#0072B2", Marker::square, true, false, true, {}},
      {"energy_momentum", "#0072B2", Marker::square, false, true, false, {}},
      {"midpoint", "#56B4E9", Marker::triangle, true, false, false, {}},
      {"generalised_alpha", "#009E73", Marker::diamond, true, false, false, {}},
      {"variational_midpoint", "#CC79A7", Marker::triangle, true, false, true, {}},
      {"stoermer_verlet", "#CC79A7", Marker::triangle, false, true, false, {}},
      {"implicit_euler", "#E69F00", Marker::diamond, true, false, false, {}},
      {"dele", "#D55E00", Marker::circle, true, false, true, {}},
      {"spook", "#D55E00", Marker::circle, false, true, false, {}},
      {"minimal_extension", "#F0E442", Marker::square, true, false, false, {}}};
  const auto found = std::find_if(all.begin(), all.end(), [&](const bench::Series& s) { return s.name == method; });
  if (found == all.end()) throw std::logic_error("method " + method + " has no style");
  return *found;
}

void compare(Lift lift, const std::filesystem::path& folder, fmt::ostream& csv) {
  if (lift.reference.empty()) {
    lift.reference = fine_solution(lift, lift.setups[0]);
    for (size_t k = 1; k < lift.setups.size(); ++k) {
      const std::vector<Places> again = fine_solution(lift, lift.setups[k]);
      double worst = 0;
      for (size_t i = 0; i < again.size(); ++i) worst = std::max(worst, distance(again[i], lift.reference[i]));
      fmt::print("{}: {} and {} move alike within {:.1e} m\n", lift.name, lift.setups[0].coordinates,
                 lift.setups[k].coordinates, worst);
      if (!(worst < 1e-8)) throw std::logic_error("the two ways of putting it together do not move alike");
    }
  }
  bench::LogPlot plot{
      lift.title, "processor time, ms per simulated second", "largest error of a position, m", 1e-11, 10, {}};
  for (const MethodInfo& method : methods()) {
    const auto setup = std::find_if(lift.setups.begin(), lift.setups.end(), [&](const Setup& s) {
      return !unsupported_reason(*method.make(*s.model, {}), *s.model, lift.longest_step);
    });
    if (setup == lift.setups.end()) continue;
    bench::Series series = style(method.name);
    if (lift.setups.size() > 1) series.name += setup == lift.setups.begin() ? "" : ", rods";
    const auto add = [&](double step, double tolerance, int steps) {
      MethodOptions options;
      options.step = step;
      options.tolerance = tolerance;
      const auto m = measure(lift, *setup, method, options, steps);
      if (!m) {
        csv.print("{},{},{},{:.6g},{:g},,,,,,,\n", lift.name, method.name, setup->coordinates, step, tolerance);
        return true;
      }
      csv.print("{},{},{},{:.6g},{:g},{:.3e},{:.3e},{:.4g},{},{},{},{}\n", lift.name, method.name, setup->coordinates,
                lift.duration / static_cast<double>(m->counts.steps), tolerance, m->error, m->energy, 1e3 * m->cost,
                m->counts.steps, m->counts.rejected, m->counts.evaluations, m->counts.matrices);
      series.points.push_back({1e3 * m->cost, m->error});
      return m->error > 1e-10 && m->cost < most_cost && !bench::smoke();
    };
    const double interval = lift.duration / samples;
    bool more = true;
    if (method.fixed_step)
      for (int steps = static_cast<int>(std::lround(interval / lift.longest_step));
           more && interval / steps > shortest_step; steps *= 2)
        more = add(interval / steps, 0, steps);
    else
      for (double tolerance = 1e-2; more && tolerance > 1e-13; tolerance /= 10) more = add(lift.duration, tolerance, 0);
    plot.series.push_back(std::move(series));
  }
  fmt::output_file((folder / (lift.name + ".svg")).string()).print("{}", plot.svg());
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    fmt::print(stderr, "usage: davit_bench_error_cost FOLDER\n");
    return 2;
  }
  const std::filesystem::path folder = arguments[1];
  std::filesystem::create_directories(folder);
  auto csv = fmt::output_file((folder / "error_cost.csv").string());
  csv.print(
      "lift,method,coordinates,mean_step_s,tolerance,error_m,energy_m,ms_per_s,steps,rejected,evaluations,matrices\n");
  compare(hook_and_load(), folder, csv);
  if (bench::smoke()) return 0;
  compare(spreader(), folder, csv);
  compare(stiff_line(), folder, csv);
  compare(snapping_line(), folder, csv);
}
