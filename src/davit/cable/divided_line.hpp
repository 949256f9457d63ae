// A mooring line divided into elements: what lines of bars and of beams have in common.
#pragma once

#include <vector>

#include "davit/cable/line_model.hpp"
#include "davit/cable/properties.hpp"
#include "davit/cable/work.hpp"

namespace davit::cable {

struct Numerics {
  double tolerance = 1e-4;  // m, of the next change in a step, as it is foreseen
  int max_iterations = 60, max_static_iterations = 500;
};

// What a step begins its iteration with: motion as it was, or `after` and the work as they were left by the last call,
// which was about the same step with other ends.
enum class Guess { prediction, last_trial };

// What a winch at B will have paid out at least and at most; both zero: there is none.
struct Winch {
  double least = 0, most = 0;  // m
  bool present() const { return least < 0 || most > 0; }
};

// A step that is tried: the state at its start, its start and length, and the waves in it.
struct StepSpan {
  const double* before;
  double time, h;
  MetWaves waves;
};

class DividedLine {
 public:
  virtual ~DividedLine() = default;

  // At the start.
  int nodes() const { return elements_ + 1; }
  int elements() const { return elements_; }
  double length() const { return length_; }  // unstretched
  double weight() const { return weight_; }  // N, submerged, with attachments
  int state_size() const { return layout_.size(); }
  // Elements that are out, and the length of one of them.
  int elements(const double* state) const { return static_cast<int>(state[StateLayout::active]); }
  double rest_length(const double* state, int element) const {
    return element + 1 == elements(state) ? state[StateLayout::last_length]
                                          : rest_length_[static_cast<size_t>(element)];
  }

  // Where it parts (line_model.hpp), and what its pieces begin with.
  Parting parting(const double* state, std::optional<double> length) const;
  int size_of_pieces() const;
  void part(const Parting&, Piece, const double* state, const DividedLine& piece, double* of_piece) const;

  // What equilibrium is looked for from. `slack`: from the catenary, what is slack in an arc on the bed, and as
  // flow_to_rest.hpp does it.
  enum class Start { catenary, straight, state, slack };

  void look(const double* state, LineView&) const;
  PaidOut paid_out(const double* state) const;
  Vec3 position(const double* state, int node) const;
  Vec3 velocity(const double* state, int node) const;
  double unstretched(int node) const { return arc_[static_cast<size_t>(node)]; }  // m from A

 protected:
  DividedLine(const std::vector<Section>&, std::vector<Attachment>, Bed, Surroundings, Numerics, Winch = {});
  DividedLine(const DividedLine&) = default;
  DividedLine(DividedLine&&) = default;
  DividedLine& operator=(const DividedLine&) = default;
  DividedLine& operator=(DividedLine&&) = default;

  // Becomes a piece of itself; with `beyond` an element of nothing follows at its free end, whose far node stays where
  // it is put: so a line whose equations want both ends held has a free one.
  void become_piece(const Parting&, Piece, bool beyond);
  void prepare(NodeWork&) const;
  // What may be left of the forces at rest: a part of what they are, and round-off of strains.
  double tolerable_force() const;
  // The elements that are out when so much line is paid out.
  struct Extent {
    int elements;
    double last;    // m, unstretched, of the last element
    double length;  // m, of all
    double weight;  // N
  };
  Extent extent(double paid_out, int elements) const;
  int elements_for(double paid_out) const;
  void take(const Extent&, NodeWork&) const;
  void lay(const Vec3& a, const Vec3& b, Start, const Extent&, double* state) const;
  // The Gauss points of the positions in the work: the water there, whether the plain equations of deep water at rest
  // will do (work.open), and the planes of an uneven bed. With waves at the end of a step, without at rest.
  void sample(NodeWork& work, const StepSpan* step) const;
  void meet_waves(NodeWork& work, const StepSpan& step) const;
  // Gauss points of all elements, or their velocities, from an array of nodes for each axis, `stride` apart.
  virtual void gauss_points(const double* coordinates, int stride, int elements, Vec3* out) const = 0;
  NodeLoads attachment_loads(const NodeLoad&, const NodeWork&, const Rates&) const;
  // How far a point of an element is in the bed; negative above it.
  double embedment(size_t element, const Vec3& p) const {
    const size_t lane = element % static_cast<size_t>(lanes);
    return bed_.embedment(p) +
           packs_[element / static_cast<size_t>(lanes)].axis_height[static_cast<Eigen::Index>(lane)];
  }
  struct PointState {
    Vec3 r, v, t;
  };
  void add_energy_at(const PointState&, int element, double piece, const double* stretches, LineEnergy&) const;
  void add_energy_of_attachments(const double* state, LineEnergy&) const;
  virtual double tension(const double* state, int element) const = 0;

  int elements_ = 0;                            // at the start
  bool nothing_a_ = false, nothing_b_ = false;  // the first or the last of them is of nothing
  int first_wound_ = 0;                         // the first element that the winch may take in
  double wound_weight_ = 0;                     // N/m of those
  StateLayout layout_;
  std::vector<ElementPack> packs_;
  std::vector<double> arc_, rest_length_, breaking_load_;
  std::vector<NodeLoad> loads_;
  BedOfLine bed_;
  Surroundings surroundings_;
  Numerics numerics_;
  double length_ = 0, weight_ = 0;
  bool relaxes_ = false;  // some section has a Maxwell branch
};

}  // namespace davit::cable
