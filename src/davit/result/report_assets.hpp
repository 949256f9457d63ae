// The report's style sheet and script, private to this room.
//
// Solves: one page without network or other files.
// Does not: draw the first picture: the page is complete without the script, which adds hovering, zooming and hiding.
#pragma once

#include <string_view>

namespace davit::result {

extern const std::string_view report_style;
extern const std::string_view report_script;

}  // namespace davit::result
