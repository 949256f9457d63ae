// What is written reads back: by a library for MATLAB's files, and as text.
#include "davit/linear/state_space_file.hpp"

#include <gtest/gtest.h>
#include <matio.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "davit/test/temp_folder.hpp"

namespace davit::linear {
namespace {

StateSpace example() {
  StateSpace s;
  s.A = MatX(2, 2);
  s.A << 0, 1, -4.25, -0.1;
  s.B = MatX(Vec2(0, 1.0 / 3));
  s.C = MatX::Identity(2, 2);
  s.D = MatX::Zero(2, 1);
  s.states = {{"boom, inner.angle", "rad"}, {"boom.angle_rate", "rad/s"}};
  s.inputs = {{"luff \"main\"", "N m"}};
  s.outputs = {{"boom.angle", "rad"}, {"ratio", ""}};
  return s;
}

struct Read {
  explicit Read(const std::filesystem::path& path) : file(Mat_Open(path.c_str(), MAT_ACC_RDONLY), Mat_Close) {}
  std::shared_ptr<matvar_t> operator[](const char* name) const { return {Mat_VarRead(file.get(), name), Mat_VarFree}; }
  std::shared_ptr<mat_t> file;
};

TEST(StateSpaceFile, a_matlab_file_reads_back) {
  const test::TempFolder folder;
  const StateSpace s = example();
  MatXc poles(2, 1);
  poles << Complex(-0.05, 2), Complex(-0.05, -2);
  write_mat(folder / "model.mat", s, {{"poles", poles}, {"none", MatXc(0, 1)}});
  const Read file(folder / "model.mat");
  ASSERT_TRUE(file.file);
  EXPECT_EQ(Mat_GetVersion(file.file.get()), MAT_FT_MAT5);
  const auto A = file["A"];
  ASSERT_TRUE(A);
  EXPECT_EQ(A->dims[0], 2u);
  EXPECT_EQ(Eigen::Map<const MatX>(static_cast<const double*>(A->data), 2, 2), s.A);
  const auto B = file["B"];
  ASSERT_TRUE(B);
  EXPECT_EQ(static_cast<const double*>(B->data)[1], 1.0 / 3);
  const auto names = file["StateName"];
  ASSERT_TRUE(names);
  EXPECT_EQ(names->class_type, MAT_C_CELL);
  EXPECT_EQ(names->dims[0], 2u);
  const matvar_t* first = Mat_VarGetCell(names.get(), 0);
  EXPECT_EQ(std::string(static_cast<const char*>(first->data), first->nbytes), "boom, inner.angle");
  const auto read_poles = file["poles"];
  ASSERT_TRUE(read_poles);
  ASSERT_TRUE(read_poles->isComplex);
  const auto* parts = static_cast<const mat_complex_split_t*>(read_poles->data);
  EXPECT_EQ(static_cast<const double*>(parts->Im)[1], -2);
  EXPECT_TRUE(file["OutputUnit"]);
}

TEST(StateSpaceFile, a_folder_that_is_not_there_is_named) {
  EXPECT_THROW(write_mat("/no/such/folder/model.mat", example()), io::FileError);
}

// matio itself takes a full disk for a good one.
TEST(StateSpaceFile, a_full_disk_is_an_error) { EXPECT_THROW(write_mat("/dev/full", example()), io::FileError); }

TEST(StateSpaceFile, tables_have_names_on_both_sides) {
  const StateSpace s = example();
  EXPECT_EQ(to_csv(s.A, s.states, s.states),
            ",\"boom, inner.angle [rad]\",boom.angle_rate [rad/s]\n\"boom, inner.angle [rad]\",0,1\nboom.angle_rate "
            "[rad/s],-4.25,-0.1\n");
  EXPECT_EQ(to_csv(s.D, s.outputs, s.inputs), ",\"luff \"\"main\"\" [N m]\"\nboom.angle [rad],0\nratio,0\n");
}

TEST(StateSpaceFile, json_has_rows) {
  const auto json = to_json(example());
  EXPECT_EQ(json["A"][1][0], -4.25);
  EXPECT_EQ(json["B"].size(), 2u);
  EXPECT_EQ(json["states"][1]["name"], "boom.angle_rate");
  EXPECT_EQ(json["outputs"][0]["unit"], "rad");
  EXPECT_EQ(to_json(Complex(1, -2)).dump(), R"({"re":1.0,"im":-2.0})");
}

}  // namespace
}  // namespace davit::linear
