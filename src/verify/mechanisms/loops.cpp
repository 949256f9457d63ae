// Closed loops with one degree of freedom, some with rows that follow from others, and rigid bodies in three
// dimensions: against closed-form motions, published digits and independent integrations of the reduced equations.
#include <array>
#include <cmath>
#include <functional>
#include <stdexcept>

#include "davit/math/constants.hpp"
#include "davit/solve/run_loop.hpp"
#include "verify/mechanisms/mechanism.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

// bench/oracle_ida.cpp; from one tolerance to the next its results change by less than the tolerances here.
const std::string ida = "oracle: SUNDIALS IDA 6.4.1, Cartesian coordinates";
const std::string reduced = "oracle: independent reduced equation";

// A torque on the speed of a joint.
class Torque final : public ForceOf<Torque> {
 public:
  Torque(int speed, double value) : ForceOf("torque"), speed_(speed), value_(value) {}
  std::string summary() const override { return "constant torque"; }
  template <class S>
  void add_loads(const ContextT<S>&, LoadsT<S>& loads, S*) const {
    loads.tau[static_cast<size_t>(speed_)] += S(value_);
  }

 private:
  int speed_;
  double value_;
};

// A link on a hinge whose frame has the axes of the world at angle zero.
Body link(const std::string& name, const std::string& on, const Vec3& at, double mass, const Vec3& centre,
          const Sym3& inertia, const Vec3& axis = Vec3::UnitZ()) {
  Body b;
  b.name = name;
  b.on = on;
  b.at.p = at;
  b.joint.kind = JointKind::revolute;
  b.joint.axis = axis;
  b.mass = mass;
  b.centre = centre;
  b.inertia = inertia;
  return b;
}
// A uniform thin rod in the plane, from its hinge along a direction at angle zero.
Body rod(const std::string& name, const std::string& on, const Vec3& at, double mass, const Vec3& span,
         double angle = 0, double rate = 0) {
  const double J = mass * span.squaredNorm() / 12;
  Body b = link(name, on, at, mass, span / 2, Sym3::diagonal(J, J, J));
  b.joint.position = {angle};
  b.joint.rate = {rate};
  return b;
}
Mechanism::Closure pin(const std::string& from, const Vec3& from_at, const std::string& to, const Vec3& to_at,
                       const Vec3& axis = Vec3::UnitZ()) {
  return {from + " to " + to, from, hinge_at(from_at, axis), to, hinge_at(to_at, axis), hinge_about_z};
}

// The motion at the end of a run, with what was seen on the way.
struct Followed {
  State end;
  double energy_drift = 0, gap = 0;
};
using Work = std::function<double(const State&)>;  // done by what has no potential

struct Watch final : Observer {
  const Work& work;
  Followed seen;
  double first = 0;
  bool started = false;
  explicit Watch(const Work& w) : work(w) {}
  void record(const State& s, System& system) override {
    const double energy = system.energy(s).total() - (work ? work(s) : 0.0);
    if (!started) first = energy, started = true;
    seen.energy_drift = std::max(seen.energy_drift, std::abs(energy - first));
    for (size_t i = 0; i < system.model().constraints().size(); ++i)
      seen.gap = std::max(seen.gap, system.violation(s, static_cast<int>(i)));
    seen.end = s;
  }
};

Followed follow(const Assembled& a, Stepper& stepper, double end, double step, const Work& work = {}) {
  System system(*a.model);
  State s = a.start;
  Watch watch(work);
  const RunOutcome outcome = simulate(system, stepper, s, {.end = end, .step = step, .output = end / 20}, watch);
  if (outcome.status != RunStatus::complete) throw std::runtime_error(stepper.name() + ": " + outcome.why);
  return watch.seen;
}
Followed follow_sharply(const Assembled& a, double end, const Work& work = {}) {
  const auto stepper = make_dormand_prince(*a.model, {.tolerance = 1e-12});
  return follow(a, *stepper, end, 1, work);
}
Followed follow_by(ImplicitMethod method, const Assembled& a, double end, int steps, const Work& work = {}) {
  const auto stepper = make_implicit(method, *a.model);
  return follow(a, *stepper, end, end / steps, work);
}
const char* name_of_method(ImplicitMethod method) {
  return method == ImplicitMethod::generalised_alpha ? "generalised_alpha" : "conserving";
}

// The error of a motion at its end, in one number.
using Error = std::function<double(const State&)>;

void order_two(Checker& check, const std::string& name, const Assembled& a, ImplicitMethod method, double end,
               int steps, const Error& error, const std::string& source) {
  const double coarse = error(follow_by(method, a, end, steps).end),
               fine = error(follow_by(method, a, end, 2 * steps).end);
  check.order(name, std::string("order of ") + name_of_method(method) + " to the reference", 2, source,
              std::log2(coarse / fine), 0.1);
}

struct Loop {
  std::string name;
  Mechanism mechanism;
  int redundant = 0;
  double end = 0;
  double energy = 1;         // J, to compare the drift with
  Error error;               // at the end
  std::string unit, source;  // of the error
  double tolerance = 1e-9;   // of dopri5
  int steps = 1000;          // of conserving, and twice as many
  AssemblyOptions options;
  Work work;
};

// Rows that follow from others, and dopri5; hands its end over.
State study_sharply(Checker& check, const Loop& loop) {
  const Assembled a = assemble(loop.mechanism, Formulation::joints, loop.options);
  System system(*a.model);
  check.absolute(loop.name, "rows that follow from others", "", loop.redundant,
                 "exact: rows less speeds plus the one degree of freedom",
                 static_cast<double>(system.redundant_rows(a.start).size()), 0);
  const Followed sharp = follow_sharply(a, loop.end, loop.work);
  check.at_most(loop.name, "error at the end, dopri5", loop.unit, loop.source, loop.error(sharp.end), loop.tolerance);
  check.at_most(loop.name, "drift of energy, dopri5", "", "invariant: energy balance", sharp.energy_drift / loop.energy,
                1e-9);
  check.at_most(loop.name, "gap of the loop, dopri5", "m", "exact: zero", sharp.gap, 1e-11);
  return sharp.end;
}
// And the order of conserving.
State study(Checker& check, const Loop& loop) {
  order_two(check, loop.name, assemble(loop.mechanism, Formulation::joints, loop.options), ImplicitMethod::conserving,
            loop.end, loop.steps, loop.error, loop.source);
  return study_sharply(check, loop);
}

// The time that a mechanism with one degree of freedom θ takes from one angle to another, from its energy:
// t = ∫ √(M(θ)/(2(E + W(θ) - V(θ)))) dθ, with M(θ) from closed-form places of its bodies.
class Clock {
 public:
  struct Mass {
    double mass;
    Mat3 inertia;  // about the centre, in the body's axes
  };
  using Places = std::function<std::vector<Pose>(double)>;  // of the mass centres
  Clock(std::vector<Mass> masses, Places places, const Vec3& gravity)
      : masses_(std::move(masses)), places_(std::move(places)), gravity_(gravity) {}

  double mass(double angle) const {
    // Central differences of order eight: exact to round-off at this interval.
    constexpr double h = 0.01, weight[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
    std::vector<Vec3> velocity(masses_.size(), Vec3::Zero());
    std::vector<Mat3> turning(masses_.size(), Mat3::Zero());
    for (int i = 1; i <= 4; ++i) {
      const auto ahead = places_(angle + i * h), behind = places_(angle - i * h);
      for (size_t b = 0; b < masses_.size(); ++b) {
        velocity[b] += weight[i - 1] / h * (ahead[b].p - behind[b].p);
        turning[b] += weight[i - 1] / h * (ahead[b].R - behind[b].R);
      }
    }
    const auto here = places_(angle);
    double sum = 0;
    for (size_t b = 0; b < masses_.size(); ++b) {
      const Mat3 spin = here[b].R.transpose() * turning[b];  // ω̂ in the body's axes
      const Vec3 w(spin(2, 1), spin(0, 2), spin(1, 0));
      sum += masses_[b].mass * velocity[b].squaredNorm() + w.dot(masses_[b].inertia * w);
    }
    return sum;
  }
  double potential(double angle) const {
    const auto here = places_(angle);
    double sum = 0;
    for (size_t b = 0; b < masses_.size(); ++b) sum -= masses_[b].mass * gravity_.dot(here[b].p);
    return sum;
  }
  // With the speed at the first angle; composite Gauss quadrature.
  double time(double from, double rate, double to) const {
    constexpr int parts = 400;
    constexpr double node[] = {0, 0.538469310105683091, 0.906179845938663993};
    constexpr double weight[] = {0.568888888888888889, 0.478628670499366468, 0.236926885056189088};
    const double energy = mass(from) * rate * rate / 2 + potential(from), half = (to - from) / parts / 2;
    const auto slowness = [&](double angle) { return std::sqrt(mass(angle) / (2 * (energy - potential(angle)))); };
    double sum = 0;
    for (int i = 0; i < parts; ++i) {
      const double middle = from + (2 * i + 1) * half;
      sum += weight[0] * slowness(middle);
      for (int k = 1; k < 3; ++k)
        sum += weight[k] * (slowness(middle + node[k] * half) + slowness(middle - node[k] * half));
    }
    return sum * half;
  }

 private:
  std::vector<Mass> masses_;
  Places places_;
  Vec3 gravity_;
};

Pose in_plane(double x, double y, double angle) { return {axis_rotation(2, angle), Vec3(x, y, 0)}; }
Mat3 thin(double mass, double length) { return Mat3::Identity() * (mass * length * length / 12); }

// The windowed four-bar (IFToMM library, A02): N windows, uprights and couplers of 1 m and 1 kg. The couplers only
// translate, so the uprights move as one pendulum. At the horizontal all links are in line and N more degrees of
// freedom open for an instant: explicit methods, which solve for accelerations there, are followed up to it only.
void windows(Checker& check, int count, double end, const Eigen::Vector2d& reference) {
  Mechanism m;
  m.gravity = {0, -9.81, 0};
  const auto upright = [](int i) { return "upright " + std::to_string(i); };
  const auto coupler = [](int i) { return "coupler " + std::to_string(i); };
  for (int i = 0; i <= count; ++i) {
    m.bodies.push_back(rod(upright(i), "world", Vec3(i, 0, 0), 1, Vec3::UnitY(), 0, -1));
    if (i == count) break;
    m.bodies.push_back(rod(coupler(i), upright(i), Vec3::UnitY(), 1, Vec3::UnitX(), 0, 1));
    m.closures.push_back(pin(coupler(i), Vec3::UnitX(), upright(i + 1), Vec3::UnitY()));
  }
  std::vector<Clock::Mass> masses(static_cast<size_t>(2 * count + 1), {1, thin(1, 1)});
  const Clock clock(
      masses,
      [count](double angle) {
        std::vector<Pose> out;
        const double x = -std::sin(angle), y = std::cos(angle);
        for (int i = 0; i <= count; ++i) out.push_back(in_plane(i + x / 2, y / 2, angle));
        for (int i = 0; i < count; ++i) out.push_back(in_plane(i + x + 0.5, y, 0));
        return out;
      },
      m.gravity);
  Loop loop;
  loop.name = "windowed four-bar, N = " + std::to_string(count);
  loop.mechanism = m;
  loop.redundant = 3 * count;
  loop.end = 0.6;
  loop.energy = (1.5 * count + 0.5) * 9.81;
  loop.error = [&](const State& s) { return std::abs(std::abs(clock.time(0, -1, s.q[0])) - loop.end); };
  loop.unit = "s";
  loop.source = "exact: time to the angle reached, quadrature of the energy";
  study_sharply(check, loop);
  const auto tip = [](const State& s) { return Eigen::Vector2d(-std::sin(s.q[0]), std::cos(s.q[0])); };
  const std::string name = loop.name + ", " + std::to_string(std::lround(end)) + " s";
  const Assembled a = assemble(m, Formulation::joints);
  const int steps = static_cast<int>(std::lround(200 * end));
  const Eigen::Vector2d coarse = tip(follow_by(ImplicitMethod::conserving, a, end, steps).end),
                        fine = tip(follow_by(ImplicitMethod::conserving, a, end, 2 * steps).end),
                        limit = (4 * fine - coarse) / 3;
  const std::string source = reduced + ", uprights as one pendulum";
  check.order(name, "order of conserving to the reference", 2, source,
              std::log2((coarse - reference).norm() / (fine - reference).norm()), 0.1);
  check.at_most(name, "place of the first corner, conserving with h² removed", "m", source, (limit - reference).norm(),
                1e-6);
  if (count == 2)
    check.absolute(name, "x of the first corner, conserving with h² removed", "m", 0.32845810,
                   "published: EXUDYN fourBarMechanismIftomm, h² removed", limit.x(), 1e-6);
}

// A crank and rocker that fall round. Closed form: the rocker's angle by the triangle of coupler, rocker and the line
// between their far ends, which is Freudenstein's equation solved.
void four_bar(Checker& check) {
  const double g = 3, a = 1, b = 3, c = 2.5, start = 0.4, rate = 8;
  const auto rocker = [=](double th) {
    const Eigen::Vector2d d(a * std::cos(th) - g, a * std::sin(th));
    return std::atan2(d.y(), d.x()) - std::acos((c * c + d.squaredNorm() - b * b) / (2 * c * d.norm()));
  };
  const auto coupler = [=](double th) {
    const double ps = rocker(th);
    return std::atan2(c * std::sin(ps) - a * std::sin(th), g + c * std::cos(ps) - a * std::cos(th));
  };
  const double ps0 = rocker(start), be0 = coupler(start);
  const double coupler_rate = a * rate * std::sin(ps0 - start) / (b * std::sin(be0 - ps0)),
               rocker_rate = a * rate * std::sin(be0 - start) / (c * std::sin(be0 - ps0));
  Mechanism m;
  m.gravity = {0, -9.81, 0};
  m.bodies = {rod("crank", "world", Vec3::Zero(), 2, Vec3(a, 0, 0), start, rate),
              rod("coupler", "crank", Vec3(a, 0, 0), 3, Vec3(b, 0, 0), be0 - start, coupler_rate - rate),
              rod("rocker", "world", Vec3(g, 0, 0), 4, Vec3(c, 0, 0), ps0, rocker_rate)};
  m.closures = {pin("coupler", Vec3(b, 0, 0), "rocker", Vec3(c, 0, 0))};
  const Clock clock(
      {{2, thin(2, a)}, {3, thin(3, b)}, {4, thin(4, c)}},
      [=](double th) {
        const double ps = rocker(th), be = coupler(th);
        return std::vector<Pose>{
            in_plane(a / 2 * std::cos(th), a / 2 * std::sin(th), th),
            in_plane(a * std::cos(th) + b / 2 * std::cos(be), a * std::sin(th) + b / 2 * std::sin(be), be),
            in_plane(g + c / 2 * std::cos(ps), c / 2 * std::sin(ps), ps)};
      },
      m.gravity);
  Loop loop;
  loop.name = "crank and rocker";
  loop.mechanism = m;
  loop.redundant = 3;
  loop.end = 3;
  loop.energy = clock.mass(start) * rate * rate / 2;
  loop.error = [&](const State& s) { return std::abs(clock.time(start, rate, s.q[0]) - loop.end); };
  loop.unit = "s";
  loop.source = "exact: time to the angle reached, quadrature of the energy with Freudenstein's angles";
  loop.steps = 1500;
  const State s = study(check, loop);
  check.relative(loop.name, "angle of the crank at the end, dopri5", "rad", 20.66909502213685, ida, s.q[0], 5e-10);
  const Followed kept =
      follow_by(ImplicitMethod::energy_momentum, assemble(m, Formulation::directors), loop.end, loop.steps);
  check.at_most(loop.name + ", director bodies", "drift of energy, energy_momentum", "",
                "exact: discrete gradients keep the energy", kept.energy_drift / loop.energy, 1e-10);
  const double th = s.q[0], ps = s.q[2];
  check.at_most(loop.name, "Freudenstein's equation at the end", "", "exact: K1 cos ψ - K2 cos θ + K3 = cos(θ - ψ)",
                std::abs(g / a * std::cos(ps) - g / c * std::cos(th) + (a * a - b * b + c * c + g * g) / (2 * a * c) -
                         std::cos(th - ps)),
                1e-11);
}

// EXUDYN's slider-crank: stretched at rest, a torque on the crank and no weight, so that T = τ θ.
void slider_crank(Checker& check) {
  const double r = 0.5, l = 1, torque = 10;
  Mechanism m;
  Body slider = link("slider", "world", Vec3(r + l, 0, 0), 1, Vec3::Zero(), Sym3::scaled_identity(0.1), Vec3::UnitX());
  slider.joint.kind = JointKind::prismatic;
  m.bodies = {rod("crank", "world", Vec3::Zero(), 2, Vec3(r, 0, 0)),
              rod("rod", "crank", Vec3(r, 0, 0), 4, Vec3(l, 0, 0)), slider};
  m.closures = {pin("rod", Vec3(l, 0, 0), "slider", Vec3::Zero())};
  Loop loop;
  loop.name = "planar slider-crank";
  loop.mechanism = m;
  loop.redundant = 3;
  loop.end = 1;
  loop.energy = torque * 5.6423299821;
  loop.work = [=](const State& s) { return torque * s.q[0]; };
  loop.options.add_forces = [=](const Assembled& a, ModelParts& parts) {
    parts.forces.push_back(std::make_shared<Torque>(a.tree->body("crank").u, torque));
  };
  loop.error = [](const State& s) {
    return std::hypot(s.q[0] - 5.6423299821, 1.5 + s.q[2] - 1.3550640434, (s.u[0] - 10.1765251660) / 10);
  };
  loop.unit = "rad, m";
  loop.source = reduced;
  const State s = study(check, loop);
  check.relative(loop.name, "angle of the crank at the end, dopri5", "rad", 5.642329982121229, ida, s.q[0], 1e-10);
  check.relative(loop.name, "place of the slider at the end, dopri5", "m", 1.355064043403503, ida, r + l + s.q[2],
                 1e-10);
  check.absolute(loop.name, "place of the slider at the end", "m",
                 r * std::cos(s.q[0]) + std::sqrt(l * l - r * r * std::sin(s.q[0]) * std::sin(s.q[0])),
                 "exact: closed form at the crank's angle", r + l + s.q[2], 1e-11);
}

// The spatial slider-crank of the IFToMM library; submissions differ in the rod's axes, this is the model that
// Gonzalez's series fits.
void spatial_slider_crank(Checker& check) {
  const Vec3 A(0, 0.1, 0.12), B(0, 0.1, 0.2), C(0.2, 0, 0), along = (C - B).normalized();
  Mechanism m;
  m.gravity = {0, 0, -9.81};
  Body crank = link("crank", "world", A, 0.12, Vec3(0, 0, 0.04), Sym3::diagonal(1e-4, 1e-5, 1e-4), Vec3::UnitX());
  crank.joint.rate = {6};
  Body rod =
      link("rod", "crank", Vec3(0, 0, 0.08), 0.5, (C - B) / 2,
           Sym3::of(Mat3(4e-3 * (Mat3::Identity() - along * along.transpose()) + 4e-4 * along * along.transpose())));
  rod.joint.kind = JointKind::spherical;
  const Vec3 rod_rate(1.92, -0.96, 0.48);
  rod.joint.rate = {rod_rate.x() - 6, rod_rate.y(), rod_rate.z()};
  Body slider = link("slider", "world", C, 2, Vec3::Zero(), Sym3::scaled_identity(1e-4), Vec3::UnitX());
  slider.joint.kind = JointKind::prismatic;
  slider.joint.rate = {0.24};
  m.bodies = {crank, rod, slider};
  // z of the first frame, the slide, stays perpendicular to x of the second, which is so to the rod.
  Mat3 cross;
  cross.col(0) = along.cross(Vec3::UnitX()).normalized();
  cross.col(1) = along;
  cross.col(2) = cross.col(0).cross(along);
  m.closures = {{"rod in slider",
                 "slider",
                 hinge_at(Vec3::Zero(), Vec3::UnitX()),
                 "rod",
                 Pose{cross, C - B},
                 {{true, true, true}, {false, true, false}}}};
  Loop loop;
  loop.name = "spatial slider-crank";
  loop.mechanism = m;
  loop.redundant = 0;
  loop.end = 1;
  loop.energy = 0.5;
  loop.error = [&](const State& s) { return std::hypot(C.x() + s.q[5] - 0.211721661, s.q[0] - 10.91359074); };
  loop.unit = "rad, m";
  loop.source = reduced;
  loop.tolerance = 2e-8;  // the digits that the reference has
  const State s = study(check, loop);
  const auto closed = [&](double th) {
    const double y = 0.1 - 0.08 * std::sin(th), z = 0.12 + 0.08 * std::cos(th);
    return std::sqrt(0.09 - y * y - z * z);
  };
  check.absolute(loop.name, "place of the slider at the end", "m", closed(s.q[0]),
                 "exact: closed form at the crank's angle", C.x() + s.q[5], 1e-11);
  const Assembled a = assemble(m, Formulation::joints);
  const struct { double t, x; } published[] = {{0.5, 0.184952803}, {1, 0.211754668}, {5, 0.240761815}};
  for (const auto& p : published)
    check.absolute(loop.name, "place of the slider at " + std::to_string(p.t).substr(0, 3) + " s", "m", p.x,
                   "published: IFToMM library, submission of F. Gonzalez, good to 5e-5",
                   C.x() + follow_sharply(a, p.t).end.q[5], 5e-5);
}

// Bricard's mechanism (IFToMM library, A04): five moving rods on six hinges at the corners of a cube.
void bricard(Checker& check) {
  const std::array<Vec3, 6> P = {Vec3(0, 0, 0),  Vec3(1, 0, 0),  Vec3(1, -1, 0),
                                 Vec3(1, -1, 1), Vec3(0, -1, 1), Vec3(0, 0, 1)};
  const std::array<Vec3, 6> axis = {Vec3::UnitY(), Vec3::UnitZ(), Vec3::UnitX(),
                                    Vec3::UnitY(), Vec3::UnitZ(), Vec3::UnitX()};
  Mechanism m;
  m.gravity = {0, -9.81, 0};
  const char* const names[] = {"rod 1", "rod 2", "rod 3", "rod 4", "rod 5"};
  for (size_t i = 0; i < 5; ++i) {
    const Vec3 span = P[i + 1] - P[i];
    const Mat3 own = span * span.transpose(), J = 1.01 / 12 * (Mat3::Identity() - own) + 0.02 / 12 * own;
    m.bodies.push_back(link(names[i], i == 0 ? "world" : names[i - 1], i == 0 ? P[0] : Vec3(P[i] - P[i - 1]), 1,
                            span / 2, Sym3::of(J), axis[i]));
  }
  m.closures = {pin("world", P[5], "rod 5", P[5] - P[4], axis[5])};
  const Assembled a = assemble(m, Formulation::joints);
  System system(*a.model);
  Loop loop;
  loop.name = "Bricard's mechanism";
  loop.mechanism = m;
  loop.redundant = 1;
  loop.end = 10;
  loop.energy = 29.43;
  const auto point = [&](const State& s) {
    system.evaluate(s);
    return position(system.workspace().kin, a.frame("rod 3", P[3] - P[2]));
  };
  loop.error = [&](const State& s) { return (point(s) - Vec3(0.999999964, -1.000269013, 0.999730951)).norm(); };
  loop.unit = "m";
  loop.source = reduced + ", eight digits";
  loop.tolerance = 2e-8;
  const State s = study(check, loop);
  system.evaluate(a.start);
  check.relative(loop.name, "energy at the start", "J", -29.43, "exact: heights of the five rods",
                 system.energy(a.start).total(), 1e-13);
  const Followed second = follow_sharply(a, 1);
  check.at_most(loop.name, "place of the third corner at 1 s", "m", reduced,
                (point(second.end) - Vec3(0.510501461, -1.649167599, 0.140123115)).norm(), 2e-9);
  for (const State* at : {&second.end, &s}) {
    const double th = pi / 2 - at->q[0], ph = pi / 2 - at->q[1];
    check.absolute(loop.name, "(1 + cos θ)(1 + cos φ) at " + std::to_string(at->t).substr(0, 2) + " s", "", 1,
                   "exact: threefold symmetry", (1 + std::cos(th)) * (1 + std::cos(ph)), 1e-10);
  }
  check.at_most(loop.name, "hinges that should be alike at the end", "rad", "exact: threefold symmetry",
                std::max({std::abs(s.q[0] - s.q[2]), std::abs(s.q[0] - s.q[4]), std::abs(s.q[1] - s.q[3])}), 1e-10);
}

// Bennett's linkage: four hinges with skew axes, a/sin α = b/sin β, closed only by its proportions.
void bennett(Checker& check) {
  const double alpha = pi / 6, beta = 5 * pi / 18, a = 1, b = a * std::sin(beta) / std::sin(alpha);
  const double product = std::sin((beta + alpha) / 2) / std::sin((beta - alpha) / 2), start = 1, rate = 6;
  // Both sides in one branch: θ₂ goes down by a turn as θ₁ goes up by one.
  const auto second = [=](double th) { return pi - 2 * std::atan2(std::sin(th / 2), product * std::cos(th / 2)); };
  const double second_rate =
      -product / (product * product * std::pow(std::cos(start / 2), 2) + std::pow(std::sin(start / 2), 2));
  const auto dh = [](double th, double length, double twist) {
    const Mat3 R = axis_rotation(2, th);
    return Pose{R * axis_rotation(0, twist), R * Vec3(length, 0, 0)};
  };
  const double lengths[] = {a, b, a}, twists[] = {alpha, beta, alpha};
  const double angles[] = {start, second(start), 2 * pi - start}, rates[] = {rate, second_rate * rate, -rate};
  const char* const names[] = {"link 1", "link 2", "link 3"};
  const Sym3 J = Sym3::diagonal(0.02, 0.1, 0.1);
  Mechanism m;
  m.gravity = {0, 0, -9.81};
  for (int i = 0; i < 3; ++i) {
    Body body;
    body.name = names[i];
    body.on = i == 0 ? "world" : names[i - 1];
    set_denavit_hartenberg(body, lengths[i], twists[i], 0, 0);
    body.joint.position = {angles[i]};
    body.joint.rate = {rates[i]};
    body.mass = 1 + i;
    body.centre = {-lengths[i] / 2, 0, 0};
    body.inertia = J;
    m.bodies.push_back(body);
  }
  const Pose last = dh(0, b, beta).inverse();
  m.closures = {{"link 3 to ground", "world", last, "link 3", Pose{}, hinge_about_z}};
  const Clock clock(
      {{1, J.matrix()}, {2, J.matrix()}, {3, J.matrix()}},
      [=](double th) {
        std::vector<Pose> out;
        Pose at;
        const double angle[] = {th, second(th), -th};
        for (int i = 0; i < 3; ++i) {
          at = at * dh(angle[i], lengths[i], twists[i]);
          out.push_back({at.R, at * Vec3(-lengths[i] / 2, 0, 0)});
        }
        return out;
      },
      m.gravity);
  Loop loop;
  loop.name = "Bennett's linkage";
  loop.mechanism = m;
  loop.redundant = 3;
  loop.end = 2;
  loop.energy = clock.mass(start) * rate * rate / 2;
  loop.error = [&](const State& s) { return std::abs(clock.time(start, rate, s.q[0]) - loop.end); };
  loop.unit = "s";
  loop.source = "exact: time to the angle reached, quadrature of the energy with Bennett's angles";
  const State s = study_sharply(check, loop);
  order_two(check, loop.name, assemble(m, Formulation::joints), ImplicitMethod::conserving, loop.end, loop.steps,
            loop.error, loop.source);
  check.relative(loop.name, "tan(θ1/2) tan(θ2/2) at the end", "", product, "exact: sin((β+α)/2)/sin((β-α)/2)",
                 std::tan(s.q[0] / 2) * std::tan(s.q[1] / 2), 1e-10);
  check.absolute(loop.name, "θ1 + θ3 at the end", "rad", 2 * pi, "exact: opposite hinges", s.q[0] + s.q[2], 1e-10);
}

// The heavy top of Brüls, Cardona & Arnold (2012), spinning at 150 rad/s about its axis.
void heavy_top(Checker& check) {
  Body top;
  top.name = "top";
  top.joint.kind = JointKind::spherical;
  top.joint.rate = {0, 150, -4.61538};
  top.mass = 15;
  top.centre = {0, 1, 0};
  top.inertia = Sym3::diagonal(0.234375, 0.46875, 0.234375);
  const Vec3 point = top.centre;
  for (const Formulation made : {Formulation::joints, Formulation::free_bodies, Formulation::directors}) {
    if (made == Formulation::directors) {
      // A flat disc has a director without inertia. 20 kg at 0.75 m have the same moment of weight and, with these
      // moments about the centre, the same inertia about the fixed point: the same motion.
      top.mass = 20;
      top.centre = {0, 0.75, 0};
      top.inertia = Sym3::diagonal(3.984375, 0.46875, 3.984375);
    }
    const Assembled a = assemble(Mechanism{{top}, {}, Vec3(0, 0, -9.81)}, made);
    System system(*a.model);
    const auto centre = [&](const State& s) {
      system.evaluate(s);
      return position(system.workspace().kin, a.frame("top", point));
    };
    const auto spin = [&](const State& s) {
      system.evaluate(s);
      return system.workspace().kin.body[static_cast<size_t>(a.frames.at("top").body)].w;
    };
    const std::string name = std::string("heavy top, ") + name_of(made);
    const Followed soon = follow_sharply(a, 0.01), late = follow_sharply(a, 2);
    check.relative(name, "ωy at 0.01 s", "rad/s", 149.8473939540758, "published: EXUDYN explicitLieGroupIntegratorTest",
                   spin(soon.end).y(), 1e-10);
    check.relative(name, "ωy at 2 s", "rad/s", -106.163804143, "published: EXUDYN explicitLieGroupIntegratorTest",
                   spin(late.end).y(), 1e-8);
    check.at_most(name, "place of the centre at 2 s", "m", "published: kynema dynamic_heavy_top, good to 1.2e-6",
                  (centre(late.end) - Vec3(-0.150416985652933, -0.724164450779749, -0.673023460701136)).norm(), 2e-6);
    check.at_most(name, "place of the centre at 2 s, sharper", "m", reduced,
                  (centre(late.end) - Vec3(-0.150416822746, -0.724165591637, -0.673022269560)).norm(), 1e-9);
    check.at_most(name, "drift of energy, dopri5", "", "invariant: energy", late.energy_drift / 5435.696790866, 1e-10);
    const Error error = [&](const State& s) {
      return (centre(s) - Vec3(0.605550561377, 0.598957681795, -0.523983027430)).norm();
    };
    for (const ImplicitMethod method : {ImplicitMethod::conserving, ImplicitMethod::generalised_alpha})
      order_two(check, name + ", 0.2 s", a, method, 0.2, 800, error, reduced);
  }
}

// A body turning nearly about its middle axis flips over and back: the period is an elliptic integral.
void middle_axis(Checker& check) {
  const Vec3 I(2, 3, 4), w(0.01, 1, 0.01);
  const double energy2 = I.dot(w.cwiseProduct(w)), L2 = I.cwiseProduct(w).squaredNorm();
  const double p = std::sqrt((I.z() - I.y()) * (L2 - energy2 * I.x()) / I.prod());
  const double modulus2 = (I.y() - I.x()) * (energy2 * I.z() - L2) / ((I.z() - I.y()) * (L2 - energy2 * I.x()));
  const double period = 4 * std::comp_ellint_1(std::sqrt(modulus2)) / p;
  Body b;
  b.name = "body";
  b.joint.kind = JointKind::free;
  b.joint.rate = {w.x(), w.y(), w.z(), 0, 0, 0};
  b.mass = 1;
  b.inertia = Sym3::diagonal(I.x(), I.y(), I.z());
  const Mechanism m{{b}, {}, Vec3::Zero()};
  for (const Formulation made : {Formulation::joints, Formulation::directors}) {
    const Assembled a = assemble(m, made);
    System system(*a.model);
    const auto spin = [&](const State& s) -> Vec3 {
      system.evaluate(s);
      const auto& k = system.workspace().kin.body[static_cast<size_t>(a.frames.at("body").body)];
      return k.R.transpose() * k.w;
    };
    const std::string name = std::string("middle axis, ") + name_of(made),
                      source = "exact: period by the elliptic integral";
    check.at_most(name, "angular velocity after half the period, turned over", "rad/s", source,
                  (spin(follow_sharply(a, period / 2).end) - Vec3(-w.x(), -w.y(), w.z())).norm(), 1e-9);
    check.at_most(name, "angular velocity after the period", "rad/s", source,
                  (spin(follow_sharply(a, period).end) - w).norm(), 1e-9);
    order_two(
        check, name, a, ImplicitMethod::conserving, period / 2, 2000,
        [&](const State& s) { return (spin(s) - Vec3(-w.x(), -w.y(), w.z())).norm(); }, source);
  }
}

}  // namespace

void loops(Checker& check) {
  four_bar(check);
  windows(check, 2, 10, {0.32845811153, 0.94451853818});
  windows(check, 10, 1, {-0.12930601505, -0.99160473702});
  slider_crank(check);
  spatial_slider_crank(check);
  bricard(check);
  bennett(check);
  heavy_top(check);
  middle_axis(check);
}

}  // namespace davit::verify
