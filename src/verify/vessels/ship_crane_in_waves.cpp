// Tysse & Egeland, section 8: the ship and its crane in waves, as scenarios/ship_crane has them; and what must be true
// of such a system whatever it does: momentum, energy, a crane that weighs nothing.
#include <fmt/format.h>

#include "davit/hull_load/added_mass.hpp"
#include "davit/hydro/convert.hpp"
#include "davit/hydro/database_file.hpp"
#include "davit/hydro/open_database.hpp"
#include "davit/math/constants.hpp"
#include "davit/solve/equilibrium.hpp"
#include "davit/test/source_tree.hpp"
#include "verify/scenarios/scenario_run.hpp"
#include "verify/third_party_data.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

using Settings = std::vector<std::string>;

Scenario loaded(const std::string& file, const Settings& settings) {
  input::Problems problems;
  auto scenario = load_scenario(in_source("scenarios/ship_crane/") + file + ".yaml", settings, problems);
  if (!scenario) throw std::runtime_error(problems.to_text());
  return *std::move(scenario);
}

// A scenario in motion, from its equilibrium.
class Voyage : public ScenarioRun {
 public:
  explicit Voyage(const std::string& file, const Settings& settings = {}) : ScenarioRun(loaded(file, settings)) {
    const Equilibrium rest = find_equilibrium(system(), state());
    if (!rest.converged) throw std::runtime_error(file + " has no equilibrium: " + rest.why);
    state() = rest.state;
    for (const Scenario::Offset& offset : scenario().offsets) state().q[offset.q] += offset.by;
    begin();
    look();
  }
  void step() {
    ScenarioRun::step(scenario().options.step);
    look();
  }
  double operator[](const std::string& name) const { return channel(name); }
  bool has_tip() const { return !scenario().model->servos().empty(); }
  Vec3 error() const { return {channel("tip.error_x"), channel("tip.error_y"), channel("tip.error_z")}; }
};

// What is looked at, at every step.
struct Course {
  std::vector<double> t, roll, pitch, heave;
  double largest_error = 0;  // of the tip
  double start_height = 0, start_pitch = 0;

  explicit Course(Voyage voyage) {
    start_height = voyage["ship.position_z"];
    start_pitch = voyage["ship.pitch"];
    while (voyage.state().t < voyage.scenario().options.end - 1e-9) {
      voyage.step();
      t.push_back(voyage.state().t);
      roll.push_back(voyage["ship.roll"]);
      pitch.push_back(voyage["ship.pitch"]);
      heave.push_back(voyage["ship.position_z"]);
      if (voyage.has_tip()) largest_error = std::max(largest_error, voyage.error().norm());
    }
  }
  template <class F>
  void between(double from, double to, const F& visit) const {
    for (size_t i = 0; i < t.size(); ++i)
      if (t[i] >= from && t[i] <= to) visit(i);
  }
  double mean(const std::vector<double>& x, double from, double to) const {
    double sum = 0;
    int count = 0;
    between(from, to, [&](size_t i) { sum += x[i], ++count; });
    return sum / count;
  }
  double range(const std::vector<double>& x, double from, double to) const {
    double low = INFINITY, high = -INFINITY;
    between(from, to, [&](size_t i) { low = std::min(low, x[i]), high = std::max(high, x[i]); });
    return high - low;
  }
};

// The difference of largest size between two courses in a window.
double peak_difference(const Course& a, const Course& b, double from, double to) {
  double peak = 0;
  a.between(from, to, [&](size_t i) {
    if (std::abs(a.roll[i] - b.roll[i]) > std::abs(peak)) peak = a.roll[i] - b.roll[i];
  });
  return peak;
}

// Section 8.1 to 8.4.
void published_runs(Checker& check) {
  const Course still(Voyage("stationary_150t")), lift(Voyage("lift")), lower(Voyage("lower")),
      ahead(Voyage("sway_to_surge", {"run.duration=180 s"})),
      still_ahead(Voyage("stationary_150t", {"run.duration=180 s"})),
      alone(Voyage("ship_alone", {"run.duration=180 s"})), heavy(Voyage("stationary_250t")),
      swinging(Voyage("swinging_250t"));
  using Side = Checker::Side;
  const std::string published = "published: Tysse & Egeland, section ";
  check.trend("8.1, tip lifted at 10 s", "roll against the still tip, peak 10 to 12 s", "rad", Side::above, 0,
              published + "8.1, positive peak", peak_difference(lift, still, 10, 12));
  check.trend("8.1, tip lowered again at 15 s", "roll against the still tip, peak 15 to 16 s", "rad", Side::below, 0,
              published + "8.1, negative peak", peak_difference(lift, still, 15, 16));
  check.trend("8.1, tip lowered at 10 s", "roll against the still tip, peak 10 to 12 s", "rad", Side::below, 0,
              published + "8.1, negative peak", peak_difference(lower, still, 10, 12));
  check.trend("8.1, tip lifted again at 15 s", "roll against the still tip, peak 15 to 16 s", "rad", Side::above, 0,
              published + "8.1, positive peak (printed: negative)", peak_difference(lower, still, 15, 16));

  // Waves alone give a mean roll of a quarter of a degree.
  const double heel = still_ahead.mean(still_ahead.roll, 60, 180), by_waves = alone.mean(alone.roll, 60, 180);
  check.trend("8.2, tip from starboard to ahead",
              "mean roll from 60 to 180 s less that of the ship alone, of that with the tip to starboard", "",
              Side::below, 0.05, published + "8.2, about 0",
              std::abs(ahead.mean(ahead.roll, 60, 180) - by_waves) / (heel - by_waves));
  check.trend("8.2, tip from starboard to ahead", "mean trim by the bow from 60 to 180 s, against the still tip", "rad",
              Side::above, 0, published + "8.2, with errata",
              ahead.mean(ahead.pitch, 60, 180) - still_ahead.mean(still_ahead.pitch, 60, 180));

  const double stiffness = hydro::read_database(in_source("vessels/supply_ship.h5")).bodies[0].restoring(2, 2);
  check.relative("8.3, 250 t against 150 t", "sinkage, mean 20 to 60 s", "m", 100e3 * 9.81 / stiffness,
                 "exact: added weight over restoring in heave",
                 still.mean(still.heave, 20, 60) - heavy.mean(heavy.heave, 20, 60), 0.005);
  check.trend("8.3, 250 t against 150 t", "range of roll, 20 to 60 s, ratio", "", Side::above, 1,
              published + "8.3, higher peak to peak",
              heavy.range(heavy.roll, 20, 60) / still.range(still.roll, 20, 60));
  check.trend("8.4, 250 t swinging against at rest", "range of roll, ratio", "", Side::above, 1, published + "8.4",
              swinging.range(swinging.roll, 0, 60) / heavy.range(heavy.roll, 0, 60));
  // The exact controller lets the tip move by the error of the integration alone; one that is sampled lets it move as a
  // real one does.
  check.trend("8.4, 250 t swinging against at rest", "largest error of the tip, ratio", "", Side::above, 1,
              published + "8.4", swinging.largest_error / heavy.largest_error);
  check.at_most("8.4, 250 t swinging", "largest error of the tip, torques solved for with the accelerations", "m",
                "exact: none", swinging.largest_error, 1e-6);
  const Settings sampled = {"control.tip.tip.sample_time=20 ms"};
  const Course held(Voyage("stationary_250t", sampled)), held_swinging(Voyage("swinging_250t", sampled));
  check.trend("8.4, torques held for 20 ms", "largest error of the tip, swinging against at rest, ratio", "",
              Side::above, 1, published + "8.4", held_swinging.largest_error / held.largest_error);
}

// (117): the error of the tip from a start out of place, with the ship in waves and the load free to swing.
double misfit_of_decay(double step) {
  constexpr double w = 2 * pi / 2, duration = 8;
  Voyage voyage("stationary_250t",
                {"control.tip.tip.from=[0, -3.9 m, 5.3 m]", fmt::format("run.step={:.17g} s", step)});
  const Vec3 start = voyage.error();
  double worst = 0;
  while (voyage.state().t < duration - 1e-9) {
    voyage.step();
    const double t = voyage.state().t;
    // Critically damped, from rest.
    worst = std::max(worst, (voyage.error() - start * (1 + w * t) * std::exp(-w * t)).norm());
  }
  return worst / start.norm();
}

void decay_of_the_error(Checker& check) {
  const double coarse = misfit_of_decay(0.04), middle = misfit_of_decay(0.02), fine = misfit_of_decay(0.01);
  const std::string name = "tip out of place by 0.8 m at the start, ship in waves", source = "exact: solution of (117)";
  check.at_most(name, "largest departure from it at 10 ms, of the error at the start", "", source, fine, 1e-7);
  check.order(name, "order of that with the step", 4, "exact: Runge-Kutta of order 4", std::log2(coarse / middle), 0.3);
}

// Newton's and Euler's laws for all bodies together, about the origin of the world, and the energy: by sums over bodies
// that know nothing of joints.
struct Books {
  Vec6 momentum = Vec6::Zero();  // angular, linear
  Vec6 external = Vec6::Zero();  // moment and force on all bodies
  double energy = 0, power = 0;
};

Books books_of(Voyage& voyage) {
  const Scenario& scenario = voyage.scenario();
  const Workspace& work = voyage.system().workspace();
  Books out;
  const auto bodies = scenario.bodies;
  for (size_t i = 0; i < bodies.size(); ++i) {
    const TreeBody& b = scenario.tree->body(bodies[i].first);
    const auto& kin = work.kin.body[static_cast<size_t>(b.last_segment)];
    const Mat3 R = kin.R * b.frame.R;
    const Vec3 arm = kin.R * (b.frame * b.body.centre), centre = kin.p + arm, v = kin.v + kin.w.cross(arm);
    const Mat3 inertia = R * b.body.inertia.matrix() * R.transpose();
    const Vec3 spin = inertia * kin.w;
    out.momentum.head<3>() += spin + centre.cross(Vec3(b.body.mass * v));
    out.momentum.tail<3>() += b.body.mass * v;
    out.energy += 0.5 * b.body.mass * v.squaredNorm() + 0.5 * kin.w.dot(spin) + b.body.mass * 9.81 * centre.z();
  }
  // What acts from outside is on bodies, at their kernel's origin; drives are inside.
  for (size_t i = 1; i < work.loads.wrench.size(); ++i) {
    const auto& wrench = work.loads.wrench[i];
    out.external.head<3>() += wrench.n + work.kin.body[i].p.cross(wrench.f);
    out.external.tail<3>() += wrench.f;
  }
  // Water that is carried along answers the acceleration of the hull.
  const auto hull = static_cast<size_t>(scenario.tree->body("ship").last_segment);
  const auto& kin = work.kin.body[hull];
  const Twist acceleration{kin.alpha + kin.R * work.a.head<3>(), kin.acc + kin.R * work.a.segment<3>(3)};
  const Wrench carried = work.loads.added[hull] * acceleration;
  out.external.head<3>() -= carried.n + kin.p.cross(carried.f);
  out.external.tail<3>() -= carried.f;

  for (const auto& f : scenario.model->forces()) {
    const ContextT<double> context = f.context(voyage.state(), work);
    if (const auto* water = dynamic_cast<const hull_load::AddedMass*>(f.element.get())) {
      out.energy += water->kinetic_energy(work.kin);
      continue;
    }
    if (f.element->conservative()) {
      if (f.element->name() != "gravity") out.energy += f.element->potential(context);
      continue;
    }
    Loads loads;
    loads.resize(scenario.model->bodies(), scenario.model->nu(), true);
    loads.clear();
    std::vector<double> unused(static_cast<size_t>(std::max(1, f.element->auxiliary_states())));
    f.element->apply(context, loads, unused.data());
    for (size_t i = 1; i < loads.wrench.size(); ++i)
      out.power += loads.wrench[i].n.dot(work.kin.body[i].w) + loads.wrench[i].f.dot(work.kin.body[i].v);
  }
  for (const auto& s : scenario.model->servos())
    for (size_t k = 0; k < s.element->speeds().size(); ++k)
      out.power += work.w[static_cast<size_t>(s.element->inputs()[k])] * voyage.state().u[s.element->speeds()[k]];
  return out;
}

void balances(Checker& check) {
  Voyage voyage("swinging_250t", {"run.step=10 ms"});
  const Books start = books_of(voyage);
  Books before = start;
  Vec6 impulse = Vec6::Zero(), impulse_misfit = Vec6::Zero(), largest_impulse = Vec6::Zero();
  double work = 0, misfit = 0, largest = 0;
  // Simpson's rule over pairs of steps.
  constexpr double h = 0.01;
  for (int pair = 0; pair < 1000; ++pair) {
    voyage.step();
    const Books middle = books_of(voyage);
    voyage.step();
    const Books end = books_of(voyage);
    impulse += h / 3 * (before.external + 4 * middle.external + end.external);
    work += h / 3 * (before.power + 4 * middle.power + end.power);
    const Vec6 gained = end.momentum - start.momentum;
    impulse_misfit = impulse_misfit.cwiseMax((gained - impulse).cwiseAbs());
    largest_impulse = largest_impulse.cwiseMax(gained.cwiseAbs());
    misfit = std::max(misfit, std::abs(end.energy - start.energy - work));
    largest = std::max(largest, std::abs(end.energy - start.energy));
    before = end;
  }
  const std::string name = "250 t swinging from 45 deg, ship in waves, 20 s",
                    source = "invariant: separate bookkeeping";
  check.at_most(name, "linear momentum against impulse, of the largest", "", source,
                impulse_misfit.tail<3>().maxCoeff() / largest_impulse.tail<3>().maxCoeff(), 1e-6);
  check.at_most(name, "angular momentum against impulse, of the largest", "", source,
                impulse_misfit.head<3>().maxCoeff() / largest_impulse.head<3>().maxCoeff(), 1e-6);
  check.at_most(name, "energy against work, of the largest energy exchanged", "", source, misfit / largest, 1e-6);
}

// Links and load of a gram leave the ship as it is alone.
void crane_without_weight(Checker& check) {
  Settings light = {"run.duration=20 s"};
  for (const char* body : {"king", "inner", "outer", "load"})
    light.push_back(fmt::format("bodies.{}.mass=1e-3 kg", body));
  light.push_back("bodies.load.inertia=[1e-3 kg m^2, 1e-3 kg m^2, 1e-3 kg m^2]");
  Voyage with(std::string("stationary_150t"), light), alone("ship_alone");
  double apart = 0;
  while (with.state().t < 20 - 1e-9) {
    with.step();
    alone.step();
    for (const char* channel :
         {"ship.position_x", "ship.position_y", "ship.position_z", "ship.roll", "ship.pitch", "ship.yaw"})
      apart = std::max(apart, std::abs(with[channel] - alone[channel]));
  }
  check.at_most("a crane and load of 4 g", "motion of the ship against the ship alone, 20 s", "m, rad",
                "exact: none but their weight, 4 g of 6362 t", apart, 1e-8);
}

}  // namespace

void ship_crane_in_waves(Checker& check) {
  published_runs(check);
  decay_of_the_error(check);
  balances(check);
  crane_without_weight(check);
}

// The document's own ship.
void ship_crane_others(Checker& check) {
  const auto folder = third_party_data("mss-supply");
  if (!folder) return;
  const Settings ship = {"vessels.ship.hydrodynamics=" + (*folder / "supply.mat").string()};
  const Course still(Voyage("mss/stationary_150t", ship)), lift(Voyage("mss/lift", ship)),
      heavy(Voyage("mss/stationary_250t", ship)), swinging(Voyage("mss/swinging_250t", ship));
  const std::string published = "published: Tysse & Egeland, section ";
  hydro::Database database = hydro::open_database(*folder / "supply.mat");
  hydro::move_reference(database, 0, Vec3::Zero());
  const Mat6& restoring = database.bodies[0].restoring;
  // It sinks by that where the centre of the waterplane is, and trims about it.
  const double flotation = -restoring(2, 4) / restoring(2, 2);
  const auto height = [&](const Course& c) { return c.start_height - flotation * c.start_pitch; };
  using Side = Checker::Side;
  check.trend("8.1, ship of MSS, tip lifted at 10 s", "roll against the still tip, peak 10 to 12 s", "rad", Side::above,
              0, published + "8.1, positive peak", peak_difference(lift, still, 10, 12));
  check.relative("8.3, ship of MSS, 250 t against 150 t", "sinkage of the waterplane", "m",
                 100e3 * 9.81 / restoring(2, 2), "exact: added weight over restoring in heave",
                 height(still) - height(heavy), 0.005);
  check.trend("8.3, ship of MSS, 250 t against 150 t", "range of roll, 20 to 60 s, ratio", "", Side::above, 1,
              published + "8.3, higher peak to peak",
              heavy.range(heavy.roll, 20, 60) / still.range(still.roll, 20, 60));
  check.trend("8.4, ship of MSS, 250 t swinging against at rest", "range of roll, ratio", "", Side::above, 1,
              published + "8.4", swinging.range(swinging.roll, 0, 60) / heavy.range(heavy.roll, 0, 60));
}

}  // namespace davit::verify
