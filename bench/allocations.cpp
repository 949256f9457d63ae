#include "allocations.hpp"

#include <cerrno>
#include <cstddef>

namespace {

bool counting = false;
long count = 0;

inline void note() {
  if (counting) ++count;
}

}  // namespace

// The program's own malloc comes before the C library's, which keeps its under these names.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) {
  note();
  return __libc_malloc(size);
}
void* calloc(std::size_t items, std::size_t size) {
  note();
  return __libc_calloc(items, size);
}
void* realloc(void* memory, std::size_t size) {
  note();
  return __libc_realloc(memory, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
  note();
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  note();
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  note();
  *memory = __libc_memalign(alignment, size);
  return *memory ? 0 : ENOMEM;
}
}

namespace davit::bench {

Allocations::Allocations() {
  count = 0;
  counting = true;
}
Allocations::~Allocations() { counting = false; }
long Allocations::so_far() const { return count; }

}  // namespace davit::bench
