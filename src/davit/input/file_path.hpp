// The path of another file, as a file names it: relative to the file in which it stands, so that a folder can be moved
// as a whole and a base keeps its own.
#pragma once

#include <filesystem>

#include "davit/input/codec.hpp"

namespace davit::input {

struct FilePath {
  std::string text;
  Where where;
  std::filesystem::path resolved() const {
    return (std::filesystem::path(where.file).parent_path() / text).lexically_normal();
  }
};

template <>
struct Codec<FilePath> {
  static constexpr bool takes_unit = false;
  static Shape shape(const Unit& unit) { return Codec<std::string>::shape(unit); }
  static void read(const Node& node, const Shape& shape, Problems& problems, FilePath& value) {
    value.where = node.where();
    read_text(node, shape, problems, value.text);
  }
  static Node write(const FilePath& value, const Shape&) { return write_text(value.text); }
};

}  // namespace davit::input
