// A direction as people write it: x, y, z, -x, -y, -z, or three numbers.
#pragma once

#include "davit/input/codec.hpp"
#include "davit/math/types.hpp"

namespace davit {

struct AxisSpec {
  Vec3 direction = Vec3::UnitZ();
};

}  // namespace davit

namespace davit::input {

template <>
struct Codec<AxisSpec> {
  static constexpr bool takes_unit = false;
  static Shape shape(const Unit&);
  static void read(const Node&, const Shape&, Problems&, AxisSpec&);
  static Node write(const AxisSpec&, const Shape&);
};

}  // namespace davit::input
