// Barge, crane, hook, ropes, contact and waves in one implicit step (scenarios/lift_off_quay.yaml), against explicit
// steps: of the same equations where the block hangs free, and on an elastic quay, ever stiffer, where it is lifted
// off.
#include <fmt/format.h>

#include "verify/verify.hpp"
#include "verify/vessels/coupled_books.hpp"
#include "verify/vessels/coupled_lift.hpp"

namespace davit::verify {

namespace {

using Quay = CoupledLift::Quay;

// What is compared, at every second.
struct Course {
  std::vector<Vec3> block, hook;
  std::vector<double> roll, tension;

  explicit Course(const CoupledLift& lift) {
    ScenarioRun run = lift.at_rest();
    const auto place = [&](const std::string& body) {
      return Vec3(run.channel(body + ".position_x"), run.channel(body + ".position_y"),
                  run.channel(body + ".position_z"));
    };
    for (int second = 1; second <= std::lround(CoupledLift::duration); ++second) {
      while (run.state().t < second - 1e-9) run.step(lift.step > 0 ? lift.step : second - run.state().t);
      run.look();
      block.push_back(place("block"));
      hook.push_back(place("hook"));
      roll.push_back(run.channel("barge.roll"));
      tension.push_back(run.channel("hoist.tension"));
    }
  }
  // The limit of two courses whose errors are as `ratio` to one.
  Course(const Course& coarse, const Course& fine, double ratio) : Course(fine) {
    const double f = 1 / (ratio - 1);
    for (size_t i = 0; i < block.size(); ++i) {
      block[i] += f * (fine.block[i] - coarse.block[i]);
      hook[i] += f * (fine.hook[i] - coarse.hook[i]);
      roll[i] += f * (fine.roll[i] - coarse.roll[i]);
      tension[i] += f * (fine.tension[i] - coarse.tension[i]);
    }
  }
};

struct Distance {
  double block = 0, hook = 0, roll = 0, tension = 0;  // largest, m, rad, parts of the block's weight
};
Distance distance(const Course& a, const Course& b) {
  Distance out;
  for (size_t i = 0; i < a.block.size(); ++i) {
    out.block = std::max(out.block, (a.block[i] - b.block[i]).norm());
    out.hook = std::max(out.hook, (a.hook[i] - b.hook[i]).norm());
    out.roll = std::max(out.roll, std::abs(a.roll[i] - b.roll[i]));
    out.tension = std::max(out.tension, std::abs(a.tension[i] - b.tension[i]) / (CoupledLift::block_mass * 9.80665));
  }
  return out;
}

// The block hangs free, and all ropes stay taut: the motion is smooth.
void hanging(Checker& check) {
  const Course exact({.quay = Quay::none, .method = "dopri5", .step = 0});
  struct Way {
    const char *name, *method;
    bool directors;
  };
  for (const Way& way : {Way{"conserving", "conserving", false}, Way{"midpoint", "midpoint", false},
                         Way{"generalised_alpha", "generalised_alpha", false},
                         Way{"conserving, hook and block as director bodies", "conserving", true}}) {
    const auto course = [&](double step) {
      return Course({.quay = Quay::none, .directors = way.directors, .method = way.method, .step = step});
    };
    const Course coarse = course(0.04), fine = course(0.02);
    const Distance before = distance(coarse, exact), after = distance(fine, exact),
                   limit = distance(Course(coarse, fine, 4), exact);
    const std::string name = fmt::format("block on the hook in waves, {}", way.name),
                      source = "oracle: explicit steps (dopri5, 1e-10 per step)";
    check.order(name, "order of the block's place, 40 and 20 ms", 2, "exact: the method's order",
                std::log2(before.block / after.block), 0.05);
    check.at_most(name, "block at 20 ms, largest distance", "m", source, after.block, 5e-5);
    // Waves are summed in windows with fixed steps and one by one without: 1e-6 of their force.
    check.at_most(name, "block extrapolated, largest distance", "m", source, limit.block, 1e-6);
    check.at_most(name, "hook extrapolated, largest distance", "m", source, limit.hook, 1e-6);
    check.at_most(name, "roll of the barge extrapolated", "rad", source, limit.roll, 1e-9);
    check.at_most(name, "tension of the hoist extrapolated, of the weight", "", source, limit.tension, 1e-6);
  }
}

// Slings come taut and corners open one after the other, at instants within a step. The hook is shaken by that at 15
// Hz, which a step of 20 ms does not resolve. An elastic quay gives way by the weight on a corner over its stiffness,
// and its damping makes landings as soft as those of a contact without restitution.
void off_the_quay(Checker& check) {
  const auto on_springs = [](double stiffness) {
    return Course({.quay = Quay::elastic, .stiffness = stiffness, .method = "dopri5", .step = 0});
  };
  const Course soft = on_springs(4e9), firm = on_springs(16e9), stiff = on_springs(64e9), rigid(firm, stiff, 4);
  check.order("block lifted off an elastic quay in waves, dopri5", "order of the block's place with compliance", 1,
              "exact: a spring gives way by N/k",
              std::log2(distance(soft, firm).block / distance(firm, stiff).block) / 2, 0.1);
  const auto error = [&](double step) { return distance(Course({.quay = Quay::smooth, .step = step}), rigid); };
  const Distance coarse = error(0.02), fine = error(0.005);
  const std::string name = "block lifted off a smooth quay in waves, conserving",
                    source = "oracle: explicit steps on an elastic quay, extrapolated to a rigid one";
  check.at_most(name, "block at 20 ms, largest distance", "m", source, coarse.block, 1e-3);
  check.at_most(name, "block at 5 ms, largest distance", "m", source, fine.block, 2e-4);
  check.at_most(name, "hook at 20 ms, largest distance", "m", source, coarse.hook, 1e-2);
  check.at_most(name, "hook at 5 ms, largest distance", "m", source, fine.hook, 1e-3);
  check.at_most(name, "roll of the barge at 5 ms", "rad", source, fine.roll, 1e-6);
  check.at_most(name, "tension of the hoist at 5 ms, of the weight", "", source, fine.tension, 2e-4);
  check.order(name, "order of the block's place, 20 to 5 ms", 1.5,
              "exact: two where the motion is smooth, one where a contact opens or lands",
              std::log2(coarse.block / fine.block) / 2, 0.5);
}

}  // namespace

void coupled(Checker& check) {
  hanging(check);
  off_the_quay(check);
  coupled_books(check);
  loop_energy(check);
}

}  // namespace davit::verify
