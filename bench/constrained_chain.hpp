// Links of half a metre and one kilogram that hang straight at 20° from the vertical and are let go, with a little spin
// about their own axes so that the motion is spatial: free bodies on ball constraints, or tree joints.
#pragma once

#include "davit/dynamics/tree.hpp"
#include "davit/model/model.hpp"

namespace davit::bench {

inline constexpr double link_length = 0.5, chain_tilt = 20 * M_PI / 180;

struct LinkChain {
  std::shared_ptr<const Tree> tree;
  std::unique_ptr<Model> model;
  Frame end;
};
// With a redundant row, the second ball has one of its rows again.
LinkChain link_chain(int links, bool by_constraints, bool redundant = false);

}  // namespace davit::bench
