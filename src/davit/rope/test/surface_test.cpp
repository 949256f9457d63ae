// Ropes on surfaces: nothing is jumped over, corners are passed, and derivatives are those of what is computed.
#include <gtest/gtest.h>

#include <cmath>

#include "davit/model/measuring.hpp"
#include "davit/rope/self_check.hpp"
#include "lone_rope.hpp"

namespace davit::rope {
namespace {

// A rope along x between two points of the world, and a body 1 with a surface.
struct Rig : testing::LoneRope {
  Rig(const TriangleMesh& mesh, const Pose& at, double friction, const std::vector<Vec3>& around = {}) : LoneRope(1) {
    std::vector<Waypoint> waypoints{testing::point_at(0, Vec3(-10, 0, 0))};
    for (const Vec3& p : around) waypoints.push_back(testing::point_at(0, p, false));
    waypoints.push_back(testing::point_at(0, Vec3(10, 0, 0)));
    RopeSetup setup = testing::through(std::move(waypoints), 1e6, 1e4);
    setup.rope.layout.surfaces = {testing::surface_of(mesh, friction, 1)};
    place(at);
    lay(std::move(setup));
  }
  void place(const Pose& at) {
    kin.body[1].R = at.R;
    kin.body[1].p = at.p;
  }
  void move(const Pose& at) {
    place(at);
    kin.t += 0.01;
    commit();
  }
};

Pose at(double x, double y, double z) { return {Mat3::Identity(), Vec3(x, y, z)}; }

TEST(RopeOnSurface, DoesNotPassThroughAThinPlateInOneLongStep) {
  // A plate of a millimetre falls by eight metres in one step.
  Rig rig(box_mesh(Vec3(2, 2, 1e-3)), at(0.3, 0, 5), 0);
  EXPECT_EQ(rig.nodes(), 0);
  rig.move(at(0.3, 0, -3));
  EXPECT_EQ(rig.nodes(), 2);
  EXPECT_EQ(self_check(*rig.rope, rig.view()), "");
  EXPECT_GT(rig.view().tensions.total_length, 20.5);
  // And lets it go on the way back.
  rig.move(at(0.3, 0, 5));
  EXPECT_EQ(rig.nodes(), 0);
}

TEST(RopeOnSurface, HangsOnTheRimOfAnOpenSheet) {
  TriangleMesh sheet;
  sheet.points = {Vec3(0, -1, -1), Vec3(0, 1, -1), Vec3(0, 1, 1), Vec3(0, -1, 1)};
  sheet.triangles = {{0, 1, 2}, {0, 2, 3}};
  Rig rig(sheet, at(0, 0, 3), 0);
  rig.move(at(0, 0, 0));
  EXPECT_EQ(rig.nodes(), 1);
  EXPECT_NEAR(rig.view().tensions.total_length, 2 * std::hypot(10, 1), 1e-9);
}

TEST(RopeOnSurface, SlidesOffABoxThatIsMovedAside) {
  Rig rig(box_mesh(Vec3::Constant(2)), at(0, 0.8, 3), 0);
  for (int i = 0; i < 40; ++i) rig.move(at(0, 0.8, 3 - 0.1 * i));
  EXPECT_GE(rig.nodes(), 2);
  for (int i = 0; i < 60; ++i) {
    rig.move(at(0, 0.8 + 0.1 * i, -1));
    EXPECT_EQ(self_check(*rig.rope, rig.view()), "");
  }
  EXPECT_EQ(rig.nodes(), 0);
  EXPECT_NEAR(rig.view().tensions.total_length, 20, 1e-9);
}

TEST(RopeOnSurface, IsLaidAroundABodyAndPulledTight) {
  // Over the top of a box and under nothing: from below one side, over it, down the other.
  const Rig rig(box_mesh(Vec3(2, 6, 2)), at(0, 0, 0.5), 0, {Vec3(-1.5, 0, 4), Vec3(1.5, 0, 4)});
  EXPECT_EQ(rig.nodes(), 2);
  EXPECT_EQ(self_check(*rig.rope, rig.view()), "");
  EXPECT_NEAR(rig.view().tensions.total_length, 2 * std::hypot(9, 1.5) + 2, 1e-9);
}

TEST(RopeOnSurface, KnowsThatItWasLaidThroughABody) {
  // Up to a point above the box, through its side.
  const Rig through(box_mesh(Vec3(14, 6, 2)), at(0, 0, 3), 0, {Vec3(0, 0, 8)});
  ASSERT_TRUE(through.rope->laid_through());
  EXPECT_EQ(through.rope->laid_through()->surface, 0);
  EXPECT_GT(through.rope->laid_through()->depth, 0.1);
  const Rig past(box_mesh(Vec3(2, 6, 2)), at(0, 0, 0.5), 0, {Vec3(-1.5, 0, 4), Vec3(1.5, 0, 4)});
  EXPECT_FALSE(past.rope->laid_through());
}

TEST(RopeOnSurface, KnowsThatItWasLaidThroughASheet) {
  TriangleMesh sheet;
  sheet.points = {Vec3(0, -1, -1), Vec3(0, 1, -1), Vec3(0, 1, 1), Vec3(0, -1, 1)};
  sheet.triangles = {{0, 1, 2}, {0, 2, 3}};
  // Also where it meets the side between two triangles.
  EXPECT_TRUE(Rig(sheet, at(0, 0, 0), 0).rope->laid_through());
  EXPECT_FALSE(Rig(sheet, at(0, 0, 3), 0).rope->laid_through());
}

TEST(RopeOnSurface, BreaksWhereAnEndGoesThroughWhatTheRopeTouches) {
  // In one step through a plate of a millimetre, and little by little into a box.
  Rig plate(box_mesh(Vec3(2, 2, 1e-3)), at(-10, 0, 1), 0);
  EXPECT_THROW(plate.move(at(-10, 0, -1)), Breakdown);
  Rig box(box_mesh(Vec3::Constant(2)), at(-11.5, 0, 0), 0);
  EXPECT_NO_THROW(box.move(at(-11.1, 0, 0)));
  EXPECT_THROW(box.move(at(-10.99, 0, 0)), Breakdown);
}

// Loads on the body by each of its six motions, from dual numbers and from differences.
void compare_derivatives(const Rig& rig) {
  const auto loads_at = [&](const Pose& moved) {
    Kin kin = rig.kin;
    kin.body[1].R = moved.R;
    kin.body[1].p = moved.p;
    Loads loads;
    loads.resize(2, 0, false);
    rig.rope->apply({kin, nullptr, nullptr, rig.discrete, 0, rig.work.get()}, loads, nullptr);
    Vec6 out;
    out << loads.wrench[1].n, loads.wrench[1].f;
    return out;
  };
  KinT<Dual8> kin;
  kin.body.resize(2);
  const Pose pose{rig.kin.body[1].R, rig.kin.body[1].p};
  Vec3T<Dual8> turn, shift;
  for (int k = 0; k < 3; ++k) {
    turn[k] = Dual8::variable(0, k);
    shift[k] = Dual8::variable(pose.p[k], 3 + k);
  }
  kin.body[1].R = exp_rotation(turn) * pose.R.cast<Dual8>();
  kin.body[1].p = shift;
  LoadsT<Dual8> loads;
  loads.resize(2, 0, false);
  const auto dual_work = rig.rope->make_work(Dual8(0));
  rig.rope->apply({kin, nullptr, nullptr, rig.discrete, 0, dual_work.get()}, loads, nullptr);
  const double step = 1e-6;
  for (int k = 0; k < 6; ++k) {
    const auto moved = [&](double by) {
      Pose there = pose;
      if (k < 3)
        there.R = exp_rotation(Vec3(by * Vec3::Unit(k))) * pose.R;
      else
        there.p[k - 3] += by;
      return loads_at(there);
    };
    const Vec6 slope = (moved(step) - moved(-step)) / (2 * step);
    const double scale = 1e-5 * (1 + slope.cwiseAbs().maxCoeff());
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(loads.wrench[1].n[i].d[static_cast<size_t>(k)], slope[i], scale) << "moment " << i << " by " << k;
      EXPECT_NEAR(loads.wrench[1].f[i].d[static_cast<size_t>(k)], slope[3 + i], scale) << "force " << i << " by " << k;
    }
  }
}

TEST(RopeOnSurface, HasExactDerivativesWhereItSlides) {
  Rig rig(box_mesh(Vec3::Constant(2)), at(0, 0.3, 3), 0);
  rig.move({exp_rotation(Vec3(0.1, 0.2, 0.3)), Vec3(0.2, 0.3, -3)});
  ASSERT_GE(rig.nodes(), 2);
  compare_derivatives(rig);
}

TEST(RopeOnSurface, HasExactDerivativesWhereItSticks) {
  Rig rig(box_mesh(Vec3::Constant(2)), at(0, 0.3, 3), 0.8);
  for (int i = 0; i < 40; ++i) rig.move({exp_rotation(Vec3(0.1, 0.2, 0.3)), Vec3(0.2, 0.3, 2.8 - 0.14 * i)});
  // A little back: inside the cone of friction.
  rig.move({exp_rotation(Vec3(0.1, 0.2, 0.3)), rig.kin.body[1].p + Vec3(0, 0, 1e-3)});
  ASSERT_GE(rig.nodes(), 2);
  compare_derivatives(rig);
}

// What a rope keeps in its work changes no answer: asked in any order, for any state, it says what a work without a
// past says, bit for bit; and two ropes have nothing in common.
TEST(RopeOnSurface, AnswersDoNotDependOnWhatWasAskedBefore) {
  Rig one(box_mesh(Vec3::Constant(2)), at(0, 0.3, 3), 0.2), other(box_mesh(Vec3(2, 4, 1)), at(0, 0.1, 2), 0);
  const auto loads_of = [](const Rig& rig, const Kin& kin, ElementWork& work) {
    Loads loads;
    loads.resize(2, 0, false);
    rig.rope->apply({kin, nullptr, nullptr, rig.discrete, 0, &work}, loads, nullptr);
    return loads.wrench[1].vector().eval();
  };
  const auto step_loads_of = [](const Rig& rig, const Kin& start, const Kin& end, ElementWork& work) {
    Loads loads;
    loads.resize(2, 0, false);
    rig.rope->apply_over_step({start, {end, nullptr, nullptr, rig.discrete, 0, &work}, end, 0.01}, loads);
    return loads.wrench[1].vector().eval();
  };
  for (int i = 0; i < 30; ++i) {
    for (Rig* rig : {&one, &other}) {
      const Kin before = rig->kin;
      rig->place({exp_rotation(Vec3(0.1, 0.2, 0.01 * i)), Vec3(0.2, 0.3, 2.8 - 0.18 * i)});
      const auto fresh = [&] { return rig->rope->make_work(0.0); };
      const Vec6 here = loads_of(*rig, rig->kin, *rig->work), there = loads_of(*rig, before, *rig->work),
                 over = step_loads_of(*rig, before, rig->kin, *rig->work);
      EXPECT_EQ(here, loads_of(*rig, rig->kin, *fresh()));
      EXPECT_EQ(there, loads_of(*rig, before, *fresh()));
      EXPECT_EQ(over, step_loads_of(*rig, before, rig->kin, *fresh()));
      EXPECT_EQ(here, loads_of(*rig, rig->kin, *rig->work));
      EXPECT_EQ(over, step_loads_of(*rig, before, rig->kin, *rig->work));
      rig->commit();
      EXPECT_EQ(loads_of(*rig, rig->kin, *rig->work), loads_of(*rig, rig->kin, *fresh()));
    }
    const RopeForce::View a = one.view(), b = other.view();
    EXPECT_EQ(a.state.poses[1].p, one.kin.body[1].p);
    EXPECT_EQ(b.state.poses[1].p, other.kin.body[1].p);
    EXPECT_NE(&a.tensions, &b.tensions);
  }
  ASSERT_GE(one.nodes(), 2);
  ASSERT_GE(other.nodes(), 2);
}

}  // namespace
}  // namespace davit::rope
