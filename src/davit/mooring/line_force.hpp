// A mooring line in a model: a force on the bodies that hold its ends, without unknowns of its own. Its inside is
// solved for the ends (cable/line_model.hpp) whenever they are tried, so bodies and line are in one Newton iteration;
// the line's own state is discrete and goes on when a step is accepted.
//
// - Before the first step the line is at rest between its ends: equilibrium and modes see its static stiffness.
// - Methods that take forces over a step get the mean of its forces at both ends of the step; others those of the
//   instant that they evaluate, found by a step of the line to there.
#pragma once

#include "davit/cable/line_model.hpp"
#include "davit/model/element.hpp"

namespace davit::mooring {

class LineForce final : public ForceOf<LineForce> {
 public:
  // An end is a frame of a body, or an anchor in the world.
  LineForce(std::string name, std::unique_ptr<const cable::LineModel> line, const Frame& a, const Frame& b)
      : ForceOf(std::move(name)), line_(std::move(line)), a_(a), b_(b) {}
  std::string summary() const override;
  std::vector<Figure> figures() const override { return {{"length", line_->length(), "m"}}; }
  std::vector<Coupling> couplings() const override { return {{.bodies = {a_.body, b_.body}}}; }
  std::vector<DiscreteSlot> discrete_slots() const override;
  std::unique_ptr<ElementWork> make_work(double) const override { return std::make_unique<Work>(*line_); }
  std::unique_ptr<ElementWork> make_work(Dual8) const override { return std::make_unique<Work>(*line_); }
  bool acts_over_step() const override { return true; }
  bool commit(const ContextT<double>& c, DiscreteState& discrete) const override;

  // As it lies at the end of the last step, or at rest before the first one.
  const cable::LineView& view(const ContextT<double>& c) const;

  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S*) const {
    add<S>(c.kin, loads, forces<S>(c, c.kin));
  }
  template <class S>
  void add_step_loads(const StepContextT<S>& c, LoadsT<S>& loads) const {
    Ends<S> both = forces<S>(c.point, c.end);
    const auto kept = c.point.discrete.record(c.point.first_slot, 0);
    for (int i = 0; i < 3; ++i) {
      both.a[i] = 0.5 * (both.a[i] + kept[static_cast<size_t>(Kept::force + i)]);
      both.b[i] = 0.5 * (both.b[i] + kept[static_cast<size_t>(Kept::force + 3 + i)]);
    }
    add<S>(c.point.kin, loads, both);
  }

 private:
  // What is kept in the discrete state.
  struct Kept {
    enum : int { begun, time, force, state = force + 6 };
  };
  // What was found last, for whoever asks for the same again.
  struct Work final : ElementWork {
    explicit Work(const cable::LineModel& line)
        : scratch(line.make_scratch()), after(static_cast<size_t>(line.state_size()), 0.0) {}
    std::unique_ptr<cable::LineModel::Scratch> scratch;
    std::vector<double> after;
    cable::EndForces forces;
    cable::LineView view;
    bool found = false;
    double from = 0, time = 0;
    cable::LineEnds ends;
  };
  template <class S>
  struct Ends {
    Vec3T<S> a, b;
  };

  template <class S>
  static Vec3 value_at(const KinT<S>& kin, const Frame& frame) {
    const Vec3T<S> p = position(kin, frame);
    return {value_of(p.x()), value_of(p.y()), value_of(p.z())};
  }
  template <class S>
  cable::LineEnds ends_at(const KinT<S>& kin) const {
    return {value_at(kin, a_), value_at(kin, b_)};
  }
  template <class S>
  Ends<S> forces(const ContextT<S>& c, const KinT<S>& kin) const {
    const cable::LineEnds ends = ends_at(kin);
    const cable::EndForces& found = solve(c.discrete.record(c.first_slot, 0), value_of(kin.t), ends, work(c.work));
    Ends<S> out{found.a.cast<S>(), found.b.cast<S>()};
    if constexpr (!std::is_same_v<S, double>) {
      Eigen::Matrix<S, 6, 1> away;
      away << position(kin, a_) - ends.a.cast<S>(), position(kin, b_) - ends.b.cast<S>();
      const Eigen::Matrix<S, 6, 1> more = found.tangent.cast<S>() * away;
      out.a += more.template head<3>();
      out.b += more.template tail<3>();
    }
    return out;
  }
  template <class S>
  void add(const KinT<S>& kin, LoadsT<S>& loads, const Ends<S>& ends) const {
    const auto on = [&](const Frame& frame, const Vec3T<S>& force) {
      if (frame.body > 0)
        loads.add_force(frame.body, kin.body[static_cast<size_t>(frame.body)].R * as<S>(frame.offset.p), force);
    };
    on(a_, ends.a);
    on(b_, ends.b);
  }

  static Work& work(ElementWork* of) { return static_cast<Work&>(*of); }
  bool holds(std::span<const double> kept, const cable::LineEnds& ends) const;
  // Forces on the ends at a time; not a number where no solution was found, so that the step is tried shorter.
  const cable::EndForces& solve(std::span<const double> kept, double time, const cable::LineEnds& ends,
                                Work& work) const;

  std::unique_ptr<const cable::LineModel> line_;
  Frame a_, b_;
};

}  // namespace davit::mooring

namespace davit {
extern template class ForceOf<mooring::LineForce>;
}  // namespace davit
