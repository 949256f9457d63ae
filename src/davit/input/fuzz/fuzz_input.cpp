// libFuzzer target: a file with its bases, cases and parts, and the settings of a command line. Whatever they are,
// there is a tree or a mistake with a place, never a crash.
//
// A line that begins with "%%" names the file whose text follows; of "set" every line is a setting.
#include <cstdint>
#include <cstdlib>

#include "davit/input/document.hpp"
#include "davit/input/emit.hpp"
#include "davit/input/expand.hpp"
#include "davit/input/overlay.hpp"
#include "davit/test/fuzz_file.hpp"

namespace {

using namespace davit::input;

// As much of a scenario as parts need: names, references to them, patterns, multiples, numbers and free text.
struct Body {
  Reference on{"world", {}};
  Eigen::Vector3d at = Eigen::Vector3d::Zero();
  std::optional<double> mass;
  std::optional<int> count;
  std::optional<std::string> words;
  Named<Eigen::Vector3d> points;
  static const Record<Body>& record() {
    static const auto r = Record<Body>("body", "a body")
                              .field("on", &Body::on, "what it is on")
                              .by_default()
                              .field("at", &Body::at, "m", "where")
                              .by_default()
                              .field("mass", &Body::mass, "kg", "mass")
                              .field("count", &Body::count, "of its like")
                              .field("words", &Body::words, "about it")
                              .field("points", &Body::points, "m", "of it")
                              .by_default();
    return r;
  }
};
struct Limit {
  Reference channel;
  std::optional<Threshold> below;
  static const Record<Limit>& record() {
    static const auto r = Record<Limit>("limit", "a limit")
                              .field("channel", &Limit::channel, "which")
                              .field("below", &Limit::below, "bound");
    return r;
  }
};
struct Lift {
  Named<Body> bodies;
  std::vector<Limit> limits;
  static const Record<Lift>& record() {
    static const auto r = Record<Lift>("lift", "a lift")
                              .field("bodies", &Lift::bodies, "bodies")
                              .by_default()
                              .field("limits", &Lift::limits, "limits")
                              .by_default();
    return r;
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
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
  if (root && root->is_map()) {
    const std::vector<std::string> cases = case_names(*root);
    apply_case(*root, cases.empty() ? "" : cases.front(), problems);
  }
  while (root && root->is_map() && !settings.empty()) {
    const std::size_t end = std::min(settings.find('\n'), settings.size());
    apply_setting(*root, settings.substr(0, end), problems);
    settings.remove_prefix(std::min(end + 1, settings.size()));
  }
  if (root && !problems.has_errors()) expand_parts(*root, {Lift::record(), {"bodies", "limits"}, {}}, problems);
  for (const Problem& problem : problems.all())
    if (problem.where.file.empty() || problem.message.empty()) std::abort();
  if (root && !problems.has_errors()) {
    // What is written is read back as the same.
    Problems none;
    const auto again = parse_document(to_yaml(*root), "again.yaml", none);
    if (!root->entries.empty() && (!again || none.has_errors())) std::abort();
    (void)davit::input::read<Lift>(*root, none);
  }
  return 0;
}
