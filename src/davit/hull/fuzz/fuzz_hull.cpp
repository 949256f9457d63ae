// libFuzzer target: any bytes as a hull file or as the text of a shape, through checks, the cut, hydrostatics and the
// lid. Whatever they are, there is a hull or a problem with a remedy, never a crash.
#include <cstdint>
#include <cstdlib>

#include "davit/hull/check.hpp"
#include "davit/hull/hull_file.hpp"
#include "davit/hull/hydrostatics.hpp"
#include "davit/hull/panel_edges.hpp"
#include "davit/hull/panel_geometry.hpp"
#include "davit/hull/shape_text.hpp"
#include "davit/hull/waterplane.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace davit;
  using namespace davit::hull;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const char* name : {"fuzz.gdf", "fuzz.dat", "fuzz.obj"}) {
    try {
      const PanelMesh mesh = orient(parse_hull(bytes, name));
      for (const Finding& finding : check(mesh, 10))
        if (finding.what.empty() || finding.remedy.empty()) std::abort();
      const PanelMesh wetted = cut_at_waterplane(mesh);
      hydrostatics(wetted);
      // As many panels as a hull of this extent needs, not as many as the input can ask for.
      lid(wetted, 0.1 * extent(wetted));
    } catch (const MeshFileError& error) {
      if (error.remedy.empty()) std::abort();
    }
  }
  const auto shape = parse_shape(bytes);
  if (!shape.value && (shape.mistake.empty() || shape.remedy.empty())) std::abort();
  return 0;
}
