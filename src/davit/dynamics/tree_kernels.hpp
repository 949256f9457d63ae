// The O(n) recursions of the tree, one template over the scalar: kinematics out, momentum rates (Newton-Euler) out and
// back, articulated inertia back, accelerations out. Included only by tree_double.cpp and tree_dual.cpp.
//
// Everything is in world axes about each segment's own origin, so going to the parent is a shift by r without rotation.
// Accelerations are split: KinT holds those at u̇ = 0, the kernels add what u̇ brings. With P the articulated inertia,
// S the joint's columns and p the bias wrench of a segment and all outboard of it:
//   U = P S,  D = SᵀU,  P_parent += (P - U D⁻¹ Uᵀ) shifted,  p_parent += (p + U D⁻¹ (τ - Sᵀp)) shifted,
//   u̇ = D⁻¹ (τ - Sᵀp - Uᵀ a_parent),  a = a_parent + S u̇,  transmitted wrench = P a + p.
// Featherstone, Rigid Body Dynamics Algorithms (2008), ch. 7, in these coordinates.
#pragma once

#include <math.h>

#include "davit/dynamics/tree.hpp"

namespace davit {

template <class S>
struct SegmentWorkT {
  SpatialInertiaT<S> P;  // articulated (before: own) inertia
  WrenchT<S> p;          // bias wrench, then with all outboard
  Vec3T<S> U_n, U_f;     // P S of one-axis joints
  S D_inverse = S(0);
  Sym3T<S> J_inverse;   // ball: J⁻¹; free: inverse of the Schur complement J - H M⁻¹ Hᵀ
  Sym3T<S> M_inverse;   // free only
  Vec3T<S> alpha, acc;  // accelerations due to u̇
};

template <class S>
class TreeWorkT final : public BlockWork {
 public:
  explicit TreeWorkT(size_t segments) : segment(segments) {}
  std::vector<SegmentWorkT<S>> segment;
  int singular = -1;  // first segment whose motion has no inertia
};

namespace tree_kernels {

template <class S>
Vec3T<S> vec3(const S* x) {
  return {x[0], x[1], x[2]};
}
template <class S>
void put3(S* x, const Vec3T<S>& v) {
  x[0] = v.x(), x[1] = v.y(), x[2] = v.z();
}
template <class S>
QuaternionT<S> quaternion(const S* q) {
  return {q[0], vec3(q + 1)};
}
template <class S>
void put_quaternion(S* x, const QuaternionT<S>& q) {
  x[0] = q.w;
  put3(x + 1, q.v);
}

template <class S>
void retract(const std::vector<Segment>& segments, const S* q, const S* d, S* q1) {
  for (size_t i = 1; i < segments.size(); ++i) {
    const Segment& s = segments[i];
    switch (s.kind) {
      case Primitive::fixed:
        break;
      case Primitive::revolute:
      case Primitive::prismatic:
        q1[s.q] = q[s.q] + d[s.u];
        break;
      case Primitive::ball:
      case Primitive::free: {
        const QuaternionT<S> before = quaternion(q + s.q);
        const Vec3T<S> theta = vec3(d + s.u);
        // Normalised here, so that round-off in the norm never builds up.
        put_quaternion(q1 + s.q, (before * exp_quaternion(theta)).normalized());
        // A body-fixed displacement, in the axes of half the rotation: there and back again is the same way, so that
        // the middle of a step is its middle.
        if (s.kind == Primitive::free)
          put3<S>(q1 + s.q + 4,
                  vec3(q + s.q + 4) + (before * exp_quaternion(Vec3T<S>(S(0.5) * theta))).matrix() * vec3(d + s.u + 3));
        break;
      }
    }
  }
}

template <class S>
inline void sine_cosine(const S& x, S& sine, S& cosine) {
  using std::cos, std::sin;
  sine = sin(x);
  cosine = cos(x);
}
template <>
inline void sine_cosine(const double& x, double& sine, double& cosine) {
  ::sincos(x, &sine, &cosine);  // one call of the C library for both
}

template <class S>
void kinematics(const std::vector<Segment>& segments, const S* q, const S* u, std::vector<BodyKinT<S>>& body) {
  for (size_t i = 1; i < segments.size(); ++i) {
    const Segment& s = segments[i];
    const BodyKinT<S>& parent = body[static_cast<size_t>(s.parent)];
    BodyKinT<S>& k = body[i];

    if (s.turned) {
      k.R.noalias() = parent.R * as<S>(s.before.R);
    } else {
      k.R = parent.R;
    }
    if (s.offset) {
      k.r.noalias() = parent.R * as<S>(s.before.p);
    } else {
      k.r.setZero();
    }
    switch (s.kind) {
      case Primitive::fixed:
        k.w = parent.w;
        k.alpha = parent.alpha;
        k.v = parent.v;
        k.acc = parent.acc;
        break;
      case Primitive::revolute: {
        S sine, cosine;
        sine_cosine(q[s.q], sine, cosine);
        const Vec3T<S> x = k.R.col(0), y = k.R.col(1);
        k.R.col(0) = cosine * x + sine * y;
        k.R.col(1) = cosine * y - sine * x;
        const Vec3T<S> spin = u[s.u] * k.R.col(2);
        k.w = parent.w + spin;
        k.alpha = parent.alpha + parent.w.cross(spin);
        k.v = parent.v;
        k.acc = parent.acc;
        break;
      }
      case Primitive::prismatic: {
        const Vec3T<S> slide = u[s.u] * k.R.col(2);
        k.r += q[s.q] * k.R.col(2);
        k.w = parent.w;
        k.alpha = parent.alpha;
        k.v = parent.v + slide;
        k.acc = parent.acc + S(2) * parent.w.cross(slide);
        break;
      }
      case Primitive::ball: {
        k.R = (k.R * quaternion(q + s.q).matrix()).eval();
        const Vec3T<S> spin = k.R * vec3(u + s.u);
        k.w = parent.w + spin;
        k.alpha = parent.alpha + parent.w.cross(spin);
        k.v = parent.v;
        k.acc = parent.acc;
        break;
      }
      case Primitive::free: {
        k.r += k.R * vec3(q + s.q + 4);
        k.R = (k.R * quaternion(q + s.q).matrix()).eval();
        const Vec3T<S> spin = k.R * vec3(u + s.u), slide = k.R * vec3(u + s.u + 3);
        k.w = parent.w + spin;
        k.alpha = parent.alpha + parent.w.cross(spin);
        k.v = parent.v + slide;
        k.acc = parent.acc + (S(2) * parent.w + spin).cross(slide);
        break;
      }
    }
    k.p = parent.p + k.r;
    if (s.parent != 0 && (s.offset || s.kind == Primitive::prismatic || s.kind == Primitive::free)) {
      const Vec3T<S> carried = parent.w.cross(k.r);
      k.v += carried;
      k.acc += parent.w.cross(carried) + parent.alpha.cross(k.r);
    }
  }
}

// The wrench that moves a segment's own inertia with the given accelerations, about its origin:
// (Jα + mc × a + ω × Jω;  m a + α × mc + ω × (ω × mc)).
template <class S>
struct OwnInertia {
  Vec3T<S> mc;
  Sym3T<S> J;
  S mass;

  OwnInertia(const Segment& s, const BodyKinT<S>& k)
      : mc(k.R * as<S>(s.moment)), J(congruence(k.R, s.J.template cast<S>())), mass(s.mass) {}

  WrenchT<S> wrench(const Vec3T<S>& w, const Vec3T<S>& alpha, const Vec3T<S>& acc) const {
    return {J * alpha + mc.cross(acc) + w.cross(J * w), mass * acc + alpha.cross(mc) + w.cross(w.cross(mc))};
  }
};

template <class S>
void momentum_rate(const std::vector<Segment>& segments, const KinT<S>& kin, const S* a, const LoadsT<S>& loads,
                   TreeWorkT<S>& work, S* residual, WrenchT<S>* transmitted) {
  auto& segment = work.segment;
  segment[0].alpha.setZero();
  segment[0].acc.setZero();
  for (size_t i = 1; i < segments.size(); ++i) {
    const Segment& s = segments[i];
    const BodyKinT<S>& k = kin.body[i];
    const SegmentWorkT<S>& parent = segment[static_cast<size_t>(s.parent)];
    SegmentWorkT<S>& w = segment[i];
    w.alpha = parent.alpha;
    w.acc = parent.acc + parent.alpha.cross(k.r);
    switch (s.kind) {
      case Primitive::fixed:
        break;
      case Primitive::revolute:
        w.alpha += a[s.u] * k.R.col(2);
        break;
      case Primitive::prismatic:
        w.acc += a[s.u] * k.R.col(2);
        break;
      case Primitive::ball:
        w.alpha += k.R * vec3(a + s.u);
        break;
      case Primitive::free:
        w.alpha += k.R * vec3(a + s.u);
        w.acc += k.R * vec3(a + s.u + 3);
        break;
    }
    const Vec3T<S> alpha = w.alpha + k.alpha, acc = w.acc + k.acc;
    w.p = WrenchT<S>{} - loads.wrench[i];
    if (s.inertial) w.p += OwnInertia<S>(s, k).wrench(k.w, alpha, acc);
    // Added inertia answers accelerations only; what its velocity does is the force's own business.
    if (!loads.added.empty()) w.p += loads.added[i] * TwistT<S>{alpha, acc};
  }
  for (size_t i = segments.size() - 1; i > 0; --i) {
    const Segment& s = segments[i];
    const BodyKinT<S>& k = kin.body[i];
    const WrenchT<S>& p = segment[i].p;
    switch (s.kind) {
      case Primitive::fixed:
        break;
      case Primitive::revolute:
        residual[s.u] = p.n.dot(k.R.col(2)) - loads.tau[static_cast<size_t>(s.u)];
        break;
      case Primitive::prismatic:
        residual[s.u] = p.f.dot(k.R.col(2)) - loads.tau[static_cast<size_t>(s.u)];
        break;
      case Primitive::ball:
        put3<S>(residual + s.u, k.R.transpose() * p.n - vec3(&loads.tau[static_cast<size_t>(s.u)]));
        break;
      case Primitive::free:
        put3<S>(residual + s.u, k.R.transpose() * p.n - vec3(&loads.tau[static_cast<size_t>(s.u)]));
        put3<S>(residual + s.u + 3, k.R.transpose() * p.f - vec3(&loads.tau[static_cast<size_t>(s.u) + 3]));
        break;
    }
    if (transmitted) transmitted[i] = p;
    if (s.parent > 0) segment[static_cast<size_t>(s.parent)].p += p.about(-k.r);
  }
}

// Jᵀ w of a wrench on one body, along its ancestors.
template <class S>
void add_wrench(const std::vector<Segment>& segments, const KinT<S>& kin, int body, WrenchT<S> p, S* generalised) {
  for (size_t i = static_cast<size_t>(body); i > 0; i = static_cast<size_t>(segments[i].parent)) {
    const Segment& s = segments[i];
    const BodyKinT<S>& k = kin.body[i];
    switch (s.kind) {
      case Primitive::fixed:
        break;
      case Primitive::revolute:
        generalised[s.u] += p.n.dot(k.R.col(2));
        break;
      case Primitive::prismatic:
        generalised[s.u] += p.f.dot(k.R.col(2));
        break;
      case Primitive::free:
        put3<S>(generalised + s.u + 3, vec3(generalised + s.u + 3) + k.R.transpose() * p.f);
        [[fallthrough]];
      case Primitive::ball:
        put3<S>(generalised + s.u, vec3(generalised + s.u) + k.R.transpose() * p.n);
        break;
    }
    p = p.about(-k.r);
  }
}

template <class S>
void add_generalised(const std::vector<Segment>& segments, const KinT<S>& kin,
                     const typename JacobianT<S>::Entry& entry, const S& factor, S* generalised) {
  add_wrench<S>(segments, kin, entry.body, factor * entry.wrench(kin), generalised);
}

// Own inertia in world axes, and the bias wrench at u̇ = 0 less the loads.
template <class S>
void prepare(const std::vector<Segment>& segments, const KinT<S>& kin, const LoadsT<S>& loads, TreeWorkT<S>& work) {
  for (size_t i = 1; i < segments.size(); ++i) {
    const Segment& s = segments[i];
    const BodyKinT<S>& k = kin.body[i];
    SegmentWorkT<S>& w = work.segment[i];
    if (s.inertial) {
      const OwnInertia<S> own(s, k);
      w.P.J = own.J;
      w.P.H = skew(own.mc);
      w.P.M = Sym3T<S>::scaled_identity(own.mass);
      w.p = own.wrench(k.w, k.alpha, k.acc) - loads.wrench[i];
    } else {
      w.P = SpatialInertiaT<S>{};
      w.p = {-loads.wrench[i].n, -loads.wrench[i].f};
    }
    if (!loads.added.empty()) {
      w.P += loads.added[i];
      w.p += loads.added[i] * TwistT<S>{k.alpha, k.acc};
    }
  }
}

// P - U D⁻¹ Uᵀ of a one-axis joint, in place.
template <class S>
void project(SpatialInertiaT<S>& P, const SegmentWorkT<S>& w) {
  const Vec3T<S> n = w.D_inverse * w.U_n, f = w.D_inverse * w.U_f;
  P.J.subtract_outer(w.U_n, n);
  P.H -= w.U_n * f.transpose();
  P.M.subtract_outer(w.U_f, f);
}

inline bool negligible(double D, double scale) { return !(D > 16 * std::numeric_limits<double>::epsilon() * scale); }

inline double determinant(const Sym3& a) {
  return a.xx * (a.yy * a.zz - a.yz * a.yz) - a.xy * (a.xy * a.zz - a.xz * a.yz) + a.xz * (a.xy * a.yz - a.xz * a.yy);
}
inline double trace(const Sym3& a) { return a.xx + a.yy + a.zz; }
// A direction of (nearly) no inertia in a 3x3 block.
inline bool rank_deficient(const Sym3& a) {
  const double t = trace(a);
  return !(t > 0) || negligible(determinant(a), t * t * t);
}

// Inboard joints inherit a singularity: the outermost one, met first, is to blame.
inline void note_singular(TreeWorkT<double>& work, size_t segment) {
  if (work.singular < 0) work.singular = static_cast<int>(segment);
}

inline void articulate(const std::vector<Segment>& segments, const Kin& kin, TreeWorkT<double>& work) {
  work.singular = -1;
  for (size_t i = segments.size() - 1; i > 0; --i) {
    const Segment& s = segments[i];
    SegmentWorkT<double>& w = work.segment[i];
    SpatialInertia outward = w.P;
    switch (s.kind) {
      case Primitive::fixed:
        break;
      case Primitive::revolute: {
        const Vec3 z = kin.body[i].R.col(2);
        w.U_n = w.P.J * z;
        w.U_f.noalias() = w.P.H.transpose() * z;
        const double D = z.dot(w.U_n);
        if (negligible(D, trace(w.P.J))) note_singular(work, i);
        w.D_inverse = 1 / D;
        if (s.parent > 0) project(outward, w);
        break;
      }
      case Primitive::prismatic: {
        const Vec3 z = kin.body[i].R.col(2);
        w.U_n.noalias() = w.P.H * z;
        w.U_f = w.P.M * z;
        const double D = z.dot(w.U_f);
        if (negligible(D, trace(w.P.M))) note_singular(work, i);
        w.D_inverse = 1 / D;
        if (s.parent > 0) project(outward, w);
        break;
      }
      case Primitive::ball: {
        if (rank_deficient(w.P.J)) note_singular(work, i);
        w.J_inverse = inverse(w.P.J);
        if (s.parent > 0) {
          // The joint passes on no moment: M - Hᵀ J⁻¹ H is all that remains.
          outward.J = {};
          outward.H.setZero();
          for (int c = 0; c < 3; ++c) {
            const Vec3 x = w.J_inverse * Vec3(w.P.H.col(c));
            const Vec3 y = w.P.H.transpose() * x;
            if (c == 0) outward.M.xx -= y.x(), outward.M.xy -= y.y(), outward.M.xz -= y.z();
            if (c == 1) outward.M.yy -= y.y(), outward.M.yz -= y.z();
            if (c == 2) outward.M.zz -= y.z();
          }
        }
        break;
      }
      case Primitive::free: {
        // α = (J - H M⁻¹ Hᵀ)⁻¹ (n - H M⁻¹ f),  a = M⁻¹ (f - Hᵀ α)
        if (rank_deficient(w.P.M)) note_singular(work, i);
        w.M_inverse = inverse(w.P.M);
        Sym3 schur = w.P.J;
        const Vec3 h0 = w.P.H.row(0).transpose(), h1 = w.P.H.row(1).transpose(), h2 = w.P.H.row(2).transpose();
        const Vec3 g0 = w.M_inverse * h0, g1 = w.M_inverse * h1, g2 = w.M_inverse * h2;
        schur -= Sym3{h0.dot(g0), h0.dot(g1), h0.dot(g2), h1.dot(g1), h1.dot(g2), h2.dot(g2)};
        if (rank_deficient(schur)) note_singular(work, i);
        w.J_inverse = inverse(schur);
        continue;  // passes no inertia on
      }
    }
    if (s.parent > 0) {
      SpatialInertia& parent = work.segment[static_cast<size_t>(s.parent)].P;
      if (s.offset || s.kind == Primitive::prismatic) {
        parent += outward.about(-kin.body[i].r);
      } else {
        parent += outward;
      }
    }
  }
}

// All segments but the world, from the root out.
class AllSegments {
 public:
  explicit AllSegments(const std::vector<Segment>& segments) : count_(segments.size() - 1) {}
  size_t size() const { return count_; }
  size_t operator[](size_t k) const { return k + 1; }

 private:
  size_t count_;
};

// Accelerations u̇ in `a` for the bias wrenches in work.p and the generalised forces tau, by the kept articulated
// inertia. `visited`, from the root out, holds with a segment all those that carry it; the others bear no load, and
// their accelerations are not asked for.
template <class Visited>
void accelerate(const std::vector<Segment>& segments, const Visited& visited, const Kin& kin, TreeWorkT<double>& work,
                const double* tau, double* a, Wrench* transmitted) {
  auto& segment = work.segment;
  for (size_t place = visited.size(); place-- > 0;) {
    const auto i = static_cast<size_t>(visited[place]);
    const Segment& s = segments[i];
    SegmentWorkT<double>& w = segment[i];
    const BodyKinT<double>& k = kin.body[i];
    Wrench outward = w.p;
    switch (s.kind) {
      case Primitive::fixed:
        break;
      case Primitive::revolute: {
        a[s.u] = w.D_inverse * (tau[s.u] - k.R.col(2).dot(w.p.n));
        outward.n += a[s.u] * w.U_n;
        outward.f += a[s.u] * w.U_f;
        break;
      }
      case Primitive::prismatic: {
        a[s.u] = w.D_inverse * (tau[s.u] - k.R.col(2).dot(w.p.f));
        outward.n += a[s.u] * w.U_n;
        outward.f += a[s.u] * w.U_f;
        break;
      }
      case Primitive::ball: {
        const Vec3 x = w.J_inverse * Vec3(k.R * vec3(tau + s.u) - w.p.n);
        put3(a + s.u, x);  // in world axes until the way out
        outward.n += w.P.J * x;
        outward.f += w.P.H.transpose() * x;
        break;
      }
      case Primitive::free:
        outward = {k.R * vec3(tau + s.u), k.R * vec3(tau + s.u + 3)};
        break;
    }
    if (s.parent > 0) segment[static_cast<size_t>(s.parent)].p += outward.about(-k.r);
  }
  segment[0].alpha.setZero();
  segment[0].acc.setZero();
  for (size_t place = 0; place < visited.size(); ++place) {
    const auto i = static_cast<size_t>(visited[place]);
    const Segment& s = segments[i];
    SegmentWorkT<double>& w = segment[i];
    const BodyKinT<double>& k = kin.body[i];
    const SegmentWorkT<double>& parent = segment[static_cast<size_t>(s.parent)];
    w.alpha = parent.alpha;
    w.acc = parent.acc + parent.alpha.cross(k.r);
    switch (s.kind) {
      case Primitive::fixed:
        break;
      case Primitive::revolute:
        a[s.u] -= w.D_inverse * (w.U_n.dot(w.alpha) + w.U_f.dot(w.acc));
        w.alpha += a[s.u] * k.R.col(2);
        break;
      case Primitive::prismatic:
        a[s.u] -= w.D_inverse * (w.U_n.dot(w.alpha) + w.U_f.dot(w.acc));
        w.acc += a[s.u] * k.R.col(2);
        break;
      case Primitive::ball: {
        const Vec3 x = vec3(a + s.u) - w.J_inverse * Vec3(w.P.J * w.alpha + w.P.H * w.acc);
        put3<double>(a + s.u, k.R.transpose() * x);
        w.alpha += x;
        break;
      }
      case Primitive::free: {
        // The total accelerations follow from the wrench alone; u̇ is what the parent does not bring already.
        const Vec3 n = k.R * vec3(tau + s.u) - w.p.n, f = k.R * vec3(tau + s.u + 3) - w.p.f;
        const Vec3 alpha = w.J_inverse * Vec3(n - w.P.H * (w.M_inverse * f));
        const Vec3 acc = w.M_inverse * Vec3(f - w.P.H.transpose() * alpha);
        put3<double>(a + s.u, k.R.transpose() * (alpha - w.alpha));
        put3<double>(a + s.u + 3, k.R.transpose() * (acc - w.acc));
        w.alpha = alpha;
        w.acc = acc;
        break;
      }
    }
    if (transmitted) transmitted[i] = w.P * Twist{w.alpha, w.acc} + w.p;
  }
}

}  // namespace tree_kernels
}  // namespace davit
