#include "verify/vessels/coupled_books.hpp"

#include <fmt/format.h>

#include "verify/vessels/coupled_lift.hpp"

namespace davit::verify {

namespace {

using Quay = CoupledLift::Quay;

// Of all bodies and of the water that moves with the hull, about the origin of the world: angular momentum, momentum,
// and energy; and what feeds them, contacts left out: moment and force on all bodies, in which those between bodies
// cancel, and power.
using Entry = Eigen::Matrix<double, 7, 1>;
struct Balance {
  Entry owned = Entry::Zero(), rate = Entry::Zero();
};

Balance balance_of(ScenarioRun& run) {
  const Scenario& scenario = run.scenario();
  const Model& model = *scenario.model;
  System& system = run.system();
  const State& s = run.state();
  Workspace& work = system.workspace();
  run.look();
  const Energy energy = system.energy(s);
  Balance out;
  out.owned[6] = energy.total();
  out.rate[6] = energy.power;
  for (const auto& [name, body] : scenario.bodies) {
    const TreeBody& b = scenario.tree->body(name);
    const auto& kin = work.kin.body[static_cast<size_t>(b.last_segment)];
    const Mat3 R = kin.R * b.frame.R;
    const Vec3 arm = kin.R * (b.frame * b.body.centre), centre = kin.p + arm;
    const Vec3 momentum = b.body.mass * (kin.v + kin.w.cross(arm));
    out.owned.head<3>() += R * b.body.inertia.matrix() * R.transpose() * kin.w + centre.cross(momentum);
    out.owned.segment<3>(3) += momentum;
  }
  // Again, without contacts.
  system.apply_forces<double>(work, s.t, s.q.data(), s.u.data(), s.z.data(), s.discrete);
  // Water that moves along has momentum of its own: the force that changes it is inside.
  Loads inside;
  inside.resize(model.bodies(), model.nu(), true);
  inside.clear();
  for (const auto& f : model.forces())
    if (f.element->adds_inertia()) f.element->apply(f.context(s, work), inside, nullptr);
  for (size_t i = 1; i < work.kin.body.size(); ++i) {
    const auto& kin = work.kin.body[i];
    const Wrench water = work.loads.added[i] * Twist{kin.w, kin.v};
    out.owned.head<3>() += water.n + kin.p.cross(water.f);
    out.owned.segment<3>(3) += water.f;
    const Vec3 force = work.loads.wrench[i].f - inside.wrench[i].f;
    out.rate.head<3>() += work.loads.wrench[i].n - inside.wrench[i].n + kin.p.cross(force);
    out.rate.segment<3>(3) += force;
  }
  return out;
}

// What contacts gave in a part of a step: their mean forces over it, at the middle of the way of their points, by its
// length, and by the mean speed of their points. A point that entered is put back to the surface: that is no work.
class ContactBook {
 public:
  explicit ContactBook(ScenarioRun& run) : run_(run), contacts_(run.scenario().model->contacts()), before_(points()) {}
  Entry after(double h) {
    const std::vector<Point> now = points();
    Entry given = Entry::Zero();
    for (size_t i = 0; i < contacts_.size(); ++i) {
      const Vec3 impulse = h * run_.state().lambda.segment<3>(run_.scenario().model->rows() + 3 * static_cast<int>(i));
      given.head<3>() += ((before_[i].place + now[i].place) / 2).cross(impulse);
      given.segment<3>(3) += impulse;
      given[6] += impulse.dot(before_[i].velocity + now[i].velocity) / 2;
    }
    before_ = now;
    return given;
  }

 private:
  struct Point {
    Vec3 place, velocity;
  };
  // In the world: the quay stands still with its axes along the world's.
  std::vector<Point> points() const {
    const Kin& kin = run_.look();
    const auto& block = kin.body[static_cast<size_t>(run_.scenario().tree->body("block").last_segment)];
    std::vector<Point> out;
    for (const Contact& c : contacts_) {
      Vec3 place;
      c.geometry->rows(kin, place.data());
      place += CoupledLift::quay_place();
      out.push_back({place, block.v + block.w.cross(Vec3(place - block.p))});
    }
    return out;
  }
  ScenarioRun& run_;
  const std::vector<Contact>& contacts_;
  std::vector<Point> before_;
};

struct Books {
  std::vector<Entry> gained, misfit;  // since the start, every 80 ms

  explicit Books(const CoupledLift& lift) {
    ScenarioRun run = lift.at_rest();
    ContactBook contacts(run);
    const Entry start = balance_of(run).owned;
    Entry before = balance_of(run).rate, given = Entry::Zero();
    const double h = lift.step;
    const int pairs = static_cast<int>(std::lround(0.08 / (2 * h)));
    const auto step = [&] {
      step_in_parts(run, h, [&](double part) { given += contacts.after(part); });
      return balance_of(run);
    };
    while (run.state().t < CoupledLift::duration - h) {
      Balance end;
      for (int i = 0; i < pairs; ++i) {
        const Entry middle = step().rate;
        end = step();
        given += h / 3 * (before + 4 * middle + end.rate);  // Simpson's rule
        before = end.rate;
      }
      gained.push_back(end.owned - start);
      misfit.push_back(gained.back() - given);
    }
  }
  // The limit of books whose misfits are as four to one.
  Books(const Books& coarse, const Books& fine) : Books(fine) {
    for (size_t i = 0; i < misfit.size(); ++i) misfit[i] += (fine.misfit[i] - coarse.misfit[i]) / 3;
  }

  // The largest misfit of some entries, of the largest gain.
  double open(int first, int count) const {
    double worst = 0, largest = 0;
    for (size_t i = 0; i < misfit.size(); ++i) {
      worst = std::max(worst, misfit[i].segment(first, count).norm());
      largest = std::max(largest, gained[i].segment(first, count).norm());
    }
    return worst / largest;
  }
};

struct Part {
  const char* name;
  int first, count;
};
constexpr Part parts[] = {
    {"angular momentum against impulse", 0, 3}, {"momentum against impulse", 3, 3}, {"energy against work", 6, 1}};

}  // namespace

void coupled_books(Checker& check) {
  const std::string source = "invariant: separate bookkeeping";
  const auto conserving = [&](const std::string& name, const CoupledLift& lift, double step, bool smooth) {
    const auto at = [&](double h) {
      CoupledLift changed = lift;
      changed.step = h;
      return Books(changed);
    };
    const Books coarse = at(step), fine = at(step / 2), limit(coarse, fine);
    for (const Part& p : parts) {
      // Power jumps where a corner opens or lands, which no rule of integration follows: there energy has no order.
      if (!smooth && p.first == 6) {
        check.at_most(name, fmt::format("{} at {:g} ms, of the largest", p.name, 500 * step), "", source,
                      fine.open(p.first, p.count), 1e-6);
        continue;
      }
      check.order(name, fmt::format("order of {}, {:g} and {:g} ms", p.name, 1e3 * step, 500 * step), 2,
                  "exact: the method's order", std::log2(coarse.open(p.first, p.count) / fine.open(p.first, p.count)),
                  0.05);
      check.at_most(name, fmt::format("{} extrapolated, of the largest", p.name), "", source,
                    limit.open(p.first, p.count), 1e-6);
    }
  };
  conserving("block on the hook in waves, conserving", {.quay = Quay::none}, 0.02, true);
  conserving("block lifted off a quay with friction, conserving", {.quay = Quay::rough, .taut = true}, 0.01, false);
  const Books rk4({.quay = Quay::none, .method = "rk4", .step = 0.004});
  for (const Part& p : parts)
    check.at_most("block on the hook in waves, rk4 at 4 ms", fmt::format("{}, of the largest", p.name), "", source,
                  rk4.open(p.first, p.count), 1e-6);
}

// The boom of scenarios/luffing_cylinder.yaml without drive or loss, its cylinder a spring: tree joints whose loop a
// ball constraint closes, one of its rows redundant. Boom and load swing for three hours.
void loop_energy(Checker& check) {
  constexpr double h = 0.04, hours = 3;
  ScenarioRun run(fmt::format(R"(davit: 1
title: a boom on a sprung cylinder
bodies:
  boom: {{joint: {{revolute: -y}}, mass: 3 t, centre: [6 m, 0, 0], cylinder: {{radius: 0.4 m, length: 12 m, axis: x}}, start: {{angle: 30 deg}},
    points: {{pin: [3 m, 0, -0.4 m]}}}}
  cylinder: {{at: [2 m, 0, -1.5 m], joint: {{revolute: -y}}, mass: 300 kg, centre: [0.6 m, 0, 0], cylinder: {{radius: 0.15 m, length: 1.5 m, axis: x}},
    start: {{angle: 1.278648 rad}}}}
  piston: {{on: cylinder, joint: {{prismatic: x}}, mass: 150 kg, centre: [-0.5 m, 0, 0], cylinder: {{radius: 0.1 m, length: 1.5 m, axis: x}},
    start: {{travel: 2.771004 m}}}}
  load: {{on: boom, at: [12 m, 0, 0], joint: {{universal: [x, y]}}, mass: 5 t, centre: [0, 0, -6 m], box: {{size: [2 m, 2 m, 2 m]}},
    start: {{angle1: 15 deg, angle2: 45 deg}}}}
constraints: {{rod_end: {{ball: {{from: boom.pin, to: piston}}}}}}
forces: {{spring: {{joint_spring: {{joint: piston, stiffness: 2 MN/m, rest: 3 m}}}}}}
run: {{duration: {} h, step: {} s, method: conserving}}
)",
                              hours, h));
  const auto energy = [&] {
    run.look();
    return run.system().energy(run.state());
  };
  const double start = energy().total();
  double swung = 0, band = 0, first = 0, last = 0;
  const long looks = std::lround(hours * 3600 / h) / 5, window = looks / 18;  // ten minutes
  for (long i = 0; i < looks; ++i) {
    for (int k = 0; k < 5; ++k) run.step(h);
    const Energy e = energy();
    swung = std::max(swung, e.kinetic);
    band = std::max(band, std::abs(e.total() - start));
    if (i < window) first += (e.total() - start) / static_cast<double>(window);
    if (i >= looks - window) last += (e.total() - start) / static_cast<double>(window);
  }
  const std::string name = "boom on a loop of tree joints, 3 h, conserving at 40 ms", source = "invariant: energy";
  check.at_most(name, "energy beside its start, largest, of the largest kinetic energy", "", source, band / swung,
                2e-3);
  // The mean of ten minutes moves about by less than that.
  check.at_most(name, "drift: mean of the last ten minutes less that of the first, of the same", "", source,
                std::abs(last - first) / swung, 1e-6);
}

}  // namespace davit::verify
