// The panels of all bodies and of their lids as one list, with the planes of symmetry that all of them share.
//
// A symmetric hull is not solved as a whole: its sources split into parts that are even or odd across each plane, and
// each part is a problem for the listed panels alone. A quantity of parity p has the value p(image)·f at the image of a
// panel where it is f on the panel itself.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "davit/hull/panel_mesh.hpp"
#include "davit/panel/flat_panel.hpp"

namespace davit::panel {

struct Parity {
  int x = 1, y = 1;  // even (1) or odd (−1) across x = 0 and y = 0

  double at(const hull::Image& image) const {
    return (image.x < 0 && x < 0 ? -1.0 : 1.0) * (image.y < 0 && y < 0 ? -1.0 : 1.0);
  }
  friend bool operator==(const Parity&, const Parity&) = default;
};

// One body: its wetted panels, and panels on the water plane inside it against irregular frequencies (may be empty).
struct WettedBody {
  std::string name;
  hull::PanelMesh wetted, lid;
};

class Surface {
 public:
  explicit Surface(const std::vector<WettedBody>& bodies);

  const std::vector<FlatPanel>& panels() const { return panels_; }  // wetted ones first, then lids
  int count() const { return static_cast<int>(panels_.size()); }
  int wetted() const { return static_cast<int>(body_.size()); }
  int bodies() const { return bodies_; }
  int body_of(int wetted_panel) const { return body_[static_cast<size_t>(wetted_panel)]; }

  const std::vector<hull::Image>& images() const { return images_; }
  const std::vector<Parity>& parities() const { return parities_; }
  // Whether a motion (0 … 5 of any body) is of this parity; without a plane of symmetry all are even across it.
  bool has(const Parity& parity, int motion) const;

  // (n, r × n) of a wetted panel, about the origin of the frame: the normal velocity of a unit motion.
  Vec6 mode_normal(int wetted_panel) const;

  double reach() const { return reach_; }  // greatest horizontal distance of two points
  // K below which no hull has an irregular frequency: those of the box around it, K = k coth kT with k² = (π/L)² +
  // (π/B)², are lower than its own, since a wave shut up in a larger box is slower.
  double first_irregular() const { return first_irregular_; }

 private:
  std::vector<FlatPanel> panels_;
  std::vector<int> body_;
  int bodies_ = 0;
  std::vector<hull::Image> images_;
  std::vector<Parity> parities_;
  double reach_ = 0;
  double first_irregular_ = std::numeric_limits<double>::infinity();
};

}  // namespace davit::panel
