#include "davit/cable/equations.hpp"

#include <algorithm>
#include <cmath>

#include "davit/cable/element_kernel.hpp"

namespace davit::cable {

namespace {

// Two Gauss points: the share of the second node, and of the first one by symmetry.
constexpr double far_share = 0.78867513459481288, near_share = 1 - far_share;
constexpr double second_share[2] = {near_share, far_share};

const Pack none = Pack::Zero();

struct GaussWater {
  Pack3 velocity, acceleration;
  Pack surface;
};
void put(Pack3& of, int lane, const Vec3& v) { of.x[lane] = v.x(), of.y[lane] = v.y(), of.z[lane] = v.z(); }

GaussWater gather(const LineWork& work, int pack, int point) {
  GaussWater out;
  for (int lane = 0; lane < lanes; ++lane) {
    const WaterSample& s = work.samples[static_cast<size_t>(2 * (lanes * pack + lane) + point)];
    put(out.velocity, lane, s.velocity);
    put(out.acceleration, lane, s.acceleration);
    out.surface[lane] = s.surface;
  }
  return out;
}

using PackPlane = PlaneOf<Pack3, Pack>;
PackPlane gather_planes(const LineWork& work, int pack, int point) {
  PackPlane out;
  for (int lane = 0; lane < lanes; ++lane) {
    const LocalPlane& p = work.planes[static_cast<size_t>(2 * (lanes * pack + lane) + point)];
    put(out.normal, lane, p.normal);
    put(out.along, lane, p.along);
    put(out.across, lane, p.across);
    out.level[lane] = p.level;
  }
  return out;
}

// What happens at a Gauss point, per metre: force that must be held and its tangent.
struct PointLoads {
  Pack3 residual;
  PackSym tangent;
};

// The bed pushes by k p and damps by c v, ramped in; the derivative of the ramp counts where the line comes down, and
// would make the matrix indefinite where it is pulled out.
template <class Plane>
void add_bed(const ElementPack& e, const BedOfLine& bed, const Plane& plane, const Rates& rates, const Pack& embedment,
             const Pack3& v, PointLoads& loads) {
  const auto touching = embedment > 0;
  const double per_ramp = 1 / bed.ramp;
  const Pack depth = embedment.max(0.0), ramp = (depth * per_ramp).min(1.0), speed = dot(v, plane.normal);
  const Pack push = e.bed_stiffness * depth - e.bed_damping * ramp * speed;
  const Pack landing = (depth < bed.ramp).select((-speed).max(0.0) * per_ramp * e.bed_damping, none);
  const Pack slope = e.bed_stiffness + rates.velocity * ramp * e.bed_damping + landing;
  loads.residual = loads.residual - times(push, plane.normal);
  loads.tangent.add(Pack(touching.select(slope, none)), plane.normal);
}

// Springs along and across the line that give `stick_length` under its own weight and slip at Coulomb's limit.
// Stretches are the same for both at the limit, so that the return to it is a scaling (an ellipse of forces).
template <class Plane>
void add_friction(const ElementPack& e, const BedOfLine& bed, const Plane& plane, const Pack& embedment, const Pack3& t,
                  const Pack3& moved, double* stretches, const double* stretches_before, int live, PointLoads& loads) {
  Pack s1, s2;
  for (int lane = 0; lane < lanes; ++lane) {
    s1[lane] = lane < live ? stretches_before[4 * lane] : 0;
    s2[lane] = lane < live ? stretches_before[4 * lane + 1] : 0;
  }
  s1 += dot(moved, plane.along);
  s2 += dot(moved, plane.across);
  const Pack weight = e.weight.max(1e-30);
  const Pack limit = bed.stick_length * e.bed_stiffness * embedment.max(0.0) / weight;
  const Pack size = (s1 * s1 + s2 * s2 + 1e-30).sqrt(), factor = (limit / size).min(1.0);
  const auto slips = limit < size;
  const Pack n1 = s1 / size, n2 = s2 / size;
  s1 *= factor;
  s2 *= factor;
  // Direction of the line in the plane.
  Pack d1 = dot(t, plane.along), d2 = dot(t, plane.across);
  const Pack flat = (d1 * d1 + d2 * d2 + 1e-30).sqrt();
  d1 /= flat;
  d2 /= flat;
  const Pack ka = e.weight * (bed.friction_along / bed.stick_length),
             kc = e.weight * (bed.friction_across / bed.stick_length);
  const Pack sa = s1 * d1 + s2 * d2, sc = s2 * d1 - s1 * d2;
  const Pack q1 = ka * sa * d1 - kc * sc * d2, q2 = ka * sa * d2 + kc * sc * d1;
  loads.residual = loads.residual + times(q1, plane.along) + times(q2, plane.across);
  const auto touching = embedment > 0;
  const Pack soft = factor * ka.min(kc);
  const Pack t11 = touching.select(slips.select(soft * n2 * n2, ka * d1 * d1 + kc * d2 * d2), none);
  const Pack t22 = touching.select(slips.select(soft * n1 * n1, ka * d2 * d2 + kc * d1 * d1), none);
  const Pack t12 = touching.select(slips.select(-soft * n1 * n2, (ka - kc) * d1 * d2), none);
  // t₁₁ e₁e₁ᵀ + t₁₂ (e₁e₂ᵀ + e₂e₁ᵀ) + t₂₂ e₂e₂ᵀ, the middle as ((e₁ + e₂)² − e₁² − e₂²)
  loads.tangent.add(Pack(t11 - t12), plane.along);
  loads.tangent.add(Pack(t22 - t12), plane.across);
  loads.tangent.add(t12, std::decay_t<decltype(plane.along)>(plane.along + plane.across));
  for (int lane = 0; lane < std::min(live, lanes); ++lane) {
    stretches[4 * lane] = s1[lane];
    stretches[4 * lane + 1] = s2[lane];
  }
}

}  // namespace

void LineEquations::sample(double time, bool with_waves) {
  const Surroundings& around = line_.surroundings_;
  const int n = work_.elements + 1, stride = work_.stride;
  const double* z = work_.position.data() + 2 * stride;
  const bool waves = with_waves && around.waves;
  const double margin = 1;  // m that a node may move in the iterations
  work_.open = waves || around.current || *std::max_element(z, z + n) > -margin;
  const bool uneven = line_.bed_.uneven();
  if (!work_.open && !uneven) return;
  const double* x = work_.position.data();
  const double* y = x + stride;
  const int points = 2 * work_.elements;
  for (int i = 0; i < points; ++i) {
    const int e = i / 2;
    const double b = second_share[i % 2], a = 1 - b;
    Vec3 p(a * x[e] + b * x[e + 1], a * y[e] + b * y[e + 1], a * z[e] + b * z[e + 1]);
    if (uneven) work_.planes[static_cast<size_t>(i)] = line_.bed_.at(p);
    const double buried = line_.bed_.embedment(p);
    if (buried > 0) p += buried * line_.bed_.at(p).normal;
    work_.sample_points[static_cast<size_t>(i)] = p;
    work_.samples[static_cast<size_t>(i)] = {};
  }
  if (waves) around.waves(time, work_.sample_points.data(), points, work_.samples.data());
  if (!around.current) return;
  for (int i = 0; i < points; ++i)
    work_.samples[static_cast<size_t>(i)].velocity +=
        around.current->velocity(work_.sample_points[static_cast<size_t>(i)].z());
}

void LineEquations::evaluate(const Rates& rates, const double* before) {
  const bool rough = before && line_.bed_.rough();
  const auto run = [&]<bool open, bool uneven>() {
    rough ? elements<open, true, uneven>(rates, before) : elements<open, false, uneven>(rates, before);
  };
  if (line_.bed_.uneven()) {
    work_.open ? run.operator()<true, true>() : run.operator()<false, true>();
  } else {
    work_.open ? run.operator()<true, false>() : run.operator()<false, false>();
  }
  attachments(rates);
}

template <bool open, bool rough, bool uneven>
void LineEquations::elements(const Rates& rates, const double* before) {
  const BedOfLine& bed = line_.bed_;
  const double gravity = line_.surroundings_.water.gravity, cv = rates.velocity, ca = rates.acceleration;
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
    Pack pull = e.EA * strain + e.EA_tau * (dot(t, v2 - v1) * per_length);
    Pack slope = e.EA + cv * e.EA_tau;
    if (line_.relaxes_) {
      pull += work_.branch_base[p] + work_.branch_slope[p] * strain;
      slope += work_.branch_slope[p];
    }
    const Pack tension = pull.max(0.0), across = tension * per_stretched;
    const Pack along = (pull > 0).select(slope * per_length, none);
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
      PointLoads loads;
      Pack wet = Pack::Ones(), wet_slope = none;
      Pack3 through = v, past = a;  // relative to the water
      Pack3 pressed{none, none, none};
      if constexpr (open) {
        const GaussWater water = gather(work_, static_cast<int>(p), g);
        // A quarter of the bar on each side of the point belongs to it.
        const Pack reach = 0.5 * e.diameter + 0.25 * d.z.abs();
        const Pack under = 0.5 - 0.5 * (r.z - water.surface) / reach;
        wet = under.max(0.0).min(1.0);
        wet_slope = (under > 0 && under < 1).select(0.5 / reach, none);
        through = v - water.velocity;
        past = a - water.acceleration;
        pressed = water.acceleration;
      }
      // Morison: drag and added mass across and along the bar, and the pressure of the flow itself.
      const Pack vt = dot(through, t);
      const Pack3 vn = through - vt * t;
      const Pack speed = dot(vn, vn).sqrt();
      const Pack dn = wet * e.drag_normal, dt = wet * e.drag_tangential;
      const Pack drag = dn * speed, drag_along = dt * vt.abs();
      const Pack added = wet * e.added_normal, tilt = wet * (e.added_tangential - e.added_normal);
      const Pack water_along = tilt * dot(past, t);
      loads.residual = e.mass * a + added * past + (water_along + drag_along * vt) * t + drag * vn;
      if constexpr (open) loads.residual = loads.residual - (wet * e.displaced) * pressed;
      loads.residual.z += gravity * (e.mass - wet * e.displaced);
      loads.tangent = PackSym::identity_times(ca * (e.mass + added) + cv * drag);
      loads.tangent.add(Pack(ca * tilt + cv * (2 * drag_along - drag)), t);
      loads.tangent.add(Pack(cv * dn / speed.max(1e-9)), vn);
      if constexpr (open) loads.tangent.s[ZZ] += gravity * e.displaced * wet_slope;

      const auto touch = [&](const auto& plane) {
        const Pack embedment = plane.level - dot(r, plane.normal);
        if ((embedment > 0).any()) add_bed(e, bed, plane, rates, embedment, v, loads);
        if constexpr (rough) {
          const int at = 4 * node + 2 * g;
          const Pack3 moved = s1 * load(work_.increment, stride, node) + s2 * load(work_.increment, stride, node + 1);
          add_friction(e, bed, plane, embedment, t, moved, work_.friction.data() + at,
                       before + line_.layout_.friction() + at, work_.elements - node, loads);
        }
      };
      if constexpr (uneven) {
        touch(gather_planes(work_, static_cast<int>(p), g));
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
  const double gravity = line_.surroundings_.water.gravity;
  const BedOfLine& bed = line_.bed_;
  for (const NodeLoad& n : line_.loads_) {
    const auto at = [&](const std::vector<double>& array) {
      const double* p = array.data() + n.node;
      return Vec3(p[0], p[work_.stride], p[2 * work_.stride]);
    };
    const Vec3 r = at(work_.position), v = at(work_.velocity), a = at(work_.acceleration);
    WaterSample water;
    if (work_.open) water = work_.samples[static_cast<size_t>(2 * n.node)];
    const double under = 0.5 - 0.5 * (r.z() - water.surface) / n.radius, wet = std::clamp(under, 0.0, 1.0);
    const Vec3 through = v - water.velocity;
    const double speed = through.norm(), drag = wet * n.drag, added = wet * n.added, displaced = wet * n.displaced;
    Vec3 residual =
        n.mass * a + added * (a - water.acceleration) - displaced * water.acceleration + drag * speed * through;
    residual.z() += gravity * (n.mass - displaced);
    Mat3 tangent = Mat3::Identity() * (rates.acceleration * (n.mass + added) + rates.velocity * drag * speed);
    tangent += through * through.transpose() * (rates.velocity * drag / std::max(speed, 1e-9));
    if (under > 0 && under < 1) tangent(2, 2) += gravity * n.displaced * 0.5 / n.radius;
    const LocalPlane plane = bed.at(r);
    const double embedment = bed.present ? plane.level - r.dot(plane.normal) : 0;
    if (embedment > 0) {
      const double ramp = std::min(1.0, embedment / bed.ramp);
      residual -= (n.bed_stiffness * embedment - n.bed_damping * ramp * v.dot(plane.normal)) * plane.normal;
      tangent += (n.bed_stiffness + rates.velocity * ramp * n.bed_damping) * plane.normal * plane.normal.transpose();
    }
    add_at_node(n.node, residual, tangent);
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
