#include "davit/model/channel.hpp"

#include <map>

namespace davit {

double Channel::value(const State& s, const Workspace& w) const {
  std::vector<double> values(of->scalars.size());
  of->observe(s, w, values.data());
  return values[index];
}

std::vector<Channel> channels_of(const Observables& observables) {
  std::vector<Channel> channels;
  for (const auto& of : observables.scalars)
    for (size_t i = 0; i < of->scalars.size(); ++i) channels.push_back({of->scalars[i], of, i});
  return channels;
}

ChannelReader::ChannelReader(std::span<const Channel> channels) {
  std::map<const ObservedScalars*, size_t> first;
  for (const Channel& c : channels) {
    const auto [found, is_new] = first.try_emplace(c.of.get(), seen_.size());
    if (is_new) {
      sources_.push_back({c.of, seen_.size()});
      seen_.resize(seen_.size() + c.of->scalars.size());
    }
    places_.push_back(found->second + c.index);
  }
}

void ChannelReader::read(const State& s, const Workspace& w, double* values) {
  for (const Source& source : sources_) source.scalars->observe(s, w, seen_.data() + source.first);
  for (size_t i = 0; i < places_.size(); ++i) values[i] = seen_[places_[i]];
}

}  // namespace davit
