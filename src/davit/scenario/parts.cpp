#include "davit/scenario/parts.hpp"

#include "davit/scenario/specification.hpp"

namespace davit {

const std::vector<std::string>& sections_of_parts() {
  static const std::vector<std::string> sections{"bodies", "surfaces", "constraints", "forces",    "ropes", "winches",
                                                 "slings", "control",  "clearances",  "operation", "limits"};
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
