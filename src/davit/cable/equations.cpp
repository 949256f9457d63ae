// The equations of bars: tension, and loads at two Gauss points of an element, distributed to its nodes.
#include "davit/cable/equations.hpp"

#include <algorithm>
#include <cmath>

#include "davit/cable/point_laws.hpp"

namespace davit::cable {

namespace {

// Two Gauss points: the share of the second node, and of the first one by symmetry.
constexpr double far_share = 0.78867513459481288, near_share = 1 - far_share;
constexpr double second_share[2] = {near_share, far_share};

const Pack none = Pack::Zero();

}  // namespace

void Line::gauss_points(const double* x, int stride, int elements, Vec3* out) const {
  const double *y = x + stride, *z = y + stride;
  for (int i = 0; i < 2 * elements; ++i) {
    const int e = i / 2;
    const double b = second_share[i % 2], a = 1 - b;
    out[i] = Vec3(a * x[e] + b * x[e + 1], a * y[e] + b * y[e + 1], a * z[e] + b * z[e + 1]);
  }
}

void LineEquations::evaluate(const Rates& rates, const double* before) {
  choose(work_.open, before && line_.bed_.rough(), line_.bed_.uneven(),
         [&]<bool open, bool rough, bool uneven>() { elements<open, rough, uneven>(rates, before); });
  attachments(rates);
}

template <bool open, bool rough, bool uneven>
void LineEquations::elements(const Rates& rates, const double* before) {
  const BedOfLine& bed = line_.bed_;
  const double gravity = line_.surroundings_.water.gravity, cv = rates.velocity;
  const int stride = work_.stride;
  const size_t last = static_cast<size_t>((work_.elements - 1) / lanes);
  for (size_t p = 0; p <= last; ++p) {
    const ElementPack& e = p == last ? work_.last_pack : line_.packs_[p];
    const int node = lanes * static_cast<int>(p);
    const Pack3 r1 = load(work_.position, stride, node), r2 = load(work_.position, stride, node + 1);
    const Pack3 v1 = load(work_.velocity, stride, node), v2 = load(work_.velocity, stride, node + 1);
    const Pack3 a1 = load(work_.acceleration, stride, node), a2 = load(work_.acceleration, stride, node + 1);
    const Pack3 d = r2 - r1;
    const Pack stretched = dot(d, d).max(1e-30).sqrt(), per_stretched = stretched.inverse();
    const Pack& per_length = e.per_length;
    const Pack3 t = per_stretched * d;

    // T = EA (ε + τ ε̇), never less than zero; tangent along the bar and T/l across.
    const Pack strain = (stretched - e.length) * per_length;
    Pack elastic = e.EA * strain + e.EA_tau * (dot(t, v2 - v1) * per_length);
    Pack slope = e.EA + cv * e.EA_tau;
    if (line_.relaxes_) {
      elastic += work_.branch_base[p] + work_.branch_slope[p] * strain;
      slope += work_.branch_slope[p];
    }
    const TautPull pull(elastic, e.onset);
    const Pack tension = pull.tension, across = tension * per_stretched;
    const Pack along = pull.share * slope * per_length;
    PackSym axial = PackSym::identity_times(across);
    axial.add(Pack(along - across), t);

    EquationPack& out = work_.equations[p];
    const Pack3 force = tension * t;
    Pack3 first{-force.x, -force.y, -force.z}, second = force;
    for (int c = 0; c < sym_size; ++c) out.k11[c] = out.k22[c] = axial.s[c], out.k12[c] = -axial.s[c];

    const Pack half = 0.5 * e.length;
    for (int g = 0; g < 2; ++g) {
      const double s2 = second_share[g], s1 = 1 - s2;
      const Pack3 r = s1 * r1 + s2 * r2, v = s1 * v1 + s2 * v2, a = s1 * a1 + s2 * a2;
      // A quarter of the bar on each side of the point belongs to it.
      const PointMotion motion{r, v, a, t, open ? Pack(0.5 * e.diameter + 0.25 * d.z.abs()) : none};
      PointWater water;
      if constexpr (open) water = water_at(work_, static_cast<int>(p), 2, g);
      PointLoads loads = in_water<open>(e, motion, &water, rates, gravity);

      const auto touch = [&](const auto& plane) {
        const Pack embedment = plane.level + e.axis_height - dot(r, plane.normal);
        if ((embedment > 0).any()) add_bed(e, bed, plane, rates, embedment, v, loads);
        if constexpr (rough) {
          const int at = 4 * node + 2 * g;
          const Pack3 moved = s1 * load(work_.increment, stride, node) + s2 * load(work_.increment, stride, node + 1);
          add_friction(e, bed, plane, embedment, t, moved, work_.friction.data() + at,
                       before + line_.layout_.friction() + at, 4, work_.elements - node, loads);
        }
      };
      if constexpr (uneven) {
        touch(planes_at(work_, static_cast<int>(p), 2, g));
      } else if (bed.present) {
        touch(bed.plane);
      }
      first = first + (s1 * half) * loads.residual;
      second = second + (s2 * half) * loads.residual;
      const Pack w11 = s1 * s1 * half, w12 = s1 * s2 * half, w22 = s2 * s2 * half;
      for (int c = 0; c < sym_size; ++c) {
        out.k11[c] += w11 * loads.tangent.s[c];
        out.k12[c] += w12 * loads.tangent.s[c];
        out.k22[c] += w22 * loads.tangent.s[c];
      }
    }
    out.first[0] = first.x, out.first[1] = first.y, out.first[2] = first.z;
    out.second[0] = second.x, out.second[1] = second.y, out.second[2] = second.z;
  }
}

void LineEquations::attachments(const Rates& rates) {
  for (const NodeLoad& n : line_.loads_) {
    const NodeLoads loads = line_.attachment_loads(n, work_, rates);
    add_at_node(n.node, loads.residual, loads.tangent);
  }
}

void LineEquations::add_at_node(int node, const Vec3& residual, const Mat3& tangent) {
  EquationPack& out = work_.equations[static_cast<size_t>(node / lanes)];
  const int lane = node % lanes;
  for (int c = 0; c < 3; ++c) out.first[c][lane] += residual[c];
  int index = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j) out.k11[index++][lane] += tangent(i, j);
}

}  // namespace davit::cable
