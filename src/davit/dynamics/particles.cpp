#include "davit/dynamics/particles.hpp"

#include "davit/dynamics/plain_observables.hpp"

namespace davit {

namespace {

// The inverse of each mass, with the added inertia of the last factorisation.
struct ParticlesWork final : BlockWork {
  std::vector<Sym3> inverse_mass;
};

}  // namespace

std::vector<std::vector<int>> Particles::groups() const {
  std::vector<std::vector<int>> groups;
  for (int i = 0; i < bodies(); ++i) groups.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  return groups;
}

void Particles::add_wrench(const Kin&, int body, const Wrench& wrench, double* generalised) const {
  for (int k = 0; k < 3; ++k) generalised[3 * (body - place().body) + k] += wrench.f[k];
}

std::vector<int> Particles::speeds_moving(int body) const {
  const int first = 3 * (body - place().body);
  return {first, first + 1, first + 2};
}

void Particles::initial_state(double* q, double* u) const {
  for (const Particle& p : particles_)
    for (int k = 0; k < 3; ++k) {
      *q++ = p.position[k];
      *u++ = p.velocity[k];
    }
}

std::unique_ptr<BlockWork> Particles::make_work(double) const {
  auto work = std::make_unique<ParticlesWork>();
  for (const Particle& p : particles_) work->inverse_mass.push_back(Sym3::scaled_identity(1 / p.mass));
  return work;
}

void Particles::factor_mass(const Kin&, const Loads& loads, BlockWork& work) const {
  if (loads.added.empty()) return;
  auto& inverse_mass = static_cast<ParticlesWork&>(work).inverse_mass;
  for (size_t i = 0; i < particles_.size(); ++i)
    inverse_mass[i] =
        inverse(Sym3::scaled_identity(particles_[i].mass) + loads.added[static_cast<size_t>(place().body) + i].M);
}

void Particles::solve(const BlockWork& work, double* r) const {
  for (const Sym3& inverse_mass : static_cast<const ParticlesWork&>(work).inverse_mass) {
    Eigen::Map<Vec3> own(r);
    own = (inverse_mass * Vec3(own)).eval();
    r += 3;
  }
}

void Particles::solve_mass_along(const Kin&, BlockWork& work, std::span<const int> chain, const double* r,
                                 double* a) const {
  const auto& inverse_mass = static_cast<const ParticlesWork&>(work).inverse_mass;
  for (int body : chain) {
    const int i = body - place().body;
    Eigen::Map<Vec3>(a + 3 * i) = inverse_mass[static_cast<size_t>(i)] * Vec3(r + 3 * i);
  }
}

MassFailure Particles::mass_failure(const BlockWork& work) const {
  const auto& inverse_mass = static_cast<const ParticlesWork&>(work).inverse_mass;
  for (size_t i = 0; i < particles_.size(); ++i)
    if (!std::isfinite(inverse_mass[i].xx + inverse_mass[i].yy + inverse_mass[i].zz))
      return {particles_[i].name, "the particle", "give it mass, or use an implicit method"};
  return {};
}

double Particles::kinetic_energy(const Kin& kin) const {
  double twice = 0;
  for (int i = 0; i < bodies(); ++i)
    twice += particles_[static_cast<size_t>(i)].mass * kin.body[static_cast<size_t>(body(i))].v.squaredNorm();
  return twice / 2;
}

std::vector<std::string> Particles::speed_names() const {
  std::vector<std::string> names;
  for (const Particle& p : particles_)
    for (const char* axis : {".x", ".y", ".z"}) names.push_back(p.name + axis);
  return names;
}

void Particles::add_observables(Observables& out) const {
  for (int i = 0; i < bodies(); ++i) {
    const std::string& name = particles_[static_cast<size_t>(i)].name;
    out.poses.push_back({name, frame(i)});
    add_position_scalars(name, "the particle", frame(i), place().u + 3 * i, out);
  }
}

template class VectorSpaceBlock<Particles>;

}  // namespace davit
