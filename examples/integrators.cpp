// Runs one lift with several methods and steps, and compares where the load ends with a reference of a fine step.
#include <cmath>
#include <cstdio>
#include <davit/api/lift.hpp>

namespace {

double end_angle(const char* file, const std::string& method, const std::string& step) {
  const davit::Lift lift = davit::Lift::load(file, {"run.method=" + method, "run.step=" + step, "run.duration=10 s"});
  const std::size_t angle = lift.channel("load.angle1");
  double last = 0;
  lift.run([&](const davit::Instant& now) {
    last = now.value(angle);
    return true;
  });
  return last;
}

}  // namespace

int main(int argc, char** argv) {
  const char* file = argc > 1 ? argv[1] : "swing.yaml";
  const double reference = end_angle(file, "rk4", "0.5 ms");
  std::printf("%-20s %8s %12s\n", "method", "step", "error, rad");
  for (const char* method : {"rk4", "conserving", "midpoint", "implicit_euler"})
    for (const char* step : {"20 ms", "10 ms"})
      std::printf("%-20s %8s %12.2e\n", method, step, std::abs(end_angle(file, method, step) - reference));
}
