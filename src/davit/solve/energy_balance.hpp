// The energy book of a run: what the model has, and what the work of its forces explains. A step's work is known by the
// power at its ends only, so a change of energy is explained if it lies between nothing and what these powers would do
// in the step; what is beyond is entered with its sign. The entries of a good method swing about a level, or fall where
// it damps. Where they rise above the lowest so far, energy came out of nothing.
#pragma once

#include <cmath>

#include "davit/dynamics/system.hpp"
#include "davit/math/archive.hpp"

namespace davit {

struct EnergyGain {
  double energy = 0;    // J out of nothing: the largest rise of the entries
  double of = 0;        // J: the largest that the motion honestly had or the forces did
  double t = 0;         // of the step that added most …
  std::string element;  // … and what changed most in it
  double contacts = 0;  // J: rises that contacts made by putting bodies back; not out of nothing, but not of the motion
  double share() const { return energy > 0 ? energy / of : 0; }
  double contact_share() const { return contacts > 0 ? contacts / of : 0; }

  template <class A>
  void archive(A& a) {
    a(energy, of, t, element, contacts);
  }
};

class EnergyBalance {
 public:
  explicit EnergyBalance(const Model& model) : model_(model), potentials_(model.forces().size(), 0.0) {}

  // At the start, and after every step, with the energy that `system` has just found of the state and what contacts
  // changed of it.
  void begin(const State&, const Energy&, const System&);
  void enter(const State&, const Energy&, const System&, double contact_work);
  // Impulses did so much work at the last instant, which no power shows.
  void allow(double work) {
    before_.kinetic += work;
    work_ += std::abs(work);
  }
  const EnergyGain& gain() const { return gain_; }

  template <class A>
  void archive(A& a) {
    a(before_, potentials_, t_, work_, level_, low_, highest_potential_, largest_entry_, gain_);
    if (potentials_.size() != model_.forces().size()) throw BadArchive("it is the energy of another model");
  }

 private:
  void name_culprit(const State&, const System&);

  const Model& model_;
  Energy before_;
  std::vector<double> potentials_;  // of forces, before
  double t_ = 0;
  double work_ = 0;             // that passed, in either direction
  double level_ = 0, low_ = 0;  // sum of the entries, and its least
  double highest_potential_ = 0;
  double largest_entry_ = 0;
  EnergyGain gain_;
};

}  // namespace davit
