#include "davit/live/replay_file.hpp"

#include <fmt/format.h>

#include "davit/input/emit.hpp"
#include "davit/input/overlay.hpp"
#include "davit/io/write_file.hpp"

namespace davit::live {

void write_replay(const Scenario& scenario, const std::vector<std::string>& settings, const std::string& case_name,
                  double end, const std::filesystem::path& folder) {
  input::Problems none;  // the scenario was loaded with this case and these settings
  const input::Node base = input::load_with_base(scenario.file, none).value_or(input::map_node());
  input::Node root = base;
  const auto set = [&](const std::string& setting) { input::apply_setting(root, setting, none); };
  input::apply_case(root, case_name, none);
  for (const std::string& setting : settings) set(setting);
  set(fmt::format("levers.tick={} s", scenario.levers->tick));
  set("levers.file=levers.csv");
  // Exactly these, whatever would follow from the duration.
  set(fmt::format("run.duration={} s", end));
  set(fmt::format("run.output={} s", scenario.options.output));
  const std::filesystem::path file = std::filesystem::absolute(scenario.file),
                              near = file.lexically_relative(std::filesystem::absolute(folder).lexically_normal());
  input::Node whole = input::map_node({{"base", {}, input::scalar_node((near.empty() ? file : near).string())}});
  for (input::Node::Entry& entry : input::difference(base, root).entries) whole.entries.push_back(std::move(entry));
  io::write_file(folder / "replay.yaml", "# A live run done again: davit run replay.yaml\n" + input::to_yaml(whole));
}

}  // namespace davit::live
