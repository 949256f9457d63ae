// A line of beams: its elements, what there is to see of it, its energy. Equations are in beam_equations.cpp, rest and
// steps in beam_solve.cpp.
#include "davit/cable/beam.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "davit/cable/beam_equations.hpp"

namespace davit::cable {

// A slack element resists bending by a thousandth of what its own weight wL would ask for.
double Beam::least_stiffness(double weight, double length) { return 1e-3 * weight * length * length * length; }

// Elements that cannot push push by this part of their weight for a compression of one: slopes would otherwise shrink
// to nothing where the line is slack.
constexpr double slack_push = 0.02;

Beam::Beam(const std::vector<Section>& sections, std::vector<Attachment> attachments, Bed bed, Surroundings around,
           BeamOptions options, Numerics numerics)
    : DividedLine(sections, std::move(attachments), bed, std::move(around), numerics), options_(options) {
  layout_.axes = 6;
  layout_.points = beam_points;
  if (relaxes_) layout_.branches = beam_points;
  for (int i = 0; i < elements_; ++i) {
    ElementPack& p = packs_[static_cast<size_t>(i / lanes)];
    const int lane = i % lanes;
    const double length = p.length[lane], tau = p.EA_tau[lane] / p.EA[lane];
    const double weight = p.mass[lane] * surroundings_.water.gravity;
    if (p.EI[lane] == 0) p.slack[lane] = std::min(1.0, slack_push * weight * length / p.EA[lane]);
    p.EI[lane] = std::max(p.EI[lane], least_stiffness(weight, length));
    p.EI_tau[lane] = tau * p.EI[lane];
    constexpr double straight = 1e-4;  // rad that an element turns, below which bending is not damped
    p.straight_squared[lane] = std::pow(straight / length, 2);
  }
}

BeamWork Beam::make_work() const {
  BeamWork work;
  prepare(work);
  work.equations.resize(packs_.size());
  work.eliminated.resize(static_cast<size_t>(nodes()));
  work.change.assign(static_cast<size_t>(nodes()), Vec6::Zero());
  if (relaxes_)
    for (auto* each : {&work.branch_base, &work.branch_slope}) each->assign(beam_points * packs_.size(), Pack::Zero());
  return work;
}

Vec3 Beam::slope(const double* state, int node) const {
  return {state[layout_.position(3) + node], state[layout_.position(4) + node], state[layout_.position(5) + node]};
}

namespace {

// A point of an element from the coordinates of its nodes.
struct BeamPoint {
  Vec3 r = Vec3::Zero(), slope = Vec3::Zero(), bend = Vec3::Zero();
};
// `first`: index of the first coordinate's array in the state.
BeamPoint point_of(const double* state, const StateLayout& layout, int first, int element, double place,
                   double length) {
  const Hermite<double> n(place, length);
  BeamPoint out;
  for (int i = 0; i < 4; ++i)
    for (int axis = 0; axis < 3; ++axis) {
      const double x = state[first + (3 * (i % 2) + axis) * layout.nodes + element + i / 2];
      out.r[axis] += n.value[i] * x;
      out.slope[axis] += n.slope[i] * x;
      out.bend[axis] += n.bend[i] * x;
    }
  return out;
}
double turn_per_metre(const BeamPoint& p) { return p.slope.cross(p.bend).norm() / p.slope.squaredNorm(); }

}  // namespace

double Beam::tension(const double* state, int element) const {
  const ElementPack& p = packs_[static_cast<size_t>(element / lanes)];
  const int lane = element % lanes;
  const double length = rest_length_[static_cast<size_t>(element)];
  const Vec3 d = point_of(state, layout_, layout_.position(0), element, 0.5, length).slope;
  const Vec3 v = point_of(state, layout_, layout_.velocity(0), element, 0.5, length).slope;
  const double stretch = d.norm(), branch = relaxes_ ? state[branch_of(element, 1)] : 0;
  const double pull = options_.strain == Strain::green
                          ? stretch * (0.5 * p.EA[lane] * (stretch * stretch - 1) + p.EA_tau[lane] * d.dot(v) + branch)
                          : p.EA[lane] * (stretch - 1) + p.EA_tau[lane] * d.dot(v) / stretch + branch;
  return pull > 0 ? pull : p.slack[lane] * pull;
}

double Beam::strain(const double* state, int element, int point) const {
  const double length = rest_length_[static_cast<size_t>(element)];
  const Vec3 d = point_of(state, layout_, layout_.position(0), element, beam_place[point], length).slope;
  return options_.strain == Strain::green ? 0.5 * (d.squaredNorm() - 1) : d.norm() - 1;
}

// As those of bars (relaxation.cpp), at every Gauss point.
void Beam::begin_branches(const double* before, double h, BeamWork& work) const {
  for (int i = 0; i < elements_; ++i)
    for (int g = 0; g < beam_points; ++g) {
      const ElementPack& p = packs_[static_cast<size_t>(i / lanes)];
      const int lane = i % lanes;
      const size_t at = static_cast<size_t>(beam_points * (i / lanes) + g);
      const double share = 1 / (1 + h / p.relaxation_time[lane]), slope = share * p.EA_branch[lane];
      work.branch_slope[at][lane] = slope;
      work.branch_base[at][lane] = share * before[branch_of(i, g)] - slope * strain(before, i, g);
    }
}

void Beam::keep_branches(double* after, const BeamWork& work) const {
  for (int i = 0; i < elements_; ++i)
    for (int g = 0; g < beam_points; ++g) {
      const size_t at = static_cast<size_t>(beam_points * (i / lanes) + g);
      after[branch_of(i, g)] = work.branch_base[at][i % lanes] + work.branch_slope[at][i % lanes] * strain(after, i, g);
    }
}

double Beam::curvature(const double* state, int element) const {
  double largest = 0;
  for (const double place : beam_place)
    largest = std::max(largest, turn_per_metre(point_of(state, layout_, layout_.position(0), element, place,
                                                        rest_length_[static_cast<size_t>(element)])));
  return largest;
}

void Beam::look(const double* state, LineView& view) const {
  DividedLine::look(state, view);
  view.curvature.resize(static_cast<size_t>(elements_));
  for (int i = 0; i < elements_; ++i) view.curvature[static_cast<size_t>(i)] = curvature(state, i);
  view.moment_a = Eigen::Map<const Vec3>(state + layout_.moment_a());
  view.moment_b = Eigen::Map<const Vec3>(state + layout_.moment_b());
}

LineEnergy Beam::energy(const double* state) const {
  LineEnergy out;
  for (int i = 0; i < elements_; ++i) {
    const ElementPack& p = packs_[static_cast<size_t>(i / lanes)];
    const int lane = i % lanes;
    const double length = rest_length_[static_cast<size_t>(i)];
    for (int g = 0; g < beam_points; ++g) {
      const double piece = beam_weight[g] * length;
      const BeamPoint q = point_of(state, layout_, layout_.position(0), i, beam_place[g], length);
      const BeamPoint u = point_of(state, layout_, layout_.velocity(0), i, beam_place[g], length);
      const double stretch = q.slope.norm();
      const double strain = options_.strain == Strain::green ? 0.5 * (stretch * stretch - 1) : stretch - 1;
      const double EA = strain > 0 ? p.EA[lane] : p.slack[lane] * p.EA[lane];
      out.elastic += 0.5 * piece * (EA * strain * strain + p.EI[lane] * std::pow(turn_per_metre(q), 2));
      if (const double force = relaxes_ ? state[branch_of(i, g)] : 0; force != 0)
        out.elastic += 0.5 * piece * force * force / p.EA_branch[lane];
      const double* stretches = state + layout_.friction() + layout_.friction_stride() * i + 2 * g;
      add_energy_at({q.r, u.r, q.slope / stretch}, i, piece, stretches, out);
    }
  }
  add_energy_of_attachments(state, out);
  return out;
}

}  // namespace davit::cable
