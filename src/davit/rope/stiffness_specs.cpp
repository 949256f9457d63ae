#include "davit/rope/stiffness_specs.hpp"

#include "davit/rope/stiffness.hpp"

namespace davit::rope {

using input::Record;
using input::Reference;

const Record<BendingSpec>& BendingSpec::record() {
  static const auto r =
      Record<BendingSpec>("bending", "The bending stiffness of a rope that is described by points along it")
          .field("along", &BendingSpec::along, "the points in order: particles, bodies or points of bodies")
          .example("[crane.tip, p1, p2, p3]")
          .field("EI", &BendingSpec::EI, "N m^2", "bending stiffness")
          .above(0)
          .field("clamp", &BendingSpec::clamp,
                 "direction in which it leaves the first point, in the axes of that body; free to turn if not given")
          .located(&BendingSpec::where);
  return r;
}

void BendingSpec::build(const std::string& name, Assembly& assembly) const {
  std::vector<Frame> points;
  for (const Reference& reference : along)
    if (const auto frame = assembly.frame(reference)) points.push_back(*frame);
  if (points.size() < along.size()) return;
  if (points.size() < (clamp ? 2u : 3u)) {
    assembly.problems().error(where, "too few points to bend", "name three points, or two and a clamp");
    return;
  }
  if (clamp && !assembly.can_rotate(points[0], along[0])) return;
  const Kin start = assembly.start_kinematics();
  for (size_t i = 0; i + 1 < points.size(); ++i)
    if (!((position(start, points[i + 1]) - position(start, points[i])).norm() > 1e-9)) {
      assembly.problems().error(along[i + 1].where, "two points are at one place", "name points along the rope");
      return;
    }
  Bending::Clamp direction;
  if (clamp) direction = clamp->direction.normalized();
  assembly.add(std::make_shared<Bending>(name, std::move(points), EI, direction, start));
}

const Record<TorsionSpec>& TorsionSpec::record() {
  static const auto r = Record<TorsionSpec>("torsion", "The torsional stiffness of a rope between two bodies")
                            .field("from", &TorsionSpec::from, "a body or a point of one")
                            .field("to", &TorsionSpec::to, "a body or a point of one")
                            .field("GJ", &TorsionSpec::GJ, "N m^2",
                                   "torsional stiffness; a twist is held by GJ over the distance of the two points")
                            .above(0);
  return r;
}

void TorsionSpec::build(const std::string& name, Assembly& assembly) const {
  const auto a = assembly.frame(from), b = assembly.frame(to);
  if (!a || !b || !assembly.can_rotate(*a, from) || !assembly.can_rotate(*b, to)) return;
  const Kin start = assembly.start_kinematics();
  if (!((position(start, *b) - position(start, *a)).norm() > 1e-9)) {
    assembly.problems().error(to.where, "both ends are at one place", "name points with rope between them");
    return;
  }
  const auto torsion = std::make_shared<Torsion>(name, *a, *b, GJ, start);
  assembly.add(torsion);
  assembly.observables().add_scalar(
      {name + ".twist", "rad", "twist of " + to.name + " against " + from.name + " since the start", "torsion " + name,
       "rope twist"},
      [torsion](const State&, const Workspace& w) { return torsion->twist(w.kin); });
}

}  // namespace davit::rope
