// A small crane that uses every kind of field: what the tests of records and schemas read.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "davit/input/record.hpp"

namespace davit::input::test {

enum class Axis { x, y, z };

struct Slide {
  Axis along = Axis::x;
  double travel = 0;
  static const Record<Slide>& record();
};

struct Joint {
  std::optional<Nothing> free;
  std::optional<Axis> revolute;
  std::optional<Slide> slide;
  static const Record<Joint>& record();
};

struct Spring {
  Reference joint;
  double stiffness = 0;
  std::optional<double> rest;
  Eigen::Vector3d at = Eigen::Vector3d(0, 0, 2);
  Where where;
  static const Record<Spring>& record();
};

struct Body {
  double mass = 0;
  Joint joint;
  Axis up = Axis::z;
  bool fixed = false;
  std::vector<Body> parts;
  static const Record<Body>& record();
};

struct Limit {
  Reference channel;
  std::optional<Threshold> below;
  std::optional<Quantity> above;
  static const Record<Limit>& record();
};

struct Crane {
  std::string title;
  Named<Body> bodies;
  std::vector<Spring> springs;
  std::vector<Limit> limits;
  int sheaves = 1;
  std::int64_t seed = 7;
  double efficiency = 0.98;
  std::vector<double> speeds;
  std::optional<Node> extra;
  static const Record<Crane>& record();
};

}  // namespace davit::input::test
