#include "davit/mesh/mesh_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>

#include "davit/mesh/file_scanner.hpp"
#include "davit/mesh/polygon.hpp"

namespace davit {

namespace {

// A hundred million triangles of binary STL.
constexpr std::uintmax_t largest_file = 5'000'000'000;

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return std::tolower(c); });
  return out;
}

std::ofstream open_for_writing(const std::filesystem::path& file) {
  std::ofstream out(file, std::ios::binary);
  if (!out) throw MeshFileError(file.string(), "cannot be written", "check that its folder exists and may be written");
  return out;
}

void check_written(std::ofstream& out, const std::filesystem::path& file) {
  if (!out.flush()) throw MeshFileError(file.string(), "could not be written to the end", "is the disk full?");
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

TriangleMesh read_mesh(const std::filesystem::path& file) {
  std::error_code code;
  const auto kind = std::filesystem::status(file, code);
  if (!std::filesystem::exists(kind))
    throw MeshFileError(file.string(), "there is no such file",
                        "check the path; it is relative to the file that names it");
  if (!std::filesystem::is_regular_file(kind))
    throw MeshFileError(file.string(), "this is not a file", "give the path of an STL, OBJ or PLY file");
  const auto size = std::filesystem::file_size(file, code);
  if (!code && size > largest_file)
    throw MeshFileError(file.string(), "the file is larger than 5 GB", "reduce the mesh");
  std::ifstream in(file, std::ios::binary);
  std::string bytes(code ? 0 : static_cast<size_t>(size), '\0');
  if (!in.read(bytes.data(), static_cast<std::streamsize>(bytes.size())))
    throw MeshFileError(file.string(), "the file cannot be read", "check that you may read it");
  return parse_mesh(bytes, file.string());
}

void write_stl(const TriangleMesh& mesh, const std::filesystem::path& file) {
  static_assert(std::endian::native == std::endian::little, "the format is little-endian");
  std::ofstream out = open_for_writing(file);
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
  check_written(out, file);
}

void write_obj(const TriangleMesh& mesh, const std::filesystem::path& file) {
  std::ofstream out = open_for_writing(file);
  for (const Vec3& p : mesh.points) out << fmt::format("v {} {} {}\n", p.x(), p.y(), p.z());
  for (const auto& [a, b, c] : mesh.triangles) out << fmt::format("f {} {} {}\n", a + 1, b + 1, c + 1);
  check_written(out, file);
}

}  // namespace davit
