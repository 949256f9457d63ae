// What a part file says beside the sections of a scenario (what it is, its parameters, what others may use of it), and
// what a scenario says of a part that it uses.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "davit/input/expression.hpp"
#include "davit/input/file_path.hpp"
#include "davit/input/record.hpp"

namespace davit::input {

struct PartInfo {
  std::string title, description, source;
  static const Record<PartInfo>& record();
};

enum class ParameterKind { number, name, text, boolean };

struct ParameterSpec {
  ParameterKind kind = ParameterKind::number;
  std::string unit = "1";
  std::optional<Node> standard;  // its default
  std::optional<Quantity> least, most;
  bool whole = false;
  std::vector<std::string> choices;
  std::string meaning;
  Where where;
  static const Record<ParameterSpec>& record();
};

// A parameter as a part declares it: a map, or the value alone that it has by default.
ParameterSpec parameter_of(const Node& node, Problems& problems);

struct InstanceSpec {
  FilePath part;
  std::string as;  // in a list of parts
  Reference on{"world", {}};
  Eigen::Vector3d at = Eigen::Vector3d::Zero();
  double heading = 0;
  std::optional<Node> set;
  static const Record<InstanceSpec>& record();
};

// A list of parts, each with `as: NAME`, as the map from names that it stands for; anything else stays as it is.
void name_parts(Node& root, Problems& problems);

// References to what is around a part begin with this, once for every level.
inline constexpr const char* outside = "../";

// The values of parameters, of a part or of a scenario.
class Scope {
 public:
  // `declared` is the map of parameters, null for none; `given` are the values that the instance sets, null for none.
  // `user` is where the part is used: what must be given is missing there.
  Scope(const Node* declared, const Node* given, const Where& user, Problems& problems);

  // The value of an expression as a scalar that the shape can read, at the place of the node.
  void substitute(Node& scalar, const Shape& shape, Problems& problems) const;

 private:
  struct Parameter {
    ParameterKind kind = ParameterKind::number;
    bool good = false;  // or a mistake was reported, and what uses it is not reported again
    Value number;
    std::string text;  // of a name, text or boolean
  };
  void declare(const Node::Entry& entry, const Node* given, const Where& user, Problems& problems);
  Parameter read(const ParameterSpec& spec, const Node& value, bool from_outside, Problems& problems) const;
  Parameter read_number(const ParameterSpec& spec, const Node& value, Problems& problems) const;
  Parsed<Value> value_of(std::string_view name) const;
  std::vector<std::string> names() const;
  // "boom" and "boom.tip": the parameter that is a name, and what follows it.
  const Parameter* text_parameter(std::string_view expression, std::string_view& rest) const;

  std::map<std::string, Parameter, std::less<>> parameters_;
};

}  // namespace davit::input
