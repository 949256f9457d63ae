// A rope as a force of the model. It has no unknowns of its own: nodes, slip and tensions are condensed in it, so a
// rope that wraps a block costs the solver no more than one that hangs free. Its path, the rope in each leg and the
// poses they were found at are in State::discrete; every evaluation follows the path from there to where the bodies are
// (track.hpp), and `commit` keeps the result. What an evaluation finds stays in the rope's work for whoever asks next.
//
// Over a step the tension of a leg is the discrete gradient (W(e₁) - W(e₀))/(e₁ - e₀) of its energy, acting along
// the path of the end of the step at the midpoint positions: a rope that goes slack and taut, or touches and leaves,
// gains and loses nothing by that. What is shown is the law at the instant, T(e) + c dT/de ė with the state's speeds.
#pragma once

#include <optional>

#include "davit/model/strand.hpp"
#include "davit/rope/piercing.hpp"
#include "davit/rope/reel.hpp"
#include "davit/rope/track.hpp"
#include "davit/rope/two_block.hpp"

namespace davit::rope {

struct RopeSetup {
  Rope rope;
  std::optional<double> length;  // unstretched, at the start; else that of the path with `tension`
  double tension = 0;
  std::optional<double> least_length;  // at which it is two-blocked; else by what there is at the start
  std::shared_ptr<const Reel> first_reel, last_reel;
  std::optional<Signal> connected;                 // 0: it was let go, or is not connected yet, and carries nothing
  bool in_pieces = false;                          // slings on an equalizer, which end at every waypoint
  std::optional<double> breaking_load, stiffness;  // N: the least; EA, where it is no table
  size_t most_nodes = 200;
};

// A path with all that belongs to it.
struct PathState {
  Path path;
  Poses poses;
  double material = 0;                           // of the whole rope
  double first_paid = 0, last_paid = 0;          // by the reels since the start
  double first_by_angle = 0, last_by_angle = 0;  // the same if their holders had not turned
  double friction_work = 0;                      // done against friction since the start
};

// Where a reel stood when it was committed last: rope given out, the same by its angle alone, and its holder.
struct ReelMark {
  double paid = 0, by_angle = 0;
  Mat3 holder = Mat3::Identity();
};

class RopeForce final : public ForceOf<RopeForce>, public RiggingStrand {
 public:
  // Lays the rope at the start.
  RopeForce(std::string name, RopeSetup setup, const Kin& start);

  const RopeSetup& setup() const { return setup_; }
  // Its path is followed all the same, as if it were tight.
  template <class S>
  bool is_loose(const KinT<S>& kin) const {
    return setup_.connected && value_of(setup_.connected->value(kin)) < 0.5;
  }
  // How the rope lay when it was laid: whether it could be pulled tight.
  const TrackOutcome& laying() const { return laying_; }
  // Where it was laid through a surface before it was pulled tight, from waypoint to waypoint.
  const std::optional<Piercing>& laid_through() const { return laid_through_; }
  const TwoBlock& two_block() const { return two_block_; }

  std::string summary() const override;
  std::vector<DiscreteSlot> discrete_slots() const override;
  bool acts_over_step() const override { return true; }
  std::vector<Coupling> couplings() const override;
  bool commit(const ContextT<double>&, DiscreteState&) const override;
  bool acts_one_way() const override { return true; }
  double carried(const ContextT<double>&) const override;
  double potential_rate(const ContextT<double>&) const override;

  template <class S>
  void add_loads(const ContextT<S>&, LoadsT<S>&, S* zdot) const;
  template <class S>
  void add_step_loads(const StepContextT<S>&, LoadsT<S>&) const;
  template <class S>
  S potential_energy(const ContextT<S>&) const;

  // A rope is solved once for a state, whoever asks: its work keeps what was found, and the records and motions of
  // bodies that it was found for.
  std::unique_ptr<ElementWork> make_work(double) const override;
  std::unique_ptr<ElementWork> make_work(Dual8) const override;

  // For channels: the path at a state and its tensions, as long as the work is not asked for another state.
  struct View {
    const PathState& state;
    const TensionsT<double>& tensions;  // in balance: by the stretch alone
    const TensionsT<double>& acting;    // the same with what damping adds: what bodies feel
    const std::vector<double>& s;
    const TrackOutcome& outcome;
  };
  View view(const ContextT<double>&) const;
  // How that path goes on at the speeds of the state, of a rope whose legs have tensions of their own.
  const RatesT<double>& rates(const ContextT<double>&) const;
  // Of the reel at an end (0 or 1); `first_slot`: of this rope in the discrete state.
  ReelMark reel_mark(const DiscreteState&, int first_slot, int end) const;

  void draw(const ContextT<double>&, Polyline&) const override;
  std::vector<Wheel> wheels() const override;
  std::vector<Place> places() const override;
  void pulls(const ContextT<double>&, std::vector<Pull>&) const override;
  bool is_connected(const Kin& kin) const override { return !is_loose(kin); }
  double tension(const ContextT<double>&) const override;
  double angle_to_vertical(const ContextT<double>&) const override;
  std::optional<double> breaking_load() const override { return setup_.breaking_load; }
  std::optional<double> stiffness() const override { return setup_.stiffness; }
  double unstretched(const DiscreteState&, int first_slot) const override;
  // Every leg in proportion.
  void lengthen(DiscreteState&, int first_slot, double by) const override;
  Piece first_piece(const ContextT<double>&) const override;

 private:
  template <class S>
  struct Work;
  template <class S>
  Work<S>& committed(const ContextT<S>&) const;
  template <class S>
  Work<S>& solve(const ContextT<S>&) const;
  template <class S>
  const RatesT<S>& find_rates(const ContextT<S>&, Work<S>&) const;
  // Tensions of the legs with damping, at a state that was solved.
  template <class S>
  const std::vector<S>& find_acting(const ContextT<S>&, Work<S>&) const;
  void read(const DiscreteState&, int first_slot, PathState&) const;
  void write(const PathState&, DiscreteState&, int first_slot) const;

  RopeSetup setup_;
  PathState start_;
  TrackOutcome laying_;
  std::optional<Piercing> laid_through_;
  TwoBlock two_block_;
};

}  // namespace davit::rope

namespace davit {
extern template class ForceOf<rope::RopeForce>;
}  // namespace davit
