// `davit parts`: the parts that come with the program, and what can be set in one of them.
#include <fmt/format.h>

#include "davit/app/commands.hpp"
#include "davit/app/terminal.hpp"
#include "davit/input/expand.hpp"
#include "davit/input/part_library.hpp"

namespace davit::app {

namespace {

std::string range_of(const input::ParameterSpec& spec) {
  std::string text;
  if (spec.least) text = "from " + spec.least->text;
  if (spec.most) text += (text.empty() ? "to " : " to ") + spec.most->text;
  for (const std::string& choice : spec.choices) text += (text.empty() ? "" : ", ") + choice;
  return text;
}

std::string default_of(const input::ParameterSpec& spec) {
  if (spec.standard) return spec.standard->text;
  return spec.kind == input::ParameterKind::name ? "a name, must be given" : "must be given";
}

void list_parts() {
  Table table({"part", "what it is"});
  for (const std::string& name : input::known_parts()) {
    input::Problems problems;
    const auto loaded = input::load_part({name, {}}, problems);
    const input::Node* info = loaded ? loaded->tree.find("part") : nullptr;
    table.add({name, info ? input::read<input::PartInfo>(*info, problems).title : ""});
  }
  say("{}", table.text(2));
}

void describe(const input::Node& part, input::Problems& problems) {
  const auto info = input::read<input::PartInfo>(*part.find("part"), problems);
  say("{}\n", info.title);
  if (!info.description.empty()) say("{}\n", info.description);
  if (!info.source.empty()) say("source: {}\n", info.source);
  Table table({"parameter", "default", "range", "meaning"});
  if (const input::Node* parameters = part.find("parameters"))
    for (const input::Node::Entry& entry : parameters->entries) {
      const input::ParameterSpec spec = input::parameter_of(entry.value, problems);
      table.add({entry.key, default_of(spec), range_of(spec), spec.meaning});
    }
  if (!table.empty()) say("\n{}", table.text(4));
  if (const input::Node* exports = part.find("exports")) {
    say("\nexports:");
    for (const input::Node::Entry& entry : exports->entries) say(" {}", entry.key);
    say("\n");
  }
}

}  // namespace

int parts_command(const PartsArguments& arguments) {
  if (arguments.part.empty()) {
    list_parts();
    return exit_ok;
  }
  input::Problems problems;
  const auto loaded = input::load_part({arguments.part, {"davit parts", 0, 0, ""}}, problems);
  if (loaded && !loaded->tree.find("part"))
    problems.error({arguments.part, 0, 0, ""}, "this is no part: it has no 'part'", "name one of `davit parts`");
  if (!problems.has_errors()) describe(loaded->tree, problems);
  if (!problems.has_errors()) return exit_ok;
  complain("{}", problems.to_text());
  return exit_bad_input;
}

}  // namespace davit::app
