// A run from scenario to files: what is recorded, what it is called, and that it is true.
#include "davit/run/run.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "davit/result/reader.hpp"
#include "davit/result/result_error.hpp"
#include "davit/run/run_summary.hpp"
#include "davit/run/sinks.hpp"
#include "davit/scene/scenario_sketch.hpp"
#include "davit/simulation/preparation.hpp"
#include "davit/simulation/simulation.hpp"
#include "davit/statics/mode_table.hpp"
#include "davit/test/read_scenario.hpp"
#include "davit/test/source_tree.hpp"

namespace davit {
namespace {

namespace fs = std::filesystem;

class Running : public ::testing::Test {
 protected:
  Running() {
    std::string name = (fs::temp_directory_path() / "davit_run_XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    folder = name;
  }
  ~Running() override {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }

  RunReport run(const std::string& text, const std::string& name = "a") {
    RunSettings settings;
    settings.directory = folder / name;
    settings.created = "2026-01-02T03:04:05Z";
    return run_scenario(test::read_scenario(text), settings);
  }
  result::Result result(const std::string& name = "a") { return result::Result::open(folder / name / "result.h5"); }
  nlohmann::json summary(const std::string& name = "a") {
    std::ifstream in(folder / name / "summary.json");
    return nlohmann::json::parse(in);
  }

  fs::path folder;
};

// A driven arm with friction on a sprung base: every term of the energy is there.
std::string crane(const std::string& run = "{duration: 2 s, step: 1 ms, output: 10 ms, precision: full}",
                  const std::string& more = {}) {
  return "davit: 1\n"
         "title: a driven arm\n"
         "bodies:\n"
         "  base: {joint: {prismatic: z}, mass: 5 kg, start: {travel: 0.1 m}}\n"
         "  arm: {on: base, joint: {revolute: y}, mass: 2 kg, centre: [1 m, 0, 0], inertia: [0.1, 0.2, 0.2],\n"
         "        start: {angle_rate: 1 rad/s}, points: {tip: [2 m, 0, 0]}}\n"
         "forces:\n"
         "  soil: {joint_spring: {joint: base, stiffness: 3 kN/m}}\n"
         "  dash: {joint_damper: {joint: base, damping: 20 N s/m}}\n"
         "  gust: {wrench: {on: arm.tip, force: [0, 0, 3 N], from: 0.5 s, ramp: 0.5 s}}\n"
         "control:\n"
         "  motor: {pid: {joints: [arm], kp: 80 N m/rad, kd: 10 N m s/rad, ki: 5}}\n"
         "operation:\n"
         "  - {at: 0.2 s, over: 1 s, move: {arm: -60 deg}}\n" +
         more + "run: " + run + "\n";
}

TEST_F(Running, writes_its_files) {
  const RunReport report = run(crane());
  EXPECT_EQ(report.outcome.status, RunStatus::complete);
  EXPECT_TRUE(report.limits_kept);
  for (const char* file : {"result.h5", "summary.json", "report.html", "run.state"}) {
    ASSERT_TRUE(fs::exists(folder / "a" / file)) << file;
    EXPECT_GT(fs::file_size(folder / "a" / file), 500u) << file;
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(folder / "a"), {}), 4) << "something else was left";
}

TEST(ModeTable, what_rings_comes_first) {
  VibrationResult found;
  found.fastest = 10;
  found.auxiliary = 2;
  const auto mode = [&](double real, double imag, const char* words) {
    const std::complex<double> at(real, imag);
    found.modes.push_back({imag / (2 * M_PI), -real / std::abs(at), at, VecX(), words});
  };
  mode(-1, 0, "creeps");
  mode(-0.9, 0.5, "is soon gone");
  mode(-0.1, 2, "rings");
  mode(0.1, 3, "grows");
  const auto table = mode_table(found);
  ASSERT_EQ(table.size(), 3u);
  EXPECT_EQ(table[0].shape, "rings");
  EXPECT_EQ(table[1].shape, "unstable: grows");
  EXPECT_EQ(table[2].shape, "is soon gone");
  EXPECT_EQ(modes_left_out(found),
            "2 oscillations of auxiliary states (memory of the water, filters, controllers) and 1 motion without a "
            "frequency");
  EXPECT_EQ(modes_left_out({}), "");
}

TEST_F(Running, channels_say_what_they_are) {
  const std::string text = crane();
  run(text);
  const auto r = result();
  EXPECT_EQ(r.status(), "complete");
  EXPECT_TRUE(r.closed());
  EXPECT_EQ(r.rows(), 201u);
  const auto times = r.times();
  for (size_t i = 0; i < times.size(); ++i) EXPECT_NEAR(times[i], 0.01 * static_cast<double>(i), 1e-12);
  EXPECT_EQ(r.header().title, "a driven arm");
  EXPECT_EQ(r.header().method, "rk4");
  EXPECT_EQ(r.header().step, 0.001);
  EXPECT_EQ(r.header().davit_version, version());
  EXPECT_EQ(r.header().created, "2026-01-02T03:04:05Z");
  EXPECT_EQ(r.header().scenario, test::read_scenario(text).effective_text);
  EXPECT_NE(r.header().provenance.find("bodies: lift.yaml:3"), std::string::npos) << r.header().provenance;
  for (const auto& c : r.channels()) {
    EXPECT_FALSE(c.unit.empty()) << c.name;
    EXPECT_FALSE(c.description.empty()) << c.name;
    EXPECT_FALSE(c.source.empty()) << c.name;
    EXPECT_EQ(r.channel(c.name).size(), r.rows());
  }
  const auto info = [&](const char* name) { return r.channels()[r.find(name).value()]; };
  EXPECT_EQ(info("arm.angle").unit, "rad");
  EXPECT_EQ(info("base.travel").unit, "m");
  EXPECT_EQ(info("arm.reaction.Fz").unit, "N");
  EXPECT_EQ(info("motor.arm.torque").unit, "N m");
  EXPECT_EQ(info("motor.arm.torque").source, "controller motor");
  EXPECT_EQ(info("energy.power").unit, "W");
  // The first row is the start.
  EXPECT_EQ(r.channel("base.travel")[0], 0.1);
  EXPECT_EQ(r.channel("arm.angle_rate")[0], 1);
  EXPECT_EQ(r.channel("motor.arm.torque")[0], -10);
}

// What is recorded has fewer bits if not all are asked for; the run and what is judged of it are the same.
TEST_F(Running, only_what_is_recorded_is_rounded) {
  const RunReport exact = run(crane(), "full"),
                  usual = run(crane("{duration: 2 s, step: 1 ms, output: 10 ms}"), "usual");
  const auto full = result("full"), rounded = result("usual");
  EXPECT_EQ(full.header().mantissa_bits, 52);
  EXPECT_EQ(rounded.header().mantissa_bits, 28);
  EXPECT_EQ(full.hashes(), rounded.hashes());
  EXPECT_EQ(full.times(), rounded.times());
  const result::Rounding rounding(28);
  bool any = false;
  for (const auto& c : full.channels()) {
    const auto all = full.channel(c.name), kept = rounded.channel(c.name);
    for (size_t i = 0; i < all.size(); ++i) ASSERT_EQ(kept[i], rounding(all[i])) << c.name;
    any = any || kept != all;
  }
  EXPECT_TRUE(any);
  EXPECT_EQ(exact.summary.channels, usual.summary.channels);
}

TEST_F(Running, energy_balances) {
  run(crane("{duration: 2 s, step: 1 ms, output: 1 ms, precision: full}"));
  const auto r = result();
  const auto kinetic = r.channel("energy.kinetic"), potential = r.channel("energy.potential"),
             total = r.channel("energy.total"), power = r.channel("energy.power");
  double work = 0, largest = 0;
  for (size_t i = 0; i < total.size(); ++i) {
    EXPECT_EQ(total[i], kinetic[i] + potential[i]);
    EXPECT_GE(kinetic[i], 0);
  }
  // Simpson over pairs of rows: the work of motor, damper and gust is the change of energy.
  for (size_t i = 2; i < total.size(); i += 2) {
    work += 0.001 / 3 * (power[i - 2] + 4 * power[i - 1] + power[i]);
    EXPECT_NEAR(total[i], total[0] + work, 1e-6) << "row " << i;
    largest = std::max(largest, std::abs(total[i] - total[0]));
  }
  EXPECT_GT(largest, 5) << "the run must feed and drain, or this shows nothing";
}

TEST_F(Running, energy_is_kept_when_nothing_feeds) {
  run("davit: 1\ntitle: pendulum\nbodies:\n"
      "  arm: {joint: {revolute: y}, mass: 2 kg, centre: [1 m, 0, 0], inertia: [0.1, 0.2, 0.2]}\n"
      "run: {duration: 3 s, step: 1 ms, output: 10 ms}\n");
  const auto total = result().channel("energy.total"), power = result().channel("energy.power");
  for (size_t i = 0; i < total.size(); ++i) {
    EXPECT_NEAR(total[i], total[0], 1e-8);
    EXPECT_EQ(power[i], 0);
  }
}

TEST_F(Running, the_summary_is_the_run) {
  run(crane("{duration: 2 s, step: 1 ms, output: 10 ms, seed: 42}",
            "limits:\n  - {channel: arm.angle, below: 3 rad, why: stop}\n"));
  const auto j = summary();
  const auto r = result();
  EXPECT_EQ(j.at("title"), "a driven arm");
  EXPECT_EQ(j.at("status"), "complete");
  EXPECT_EQ(j.at("seed"), 42);
  EXPECT_EQ(j.at("steps"), 2000);
  EXPECT_NEAR(j.at("simulated_time").get<double>(), 2, 1e-12);
  const std::string whole = j.dump();
  for (const char* part : {"result.h5", "report.html", "rk4", "2026-01-02T03:04:05Z", "degrees of freedom", "stop"})
    EXPECT_NE(whole.find(part), std::string::npos) << part;
  // The extremes of the summary are those of the file, or between its rows.
  bool found = false;
  for (const auto& c : j.at("channels"))
    if (c.at("name") == "arm.angle") {
      const auto series = r.channel("arm.angle");
      const double most = *std::max_element(series.begin(), series.end()),
                   least = *std::min_element(series.begin(), series.end());
      EXPECT_GE(c.at("max").get<double>(), most);
      EXPECT_NEAR(c.at("max").get<double>(), most, 1e-3);
      EXPECT_LE(c.at("min").get<double>(), least);
      EXPECT_NEAR(c.at("min").get<double>(), least, 1e-3);
      EXPECT_EQ(c.at("unit"), "rad");
      found = true;
    }
  EXPECT_TRUE(found) << whole.substr(0, 500);
}

TEST_F(Running, limits_are_kept_or_exceeded) {
  const std::string limits =
      "limits:\n  - {channel: base.travel, below: 20 cm, above: -20 cm}\n"
      "  - {channel: arm.angle, above: -0.5 rad, why: stop}\n  - {channel: arm.reaction.Fz, below: 9 * weight}\n";
  const RunReport report = run(crane("{duration: 2 s, step: 1 ms, output: 10 ms, channels: [base.travel]}", limits));
  EXPECT_FALSE(report.limits_kept);
  ASSERT_EQ(report.summary.limits.size(), 4u);
  EXPECT_TRUE(report.summary.limits[0].result.passed);
  EXPECT_TRUE(report.summary.limits[1].result.passed);
  EXPECT_LT(*report.summary.limits[0].result.worst, *report.summary.limits[1].result.worst) << "one for each side";
  EXPECT_FALSE(report.summary.limits[2].result.passed);
  EXPECT_TRUE(report.summary.limits[3].result.passed);
  EXPECT_NEAR(*report.summary.limits[3].result.bound, 9 * 2 * 9.80665, 1e-9);
  // A limited channel is recorded although it was not asked for; the limit sees the steps between its rows too.
  const auto angle = result().channel("arm.angle"), times = result().times();
  const auto& worst = report.summary.limits[2].result;
  EXPECT_LE(*worst.worst, *std::min_element(angle.begin(), angle.end()));
  EXPECT_LT(*worst.worst, -0.5);
  for (size_t i = 0; i < angle.size(); ++i)
    if (angle[i] < -0.5) {
      EXPECT_LE(*worst.first_exceeded, times[i]);
      EXPECT_GT(*worst.first_exceeded, times[i - 1]);
      break;
    }
  EXPECT_FALSE(result().find("arm.position_x"));
}

std::string spring(const std::string& run) {
  return "davit: 1\ntitle: spring\nbodies: {bob: {joint: {prismatic: x}, mass: 1 kg, start: {travel: 0.001 mm}}}\n"
         "forces: {k: {joint_spring: {joint: bob, stiffness: 1e6 N/m}}}\n"
         "limits: [{channel: bob.travel, below: 9 m}]\nrun: " +
         run + "\n";
}

// The period is 6.3 ms.
TEST_F(Running, limits_kept_by_a_run_of_poor_quality_are_no_good_news) {
  const RunReport good = run(spring("{duration: 1 s, step: 0.1 ms, method: conserving}")),
                  poor = run(spring("{duration: 4 s, step: 10 ms, method: conserving}"), "b");
  EXPECT_TRUE(good.summary.quality.good()) << result::quality_text(good.summary.quality);
  EXPECT_TRUE(good.summary.warnings.empty());
  EXPECT_TRUE(poor.limits_kept);
  EXPECT_FALSE(poor.summary.quality.good());
  EXPECT_NE(result::quality_text(poor.summary.quality).find("step over the shortest undamped period, 0.0063 s"),
            std::string::npos)
      << result::quality_text(poor.summary.quality);
  ASSERT_EQ(poor.summary.warnings.size(), 1u);
  EXPECT_NE(poor.summary.warnings[0].find("longer than the shortest undamped period"), std::string::npos);
  EXPECT_EQ(summary("a").at("quality").at("good"), true);
  EXPECT_EQ(summary("b").at("quality").at("good"), false);
  std::ifstream page(folder / "b" / "report.html");
  const std::string text{std::istreambuf_iterator<char>(page), {}};
  EXPECT_EQ(text.find("verdict good"), std::string::npos);
  EXPECT_NE(text.find("but its numerical quality is poor"), std::string::npos);
}

// Half of the steps of a fast swing by implicit Euler are no better than a guess.
TEST_F(Running, a_large_local_error_is_poor_quality) {
  const RunReport report =
      run("davit: 1\ntitle: swing\nbodies: {arm: {joint: {revolute: y}, mass: 2 kg, centre: [1 m, 0, 0], inertia: "
          "[0.1, 0.2, "
          "0.2]}}\nrun: {duration: 20 s, step: 50 ms, method: implicit_euler}\n");
  EXPECT_FALSE(report.summary.quality.good());
  EXPECT_NE(result::quality_text(report.summary.quality).find("local error that nine in ten steps keep"),
            std::string::npos);
}

// Out of reach by the motion of its base, which no check foresees: the alarm is the cause, not the step.
TEST_F(Running, a_run_that_broke_names_the_alarm_before_it) {
  const RunReport report = run(
      "davit: 1\ntitle: reach\nbodies:\n"
      "  sled: {joint: {prismatic: y}, mass: 100 t, start: {travel_rate: 2 m/s}}\n"
      "  king: {on: sled, joint: {revolute: z}, mass: 3 t, cylinder: {radius: 0.5 m, length: 2 m}}\n"
      "  inner: {on: king, joint: {revolute: -x}, mass: 2 t, centre: [0, -2 m, 0], cylinder: {radius: 0.3 m, length: 4 "
      "m, axis: y}, start: {angle: 60 deg}}\n"
      "  outer: {on: inner, at: [0, -4 m, 0], joint: {revolute: -x}, mass: 1 t, centre: [0, -2 m, 0], cylinder: "
      "{radius: 0.3 m, length: 4 m, axis: y}, start: {angle: -70 deg}, points: {tip: [0, -4 m, 0]}}\n"
      "control: {tip: {tip: {point: outer.tip, joints: [king, inner, outer], period: 1 s}}}\n"
      "run: {duration: 10 s, step: 5 ms}\n");
  ASSERT_EQ(report.outcome.status, RunStatus::broken);
  EXPECT_EQ(report.outcome.why.find("the drives of 'tip' come near a position"), 0u) << report.outcome.why;
  EXPECT_EQ(report.outcome.why.find("step"), std::string::npos) << report.outcome.why;
  EXPECT_NE(result().status().find("tip.dexterity"), std::string::npos) << result().status();
}

// What is recorded, and how often, is not what is judged: every step is, by every method.
TEST_F(Running, limits_and_statistics_do_not_depend_on_the_output) {
  const std::string limits =
      "limits:\n  - {channel: arm.reaction.Fz, below: 30 N, above: 5 N}\n  - {channel: motor.arm.torque, above: -60 N "
      "m}\n";
  for (const char* method : {"rk4", "dopri5", "conserving"}) {
    std::optional<result::RunSummary> first;
    bool seen_by_rows = true;
    for (const char* output : {"100 ms", "4 ms", "33 ms", "1 s", "3 ms"}) {
      const RunReport report = run(
          crane(std::string("{duration: 2 s, step: 4 ms, output: ") + output + ", method: " + method + "}", limits));
      ASSERT_EQ(report.summary.limits.size(), 3u);
      if (!first) first = report.summary;
      for (size_t i = 0; i < 3; ++i) EXPECT_EQ(report.summary.limits[i].result, first->limits[i].result) << output;
      for (size_t i = 0; i < first->channels.size(); ++i)
        EXPECT_EQ(report.summary.channels[i].statistics, first->channels[i].statistics)
            << first->channels[i].channel.name << ", " << method << ", every " << output;
      const auto torque = result().channel("motor.arm.torque");
      seen_by_rows =
          seen_by_rows && *std::min_element(torque.begin(), torque.end()) == *report.summary.limits[2].result.worst;
    }
    EXPECT_FALSE(seen_by_rows) << "rows alone would do, and this shows nothing";
  }
}

// The rows of a file are the same whether or not someone looks at every step.
TEST_F(Running, looking_at_every_step_changes_no_row) {
  std::vector<Scenario> scenarios;
  for (const char* method : {"rk4", "dopri5", "conserving"}) {
    scenarios.push_back(
        test::read_scenario(crane(std::string("{duration: 2 s, step: 4 ms, output: 30 ms, method: ") + method + "}")));
    input::Problems problems;
    auto loop = load_scenario(
        in_source("scenarios/luffing_cylinder.yaml"),
        {"run.duration=2 s", "run.step=4 ms", "run.output=30 ms", std::string("run.method=") + method}, problems);
    ASSERT_TRUE(loop) << problems.to_text();
    scenarios.push_back(*std::move(loop));
  }
  for (const Scenario& scenario : scenarios) {
    std::vector<std::vector<double>> rows[2];
    std::uint64_t hashes[2];
    for (const bool watched : {false, true}) {
      MemorySink memory;
      Monitors monitors({}, recorded_channels(scenario));
      std::vector<Sink*> sinks{&memory};
      if (watched) sinks.push_back(&monitors);
      Simulation run(scenario, find_start(scenario), {.sinks = sinks});
      run.run();
      rows[watched] = memory.rows;
      hashes[watched] = run.state().hash();
    }
    EXPECT_EQ(rows[0], rows[1]) << scenario.specification.title << ", " << scenario.method;
    EXPECT_EQ(hashes[0], hashes[1]) << scenario.specification.title << ", " << scenario.method;
  }
}

TEST_F(Running, limits_are_multiples_of_static_values) {
  const std::string hanging =
      "davit: 1\ntitle: hanging\nbodies:\n"
      "  bob: {joint: {prismatic: z}, mass: 4 kg}\n"
      "forces:\n  k: {joint_spring: {joint: bob, stiffness: 1 kN/m}}\n"
      "  push: {wrench: {on: bob, force: [0, 0, -8 N], from: 0.5 s}}\n"
      "limits: [{channel: bob.travel, above: 1.3 * static}, {channel: bob.travel, above: 1.5 * static}]\n";
  const RunReport report = run(hanging + "run: {duration: 2 s, step: 1 ms, from_equilibrium: true}\n");
  const double sag = -4 * 9.80665 / 1000;
  EXPECT_NEAR(*report.summary.limits[0].result.bound, 1.3 * sag, 1e-9);
  // The push deflects it twice as far as its weight alone would: 16 N of 39 N more.
  EXPECT_NEAR(*report.summary.limits[0].result.worst, sag - 0.016, 1e-5);
  EXPECT_FALSE(report.summary.limits[0].result.passed);
  EXPECT_TRUE(report.summary.limits[1].result.passed);
  const Scenario scenario = test::read_scenario(hanging + "run: {duration: 2 s, step: 1 ms, from_equilibrium: true}\n");
  const auto before = limits_at_start(scenario, find_start(scenario));
  EXPECT_EQ(before[1].result.bound, report.summary.limits[1].result.bound);
  // No equilibrium, no bound, no pass.
  const RunReport falling =
      run("davit: 1\ntitle: falling\nbodies: {bob: {joint: {prismatic: z}, mass: 1 kg}}\n"
          "limits: [{channel: bob.travel, below: 1.3 * static}]\n"
          "run: {duration: 1 s, step: 10 ms, from_equilibrium: true}\n");
  EXPECT_EQ(result::verdict(falling.summary.limits[0].result), result::Verdict::not_evaluated);
  EXPECT_FALSE(falling.limits_kept);
}

// A free body that spins about z: its yaw goes on past half a turn.
TEST_F(Running, angles_go_on_past_half_a_turn) {
  const RunReport report =
      run("davit: 1\ntitle: spin\nbodies: {bob: {joint: free, mass: 1 kg, inertia: [1, 1, 1], start: {yaw_rate: 3 "
          "rad/s}}}\n"
          "run: {duration: 4 s, step: 10 ms}\n");
  for (const auto& c : report.summary.channels)
    if (c.channel.name == "bob.yaw") EXPECT_NEAR(c.statistics.max, 12, 1e-6);
  const auto yaw = result().channel("bob.yaw");
  EXPECT_LT(*std::max_element(yaw.begin(), yaw.end()), 3.15) << "the file has what it had";
}

TEST_F(Running, twice_gives_the_same_bits) {
  for (const char* method : {"rk4", "dopri5"}) {
    const std::string text = crane(std::string("{duration: 1 s, step: 2 ms, output: 1 ms, method: ") + method + "}");
    run(text, "a");
    run(text, "b");
    const auto a = result("a"), b = result("b");
    EXPECT_EQ(a.times(), b.times());
    EXPECT_EQ(a.channels(), b.channels());
    for (const auto& c : a.channels()) EXPECT_EQ(a.channel(c.name), b.channel(c.name)) << c.name;
    EXPECT_EQ(a.hashes(), b.hashes());
    EXPECT_GE(a.hashes().size(), 10u);
    // And another start gives others.
    std::string other = text;
    other.replace(other.find("travel: 0.1 m"), 13, "travel: 0.2 m");
    run(other, "b");
    EXPECT_NE(a.hashes(), result("b").hashes());
    EXPECT_EQ(a.header().scenario == result("b").header().scenario, false);
  }
}

TEST_F(Running, both_methods_agree) {
  run(crane("{duration: 2 s, step: 1 ms, output: 10 ms, method: rk4}"), "a");
  run(crane("{duration: 2 s, output: 10 ms, method: dopri5, tolerance: 1e-10}"), "b");
  for (const char* name : {"arm.angle", "base.travel", "arm.reaction.Fz", "motor.arm.torque"}) {
    const auto a = result("a").channel(name), b = result("b").channel(name);
    ASSERT_EQ(a.size(), b.size());
    for (size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 2e-6) << name << " row " << i;
  }
}

TEST_F(Running, advice_about_the_step_fits_the_method) {
  const std::string fixed = run(crane()).summary.step_advice,
                    adaptive = run(crane("{duration: 2 s}")).summary.step_advice;
  EXPECT_NE(fixed.find("local error"), std::string::npos) << fixed;
  EXPECT_NE(adaptive.find("rejected"), std::string::npos) << adaptive;
  // At rest there is no error to speak of, and fixed steps are never rejected.
  const std::string rest =
      "davit: 1\ntitle: rest\nbodies: {bob: {joint: {prismatic: x}, mass: 1 kg}}\nrun: {duration: 1 s, step: 10 ms}\n";
  EXPECT_EQ(run(rest).summary.step_advice, "");
}

TEST_F(Running, a_broken_run_keeps_what_it_has) {
  // A step far too long for the spring.
  const RunReport report =
      run("davit: 1\ntitle: stiff\nbodies:\n  bob: {joint: {prismatic: x}, mass: 1 kg, start: {travel: 1 m}}\n"
          "forces:\n  k: {joint_spring: {joint: bob, stiffness: 1e6 N/m}}\nrun: {duration: 100 s, step: 0.1 s, method: "
          "rk4}\n");
  EXPECT_EQ(report.outcome.status, RunStatus::broken);
  EXPECT_LT(report.outcome.t, 50);
  EXPECT_EQ(report.outcome.element, "bob.travel");
  EXPECT_NE(report.outcome.why.find("step"), std::string::npos) << report.outcome.why;
  const auto r = result();
  EXPECT_TRUE(r.closed());
  EXPECT_EQ(r.status().find("broken: at "), 0u) << r.status();
  EXPECT_NE(r.status().find("bob.travel"), std::string::npos);
  EXPECT_GE(r.rows(), 1u);
  for (double x : r.channel("bob.travel")) EXPECT_TRUE(std::isfinite(x));
  ASSERT_EQ(r.events().size(), 1u);
  EXPECT_EQ(r.events()[0].key, "broken");
  EXPECT_EQ(r.events()[0].element, "bob.travel");
  EXPECT_EQ(r.events()[0].time, report.outcome.t);
  EXPECT_EQ(summary().at("status"), r.status());
  EXPECT_TRUE(fs::exists(folder / "a" / "report.html"));
  // It was foretold.
  ASSERT_FALSE(report.summary.warnings.empty());
  EXPECT_NE(report.summary.warnings[0].find("longer than"), std::string::npos);
}

// Both keep their limits as far as they go, and neither may say so.
TEST_F(Running, limits_of_a_run_that_did_not_end_are_undecided) {
  RunSettings settings;
  settings.directory = folder / "a";
  settings.proceed = [](double t) { return t < 0.5; };
  const RunReport stopped = run_scenario(
      test::read_scenario(crane("{duration: 2 s, step: 1 ms}", "limits: [{channel: base.travel, below: 9 m}]\n")),
      settings);
  const RunReport broken =
      run("davit: 1\ntitle: stiff\nbodies:\n  bob: {joint: {prismatic: x}, mass: 1 kg, start: {travel: 1 m}}\n"
          "forces:\n  k: {joint_spring: {joint: bob, stiffness: 1e6 N/m}}\nlimits: [{channel: bob.travel, below: 1e200 "
          "m}]\nrun: {duration: 100 s, step: 0.1 s, method: rk4}\n",
          "b");
  EXPECT_EQ(stopped.outcome.status, RunStatus::interrupted);
  EXPECT_EQ(broken.outcome.status, RunStatus::broken);
  for (const RunReport* report : {&stopped, &broken}) {
    EXPECT_FALSE(report->limits_kept);
    ASSERT_EQ(report->summary.limits.size(), 1u);
    EXPECT_EQ(result::verdict(report->summary.limits[0].result), result::Verdict::undecided);
  }
  for (const char* name : {"a", "b"}) {
    EXPECT_EQ(summary(name).at("limits")[0].at("passed"), false);
    EXPECT_EQ(summary(name).at("limits")[0].at("verdict"), "undecided");
    const std::vector<result::Limit> limits{
        {.channel = name == std::string("a") ? "base.travel" : "bob.travel", .bound = 1e200}};
    EXPECT_EQ(result::verdict(result::check_limits(limits, result(name))[0]), result::Verdict::undecided);
  }
}

// Ten seconds went by while the scenario was read.
TEST_F(Running, the_clock_counts_all_that_a_user_waits_for) {
  RunSettings settings;
  settings.directory = folder / "a";
  settings.begun -= std::chrono::seconds(10);
  const RunReport report = run_scenario(test::read_scenario(crane("{duration: 2 s, step: 1 ms}")), settings);
  EXPECT_GT(summary().at("wall_time").get<double>(), 10);
  EXPECT_GT(report.summary.wall_time, summary().at("wall_time").get<double>()) << "the report takes its time too";
  EXPECT_EQ(report.summary.real_time_factor, report.outcome.t / report.summary.wall_time);
}

TEST_F(Running, can_be_stopped) {
  RunSettings settings;
  settings.directory = folder / "a";
  settings.proceed = [](double t) { return t < 0.5; };
  const RunReport report = run_scenario(test::read_scenario(crane()), settings);
  EXPECT_EQ(report.outcome.status, RunStatus::interrupted);
  EXPECT_NEAR(report.outcome.t, 0.5, 2e-3);
  EXPECT_EQ(result().status(), "interrupted");
  EXPECT_NEAR(result().times().back(), 0.5, 2e-3);
  EXPECT_EQ(summary().at("status"), "interrupted");
}

TEST_F(Running, from_equilibrium_starts_at_rest) {
  const std::string hanging =
      "davit: 1\ntitle: hanging\nbodies:\n"
      "  arm: {joint: {revolute: y}, mass: 2 kg, centre: [1 m, 0, 0], inertia: [0.1, 0.2, 0.2], start: {angle: 1}}\n"
      "  bob: {joint: {prismatic: z}, mass: 4 kg, start: {travel_rate: 2 m/s}}\n"
      "forces:\n  k: {joint_spring: {joint: bob, stiffness: 1 kN/m}}\n";
  run(hanging + "run: {duration: 2 s, step: 1 ms, output: 10 ms, from_equilibrium: true}\n");
  const auto arm = result().channel("arm.angle"), bob = result().channel("bob.travel");
  for (size_t i = 0; i < arm.size(); ++i) {
    EXPECT_NEAR(arm[i], std::acos(0.0), 1e-8);  // the arm hangs: its centre is below
    EXPECT_NEAR(bob[i], -4 * 9.80665 / 1000, 1e-10);
  }
  run(hanging + "run: {duration: 2 s, step: 1 ms, output: 10 ms}\n", "b");
  EXPECT_EQ(result("b").channel("arm.angle")[0], 1);
}

TEST_F(Running, where_there_is_no_equilibrium_it_says_so) {
  const RunReport report =
      run("davit: 1\ntitle: falling\nbodies: {bob: {joint: {prismatic: z}, mass: 1 kg}}\n"
          "run: {duration: 1 s, step: 10 ms, from_equilibrium: try, precision: full}\n");
  ASSERT_FALSE(report.summary.warnings.empty());
  EXPECT_NE(report.summary.warnings[0].find("does not start from equilibrium"), std::string::npos);
  EXPECT_NEAR(result().channel("bob.travel").back(), -9.80665 / 2, 1e-9);
}

TEST_F(Running, an_equilibrium_with_sampled_controllers_is_warned_of) {
  const std::string held =
      "davit: 1\ntitle: held\nbodies:\n"
      "  arm: {joint: {revolute: y}, mass: 2 kg, centre: [1 m, 0, 0], inertia: [0.1, 0.2, 0.2]}\n"
      "control: {hold: {pid: {joints: [arm], kp: 1 kN m/rad, kd: 50";
  const std::string run_text = "}}}\nrun: {duration: 0.1 s, step: 1 ms, from_equilibrium: true}\n";
  EXPECT_TRUE(run(held + run_text).summary.warnings.empty());
  // kp (q - 0) = m g cos(q): it sags a little and stays.
  const double q = result().channel("arm.angle")[0];
  EXPECT_NEAR(1000 * q, 2 * 9.80665 * std::cos(q), 1e-6);
  EXPECT_NEAR(result().channel("arm.angle").back(), q, 1e-9);
  const auto warnings = run(held + ", sample_time: 10 ms" + run_text).summary.warnings;
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("sampled controllers"), std::string::npos);
}

TEST_F(Running, bodies_in_all_coordinates_are_sketched) {
  const Scenario s = test::read_scenario(
      "davit: 1\n"
      "title: three kinds of bodies\n"
      "bodies:\n"
      "  hook: {coordinates: particle, mass: 2 kg, at: [1 m, 2 m, 3 m]}\n"
      "  boom: {joint: {revolute: z}, at: [0, 0, 5 m], mass: 1 kg, inertia: [1, 1, 1], centre: [1 m, 0, 0]}\n"
      "  load: {coordinates: directors, mass: 3 kg, inertia: [1, 1, 1], centre: [0, 0, -1 m], at: [4 m, 0, 0],\n"
      "    turn: [{z: 90 deg}], points: {lug: [1 m, 0, 0]}}\n"
      "run: {duration: 1 s}\n");
  const ModelSketch sketch = sketch_of(s, s.initial_state());
  ASSERT_EQ(sketch.tables.bodies.size(), 3u);
  EXPECT_EQ(sketch.tables.bodies[0].joint, "particle");
  EXPECT_EQ(sketch.tables.bodies[1].joint, "revolute");
  EXPECT_EQ(sketch.tables.bodies[2].joint, "directors");
  EXPECT_EQ(sketch.tables.bodies[2].parent, "world");
  ASSERT_EQ(sketch.drawing.size(), 3u);
  using Line = std::vector<result::Point>;
  EXPECT_EQ(sketch.drawing[0].polylines, std::vector<Line>({{{1, 2, 3}}}));
  EXPECT_EQ(sketch.drawing[1].polylines, std::vector<Line>({{{0, 0, 5}, {1, 0, 5}}}));
  EXPECT_EQ(sketch.drawing[2].polylines, std::vector<Line>({{{4, 0, 0}, {4, 1, 0}}}));  // from its origin to the lug
}

TEST_F(Running, modes_are_those_of_the_model) {
  const RunReport report = run(
      "davit: 1\ntitle: spring\nbodies: {bob: {joint: {prismatic: z}, mass: 4 kg}}\n"
      "forces:\n  k: {joint_spring: {joint: bob, stiffness: 1 kN/m}}\n  c: {joint_damper: {joint: bob, damping: 20}}\n"
      "run: {duration: 1 s, step: 10 ms}\n");
  ASSERT_EQ(report.summary.modes.size(), 1u);
  const double w = std::sqrt(1000.0 / 4), zeta = 20 / (2 * std::sqrt(4 * 1000.0));
  EXPECT_NEAR(report.summary.modes[0].damping_ratio, zeta, 1e-9);
  EXPECT_NEAR(report.summary.modes[0].frequency, w * std::sqrt(1 - zeta * zeta) / (2 * M_PI), 1e-9);
}

// 250 springs of their own, each a mode; beyond 200 speeds they are found where they are asked for.
TEST_F(Running, modes_where_they_are_asked_for) {
  std::string bodies = "bodies:\n", forces = "forces:\n";
  const auto stiffness = [](int i) { return 100.0 + 7 * i; };
  for (int i = 0; i < 250; ++i) {
    const std::string name = "b" + std::to_string(i);
    bodies += "  " + name + ": {joint: {prismatic: x}, mass: 4 kg}\n";
    forces +=
        "  k" + name + ": {joint_spring: {joint: " + name + ", stiffness: " + std::to_string(stiffness(i)) + " N/m}}\n";
  }
  const auto with = [&](const std::string& modes) {
    return run("davit: 1\ntitle: springs\n" + bodies + forces +
               "run: {duration: 10 ms, step: 1 ms, channels: [b0.travel]" + modes + "}\n");
  };
  EXPECT_TRUE(with("").summary.modes.empty());
  EXPECT_TRUE(with(", modes: false").summary.modes.empty());
  const auto modes = with(", modes: true").summary.modes;
  ASSERT_GE(modes.size(), 30u);
  for (int i = 0; i < 30; ++i) {
    const double expected = std::sqrt(stiffness(i) / 4) / (2 * M_PI);
    EXPECT_NEAR(modes[static_cast<size_t>(i)].frequency, expected, 1e-9 * expected);
    EXPECT_EQ(modes[static_cast<size_t>(i)].shape, "+1.00 b" + std::to_string(i) + ".travel");
  }
}

// Before the first step there is nothing to keep: whoever waits may leave at once, and is told from when on not.
TEST_F(Running, says_when_its_steps_begin) {
  RunSettings settings;
  settings.directory = folder / "a";
  std::vector<std::string> order;
  settings.begins = [&](const RunSettings::Beginning&) {
    EXPECT_FALSE(fs::exists(folder / "a/result.h5"));
    order.push_back("begins");
  };
  settings.proceed = [&](double) {
    order.push_back("step");
    return order.size() < 3;
  };
  run_scenario(test::read_scenario(crane()), settings);
  EXPECT_EQ(order, std::vector<std::string>({"begins", "step", "step"}));
}

TEST_F(Running, into_a_folder_that_cannot_be) {
  std::ofstream(folder / "file") << "x";
  EXPECT_THROW(run(crane(), "file/sub"), fs::filesystem_error);
  fs::create_directories(folder / "taken" / "result.h5");
  EXPECT_THROW(run(crane(), "taken"), result::ResultError);
}

TEST_F(Running, a_large_model_does_not_wait_for_its_modes) {
  std::string text = "davit: 1\ntitle: chain\nbodies:\n  b0: {joint: {revolute: x}, mass: 1 kg, inertia: [1, 1, 1]}\n";
  for (int i = 1; i < 1500; ++i)
    text += "  b" + std::to_string(i) + ": {on: b" + std::to_string(i % 50 == 0 ? 0 : i - 1) +
            ", at: [0, 0, -1 m], joint: {revolute: x}, mass: 1 kg, inertia: [1, 1, 1]}\n";
  const auto begin = std::chrono::steady_clock::now();
  const RunReport report = run(text + "run: {duration: 10 ms, step: 1 ms, channels: [b0.angle]}\n");
  EXPECT_EQ(report.outcome.status, RunStatus::complete);
  EXPECT_TRUE(report.summary.modes.empty());
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
}

// A car of 2 m at 2 m/s, 3 m before a wall of 4 m: it touches at 1.5 s, and has left it behind at 4.5 s.
TEST_F(Running, touching_and_parting_are_events) {
  run("davit: 1\n"
      "title: a car\n"
      "bodies:\n"
      "  car: {joint: {prismatic: x}, mass: 1 t, start: {travel_rate: 2 m/s}}\n"
      "surfaces:\n"
      "  shape: {on: car, box: [2 m, 2 m, 2 m]}\n"
      "  wall: {box: [4 m, 3 m, 3 m], at: [6 m, 0, 0]}\n"
      "clearances: {gap: {between: [shape, wall]}}\n"
      "run: {duration: 6 s, step: 20 ms}\n");
  std::vector<result::Event> events = result().events();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].element, "gap");
  EXPECT_EQ(events[0].key, "touch");
  EXPECT_NEAR(events[0].time, 1.5, 0.0201);
  EXPECT_EQ(events[1].key, "part");
  EXPECT_NEAR(events[1].time, 4.5, 0.0201);
  const auto distance = result().channel("gap.distance");
  EXPECT_NEAR(distance.front(), 3, 1e-12);
  EXPECT_NEAR(distance.back(), 3, 1e-9);
}

// Over a beam of two metres: two nodes at every row, with where they are and what they carry.
TEST_F(Running, the_nodes_of_ropes_are_events) {
  run("davit: 1\n"
      "title: a rope over a beam\n"
      "bodies:\n"
      "  left: {at: [-5 m, 0, 1 m], mass: 1 t}\n"
      "  right: {at: [3 m, 0, 1 m], joint: {prismatic: x}, mass: 1 t}\n"
      "surfaces: {beam: {box: [2 m, 2 m, 2 m], at: [-1 m, 0, 1 m]}}\n"
      "forces: {pull: {wrench: {on: right, force: [9486.832980505138 N, 0, 0]}}}\n"
      "ropes: {hoist: {from: left, to: right, tension: 10 kN, EA: 1 MN, touches: [beam], friction: 0.2, path: "
      "[{around: "
      "[-1 m, 0, 4 m]}]}}\n"
      "run: {duration: 0.1 s, step: 10 ms}\n");
  const std::vector<result::Event> events = result().events();
  ASSERT_EQ(events.size(), 22u);
  for (size_t i = 0; i < events.size(); ++i) {
    EXPECT_EQ(events[i].element, "hoist");
    EXPECT_EQ(events[i].key, "sticks");
    EXPECT_EQ(events[i].text, "beam");
    ASSERT_EQ(events[i].values.size(), 8u);
    EXPECT_NEAR(events[i].values[0], i % 2 == 0 ? -2 : 0, 1e-6);
    EXPECT_NEAR(events[i].values[2], 2, 1e-6);
    EXPECT_NEAR(events[i].values[3], 2e4 * std::sin(std::atan(1 / 3.0) / 2), 1);
    EXPECT_NEAR(events[i].values[4], 1e4, 1);
  }
}

// A rope is asked by nobody and carries twice what it bears.
TEST_F(Running, a_rope_beyond_its_breaking_load_is_told) {
  const auto warnings_at = [&](const std::string& mbl) {
    return run("davit: 1\ntitle: rope\nbodies:\n  boom: {at: [0, 0, 10 m]}\n"
               "  load: {joint: {prismatic: z}, mass: 1 t}\n"
               "ropes: {hoist: {from: boom, to: load, tension: 9.80665 kN, EA: 1 MN, mbl: " +
               mbl + "}}\nrun: {duration: 0.1 s, step: 10 ms}\n")
        .summary.warnings;
  };
  EXPECT_TRUE(warnings_at("20 kN").empty());
  const auto warnings = warnings_at("4.903325 kN");
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_TRUE(warnings[0].starts_with("the rope 'hoist' carried 9807 N at ")) << warnings[0];
  EXPECT_NE(warnings[0].find("200 % of its breaking load"), std::string::npos) << warnings[0];
}

// Gains that feed an oscillation are named before the run, and as the reason when it breaks: no step would help.
TEST_F(Running, a_model_that_feeds_itself_is_told_and_not_the_step_blamed) {
  const auto report =
      run("davit: 1\ntitle: fed\nbodies:\n  king: {joint: {revolute: y}, start: {angle: 0.1 rad}, mass: 1 t, centre: "
          "[1 m, 0, 0], "
          "inertia: [1 t m^2, 1 t m^2, 1 t m^2]}\n"
          "control: {luff: {pid: {joints: [king], kp: 1 MN m/rad, kd: -50 kN m s/rad}}}\n"
          "run: {duration: 60 s, step: 10 ms}\n");
  EXPECT_EQ(report.outcome.status, RunStatus::broken);
  EXPECT_NE(report.outcome.why.find("no step helps"), std::string::npos) << report.outcome.why;
  EXPECT_NE(report.outcome.why.find("negative damping"), std::string::npos) << report.outcome.why;
  ASSERT_FALSE(report.summary.warnings.empty());
  EXPECT_NE(report.summary.warnings[0].find("unstable at the start"), std::string::npos) << report.summary.warnings[0];
}

}  // namespace
}  // namespace davit
