// A mooring line that broke: two lines from there on, each with a free end, or one where it let go of an end.
#include <algorithm>

#include "davit/mooring/line_force.hpp"

namespace davit::mooring {

namespace {

constexpr cable::Piece pieces_of[] = {cable::Piece::first, cable::Piece::second};

}  // namespace

double LineForce::broke_at(const ContextT<double>& c) const {
  const auto kept = kept_of(c);
  return is_broken(kept) && line_->size_of_pieces() > 0 ? kept[Kept::parted_at] : 0;
}

// A line that is let go of, or has no inside, comes off its fairlead.
void LineForce::break_now(std::span<double> kept, bool let_go, Work& w) const {
  kept[Kept::is_broken] = 1;
  const double* whole = w.after.data();
  std::copy_n(kept.data() + Kept::state, line_->state_size(), w.after.data());
  std::fill(kept.begin() + Kept::state, kept.end(), 0.0);
  std::optional<cable::Parting> at = line_->parting(whole, breaks_.along);
  if (at && let_go) at->node = at->elements, at->length = line_->length();
  if (at) {
    kept[Kept::parted_at] = at->length;
    kept[Kept::parted_node] = at->node;
    kept[Kept::parted_elements] = at->elements;
    kept[Kept::parted_length] = at->last_length;
  }
  make_pieces(kept, w);
  for (size_t i = 0; i < 2; ++i)
    if (w.piece[i]) line_->part(*at, pieces_of[i], whole, w.piece[i]->after.data());
  keep_pieces(kept, w);
  // What is held by no piece any more.
  for (const int i : {0, 1})
    if (!w.piece[i])
      for (const int of : {3 * i, 6 + 3 * i}) std::fill_n(kept.begin() + Kept::force + of, 3, 0.0);
}

void LineForce::make_pieces(std::span<const double> kept, Work& w) const {
  if (line_->size_of_pieces() == 0) return;
  const cable::Parting at{static_cast<int>(kept[Kept::parted_node]), static_cast<int>(kept[Kept::parted_elements]),
                          kept[Kept::parted_length], kept[Kept::parted_at]};
  if (w.parting == at) return;
  w.parting = at;
  for (size_t i = 0; i < 2; ++i) {
    w.piece[i].reset();
    if (auto line = line_->piece(at, pieces_of[i])) w.piece[i].emplace(std::move(line));
  }
}

cable::Outcome LineForce::solve_pieces(std::span<const double> kept, double time, const cable::LineEnds& ends,
                                       Work& w) const {
  make_pieces(kept, w);
  const double h = time - kept[Kept::time];
  const bool anchored = w.forces.anchored;
  const double* state = kept.data() + Kept::pieces;
  forces_kept(kept, w.forces);
  cable::Outcome outcome{.converged = true};
  for (size_t i = 0; i < 2; ++i) {
    if (!w.piece[i]) continue;
    PieceWork& piece = *w.piece[i];
    const bool first = pieces_of[i] == cable::Piece::first;
    if (h > 0) {
      // The free end stays with what follows it.
      cable::LineEnds held = piece.line->ends(state);
      (first ? held.a : held.b) = first ? ends.a : ends.b;
      (first ? held.direction_a : held.direction_b) = first ? ends.direction_a : ends.direction_b;
      held.waves = ends.waves;
      piece.forces.anchored = anchored || !first;
      const cable::Outcome found =
          piece.line->step(state, kept[Kept::time], h, held, piece.after.data(), piece.forces, *piece.scratch);
      if (!found.converged) outcome = found;
      put(piece.forces, first, w.forces);
    } else {
      std::copy_n(state, piece.line->state_size(), piece.after.data());
    }
    state += piece.line->state_size();
  }
  return outcome;
}

// What a piece does where it is held.
void LineForce::put(const cable::EndForces& of, bool first, cable::EndForces& forces) {
  (first ? forces.a : forces.b) = first ? of.a : of.b;
  (first ? forces.moment_a : forces.moment_b) = first ? of.moment_a : of.moment_b;
  const int end = first ? 0 : 3;
  forces.tangent.block<3, 3>(end, end) = of.tangent.block<3, 3>(end, end);
  for (const int row : {end, end + 6})
    for (const int column : {end, end + 6})
      forces.bending.block<3, 3>(row, column) = of.bending.block<3, 3>(row, column);
}

void LineForce::keep_pieces(std::span<double> kept, const Work& w) const {
  auto state = kept.begin() + Kept::pieces;
  for (const auto& piece : w.piece)
    if (piece) state = std::copy(piece->after.begin(), piece->after.end(), state);
}

// `found`: at the end of the step that was solved last; else as they are kept.
void LineForce::look_at_pieces(std::span<const double> kept, bool found, Work& w) const {
  make_pieces(kept, w);
  w.view = {};
  const double* state = kept.data() + Kept::pieces;
  for (size_t i = 0; i < 2; ++i) {
    if (!w.piece[i]) continue;
    PieceWork& piece = *w.piece[i];
    piece.line->look(found ? piece.after.data() : state, piece.view);
    w.view.add_piece(piece.view, pieces_of[i]);
    state += piece.line->state_size();
  }
}

}  // namespace davit::mooring
