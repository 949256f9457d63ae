// A line with its ends as they are at the start: elements, the length for a pretension, and the model that was asked
// for.
#pragma once

#include "davit/cable/line.hpp"
#include "davit/mooring/line_spec.hpp"

namespace davit::mooring {

class LineBuilder {
 public:
  LineBuilder(const MooringLineSpec& spec, std::vector<cable::Section> sections, cable::Bed bed,
              cable::Surroundings around, const cable::LineEnds& ends, double breaking_load, input::Problems& problems);

  // Nothing after a mistake, which is reported.
  std::unique_ptr<const cable::LineModel> build(const cable::Winch& winch);
  // What was chosen, for the banner.
  std::string choice() const;

 private:
  cable::Line line(const cable::Winch& winch = {}) const {
    return cable::Line(sections_, attachments_, bed_, around_, {}, winch);
  }
  std::unique_ptr<const cable::LineModel> with_motion(const cable::Winch& winch = {}) const;  // of bars or beams
  bool can_bend();
  void choose_elements(double size);
  double length() const;
  bool reaches();
  struct Rest {
    cable::LineView view;
    cable::EndForces forces;
  };
  std::optional<Rest> rest();
  bool find_length();
  std::unique_ptr<const cable::LineModel> spring() const;
  std::unique_ptr<const cable::LineModel> linear();

  const MooringLineSpec& spec_;
  std::vector<cable::Section> sections_;
  std::vector<cable::Attachment> attachments_;
  cable::Bed bed_;
  cable::Surroundings around_;
  cable::LineEnds ends_;
  double breaking_load_;  // of its weakest section; zero: not known
  input::Problems& problems_;
  bool beams_;
  double bar_length_ = 3, bending_ = 0;  // m, √(EI/T)
};

}  // namespace davit::mooring
