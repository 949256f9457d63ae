// Wavefront OBJ: lines `v x y z` and `f a b c …`, where a corner is `v`, `v/vt`, `v//vn` or `v/vt/vn`, counted from one
// or, if negative, back from the last point so far. A backslash at the end of a line continues it. All else is passed
// over.
#include <fmt/format.h>

#include "davit/mesh/file_scanner.hpp"

namespace davit {

TriangleMesh read_obj(FileScanner& file) {
  TriangleMesh mesh;
  std::vector<int> polygon;
  std::string joined;
  for (std::string_view line; file.next_line(line);) {
    if (line.ends_with('\\')) {
      joined.clear();
      do {
        joined.append(line.substr(0, line.size() - 1)).push_back(' ');
      } while (file.next_line(line) && line.ends_with('\\'));
      if (!line.ends_with('\\')) joined.append(line);
      line = joined;
    }
    const std::string_view keyword = FileScanner::take_word(line);
    if (keyword == "v") {
      Vec3 p;
      for (double& x : p) x = file.number<double>(FileScanner::take_word(line));
      mesh.points.push_back(p);
    } else if (keyword == "f") {
      polygon.clear();
      for (std::string_view corner = FileScanner::take_word(line); !corner.empty() && !corner.starts_with('#');
           corner = FileScanner::take_word(line)) {
        const auto index = file.number<long long>(corner.substr(0, corner.find('/')));
        const auto points = static_cast<long long>(mesh.points.size());
        const long long point = index > 0 ? index - 1 : points + index;
        if (index == 0 || point < 0 || point >= points)
          file.fail_at_line(fmt::format("a face names point {}, but there are {} so far", index, points),
                            "points come before the faces that use them, counted from 1");
        polygon.push_back(static_cast<int>(point));
      }
      if (polygon.size() < 3)
        file.fail_at_line(fmt::format("a face with {} corners", polygon.size()), "a face has at least three");
      add_polygon(mesh, polygon, file);
    }
  }
  if (mesh.triangles.empty())
    file.fail("no face was found", "export the mesh with its faces (lines that begin with f)");
  return mesh;
}

}  // namespace davit
