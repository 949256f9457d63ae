// A mooring line divided into elements: what lines of bars and of beams have in common.
#pragma once

#include <vector>

#include "davit/cable/properties.hpp"
#include "davit/cable/work.hpp"

namespace davit::cable {

struct Outcome {
  bool converged = false;
  int iterations = 0;
  double change = 0;    // m, of the last iteration, largest of all nodes
  double residual = 0;  // N, largest unbalanced force of a node inside when that iteration began
};

// Forces of the line on what holds its ends, and their derivatives by the positions (a, b) of the ends.
struct EndForces {
  Vec3 a = Vec3::Zero(), b = Vec3::Zero();
  Mat6 tangent = Mat6::Zero();  // ∂(force a, force b)/∂(a, b), with what follows from the scheme's velocities
  bool anchored = false;        // set by the caller: a never moves, only the derivative by b is wanted
};

struct Numerics {
  double tolerance = 1e-4;  // m, of the next change in a step, as it is foreseen
  int max_iterations = 30, max_static_iterations = 500;
};

// What a step begins its iteration with: motion as it was, or `after` and the work as they were left by the last call,
// which was about the same step with other ends.
enum class Guess { prediction, last_trial };

struct LineEnergy {
  double kinetic = 0;  // with that of added mass
  double elastic = 0, weight = 0, bed = 0;
  double total() const { return kinetic + elastic + weight + bed; }
};

// What there is to see of a line.
struct LineView {
  std::vector<Vec3> positions;  // of the nodes, from A to B
  std::vector<double> tension;  // N, of the elements, from A to B
  Vec3 force_a = Vec3::Zero(), force_b = Vec3::Zero();
  double tension_a = 0, tension_b = 0;  // N, at the very ends
  double grounded_length = 0;           // m, unstretched, in touch with the bed
  double touchdown = 0;  // m of unstretched length from A to where it leaves the bed towards B; zero: none
  Vec3 touchdown_point = Vec3::Zero();
  double uplift_angle = 0;   // rad, of the pull on A above the bed
  double safety_factor = 0;  // lowest of breaking load over tension; zero: not known
};

class DividedLine {
 public:
  virtual ~DividedLine() = default;

  int nodes() const { return elements_ + 1; }
  int elements() const { return elements_; }
  int state_size() const { return layout_.size(); }
  double length() const { return length_; }  // unstretched
  double weight() const { return weight_; }  // N, submerged, with attachments

  // What equilibrium is looked for from.
  enum class Start { catenary, straight, state };

  void look(const double* state, LineView&) const;
  Vec3 position(const double* state, int node) const;
  Vec3 velocity(const double* state, int node) const;
  double unstretched(int node) const { return arc_[static_cast<size_t>(node)]; }  // m from A

 protected:
  DividedLine(const std::vector<Section>&, std::vector<Attachment>, Bed, Surroundings, Numerics);
  DividedLine(const DividedLine&) = default;
  DividedLine(DividedLine&&) = default;
  DividedLine& operator=(const DividedLine&) = default;
  DividedLine& operator=(DividedLine&&) = default;

  void prepare(NodeWork&) const;
  void lay(const Vec3& a, const Vec3& b, Start, double* state) const;
  // The water at work.sample_points; whether the plain equations of deep water at rest will do is left in work.open.
  void sample_water(NodeWork& work, double time, bool with_waves) const;
  NodeLoads attachment_loads(const NodeLoad&, const NodeWork&, const Rates&) const;
  struct PointState {
    Vec3 r, v, t;
  };
  void add_energy_at(const PointState&, int element, double piece, const double* stretches, LineEnergy&) const;
  void add_energy_of_attachments(const double* state, LineEnergy&) const;
  virtual double tension(const double* state, int element) const = 0;

  int elements_ = 0;
  StateLayout layout_;
  std::vector<ElementPack> packs_;
  std::vector<double> arc_, rest_length_, breaking_load_;
  std::vector<NodeLoad> loads_;
  BedPlane bed_;
  Surroundings surroundings_;
  Numerics numerics_;
  double length_ = 0, weight_ = 0;
};

}  // namespace davit::cable
