// PLY: a header that names elements and the properties of each, then their values, as text or binary. Points are the
// element `vertex` with x, y and z, faces the element `face` with a list `vertex_indices`; all else is passed over.
// Numbers of elements are believed only as far as there are bytes.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "davit/mesh/file_scanner.hpp"

namespace davit {

namespace {

enum class Kind { int8, uint8, int16, uint16, int32, uint32, float32, float64 };
const std::map<std::string_view, Kind> kinds{
    {"char", Kind::int8},     {"int8", Kind::int8},       {"uchar", Kind::uint8},    {"uint8", Kind::uint8},
    {"short", Kind::int16},   {"int16", Kind::int16},     {"ushort", Kind::uint16},  {"uint16", Kind::uint16},
    {"int", Kind::int32},     {"int32", Kind::int32},     {"uint", Kind::uint32},    {"uint32", Kind::uint32},
    {"float", Kind::float32}, {"float32", Kind::float32}, {"double", Kind::float64}, {"float64", Kind::float64}};

struct Property {
  std::string name;
  Kind kind;
  std::optional<Kind> count;  // of a list: the kind of its length
};
struct Element {
  std::string name;
  size_t count;
  std::vector<Property> properties;
};

class PlyReader {
 public:
  explicit PlyReader(FileScanner& file) : file_(file) { read_header(); }

  TriangleMesh read() {
    for (const Element& element : elements_) {
      if (element.name == "vertex")
        read_points(element);
      else if (element.name == "face")
        read_faces(element);
      else
        skip(element);
    }
    if (mesh_.triangles.empty()) file_.fail("no face was found", "export the mesh with its faces");
    return std::move(mesh_);
  }

 private:
  Kind kind_of(std::string_view word) {
    const auto found = kinds.find(word);
    if (found == kinds.end())
      file_.fail_at_line("'" + FileScanner::shown(word) + "' is not a type of number", "types are char to double");
    return found->second;
  }

  void read_header() {
    std::string_view line;
    bool formatted = false;
    while (file_.next_line(line)) {
      const std::string_view keyword = FileScanner::take_word(line);
      if (keyword == "format") {
        const std::string_view format = FileScanner::take_word(line);
        formatted = true;
        if (format == "ascii")
          text_ = true;
        else if (format == "binary_big_endian")
          order_ = std::endian::big;
        else if (format != "binary_little_endian")
          file_.fail_at_line("'" + FileScanner::shown(format) + "' is not a format of PLY",
                             "formats are ascii, binary_little_endian and binary_big_endian");
      } else if (keyword == "element") {
        const std::string_view name = FileScanner::take_word(line);
        elements_.push_back({std::string(name), file_.number<size_t>(FileScanner::take_word(line)), {}});
      } else if (keyword == "property") {
        if (elements_.empty())
          file_.fail_at_line("a property of no element", "element lines come before their properties");
        Property property;
        std::string_view kind = FileScanner::take_word(line);
        if (kind == "list") {
          property.count = kind_of(FileScanner::take_word(line));
          kind = FileScanner::take_word(line);
        }
        property.kind = kind_of(kind);
        property.name = std::string(FileScanner::take_word(line));
        elements_.back().properties.push_back(std::move(property));
      } else if (keyword == "end_header") {
        if (!formatted) file_.fail_at_line("the header names no format", "export the file again");
        file_.start_words();
        return;
      }
    }
    file_.fail_at_line("the header does not end", "export or copy the file again: end_header is missing");
  }

  double value(Kind kind) {
    if (text_) {
      const std::string_view word = file_.next_word();
      if (word.empty())
        file_.fail_at_line("the file ends in the middle of its data", "export or copy it again: it is cut off");
      return file_.number<double>(word);
    }
    switch (kind) {
      case Kind::int8:
        return file_.binary<std::int8_t>(order_);
      case Kind::uint8:
        return file_.binary<std::uint8_t>(order_);
      case Kind::int16:
        return file_.binary<std::int16_t>(order_);
      case Kind::uint16:
        return file_.binary<std::uint16_t>(order_);
      case Kind::int32:
        return file_.binary<std::int32_t>(order_);
      case Kind::uint32:
        return file_.binary<std::uint32_t>(order_);
      case Kind::float32:
        return file_.binary<float>(order_);
      case Kind::float64:
        break;
    }
    return file_.binary<double>(order_);
  }

  [[noreturn]] void fail(const std::string& message, const std::string& remedy) const {
    text_ ? file_.fail_at_line(message, remedy) : file_.fail_at_byte(message, remedy);
  }

  // An element without properties has no bytes, however many there are said to be.
  static size_t rows(const Element& element) { return element.properties.empty() ? 0 : element.count; }

  size_t list_length(const Property& property) {
    const double n = value(*property.count);
    // Every entry is at least one byte.
    if (!(n >= 0 && n <= static_cast<double>(file_.remaining())))
      fail(fmt::format("a list of {} entries", n), "the file is damaged or cut off: export it again");
    return static_cast<size_t>(n);
  }

  void skip(const Property& property) {
    const size_t n = property.count ? list_length(property) : 1;
    for (size_t i = 0; i < n; ++i) value(property.kind);
  }

  void skip(const Element& element) {
    for (size_t row = 0; row < rows(element); ++row)
      for (const Property& property : element.properties) skip(property);
  }

  void read_points(const Element& element) {
    constexpr std::array axes{"x", "y", "z"};
    for (const char* axis : axes)
      if (std::none_of(element.properties.begin(), element.properties.end(),
                       [&](const Property& p) { return p.name == axis && !p.count; }))
        file_.fail(fmt::format("the element vertex has no property {}", axis), "export points with x, y and z");
    for (size_t row = 0; row < rows(element); ++row) {
      Vec3 point = Vec3::Zero();
      for (const Property& property : element.properties) {
        const auto axis = std::find(axes.begin(), axes.end(), property.name) - axes.begin();
        if (property.count || axis == 3)
          skip(property);
        else
          point[axis] = value(property.kind);
      }
      mesh_.points.push_back(point);
    }
  }

  void read_faces(const Element& element) {
    const auto is_corners = [](const Property& p) {
      return p.count && (p.name == "vertex_indices" || p.name == "vertex_index");
    };
    if (std::none_of(element.properties.begin(), element.properties.end(), is_corners))
      file_.fail("the element face has no list vertex_indices", "export faces as polygons");
    std::vector<int> polygon;
    for (size_t row = 0; row < rows(element); ++row)
      for (const Property& property : element.properties) {
        if (!is_corners(property)) {
          skip(property);
          continue;
        }
        polygon.resize(list_length(property));
        for (int& corner : polygon) {
          const double index = value(property.kind);
          if (!(index >= 0 && index < static_cast<double>(mesh_.points.size())))
            fail(fmt::format("a face names point {}, but there are {}", index, mesh_.points.size()),
                 "points are counted from 0 and come before faces");
          corner = static_cast<int>(index);
        }
        if (polygon.size() < 3)
          fail(fmt::format("a face with {} corners", polygon.size()), "a face has at least three");
        add_polygon(mesh_, polygon, file_);
      }
  }

  FileScanner& file_;
  bool text_ = false;
  std::endian order_ = std::endian::little;
  std::vector<Element> elements_;
  TriangleMesh mesh_;
};

}  // namespace

TriangleMesh read_ply(FileScanner& file) { return PlyReader(file).read(); }

}  // namespace davit
