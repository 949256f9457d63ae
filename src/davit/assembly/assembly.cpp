#include "davit/assembly/assembly.hpp"

namespace davit {

Assembly::Assembly(std::shared_ptr<const Tree> tree, input::Problems& problems, std::set<std::string> doubtful)
    : tree_(std::move(tree)), problems_(problems), doubtful_(std::move(doubtful)) {
  parts_.blocks = {tree_};
  parts_.body_names = tree_->segment_names();
}

std::vector<std::string> Assembly::body_names() const {
  std::vector<std::string> names;
  for (const TreeBody& b : tree_->bodies_of_tree()) names.push_back(b.body.name);
  return names;
}

void Assembly::add_point(const std::string& body, const std::string& point, const Vec3& at) {
  const std::string name = body + "." + point;
  const Frame frame = tree_->frame(body, Pose{Mat3::Identity(), at});
  points_[name] = frame;
  static const char* const axes[] = {"x", "y", "z"};
  for (int i = 0; i < 3; ++i) parts_.outputs.push_back({name + "." + axes[i], "m", Output::Kind::position, i, frame});
}

std::optional<Frame> Assembly::frame(const input::Reference& reference) {
  if (reference.name == "world" || tree_->find(reference.name)) return tree_->frame(reference.name);
  if (const auto point = points_.find(reference.name); point != points_.end()) return point->second;
  if (doubtful_.count(reference.name.substr(0, reference.name.find('.')))) return std::nullopt;
  auto candidates = body_names();
  for (const auto& [name, frame] : points_) candidates.push_back(name);
  input::unknown_name(reference, "body or point", candidates, problems_);
  return std::nullopt;
}

std::optional<JointCoordinate> Assembly::coordinate(const input::Reference& reference) {
  const auto dot = reference.name.find('.');
  if (doubtful_.count(reference.name.substr(0, dot))) return std::nullopt;
  const auto index = tree_->find(reference.name.substr(0, dot));
  if (!index) {
    input::unknown_name({reference.name.substr(0, dot), reference.where}, "body", body_names(), problems_);
    return std::nullopt;
  }
  const TreeBody& b = tree_->bodies_of_tree()[static_cast<size_t>(*index)];
  const JointKind kind = b.body.joint.kind;
  const auto& list = coordinates(kind);
  if (list.empty() || kind == JointKind::spherical || kind == JointKind::free) {
    problems_.error(reference.where,
                    "the joint of '" + b.body.name + "' is " + name_of(kind) + " and has no coordinate to act on",
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

void Assembly::add_move(const input::Reference& reference, const input::Quantity& to, Move move) {
  const auto at = coordinate(reference);
  if (!at) return;
  move.to = joint_quantity(to, *at, "rad", "m");
  moves_[at->name].moves.push_back(std::move(move));
}

int Assembly::add(Constraint constraint) {
  const int first = rows_;
  rows_ += constraint.geometry->size();
  parts_.constraints.push_back(std::move(constraint));
  return first;
}

int Assembly::add(Contact contact) {
  parts_.contacts.push_back(std::move(contact));
  return static_cast<int>(parts_.contacts.size()) - 1;
}

VecX Assembly::start_coordinates() const {
  VecX q = VecX::Zero(tree_->nq()), u = VecX::Zero(tree_->nu());
  tree_->initial_state(q.data(), u.data());
  return q;
}

Kin Assembly::start_kinematics() const {
  const VecX q = start_coordinates(), rest = VecX::Zero(tree_->nu());
  Kin kin;
  kin.body.resize(tree_->segments().size());
  tree_->kinematics(q.data(), rest.data(), kin);
  return kin;
}

Motion Assembly::take_motion(const JointCoordinate& at) {
  Motion motion(start_coordinates()[at.q]);
  const auto entry = moves_.find(at.name);
  if (entry == moves_.end()) return motion;
  entry->second.taken = true;
  for (const Move& move : entry->second.moves) {
    try {
      motion.move(move.at, move.over, move.to, move.profile);
    } catch (const std::invalid_argument& mistake) {
      problems_.error(move.where, mistake.what(),
                      2 * move.profile.ramp > move.over
                          ? "give a ramp of at most half of 'over'"
                          : "order the moves of a joint in time and let each end before the next begins");
    }
  }
  return motion;
}

int Assembly::add_input(Input input) {
  parts_.inputs.push_back(std::move(input));
  return static_cast<int>(parts_.inputs.size()) - 1;
}

std::unique_ptr<Model> Assembly::finish() {
  for (const auto& [name, entry] : moves_)
    if (!entry.taken && !doubtful_.count(name.substr(0, name.find('.'))))
      problems_.error(entry.moves.front().where, "nothing drives '" + name + "'",
                      "add a controller for it, e.g. control: {crane: {pid: {joints: [" + name +
                          "], …}}}, or constraints: {drive: {motion: {joint: " + name + "}}}");
  return std::make_unique<Model>(std::move(parts_));
}

}  // namespace davit
