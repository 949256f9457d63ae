// The viewer itself, as web/ builds it: part of the program, so that nothing is fetched at run time.
#pragma once

#include <string_view>

namespace davit::view {

std::string_view viewer_script();
std::string_view viewer_style();

}  // namespace davit::view
