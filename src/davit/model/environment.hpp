// What surrounds a model in a run and does not depend on it: a sea, a wind. An Environment is immutable and belongs to
// the run: the State refers to it, the kinematics hand it to elements, and the Model knows only how to make what its
// elements want of one. So one Model serves any sea.
//
//   InEnvironment<WavesOnHull> waves_ = assembly.in_environment<WavesOnHull>([…](const auto& around) {…});
//   waves_.of(c.kin).force(…)
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <typeindex>
#include <vector>

namespace davit {

// Things of which there is one of each type.
class Surroundings {
 public:
  template <class T>
  void add(std::shared_ptr<const T> thing) {
    things_[typeid(T)] = std::move(thing);
  }
  // Null when there is none.
  template <class T>
  std::shared_ptr<const T> find() const {
    const auto found = things_.find(typeid(T));
    return found == things_.end() ? nullptr : std::static_pointer_cast<const T>(found->second);
  }

 private:
  std::map<std::type_index, std::shared_ptr<const void>> things_;
};

class Environment {
 public:
  explicit Environment(Surroundings given) : given_(std::move(given)) {}

  // What it was made of.
  template <class T>
  std::shared_ptr<const T> find() const {
    return given_.find<T>();
  }
  // What was made of it for an element, in the order of the Model's makers.
  const void* made(int index) const { return made_.at(static_cast<std::size_t>(index)).get(); }
  void add(std::shared_ptr<const void> thing) { made_.push_back(std::move(thing)); }

 private:
  Surroundings given_;
  std::vector<std::shared_ptr<const void>> made_;
};

// The step of a run by a fixed method, in s; zero where it changes. Sums over waves are formed for windows of steps.
struct StepOfRun {
  double length = 0;
};

// Makes what an element wants of an environment, in which all is there already that was asked for before it.
using MakeInEnvironment = std::function<std::shared_ptr<const void>(const std::shared_ptr<const Environment>&)>;

template <class S>
struct KinT;

// What an element has of what is made for it in each environment, or of something that is the same in all.
template <class T>
class InEnvironment {
 public:
  InEnvironment() = default;
  explicit InEnvironment(int index) : index_(index) {}
  InEnvironment(std::shared_ptr<const T> always) : always_(std::move(always)) {}  // NOLINT(google-explicit-constructor)

  template <class S>
  const T& of(const KinT<S>& kin) const {
    return in(kin.environment);
  }
  const T& in(const Environment* around) const {
    if (always_) return *always_;
    if (!around) throw std::logic_error("a state without an environment, of a model that is made for one");
    return *static_cast<const T*>(around->made(index_));
  }
  // What is the same in all environments; null where it is made for each.
  const T* always() const { return always_.get(); }

 private:
  int index_ = -1;
  std::shared_ptr<const T> always_;
};

}  // namespace davit
