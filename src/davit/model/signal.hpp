// Signals: values that change in time from outside the equations, with speed and acceleration: what a winch, a drive or
// a moving row is told to do. Elements know only which signal they read; the State says what motion each follows now,
// so one Model serves any operation, and an operation may change its mind during a run.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "davit/math/motion.hpp"

namespace davit {

// The motions that all signals follow. Copies share them: a State with signals is as cheap to copy as one without.
class SignalMotions {
 public:
  int size() const { return static_cast<int>(motions_.size()); }
  void add(Motion motion) { motions_.push_back(std::make_shared<const Motion>(std::move(motion))); }
  void set(int signal, Motion motion) {
    motions_[static_cast<size_t>(signal)] = std::make_shared<const Motion>(std::move(motion));
  }
  const Motion& operator[](int signal) const { return *motions_[static_cast<size_t>(signal)]; }

  template <class A>
  void archive(A& a) {
    for (auto& shared : motions_) {
      if constexpr (A::reads) {
        Motion motion;
        a(motion);
        shared = std::make_shared<const Motion>(std::move(motion));
      } else {
        a(*shared);
      }
    }
  }
  friend bool operator==(const SignalMotions& a, const SignalMotions& b) {
    return std::equal(a.motions_.begin(), a.motions_.end(), b.motions_.begin(), b.motions_.end(),
                      [](const auto& x, const auto& y) { return x == y || *x == *y; });
  }

 private:
  std::vector<std::shared_ptr<const Motion>> motions_;
};

// Where a signal jumps, at a time that steps land on, it is as it will be from there on. A step that ends there ends
// with what was before: nearer than this steps do not land, and farther nothing has moved.
inline double just_before(double t) { return t - 1e-11 * std::max(1.0, std::abs(t)); }

// A signal of a model.
struct SignalInfo {
  std::string name;           // of what it moves: a joint coordinate, a winch
  std::string unit;           // of its value
  Motion motion{};            // what it follows if nobody says otherwise
  DriveLimits limits{};       // of what it moves
  bool held_exactly = false;  // by a rigid row: where it jumps, no finite force makes its joint follow
  // Between which it must stay, whoever moves it.
  double least = -std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::infinity();
};

// What a signal is off the motion that it follows: the small change by which equations are differentiated.
template <class S>
struct SignalDeviation {
  S value = S(0), rate = S(0), acceleration = S(0);
};

template <class S>
struct KinT;

// What an element has of a signal that it reads.
class Signal {
 public:
  explicit Signal(int index = -1) : index_(index) {}
  int index() const { return index_; }
  template <class S>
  S value(const KinT<S>& kin) const {
    const S x = motion(kin).value(kin.t);
    return kin.deviations ? x + kin.deviations[index_].value : x;
  }
  // Where it may not exist: nobody moves it then.
  template <class S>
  double value_or(double without, const KinT<S>& kin) const {
    return index_ < 0 ? without : value_of(value(kin));
  }
  template <class S>
  S rate(const KinT<S>& kin) const {
    const S x = motion(kin).derivative(1, kin.t);
    return kin.deviations ? x + kin.deviations[index_].rate : x;
  }
  template <class S>
  S acceleration(const KinT<S>& kin) const {
    const S x = motion(kin).derivative(2, kin.t);
    return kin.deviations ? x + kin.deviations[index_].acceleration : x;
  }
  template <class S>
  const Motion& motion(const KinT<S>& kin) const {
    return (*kin.signals)[index_];
  }

 private:
  int index_;
};

}  // namespace davit
