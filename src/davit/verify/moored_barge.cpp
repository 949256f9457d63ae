// A barge on four chains, one model and one step: its slow motions against exact catenaries over a rigid bed, which
// know nothing of elements and steps.
#include "davit/hydro/convert.hpp"
#include "davit/hydro/database_file.hpp"
#include "davit/math/constants.hpp"
#include "davit/verify/moored_barge_case.hpp"
#include "davit/verify/verify.hpp"

namespace davit::verify {

namespace {

constexpr double step = 0.2;

// Let go 1 m off: half periods between the crossings of its place at rest.
double surge_period(const MooredBarge& barge) {
  ScenarioRun free = barge.run();
  free.state().q.tail<3>()[0] += 1;
  free.begin();
  return measured_period(free, "barge.position_x", step, 1, 1000);
}

}  // namespace

void moored_barge(Checker& check) {
  hydro::Database db = hydro::read_database(DAVIT_VESSELS "/barge_110x46_18851t.h5");
  hydro::move_reference(db, 0, Vec3::Zero());
  const double mass = db.bodies[0].loading->mass + (*db.added_mass_zero)(0, 0);
  const double exact_period = 2 * pi * std::sqrt(mass / MooredBarge::stiffness()(0, 0));
  const std::string catenaries = "exact: elastic catenaries over a rigid bed, mass and added mass of slow motion";

  const std::string let_go = "barge of 110 m on four chains, let go 1 m off";
  const double period = surge_period({});
  check.relative(let_go, "period of surge", "s", rounded(exact_period), catenaries, period, 0.01);
  check.relative(let_go + ", quasi-static lines", "period of surge", "s", rounded(exact_period), catenaries,
                 surge_period({.line = ", model: quasi_static"}), 0.01);
  check.relative(let_go + ", lines made linear", "period of surge", "s", rounded(exact_period), catenaries,
                 surge_period({.line = ", model: spring"}), 0.01);

  // Pushed by a steady force it comes to rest where the lines balance it.
  constexpr double push = 3e5;
  ScenarioRun pushed =
      MooredBarge{.forces = "  push: {wrench: {on: barge, force: [3e5 N, 0, 0], ramp: 100 s}}\n"}.run();
  while (pushed.state().t < 600) pushed.step(step);
  double mean = 0;
  const int seen = static_cast<int>(std::round(6 * period / step));
  for (int n = 0; n < seen; ++n) {
    pushed.step(step);
    mean += position(pushed.look(), pushed.first()).x() / seen;
  }
  check.relative("barge of 110 m on four chains, pushed by 300 kN", "mean offset", "m",
                 rounded(MooredBarge::offset({push, 0, 0}).x()), "exact: elastic catenaries over a rigid bed", mean,
                 0.01);
}

}  // namespace davit::verify
