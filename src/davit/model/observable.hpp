// What can be seen of a running model: numbers, poses, polylines, surfaces and events. Blocks and elements declare them
// when the Model is built; whoever records, draws or limits chooses among them. What is computed comes from a function
// that reads an evaluated workspace and changes nothing; numbers that come from one look (all of a rope) are filled in
// one call.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "davit/math/export.hpp"
#include "davit/model/kin.hpp"
#include "davit/model/state.hpp"

namespace davit {

struct Workspace;
struct TriangleMesh;

// What a number is called and means.
struct ScalarInfo {
  std::string name;
  std::string unit;
  std::string description;
  std::string source;
  std::string group;  // curves of one group share a plot
  bool main = false;  // shown in the report without being asked for
  // What to say after a run in which it was below a bound.
  struct Alarm {
    double below = -std::numeric_limits<double>::infinity();
    std::string words;
  };
  Alarm alarm = {};
  // Events of an element, when it comes down to a level and when it rises above it again.
  struct Crossing {
    std::string element;
    std::string reached, left;
    double level = 0;
    std::string told = {};  // channel whose value the event tells too
  };
  Crossing crossing = {};

  // Alarms and crossings are about every row, so it is recorded whatever is chosen.
  bool always_recorded() const { return !alarm.words.empty() || !crossing.element.empty(); }
};

// Numbers that are filled together, in the order of their descriptions.
struct ObservedScalars {
  std::vector<ScalarInfo> scalars;
  std::function<void(const State&, const Workspace&, double* values)> observe;
};

// Where a body is and how it is turned, whatever it is moved by.
struct ObservedPose {
  std::string name;
  Frame frame;
  Pose pose(const Kin& kin) const { return {rotation(kin, frame), position(kin, frame)}; }
};

// A line through space under tension: the path of a rope.
struct Polyline {
  enum class Contact { none, sticks, slips };
  struct Vertex {
    Vec3 at = Vec3::Zero();
    double tension = 0;  // of the piece that follows
    Contact contact = Contact::none;
    bool gap_after = false;  // no piece follows: the line goes on at the next vertex
  };
  std::vector<Vertex> vertices;
};

struct ObservedPolyline {
  std::string name;
  // Replaces the vertices.
  std::function<void(const State&, const Workspace&, Polyline&)> draw;
};

// Triangles in the axes of a frame.
struct ObservedSurface {
  std::string name;
  Frame frame;
  std::shared_ptr<const TriangleMesh> mesh;
};

// Who hears of events. Texts and values are there only during the call.
class EventSink {
 public:
  virtual ~EventSink() = default;
  virtual void event(double t, std::string_view element, std::string_view key, std::string_view text = {},
                     std::span<const double> values = {}) = 0;
};

// What comes and goes in number, and so is no scalar: told at every output time.
struct ObservedEvents {
  std::function<void(const State&, const Workspace&, EventSink&)> report;
};

// All of it, in the order in which it was declared.
struct DAVIT_API Observables {
  std::vector<std::shared_ptr<const ObservedScalars>> scalars;
  std::vector<ObservedPose> poses;
  std::vector<ObservedPolyline> polylines;
  std::vector<ObservedSurface> surfaces;
  std::vector<ObservedEvents> events;

  void add_scalars(std::vector<ScalarInfo> infos, std::function<void(const State&, const Workspace&, double*)> observe);
  // One number by itself.
  void add_scalar(ScalarInfo info, std::function<double(const State&, const Workspace&)> value);
  // Appends what another has.
  void append(Observables other);
};

}  // namespace davit
