// Goes through a tree with the description of what it may hold (a record) and tells what each piece is: so names and
// arithmetic can be replaced where they mean something, and never in free text.
#pragma once

#include "davit/input/node.hpp"
#include "davit/input/record_info.hpp"

namespace davit::input {

class ShapeVisitor {
 public:
  virtual ~ShapeVisitor() = default;
  // Of any kind that its shape asks for, or of another that will be reported when it is read. What no record
  // describes has the shape `any`.
  virtual void scalar(Node& scalar, const Shape& shape) = 0;
  // A map whose keys are references, before its values.
  virtual void targets(Node& map) { (void)map; }
  // A map that a record describes, before what is in it.
  virtual void record(Node& map, const RecordInfo& info) { (void)map, (void)info; }
};

void walk(Node& node, const Shape& shape, ShapeVisitor& visitor);
void walk(Node& node, const RecordInfo& record, ShapeVisitor& visitor);

}  // namespace davit::input
