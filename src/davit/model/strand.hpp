// Elements that are lines under tension from body to body: ropes, slings, mooring lines, or a user's own. Pictures,
// report and statics ask them here and know none of them. An element derives from one of these beside its own
// interface, and publishes its largest tension as `name.tension`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "davit/math/export.hpp"
#include "davit/model/element.hpp"

namespace davit {

// What is drawn as a line; the Model draws every strand that it has.
class DAVIT_API Strand {
 public:
  virtual ~Strand() = default;
  // What pictures call it: "rope", "mooring", …
  virtual std::string kind() const = 0;
  // Replaces the vertices.
  virtual void draw(const ContextT<double>&, Polyline&) const = 0;
  // Round things that it goes over, about the z axes of their frames.
  struct Wheel {
    std::string name;
    Frame frame;
    double radius = 0;
  };
  virtual std::vector<Wheel> wheels() const { return {}; }
};

// A rope or sling of a lift: what it carries, and what it pulls at.
class DAVIT_API RiggingStrand : public Strand {
 public:
  std::string kind() const override { return "rope"; }

  // Where it may pull: a point by its name ("load.lug"), or a body that it may come to touch somewhere.
  struct Place {
    std::string name;  // empty: no point
    int body = 0;      // of the model
    bool lug = false;  // it ends there
  };
  virtual std::vector<Place> places() const = 0;
  struct Pull {
    size_t place;
    Vec3 force;  // N, on what is there, in world axes
  };
  // Replaces what is there; in the order along it.
  virtual void pulls(const ContextT<double>&, std::vector<Pull>&) const = 0;
  // False: it was let go and acts on nothing, whatever the rest says.
  virtual bool is_connected(const Kin&) const { return true; }

  virtual double tension(const ContextT<double>&) const = 0;                    // N, the largest along it
  virtual double angle_to_vertical(const ContextT<double>&) const = 0;          // rad, where it ends, the largest
  virtual std::optional<double> breaking_load() const { return std::nullopt; }  // N, the least
  virtual std::optional<double> stiffness() const { return std::nullopt; }      // EA, N

  // Unstretched; `first_slot`: its own in the discrete state.
  virtual double unstretched(const DiscreteState&, int first_slot) const = 0;
  virtual void lengthen(DiscreteState&, int first_slot, double by) const = 0;

  // Its first straight piece, for what is known of four slings by their directions.
  struct Piece {
    Vec3 direction;
    double tension = 0;  // N, by its stretch alone, in its middle
    double weight = 0;   // N, what its own weight adds at its top
  };
  virtual Piece first_piece(const ContextT<double>&) const = 0;
};

// A line that holds a vessel.
class DAVIT_API MooringStrand : public Strand {
 public:
  std::string kind() const override { return "mooring"; }
  struct Loads {
    double tension = 0, anchor_tension = 0;  // N
    double angle = 0, uplift = 0;            // rad, at the fairlead below the horizontal, at the anchor above the bed
    double grounded = 0;                     // m
    double safety_factor = 0;                // zero: not known
  };
  virtual Loads loads(const ContextT<double>&) const = 0;
  // Until the next step it is at rest between its ends, whatever it did before: its stiffness is that of slow motions.
  virtual void come_to_rest(DiscreteState&, int first_slot) const = 0;
};

}  // namespace davit
