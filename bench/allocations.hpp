// Counts what the program takes from the heap, by operator new or by malloc itself (Eigen's way).
#pragma once

namespace davit::bench {

class Allocations {
 public:
  Allocations();
  ~Allocations();
  Allocations(const Allocations&) = delete;
  Allocations& operator=(const Allocations&) = delete;
  long so_far() const;
};

}  // namespace davit::bench
