// STL. Binary: 80 bytes of anything, the number of triangles, then 50 bytes each: normal, three points, two bytes.
// Text: `solid`, then `facet normal … outer loop vertex … endloop endfacet`. Binary files may begin with `solid` too,
// so the size decides first. Normals are not used: the order of points gives the outside, and repair turns what is
// turned.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "davit/mesh/file_scanner.hpp"

namespace davit {

namespace {

constexpr size_t header = 84, record = 50;

bool same(std::string_view word, std::string_view keyword) {
  return std::equal(word.begin(), word.end(), keyword.begin(), keyword.end(),
                    [](unsigned char a, unsigned char b) { return std::tolower(a) == b; });
}

TriangleMesh read_binary(FileScanner& file) {
  file.move_to(header - 4);
  const auto count = file.binary<std::uint32_t>(std::endian::little);
  const size_t there = file.remaining() / record;
  if (there < count)
    file.fail(fmt::format("byte 80: {} triangles are announced, but the file ends after {}", count, there),
              "export or copy the file again: it is cut off, or not an STL, OBJ or PLY file");
  if (count > 700'000'000) file.fail("byte 80: too many triangles", "reduce the mesh");
  TriangleMesh mesh;
  mesh.points.reserve(3 * size_t{count});
  mesh.triangles.reserve(count);
  for (size_t t = 0; t < count; ++t) {
    file.move_to(header + t * record + 12);
    const int first = static_cast<int>(mesh.points.size());
    for (int k = 0; k < 3; ++k) {
      Vec3 p;
      for (double& x : p) x = file.binary<float>(std::endian::little);
      mesh.points.push_back(p);
    }
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  return mesh;
}

TriangleMesh read_text(FileScanner& file) {
  file.start_words();
  TriangleMesh mesh;
  int corners = 0;
  for (std::string_view word = file.next_word(); !word.empty(); word = file.next_word()) {
    if (same(word, "vertex")) {
      Vec3 p;
      for (double& x : p) x = file.number<double>(file.next_word());
      mesh.points.push_back(p);
      ++corners;
    } else if (same(word, "endloop")) {
      const int n = static_cast<int>(mesh.points.size());
      if (corners != 3)
        file.fail_at_line(fmt::format("a facet with {} vertices", corners), "every facet of an STL file has three");
      mesh.triangles.push_back({n - 3, n - 2, n - 1});
      corners = 0;
    }
    // All other words (names, normals, the frame of each facet) say nothing of the shape.
  }
  if (corners > 0) file.fail_at_line("the file ends inside a facet", "export or copy the file again: it is cut off");
  if (mesh.triangles.empty())
    file.fail_at_line("no facet was found", "give an STL, OBJ or PLY file; an OBJ file is known by its ending .obj");
  return mesh;
}

}  // namespace

TriangleMesh read_stl(FileScanner& file) {
  const std::string_view bytes = file.bytes();
  const size_t first = std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size());
  const bool says_solid = same(bytes.substr(first, 5), "solid");
  if (bytes.size() >= header) {
    FileScanner count(bytes.substr(header - 4, 4), "");
    if (bytes.size() == header + record * count.binary<std::uint32_t>(std::endian::little)) return read_binary(file);
  }
  // Text has no zero bytes.
  if (says_solid && bytes.substr(0, 1000).find('\0') == std::string_view::npos) return read_text(file);
  if (bytes.size() < header)
    file.fail("this is neither an STL file (text or binary) nor a PLY file", "an OBJ file is known by its ending .obj");
  return read_binary(file);
}

}  // namespace davit
