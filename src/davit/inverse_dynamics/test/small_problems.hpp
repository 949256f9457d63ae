// Servo problems whose solutions are known in closed form.
#pragma once

#include <cmath>
#include <functional>

#include "davit/dynamics/tree.hpp"
#include "davit/force/gravity.hpp"
#include "davit/force/joint_forces.hpp"
#include "davit/inverse_dynamics/replay.hpp"
#include "davit/inverse_dynamics/servo_constraint.hpp"

namespace davit::inverse_dynamics::testing {

inline constexpr double gravity = 9.81;

inline Body on_slide(const std::string& name, const std::string& on, double mass, const Vec3& axis = Vec3::UnitX()) {
  Body b;
  b.name = name;
  b.on = on;
  b.joint.kind = JointKind::prismatic;
  b.joint.axis = axis;
  b.mass = mass;
  return b;
}

inline Gravity::Weight weight_of(const Tree& tree, const std::string& body) {
  const Body& b = tree.body(body).body;
  const Frame centre = tree.frame(body, {Mat3::Identity(), b.centre});
  return {centre.body, b.mass, centre.offset.p};
}

// A model with its problem, and the signals that play its inputs back.
struct Posed {
  std::shared_ptr<const Tree> tree;
  std::unique_ptr<Model> model;
  ServoProblem problem;
  std::vector<Signal> signals;

  // Drives on some speeds of a tree; forces beside them.
  Posed(
      std::vector<Body> bodies, const std::vector<int>& driven,
      const std::function<void(const Tree&, ModelParts&)>& add = [](const Tree&, ModelParts&) {}) {
    tree = std::make_shared<Tree>(std::move(bodies));
    ModelParts parts;
    parts.blocks = {tree};
    parts.body_names = tree->segment_names();
    std::vector<Feedforward::Channel> channels;
    for (const int u : driven) {
      const std::string name = "drive" + std::to_string(u);
      const int port = parts.add(Input{name, "N"});
      parts.forces.push_back(std::make_shared<JointActuator>(name, JointCoordinate{name, u, u}, port));
      signals.push_back(parts.add(SignalInfo{name, "N"}));
      channels.push_back({signals.back(), port});
      problem.inputs.push_back(port);
    }
    add(*tree, parts);
    parts.controllers = {std::make_shared<Feedforward>("plan", channels)};
    model = std::make_unique<Model>(std::move(parts));
    problem.model = model.get();
    problem.start = model->initial_state();
    problem.end = 2;
  }
  void follow(const std::string& name, std::vector<CoordinateServo::Term> terms, const Motion& motion) {
    problem.outputs.push_back({name, std::make_shared<CoordinateServo>(std::move(terms), motion)});
  }
};

// From rest to rest at 1 in the whole time, with as many derivatives as any problem here needs.
inline Motion one_move(double from = 0, double to = 1) { return Motion(from).move(0.0, 2.0, to, Profile{4, 0}); }

// Carts in a row on springs; the first is pushed so that the last moves as desired. One cart: index 3; each one more
// raises it by two.
struct Carts : Posed {
  std::vector<double> masses, stiffness;

  Carts(std::vector<double> m, std::vector<double> k)
      : Posed(bodies(m), {0},
              [&](const Tree&, ModelParts& parts) {
                for (size_t i = 0; i < k.size(); ++i) {
                  const int u = static_cast<int>(i) + 1;
                  parts.forces.push_back(std::make_shared<JointSpring>(
                      "spring" + std::to_string(i), JointCoordinate{"", u, u}, JointSpring::Data{k[i], 0, 0}));
                }
              }),
        masses(std::move(m)),
        stiffness(std::move(k)) {
    std::vector<CoordinateServo::Term> last;
    for (int i = 0; i < static_cast<int>(masses.size()); ++i) last.push_back({CoordinateIndex{i, i}, 1});
    follow("last", last, one_move());
  }
  static std::vector<Body> bodies(const std::vector<double>& masses) {
    std::vector<Body> out;
    for (size_t i = 0; i < masses.size(); ++i)
      out.push_back(on_slide("cart" + std::to_string(i), i == 0 ? "world" : out.back().name, masses[i]));
    return out;
  }
  // Place of the first cart and the push, from the last cart forwards: xᵢ₋₁ = xᵢ + (force on i and beyond)/kᵢ₋₁.
  struct Solution {
    double first, push;
  };
  Solution at(double t) const {
    constexpr int length = 12;
    Taylor<length> x = one_move().value(Taylor<length>::time(t)), push(0.0);
    for (size_t i = masses.size(); i-- > 0;) {
      push += Taylor<length>(masses[i]) * x.rate().rate();
      if (i > 0) x += push * Taylor<length>(1 / stiffness[i - 1]);
    }
    return {x.value(), push.value()};
  }
};

// A cart with a pendulum of which the place of the cart is given: the pendulum goes its own way.
struct CartWithPendulum : Posed {
  static constexpr double cart = 3, bob = 2, length = 1.5;
  // `hangs`: or stands upside down.
  explicit CartWithPendulum(bool hangs)
      : Posed(bodies(hangs), {0}, [](const Tree& posed, ModelParts& parts) {
          parts.forces.push_back(std::make_shared<Gravity>(Vec3(0, 0, -gravity),
                                                           std::vector<Gravity::Weight>{weight_of(posed, "pendulum")}));
        }) {
    follow("cart", {{CoordinateIndex{0, 0}, 1}}, one_move());
  }
  static std::vector<Body> bodies(bool hangs) {
    Body pendulum;
    pendulum.name = "pendulum";
    pendulum.on = "cart";
    pendulum.joint.kind = JointKind::revolute;
    pendulum.joint.axis = Vec3::UnitY();
    pendulum.mass = bob;
    pendulum.centre = Vec3(0, 0, hangs ? -length : length);
    return {on_slide("cart", "world", cart), pendulum};
  }
};

// A trolley with a load on a rope of which winch and trolley are driven; the load goes as desired.
struct Crane : Posed {
  static constexpr double trolley = 4, load = 2;
  Motion x = one_move(0, 3), z = one_move(-6, -4);

  Crane()
      : Posed(bodies(), {0, 2}, [](const Tree& posed, ModelParts& parts) {
          parts.forces.push_back(
              std::make_shared<Gravity>(Vec3(0, 0, -gravity), std::vector<Gravity::Weight>{weight_of(posed, "load")}));
        }) {
    problem.outputs.push_back(
        {"load", std::make_shared<PlaceServo>(tree->frame("load"),
                                              std::vector<PlaceServo::Along>{{Vec3::UnitX(), x}, {Vec3::UnitZ(), z}})});
  }
  static std::vector<Body> bodies() {
    Body arm;
    arm.name = "arm";
    arm.on = "trolley";
    arm.joint.kind = JointKind::revolute;
    arm.joint.axis = Vec3::UnitY();
    Body load = on_slide("load", "arm", Crane::load, -Vec3::UnitZ());
    load.joint.position = {6};
    return {on_slide("trolley", "world", trolley), arm, load};
  }
  // The rope is along the force on the load, m (ẍ, z̈ + g), and carries it; the trolley is where it meets the rails.
  struct Solution {
    double trolley, push, winch;
  };
  Solution at(double t) const {
    constexpr int length = 10;
    using T = Taylor<length>;
    const T X = x.value(T::time(t)), Z = z.value(T::time(t));
    const T ax = X.rate().rate(), az = Z.rate().rate() + T(gravity), xt = X - Z * ax / az;
    const double tension = load * std::hypot(ax.value(), az.value());
    return {xt.value(), trolley * xt.rate().rate().value() + load * ax.value(), -tension};
  }
};

}  // namespace davit::inverse_dynamics::testing
