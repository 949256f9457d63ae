// A Model under construction: elements look up bodies, frames and joint coordinates by the names of the scenario, add
// forces, controllers, ports, observables and named values, and report what does not fit. Knows no kind of element
// itself.
#pragma once

#include <map>
#include <set>
#include <typeindex>

#include "davit/dynamics/particles.hpp"
#include "davit/dynamics/scalars.hpp"
#include "davit/dynamics/tree.hpp"
#include "davit/input/quantity.hpp"
#include "davit/math/export.hpp"
#include "davit/model/model.hpp"

namespace davit {

struct BodySurface;

// The place of a joint coordinate in q and u, and what it is called.
struct JointCoordinate {
  std::string name;  // body.coordinate
  int q = 0, u = 0;
  int segment = 0;  // the primitive joint that has it
  bool angle = true;
};

class DAVIT_API Assembly {
 public:
  // `doubtful` are bodies and elements whose own description has mistakes: what depends on them is not reported again.
  Assembly(std::shared_ptr<const Tree> tree, input::Problems& problems, std::set<std::string> doubtful = {});

  const Tree& tree() const { return *tree_; }
  input::Problems& problems() { return problems_; }
  bool is_doubtful(const std::string& name) const { return doubtful_.count(name) > 0; }
  // What turned out to be doubtful since.
  void doubt(std::set<std::string> names) { doubtful_.merge(std::move(names)); }

  // Acceleration of gravity, downwards along z (m/s²).
  void set_gravity(double gravity) { gravity_ = gravity; }
  double gravity() const { return gravity_; }

  // Bodies beside those of the tree, before their points and any elements. Particles come first. A director body begins
  // as its free joint would let it, and brings the rows that keep it rigid.
  void add_particles(std::vector<Particle> particles);
  void add_director_body(const Body& body);

  // Named points of bodies ("boom.tip"), set by the scenario before elements are built; their coordinates are outputs.
  void add_point(const std::string& body, const std::string& point, const Vec3& at);

  // The own frame of a body, wherever its coordinates are; nothing when there is no such body.
  std::optional<Frame> body_frame(const std::string& name) const;
  // Nothing when the name is not known: the mistake is then reported.
  std::optional<Frame> frame(const input::Reference& body_or_point);
  // Whether the frame that was found by a reference can turn; if it is a particle's, the mistake is reported.
  bool can_rotate(const Frame& frame, const input::Reference& reference);
  std::optional<JointCoordinate> coordinate(const input::Reference& joint_or_coordinate);
  // A quantity of a joint in the unit of a rotation or of a translation; zero after a mistake.
  double joint_quantity(const std::optional<input::Quantity>& quantity, const JointCoordinate& at,
                        const char* rotation_unit, const char* translation_unit);

  // What can be moved: a joint coordinate, or what said so (add_target). Nothing when the name is not known: the
  // mistake is then reported.
  struct Target {
    std::string name, unit;
    bool joint = false;
  };
  std::optional<Target> target(const input::Reference& joint_or_target);
  // Moves at times that are known before a run, in their order; what they drive takes a signal that follows them.
  struct Move {
    double at, over, to;
    Profile profile;
    input::Where where;
  };
  void add_move(const std::string& target, Move move) { moves_[target].moves.push_back(std::move(move)); }
  // What else moves may be about (a winch), with its unit; before the moves.
  void add_target(const std::string& name, const std::string& unit) { targets_[name] = unit; }
  bool is_target(const std::string& name) const { return targets_.count(name) > 0; }
  // The signal of a joint coordinate, or of such a target. One that an operation will drive some other way, too.
  Signal take_signal(const JointCoordinate& at);
  Signal take_signal(const std::string& target, double start, const DriveLimits& limits = {}) {
    return take_signal(target, targets_.at(target), start, limits);
  }
  // What it does if nothing but its moves drives it.
  const Motion& motion(Signal signal) const { return start_signals_[signal.index()]; }
  // Between which values it stays, at the most.
  std::pair<double, double> range(Signal signal) const;
  // Whoever moves it must stay between these.
  void bound(Signal signal, double least, double most) {
    SignalInfo& info = parts_.signals[static_cast<size_t>(signal.index())];
    info.least = least;
    info.most = most;
  }
  // A rigid row follows it.
  void hold_exactly(Signal signal) { parts_.signals[static_cast<size_t>(signal.index())].held_exactly = true; }
  // The operation may bring what moves to these values too: before signals are taken.
  void widen_range(const std::string& target, double least, double most);
  // What the operation lets go or connects: 1 while it is connected. It asks with its name when it is built.
  void add_switch(const std::string& name, double at_start) { switches_[name] = at_start; }
  std::optional<Signal> take_switch(const std::string& name);

  // What a controller commands in place of the operation (a winch): said before elements are built, so that what is
  // commanded has an input when it is.
  struct Port {
    int input = 0;
    std::string unit;
    Signal asked;           // what the operation asks for, which the controller may look at
    bool is_force = false;  // of a motor, at once; else what its own control brings about
  };
  // Reports a target that is commanded twice.
  void command(const input::Reference& target, const std::string& controller);
  bool is_commanded(const std::string& target) const { return commanded_.count(target) > 0; }
  void add_port(const std::string& target, Port port) { ports_[target] = std::move(port); }
  // Nothing when it could not be built, which was reported.
  std::optional<Port> port(const std::string& target) const;

  // What is wrong with an environment for this model, whichever it comes to be in.
  using CheckInEnvironment = std::function<void(const Environment&, input::Problems&)>;
  void check_in_environment(CheckInEnvironment check) { environment_checks_.push_back(std::move(check)); }
  const std::vector<CheckInEnvironment>& environment_checks() const { return environment_checks_; }

  // The unit of a channel of what was added so far; empty where there is none.
  std::string channel_unit(const std::string& channel) const;
  // What can be told only when all channels are known: runs in check(), after finish(), if all elements could be built.
  void when_built(std::function<void(const Model&)> check) { checks_.push_back(std::move(check)); }
  void check(const Model& model) const {
    for (const auto& each : checks_) each(model);
  }

  // A coordinate of its own, after those of all bodies.
  CoordinateIndex add_scalar(Scalar scalar);

  // Where the model will have it: ModelParts says what that is for each.
  ElementPlace add(std::shared_ptr<const Force> force) { return parts_.add(std::move(force)); }
  int add(std::shared_ptr<const ReactionForce> force) { return parts_.add(std::move(force)); }
  void add(std::shared_ptr<const Controller> controller) { parts_.controllers.push_back(std::move(controller)); }
  int add(std::shared_ptr<const Servo> servo) { return parts_.add(std::move(servo)); }
  int add(Constraint constraint) { return parts_.add(std::move(constraint)); }
  int add(Contact contact) { return parts_.add(std::move(contact)); }
  int add_input(Input input) { return parts_.add(std::move(input)); }
  // What an element wants of each environment that the model is in; `make` is called for every environment, and finds
  // in it what was asked for before.
  template <class T>
  InEnvironment<T> in_environment(
      std::function<std::shared_ptr<const T>(const std::shared_ptr<const Environment>&)> make) {
    return InEnvironment<T>(parts_.add(MakeInEnvironment(std::move(make))));
  }
  // Coordinates and places at the start.
  VecX start_coordinates() const;
  Kin start_kinematics() const;
  // What can be seen of what was added, where it does not say so itself (Element::publish).
  Observables& observables() { return parts_.observables; }

  // Surfaces of bodies, by name. Null: it could not be made, which was reported; what needs it then says nothing.
  void add_surface(const std::string& name, std::shared_ptr<const BodySurface> surface);
  // Null when there is none; an unknown name is reported.
  std::shared_ptr<const BodySurface> surface(const input::Reference& reference);

  // What surrounds the model (a wind, a current), one of each type: shared before elements are built, for those that
  // feel it. Null when there is none.
  template <class T>
  void share(std::shared_ptr<const T> thing) {
    shared_[typeid(T)].thing = std::move(thing);
  }
  template <class T>
  std::shared_ptr<const T> shared() {
    Shared& found = shared_[typeid(T)];
    found.asked_for = true;
    return std::static_pointer_cast<const T>(found.thing);
  }
  template <class T>
  bool was_asked_for() {
    return shared_[typeid(T)].asked_for;
  }
  // What the elements of a module tell each other while they are built; one of each type, made when it is first asked
  // for.
  template <class T>
  T& notes() {
    std::shared_ptr<void>& found = notes_[typeid(T)];
    if (!found) found = std::make_shared<T>();
    return *static_cast<T*>(found.get());
  }

  // Constants that limits may be a multiple of: `0.3 * mbl` on hoist.tension looks for hoist.mbl.
  struct Value {
    double value;
    std::string unit;
  };
  void add_value(const std::string& name, double value, std::string unit) { values_[name] = {value, std::move(unit)}; }
  const std::map<std::string, Value>& values() const { return values_; }

  // A copy of all parts that were added so far.
  ModelParts parts_so_far() const;

  // Reports moves that nothing drives.
  std::unique_ptr<Model> finish();

 private:
  void add_body(const std::string& name, const Frame& frame);
  Signal take_signal(const std::string& name, const std::string& unit, double start, const DriveLimits& limits);

  std::shared_ptr<const Tree> tree_;
  input::Problems& problems_;
  std::set<std::string> doubtful_;
  double gravity_ = 0;
  std::vector<std::string> body_names_;
  std::map<std::string, Frame> body_frames_{{"world", {}}};
  std::set<int> particles_;  // their indices among all bodies
  std::map<std::string, Frame> points_;
  std::map<std::string, Value> values_;
  std::map<std::string, std::shared_ptr<const BodySurface>> surfaces_;
  struct Shared {
    std::shared_ptr<const void> thing;
    bool asked_for = false;
  };
  std::map<std::type_index, Shared> shared_;
  std::map<std::type_index, std::shared_ptr<void>> notes_;
  struct Moves {
    std::vector<Move> moves;
    bool taken = false;
    double least = 0, most = 0;  // relative to the start, beyond what the moves say
  };
  std::map<std::string, Moves> moves_;
  std::map<std::string, std::string> targets_;    // units by name
  std::map<std::string, std::string> commanded_;  // by which controller
  std::map<std::string, Port> ports_;
  std::vector<std::function<void(const Model&)>> checks_;
  std::vector<CheckInEnvironment> environment_checks_;
  std::map<std::string, double> switches_;  // at the start
  SignalMotions start_signals_;             // what the kinematics at the start are commanded
  std::vector<Scalar> scalars_;
  ModelParts parts_;
};

}  // namespace davit
