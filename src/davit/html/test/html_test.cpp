#include "davit/html/html.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace davit::html {
namespace {

TEST(Html, NumbersReadWell) {
  EXPECT_EQ(number(12.3456789), "12.346");
  EXPECT_EQ(number(-0.5), "−0.5");
  EXPECT_EQ(number(0.0), "0");
  EXPECT_EQ(number(-0.0), "0");
  EXPECT_EQ(number(123456.0), "123456");
  EXPECT_EQ(number(1.23456e9), "1.2346×10⁹");
  EXPECT_EQ(number(-2e-12), "−2×10⁻¹²");
  EXPECT_EQ(number(std::nan("")), "–");
  EXPECT_EQ(number(INFINITY), "∞");
  EXPECT_EQ(number(std::optional<double>()), "–");
}

}  // namespace
}  // namespace davit::html
