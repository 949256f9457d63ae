#include "davit/hull/hull_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <ostream>

#include "davit/hull/panel_geometry.hpp"
#include "davit/mesh/file_scanner.hpp"
#include "davit/mesh/mesh_file.hpp"

namespace davit::hull {

namespace {

constexpr double equal_points = 1e-6;

// Fortran programs write exponents also with D.
double coordinate(const FileScanner& file, std::string_view word) {
  std::string text(word.substr(0, 64));
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == 'd' || c == 'D'; }, 'e');
  const double x = file.number<double>(text);
  if (!std::isfinite(x) || std::abs(x) > 1e9)
    file.fail_at_line("'" + FileScanner::shown(word) + "' is no length of a hull", "lengths are in metres");
  return x;
}

// Words of a line and, while they do not suffice, of the lines after it; what is left of the last one is a comment.
std::vector<double> numbers(FileScanner& file, size_t count) {
  std::vector<double> out;
  for (std::string_view line; out.size() < count;) {
    if (!file.next_line(line)) file.fail("the file ends in its header", "export or copy it again: it is cut off");
    for (auto word = FileScanner::take_word(line); !word.empty() && out.size() < count;
         word = FileScanner::take_word(line))
      out.push_back(coordinate(file, word));
  }
  return out;
}

bool symmetry(const FileScanner& file, double flag, const char* name) {
  if (flag != 0 && flag != 1)
    file.fail_at_line(fmt::format("{} = {}", name, flag), "it is 1 for a plane of symmetry and 0 for none");
  return flag == 1;
}

PanelMesh read_gdf(FileScanner& file) {
  PanelMesh mesh;
  std::string_view title;
  file.next_line(title);
  const double length = numbers(file, 2)[0];
  if (length <= 0) file.fail_at_line(fmt::format("ULEN = {}", length), "it is the unit of length, in metres");
  const std::vector<double> planes = numbers(file, 2);
  mesh.mirror_x = symmetry(file, planes[0], "ISX");
  mesh.mirror_y = symmetry(file, planes[1], "ISY");
  const double panels = numbers(file, 1)[0];
  // Every coordinate takes two characters or more.
  if (panels < 1 || panels != std::floor(panels) || panels * 24 > static_cast<double>(file.remaining()) + 1)
    file.fail_at_line(fmt::format("NPAN = {}, but {} bytes follow", panels, file.remaining()),
                      "give the number of panels, and twelve coordinates for each; higher-order patches are not read");
  file.start_words();
  for (int i = 0; i < static_cast<int>(panels); ++i) {
    std::array<int, 4> panel;
    for (int& p : panel) {
      p = static_cast<int>(mesh.points.size());
      Vec3 x;
      for (double& c : x) c = length * coordinate(file, file.next_word());
      mesh.points.push_back(x);
    }
    mesh.panels.push_back(panel);
  }
  return mesh;
}

PanelMesh read_nemoh(FileScanner& file) {
  PanelMesh mesh;
  const std::vector<double> header = numbers(file, 2);
  if (header[0] != 2)
    file.fail_at_line(fmt::format("the first number is {}", header[0]),
                      "a NEMOH mesh begins with a line `2 0`, or `2 1` where y = 0 is a plane of symmetry");
  mesh.mirror_y = symmetry(file, header[1], "the flag of symmetry");
  for (;;) {
    const std::vector<double> row = numbers(file, 4);
    if (row[0] == 0) break;
    if (row[0] != static_cast<double>(mesh.points.size() + 1))
      file.fail_at_line(fmt::format("point {} follows point {}", row[0], mesh.points.size()),
                        "points are numbered 1, 2, 3, … and end with a line `0 0 0 0`");
    mesh.points.emplace_back(row[1], row[2], row[3]);
  }
  for (;;) {
    const std::vector<double> row = numbers(file, 4);
    if (row[0] == 0) break;
    std::array<int, 4> panel;
    for (size_t k = 0; k < 4; ++k) {
      if (row[k] < 1 || row[k] != std::floor(row[k]) || row[k] > static_cast<double>(mesh.points.size()))
        file.fail_at_line(fmt::format("a panel names point {}, but there are {}", row[k], mesh.points.size()),
                          "panels are four numbers of points, counted from 1; the last line is `0 0 0 0`");
      panel[k] = static_cast<int>(row[k]) - 1;
    }
    mesh.panels.push_back(panel);
  }
  if (mesh.panels.empty()) file.fail("no panel was found", "panels follow the line `0 0 0 0` after the points");
  return mesh;
}

PanelMesh of_triangles(const TriangleMesh& triangles) {
  PanelMesh mesh;
  mesh.points = triangles.points;
  for (const auto& [a, b, c] : triangles.triangles) mesh.panels.push_back({a, b, c, c});
  return mesh;
}

}  // namespace

PanelMesh parse_hull(std::string_view bytes, const std::string& name) {
  FileScanner file(bytes, name);
  if (bytes.empty()) file.fail("the file is empty", "export the hull again");
  std::string ending = std::filesystem::path(name).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
  PanelMesh mesh = ending == ".gdf"                       ? read_gdf(file)
                   : ending == ".dat" || ending == ".mar" ? read_nemoh(file)
                                                          : of_triangles(parse_mesh(bytes, name));
  for (const Vec3& p : mesh.points)
    if (!p.allFinite()) file.fail("a coordinate is not a finite number", "export the hull again");
  return welded(mesh, equal_points * extent(mesh));
}

PanelMesh read_hull(const std::filesystem::path& file) { return parse_hull(read_mesh_bytes(file), file.string()); }

void write_gdf(const PanelMesh& mesh, const std::filesystem::path& file, const std::string& title, double gravity) {
  write_mesh_bytes(file, [&](std::ostream& out) {
    out << fmt::format("{}\n1 {} ULEN GRAV\n{} {} ISX ISY\n{}\n", title.substr(0, title.find('\n')), gravity,
                       int(mesh.mirror_x), int(mesh.mirror_y), mesh.count());
    for (int i = 0; i < mesh.count(); ++i)
      for (int k = 0; k < 4; ++k) {
        const Vec3& p = mesh.corner(i, k);
        out << fmt::format("{} {} {}\n", p.x(), p.y(), p.z());
      }
  });
}

}  // namespace davit::hull
