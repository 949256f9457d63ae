// Parts put into the tree of a scenario: parameters substituted, names prefixed, exported names and changes resolved.
#include "davit/input/expand.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <set>

#include "davit/input/document.hpp"
#include "davit/input/overlay.hpp"
#include "davit/input/part_library.hpp"
#include "davit/input/shape_walk.hpp"
#include "davit/input/wording.hpp"

namespace davit::input {

namespace {

constexpr std::size_t deepest_part = 8;
// A part is put in once for each of its instances: ten levels of ten would be more than any machine holds.
constexpr std::size_t most_instances = 10'000;

using Names = std::set<std::string, std::less<>>;
using Aliases = std::map<std::string, std::string, std::less<>>;  // west.tip: west/boom.tip

std::string_view owner_of(std::string_view reference) { return reference.substr(0, reference.find('.')); }

std::size_t nodes_in(const Node& node) {
  std::size_t count = 1;
  for (const Node& item : node.items) count += nodes_in(item);
  for (const Node::Entry& entry : node.entries) count += nodes_in(entry.value);
  return count;
}

void mark(Node& node, const std::shared_ptr<const std::string>& instance) {
  node.place.instance = instance;
  for (Node& item : node.items) mark(item, instance);
  for (Node::Entry& entry : node.entries) {
    entry.place.instance = instance;
    mark(entry.value, instance);
  }
}

// Replaces names wherever the scenario's records say that a name stands.
class NameVisitor : public ShapeVisitor {
 public:
  void scalar(Node& scalar, const Shape& shape) final {
    if (shape.kind == Shape::Kind::reference) scalar.text = renamed(scalar.text, scalar.where());
    if (shape.kind != Shape::Kind::threshold) return;
    // "1.2 * load.weight"; "0.3 * mbl" is of the channel's own element.
    const std::size_t star = scalar.text.find('*');
    if (star == std::string::npos) return;
    const std::size_t begin = scalar.text.find_first_not_of(' ', star + 1);
    if (begin == std::string::npos || scalar.text.find('.', begin) == std::string::npos) return;
    scalar.text = scalar.text.substr(0, begin) + renamed(scalar.text.substr(begin), scalar.where());
  }
  void targets(Node& map) final {
    for (Node::Entry& entry : map.entries) entry.key = renamed(entry.key, entry.where());
  }

 protected:
  virtual std::string renamed(const std::string& reference, const Where& where) = 0;
};

// Names of items of lists, which a part defines beside those of its sections.
class CollectItemNames final : public ShapeVisitor {
 public:
  CollectItemNames(const PartRules& rules, Names& names) : rules_(rules), names_(names) {}
  void scalar(Node&, const Shape&) override {}

 protected:
  void record(Node& map, const RecordInfo& info) override {
    for (const auto& [record, key] : rules_.item_names)
      if (const Node* name = info.name() == record ? map.find(key) : nullptr) names_.insert(name->text);
  }

 private:
  const PartRules& rules_;
  Names& names_;
};

// Names of a part become names of what it is in.
class IntoInstance final : public NameVisitor {
 public:
  IntoInstance(const std::string& instance, const Names& defined, const PartRules& rules, Problems& problems)
      : instance_(instance), defined_(defined), rules_(rules), problems_(problems) {}

  bool stands_on_frame() const { return stands_on_frame_; }

  std::string renamed(const std::string& reference, const Where& where) override {
    if (reference.starts_with(outside)) return reference.substr(std::string_view(outside).size());
    const std::string_view owner = owner_of(reference);
    if (owner == "world") {
      stands_on_frame_ = true;
      return instance_ + reference.substr(owner.size());
    }
    const bool pattern = owner.find_first_of("*?") != std::string_view::npos;
    if (!pattern && !defined_.count(owner))
      problems_.error(where, fmt::format("the part has no {}", shown(owner)),
                      suggestion(owner, "names", {defined_.begin(), defined_.end()}) +
                          "; what is outside a part comes in as a parameter of kind name");
    return instance_ + "/" + reference;
  }

 protected:
  // What is on the world unless it says otherwise is on the frame of the part.
  void record(Node& map, const RecordInfo& info) override {
    for (const FieldInfo& field : info.fields()) {
      const bool on_world =
          field.shape.kind == Shape::Kind::reference && field.default_value && field.default_value->text == "world";
      if (on_world && !map.find(field.key)) {
        Node on = scalar_node("world");
        on.place = map.place;
        on.path = key_path(map.path, field.key);
        map.entries.push_back({field.key, map.place, std::move(on)});
      }
    }
    for (const auto& [record, key] : rules_.item_names)
      if (Node* name = info.name() == record ? map.find(key) : nullptr) name->text = instance_ + "/" + name->text;
    for (const auto& [record, key] : rules_.world_places)
      if (info.name() == record)
        if (const Node* given = map.find(key))
          problems_.error(given->where(), fmt::format("'{}' is a place in the world, which a part does not know", key),
                          "leave it out of the part");
  }

 private:
  const std::string& instance_;
  const Names& defined_;
  const PartRules& rules_;
  Problems& problems_;
  bool stands_on_frame_ = false;
};

// What parts export is named by the part: west.tip.
class ResolveExports final : public NameVisitor {
 public:
  ResolveExports(const Aliases& aliases, const PartRules& rules) : aliases_(aliases), rules_(rules) {}

  std::string renamed(const std::string& reference, const Where&) override {
    const std::size_t first = reference.find('.');
    if (first == std::string::npos) return reference;
    const std::size_t second = std::min(reference.find('.', first + 1), reference.size());
    const auto alias = aliases_.find(std::string_view(reference).substr(0, second));
    return alias == aliases_.end() ? reference : alias->second + reference.substr(second);
  }

 protected:
  void record(Node& map, const RecordInfo& info) override {
    for (const auto& [record, key] : rules_.channel_lists)
      if (Node* list = info.name() == record ? map.find(key) : nullptr)
        for (Node& item : list->items) item.text = renamed(item.text, item.where());
  }

 private:
  const Aliases& aliases_;
  const PartRules& rules_;
};

class Substitution final : public ShapeVisitor {
 public:
  Substitution(const Scope& scope, Problems& problems) : scope_(scope), problems_(problems) {}
  void scalar(Node& scalar, const Shape& shape) override { scope_.substitute(scalar, shape, problems_); }

 private:
  const Scope& scope_;
  Problems& problems_;
};

class Expansion {
 public:
  Expansion(const PartRules& rules, const LoadPart& load, Problems& problems)
      : rules_(rules), load_(load), problems_(problems) {}

  // A scenario, or a part: afterwards its sections hold what its parts hold.
  void expand(Node& document, const Scope& scope, const std::string& within, Node* exports = nullptr) {
    name_parts(document, problems_);
    put_in(document, scope);
    Node parts = take(document, "parts");
    if (parts.is_null()) return;
    if (!parts.is_map()) {
      problems_.error(parts.where(), fmt::format("found {}; parts are expected here", found(parts)),
                      "write e.g. parts: {west: {part: cranes/pedestal.yaml}}");
      return;
    }
    Aliases aliases;
    std::vector<std::pair<std::string, Node>> made;
    const Names taken = names_in(document);
    for (const Node::Entry& entry : parts.entries)
      if (auto sections = instance(entry, taken, within, aliases)) made.emplace_back(entry.key, *std::move(sections));
    Changes changes = take_changes(document, parts);
    for (auto& [name, sections] : made) merge(document, name, std::move(sections), changes[name]);
    ResolveExports resolve(aliases, rules_);
    walk(document, rules_.scenario, resolve);
    if (exports)
      for (Node::Entry& entry : exports->entries)
        entry.value.text = resolve.renamed(entry.value.text, entry.value.where());
  }

 private:
  const FieldInfo* section(std::string_view key) const {
    for (const FieldInfo& field : rules_.scenario.fields())
      if (field.key == key) return &field;
    return nullptr;
  }

  Node take(Node& document, const char* key) {
    Node taken;
    if (Node* there = document.find(key)) taken = std::move(*there);
    std::erase_if(document.entries, [&](const Node::Entry& entry) { return entry.key == key; });
    return taken;
  }

  void put_in(Node& document, const Scope& scope) {
    Substitution substitution(scope, problems_);
    for (Node::Entry& entry : document.entries) {
      if (entry.key == "parameters" || entry.key == "part" || entry.key == "exports") continue;
      if (entry.key == "parts")
        for (Node::Entry& used : entry.value.entries) walk(used.value, InstanceSpec::record(), substitution);
      else if (const FieldInfo* field = section(entry.key))
        walk(entry.value, field->shape, substitution);
    }
  }

  Names names_in(const Node& document) const {
    Names names;
    for (const Node::Entry& entry : document.entries)
      if (const FieldInfo* field = section(entry.key); field && field->shape.kind == Shape::Kind::names)
        for (const Node::Entry& element : entry.value.entries) names.insert(element.key);
    return names;
  }

  bool is_new_name(const Node::Entry& entry, const Names& taken) {
    if (!is_name(entry.key) || entry.key.find('/') != std::string::npos || entry.key == "world") {
      problems_.error(entry.where(), fmt::format("{} is not a name", shown(entry.key)),
                      "begin with a letter or '_', go on with letters, digits, '_' and '-'");
      return false;
    }
    if (taken.count(entry.key)) {
      problems_.error(entry.where(), fmt::format("the part {} has the name of something else", shown(entry.key)),
                      "give each its own name");
      return false;
    }
    return true;
  }

  bool is_part(const Node& tree, const FilePath& file) {
    if (!tree.is_map() || !tree.find("part")) {
      problems_.error(file.where, fmt::format("{} is no part: it has no 'part'", shown(file.text)),
                      "a part begins with e.g. part: {title: A pedestal crane}");
      return false;
    }
    for (const Node::Entry& entry : tree.entries) {
      static const std::vector<std::string> own{"davit", "part", "parameters", "exports", "parts"};
      const auto knows = [&](const std::vector<std::string>& keys) {
        return std::find(keys.begin(), keys.end(), entry.key) != keys.end();
      };
      if (knows(own) || knows(rules_.sections)) continue;
      std::vector<std::string> keys = own;
      keys.insert(keys.end(), rules_.sections.begin(), rules_.sections.end());
      problems_.error(
          entry.where(), fmt::format("a part has no key {}", shown(entry.key)),
          section(entry.key) ? "leave it to the scenario that uses the part" : suggestion(entry.key, "keys", keys));
    }
    return true;
  }

  bool is_bounded(const LoadedPart& loaded, const FilePath& file) {
    if (std::find(chain_.begin(), chain_.end(), loaded.identity) != chain_.end()) {
      problems_.error(file.where, fmt::format("the part {} holds itself", shown(file.text)), "take it out");
      return false;
    }
    if (chain_.size() >= deepest_part) {
      given_up_ = true;
      problems_.error(file.where, fmt::format("parts in parts, more than {} levels deep", deepest_part),
                      "merge some of them");
      return false;
    }
    nodes_ += nodes_in(loaded.tree);
    if (++instances_ > most_instances || nodes_ > most_nodes) {
      if (!given_up_)
        problems_.error(
            file.where,
            fmt::format("the parts are more than {} or hold more than {} values", most_instances, most_nodes),
            "use fewer of them");
      given_up_ = true;
      return false;
    }
    return true;
  }

  // The sections of a part as its user would write them; nothing after a mistake.
  std::optional<Node> instance(const Node::Entry& entry, const Names& taken, const std::string& within,
                               Aliases& aliases) {
    const std::size_t errors = problems_.error_count();
    const InstanceSpec spec = input::read<InstanceSpec>(entry.value, problems_);
    if (!is_new_name(entry, taken) || problems_.error_count() > errors || given_up_) return std::nullopt;
    std::optional<LoadedPart> loaded = load_(spec.part, problems_);
    if (!loaded || !is_bounded(*loaded, spec.part)) return std::nullopt;
    const std::string full = within.empty() ? entry.key : within + "/" + entry.key;
    Node& part = loaded->tree;
    mark(part, std::make_shared<const std::string>(shown(full)));
    if (!is_part(part, spec.part)) return std::nullopt;
    const Node info = take(part, "part"), parameters = take(part, "parameters");
    Node exports = take(part, "exports");
    take(part, "davit");
    input::read<PartInfo>(info, problems_);
    const Scope scope(parameters.is_null() ? nullptr : &parameters, entry.value.find("set"), entry.where(), problems_);
    chain_.push_back(loaded->identity);
    if (problems_.error_count() == errors) expand(part, scope, full, &exports);
    chain_.pop_back();
    if (problems_.error_count() > errors) return std::nullopt;

    Names defined = names_in(part);
    CollectItemNames collect(rules_, defined);
    walk(part, rules_.scenario, collect);
    IntoInstance into(entry.key, defined, rules_, problems_);
    walk(part, rules_.scenario, into);
    add_aliases(exports, entry.key, into, aliases);
    for (Node::Entry& each : part.entries)
      if (section(each.key)->shape.kind == Shape::Kind::names)
        for (Node::Entry& element : each.value.entries) element.key = entry.key + "/" + element.key;
    if (into.stands_on_frame()) add_frame(part, entry);
    if (problems_.error_count() > errors) return std::nullopt;
    return part;
  }

  void add_aliases(const Node& exports, const std::string& instance, IntoInstance& into, Aliases& aliases) {
    if (exports.is_null()) return;
    if (!exports.is_map()) {
      problems_.error(exports.where(), fmt::format("found {}; names are expected here", found(exports)),
                      "write e.g. exports: {tip: boom.tip}");
      return;
    }
    for (const Node::Entry& entry : exports.entries)
      if (!entry.value.is_scalar() || entry.value.text.empty() || !is_name(entry.key))
        problems_.error(entry.where(), fmt::format("{} exports {}", shown(entry.key), found(entry.value)),
                        "write e.g. tip: boom.tip");
      else
        aliases[instance + "." + entry.key] = into.renamed(entry.value.text, entry.value.where());
  }

  // A body without mass, by the name of the part, that holds it where it was put.
  void add_frame(Node& part, const Node::Entry& entry) {
    Node frame = map_node();
    frame.place = entry.place;
    for (const char* key : {"on", "at"})
      if (const Node* given = entry.value.find(key)) frame.entries.push_back({key, given->place, *given});
    if (const Node* heading = entry.value.find("heading")) {
      Node turn = map_node({{"z", heading->place, *heading}}), turns = sequence_node();
      turn.place = turns.place = heading->place;
      turns.items.push_back(std::move(turn));
      frame.entries.push_back({"turn", heading->place, std::move(turns)});
    }
    Node* bodies = part.find("bodies");
    if (!bodies) {
      part.entries.push_back({"bodies", entry.place, map_node()});
      bodies = &part.entries.back().value;
      bodies->place = entry.place;
    }
    bodies->entries.insert(bodies->entries.begin(), {entry.key, entry.place, std::move(frame)});
  }

  // What the document itself says of west/boom, by part and section.
  using Changes = std::map<std::string, std::map<std::string, Node, std::less<>>, std::less<>>;
  Changes take_changes(Node& document, const Node& parts) {
    Changes changes;
    for (const Node::Entry& part : parts.entries) changes[part.key];
    for (Node::Entry& section : document.entries) {
      std::vector<Node::Entry> kept;
      for (Node::Entry& entry : section.value.entries) {
        const auto of = changes.find(std::string_view(entry.key).substr(0, entry.key.find('/')));
        if (of == changes.end() || entry.key.find('/') == std::string::npos) {
          kept.push_back(std::move(entry));
          continue;
        }
        Node& own = of->second.try_emplace(section.key, map_node()).first->second;
        own.entries.push_back(std::move(entry));
      }
      section.value.entries = std::move(kept);
    }
    return changes;
  }

  // The sections of a part join those of the document, with its changes laid over them.
  void merge(Node& document, const std::string& name, Node sections,
             std::map<std::string, Node, std::less<>>& changes) {
    for (Node::Entry& from : sections.entries) {
      if (const auto own = changes.find(from.key); own != changes.end()) {
        check_changes(own->second, name, from);
        const std::vector<Node::Entry> changed = places_of(own->second);
        from.value = overlay(std::move(from.value), std::move(own->second));
        point_at_changes(from.value, changed);
        changes.erase(own);
      }
      Node* into = document.find(from.key);
      if (!into) {
        document.entries.push_back({from.key, from.place, Node()});
        into = &document.entries.back().value;
        into->kind = from.value.kind;
        into->place = from.value.place;
      }
      if (into->kind != from.value.kind) continue;  // a mistake of the document, which will be reported
      std::move(from.value.entries.begin(), from.value.entries.end(), std::back_inserter(into->entries));
      std::move(from.value.items.begin(), from.value.items.end(), std::back_inserter(into->items));
    }
    for (const auto& [section, own] : changes)
      problems_.error(own.entries.front().where(), fmt::format("the part '{}' has no {}", name, shown(section)),
                      "change what it has");
  }

  // Keys and places alone.
  static std::vector<Node::Entry> places_of(const Node& own) {
    std::vector<Node::Entry> out;
    for (const Node::Entry& entry : own.entries) out.push_back({entry.key, entry.value.place, Node()});
    return out;
  }

  // What the user changed of a part is shown at the user's line, with the part's beside it.
  static void point_at_changes(Node& elements, const std::vector<Node::Entry>& changed) {
    std::map<std::string_view, const Place*> places;
    for (const Node::Entry& entry : changed) places.emplace(entry.key, &entry.place);
    for (Node::Entry& element : elements.entries) {
      const auto own = places.find(element.key);
      if (own == places.end() || !element.value.place.instance) continue;
      const Where there = element.value.where();
      Place here = *own->second;
      here.instance =
          std::make_shared<const std::string>(fmt::format("{}, {}:{}", there.instance, there.file, there.line));
      element.place = element.value.place = here;
    }
  }

  void check_changes(const Node& own, const std::string& name, const Node::Entry& section) {
    Names there;
    for (const Node::Entry& each : section.value.entries) there.insert(each.key);
    for (const Node::Entry& each : own.entries)
      if (!there.count(each.key))
        problems_.error(each.where(), fmt::format("the part '{}' has no {}", name, shown(each.key)),
                        suggestion(each.key, section.key, {there.begin(), there.end()}));
  }

  const PartRules& rules_;
  const LoadPart& load_;
  Problems& problems_;
  std::vector<std::string> chain_;  // parts within one another
  std::size_t instances_ = 0, nodes_ = 0;
  bool given_up_ = false;  // after parts that are too many or too deep: each further one would be one mistake more
};

}  // namespace

std::optional<LoadedPart> load_part(const FilePath& part, Problems& problems) {
  const auto file = find_part(part, problems);
  if (!file) return std::nullopt;
  auto tree = load_with_base(*file, problems);
  if (!tree) return std::nullopt;
  std::error_code code;
  const std::filesystem::path identity = std::filesystem::weakly_canonical(*file, code);
  return LoadedPart{*std::move(tree), (code ? *file : identity).string()};
}

void expand_parts(Node& root, const PartRules& rules, Problems& problems, const LoadPart& load) {
  if (!root.is_map()) return;
  if (const Node* part = root.find("part")) {
    problems.error(part->where(), "this file is a part and no scenario",
                   "name it under 'parts' of a scenario: {part: FILE, as: west}");
    return;
  }
  const Node* declared = root.find("parameters");
  const Scope scope(declared, nullptr, root.where(), problems);
  Expansion(rules, load, problems).expand(root, scope, "");
  std::erase_if(root.entries, [](const Node::Entry& entry) { return entry.key == "parameters"; });
  set_paths(root, nullptr);
}

}  // namespace davit::input
