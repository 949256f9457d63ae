// Two-blocking: what hangs on a rope is hoisted, or drawn by the motion of a boom, up to what it hangs from. From rim
// to rim of two things on different bodies that the rope passes one after the other there is a gap; where a taut piece
// closes it to its least, block meets block, and what the law of a rope says is true no longer. Nor is it of a rope of
// which a winch has wound in all but its least.
#pragma once

#include <string>
#include <vector>

#include "davit/rope/balance.hpp"

namespace davit::rope {

struct RopeSetup;
struct PathState;

class TwoBlock {
 public:
  TwoBlock() = default;
  // Of a rope as it was laid: only one that is wound or passes something can be two-blocked. If no least length is
  // given, it is a fiftieth of what there is at the start, a tenth of a metre at the most.
  TwoBlock(const RopeSetup&, const PathState& laid, const TensionsT<double>&);

  // Between two waypoints on different bodies, one after the other.
  struct Piece {
    int from = 0, to = 0;
    double gap = 0;  // at the start, from rim to rim
    double least = 0;
  };
  const std::vector<Piece>& pieces() const { return pieces_; }
  // Unstretched rope that must be left; zero where none is wound in.
  double least_rope() const { return least_rope_; }
  bool possible() const { return !pieces_.empty() || least_rope_ > 0; }

  // What is left of gaps and rope until the first of them is at its least.
  double margin(const Layout&, const PathState&, const TensionsT<double>&) const;
  // What is two-blocked, in words; empty if nothing is.
  std::string found(const Layout&, const PathState&, const TensionsT<double>&, double t) const;

 private:
  std::vector<Piece> pieces_;
  double least_rope_ = 0;
};

}  // namespace davit::rope
