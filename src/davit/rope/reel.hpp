// What a rope's end is wound on: how much rope it has given out since the start, and what feels the pull.
#pragma once

#include <optional>

#include "davit/model/loads.hpp"

namespace davit::rope {

class Reel {
 public:
  virtual ~Reel() = default;
  // Rope given out since the start (m), negative when taken in, and its rate, on a holder that does not turn.
  virtual double paid_out(const Kin&) const = 0;
  virtual Dual8 paid_out(const KinT<Dual8>&) const = 0;
  virtual double rate(const Kin&) const = 0;
  virtual Dual8 rate(const KinT<Dual8>&) const = 0;
  // `pull` (N) does the work pull · (rope given out): minus the derivative of the rope's energy by that.
  virtual void add_pull(const Kin&, double pull, Loads&) const = 0;
  virtual void add_pull(const KinT<Dual8>&, const Dual8& pull, LoadsT<Dual8>&) const = 0;
  // False: it carries the rope's end along and winds nothing, so the rope that stretches stays the same.
  virtual bool winds() const { return true; }
  // The speed that feels the pull, if any, and rope given out by its coordinate.
  virtual std::optional<int> speed() const { return std::nullopt; }
  virtual double radius(const Kin&) const { return 0; }
  virtual Dual8 radius(const KinT<Dual8>&) const { return 0; }
};

// Follows a signal, whatever it takes.
class CommandedReel final : public Reel {
 public:
  explicit CommandedReel(Signal target) : target_(target) {}
  double paid_out(const Kin& kin) const override { return target_.value(kin); }
  Dual8 paid_out(const KinT<Dual8>& kin) const override { return target_.value(kin); }
  double rate(const Kin& kin) const override { return target_.rate(kin); }
  Dual8 rate(const KinT<Dual8>& kin) const override { return target_.rate(kin); }
  void add_pull(const Kin&, double, Loads&) const override {}
  void add_pull(const KinT<Dual8>&, const Dual8&, LoadsT<Dual8>&) const override {}

 private:
  Signal target_;
};

}  // namespace davit::rope
