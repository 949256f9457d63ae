#include "davit/hydro/capytaine_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <stdexcept>

#include "davit/hydro/convert.hpp"
#include "davit/hydro/modes.hpp"
#include "davit/hydro/netcdf_variable.hpp"
#include "davit/hydro/tidy.hpp"

namespace davit::hydro {
namespace {

using Place = std::map<std::string, size_t>;

// "Heave", or "barge__Heave" where there are several bodies.
struct Dof {
  std::string body;
  int mode = -1;  // of the body; −1 for what is no rigid motion
};

Dof dof_of(const std::string& name) {
  Dof dof;
  const auto mark = name.rfind("__");
  if (mark != name.npos) dof.body = name.substr(0, mark);
  std::string motion = mark == name.npos ? name : name.substr(mark + 2);
  std::transform(motion.begin(), motion.end(), motion.begin(), [](unsigned char c) { return std::tolower(c); });
  for (size_t i = 0; i < mode_names.size(); ++i)
    if (motion == mode_names[i]) dof.mode = static_cast<int>(i);
  return dof;
}

class CapytaineParser {
 public:
  CapytaineParser(const std::filesystem::path& path, const ReadOptions& options) : file_(path), options_(options) {
    database_.source = "Capytaine, " + path.filename().string();
    database_.title = path.stem().string();
  }

  Database run() {
    const NetcdfVariable omega = file_.get("omega");
    if (omega.dimensions.size() > 1) file_.fail("'omega' has several dimensions", "export one dataset per case");
    frequency_dimension_ = omega.dimensions.empty() ? "omega" : omega.dimensions[0];
    environment();
    dofs();
    radiation(omega);
    excitation();
    drop_failures();
    hydrostatics();
    return std::move(database_);
  }

  [[noreturn]] void fail(const std::string& message) const {
    file_.fail(message, "export one dataset per water depth and density, with the six rigid motions of each body");
  }

 private:
  double single(const std::string& name, std::optional<double> fallback) const {
    const auto variable = file_.find(name);
    if (!variable && fallback) return *fallback;
    if (!variable) fail(fmt::format("there is no variable '{}'", name));
    if (variable->values.size() != 1) fail(fmt::format("there are {} values of '{}'", variable->values.size(), name));
    return variable->values[0];
  }

  void environment() {
    database_.density = single("rho", std::nullopt);
    database_.gravity = single("g", std::nullopt);
    database_.depth = single("water_depth", std::numeric_limits<double>::infinity());
    if (single("forward_speed", 0) != 0) fail("the bodies have a forward speed, which is not read");
  }

  void dofs() {
    const auto names = file_.texts("influenced_dof"), radiating = file_.texts("radiating_dof");
    if (!names || !radiating) fail("there are no names of motions (influenced_dof, radiating_dof)");
    std::vector<std::string> bodies;
    const auto modes_of = [&](const std::vector<std::string>& list) {
      std::vector<int> modes;
      for (const std::string& name : list) {
        const Dof dof = dof_of(name);
        if (dof.mode < 0) {
          database_.notes.push_back("the motion '" + name + "' is no rigid one and left out");
          modes.push_back(-1);
          continue;
        }
        auto body = std::find(bodies.begin(), bodies.end(), dof.body);
        if (body == bodies.end()) body = bodies.insert(body, dof.body);
        modes.push_back(6 * static_cast<int>(body - bodies.begin()) + dof.mode);
      }
      return modes;
    };
    influenced_ = modes_of(*names);
    radiating_ = modes_of(*radiating);
    if (bodies.empty()) fail("there is no rigid motion");
    for (const std::string& name : bodies) {
      FloatingBody body;
      if (!name.empty()) body.name = name;
      database_.bodies.push_back(body);
    }
    references();
  }

  // One triple, or one per body in the dimension that is not of length three.
  std::optional<Vec3> point(const char* name, size_t body) const {
    const auto variable = file_.find(name);
    if (!variable || variable->values.size() < 3 * (body + 1)) return std::nullopt;
    return Vec3(variable->values[3 * body], variable->values[3 * body + 1], variable->values[3 * body + 2]);
  }

  void references() {
    for (size_t b = 0; b < database_.bodies.size(); ++b) {
      FloatingBody& body = database_.bodies[b];
      if (const auto buoyancy = point("center_of_buoyancy", b)) body.buoyancy = *buoyancy;
      if (const auto volume = file_.find("disp_volume"); volume && volume->values.size() > b)
        body.volume = volume->values[b];
      if (options_.about) {
        body.reference = *options_.about;
      } else if (const auto rotation = point("rotation_center", b)) {
        body.reference = *rotation;
      } else if (const auto mass = point("center_of_mass", b)) {
        body.reference = *mass;
        database_.notes.push_back("rotations of " + body.name + " are assumed to be about its centre of mass");
      } else {
        database_.notes.push_back("the file does not say which point the rotations of " + body.name +
                                  " are about: the origin is assumed; say --about x,y,z if it is another");
      }
    }
  }

  void radiation(const NetcdfVariable& omega) {
    const NetcdfVariable added = file_.get("added_mass"), damping = file_.get("radiation_damping");
    const int n = database_.modes();
    for (size_t f = 0; f < omega.values.size(); ++f) {
      const double w = omega.values[f];
      MatX A = MatX::Zero(n, n), B = A;
      for (size_t i = 0; i < influenced_.size(); ++i)
        for (size_t j = 0; j < radiating_.size(); ++j) {
          if (influenced_[i] < 0 || radiating_[j] < 0) continue;
          const Place place{{frequency_dimension_, f}, {"influenced_dof", i}, {"radiating_dof", j}};
          A(influenced_[i], radiating_[j]) = added.at(place);
          B(influenced_[i], radiating_[j]) = damping.at(place);
        }
      if (w == 0) {
        database_.added_mass_zero = A;
      } else if (std::isinf(w)) {
        database_.added_mass_infinite = A;
      } else {
        at_.push_back(f);
        database_.frequencies.push_back(w);
        database_.added_mass.push_back(A);
        database_.damping.push_back(B);
      }
    }
  }

  std::vector<MatXc> force(const char* name) const {
    const NetcdfVariable variable = file_.get(name);
    const auto parts = file_.texts("complex");
    if (!parts || parts->size() != 2) fail("there is no dimension 'complex' of real and imaginary parts");
    const size_t re = (*parts)[0].starts_with("re") ? 0 : 1;
    std::vector<MatXc> list(database_.headings.size(),
                            MatXc::Zero(database_.modes(), static_cast<Eigen::Index>(at_.size())));
    for (size_t h = 0; h < list.size(); ++h)
      for (size_t f = 0; f < at_.size(); ++f)
        for (size_t i = 0; i < influenced_.size(); ++i) {
          if (influenced_[i] < 0) continue;
          Place place{{frequency_dimension_, at_[f]}, {"wave_direction", h}, {"influenced_dof", i}, {"complex", re}};
          const double real = variable.at(place);
          place["complex"] = 1 - re;
          // exp(−iωt) there, exp(iωt) here.
          list[h](influenced_[i], static_cast<Eigen::Index>(f)) = {real, -variable.at(place)};
        }
    return list;
  }

  void excitation() {
    const auto headings = file_.find("wave_direction");
    if (!headings || !file_.find("diffraction_force") || !file_.find("Froude_Krylov_force")) {
      database_.notes.push_back("there is no diffraction_force or Froude_Krylov_force: no excitation");
      return;
    }
    database_.headings = headings->values;
    database_.froude_krylov = force("Froude_Krylov_force");
    database_.excitation = force("diffraction_force");
    for (size_t h = 0; h < database_.headings.size(); ++h) database_.excitation[h] += database_.froude_krylov[h];
  }

  // A problem that Capytaine could not solve leaves its numbers undefined.
  void drop_failures() {
    std::vector<double> failed;
    for (size_t f = database_.frequencies.size(); f-- > 0;) {
      const auto column = static_cast<Eigen::Index>(f);
      bool good = database_.added_mass[f].allFinite() && database_.damping[f].allFinite();
      for (const MatXc& X : database_.excitation) good = good && X.col(column).allFinite();
      if (good) continue;
      failed.insert(failed.begin(), database_.frequencies[f]);
      const auto place = static_cast<std::ptrdiff_t>(f);
      database_.frequencies.erase(database_.frequencies.begin() + place);
      database_.added_mass.erase(database_.added_mass.begin() + place);
      database_.damping.erase(database_.damping.begin() + place);
      for (auto* forces : {&database_.excitation, &database_.froude_krylov})
        for (MatXc& X : *forces) {
          const Eigen::Index after = X.cols() - column - 1;
          X.middleCols(column, after) = X.rightCols(after).eval();
          X.conservativeResize(Eigen::NoChange, X.cols() - 1);
        }
    }
    if (!failed.empty())
      database_.notes.push_back(
          fmt::format("Capytaine has no solution at {:.5g} rad/s: left out", fmt::join(failed, ", ")));
  }

  // A matrix over all motions; nothing where it is missing or has gaps.
  std::optional<MatX> matrix(const char* name) const {
    const auto variable = file_.find(name);
    if (!variable) return std::nullopt;
    MatX m = MatX::Zero(database_.modes(), database_.modes());
    for (size_t i = 0; i < influenced_.size(); ++i)
      for (size_t j = 0; j < radiating_.size(); ++j)
        if (influenced_[i] >= 0 && radiating_[j] >= 0)
          m(influenced_[i], radiating_[j]) = variable->at({{"influenced_dof", i}, {"radiating_dof", j}});
    if (!m.allFinite()) return std::nullopt;
    return m;
  }

  void hydrostatics() {
    const auto stiffness = matrix("hydrostatic_stiffness"), inertia = matrix("inertia_matrix");
    if (!stiffness) database_.notes.push_back("there is no hydrostatic_stiffness: no restoring");
    for (size_t b = 0; b < database_.bodies.size(); ++b) {
      FloatingBody& body = database_.bodies[b];
      const auto at = static_cast<Eigen::Index>(6 * b);
      if (stiffness) body.restoring = stiffness->block<6, 6>(at, at);
      if (inertia && (*inertia)(at, at) > 0) {
        body.loading = mass_properties_of(inertia->block<6, 6>(at, at), body.reference);
      } else {
        database_.notes.push_back("there is no inertia_matrix for " + body.name +
                                  ": the weight's part of restoring is not known");
      }
    }
  }

  NetcdfFile file_;
  const ReadOptions& options_;
  std::string frequency_dimension_;
  std::vector<int> influenced_, radiating_;  // the mode of each entry
  std::vector<size_t> at_;                   // place of each frequency in the file
  Database database_;
};

}  // namespace

Database read_capytaine(const std::filesystem::path& file, const ReadOptions& options) {
  CapytaineParser parser(file, options);
  Database database;
  try {
    database = parser.run();
  } catch (const std::out_of_range& error) {
    parser.fail(error.what());
  }
  tidy(database, file.string());
  return database;
}

}  // namespace davit::hydro
