#include "davit/statics/skew.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "davit/force/applied_wrench.hpp"
#include "davit/model/forces_with.hpp"
#include "davit/model/strand.hpp"
#include "davit/statics/statics.hpp"

namespace davit {

namespace {

using PlacedRope = ForceWith<RiggingStrand>;

double tension_of(const PlacedRope& r, const State& state, System& system) {
  return r.as->tension(r.context(state, system.workspace()));
}

// The same model with the weight of a body at another place: up where it is, and down where it may be. Statics see no
// more of a mass than its weight.
std::unique_ptr<Model> with_weight_moved(const Model& model, const Frame& body, const Vec3& centre, double weight,
                                         const Vec3& by) {
  ModelParts parts;
  for (const auto& b : model.blocks()) parts.blocks.push_back(b.block);
  for (const auto& f : model.forces()) parts.forces.push_back(f.element);
  for (const double sign : {1.0, -1.0}) {
    AppliedWrench::Data data;
    data.force = Vec3(0, 0, sign * weight);
    const Vec3 at = sign > 0 ? centre : Vec3(centre + by);
    const Frame frame{body.body, body.offset * Pose{Mat3::Identity(), at}};
    parts.forces.push_back(std::make_shared<AppliedWrench>("moved weight", frame, data));
  }
  parts.reaction_forces = model.reaction_forces();
  for (const auto& c : model.controllers()) parts.controllers.push_back(c.element);
  for (const auto& s : model.servos()) parts.servos.push_back(s.element);
  for (const auto& c : model.constraints()) parts.constraints.push_back(c.constraint);
  parts.contacts = model.contacts();
  parts.inputs = model.inputs();
  parts.outputs = model.outputs();
  parts.signals = model.signals();
  parts.body_names = model.body_names();
  return std::make_unique<Model>(std::move(parts));
}

using Signs = std::vector<int>;  // by sling: longer, shorter, or as it is

// Every combination, or of many slings each alone and opposite ones of the list in pairs.
constexpr size_t most_for_corners = 8;
std::vector<Signs> variations_of_lengths(size_t slings) {
  std::vector<Signs> out;
  if (slings <= most_for_corners) {
    for (unsigned code = 0; code < 1u << slings; ++code) {
      Signs signs(slings);
      for (size_t i = 0; i < slings; ++i) signs[i] = (code >> i & 1u) ? 1 : -1;
      out.push_back(std::move(signs));
    }
    return out;
  }
  for (const int sign : {-1, 1})
    for (size_t i = 0; i < slings; ++i) {
      Signs alone(slings, 0);
      alone[i] = sign;
      out.push_back(alone);
      if (i + slings / 2 >= slings) continue;
      alone[i + slings / 2] = sign;
      out.push_back(std::move(alone));
    }
  return out;
}

std::vector<Vec3> corners_of(const Vec3& by) {
  std::vector<Vec3> out{Vec3::Zero()};
  for (int axis = 0; axis < 3; ++axis) {
    if (by[axis] == 0) continue;
    std::vector<Vec3> more;
    for (const Vec3& corner : out)
      for (const double sign : {-1.0, 1.0}) more.push_back(corner + sign * by[axis] * Vec3::Unit(axis));
    out = std::move(more);
  }
  return out;
}

class Varying {
 public:
  Varying(const Scenario& scenario, System& system, const State& nominal)
      : scenario_(scenario), rigging_(*scenario.rigging), system_(system), nominal_(nominal) {
    const auto ropes = forces_with<RiggingStrand>(*scenario.model);
    for (const PlacedRope& r : ropes) out_.largest.push_back(tension_of(r, nominal, system));
    for (const std::string& name : rigging_.slings)
      for (size_t i = 0; i < ropes.size(); ++i)
        if (ropes[i].name() == name) slings_.push_back(i);
  }

  Variations vary() {
    std::vector<Signs> lengths{Signs(slings_.size(), 0)};
    std::vector<Vec3> centres{Vec3::Zero()};
    if (rigging_.varies_lengths()) lengths = variations_of_lengths(slings_.size());
    if (rigging_.centre) centres = corners_of(rigging_.centre->by);
    // Together where they are few enough to wait for, else one after the other.
    constexpr size_t most_together = 512;
    const bool both = lengths.size() > 1 && centres.size() > 1;
    const bool together = lengths.size() * centres.size() <= most_together;
    if (both && !together) {
      for (const Vec3& centre : centres) find(centre, {Signs(slings_.size(), 0)});
      find(Vec3::Zero(), lengths);
    } else if (lengths.size() > 1 || centres.size() > 1) {
      for (const Vec3& centre : centres) find(centre, lengths);
    }
    describe(lengths.size(), centres.size(), both, together);
    if (rigging_.diagonal_split) split();
    return std::move(out_);
  }

 private:
  void find(const Vec3& centre, const std::vector<Signs>& lengths) {
    if (centre == Vec3::Zero()) return find(system_, lengths);
    const size_t body = rigging_.centre->body;
    const BodySpec& spec = scenario_.bodies[body].second;
    const auto model = with_weight_moved(*scenario_.model, scenario_.body_frames[body], spec.centre,
                                         spec.mass * scenario_.specification.environment.gravity, centre);
    System system(*model);
    find(system, lengths);
  }

  void find(System& system, const std::vector<Signs>& lengths) {
    const auto ropes = forces_with<RiggingStrand>(system.model());
    for (const Signs& signs : lengths) {
      State state = nominal_;
      for (size_t i = 0; i < signs.size(); ++i) {
        const PlacedRope& r = ropes[slings_[i]];
        const double length = r.as->unstretched(state.discrete, r.force->first_slot);
        const double tolerance = rigging_.length + rigging_.length_part * length;
        if (signs[i] != 0) r.as->lengthen(state.discrete, r.force->first_slot, signs[i] * tolerance);
      }
      Equilibrium rest = find_rest(system, state, Nearness::near);
      ++tried_;
      if (!rest.converged) {
        ++failed_;
        continue;
      }
      system.commit(rest.state);
      system.evaluate(rest.state, System::Want::unconstrained);
      for (size_t i = 0; i < ropes.size(); ++i)
        out_.largest[i] = std::max(out_.largest[i], tension_of(ropes[i], rest.state, system));
    }
  }

  void describe(size_t lengths, size_t centres, bool both, bool together) {
    const std::string tolerance = rigging_.length > 0 ? fmt::format("{:g} mm", 1e3 * rigging_.length)
                                                      : fmt::format("{:g} %", 100 * rigging_.length_part);
    if (rigging_.varies_lengths())
      out_.how = fmt::format("{} {} longer or shorter by {}", slings_.size(),
                             slings_.size() <= most_for_corners ? "slings, in all combinations,"
                                                                : "slings, each alone and opposite ones in pairs,",
                             tolerance);
    if (rigging_.centre)
      out_.how += fmt::format("{}{} corners of the centre of gravity of '{}'",
                              !both      ? ""
                              : together ? ", at each of "
                                         : "; and apart from that ",
                              centres, scenario_.bodies[rigging_.centre->body].first);
    if (lengths * centres > 1) out_.how += fmt::format(" ({} equilibria", tried_);
    if (failed_ > 0) out_.how += fmt::format(", of which {} were not found", failed_);
    if (lengths * centres > 1) out_.how += ")";
  }

  void split() {
    const auto ropes = forces_with<RiggingStrand>(*scenario_.model);
    std::array<Vec3, 4> directions;
    std::array<double, 4> tensions{}, weight{};  // in the middle of a sling; what its own weight adds at its top
    system_.evaluate(nominal_, System::Want::unconstrained);
    for (size_t i = 0; i < 4; ++i) {
      const PlacedRope& r = ropes[slings_[i]];
      const RiggingStrand::Piece piece = r.as->first_piece(r.context(nominal_, system_.workspace()));
      directions[i] = piece.direction;
      tensions[i] = piece.tension;
      weight[i] = piece.weight;
    }
    const auto with = split_between_diagonals(directions, tensions, *rigging_.diagonal_split);
    out_.how += out_.how.empty() ? "" : "; ";
    if (!with) {
      out_.how += "no split between diagonals: the slings are not two of them, or slack";
      return;
    }
    out_.how += fmt::format("diagonals that carry 1 : {:g}", *rigging_.diagonal_split);
    for (size_t i = 0; i < 4; ++i)
      out_.largest[slings_[i]] = std::max(out_.largest[slings_[i]], (*with)[i] + weight[i]);
  }

  const Scenario& scenario_;
  const Rigging& rigging_;
  System& system_;
  const State& nominal_;
  std::vector<size_t> slings_;  // among the ropes
  Variations out_;
  int tried_ = 0, failed_ = 0;
};

}  // namespace

std::optional<std::array<double, 4>> split_between_diagonals(const std::array<Vec3, 4>& d,
                                                             const std::array<double, 4>& tensions, double split) {
  // Of the columns of a 3 × 4 matrix, by Cramer's rule.
  const auto det = [&](size_t a, size_t b, size_t c) { return d[a].dot(d[b].cross(d[c])); };
  const std::array<double, 4> n = {det(1, 2, 3), -det(0, 2, 3), det(0, 1, 3), -det(0, 1, 2)};
  double carried = 0, first = 0, slope = 0;
  int positive = 0;
  for (size_t i = 0; i < 4; ++i) {
    if (!(std::abs(n[i]) > 1e-9) || !(tensions[i] > 0)) return std::nullopt;
    const double up = std::abs(d[i].z());
    carried += tensions[i] * up;
    if (n[i] < 0) continue;
    ++positive;
    first += tensions[i] * up;
    slope += n[i] * up;
  }
  if (positive != 2) return std::nullopt;
  std::array<double, 4> out = tensions;
  for (const double share : {split / (1 + split), 1 / (1 + split)}) {
    const double by = (share * carried - first) / slope;
    for (size_t i = 0; i < 4; ++i) out[i] = std::max(out[i], tensions[i] + by * n[i]);
  }
  return out;
}

std::optional<Variations> vary_rigging(const Scenario& scenario, System& system, const State& nominal) {
  if (!scenario.rigging) return std::nullopt;
  system.evaluate(nominal, System::Want::unconstrained);
  return Varying(scenario, system, nominal).vary();
}

}  // namespace davit
