#include "davit/hydro/guarded_reading.hpp"

#include <string>

#include "davit/hdf5/trial.hpp"
#include "davit/hydro/hydro_error.hpp"
#include "davit/io/file_error.hpp"

namespace davit::hydro {
namespace {

constexpr std::uintmax_t largest_database = 2'000'000'000;

}  // namespace

Database read_guarded(const std::filesystem::path& file, const std::function<Database()>& read) {
  std::string wrong;  // message, new line, remedy
  try {
    wrong = hdf5::trial(file, largest_database, [&]() -> std::string {
      try {
        read();
        return "";
      } catch (const DatabaseError& error) {
        return error.message + '\n' + error.remedy;
      }
    });
  } catch (const io::FileError& error) {
    throw DatabaseError(file.string(), error.message, error.remedy);
  }
  if (wrong.empty()) return read();
  const size_t end = wrong.rfind('\n');
  throw DatabaseError(file.string(), wrong.substr(0, end), wrong.substr(end + 1));
}

}  // namespace davit::hydro
