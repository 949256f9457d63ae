#include "davit/view/assets.hpp"

// The assembler takes the files in as they are.
asm(R"(
  .pushsection .rodata
  .global davit_viewer_script, davit_viewer_script_end, davit_viewer_style, davit_viewer_style_end
davit_viewer_script:
  .incbin ")" DAVIT_WEB_DIST R"(/viewer.js"
davit_viewer_script_end:
davit_viewer_style:
  .incbin ")" DAVIT_WEB_DIST R"(/viewer.css"
davit_viewer_style_end:
  .popsection
)");

extern const char davit_viewer_script[], davit_viewer_script_end[], davit_viewer_style[], davit_viewer_style_end[];

namespace davit::view {

std::string_view viewer_script() { return {davit_viewer_script, davit_viewer_script_end}; }
std::string_view viewer_style() { return {davit_viewer_style, davit_viewer_style_end}; }

}  // namespace davit::view
