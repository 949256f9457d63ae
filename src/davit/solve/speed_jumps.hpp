// Where the speed of a rigid row jumps (a table that begins with a speed, a corner of a straight one, an operation that
// changes its mind), no finite force makes bodies follow. A step ends with the speed before the jump; here the state
// gets the speeds after it, the nearest in the metric of M with G u + ∂g/∂t = 0. That is what impulses of the rows do:
// they are in no force, and so are told.
#pragma once

#include "davit/dynamics/system.hpp"

namespace davit {

// What became of one constraint in a run.
struct SpeedJump {
  std::string element;
  std::string unit;    // of its row: m, rad
  long count = 0;      // of its jumps
  double t = 0;        // s, of the largest one …
  double by = 0;       // … by which its speed jumped
  double impulse = 0;  // N s, or N m s

  template <class A>
  void archive(A& a) {
    a(element, unit, count, t, by, impulse);
  }
};

class SpeedJumps {
 public:
  explicit SpeedJumps(const Model& model);

  // What rows ask for at an instant, in a workspace placed there: before somebody changes what signals follow.
  void remember(const System&);
  // Gives the state the speeds after a jump of what rows ask for: since remember(), or, where a step landed, since just
  // before. True where there was one; a model with motions without mass has no metric, and its next step takes the
  // jump.
  enum class Since { remembered, just_before };
  bool settle(System&, State&, Since);
  // J, that the impulses of the last jump did.
  double work() const { return work_; }
  // Those of the last jump that are worth telling: the first of a constraint, and each that is twice as large as what
  // was told of it before.
  const std::vector<const SpeedJump*>& news() const { return news_; }
  // The constraints whose speed jumped.
  std::vector<SpeedJump> all() const;

  template <class A>
  void archive(A& a) {
    for (Moving& m : moving_) a(m.jump, m.told);
  }

 private:
  struct Moving {
    int first_row;
    SpeedJump jump;
    double told = 0;
    const Geometry* geometry;
    std::vector<double> before, after;  // ∂g/∂t of its rows
  };
  std::vector<Moving> moving_;
  std::vector<const SpeedJump*> news_;
  double work_ = 0;
  VecX before_;
};

}  // namespace davit
