#include "davit/assembly/spring_table.hpp"

namespace davit {

std::optional<std::vector<OneSidedSpring::Point>> read_spring_table(
    const std::vector<std::vector<input::Quantity>>& table, const SpringColumn& stretch, const SpringColumn& force,
    const input::Where& where, input::Problems& problems) {
  std::vector<OneSidedSpring::Point> points;
  for (const auto& pair : table) {
    if (pair.size() != 2) {
      problems.error(
          where, "a point of the table is not a pair",
          "give " + stretch.what + " and " + force.what + ", e.g. [" + stretch.example + ", " + force.example + "]");
      return std::nullopt;
    }
    const auto x = input::require(pair[0], input::unit(stretch.unit), problems);
    const auto f = input::require(pair[1], input::unit(force.unit), problems);
    if (!x || !f) return std::nullopt;
    const OneSidedSpring::Point last = points.empty() ? OneSidedSpring::Point{0, 0} : points.back();
    if (!(*x > last.stretch && *f > last.force)) {
      problems.error(pair[0].where, stretch.what + " and " + force.what + " of the table must grow, from above (0, 0)",
                     "order the points, and leave out (0, 0)");
      return std::nullopt;
    }
    points.push_back({*x, *f});
  }
  return points;
}

}  // namespace davit
