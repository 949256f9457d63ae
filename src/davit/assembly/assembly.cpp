// Frames, coordinates, surfaces, moves, ports and signals of the model under construction, found by their names.
#include "davit/assembly/assembly.hpp"

#include <fmt/format.h>

#include <limits>

#include "davit/assembly/surface.hpp"
#include "davit/dynamics/director_body.hpp"

namespace davit {

namespace {

using Blocks = std::vector<std::shared_ptr<const Block>>;

// Coordinates and speeds of blocks at the start.
struct Start {
  VecX q, u;
  explicit Start(const Blocks& blocks) {
    const BlockPlace end = after(*blocks.back());
    q.setZero(end.q);
    u.setZero(end.u);
    for (const auto& b : blocks) b->initial_state(q.data() + b->place().q, u.data() + b->place().u);
  }
  Kin kinematics(const Blocks& blocks) const {
    Kin kin;
    kin.body.resize(static_cast<size_t>(after(*blocks.back()).body));
    for (const auto& b : blocks) b->kinematics(q.data() + b->place().q, u.data() + b->place().u, kin);
    return kin;
  }
};

}  // namespace

Assembly::Assembly(std::shared_ptr<const Tree> tree, input::Problems& problems, std::set<std::string> doubtful)
    : tree_(std::move(tree)), problems_(problems), doubtful_(std::move(doubtful)) {
  parts_.blocks = {tree_};
  parts_.body_names = tree_->segment_names();
  for (const TreeBody& b : tree_->bodies_of_tree()) add_body(b.body.name, {b.last_segment, b.frame});
}

void Assembly::add_body(const std::string& name, const Frame& frame) {
  body_names_.push_back(name);
  body_frames_[name] = frame;
}

void Assembly::add_particles(std::vector<Particle> particles) {
  const auto block = std::make_shared<Particles>(after(*parts_.blocks.back()), std::move(particles));
  for (int i = 0; i < block->bodies(); ++i) {
    const std::string& name = block->particles()[static_cast<size_t>(i)].name;
    add_body(name, block->frame(i));
    particles_.insert(block->body(i));
    parts_.body_names.push_back(name);
  }
  parts_.blocks.push_back(block);
}

void Assembly::add_director_body(const Body& body) {
  const Blocks alone{std::make_shared<Tree>(std::vector<Body>{body})};
  const Kin kin = Start(alone).kinematics(alone);
  const Frame own = static_cast<const Tree&>(*alone.front()).frame(body.name);
  const Twist twist{kin.body[static_cast<size_t>(own.body)].w, velocity(kin, own)};
  const auto block = std::make_shared<DirectorBody>(after(*parts_.blocks.back()), body,
                                                    Pose{rotation(kin, own), position(kin, own)}, twist);
  add_body(body.name, block->frame());
  parts_.body_names.push_back(body.name);
  parts_.blocks.push_back(block);
  add(block->rigidity());
}

std::optional<Frame> Assembly::body_frame(const std::string& name) const {
  const auto body = body_frames_.find(name);
  return body == body_frames_.end() ? std::nullopt : std::optional(body->second);
}

bool Assembly::can_rotate(const Frame& frame, const input::Reference& reference) {
  if (!particles_.count(frame.body)) return true;
  problems_.error(reference.where, "'" + reference.name + "' is a particle and cannot turn",
                  "hold or pull it at its place alone (ball, rod, line, force), or give it coordinates: directors");
  return false;
}

void Assembly::add_point(const std::string& body, const std::string& point, const Vec3& at) {
  const std::string name = body + "." + point;
  Frame frame = body_frame(body).value();
  frame.offset.p = frame.offset * at;
  points_[name] = frame;
  static const char* const axes[] = {"x", "y", "z"};
  for (int i = 0; i < 3; ++i) parts_.outputs.push_back({name + "." + axes[i], "m", Output::Kind::position, i, frame});
}

std::optional<Frame> Assembly::frame(const input::Reference& reference) {
  if (const auto body = body_frame(reference.name)) return body;
  if (const auto point = points_.find(reference.name); point != points_.end()) return point->second;
  if (doubtful_.count(reference.name.substr(0, reference.name.find('.')))) return std::nullopt;
  auto candidates = body_names_;
  for (const auto& [name, frame] : points_) candidates.push_back(name);
  input::unknown_name(reference, "body or point", candidates, problems_);
  return std::nullopt;
}

void Assembly::add_surface(const std::string& name, std::shared_ptr<const BodySurface> surface) {
  if (surface)
    parts_.observables.surfaces.push_back(
        {name, surface->frame, std::shared_ptr<const TriangleMesh>(surface, &surface->repaired.mesh)});
  surfaces_[name] = std::move(surface);
}

std::shared_ptr<const BodySurface> Assembly::surface(const input::Reference& reference) {
  if (const auto found = surfaces_.find(reference.name); found != surfaces_.end()) return found->second;
  if (doubtful_.count(reference.name)) return nullptr;
  std::vector<std::string> candidates;
  for (const auto& [name, surface] : surfaces_) candidates.push_back(name);
  input::unknown_name(reference, "surface", candidates, problems_);
  return nullptr;
}

std::optional<JointCoordinate> Assembly::coordinate(const input::Reference& reference) {
  const auto dot = reference.name.find('.');
  const std::string body = reference.name.substr(0, dot);
  if (doubtful_.count(body)) return std::nullopt;
  const auto index = tree_->find(body);
  if (!index && body_frames_.count(body) && body != "world")
    problems_.error(reference.where, "'" + body + "' has no joint to act on",
                    "act on the joint of another body, or use a wrench or a line between points");
  else if (!index)
    input::unknown_name({body, reference.where}, "body", body_names_, problems_);
  if (!index) return std::nullopt;
  const TreeBody& b = tree_->bodies_of_tree()[static_cast<size_t>(*index)];
  const JointKind kind = b.body.joint.kind;
  const auto& list = type_of(kind).coordinates;
  if (list.empty() || type_of(kind).quaternion) {
    problems_.error(reference.where,
                    "the joint of '" + b.body.name + "' is " + type_of(kind).name + " and has no coordinate to act on",
                    "act on a joint with coordinates of its own, or use a wrench or a line between points");
    return std::nullopt;
  }
  std::vector<std::string> names;
  for (const Coordinate& c : list) names.push_back(b.body.name + "." + c.name);
  size_t i = 0;
  if (dot != std::string::npos) {
    while (i < names.size() && names[i] != reference.name) ++i;
    if (i == names.size()) {
      input::unknown_name(reference, "joint coordinate", names, problems_);
      return std::nullopt;
    }
  } else if (list.size() > 1) {
    problems_.error(reference.where,
                    "the joint of '" + b.body.name + "' has " + std::to_string(list.size()) + " coordinates",
                    "name one, e.g. " + names[0]);
    return std::nullopt;
  }
  JointCoordinate at{names[i], b.q + static_cast<int>(i), b.u + static_cast<int>(i), b.last_segment, list[i].angle};
  for (int s = b.last_segment;; s = tree_->segments()[static_cast<size_t>(s)].parent) {
    if (tree_->segments()[static_cast<size_t>(s)].u == at.u) at.segment = s;
    if (s == b.first_segment) break;
  }
  return at;
}

double Assembly::joint_quantity(const std::optional<input::Quantity>& quantity, const JointCoordinate& at,
                                const char* rotation_unit, const char* translation_unit) {
  if (!quantity) return 0;
  return input::require(*quantity, input::unit(at.angle ? rotation_unit : translation_unit), problems_).value_or(0);
}

std::optional<Assembly::Target> Assembly::target(const input::Reference& reference) {
  if (const auto found = targets_.find(reference.name); found != targets_.end())
    return Target{found->first, found->second};
  const std::string body = reference.name.substr(0, reference.name.find('.'));
  if (!targets_.empty() && !body_frames_.count(body) && !doubtful_.count(body)) {
    std::vector<std::string> candidates;
    for (const auto& [name, unit] : targets_) candidates.push_back(name);
    candidates.insert(candidates.end(), body_names_.begin(), body_names_.end());
    input::unknown_name(reference, "winch, joint or other drive", candidates, problems_);
    return std::nullopt;
  }
  const auto at = coordinate(reference);
  if (!at) return std::nullopt;
  return Target{at->name, at->angle ? "rad" : "m", true};
}

void Assembly::command(const input::Reference& target, const std::string& controller) {
  const auto [found, is_new] = commanded_.try_emplace(target.name, controller);
  if (!is_new)
    problems_.error(target.where, "'" + target.name + "' is commanded by '" + found->second + "' already",
                    "let one controller command it, once");
}

std::optional<Assembly::Port> Assembly::port(const std::string& target) const {
  const auto found = ports_.find(target);
  return found == ports_.end() ? std::nullopt : std::optional(found->second);
}

std::string Assembly::channel_unit(const std::string& channel) const {
  Observables known;
  for (const auto& block : parts_.blocks) block->add_observables(known);
  if (!scalars_.empty()) Scalars(after(*parts_.blocks.back()), scalars_).add_observables(known);
  known.append(parts_.observables);
  for (const auto& of : known.scalars)
    for (const ScalarInfo& info : of->scalars)
      if (info.name == channel) return info.unit;
  for (const Output& output : parts_.outputs)
    if (output.name == channel) return output.unit;
  for (const auto& force : parts_.forces)
    for (const Element::Published& published : force->published())
      if (published.info.name == channel) return published.info.unit;
  return {};
}

VecX Assembly::start_coordinates() const {
  VecX q = Start(parts_.blocks).q;
  for (const Scalar& s : scalars_) {
    q.conservativeResize(q.size() + 1);
    q[q.size() - 1] = s.value;
  }
  return q;
}

CoordinateIndex Assembly::add_scalar(Scalar scalar) {
  const BlockPlace place = after(*parts_.blocks.back());
  const int i = static_cast<int>(scalars_.size());
  scalars_.push_back(std::move(scalar));
  return {place.q + i, place.u + i};
}

Kin Assembly::start_kinematics() const {
  Start start(parts_.blocks);
  start.u.setZero();
  Kin kin = start.kinematics(parts_.blocks);
  kin.signals = &start_signals_;
  return kin;
}

Signal Assembly::take_signal(const JointCoordinate& at) {
  return take_signal(at.name, at.angle ? "rad" : "m", start_coordinates()[at.q], {});
}

Signal Assembly::take_signal(const std::string& name, const std::string& unit, double start,
                             const DriveLimits& limits) {
  Motion motion(start);
  if (const auto entry = moves_.find(name); entry != moves_.end()) {
    entry->second.taken = true;
    double ended = -std::numeric_limits<double>::infinity();
    for (const Move& move : entry->second.moves) {
      if (move.at < ended) {
        problems_.error(move.where,
                        fmt::format("'{}' would begin this move at {:.6g} s, before the one before it has ended at "
                                    "{:.6g} s",
                                    name, move.at, ended),
                        "order the moves of a joint in time and let each end before the next begins");
        continue;
      }
      try {
        motion.move(move.at, move.over, move.to, move.profile);
        ended = move.at + move.over;
      } catch (const std::invalid_argument& mistake) {
        problems_.error(move.where, mistake.what(),
                        2 * move.profile.ramp > move.over
                            ? "give a ramp of at most half of 'over'"
                            : "order the moves of a joint in time and let each end before the next begins");
      }
    }
  }
  start_signals_.add(motion);
  return parts_.add(SignalInfo{name, unit, motion, limits});
}

std::optional<Signal> Assembly::take_switch(const std::string& name) {
  const auto found = switches_.find(name);
  if (found == switches_.end()) return std::nullopt;
  return take_signal(name, "1", found->second, {});
}

void Assembly::widen_range(const std::string& target, double least, double most) {
  Moves& moves = moves_[target];
  moves.least = std::min(moves.least, least);
  moves.most = std::max(moves.most, most);
}

// Moves go from rest to rest, and so are farthest where one ends.
std::pair<double, double> Assembly::range(Signal signal) const {
  const Motion& own = motion(signal);
  const double start = own.value(-std::numeric_limits<double>::infinity());
  std::pair<double, double> out{start, start};
  for (const double t : own.breakpoints()) {
    out.first = std::min(out.first, own.value(t));
    out.second = std::max(out.second, own.value(t));
  }
  if (const auto entry = moves_.find(parts_.signals[static_cast<size_t>(signal.index())].name); entry != moves_.end()) {
    out.first = std::min(out.first, start + entry->second.least);
    out.second = std::max(out.second, start + entry->second.most);
  }
  return out;
}

ModelParts Assembly::parts_so_far() const {
  ModelParts out = parts_;
  if (!scalars_.empty()) out.blocks.push_back(std::make_shared<Scalars>(after(*out.blocks.back()), scalars_));
  return out;
}

std::unique_ptr<Model> Assembly::finish() {
  // What would drive it may be what has a mistake.
  const auto said = problems_.all();
  const bool drivers_are_read = std::none_of(said.begin(), said.end(), [](const input::Problem& p) {
    return p.severity == input::Problem::error &&
           (p.where.path.starts_with("control") || p.where.path.starts_with("constraints"));
  });
  for (const auto& [name, entry] : moves_)
    if (!entry.taken && !entry.moves.empty() && drivers_are_read && !doubtful_.count(name.substr(0, name.find('.'))))
      problems_.error(entry.moves.front().where, "nothing drives '" + name + "'",
                      "add a controller for it, e.g. control: {crane: {pid: {joints: [" + name +
                          "], …}}}, or constraints: {drive: {motion: {joint: " + name + "}}}");
  return std::make_unique<Model>(parts_so_far());
}

}  // namespace davit
