// Lines that part: what is conserved, how the pieces fall, and where they come to rest.
#include <gtest/gtest.h>

#include <cmath>

#include "davit/cable/bar_line.hpp"
#include "davit/cable/beam_line.hpp"
#include "davit/cable/quasi_static_line.hpp"
#include "lines.hpp"

namespace davit::cable {
namespace {

constexpr double whole_length = 120, parted_near = 70;
const LineEnds held{Vec3(0, 0, -80), Vec3(90, 0, -20)};

Section parted_chain(int elements) {
  Section s = chain(whole_length, elements);
  s.drag_normal = 2.4;
  return s;
}
double weight_of_chain(double length) {
  const sea::Water water;
  const Section s = parted_chain(1);
  return length * (s.mass - s.displacement * water.density) * water.gravity;
}
Bed bed_below(double depth) {
  Bed bed = winkler_bed(-depth);
  bed.stiffness = 1e4;
  return bed;
}
BarLine bars_to_part(const Bed& bed) { return BarLine(Line({parted_chain(40)}, {}, bed, {})); }
BeamLine beams_to_part(const Bed& bed) { return BeamLine(Beam({parted_chain(20)}, {}, bed, {})); }

// A piece of a line with its state.
struct Falling {
  Falling(const LineModel& whole, const Parting& at, Piece which, const double* from)
      : first(which == Piece::first),
        model(whole.piece(at, which)),
        scratch(model->make_scratch()),
        state(static_cast<size_t>(model->state_size())),
        next(state) {
    whole.part(at, which, from, state.data());
  }
  void step(double time, double h) {
    ASSERT_TRUE(model->step(state.data(), time, h, model->ends(state.data()), next.data(), forces, *scratch).converged)
        << first << " at " << time;
    state.swap(next);
  }
  LineView view() const {
    LineView out;
    model->look(state.data(), out);
    return out;
  }
  bool first;
  std::unique_ptr<const LineModel> model;
  std::unique_ptr<LineModel::Scratch> scratch;
  std::vector<double> state, next;
  EndForces forces;
};

// Both pieces of a line that swings when it parts.
struct Parted {
  explicit Parted(const LineModel& whole) : state(static_cast<size_t>(whole.state_size())), next(state) {
    const auto scratch = whole.make_scratch();
    EndForces forces;
    EXPECT_TRUE(whole.settle(held, state.data(), forces, *scratch).converged);
    // Its fairlead is moved and stands still again.
    for (int i = 1; i <= 24; ++i) {
      LineEnds moved = held;
      moved.b += std::min(20, i) * Vec3(-0.04, 0.05, 0.02);
      EXPECT_TRUE(whole.step(state.data(), 0.05 * (i - 1), 0.05, moved, next.data(), forces, *scratch).converged);
      state.swap(next);
    }
    at = *whole.parting(state.data(), parted_near);
    first.emplace(whole, at, Piece::first, state.data());
    second.emplace(whole, at, Piece::second, state.data());
  }
  double energy() const {
    return first->model->energy(first->state.data()).total() + second->model->energy(second->state.data()).total();
  }
  std::vector<double> state, next;
  Parting at;
  std::optional<Falling> first, second;
};

// ∫ m v ds
Vec3 momentum(const Line& line, const double* state, int from, int to) {
  Vec3 sum = Vec3::Zero();
  for (int i = from; i < to; ++i)
    sum += 0.5 * line.rest_length(state, i) * (line.velocity(state, i) + line.velocity(state, i + 1));
  return parted_chain(1).mass * sum;
}

TEST(Parting, ConservesMomentumAndEnergy) {
  const BarLine bars = bars_to_part(bed_below(60));
  const Parted line(bars);
  EXPECT_EQ(line.at.length, 69);
  const Line &first = static_cast<const BarLine&>(*line.first->model).line(),
             &second = static_cast<const BarLine&>(*line.second->model).line();
  const Vec3 before = momentum(bars.line(), line.state.data(), 0, 40),
             after = momentum(first, line.first->state.data(), 0, line.at.node) +
                     momentum(second, line.second->state.data(), 1, second.elements());
  EXPECT_GT(before.norm(), 100);
  EXPECT_LT((after - before).norm(), 1e-12 * before.norm());
  const double energy = bars.energy(line.state.data()).total();
  EXPECT_NEAR(line.energy(), energy, 1e-12 * std::abs(energy));
  const BeamLine beams = beams_to_part(bed_below(60));
  const Parted bent(beams);
  const double bent_energy = beams.energy(bent.state.data()).total();
  EXPECT_NEAR(bent.energy(), bent_energy, 1e-12 * std::abs(bent_energy));
  LineView view;
  for (const Falling* piece : {&*bent.first, &*bent.second})
    view.add_piece(piece->view(), piece->first ? Piece::first : Piece::second);
  EXPECT_EQ(view.positions.size(), 22u) << "its nodes, and the one where it parted twice";
  EXPECT_EQ(view.positions[view.gap], view.positions[view.gap + 1]);
}

// In still water, their other ends held: nothing gives them energy.
void expect_energy_only_falls(const LineModel& whole) {
  Parted line(whole);
  double last = line.energy();
  const double start = last;
  for (int i = 0; i < 400; ++i) {
    line.first->step(0.05 * i, 0.05);
    line.second->step(0.05 * i, 0.05);
    const double now = line.energy();
    EXPECT_LT(now, last + 1e-7 * std::abs(start)) << i;
    last = now;
  }
  EXPECT_LT(last, start - 1e4);
}
TEST(Parting, OfBarsOnlyLosesEnergy) { expect_energy_only_falls(bars_to_part(bed_below(80))); }
TEST(Parting, OfBeamsOnlyLosesEnergy) { expect_energy_only_falls(beams_to_part(bed_below(80))); }

// The upper piece hangs straight down from the fairlead, the lower one from the anchor, or lies around it.
void expect_pieces_hang(const LineModel& whole, double first_length, double second_length) {
  Parted line(whole);
  for (int i = 0; i < 8000; ++i) {
    line.first->step(0.25 * i, 0.25);
    line.second->step(0.25 * i, 0.25);
  }
  for (const Falling* piece : {&*line.first, &*line.second}) {
    const LineView view = piece->view();
    const double weight = weight_of_chain(piece->first ? first_length : second_length);
    const Vec3 pull = piece->first ? view.force_a : view.force_b;
    // It still swings by a little, which drag takes away ever more slowly.
    EXPECT_LT(pull.head<2>().norm(), 1e-4 * weight);
    EXPECT_NEAR(-pull.z(), weight, 1e-6 * weight);
    EXPECT_NEAR(piece->first ? view.tension_a : view.tension_b, weight, 1e-6 * weight);
    EXPECT_LT((piece->first ? view.force_b : view.force_a).norm(), 1e-12);
    const Vec3 apart = view.positions.back() - view.positions.front();
    EXPECT_LT(apart.head<2>().norm(), 1e-3 * apart.norm());
  }
}
TEST(Parting, PiecesOfBarsComeToHangStraight) { expect_pieces_hang(bars_to_part({}), 69, 51); }
TEST(Parting, PiecesOfBeamsComeToHangStraight) { expect_pieces_hang(beams_to_part({}), 72, 48); }
TEST(Parting, PiecesOfAQuasiStaticLineFall) {
  expect_pieces_hang(QuasiStaticLine(Line({parted_chain(40)}, {}, {}, {})), 69, 51);
}

TEST(Parting, ALowerPieceComesToLieOnTheBed) {
  const BarLine bars = bars_to_part(bed_below(80));
  Parted line(bars);
  for (int i = 0; i < 4000; ++i) line.first->step(0.25 * i, 0.25);
  const LineView view = line.first->view();
  const Line& piece = static_cast<const BarLine&>(*line.first->model).line();
  EXPECT_NEAR(view.grounded_length, 69, 3);
  double carried = 0;
  for (int i = 0; i < line.at.node; ++i)
    for (const double share : {0.5 - 0.5 / std::sqrt(3.0), 0.5 + 0.5 / std::sqrt(3.0)}) {
      const double z = (1 - share) * piece.position(line.first->state.data(), i).z() +
                       share * piece.position(line.first->state.data(), i + 1).z();
      carried += 1.5 * 1e4 * std::max(0.0, -80 - z);
    }
  EXPECT_NEAR(carried - view.force_a.z(), weight_of_chain(69), 1e-6 * weight_of_chain(69));
}

TEST(Parting, IsWhereTheLineIsWeakest) {
  Section strong = parted_chain(20), weak = strong;
  strong.length = weak.length = 60;
  strong.breaking_load = 1e7;
  weak.breaking_load = 1e6;
  const auto where = [](std::vector<Section> sections) {
    const BarLine bars(Line(sections, {}, {}, {}));
    const auto scratch = bars.make_scratch();
    std::vector<double> state(static_cast<size_t>(bars.state_size()));
    EndForces forces;
    EXPECT_TRUE(bars.settle(held, state.data(), forces, *scratch).converged);
    return bars.parting(state.data(), std::nullopt)->length;
  };
  EXPECT_EQ(where({strong, strong}), 120) << "at the fairlead, which is higher";
  EXPECT_EQ(where({weak, strong}), 60) << "at the upper end of the weak section";
}

}  // namespace
}  // namespace davit::cable
