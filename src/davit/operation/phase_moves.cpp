#include "davit/operation/phase_moves.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "davit/operation/signal_table.hpp"

namespace davit::operation {

void PhaseMoves::travel(const Assembly::Target& target, const input::Reference& name, const input::Quantity& value,
                        SignalMove::Kind kind, double sign) {
  const auto number = input::require(value, input::unit(target.unit), assembly_.problems());
  if (!number) return;
  PlannedMove planned{SignalMove{}, target.name, target.unit, name.where};
  planned.move.kind = kind;
  planned.move.value = sign * *number;
  planned.move.over = spec().over;
  planned.move.profile = {std::clamp(spec().smoothness, 0, 12),
                          std::clamp(spec().ramp, 0.0, spec().over.value_or(0) / 2)};
  take(std::move(planned));
}

void PhaseMoves::follow(const Assembly::Target& target, const SignalTableSpec& table) {
  auto motion = read_signal_table(table, target.unit, assembly_.problems());
  if (!motion) return;
  PlannedMove planned{SignalMove{}, target.name, target.unit, table.where};
  planned.move.kind = SignalMove::Kind::follow;
  planned.move.table = *std::move(motion);
  take(std::move(planned));
}

void PhaseMoves::switch_to(const input::Reference& name, double value) {
  PlannedMove planned{SignalMove{}, name.name, "1", name.where};
  planned.move.kind = SignalMove::Kind::jump;
  planned.move.value = value;
  take(std::move(planned));
}

void PhaseMoves::take(PlannedMove planned) {
  const bool twice = std::any_of(phase_.moves.begin(), phase_.moves.end(),
                                 [&](const PlannedMove& other) { return other.name == planned.name; });
  if (twice)
    assembly_.problems().error(planned.where, fmt::format("the phase moves '{}' twice", planned.name),
                               "let one phase follow the other");
  else
    phase_.moves.push_back(std::move(planned));
}

}  // namespace davit::operation
