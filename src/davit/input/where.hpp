// Says where in which file something was written, so that every message can point at it.
// It does not own or read files.
#pragma once

#include <string>

namespace davit::input {

struct Where {
  std::string file;
  int line = 0;               // from 1; 0 when the whole file is meant
  int column = 0;             // from 1, in characters, not bytes
  std::string path;           // the key, as in bodies.king.joint or limits[2].below; empty for the root
  std::string instance = {};  // of a part, as west/hook; empty for what a scenario says itself

  friend bool operator==(const Where&, const Where&) = default;
};

}  // namespace davit::input
