// A row is a Geometry × a Law. The geometry says how far (g), along which wrenches (G) and with which velocity products
// (Ġu); the law says how the multiplier λ answers g and ġ. A law that is not rigid can be lowered to a force, so
// explicit methods run the same model: RowForce. Rows that hold exactly are Constraints.
#pragma once

#include <vector>

#include "davit/model/element.hpp"

namespace davit {

// Row `row` of G acts on a body by a wrench (world axes, about the body's origin): ġ_row = Σ power(wrench, twist).
template <class S>
struct RowEntryT {
  int row = 0;
  int body = 0;
  WrenchT<S> wrench;
};

template <class S>
class GeometryKernel {
 public:
  virtual ~GeometryKernel() = default;
  virtual void rows(const KinT<S>&, S* g) const = 0;
  virtual void jacobian(const KinT<S>&, std::vector<RowEntryT<S>>& entries) const = 0;  // appends
  virtual void rate_bias(const KinT<S>&, S* bias) const = 0;                            // Ġu
};

class Geometry : public GeometryKernel<double>, public GeometryKernel<Dual8> {
 public:
  using GeometryKernel<double>::rows, GeometryKernel<Dual8>::rows;
  using GeometryKernel<double>::jacobian, GeometryKernel<Dual8>::jacobian;
  using GeometryKernel<double>::rate_bias, GeometryKernel<Dual8>::rate_bias;
  virtual int size() const = 0;
  virtual std::string summary() const = 0;
  virtual std::string unit() const = 0;  // of g
};

// The response of one multiplier: λ = force(g, ġ), positive when it pushes g to grow.
class Law {
 public:
  virtual ~Law() = default;
  virtual double force(double g, double rate) const = 0;
  virtual Dual8 force(const Dual8& g, const Dual8& rate) const = 0;
  virtual double potential(double g) const = 0;
  virtual Dual8 potential(const Dual8& g) const = 0;
  // Nothing is lost: the force is -dV/dg.
  virtual bool conservative() const = 0;
  virtual std::string summary() const = 0;
};

struct Row {
  std::shared_ptr<const Geometry> geometry;
  std::shared_ptr<const Law> law;
};

// Rows that hold exactly: g = 0. Their multipliers are solved with the accelerations.
struct Constraint {
  std::string name;
  std::shared_ptr<const Geometry> geometry;
};

}  // namespace davit
