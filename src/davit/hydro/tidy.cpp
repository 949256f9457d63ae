#include "davit/hydro/tidy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>

#include "davit/hydro/hydro_error.hpp"
#include "davit/hydro/modes.hpp"

namespace davit::hydro {
namespace {

constexpr double same_heading = 1e-6;  // rad

std::vector<size_t> ascending(const std::vector<double>& values) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return values[a] < values[b]; });
  return order;
}

template <class T>
void reorder(std::vector<T>& list, const std::vector<size_t>& order) {
  if (list.empty()) return;
  std::vector<T> sorted;
  for (const size_t i : order) sorted.push_back(std::move(list[i]));
  list = std::move(sorted);
}

template <class Matrix>
void reorder_columns(std::vector<Matrix>& list, const std::vector<size_t>& order) {
  for (Matrix& matrix : list) {
    Matrix sorted(matrix.rows(), matrix.cols());
    for (size_t i = 0; i < order.size(); ++i)
      sorted.col(static_cast<Eigen::Index>(i)) = matrix.col(static_cast<Eigen::Index>(order[i]));
    matrix = std::move(sorted);
  }
}

class Check {
 public:
  Check(const Database& database, const std::string& file) : database_(database), file_(file) {}

  void run() {
    if (database_.bodies.empty()) fail("it describes no body");
    if (!(database_.density > 0) || !std::isfinite(database_.density)) fail("the density of the water is not positive");
    if (!(database_.gravity > 0) || !std::isfinite(database_.gravity))
      fail("the acceleration of gravity is not positive");
    if (!(database_.depth > 0)) fail("the water depth is not positive");
    for (const double w : database_.frequencies)
      if (!(w > 0) || !std::isfinite(w)) fail(fmt::format("{} rad/s is no frequency", w));
    std::vector<double> sorted = database_.frequencies;
    std::sort(sorted.begin(), sorted.end());
    if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
      fail(fmt::format("the frequency {} rad/s is there twice", *twice));
    for (const double heading : database_.headings)
      if (!std::isfinite(heading)) fail("a heading is not a number");
    const size_t n = database_.frequencies.size();
    per_frequency("added mass", database_.added_mass, n);
    per_frequency("damping", database_.damping, n);
    square("added mass at zero frequency", database_.added_mass_zero);
    square("added mass at infinite frequency", database_.added_mass_infinite);
    square("viscous damping", database_.viscous_damping);
    per_heading("excitation", database_.excitation, !database_.headings.empty());
    per_heading("excitation by Haskind's relation", database_.excitation_haskind, false);
    per_heading("Froude-Krylov force", database_.froude_krylov, false);
    per_heading("drift", database_.drift, false);
    for (const FloatingBody& body : database_.bodies) {
      if (!body.reference.allFinite()) fail("the reference point of " + body.name + " is not finite");
      if (!body.restoring.allFinite()) fail("the restoring matrix of " + body.name + " is not finite");
      if (body.loading && !(std::isfinite(body.loading->mass) && body.loading->mass > 0 &&
                            body.loading->centre.allFinite() && body.loading->inertia.allFinite()))
        fail("the mass of " + body.name + " is not positive or its centre not finite");
    }
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw DatabaseError(file_, message,
                        "the file is incomplete or damaged: write it again with the program it came from");
  }

  void sized(const char* what, Eigen::Index rows, Eigen::Index columns, Eigen::Index wanted_columns) const {
    if (rows != database_.modes() || columns != wanted_columns)
      fail(fmt::format("{} is {} × {} and should be {} × {}", what, rows, columns, database_.modes(), wanted_columns));
  }

  template <class Matrix>
  void finite(const char* what, const Matrix& matrix, const std::function<std::string(Eigen::Index)>& where) const {
    for (Eigen::Index j = 0; j < matrix.cols(); ++j)
      for (Eigen::Index i = 0; i < matrix.rows(); ++i)
        if (!std::isfinite(std::abs(matrix(i, j))))
          fail(fmt::format("{} of {} is not a number{}", what, mode_name(database_, static_cast<int>(i)), where(j)));
  }

  std::string at_frequency(size_t i) const { return fmt::format(" at {:.6g} rad/s", database_.frequencies[i]); }

  void per_frequency(const char* what, const std::vector<MatX>& list, size_t count) const {
    if (list.size() != count) fail(fmt::format("{} at {} frequencies instead of {}", what, list.size(), count));
    for (size_t i = 0; i < count; ++i) {
      sized(what, list[i].rows(), list[i].cols(), database_.modes());
      finite(what, list[i], [&](Eigen::Index) { return at_frequency(i); });
    }
  }

  void square(const char* what, const std::optional<MatX>& matrix) const {
    if (!matrix) return;
    sized(what, matrix->rows(), matrix->cols(), database_.modes());
    finite(what, *matrix, [](Eigen::Index) { return std::string(); });
  }

  template <class Matrix>
  void per_heading(const char* what, const std::vector<Matrix>& list, bool required) const {
    if (list.empty() && !required) return;
    if (list.size() != database_.headings.size())
      fail(fmt::format("{} at {} headings instead of {}", what, list.size(), database_.headings.size()));
    for (const Matrix& matrix : list) {
      sized(what, matrix.rows(), matrix.cols(), static_cast<Eigen::Index>(database_.frequencies.size()));
      if constexpr (std::is_same_v<Matrix, MatXc>)
        finite(what, matrix, [&](Eigen::Index j) { return at_frequency(static_cast<size_t>(j)); });
    }
  }

  const Database& database_;
  const std::string& file_;
};

}  // namespace

void sort(Database& database) {
  const auto by_frequency = ascending(database.frequencies);
  reorder(database.frequencies, by_frequency);
  reorder(database.added_mass, by_frequency);
  reorder(database.damping, by_frequency);
  reorder_columns(database.excitation, by_frequency);
  reorder_columns(database.excitation_haskind, by_frequency);
  reorder_columns(database.froude_krylov, by_frequency);
  reorder_columns(database.drift, by_frequency);

  for (double& heading : database.headings) {
    if (heading > -std::numbers::pi && heading <= std::numbers::pi) continue;
    heading = std::remainder(heading, 2 * std::numbers::pi);
    if (heading <= -std::numbers::pi + same_heading) heading = std::numbers::pi;
  }
  auto by_heading = ascending(database.headings);
  const auto same = [&](size_t a, size_t b) { return database.headings[b] - database.headings[a] < same_heading; };
  by_heading.erase(std::unique(by_heading.begin(), by_heading.end(), same), by_heading.end());
  reorder(database.headings, by_heading);
  reorder(database.excitation, by_heading);
  reorder(database.excitation_haskind, by_heading);
  reorder(database.froude_krylov, by_heading);
  reorder(database.drift, by_heading);
}

void check(const Database& database, const std::string& file) { Check(database, file).run(); }

}  // namespace davit::hydro
