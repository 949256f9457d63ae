// Symbols are hidden unless they are marked: what programs that use the library may call.
#pragma once

#define DAVIT_API __attribute__((visibility("default")))
