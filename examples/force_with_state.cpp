// A force of one's own with a state: a hydraulic damper (Maxwell's element, a spring behind a dashpot) in a joint. Its
// torque f = k (q - q0 - s) acts against the motion, and the dashpot creeps by ds/dt = f / c. `forces: {name: {maxwell:
// {…}}}`; its channel is `name.torque`.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <davit/api/extension.hpp>
#include <davit/api/lift.hpp>

namespace {

class Maxwell final : public davit::ForceOf<Maxwell> {
 public:
  Maxwell(std::string name, int q, int u, double stiffness, double damping)
      : ForceOf(std::move(name)), q_(q), u_(u), stiffness_(stiffness), damping_(damping) {
    publish("torque", "N m", "against the motion", [this](const davit::ContextT<double>& c) { return torque(c); });
  }
  std::string summary() const override { return "Maxwell's element in a joint"; }
  int auxiliary_states() const override { return 1; }  // s, which begins at zero

  // One template for all scalars: the library differentiates it exactly for its implicit methods.
  template <class S>
  void add_loads(const davit::ContextT<S>& c, davit::LoadsT<S>& loads, S* zdot) const {
    loads.tau[static_cast<std::size_t>(u_)] -= torque(c);
    zdot[0] = torque(c) / S(damping_);
  }

 private:
  template <class S>
  S torque(const davit::ContextT<S>& c) const {
    return S(stiffness_) * (c.kin.q[q_] - c.z[0]);
  }

  int q_, u_;
  double stiffness_, damping_;
};

struct MaxwellSpec {
  davit::input::Reference joint;
  double stiffness = 0, damping = 0;

  static const davit::input::Record<MaxwellSpec>& record() {
    static const auto r =
        davit::input::Record<MaxwellSpec>("maxwell", "A spring behind a dashpot in a joint that turns")
            .field("joint", &MaxwellSpec::joint, "the joint")
            .field("stiffness", &MaxwellSpec::stiffness, "N m/rad", "stiffness of the spring")
            .above(0)
            .field("damping", &MaxwellSpec::damping, "N m s/rad", "damping of the dashpot")
            .above(0);
    return r;
  }
  void build(const std::string& name, davit::Assembly& assembly) const {
    if (const auto at = assembly.coordinate(joint))
      assembly.add(std::make_shared<Maxwell>(name, at->q, at->u, stiffness, damping));
  }
};

constexpr const char* wheel = R"(
davit: 1
title: A wheel on a hydraulic damper
bodies:
  wheel: {joint: {revolute: z}, mass: 100 kg, inertia: [10 kg m^2, 10 kg m^2, 10 kg m^2], start: {angle: 1 rad}}
forces:
  damper: {maxwell: {joint: wheel, stiffness: 1 kN m/rad, damping: 20 N m s/rad}}
run: {duration: 5 s, step: 2 ms}
)";

}  // namespace

int main() {
  davit::add_force<MaxwellSpec>("maxwell");
  const davit::Lift lift = davit::Lift::parse(wheel);
  const std::size_t angle = lift.channel("wheel.angle"), torque = lift.channel("damper.torque");
  // With I du/dt = -f and ds/dt = f/c the angle obeys d2q/dt2 + (k/c) dq/dt + (k/I) q = 0.
  const double k = 1000, c = 20, inertia = 10, half = k / (2 * c), root = std::sqrt(half * half - k / inertia);
  const double slow = half - root, fast = half + root;
  double worst = 0, largest = 0;
  const davit::LiftOutcome outcome = lift.run([&](const davit::Instant& now) {
    const double exact = (fast * std::exp(-slow * now.time()) - slow * std::exp(-fast * now.time())) / (fast - slow);
    worst = std::max(worst, std::abs(now.value(angle) - exact));
    largest = std::max(largest, std::abs(now.value(torque)));
    return true;
  });
  std::printf("%s over %.0f s: at most %.1e rad from the exact motion, %.0f N m at most\n", lift.title().c_str(),
              outcome.end, worst, largest);
  return outcome.complete && worst < 1e-6 && largest == k ? 0 : 1;  // one radian at the start
}
