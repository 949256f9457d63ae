#include "davit/rope/rigid_rope.hpp"

namespace davit {
template class GeometryOf<rope::RigidRope>;
}  // namespace davit

namespace davit::rope {

namespace {

Kin plain_motion(const KinT<Dual8>& kin) {
  Kin out;
  const auto vector = [](const Vec3T<Dual8>& v) { return Vec3(v[0].value, v[1].value, v[2].value); };
  for (const auto& b : kin.body) {
    BodyKinT<double> k;
    for (int i = 0; i < 3; ++i) k.R.col(i) = vector(b.R.col(i));
    k.p = vector(b.p), k.w = vector(b.w), k.v = vector(b.v), k.alpha = vector(b.alpha), k.acc = vector(b.acc);
    out.body.push_back(k);
  }
  return out;
}

}  // namespace

RigidRope::RigidRope(std::vector<Waypoint> waypoints, std::vector<Reel> reels, const Kin& start)
    : waypoints_(std::move(waypoints)), reels_(std::move(reels)), wraps_(waypoints_.size(), 0.0) {
  for (const Reel& reel : reels_) reel_starts_.push_back(start.q[reel.at.q]);
  // At the start a rope goes round each sheave by less than a turn.
  double before = 0;
  const size_t n = waypoints_.size();
  for (size_t i = 0; i + 1 < n; ++i) {
    if (waypoints_[i].gap_after) continue;
    const LegT<double> piece = leg(end(start, i), end(start, i + 1));
    if (waypoints_[i].radius > 0) {
      const double angle = i == 0 ? piece.angle_from : piece.angle_from - before;
      const double turn = 2 * std::numbers::pi;
      wraps_[i] = i == 0 ? angle : angle - turn * std::floor(angle / turn);
    }
    if (i + 2 == n && waypoints_[n - 1].radius > 0) wraps_[n - 1] = -piece.angle_to;
    before = piece.angle_to;
  }
  start_length_ = length(start);
}

double RigidRope::rate_products(const Kin& kin) const {
  KinT<Dual8> moving;
  moving.body.resize(kin.body.size());
  const auto with_rate = [](const Vec3& x, const Vec3& rate) {
    Vec3T<Dual8> out;
    for (int i = 0; i < 3; ++i) {
      out[i] = Dual8(x[i]);
      out[i].d[0] = rate[i];
    }
    return out;
  };
  for (size_t i = 0; i < kin.body.size(); ++i) {
    const BodyKinT<double>& b = kin.body[i];
    BodyKinT<Dual8>& k = moving.body[i];
    for (int j = 0; j < 3; ++j) k.R.col(j) = with_rate(b.R.col(j), b.w.cross(Vec3(b.R.col(j))));
    k.p = with_rate(b.p, b.v);
    k.v = with_rate(b.v, b.acc);
    k.w = with_rate(b.w, b.alpha);
  }
  JacobianT<Dual8> jacobian;
  // Reels add no products: given out is linear in their coordinates.
  for (size_t i = 0; i + 1 < waypoints_.size(); ++i) {
    if (waypoints_[i].gap_after) continue;
    const LegT<Dual8> piece = leg(end(moving, i), end(moving, i + 1));
    add_pull(moving, i, piece.from, piece.pull_from, piece.moment_from, jacobian);
    add_pull(moving, i + 1, piece.to, piece.pull_to, piece.moment_to, jacobian);
  }
  Dual8 rate(0);
  for (const auto& entry : jacobian.entries) rate += rigid_rate(moving, entry);
  return rate.d[0];
}

double RigidRope::rate_products(const KinT<Dual8>& kin) const { return rate_products(plain_motion(kin)); }

}  // namespace davit::rope
