// A line that parts: where, its pieces, and the states that they begin with.
#include <algorithm>
#include <cmath>

#include "davit/cable/divided_line.hpp"

namespace davit::cable {

namespace {

// The elements of the whole line that a piece has.
struct Range {
  int from, to;
  Range(const Parting& at, Piece piece)
      : from(piece == Piece::first ? 0 : at.node), to(piece == Piece::first ? at.node : at.elements) {}
};

void copy_element(const ElementPack& from, int lane, ElementPack& to, int to_lane) {
  for (const auto constant : element_constants) (to.*constant)[to_lane] = (from.*constant)[lane];
}

}  // namespace

Parting DividedLine::parting(const double* state, std::optional<double> length) const {
  Parting out{0, elements(state), state[StateLayout::last_length]};
  if (length) {
    const auto distance = [&](int node) { return std::abs(unstretched(node) - *length); };
    for (int node = 1; node <= out.elements; ++node)
      if (distance(node) < distance(out.node)) out.node = node;
    out.length = unstretched(out.node);
    return out;
  }
  LineView view;
  look(state, view);
  std::vector<double> tension{view.tension_a};
  tension.insert(tension.end(), view.tension.begin(), view.tension.end());
  tension.push_back(view.tension_b);
  const bool known = std::any_of(breaking_load_.begin(), breaking_load_.end(), [](double load) { return load > 0; });
  double most = -1;
  for (int i = 0; i < out.elements; ++i) {
    const double strength = known ? breaking_load_[static_cast<size_t>(i)] : 1;
    if (!(strength > 0)) continue;
    // Of the outermost elements the ends have the greatest tension; it parts on the side where the tension is greater.
    const double before = tension[static_cast<size_t>(i)], after = tension[static_cast<size_t>(i) + 2];
    const double here =
        std::max({tension[static_cast<size_t>(i) + 1], i == 0 ? before : 0.0, i + 1 == out.elements ? after : 0.0});
    if (!(here / strength > most)) continue;
    most = here / strength;
    out.node = after >= before ? i + 1 : i;
  }
  out.length = unstretched(out.node);
  return out;
}

void LineView::add_piece(const LineView& piece, Piece which) {
  const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  if (!positions.empty()) {
    gap = positions.size() - 1;
    tension.push_back(0);
    if (!piece.curvature.empty()) curvature.push_back(0);
  }
  append(positions, piece.positions);
  append(tension, piece.tension);
  append(curvature, piece.curvature);
  grounded_length += piece.grounded_length;
  if (piece.safety_factor > 0)
    safety_factor = safety_factor > 0 ? std::min(safety_factor, piece.safety_factor) : piece.safety_factor;
  if (which == Piece::second) {
    force_b = piece.force_b, tension_b = piece.tension_b, moment_b = piece.moment_b;
    return;
  }
  force_a = piece.force_a, tension_a = piece.tension_a, moment_a = piece.moment_a;
  uplift_angle = piece.uplift_angle;
  touchdown = piece.touchdown, touchdown_point = piece.touchdown_point;
}

// One node more in all, and two beyond.
int DividedLine::size_of_pieces() const {
  StateLayout all = layout_, headers = layout_;
  all.nodes += 3;
  headers.nodes = 0;
  return all.size() + headers.size();
}

void DividedLine::become_piece(const Parting& at, Piece piece, bool beyond) {
  const Range range(at, piece);
  const DividedLine& whole = *this;
  const std::vector<ElementPack> packs = packs_;
  const std::vector<double> arcs = arc_, lengths = rest_length_, strengths = breaking_load_;
  nothing_a_ = beyond && piece == Piece::second;
  nothing_b_ = beyond && piece == Piece::first;
  packs_.clear(), arc_.clear(), rest_length_.clear(), breaking_load_.clear();
  elements_ = 0;
  length_ = weight_ = 0;
  const auto add = [&](double length, double breaking_load) {
    if (elements_ % lanes == 0) packs_.emplace_back();
    rest_length_.push_back(length);
    breaking_load_.push_back(breaking_load);
    ++elements_;
  };
  arc_.push_back(arcs[static_cast<size_t>(range.from)]);
  const auto add_nothing = [&] {
    add(1, 0);
    arc_.push_back(arc_.back());
  };
  if (nothing_a_) add_nothing();
  for (int i = range.from; i < range.to; ++i) {
    const size_t index = static_cast<size_t>(i);
    const double length = i + 1 == at.elements ? at.last_length : lengths[index];
    add(length, strengths[index]);
    arc_.push_back(arc_.back() + length);
    ElementPack& pack = packs_.back();
    const int lane = (elements_ - 1) % lanes;
    copy_element(packs[index / lanes], i % lanes, pack, lane);
    pack.length[lane] = length;
    pack.per_length[lane] = 1 / length;
    length_ += length;
    weight_ += length * (pack.mass[lane] - pack.displaced[lane]) * surroundings_.water.gravity;
  }
  if (nothing_b_) add_nothing();
  // What is attached where it parts goes with the second piece.
  std::vector<NodeLoad> loads;
  for (NodeLoad each : whole.loads_) {
    if (each.node < range.from || each.node > range.to || (each.node == range.to && piece == Piece::first)) continue;
    each.node += (nothing_a_ ? 1 : 0) - range.from;
    weight_ += (each.mass - each.displaced) * surroundings_.water.gravity;
    loads.push_back(each);
  }
  loads_ = std::move(loads);
  layout_.nodes = elements_ + 1;
  layout_.windows = surroundings_.waves;
  first_wound_ = 0;
}

// Places, velocities and what they changed by in the last step stay; so do momentum and energy.
void DividedLine::part(const Parting& at, Piece which, const double* state, const DividedLine& piece,
                       double* out) const {
  const Range range(at, which);
  const StateLayout &from = layout_, &to = piece.layout_;
  const int before = piece.nothing_a_ ? 1 : 0, nodes = range.to - range.from + 1;
  std::fill_n(out, to.size(), 0.0);
  out[StateLayout::last_step] = state[StateLayout::last_step];
  out[StateLayout::active] = piece.elements_;
  out[StateLayout::last_length] = piece.rest_length_.back();
  const bool first = which == Piece::first;
  std::copy_n(state + (first ? StateLayout::force_a : StateLayout::force_b), 3,
              out + (first ? StateLayout::force_a : StateLayout::force_b));
  for (int axis = 0; axis < from.axes; ++axis) {
    const auto copy = [&](int source, int target) {
      std::copy_n(state + source + range.from, nodes, out + target + before);
    };
    copy(from.position(axis), to.position(axis));
    copy(from.velocity(axis), to.velocity(axis));
    copy(from.position_change(axis), to.position_change(axis));
    copy(from.velocity_change(axis), to.velocity_change(axis));
    double* place = out + to.position(axis);
    if (piece.nothing_a_) place[0] = place[1];
    if (piece.nothing_b_) place[nodes] = place[nodes - 1];
  }
  const int stride = from.friction_stride(), elements = range.to - range.from;
  std::copy_n(state + from.friction() + stride * range.from, stride * elements, out + to.friction() + stride * before);
  std::copy_n(state + from.branch() + from.branches * range.from, from.branches * elements,
              out + to.branch() + from.branches * before);
  if (from.axes == 3) return;
  std::copy_n(state + (first ? from.moment_a() : from.moment_b()), 3, out + (first ? to.moment_a() : to.moment_b()));
}

}  // namespace davit::cable
