#include "davit/constraint/register.hpp"

#include "davit/assembly/axis.hpp"
#include "davit/constraint/frame_constraint.hpp"
#include "davit/constraint/point_distance.hpp"

namespace davit::constraint {

namespace {

using input::Record;
using input::Reference;

// Force and moment on the second body about its point, in world axes.
void add_channels(const std::string& name, const std::shared_ptr<const Geometry>& geometry, const Frame& to,
                  int first_row, Assembly& assembly) {
  static const char* const parts[] = {"Fx", "Fy", "Fz", "Mx", "My", "Mz"};
  for (int i = 0; i < 6; ++i) {
    Channel c;
    c.name = name + ".reaction." + parts[i];
    c.unit = i < 3 ? "N" : "N m";
    c.description = std::string(i < 3 ? "force" : "moment") + " on the second body about its point, in world axes";
    c.source = "multipliers of constraint " + name;
    c.group = name + (i < 3 ? " forces" : " moments");
    c.main = i < 3;
    c.value = [geometry, to, first_row, i](const State&, const Workspace& w) {
      thread_local JacobianT<double> jacobian;
      jacobian.clear();
      geometry->jacobian(w.kin, jacobian);
      Wrench sum;
      for (const auto& e : jacobian.entries)
        if (e.body == to.body) sum += w.rows.lambda[first_row + e.row] * e.wrench(w.kin);
      const Wrench at_point = sum.about(w.kin.body[static_cast<size_t>(to.body)].R * to.offset.p);
      return i < 3 ? at_point.f[i] : at_point.n[i - 3];
    };
    assembly.add_channel(std::move(c));
  }
}

bool same_body(const Frame& a, const Frame& b, const Reference& to, Assembly& assembly) {
  if (a.body != b.body) return false;
  assembly.problems().error(to.where, "both ends are on one body", "let 'from' and 'to' be on different bodies");
  return true;
}

// The kinds that hold frames together, told apart by what they hold; z is their axis.
enum class Kind { ball, hinge, slider, cylindrical, planar, fixed };

template <Kind kind>
struct FrameSpec {
  Reference from, to;
  AxisSpec axis;

  static constexpr FrameConstraint::Held held() {
    switch (kind) {
      case Kind::ball:
        return {{true, true, true}, {false, false, false}};
      case Kind::hinge:
        return {{true, true, true}, {true, true, false}};
      case Kind::slider:
        return {{true, true, false}, {true, true, true}};
      case Kind::cylindrical:
        return {{true, true, false}, {true, true, false}};
      case Kind::planar:
        return {{false, false, true}, {true, true, false}};
      default:
        return {{true, true, true}, {true, true, true}};
    }
  }
  static const Record<FrameSpec>& record() {
    struct Words {
      const char *name, *help;
    };
    constexpr Words words[] = {
        {"ball", "Two points stay together"},
        {"hinge", "Two points stay together and the bodies turn about one axis"},
        {"slider", "The bodies slide along an axis without turning"},
        {"cylindrical", "The bodies slide along and turn about an axis"},
        {"planar", "A point stays in a plane through the other and the bodies turn about its normal"},
        {"fixed", "The bodies are held together as they are at the start"}};
    constexpr Words own = words[static_cast<size_t>(kind)];
    static const auto r = [&] {
      auto record = Record<FrameSpec>(std::string(own.name) + "_constraint", own.help)
                        .field("from", &FrameSpec::from, "a body or a point of one")
                        .example("boom.tip")
                        .field("to", &FrameSpec::to, "a body or a point of one")
                        .example("link.pin");
      if (kind != Kind::ball && kind != Kind::fixed)
        record.field("axis", &FrameSpec::axis, "the axis, in the axes of the first body").by_default();
      return record;
    }();
    return r;
  }
  void build(const std::string& name, Assembly& assembly) const {
    auto a = assembly.frame(from), b = assembly.frame(to);
    if (!a || !b || same_body(*a, *b, to, assembly)) return;
    // Aligned as they are at the start.
    const Kin kin = assembly.start_kinematics();
    a->offset.R = (a->offset.R * rotation_from_z(axis.direction)).eval();
    b->offset.R = kin.body[static_cast<size_t>(b->body)].R.transpose() * rotation(kin, *a);
    const auto geometry = std::make_shared<FrameConstraint>(*a, *b, held());
    add_channels(name, geometry, *b, assembly.add(Constraint{name, geometry}), assembly);
  }
};

struct RodSpec {
  Reference from, to;
  std::optional<double> length;

  static const Record<RodSpec>& record() {
    static const auto r = Record<RodSpec>("rod_constraint", "Two points keep their distance: a rod without mass")
                              .field("from", &RodSpec::from, "a body or a point of one")
                              .field("to", &RodSpec::to, "a body or a point of one")
                              .field("length", &RodSpec::length, "m", "the distance; that at the start if not given")
                              .above(0);
    return r;
  }
  void build(const std::string& name, Assembly& assembly) const {
    const auto a = assembly.frame(from), b = assembly.frame(to);
    if (!a || !b || same_body(*a, *b, to, assembly)) return;
    const Kin kin = assembly.start_kinematics();
    const double start = (position(kin, *b) - position(kin, *a)).norm();
    if (!(start > 1e-6)) {
      assembly.problems().error(to.where, "the ends of the rod are at one place",
                                "use a ball constraint, or move an end");
      return;
    }
    const auto geometry = std::make_shared<PointDistance>(*a, *b, length.value_or(start));
    add_channels(name, geometry, *b, assembly.add(Constraint{name, geometry}), assembly);
  }
};

}  // namespace

void register_elements(Registry& registry) {
  registry.constraints.add_kind<FrameSpec<Kind::ball>>("ball");
  registry.constraints.add_kind<FrameSpec<Kind::hinge>>("hinge");
  registry.constraints.add_kind<FrameSpec<Kind::slider>>("slider");
  registry.constraints.add_kind<FrameSpec<Kind::cylindrical>>("cylindrical");
  registry.constraints.add_kind<FrameSpec<Kind::planar>>("planar");
  registry.constraints.add_kind<FrameSpec<Kind::fixed>>("fixed");
  registry.constraints.add_kind<RodSpec>("rod");
}

}  // namespace davit::constraint
