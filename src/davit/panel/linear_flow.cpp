#include "davit/panel/linear_flow.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "davit/panel/dense_solve.hpp"
#include "davit/panel/incident_wave.hpp"

namespace davit::panel {

namespace {

// The mean of two solutions of one problem, `part` of the second.
FrequencyResult between(const FrequencyResult& a, const FrequencyResult& b, double part) {
  const auto mixed = [&](const auto& x, const auto& y) { return ((1 - part) * x + part * y).eval(); };
  return {mixed(a.added_mass, b.added_mass),
          mixed(a.damping, b.damping),
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
                                      Eigen::MatrixXcd& velocity) const {
  const Eigen::Index wetted = surface_.wetted(), waves = static_cast<Eigen::Index>(headings_.size());
  Eigen::MatrixXcd potential = Eigen::MatrixXcd::Zero(wetted, waves);
  velocity = Eigen::MatrixXcd::Zero(wetted, waves);
  const double share = 1.0 / static_cast<double>(surface_.images().size());
  for (Eigen::Index b = 0; b < waves; ++b) {
    const IncidentWave wave{frequency, wave_number, water_.depth, water_.gravity, headings_[static_cast<size_t>(b)]};
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

void LinearFlow::add_far_field(FarField& far, double wave_number, const Parity& parity, const std::vector<int>& columns,
                               const Eigen::MatrixXcd& sources) const {
  const Eigen::Index n = sources.rows();
  // Rows: directions; H and dH/dθ of a unit source on each panel, with its images.
  const auto rows = [&](Eigen::Index count, const auto& direction, Eigen::MatrixXcd& values, Eigen::MatrixXcd& slopes) {
    Eigen::MatrixXcd of_panel(count, n), of_panel_slope(count, n);
    for (Eigen::Index j = 0; j < n; ++j) {
      const FlatPanel& panel = surface_.panels()[static_cast<size_t>(j)];
      const double weight = panel.area * depth_profile(wave_number, water_.depth, panel.centre.z()).value;
      for (Eigen::Index m = 0; m < count; ++m) {
        const double theta = direction(m), c = std::cos(theta), s = std::sin(theta);
        Complex value = 0, slope = 0;
        for (const hull::Image& image : surface_.images()) {
          const Vec3 point = hull::mirrored(panel.centre, image);
          const Complex wave =
              parity.at(image) * weight * std::exp(i_unit * wave_number * (point.x() * c + point.y() * s));
          value += wave;
          slope += i_unit * wave_number * (point.y() * c - point.x() * s) * wave;
        }
        of_panel(m, j) = value;
        of_panel_slope(m, j) = slope;
      }
    }
    const Eigen::MatrixXcd value = of_panel * sources, slope = of_panel_slope * sources;
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
  const double part = std::clamp((green.deep_wave_number() / first - 0.75) / 0.2, 0.0, 1.0);
  if (surface_.count() == surface_.wetted() || part == 0)
    return solve(green, frequency, false, with_far_field, scratch);
  if (part == 1) return solve(green, frequency, true, with_far_field, scratch);
  return between(solve(green, frequency, false, with_far_field, scratch),
                 solve(green, frequency, true, with_far_field, scratch), part);
}

FrequencyResult LinearFlow::solve(const GreenFunction& green, double frequency, bool with_lids, bool with_far_field,
                                  FlowScratch& scratch) const {
  assemble(surface_, rankine_, green, with_lids, scratch.influence);

  const int modes = 6 * surface_.bodies();
  const Eigen::Index wetted = surface_.wetted(), n = with_lids ? surface_.count() : wetted;
  const Eigen::Index waves = static_cast<Eigen::Index>(headings_.size());
  const double rho = water_.density, copies = static_cast<double>(surface_.images().size());
  FrequencyResult out;
  out.added_mass = out.damping = MatX::Zero(modes, modes);
  out.excitation = out.excitation_haskind = out.froude_krylov = Eigen::MatrixXcd::Zero(modes, waves);
  if (with_far_field) {
    const Eigen::Index directions =
        std::max(36, 4 * static_cast<int>(std::ceil(green.wave_number() * surface_.reach())));
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
    const Eigen::MatrixXcd incident_potential = incident(frequency, green.wave_number(), parity, incident_velocity);

    Eigen::MatrixXcd sources = Eigen::MatrixXcd::Zero(n, motions + waves);
    sources.topLeftCorner(wetted, motions) = normal;
    sources.topRightCorner(wetted, waves) = -incident_velocity;
    solve_in_place(scratch.influence[p].velocity, sources);
    const Eigen::MatrixXcd potential = scratch.influence[p].potential * sources;

    const auto radiated = potential.leftCols(motions), diffracted = potential.rightCols(waves);
    const Eigen::MatrixXcd radiation = weight.transpose() * radiated;
    const Eigen::MatrixXcd froude_krylov = i_unit * frequency * rho * (weight.transpose() * incident_potential);
    const Eigen::MatrixXcd diffraction = i_unit * frequency * rho * (weight.transpose() * diffracted);
    const Eigen::MatrixXcd haskind =
        -i_unit * frequency * rho * copies * (radiated.transpose() * (areas_.asDiagonal() * incident_velocity));
    for (Eigen::Index a = 0; a < motions; ++a) {
      const int row = columns[static_cast<size_t>(a)];
      for (Eigen::Index b = 0; b < motions; ++b) {
        const int column = columns[static_cast<size_t>(b)];
        out.added_mass(row, column) = -rho * radiation(a, b).real();
        out.damping(row, column) = rho * frequency * radiation(a, b).imag();
      }
      out.froude_krylov.row(row) = froude_krylov.row(a);
      out.excitation.row(row) = froude_krylov.row(a) + diffraction.row(a);
      out.excitation_haskind.row(row) = froude_krylov.row(a) + haskind.row(a);
    }
    if (with_far_field) {
      for (Eigen::Index b = 0; b < waves; ++b) columns.push_back(modes + static_cast<int>(b));
      add_far_field(out.far_field, green.wave_number(), parity, columns, sources);
    }
  }
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
