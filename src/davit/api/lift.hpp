// A lift from one's own program: read a scenario, change values, run it and look at every instant, or write the files
// that the program davit writes.
//
//   davit::Lift lift = davit::Lift::load("lift.yaml", {"bodies.load.mass=12 t"});
//   const size_t tension = lift.channel("hoist.tension");
//   lift.run([&](const davit::Instant& now) { return now.value(tension) < 2e6; });   // false stops the run
//
// A lift without a file: davit/api/model_builder.hpp. Results in files are read with davit/result/reader.hpp; forces
// and controllers of one's own: davit/api/extension.hpp.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "davit/math/export.hpp"
#include "davit/model/state.hpp"
#include "davit/result/channel_info.hpp"

namespace davit {

class LiftRun;
class Model;
class ModelBuilder;
struct Scenario;
namespace input {
class Problems;
}

// What is wrong with a scenario: all mistakes, each with file, line, key and remedy.
class DAVIT_API InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What an observer sees at an output time.
class DAVIT_API Instant {
 public:
  virtual ~Instant() = default;
  virtual double time() const = 0;
  virtual double value(std::size_t channel) const = 0;
  virtual const State& state() const = 0;
};

struct LiftOutcome {
  bool complete = false;
  double end = 0;            // time reached, s
  std::string element;       // of a run that broke: where …
  std::string why;           // … and why
  bool limits_kept = true;   // of a run that was written …
  bool good_quality = true;  // … and whether its numbers are good enough to say so (docs/results.md)
};

class DAVIT_API Lift {
 public:
  // Settings are "path=value", as --set on the command line. Throws InputError.
  static Lift load(const std::filesystem::path& file, const std::vector<std::string>& settings = {});
  static Lift parse(const std::string& yaml);
  // The same lift in another sea or wind, or with another seed: settings of environment.waves, environment.wind and
  // run.seed alone. It shares the model with this one, and the equilibrium where what acts at rest is the same, and so
  // costs next to nothing; its runs have the bits of a file that says so. Throws InputError.
  Lift in_another_sea(const std::vector<std::string>& settings) const;
  Lift(Lift&&) noexcept;
  Lift& operator=(Lift&&) noexcept;
  ~Lift();

  const std::string& title() const;
  const std::string& warnings() const;  // of reading; empty when there are none
  std::string method() const;           // how it is integrated
  const Model& model() const;           // davit/model/model.hpp

  // Channels that the scenario records, in the order of their indices.
  const std::vector<result::ChannelInfo>& channels() const;
  // Throws std::out_of_range with the names that are there.
  std::size_t channel(std::string_view name) const;

  // Runs from the start to the end in memory; the observer is called at every output time and may stop the run by
  // returning false. May be called again.
  LiftOutcome run(const std::function<bool(const Instant&)>& observer) const;
  // A run to be stepped (davit/api/lift_run.hpp), which may outlive the lift.
  LiftRun begin() const;
  // Runs and writes result.h5, summary.json and report.html into a folder. Throws result::ResultError when it cannot.
  LiftOutcome write(const std::filesystem::path& folder) const;

 private:
  friend ModelBuilder;
  friend LiftRun;
  struct Parts;
  static std::shared_ptr<Parts> parts_of(std::optional<Scenario>, const input::Problems&);
  Lift(std::optional<Scenario> scenario, const input::Problems& problems);
  std::shared_ptr<Parts> parts_;
};

}  // namespace davit
