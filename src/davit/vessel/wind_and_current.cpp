// Drag of wind and current on a vessel: coefficients, areas, and where they act.
#include "davit/assembly/element_channel.hpp"
#include "davit/assembly/weather_signals.hpp"
#include "davit/hull_load/buoyancy.hpp"
#include "davit/hull_load/flow_load.hpp"
#include "davit/hydro/convert.hpp"
#include "davit/sea/current.hpp"
#include "davit/sea/wind.hpp"
#include "davit/vessel/vessel_loads.hpp"

namespace davit::vessel {

hull_load::FlowCoefficients coefficients_of(const FlowTableSpec& table) {
  std::vector<hull_load::FlowCoefficients::Knot> knots;
  for (size_t i = 0; i < table.angles.size(); ++i)
    knots.push_back({table.angles[i], Vec3(table.surge[i], table.sway[i], table.yaw[i])});
  return hull_load::FlowCoefficients(knots);
}

namespace {

// Of a rectangle with area and moment of the waterplane, I = A L²/12.
double waterplane_length(const hydro::Database& db) {
  const hydro::FloatingBody& body = db.bodies[0];
  const Mat6 water = hydro::buoyancy_restoring(body, db.gravity).value();
  const Mat3 plane =
      hull_load::Buoyancy::from_restoring(water, body.loading->mass * db.gravity, buoyancy_centre(body)).waterplane;
  return std::sqrt(12 * std::max(0.0, plane(2, 2) / plane(0, 0)));
}

hull_load::FlowCoefficients coefficients_of(const FlowSpec& spec) {
  return spec.table ? coefficients_of(*spec.table) : hull_load::FlowCoefficients(spec.surge, spec.sway, spec.yaw);
}

hull_load::FlowLoad::Data flow_data(const Hull& hull, const FlowSpec& spec, double density, const Vec3& centre) {
  return {
      density, spec.frontal_area,    spec.lateral_area, spec.length ? *spec.length : waterplane_length(hull.database),
      centre,  coefficients_of(spec)};
}

void add_flow(const Hull& hull, hull_load::FlowLoad::Data data, const std::string& what,
              InEnvironment<hull_load::FlowLoad::Flow> flow, const WeatherSignals& weather, Assembly& assembly) {
  const auto force = std::make_shared<hull_load::FlowLoad>(hull.name + "." + what, hull.frame, std::move(data),
                                                           std::move(flow), what, weather);
  assembly.add(force);
  const char* const names[] = {"_surge", "_sway", "_yaw"};
  std::vector<ScalarInfo> infos;
  for (int i = 0; i < 3; ++i)
    infos.push_back(element_scalar(
        "vessel", hull.name, what + names[i], i < 2 ? "N" : "N m",
        (i < 2 ? "force of the " : "moment of the ") + what + " on the hull, in axes of its heading", false));
  assembly.observables().add_scalars(std::move(infos), [force](const State&, const Workspace& w, double* values) {
    Vec3::Map(values) = force->load(w.kin);
  });
}

}  // namespace

Vec3 current_at(const Hull& hull, Assembly& assembly) {
  const auto current = assembly.shared<sea::Current>();
  if (!current) return Vec3::Zero();
  return current->velocity(buoyancy_centre(hull.database.bodies[0]).z());
}

std::optional<hull_load::FlowLoad::Data> drag_of_water(const Hull& hull, const Mat6& infinite) {
  if (!hull.spec.current) return std::nullopt;
  hull_load::FlowLoad::Data data =
      flow_data(hull, *hull.spec.current, hull.database.density, {0, 0, buoyancy_centre(hull.database.bodies[0]).z()});
  if (adds_coriolis(hull.spec)) data.added_mass = infinite.topLeftCorner<2, 2>();
  return data;
}

void add_wind_and_current(const Hull& hull, const Mat6& infinite, Assembly& assembly) {
  if (hull.spec.wind) {
    const WindOnHullSpec& spec = *hull.spec.wind;
    assembly.shared<sea::WindField>();  // it is felt
    const auto flow = assembly.in_environment<hull_load::FlowLoad::Flow>([height = spec.height](const auto& around) {
      // Without wind the hull still moves through air.
      hull_load::FlowLoad::Flow still = [](double) { return Vec3(Vec3::Zero()); };
      const auto field = around->template find<sea::WindField>();
      if (!field) return std::make_shared<const hull_load::FlowLoad::Flow>(std::move(still));
      return std::make_shared<const hull_load::FlowLoad::Flow>(
          [wind = field->at(height)](double t) { return wind.velocity(t); });
    });
    add_flow(hull, flow_data(hull, spec, spec.density, {0, 0, spec.height}), "wind", flow, weather_signals(assembly),
             assembly);
  }
  if (auto drag = drag_of_water(hull, infinite)) {
    const auto flow = std::make_shared<const hull_load::FlowLoad::Flow>(
        [velocity = current_at(hull, assembly)](double) { return velocity; });
    add_flow(hull, *std::move(drag), "current", flow, {}, assembly);
  }
}

}  // namespace davit::vessel
