// Well-formed files in which something has another kind, shape or size than a reader expects.
#include "davit/hdf5/reading.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "davit/hdf5/array.hpp"
#include "davit/test/temp_folder.hpp"

namespace davit::hdf5 {
namespace {

class Reading : public ::testing::Test {
 protected:
  Quiet quiet;
  davit::test::TempFolder folder;
  Handle file{H5Fcreate((folder / "file.h5").c_str(), H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT), H5Fclose,
              "making a file"};

  static std::string failure(const std::function<void()>& call) {
    try {
      call();
    } catch (const Failure& failure) {
      return failure.what();
    }
    return "";
  }

  static Handle space_of(const Shape& shape) {
    return {H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose, "making a space"};
  }

  void attribute(const char* name, hid_t type, const Shape& shape) {
    const Handle space = space_of(shape);
    const Handle made{H5Acreate2(file.id(), name, type, space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose, "making"};
    std::vector<char> values(8000, 'x');
    if (H5Tis_variable_str(type) == 0) check(H5Awrite(made.id(), type, values.data()), "writing");
  }

  Handle dataset(const char* name, hid_t type, const Shape& shape, const Shape& chunk = {}) {
    const Handle creation = property_list(H5P_DATASET_CREATE);
    if (!chunk.empty()) check(H5Pset_chunk(creation.id(), static_cast<int>(chunk.size()), chunk.data()), "chunks");
    const Handle space = space_of(shape);
    return {H5Dcreate2(file.id(), name, type, space.id(), H5P_DEFAULT, creation.id(), H5P_DEFAULT), H5Dclose, "making"};
  }
};

TEST_F(Reading, AttributesHaveOneValueOfTheRightKind) {
  const Handle text = text_type(), fixed = fixed_text_type(8);
  attribute("list", H5T_NATIVE_DOUBLE, {1000});
  attribute("cube", H5T_NATIVE_UINT64, {10, 10, 10});
  attribute("fixed", fixed.id(), {1});
  attribute("texts", text.id(), {3});
  attribute("float", H5T_NATIVE_FLOAT, {1});
  for (const char* name : {"list", "cube", "fixed", "texts"}) {
    EXPECT_NE(failure([&] { read_number_attribute(file.id(), name); }).find("is not one number"), std::string::npos);
    EXPECT_NE(failure([&] { read_integer_attribute(file.id(), name); }).find("is not one whole"), std::string::npos);
    EXPECT_NE(failure([&] { read_text_attribute(file.id(), name); }).find("is not one text"), std::string::npos);
  }
  EXPECT_EQ(failure([&] { read_number_attribute(file.id(), "float"); }), "");
  EXPECT_NE(failure([&] { read_integer_attribute(file.id(), "float"); }), "");
  EXPECT_TRUE(std::isnan(read_number_attribute(file.id(), "absent")));
}

TEST_F(Reading, NoMemoryForWhatTheFileCannotHold) {
  const Shape large{1'000'000, 1'000'000};
  dataset("large", H5T_NATIVE_DOUBLE, large, {1, 10});
  EXPECT_NE(failure([&] { read_array(file.id(), "large", large); }).find("more than a file of this size"),
            std::string::npos);
  dataset("chunky", H5T_NATIVE_DOUBLE, {100'000'000}, {100'000'000});
  EXPECT_NE(failure([&] { open_dataset(file.id(), "chunky"); }).find("the chunks of 'chunky'"), std::string::npos);
  const Shape overflow{std::uint64_t{1} << 33u, std::uint64_t{1} << 33u};
  dataset("overflow", H5T_NATIVE_DOUBLE, overflow, {1, 1});
  EXPECT_NE(failure([&] { read_array(file.id(), "overflow", overflow); }), "");
}

TEST_F(Reading, RowsAreOfAListOfTheRightKind) {
  std::vector<double> room(3);
  const auto rows = [&](hid_t of, hsize_t first, hsize_t count) {
    return failure([&] { read_rows(of, H5T_NATIVE_DOUBLE, first, count, room.data()); });
  };
  const Handle list = dataset("list", H5T_NATIVE_DOUBLE, {5});
  EXPECT_EQ(rows(list.id(), 2, 3), "");
  EXPECT_EQ(rows(list.id(), 3, 3), "dataset '/list' has only 5 rows");
  EXPECT_EQ(rows(list.id(), ~hsize_t{0}, 3), "dataset '/list' has only 5 rows");
  EXPECT_EQ(rows(dataset("deep", H5T_NATIVE_DOUBLE, Shape(32, 1)).id(), 0, 1), "dataset '/deep' is not a plain list");
  const Handle text = text_type();
  EXPECT_EQ(rows(dataset("texts", text.id(), {5}).id(), 0, 3), "dataset '/texts' has rows of another kind");
  const Handle space{H5Screate(H5S_NULL), H5Sclose, "making"};
  const Handle none{H5Dcreate2(file.id(), "none", H5T_NATIVE_DOUBLE, space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                    H5Dclose, "making"};
  EXPECT_EQ(rows(none.id(), 0, 1), "there are no values");
}

TEST_F(Reading, TextsAreTexts) {
  const Handle number = dataset("number", H5T_NATIVE_DOUBLE, {1});
  EXPECT_NE(failure([&] { read_text(number.id()); }), "");
  EXPECT_NE(failure([&] { read_fixed_text(number.id(), 8); }), "");
  EXPECT_NE(failure([&] { read_texts(file.id(), "number", 5); }), "");
  const Handle type = fixed_text_type(9);
  const Handle fixed = dataset("fixed", type.id(), {1});
  EXPECT_EQ(read_fixed_text(fixed.id(), 9), "");
  EXPECT_NE(failure([&] { read_fixed_text(fixed.id(), 8); }), "");
  EXPECT_NE(failure([&] { read_fixed_text(dataset("many", type.id(), {100}).id(), 9); }), "");
}

TEST_F(Reading, NothingLeadsOutOfTheFile) {
  write_array(file.id(), "here", {1}, std::vector<double>{1}, "m", "");
  check(H5Lcreate_soft("/here", file.id(), "soft", H5P_DEFAULT, H5P_DEFAULT), "linking");
  check(H5Lcreate_external("/etc/passwd", "/here", file.id(), "external", H5P_DEFAULT, H5P_DEFAULT), "linking");
  for (const char* name : {"soft", "external"}) {
    EXPECT_NE(failure([&] { read_array(file.id(), name, {1}); }).find("a link that may lead elsewhere"),
              std::string::npos);
    EXPECT_NE(failure([&] { open_group(file.id(), name); }).find("a link that may lead elsewhere"), std::string::npos);
  }
  const Handle creation = property_list(H5P_DATASET_CREATE), space = space_of({1});
  check(H5Pset_external(creation.id(), "/dev/zero", 0, 8), "storing elsewhere");
  const Handle made{
      H5Dcreate2(file.id(), "elsewhere", H5T_NATIVE_DOUBLE, space.id(), H5P_DEFAULT, creation.id(), H5P_DEFAULT),
      H5Dclose, "making"};
  EXPECT_EQ(failure([&] { read_array(file.id(), "elsewhere", {1}); }), "the values of 'elsewhere' are in other files");
}

TEST_F(Reading, OnlyKnownFilters) {
  const Handle creation = property_list(H5P_DATASET_CREATE), space = space_of({100});
  const Shape chunk{100};
  check(H5Pset_chunk(creation.id(), 1, chunk.data()), "chunks");
  check(H5Pset_nbit(creation.id()), "packing");
  const Handle made{
      H5Dcreate2(file.id(), "packed", H5T_NATIVE_DOUBLE, space.id(), H5P_DEFAULT, creation.id(), H5P_DEFAULT), H5Dclose,
      "making"};
  EXPECT_EQ(failure([&] { open_dataset(file.id(), "packed"); }), "'packed' is packed in a way that is not read");
}

TEST_F(Reading, MembersAreCounted) {
  for (int i = 0; i < 5; ++i) dataset(std::to_string(i).c_str(), H5T_NATIVE_DOUBLE, {1});
  const Handle root{H5Gopen2(file.id(), "/", H5P_DEFAULT), H5Gclose, "opening"};
  EXPECT_EQ(names_in(root.id(), 5), (std::vector<std::string>{"0", "1", "2", "3", "4"}));
  EXPECT_EQ(failure([&] { names_in(root.id(), 4); }), "group '/' has more than 4 members");
}

}  // namespace
}  // namespace davit::hdf5
