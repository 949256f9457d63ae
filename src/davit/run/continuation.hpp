// A run that can go on later: its State, and what its sinks have seen, in a file beside the result. Where a run was
// interrupted, killed or shorter than was wanted, another one goes on from there, bit for bit, into the same result.
#pragma once

#include <filesystem>

#include "davit/simulation/simulation.hpp"

namespace davit {

class Continuation {
 public:
  // Of a run whose files are in this folder.
  explicit Continuation(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // Saves a run between two steps. False, with the reason in words, where that was not possible; the run may go on.
  bool save(const Simulation&, const std::vector<Sink*>& sinks);
  const std::string& why_not() const { return why_not_; }
  // Nothing can go on from here: what was saved before is of another run.
  void forget() const;

  // Whether what was saved there is of this scenario; throws BadSave in words. Then the result is moved aside, whose
  // rows the new one begins with.
  void begin(const Scenario&, const State& start);
  std::filesystem::path earlier_result() const { return folder_ / "result.before.h5"; }
  // The run, which has not begun, and its sinks, in the order in which they were saved.
  void restore(Simulation&, const std::vector<Sink*>& sinks);

 private:
  std::filesystem::path state_file() const { return folder_ / "run.state"; }

  std::filesystem::path folder_;
  std::string run_, why_not_;
  std::vector<std::string> sinks_;
};

}  // namespace davit
