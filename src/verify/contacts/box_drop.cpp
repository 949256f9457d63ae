// A box of 1 t falls 15 m onto a rope that spans beneath it, in one degree of freedom (thesis on block
// erection, 3.1.1), with 10 ms steps: every method against its own recurrence, written out for one number, and against
// the exact peak.
#include <cmath>

#include "davit/constraint/compliant_constraint.hpp"
#include "davit/constraint/spring_law.hpp"
#include "davit/dynamics/scalars.hpp"
#include "davit/dynamics/tree.hpp"
#include "davit/solve/stepper.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

constexpr double mass = 1000, gravity = 9.80665, drop = 15, half_span = 39.63, stiffness = 1e7, step = 0.01;
constexpr double tonne = 1000 * gravity;

// How much longer the rope is when its middle is pushed down to y < 0: both half spans become inclined.
class Deflection final : public GeometryOf<Deflection> {
 public:
  explicit Deflection(const CoordinateIndex& height) : at_(height) {}
  int size() const override { return 1; }
  std::string summary() const override { return "stretch of a rope that is pushed down in its middle"; }
  std::string unit() const override { return "m"; }

  template <class S>
  void measure(const KinT<S>& kin, S* g) const {
    g[0] = S(2) * (side(below(kin)) - S(half_span));
  }
  template <class S>
  void gradient(const KinT<S>& kin, JacobianT<S>& out) const {
    const S y = below(kin);
    out.add_speed(0, at_.u, S(2) * y / side(y));
  }
  // Δ√(a² + y²) = (y₀ + y₁) Δy/(√… + √…), and of the way only the part below the rope counts.
  template <class S>
  void step_gradient(const KinT<S>& start, const KinT<S>&, const KinT<S>& end, JacobianT<S>& out) const {
    const S y0 = below(start), y1 = below(end), way = end.q[at_.q] - start.q[at_.q];
    const bool above = value_of(y0) == 0 && value_of(y1) == 0, under = value_of(y0) < 0 && value_of(y1) < 0;
    const S share = above ? S(0) : under ? S(1) : (y1 - y0) / way;
    out.add_speed(0, at_.u, S(2) * (y0 + y1) / (side(y0) + side(y1)) * share);
  }
  template <class S>
  void products(const KinT<S>& kin, S* bias) const {
    const S y = below(kin), s = side(y), rate = kin.u[at_.u];
    bias[0] = value_of(y) < 0 ? S(S(2 * half_span * half_span) * rate * rate / (s * s * s)) : S(0);
  }

 private:
  template <class S>
  S below(const KinT<S>& kin) const {
    return value_of(kin.q[at_.q]) < 0 ? kin.q[at_.q] : S(0);
  }
  template <class S>
  static S side(const S& y) {
    using std::sqrt;
    return sqrt(S(S(half_span * half_span) + y * y));
  }
  CoordinateIndex at_;
};

class Weight final : public ForceOf<Weight> {
 public:
  explicit Weight(const CoordinateIndex& height) : ForceOf("weight"), at_(height) {}
  std::string summary() const override { return "weight of the box"; }
  bool conservative() const override { return true; }
  template <class S>
  void add_loads(const ContextT<S>&, LoadsT<S>& loads, S*) const {
    loads.tau[static_cast<size_t>(at_.u)] -= S(mass * gravity);
  }
  template <class S>
  S potential_energy(const ContextT<S>& c) const {
    return S(mass * gravity) * c.kin.q[at_.q];
  }

 private:
  CoordinateIndex at_;
};

// The same in plain numbers.
double stretch(double y) { return 2 * (std::hypot(half_span, std::min(y, 0.0)) - half_span); }
double stretch_slope(double y) { return y < 0 ? 2 * y / std::hypot(half_span, y) : 0; }
double potential(double y) { return mass * gravity * y + stiffness / 2 * stretch(y) * stretch(y); }
double force(double y) { return -mass * gravity - stiffness * stretch(y) * stretch_slope(y); }

struct Fall {
  double y = drop, v = 0;
  double a = -gravity, rate = -gravity;  // of generalised-α
};

// The zero of a function that grows, between two values.
template <class F>
double zero_of(F&& f, double low, double high) {
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    (f(middle) > 0 ? high : low) = middle;
  }
  return (low + high) / 2;
}
// The new speed from the balance of momentum m (v - v₀)/h = f(v).
template <class F>
double new_speed(const Fall& s, F&& f) {
  return zero_of([&](double v) { return mass * (v - s.v) / step - f(v); }, s.v - 200, s.v + 200);
}

Fall implicit_euler(const Fall& s) {
  const double v = new_speed(s, [&](double v1) { return force(s.y + step * v1); });
  return {s.y + step * v, v};
}
Fall midpoint(const Fall& s) {
  const double v = new_speed(s, [&](double v1) { return force(s.y + step / 4 * (s.v + v1)); });
  return {s.y + step / 2 * (s.v + v), v};
}
// The force over a step is the discrete gradient of the potential.
Fall quotient(const Fall& s) {
  const double v = new_speed(s, [&](double v1) {
    const double way = step / 2 * (s.v + v1);
    return std::abs(way) < 1e-7 ? force(s.y + way / 2) : -(potential(s.y + way) - potential(s.y)) / way;
  });
  return {s.y + step / 2 * (s.v + v), v};
}
Fall leapfrog(const Fall& s) {
  const double v = s.v + step / 2 * force(s.y) / mass, y = s.y + step * v;
  return {y, v + step / 2 * force(y) / mass};
}
// Chung & Hulbert's parameters for the radius 0.8, in Arnold & Brüls' form.
Fall generalised_alpha(const Fall& s) {
  const double rho = 0.8, am = (2 * rho - 1) / (rho + 1), af = rho / (rho + 1), gamma = 0.5 - am + af,
               beta = (0.5 + gamma) * (0.5 + gamma) / 4, h = step;
  const auto place = [&](double a) { return s.y + h * s.v + h * h * ((0.5 - beta) * s.a + beta * a); };
  const auto true_rate = [&](double a) { return ((1 - am) * a + am * s.a - af * s.rate) / (1 - af); };
  const double a = zero_of([&](double x) { return mass * true_rate(x) - force(place(x)); }, s.a - 1e5, s.a + 1e5);
  return {place(a), s.v + h * ((1 - gamma) * s.a + gamma * a), a, true_rate(a)};
}
// (10): G v + ε λ/h = -g/h and (11): G v + 4εΓ λ/h = -4Γ g/h + Γ G v₀, both with m (v - v₀)/h = -m g + G λ and λ ≤ 0.
Fall linear_row(const Fall& s, double of_gap, double of_speed) {
  const double G = stretch_slope(s.y), free = s.v - step * gravity;
  const double lambda = (-of_gap / step * stretch(s.y) + of_speed * G * s.v - G * free) /
                        (G * G * step / mass + of_gap / step / stiffness);
  const double v = free + step / mass * G * std::min(lambda, 0.0);
  return {s.y + step * v, v};
}
Fall dele(const Fall& s) { return linear_row(s, 1, 0); }
template <int tau>
Fall spook(const Fall& s) {
  const double gamma = 1 / (1 + 4.0 * tau);
  return linear_row(s, 4 * gamma, gamma);
}

struct Bounces {
  double peak = 0;         // tension at the end of a step, N
  double energy_left = 0;  // at the top of the fifth bounce, of that at the start
};
// `advance` makes a step and gives height and speed.
template <class Advance>
Bounces bounce(Advance&& advance) {
  Bounces out;
  double before = 0;
  for (int i = 0, tops = 0; tops < 5 && i < 10000; ++i) {
    const auto [y, v] = advance();
    out.peak = std::max(out.peak, stiffness * stretch(y));
    if (before > 0 && v <= 0) ++tops;
    before = v;
    out.energy_left = (mass * v * v / 2 + potential(y)) / (mass * gravity * drop);
  }
  return out;
}
Bounces by_recurrence(Fall (*advance)(const Fall&)) {
  Fall s;
  return bounce([&] {
    s = advance(s);
    return std::pair(s.y, s.v);
  });
}
Bounces by_stepper(ImplicitMethod method, double dissipation) {
  const auto tree = std::make_shared<Tree>(std::vector<Body>{});
  const auto box = std::make_shared<Scalars>(after(*tree), std::vector<Scalar>{{"box", "m", mass, drop, 0}});
  ModelParts parts;
  parts.blocks = {tree, box};
  parts.body_names = {"world"};
  parts.forces = {std::make_shared<Weight>(box->at(0)),
                  std::make_shared<CompliantConstraint>(
                      "rope", elastic_row(std::make_shared<Deflection>(box->at(0)), {stiffness, 0, 0, true}))};
  const Model model(std::move(parts));
  System system(model);
  State s = model.initial_state();
  const auto stepper = make_implicit(method, model, {.newton_tolerance = 1e-13, .dissipation = dissipation});
  return bounce([&] {
    if (!stepper->step(system, s, step).ok) return std::pair(std::nan(""), std::nan(""));
    return std::pair(s.q[0], s.u[0]);
  });
}

}  // namespace

void box_drop(Checker& check) {
  // Deepest where the rope has all the energy of the fall.
  const double deepest = zero_of([](double y) { return potential(-y) - mass * gravity * drop; }, 0.1, 10);
  const double exact = stiffness * stretch(-deepest);
  struct Method {
    const char* name;
    ImplicitMethod method;
    double dissipation;
    Fall (*recurrence)(const Fall&);
  } methods[] = {{"conserving", ImplicitMethod::conserving, 2, quotient},
                 {"energy_momentum", ImplicitMethod::energy_momentum, 2, quotient},
                 {"midpoint", ImplicitMethod::midpoint, 2, midpoint},
                 {"implicit_euler", ImplicitMethod::implicit_euler, 2, implicit_euler},
                 {"generalised_alpha", ImplicitMethod::generalised_alpha, 2, generalised_alpha},
                 {"variational_midpoint", ImplicitMethod::variational_midpoint, 2, midpoint},
                 {"stoermer_verlet", ImplicitMethod::stoermer_verlet, 2, leapfrog},
                 {"dele", ImplicitMethod::dele, 2, dele},
                 {"spook, tau = 2h", ImplicitMethod::spook, 2, spook<2>},
                 {"spook, tau = 0", ImplicitMethod::spook, 0, spook<0>}};
  for (const Method& m : methods) {
    const Bounces ours = by_stepper(m.method, m.dissipation), reference = by_recurrence(m.recurrence);
    const std::string oracle = "oracle: independent one-degree-of-freedom calculation";
    check.absolute(m.name, "peak tension", "t", reference.peak / tonne, oracle, ours.peak / tonne, 1e-8);
    check.absolute(m.name, "energy left after five bounces", "%", 100 * reference.energy_left, oracle,
                   100 * ours.energy_left, 1e-8);
    if (m.method != ImplicitMethod::conserving) continue;
    // As often as the tension is seen, it is within (ωh/2)²/2 of its peak, ω² = V''/m = 280 1/s² down there.
    check.relative(m.name, "peak tension, all energy in the rope", "t", exact / tonne, "exact: energy",
                   ours.peak / tonne, 280 * step * step / 8);
    check.absolute(m.name, "energy left after five bounces, no loss", "%", 100, "exact: energy", 100 * ours.energy_left,
                   1e-8);
  }
  check.absolute("rope at its deepest", "peak tension", "t", 190.11,
                 "published: thesis on block erection, 3.1.1 (half-span inferred from it)", exact / tonne, 0.02);
}

}  // namespace davit::verify
