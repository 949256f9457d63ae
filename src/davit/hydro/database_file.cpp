#include "davit/hydro/database_file.hpp"

#include <fmt/format.h>

#include "davit/hdf5/array.hpp"
#include "davit/hydro/hydro_error.hpp"
#include "davit/hydro/tidy.hpp"
#include "davit/io/write_file.hpp"

namespace davit::hydro {
namespace {

using hdf5::Handle;
using hdf5::Shape;
using Complex = std::complex<double>;

constexpr const char* mark = "davit_hydrodynamics";
constexpr const char* convention =
    "SI and radians; z up, still water at z = 0, x forward, y to port. Modes: surge, sway, heave, roll, pitch, "
    "yaw of "
    "each body in turn, about its reference point. A wave of amplitude a towards heading b has the elevation "
    "Re{a exp(i(w t - k(x cos b + y sin b)))} and gives the force Re{a X exp(i w t)}: "
    "(-w^2 (M + A) + i w B + C) xi = a X. Drift is mean force per squared amplitude.";
constexpr hsize_t most_entries = 1'000'000, most_bodies_in_database = 1000;

// HDF5 is row-major, Eigen here is not.
template <class Matrix>
std::vector<typename Matrix::Scalar> flat(const std::vector<Matrix>& list) {
  std::vector<typename Matrix::Scalar> values;
  for (const Matrix& matrix : list)
    for (Eigen::Index i = 0; i < matrix.rows(); ++i)
      for (Eigen::Index j = 0; j < matrix.cols(); ++j) values.push_back(matrix(i, j));
  return values;
}

template <class Matrix>
std::vector<Matrix> unflat(const std::vector<typename Matrix::Scalar>& values, const Shape& shape) {
  std::vector<Matrix> list(shape[0], Matrix(shape[1], shape[2]));
  size_t next = 0;
  for (Matrix& matrix : list)
    for (Eigen::Index i = 0; i < matrix.rows(); ++i)
      for (Eigen::Index j = 0; j < matrix.cols(); ++j) matrix(i, j) = values[next++];
  return list;
}

class DatabaseWriter {
 public:
  DatabaseWriter(const Database& database, hid_t file) : database_(database), file_(file) {}

  void run() const {
    const Handle root{H5Gopen2(file_, "/", H5P_DEFAULT), H5Gclose, "opening the root group"};
    hdf5::write_attribute(root.id(), mark, std::uint64_t{database_file_version});
    hdf5::write_attribute(root.id(), "convention", std::string(convention));
    hdf5::write_attribute(root.id(), "title", database_.title);
    hdf5::write_attribute(root.id(), "source", database_.source);
    hdf5::write_attribute(root.id(), "density", database_.density);
    hdf5::write_attribute(root.id(), "gravity", database_.gravity);
    hdf5::write_attribute(root.id(), "depth", database_.depth);
    hdf5::write_texts(file_, "notes", database_.notes);
    hdf5::write_array(file_, "frequencies", {database_.frequencies.size()}, database_.frequencies, "rad/s",
                      "angular frequencies, ascending");
    hdf5::write_array(file_, "headings", {database_.headings.size()}, database_.headings, "rad",
                      "direction the wave goes to, 0 along x, pi/2 along y");
    const char* masses = "kg, kg m, kg m^2";
    const char* dampings = "N s/m, N s, N m s";
    const char* forces = "N/m, N";
    list("added_mass", database_.added_mass, masses, "[frequency, force of mode, motion of mode]");
    list("damping", database_.damping, dampings, "[frequency, force of mode, motion of mode]");
    single("added_mass_zero", database_.added_mass_zero, masses, "limit for frequency zero");
    single("added_mass_infinite", database_.added_mass_infinite, masses, "limit for infinite frequency");
    single("viscous_damping", database_.viscous_damping, dampings, "linear damping beyond potential flow");
    list("excitation", database_.excitation, forces, "[heading, mode, frequency] of incident and diffracted wave");
    list("excitation_haskind", database_.excitation_haskind, forces, "the same from the radiation potentials");
    list("froude_krylov", database_.froude_krylov, forces, "the same of the incident wave alone");
    list("drift", database_.drift, "N/m^2, N/m", "[heading, mode, frequency] mean force per squared amplitude");

    const Handle bodies{H5Gcreate2(file_, "bodies", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose, "making a group"};
    for (size_t b = 0; b < database_.bodies.size(); ++b) body(bodies.id(), std::to_string(b), database_.bodies[b]);
  }

 private:
  void body(hid_t where, const std::string& place, const FloatingBody& body) const {
    const Handle group{H5Gcreate2(where, place.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose,
                       "making a group"};
    hdf5::write_attribute(group.id(), "name", body.name);
    hdf5::write_attribute(group.id(), "volume", body.volume);
    vector(group.id(), "reference", body.reference, "point that motions and moments are about");
    vector(group.id(), "buoyancy", body.buoyancy, "centre of buoyancy");
    hdf5::write_array(group.id(), "restoring", {6, 6}, flat(std::vector<Mat6>{body.restoring}), "N/m, N, N m",
                      "of the water and of the weight in loading together");
    if (!body.loading) return;
    const Handle loading{H5Gcreate2(group.id(), "loading", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose,
                         "making a group"};
    hdf5::write_attribute(loading.id(), "mass", body.loading->mass);
    vector(loading.id(), "centre", body.loading->centre, "centre of gravity");
    hdf5::write_array(loading.id(), "inertia", {3, 3}, flat(std::vector<Mat3>{body.loading->inertia}), "kg m^2",
                      "about the centre of gravity; zero where unknown");
  }

  static void vector(hid_t where, const char* name, const Vec3& value, const char* meaning) {
    hdf5::write_array(where, name, {3}, std::vector<double>(value.begin(), value.end()), "m", meaning);
  }

  // What the database does not have is not in the file.
  template <class Matrix>
  void list(const char* name, const std::vector<Matrix>& list, const char* unit, const char* meaning) const {
    if (list.empty()) return;
    const Shape shape{list.size(), static_cast<hsize_t>(list[0].rows()), static_cast<hsize_t>(list[0].cols())};
    hdf5::write_array(file_, name, shape, flat(list), unit, meaning);
  }

  void single(const char* name, const std::optional<MatX>& matrix, const char* unit, const char* meaning) const {
    if (!matrix) return;
    const Shape shape{static_cast<hsize_t>(matrix->rows()), static_cast<hsize_t>(matrix->cols())};
    hdf5::write_array(file_, name, shape, flat(std::vector<MatX>{*matrix}), unit, meaning);
  }

  const Database& database_;
  hid_t file_;
};

class Reader {
 public:
  explicit Reader(hid_t file) : file_(file) {}

  Database run() {
    const Handle root{H5Gopen2(file_, "/", H5P_DEFAULT), H5Gclose, "opening the root group"};
    const std::uint64_t version = hdf5::read_integer_attribute(root.id(), mark);
    if (version == 0) throw hdf5::Failure("an HDF5 file, but without hydrodynamics of davit");
    if (version > database_file_version)
      throw hdf5::Failure(
          fmt::format("written by a newer davit: version {}, this one knows up to {}", version, database_file_version));
    database_.title = hdf5::read_text_attribute(root.id(), "title");
    database_.source = hdf5::read_text_attribute(root.id(), "source");
    database_.density = hdf5::read_number_attribute(root.id(), "density");
    database_.gravity = hdf5::read_number_attribute(root.id(), "gravity");
    database_.depth = hdf5::read_number_attribute(root.id(), "depth");
    database_.notes = hdf5::read_texts(file_, "notes", most_entries);
    bodies();
    database_.frequencies = axis("frequencies");
    database_.headings = axis("headings");

    const hsize_t modes = static_cast<hsize_t>(database_.modes());
    const hsize_t frequencies = database_.frequencies.size(), headings = database_.headings.size();
    list("added_mass", database_.added_mass, {frequencies, modes, modes});
    list("damping", database_.damping, {frequencies, modes, modes});
    single("added_mass_zero", database_.added_mass_zero);
    single("added_mass_infinite", database_.added_mass_infinite);
    single("viscous_damping", database_.viscous_damping);
    list("excitation", database_.excitation, {headings, modes, frequencies});
    list("excitation_haskind", database_.excitation_haskind, {headings, modes, frequencies});
    list("froude_krylov", database_.froude_krylov, {headings, modes, frequencies});
    list("drift", database_.drift, {headings, modes, frequencies});
    return std::move(database_);
  }

 private:
  void bodies() {
    const Handle bodies = hdf5::open_group(file_, "bodies");
    const size_t count = hdf5::names_in(bodies.id(), most_bodies_in_database).size();
    for (size_t b = 0; b < count; ++b) {
      const Handle place = hdf5::open_group(bodies.id(), std::to_string(b).c_str());
      FloatingBody body;
      body.name = hdf5::read_text_attribute(place.id(), "name");
      body.volume = hdf5::read_number_attribute(place.id(), "volume");
      body.reference = vector(place.id(), "reference");
      body.buoyancy = vector(place.id(), "buoyancy");
      body.restoring = unflat<MatX>(hdf5::read_array(place.id(), "restoring", {6, 6}), {1, 6, 6})[0];
      if (hdf5::has(place.id(), "loading")) {
        const Handle loading = hdf5::open_group(place.id(), "loading");
        body.loading.emplace();
        body.loading->mass = hdf5::read_number_attribute(loading.id(), "mass");
        body.loading->centre = vector(loading.id(), "centre");
        body.loading->inertia = unflat<MatX>(hdf5::read_array(loading.id(), "inertia", {3, 3}), {1, 3, 3})[0];
      }
      database_.bodies.push_back(std::move(body));
    }
  }

  static Vec3 vector(hid_t where, const char* name) {
    const auto values = hdf5::read_array(where, name, {3});
    return {values[0], values[1], values[2]};
  }

  std::vector<double> axis(const char* name) const {
    const Shape shape = hdf5::shape_of(file_, name);
    if (shape.size() != 1 || shape[0] > most_entries) throw hdf5::Failure(fmt::format("dataset '{}' is no list", name));
    return hdf5::read_array(file_, name, shape);
  }

  template <class Matrix>
  void list(const char* name, std::vector<Matrix>& list, const Shape& shape) const {
    if (!hdf5::has(file_, name)) return;
    if constexpr (std::is_same_v<Matrix, MatXc>) {
      list = unflat<Matrix>(hdf5::read_complex_array(file_, name, shape), shape);
    } else {
      list = unflat<Matrix>(hdf5::read_array(file_, name, shape), shape);
    }
  }

  void single(const char* name, std::optional<MatX>& matrix) const {
    if (!hdf5::has(file_, name)) return;
    const hsize_t modes = static_cast<hsize_t>(database_.modes());
    matrix = unflat<MatX>(hdf5::read_array(file_, name, {modes, modes}), {1, modes, modes})[0];
  }

  hid_t file_;
  Database database_;
};

}  // namespace

void write_database(const Database& database, const std::filesystem::path& file) {
  check(database, file.string());
  const hdf5::Quiet quiet;
  try {
    io::Draft draft(file);
    Handle out{H5Fcreate(draft.path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose, "creating the file"};
    DatabaseWriter(database, out.id()).run();
    hdf5::check(out.close(), "closing the file");
    draft.keep();
  } catch (const io::FileError& error) {
    throw DatabaseError(file.string(), error.message, error.remedy);
  } catch (const hdf5::Failure& error) {
    throw DatabaseError(file.string(), fmt::format("cannot be written ({})", error.what()),
                        "check that its folder exists, that you may write there and that there is room");
  }
}

Database read_database(const std::filesystem::path& file) {
  const hdf5::Quiet quiet;
  Database database;
  try {
    const Handle in{H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, "opening the file"};
    database = Reader(in.id()).run();
  } catch (const hdf5::Failure& failure) {
    throw DatabaseError(file.string(), failure.what(),
                        "name a file that 'davit hydro' wrote, or write it again with this version");
  }
  check(database, file.string());
  return database;
}

}  // namespace davit::hydro
