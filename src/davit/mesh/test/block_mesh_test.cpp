#include "davit/mesh/block_mesh.hpp"

#include <gtest/gtest.h>

#include "davit/mesh/repair.hpp"

namespace davit {
namespace {

TEST(BlockMesh, IsClosedAndNeedsNoRepair) {
  for (const int stiffeners : {0, 1, 2, 4})
    for (const int girders : {1, 2, 3, 6}) {
      BlockForm form;
      form.size = {20, 16, 2};
      form.girders = girders;
      form.stiffeners = stiffeners;
      ASSERT_STREQ(form.mistake(), "");
      const TriangleMesh mesh = block_mesh(form);
      const RepairedMesh repaired = repair(mesh);
      EXPECT_TRUE(repaired.closed);
      EXPECT_TRUE(repaired.problems.empty()) << repaired.problems.front().text;
      EXPECT_EQ(repaired.mesh.count(), mesh.count());
    }
}

TEST(BlockMesh, HasTheSizeAndTheLugsAskedFor) {
  BlockForm form;
  form.size = {20, 16, 2};
  const Box box = bounds(block_mesh(form));
  EXPECT_LT((box.low - Vec3(-10, -8, -1)).norm(), 1e-15);
  EXPECT_LT((box.high - Vec3(10, 8, 1.8)).norm(), 1e-15);
  EXPECT_EQ(form.lugs(), Vec2(5, 4));
}

TEST(BlockMesh, SaysWhatCannotBeMade) {
  BlockForm form;
  form.size = {20, 16, 2};
  form.plate = 0.5;
  EXPECT_STRNE(form.mistake(), "");
  form.plate = 0.02;
  form.stiffeners = 100;
  EXPECT_STRNE(form.mistake(), "");
  form.size = {2000, 1600, 20};
  form.stiffeners = 10;
  form.girders = form.floors = 90;
  EXPECT_STREQ(form.mistake(), "the block has more plates than a surface can be made of");
  form.stiffeners = 1;
  form.girders = 0;
  EXPECT_STRNE(form.mistake(), "");
}

}  // namespace
}  // namespace davit
