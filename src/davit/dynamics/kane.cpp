#include "davit/dynamics/kane.hpp"

namespace davit {

namespace {

Vec3 centre_of(const Segment& s) { return s.mass > 0 ? Vec3(s.moment / s.mass) : Vec3(Vec3::Zero()); }

// The screw of one speed: axis and point in world axes with their rates.
struct MovingScrew {
  bool rotation;
  Vec3 axis, axis_rate, point, point_rate;
};

std::vector<MovingScrew> screws(const Tree& tree, const Kin& kin) {
  std::vector<MovingScrew> out(static_cast<size_t>(tree.nu()));
  for (size_t i = 1; i < tree.segments().size(); ++i) {
    const Segment& s = tree.segments()[i];
    const auto& k = kin.body[i];
    const Vec3 parent_w = kin.body[static_cast<size_t>(s.parent)].w;
    const auto put = [&](int u, bool rotation, int column, const Vec3& carrier) {
      const Vec3 axis = k.R.col(column);
      out[static_cast<size_t>(u)] = {rotation, axis, carrier.cross(axis), k.p, k.v};
    };
    switch (s.kind) {
      case Primitive::fixed:
        break;
      case Primitive::revolute:
        put(s.u, true, 2, parent_w);
        break;
      case Primitive::prismatic:
        put(s.u, false, 2, parent_w);
        break;
      case Primitive::free:
        for (int c = 0; c < 3; ++c) put(s.u + 3 + c, false, c, k.w);
        [[fallthrough]];
      case Primitive::ball:
        for (int c = 0; c < 3; ++c) put(s.u + c, true, c, k.w);
        break;
    }
  }
  return out;
}

// Which segment a speed belongs to.
std::vector<int> owners(const Tree& tree) {
  std::vector<int> out(static_cast<size_t>(tree.nu()));
  for (size_t i = 1; i < tree.segments().size(); ++i) {
    const Segment& s = tree.segments()[i];
    for (int c = 0; c < speeds_of(s.kind); ++c) out[static_cast<size_t>(s.u + c)] = static_cast<int>(i);
  }
  return out;
}

}  // namespace

Mat6 central_inertia(const Segment& s) {
  const Vec3 c = centre_of(s);
  return SpatialInertia{s.J, skew(s.moment), Sym3::scaled_identity(s.mass)}.about(c).matrix();
}

std::vector<Projection> projections(const Tree& tree, const Kin& kin) {
  const auto screw = screws(tree, kin);
  const auto owner = owners(tree);
  std::vector<Projection> out(tree.segments().size());
  for (size_t k = 1; k < out.size(); ++k) {
    const auto& body = kin.body[k];
    const Vec3 arm = body.R * centre_of(tree.segments()[k]);
    const Vec3 centre = body.p + arm, centre_rate = body.v + body.w.cross(arm);
    const Mat3 Rt = body.R.transpose();
    out[k].P.setZero(6, tree.nu());
    out[k].P_dot.setZero(6, tree.nu());
    for (int j = 0; j < tree.nu(); ++j) {
      if (!tree.is_outboard(static_cast<int>(k), owner[static_cast<size_t>(j)])) continue;
      const MovingScrew& s = screw[static_cast<size_t>(j)];
      Vec3 w = Vec3::Zero(), w_rate = Vec3::Zero(), v = s.axis, v_rate = s.axis_rate;
      if (s.rotation) {
        w = s.axis, w_rate = s.axis_rate;
        v = s.axis.cross(centre - s.point);
        v_rate = s.axis_rate.cross(centre - s.point) + s.axis.cross(centre_rate - s.point_rate);
      }
      // d/dt (Rᵀ x) = Rᵀ (ẋ - ω × x)
      out[k].P.col(j) = rotated(Rt, Twist{w, v}).vector();
      out[k].P_dot.col(j) = rotated(Rt, Twist{w_rate - body.w.cross(w), v_rate - body.w.cross(v)}).vector();
    }
  }
  return out;
}

KaneMatrices kane_matrices(const Tree& tree, const Kin& kin) {
  const int n = tree.nu();
  KaneMatrices out{MatX::Zero(n, n), MatX::Zero(n, n), MatX::Zero(n, n), MatX::Zero(n, n)};
  const auto projection = projections(tree, kin);
  const Eigen::Map<const VecX> u(kin.u, n);
  for (size_t k = 1; k < projection.size(); ++k) {
    const Segment& s = tree.segments()[k];
    if (!s.inertial) continue;
    const auto& P = projection[k].P;
    const auto& P_dot = projection[k].P_dot;
    const Mat6 D = central_inertia(s);
    const Vec6 t = P * u, h = D * t;
    Mat6 W = Mat6::Zero();  // (35)
    W.topLeftCorner<3, 3>() = W.bottomRightCorner<3, 3>() = skew(Vec3(t.head<3>()));
    // W D t = -[ĥ_n ĥ_f; ĥ_f 0] t, (15)-(16) with angular rows first; about the centre v × h_f vanishes in the sum.
    Mat6 A = Mat6::Zero();
    A.topLeftCorner<3, 3>() = -skew(Vec3(h.head<3>()));
    A.topRightCorner<3, 3>() = A.bottomLeftCorner<3, 3>() = -skew(Vec3(h.tail<3>()));
    const MatX PtDPdot = P.transpose() * D * P_dot;
    out.M += P.transpose() * D * P;
    out.C += PtDPdot + P.transpose() * W * D * P;
    out.C_skew += PtDPdot + P.transpose() * A * P;
    out.M_dot += PtDPdot + PtDPdot.transpose();
  }
  return out;
}

Wrench auxiliary_speed_reaction(const Tree& tree, const Kin& kin, const Loads& loads, const VecX& a, int body) {
  const int first = tree.bodies_of_tree()[static_cast<size_t>(body)].first_segment;
  const Vec3 joint = kin.body[static_cast<size_t>(first)].p;
  const auto projection = projections(tree, kin);
  const Eigen::Map<const VecX> u(kin.u, tree.nu());
  Vec6 rho = Vec6::Zero();
  for (size_t k = 1; k < projection.size(); ++k) {
    if (!tree.is_outboard(static_cast<int>(k), first)) continue;
    const Segment& s = tree.segments()[k];
    const auto& motion = kin.body[k];
    const Vec3 arm = motion.R * centre_of(s);
    // P_ck (42): six unit auxiliary speeds at the joint move the outboard body as one with the joint.
    Mat6 P_c = Mat6::Zero();
    P_c.topLeftCorner<3, 3>() = P_c.bottomRightCorner<3, 3>() = motion.R.transpose();
    P_c.bottomLeftCorner<3, 3>() = -motion.R.transpose() * skew(Vec3(motion.p + arm - joint));
    const Vec6 t = projection[k].P * u, t_dot = projection[k].P * a + projection[k].P_dot * u;
    const Mat6 D = central_inertia(s);
    Mat6 W = Mat6::Zero();
    W.topLeftCorner<3, 3>() = W.bottomRightCorner<3, 3>() = skew(Vec3(t.head<3>()));
    const Wrench external = rotated(Mat3(motion.R.transpose()), loads.wrench[k].about(arm));
    rho += P_c.transpose() *
           (D * t_dot + W * D * t - external.vector());  // (50); the matrix inverted there is the identity
  }
  return Wrench::of(rho);
}

}  // namespace davit
