// A controller of one's own: bang-bang with a dead band. It writes an input; an actuator in the joint reads it.
// `control: {name: {bang_bang: {…}}}`.
#include <cmath>
#include <cstdio>
#include <davit/api/extension.hpp>
#include <davit/api/lift.hpp>

namespace {

class BangBang final : public davit::ControllerOf<BangBang> {
 public:
  BangBang(std::string name, int q, int u, int input, double torque, double band)
      : ControllerOf(std::move(name)), q_(q), u_(u), input_(input), torque_(torque), band_(band) {}
  std::string summary() const override { return "full torque one way or the other"; }

  template <class S>
  void control(const davit::ContextT<S>& c, S* w, S*) const {
    using std::tanh;
    // Smooth across the band, so that steps of any method can resolve it.
    w[input_] = S(-torque_) * tanh((c.kin.q[q_] + c.kin.u[u_]) / S(band_));
  }

 private:
  int q_, u_, input_;
  double torque_, band_;
};

// What turns the input into a torque.
class Motor final : public davit::ForceOf<Motor> {
 public:
  Motor(std::string name, int u, int input) : ForceOf(std::move(name)), u_(u), input_(input) {}
  std::string summary() const override { return "motor in a joint"; }
  template <class S>
  void add_loads(const davit::ContextT<S>& c, davit::LoadsT<S>& loads, S*) const {
    loads.tau[static_cast<std::size_t>(u_)] += c.w[input_];
  }

 private:
  int u_, input_;
};

struct BangBangSpec {
  davit::input::Reference joint;
  double torque = 0, band = 0.01;

  static const davit::input::Record<BangBangSpec>& record() {
    static const auto r =
        davit::input::Record<BangBangSpec>("bang_bang", "Drives a joint to zero with all the torque there is")
            .field("joint", &BangBangSpec::joint, "the joint")
            .field("torque", &BangBangSpec::torque, "N m", "the torque")
            .above(0)
            .field("band", &BangBangSpec::band, "rad", "angle over which it changes sign")
            .above(0)
            .by_default();
    return r;
  }
  void build(const std::string& name, davit::Assembly& assembly) const {
    const auto at = assembly.coordinate(joint);
    if (!at) return;
    const int input = assembly.add_input({name + ".torque", "N m", -torque, torque});
    assembly.add(std::make_shared<BangBang>(name, at->q, at->u, input, torque, band));
    assembly.add(std::make_shared<Motor>(name + " motor", at->u, input));
  }
};

constexpr const char* slew = R"(
davit: 1
title: A slewing column
bodies:
  column: {joint: {revolute: z}, mass: 1 t, inertia: [500 kg m^2, 500 kg m^2, 500 kg m^2], start: {angle: 60 deg}}
control:
  slew: {bang_bang: {joint: column, torque: 2 kN m}}
run: {duration: 20 s, step: 5 ms}
)";

}  // namespace

int main() {
  davit::add_controller<BangBangSpec>("bang_bang");
  const davit::Lift lift = davit::Lift::parse(slew);
  const std::size_t angle = lift.channel("column.angle");
  double last = 1;
  const davit::LiftOutcome outcome = lift.run([&](const davit::Instant& now) {
    last = now.value(angle);
    return true;
  });
  std::printf("after %.0f s the column is at %.5f rad\n", outcome.end, last);
  return outcome.complete && std::abs(last) < 1e-3 ? 0 : 1;
}
