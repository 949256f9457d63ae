#include "davit/solve/linear_states.hpp"

#include <algorithm>
#include <cmath>

#include "davit/math/linear_algebra.hpp"

namespace davit {

namespace {

std::vector<int> holonomic_rows(const Model& model) {
  std::vector<int> rows;
  for (const auto& c : model.constraints())
    for (int i = 0; i < c.constraint.geometry->size(); ++i)
      if (c.constraint.geometry->holonomic()) rows.push_back(c.first_row + i);
  return rows;
}

// Of a coordinate by the last part of its name; those of channels are the same.
std::string unit_of_coordinate(const Model& model, const std::string& name) {
  for (const Channel& c : model.channels())
    if (c.name == name) return c.unit;
  const std::string last = name.substr(name.rfind('.') + 1);
  if (last == "roll" || last == "pitch" || last == "yaw") return "rad";
  return last.starts_with("d1_") || last.starts_with("d2_") || last.starts_with("d3_") ? "" : "m";
}

std::string name_of_auxiliary(const Model& model, int z) {
  const auto of = [&](const auto& placed) {
    const int i = z - placed.first_z;
    return i >= 0 && i < placed.element->auxiliary_states() ? placed.element->name() + ".z" + std::to_string(i + 1)
                                                            : std::string();
  };
  for (const auto& c : model.controllers())
    if (const std::string name = of(c); !name.empty()) return name;
  for (const auto& f : model.forces())
    if (const std::string name = of(f); !name.empty()) return name;
  return "z" + std::to_string(z + 1);
}

std::vector<int> auxiliary_states(const Model& model, Loop loop) {
  std::vector<int> all;
  const auto add = [&](const auto& list) {
    for (const auto& placed : list)
      for (int i = 0; i < placed.element->auxiliary_states(); ++i) all.push_back(placed.first_z + i);
  };
  add(model.forces());
  if (loop == Loop::closed) add(model.controllers());
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace

std::optional<int> highest_read(const EquationDerivatives& d, const ArgumentPlaces& places, int signal) {
  for (int order = 2; order >= 0; --order) {
    const int column = places.signal + 3 * signal + order;
    for (const EquationDerivatives::Part* part : {&d.F, &d.phi, &d.row, &d.rate, &d.second, &d.demand})
      if (part->by.rows() > 0 && !part->by.col(column).isZero(0)) return order;
  }
  return std::nullopt;
}

// Columns are chosen as dependent ones in the order in which QR takes them: the most independent first.
LinearStates::Tie LinearStates::tie(const std::vector<int>& rows, const MatX& by) const {
  Tie out{rows, {}, {}};
  std::vector<bool> taken(static_cast<size_t>(model_.nu()), false);
  if (!rows.empty()) {
    const std::vector<int> order = pivot_columns(by(rows, Eigen::all));
    out.dependent.assign(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(rows.size()));
  }
  for (const int i : out.dependent) taken[static_cast<size_t>(i)] = true;
  for (int i = 0; i < model_.nu(); ++i)
    if (!taken[static_cast<size_t>(i)]) out.free.push_back(i);
  return out;
}

LinearStates::LinearStates(const Model& model, const ArgumentPlaces& places, const EquationDerivatives& d,
                           const Unknowns& unknowns, Loop loop, const std::vector<SignalOrder>& signals)
    : model_(model), places_(places), derivatives_(d) {
  const int nu = model.nu();
  const MatX G = d.rate.by.middleCols(places.u, nu);
  const std::vector<int> holonomic = holonomic_rows(model);
  speeds_ = tie(unknowns.rows, G);
  if (static_cast<int>(holonomic.size()) == model.rows()) {
    coordinates_ = speeds_;
  } else {
    std::vector<int> rows;
    for (const int i : independent_rows(G(holonomic, Eigen::all))) rows.push_back(holonomic[static_cast<size_t>(i)]);
    coordinates_ = tie(rows, G);
  }
  for (const int i : coordinates_.free) states_.push_back(places.d + i);
  for (const int i : speeds_.free) states_.push_back(places.u + i);
  for (const int i : auxiliary_states(model, loop)) states_.push_back(places.z + i);
  for (const SignalOrder& s : signals)
    for (int k = 0; k < s.derivative; ++k) states_.push_back(places.signal + 3 * s.signal + k);
}

std::vector<linear::Variable> LinearStates::names() const {
  std::vector<linear::Variable> out;
  const std::vector<std::string> speeds = model_.speed_names();
  for (const int at : states_) {
    if (at >= places_.signal) {
      const SignalInfo& signal = model_.signals()[static_cast<size_t>((at - places_.signal) / 3)];
      const bool rate = (at - places_.signal) % 3 == 1;
      out.push_back({"set " + signal.name + (rate ? "_rate" : ""), signal.unit + (rate ? "/s" : "")});
    } else if (at >= places_.z) {
      out.push_back({name_of_auxiliary(model_, at - places_.z), ""});
    } else {
      const bool rate = at >= places_.u;
      const std::string& name = speeds[static_cast<size_t>(at - (rate ? places_.u : places_.d))];
      const std::string unit = unit_of_coordinate(model_, name);
      out.push_back({name + (rate ? "_rate" : ""), rate ? (unit.empty() ? "1/s" : unit + "/s") : unit});
    }
  }
  return out;
}

MatX LinearStates::arguments(const MatX& inputs) const {
  MatX out = MatX::Zero(places_.size, size() + inputs.cols());
  for (int j = 0; j < size(); ++j) out(states_[static_cast<size_t>(j)], j) = 1;
  out.rightCols(inputs.cols()) = inputs;
  const auto follow = [&](const Tie& tie, const MatX& by, int first) {
    if (tie.rows.empty()) return;
    std::vector<int> columns;
    for (const int i : tie.dependent) columns.push_back(first + i);
    const MatX rows = by(tie.rows, Eigen::all), matrix = rows(Eigen::all, columns);
    MatX x = solve_lu(matrix, MatX(-(rows * out)));
    out(columns, Eigen::all) += x;
    // What is left of the rows, once more.
    out(columns, Eigen::all) -= solve_lu(matrix, MatX(rows * out));
  };
  follow(coordinates_, derivatives_.row.by, places_.d);
  follow(speeds_, derivatives_.rate.by, places_.u);
  return out;
}

MatX LinearStates::rates(const MatX& arguments, const MatX& drift) const {
  MatX out(size(), arguments.cols());
  const int nu = model_.nu();
  const MatX coordinate_rates = arguments.middleRows(places_.u, nu) + drift * arguments.middleRows(places_.d, nu);
  const MatX auxiliary_rates = derivatives_.phi.by * arguments;
  for (int j = 0; j < size(); ++j) {
    const int at = states_[static_cast<size_t>(j)];
    if (at >= places_.signal)
      out.row(j) = arguments.row(at + 1);
    else if (at >= places_.z)
      out.row(j) = auxiliary_rates.row(at - places_.z);
    else if (at >= places_.u)
      out.row(j) = arguments.row(places_.a + at - places_.u);
    else
      out.row(j) = coordinate_rates.row(at - places_.d);
  }
  clean(out);
  return out;
}

// Accelerations of less than 1e-13 per metre or radian, or per speed, would take a year to be seen: they are what is
// left of an equilibrium's last digits, and would tie motions together that have nothing to do with each other. So it
// is with accelerations by anything else that are nothing beside the largest that it causes.
void LinearStates::clean(MatX& rates) const {
  const auto is_speed = [&](int state) {
    return states_[static_cast<size_t>(state)] >= places_.u && states_[static_cast<size_t>(state)] < places_.z;
  };
  for (int j = 0; j < static_cast<int>(rates.cols()); ++j) {
    double nothing = 1e-13;
    if (j >= size() || states_[static_cast<size_t>(j)] >= places_.z) {
      nothing = 0;
      for (int i = 0; i < size(); ++i)
        if (is_speed(i)) nothing = std::max(nothing, 1e-15 * std::abs(rates(i, j)));
    }
    for (int i = 0; i < size(); ++i)
      if (is_speed(i) && std::abs(rates(i, j)) < nothing) rates(i, j) = 0;
  }
}

}  // namespace davit
