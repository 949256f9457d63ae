// Counts what is allocated on the heap for all tests of this module.
#include "davit/solve/test/count_allocations.hpp"
#include "lines.hpp"

namespace davit::cable {

long allocated() { return allocations; }

}  // namespace davit::cable
