// Plans as controllers of ordinary runs, beside an integration that shares nothing with them: the overhead crane in
// three coordinates by Lagrange's equations, its plan by the closed formulas of a flat system, feedback as written down
// here. Sensors are the same, so that their noise is.
#include <fmt/format.h>

#include <cmath>

#include "davit/control/sensor.hpp"
#include "davit/math/linear_algebra.hpp"
#include "davit/math/taylor.hpp"
#include "verify/scenarios/carried_run.hpp"
#include "verify/verify.hpp"

namespace davit::verify {

namespace {

constexpr double g = 9.80665;
constexpr double trolley_mass = 4000, load_mass = 20000, radius = 0.3, inertia = 60;
constexpr double rope_length = 8, over = 12, rest = 8, travel = 6, lift = 2;

// A way of the overhead crane: x = trolley, θ = rope from the vertical, φ = drum; the load is at (x + L sin θ, -L cos
// θ) with L = L₀ + r φ.
struct Crane {
  using State = Eigen::Matrix<double, 6, 1>;  // x, θ, φ and their rates

  static Mat3 mass(double theta, double L) {
    const double s = std::sin(theta), c = std::cos(theta);
    Mat3 M;
    M << trolley_mass + load_mass, load_mass * L * c, load_mass * radius * s,  //
        load_mass * L * c, load_mass * L * L, 0,                               //
        load_mass * radius * s, 0, inertia + load_mass * radius * radius;
    return M;
  }
  static State rate(const State& y, const Eigen::Vector2d& w) {
    const double theta = y[1], L = rope_length + radius * y[2], s = std::sin(theta), c = std::cos(theta);
    const double turn = y[4], given = radius * y[5];
    const Eigen::Vector2d bias(2 * c * given * turn - L * s * turn * turn, 2 * s * given * turn + L * c * turn * turn);
    Eigen::Matrix<double, 2, 3> jacobian;  // of the load
    jacobian << 1, L * c, radius * s,      //
        0, L * s, -radius * c;
    const Vec3 forces = Vec3(w[0], 0, w[1]) - load_mass * jacobian.transpose() * (bias + Eigen::Vector2d(0, g));
    State out;
    out << y.tail<3>(), mass(theta, L).inverse() * forces;
    return out;
  }
  static State after(State y, const Eigen::Vector2d& w, double time) {
    constexpr int steps = 20;
    const double h = time / steps;
    for (int i = 0; i < steps; ++i) {
      const State a = rate(y, w), b = rate(y + 0.5 * h * a, w), c = rate(y + 0.5 * h * b, w), d = rate(y + h * c, w);
      y += h / 6 * (a + 2 * b + 2 * c + d);
    }
    return y;
  }
};

// The plan: the load goes by the polynomial that is continuous in four derivatives, and all else follows from it.
struct Planned {
  Crane::State y;
  Eigen::Vector2d w;
};
Planned planned(double t) {
  using Series = Taylor<6>;
  const Series s = t < 0 ? Series(0) : t > over ? Series(1) : Series::time(t) / Series(over);
  const Series way = s * s * s * s * s * (126 + s * (-420 + s * (540 + s * (-315 + s * 70))));
  const Series X = travel * way, Z = -rope_length + lift * way;
  const Series pull_x = X.rate().rate(), pull_z = g + Z.rate().rate();  // tension per mass: along -x, along z
  const Series tan = -pull_x / pull_z;
  const Series L = -Z * sqrt(1 + tan * tan), x = X + Z * tan, theta = atan2(tan, Series(1));
  const Series phi = (L - rope_length) / radius;
  const Series tension = load_mass * pull_z * sqrt(1 + tan * tan);
  Planned out;
  out.y << x.c[0], theta.c[0], phi.c[0], x.c[1], theta.c[1], phi.c[1];
  out.w << trolley_mass * 2 * x.c[2] - tension.c[0] * std::sin(theta.c[0]),
      inertia * 2 * phi.c[2] - radius * tension.c[0];
  return out;
}

struct Case {
  const char* name;
  double frequency = 0, delay = 0, place_noise = 0, speed_noise = 0;  // frequency 0: no feedback
  double start_angle = 0;
};

std::string text_of(const Case& c, const std::string& track) {
  return fmt::format(
      "davit: 1\n"
      "title: a load on a trolley\n"
      "bodies:\n"
      "  trolley: {{at: [0, 0, 12 m], joint: {{prismatic: x}}, mass: {} kg}}\n"
      "  sway: {{on: trolley, joint: {{revolute: y}}, mass: 0 kg}}\n"
      "  load: {{on: sway, at: [0, 0, {} m], joint: {{prismatic: z}}, mass: {} kg}}\n"
      "ropes:\n"
      "  hoist: {{from: trolley, to: load, EA: 1e12 N, tension: {:.17g} N, damping: 0.01}}\n"
      "winches:\n"
      "  winch: {{rope: hoist, mode: force, drum: {{radius: {} m, inertia: {} kg m^2}}}}\n"
      "plan:\n"
      "  inputs: [trolley, winch]\n"
      "  outputs: {{load: {{point: load, along: xz, by: [{} m, 0, {} m]}}}}\n"
      "  over: {} s\n"
      "  rest: {} s\n"
      "control: {{crane: {{track: {{{}}}}}}}\n"
      "run: {{duration: {} s, step: 5 ms, method: conserving, seed: 7, offset: {{sway.angle: {:.17g} rad}}}}\n",
      trolley_mass, -rope_length, load_mass, load_mass * g, radius, inertia, travel, lift, over, rest, track,
      over + rest, -c.start_angle);
}

// What sensors make of coordinates and speeds, brought back to the plan's model: a rope that does not stretch, by the
// nearest place in the metric of the mass.
Crane::State seen(const control::SensorBank& sensors, DiscreteState& memory, double t, const Crane::State& true_state) {
  const Planned plan = planned(t);
  // The program's coordinates: trolley, angle about y, travel of the load along the rope (upwards), drum.
  const auto as_coordinates = [](const Crane::State& y) {
    Eigen::Matrix<double, 8, 1> q;
    q << y[0], -y[1], -radius * y[2], y[2], y[3], -y[4], -radius * y[5], y[5];
    return q;
  };
  Eigen::Matrix<double, 8, 1> off = as_coordinates(true_state) - as_coordinates(plan.y);
  const auto values = sensors.sample(t, off.data(), memory, 0);
  const Eigen::Matrix<double, 8, 1> q =
      as_coordinates(plan.y) + Eigen::Map<const Eigen::Matrix<double, 8, 1>>(values.data());
  const double a = q[1], L = rope_length - q[2], s = std::sin(a), c = std::cos(a);
  // The load at x - L sin a, -L cos a.
  Eigen::Matrix<double, 2, 4> load;
  load << 1, -L * c, s, 0,  //
      0, L * s, c, 0;
  Eigen::Matrix4d M = load_mass * load.transpose() * load;
  M(0, 0) += trolley_mass;
  M(3, 3) += inertia;
  const Eigen::Vector4d row(0, 0, 1, radius), along = M.inverse() * row;
  const double share = 1 / row.dot(along);
  const Eigen::Vector4d place = q.head<4>() - along * share * row.dot(q.head<4>());
  const Eigen::Vector4d speed = q.tail<4>() - along * share * row.dot(q.tail<4>());
  Crane::State out;
  out << place[0], -place[1], place[3], speed[0], -speed[1], speed[3];
  return out;
}

// The largest distance of the load in the run from that of this integration.
double distance(const Case& c, const CarriedRun& run, double sample_time) {
  const std::vector<std::string> names{"trolley.travel", "sway.angle", "load.travel", "winch.angle"};
  std::vector<control::Sensor> list;
  for (const bool rates : {false, true})
    for (const std::string& name : names) {
      control::Sensor sensor{name + (rates ? "_rate" : "")};
      sensor.delay = c.delay;
      sensor.noise = rates ? c.speed_noise : c.place_noise;
      list.push_back(sensor);
    }
  const control::SensorBank sensors("crane", list, sample_time, 7);
  DiscreteState memory({sensors.discrete_slot()});
  memory.insert(0, 0);
  const Eigen::Vector2d met(trolley_mass, inertia + load_mass * radius * radius);
  Crane::State y = planned(0).y;
  y[1] = c.start_angle;
  double most = 0;
  const auto samples = std::lround((over + rest) / sample_time);
  for (long k = 0; k < samples; ++k) {
    const double t = static_cast<double>(k) * sample_time;
    const double L = rope_length + radius * y[2];
    most = std::max({most, std::abs(run.at("load.position_x", t) - y[0] - L * std::sin(y[1])),
                     std::abs(run.at("load.position_z", t) - 12 + L * std::cos(y[1]))});
    Eigen::Vector2d w = planned(t + 0.5 * sample_time).w;
    if (c.frequency > 0) {
      const Crane::State off = seen(sensors, memory, t, y) - planned(t).y;
      const Eigen::Vector2d place(off[0], off[2]), speed(off[3], off[5]);
      w -= met.cwiseProduct(c.frequency * c.frequency * place + 2 * c.frequency * speed);
    }
    y = Crane::after(y, w, sample_time);
  }
  return most;
}

void forces(Checker& check) {
  const std::string source = "exact: Lagrange's equations of the crane, integrated apart";
  const Case cases[] = {{.name = "no feedback"},
                        {.name = "set point", .frequency = 1.5, .start_angle = 0.1},
                        {.name = "set point, 40 ms late", .frequency = 1.5, .delay = 0.04, .start_angle = 0.1},
                        {.name = "set point, 40 ms late with noise",
                         .frequency = 1.5,
                         .delay = 0.04,
                         .place_noise = 2e-3,
                         .speed_noise = 2e-3,
                         .start_angle = 0.05}};
  for (const Case& c : cases) {
    const std::string track =
        c.frequency == 0
            ? "law: none"
            : fmt::format(
                  "law: set_point, frequency: {} rad/s, sensor: {{delay: {} s, place_noise: {}, speed_noise: {}}}",
                  c.frequency, c.delay, c.place_noise, c.speed_noise);
    const CarriedRun run = carried_out(text_of(c, track));
    check.at_most(c.name, "load of the run beside the integration", "m", source, distance(c, run, 0.02), 2e-4);
  }
}

// Errors along z obey (d/dt + 0.8)(d/dt + 1) e = 0, those along x all four poles: what begins 0.02 rad off the rope's
// way is known from there on, however far the crane moves meanwhile.
void designed_decay(Checker& check) {
  const Case c{.name = "linearising", .start_angle = 0.02};
  const double poles[] = {-0.8, -1.0, -1.2, -1.4};
  const CarriedRun run =
      carried_out(text_of(c, "law: linearising, sample_time: 5 ms, poles: [-0.8, -1.0, -1.2, -1.4]"));
  const double tan = std::tan(c.start_angle);
  const double z = rope_length * (1 - std::cos(c.start_angle));
  const double z2 = -poles[0] * poles[1] * z, z3 = (poles[0] + poles[1]) * z2;
  // The rope pulls the load along itself, and does not turn yet: ë_x = -(g + z̈) tan θ.
  const Eigen::Vector4d start(rope_length * std::sin(c.start_angle), 0, -(g + z2) * tan, -z3 * tan);
  Eigen::Matrix4d powers;
  for (int k = 0; k < 4; ++k)
    for (int i = 0; i < 4; ++i) powers(k, i) = std::pow(poles[i], k);
  const Eigen::Vector4d parts = powers.inverse() * start;
  const auto error = [&](double t) {
    double sum = 0;
    for (int i = 0; i < 4; ++i) sum += parts[i] * std::exp(poles[i] * t);
    return sum;
  };
  check.at_most(c.name, "load along x, of its largest error", "1", "exact: error dynamics by design",
                run.largest_error("crane.error.load.1", error) / run.largest("crane.error.load.1"), 5e-3);
}

// Speeds instead of forces: the winch's own control follows what the planned drum would do.
void speeds(Checker& check) {
  Case c{.name = "winch told speeds", .frequency = 1.5, .start_angle = 0.05};
  std::string text = text_of(c, "law: set_point, frequency: 1.5 rad/s");
  const size_t at = text.find("mode: force");
  text.replace(at, std::string("mode: force").size(), "mode: speed, response: 50 ms");
  check.at_most(c.name, "load of the run beside the integration with forces", "m",
                "exact: Lagrange's equations of the crane, integrated apart", distance(c, carried_out(text), 0.02),
                0.02);
}

// Nothing but places of trolley, drum and load is measured.
void observed(Checker& check) {
  const Case c{.name = "observer", .start_angle = 0.05};
  const std::string law = "law: lqr, weights: {error: 0.2, rate: 0.4, inputs: {trolley: 5 kN, winch: 3 kN m}}";
  const std::string observer =
      "{measure: [trolley.travel, winch.angle, load.position_x, load.position_z], disturbance: 0.2}";
  const CarriedRun known = carried_out(text_of(c, law)),
                   seen = carried_out(text_of(c, law + ", observer: " + observer));
  check.at_most(c.name, "error along x after the motion", "m", "invariant: what is estimated comes to what is",
                seen.largest_error(
                    "crane.error.load.1", [](double) { return 0.0; }, over),
                5e-3);
  check.at_most(c.name, "largest error along x, over that with the state known", "1",
                "invariant: an estimate is at best the state",
                seen.largest("crane.error.load.1") / known.largest("crane.error.load.1") - 1, 0.3);
}

}  // namespace

void plan_tracking(Checker& check) {
  forces(check);
  designed_decay(check);
  speeds(check);
  observed(check);
}

}  // namespace davit::verify
