// libFuzzer target: any bytes as a message to a live run, and as a record of levers. Whatever they are, there is a
// request or a sentence, never a crash; what was read is written and read back the same.
#include <cstdlib>
#include <sstream>

#include "davit/live/message.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    davit::live::parse_request(text);
  } catch (const davit::live::BadMessage& error) {
    if (std::string_view(error.what()).empty()) std::abort();
  }
  try {
    std::istringstream lines{std::string(text)};
    const auto commands = davit::operation::parse_lever_record(lines, "fuzz.csv");
    std::string written;
    for (const auto& command : commands) written += line_of(command);
    std::istringstream again(written);
    if (davit::operation::parse_lever_record(again, "again.csv") != commands) std::abort();
  } catch (const std::runtime_error& error) {
    if (std::string_view(error.what()).empty()) std::abort();
  }
  return 0;
}
