#include "davit/input/shape_walk.hpp"

namespace davit::input {

namespace {

const Shape anything;

const Shape& element_of(const Shape& shape) { return shape.element.empty() ? anything : shape.element.front(); }

const Shape& shape_of(const RecordInfo& record, const std::string& key) {
  for (const FieldInfo& field : record.fields())
    if (field.key == key || (!field.also.empty() && field.also == key)) return field.shape;
  return anything;
}

}  // namespace

void walk(Node& node, const RecordInfo& record, ShapeVisitor& visitor) {
  // The bare word of a one-of stands for an alternative and is nothing that could be replaced.
  if (!node.is_map()) return;
  visitor.record(node, record);
  for (Node::Entry& entry : node.entries) walk(entry.value, shape_of(record, entry.key), visitor);
}

void walk(Node& node, const Shape& shape, ShapeVisitor& visitor) {
  if (shape.kind == Shape::Kind::record) return walk(node, shape.record(), visitor);
  if (node.is_scalar()) return visitor.scalar(node, shape);
  if (shape.kind == Shape::Kind::targets && node.is_map()) visitor.targets(node);
  for (Node& item : node.items) walk(item, shape.kind == Shape::Kind::list ? element_of(shape) : anything, visitor);
  const bool named = shape.kind == Shape::Kind::names || shape.kind == Shape::Kind::targets;
  for (Node::Entry& entry : node.entries) walk(entry.value, named ? element_of(shape) : anything, visitor);
}

}  // namespace davit::input
