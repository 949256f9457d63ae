// The panel method: processor time of one frequency against the number of panels, its parts, and how it grows. As a
// limit beside it: the time in which LAPACK alone factors the same matrices (8/3 n³ operations each) is the least that
// a direct solver can take.
#include <fmt/format.h>

#include "davit/hull/named_hulls.hpp"
#include "davit/hull/waterplane.hpp"
#include "davit/panel/dense_solve.hpp"
#include "davit/panel/linear_flow.hpp"
#include "processor_time.hpp"
#include "smoke.hpp"

using namespace davit;
using namespace davit::panel;
using davit::bench::processor_seconds;

namespace {

template <class Task>
double timed(const Task& task) {
  const double begin = processor_seconds();
  task();
  return processor_seconds() - begin;
}

}  // namespace

int main() {
  const std::vector<double> headings = {0, 0.5, 1, 1.5, 2, 2.5, 3};
  fmt::print("one frequency of a barge 110 x 46 m, draft 3.6 m, a quarter listed, 7 headings, drift; one thread\n");
  fmt::print("{:>8} {:>12} {:>12} {:>10} {:>10} {:>8}\n", "panels", "deep s", "40 m deep s", "LAPACK s", "ratio",
             "grows as");
  DeepWater::tables();  // filled once in a run
  double last_time = 0, last_count = 0;
  for (const double size : bench::cases({4.0, 2.8, 2.0, 1.4, 1.0})) {
    const hull::PanelMesh mesh = hull::panelled(hull::Barge{110, 46, 7.5, 3.6}, {size, 20000, 0.5});
    const WettedBody body{"barge", mesh, {{}, {}, true, true}};
    FlowScratch scratch;
    const LinearFlow deep(Surface({body}), {}, headings), shallow(Surface({body}), {1025, 9.80665, 40}, headings);
    const double in_deep = timed([&] { deep.solve(1, true, scratch); });
    const double in_shallow = timed([&] { shallow.solve(1, true, scratch); });
    const int n = mesh.count();
    const double alone = timed([&] {
      for (int parity = 0; parity < 4; ++parity) {
        Eigen::MatrixXcd matrix = Eigen::MatrixXcd::Random(n, n), right = Eigen::MatrixXcd::Random(n, 9);
        matrix.diagonal().array() += n;
        solve_in_place(matrix, right);
      }
    });
    fmt::print("{:>8} {:>12.3f} {:>12.3f} {:>10.3f} {:>10.1f} {:>8}\n", n, in_deep, in_shallow, alone, in_deep / alone,
               last_time > 0 ? fmt::format("n^{:.2f}", std::log(in_deep / last_time) / std::log(n / last_count)) : "");
    last_time = in_deep;
    last_count = n;
  }
}
