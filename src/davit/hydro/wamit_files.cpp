#include "davit/hydro/wamit_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "davit/hull/hull_file.hpp"
#include "davit/hull/hydrostatics.hpp"
#include "davit/hull/waterplane.hpp"
#include "davit/hydro/convert.hpp"
#include "davit/hydro/hydro_error.hpp"
#include "davit/hydro/modes.hpp"
#include "davit/hydro/tidy.hpp"
#include "davit/hydro/wamit_input.hpp"
#include "davit/io/write_file.hpp"
#include "davit/math/constants.hpp"

namespace davit::hydro {
namespace {

constexpr int most_wamit_bodies = 50;
constexpr double infinite = std::numeric_limits<double>::infinity();

// A line of a table: where it belongs, and up to two numbers.
struct Entry {
  double column;  // period, or frequency
  double heading = 0;
  int i, j = 0;
  double re, im = 0;
};

// Files may begin with a line of text; everything else is a line of the table.
std::vector<Entry> entries(TextFile file, size_t least,
                           const std::function<std::optional<Entry>(const TextFile&)>& take) {
  std::vector<Entry> list;
  for (bool first = true; file.next_line(); first = false) {
    if (file.numbers().size() < least) {
      if (first) continue;
      file.fail(fmt::format("a line of the table has {} numbers instead of {} or more", file.numbers().size(), least),
                "write the file again: it is damaged or of another kind");
    }
    if (const auto entry = take(file)) list.push_back(*entry);
  }
  return list;
}

// PER I J A B; without B for the limits of zero and infinite frequency.
std::vector<Entry> radiation_entries(TextFile file) {
  return entries(std::move(file), 4, [](const TextFile& f) -> std::optional<Entry> {
    const auto& n = f.numbers();
    return Entry{n[0],
                 0,
                 f.whole(1, 1, 6 * most_wamit_bodies),
                 f.whole(2, 1, 6 * most_wamit_bodies),
                 n[3],
                 n.size() > 4 ? n[4] : 0.0};
  });
}

// PER BETA I MOD PHASE RE IM
std::vector<Entry> force_entries(TextFile file) {
  return entries(std::move(file), 7, [](const TextFile& f) -> std::optional<Entry> {
    const auto& n = f.numbers();
    return Entry{n[0], n[1] * degree, f.whole(2, 1, 6 * most_wamit_bodies), 0, n[5], n[6]};
  });
}

// PER BETA1 BETA2 I MOD PHASE RE IM: mean drift is what waves of one heading do together.
std::vector<Entry> drift_entries(TextFile file) {
  return entries(std::move(file), 8, [](const TextFile& f) -> std::optional<Entry> {
    const auto& n = f.numbers();
    if (n[1] != n[2] || n[3] < 1) return std::nullopt;
    return Entry{n[0], n[1] * degree, f.whole(3, 1, 6 * most_wamit_bodies), 0, n[6], 0};
  });
}

class WamitParser {
 public:
  WamitParser(const std::string& stem, const Texts& files, const ReadOptions& options)
      : stem_(stem), files_(files), options_(options) {}

  Database run() {
    if (!has(".1"))
      throw DatabaseError(stem_ + ".1", "there is no such file",
                          "WAMIT writes added mass and damping to it: set IOPTN(1) to 1 in the force control file");
    const std::vector<Entry> radiation = radiation_entries(file(".1"));
    if (radiation.empty()) fail(".1", "the file has no numbers");
    int modes = 6;
    for (const Entry& e : radiation) modes = std::max({modes, e.i, e.j});
    const size_t bodies = (static_cast<size_t>(modes) + 5) / 6;

    input_ = read_wamit_input(stem_, files_, bodies);
    if (!input_.bodies.empty() && input_.bodies.size() != bodies)
      fail(".pot", fmt::format("it describes {} bodies, and {}.1 has {}", input_.bodies.size(), stem_, bodies));
    input_.bodies.resize(bodies);
    environment();
    axes(radiation);
    for (size_t b = 0; b < bodies; ++b) {
      FloatingBody body;
      body.name = input_.bodies[b].name.empty() ? (bodies == 1 ? "hull" : fmt::format("body {}", b + 1))
                                                : input_.bodies[b].name;
      body.reference = input_.bodies[b].place;
      database_.bodies.push_back(body);
    }
    fill_radiation(radiation);
    fill_forces();
    fill_drift();
    fill_restoring();
    fill_external();
    for (size_t b = 0; b < bodies; ++b)
      if (input_.bodies[b].yaw != 0) align_body(database_, static_cast<int>(b), input_.bodies[b].yaw);
    volumes();
    masses();
    tidy(database_, stem_);
    return std::move(database_);
  }

 private:
  bool has(const char* ending) const { return files_.contains(ending); }
  TextFile file(const char* ending) const { return {stem_ + ending, files_.at(ending)}; }
  [[noreturn]] void fail(const char* ending, const std::string& message) const {
    throw DatabaseError(stem_ + ending, message, "do all files come from the same run of WAMIT? Write them again");
  }
  void note(std::string text) { database_.notes.push_back(std::move(text)); }

  void environment() {
    database_.title = input_.title.empty() ? std::filesystem::path(stem_).filename().string() : input_.title;
    database_.source = "WAMIT, " + std::filesystem::path(stem_).filename().string() + ".*";
    const auto choose = [&](const char* name, std::optional<double> given, std::optional<double> found, double fallback,
                            const char* unit) {
      if (given) return *given;
      if (found) return *found;
      note(fmt::format("{} is not in the files: {} {} assumed", name, fallback, unit));
      return fallback;
    };
    // Whoever works in tonnes writes a density of about 1: the mass matrix tells the factor, the water is the same.
    std::optional<double> density = input_.density;
    if (density && (*density < 500 || *density > 2000)) {
      note(
          fmt::format("the density in the .frc file is {}: not kg/m³, taken as the unit of its mass matrix", *density));
      density.reset();
    }
    database_.density = choose("the density", options_.density, density, 1025, "kg/m³");
    mass_unit_ = input_.density ? database_.density / *input_.density : 1;
    database_.gravity = choose("gravity", options_.gravity, input_.gravity, 9.80665, "m/s²");
    database_.depth = choose("the water depth", options_.depth, input_.depth, infinite, "m");
    if (input_.gravity && *input_.gravity > 15)
      fail(".gdf", fmt::format("GRAV = {} is in feet: only metres are read", *input_.gravity));
    if (!has(".gdf")) note("there is no .gdf file: ULEN = 1 m assumed");
  }

  double frequency(double column) const {
    // The limits: period 0 is infinite frequency, a negative one zero; told as frequencies it is the other way round.
    if (input_.column_is_frequency) return column < 0 ? infinite : column;
    return column < 0 ? 0 : column == 0 ? infinite : 2 * pi / column;
  }

  void axes(const std::vector<Entry>& radiation) {
    std::set<double> columns;
    for (const Entry& e : radiation) columns.insert(e.column);
    for (const double column : columns) {
      const double w = frequency(column);
      if (!(w > 0) || !std::isfinite(w)) continue;
      at_column_.emplace(column, database_.frequencies.size());
      database_.frequencies.push_back(w);
    }
    std::set<double> headings;
    for (const char* ending : {".3", ".2"})
      if (has(ending))
        for (const Entry& e : force_entries(file(ending))) headings.insert(e.heading);
    for (const double heading : headings) {
      at_heading_.emplace(heading, database_.headings.size());
      database_.headings.push_back(heading);
    }
  }

  // Numbers are divided by ρ L^k, k = 3, 4, 5 for none, one, two rotations, and dampings by ω too.
  double mass_scale(int i, int j) const {
    return database_.density * std::pow(input_.length, 3 + is_rotation(i) + is_rotation(j));
  }
  // Forces per amplitude by ρ g L², moments by ρ g L³; drift by one power of L less.
  double force_scale(int i, int power) const {
    return database_.density * database_.gravity * std::pow(input_.length, power + is_rotation(i));
  }

  void fill_radiation(const std::vector<Entry>& list) {
    const int n = database_.modes();
    database_.added_mass.assign(database_.frequencies.size(), MatX::Zero(n, n));
    database_.damping = database_.added_mass;
    for (const Entry& e : list) {
      const int i = e.i - 1, j = e.j - 1;
      const double scale = mass_scale(i, j), w = frequency(e.column);
      if (w == 0 || std::isinf(w)) {
        auto& limit = w == 0 ? database_.added_mass_zero : database_.added_mass_infinite;
        if (!limit) limit = MatX::Zero(n, n);
        (*limit)(i, j) = e.re * scale;
        continue;
      }
      const size_t f = at_column_.at(e.column);
      database_.added_mass[f](i, j) = e.re * scale;
      database_.damping[f](i, j) = e.im * scale * w;
    }
  }

  size_t frequency_index(const char* ending, double column) const {
    const auto found = at_column_.find(column);
    if (found == at_column_.end())
      fail(ending,
           fmt::format("the {} {} is not in {}.1", input_.column_is_frequency ? "frequency" : "period", column, stem_));
    return found->second;
  }

  std::vector<MatXc> forces(const char* ending) const {
    std::vector<MatXc> list(database_.headings.size(),
                            MatXc::Constant(database_.modes(), count(database_.frequencies), std::nan("")));
    std::vector<std::vector<bool>> seen(list.size(), std::vector<bool>(database_.frequencies.size()));
    for (const Entry& e : force_entries(file(ending))) {
      if (e.i > database_.modes()) fail(ending, fmt::format("there is no mode {} in {}.1", e.i, stem_));
      const double w = frequency(e.column);
      if (w == 0 || std::isinf(w)) continue;
      const auto h = at_heading_.find(e.heading);
      if (h == at_heading_.end())
        fail(ending, fmt::format("the heading {}° is not in {}.3", e.heading / degree, stem_));
      const size_t f = frequency_index(ending, e.column);
      // What is not listed at a frequency that is, is zero by symmetry.
      if (!seen[h->second][f]) list[h->second].col(static_cast<Eigen::Index>(f)).setZero();
      seen[h->second][f] = true;
      list[h->second](e.i - 1, static_cast<Eigen::Index>(f)) = {e.re * force_scale(e.i - 1, 2),
                                                                e.im * force_scale(e.i - 1, 2)};
    }
    for (size_t h = 0; h < list.size(); ++h)
      for (size_t f = 0; f < database_.frequencies.size(); ++f)
        if (!seen[h][f])
          fail(ending, fmt::format("nothing at {:.6g} rad/s and heading {:.6g}°", database_.frequencies[f],
                                   database_.headings[h] / degree));
    return list;
  }

  static Eigen::Index count(const std::vector<double>& list) { return static_cast<Eigen::Index>(list.size()); }

  void fill_forces() {
    if (has(".3")) database_.excitation = forces(".3");
    if (has(".2")) (has(".3") ? database_.excitation_haskind : database_.excitation) = forces(".2");
    if (has(".2") && !has(".3")) note("excitation is from the .2 file, by Haskind's relation: there is no .3 file");
    if (has(".3fk") && !database_.excitation.empty()) database_.froude_krylov = forces(".3fk");
    if (database_.excitation.empty()) note("there is neither a .3 nor a .2 file: no excitation");
  }

  void fill_drift() {
    for (const char* ending : {".9", ".8"}) {  // momentum is the more accurate where both are
      if (!has(ending)) continue;
      const bool momentum = std::string_view(ending) == ".8";
      if (momentum && database_.bodies.size() > 1) {
        note("the .8 file has the drift of all bodies together and is not used");
        continue;
      }
      for (const Entry& e : drift_entries(file(ending))) {
        const auto h = at_heading_.find(e.heading);
        if (h == at_heading_.end() || e.i > database_.modes()) continue;
        const size_t f = frequency_index(ending, e.column);
        if (database_.drift.empty())
          database_.drift.assign(database_.headings.size(),
                                 MatX::Constant(database_.modes(), count(database_.frequencies), std::nan("")));
        database_.drift[h->second](e.i - 1, static_cast<Eigen::Index>(f)) = e.re * force_scale(e.i - 1, 1);
      }
    }
  }

  // I J C: each body's own matrix; rows count on over bodies.
  void fill_restoring() {
    if (!has(".hst")) {
      note("there is no .hst file: no restoring");
      return;
    }
    TextFile in = file(".hst");
    for (bool first = true; in.next_line(); first = false) {
      if (in.numbers().size() < 3) {
        if (first) continue;
        in.fail("a line has fewer than three numbers", "write the file again: it is damaged or of another kind");
      }
      const int i = in.whole(0, 1, database_.modes()) - 1, j = in.whole(1, 1, database_.modes()) - 1;
      if (i / 6 != j / 6) continue;
      // ρ g L² for heave, one L more for each rotation.
      database_.bodies[static_cast<size_t>(i / 6)].restoring(i % 6, j % 6) =
          in.numbers()[2] * force_scale(i, 2 + is_rotation(j));
    }
  }

  // What the .frc file adds to the flow. A stiffness has no place in the database: it is a mooring's, which a run is
  // told of by itself.
  void fill_external() {
    if (input_.external_damping && !input_.external_damping->isZero(0))
      database_.viscous_damping = *input_.external_damping * mass_unit_;
    if (!input_.external_stiffness || input_.external_stiffness->isZero(0)) return;
    std::string entries;
    for (int i = 0; i < database_.modes(); ++i)
      if (const double k = (*input_.external_stiffness)(i, i); k != 0)
        entries += fmt::format("{}{} {:.4g} {}", entries.empty() ? "" : ", ", mode_name(database_, i), k * mass_unit_,
                               is_rotation(i) ? "N m/rad" : "N/m");
    note(
        fmt::format("the external stiffness of the .frc file is left out ({}): give what holds the vessel in the "
                    "scenario, as lines, ropes or position_keeping",
                    entries.empty() ? "none on the diagonal" : entries));
  }

  // From the panels, where the .gdf has them; a table of several bodies has one .gdf for each, under names of their
  // own.
  void volumes() {
    if (database_.bodies.size() != 1 || !has(".gdf")) return;
    try {
      const hull::PanelMesh mesh = hull::parse_hull(files_.at(".gdf"), stem_ + ".gdf");
      const auto& given = input_.bodies[0];
      const Mat3 R = Eigen::AngleAxisd(given.yaw, Vec3::UnitZ()).toRotationMatrix();
      const hull::PanelMesh wetted = hull::cut_at_waterplane(hull::placed(mesh, {R, given.place}));
      if (wetted.panels.empty()) return;
      const hull::Hydrostatics statics = hull::hydrostatics(wetted);
      if (!(statics.volume > 0)) return;
      database_.bodies[0].volume = statics.volume;
      database_.bodies[0].buoyancy = statics.buoyancy;
    } catch (const MeshFileError& error) {
      note("the panels were not read: " + error.message);
    }
  }

  void masses() {
    for (size_t b = 0; b < database_.bodies.size(); ++b) {
      const auto& given = input_.bodies[b];
      FloatingBody& body = database_.bodies[b];
      if ((!given.mass || !((*given.mass)(0, 0) > 0)) && body.volume > 0) {
        // Without a mass of its own WAMIT lets the body float: what it displaces, over the centre of buoyancy.
        const double mass = database_.density * body.volume, height = body.reference.z() + given.centre.z();
        const Vec3 centre(body.buoyancy.x(), body.buoyancy.y(), height);
        body.loading = MassProperties{mass, centre, Mat3::Zero()};
        if (given.radii && !given.radii->isZero(0)) {
          const Mat3 R = Eigen::AngleAxisd(given.yaw, Vec3::UnitZ()).toRotationMatrix(),
                     S = skew(Vec3(centre - body.reference));
          const Mat3 squares = given.radii->cwiseProduct(given.radii->cwiseAbs());
          body.loading->inertia = mass * (R * squares * R.transpose() + S * S);
        }
        note(fmt::format("the mass of {} is not in the files: {:.6g} t, what its panels displace", body.name,
                         mass / 1000));
        continue;
      }
      if (!given.mass || !((*given.mass)(0, 0) > 0)) {
        note(fmt::format("the mass of {} is not in the files: the weight's part of restoring is not known", body.name));
        continue;
      }
      // WAMIT restores with the centre that is written out, and moves with the matrix: they should be the same.
      MassProperties loading = mass_properties_of(*given.mass * mass_unit_, Vec3::Zero());
      const Mat3 S = skew(given.centre);
      const Vec3 apart = loading.centre - given.centre;
      if (apart.norm() > 1e-3)
        note(fmt::format("the mass matrix of {} has its centre {:.3f} m from the one in the .frc file, which is used",
                         body.name, apart.norm()));
      loading.centre = given.centre;
      loading.inertia = (*given.mass * mass_unit_).bottomRightCorner<3, 3>() + loading.mass * S * S;
      const Mat3 R = Eigen::AngleAxisd(given.yaw, Vec3::UnitZ()).toRotationMatrix();
      loading.centre = body.reference + R * loading.centre;
      loading.inertia = R * loading.inertia * R.transpose();
      body.loading = loading;
    }
  }

  const std::string& stem_;
  const Texts& files_;
  const ReadOptions& options_;
  WamitInput input_;
  double mass_unit_ = 1;
  std::map<double, size_t> at_column_, at_heading_;
  Database database_;
};

// Numbers as WAMIT has them, with ULEN = 1.
class WamitWriter {
 public:
  WamitWriter(const Database& database, std::filesystem::path stem) : database_(database), stem_(std::move(stem)) {}

  void run() {
    radiation();
    if (!database_.excitation.empty()) forces(".3", database_.excitation);
    if (!database_.excitation_haskind.empty()) forces(".2", database_.excitation_haskind);
    if (!database_.drift.empty()) drift();
    restoring();
    inputs();
  }

 private:
  void put(const char* ending, const std::string& text) const {
    const std::string file = stem_.string() + ending;
    try {
      io::write_file(file, text);
    } catch (const io::FileError& error) {
      throw DatabaseError(file, error.message, error.remedy);
    }
  }

  template <class... T>
  static void add(std::string& text, fmt::format_string<T...> format, T&&... values) {
    fmt::format_to(std::back_inserter(text), format, std::forward<T>(values)...);
  }

  static double period(double w) { return 2 * pi / w; }

  void radiation() const {
    std::string text;
    const int n = database_.modes();
    const auto limit = [&](double column, const std::optional<MatX>& A) {
      if (!A) return;
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          add(text, "{:14.6E}{:6}{:6}{:14.6E}\n", column, i + 1, j + 1, (*A)(i, j) / database_.density);
    };
    limit(-1, database_.added_mass_zero);
    limit(0, database_.added_mass_infinite);
    for (size_t f = 0; f < database_.frequencies.size(); ++f) {
      const double w = database_.frequencies[f];
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          add(text, "{:14.6E}{:6}{:6}{:14.6E}{:14.6E}\n", period(w), i + 1, j + 1,
              database_.added_mass[f](i, j) / database_.density, database_.damping[f](i, j) / (database_.density * w));
    }
    put(".1", text);
  }

  void forces(const char* ending, const std::vector<MatXc>& list) const {
    std::string text;
    const double scale = database_.density * database_.gravity;
    for (size_t f = 0; f < database_.frequencies.size(); ++f)
      for (size_t h = 0; h < database_.headings.size(); ++h)
        for (int i = 0; i < database_.modes(); ++i) {
          const std::complex<double> X = list[h](i, static_cast<Eigen::Index>(f)) / scale;
          add(text, "{:14.6E}{:14.6E}{:6}{:14.6E}{:14.6E}{:14.6E}{:14.6E}\n", period(database_.frequencies[f]),
              database_.headings[h] / degree, i + 1, std::abs(X), std::arg(X) / degree, X.real(), X.imag());
        }
    put(ending, text);
  }

  void drift() const {
    std::string text;
    for (size_t f = 0; f < database_.frequencies.size(); ++f)
      for (size_t h = 0; h < database_.headings.size(); ++h)
        for (int i = 0; i < database_.modes(); ++i) {
          const double value =
              database_.drift[h](i, static_cast<Eigen::Index>(f)) / (database_.density * database_.gravity);
          if (std::isnan(value)) continue;
          add(text, "{:14.6E}{:14.6E}{:14.6E}{:6}{:14.6E}{:14.6E}{:14.6E}{:14.6E}\n", period(database_.frequencies[f]),
              database_.headings[h] / degree, database_.headings[h] / degree, i + 1, std::abs(value),
              value < 0 ? 180.0 : 0.0, value, 0.0);
        }
    // Momentum gives one body's drift only.
    put(database_.bodies.size() > 1 ? ".9" : ".8", text);
  }

  void restoring() const {
    std::string text;
    for (size_t b = 0; b < database_.bodies.size(); ++b)
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j)
          add(text, "{:6}{:6}{:14.6E}\n", 6 * b + static_cast<size_t>(i) + 1, 6 * b + static_cast<size_t>(j) + 1,
              database_.bodies[b].restoring(i, j) / (database_.density * database_.gravity));
    put(".hst", text);
  }

  void inputs() const {
    std::string title = database_.title;
    std::replace(title.begin(), title.end(), '\n', ' ');
    put(".gdf",
        fmt::format("{} (no panels: length and gravity of the tables)\n1.0 {}\n0 0\n0\n", title, database_.gravity));
    std::string pot = fmt::format("{}\n{}\n1 1\n{}\n", title, std::isinf(database_.depth) ? -1 : database_.depth,
                                  database_.frequencies.size());
    for (const double w : database_.frequencies) add(pot, "{:.6E}\n", period(w));
    add(pot, "{}\n", database_.headings.size());
    for (const double heading : database_.headings) add(pot, "{:.6E}\n", heading / degree);
    add(pot, "{}\n", database_.bodies.size());
    std::string centres;
    const int n = database_.modes();
    MatX mass = MatX::Zero(n, n);
    bool known = true;
    for (size_t b = 0; b < database_.bodies.size(); ++b) {
      const FloatingBody& body = database_.bodies[b];
      add(pot, "{}.gdf\n{} {} {} 0\n1 1 1 1 1 1\n", body.name, body.reference.x(), body.reference.y(),
          body.reference.z());
      known = known && body.loading;
      const Vec3 centre = body.loading ? Vec3(body.loading->centre - body.reference) : Vec3(Vec3::Zero());
      add(centres, "{} {} {}\n", centre.x(), centre.y(), centre.z());
      if (body.loading)
        mass.block<6, 6>(static_cast<Eigen::Index>(6 * b), static_cast<Eigen::Index>(6 * b)) =
            mass_matrix(*body.loading, body.reference);
    }
    put(".pot", pot);
    std::string frc =
        fmt::format("{}\n1 {} {} 0 0 0 0 {} 0\n{}\n{}{}\n", title, !database_.excitation_haskind.empty(),
                    !database_.excitation.empty(), !database_.drift.empty(), database_.density, centres, known ? 1 : 0);
    const auto put_matrix = [&](const MatX& matrix) {
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) add(frc, "{} ", matrix(i, j));
        frc += '\n';
      }
    };
    if (known) put_matrix(mass);
    frc += database_.viscous_damping ? "1\n" : "0\n";
    if (database_.viscous_damping) put_matrix(*database_.viscous_damping);
    put(".frc", frc + "0\n0\n0\n");
  }

  const Database& database_;
  std::filesystem::path stem_;
};

}  // namespace

Database parse_wamit(const std::string& stem, const Texts& files, const ReadOptions& options) {
  return WamitParser(stem, files, options).run();
}

Database read_wamit(const std::filesystem::path& stem, const ReadOptions& options) {
  Texts files;
  for (const char* ending : wamit_endings)
    if (auto text = text_of(stem.string() + ending)) files.emplace(ending, std::move(*text));
  return parse_wamit(stem.string(), files, options);
}

void write_wamit(const Database& database, const std::filesystem::path& stem) {
  check(database, stem.string());
  WamitWriter(database, stem).run();
}

}  // namespace davit::hydro
