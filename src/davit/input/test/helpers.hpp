// What the tests of this module share: parsing a text, and comparing a problem with what is due.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "davit/input/document.hpp"
#include "davit/input/problems.hpp"

namespace davit::input {

inline Node parsed(std::string_view text) {
  Problems problems;
  std::optional<Node> node = parse_document(text, "lift.yaml", problems);
  EXPECT_EQ(problems.to_text(), "");
  return node.value_or(Node());
}

// The problems of a text that should have some.
inline std::string mistakes(std::string_view text) {
  Problems problems;
  parse_document(text, "lift.yaml", problems);
  return problems.to_text();
}

inline std::string place(const Where& where) {
  return where.path + "@" + std::to_string(where.line) + ":" + std::to_string(where.column);
}

}  // namespace davit::input
