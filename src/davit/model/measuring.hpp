// Elements that look at channels of the whole model at instants of their own: controllers with sensors. An element
// derives from this beside its own interface; the System reads the channels for it, after every element has been
// committed, so that what it measures is what would be recorded there.
#pragma once

#include <stdexcept>

#include "davit/model/channel.hpp"
#include "davit/model/element.hpp"

namespace davit {

class DAVIT_API Measuring {
 public:
  virtual ~Measuring() = default;
  // Names of the channels that it looks at.
  virtual const std::vector<std::string>& measured() const = 0;
  // Whether an instant of its own has come.
  virtual bool is_due(const ContextT<double>&) const = 0;
  // Then, with the values of the channels in their order. Says whether the equations changed.
  virtual bool sample(const ContextT<double>&, const double* values, DiscreteState&) const = 0;
};

// Thrown by an element that cannot go on (a controller that failed): the run ends there, with these words.
class DAVIT_API Breakdown : public std::runtime_error {
 public:
  Breakdown(std::string element_, std::string why_)
      : std::runtime_error(element_ + ": " + why_), element(std::move(element_)), why(std::move(why_)) {}
  std::string element, why;
};

}  // namespace davit
