// MuJoCo: joint-space inertia by composite bodies and its sparse factors, O(n³) for a chain. The universal joint is
// real: two hinges of one body.
#include <mujoco/mujoco.h>

#include <cstring>
#include <sstream>
#include <stdexcept>

#include "peer.hpp"

namespace davit::bench {
namespace {

template <size_t N>
std::string numbers(const std::array<double, N>& a) {
  std::ostringstream out;
  out.precision(17);
  for (const double x : a) out << x << ' ';
  return out.str();
}

// Links are in a line: each body stands inside the one before. The XML library limits how deep that may go (300
// is too deep, 80 is not), so a long line goes on in files that the first one includes.
std::vector<std::string> xml_files(const Links& links) {
  std::vector<std::string> files;
  std::ostringstream out;
  out.precision(17);
  out << "<mujoco><compiler angle='radian' boundmass='0' boundinertia='0' balanceinertia='false'/>"
      << "<option gravity='0 0 " << gravity << "' integrator='RK4'>"
      << "<flag constraint='disable' contact='disable' limit='disable'/></option><worldbody>";
  size_t open = 0;
  const auto close = [&] {
    for (; open > 0; --open) out << "</body>";
    out << (files.empty() ? "</worldbody></mujoco>" : "</mujocoinclude>");
    files.push_back(out.str());
    out.str("");
  };
  for (const Link& l : links) {
    if (open == 80) {
      out << "<include file='" << files.size() + 1 << ".xml'/>";
      close();
      out << "<mujocoinclude>";
    }
    out << "<body pos='" << numbers(l.position) << "' quat='" << numbers(l.quaternion) << "'>";
    if (l.joint == Joint::free) {
      out << "<freejoint/>";
    } else {
      out << "<joint type='hinge' axis='" << numbers(l.axis) << "'/>";
      if (l.joint == Joint::universal) out << "<joint type='hinge' axis='" << numbers(l.second_axis) << "'/>";
    }
    out << "<inertial pos='" << numbers(l.centre) << "' mass='" << l.mass << "' diaginertia='" << numbers(l.inertia)
        << "'/>";
    ++open;
  }
  close();
  return files;
}

class Engine {
 public:
  explicit Engine(const Links& links) {
    const auto files = xml_files(links);
    auto vfs = std::make_unique<mjVFS>();
    mj_defaultVFS(vfs.get());
    for (size_t i = 0; i < files.size(); ++i) {
      const std::string name = std::to_string(i) + ".xml";
      mj_makeEmptyFileVFS(vfs.get(), name.c_str(), static_cast<int>(files[i].size()));
      std::memcpy(vfs->filedata[mj_findFileVFS(vfs.get(), name.c_str())], files[i].data(), files[i].size());
    }
    char error[500] = "";
    m = mj_loadXML("0.xml", vfs.get(), error, sizeof error);
    mj_deleteVFS(vfs.get());
    if (!m) throw std::runtime_error(std::string("MuJoCo: ") + error);
    d = mj_makeData(m);
  }
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  ~Engine() {
    mj_deleteData(d);
    mj_deleteModel(m);
  }

  // mj_forward without sensors, energy and the constraint solver, of which these models have no use.
  void forward() {
    mj_fwdPosition(m, d);
    mj_fwdVelocity(m, d);
    mj_fwdAcceleration(m, d);
  }

  mjModel* m = nullptr;
  mjData* d = nullptr;
};

const Crane* running = nullptr;  // MuJoCo's callbacks are global

class MujocoCrane final : public Crane {
 public:
  explicit MujocoCrane(const Links& links) : engine_(links), weight_of_hull_(links.front().mass * gravity) {}

  void compute(const CraneState& s) override {
    set(s);
    engine_.forward();
  }
  void compute_with_wrenches(const CraneState& s) override {
    compute(s);
    mju_copy(engine_.d->qacc, engine_.d->qacc_smooth, engine_.m->nv);
    mj_rnePostConstraint(engine_.m, engine_.d);
  }

  CraneRates rates() const override {
    // Velocity of the free joint is linear in the world and angular in the body.
    const mjtNum *a = engine_.d->qacc_smooth, *u = engine_.d->qvel;
    mjtNum inverse[4], vdot[3], v[3], product[3];
    mju_negQuat(inverse, engine_.d->qpos + 3);
    mju_rotVecQuat(vdot, a, inverse);
    mju_rotVecQuat(v, u, inverse);
    mju_cross(product, u + 3, v);
    CraneRates out;
    for (size_t i = 0; i < 3; ++i) out[i] = vdot[i] - product[i];
    for (size_t i = 3; i < 11; ++i) out[i] = a[i];
    return out;
  }

  CraneWrenches wrenches() const override {
    // cfrc_int is about the centre of mass of the whole tree.
    CraneWrenches out;
    for (size_t i = 0; i < 5; ++i) {
      const int body = static_cast<int>(std::min<size_t>(i, 3)) + 2;
      const mjtNum* w = engine_.d->cfrc_int + 6 * body;
      const mjtNum *origin = engine_.d->xpos + 3 * body, *centre = engine_.d->subtree_com + 3;
      mjtNum arm[3], shift[3];
      mju_sub3(arm, centre, origin);
      mju_cross(shift, arm, w + 3);
      for (size_t k = 0; k < 3; ++k) out[i][k] = w[3 + k], out[i][3 + k] = w[k] + shift[k];
    }
    return out;
  }

  CraneState run(const CraneState& start, const Run& run) override {
    set(start);
    mju_zero(engine_.d->qfrc_applied, engine_.m->nv);
    control_ = run;
    rest_ = start.q;
    running = this;
    mjcb_passive = [](const mjModel*, mjData* d) { static_cast<const MujocoCrane*>(running)->passive(d); };
    engine_.m->opt.timestep = run.step;
    for (int i = 0; i < run.steps; ++i) mj_step(engine_.m, engine_.d);
    mjcb_passive = nullptr;
    CraneState end;
    const mjtNum* q = engine_.d->qpos;
    end.position = {q[0], q[1], q[2]};
    end.quaternion = {q[3], q[4], q[5], q[6]};
    for (size_t i = 0; i < 5; ++i) end.q[i] = q[7 + i];
    return end;
  }

 private:
  void set(const CraneState& s) {
    mjData* d = engine_.d;
    for (size_t i = 0; i < 3; ++i) d->qpos[i] = s.position[i];
    for (size_t i = 0; i < 4; ++i) d->qpos[3 + i] = s.quaternion[i];
    mju_rotVecQuat(d->qvel, s.v.data(), s.quaternion.data());
    for (size_t i = 0; i < 3; ++i) d->qvel[3 + i] = s.w[i];
    mjtNum* f = d->qfrc_applied;
    mju_rotVecQuat(f, s.force.data(), s.quaternion.data());
    for (size_t i = 0; i < 3; ++i) f[3 + i] = s.moment[i];
    for (size_t i = 0; i < 5; ++i) d->qpos[7 + i] = s.q[i], d->qvel[6 + i] = s.qd[i], f[6 + i] = s.tau[i];
    add_restoring(f);
  }
  // The hull carries no weight: its gravity is taken away again.
  void add_restoring(mjtNum* f) const {
    const mjtNum* q = engine_.d->qpos;
    const Restoring r = restoring({q[3], q[4], q[5], q[6]}, q[2]);
    f[2] += r.force - weight_of_hull_;
    f[3] += r.roll_moment;
    f[4] += r.pitch_moment;
  }
  void passive(mjData* d) const {
    add_restoring(d->qfrc_passive);
    for (size_t i = 0; i < 3; ++i)
      d->qfrc_passive[6 + i] -= control_.kp * (d->qpos[7 + i] - rest_[i]) + control_.kd * d->qvel[6 + i];
  }

  Engine engine_;
  double weight_of_hull_;
  Run control_;
  std::array<double, 5> rest_{};
};

class MujocoChain final : public Chain {
 public:
  explicit MujocoChain(const Links& links) : engine_(links) {}
  void compute(const std::vector<double>& q, const std::vector<double>& qd) override {
    mju_copy(engine_.d->qpos, q.data(), engine_.m->nq);
    mju_copy(engine_.d->qvel, qd.data(), engine_.m->nv);
    engine_.forward();
  }
  std::vector<double> rates() const override {
    return {engine_.d->qacc_smooth, engine_.d->qacc_smooth + engine_.m->nv};
  }

 private:
  Engine engine_;
};

}  // namespace
}  // namespace davit::bench

DAVIT_BENCH_PEER {
  using namespace davit::bench;
  static const Peer peer{"MuJoCo",
                         std::string(mj_versionString()) + ", real universal joint, its own RK4",
                         true,
                         true,
                         [](const Links& l) -> std::unique_ptr<Crane> { return std::make_unique<MujocoCrane>(l); },
                         [](const Links& l) -> std::unique_ptr<Chain> { return std::make_unique<MujocoChain>(l); }};
  return &peer;
}
