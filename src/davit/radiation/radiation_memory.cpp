#include "davit/radiation/radiation_memory.hpp"

#include <fmt/format.h>

namespace davit::radiation {

namespace {

// Calls visit(i, j, pole, residue) for every term of the sum.
template <class Visit>
void each_term(const MemoryModel& model, const Visit& visit) {
  for (const MemoryGroup& group : model.groups)
    for (size_t k = 0; k < group.poles.size(); ++k)
      for (size_t i = 0; i < group.motions.size(); ++i)
        for (size_t j = 0; j < group.motions.size(); ++j)
          visit(group.motions[i], group.motions[j], group.poles[k],
                group.residues[k](static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)));
}

}  // namespace

Mat6 MemoryModel::kernel(double t) const {
  Mat6 out = Mat6::Zero();
  each_term(*this, [&](int i, int j, std::complex<double> pole, std::complex<double> residue) {
    out(i, j) += (residue * std::exp(pole * t)).real();
  });
  return out;
}

Eigen::Matrix<std::complex<double>, 6, 6> MemoryModel::transfer(double frequency) const {
  Eigen::Matrix<std::complex<double>, 6, 6> out = direct.cast<std::complex<double>>();
  const std::complex<double> s(0, frequency);
  // Re{R exp(st)} is half of R exp(st) and half of its conjugate.
  each_term(*this, [&](int i, int j, std::complex<double> pole, std::complex<double> residue) {
    out(i, j) += 0.5 * (residue / (s - pole) + std::conj(residue) / (s - std::conj(pole)));
  });
  return out;
}

int MemoryGroup::order() const {
  int count = 0;
  for (const auto& p : poles) count += p.imag() == 0 ? 1 : 2;
  return count;
}

int MemoryModel::states() const {
  int count = 0;
  for (const MemoryGroup& group : groups) count += group.order() * static_cast<int>(group.motions.size());
  return count;
}

RadiationMemory::RadiationMemory(std::string name, const Frame& frame, MemoryModel model, hull_load::ForceAxes axes)
    : ForceOf(std::move(name)), frame_(frame), model_(std::move(model)), axes_(axes) {
  force_.setZero(6, model_.states());
  Eigen::Index state = 0;
  for (const MemoryGroup& group : model_.groups)
    for (size_t k = 0; k < group.poles.size(); ++k)
      for (size_t j = 0; j < group.motions.size(); ++j) {
        const std::complex<double> pole = group.poles[k];
        answers_.push_back({group.motions[j], pole.real(), pole.imag()});
        // −Re{R (re + i im)}
        for (size_t i = 0; i < group.motions.size(); ++i) {
          const std::complex<double> residue =
              group.residues[k](static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
          force_(group.motions[i], state) = -residue.real();
          if (pole.imag() != 0) force_(group.motions[i], state + 1) = residue.imag();
        }
        state += pole.imag() == 0 ? 1 : 2;
      }
}

void RadiationMemory::state_tangent(const ContextT<double>& c, StateTangent& out) const {
  const hull_load::HullStateT<double> hull = hull_load::hull_state(c.kin, frame_);
  const hull_load::LoadAxes<double> axes(axes_, hull);
  out.body = frame_.body;
  out.wrench.resize(6, force_.cols());
  Mat3 turn;
  for (int i = 0; i < 3; ++i) turn.col(i) = axes.out_of(Vec3(Vec3::Unit(i)));
  // Lazy products: the others may allocate.
  out.wrench.bottomRows<3>() = turn.lazyProduct(force_.topRows<3>());
  out.wrench.topRows<3>() = turn.lazyProduct(force_.bottomRows<3>());
  out.wrench.topRows<3>() += skew(hull.arm).lazyProduct(out.wrench.bottomRows<3>());
  out.rates.setZero(auxiliary_states(), force_.cols());
  Eigen::Index k = 0;
  for (const Answer& answer : answers_) {
    out.rates(k, k) = answer.decay;
    if (answer.turn != 0) {
      out.rates(k, k + 1) = -answer.turn;
      out.rates(k + 1, k) = answer.turn;
      out.rates(k + 1, k + 1) = answer.decay;
      ++k;
    }
    ++k;
  }
}

std::string RadiationMemory::summary() const { return fmt::format("radiation memory, {} states", force_.cols()); }

}  // namespace davit::radiation

namespace davit {
template class ForceOf<radiation::RadiationMemory>;
}  // namespace davit
