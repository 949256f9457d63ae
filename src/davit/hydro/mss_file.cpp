#include "davit/hydro/mss_file.hpp"

#include <fmt/format.h>
#include <matio.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "davit/hydro/convert.hpp"
#include "davit/hydro/hydro_error.hpp"
#include "davit/hydro/tidy.hpp"

namespace davit::hydro {
namespace {

constexpr size_t most_mss_values = 100'000'000;

struct Array {
  std::vector<size_t> sizes;
  const double* values = nullptr;
  size_t count = 0;

  size_t size(size_t dimension) const { return dimension < sizes.size() ? sizes[dimension] : 1; }
};

class MssParser {
 public:
  MssParser(const std::filesystem::path& path, const ReadOptions& options) : path_(path.string()), options_(options) {
    file_.reset(Mat_Open(path_.c_str(), MAT_ACC_RDONLY));
    if (!file_) fail("it cannot be opened as a MATLAB file");
    vessel_.reset(Mat_VarRead(file_.get(), "vessel"));
    if (!vessel_ || vessel_->class_type != MAT_C_STRUCT) fail("there is no struct 'vessel'");
    database_.source = "MSS, " + path.filename().string();
    database_.title = path.stem().string();
  }

  // In the axes of the file up to the last step.
  Database run() {
    if (field(vessel_.get(), "hydrodynamic_reference"))
      fail("'vessel' is of the newer kind that is about the centre of gravity, which is not read");
    water();
    FloatingBody body;
    body.name = database_.title;
    database_.bodies.push_back(body);
    axes();
    radiation();
    forces();
    rigid_body();
    check(database_, path_);
    transform_axes(database_, Vec3(1, -1, -1).asDiagonal());
    return std::move(database_);
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw DatabaseError(path_, message,
                        "give a file with the struct 'vessel' that MSS makes of ShipX or WAMIT results");
  }

  // Of the first element of a struct. By hand, because matio itself trusts that a struct has an element and that every
  // field has a name.
  static matvar_t* field(matvar_t* of, const char* name) {
    if (!of || of->class_type != MAT_C_STRUCT || !of->data) return nullptr;
    const size_t count = std::min<size_t>(Mat_VarGetNumberOfFields(of), of->nbytes / sizeof(matvar_t*));
    char* const* names = Mat_VarGetStructFieldnames(of);
    for (size_t i = 0; names && i < count; ++i)
      if (names[i] && std::string_view(names[i]) == name) return static_cast<matvar_t**>(of->data)[i];
    return nullptr;
  }

  Array array(matvar_t* variable, const std::string& name) const {
    if (!variable || variable->class_type != MAT_C_DOUBLE || variable->isComplex || !variable->data)
      fail(fmt::format("'{}' is missing or not an array of numbers", name));
    Array a;
    a.count = 1;
    for (int d = 0; d < variable->rank; ++d) {
      a.sizes.push_back(variable->dims[d]);
      if (variable->dims[d] > most_mss_values / std::max<size_t>(a.count, 1)) fail("'" + name + "' is too large");
      a.count *= variable->dims[d];
    }
    if (a.count * sizeof(double) != variable->nbytes) fail("'" + name + "' is damaged");
    a.values = static_cast<const double*>(variable->data);
    return a;
  }

  double number(matvar_t* of, const char* name, double fallback) const {
    matvar_t* variable = field(of, name);
    if (!variable) return fallback;
    const Array a = array(variable, name);
    return a.count > 0 ? a.values[0] : fallback;
  }

  void water() {
    matvar_t* main = field(vessel_.get(), "main");
    database_.density = number(main, "rho", 1025);
    database_.gravity = number(main, "g", 9.81);
    database_.depth = options_.depth.value_or(std::numeric_limits<double>::infinity());
  }

  void axes() {
    const Array w = array(field(vessel_.get(), "freqs"), "freqs"),
                h = array(field(vessel_.get(), "headings"), "headings");
    all_.assign(w.values, w.values + w.count);
    // wamit2vessel marks the limits by 0 and 10 rad/s.
    const bool limits = !all_.empty() && all_.front() == 0 && all_.back() == 10;
    for (size_t f = 0; f < all_.size(); ++f) {
      if (all_[f] == 0 || (limits && all_[f] == 10)) continue;
      at_.push_back(f);
      database_.frequencies.push_back(all_[f]);
    }
    if (limits) infinite_ = all_.size() - 1;
    database_.headings.assign(h.values, h.values + h.count);
    if (matvar_t* speeds = field(vessel_.get(), "velocities")) {
      const Array v = array(speeds, "velocities");
      const auto zero = std::find(v.values, v.values + v.count, 0.0);
      if (zero == v.values + v.count) fail("there is no result at zero speed");
      speed_ = static_cast<size_t>(zero - v.values);
    }
  }

  // A 6 × 6 matrix of a series over frequencies and speeds; series over fewer speeds than forces have only the first.
  Mat6 matrix(const Array& series, const char* name, size_t f) const {
    if (series.size(0) != 6 || series.size(1) != 6) fail(fmt::format("'{}' is not a series of 6 × 6 matrices", name));
    const size_t place = f + series.size(2) * (series.size(3) > 1 ? speed_ : 0);
    if (f >= series.size(2) || 36 * (place + 1) > series.count) fail(fmt::format("'{}' is too short", name));
    return Eigen::Map<const Mat6>(series.values + 36 * place);
  }

  void radiation() {
    const Array A = array(field(vessel_.get(), "A"), "A"), B = array(field(vessel_.get(), "B"), "B");
    for (const size_t f : at_) {
      database_.added_mass.push_back(matrix(A, "A", f));
      database_.damping.push_back(matrix(B, "B", f));
    }
    if (!all_.empty() && all_.front() == 0) database_.added_mass_zero = matrix(A, "A", 0);
    if (infinite_) database_.added_mass_infinite = matrix(A, "A", *infinite_);
    const Array C = array(field(vessel_.get(), "C"), "C");
    database_.bodies[0].restoring = matrix(C, "C", 0);
    if (matvar_t* viscous = field(vessel_.get(), "Bv")) {
      database_.viscous_damping = matrix(array(viscous, "Bv"), "Bv", 0);
      database_.notes.push_back("viscous damping is that of the lowest frequency");
    }
  }

  // Cell by mode, each frequencies × headings × speeds.
  Array cell(matvar_t* cells, const char* name, size_t mode) const {
    if (!cells || cells->class_type != MAT_C_CELL) fail(fmt::format("'{}' is not a cell array", name));
    if (!cells->data || mode >= cells->nbytes / sizeof(matvar_t*)) fail(fmt::format("'{}' has too few cells", name));
    const Array a = array(Mat_VarGetCell(cells, static_cast<int>(mode)), name);
    if (a.size(0) != database_.frequencies.size() || a.size(1) != database_.headings.size() ||
        (speed_ + 1) * a.size(0) * a.size(1) > a.count)
      fail(fmt::format("'{}' has other frequencies or headings than the matrices", name));
    return a;
  }
  double at(const Array& a, size_t f, size_t h) const { return a.values[f + a.size(0) * (h + a.size(1) * speed_)]; }

  void forces() {
    matvar_t* rao = field(vessel_.get(), "forceRAO");
    if (!rao) {
      database_.headings.clear();
      database_.notes.push_back("there is no forceRAO: no excitation");
      return;
    }
    const auto count = static_cast<Eigen::Index>(database_.frequencies.size());
    database_.excitation.assign(database_.headings.size(), MatXc::Zero(6, count));
    for (size_t mode = 0; mode < 6; ++mode) {
      const Array amplitude = cell(field(rao, "amp"), "forceRAO.amp", mode);
      const Array phase = cell(field(rao, "phase"), "forceRAO.phase", mode);
      for (size_t h = 0; h < database_.headings.size(); ++h)
        for (size_t f = 0; f < database_.frequencies.size(); ++f)
          database_.excitation[h](static_cast<Eigen::Index>(mode), static_cast<Eigen::Index>(f)) =
              std::polar(1.0, at(phase, f, h)) * at(amplitude, f, h);
    }
    drift(count);
    refer_forces();
  }

  // Surge, sway and yaw.
  void drift(Eigen::Index count) {
    matvar_t* drift = field(field(vessel_.get(), "driftfrc"), "amp");
    if (!drift) return;
    database_.drift.assign(database_.headings.size(), MatX::Constant(6, count, std::nan("")));
    constexpr std::array modes{0, 1, 5};
    for (size_t k = 0; k < modes.size(); ++k) {
      const Array amplitude = cell(drift, "driftfrc.amp", k);
      for (size_t h = 0; h < database_.headings.size(); ++h)
        for (size_t f = 0; f < database_.frequencies.size(); ++f)
          database_.drift[h](modes[k], static_cast<Eigen::Index>(f)) = at(amplitude, f, h);
    }
  }

  // Matrices are about the origin, amidships in the water plane. Forces from ShipX are about the point of the water
  // plane above the centre of gravity, and phases refer to the crest there; forces from WAMIT are about the origin.
  // Which it is, tells the longest wave from the side: it lifts as C does, so moment and force have the arm of C about
  // that point.
  void refer_forces() {
    const Mat6& C = database_.bodies[0].restoring;
    const double x = MassProperties(mass_properties_of(mass(), Vec3::Zero())).centre.x();
    if (!(C(2, 2) > 0)) return;
    const auto beam = std::min_element(database_.headings.begin(), database_.headings.end(), [](double a, double b) {
      return std::abs(std::cos(a)) < std::abs(std::cos(b));
    });
    const size_t h = static_cast<size_t>(beam - database_.headings.begin());
    const auto lowest = static_cast<Eigen::Index>(
        std::min_element(database_.frequencies.begin(), database_.frequencies.end()) - database_.frequencies.begin());
    const double arm = (database_.excitation[h](4, lowest) / database_.excitation[h](2, lowest)).real();
    const double about_origin = C(4, 2) / C(2, 2), about_centre = about_origin + x;
    const bool at_origin = std::abs(arm - about_origin) <= std::abs(arm - about_centre);
    database_.notes.push_back(fmt::format(
        "forces are about {}: their pitch arm in the longest beam wave is {:.3f} m, that of restoring {:.3f} m "
        "there and {:.3f} m about the {}",
        at_origin ? "the origin" : "the water plane above the centre of gravity", arm,
        at_origin ? about_origin : about_centre, at_origin ? about_centre : about_origin,
        at_origin ? "centre of gravity" : "origin"));
    if (at_origin) return;
    Database moved = database_;
    moved.bodies[0].reference = {x, 0, 0};
    move_reference(moved, 0, Vec3::Zero());
    refer_phases_to_origin(moved, {x, 0});
    database_.excitation = std::move(moved.excitation);
    database_.drift = std::move(moved.drift);
  }

  Mat6 mass() const {
    const Array M = array(field(vessel_.get(), "MRB"), "MRB");
    const Mat6 m = matrix(M, "MRB", 0);
    if (!(m(0, 0) > 0)) fail("the mass in 'MRB' is not positive");
    return m;
  }

  void rigid_body() {
    FloatingBody& body = database_.bodies[0];
    body.loading = mass_properties_of(mass(), Vec3::Zero());
    matvar_t* main = field(vessel_.get(), "main");
    body.volume = number(main, "nabla", std::nan(""));
    const double draft = number(main, "T", std::nan(""));
    if (matvar_t* centre = field(main, "CB")) {
      const Array cb = array(centre, "CB");  // above the keel
      if (cb.count >= 3) body.buoyancy = {cb.values[0], cb.values[1], draft - cb.values[2]};
    }
  }

  struct Close {
    void operator()(mat_t* file) const { Mat_Close(file); }
    void operator()(matvar_t* variable) const { Mat_VarFree(variable); }
  };
  std::string path_;
  const ReadOptions& options_;
  std::unique_ptr<mat_t, Close> file_;
  std::unique_ptr<matvar_t, Close> vessel_;
  std::vector<double> all_;         // frequencies in the file
  std::vector<size_t> at_;          // places of the finite ones
  std::optional<size_t> infinite_;  // place of the limit
  size_t speed_ = 0;
  Database database_;
};

}  // namespace

Database read_mss(const std::filesystem::path& file, const ReadOptions& options) {
  return MssParser(file, options).run();
}

}  // namespace davit::hydro
