#include "davit/input/unit.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <iterator>
#include <stdexcept>

#include "davit/input/quantity.hpp"
#include "davit/math/constants.hpp"

namespace davit::input {
namespace {

struct Known {
  const char* text;
  double factor;
  Dimension dimension;
};

// Factors from the SI brochure and the definitions of the inch, the pound and the nautical mile.
const Known known[] = {
    {"1", 1, {}},
    {"%", 0.01, {}},
    {"kg", 1, {1, 0, 0, 0}},
    {"g", 1e-3, {1, 0, 0, 0}},
    {"t", 1000, {1, 0, 0, 0}},
    {"m", 1, {0, 1, 0, 0}},
    {"mm", 1e-3, {0, 1, 0, 0}},
    {"cm", 1e-2, {0, 1, 0, 0}},
    {"km", 1e3, {0, 1, 0, 0}},
    {"ft", 0.3048, {0, 1, 0, 0}},
    {"in", 0.0254, {0, 1, 0, 0}},
    {"nmi", 1852, {0, 1, 0, 0}},
    {"s", 1, {0, 0, 1, 0}},
    {"ms", 1e-3, {0, 0, 1, 0}},
    {"min", 60, {0, 0, 1, 0}},
    {"h", 3600, {0, 0, 1, 0}},
    {"rad", 1, {0, 0, 0, 1}},
    {"deg", pi / 180, {0, 0, 0, 1}},
    {"°", pi / 180, {0, 0, 0, 1}},
    {"rev", 2 * pi, {0, 0, 0, 1}},
    {"N", 1, {1, 1, -2, 0}},
    {"kN", 1e3, {1, 1, -2, 0}},
    {"MN", 1e6, {1, 1, -2, 0}},
    {"tf", 9806.65, {1, 1, -2, 0}},
    {"kgf", 9.80665, {1, 1, -2, 0}},
    {"lbf", 4.4482216152605, {1, 1, -2, 0}},
    {"Pa", 1, {1, -1, -2, 0}},
    {"kPa", 1e3, {1, -1, -2, 0}},
    {"MPa", 1e6, {1, -1, -2, 0}},
    {"GPa", 1e9, {1, -1, -2, 0}},
    {"bar", 1e5, {1, -1, -2, 0}},
    {"J", 1, {1, 2, -2, 0}},
    {"kJ", 1e3, {1, 2, -2, 0}},
    {"MJ", 1e6, {1, 2, -2, 0}},
    {"W", 1, {1, 2, -3, 0}},
    {"kW", 1e3, {1, 2, -3, 0}},
    {"MW", 1e6, {1, 2, -3, 0}},
    {"knot", 1852.0 / 3600, {0, 1, -1, 0}},
    {"kn", 1852.0 / 3600, {0, 1, -1, 0}},
    {"Hz", 1, {0, 0, -1, 0}},
    {"rpm", 2 * pi / 60, {0, 0, -1, 1}},
    {"kN m/rad^3", 1e3, {1, 2, -2, -3}},
    {"kN*m", 1e3, {1, 2, -2, 0}},
    {"kN·m", 1e3, {1, 2, -2, 0}},
    {"m/s/s", 1, {0, 1, -2, 0}},
    {"m/s^2", 1, {0, 1, -2, 0}},
    {"m/s²", 1, {0, 1, -2, 0}},
    {"t/m³", 1e3, {1, -3, 0, 0}},
    {"m s^-1", 1, {0, 1, -1, 0}},
    {"1/s", 1, {0, 0, -1, 0}},
    {"km / h", 1 / 3.6, {0, 1, -1, 0}},
    {"kN/mm", 1e6, {1, 0, -2, 0}},
    {"N/m s", 1, {1, 0, -1, 0}},  // a slash divides by one symbol only
    {"m^0", 1, {}},
};

TEST(Unit, KnowsFactorsAndDimensions) {
  for (const Known& k : known) {
    const auto result = parse_unit(k.text);
    ASSERT_TRUE(result.value) << k.text << ": " << result.mistake;
    EXPECT_NEAR(result.value->factor / k.factor, 1, 1e-14) << k.text;
    EXPECT_EQ(result.value->dimension, k.dimension) << k.text;
    EXPECT_EQ(result.value->text, k.text);
  }
}

TEST(Unit, RefusesWhatIsNone) {
  for (const char* text : {"", " ", "/s", "*m", "m/", "m//s", "m**s", "m^", "m^x", "m^12", "m^-", "kk", "2 m", "m)",
                           "m²²", "(m)", "km^9 km^9 km^9 km^9 km^9 km^9 km^9 km^9 km^9 km^9 km^9 km^9",
                           "mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm"}) {
    EXPECT_FALSE(parse_unit(text).value) << text;
    EXPECT_FALSE(parse_unit(text).mistake.empty()) << text;
    EXPECT_FALSE(parse_unit(text).remedy.empty()) << text;
  }
}

TEST(Unit, RemediesAreSpecific) {
  EXPECT_EQ(parse_unit("kNm").mistake, "'kNm' has an unknown unit 'kNm'");
  EXPECT_EQ(parse_unit("kNm").remedy, "did you mean 'kN m'? separate units by a space");
  EXPECT_EQ(parse_unit("m/s2").remedy, "write a power as s^2");
  EXPECT_EQ(parse_unit("KG").remedy, "write 'kg'");
  EXPECT_EQ(parse_unit("tonnes").remedy, "write 't'");
  EXPECT_TRUE(parse_unit("kPA").remedy.starts_with("did you mean 'kPa'?")) << parse_unit("kPA").remedy;
  EXPECT_TRUE(parse_unit("furlong").remedy.starts_with("units are made of")) << parse_unit("furlong").remedy;
}

TEST(Unit, AProgrammersMistakeThrows) { EXPECT_THROW(unit("furlong"), std::logic_error); }

TEST(Unit, WritesAValue) {
  EXPECT_EQ(in_unit(348000, unit("t")), "348 t");
  EXPECT_EQ(in_unit(0.25, unit("1")), "0.25");
  EXPECT_EQ(in_unit(-1.5, unit("m/s")), "-1.5 m/s");
}

// written, due, factor; 0 when it does not fit
struct Pair {
  const char* written;
  const char* due;
  double factor;
};

const Pair pairs[] = {
    {"t", "kg", 1000},
    {"tf", "kg", 0},  // a force is no mass
    {"t", "N", 0},
    {"N m", "N m/rad", 1},  // the radian may be left out
    {"kN m s", "N m s/rad", 1000},
    {"N m/deg", "N m/rad", 180 / pi},
    {"N m/rad", "N m", 0},  // but what names an angle is about angles
    {"1/s", "rad/s", 1},
    {"Hz", "rad/s", 2 * pi},
    {"Hz", "1/s", 1},
    {"Hz/s", "rad/s^2", 2 * pi},
    {"rpm", "rad/s", 2 * pi / 60},
    {"rpm", "1/s", 1.0 / 60},
    {"rev/min", "Hz", 1.0 / 60},
    {"rad/s", "1/s", 0},
    {"deg/s", "Hz", 0},
    {"Hz", "m/s", 0},
    {"m", "rad", 0},
    {"kg", "rad", 0},
    {"%", "rad", 0},
    {"1", "rad", 0},
    {"m/m", "rad", 0},
    {"rad", "1", 0},
    {"deg", "1", 0},
    {"rev", "1", 0},
    {"1/rad", "1", 0},
    {"%", "1", 0.01},
    {"1/m", "rad/m", 1},
    {"rev", "rad", 2 * pi},
    {"rad/rad s", "s", 1},
    {"m rad/rad", "m rad", 0},
};

TEST(Unit, FitsOrDoesNot) {
  for (const Pair& pair : pairs) {
    const auto factor = factor_between(unit(pair.written), unit(pair.due));
    EXPECT_EQ(factor.has_value(), pair.factor != 0) << pair.written << " for " << pair.due;
    if (!factor) continue;
    EXPECT_NEAR(*factor / pair.factor, 1, 1e-14) << pair.written << " for " << pair.due;
  }
}

TEST(Unit, NamesDimensions) {
  const std::pair<const char*, const char*> names[] = {
      {"t", "a mass"},
      {"km", "a length"},
      {"h", "a time"},
      {"deg", "an angle"},
      {"tf", "a force"},
      {"kN m", "a moment"},
      {"kJ", "an energy"},
      {"knot", "a speed"},
      {"rpm", "an angular speed"},
      {"m/s^2", "an acceleration"},
      {"Hz", "a frequency"},
      {"kN/mm", "a stiffness"},
      {"N s/m", "a damping"},
      {"N m/rad", "a rotational stiffness"},
      {"bar", "a pressure"},
      {"MW", "a power"},
      {"t m^2", "an inertia"},
      {"kg/m^3", "a density"},
      {"1", "a plain number"},
      {"kg^4", "a quantity in kg^4"},
  };
  for (const auto& [text, name] : names) EXPECT_EQ(described(unit(text)), name) << text;
}

// An example that we offer must be of the dimension that we ask for.
TEST(Unit, ExamplesFit) {
  for (const Known& k : known) {
    const Unit due = unit(k.text);
    const std::string examples = examples_of(due);
    Problems problems;
    for (std::size_t begin = 0; begin < examples.size();) {
      const std::size_t end = std::min(examples.find(" or ", begin), examples.size());
      const auto quantity = parse_quantity(examples.substr(begin, end - begin));
      ASSERT_TRUE(quantity.value) << examples;
      EXPECT_TRUE(require(*quantity.value, due, problems)) << examples << " for " << k.text;
      begin = end + 4;
    }
    EXPECT_EQ(problems.to_text(), "");
  }
}

TEST(Quantity, ReadsNumbersAndUnits) {
  const auto value = [](const char* text) {
    const auto result = parse_quantity(text);
    EXPECT_TRUE(result.value) << text << ": " << result.mistake;
    return result.value ? result.value->value() : std::nan("");
  };
  EXPECT_DOUBLE_EQ(value("348 t"), 348000);
  EXPECT_DOUBLE_EQ(value("348t"), 348000);
  EXPECT_DOUBLE_EQ(value("1.5e3 kN"), 1.5e6);
  EXPECT_DOUBLE_EQ(value("-30 deg"), -pi / 6);
  EXPECT_DOUBLE_EQ(value("+2"), 2);
  EXPECT_DOUBLE_EQ(value(".5 m"), 0.5);
  EXPECT_DOUBLE_EQ(value("5. m"), 5);
  EXPECT_DOUBLE_EQ(value("  7  "), 7);
  EXPECT_DOUBLE_EQ(value("30%"), 0.3);
  EXPECT_DOUBLE_EQ(value("2E2m"), 200);
  EXPECT_FALSE(parse_quantity("5").value->has_unit);
  EXPECT_TRUE(parse_quantity("5 1").value->has_unit);
}

TEST(Quantity, RefusesWhatIsNoNumber) {
  const std::pair<const char*, const char*> bad[] = {
      {"nan", "'nan' is not finite"},
      {"-.inf", "'-.inf' is not finite"},
      {"Infinity", "'Infinity' is not finite"},
      {"1e999", "'1e999' is too large or too small to compute with"},
      {"1e-999", "'1e-999' is too large or too small to compute with"},
      {"1e306 km", "'1e306 km' is too large to compute with"},
      {"infant", "'infant' is not a number"},
      {"--5", "'--5' is not a number"},
      {"+-5", "'+-5' is not a number"},
      {"-+5", "'-+5' is not a number"},
      {"", "'' is not a number"},
      {"-", "'-' is not a number"},
      {"heavy", "'heavy' is not a number"},
      {"1,5", "'1,5' is not a number"},
      {"0x10", "in '0x10': 'x10' has an unknown unit 'x10'"},
      {"5 x", "in '5 x': 'x' has an unknown unit 'x'"},
  };
  for (const auto& [text, mistake] : bad) {
    const auto result = parse_quantity(text);
    EXPECT_FALSE(result.value) << text;
    EXPECT_EQ(result.mistake, mistake);
  }
  EXPECT_EQ(parse_quantity("1,5").remedy, "write decimals with a point, as in 1.5");
}

std::string asked(const char* text, const char* due, double expected = std::nan("")) {
  Problems problems;
  auto quantity = parse_quantity(text);
  EXPECT_TRUE(quantity.value) << quantity.mistake;
  quantity.value->where = {"f", 2, 3, "x"};
  const auto value = require(*quantity.value, unit(due), problems);
  EXPECT_EQ(value.has_value(), !std::isnan(expected)) << text;
  if (value.has_value()) {
    EXPECT_NEAR(*value, expected, 1e-12 * std::abs(expected)) << text;
  }
  return problems.to_text();
}

TEST(Quantity, SaysWhatItIsAndWhatIsDue) {
  EXPECT_EQ(asked("12 km", "kg"),
            "f:2:3: error: x: '12 km' is a length; a mass is expected here\n"
            "    remedy: give a mass, e.g. 348 t or 1200 kg\n");
  EXPECT_EQ(asked("30 %", "rad"),
            "f:2:3: error: x: '30 %' is a plain number; an angle is expected here\n"
            "    remedy: give an angle, e.g. 30 deg or 0.5 rad\n");
  EXPECT_NE(asked("1e308 Hz", "rad/s").find("too large"), std::string::npos);
}

TEST(Quantity, ABareNumberIsSi) {
  EXPECT_EQ(asked("12", "N m/rad", 12), "");
  EXPECT_EQ(asked("0.2 Hz", "rad/s", 0.4 * pi), "");
}

TEST(Quantity, WarnsOfBareAnglesThatLookLikeDegrees) {
  EXPECT_EQ(asked("12.5", "rad", 12.5), "");  // just below 4 pi
  EXPECT_EQ(asked("-30", "rad", -30),
            "f:2:3: warning: x: '-30' is read as radians\n"
            "    remedy: write '-30 deg' if degrees are meant, '-30 rad' if not\n");
  EXPECT_EQ(asked("30 rad", "rad", 30), "");
  EXPECT_EQ(asked("30", "rad/s", 30), "");
}

TEST(Threshold, IsAQuantityOrAMultiple) {
  const auto quantity = parse_threshold("12 kN*m").value.value();
  EXPECT_FALSE(quantity.is_relative());
  EXPECT_DOUBLE_EQ(quantity.quantity.value(), 12000);
  for (const char* text : {"0.3 * mbl", "0.3*mbl", "0.3* mbl "}) {
    const auto relative = parse_threshold(text).value.value();
    EXPECT_TRUE(relative.is_relative());
    EXPECT_DOUBLE_EQ(relative.factor, 0.3);
    EXPECT_EQ(relative.of.name, "mbl");
  }
}

TEST(Threshold, IsNoMoreOfALanguage) {
  for (const char* text : {"mbl", "mbl * 0.3", "0.3 * mbl * 2", "0.3 *", "0.3 * 2", "0.3 * (mbl)", "0.3 * a.b.c",
                           "0.3 * a.", "0.3 * .b", "* mbl", "0.3 * 2 mbl", ""})
    EXPECT_FALSE(parse_threshold(text).value) << text;
  EXPECT_EQ(parse_threshold("mbl * 0.3").mistake, "'mbl * 0.3' is not a number");
  EXPECT_EQ(parse_threshold("mbl * 0.3").remedy, "give a quantity, e.g. 12 kN, or number * name, e.g. 0.3 * mbl");
}

RC_GTEST_PROP(QuantityProperty, NumberTimesUnitComesBack, ()) {
  const Known& k = known[*rc::gen::inRange<std::size_t>(0, std::size(known))];
  const double number = *rc::gen::arbitrary<double>();
  RC_PRE(std::isfinite(number) && std::abs(number) < 1e290);
  const Unit u = unit(k.text);
  const auto back = parse_quantity(in_unit(number * u.factor, u));
  RC_ASSERT(back.value.has_value());
  RC_ASSERT(back.value->dimension() == k.dimension);
  RC_ASSERT(std::abs(back.value->value() - number * k.factor) <= 1e-13 * std::abs(number * k.factor));
}

RC_GTEST_PROP(QuantityProperty, AnyTextIsReadOrRefused, (const std::string& text)) {
  const auto quantity = parse_quantity(text);
  RC_ASSERT(quantity.value.has_value() == quantity.mistake.empty());
  const auto threshold = parse_threshold(text);
  RC_ASSERT(threshold.value.has_value() == threshold.mistake.empty());
}

}  // namespace
}  // namespace davit::input
