// Wave forces and slow drift on a vessel, and whether its database covers the sea.
#include "davit/wave_load/wave_loads.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <numbers>

#include "davit/assembly/element_channel.hpp"
#include "davit/assembly/weather_signals.hpp"
#include "davit/hydro/convert.hpp"
#include "davit/hydro/heading_interpolation.hpp"
#include "davit/hydro/kramers_kronig.hpp"
#include "davit/hydro/modes.hpp"
#include "davit/model/workspace.hpp"
#include "davit/sea/dispersion.hpp"
#include "davit/sea/kinematics.hpp"
#include "davit/vessel/vessel_loads.hpp"
#include "davit/wave_load/linear_response.hpp"

namespace davit::vessel {

namespace {

// A sea that the database does not know is refused, or said.
void check_coverage(const HullInWaves& hull, const sea::Waves& waves, input::Problems& problems) {
  const hydro::Database& db = hull.database;
  const wave_load::Uncovered outside = wave_load::uncovered(db, waves.components);
  // Waves shorter than those of the database hardly move a hull that was panelled for it; long ones do.
  if (outside.below > 0.02 || outside.above > 0.1)
    problems.error(
        hull.spec.where,
        fmt::format("{:.3g} % of the energy of the sea lies below {:.3g} rad/s and {:.3g} % above {:.3g} rad/s, where "
                    "the database has no forces",
                    100 * outside.below, db.frequencies.front(), 100 * outside.above, db.frequencies.back()),
        "solve the hull over these frequencies, or change the sea");
  else if (outside.below > 0.002 || outside.above > 0.05)
    problems.warning(
        hull.spec.where,
        fmt::format("{:.2g} % of the energy of the sea lies outside the database's frequencies and gives no force",
                    100 * (outside.below + outside.above)),
        "solve the hull over a wider range to have it");
}

// Wave headings that lie between headings of the database which are too far apart would be guessed.
void check_headings(const HullInWaves& hull, const sea::Waves& waves, input::Problems& problems) {
  constexpr double widest = 45, close = 0.5;  // degrees
  const auto degrees = [](double angle) { return angle * 180 / std::numbers::pi; };
  const std::vector<double>& known = hull.database.headings;
  for (const sea::Component& c : waves.components) {
    // To the next heading of the database on either side.
    double before = 360, after = 360;
    for (const double heading : known) {
      const double ahead = degrees(std::remainder(heading - (c.heading - hull.spec.heading), 2 * std::numbers::pi));
      after = std::min(after, ahead >= 0 ? ahead : ahead + 360);
      before = std::min(before, ahead <= 0 ? -ahead : 360 - ahead);
    }
    if (before + after <= widest + 1e-6 || std::min(before, after) < close) continue;
    std::string list;
    for (const double heading : known) list += fmt::format("{}{:.4g}", list.empty() ? "" : ", ", degrees(heading));
    problems.error(
        hull.spec.where,
        fmt::format(
            "waves go towards {:.3g} deg as seen from the vessel, and the database has no forces near: its "
            "headings are {} deg{}",
            degrees(std::remainder(c.heading - hull.spec.heading, 2 * std::numbers::pi)), list,
            hydro::is_port_starboard_symmetric(hull.database) ? "" : ", and its two sides are not mirror images"),
        fmt::format("solve the hull for headings at most {:g} deg apart, or turn the vessel or the waves", widest));
    return;
  }
}

// Short waves change from heading to heading by more than can be known between them: energy there is said.
void check_short_waves(const HullInWaves& hull, const sea::Waves& waves, input::Problems& problems) {
  const hydro::Database& db = hull.database;
  const double followed = hydro::followed_frequency(db);
  double all = 0, beyond = 0;
  for (const sea::Component& c : waves.components) {
    all += c.amplitude * c.amplitude;
    if (c.frequency > followed && c.frequency <= db.frequencies.back()) beyond += c.amplitude * c.amplitude;
  }
  if (!(beyond > 0.02 * all)) return;
  constexpr double degree = std::numbers::pi / 180;
  const double shortest = sea::wave_number(db.frequencies.back(), db.depth, db.gravity);
  problems.warning(
      hull.spec.where,
      fmt::format("{:.2g} % of the energy of the sea lies above {:.3g} rad/s, up to which the headings of the database "
                  "({:.3g} deg apart) follow the waves: forces of shorter waves between them are guesses",
                  100 * beyond / all, followed, hydro::widest_gap(db.headings) / degree),
      fmt::format("solve the hull at headings {:.2g} deg apart, or leave out 'headings' and 'heading_step' of the job",
                  hydro::heading_gap_for(shortest, hydro::extent_of(db).half_length) / degree));
}

// "surge, sway, yaw (not known: heave, roll, pitch)"; empty when nothing is known.
std::string known_drift(const hydro::Database& db) {
  std::string known, unknown;
  for (int i = 0; i < 6; ++i) {
    std::string& list = wave_load::knows_drift(db, i) ? known : unknown;
    list += (list.empty() ? "" : ", ") + hydro::mode_name(db, i);
  }
  return known.empty() || unknown.empty() ? known : known + " (not known: " + unknown + ")";
}

// Surge, sway and yaw of the hull for unit forces, for each wave.
std::vector<wave_load::HorizontalReceptance> receptances(const wave_load::LinearResponse& response,
                                                         const std::vector<sea::Component>& waves) {
  std::map<double, wave_load::HorizontalReceptance> of_frequency;
  std::vector<wave_load::HorizontalReceptance> out;
  for (const sea::Component& wave : waves) {
    auto known = of_frequency.find(wave.frequency);
    if (known == of_frequency.end()) {
      const wave_load::Mat6c all = response.receptance(wave.frequency);
      wave_load::HorizontalReceptance horizontal;
      horizontal << all.row(0), all.row(1), all.row(5);
      known = of_frequency.emplace(wave.frequency, horizontal).first;
    }
    out.push_back(known->second);
  }
  return out;
}

// A channel for each of some motions, `ship.wave_surge`, of what `load` gives for the waves of a hull.
void add_channels(const HullInWaves& hull, const ElementPlace& place, const std::string& what, const std::string& words,
                  const std::vector<int>& motions, const std::function<Vec6(const ContextT<double>&)>& load,
                  Assembly& assembly) {
  std::vector<ScalarInfo> infos;
  for (const int i : motions)
    infos.push_back(element_scalar("vessel", hull.name, what + "_" + hydro::mode_name(hull.database, i),
                                   i < 3 ? "N" : "N m", words, false));
  assembly.observables().add_scalars(std::move(infos), [=](const State& s, const Workspace& w, double* values) {
    const Vec6 all = load(place.context(s, w));
    for (const int i : motions) *values++ = all[i];
  });
}

// The tables of a sea on a hull. Linear theory (no response) takes no means away.
wave_load::WavesOnHull::Answers answers_of(const HullInWaves& hull, const sea::Waves& sea,
                                           const wave_load::LinearResponse* response, bool drifts) {
  wave_load::WavesOnHull::Answers out{wave_load::WaveForceTable(hull.database, 0, sea.components)};
  if (response) out.receptance = receptances(*response, sea.components);
  wave_load::WaveForceTable::MeanLoads correction;
  if (response) correction = [response](double frequency) { return MatX(-response->mean_loads(frequency)); };
  if (drifts)
    out.slow = wave_load::WaveForceTable::of_drift(hull.database, 0, sea.components, correction);
  else if (response)
    out.slow = wave_load::WaveForceTable::of_mean_loads(hull.database, sea.components, correction);
  return out;
}

}  // namespace

wave_load::LinearHullData linear_hull(const Hull& hull, double gravity, const Mat6& infinite, Assembly& assembly) {
  const hydro::FloatingBody& body = hull.database.bodies[0];
  const Mat6 water = hydro::buoyancy_restoring(body, hull.database.gravity).value();
  const double weight = hull.loading.mass * gravity;
  wave_load::LinearHullData out;
  out.mass = hydro::mass_matrix(hull.loading, Vec3::Zero());
  out.weight = weight;
  out.centre = hull.loading.centre;
  out.restoring = water + hydro::upright_load_restoring(-weight, hull.loading.centre);
  out.buoyancy = hull_load::Buoyancy::from_restoring(water, body.loading->mass * gravity, buoyancy_centre(body));
  const Hold hold = hold_of(hull, infinite, assembly);
  out.held_stiffness = hold.stiffness;
  out.held_damping = hold.damping;
  out.damping = linear_damping(hull, infinite);
  out.infinite_added_mass = infinite;
  out.coriolis = adds_coriolis(hull.spec);
  out.drag = drag_of_water(hull, infinite);
  return out;
}

void add_wave_elevation(const Hull& hull, Assembly& assembly) {
  if (!assembly.shared<sea::Waves>()) return;
  const auto sea =
      assembly.in_environment<sea::Waves>([](const auto& around) { return around->template find<sea::Waves>(); });
  add_element_channel(
      assembly, "vessel", hull.name, "wave_elevation", "m",
      "of the sea at the vessel's origin, without the vessel and without the ramp", true,
      [frame = hull.frame, sea, weather = weather_signals(assembly)](const State& s, const Workspace& w) {
        return weather.waves(w.kin) * sea::elevation(sea.of(w.kin).components, position(w.kin, frame).head<2>(), s.t);
      });
}

HullInWaves::HullInWaves(const Hull& hull, std::optional<wave_load::LinearHullData> moves)
    : database(hull.database),
      linear(std::move(moves)),
      name(hull.name),
      spec(hull.spec),
      frame(hull.frame),
      axes(hull.axes) {}

void check_waves(const HullInWaves& hull, const sea::Waves& waves, input::Problems& problems) {
  check_coverage(hull, waves, problems);
  check_headings(hull, waves, problems);
  check_short_waves(hull, waves, problems);
}

void add_wave_loads(const std::shared_ptr<const HullInWaves>& hull, const TiesOfHull& ties, Assembly& assembly) {
  const hydro::Database& db = hull->database;
  const VesselSpec& spec = hull->spec;
  const std::string drift = known_drift(db);
  if (drift.empty() && spec.drift == Drift::newman)
    assembly.problems().error(spec.where, "drift: newman needs mean drift, which the database does not have",
                              "leave 'drift' out to go without it, or solve the hull with `davit hydro solve`, which "
                              "finds mean drift too");
  if (!assembly.shared<sea::Waves>()) return;
  assembly.check_in_environment([hull](const Environment& around, input::Problems& problems) {
    check_waves(*hull, *around.find<sea::Waves>(), problems);
  });
  const WeatherSignals weather = weather_signals(assembly);
  wave_load::WaveLoads::Encounter meeting{.axes = hull->axes, .weather = weather};
  // Linear theory meets the waves where the run begins, and has no drift unless asked for it.
  const bool by_linear_theory = spec.equations == Equations::linear;
  if (by_linear_theory) meeting.held = {spec.at.x(), spec.at.y(), spec.heading};
  std::optional<InEnvironment<wave_load::LinearResponse>> response;
  if (!by_linear_theory)
    response = assembly.in_environment<wave_load::LinearResponse>([hull, ties](const auto& around) {
      wave_load::LinearHullData linear = *hull->linear;
      linear.ties = ties(*around);
      return std::make_shared<const wave_load::LinearResponse>(hull->database, std::move(linear));
    });
  const bool drifts =
      !drift.empty() && spec.drift.value_or(by_linear_theory ? Drift::none : Drift::newman) == Drift::newman;
  const auto waves = assembly.in_environment<wave_load::WavesOnHull>([hull, response, drifts](const auto& around) {
    const auto sea = around->template find<sea::Waves>();
    return std::make_shared<const wave_load::WavesOnHull>(
        sea->components, answers_of(*hull, *sea, response ? &response->in(around.get()) : nullptr, drifts),
        around->template find<StepOfRun>()->length, wave_ramp(hull->spec, sea->peak_frequency));
  });
  const auto loads = std::make_shared<const wave_load::WaveLoads>(hull->name + ".waves", hull->frame, waves,
                                                                  std::move(meeting), drifts ? drift : "");
  const ElementPlace place = assembly.add(loads);
  add_channels(
      *hull, place, "wave", "force of waves, in axes of the mean heading", {0, 1, 2, 3, 4, 5},
      [loads](const auto& c) { return loads->first_order(c); }, assembly);
  std::vector<int> motions;
  for (int i = 0; drifts && i < 6; ++i)
    if (wave_load::knows_drift(db, i)) motions.push_back(i);
  add_channels(
      *hull, place, "drift", "slow drift in waves, in axes of the mean heading", motions,
      [loads](const auto& c) { return loads->drift(c); }, assembly);
}

}  // namespace davit::vessel
