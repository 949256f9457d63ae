// A mooring line in a model: a force on the bodies that hold its ends, without unknowns of its own. Its inside is
// solved for the ends (cable/line_model.hpp) whenever they are tried, so bodies and line are in one Newton iteration;
// the line's own state is discrete and goes on when a step is accepted.
//
// - Before the first step the line is at rest between its ends: equilibrium and modes see its static stiffness.
// - Methods that take forces over a step get the mean of its forces at both ends of the step; others those of the
//   instant that they evaluate, found by a step of the line to there.
// - A line that broke is two lines from there on, each with a free end, or one where it lets go of an end. What is kept
//   of them is where and in what state; the models are made when they are asked for.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "davit/cable/line_model.hpp"
#include "davit/model/element.hpp"
#include "davit/model/solved_inside.hpp"
#include "davit/model/strand.hpp"
#include "davit/model/weather.hpp"

namespace davit::mooring {

// When a line breaks, and where.
struct LineBreak {
  double at = std::numeric_limits<double>::infinity();     // s
  double above = std::numeric_limits<double>::infinity();  // N, of the greatest tension along the line
  std::optional<double> along = {};                        // m from the first end; where it is weakest if not given
  bool never() const { return std::isinf(at) && std::isinf(above); }
};

class LineForce final : public ForceOf<LineForce>, public SolvedInside, public MooringStrand {
 public:
  // An end is a frame of a body, or an anchor in the world. A line that is clamped has the direction of its frame's x
  // there, from A towards B. `choice`: what banners say beside the model.
  LineForce(std::string name, std::unique_ptr<const cable::LineModel> line, const Frame& a, const Frame& b,
            LineBreak breaks = {}, std::optional<Signal> paid_out = std::nullopt,
            std::optional<Signal> connected = std::nullopt, std::string choice = {},
            std::optional<InEnvironment<cable::Sea>> sea = std::nullopt, WeatherSignals weather = {})
      : ForceOf(std::move(name)),
        line_(std::move(line)),
        clamps_(line_->clamps()),
        a_(a),
        b_(b),
        breaks_(breaks),
        paid_out_(paid_out),
        connected_(connected),
        choice_(std::move(choice)),
        sea_(std::move(sea)),
        weather_(weather) {}
  const cable::LineModel& line() const { return *line_; }
  std::string summary() const override;
  std::vector<Figure> figures() const override { return {{"length", line_->length(), "m"}}; }
  std::vector<Coupling> couplings() const override { return {{.bodies = {a_.body, b_.body}}}; }
  std::vector<DiscreteSlot> discrete_slots() const override;
  std::unique_ptr<ElementWork> make_work(double) const override { return std::make_unique<Work>(*line_); }
  std::unique_ptr<ElementWork> make_work(Dual8) const override { return std::make_unique<Work>(*line_); }
  bool acts_over_step() const override { return true; }
  std::string unsolved(const ElementWork& of) const override;
  std::vector<double> breakpoints() const override;
  bool commit(const ContextT<double>& c, DiscreteState& discrete) const override;
  bool acts_one_way() const override { return true; }
  // It does not come to a place at once: what it carried last.
  double carried_there(const ContextT<double>& c) const override {
    const auto kept = kept_of(c);
    return std::max(Eigen::Map<const Vec3>(kept.data() + Kept::force).norm(),
                    Eigen::Map<const Vec3>(kept.data() + Kept::force + 3).norm());
  }
  // At its ends, also inside a step that is not committed yet.
  double carried(const ContextT<double>& c) const override {
    const Ends<double> ends = forces<double>(c, c.kin);
    return std::max(ends.head<3>().norm(), ends.segment<3>(3).norm());
  }
  bool has_instants() const override { return !std::isinf(breaks_.above); }
  bool instant_has_come(const ContextT<double>& c) const override;

  // As it lies where it is looked at: at the end of the last step, or a step of its own further on; at rest before the
  // first one; of a broken one both pieces.
  const cable::LineView& view(const ContextT<double>& c) const;
  bool broken(const ContextT<double>& c) const { return is_broken(kept_of(c)); }
  // m of unstretched length from the first end; zero as long as it is whole.
  double broke_at(const ContextT<double>& c) const;
  bool may_break() const { return !breaks_.never() || connected_; }
  // How often it came taut after it was slack (cable/snap.hpp).
  double snaps(const ContextT<double>& c) const { return kept_of(c)[Kept::snap_count]; }
  const LineBreak& breaks() const { return breaks_; }
  void draw(const ContextT<double>& c, Polyline& out) const override;
  Loads loads(const ContextT<double>& c) const override;
  void come_to_rest(DiscreteState& discrete, int first_slot) const override {
    discrete.record(first_slot, 0)[Kept::moved] = 0;
  }
  bool winched() const { return paid_out_.has_value(); }
  template <class S>
  cable::PaidOut paid_out(const KinT<S>& kin) const {
    if (!paid_out_) return {};
    double x[3];
    paid_out_->motion(kin).derivatives(value_of(kin.t), x);
    return {x[0], x[1], x[2]};
  }

  // Of a line that is clamped in a frame.
  template <class S>
  static Vec3T<S> direction(const KinT<S>& kin, const Frame& frame) {
    const Vec3T<S> along = as<S>(Vec3(frame.offset.R.col(0)));
    return frame.body > 0 ? Vec3T<S>(kin.body[static_cast<size_t>(frame.body)].R * along) : along;
  }
  template <class S>
  void add_loads(const ContextT<S>& c, LoadsT<S>& loads, S*) const {
    add<S>(c.kin, loads, forces<S>(c, c.kin));
  }
  template <class S>
  void add_step_loads(const StepContextT<S>& c, LoadsT<S>& loads) const {
    const Ends<double> first = at_start(c.start, c.point.discrete.record(c.point.first_slot, 0), c.h, c.point.work);
    Ends<S> both = forces<S>(c.point, c.end);
    for (int i = 0; i < Kept::forces; ++i) both[i] = 0.5 * (both[i] + first[i]);
    add<S>(c.point.kin, loads, both);
  }

 private:
  // What is kept in the discrete state.
  struct Kept {
    enum : int {
      begun,
      moved,
      time,
      is_broken,
      rest_tension,
      slack,
      snap_count,
      force,
      forces = 12,
      state = force + forces,
      // Of a broken one, in place of the state of the whole.
      parted_at = state,
      parted_node,
      parted_elements,
      parted_length,
      pieces
    };
  };
  static bool is_broken(std::span<const double> kept) { return kept[Kept::is_broken] > 0; }
  // A piece of a broken line.
  struct PieceWork {
    explicit PieceWork(std::unique_ptr<const cable::LineModel> made)
        : line(std::move(made)), scratch(line->make_scratch()), after(static_cast<size_t>(line->state_size()), 0.0) {}
    std::unique_ptr<const cable::LineModel> line;
    std::unique_ptr<cable::LineModel::Scratch> scratch;
    std::vector<double> after;
    cable::EndForces forces;
    cable::LineView view;
  };
  // What was found last, for whoever asks for the same again.
  struct Work final : ElementWork {
    explicit Work(const cable::LineModel& line)
        : scratch(line.make_scratch()), after(static_cast<size_t>(line.state_size()), 0.0) {}
    std::unique_ptr<cable::LineModel::Scratch> scratch;
    std::vector<double> after;
    cable::EndForces forces;
    cable::LineView view;
    bool found = false, solved = true;
    double residual = 0;  // N, where it was not solved
    double from = 0, time = 0;
    cable::LineEnds ends;
    cable::Parting parting;  // of the pieces
    std::optional<PieceWork> piece[2];
  };
  // Force on a, force on b, moment on a, moment on b.
  template <class S>
  using Ends = Eigen::Matrix<S, Kept::forces, 1>;

  template <class S>
  static Vec3 values(const Vec3T<S>& v) {
    return {value_of(v.x()), value_of(v.y()), value_of(v.z())};
  }
  template <class S>
  cable::LineEnds ends_at(const KinT<S>& kin) const {
    cable::LineEnds out{values<S>(position(kin, a_)), values<S>(position(kin, b_))};
    if (clamps_.any()) {
      out.direction_a = values<S>(direction(kin, a_));
      out.direction_b = values<S>(direction(kin, b_));
    }
    out.paid_out = paid_out(kin);
    if (sea_) out.waves = {&sea_->of(kin), weather_.waves(kin)};
    return out;
  }
  static Ends<double> all(const cable::EndForces& f) {
    Ends<double> out;
    out << f.a, f.b, f.moment_a, f.moment_b;
    return out;
  }
  template <class S>
  Ends<S> forces(const ContextT<S>& c, const KinT<S>& kin) const {
    const cable::LineEnds ends = ends_at(kin);
    const cable::EndForces& found = solve(c.discrete.record(c.first_slot, 0), value_of(kin.t), ends, work(c.work));
    Ends<S> out = all(found).template cast<S>();
    if constexpr (!std::is_same_v<S, double>) {
      Eigen::Matrix<S, 6, 1> away;
      away << position(kin, a_) - ends.a.cast<S>(), position(kin, b_) - ends.b.cast<S>();
      out.template head<6>() += found.tangent.cast<S>() * away;
      if (clamps_.any()) {
        Eigen::Matrix<S, 6, 1> turned;
        turned << direction(kin, a_) - ends.direction_a.cast<S>(), direction(kin, b_) - ends.direction_b.cast<S>();
        out += found.bending.rightCols<6>().cast<S>() * turned;
        out.template tail<6>() += found.bending.bottomLeftCorner<6, 6>().cast<S>() * away;
      }
    }
    return out;
  }
  // Forces where a step of the model begins: those that are kept, or, in a later part of a step that was halved, those
  // that the line has come to by then.
  template <class S>
  Ends<double> at_start(const KinT<S>& start, std::span<const double> kept, double h, ElementWork* of) const {
    const double t = value_of(start.t);
    if (kept[Kept::begun] > 0 && t > kept[Kept::time] + 0.01 * h) return all(solve(kept, t, ends_at(start), work(of)));
    return Ends<double>::Map(kept.data() + Kept::force);
  }
  template <class S>
  void add(const KinT<S>& kin, LoadsT<S>& loads, const Ends<S>& ends) const {
    const auto on = [&](const Frame& frame, const Vec3T<S>& force, const Vec3T<S>& moment) {
      if (frame.body == 0) return;
      loads.add_force(frame.body, kin.body[static_cast<size_t>(frame.body)].R * as<S>(frame.offset.p), force);
      if (clamps_.any()) loads.add_moment(frame.body, moment);
    };
    on(a_, ends.template segment<3>(0), ends.template segment<3>(6));
    on(b_, ends.template segment<3>(3), ends.template segment<3>(9));
  }

  static std::span<const double> kept_of(const ContextT<double>& c) { return c.discrete.record(c.first_slot, 0); }
  void count_snaps(double tension, std::span<double> kept) const;
  static Work& work(ElementWork* of) { return static_cast<Work&>(*of); }
  bool holds(std::span<const double> kept, const cable::LineEnds& ends) const;
  // Forces on the ends at a time; not a number where no solution was found, so that the step is tried shorter.
  const cable::EndForces& solve(std::span<const double> kept, double time, const cable::LineEnds& ends,
                                Work& work) const;
  cable::Outcome solve_whole(std::span<const double> kept, double time, const cable::LineEnds& ends, Work& work) const;

  enum class Fate { holds, let_go, breaks };
  Fate fate_now(const ContextT<double>& c, std::span<const double> kept, Work& work) const;

  // Of a broken one (line_pieces.cpp).
  void break_now(std::span<double> kept, bool let_go, Work& work) const;
  void make_pieces(std::span<const double> kept, Work& work) const;
  cable::Outcome solve_pieces(std::span<const double> kept, double time, const cable::LineEnds& ends, Work& work) const;
  void keep_pieces(std::span<double> kept, const Work& work) const;
  void look_at_pieces(std::span<const double> kept, bool found, Work& work) const;
  static void put(const cable::EndForces& of_piece, bool first, cable::EndForces& forces);
  static void forces_kept(std::span<const double> kept, cable::EndForces& forces);

  std::unique_ptr<const cable::LineModel> line_;
  cable::Clamps clamps_;
  Frame a_, b_;
  LineBreak breaks_;
  std::optional<Signal> paid_out_;   // by a winch at the fairlead, since the start
  std::optional<Signal> connected_;  // 0: it was let go
  std::string choice_;
  std::optional<InEnvironment<cable::Sea>> sea_;  // that it meets, if any
  WeatherSignals weather_;
};

}  // namespace davit::mooring

namespace davit {
extern template class ForceOf<mooring::LineForce>;
}  // namespace davit
