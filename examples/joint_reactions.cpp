// Writes a run as the program davit does, and reads the reaction of a joint from the result.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <davit/api/lift.hpp>
#include <davit/result/reader.hpp>
#include <filesystem>

int main(int argc, char** argv) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "davit_joint_reactions";
  const davit::Lift lift = davit::Lift::load(argc > 1 ? argv[1] : "swing.yaml");
  if (!lift.write(folder).complete) return 1;

  const davit::result::Result result = davit::result::Result::open(folder / "result.h5");
  const std::vector<double> t = result.times();
  for (const char* name : {"boom.reaction.Fx", "boom.reaction.Fz", "boom.reaction.My"}) {
    const std::vector<double> values = result.channel(name);
    const auto worst =
        std::max_element(values.begin(), values.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
    std::printf("%s: largest %.1f kN or kN m at %.2f s\n", name, *worst / 1000,
                t[static_cast<std::size_t>(worst - values.begin())]);
  }
  std::filesystem::remove_all(folder);
}
