// Reads a scenario, changes a value, and asks of every instant how far the load swings.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <davit/api/lift.hpp>

int main(int argc, char** argv) {
  const char* file = argc > 1 ? argv[1] : "swing.yaml";
  try {
    for (const char* mass : {"5 t", "20 t"}) {
      const davit::Lift lift = davit::Lift::load(file, {std::string("bodies.load.mass=") + mass});
      const std::size_t angle = lift.channel("load.angle2");
      double largest = 0;
      const davit::LiftOutcome outcome = lift.run([&](const davit::Instant& now) {
        largest = std::max(largest, std::abs(now.value(angle)));
        return true;  // go on
      });
      std::printf("load of %s: swings %.2f deg in the plane of the boom within %.0f s\n", mass,
                  largest * 180 / std::acos(-1.0), outcome.end);
      if (!outcome.complete) return 1;
    }
  } catch (const davit::InputError& error) {
    std::fputs(error.what(), stderr);  // file, line, key and remedy of every mistake
    return 2;
  }
}
