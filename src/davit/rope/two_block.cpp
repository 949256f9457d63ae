#include "davit/rope/two_block.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "davit/rope/rope_ends.hpp"

namespace davit::rope {

namespace {

// Where no least length is given, m, and of what there is at the start.
constexpr double largest_default = 0.1, share_of_start = 0.02;

double least_of(const RopeSetup& setup, double at_start) {
  return setup.least_length.value_or(std::min(largest_default, share_of_start * at_start));
}

size_t node_of(const Path& path, int waypoint) {
  const auto found = std::find_if(path.begin(), path.end(), [&](const PathNode& n) { return n.waypoint == waypoint; });
  return static_cast<size_t>(found - path.begin());
}

// From rim to rim, whatever the rope touches between.
double gap_between(const Layout& layout, const Path& path, const TensionsT<double>& t, size_t a, size_t b) {
  return (t.at[b] - t.at[a]).norm() - layout.radius(path[a]) - layout.radius(path[b]);
}

constexpr const char* remedy = "hoist less, begin with more rope out, or give the rope another 'least_length'";

}  // namespace

TwoBlock::TwoBlock(const RopeSetup& setup, const PathState& laid, const TensionsT<double>& t) {
  const Layout& layout = setup.rope.layout;
  const auto winds = [](const std::shared_ptr<const Reel>& reel) { return reel && reel->winds(); };
  const bool wound = winds(setup.first_reel) || winds(setup.last_reel);
  if (wound) least_rope_ = least_of(setup, laid.material);
  std::vector<int> passed;
  for (size_t i = 0; i < layout.waypoints.size(); ++i)
    if (layout.waypoints[i].passing) passed.push_back(static_cast<int>(i));
  if (!wound && passed.size() < 3) return;
  for (size_t k = 0; k + 1 < passed.size(); ++k) {
    Piece piece{passed[k], passed[k + 1]};
    const size_t a = node_of(laid.path, piece.from), b = node_of(laid.path, piece.to);
    if (layout.gap_after(laid.path[a]) || layout.place(laid.path[a]) == layout.place(laid.path[b])) continue;
    piece.gap = gap_between(layout, laid.path, t, a, b);
    piece.least = least_of(setup, piece.gap);
    // Sheaves side by side overlap, seen along their axes, and do not meet.
    if (piece.gap > 0) pieces_.push_back(piece);
  }
}

double TwoBlock::margin(const Layout& layout, const PathState& state, const TensionsT<double>& t) const {
  double margin = least_rope_ > 0 ? state.material - least_rope_ : std::numeric_limits<double>::infinity();
  for (const Piece& piece : pieces_) {
    const size_t a = node_of(state.path, piece.from), b = node_of(state.path, piece.to);
    margin = std::min(margin, gap_between(layout, state.path, t, a, b) - piece.least);
  }
  return margin;
}

std::string TwoBlock::found(const Layout& layout, const PathState& state, const TensionsT<double>& t,
                            double time) const {
  if (state.material < least_rope_)
    return fmt::format(
        "two-blocked at {:.6g} s, {:.3g} m of the rope from '{}' to '{}' are left where {:.3g} m is the least: {}",
        time, state.material, layout.waypoints.front().name, layout.waypoints.back().name, least_rope_, remedy);
  for (const size_t leg : {size_t(0), t.material.size() - 1})
    if (least_rope_ > 0 && !(t.material[leg] > 0))
      return fmt::format(
          "two-blocked at {:.6g} s, no rope is left at '{}', which does not slip over what it passes "
          "next: {}",
          time, layout.waypoint(leg == 0 ? state.path.front() : state.path.back()).name, remedy);
  for (const Piece& piece : pieces_) {
    const size_t a = node_of(state.path, piece.from), b = node_of(state.path, piece.to);
    const double gap = gap_between(layout, state.path, t, a, b);
    // A slack piece lets them come as near as they like, and one that touches something between them is longer.
    if (gap >= piece.least || b != a + 1 || !(t.tension[a] > 0)) continue;
    return fmt::format("two-blocked at {:.6g} s, '{}' and '{}' are {:.3g} m apart where {:.3g} m is the least: {}",
                       time, layout.waypoint(state.path[a]).name, layout.waypoint(state.path[b]).name, gap, piece.least,
                       remedy);
  }
  return {};
}

}  // namespace davit::rope
