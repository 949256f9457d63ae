// Text from files that goes to a terminal.
#pragma once

#include <string>
#include <string_view>

namespace davit::io {

// Control characters, which could move the cursor, change what was printed before or set the keyboard, become visible
// as \x1b; so do marks that turn the direction of writing, and bytes that are not UTF-8. New lines and tabs stay.
std::string printable(std::string_view text);

}  // namespace davit::io
