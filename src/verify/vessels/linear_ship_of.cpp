#include "verify/vessels/linear_ship_of.hpp"

#include "davit/hydro/convert.hpp"
#include "davit/hydro/open_database.hpp"
#include "davit/math/rotation.hpp"
#include "davit/radiation/memory_fit.hpp"
#include "davit/wave_load/wave_force_table.hpp"

namespace davit::verify {

namespace {

// A half turn about x, for vectors and for pairs of them.
Vec6 to_ned() { return (Vec6() << 1, -1, -1, 1, -1, -1).finished(); }
Mat6 turned(const Mat6& m) { return to_ned().asDiagonal() * m * to_ned().asDiagonal(); }

// ẋ = s x + ν for each pole and motion, a complex x as its real and imaginary part; force −Re{R x}.
void set_memory(LinearShip& ship, const radiation::MemoryModel& model) {
  const int count = model.states();
  ship.A.setZero(count, count);
  ship.B.setZero(count, 6);
  ship.C.setZero(6, count);
  int n = 0;
  for (const radiation::MemoryGroup& group : model.groups)
    for (size_t k = 0; k < group.poles.size(); ++k)
      for (size_t j = 0; j < group.motions.size(); ++j) {
        const std::complex<double> s = group.poles[k];
        const int parts = s.imag() == 0 ? 1 : 2;
        ship.A(n, n) = s.real();
        ship.B(n, group.motions[j]) = 1;
        if (parts == 2) ship.A.block<2, 2>(n, n) << s.real(), -s.imag(), s.imag(), s.real();
        for (size_t i = 0; i < group.motions.size(); ++i) {
          const auto r = group.residues[k](static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
          ship.C(group.motions[i], n) = r.real();
          if (parts == 2) ship.C(group.motions[i], n + 1) = -r.imag();
        }
        n += parts;
      }
  ship.damping += turned(model.direct);
  ship.B = ship.B * to_ned().asDiagonal();
  ship.C = to_ned().asDiagonal() * ship.C;
}

}  // namespace

LinearShip linear_ship_of(const Scenario& scenario) {
  const vessel::VesselSpec& spec = scenario.specification.elements.of<vessel::VesselSpec>().at(0).second;
  const EnvironmentSpec& environment = scenario.specification.environment;
  hydro::Database db = hydro::open_database(spec.hydrodynamics->resolved());
  const hydro::MassProperties loading = *db.bodies[0].loading;
  hydro::move_reference(db, 0, loading.centre);
  if (hydro::is_port_starboard_symmetric(db)) hydro::expand_headings(db);
  const radiation::MemoryFit fit = radiation::fit_memory(db, 0, spec.memory_tolerance);
  LinearShip ship;
  ship.mass = turned(hydro::mass_matrix(loading, loading.centre));
  ship.added_mass = turned(fit.infinite);
  ship.restoring = turned(db.bodies[0].restoring);
  if (db.viscous_damping) ship.damping = turned(*db.viscous_damping);
  set_memory(ship, fit.model);
  ship.ramp = spec.wave_ramp.value();
  if (environment.waves) {
    input::Problems problems;
    const auto components = sea::make_waves(*environment.waves, environment.water(), problems).value();
    const wave_load::WaveForceTable table(db, 0, components);
    wave_load::WaveForceTable::Force unit;
    for (size_t n = 0; n < components.size(); ++n) {
      table.at(table.cell(0), n, unit);
      LinearShip::Wave wave{components[n].frequency, {}};
      for (int i = 0; i < 6; ++i)
        wave.force[i] = to_ned()[i] *
                        std::complex(unit.value[static_cast<size_t>(i)], unit.value[static_cast<size_t>(6 + i)]) *
                        std::polar(components[n].amplitude, components[n].phase);
      ship.waves.push_back(wave);
    }
  }
  return ship;
}

Vec6 motion_in_ned(const Kin& kin, const Frame& frame, const Vec3& start) {
  Vec6 out;
  out << position(kin, frame) - start, rpy_of_rotation(rotation(kin, frame));
  return to_ned().cwiseProduct(out);
}

}  // namespace davit::verify
