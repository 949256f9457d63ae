// `davit hydro solve`: panels, frequencies, headings and memory planned; frequencies solved in parallel; drift.
#include "davit/panel/solve_job.hpp"

#include <fmt/format.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <mutex>

#include "davit/hydro/convert.hpp"
#include "davit/hydro/heading_interpolation.hpp"
#include "davit/math/constants.hpp"
#include "davit/math/linear_algebra.hpp"
#include "davit/panel/drift.hpp"
#include "davit/panel/wave_numbers.hpp"

namespace davit::panel {

namespace {

std::vector<double> even_frequencies(const FrequencySpec& spec, double gravity, double longest_hull) {
  if (spec.list) return *spec.list;
  // Waves of a tenth of the hull: shorter ones hardly move it, and its panels need not resolve them.
  const double to = spec.to.value_or(std::sqrt(2 * pi * gravity / (0.1 * longest_hull)));
  const double from = spec.from.value_or(to / spec.count);
  std::vector<double> out;
  for (int i = 0; i < spec.count; ++i) out.push_back(from + (to - from) * i / (spec.count - 1));
  return out;
}

// As a database has them: in (−π, π], ascending, each once.
std::vector<double> in_order(std::vector<double> headings) {
  constexpr double same = 1e-6;
  for (double& heading : headings) {
    heading = std::remainder(heading, 2 * pi);
    if (heading < -pi + same) heading = pi;
  }
  std::sort(headings.begin(), headings.end());
  const auto close = [](double a, double b) { return b - a < same; };
  headings.erase(std::unique(headings.begin(), headings.end(), close), headings.end());
  return headings;
}

// Even headings round the circle with at most this gap; a step of degrees without many digits if it was not asked for.
std::vector<double> headings_of(const JobSpec& job, double widest, bool port_is_starboard) {
  if (job.headings) return in_order(*job.headings);
  const double wanted = job.heading_step > 0 ? job.heading_step : widest;
  int intervals = std::max(2, static_cast<int>(std::ceil(pi / wanted - 1e-9)));
  if (job.heading_step <= 0)
    for (const int even : {12, 18, 24, 30, 36, 45, 60, 72, 90, 120, 180})
      if (even >= intervals) {
        intervals = even;
        break;
      }
  std::vector<double> out;
  for (int i = 0; i < 2 * intervals; ++i)
    if (!port_is_starboard || i <= intervals) out.push_back(pi * i / intervals);
  return in_order(out);
}

// Half of the longest side of the box around all hulls.
double half_length(const std::vector<FloatingHull>& hulls) {
  Box box;
  for (const FloatingHull& hull : hulls)
    for (const Vec3& point : hull::expand(hull.wetted.wetted).points) box.add(point);
  return 0.5 * (box.high - box.low).head<2>().maxCoeff();
}

Surface surface_of(const std::vector<FloatingHull>& hulls) {
  std::vector<WettedBody> bodies;
  for (const FloatingHull& hull : hulls) bodies.push_back(hull.wetted);
  return Surface(bodies);
}

std::vector<FloatingHull> prepared(const JobSpec& job, const PanelRules& rules, input::Problems& problems) {
  std::vector<FloatingHull> hulls;
  for (const auto& [name, spec] : job.bodies)
    if (auto hull = prepare_hull(name, spec, job.water, rules, problems)) hulls.push_back(*std::move(hull));
  return hulls;
}

// Motions of one body about the origin for unit wave amplitude, with its own mass and restoring.
Eigen::MatrixXcd motions_of(const FrequencyResult& flow, double frequency, const Mat6& mass, const Mat6& restoring) {
  const Eigen::MatrixXcd impedance = (restoring - frequency * frequency * (mass + flow.added_mass)).cast<Complex>() +
                                     Complex(0, frequency) * flow.damping.cast<Complex>();
  return solve_lu(impedance, flow.excitation);
}

}  // namespace

std::optional<JobPlan> plan_job(const JobSpec& job, int threads, input::Problems& problems, double finer) {
  JobPlan plan;
  plan.finer = finer;
  plan.title = job.title;
  plan.water = {job.water.density, job.water.gravity, job.water.depth_or_infinite()};
  double longest = 0;
  for (const auto& [name, spec] : job.bodies) longest = std::max(longest, length_of(spec, problems).value_or(0));
  if (problems.has_errors()) return std::nullopt;

  plan.frequencies = even_frequencies(job.frequencies, plan.water.gravity, longest);
  const double highest = plan.frequencies.back(), deep = highest * highest / plan.water.gravity;
  const double largest_wave_number = wave_number(deep, plan.water.depth);
  PanelRules rules{2 * pi / largest_wave_number, job.lid, job.most_panels / static_cast<int>(job.bodies.size()), finer};
  // Hulls beside each other lose planes of symmetry that each has alone: what is then listed must not be more either.
  for (int round = 0; job.bodies.size() > 1 && round < 4; ++round) {
    input::Problems unheard;
    const auto hulls = prepared(job, rules, unheard);
    const double excess = unheard.has_errors() ? 0 : surface_of(hulls).wetted() / static_cast<double>(job.most_panels);
    if (excess <= 1) break;
    rules.most_panels = static_cast<int>(rules.most_panels / excess);
    rules.finer *= std::sqrt(excess);
  }
  plan.hulls = prepared(job, rules, problems);
  if (problems.has_errors()) return std::nullopt;

  const Surface surface = surface_of(plan.hulls);
  const bool port_is_starboard = std::any_of(surface.parities().begin(), surface.parities().end(),
                                             [](const Parity& parity) { return parity.y < 0; });
  plan.drift = job.drift && plan.hulls.size() == 1;
  const double widest =
      std::clamp(hydro::heading_gap_for(largest_wave_number, half_length(plan.hulls), plan.drift), pi / 180, pi / 12);
  plan.headings = headings_of(job, widest, port_is_starboard);
  plan.panels = surface.wetted();
  plan.lid_panels = surface.count() - surface.wetted();
  plan.images = static_cast<int>(surface.images().size());
  plan.threads = std::min<int>(threads > 0 ? threads : tbb::info::default_concurrency(),
                               static_cast<int>(plan.frequencies.size()));
  const double shared = LinearFlow::shared_bytes(surface), each = LinearFlow::thread_bytes(surface);
  const double memory = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
  // Fewer frequencies at a time rather than more memory than there is.
  while (plan.threads > 1 && shared + plan.threads * each > 0.8 * memory) --plan.threads;
  plan.bytes = shared + plan.threads * each;
  if (plan.bytes > 0.8 * memory) {
    problems.error(job.bodies[0].second.where,
                   fmt::format("{} panels need {:.3g} GB of memory, and this machine has {:.3g} GB", surface.count(),
                               plan.bytes / 1e9, memory / 1e9),
                   "take larger panels, a lower highest frequency, or half the hull where it is symmetric");
    return std::nullopt;
  }
  return plan;
}

std::optional<JobPlan> refined(const JobSpec& job, const JobPlan& plan, int threads) {
  input::Problems again;
  auto finer = plan_job(job, threads, again, 0.7 * plan.finer);
  if (!finer || finer->panels < 1.3 * plan.panels) return std::nullopt;
  return finer;
}

namespace {

// Panels give four digits at best: six are kept, so that files can be packed.
double six_digits(double x) {
  if (!std::isfinite(x)) return x;
  int exponent = 0;
  constexpr double bits = 1 << 20;
  return std::ldexp(std::round(std::frexp(x, &exponent) * bits) / bits, exponent);
}
void keep_six_digits(hydro::Database& database) {
  for (auto* forces : {&database.excitation, &database.excitation_haskind, &database.froude_krylov})
    for (MatXc& X : *forces)
      X = X.unaryExpr([](const Complex& x) { return Complex(six_digits(x.real()), six_digits(x.imag())); });
  for (MatX& D : database.drift) D = D.unaryExpr(&six_digits);
}

// `damping_apart`: by frequency, between what waves and pressure give.
Accuracy accuracy_of(const hydro::Database& database, const std::vector<MatX>& damping_apart) {
  Accuracy out;
  for (int i = 0; i < database.modes(); ++i) {
    double damping = 0, apart = 0, force = 0, force_apart = 0;
    for (size_t f = 0; f < damping_apart.size(); ++f) {
      damping = std::max(damping, database.damping[f](i, i));
      apart = std::max(apart, std::abs(damping_apart[f](i, i)));
    }
    for (size_t h = 0; h < database.excitation.size(); ++h) {
      const auto row = database.excitation[h].row(i);
      force = std::max(force, row.cwiseAbs().maxCoeff());
      force_apart = std::max(force_apart, (row - database.excitation_haskind[h].row(i)).cwiseAbs().maxCoeff());
    }
    // What has neither is a motion without waves, such as the yaw of a round hull.
    if (damping > 1e-6 * database.damping.back().diagonal().maxCoeff())
      out.damping = std::max(out.damping, apart / damping);
    if (force > 0 && damping > 0) out.force = std::max(out.force, force_apart / force);
  }
  return out;
}

}  // namespace

hydro::Database unsolved_database(const JobPlan& plan) {
  const int modes = 6 * static_cast<int>(plan.hulls.size()), count = static_cast<int>(plan.frequencies.size());
  const auto waves = plan.headings.size();
  hydro::Database out;
  out.title = plan.title;
  out.source = "davit hydro solve";
  out.density = plan.water.density;
  out.gravity = plan.water.gravity;
  out.depth = plan.water.depth;
  out.frequencies = plan.frequencies;
  out.headings = plan.headings;
  out.added_mass.assign(static_cast<size_t>(count), MatX::Zero(modes, modes));
  out.damping = out.added_mass;
  out.excitation.assign(waves, MatXc::Zero(modes, count));
  out.excitation_haskind = out.froude_krylov = out.excitation;
  if (plan.drift) {
    out.drift.assign(waves, MatX::Constant(modes, count, std::numeric_limits<double>::quiet_NaN()));
    for (MatX& drift : out.drift)
      for (const int known : {0, 1, 5}) drift.row(known).setZero();
  }
  for (const FloatingHull& hull : plan.hulls) {
    out.bodies.push_back(hull.body);
    out.bodies.back().reference.setZero();
    for (const std::string& note : hull.notes)
      out.notes.push_back(plan.hulls.size() > 1 ? hull.wetted.name + ": " + note : note);
  }
  if (plan.drift) out.notes.push_back("mean drift: surge, sway and yaw, of the free body without viscous damping");
  out.notes.push_back(fmt::format(
      "{} panels{}{}", plan.panels, plan.images > 1 ? fmt::format(", {} images by symmetry", plan.images) : "",
      plan.lid_panels > 0 ? fmt::format(", lid of {} panels", plan.lid_panels) : ", no lid"));
  return out;
}

hydro::Database run_job(const JobPlan& plan, const Tell& tell, Accuracy* accuracy) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const LinearFlow flow(surface_of(plan.hulls), plan.water, plan.headings);
  const int count = static_cast<int>(plan.frequencies.size());
  const auto waves = plan.headings.size();
  hydro::Database out = unsolved_database(plan);

  std::vector<MatX> damping_apart(static_cast<size_t>(count));
  const Mat6 mass = plan.drift ? hydro::mass_matrix(*plan.hulls[0].body.loading, Vec3::Zero()) : Mat6::Zero();
  const Mat6 restoring = plan.hulls[0].body.restoring;  // about the origin: see prepare_hull
  const auto at_frequency = [&](int index, FlowScratch& scratch) {
    const double frequency = plan.frequencies[static_cast<size_t>(index)];
    const FrequencyResult result = flow.solve(frequency, plan.drift, scratch);
    out.added_mass[static_cast<size_t>(index)] = result.added_mass;
    out.damping[static_cast<size_t>(index)] = result.damping;
    damping_apart[static_cast<size_t>(index)] = result.damping_by_waves - result.damping_by_pressure;
    for (size_t b = 0; b < waves; ++b) {
      const auto column = static_cast<Eigen::Index>(b);
      out.excitation[b].col(index) = result.excitation.col(column);
      out.excitation_haskind[b].col(index) = result.excitation_haskind.col(column);
      out.froude_krylov[b].col(index) = result.froude_krylov.col(column);
    }
    if (!plan.drift) return;
    const auto drift = mean_drift(result.far_field, motions_of(result, frequency, mass, restoring), frequency,
                                  plan.headings, plan.water);
    for (size_t b = 0; b < waves; ++b) {
      out.drift[b](0, index) = drift[b].surge;
      out.drift[b](1, index) = drift[b].sway;
      out.drift[b](5, index) = drift[b].yaw;
    }
  };

  // The limits without waves are two tasks among the others.
  const int total = count + 1 + (flow.has_zero_limit() ? 1 : 0);
  std::mutex speaking;
  int done = 0;
  tbb::enumerable_thread_specific<FlowScratch> scratches;
  tbb::task_arena(plan.threads).execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<int>(0, total, 1),
        [&](const tbb::blocked_range<int>& range) {
          for (int task = range.begin(); task < range.end(); ++task) {
            if (task < count)
              at_frequency(count - 1 - task, scratches.local());
            else if (task == count)
              out.added_mass_infinite = flow.added_mass_infinite();
            else
              out.added_mass_zero = flow.added_mass_zero();
            const std::lock_guard lock(speaking);
            ++done;
            if (tell) tell({done, total, std::chrono::duration<double>(Clock::now() - start).count()});
          }
        },
        tbb::simple_partitioner());
  });

  const Accuracy both_ways = accuracy_of(out, damping_apart);
  if (accuracy) *accuracy = both_ways;
  out.notes.push_back(fmt::format("found in two ways: forces within {:.2g} %, damping within {:.2g} % of the largest",
                                  100 * both_ways.force, 100 * both_ways.damping));
  for (size_t b = 0; b < plan.hulls.size(); ++b)
    hydro::move_reference(out, static_cast<int>(b), plan.hulls[b].body.reference);
  keep_six_digits(out);
  return out;
}

}  // namespace davit::panel
