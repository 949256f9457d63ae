// libFuzzer target: databases that a library reads. An input that begins with a file's mark (HDF5, netCDF, MATLAB) is
// such a file, read as a user's, in a child process first; any other describes changes of a good database, made through
// HDF5, which is then read in this very process.
#include <cstdlib>

#include "davit/hydro/database_file.hpp"
#include "davit/hydro/hydro_error.hpp"
#include "davit/hydro/open_database.hpp"
#include "davit/test/fuzz_children.hpp"
#include "davit/test/hdf5_edits.hpp"

namespace {

using namespace davit::hydro;

// As small as one can be.
Database small_database() {
  Database d;
  d.title = "small";
  d.source = "fuzz";
  d.notes = {"one", "two"};
  d.density = 1025;
  d.gravity = 9.81;
  d.depth = 100;
  FloatingBody body;
  body.name = "hull";
  body.volume = 100;
  body.restoring(2, 2) = 1e6;
  body.loading = MassProperties{1e5, {0, 0, 1}, davit::Mat3::Identity()};
  d.bodies.push_back(body);
  d.frequencies = {0.5, 1};
  d.headings = {0, 1};
  d.added_mass.assign(2, davit::MatX::Identity(6, 6));
  d.damping = d.added_mass;
  d.added_mass_infinite = d.added_mass[0];
  d.excitation.assign(2, davit::MatXc::Ones(6, 2));
  d.drift.assign(2, davit::MatX::Ones(6, 2));
  return d;
}

bool is_file(std::string_view bytes) {
  return bytes.starts_with("\x89HDF") || bytes.starts_with("CDF") || bytes.starts_with("MATLAB");
}

std::string ending_of(std::string_view bytes) {
  if (bytes.starts_with("MATLAB")) return ".mat";
  // HDF5 files of all three kinds, by their length.
  constexpr const char* endings[] = {".h5", ".nc", ".mat"};
  return bytes.starts_with("CDF") ? ".nc" : endings[bytes.size() % 3];
}

void expect_database_or_remedy(const auto& read) {
  try {
    read();
  } catch (const DatabaseError& error) {
    if (error.message.empty() || error.remedy.empty()) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const davit::test::FuzzFolder folder;
  static const auto path = [] {
    const auto file = folder.write("database.h5", "");
    write_database(small_database(), file);
    return file;
  }();
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (is_file(bytes)) {
    const auto file = folder.write("fuzz" + ending_of(bytes), bytes);
    expect_database_or_remedy([&] { open_database(file); });
    return 0;
  }
  static const std::string whole = davit::test::content_of(path);
  const auto edited = davit::test::edited_copy(folder, whole, data, size);
  expect_database_or_remedy([&] { read_database(edited); });
  return 0;
}
