#include "davit/input/node.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "davit/input/wording.hpp"

namespace davit::input {

namespace {
Where where_of(const Place& place, const Path& path) {
  return {place.file ? *place.file : std::string(), place.line, place.column, to_text(path),
          place.instance ? *place.instance : std::string()};
}
}  // namespace

std::string to_text(const Path& path) {
  std::vector<const Step*> steps;
  for (const Step* step = path.get(); step != nullptr; step = step->parent.get()) steps.push_back(step);
  std::string text;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    if (!text.empty() && !(*step)->text.starts_with('[')) text += '.';
    text += (*step)->text;
  }
  return text;
}

Path key_path(const Path& parent, std::string_view key) {
  // A key that is no name is shown in quotes, so that control characters do not reach a terminal.
  const bool plain = std::all_of(key.begin(), key.end(), [](unsigned char c) { return c >= 0x20 && c != 0x7F; });
  return std::make_shared<const Step>(Step{parent, plain ? std::string(key) : shown(key)});
}

Path item_path(const Path& parent, std::size_t index) {
  return std::make_shared<const Step>(Step{parent, fmt::format("[{}]", index)});
}

Where Node::where() const { return where_of(place, path); }
Where Node::Entry::where() const { return where_of(place, value.path); }

const Node* Node::find(std::string_view key) const {
  for (const Entry& entry : entries)
    if (entry.key == key) return &entry.value;
  return nullptr;
}

Node* Node::find(std::string_view key) {
  for (Entry& entry : entries)
    if (entry.key == key) return &entry.value;
  return nullptr;
}

bool operator==(const Node& a, const Node& b) {
  const auto same_entry = [](const Node::Entry& x, const Node::Entry& y) {
    return x.key == y.key && x.value == y.value;
  };
  return a.kind == b.kind && a.quoted == b.quoted && a.text == b.text && a.items == b.items &&
         std::equal(a.entries.begin(), a.entries.end(), b.entries.begin(), b.entries.end(), same_entry);
}

Node scalar_node(std::string text, bool quoted) {
  Node node;
  node.kind = Node::Kind::scalar;
  node.text = std::move(text);
  node.quoted = quoted;
  return node;
}

Node sequence_node(std::vector<Node> items) {
  Node node;
  node.kind = Node::Kind::sequence;
  node.items = std::move(items);
  return node;
}

Node map_node(std::vector<Node::Entry> entries) {
  Node node;
  node.kind = Node::Kind::map;
  node.entries = std::move(entries);
  return node;
}

void set_paths(Node& node, const Path& path) {
  node.path = path;
  for (std::size_t i = 0; i < node.items.size(); ++i) set_paths(node.items[i], item_path(path, i));
  for (Node::Entry& entry : node.entries) set_paths(entry.value, key_path(path, entry.key));
}

std::string found(const Node& node) {
  switch (node.kind) {
    case Node::Kind::null:
      return "nothing";
    case Node::Kind::scalar:
      return shown(node.text);
    case Node::Kind::sequence:
      return "a list";
    case Node::Kind::map:
      return "a map";
  }
  return "";
}

}  // namespace davit::input
