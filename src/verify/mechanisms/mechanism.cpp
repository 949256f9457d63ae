#include "verify/mechanisms/mechanism.hpp"

#include <stdexcept>

#include "davit/constraint/spring_law.hpp"
#include "davit/dynamics/director_body.hpp"
#include "davit/force/gravity.hpp"

namespace davit::verify {

namespace {

Frame moved(const Frame& frame, const Pose& by) { return {frame.body, frame.offset * by}; }

// The rows that hold what a joint holds: frames on the parent and on the body, and the components.
Assembled::Held held_by_joint(const Body& body, const Frame& parent, const Frame& own) {
  const Frame before = moved(parent, body.at), after = moved(own, body.frame.inverse());
  const Pose along{rotation_from_z(body.joint.axis), Vec3::Zero()};
  switch (body.joint.kind) {
    case JointKind::free:
      return {body.name, before, after, {}, -1, {}};
    case JointKind::revolute:
      return {body.name, moved(before, along), moved(after, along), hinge_about_z, -1, {}};
    case JointKind::prismatic:
      return {body.name, moved(before, along), moved(after, along), {{true, true, false}, {true, true, true}}, -1, {}};
    case JointKind::universal: {
      // The row about y keeps z of the first frame perpendicular to x of the second.
      const Mat3 turned = rotation_from_z(body.joint.second_axis);
      Mat3 second;
      second << turned.col(2), turned.col(0), turned.col(1);
      return {body.name,
              moved(before, along),
              moved(after, {second, Vec3::Zero()}),
              {{true, true, true}, {false, true, false}},
              -1,
              {}};
    }
    case JointKind::spherical:
    case JointKind::roll_pitch_yaw:
      return {body.name, before, after, {{true, true, true}, {}}, -1, {}};
    default:
      throw std::logic_error("no rows for the joint of " + body.name);
  }
}

bool holds_nothing(const FrameConstraint::Held& held) { return !held.position[0]; }

}  // namespace

const char* name_of(Formulation made) {
  switch (made) {
    case Formulation::joints:
      return "tree joints";
    case Formulation::free_bodies:
      return "free bodies";
    default:
      return "director bodies";
  }
}

Pose hinge_at(const Vec3& point, const Vec3& axis) { return {rotation_from_z(axis), point}; }

Frame Assembled::frame(const std::string& body, const Vec3& point) const {
  return moved(frames.at(body), {Mat3::Identity(), point});
}

Wrench Assembled::carried(const Kin& kin, const Held& joint, const Wrench& on_body) const {
  const Wrench at_joint = on_body.about(position(kin, joint.b) - position(kin, frames.at(joint.body)));
  const Vec3 z = rotation(kin, joint.a).col(2);
  switch (joint.held.rotation[0] + joint.held.rotation[1] + joint.held.rotation[2]) {
    case 0:
      return {Vec3::Zero(), at_joint.f};
    case 3:
      return {at_joint.n, at_joint.f - z * z.dot(at_joint.f)};
    case 1: {
      const Vec3 cross = z.cross(Vec3(rotation(kin, joint.b).col(0)));
      return {cross * (cross.dot(at_joint.n) / cross.squaredNorm()), at_joint.f};
    }
    default:
      return {at_joint.n - z * z.dot(at_joint.n), at_joint.f};
  }
}

std::vector<Wrench> Assembled::reactions(const Workspace& w, const VecX& lambda) const {
  std::vector<Wrench> out;
  for (const Held& joint : joints) {
    if (holds_nothing(joint.held)) continue;
    const Frame& own = frames.at(joint.body);
    Wrench on_body;
    if (joint.constraint < 0) {
      on_body = w.transmitted[static_cast<size_t>(own.body)];
    } else {
      const auto& placed = model->constraints()[static_cast<size_t>(joint.constraint)];
      JacobianT<double> jacobian;
      placed.constraint.geometry->jacobian(w.kin, jacobian);
      for (const auto& e : jacobian.entries)
        if (e.body == own.body) on_body += lambda[placed.first_row + e.row] * e.wrench(w.kin);
    }
    const Vec3 arm = w.kin.body[static_cast<size_t>(own.body)].R * own.offset.p;
    out.push_back(carried(w.kin, joint, on_body.about(arm)));
  }
  return out;
}

Assembled assemble(const Mechanism& mechanism, Formulation made, const AssemblyOptions& options) {
  const auto joined = std::make_shared<Tree>(mechanism.bodies);
  Assembled out;
  ModelParts parts;
  // Where everything is and how it moves at the start.
  ModelParts first;
  first.blocks = {joined};
  first.body_names = joined->segment_names();
  const Model joined_model(std::move(first));
  System joined_system(joined_model);
  const State joined_start = joined_model.initial_state();
  joined_system.evaluate(joined_start, System::Want::unconstrained);
  const Kin& kin = joined_system.workspace().kin;
  const auto pose = [&](const std::string& name) {
    return Pose{rotation(kin, joined->frame(name)), position(kin, joined->frame(name))};
  };
  const auto twist = [&](const std::string& name) {
    const Frame f = joined->frame(name);
    return Twist{kin.body[static_cast<size_t>(f.body)].w, velocity(kin, f)};
  };

  out.frames["world"] = Frame{};
  parts.body_names = {"world"};
  if (made == Formulation::directors) {
    out.tree = std::make_shared<Tree>(std::vector<Body>{});
    parts.blocks = {out.tree};
    for (const Body& b : mechanism.bodies) {
      const auto body = std::make_shared<DirectorBody>(after(*parts.blocks.back()), b, pose(b.name), twist(b.name));
      parts.blocks.push_back(body);
      parts.constraints.push_back(body->rigidity());
      parts.body_names.push_back(b.name);
      out.frames[b.name] = body->frame();
    }
  } else {
    std::vector<Body> bodies = mechanism.bodies;
    if (made == Formulation::free_bodies)
      for (Body& b : bodies) {
        b.on = "world";
        b.at = b.frame = Pose{};
        b.joint = Joint{};
        b.joint.kind = JointKind::free;
      }
    out.tree = made == Formulation::joints ? joined : std::make_shared<const Tree>(std::move(bodies));
    parts.blocks = {out.tree};
    parts.body_names = out.tree->segment_names();
    for (const Body& b : mechanism.bodies) out.frames[b.name] = out.tree->frame(b.name);
  }

  std::vector<Gravity::Weight> weights;
  for (const Body& b : mechanism.bodies) {
    const Frame& own = out.frames[b.name];
    if (!b.weightless) weights.push_back({own.body, b.mass, own.offset * b.centre});
    out.joints.push_back(held_by_joint(b, out.frames.at(b.on), own));
    Assembled::Held& joint = out.joints.back();
    if (made == Formulation::joints || holds_nothing(joint.held)) continue;
    const auto geometry = std::make_shared<FrameConstraint>(joint.a, joint.b, joint.held);
    if (options.compliance == 0) {
      joint.constraint = static_cast<int>(parts.constraints.size());
      parts.constraints.push_back({b.name, geometry});
    } else {
      joint.compliant =
          std::make_shared<CompliantConstraint>(b.name, elastic_row(geometry, {.stiffness = 1 / options.compliance}));
      parts.forces.push_back(joint.compliant);
    }
  }
  if (!mechanism.gravity.isZero()) parts.forces.push_back(std::make_shared<Gravity>(mechanism.gravity, weights));
  for (const auto& c : mechanism.closures)
    parts.constraints.push_back(
        {c.name, std::make_shared<FrameConstraint>(moved(out.frames.at(c.from), c.from_at),
                                                   moved(out.frames.at(c.to), c.to_at), c.held)});
  if (options.add_forces) options.add_forces(out, parts);
  out.model = std::make_unique<Model>(std::move(parts));
  out.start = out.model->initial_state();
  if (made == Formulation::free_bodies)
    for (const Body& b : mechanism.bodies) {
      const TreeBody& body = out.tree->body(b.name);
      const Pose at = pose(b.name);
      const Quaternion turned = quaternion_of(at.R);
      out.start.q.segment<7>(body.q) << turned.w, turned.v, at.p;
      const Twist moves = twist(b.name);
      out.start.u.segment<6>(body.u) << at.R.transpose() * moves.w, at.R.transpose() * moves.v;
    }
  System system(*out.model);
  if (!system.satisfy_constraints(out.start)) throw std::logic_error("a mechanism does not close at its start");
  return out;
}

}  // namespace davit::verify
