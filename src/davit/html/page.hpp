// The page that reports are made of: its frame, style sheet and script, for every module that makes one.
//
// Solves: one page without network or other files.
// Does not: draw the first picture: the page is complete without the script, which adds hovering, zooming and hiding.
#pragma once

#include <string>
#include <string_view>

namespace davit::html {

// A whole page; the content is HTML.
std::string document(std::string_view title, std::string_view content);

}  // namespace davit::html
