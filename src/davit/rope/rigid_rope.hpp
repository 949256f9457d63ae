// A rope that does not stretch, as plans and rigid models have it: its path over eyes and sheaves is as long as the
// rope that was there at the start and what reels have given out since,
//   g = Σ lengths + Σ R · wrap - Σ lengths at the start - Σ ratio · x.
// Sheaves turn freely; the rope has no weight and touches nothing else.
#pragma once

#include "davit/constraint/moving_frame.hpp"
#include "davit/model/row.hpp"
#include "davit/rope/path.hpp"

namespace davit::rope {

class RigidRope final : public GeometryOf<RigidRope> {
 public:
  // Rope given out is ratio · x of a coordinate x.
  struct Reel {
    CoordinateIndex at;
    double ratio = 1;
  };
  // Measures its path where the model begins; the length it then has is taken as given, so that g = 0.
  RigidRope(std::vector<Waypoint> waypoints, std::vector<Reel> reels, const Kin& start);

  int size() const override { return 1; }
  std::string summary() const override { return "a rope that does not stretch"; }
  std::string unit() const override { return "m"; }
  double start_length() const { return start_length_; }

  // The length of the path.
  template <class S>
  S length(const KinT<S>& kin) const {
    S sum(0);
    S before(0);
    for (size_t i = 0; i + 1 < waypoints_.size(); ++i) {
      if (waypoints_[i].gap_after) continue;
      const LegT<S> piece = leg(end(kin, i), end(kin, i + 1));
      sum += piece.length;
      const auto arc = [&](size_t j, const S& angle) { sum += S(waypoints_[j].radius) * unwrapped(angle, wraps_[j]); };
      // A sheave has the arc between its legs; a drum at an end that from where the rope left it at the start.
      if (waypoints_[i].radius > 0) arc(i, i == 0 ? piece.angle_from : S(piece.angle_from - before));
      if (waypoints_[i + 1].radius > 0 && i + 2 == waypoints_.size()) arc(i + 1, S(-piece.angle_to));
      before = piece.angle_to;
    }
    return sum;
  }

  template <class S>
  void measure(const KinT<S>& kin, S* g) const {
    g[0] = length(kin) - S(start_length_);
    for (const Reel& reel : reels_) g[0] -= S(reel.ratio) * (kin.q[reel.at.q] - S(reel_start(reel)));
  }
  template <class S>
  void gradient(const KinT<S>& kin, JacobianT<S>& out) const {
    for (size_t i = 0; i + 1 < waypoints_.size(); ++i) {
      if (waypoints_[i].gap_after) continue;
      const LegT<S> piece = leg(end(kin, i), end(kin, i + 1));
      add_pull(kin, i, piece.from, piece.pull_from, piece.moment_from, out);
      add_pull(kin, i + 1, piece.to, piece.pull_to, piece.moment_to, out);
    }
    for (const Reel& reel : reels_) out.add_speed(0, reel.at.u, S(-reel.ratio));
  }
  // Exact in its value: the rate of G u by one run on dual numbers along the motion. Its own derivatives are left out,
  // which costs Newton's method some speed and no accuracy.
  template <class S>
  void products(const KinT<S>& kin, S* bias) const {
    bias[0] = S(rate_products(kin));
  }

 private:
  double reel_start(const Reel& reel) const { return reel_starts_[static_cast<size_t>(&reel - reels_.data())]; }
  template <class S>
  LegEndT<S> end(const KinT<S>& kin, size_t i) const {
    const Waypoint& w = waypoints_[i];
    LegEndT<S> out;
    out.at = position(kin, w.frame);
    out.radius = w.radius;
    if (w.radius > 0) {
      const Mat3T<S> R = rotation(kin, w.frame);
      out.axis = R.col(2);
      out.reference = R.col(0);
    }
    return out;
  }
  // Minus what unit tension does to the body: a force at the touch point, and a moment n as the three couples
  // ½ Σ rᵢ × (n × rᵢ) = n of the body's axes.
  template <class S>
  void add_pull(const KinT<S>& kin, size_t i, const Vec3T<S>& at, const Vec3T<S>& pull, const Vec3T<S>& moment,
                JacobianT<S>& out) const {
    const Waypoint& w = waypoints_[i];
    if (w.radius == 0) {
      out.add_point(0, w.frame, Vec3T<S>(-pull));
      return;
    }
    const BodyKinT<S>& body = kin.body[static_cast<size_t>(w.frame.body)];
    out.entries.push_back({0, w.frame.body, -pull, body.R.transpose() * Vec3T<S>(at - body.p), true});
    for (int k = 0; k < 3; ++k)
      out.add_direction(0, w.frame.body, Vec3::Unit(k), Vec3T<S>(S(-0.5) * moment.cross(Vec3T<S>(body.R.col(k)))));
  }
  double rate_products(const Kin&) const;
  double rate_products(const KinT<Dual8>&) const;

  std::vector<Waypoint> waypoints_;
  std::vector<Reel> reels_;
  std::vector<double> reel_starts_;
  std::vector<double> wraps_;  // at the start, for the branch of the angle
  double start_length_ = 0;
};

}  // namespace davit::rope

namespace davit {
extern template class GeometryOf<rope::RigidRope>;
}  // namespace davit
