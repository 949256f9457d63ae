#include "davit/live/replay_file.hpp"

#include <fmt/format.h>

#include "davit/input/emit.hpp"
#include "davit/input/overlay.hpp"
#include "davit/io/write_file.hpp"

namespace davit::live {

void write_replay(const Scenario& scenario, const std::vector<std::string>& settings, double end,
                  const std::filesystem::path& folder) {
  input::Node root = input::map_node();
  input::Problems none;  // the scenario was loaded with these settings
  const auto set = [&](const std::string& setting) { input::apply_setting(root, setting, none); };
  for (const std::string& setting : settings) set(setting);
  set(fmt::format("levers.tick={} s", scenario.levers->tick));
  set("levers.file=levers.csv");
  // Exactly these, whatever would follow from the duration.
  set(fmt::format("run.duration={} s", end));
  set(fmt::format("run.output={} s", scenario.options.output));
  const std::filesystem::path file = std::filesystem::absolute(scenario.file),
                              near = file.lexically_relative(std::filesystem::absolute(folder).lexically_normal());
  input::Node whole = input::map_node({{"base", {}, input::scalar_node((near.empty() ? file : near).string())}});
  for (input::Node::Entry& entry : root.entries) whole.entries.push_back(std::move(entry));
  io::write_file(folder / "replay.yaml", "# A live run done again: davit run replay.yaml\n" + input::to_yaml(whole));
}

}  // namespace davit::live
