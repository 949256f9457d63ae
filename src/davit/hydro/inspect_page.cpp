#include "davit/hydro/inspect_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>

#include "davit/html/html.hpp"
#include "davit/html/page.hpp"
#include "davit/html/plot.hpp"
#include "davit/hydro/convert.hpp"
#include "davit/hydro/hydro_error.hpp"
#include "davit/hydro/kramers_kronig.hpp"
#include "davit/hydro/modes.hpp"
#include "davit/io/write_file.hpp"
#include "davit/math/constants.hpp"

namespace davit::hydro {
namespace {

using html::Curve;
using html::escape;
using html::number;
using html::Plot;

constexpr size_t most_curves = 8;

// The class of a cell in the page's style.
const char* mark_of(Severity severity) {
  switch (severity) {
    case Severity::ok:
      break;
    case Severity::note:
      return "t";
    case Severity::warning:
      return "caution";
    case Severity::error:
      return "exceeded";
  }
  return "passed";
}

class Page {
 public:
  Page(const Database& database, const std::vector<Finding>& findings) : d_(database), findings_(findings) {}

  std::string make() {
    head();
    findings();
    periods();
    facts();
    radiation();
    kernels();
    excitation();
    drift();
    add("<footer>Made by Davit. z is up, x forward, y to port; a wave of heading 0 goes along x, of 90° along y; a "
        "phase is "
        "a lead over the crest at the origin.</footer>");
    return html::document("Hydrodynamics of " + d_.title, out_);
  }

 private:
  template <class... T>
  void add(fmt::format_string<T...> format, T&&... values) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<T>(values)...);
  }

  void head() {
    add("<header><h1>Hydrodynamics of {}</h1><p class=\"soft\">{}</p></header>\n", escape(d_.title), escape(d_.source));
    const auto count = [this](Severity severity) {
      return std::count_if(findings_.begin(), findings_.end(),
                           [severity](const Finding& finding) { return finding.severity == severity; });
    };
    const auto errors = count(Severity::error), warnings = count(Severity::warning);
    const auto counted = [](auto n, const char* what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); };
    const char* kind = errors ? "bad" : warnings ? "warn" : "good";
    const std::string verdict = errors ? "Not fit for a run as it is" : warnings ? "Usable with care" : "Fit for a run";
    add("<div class=\"verdict {}\"><b>{}</b><span class=\"soft\">{}, {}, {}, {} in order</span></div>\n", kind, verdict,
        counted(errors, "error"), counted(warnings, "warning"), counted(count(Severity::note), "note"),
        count(Severity::ok));
  }

  void findings() {
    add("<section><h2>Findings</h2><div class=\"wide\"><table><thead><tr><th></th><th>Looked "
        "at</th><th>Measured</th><th>What "
        "it does to a run, and the remedy</th></tr></thead><tbody>\n");
    for (const Finding& finding : findings_) {
      add("<tr><td class=\"{}\">{}</td><td class=\"name\">{}</td><td>{}</td><td>{}", mark_of(finding.severity),
          name_of(finding.severity), escape(finding.subject), escape(finding.measured), escape(finding.effect));
      if (!finding.remedy.empty()) add("<small>Remedy: {}</small>", escape(finding.remedy));
      add("</td></tr>\n");
    }
    add("</tbody></table></div></section>\n");
  }

  void periods() {
    const auto list = natural_periods(d_);
    if (list.empty()) return;
    add("<section><h2>Natural periods</h2><p class=\"soft\">Each mode by itself, about the centre of gravity, with the "
        "damping of the waves it radiates.</p><div class=\"wide\"><table><thead><tr><th>Mode</th><th "
        "class=\"n\">Period "
        "[s]</th><th class=\"n\">Frequency [rad/s]</th><th class=\"n\">Damping [% of "
        "critical]</th></tr></thead><tbody>");
    for (const NaturalPeriod& each : list)
      add("<tr><td>{}</td><td class=\"n\">{:.2f}</td><td class=\"n\">{:.3f}</td><td class=\"n\">{:.1f}</td></tr>",
          escape(mode_name(d_, each.mode)), each.period, 2 * pi / each.period, 100 * each.damping);
    add("</tbody></table></div></section>\n");
  }

  void pair(const std::string& name, const std::string& value) {
    add("<div><dt>{}</dt><dd>{}</dd></div>", escape(name), escape(value));
  }
  static std::string point(const Vec3& p) {
    return p.allFinite() ? fmt::format("{}, {}, {} m", number(p.x()), number(p.y()), number(p.z())) : "not known";
  }
  static std::string range(const std::vector<double>& list, double unit, const char* name) {
    if (list.empty()) return "none";
    return fmt::format("{}: {} … {} {}", list.size(), number(list.front() / unit), number(list.back() / unit), name);
  }

  void facts() {
    add("<section><h2>Data</h2><dl class=\"pairs\">");
    pair("Density", number(d_.density) + " kg/m³");
    pair("Gravity", number(d_.gravity) + " m/s²");
    pair("Water depth", std::isinf(d_.depth) ? "infinite" : number(d_.depth) + " m");
    pair("Frequencies", range(d_.frequencies, 1, "rad/s"));
    pair("Headings", range(d_.headings, degree, "°"));
    add("</dl>\n");
    for (const FloatingBody& body : d_.bodies) {
      add("<h3>{}</h3><dl class=\"pairs\">", escape(body.name));
      pair("Reference point", point(body.reference));
      pair("Displaced volume", std::isnan(body.volume) ? "not known" : number(body.volume) + " m³");
      pair("Centre of buoyancy", point(body.buoyancy));
      if (body.loading) {
        pair("Mass", number(body.loading->mass / 1e3) + " t");
        pair("Centre of gravity", point(body.loading->centre));
      } else {
        pair("Mass", "not known");
      }
      add("</dl>\n");
    }
    if (!d_.notes.empty()) {
      add("<h3>Assumed on the way</h3><ul class=\"warnings\">");
      for (const std::string& note : d_.notes) add("<li>{}</li>", escape(note));
      add("</ul>");
    }
    add("</section>\n");
  }

  // One figure of several curves; numbers are shown by the thousand, million, … that suits the largest.
  void figure(Plot plot) {
    double largest = 0;
    for (const Curve& curve : plot.curves)
      for (const double v : curve.series.values)
        if (std::isfinite(v)) largest = std::max(largest, std::abs(v));
    if (largest == 0) return;
    constexpr std::array<const char*, 6> powers{"", "10³ ", "10⁶ ", "10⁹ ", "10¹² ", "10¹⁵ "};
    const int thousands = std::clamp(static_cast<int>(std::floor(std::log10(largest / 10) / 3)), 0, 5);
    if (plot.unit != "°") {
      const double scale = std::pow(1000.0, -thousands);
      for (Curve& curve : plot.curves)
        for (double& v : curve.series.values) v *= scale;
      plot.unit = powers[static_cast<size_t>(thousands)] + plot.unit;
    }
    out_ += html::plot_figure(plot);
  }

  Plot over_frequency(std::string title, std::string unit) const {
    return {.title = std::move(title), .unit = std::move(unit), .over = "frequency", .over_unit = "rad/s"};
  }
  std::string of_body(int body) const {
    return d_.bodies.size() > 1 ? " of " + d_.bodies[static_cast<size_t>(body)].name : "";
  }
  static std::string short_name(int i, int j) {
    return i == j
               ? std::string(mode_names[static_cast<size_t>(i % 6)])
               : fmt::format("{}–{}", mode_names[static_cast<size_t>(i % 6)], mode_names[static_cast<size_t>(j % 6)]);
  }

  void matrix_figures(int body, const char* what, const std::vector<MatX>& matrices,
                      const std::array<const char*, 3>& units) {
    const int first = 6 * body;
    const auto curve = [&](int i, int j) {
      return Curve{.name = short_name(i, j), .series = {d_.frequencies, entry(matrices, i, j)}};
    };
    for (const bool rotations : {false, true}) {
      Plot plot = over_frequency(fmt::format("{}, {}{}", what, rotations ? "rotations" : "translations", of_body(body)),
                                 units[rotations ? 2 : 0]);
      for (int i = 0; i < 3; ++i) plot.curves.push_back(curve(first + i + 3 * rotations, first + i + 3 * rotations));
      figure(std::move(plot));
    }
    // Couplings of a translation with a rotation, those that are more than round-off.
    Plot plot = over_frequency(fmt::format("{}, couplings{}", what, of_body(body)), units[1]);
    for (int i = first; i < first + 3; ++i)
      for (int j = first + 3; j < first + 6; ++j) {
        double largest = 0, size = 0;
        for (const MatX& m : matrices) {
          largest = std::max(largest, std::abs(m(i, j)));
          size = std::max(size, std::sqrt(std::abs(m(i, i) * m(j, j))));
        }
        if (largest > 0.01 * size && plot.curves.size() < most_curves) plot.curves.push_back(curve(i, j));
      }
    if (!plot.curves.empty()) figure(std::move(plot));
  }

  void radiation() {
    if (d_.frequencies.empty()) return;
    add("<section><h2>Added mass and damping</h2>\n");
    for (int body = 0; body < static_cast<int>(d_.bodies.size()); ++body) {
      matrix_figures(body, "Added mass", d_.added_mass, {"kg", "kg·m", "kg·m²"});
      matrix_figures(body, "Damping", d_.damping, {"N·s/m", "N·s", "N·m·s"});
    }
    add("</section>\n");
  }

  void kernels() {
    if (d_.frequencies.size() < 5) return;
    add("<section><h2>Memory of the water</h2><p class=\"soft\">The force that a motion leaves behind: K(t) = 2/π ∫ B "
        "cos ωt "
        "dω, with damping continued beyond the highest frequency by a power.</p>\n");
    for (int body = 0; body < static_cast<int>(d_.bodies.size()); ++body)
      for (const bool rotations : {false, true}) {
        Plot plot{.title = fmt::format("Kernel, {}{}", rotations ? "rotations" : "translations", of_body(body)),
                  .unit = rotations ? "N·m" : "N/m"};
        for (int i = 6 * body + 3 * rotations; i < 6 * body + 3 * rotations + 3; ++i) {
          const Damping damping(d_.frequencies, entry(d_.damping, i, i));
          Curve curve{.name = short_name(i, i)};
          for (int k = 0; k <= 400; ++k) {
            curve.series.times.push_back(0.1 * k);
            curve.series.values.push_back(damping.kernel(0.1 * k));
          }
          plot.curves.push_back(std::move(curve));
        }
        figure(std::move(plot));
      }
    add("</section>\n");
  }

  // A few headings, evenly chosen; half the circle where the other half is its mirror image.
  std::vector<size_t> chosen_headings() const {
    std::vector<size_t> all;
    const bool half = is_port_starboard_symmetric(d_);
    for (size_t h = 0; h < d_.headings.size(); ++h)
      if (!half || d_.headings[h] >= -1e-9) all.push_back(h);
    if (all.empty())
      for (size_t h = 0; h < d_.headings.size(); ++h) all.push_back(h);
    std::vector<size_t> few;
    const size_t count = std::min<size_t>(all.size(), 7);
    for (size_t k = 0; k < count; ++k) few.push_back(all[count == 1 ? 0 : k * (all.size() - 1) / (count - 1)]);
    return few;
  }

  void by_heading(Plot plot, const std::function<double(size_t heading, size_t frequency)>& value) {
    for (const size_t h : chosen_headings()) {
      Curve curve{.name = fmt::format("{:.0f}°", d_.headings[h] / degree)};
      for (size_t f = 0; f < d_.frequencies.size(); ++f) {
        curve.series.times.push_back(d_.frequencies[f]);
        curve.series.values.push_back(value(h, f));
        const size_t last = curve.series.values.size() - 1;
        // A phase that comes round again is not a line across the picture.
        if (plot.unit == "°" && last > 0 && std::abs(curve.series.values[last] - curve.series.values[last - 1]) > 180) {
          curve.series.times.insert(curve.series.times.end() - 1, d_.frequencies[f]);
          curve.series.values.insert(curve.series.values.end() - 1, std::nan(""));
        }
      }
      plot.curves.push_back(std::move(curve));
    }
    figure(std::move(plot));
  }

  void excitation() {
    if (d_.excitation.empty()) return;
    add("<section><h2>Excitation per wave amplitude</h2>\n");
    for (int mode = 0; mode < d_.modes(); ++mode) {
      double largest = 0;
      for (const MatXc& X : d_.excitation) largest = std::max(largest, X.row(mode).cwiseAbs().maxCoeff());
      const auto force = [&, mode](size_t h, size_t f) { return d_.excitation[h](mode, static_cast<Eigen::Index>(f)); };
      by_heading(over_frequency("Amplitude, " + mode_name(d_, mode), is_rotation(mode) ? "N" : "N/m"),
                 [&](size_t h, size_t f) { return std::abs(force(h, f)); });
      by_heading(over_frequency("Phase, " + mode_name(d_, mode), "°"), [&](size_t h, size_t f) {
        return std::abs(force(h, f)) > 1e-3 * largest ? std::arg(force(h, f)) / degree : std::nan("");
      });
    }
    add("</section>\n");
  }

  void drift() {
    if (d_.drift.empty()) return;
    add("<section><h2>Mean drift per squared wave amplitude</h2>\n");
    for (int mode = 0; mode < d_.modes(); ++mode)
      by_heading(over_frequency("Drift, " + mode_name(d_, mode), is_rotation(mode) ? "N/m" : "N/m²"),
                 [&](size_t h, size_t f) { return d_.drift[h](mode, static_cast<Eigen::Index>(f)); });
    add("</section>\n");
  }

  const Database& d_;
  const std::vector<Finding>& findings_;
  std::string out_;
};

}  // namespace

std::string inspect_page(const Database& database, const std::vector<Finding>& findings) {
  return Page(database, findings).make();
}

void write_inspect_page(const Database& database, const std::vector<Finding>& findings,
                        const std::filesystem::path& file) {
  try {
    io::write_file(file, inspect_page(database, findings));
  } catch (const io::FileError& error) {
    throw DatabaseError(file.string(), error.message, error.remedy);
  }
}

}  // namespace davit::hydro
