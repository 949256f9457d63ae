#include "davit/scenario/source.hpp"

#include <fmt/format.h>

#include "davit/input/emit.hpp"
#include "davit/input/file_path.hpp"
#include "davit/scenario/surroundings.hpp"

namespace davit {

namespace {

// Paths of other files as the scenario's own file would write them, wherever they stood (in a base, a part, on the
// command line).
input::Node with_own_paths(input::Node root, const Specification& spec, const std::filesystem::path& file) {
  for (const auto& [name, vessel] : spec.elements.of<vessel::VesselSpec>()) {
    if (!vessel.hydrodynamics) continue;
    const std::filesystem::path found = vessel.hydrodynamics->resolved(),
                                own = found.lexically_relative(file.parent_path());
    root.find("vessels")->find(name)->find("hydrodynamics")->text = (own.empty() ? found : own).string();
  }
  for (const auto& [name, surface] : spec.elements.of<SurfaceSpec>()) {
    if (!surface.mesh) continue;
    const std::filesystem::path found = surface.mesh->resolved(), own = found.lexically_relative(file.parent_path());
    root.find("surfaces")->find(name)->find("mesh")->text = (own.empty() ? found : own).string();
  }
  if (input::Node* control = root.find("control"))
    for (auto& entry : control->entries) {
      input::Node* library = entry.value.find("library");
      input::Node* path = library ? library->find("file") : nullptr;
      if (!path) continue;
      const std::filesystem::path found = input::FilePath{path->text, path->where()}.resolved(),
                                  own = found.lexically_relative(file.parent_path());
      path->text = (own.empty() ? found : own).string();
    }
  return root;
}

}  // namespace

void keep_source(const input::Node& root, Scenario& out) {
  const Specification& spec = out.specification;
  out.source = root;
  out.weather.clear();
  if (const input::Node* environment = root.find("environment"))
    for (const char* key : {"waves", "wind", "current"})
      if (const input::Node* given = environment->find(key))
        out.weather.push_back({key, weather_as_given(*given) + weather_in_numbers(spec.environment, key)});
  out.effective_text = input::to_yaml(with_own_paths(root, spec, out.file));
  out.provenance.clear();
  for (const auto& entry : root.entries)
    out.provenance += fmt::format("{}: {}:{}\n", entry.key, entry.where().file, entry.where().line);
  input::Node lasting = with_own_paths(root, spec, out.file);
  if (input::Node* run = lasting.find("run"))
    std::erase_if(run->entries, [](const input::Node::Entry& e) {
      return e.key == "duration" || e.key == "output" || e.key == "channels" || e.key == "plot";
    });
  out.identity = input::to_yaml(lasting);
}

}  // namespace davit
