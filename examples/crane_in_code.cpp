// A crane without a file: a column that slews, a boom that luffs, a winch with its rope over the tip and a load on it,
// with a drag of one's own on the load. It slews by 60 degrees while it luffs and hoists.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <davit/api/model_builder.hpp>
#include <numbers>

namespace {

using davit::Vec3;

constexpr double degree = std::numbers::pi / 180;
constexpr double boom_length = 24, boom_foot = 10, reach_of_foot = 1;  // m
constexpr double load_mass = 8000;                                     // kg
constexpr double slew = 60, luff_from = 40, luff_to = 55;              // deg

// Air against the load: -c |v| v.
class AirDrag final : public davit::ForceOf<AirDrag> {
 public:
  AirDrag(std::string name, const davit::Frame& frame, double coefficient)
      : ForceOf(std::move(name)), frame_(frame), coefficient_(coefficient) {}
  std::string summary() const override { return "drag of the air"; }
  template <class S>
  void add_loads(const davit::ContextT<S>& c, davit::LoadsT<S>& loads, S*) const {
    using std::sqrt;
    const davit::Vec3T<S> v = davit::velocity(c.kin, frame_);
    const S square = v.squaredNorm();
    if (!(davit::value_of(square) > 0)) return;
    const auto& body = c.kin.body[static_cast<std::size_t>(frame_.body)];
    loads.add_force(frame_.body, davit::Vec3T<S>(davit::position(c.kin, frame_) - body.p),
                    davit::Vec3T<S>(S(-coefficient_) * sqrt(square) * v));
  }

 private:
  davit::Frame frame_;
  double coefficient_;
};

davit::ModelBuilder make_crane() {
  davit::ModelBuilder crane("A crane in code");

  davit::BodySpec column;
  column.joint = davit::joint::revolute(Vec3::UnitZ());
  column.mass = 40e3;
  column.centre = {0, 0, 5};
  column.box = davit::BoxSpec{{3, 3, 10}};
  const auto king = crane.add("king", column);

  davit::BodySpec jib;
  jib.on = king;
  jib.at = {reach_of_foot, 0, boom_foot};
  jib.joint = davit::joint::revolute(-Vec3::UnitY());
  jib.start = {{"angle", davit::quantity(luff_from, "deg")}};
  jib.mass = 12e3;
  jib.centre = {boom_length / 2, 0, 0};
  jib.box = davit::BoxSpec{{boom_length, 1.2, 1.5}};
  const auto boom = crane.add("boom", jib);
  const auto winch = crane.add_point(boom, "winch", {1, 0, 0.8});
  const auto tip = crane.add_point(boom, "tip", {boom_length, 0, 0});

  davit::BodySpec block;
  block.at = {reach_of_foot + boom_length * std::cos(luff_from * degree) + 0.4, 0, 10};
  block.joint = davit::joint::free();
  block.mass = load_mass;
  block.box = davit::BoxSpec{{2, 2, 2}};
  const auto load = crane.add("load", block);
  const auto lug = crane.add_point(load, "lug", {0, 0, 1});
  crane.add("air", [load](const std::string& name, davit::Assembly& assembly) {
    if (const auto frame = assembly.frame(load)) assembly.add(std::make_shared<AirDrag>(name, *frame, 150));
  });

  davit::rope::PassSpec sheave;
  sheave.sheave = tip;
  sheave.radius = 0.4;
  sheave.axis = davit::AxisSpec{Vec3::UnitY()};
  davit::rope::RopeSpec rope;
  rope.from = winch;
  rope.path = {sheave};
  rope.to = lug;
  rope.EA = 60e6;
  rope.damping = 0.05;
  rope.tension = load_mass * 9.80665;
  const auto hoist = crane.add("hoist", rope);
  davit::rope::WinchSpec drum;
  drum.rope = hoist;
  const auto main = crane.add("main", drum);

  // Slewing and luffing gear follow the operation exactly, whatever that takes.
  davit::constraint::MotionSpec gear;
  gear.joint = king;
  crane.add("slewing", gear);
  gear.joint = boom;
  crane.add("luffing", gear);
  davit::PhaseSpec phase;
  phase.at = 5;
  phase.over = 30;
  phase.add(davit::operation::MoveVerb{{{{king, davit::quantity(slew, "deg")},
                                         {boom, davit::quantity(luff_to, "deg")},
                                         {main, davit::quantity(-3, "m")}}}});
  crane.add(phase);

  davit::RunSpec run;
  run.duration = 60;
  run.step = 0.01;
  crane.set(run);
  return crane;
}

}  // namespace

int main() {
  const davit::Lift lift = make_crane().build();
  const std::size_t tension = lift.channel("hoist.tension");
  const std::size_t at[] = {lift.channel("boom.tip.x"), lift.channel("boom.tip.y"), lift.channel("boom.tip.z")};
  const double weight = load_mass * 9.80665;
  double largest = 0, sum = 0;
  int rows = 0;
  Vec3 tip;
  const davit::LiftOutcome outcome = lift.run([&](const davit::Instant& now) {
    largest = std::max(largest, now.value(tension) / weight);
    if (now.time() > 40) sum += now.value(tension) / weight, ++rows;
    for (int i = 0; i < 3; ++i) tip[i] = now.value(at[i]);
    return true;
  });
  const double reach = reach_of_foot + boom_length * std::cos(luff_to * degree);
  const Vec3 expected(reach * std::cos(slew * degree), reach * std::sin(slew * degree),
                      boom_foot + boom_length * std::sin(luff_to * degree));
  std::printf("%s, %d speeds, by %s\n", lift.title().c_str(), lift.model().nu(), lift.method().c_str());
  std::printf("tension of the hoist: at most %.3f of the load's weight, %.4f of it at the end\n", largest, sum / rows);
  std::printf("tip at (%.4f, %.4f, %.4f) m, %.1e m from where it was to go\n", tip.x(), tip.y(), tip.z(),
              (tip - expected).norm());
  const bool as_expected = (tip - expected).norm() < 1e-6 && std::abs(sum / rows - 1) < 0.01;
  return outcome.complete && as_expected ? 0 : 1;
}
