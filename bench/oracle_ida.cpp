// Three closed loops as differential-algebraic equations in Cartesian coordinates, written out here in plain C++ and
// solved by SUNDIALS IDA (BDF of variable order): what `davit verify loops` and `squeezer` compare with. Nothing of
// Davit is used. Every body of the plane has x, y of its centre and an angle φ; joints are points of two bodies that
// stay together:
//   q̇ = v,  M v̇ = f + Gᵀ λ,  G v̇ = γ        (index 1; the gap that grows is printed)
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_config.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

namespace {

struct Point {
  double x, y;
};
struct PlaneBody {
  double mass, inertia;
  double x, y, angle;       // at the start
  double vx, vy, rate = 0;  // …
};
constexpr int ground = -1;
// A point of body a that stays with a point of body b, both in their axes.
struct Pin {
  int a, b;
  Point at_a, at_b;
};
// A coordinate (3 · body + 0, 1, 2) that keeps its value.
struct Stop {
  int coordinate;
};

struct Problem {
  const char* name;
  std::vector<PlaneBody> bodies;
  std::vector<Pin> pins;
  std::vector<Stop> stops;
  std::function<void(const double* q, double* f)> forces;
  double end;
  double scale_q = 1, scale_v = 1;  // typical sizes, for the tolerances

  int coordinates() const { return 3 * static_cast<int>(bodies.size()); }
  int rows() const { return 2 * static_cast<int>(pins.size()) + static_cast<int>(stops.size()); }
  int size() const { return 2 * coordinates() + rows(); }
};

Point turned(const double* q, int body, const Point& s) {
  if (body == ground) return s;
  const double c = std::cos(q[3 * body + 2]), n = std::sin(q[3 * body + 2]);
  return {c * s.x - n * s.y, n * s.x + c * s.y};
}
Point place(const double* q, int body, const Point& s) {
  const Point arm = turned(q, body, s);
  return body == ground ? arm : Point{q[3 * body] + arm.x, q[3 * body + 1] + arm.y};
}
// The point of a body that is at a place of the plane at the start.
Point local(const std::vector<PlaneBody>& bodies, int body, const Point& p) {
  if (body == ground) return p;
  const PlaneBody& b = bodies[static_cast<size_t>(body)];
  const double c = std::cos(b.angle), n = std::sin(b.angle), dx = p.x - b.x, dy = p.y - b.y;
  return {c * dx + n * dy, -n * dx + c * dy};
}
void pin(Problem& p, int a, int b, const Point& at) {
  p.pins.push_back({a, b, local(p.bodies, a, at), local(p.bodies, b, at)});
}

// residual = { q̇ - v ;  M v̇ - f - Gᵀλ ;  G v̇ - γ }
int residual(double, N_Vector y_vector, N_Vector rate_vector, N_Vector out_vector, void* data) {
  const Problem& p = *static_cast<const Problem*>(data);
  const int n = p.coordinates();
  const double *q = N_VGetArrayPointer(y_vector), *v = q + n, *lambda = v + n;
  const double *q_rate = N_VGetArrayPointer(rate_vector), *v_rate = q_rate + n;
  double *out = N_VGetArrayPointer(out_vector), *motion = out + n, *rows = motion + n;
  std::vector<double> f(static_cast<size_t>(n), 0.0);
  p.forces(q, f.data());
  for (int i = 0; i < n; ++i) {
    const PlaneBody& b = p.bodies[static_cast<size_t>(i / 3)];
    out[i] = q_rate[i] - v[i];
    motion[i] = (i % 3 == 2 ? b.inertia : b.mass) * v_rate[i] - f[static_cast<size_t>(i)];
  }
  int row = 0;
  for (const Pin& j : p.pins) {
    rows[row] = rows[row + 1] = 0;
    const struct {
      int body;
      Point at;
      double sign;
    } sides[] = {{j.a, j.at_a, 1}, {j.b, j.at_b, -1}};
    for (const auto& side : sides) {
      if (side.body == ground) continue;
      const int i = 3 * side.body;
      const Point arm = turned(q, side.body, side.at);
      const double w = v[i + 2], w_rate = v_rate[i + 2];
      motion[i] -= side.sign * lambda[row];
      motion[i + 1] -= side.sign * lambda[row + 1];
      motion[i + 2] -= side.sign * (arm.x * lambda[row + 1] - arm.y * lambda[row]);
      rows[row] += side.sign * (v_rate[i] - arm.y * w_rate - arm.x * w * w);
      rows[row + 1] += side.sign * (v_rate[i + 1] + arm.x * w_rate - arm.y * w * w);
    }
    row += 2;
  }
  for (const Stop& s : p.stops) {
    motion[s.coordinate] -= lambda[row];
    rows[row] = v_rate[s.coordinate];
    ++row;
  }
  return 0;
}

void require(int code, const char* what) {
  if (code >= 0) return;
  std::fprintf(stderr, "%s failed: %d\n", what, code);
  std::exit(1);
}

// The state at the end.
std::vector<double> solve(Problem& p, double tolerance) {
  SUNContext context = nullptr;
  SUNContext_Create(nullptr, &context);
  const int n = p.coordinates(), size = p.size();
  N_Vector y = N_VNew_Serial(size, context), rate = N_VClone(y), limits = N_VClone(y), kind = N_VClone(y);
  N_VConst(0, y);
  N_VConst(0, rate);
  double *values = N_VGetArrayPointer(y), *rates = N_VGetArrayPointer(rate), *bounds = N_VGetArrayPointer(limits),
         *kinds = N_VGetArrayPointer(kind);
  for (int i = 0; i < n; ++i) {
    const PlaneBody& b = p.bodies[static_cast<size_t>(i / 3)];
    const double start[] = {b.x, b.y, b.angle}, speed[] = {b.vx, b.vy, b.rate};
    values[i] = start[i % 3];
    values[n + i] = rates[i] = speed[i % 3];
  }
  for (int i = 0; i < size; ++i) {
    bounds[i] = i < n ? tolerance * p.scale_q : i < 2 * n ? tolerance * p.scale_v : 1;
    kinds[i] = i < 2 * n ? 1 : 0;
  }
  void* ida = IDACreate(context);
  require(IDAInit(ida, residual, 0, y, rate), "IDAInit");
  require(IDASVtolerances(ida, tolerance, limits), "IDASVtolerances");
  require(IDASetUserData(ida, &p), "IDASetUserData");
  require(IDASetId(ida, kind), "IDASetId");
  require(IDASetSuppressAlg(ida, SUNTRUE), "IDASetSuppressAlg");
  require(IDASetMaxNumSteps(ida, 100000000), "IDASetMaxNumSteps");
  SUNMatrix matrix = SUNDenseMatrix(size, size, context);
  SUNLinearSolver linear = SUNLinSol_Dense(y, matrix, context);
  require(IDASetLinearSolver(ida, linear, matrix), "IDASetLinearSolver");
  require(IDACalcIC(ida, IDA_YA_YDP_INIT, p.end / 1000), "IDACalcIC");
  require(IDASetStopTime(ida, p.end), "IDASetStopTime");
  double reached = 0;
  require(IDASolve(ida, p.end, &reached, y, rate, IDA_NORMAL), "IDASolve");
  long steps = 0;
  IDAGetNumSteps(ida, &steps);
  double gap = 0;
  for (const Pin& j : p.pins) {
    const Point a = place(values, j.a, j.at_a), b = place(values, j.b, j.at_b);
    gap = std::max({gap, std::abs(a.x - b.x), std::abs(a.y - b.y)});
  }
  std::printf("%s at %g s, tolerance %.0e: %ld steps, gap %.1e\n", p.name, reached, tolerance, steps, gap);
  std::vector<double> out(values, values + 2 * n);
  for (N_Vector v : {y, rate, limits, kind}) N_VDestroy(v);
  IDAFree(&ida);
  SUNLinSolFree(linear);
  SUNMatDestroy(matrix);
  SUNContext_Free(&context);
  return out;
}

double thin_rod(double mass, double length) { return mass * length * length / 12; }

Problem slider_crank() {
  const double r = 0.5, l = 1, torque = 10;
  Problem p{"planar slider-crank", {}, {}, {}, {}, 1};
  p.bodies = {
      {2, thin_rod(2, r), r / 2, 0, 0, 0, 0}, {4, thin_rod(4, l), r + l / 2, 0, 0, 0, 0}, {1, 1, r + l, 0, 0, 0, 0}};
  pin(p, 0, ground, {0, 0});
  pin(p, 0, 1, {r, 0});
  pin(p, 1, 2, {r + l, 0});
  p.stops = {{7}, {8}};
  p.forces = [=](const double*, double* f) { f[2] = torque; };
  p.scale_v = 10;
  return p;
}

Problem four_bar() {
  // Crank, coupler, rocker and ground, started at this crank angle and rate.
  const double g = 3, a = 1, b = 3, c = 2.5, th = 0.4, rate = 8;
  const double dx = a * std::cos(th) - g, dy = a * std::sin(th), d = std::hypot(dx, dy);
  const double ps = std::atan2(dy, dx) - std::acos((c * c + d * d - b * b) / (2 * c * d));
  const double be = std::atan2(c * std::sin(ps) - a * std::sin(th), g + c * std::cos(ps) - a * std::cos(th));
  const double coupler = a * rate * std::sin(ps - th) / (b * std::sin(be - ps)),
               rocker = a * rate * std::sin(be - th) / (c * std::sin(be - ps));
  Problem p{"crank and rocker", {}, {}, {}, {}, 3};
  const auto bar = [&](double mass, double length, const Point& from, double angle, double vx, double vy, double w) {
    const double x = length / 2 * std::cos(angle), y = length / 2 * std::sin(angle);
    p.bodies.push_back({mass, thin_rod(mass, length), from.x + x, from.y + y, angle, vx - w * y, vy + w * x, w});
  };
  const Point tip{a * std::cos(th), a * std::sin(th)};
  bar(2, a, {0, 0}, th, 0, 0, rate);
  bar(3, b, tip, be, -rate * tip.y, rate * tip.x, coupler);
  bar(4, c, {g, 0}, ps, 0, 0, rocker);
  pin(p, 0, ground, {0, 0});
  pin(p, 0, 1, tip);
  pin(p, 2, ground, {g, 0});
  pin(p, 1, 2, {g + c * std::cos(ps), c * std::sin(ps)});
  p.forces = [](const double*, double* f) {
    for (int i = 0; i < 3; ++i) f[3 * i + 1] = -9.81 * (2 + i);
  };
  p.scale_v = 10;
  return p;
}

// Andrews' squeezer with the data and names of the IVP test set.
Problem squeezer() {
  const double be = -0.0617138900142764496, ga = 0.455279819163070380, ph = 0.222668390165885885,
               de = 0.487364979543842550, om = -0.222668390165885885, ep = 1.23054744454982119, th = 0;
  const double xa = -.06934, ya = -.00227, xb = -.03635, yb = .03273, xc = .014, yc = .072, c0 = 4530, l0 = .07785,
               torque = .033, d = .028, da = .0115, e = .02, ea = .01421, rr = .007, ra = .00092, sa = .01874,
               sb = .01043, sc = .018, sd = .02, ta = .02308, tb = .00916, u = .04, ua = .01228, ub = .00449, zf = .02,
               zt = .04, fa = .01421;
  using std::cos, std::sin;
  Problem p{"Andrews' squeezer", {}, {}, {}, {}, 0.03};
  const auto body = [&](double mass, double inertia, double x, double y, double angle) {
    p.bodies.push_back({mass, inertia, x, y, angle, 0, 0});
  };
  body(.04325, 2.194e-6, ra * cos(be), ra * sin(be), be);
  body(.00365, 4.410e-7, rr * cos(be) - da * cos(be + th), rr * sin(be) - da * sin(be + th), be + th);
  body(.02373, 5.255e-6, xb + sa * sin(ga) + sb * cos(ga), yb - sa * cos(ga) + sb * sin(ga), ga);
  body(.00706, 5.667e-7, xa + zt * cos(de) + (e - ea) * sin(ph + de), ya + zt * sin(de) - (e - ea) * cos(ph + de),
       ph + de);
  body(.07050, 1.169e-5, xa + ta * cos(de) - tb * sin(de), ya + ta * sin(de) + tb * cos(de), de);
  body(.00706, 5.667e-7, xa + u * sin(ep) + (zf - fa) * cos(om + ep), ya - u * cos(ep) + (zf - fa) * sin(om + ep),
       om + ep);
  body(.05498, 1.912e-5, xa + ua * sin(ep) - ub * cos(ep), ya - ua * cos(ep) - ub * sin(ep), ep);
  const Point common{rr * cos(be) - d * cos(be + th), rr * sin(be) - d * sin(be + th)};
  pin(p, 0, ground, {0, 0});
  pin(p, 0, 1, {rr * cos(be), rr * sin(be)});
  pin(p, 2, ground, {xb, yb});
  pin(p, 4, ground, {xa, ya});
  pin(p, 4, 3, {xa + zt * cos(de), ya + zt * sin(de)});
  pin(p, 6, ground, {xa, ya});
  pin(p, 6, 5, {xa + u * sin(ep), ya - u * cos(ep)});
  for (const int other : {2, 3, 5}) pin(p, 1, other, common);
  const Point spring = local(p.bodies, 2, {xb + sd * cos(ga) + sc * sin(ga), yb + sd * sin(ga) - sc * cos(ga)});
  p.forces = [=](const double* q, double* f) {
    f[2] = torque;
    const Point at = place(q, 2, spring), arm = turned(q, 2, spring);
    const double dx = xc - at.x, dy = yc - at.y, length = std::hypot(dx, dy), pull = c0 * (length - l0) / length;
    f[6] = pull * dx;
    f[7] = pull * dy;
    f[8] = arm.x * f[7] - arm.y * f[6];
  };
  p.scale_q = 0.01;
  p.scale_v = 10;
  return p;
}

}  // namespace

int main() {
  std::printf("SUNDIALS %s\n", SUNDIALS_VERSION);
  for (const double tolerance : {1e-10, 1e-11, 1e-12, 1e-13}) {
    Problem crank = slider_crank(), bar = four_bar(), andrews = squeezer();
    const auto a = solve(crank, tolerance);
    std::printf("  crank angle %.16g rad, rate %.16g rad/s, slider %.16g m\n", a[2], a[9 + 2], a[6]);
    const auto b = solve(bar, tolerance);
    std::printf("  crank angle %.16g rad, rate %.16g rad/s\n", b[2], b[9 + 2]);
    const auto c = solve(andrews, tolerance);
    std::printf("  crank angle %.16g rad, rate %.16g rad/s\n", c[2], c[21 + 2]);
  }
}
