// Sources solved by parity, and what follows from them: added mass, damping, wave forces, the far field.
#include "davit/panel/linear_flow.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "davit/panel/dense_solve.hpp"
#include "davit/panel/incident_wave.hpp"
#include "davit/panel/wave_numbers.hpp"

namespace davit::panel {

namespace {

// The mean of two solutions of one problem, `part` of the second.
FrequencyResult between(const FrequencyResult& a, const FrequencyResult& b, double part) {
  const auto mixed = [&](const auto& x, const auto& y) { return ((1 - part) * x + part * y).eval(); };
  return {mixed(a.added_mass, b.added_mass),
          mixed(a.damping, b.damping),
          mixed(a.damping_by_pressure, b.damping_by_pressure),
          mixed(a.damping_by_waves, b.damping_by_waves),
          mixed(a.excitation, b.excitation),
          mixed(a.excitation_haskind, b.excitation_haskind),
          mixed(a.froude_krylov, b.froude_krylov),
          {mixed(a.far_field.round, b.far_field.round), mixed(a.far_field.round_slope, b.far_field.round_slope),
           mixed(a.far_field.at_headings, b.far_field.at_headings),
           mixed(a.far_field.at_headings_slope, b.far_field.at_headings_slope)}};
}

}  // namespace

LinearFlow::LinearFlow(Surface surface, const Water& water, std::vector<double> headings)
    : surface_(std::move(surface)),
      water_(water),
      headings_(std::move(headings)),
      rankine_(rankine_influence(surface_, water.depth)),
      normals_(surface_.wetted(), 6),
      areas_(surface_.wetted()) {
  for (int i = 0; i < surface_.wetted(); ++i) {
    normals_.row(i) = surface_.mode_normal(i).transpose();
    areas_[i] = surface_.panels()[static_cast<size_t>(i)].area;
  }
}

double LinearFlow::shared_bytes(const Surface& surface) {
  const double n = surface.count();
  return 8 * n * (3 * n + surface.wetted()) * static_cast<double>(surface.parities().size());
}

double LinearFlow::thread_bytes(const Surface& surface) {
  const double n = surface.count();
  return 16 * n * (n + surface.wetted()) * static_cast<double>(surface.parities().size());
}

std::vector<int> LinearFlow::motions_of(const Parity& parity) const {
  std::vector<int> out;
  for (int motion = 0; motion < 6 * surface_.bodies(); ++motion)
    if (surface_.has(parity, motion % 6)) out.push_back(motion);
  return out;
}

MatX LinearFlow::normals_of(const std::vector<int>& motions) const {
  MatX out = MatX::Zero(surface_.wetted(), static_cast<Eigen::Index>(motions.size()));
  for (Eigen::Index c = 0; c < out.cols(); ++c) {
    const int motion = motions[static_cast<size_t>(c)];
    for (Eigen::Index i = 0; i < out.rows(); ++i)
      if (surface_.body_of(static_cast<int>(i)) == motion / 6) out(i, c) = normals_(i, motion % 6);
  }
  return out;
}

// The part of the incident waves with the given parity on the wetted panels, and its normal velocity: the mean over
// each panel and over the images with their signs.
Eigen::MatrixXcd LinearFlow::incident(double frequency, double wave_number, const Parity& parity,
                                      const std::vector<double>& headings, Eigen::MatrixXcd& velocity) const {
  const Eigen::Index wetted = surface_.wetted(), waves = static_cast<Eigen::Index>(headings.size());
  Eigen::MatrixXcd potential = Eigen::MatrixXcd::Zero(wetted, waves);
  velocity = Eigen::MatrixXcd::Zero(wetted, waves);
  const double share = 1.0 / static_cast<double>(surface_.images().size());
  for (Eigen::Index b = 0; b < waves; ++b) {
    const IncidentWave wave{frequency, wave_number, water_.depth, water_.gravity, headings[static_cast<size_t>(b)]};
    for (const hull::Image& image : surface_.images()) {
      const double sign = share * parity.at(image);
      for (Eigen::Index i = 0; i < wetted; ++i) {
        const FlatPanel& panel = surface_.panels()[static_cast<size_t>(i)];
        const Vec3 normal = hull::mirrored(panel.normal, image);
        over_panel<2>(panel, [&](const Vec3& point, double weight) {
          const IncidentWave::Here here = wave.at(hull::mirrored(point, image));
          const double part = sign * weight / panel.area;
          potential(i, b) += part * here.potential;
          velocity(i, b) += part * (normal.cast<Complex>().transpose() * here.velocity).value();
        });
      }
    }
  }
  return potential;
}

// H of the flow on the wetted panels alone, by Green's theorem: ∫ (φ ∂E/∂n − E ∂φ/∂n) dS / 4π, E = c(z) exp(ik·x). The
// sources would give it too, but those of lids radiate waves that all but cancel what the hull's own do, and leave 10 %
// of them in short waves.
void LinearFlow::add_far_field(FarField& far, double wave_number, const Parity& parity, const std::vector<int>& columns,
                               const Eigen::MatrixXcd& potential, const Eigen::MatrixXcd& velocity) const {
  const Eigen::Index n = surface_.wetted();
  const auto rows = [&](Eigen::Index count, const auto& direction, Eigen::MatrixXcd& values, Eigen::MatrixXcd& slopes) {
    // Rows: directions; means over a panel and its images of ∂E/∂n and −E, and of their derivatives by θ.
    Eigen::MatrixXcd doublet(count, n), source(count, n), doublet_slope(count, n), source_slope(count, n);
    for (Eigen::Index m = 0; m < count; ++m) {
      const double theta = direction(m), c = std::cos(theta), s = std::sin(theta);
      for (Eigen::Index j = 0; j < n; ++j) {
        const FlatPanel& panel = surface_.panels()[static_cast<size_t>(j)];
        Complex E = 0, E_slope = 0, across = 0, across_slope = 0;
        over_panel<2>(panel, [&](const Vec3& listed, double weight) {
          const DepthProfile profile = depth_profile(wave_number, water_.depth, listed.z());
          for (const hull::Image& image : surface_.images()) {
            const Vec3 point = hull::mirrored(listed, image), normal = hull::mirrored(panel.normal, image);
            const Complex wave =
                parity.at(image) * weight * std::polar(1.0, wave_number * (point.x() * c + point.y() * s));
            const Complex ahead = i_unit * wave_number * (normal.x() * c + normal.y() * s) * profile.value;
            const Complex turned = i_unit * wave_number * (normal.y() * c - normal.x() * s) * profile.value;
            const Complex turn = i_unit * wave_number * (point.y() * c - point.x() * s);
            const Complex normal_slope = ahead + normal.z() * profile.slope;
            E += profile.value * wave;
            E_slope += turn * profile.value * wave;
            across += normal_slope * wave;
            across_slope += (turned + turn * normal_slope) * wave;
          }
        });
        doublet(m, j) = across;
        source(m, j) = -E;
        doublet_slope(m, j) = across_slope;
        source_slope(m, j) = -E_slope;
      }
    }
    const double scale = 1 / (4 * std::numbers::pi);
    const Eigen::MatrixXcd value = scale * (doublet * potential + source * velocity);
    const Eigen::MatrixXcd slope = scale * (doublet_slope * potential + source_slope * velocity);
    for (size_t c = 0; c < columns.size(); ++c) {
      values.col(columns[c]) += value.col(static_cast<Eigen::Index>(c));
      slopes.col(columns[c]) += slope.col(static_cast<Eigen::Index>(c));
    }
  };
  rows(
      far.round.rows(),
      [&](Eigen::Index m) {
        return 2 * std::numbers::pi * static_cast<double>(m) / static_cast<double>(far.round.rows());
      },
      far.round, far.round_slope);
  rows(
      far.at_headings.rows(), [&](Eigen::Index m) { return headings_[static_cast<size_t>(m)]; }, far.at_headings,
      far.at_headings_slope);
}

FrequencyResult LinearFlow::solve(double frequency, bool with_far_field, FlowScratch& scratch) const {
  const GreenFunction green(frequency * frequency / water_.gravity, water_.depth, surface_.reach());
  // Where no wave can be shut up inside the hull, lids would only add their own error. They come in over a stretch, so
  // that this error is no step in the curves.
  const double first = surface_.first_irregular();
  const bool lids = surface_.count() > surface_.wetted();
  const double part = lids ? std::clamp((green.deep_wave_number() / first - 0.75) / 0.2, 0.0, 1.0) : 0;
  assemble(surface_, rankine_, green, part > 0, scratch.influence);
  if (part == 0) return solve(green, frequency, false, with_far_field, scratch);
  if (part == 1) return solve(green, frequency, true, with_far_field, scratch);
  const FrequencyResult without = solve(green, frequency, false, with_far_field, scratch);
  return between(without, solve(green, frequency, true, with_far_field, scratch), part);
}

int LinearFlow::directions_round(double wave_number) const {
  return std::max(36, static_cast<int>(std::ceil(1.2 * wave_number * surface_.reach() + 16)));
}

// The waves of a motion are mirror images of themselves where the hull is: directions within one image are enough.
MatX LinearFlow::damping_by_waves(double frequency, double wave_number, const Parity& parity, const MatX& weight,
                                  const Eigen::MatrixXcd& radiated) const {
  const bool x = std::any_of(surface_.images().begin(), surface_.images().end(), [](auto& i) { return i.x < 0; });
  const bool y = std::any_of(surface_.images().begin(), surface_.images().end(), [](auto& i) { return i.y < 0; });
  const double copies = static_cast<double>(surface_.images().size()), sector = 2 * std::numbers::pi / copies;
  const double first = x && !y ? -0.5 * std::numbers::pi : 0;
  const int count = static_cast<int>(std::ceil(directions_round(wave_number) / copies));
  std::vector<double> directions;
  for (int i = 0; i < count; ++i) directions.push_back(first + sector * (i + 0.5) / count);

  Eigen::MatrixXcd velocity;
  const Eigen::MatrixXcd potential = incident(frequency, wave_number, parity, directions, velocity);
  const Eigen::MatrixXcd X =
      i_unit * frequency * water_.density *
      (weight.transpose() * potential - copies * (radiated.transpose() * (areas_.asDiagonal() * velocity)));
  const double scale = wave_number / (8 * std::numbers::pi * water_.density * water_.gravity *
                                      group_velocity(frequency, wave_number, water_.depth));
  return (scale * copies * sector / count) * (X * X.adjoint()).real();
}

// The pressure tells damping better on hulls whose panels resolve the waves (0.1 % beside 1.5 % on a tanker), and is
// far off where they do not, or a wave is shut up inside the hull: there the two differ, and the waves are right.
MatX LinearFlow::believable_damping(const FrequencyResult& found, double frequency) {
  constexpr double alike = 0.04, apart = 0.1, matters = 1e-2;
  double differ = 0;
  for (Eigen::Index i = 0; i < found.added_mass.rows(); ++i) {
    const double waves = found.damping_by_waves(i, i);
    if (waves > matters * frequency * std::abs(found.added_mass(i, i)))
      differ = std::max(differ, std::abs(found.damping_by_pressure(i, i) / waves - 1));
  }
  const double part = std::clamp((differ - alike) / (apart - alike), 0.0, 1.0);
  return (1 - part) * found.damping_by_pressure + part * found.damping_by_waves;
}

FrequencyResult LinearFlow::solve(const GreenFunction& green, double frequency, bool with_lids, bool with_far_field,
                                  FlowScratch& scratch) const {
  const int modes = 6 * surface_.bodies();
  const Eigen::Index wetted = surface_.wetted(), n = with_lids ? surface_.count() : wetted;
  const Eigen::Index waves = static_cast<Eigen::Index>(headings_.size());
  const double rho = water_.density, copies = static_cast<double>(surface_.images().size());
  FrequencyResult out;
  out.added_mass = out.damping_by_waves = out.damping_by_pressure = MatX::Zero(modes, modes);
  out.excitation = out.excitation_haskind = out.froude_krylov = Eigen::MatrixXcd::Zero(modes, waves);
  if (with_far_field) {
    const Eigen::Index directions = directions_round(green.wave_number());
    out.far_field.round = out.far_field.round_slope = Eigen::MatrixXcd::Zero(directions, modes + waves);
    out.far_field.at_headings = out.far_field.at_headings_slope = Eigen::MatrixXcd::Zero(waves, modes + waves);
  }

  for (size_t p = 0; p < surface_.parities().size(); ++p) {
    const Parity& parity = surface_.parities()[p];
    std::vector<int> columns = motions_of(parity);
    const Eigen::Index motions = static_cast<Eigen::Index>(columns.size());
    // n of each motion on its own body, and with the area: ∫ f nᵢ dS over all images is a product with these.
    const MatX normal = normals_of(columns);
    const MatX weight = copies * areas_.asDiagonal() * normal;

    Eigen::MatrixXcd incident_velocity;
    const Eigen::MatrixXcd incident_potential =
        incident(frequency, green.wave_number(), parity, headings_, incident_velocity);

    Eigen::MatrixXcd sources = Eigen::MatrixXcd::Zero(n, motions + waves);
    sources.topLeftCorner(wetted, motions) = normal;
    sources.topRightCorner(wetted, waves) = -incident_velocity;
    Influence& influence = scratch.influence[p];
    if (n < influence.velocity.rows()) {
      scratch.wetted = influence.velocity.topLeftCorner(n, n);
      solve_in_place(scratch.wetted, sources);
    } else {
      solve_in_place(influence.velocity, sources);
    }
    const Eigen::MatrixXcd potential = influence.potential.leftCols(n) * sources;

    const auto radiated = potential.leftCols(motions), diffracted = potential.rightCols(waves);
    const Eigen::MatrixXcd radiation = weight.transpose() * radiated;
    const Eigen::MatrixXcd froude_krylov = i_unit * frequency * rho * (weight.transpose() * incident_potential);
    const Eigen::MatrixXcd diffraction = i_unit * frequency * rho * (weight.transpose() * diffracted);
    const Eigen::MatrixXcd haskind =
        -i_unit * frequency * rho * copies * (radiated.transpose() * (areas_.asDiagonal() * incident_velocity));
    const MatX damping = damping_by_waves(frequency, green.wave_number(), parity, weight, radiated);
    for (Eigen::Index a = 0; a < motions; ++a) {
      const int row = columns[static_cast<size_t>(a)];
      for (Eigen::Index b = 0; b < motions; ++b) {
        const int column = columns[static_cast<size_t>(b)];
        out.added_mass(row, column) = -rho * radiation(a, b).real();
        out.damping_by_waves(row, column) = damping(a, b);
        out.damping_by_pressure(row, column) = rho * frequency * radiation(a, b).imag();
      }
      out.froude_krylov.row(row) = froude_krylov.row(a);
      out.excitation.row(row) = froude_krylov.row(a) + diffraction.row(a);
      out.excitation_haskind.row(row) = froude_krylov.row(a) + haskind.row(a);
    }
    if (with_far_field) {
      for (Eigen::Index b = 0; b < waves; ++b) columns.push_back(modes + static_cast<int>(b));
      Eigen::MatrixXcd velocity(wetted, motions + waves);
      velocity << normal, -incident_velocity;
      add_far_field(out.far_field, green.wave_number(), parity, columns, potential, velocity);
    }
  }
  out.damping = believable_damping(out, frequency);
  return out;
}

// Without waves a lid has nothing to do: the wetted panels alone.
MatX LinearFlow::limit(double deep_wave_number) const {
  const GreenFunction green(deep_wave_number, water_.depth, surface_.reach());
  std::vector<Influence> influence;
  assemble(surface_, rankine_, green, false, influence);
  const int modes = 6 * surface_.bodies();
  MatX out = MatX::Zero(modes, modes);
  for (size_t p = 0; p < surface_.parities().size(); ++p) {
    const std::vector<int> motions = motions_of(surface_.parities()[p]);
    const MatX normal = normals_of(motions);
    Eigen::MatrixXcd sources = normal.cast<Complex>();
    solve_in_place(influence[p].velocity, sources);
    const MatX potential = (influence[p].potential * sources).real();
    const MatX share = -water_.density * static_cast<double>(surface_.images().size()) *
                       (normal.transpose() * (areas_.asDiagonal() * potential));
    for (size_t a = 0; a < motions.size(); ++a)
      for (size_t b = 0; b < motions.size(); ++b)
        out(motions[a], motions[b]) = share(static_cast<Eigen::Index>(a), static_cast<Eigen::Index>(b));
  }
  return out;
}

}  // namespace davit::panel
