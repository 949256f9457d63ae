// The equations of beams (ANCF): loads at three Gauss points of an element, distributed to positions and slopes.
#include "davit/cable/beam_equations.hpp"

#include <algorithm>
#include <cmath>

#include "davit/cable/beam_laws.hpp"
#include "davit/cable/point_laws.hpp"

namespace davit::cable {

namespace {

// Coordinates of four elements: position and slope of their first and second nodes.
struct NodePacks {
  Pack3 of[4];
  NodePacks(const std::vector<double>& array, int stride, int node) {
    for (int i = 0; i < 4; ++i)
      for (int axis = 0; axis < 3; ++axis) {
        const double* p = array.data() + (3 * (i % 2) + axis) * stride + node + i / 2;
        (axis == 0 ? of[i].x : axis == 1 ? of[i].y : of[i].z) = Eigen::Map<const Pack>(p);
      }
  }
  Pack3 with(const Pack* shape) const {
    return shape[0] * of[0] + shape[1] * of[1] + shape[2] * of[2] + shape[3] * of[3];
  }
};

constexpr SymIndex symmetric[9] = {XX, XY, XZ, XY, YY, YZ, XZ, YZ, ZZ};

// What acts at a point of the elements goes to the coordinates of their nodes.
void distribute(const Hermite<Pack>& n, const Pack& piece, const PointLoads& loads, const BeamStress& stress,
                BeamEquationPack& out) {
  for (int i = 0; i < 4; ++i) {
    const Pack value = piece * n.value[i], slope = piece * n.slope[i], bend = piece * n.bend[i];
    const Pack3 force = value * loads.residual + slope * stress.slope + bend * stress.bend;
    out.residual[i][0] += force.x, out.residual[i][1] += force.y, out.residual[i][2] += force.z;
    for (int j = i; j < 4; ++j) {
      const Pack vv = value * n.value[j], ss = slope * n.slope[j], bb = bend * n.bend[j], bs = bend * n.slope[j],
                 sb = slope * n.bend[j];
      Pack* block = out.tangent[i][j];
      for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column) {
          const SymIndex c = symmetric[3 * row + column];
          block[3 * row + column] += vv * loads.tangent.s[c] + ss * stress.slope_slope.s[c] +
                                     bb * stress.bend_bend.s[c] + bs * stress.bend_slope[3 * row + column] +
                                     sb * stress.bend_slope[3 * column + row];
        }
    }
  }
}

}  // namespace

void Beam::gauss_points(const double* coordinates, int stride, int elements, Vec3* out) const {
  for (int e = 0; e < elements; ++e)
    for (int g = 0; g < beam_points; ++g) {
      const Hermite<double> n(beam_place[g], rest_length_[static_cast<size_t>(e)]);
      Vec3& r = out[beam_points * e + g];
      r.setZero();
      for (int i = 0; i < 4; ++i)
        for (int axis = 0; axis < 3; ++axis)
          r[axis] += n.value[i] * coordinates[(3 * (i % 2) + axis) * stride + e + i / 2];
    }
}

void BeamEquations::evaluate(const Rates& rates, const double* before) {
  choose(work_.open, before && line_.bed_.rough(), line_.bed_.uneven(),
         [&]<bool open, bool rough, bool uneven>() { elements<open, rough, uneven>(rates, before); });
  for (const NodeLoad& n : line_.loads_) {
    const NodeLoads loads = line_.attachment_loads(n, work_, rates);
    add_at_node(n.node, 0, loads.residual, loads.tangent);
  }
  add_at_end(0, line_.options_.load_a);
  add_at_end(line_.elements(), line_.options_.load_b);
}

template <bool open, bool rough, bool uneven>
void BeamEquations::elements(const Rates& rates, const double* before) {
  const BedOfLine& bed = line_.bed_;
  const double gravity = line_.surroundings_.water.gravity;
  const int stride = work_.stride;
  for (size_t p = 0; p < line_.packs_.size(); ++p) {
    const ElementPack& e = line_.packs_[p];
    const int node = lanes * static_cast<int>(p);
    const NodePacks q(work_.position, stride, node), u(work_.velocity, stride, node),
        w(work_.acceleration, stride, node);
    BeamEquationPack& out = work_.equations[p];
    for (int i = 0; i < 4; ++i) {
      for (Pack& x : out.residual[i]) x.setZero();
      for (int j = i; j < 4; ++j)
        for (Pack& x : out.tangent[i][j]) x.setZero();
    }
    for (int g = 0; g < beam_points; ++g) {
      const Hermite<Pack> n(beam_place[g], e.length);
      const Pack piece = beam_weight[g] * e.length;
      const Pack3 r1 = q.with(n.slope), r2 = q.with(n.bend), v1 = u.with(n.slope), v2 = u.with(n.bend);
      const Pack squared = dot(r1, r1).max(1e-30);
      BeamStress stress;
      std::optional<BranchPull> branch;
      if (const size_t at = beam_points * p + static_cast<size_t>(g); line_.relaxes_)
        branch = {&work_.branch_base[at], &work_.branch_slope[at]};
      add_stretching(e, line_.options_.strain, rates.velocity, r1, v1, squared, branch, stress);
      add_bending(e, rates.velocity, r1, r2, v1, v2, squared, stress);

      const Pack3 r = q.with(n.value), v = u.with(n.value), t = squared.rsqrt() * r1;
      const PointMotion motion{r, v, w.with(n.value), t, 0.5 * (e.diameter + piece * r1.z.abs())};
      PointWater water;
      if constexpr (open) water = water_at(work_, static_cast<int>(p), beam_points, g);
      PointLoads loads = in_water<open>(e, motion, &water, rates, gravity);
      const auto touch = [&](const auto& plane) {
        const Pack embedment = plane.level + e.axis_height - dot(r, plane.normal);
        if ((embedment > 0).any()) add_bed(e, bed, plane, rates, embedment, v, loads);
        if constexpr (rough) {
          const int per_element = line_.layout_.friction_stride(), at = per_element * node + 2 * g;
          const Pack3 moved = NodePacks(work_.increment, stride, node).with(n.value);
          add_friction(e, bed, plane, embedment, t, moved, work_.friction.data() + at,
                       before + line_.layout_.friction() + at, per_element, line_.elements() - node, loads);
        }
      };
      if constexpr (uneven) {
        touch(planes_at(work_, static_cast<int>(p), beam_points, g));
      } else if (bed.present) {
        touch(bed.plane);
      }
      distribute(n, piece, loads, stress, out);
    }
  }
}

// A moment m does work on the turn of the tangent, ω = t × ṫ: its force on the slope is m × r'/|r'|². Of its derivative
// the symmetric part is taken, which is all of it as long as the line stays in the plane across the moment.
void BeamEquations::add_at_end(int node, const EndLoad& end) {
  if (end.force.isZero() && end.moment.isZero()) return;
  add_at_node(node, 0, -end.force, Mat3::Zero());
  Vec3 slope;
  for (int axis = 0; axis < 3; ++axis)
    slope[axis] = work_.position[static_cast<size_t>((3 + axis) * work_.stride + node)];
  const double squared = slope.squaredNorm();
  const Vec3 turn = end.moment.cross(slope) / squared;
  const Mat3 half = turn * slope.transpose() / squared;
  add_at_node(node, 1, -turn, half + half.transpose());
}

void BeamEquations::add_at_node(int node, int row, const Vec3& residual, const Mat3& tangent) {
  const bool last = node == line_.elements();
  const int element = last ? node - 1 : node, lane = element % lanes, i = row + (last ? 2 : 0);
  BeamEquationPack& out = work_.equations[static_cast<size_t>(element / lanes)];
  for (int r = 0; r < 3; ++r) {
    out.residual[i][r][lane] += residual[r];
    for (int c = 0; c < 3; ++c) out.tangent[i][i][3 * r + c][lane] += tangent(r, c);
  }
}

}  // namespace davit::cable
