// Points of bodies that press into a surface of another: the force is that of a spring and damper along the normal,
// which only pushes, and of a spring, a damper and a slider along the surface (Coulomb).
//
//   N = F(δ) + c δ̇ ≥ 0,  δ = -gap;  T = k_t s + c_t ṡ,  |T| ≤ μ N:  where T would be more, the slider gives way.
//
// c δ̇ brakes bodies that approach, rock or bounce, and not those that roll: see `damp_without_braking`.
//
// s is how far the point has moved along the surface since it touched, less what slipped, in the axes of the surface;
// it is kept in the discrete state for every point that touches. Over a step of length h
//   N = ΔV/Δδ + c Δδ/h,  T = k_t (s₀ + s₁)/2 + c_t (s₁ - s₀)/h,
// so that what is stored and not lost comes back, and slip, Δx - (s₁ - s₀) along T, only loses: no step makes energy.
// A point that comes down slides freely until the end of that step. Before the first step points stick to where they
// are at the start, whatever it takes, so that equilibria with friction are found; `cannot_rest` says where it takes
// too much.
#pragma once

#include "davit/contact/touched_surface.hpp"
#include "davit/math/one_sided_spring.hpp"
#include "davit/model/element.hpp"
#include "davit/model/holds_by_friction.hpp"
#include "davit/model/run_clock.hpp"

namespace davit::contact {

// Of each point, or per square metre where points stand for areas.
struct ContactLaw {
  OneSidedSpring spring{1};
  double damping = 0;       // c, N s/m …
  double damping_time = 0;  // … and a share of the stiffness: c + τ dF/dδ
  double tangential_stiffness = 1, tangential_damping = 0;
  double friction = 0;
};

struct ContactPoint {
  Frame frame;
  double weight = 1;  // how many points of the law it stands for: its area where that is per square metre
};

// Points of one body against one surface.
struct ContactSide {
  Frame frame;  // of the surface
  std::shared_ptr<const TouchedSurface> surface;
  std::vector<ContactPoint> points;

  int body() const { return points[0].frame.body; }
};

// What a contact does at one instant.
struct ContactView {
  double normal = 0;             // sum of normal forces, N
  Vec3 friction = Vec3::Zero();  // sum of the forces along the surface on what touches, world axes
  Vec3 force = Vec3::Zero();     // of all forces on what touches, world axes
  Vec3 centre = Vec3::Zero();    // of pressure, in the world; the origin where nothing presses
  double gap = 0;                // least of all points
  int touching = 0;
  std::vector<double> point_normal;  // of every point of all sides
};

class CompliantContact final : public ForceOf<CompliantContact>, public HoldsByFriction {
 public:
  // `start`: where everything is at the start.
  CompliantContact(std::string name, ContactLaw law, std::vector<ContactSide> sides, const Kin& start);
  std::string summary() const override;
  std::vector<Figure> figures() const override;
  std::vector<Coupling> couplings() const override;
  std::vector<DiscreteSlot> discrete_slots() const override;
  std::unique_ptr<ElementWork> make_work(double) const override { return std::make_unique<Work<double>>(); }
  std::unique_ptr<ElementWork> make_work(Dual8) const override { return std::make_unique<Work<Dual8>>(); }
  bool acts_over_step() const override { return true; }
  double potential_rate(const ContextT<double>&) const override;
  bool commit(const ContextT<double>&, DiscreteState&) const override;
  std::optional<std::string> cannot_rest(const ContextT<double>&) const override;
  bool acts_one_way() const override { return true; }
  double carried(const ContextT<double>& c) const override { return view(c).normal; }
  void hold_where_it_touches(const ContextT<double>&, DiscreteState&) const override;
  void meet_what_touches(const ContextT<double>&, DiscreteState&) const override;

  const ContactView& view(const ContextT<double>&) const;

  template <class S>
  void add_loads(const ContextT<S>&, LoadsT<S>&, S*) const;
  template <class S>
  void add_step_loads(const StepContextT<S>&, LoadsT<S>&) const;
  template <class S>
  S potential_energy(const ContextT<S>&) const;

 private:
  struct Kept {
    enum : int { place, stretch = 3, gap = 6, size };  // of a point that touches, in the axes of the surface
  };
  enum : int { clock_slot, points_slot };
  static bool begun(const DiscreteState& discrete, int first_slot) {
    return RunClock::has_begun(discrete.record(first_slot + clock_slot, 0));
  }
  // A point next to its surface, in the axes of that.
  template <class S>
  struct Near {
    int index;  // among the points of all sides
    const ContactSide& side;
    const ContactPoint& point;
    TangentPlane plane;
    Vec3T<S> at, rate;  // of the point
    S gap, gap_rate;
  };
  // A point that presses, at an instant or over a step (then with where it was when that began): of weight one.
  template <class S>
  struct Pressing {
    Near<S> before, now;
    S elastic;       // normal force of the spring
    S rate;          // of the gap inside, which is damped
    double damping;  // c there
    double stiffness;
  };
  template <class S>
  struct Work final : ElementWork {
    ContactView view;
    std::vector<Pressing<S>> pressing;  // of one side
  };
  // A ball about all points of a side, in the axes of their body: what is far away is not looked at point by point.
  struct Ball {
    Vec3 centre;
    double radius;
  };
  bool is_far(const Pose& body_in_surface, size_t side) const;
  // Calls visit(Near) for every point that is inside.
  template <class S, class Visit>
  void each_touching(const KinT<S>&, Visit&&) const;
  template <class S>
  Near<S> near(const KinT<S>&, int index, const ContactSide&, const ContactPoint&, const TangentPlane&) const;
  // Normal force of a point of weight one.
  template <class S>
  S normal_force(const S& gap, const S& rate) const;
  template <class S>
  static S normal_force(const Pressing<S>& p);
  // The points of a side that press, with the rates that are damped; nothing where the side is far away.
  template <class S>
  const std::vector<Pressing<S>>& pressing(const ContextT<S>&, size_t side, int first) const;
  template <class S>
  const std::vector<Pressing<S>>& pressing(const StepContextT<S>&, size_t side, int first) const;
  template <class S>
  void damp_without_braking(const KinT<S>&, size_t side, std::vector<Pressing<S>>&) const;
  template <class S, class Visit>
  void each_pressing(const ContextT<S>&, Visit&&) const;
  template <class S>
  S step_normal_force(const S& gap0, const S& gap1, double h) const;
  // s of a point by what is kept of it, bound by friction; from where it was at the start, before a run begins; or
  // whichever of them it is, with the normal force of the spring alone.
  template <class S>
  Vec3T<S> stretch(const ContextT<S>&, const Near<S>&, const S& normal) const;
  template <class S>
  Vec3T<S> stretch_at_rest(const Near<S>&) const;
  template <class S>
  Vec3T<S> elastic_stretch(const ContextT<S>&, const Near<S>&) const;
  template <class S>
  Vec3T<S> friction_force(const ContextT<S>&, const Near<S>&, const S& normal) const;
  template <class S>
  Vec3T<S> step_force(const StepContextT<S>&, const Pressing<S>&) const;
  // What holds a point back over a step in which it moves along the surface from a stretch, if it does not slip.
  template <class S>
  Vec3T<S> step_hold(const Vec3T<S>& stretch, const Vec3T<S>& way, double h) const {
    return S(law_.tangential_stiffness) * (stretch + S(0.5) * way) + S(law_.tangential_damping / h) * way;
  }
  // Calls visit(Near, kept) for every point that touches, in order, with what is kept of it or nothing; what is kept of
  // others is forgotten.
  template <class Visit>
  void each_to_keep(const ContextT<double>&, DiscreteState&, Visit&&) const;
  Vec3 bounded_stretch_at_rest(const Near<double>&) const;
  static void keep(const Near<double>&, const Vec3& stretch, std::span<double> kept);
  Vec3 next_stretch(std::span<const double> kept, const Near<double>&, double h) const;
  double least_gap(const Kin&) const;
  // To the surface, where all points are beside it and none has a height above it.
  double least_way(const Kin&) const;
  // Forces of a point on its body and back on the surface's, of a force in the axes of the surface.
  template <class S>
  void add(const KinT<S>&, const ContactSide&, const ContactPoint&, const Vec3T<S>& force, LoadsT<S>&) const;
  double damping(double depth) const { return law_.damping + law_.damping_time * law_.spring.slope(depth); }

  ContactLaw law_;
  std::vector<ContactSide> sides_;
  std::vector<Ball> balls_;  // of every side
  std::vector<Vec3> start_;  // of every point, in the axes of its surface
};

}  // namespace davit::contact

namespace davit {
extern template class ForceOf<contact::CompliantContact>;
}  // namespace davit
