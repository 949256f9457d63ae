#include "davit/dynamics/momentum_balance.hpp"

namespace davit {

Wrench momentum_balance(const Tree& tree, const State& state, const Kin& kin, const Loads& loads, const VecX& a,
                        int body) {
  const int n = tree.nu();
  std::vector<Dual8> q0(state.q.begin(), state.q.end()), q(q0), d(static_cast<size_t>(n)), u(static_cast<size_t>(n));
  for (int i = 0; i < n; ++i) {
    d[static_cast<size_t>(i)].d[0] = state.u[i];
    u[static_cast<size_t>(i)] = Dual8(state.u[i]);
    u[static_cast<size_t>(i)].d[0] = a[i];
  }
  tree.retract(q0.data(), d.data(), q.data());
  KinT<Dual8> moving;
  moving.body.resize(tree.segments().size());
  tree.kinematics(q.data(), u.data(), moving);
  const int first = tree.bodies_of_tree()[static_cast<size_t>(body)].first_segment;
  const Vec3 joint = kin.body[static_cast<size_t>(first)].p;
  Wrench sum;
  for (size_t k = 1; k < tree.segments().size(); ++k) {
    if (!tree.is_outboard(static_cast<int>(k), first)) continue;
    const Segment& s = tree.segments()[k];
    const auto& b = moving.body[k];
    const Vec3T<Dual8> mc = b.R * as<Dual8>(s.moment);
    const Vec3T<Dual8> linear = Dual8(s.mass) * b.v + b.w.cross(mc);
    const Vec3T<Dual8> about_origin = congruence(b.R, s.J.cast<Dual8>()) * b.w + mc.cross(b.v);
    // about the joint's momentary place, a fixed point of space
    const Vec3T<Dual8> angular = about_origin + (b.p - as<Dual8>(joint)).cross(linear);
    for (int i = 0; i < 3; ++i) sum.n[i] += angular[i].d[0], sum.f[i] += linear[i].d[0];
    const Wrench load = loads.wrench[k].about(joint - kin.body[k].p);
    sum = sum - load;
  }
  return sum;
}

}  // namespace davit
