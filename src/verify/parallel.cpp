#include "verify/parallel.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

namespace davit::verify {

namespace {

using Json = nlohmann::json;

// A number that JSON does not have is null there.
double number(const Json& value) { return value.is_null() ? NAN : value.get<double>(); }

std::vector<Comparison> rows_from(const Json& list) {
  std::vector<Comparison> rows;
  for (const Json& r : list)
    rows.push_back({r.at("group"), r.at("case"), r.at("quantity"), r.at("unit"), r.at("kind"),
                    number(r.at("reference")), r.at("source"), number(r.at("computed")), number(r.at("error")),
                    number(r.at("tolerance")), r.at("passed")});
  return rows;
}

// The child computes a group and leaves its rows, or what went wrong, in a file that only these two have.
struct Child {
  size_t group;
  std::FILE* file;
};

[[noreturn]] void compute(const Group& group, std::FILE* file) {
  std::string text;
  try {
    text = "{\"rows\": " + rows_to_json(run_group(group)) + "}";
  } catch (const std::exception& error) {
    text = Json{{"error", error.what()}}.dump();
  }
  std::fwrite(text.data(), 1, text.size(), file);
  std::fflush(file);
  _exit(0);
}

std::string content(std::FILE* file) {
  std::string text;
  std::rewind(file);
  char buffer[4096];
  for (size_t n; (n = std::fread(buffer, 1, sizeof buffer, file)) > 0;) text.append(buffer, n);
  std::fclose(file);
  return text;
}

}  // namespace

void run_groups(const std::vector<const Group*>& groups, int jobs,
                const std::function<void(const Group&, const std::vector<Comparison>&)>& done) {
  std::map<pid_t, Child> running;
  std::vector<std::vector<Comparison>> rows(groups.size());
  std::vector<bool> ready(groups.size(), false);
  size_t begun = 0, told = 0;
  while (told < groups.size()) {
    while (begun < groups.size() && running.size() < static_cast<size_t>(jobs)) {
      std::FILE* file = std::tmpfile();
      std::fflush(nullptr);
      const pid_t pid = file ? fork() : -1;
      if (pid < 0) throw std::runtime_error("no process for the group " + groups[begun]->name);
      if (pid == 0) compute(*groups[begun], file);
      running[pid] = {begun++, file};
    }
    int status = 0;
    const pid_t pid = wait(&status);
    const auto child = running.find(pid);
    if (child == running.end()) throw std::runtime_error("lost the processes of the groups");
    const auto [index, file] = child->second;
    running.erase(child);
    const Json answer = Json::parse(content(file), nullptr, false);
    if (status != 0 || answer.is_discarded())
      throw std::runtime_error("the group " + groups[index]->name + " ended without an answer");
    if (answer.contains("error"))
      throw std::runtime_error(groups[index]->name + ": " + answer.at("error").get<std::string>());
    rows[index] = rows_from(answer.at("rows"));
    ready[index] = true;
    for (; told < groups.size() && ready[told]; ++told) done(*groups[told], rows[told]);
  }
}

}  // namespace davit::verify
