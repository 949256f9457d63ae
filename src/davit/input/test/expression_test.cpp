#include "davit/input/expression.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <map>
#include <numbers>

#include "davit/input/quantity.hpp"

namespace davit::input {
namespace {

const std::map<std::string, Value, std::less<>> crane{{"boom.length", {54, unit("m").dimension}},
                                                      {"angle", {0.5, unit("rad").dimension}},
                                                      {"mass", {2000, unit("kg").dimension}},
                                                      {"n", {4, {}}}};

Parsed<Value> of_crane(std::string_view expression) {
  return evaluate(expression, [](std::string_view name) -> Parsed<Value> {
    const auto at = crane.find(name);
    if (at == crane.end()) return {std::nullopt, "no parameter", "declare it"};
    return {at->second, "", ""};
  });
}

struct Computed {
  const char* expression;
  double si;
  const char* unit;
};

TEST(Expression, ComputesWithUnits) {
  for (const Computed& c : {
           Computed{"boom.length / 2 + 1.5 m", 28.5, "m"},
           {"boom.length*cos(angle)", 54 * std::cos(0.5), "m"},
           {"2 * 3 + 4", 10, "1"},
           {"2 + 3 * 4", 14, "1"},
           {"2 - 3 - 4", -5, "1"},
           {"24 / 4 / 2", 3, "1"},
           {"-2 ^ 2", -4, "1"},
           {"2 ^ 3 ^ 2", 512, "1"},
           {"2 ^ -1", 0.5, "1"},
           {"(2 + 3) * -4", -20, "1"},
           {"1e3 - 1E-1", 999.9, "1"},
           {"mass * 9.81 m/s^2 / n", 2000 * 9.81 / 4, "N"},
           {"mass * boom.length^2 / 12", 2000 * 54.0 * 54.0 / 12, "kg m^2"},
           {"sqrt(2 * boom.length * 1 m)", std::sqrt(108), "m"},
           {"30 deg + angle", std::numbers::pi / 6 + 0.5, "rad"},
           {"atan2(3 m, 4 m)", std::atan2(3, 4), "rad"},
           {"hypot(3 m, 4 m)", 5, "m"},
           {"min(3 m, 200 cm, boom.length)", 2, "m"},
           {"max(3, n)", 4, "1"},
           {"round(2.6) + floor(2.6) + ceil(2.2) + abs(-1)", 9, "1"},
           {"sin(90 deg) + acos(1) / 1 rad", 1, "1"},
           {"2 * pi", 2 * std::numbers::pi, "1"},
           {"5 m²", 5, "m^2"},
           {"1 kN*2 m", 2000, "N m"},
           {"3 kN s/m / n", 750, "N s/m"},
           {"1 N m^2 kg^-1 - 2 N m^2/kg", -1, "N m^2/kg"},
       }) {
    const auto value = of_crane(c.expression);
    ASSERT_TRUE(value.value) << c.expression << ": " << value.mistake;
    EXPECT_NEAR(value.value->si, c.si, 4e-16 * std::abs(c.si)) << c.expression;
    EXPECT_EQ(value.value->dimension, unit(c.unit).dimension) << c.expression;
  }
}

TEST(Expression, SaysWhatIsWrong) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "ends too early"},
      {"2 +", "ends too early"},
      {"2 m + 3", "the sum of a length and a plain number"},
      {"boom.length - mass", "the difference of a length and a mass"},
      {"1 / (n - 4)", "a division by zero"},
      {"sqrt(-n)", "the root of a negative number"},
      {"sqrt(mass)", "the root of a mass"},
      {"sin(mass)", "sin of a mass"},
      {"asin(2)", "no finite number"},
      {"boom", "no parameter"},
      {"sinn(1)", "there is no function 'sinn'"},
      {"atan2(1)", "atan2 has 1 argument"},
      {"(1 + 2", "a ')' is missing"},
      {"1 2", "'2' is not expected here"},
      {"2 foo", "unknown unit 'foo'"},
      {"2 m n", "unknown unit 'n'"},
      {"2 m/n", "unknown unit 'n'"},
      {"mass ^ n ^ 9", "to the power"},
      {"mass ^ 0.5", "to the power"},
      {"10 ^ 400", "no finite number"},
      {"1 m^9 * 1 m", "no quantity has such a unit"},
      {"a = 3", "no parameter"},
  };
  for (const auto& [expression, due] : cases) {
    const auto value = of_crane(expression);
    EXPECT_FALSE(value.value) << expression;
    EXPECT_NE(value.mistake.find(due), std::string::npos) << expression << ": " << value.mistake;
    EXPECT_FALSE(value.remedy.empty()) << expression;
  }
  EXPECT_FALSE(of_crane(std::string(100'000, '(')).value);
  EXPECT_FALSE(of_crane(std::string(100'000, '-')).value);
}

TEST(Expression, BeginsWithAnEqualsSign) {
  EXPECT_EQ(expression_in(" =a / 2 "), "a / 2");
  EXPECT_FALSE(expression_in("348 t"));
  EXPECT_FALSE(expression_in("a = b"));
}

RC_GTEST_PROP(Expression, IsWrittenAsTheSameQuantity, (double si, int kg, int m, int s, int rad)) {
  RC_PRE(std::isfinite(si) && std::abs(si) < 1e300 && (si == 0 || std::abs(si) > 1e-300));
  const Value value{si, {kg % 10, m % 10, s % 10, rad % 10}};
  const auto again = parse_quantity(to_text(value));
  RC_ASSERT(again.value.has_value());
  RC_ASSERT(again.value->value() == si);
  RC_ASSERT(again.value->dimension() == value.dimension);
}

}  // namespace
}  // namespace davit::input
