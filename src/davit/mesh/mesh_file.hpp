// Meshes from and to files: STL (text and binary), OBJ and PLY (text and binary, either byte order). Which of them it
// is, is told by content; the ending of the name only decides that a text is OBJ. What a file says is taken as it is:
// repair.hpp looks for faults of the surface. Colours, normals, textures and groups are passed over.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <stdexcept>
#include <string>
#include <string_view>

#include "davit/mesh/triangle_mesh.hpp"

namespace davit {

// A file that cannot be read or written: what() is for the user, as it is.
class MeshFileError : public std::runtime_error {
 public:
  MeshFileError(const std::string& file, std::string message_, std::string remedy_)
      : std::runtime_error(file + ": " + message_ + "; " + remedy_),
        message(std::move(message_)),
        remedy(std::move(remedy_)) {}
  std::string message, remedy;
};

TriangleMesh read_mesh(const std::filesystem::path& file);
// The bytes of a file that holds a mesh in this or another format, from and to it.
std::string read_mesh_bytes(const std::filesystem::path& file);
void write_mesh_bytes(const std::filesystem::path& file, const std::function<void(std::ostream&)>& write);
// The same of bytes at hand; `name` is for messages and for its ending.
TriangleMesh parse_mesh(std::string_view bytes, const std::string& name);

// Binary, in single precision, as the format has it.
void write_stl(const TriangleMesh& mesh, const std::filesystem::path& file);
// To the last bit.
void write_obj(const TriangleMesh& mesh, const std::filesystem::path& file);

}  // namespace davit
