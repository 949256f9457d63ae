// libFuzzer target: a file with its bases and the settings of a command line. Whatever they are, there is a tree or a
// mistake with a place, never a crash.
//
// A line that begins with "%%" names the file whose text follows; of "set" every line is a setting.
#include <cstdint>
#include <cstdlib>

#include "davit/input/document.hpp"
#include "davit/input/emit.hpp"
#include "davit/input/overlay.hpp"
#include "davit/test/fuzz_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace davit::input;
  static const davit::test::FuzzFolder folder;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  std::filesystem::path first;
  std::string_view settings;
  for (std::size_t at = bytes.find("%%"), count = 0; at != bytes.npos && count < 4; ++count) {
    const std::size_t line = std::min(bytes.find('\n', at), bytes.size());
    const std::size_t next = bytes.find("\n%%", line), end = std::min(next, bytes.size());
    const std::string_view name = bytes.substr(at + 2, line - at - 2);
    const std::string_view text = line < end ? bytes.substr(line + 1, end - line) : std::string_view();
    // The names that files of this folder may have.
    if (name == "set") settings = text;
    for (const char* known : {"a.yaml", "b.yaml", "c.yaml"})
      if (name == known) {
        const auto file = folder.write(known, text);
        if (first.empty()) first = file;
      }
    at = next == bytes.npos ? next : next + 1;
  }
  if (first.empty()) return 0;
  Problems problems;
  auto root = load_with_base(first, problems);
  if (!root && !problems.has_errors()) std::abort();
  while (root && root->is_map() && !settings.empty()) {
    const std::size_t end = std::min(settings.find('\n'), settings.size());
    apply_setting(*root, settings.substr(0, end), problems);
    settings.remove_prefix(std::min(end + 1, settings.size()));
  }
  for (const Problem& problem : problems.all())
    if (problem.where.file.empty() || problem.message.empty()) std::abort();
  if (root && !problems.has_errors()) {
    // What is written is read back as the same.
    Problems none;
    const auto again = parse_document(to_yaml(*root), "again.yaml", none);
    if (!root->entries.empty() && (!again || none.has_errors())) std::abort();
  }
  return 0;
}
