#include "davit/html/display_unit.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace davit::html {
namespace {

TEST(DisplayUnit, IsChosenByMagnitude) {
  EXPECT_EQ(display_unit("N", 9e3), (DisplayUnit{"N", 1}));
  EXPECT_EQ(display_unit("N", -2e4), (DisplayUnit{"kN", 1e-3}));
  EXPECT_EQ(display_unit("N", 2e7), (DisplayUnit{"MN", 1e-6}));
  EXPECT_EQ(display_unit("N m", 2e7).name, "MN m");
  EXPECT_EQ(display_unit("kg", 120e3).name, "t");
  EXPECT_EQ(display_unit("Pa", 2e8).name, "MPa");
  EXPECT_EQ(display_unit("rad", 0.01).name, "deg");
  EXPECT_DOUBLE_EQ(std::acos(-1.0) * display_unit("rad", 1).scale, 180);
  EXPECT_EQ(display_unit("m", 1e6), (DisplayUnit{"m", 1}));
  EXPECT_EQ(display_unit("1", 3), (DisplayUnit{"", 1}));
}

TEST(DisplayUnit, TakesThousandsWhateverFollows) {
  EXPECT_EQ(with_unit(2e7, "N m/rad"), "20 MN m/rad");
  EXPECT_EQ(with_unit(-12'500, "N s/m"), "-12.5 kN s/m");
  EXPECT_EQ(with_unit(9.80665, "m/s^2"), "9.807 m/s²");
  EXPECT_EQ(with_unit(0.5, ""), "0.5");
  EXPECT_EQ(with_unit(18'851'000, "kg"), "18851 t");
  EXPECT_EQ(with_unit(18'851'000, "kg", UnitSystem::si), "1.885e+07 kg");
  EXPECT_EQ(display_unit("Nm", 1e9), (DisplayUnit{"Nm", 1})) << "no unit that begins with N";
  EXPECT_EQ(readable(9999.4), "9999");
  EXPECT_EQ(readable(-123'456.7), "-123457");
  EXPECT_EQ(readable(1.5e7), "1.5e+07");
}

TEST(DisplayUnit, IsSiWhereThatIsAskedFor) {
  for (const char* unit : {"rad", "N", "N m", "kg", "W"})
    EXPECT_EQ(display_unit(unit, 1e9, UnitSystem::si), (DisplayUnit{unit, 1}));
}

TEST(DisplayUnit, IsOneForWhatIsCompared) {
  DisplayUnits units;
  units.see("tensions", "N", -20'000);
  units.see("tensions", "N", 3);
  units.see("tensions", "N", std::nan(""));
  units.see("reactions", "N", 3e8);
  EXPECT_EQ(units.of("tensions", "N").name, "kN");
  EXPECT_EQ(units.of("reactions", "N").name, "MN");
  EXPECT_EQ(units.of("never seen", "N").scale, 1);
}

}  // namespace
}  // namespace davit::html
