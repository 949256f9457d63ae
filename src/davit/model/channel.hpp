// A channel is a number of the running model that is chosen by its name: what is recorded, plotted, limited. Those of
// one element share a source, which is looked at once for all of them.
#pragma once

#include "davit/model/observable.hpp"

namespace davit {

struct DAVIT_API Channel : ScalarInfo {
  std::shared_ptr<const ObservedScalars> of;
  size_t index = 0;  // among them

  // For one look; who reads many takes a ChannelReader.
  double value(const State&, const Workspace&) const;
};

// All numbers that can be chosen.
std::vector<Channel> channels_of(const Observables&);

// Reads chosen channels: sources of which none is chosen are not looked at.
class DAVIT_API ChannelReader {
 public:
  explicit ChannelReader(std::span<const Channel> channels);
  size_t size() const { return places_.size(); }
  // In the order of the channels. Allocates nothing.
  void read(const State&, const Workspace&, double* values);

 private:
  struct Source {
    std::shared_ptr<const ObservedScalars> scalars;
    size_t first;  // in seen_
  };
  std::vector<Source> sources_;
  std::vector<double> seen_;    // all numbers of all sources
  std::vector<size_t> places_;  // of each channel in seen_
};

}  // namespace davit
