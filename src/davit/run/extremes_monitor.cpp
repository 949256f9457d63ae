#include "davit/run/extremes_monitor.hpp"

#include <algorithm>
#include <map>

#include "davit/math/rotation.hpp"
#include "davit/model/workspace.hpp"
#include "davit/simulation/body_names.hpp"
#include "davit/statics/lift_at_rest.hpp"

namespace davit {

namespace {

// Steps that are shorter than this (they land on events) say nothing about accelerations.
constexpr double shortest_step = 1e-6;  // s

result::Triple triple(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

void widen(result::Triple& low, result::Triple& high, const result::Triple& by, bool first) {
  for (size_t i = 0; i < 3; ++i) {
    low[i] = first ? by[i] : std::min(low[i], by[i]);
    high[i] = first ? by[i] : std::max(high[i], by[i]);
  }
}

}  // namespace

MotionWatch::MotionWatch(const Scenario& scenario) {
  const auto& bodies = scenario.bodies;
  if (bodies.size() > most_bodies_watched) return;
  for (size_t i = 0; i < bodies.size(); ++i) {
    const auto& [name, body] = bodies[i];
    const Frame& own = scenario.body_frames[i];
    watched_.push_back({own, {name}, {}, {}});
    if (is_free(body)) watched_.back().seen.turn.emplace();
    for (const auto& [point, at] : body.points) {
      Frame frame = own;
      frame.offset.p += own.offset.R * at;
      watched_.push_back({frame, {name + "." + point}, {}, {}});
    }
  }
}

void MotionWatch::watch(const State& state, const Kin& kin) {
  const double passed = state.t - before_;
  const bool accelerates = begun_ && passed > shortest_step;
  for (Watched& w : watched_) {
    widen(w.seen.low, w.seen.high, triple(position(kin, w.frame)), !begun_);
    const Vec3 now = velocity(kin, w.frame);
    w.seen.speed.see(state.t, triple(now));
    if (accelerates) w.seen.acceleration.see(state.t, triple((now - w.velocity) / passed));
    if (accelerates || !begun_) w.velocity = now;
    if (!w.seen.turn) continue;
    const Vec3 rpy = rpy_of_rotation<double>(rotation(kin, w.frame));
    result::Triple turn{};
    for (size_t i = 0; i < 3; ++i) turn[i] = w.turns[i](rpy[static_cast<int>(i)]);
    widen(w.seen.turn->low, w.seen.turn->high, turn, !begun_);
  }
  if (accelerates || !begun_) before_ = state.t;
  begun_ = true;
}

std::vector<result::PointMotion> MotionWatch::results() const {
  std::vector<result::PointMotion> out;
  for (const Watched& w : watched_)
    if (w.seen.moved()) out.push_back(w.seen);
  return out;
}

ReactionWatch::ReactionWatch(const Scenario& scenario) : reader_({}) {
  const Model& model = *scenario.model;
  const BodyNames names(scenario);
  std::map<std::string, const Channel*> by_name;
  for (const Channel& channel : model.channels()) by_name[channel.name] = &channel;
  const auto add_three = [&](const std::string& prefix) {
    const size_t first = channels_.size();
    for (const char* axis : {"x", "y", "z"})
      if (const auto found = by_name.find(prefix + axis); found != by_name.end()) channels_.push_back(*found->second);
    return first;
  };
  const std::string ending = ".reaction.Fx";
  if (scenario.bodies.size() <= most_bodies_watched)
    for (const Channel& channel : model.channels()) {
      if (!channel.name.ends_with(ending)) continue;
      const std::string of = channel.name.substr(0, channel.name.size() - ending.size());
      const size_t force = add_three(of + ".reaction.F"), moment = add_three(of + ".reaction.M");
      reactions_.push_back({force, moment, {of, names.of_point(of).has_value(), {}, {}}});
    }
  const auto add_values = [&](const char* kind, const char* end, std::vector<One>& to) {
    for (const Channel& channel : channels_of_elements(model, kind, {end})) {
      to.push_back({channels_.size(), {channel.name, {}}});
      channels_.push_back(channel);
    }
  };
  add_values("contact", ".normal", contacts_);
  add_values("clearance", ".distance", clearances_);
  reader_ = ChannelReader(channels_);
  values_.resize(channels_.size());
}

void ReactionWatch::watch(const State& state, const Workspace& work) {
  reader_.read(state, work, values_.data());
  const auto three = [&](size_t first) {
    return result::Triple{values_[first], values_[first + 1], values_[first + 2]};
  };
  for (Six& r : reactions_) {
    r.seen.force.see(state.t, three(r.force));
    r.seen.moment.see(state.t, three(r.moment));
  }
  for (One& c : contacts_)
    if (!begun_ || values_[c.value] > c.seen.at.value) c.seen.at = {values_[c.value], state.t};
  for (One& c : clearances_)
    if (!begun_ || values_[c.value] < c.seen.at.value) c.seen.at = {values_[c.value], state.t};
  begun_ = true;
}

void ReactionWatch::add_results(result::Extremes& out) const {
  for (const Six& r : reactions_) out.reactions.push_back(r.seen);
  for (const One& c : contacts_) out.contacts.push_back(c.seen);
  for (const One& c : clearances_) out.clearances.push_back(c.seen);
}

RopeWatch::RopeWatch(const Scenario& scenario)
    : scenario_(scenario), lifted_(scenario.bodies.size()), hooks_(scenario.bodies.size()) {
  const BodyNames names(scenario);
  const auto& bodies = scenario.bodies;
  for (size_t i = 0; i < bodies.size(); ++i)
    if (is_free(bodies[i].second) && !is_vessel(scenario, bodies[i].first))
      hooks_[i] = {bodies[i].first, weight_of(scenario, bodies[i].second), {}, {}};
  for (const auto& rope : forces_with<RiggingStrand>(*scenario.model)) {
    Watched watched{rope, {}, {}};
    for (const RiggingStrand::Place& place : rope.as->places()) {
      const auto body = names.of_place(place);
      watched.bodies.push_back(body);
      watched.lugs.push_back(place.lug ? std::optional(lugs_.size()) : std::nullopt);
      if (place.lug) lugs_.push_back({place.name, rope.name(), body ? bodies[*body].first : "world", {}});
    }
    ropes_.push_back(std::move(watched));
  }
}

void RopeWatch::watch(const Watched& w, const State& state, const Workspace& work) {
  if (!w.rope.as->is_connected(work.kin)) return;
  w.rope.as->pulls(w.rope.context(state, work), pulls_);
  for (const auto& [place, pull] : pulls_) {
    const auto body = w.bodies[place], lug = w.lugs[place];
    if (body) lifted_[*body] += std::max(pull.z(), 0.0);
    if (!lug) continue;
    const Vec3 own = body ? Vec3(rotation(work.kin, scenario_.body_frames[*body]).transpose() * pull) : pull;
    lugs_[*lug].pull.see(state.t, triple(own));
  }
}

void RopeWatch::watch(const State& state, const Workspace& work) {
  std::fill(lifted_.begin(), lifted_.end(), 0.0);
  for (const Watched& w : ropes_) watch(w, state, work);
  for (size_t i = 0; i < hooks_.size(); ++i)
    if (hooks_[i] && lifted_[i] > hooks_[i]->largest.value) hooks_[i]->largest = {lifted_[i], state.t};
}

void RopeWatch::add_results(result::Extremes& out) const {
  out.lugs = lugs_;
  for (const auto& hook : hooks_)
    if (hook && hook->largest.value > 0) out.hooks.push_back(*hook);
}

void ExtremesMonitor::watch(const Snapshot& now) {
  motions_.watch(now.state, now.work.kin);
  reactions_.watch(now.state, now.work);
  ropes_.watch(now.state, now.work);
}

result::Extremes ExtremesMonitor::results() const {
  result::Extremes out;
  out.motions = motions_.results();
  reactions_.add_results(out);
  ropes_.add_results(out);
  return out;
}

}  // namespace davit
