#include "davit/api/model_builder.hpp"

#include <fmt/format.h>

#include "davit/input/emit.hpp"
#include "davit/scenario/scenario.hpp"

namespace davit {

namespace {

// What messages name in place of a file.
const std::string builder_name = "ModelBuilder";

// The value of a key of a map, made where there is none.
input::Node& value_of_key(input::Node& map, std::string_view key, input::Node::Kind kind) {
  if (input::Node* found = map.find(key)) return *found;
  map.entries.push_back({std::string(key), {}, {}});
  map.entries.back().value.kind = kind;
  return map.entries.back().value;
}

void set_place(input::Node& node, const input::Place& place) {
  node.place = place;
  for (input::Node& item : node.items) set_place(item, place);
  for (input::Node::Entry& entry : node.entries) {
    entry.place = place;
    set_place(entry.value, place);
  }
}

}  // namespace

input::Quantity quantity(double number, std::string_view unit) {
  input::Quantity q;
  q.number = number;
  q.unit = input::unit(unit);
  q.has_unit = true;
  q.text = fmt::format("{} {}", number, unit);
  return q;
}

namespace joint {

namespace {

template <class Kind>
JointSpec of(std::optional<Kind> JointSpec::*kind, const Kind& value) {
  JointSpec spec;
  spec.*kind = value;
  return spec;
}

}  // namespace

JointSpec revolute(const Vec3& axis) { return of(&JointSpec::revolute, AxisSpec{axis}); }
JointSpec prismatic(const Vec3& axis) { return of(&JointSpec::prismatic, AxisSpec{axis}); }
JointSpec cylindrical(const Vec3& axis) { return of(&JointSpec::cylindrical, AxisSpec{axis}); }
JointSpec planar(const Vec3& normal) { return of(&JointSpec::planar, AxisSpec{normal}); }
JointSpec universal(const Vec3& first_axis, const Vec3& second_axis) {
  return of(&JointSpec::universal, {AxisSpec{first_axis}, AxisSpec{second_axis}});
}
JointSpec spherical() { return of(&JointSpec::spherical, {}); }
JointSpec roll_pitch_yaw() { return of(&JointSpec::roll_pitch_yaw, {}); }
JointSpec free() { return of(&JointSpec::free, {}); }

}  // namespace joint

ModelBuilder::ModelBuilder(const std::string& title) : root_(input::map_node()) {
  root_.entries.push_back({"davit", {}, input::scalar_node("1")});
  root_.entries.push_back({"title", {}, input::write_text(title)});
}

input::Reference ModelBuilder::add_to(const std::string& section, const std::string& name, input::Node value) {
  value_of_key(root_, section, input::Node::Kind::map).entries.push_back({name, {}, std::move(value)});
  return {name, {}};
}

input::Reference ModelBuilder::add(const std::string& name, const BodySpec& body) {
  return add_to("bodies", name, BodySpec::record().write(body));
}
input::Reference ModelBuilder::add_element(const std::string& name, std::type_index type, input::Node value) {
  for (const auto& section : registry().sections())
    if (auto element = section->wrapped(type, value)) return add_to(section->key(), name, *std::move(element));
  throw std::logic_error(
      fmt::format("'{}' is of no registered kind: register it first, by add_force and the like or add_section", name));
}

input::Reference ModelBuilder::add(const std::string& name,
                                   std::function<void(const std::string& name, Assembly&)> build) {
  own_.emplace_back(name, BuiltByProgram{std::move(build)});
  return {name, {}};
}

input::Reference ModelBuilder::add_point(const input::Reference& body, const std::string& name, const Vec3& at) {
  for (const char* section : {"bodies", "vessels"})
    if (input::Node* list = root_.find(section))
      if (input::Node* found = list->find(body.name)) {
        input::Node& points = value_of_key(*found, "points", input::Node::Kind::map);
        if (points.find(name)) throw std::logic_error(fmt::format("'{}' has a point '{}' already", body.name, name));
        points.entries.push_back(
            {name, {}, input::Codec<Vec3>::write(at, input::Codec<Vec3>::shape(input::unit("m")))});
        return {body.name + "." + name, {}};
      }
  throw std::logic_error(
      fmt::format("there is no body or vessel '{}' to have the point '{}': add it first", body.name, name));
}

void ModelBuilder::add(const PhaseSpec& phase) {
  value_of_key(root_, "operation", input::Node::Kind::sequence).items.push_back(PhaseSpec::record().write(phase));
}
void ModelBuilder::add(const LimitSpec& limit) {
  value_of_key(root_, "limits", input::Node::Kind::sequence).items.push_back(LimitSpec::record().write(limit));
}
void ModelBuilder::set(const EnvironmentSpec& environment) {
  value_of_key(root_, "environment", input::Node::Kind::map) = EnvironmentSpec::record().write(environment);
}
void ModelBuilder::set(const RiggingSpec& rigging) {
  value_of_key(root_, "rigging", input::Node::Kind::map) = RiggingSpec::record().write(rigging);
}
void ModelBuilder::set(const RunSpec& run) {
  value_of_key(root_, "run", input::Node::Kind::map) = RunSpec::record().write(run);
}

Lift ModelBuilder::build() const {
  input::Node root = root_;
  input::set_paths(root, nullptr);
  set_place(root, {std::make_shared<const std::string>(builder_name), 0, 0});
  input::Problems problems;
  return Lift(build_scenario(root, builder_name, own_, problems), problems);
}

std::string ModelBuilder::to_yaml() const { return input::to_yaml(root_); }

}  // namespace davit
