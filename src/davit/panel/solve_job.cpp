#include "davit/panel/solve_job.hpp"

#include <fmt/format.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <unistd.h>

#include <chrono>
#include <mutex>

#include "davit/hydro/convert.hpp"
#include "davit/math/constants.hpp"
#include "davit/math/linear_algebra.hpp"
#include "davit/panel/dispersion.hpp"
#include "davit/panel/drift.hpp"

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

std::vector<double> even_headings(const JobSpec& job, bool port_is_starboard) {
  if (job.headings) return *job.headings;
  const double wanted = job.heading_step > 0 ? job.heading_step : pi / 12;
  const int intervals = std::max(2, static_cast<int>(std::ceil(pi / wanted - 1e-9)));
  std::vector<double> out;
  for (int i = 0; i < 2 * intervals; ++i)
    if (!port_is_starboard || i <= intervals) out.push_back(pi * i / intervals);
  return out;
}

Surface surface_of(const std::vector<FloatingHull>& hulls) {
  std::vector<WettedBody> bodies;
  for (const FloatingHull& hull : hulls) bodies.push_back(hull.wetted);
  return Surface(bodies);
}

// Motions of one body about the origin for unit wave amplitude, with its own mass and restoring.
Eigen::MatrixXcd motions_of(const FrequencyResult& flow, double frequency, const Mat6& mass, const Mat6& restoring) {
  const Eigen::MatrixXcd impedance = (restoring - frequency * frequency * (mass + flow.added_mass)).cast<Complex>() +
                                     Complex(0, frequency) * flow.damping.cast<Complex>();
  return solve_lu(impedance, flow.excitation);
}

}  // namespace

std::optional<JobPlan> plan_job(const JobSpec& job, int threads, input::Problems& problems) {
  JobPlan plan;
  plan.title = job.title;
  plan.water = {job.water.density, job.water.gravity, job.water.depth_or_infinite()};
  double longest = 0;
  for (const auto& [name, spec] : job.bodies) longest = std::max(longest, length_of(spec, problems).value_or(0));
  if (problems.has_errors()) return std::nullopt;

  plan.frequencies = even_frequencies(job.frequencies, plan.water.gravity, longest);
  const double highest = plan.frequencies.back(), deep = highest * highest / plan.water.gravity;
  const double shortest_wave = 2 * pi / wave_number(deep, plan.water.depth);
  const PanelRules rules{shortest_wave, job.lid, job.most_panels / static_cast<int>(job.bodies.size())};
  for (const auto& [name, spec] : job.bodies)
    if (auto hull = prepare_hull(name, spec, job.water, rules, problems)) plan.hulls.push_back(*std::move(hull));
  if (problems.has_errors()) return std::nullopt;

  const Surface surface = surface_of(plan.hulls);
  const bool port_is_starboard = std::any_of(surface.parities().begin(), surface.parities().end(),
                                             [](const Parity& parity) { return parity.y < 0; });
  plan.headings = even_headings(job, port_is_starboard);
  plan.drift = job.drift && plan.hulls.size() == 1;
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

hydro::Database run_job(const JobPlan& plan, const std::function<void(const JobProgress&)>& tell) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const LinearFlow flow(surface_of(plan.hulls), plan.water, plan.headings);
  const int count = static_cast<int>(plan.frequencies.size());
  const auto waves = plan.headings.size();
  hydro::Database out = unsolved_database(plan);

  const Mat6 mass = plan.drift ? hydro::mass_matrix(*plan.hulls[0].body.loading, Vec3::Zero()) : Mat6::Zero();
  const Mat6 restoring = plan.hulls[0].body.restoring;  // about the origin: see prepare_hull
  const auto at_frequency = [&](int index, FlowScratch& scratch) {
    const double frequency = plan.frequencies[static_cast<size_t>(index)];
    const FrequencyResult result = flow.solve(frequency, plan.drift, scratch);
    out.added_mass[static_cast<size_t>(index)] = result.added_mass;
    out.damping[static_cast<size_t>(index)] = result.damping;
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

  for (size_t b = 0; b < plan.hulls.size(); ++b)
    hydro::move_reference(out, static_cast<int>(b), plan.hulls[b].body.reference);
  return out;
}

}  // namespace davit::panel
