// The table of methods against kinds of model, from what the methods themselves say of small models.
#include <fmt/format.h>

#include "davit/solve/methods.hpp"
#include "verify/methods/method_problems.hpp"

namespace davit::verify {

namespace {

// "method rk4 needs mass on every coordinate, and 'drum' …: use …" → "needs mass on every coordinate".
std::string in_short(const std::string& refusal, const std::string& method) {
  const size_t first = std::string("method ").size() + method.size() + 1;
  size_t last = refusal.find_first_of(",:(", first);
  while (refusal[last - 1] == ' ') --last;
  return refusal.substr(first, last - first);
}

}  // namespace

std::string compatibility_table() {
  constexpr double step = 0.01;
  std::string out = "| kind of model | what the example has |\n|---|---|\n";
  for (const MethodProblem& p : method_problems()) out += fmt::format("| {} | {} |\n", p.name, p.has);
  out += "\n| method | order |";
  std::string rule = "|---|---|";
  for (const MethodProblem& p : method_problems()) {
    out += fmt::format(" {} |", p.name);
    rule += "---|";
  }
  out += "\n" + rule + "\n";
  for (const MethodInfo& m : methods()) {
    MethodOptions options;
    options.step = step;
    out += fmt::format("| `{}` | {} |", m.name, m.make(*method_problems()[0].model, options)->order());
    for (const MethodProblem& p : method_problems()) {
      const auto why = unsupported_reason(*m.make(*p.model, options), *p.model, step);
      out += fmt::format(" {} |", why ? in_short(*why, m.name) : "yes");
    }
    out += "\n";
  }
  return out;
}

}  // namespace davit::verify
