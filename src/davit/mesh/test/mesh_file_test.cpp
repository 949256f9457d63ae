// Files of all formats give the same body; broken ones are refused with their place and a remedy.
#include "davit/mesh/mesh_file.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <fstream>

#include "davit/mesh/features.hpp"
#include "davit/mesh/repair.hpp"
#include "davit/mesh/shapes.hpp"
#include "davit/test/temp_folder.hpp"

namespace davit {
namespace {

std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// A box of 2 x 3 x 4, however it came.
void expect_box(const TriangleMesh& mesh) {
  const RepairedMesh repaired = repair(mesh);
  EXPECT_TRUE(repaired.closed);
  EXPECT_TRUE(repaired.problems.empty()) << repaired.problems[0].text;
  EXPECT_NEAR(repaired.volume, 24, 1e-12);
  EXPECT_EQ(find_features(repaired.mesh).edges.size(), 12u);
}

void expect_refused(const std::string& bytes, const std::string& name, const std::string& part) {
  try {
    parse_mesh(bytes, name);
    FAIL() << "accepted; due was " << part;
  } catch (const MeshFileError& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
    EXPECT_FALSE(error.remedy.empty());
  }
}

std::string stl_text() {
  std::string text = "solid box\n";
  const TriangleMesh mesh = box_mesh({2, 3, 4});
  for (int t = 0; t < mesh.count(); ++t) {
    text += " facet normal 0 0 0\n  outer loop\n";
    for (int k = 0; k < 3; ++k) {
      const Vec3& p = mesh.corner(t, k);
      text +=
          "   vertex " + std::to_string(p.x()) + " " + std::to_string(p.y()) + " +" + std::to_string(p.z() + 2) + "\n";
    }
    text += "  endloop\n endfacet\n";
  }
  return text + "endsolid box\n";
}

template <class Number>
void put(std::string& out, Number x, bool big) {
  char raw[sizeof(x)];
  std::memcpy(raw, &x, sizeof(x));
  if (big) std::reverse(raw, raw + sizeof(x));
  out.append(raw, sizeof(x));
}

// Quadrilaterals, with a colour before and a list after what is asked for, and an element of its own in between.
std::string ply_binary(bool big) {
  std::string out =
      std::string("ply\nformat binary_") + (big ? "big" : "little") +
      "_endian 1.0\ncomment by hand\nelement vertex 8\nproperty uchar red\nproperty float x\nproperty double y\n"
      "property float z\nelement nothing 4000000000\nelement tag 2\nproperty list uchar short ids\nelement face 6\n"
      "property list uchar int vertex_indices\nproperty float quality\nend_header\n";
  for (int i = 0; i < 8; ++i) {
    put(out, std::uint8_t{200}, big);
    put(out, float(i & 1 ? 1 : -1), big);
    put(out, double(i & 2 ? 1.5 : -1.5), big);
    put(out, float(i & 4 ? 2 : -2), big);
  }
  for (int i = 0; i < 2; ++i) put(out, std::uint8_t{1}, big), put(out, std::int16_t{7}, big);
  const int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  for (const auto& face : faces) {
    put(out, std::uint8_t{4}, big);
    for (const int p : face) put(out, p, big);
    put(out, 0.5f, big);
  }
  return out;
}

const std::string obj_text =
    "# a box\nmtllib none.mtl\nv -1 -1.5 -2\nv 1 -1.5 -2\nv -1 1.5 -2\nv 1 1.5 -2 1.0\nv -1 -1.5 2\nv 1 -1.5 2\nv -1 "
    "1.5 2\n"
    "v 1 1.5 \\\n 2\nvt 0 0\nvn 0 0 1\no box\nf 1/1 3/1 4/1 2/1\nf 5//1 6//1 8//1 7//1\nf -8/1/1 -7/1/1 -3/1/1 "
    "-4/1/1\r\n"
    "f 3 7 8 4 # aft\nf 1 5 7 3\nf 2 4 8 6\n";

TEST(MeshFile, AllFormatsGiveTheBox) {
  const test::TempFolder folder;
  const TriangleMesh box = box_mesh({2, 3, 4});
  write_stl(box, folder / "box.stl");
  expect_box(read_mesh(folder / "box.stl"));
  write_obj(box, folder / "box.obj");
  expect_box(read_mesh(folder / "box.obj"));
  const TriangleMesh again = read_mesh(folder / "box.obj");
  EXPECT_EQ(again.points, box.points);
  EXPECT_EQ(again.triangles, box.triangles);
  expect_box(parse_mesh(stl_text(), "box.stl"));
  expect_box(parse_mesh(obj_text, "box.OBJ"));
  expect_box(parse_mesh(ply_binary(false), "box.ply"));
  expect_box(parse_mesh(ply_binary(true), "box.ply"));
  // Binary files whose header begins as a text would, and bytes behind the data.
  std::string binary = bytes_of(folder / "box.stl");
  binary.replace(0, 6, "solid ");
  expect_box(parse_mesh(binary, "box.stl"));
}

TEST(MeshFile, PolygonsNeedNotBeConvex) {
  const std::string text =
      "ply\nformat ascii 1.0\nelement vertex 6\nproperty float x\nproperty float y\nproperty float z\nelement face 1\n"
      "property list uchar int vertex_index\nend_header\n1 1 0\n4 1 0\n4 0 0\n0 0 0\n0 4 0\n1 4 0\n6 5 4 3 2 1 0\n";
  const TriangleMesh mesh = parse_mesh(text, "angle.ply");
  ASSERT_EQ(mesh.count(), 4);
  double area = 0;
  for (int t = 0; t < 4; ++t) area += area_vector(mesh, t).z();
  EXPECT_NEAR(std::abs(area), 7, 1e-12);
  double sum = 0;
  for (int t = 0; t < 4; ++t) sum += area_vector(mesh, t).norm();
  EXPECT_NEAR(sum, 7, 1e-12);
}

TEST(MeshFile, BrokenFilesAreNamedWithPlaceAndRemedy) {
  const test::TempFolder folder;
  EXPECT_THROW(read_mesh(folder / "absent.stl"), MeshFileError);
  EXPECT_THROW(read_mesh(folder.path()), MeshFileError);
  expect_refused("", "a.stl", "empty");
  expect_refused("hello", "a.stl", "neither");
  expect_refused("solid a\nfacet\n", "a.stl", "line 3: no facet");
  expect_refused("solid a\nouter loop\nvertex 0 0 zero\n", "a.stl", "line 3: 'zero' is not a number");
  expect_refused("solid a\nouter loop\nvertex 0 0 0\nendloop\n", "a.stl", "line 4: a facet with 1 vertices");
  expect_refused("solid a\nouter loop\nvertex 0 0", "a.stl", "line 3: a number is missing");
  std::string lying(84, '\0');
  put(lying, 1.0f, false);
  lying[83] = 0x70;
  expect_refused(lying, "a.stl", "byte 80: 1879048192 triangles are announced, but the file ends after 0");
  expect_refused("v 0 0 0\nf 1 2 3\n", "a.obj", "line 2: a face names point 2, but there are 1 so far");
  expect_refused("v 0 0 0\nf 1 1\n", "a.obj", "line 2: a face with 2 corners");
  expect_refused("v 0 0 0\n", "a.obj", "no face");
  expect_refused("v 0 1e999 0\n", "a.obj", "line 1: '1e999' is out of range");
  expect_refused("ply\nformat text 1.0\n", "a.ply", "line 2: 'text' is not a format");
  expect_refused("ply\nformat ascii 1.0\nelement vertex 9\n", "a.ply", "the header does not end");
  const std::string header =
      "ply\nformat ascii 1.0\nelement vertex 4000000000\nproperty float x\nproperty float y\nproperty float "
      "z\nend_header\n";
  expect_refused(header + "0 0 0\n", "a.ply", "line 9: the file ends");
  std::string cut = ply_binary(false);
  cut.resize(cut.size() - 20);
  expect_refused(cut, "a.ply", "byte 547: a list of 4 entries; the file is damaged or cut off");
  cut = ply_binary(true);
  cut.resize(cut.size() - 3);
  expect_refused(cut, "a.ply", "the file ends in the middle");
  std::string face = ply_binary(true);
  face[face.size() - 5] = 9;
  expect_refused(face, "a.ply", "a face names point 9, but there are 8");
}

}  // namespace
}  // namespace davit
