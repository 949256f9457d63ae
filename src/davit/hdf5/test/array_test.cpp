#include "davit/hdf5/array.hpp"

#include <gtest/gtest.h>

#include "davit/test/temp_folder.hpp"

namespace davit::hdf5 {
namespace {

class Arrays : public ::testing::Test {
 protected:
  Quiet quiet;
  davit::test::TempFolder folder;
  Handle file{H5Fcreate((folder / "arrays.h5").c_str(), H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT), H5Fclose,
              "making a file"};

  // What a call that fails says; empty when it does not.
  template <class Call>
  static std::string failure(Call call) {
    try {
      call();
    } catch (const Failure& failure) {
      return failure.what();
    }
    return "";
  }
};

TEST_F(Arrays, ComeBackAsTheyWere) {
  const std::vector<double> numbers{1, -2.5, 1e300, 0, 7, 8};
  const std::vector<std::complex<double>> pairs{{1, 2}, {-3, 4}};
  const std::vector<std::string> texts{"one", "", "trois \xC3\xA9t\xC3\xA9s"};
  write_array(file.id(), "numbers", {2, 3}, numbers, "m", "of something");
  write_array(file.id(), "pairs", {2}, pairs, "N", "of something else");
  write_texts(file.id(), "texts", texts);
  EXPECT_EQ(shape_of(file.id(), "numbers"), (Shape{2, 3}));
  EXPECT_EQ(read_array(file.id(), "numbers", {2, 3}), numbers);
  EXPECT_EQ(read_complex_array(file.id(), "pairs", {2}), pairs);
  EXPECT_EQ(read_texts(file.id(), "texts", 3), texts);
  const Handle dataset{H5Dopen2(file.id(), "numbers", H5P_DEFAULT), H5Dclose, "opening"};
  EXPECT_EQ(read_text_attribute(dataset.id(), "unit"), "m");
  EXPECT_EQ(read_text_attribute(dataset.id(), "description"), "of something");
  EXPECT_EQ(read_text_attribute(dataset.id(), "absent"), "");
}

TEST_F(Arrays, WhatIsNotAsExpectedIsSaid) {
  write_array(file.id(), "numbers", {2, 3}, std::vector<double>(6), "m", "");
  write_texts(file.id(), "texts", {"a", "b", "c"});
  EXPECT_EQ(failure([&] { read_array(file.id(), "absent", {1}); }), "there is no dataset 'absent'");
  EXPECT_EQ(failure([&] {
              read_array(file.id(), "numbers", {3, 2});
            }),
            "dataset 'numbers' has the shape [2, 3] and not [3, 2]");
  EXPECT_EQ(failure([&] { read_texts(file.id(), "texts", 2); }), "dataset 'texts' is no list of texts");
  EXPECT_NE(failure([&] { write_texts(file.id(), "texts", {}); }).find("making a dataset: "), std::string::npos);
}

}  // namespace
}  // namespace davit::hdf5
