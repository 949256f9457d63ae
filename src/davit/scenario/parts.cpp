#include "davit/scenario/parts.hpp"

#include "davit/scenario/specification.hpp"

namespace davit {

const std::vector<std::string>& sections_of_parts() {
  // A vessel's hull is solved before anything is placed on it, so it stands in the scenario itself.
  static const std::vector<std::string> sections = [] {
    std::vector<std::string> all{"bodies"};
    for (const auto& section : registry().sections())
      if (section->stage() != BuildStage::hulls) all.push_back(section->key());
    all.insert(all.end(), {"operation", "limits"});
    return all;
  }();
  return sections;
}

void expand_parts(input::Node& root, input::Problems& problems, const input::LoadPart& load) {
  const input::PartRules rules{Specification::record(),
                               sections_of_parts(),
                               {{"mooring_line", "anchor"}, {"pass", "around"}, {"tip", "from"}},
                               {{"run", "channels"}, {"run", "plot"}},
                               {{"phase", "name"}}};
  input::expand_parts(root, rules, problems, load);
}

}  // namespace davit
