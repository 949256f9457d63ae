// The tree block: bodies on joints in minimal coordinates, a forest of any shape. Multi-axis joints become chains of
// primitive segments (revolute and prismatic about their z axis, ball, free, fixed) whose inner links are massless, so
// the O(n) kernels know five primitives only. Kernels: tree_kernels.hpp. Kane's matrices: kane.hpp.
#pragma once

#include <optional>
#include <stdexcept>

#include "davit/math/export.hpp"
#include "davit/model/block.hpp"
#include "davit/model/body.hpp"

namespace davit {

int speeds_of(Primitive);

// One primitive joint and the link outboard of it. Segment i of the tree is body i of the Kin (0 is the world).
struct Segment {
  int parent = 0;
  int q = 0, u = 0;  // first coordinate and speed
  Primitive kind = Primitive::fixed;
  bool offset = false;    // before.p is not zero
  bool turned = false;    // before.R is not the identity
  bool inertial = false;  // the link has inertia of its own
  Pose before;            // joint frame (its z is the axis) in the parent segment's frame
  double mass = 0;
  Vec3 moment = Vec3::Zero();  // mass × centre, in the segment's frame
  Sym3 J;                      // about the segment's origin
};

// A user's body in the tree.
struct TreeBody {
  Body body;
  int parent_body = -1;   // index of the body it is on, -1 for the world
  int first_segment = 0;  // the segments of its joint, inclusive; the last carries the body
  int last_segment = 0;
  int q = 0, u = 0;
  Pose frame;  // the body's frame in its last segment's frame
};

class DAVIT_API Tree final : public Block {
 public:
  // Bodies in any order; throws std::invalid_argument that names the body when a parent is missing or in a cycle, a
  // name is used twice, an axis is zero or start values are of the wrong number.
  explicit Tree(std::vector<Body> bodies);

  const std::vector<Segment>& segments() const { return segments_; }  // [0] is the world
  const std::vector<TreeBody>& bodies_of_tree() const { return bodies_; }
  const TreeBody& body(const std::string& name) const;
  std::optional<int> find(const std::string& name) const;  // index into bodies_of_tree
  std::vector<std::string> segment_names() const;
  // Whether a segment is `of` or hangs on it. Parents come before children.
  bool is_outboard(int segment, int of) const {
    while (segment > of) segment = segments_[static_cast<size_t>(segment)].parent;
    return segment == of;
  }

  // A frame fixed in a body ("world" too): its own frame, moved by `offset`.
  Frame frame(const std::string& body, const Pose& offset = {}) const;
  // The wrench that a body's inboard joint exerts on it, about the body's point at the joint, in the axes of the body
  // or of its parent: Cibicik & Egeland (39)-(50), all six components.
  enum class Axes { body, parent };
  Wrench reaction(const Kin&, const std::vector<Wrench>& transmitted, int body, Axes axes) const;

  int nq() const override { return nq_; }
  int nu() const override { return nu_; }
  int bodies() const override { return static_cast<int>(segments_.size()) - 1; }
  bool constant_mass() const override { return false; }
  std::vector<std::vector<int>> groups() const override;
  std::vector<int> chain_to(int body) const override;
  std::vector<int> speeds_moving(int body) const override;
  void initial_state(double* q, double* u) const override;
  void difference(const double* q0, const double* q1, double* d) const override;
  void increment_rate(const double* d, const double* u, double* rate) const override;

  std::unique_ptr<BlockWork> make_work(double) const override;
  std::unique_ptr<BlockWork> make_work(Dual8) const override;
  void retract(const double* q, const double* d, double* q1) const override;
  void retract(const Dual8* q, const Dual8* d, Dual8* q1) const override;
  void kinematics(const double* q, const double* u, KinT<double>&) const override;
  void kinematics(const Dual8* q, const Dual8* u, KinT<Dual8>&) const override;
  void momentum_rate(const KinT<double>&, const double* a, const LoadsT<double>&, BlockWork&, double* residual,
                     WrenchT<double>* transmitted) const override;
  void momentum_rate(const KinT<Dual8>&, const Dual8* a, const LoadsT<Dual8>&, BlockWork&, Dual8* residual,
                     WrenchT<Dual8>* transmitted) const override;

  double rate(const KinT<double>& kin, const JacobianT<double>::Entry& entry) const override {
    return rigid_rate(kin, entry);
  }
  Dual8 rate(const KinT<Dual8>& kin, const JacobianT<Dual8>::Entry& entry) const override {
    return rigid_rate(kin, entry);
  }
  void apply(const KinT<double>& kin, const JacobianT<double>::Entry& entry, const double& factor,
             LoadsT<double>& loads, double*) const override {
    loads.wrench[static_cast<size_t>(entry.body)] += factor * entry.wrench(kin);
  }
  void apply(const KinT<Dual8>& kin, const JacobianT<Dual8>::Entry& entry, const Dual8& factor, LoadsT<Dual8>& loads,
             Dual8*) const override {
    loads.wrench[static_cast<size_t>(entry.body)] += factor * entry.wrench(kin);
  }
  void add_wrench(const Kin&, int body, const Wrench&, double* generalised) const override;
  void add_generalised(const KinT<double>&, const JacobianT<double>::Entry&, const double& factor,
                       double* generalised) const override;
  void add_generalised(const KinT<Dual8>&, const JacobianT<Dual8>::Entry&, const Dual8& factor,
                       Dual8* generalised) const override;

  void factor_mass(const Kin&, const Loads&, BlockWork&) const override;
  void forward(const Kin&, const Loads&, BlockWork&, double* a, Wrench* transmitted) const override;
  void solve_mass(const Kin&, BlockWork&, const double* r, double* a, Wrench* transmitted) const override;
  void solve_mass_along(const Kin&, BlockWork&, std::span<const int> chain, const double* r, double* a) const override;
  MassFailure mass_failure(const BlockWork&) const override;
  double kinetic_energy(const Kin&) const override;
  std::vector<std::string> speed_names() const override;
  void add_observables(Observables&) const override;

 private:
  int add_segment(int parent, Primitive kind, const Pose& before, int q, int u);
  int add_joint(TreeBody& body, int parent_segment, const Pose& parent_frame);

  std::vector<Segment> segments_;
  std::vector<TreeBody> bodies_;
  int nq_ = 0, nu_ = 0;
};

}  // namespace davit
