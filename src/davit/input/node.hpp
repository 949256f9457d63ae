// A scenario as a tree, in which every node knows where it was written: what reading, overlays and settings work on.
// It gives no meaning to scalars: "348 t" is text here.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "davit/input/where.hpp"
#include "davit/math/export.hpp"

namespace davit::input {

// A position without the path. The file's name is shared, because a file has up to a million nodes.
struct Place {
  std::shared_ptr<const std::string> file;
  int line = 0;
  int column = 0;
  std::shared_ptr<const std::string> instance = {};  // of the part that it was written for; none outside of parts
};

// Paths are chains that share their beginnings: kept as text in every node, a hostile file could make them fill memory.
struct Step;
using Path = std::shared_ptr<const Step>;
struct Step {
  Path parent;
  std::string text;  // "king" or "[2]"
};
DAVIT_API std::string to_text(const Path& path);
DAVIT_API Path key_path(const Path& parent, std::string_view key);
DAVIT_API Path item_path(const Path& parent, std::size_t index);

struct Node {
  enum class Kind { null, scalar, sequence, map };
  struct Entry;

  Kind kind = Kind::null;
  bool quoted = false;  // "null" and "3" in quotes are text
  std::string text;     // of a scalar
  Place place;
  Path path;
  std::vector<Node> items;     // of a sequence
  std::vector<Entry> entries;  // of a map, in the order of the file

  Where where() const;
  const Node* find(std::string_view key) const;
  Node* find(std::string_view key);

  bool is_null() const { return kind == Kind::null; }
  bool is_scalar() const { return kind == Kind::scalar; }
  bool is_sequence() const { return kind == Kind::sequence; }
  bool is_map() const { return kind == Kind::map; }

  // Equal in content; places do not count.
  friend bool operator==(const Node& a, const Node& b);
};

struct Node::Entry {
  std::string key;
  Place place;  // of the key
  Node value;

  Where where() const;
};

DAVIT_API Node scalar_node(std::string text, bool quoted = false);
DAVIT_API Node sequence_node(std::vector<Node> items = {});
DAVIT_API Node map_node(std::vector<Node::Entry> entries = {});

// Gives the node and all below it their paths, the node's own being `path`.
DAVIT_API void set_paths(Node& node, const Path& path);

// "a map", "a list", "nothing" or the scalar's text in quotes: what a message says was found.
DAVIT_API std::string found(const Node& node);

}  // namespace davit::input
