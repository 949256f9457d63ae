#include "davit/assembly/axis.hpp"

namespace davit::input {

Shape Codec<AxisSpec>::shape(const Unit&) {
  Shape shape;
  shape.example = "z, -x or [0, 0.6, 0.8]";
  return shape;
}

void Codec<AxisSpec>::read(const Node& node, const Shape&, Problems& problems, AxisSpec& value) {
  static const std::vector<std::pair<std::string, Vec3>> words = {
      {"x", {1, 0, 0}}, {"y", {0, 1, 0}}, {"z", {0, 0, 1}}, {"-x", {-1, 0, 0}}, {"-y", {0, -1, 0}}, {"-z", {0, 0, -1}}};
  const char* const remedy = "give x, y, z, -x, -y, -z or three numbers, e.g. [0, 0.6, 0.8]";
  if (node.is_scalar()) {
    for (const auto& [word, direction] : words)
      if (node.text == word) {
        value.direction = direction;
        return;
      }
    problems.error(node.where(), "'" + node.text + "' is no axis", remedy);
    return;
  }
  if (!node.is_sequence() || node.items.size() != 3) {
    problems.error(node.where(), "found " + found(node) + "; an axis is expected here", remedy);
    return;
  }
  const Shape number = Codec<double>::shape(unit("1"));
  for (size_t i = 0; i < 3; ++i)
    Codec<double>::read(node.items[i], number, problems, value.direction[static_cast<Eigen::Index>(i)]);
  if (!(value.direction.norm() > 1e-9)) problems.error(node.where(), "the axis has no direction", remedy);
}

Node Codec<AxisSpec>::write(const AxisSpec& value, const Shape&) {
  for (int i = 0; i < 3; ++i)
    for (double sign : {1.0, -1.0})
      if (value.direction == sign * Vec3(Vec3::Unit(i)))
        return scalar_node(std::string(sign < 0 ? "-" : "") + "xyz"[i]);
  Node node = sequence_node();
  for (double x : value.direction) node.items.push_back(write_number(x, Codec<double>::shape(unit("1"))));
  return node;
}

}  // namespace davit::input
