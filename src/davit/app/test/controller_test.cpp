// Controllers in shared libraries, as a user of the program meets them.
#include "davit/app/test/program.hpp"
#include "davit/result/reader.hpp"
#include "davit/test/source_tree.hpp"

namespace davit::app::test {
namespace {

class ProgramWithController : public Program {
 protected:
  static std::string wheel(const std::string& library, const std::string& keys, const std::string& run) {
    return "davit: 1\ntitle: a wheel\nbodies: {wheel: {joint: {revolute: z}, mass: 10 kg, sphere: {radius: 1 m}, "
           "start: "
           "{angle: 0.5}}}\ncontrol: {own: {library: {file: " +
           in_build("controllers/lib") + library + ".so, sample_time: 20 ms, drive: [wheel], " + keys +
           "}}}\nrun: {step: 10 ms, method: rk4, " + run + "}\n";
  }
  // Processes that were started here.
  int left_in_folder() const {
    int count = 0;
    for (const auto& process : fs::directory_iterator("/proc")) {
      std::error_code no_matter;
      const fs::path at = fs::read_symlink(process.path() / "cwd", no_matter);
      count += at == fs::canonical(folder);
    }
    return count;
  }
};

TEST_F(ProgramWithController, a_crash_ends_the_run_and_keeps_what_was_recorded) {
  write("lift.yaml", wheel("faulty", "parameters: {fault: 1, at: 50}", "duration: 5 s"));
  const Outcome o = davit({"run", "lift.yaml", "-o", "out"});
  EXPECT_EQ(o.code, 3);
  EXPECT_TRUE(has(o.err,
                  "the run broke at 1 s in own: the controller in libfaulty.so failed at 1 s: it crashed (Segmentation "
                  "fault) in a step"));
  const auto r = result::Result::open(folder / "out/result.h5");
  EXPECT_TRUE(r.closed());
  EXPECT_EQ(r.rows(), 100u);
  EXPECT_NEAR(r.times().back(), 0.99, 1e-12);
}

TEST_F(ProgramWithController, one_that_fails_at_once_is_a_mistake_of_the_file) {
  write("lift.yaml", wheel("faulty", "parameters: {fault: 7}", "duration: 5 s"));
  const Outcome o = davit({"check", "lift.yaml"});
  EXPECT_EQ(o.code, 2);
  EXPECT_TRUE(has(o.out, "lift.yaml:4"));
  EXPECT_TRUE(has(o.out, "the load cell is \\x1b[31mbroken"));
}

TEST_F(ProgramWithController, no_process_stays) {
  for (const int signal : {SIGINT, SIGKILL}) {
    write("lift.yaml", wheel("pid", "measure: [wheel.angle, wheel.angle_rate], parameters: {kp: 3}",
                             "duration: 1e5 s, output: 1 s"));
    const std::string out = "out" + std::to_string(signal);
    davit({"run", "lift.yaml", "-o", out}, [&](pid_t program) {
      // The program and its controller, in the run and not in the checks before it.
      const auto runs = [&] { return fs::exists(folder / out / "result.h5") && left_in_folder() == 2; };
      for (int i = 0; i < 2000 && !runs(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
      EXPECT_TRUE(runs());
      kill(program, signal);
    });
    for (int i = 0; i < 500 && left_in_folder() > 0; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_EQ(left_in_folder(), 0) << signal;
  }
}

TEST_F(ProgramWithController, a_part_brings_its_controller) {
  fs::create_directory(folder / "parts");
  fs::copy(in_build("controllers/libpid.so"), folder / "parts/libown.so");
  write("parts/wheel.yaml",
        "part: {title: a wheel that is held}\nparameters: {kp: {default: 3, meaning: gain}}\nbodies: {wheel: {joint: "
        "{revolute: z}, mass: 10 kg, sphere: "
        "{radius: 1 m}, start: {angle: 0.5}}}\ncontrol: {own: {library: {file: libown.so, sample_time: 20 ms, measure: "
        "[wheel.angle, wheel.angle_rate], sensors: {wheel.angle: {delay: 20 ms}}, drive: [wheel], limits: {wheel: 1 N "
        "m}, parameters: {kp: =kp}}}}\n");
  write("lift.yaml",
        "davit: 1\ntitle: two wheels\nparts: {east: {part: parts/wheel.yaml}, west: {part: parts/wheel.yaml, set: {kp: "
        "1}}}\nrun: {duration: 1 s, step: 10 ms, method: rk4}\n");
  const Outcome o = davit({"run", "lift.yaml", "-o", "out"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_TRUE(has(o.out, "libown.so drives east/wheel"));
  EXPECT_TRUE(has(o.out, "libown.so drives west/wheel"));
}

}  // namespace
}  // namespace davit::app::test
