#include "davit/input/record.hpp"

namespace davit::input {

const Record<Nothing>& Nothing::record() {
  static const Record<Nothing> record("nothing", "Takes no keys");
  return record;
}

}  // namespace davit::input
