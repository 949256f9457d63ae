#include "davit/input/overlay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <string>
#include <system_error>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include "davit/input/document.hpp"
#include "davit/input/part.hpp"
#include "davit/input/reference.hpp"
#include "davit/input/source_text.hpp"
#include "davit/input/wording.hpp"

namespace davit::input {

namespace {

// ---- settings

using Part = std::variant<std::string, std::size_t>;  // a key or an index

// "a.b[2].c" in its parts; nothing when it is not such a path.
std::optional<std::vector<Part>> split_path(std::string_view text) {
  std::vector<Part> parts;
  bool key_due = true;
  while (!text.empty()) {
    if (text.front() == '[') {
      std::size_t index = 0;
      const auto [end, code] = std::from_chars(text.data() + 1, text.data() + text.size(), index);
      text.remove_prefix(static_cast<std::size_t>(end - text.data()));
      if (code != std::errc() || key_due || !text.starts_with(']')) return std::nullopt;
      text.remove_prefix(1);
      parts.emplace_back(index);
    } else {
      if (!parts.empty() && !key_due) {
        if (text.front() != '.') return std::nullopt;
        text.remove_prefix(1);
      }
      const std::string_view key = text.substr(0, text.find_first_of(".["));
      if (key.empty() || key.size() > longest_key || key.find(']') != std::string_view::npos) return std::nullopt;
      text.remove_prefix(key.size());
      parts.emplace_back(std::string(key));
    }
    key_due = false;
  }
  if (parts.empty() || parts.size() > static_cast<std::size_t>(deepest)) return std::nullopt;
  return parts;
}

struct Setting {
  std::vector<Part> parts;
  std::optional<Node> value;  // nothing: remove
  Place place;
  Where where;
};

std::optional<Setting> parse_setting(std::string_view text, Problems& problems) {
  const std::string file = command_line;
  if (const auto bad = SourceText(text, 1).first_bad_byte()) {
    problems.error({file, 1, bad->column, ""}, "a byte here is not text in UTF-8",
                   "write the setting as UTF-8 text, without control characters");
    return std::nullopt;
  }
  const std::size_t equals = text.find('=');
  const std::string_view path = text.substr(0, equals);
  if (equals == std::string_view::npos) {
    problems.error({file, 1, 1, ""}, fmt::format("{} has no '='", shown(text)), "write it as run.step=5 ms");
    return std::nullopt;
  }
  auto parts = split_path(path);
  if (!parts) {
    problems.error({file, 1, 1, ""}, fmt::format("{} is not the path of a key", shown(path)),
                   "write a path such as run.step or limits[2].below");
    return std::nullopt;
  }
  std::string_view value = text.substr(equals + 1);
  const int column = static_cast<int>(equals) + 2;
  Setting setting{*std::move(parts),
                  std::nullopt,
                  {std::make_shared<const std::string>(file), 1, column},
                  {file, 1, column, std::string(path)}};
  const std::size_t begin = value.find_first_not_of(' ');
  const std::string_view bare = begin == std::string_view::npos ? std::string_view() : value.substr(begin);
  if (bare.empty() || bare == "null" || bare == "~") return setting;
  setting.value = parse_document(value, file, problems, column);
  if (!setting.value) return std::nullopt;
  return setting;
}

// The node that a part of the path leads to. A missing key is made when `create`. Reports why when there is none.
Node* descend(Node& node, const Part& part, bool create, const Setting& setting, Problems& problems) {
  const std::string here = node.path ? to_text(node.path) : "the root";
  if (const auto* index = std::get_if<std::size_t>(&part)) {
    if (node.is_sequence() && *index < node.items.size()) return &node.items[*index];
    if (node.is_sequence())
      problems.error(setting.where, fmt::format("{} has no item [{}]", here, *index),
                     fmt::format("it has {}, counted from 0", node.items.size()));
    else
      problems.error(setting.where, fmt::format("{} is not a list but {}", here, found(node)),
                     "give a key, not an index");
    return nullptr;
  }
  const std::string& key = std::get<std::string>(part);
  if (!node.is_map()) {
    problems.error(setting.where, fmt::format("{} is not a map but {}", here, found(node)),
                   node.is_sequence() ? "give an index, as in limits[2]" : "set it as a whole");
    return nullptr;
  }
  if (Node* child = node.find(key)) return child;
  if (create) {
    Node child = map_node();
    child.place = setting.place;
    child.path = key_path(node.path, key);
    node.entries.push_back({key, setting.place, std::move(child)});
    return &node.entries.back().value;
  }
  std::vector<std::string> keys;
  for (const Node::Entry& entry : node.entries) keys.push_back(entry.key);
  problems.error(setting.where, fmt::format("there is no {} to remove", shown(key)), suggestion(key, "keys", keys));
  return nullptr;
}

void remove(Node& parent, const Part& part) {
  if (const auto* index = std::get_if<std::size_t>(&part)) {
    parent.items.erase(parent.items.begin() + static_cast<std::ptrdiff_t>(*index));
    set_paths(parent, parent.path);  // those behind it have moved up
  } else {
    std::erase_if(parent.entries, [&](const auto& entry) { return entry.key == std::get<std::string>(part); });
  }
}

void apply(Node& root, Setting setting, Problems& problems) {
  // All parts but the last lead to the parent, in which the last is then set or removed.
  const bool create = setting.value.has_value();
  Node* parent = &root;
  for (std::size_t i = 0; i + 1 < setting.parts.size(); ++i) {
    parent = descend(*parent, setting.parts[i], create, setting, problems);
    if (parent == nullptr) return;
  }
  Node* target = descend(*parent, setting.parts.back(), create, setting, problems);
  if (target == nullptr) return;
  if (!create) {
    remove(*parent, setting.parts.back());
    return;
  }
  const Path path = target->path;
  *target = *std::move(setting.value);
  set_paths(*target, path);
  if (const auto* key = std::get_if<std::string>(&setting.parts.back()))
    for (Node::Entry& entry : parent->entries)
      if (entry.key == *key) entry.place = setting.place;
}

// ---- base files

constexpr std::size_t most_bases = 8;

std::optional<Node> load_chain(const std::filesystem::path& file, std::vector<std::filesystem::path> chain,
                               const std::optional<Where>& asked_by, Problems& problems) {
  std::error_code code;
  std::filesystem::path identity = std::filesystem::weakly_canonical(file, code);
  if (code) identity = file;
  if (std::find(chain.begin(), chain.end(), identity) != chain.end()) {
    problems.error(*asked_by, fmt::format("the bases of {} form a cycle", file.string()), "remove one of them");
    return std::nullopt;
  }
  if (chain.size() > most_bases) {
    problems.error(*asked_by, fmt::format("more than {} levels of bases", most_bases), "merge some of them");
    return std::nullopt;
  }
  chain.push_back(std::move(identity));

  std::optional<Node> node = load_document(file, problems, asked_by);
  if (!node) return std::nullopt;
  name_parts(*node, problems);
  const Node* named = node->find("base");
  if (named == nullptr) return node;
  if (!named->is_scalar() || named->text.empty()) {
    problems.error(named->where(), fmt::format("found {}; the path of a file is expected here", found(*named)),
                   "write base: lift.yaml");
    return std::nullopt;
  }
  const std::filesystem::path base_file = (file.parent_path() / named->text).lexically_normal();
  std::optional<Node> base = load_chain(base_file, std::move(chain), named->where(), problems);
  std::erase_if(node->entries, [](const auto& entry) { return entry.key == "base"; });
  if (!base) return std::nullopt;
  return overlay(*std::move(base), *std::move(node));
}

}  // namespace

Node overlay(Node base, Node variation) {
  if (!base.is_map() || !variation.is_map()) return variation;
  // An index, because looking up a million keys one after the other would take for ever.
  std::unordered_map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < base.entries.size(); ++i) index.emplace(base.entries[i].key, i);
  std::vector<bool> removed(base.entries.size(), false);
  for (Node::Entry& entry : variation.entries) {
    const auto at = index.find(entry.key);
    if (at == index.end()) {
      base.entries.push_back(std::move(entry));
    } else if (entry.value.is_null()) {
      removed[at->second] = true;
    } else {
      Node::Entry& old = base.entries[at->second];
      // Where both are maps the key stays the base's, as does the map: only what differs has moved.
      if (!old.value.is_map() || !entry.value.is_map()) old.place = entry.place;
      old.value = overlay(std::move(old.value), std::move(entry.value));
    }
  }
  Node result = std::move(base);
  std::vector<Node::Entry> kept;
  for (std::size_t i = 0; i < result.entries.size(); ++i)
    if (i >= removed.size() || !removed[i]) kept.push_back(std::move(result.entries[i]));
  result.entries = std::move(kept);
  return result;
}

Node difference(const Node& base, const Node& changed) {
  Node out = map_node();
  std::unordered_map<std::string_view, const Node*> before;
  for (const Node::Entry& entry : base.entries) before.emplace(entry.key, &entry.value);
  std::unordered_set<std::string_view> kept;
  for (const Node::Entry& entry : changed.entries) {
    kept.insert(entry.key);
    const auto at = before.find(entry.key);
    const Node* old = at == before.end() ? nullptr : at->second;
    if (old && *old == entry.value) continue;
    const bool both_maps = old && old->is_map() && entry.value.is_map();
    out.entries.push_back({entry.key, entry.place, both_maps ? difference(*old, entry.value) : entry.value});
  }
  for (const Node::Entry& entry : base.entries)
    if (!kept.contains(entry.key)) out.entries.push_back({entry.key, entry.place, Node()});
  return out;
}

void apply_setting(Node& root, std::string_view text, Problems& problems) {
  if (std::optional<Setting> setting = parse_setting(text, problems)) apply(root, *std::move(setting), problems);
}

std::vector<std::string> case_names(const Node& root) {
  std::vector<std::string> names;
  if (const Node* cases = root.find("cases"))
    for (const Node::Entry& entry : cases->entries) names.push_back(entry.key);
  return names;
}

void apply_case(Node& root, const std::string& name, Problems& problems) {
  Node cases;
  if (Node* there = root.find("cases")) cases = std::move(*there);
  std::erase_if(root.entries, [](const Node::Entry& entry) { return entry.key == "cases"; });
  if (!cases.is_null() && !cases.is_map()) {
    problems.error(cases.where(), fmt::format("found {}; cases by name are expected here", found(cases)),
                   "write e.g. cases: {storm: {run.seed: 3}}");
    return;
  }
  for (const Node::Entry& entry : cases.entries)
    if (!is_name(entry.key) || entry.key.find('/') != std::string::npos)  // it names a folder
      problems.error(entry.where(), fmt::format("{} is not a name", shown(entry.key)),
                     "begin with a letter or '_', go on with letters, digits, '_' and '-'");
  if (name.empty()) return;
  Node* chosen = cases.find(name);
  if (chosen == nullptr) {
    std::vector<std::string> names;
    for (const Node::Entry& entry : cases.entries) names.push_back(entry.key);
    problems.error(root.where(), fmt::format("there is no case {}", shown(name)),
                   names.empty() ? "the file has no 'cases'" : suggestion(name, "cases", names));
    return;
  }
  if (!chosen->is_map()) {
    problems.error(chosen->where(), fmt::format("found {}; what differs is expected here", found(*chosen)),
                   "write e.g. {environment: {waves: …}} or {run.seed: 3}");
    return;
  }
  Node variation = map_node();
  variation.place = chosen->place;
  std::vector<Setting> settings;
  for (Node::Entry& entry : chosen->entries) {
    auto parts = split_path(entry.key);
    if (!parts || parts->size() == 1) {
      variation.entries.push_back(std::move(entry));
      continue;
    }
    Setting setting{*std::move(parts), std::nullopt, entry.place, entry.where()};
    if (!entry.value.is_null()) setting.value = std::move(entry.value);
    settings.push_back(std::move(setting));
  }
  name_parts(variation, problems);
  root = overlay(std::move(root), std::move(variation));
  set_paths(root, nullptr);
  for (Setting& setting : settings) apply(root, std::move(setting), problems);
}

std::optional<Node> load_with_base(const std::filesystem::path& file, Problems& problems) {
  try {
    return load_chain(file, {}, std::nullopt, problems);
  } catch (const std::exception& surprise) {
    // The file system library throws on paths it cannot represent.
    problems.error({file.string(), 0, 0, ""}, fmt::format("the file cannot be read: {}", surprise.what()),
                   "check the path");
    return std::nullopt;
  }
}

}  // namespace davit::input
