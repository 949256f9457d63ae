#include "davit/hydro/nemoh_files.hpp"

#include <fmt/format.h>

#include <cmath>

#include "davit/hydro/convert.hpp"
#include "davit/hydro/hydro_error.hpp"
#include "davit/hydro/nemoh_cal.hpp"
#include "davit/hydro/tidy.hpp"
#include "davit/math/constants.hpp"

namespace davit::hydro {
namespace {

constexpr int most_nemoh_rows = 1'000'000;
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// A part of a Tecplot file: its title and a table.
struct Zone {
  std::string title;
  MatX rows;  // first column: frequency, rad/s
};

std::optional<double> number_after(std::string_view text, std::string_view mark) {
  const auto at = text.find(mark);
  if (at == text.npos) return std::nullopt;
  const std::string rest(text.substr(at + mark.size()));
  TextFile numbers("", rest);
  if (!numbers.next_line() || numbers.numbers().empty()) return std::nullopt;
  return numbers.numbers()[0];
}

// The title of the first column is the unit of frequency: w (rad/s), f (Hz) or T (s).
double frequency_of(const std::string& head, double value) {
  if (head.find("(Hz)") != head.npos) return 2 * pi * value;
  if (head.find("T (s)") != head.npos) return value > 0 ? 2 * pi / value : unknown;
  return value;
}

std::vector<Zone> zones(TextFile file, Eigen::Index columns) {
  std::vector<Zone> list;
  std::string head;
  while (file.next_line()) {
    const std::string line(file.line());
    const auto zone = line.find("one t=");
    if (zone == line.npos) {
      if (!list.empty()) file.fail("a zone was expected here", "the file is damaged or of another kind");
      head += line;
      continue;
    }
    const auto count = number_after(line, "I=");
    if (!count) continue;  // a zone without a table is a title
    if (!(*count >= 1 && *count <= most_nemoh_rows))
      file.fail("a zone has no rows", "the file is damaged or of another kind");
    const auto rows = static_cast<Eigen::Index>(*count);
    std::vector<double> values;  // grows with what is there, not with what the title claims
    for (Eigen::Index i = 0; i < rows * columns; ++i) values.push_back(file.next_number());
    Zone next{line.substr(zone), Eigen::Map<const RowMajor>(values.data(), rows, columns)};
    for (Eigen::Index i = 0; i < rows; ++i) next.rows(i, 0) = frequency_of(head, next.rows(i, 0));
    list.push_back(std::move(next));
  }
  return list;
}

class NemohParser {
 public:
  NemohParser(const std::string& folder, const Texts& files) : folder_(folder), files_(files) {}

  Database run() {
    cal_ = read_nemoh_cal(file("Nemoh.cal"));
    database_.density = cal_.density;
    database_.gravity = cal_.gravity;
    database_.depth = cal_.depth;
    for (size_t b = 0; b < cal_.bodies.size(); ++b) {
      FloatingBody body;
      body.reference = cal_.bodies[b].reference;
      std::string name = cal_.bodies[b].mesh;
      name = name.substr(name.find_last_of("/\\") + 1);  // the mesh may have been made on either kind of system
      name = name.substr(0, name.find_last_of('.'));
      if (!name.empty()) body.name = name;
      database_.bodies.push_back(body);
    }
    database_.title = database_.bodies[0].name;
    database_.source = "NEMOH, " + std::filesystem::path(folder_).filename().string();
    radiation();
    forces();
    for (size_t b = 0; b < cal_.bodies.size(); ++b) hydrostatics(b);
    const size_t modes = static_cast<size_t>(database_.modes());
    if (cal_.motions.size() < modes || cal_.forces.size() < modes)
      database_.notes.push_back(fmt::format("NEMOH solved {} of {} motions and {} forces: the rest is zero",
                                            cal_.motions.size(), modes, cal_.forces.size()));
    check(database_, folder_);
    refer_phases_to_origin(database_, cal_.wave_point);
    sort(database_);
    return std::move(database_);
  }

 private:
  bool has(const std::string& name) const { return files_.contains(name); }
  std::string place(const std::string& name) const { return folder_ + "/" + name; }
  TextFile file(const std::string& name) const {
    const auto found = files_.find(name);
    if (found == files_.end()) fail(name, "there is no such file");
    return {place(name), found->second};
  }
  [[noreturn]] void fail(const std::string& name, const std::string& message) const {
    throw DatabaseError(place(name), message, "give the folder of a complete NEMOH run, with Nemoh.cal");
  }

  void set_frequencies(const std::vector<double>& frequencies) {
    database_.frequencies = frequencies;
    database_.added_mass.assign(frequencies.size(), MatX::Zero(database_.modes(), database_.modes()));
    database_.damping = database_.added_mass;
  }

  void radiation() {
    if (!has("RadiationCoefficients.tec") && has("CM.dat") && has("CA.dat")) {
      aquaplus("CM.dat", database_.added_mass);
      aquaplus("CA.dat", database_.damping);
      return;
    }
    const std::string name = "RadiationCoefficients.tec";
    const auto list = zones(file(name), 1 + 2 * static_cast<Eigen::Index>(cal_.forces.size()));
    if (list.size() != cal_.motions.size())
      fail(name, fmt::format("{} motions, and Nemoh.cal has {}", list.size(), cal_.motions.size()));
    if (list.empty()) fail(name, "there is no motion in it");
    const VecX frequencies = list[0].rows.col(0);
    set_frequencies({frequencies.begin(), frequencies.end()});
    for (size_t m = 0; m < list.size(); ++m) {
      if (list[m].rows.rows() != frequencies.size()) fail(name, "motions have different numbers of frequencies");
      for (Eigen::Index f = 0; f < frequencies.size(); ++f)
        for (size_t k = 0; k < cal_.forces.size(); ++k) {
          const auto column = static_cast<Eigen::Index>(1 + 2 * k);
          database_.added_mass[static_cast<size_t>(f)](cal_.forces[k], cal_.motions[m]) = list[m].rows(f, column);
          database_.damping[static_cast<size_t>(f)](cal_.forces[k], cal_.motions[m]) = list[m].rows(f, column + 1);
        }
    }
  }

  // "Nb de frequency : n", then for each the frequency and a matrix, a row for every motion.
  void aquaplus(const std::string& name, std::vector<MatX>& matrices) {
    TextFile in = file(name);
    in.next_line();
    const auto count = number_after(in.line(), ":");
    if (!count || !(*count >= 1 && *count <= most_nemoh_rows))
      in.fail("the number of frequencies is missing", "write it again");
    const auto n = static_cast<size_t>(*count);
    std::vector<double> frequencies;
    std::vector<MatX> list;
    for (size_t f = 0; f < n; ++f) {
      frequencies.push_back(in.expect(1, "a frequency")[0]);
      MatX m = MatX::Zero(database_.modes(), database_.modes());
      for (const int motion : cal_.motions)
        for (size_t k = 0; k < cal_.motions.size(); ++k) {
          const double value = in.next_number();
          if (k < cal_.forces.size()) m(cal_.forces[k], motion) = value;
        }
      list.push_back(m);
    }
    if (database_.frequencies.empty()) set_frequencies(frequencies);
    if (database_.frequencies != frequencies) fail(name, "its frequencies are not those of CM.dat");
    matrices = std::move(list);
  }

  std::vector<MatXc> wave_forces(const std::string& name, bool amplitudes_first) {
    const size_t n = cal_.forces.size();
    const auto list = zones(file(name), 1 + 2 * static_cast<Eigen::Index>(n));
    std::vector<MatXc> forces;
    std::vector<double> headings;
    const auto amplitude = [&](size_t k) { return static_cast<Eigen::Index>(amplitudes_first ? 1 + k : 1 + 2 * k); };
    const auto phase = [&](size_t k) { return static_cast<Eigen::Index>(amplitudes_first ? 1 + n + k : 2 + 2 * k); };
    // Versions differ in the unit of phases; beyond a half-turn they can only be degrees.
    double largest = 0;
    for (const Zone& zone : list)
      for (size_t k = 0; k < n; ++k) largest = std::max(largest, zone.rows.col(phase(k)).cwiseAbs().maxCoeff());
    const double unit = amplitudes_first || largest > pi + 0.01 ? pi / 180 : 1;
    for (const Zone& zone : list) {
      const auto heading = number_after(zone.title, "beta =");
      if (!heading) fail(name, "a zone does not say its heading");
      headings.push_back(*heading * pi / 180);
      if (zone.rows.rows() != static_cast<Eigen::Index>(database_.frequencies.size()))
        fail(name, "the number of frequencies is not that of the radiation coefficients");
      MatXc X = MatXc::Zero(database_.modes(), zone.rows.rows());
      for (Eigen::Index f = 0; f < zone.rows.rows(); ++f) {
        if (std::abs(zone.rows(f, 0) - database_.frequencies[static_cast<size_t>(f)]) > 1e-3 * zone.rows(f, 0))
          fail(name,
               fmt::format("the frequency {:.6g} rad/s is not one of the radiation coefficients", zone.rows(f, 0)));
        for (size_t k = 0; k < n; ++k)  // exp(−iωt) there, exp(iωt) here
          X(cal_.forces[k], f) = std::polar(1.0, -unit * zone.rows(f, phase(k))) * zone.rows(f, amplitude(k));
      }
      forces.push_back(std::move(X));
    }
    if (!database_.headings.empty() && headings != database_.headings)
      fail(name, "its headings are not those of the excitation");
    database_.headings = headings;
    return forces;
  }

  void forces() {
    if (has("ExcitationForce.tec")) {
      database_.excitation = wave_forces("ExcitationForce.tec", false);
      if (has("FKForce.tec")) database_.froude_krylov = wave_forces("FKForce.tec", false);
    } else if (has("DiffractionForce.tec") && has("FKForce.tec")) {
      database_.excitation = wave_forces("DiffractionForce.tec", false);
      database_.froude_krylov = wave_forces("FKForce.tec", false);
      for (size_t h = 0; h < database_.headings.size(); ++h) database_.excitation[h] += database_.froude_krylov[h];
    } else if (has("Fe.dat")) {
      database_.excitation = wave_forces("Fe.dat", true);
      database_.notes.push_back(
          "excitation is from Fe.dat, whose phases some versions of NEMOH shift: compare the "
          "low-frequency limits of the inspection");
    } else {
      database_.notes.push_back("there is no file of excitation forces");
    }
  }

  // KH.dat is about the centre of gravity, which Hydrostatics.dat names.
  void hydrostatics(size_t b) {
    FloatingBody& body = database_.bodies[b];
    const auto name = [&](const std::string& stem) -> std::optional<std::string> {
      const bool from_zero = has(stem + "_0.dat");
      for (const std::string& each : {fmt::format("{}_{}.dat", stem, from_zero ? b : b + 1), stem + ".dat"})
        if (has(each) && (cal_.bodies.size() == 1 || each != stem + ".dat")) return each;
      return std::nullopt;
    };
    Vec3 centre = body.reference;
    if (const auto hydrostatics = name("Hydrostatics")) {
      TextFile in = file(*hydrostatics);
      for (int axis = 0; in.next_line();) {
        const std::string line(in.line());
        if (axis < 3 && line.find("F =") != line.npos) {
          body.buoyancy[axis] = number_after(line, "F =").value_or(unknown);
          centre[axis] = number_after(line, "G =").value_or(unknown);
          ++axis;
        } else if (line.find("Displacement") != line.npos) {
          body.volume = number_after(line, "=").value_or(unknown);
        }
      }
      if (!centre.allFinite()) in.fail("the centre of gravity is missing", "write it again");
      if (body.volume > 0) body.loading = MassProperties{database_.density * body.volume, centre, Mat3::Zero()};
    }
    if (const auto stiffness = name("KH")) {
      TextFile in = file(*stiffness);
      Mat6 C;
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) C(i, j) = in.next_number();
      body.restoring = moved_restoring(C, body.reference - centre);
    } else {
      database_.notes.push_back("there is no KH.dat for " + body.name + ": no restoring");
    }
    if (!body.loading)
      database_.notes.push_back("there is no Hydrostatics.dat for " + body.name +
                                ": the weight's part of restoring is not known");
  }

  const std::string& folder_;
  const Texts& files_;
  NemohCal cal_;
  Database database_;
};

// Where a file of this name lies in the folder of a run, whichever version made it.
std::vector<std::filesystem::path> places(const std::filesystem::path& folder) {
  return {folder, folder / "results", folder / "Results", folder / "mesh", folder / "Mesh"};
}

}  // namespace

bool is_nemoh_folder(const std::filesystem::path& folder) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(folder / "Nemoh.cal", ignored);
}

Database parse_nemoh(const std::string& folder, const Texts& files) { return NemohParser(folder, files).run(); }

Database read_nemoh(const std::filesystem::path& folder) {
  std::vector<std::string> names{"Nemoh.cal",
                                 "RadiationCoefficients.tec",
                                 "ExcitationForce.tec",
                                 "DiffractionForce.tec",
                                 "FKForce.tec",
                                 "CM.dat",
                                 "CA.dat",
                                 "Fe.dat",
                                 "KH.dat",
                                 "Hydrostatics.dat"};
  for (int b = 0; b < 50; ++b)
    for (const char* stem : {"KH", "Hydrostatics"}) names.push_back(fmt::format("{}_{}.dat", stem, b));
  Texts files;
  for (const std::string& name : names)
    for (const auto& place : places(folder))
      if (auto text = text_of(place / name)) {
        files.emplace(name, std::move(*text));
        break;
      }
  return parse_nemoh(folder.string(), files);
}

}  // namespace davit::hydro
