// A controller in a shared library as a file describes it:
//
//   control:
//     antisway:
//       library: {file: libantisway.so, sample_time: 20 ms, measure: [antisway.trolley.target_rate, sway.angle],
//                 drive: [trolley], parameters: {length: 12 m, gain: 0.4}}
#pragma once

#include "davit/control/sensor_spec.hpp"
#include "davit/input/file_path.hpp"

namespace davit::control {

// `limits: {trolley: 50 kN}`.
struct DriveLimitSpecs {
  std::vector<std::pair<input::Reference, input::Quantity>> limits;
};

struct DAVIT_API LibrarySpec {
  input::FilePath file;
  double sample_time = 0;
  std::vector<input::Reference> measure, drive;
  SensorSpecs sensors;
  DriveLimitSpecs limits;
  input::Named<input::Quantity> parameters;
  double time_limit = 10;
  input::Where where;

  static const input::Record<LibrarySpec>& record();
  void declare(const std::string& name, Assembly& assembly) const;
  void build(const std::string& name, Assembly& assembly) const;
};

}  // namespace davit::control

namespace davit::input {

template <>
struct Codec<control::DriveLimitSpecs> {
  static constexpr bool takes_unit = false;
  static Shape shape(const Unit&);
  static void read(const Node&, const Shape&, Problems&, control::DriveLimitSpecs&);
  static Node write(const control::DriveLimitSpecs&, const Shape&);
};

}  // namespace davit::input
