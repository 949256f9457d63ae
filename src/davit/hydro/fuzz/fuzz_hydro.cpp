// libFuzzer target: any bytes as the files of a WAMIT or a NEMOH run, and what is read through the inspection. Whatever
// they are, there is a database that can be inspected or a problem with a remedy, never a crash.
//
// A line that begins with "%%" names the file whose text follows.
#include <cstdint>
#include <cstdlib>

#include "davit/hydro/hydro_error.hpp"
#include "davit/hydro/inspect_page.hpp"
#include "davit/hydro/nemoh_files.hpp"
#include "davit/hydro/wamit_files.hpp"

namespace {

davit::hydro::Texts files_of(std::string_view bytes) {
  davit::hydro::Texts files;
  for (size_t at = bytes.find("%%"); at != bytes.npos;) {
    const size_t line = std::min(bytes.find('\n', at), bytes.size());
    const size_t next = bytes.find("\n%%", line);
    const size_t end = std::min(next, bytes.size());
    files[std::string(bytes.substr(at + 2, line - at - 2))] =
        line < end ? bytes.substr(line + 1, end - line) : std::string_view();
    at = next == bytes.npos ? next : next + 1;
  }
  return files;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace davit::hydro;
  const Texts files = files_of({reinterpret_cast<const char*>(data), size});
  try {
    const Database database = files.contains("Nemoh.cal") ? parse_nemoh("fuzz", files) : parse_wamit("fuzz", files);
    if (database.modes() <= 12 && database.frequencies.size() < 30 && database.headings.size() < 10)
      inspect_page(database, inspect(database));
  } catch (const DatabaseError& error) {
    if (error.remedy.empty()) std::abort();
  }
  return 0;
}
