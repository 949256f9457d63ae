// Files that were made to break the program, or broke it once: a sentence and an exit code, soon, whatever they are.
#include <chrono>
#include <cstdlib>

#include "davit/app/test/program.hpp"

namespace davit::app::test {
namespace {

// Collected by others, not part of the project.
fs::path hostile_folder() {
  const char* data = std::getenv("DAVIT_SHARED");
  return (data ? fs::path(data) : fs::path(DAVIT_SOURCE_DIR) / "../shared/data") / "../hostile";
}

class Hostile : public Program {
 protected:
  void expect_sentence(const std::vector<std::string>& words) {
    const auto begin = std::chrono::steady_clock::now();
    const Outcome o = davit(words);
    EXPECT_TRUE(o.code == 2 || o.code == 3) << "exit code " << o.code << ", signal " << o.signal;
    EXPECT_TRUE(has(o.err + o.out, "error: "));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
  }
};

TEST_F(Hostile, damaged_and_crafted_binary_files) {
  if (!fs::exists(hostile_folder())) GTEST_SKIP() << hostile_folder() << " is not here";
  for (const auto& entry : fs::directory_iterator(hostile_folder())) {
    const std::string name = entry.path().filename().string();
    SCOPED_TRACE(name);
    if (name.starts_with("craft_res") || name.starts_with("bin_res"))
      expect_sentence({"export", entry.path().string(), "--csv", "out.csv"});
    else if (name.starts_with("craft_") || name.starts_with("bin_"))
      expect_sentence({"hydro", "inspect", entry.path().string()});
  }
}

}  // namespace
}  // namespace davit::app::test
