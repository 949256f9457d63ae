#include "davit/mesh/mesh_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <ostream>

#include "davit/io/read_file.hpp"
#include "davit/io/write_file.hpp"
#include "davit/mesh/file_scanner.hpp"
#include "davit/mesh/polygon.hpp"

namespace davit {

namespace {

// Ten million triangles of binary STL.
constexpr std::uintmax_t largest_mesh_file = 500'000'000;

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return std::tolower(c); });
  return out;
}

}  // namespace

void add_polygon(TriangleMesh& mesh, const std::vector<int>& polygon, const FileScanner& file) {
  std::vector<Vec3> corners;
  for (const int p : polygon) corners.push_back(mesh.points[static_cast<size_t>(p)]);
  const auto triangles = triangles_of(corners);
  if (!triangles)
    file.fail(
        fmt::format("face after triangle {}: a polygon of {} corners that is not convex", mesh.count(), polygon.size()),
        "export the mesh as triangles");
  for (const auto& [a, b, c] : *triangles)
    mesh.triangles.push_back(
        {polygon[static_cast<size_t>(a)], polygon[static_cast<size_t>(b)], polygon[static_cast<size_t>(c)]});
}

TriangleMesh parse_mesh(std::string_view bytes, const std::string& name) {
  FileScanner file(bytes, name);
  if (bytes.empty()) file.fail("the file is empty", "export the mesh again");
  if (bytes.starts_with("ply") && bytes.size() > 3 && std::isspace(static_cast<unsigned char>(bytes[3])))
    return read_ply(file);
  if (lower(std::filesystem::path(name).extension().string()) == ".obj") return read_obj(file);
  return read_stl(file);
}

std::string read_mesh_bytes(const std::filesystem::path& file) {
  try {
    return io::read_file(file, largest_mesh_file);
  } catch (const io::FileError& error) {
    throw MeshFileError(file.string(), error.message, error.remedy);
  }
}

void write_mesh_bytes(const std::filesystem::path& file, const std::function<void(std::ostream&)>& write) {
  try {
    io::write_file(file, write);
  } catch (const io::FileError& error) {
    throw MeshFileError(file.string(), error.message, error.remedy);
  }
}

TriangleMesh read_mesh(const std::filesystem::path& file) { return parse_mesh(read_mesh_bytes(file), file.string()); }

void write_stl(const TriangleMesh& mesh, const std::filesystem::path& file) {
  static_assert(std::endian::native == std::endian::little, "the format is little-endian");
  write_mesh_bytes(file, [&](std::ostream& out) {
    std::string header = "binary STL written by davit";
    header.resize(80, ' ');
    out.write(header.data(), 80);
    const auto put = [&](const auto& x) { out.write(reinterpret_cast<const char*>(&x), sizeof(x)); };
    put(static_cast<std::uint32_t>(mesh.count()));
    for (int t = 0; t < mesh.count(); ++t) {
      const Vec3 area = area_vector(mesh, t);
      const Vec3 normal = area.norm() > 0 ? Vec3(area.normalized()) : Vec3(Vec3::Zero());
      for (const Vec3& v : {normal, mesh.corner(t, 0), mesh.corner(t, 1), mesh.corner(t, 2)})
        for (const double x : v) put(static_cast<float>(x));
      put(std::uint16_t{0});
    }
  });
}

void write_obj(const TriangleMesh& mesh, const std::filesystem::path& file) {
  write_mesh_bytes(file, [&](std::ostream& out) {
    for (const Vec3& p : mesh.points) out << fmt::format("v {} {} {}\n", p.x(), p.y(), p.z());
    for (const auto& [a, b, c] : mesh.triangles) out << fmt::format("f {} {} {}\n", a + 1, b + 1, c + 1);
  });
}

}  // namespace davit
