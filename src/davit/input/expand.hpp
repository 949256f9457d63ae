// Builds a scenario of reusable components: every part under `parts` is read from its file, its parameters are put in,
// its names get the name of the part before them (west/boom), and its sections join those of the scenario. Afterwards
// the tree is one that could have been written by hand. Every node keeps its place in the part's file and the name of
// the part, for messages.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "davit/input/part.hpp"

namespace davit::input {

// What expansion must know of scenarios.
struct PartRules {
  const RecordInfo& scenario;
  std::vector<std::string> sections;  // that a part may have
  // Fields of records (record, key) that are places in the world, which a part does not know.
  std::vector<std::pair<std::string, std::string>> world_places;
  // Lists of texts that are names or patterns of channels: what is exported is found in them too.
  std::vector<std::pair<std::string, std::string>> channel_lists = {};
  // Fields in which an item of a list has its name, by which others refer to it: phases.
  std::vector<std::pair<std::string, std::string>> item_names = {};
};

// The tree of the file of a part and what the file is called; reports why when there is none.
struct LoadedPart {
  Node tree;
  std::string identity;  // the same for the same file
};
using LoadPart = std::function<std::optional<LoadedPart>(const FilePath& part, Problems& problems)>;
// From where the file that names it stands, or from the program's own parts.
std::optional<LoadedPart> load_part(const FilePath& part, Problems& problems);

// Also puts in the parameters of the scenario itself. The tree means nothing after a mistake.
void expand_parts(Node& root, const PartRules& rules, Problems& problems, const LoadPart& load = load_part);

}  // namespace davit::input
