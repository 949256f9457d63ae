#include "davit/scenario/shortest_profile.hpp"

#include <algorithm>
#include <cmath>

#include "davit/math/motion.hpp"
#include "davit/math/quadratic_programme.hpp"

namespace davit {

namespace {

constexpr int more_than_smooth =
    4;  // derivatives within a span, so that few spans follow what inputs do between switches
constexpr int first_spans = 8, enough_spans = 32;
constexpr int points_of_span = 14, points_to_be_sure = 40;
constexpr double penalty = 20;       // of the largest excess, beside the relative time
constexpr double curvature = 1e-7;   // of changes, so that those that matter to nothing stay small
constexpr double steps_down = 1e-5;  // relative time that the last steps on a level gain at most
constexpr int most_steps = 40;

// An instant: a place in a span of a stage.
struct Place {
  int stage, span;
  double s;  // in the stage, from 0 to 1
};

// Courses with splines of one number of spans: the logarithms of the stages' times and the coefficients that are free.
class SplineCourses {
 public:
  SplineCourses(const ProfileProblem& problem, int spans) : problem_(problem), spans_(spans) {
    const int smoothness = problem.polynomial.smoothness;
    resting_ = BSpline(smoothness + more_than_smooth, smoothness, spans);
    fixed_ = smoothness + 1;
    resting_.c.tail(fixed_).setOnes();
  }

  int stages() const { return static_cast<int>(problem_.rests.size()) - 1; }
  bool jumps() const { return problem_.jumps; }
  int outputs() const { return static_cast<int>(problem_.moving.size()); }
  int degree() const { return resting_.degree; }
  int spans() const { return spans_; }
  // The first coefficient of a span, and those between the ones of rest at both ends.
  int first(int span) const { return resting_.first(span); }
  int first_free() const { return fixed_; }
  int end_free() const { return static_cast<int>(resting_.c.size()) - fixed_; }
  int free() const { return end_free() - first_free(); }
  int unknowns() const { return stages() * (1 + outputs() * free()); }
  int at(int stage, int output, int coefficient) const {
    return stages() + (stage * outputs() + output) * free() + coefficient - fixed_;
  }
  bool is_free(int coefficient) const { return coefficient >= first_free() && coefficient < end_free(); }

  Course course(const VecX& x) const {
    Course out = problem_.polynomial;
    out.over = 0;
    out.stages.resize(static_cast<size_t>(stages()));
    for (int k = 0; k < stages(); ++k) {
      Course::Stage& stage = out.stages[static_cast<size_t>(k)];
      stage.over = std::exp(x[k]);
      out.over += stage.over;
      for (int o = 0; o < outputs(); ++o) stage.share.emplace(problem_.moving[static_cast<size_t>(o)], spline(x, k, o));
    }
    return out;
  }
  // The nearest to another.
  VecX unknowns_of(const Course& like) const {
    VecX x(unknowns());
    for (int k = 0; k < stages(); ++k) {
      const double part = problem_.rests[static_cast<size_t>(k) + 1] - problem_.rests[static_cast<size_t>(k)];
      const bool stages_of_its_own = !like.stages.empty();
      x[k] = std::log(stages_of_its_own ? like.stages[static_cast<size_t>(k)].over : part * like.over);
      for (int o = 0; o < outputs(); ++o) {
        const std::string& name = problem_.moving[static_cast<size_t>(o)];
        const BSpline s = fitted_to([&](double place) {
          return stages_of_its_own ? like.stages[static_cast<size_t>(k)].share.at(name).value(place)
                                   : smooth(place, like.smoothness);
        });
        for (int i = first_free(); i < end_free(); ++i) x[at(k, o, i)] = std::clamp(s.c[i], 0.0, 1.0);
      }
    }
    return x;
  }

  // At the ends of all spans too, or once at those where nothing jumps.
  std::vector<Place> places(int points, bool ends) const {
    std::vector<Place> out;
    for (int k = 0; k < stages(); ++k)
      for (int j = 0; j < spans_; ++j)
        for (int i = 0; i <= points; ++i) {
          // A knot belongs to the span after it, unless something jumps there.
          if (i == points && !ends && !(j + 1 == spans_ && k + 1 == stages())) continue;
          out.push_back({k, j, i == points ? double(j + 1) / spans_ : (j + double(i) / points) / spans_});
        }
    // Just before the end, and at rest.
    if (ends) out.push_back({stages() - 1, spans_, 1});
    return out;
  }
  static std::vector<double> times(const Course& course, const std::vector<Place>& places) {
    std::vector<double> begins{0}, out;
    for (const Course::Stage& stage : course.stages) begins.push_back(begins.back() + stage.over);
    for (const Place& p : places) {
      const auto k = static_cast<size_t>(p.stage);
      out.push_back(begins[k] + p.s * course.stages[k].over);
    }
    return out;
  }

 private:
  BSpline spline(const VecX& x, int stage, int output) const {
    BSpline s = resting_;
    s.c.segment(fixed_, free()) = x.segment(at(stage, output, fixed_), free());
    return s;
  }
  BSpline fitted_to(const std::function<double(double)>& value) const {
    std::vector<double> places, values;
    const int points = 4 * static_cast<int>(resting_.c.size());
    for (int i = 0; i <= points; ++i) {
      places.push_back(double(i) / points);
      values.push_back(value(places.back()));
    }
    return fitted(resting_, fixed_, places, values);
  }
  static double smooth(double s, int smoothness) {
    double x = 0;
    const std::vector<double> c = smooth_step(smoothness);
    for (size_t i = c.size(); i-- > 0;) x = x * s + c[i];
    return x;
  }

  const ProfileProblem& problem_;
  int spans_, fixed_;
  BSpline resting_;  // with all free coefficients zero
};

double largest(const Excess& excess) {
  double most = -1e300;
  for (const auto& row : excess)
    for (const double x : row) most = std::max(most, x);
  return most;
}

// The sequence of linear programmes for one number of spans.
class Sequence {
 public:
  Sequence(const SplineCourses& courses, const TryCourse& attempt, const VecX& start)
      : courses_(courses), attempt_(attempt), places_(courses.places(points_of_span, courses.jumps())), x_(start) {}

  // Whether it got anywhere.
  bool run() {
    auto now = attempt(x_);
    if (!now) return false;
    excess_ = std::move(*now);
    double change = 0.2;
    for (int i = 0; i < most_steps && change > 1e-6; ++i) {
      if (i == 0 || moved_) {
        if (!differentiate()) return true;
      }
      const VecX step = propose(change);
      if (step.size() == 0) return true;
      const double before = merit(x_, excess_), expected = before - predicted(step);
      if (!(expected > steps_down)) return true;
      const VecX next = x_ + step.head(x_.size());
      auto tried = attempt(next);
      const double gained = tried ? before - merit(next, *tried) : -1;
      moved_ = gained > 0.05 * expected;
      if (gained < 0.25 * expected) change = 0.4 * std::min(change, step.head(x_.size()).cwiseAbs().maxCoeff());
      if (gained > 0.75 * expected) change = std::min(2 * change, 1.0);
      if (!moved_) continue;
      x_ = next;
      excess_ = std::move(*tried);
    }
    return true;
  }
  const VecX& x() const { return x_; }

 private:
  std::optional<Excess> attempt(const VecX& x) const {
    const Course course = courses_.course(x);
    return attempt_(course, SplineCourses::times(course, places_));
  }
  double time(const VecX& x) const { return x.head(courses_.stages()).array().exp().sum(); }
  // Times are beside that at which the step begins, so that merits are compared within a step only.
  double merit(const VecX& x, const Excess& excess) const {
    return time(x) / time(x_) + penalty * std::max(0.0, largest(excess));
  }
  double predicted(const VecX& step) const {
    const double total = time(x_);
    return 1 + x_.head(courses_.stages()).array().exp().matrix().dot(step.head(courses_.stages())) / total +
           penalty * std::max(0.0, step[x_.size()]);
  }

  // ∂excess/∂x: for each limit and place those of the stages' times, then for each output degree + 1 coefficients from
  // that of the place's span on.
  bool differentiate() {
    const int colours = courses_.degree() + 1, own = courses_.stages() + courses_.outputs() * colours;
    slope_.assign(excess_.size(), MatX::Zero(static_cast<Eigen::Index>(places_.size()), own));
    const auto put = [&](const VecX& moved, double by, auto&& column) {
      const auto tried = attempt(moved);
      if (!tried) return false;
      for (size_t r = 0; r < excess_.size(); ++r)
        for (size_t i = 0; i < places_.size(); ++i)
          slope_[r](static_cast<Eigen::Index>(i), column(places_[i])) = ((*tried)[r][i] - excess_[r][i]) / by;
      return true;
    };
    for (int k = 0; k < courses_.stages(); ++k) {
      VecX moved = x_;
      moved[k] += 1e-6;
      if (!put(moved, 1e-6, [&](const Place&) { return k; })) return false;
    }
    const double by = 1e-3 / (courses_.spans() * courses_.spans());
    for (int o = 0; o < courses_.outputs(); ++o)
      for (int colour = 0; colour < colours; ++colour) {
        VecX moved = x_;
        for (int k = 0; k < courses_.stages(); ++k)
          for (int i = courses_.first_free(); i < courses_.end_free(); ++i)
            if (i % colours == colour) moved[courses_.at(k, o, i)] += by;
        // The one of this colour among those of the place's span.
        const auto column = [&](const Place& p) {
          return courses_.stages() + o * colours + ((colour - courses_.first(p.span)) % colours + colours) % colours;
        };
        if (!put(moved, by, column)) return false;
      }
    return true;
  }

  // The change that shortens most, and the excess that it leaves, within a trust region.
  VecX propose(double change) const {
    const auto n = x_.size();
    VecX least = VecX::Constant(n, -change), most = VecX::Constant(n, change);
    for (Eigen::Index i = courses_.stages(); i < n; ++i)
      least[i] = std::max(least[i], -x_[i]), most[i] = std::min(most[i], 1 - x_[i]);
    QuadraticProgramme p;
    p.H = curvature * MatX::Identity(n + 1, n + 1);
    p.c = VecX::Zero(n + 1);
    p.c.head(courses_.stages()) = x_.head(courses_.stages()).array().exp() / time(x_);
    p.c[n] = penalty;
    std::vector<VecX> rows;
    std::vector<double> right;
    for (size_t r = 0; r < excess_.size(); ++r)
      for (size_t i = 0; i < places_.size(); ++i) {
        VecX row = row_of(r, i);
        const double reach = row.cwiseMax(0).dot(most) + row.cwiseMin(0).dot(least);
        if (excess_[r][i] + reach <= 0) continue;
        rows.push_back(std::move(row));
        right.push_back(-excess_[r][i]);
      }
    const auto limits = static_cast<Eigen::Index>(rows.size());
    p.A = MatX::Zero(limits + 2 * n + 1, n + 1);
    p.b = VecX::Zero(p.A.rows());
    for (Eigen::Index i = 0; i < limits; ++i) {
      p.A.row(i).head(n) = rows[static_cast<size_t>(i)];
      p.A(i, n) = -1;
      p.b[i] = right[static_cast<size_t>(i)];
    }
    p.A.block(limits, 0, n, n).setIdentity();
    p.b.segment(limits, n) = most;
    p.A.block(limits + n, 0, n, n).diagonal().setConstant(-1);
    p.b.segment(limits + n, n) = -least;
    p.A(limits + 2 * n, n) = -1;
    const QuadraticOptimum best = solve(p);
    return best.x.allFinite() ? best.x : VecX();
  }
  VecX row_of(size_t limit, size_t i) const {
    VecX row = VecX::Zero(x_.size());
    const auto slopes = slope_[limit].row(static_cast<Eigen::Index>(i));
    const Place& p = places_[i];
    row.head(courses_.stages()) = slopes.head(courses_.stages());
    const int colours = courses_.degree() + 1;
    for (int o = 0; o < courses_.outputs(); ++o)
      for (int d = 0; d < colours; ++d)
        if (courses_.is_free(courses_.first(p.span) + d))
          row[courses_.at(p.stage, o, courses_.first(p.span) + d)] = slopes[courses_.stages() + o * colours + d];
    return row;
  }

  const SplineCourses& courses_;
  const TryCourse& attempt_;
  std::vector<Place> places_;
  VecX x_;
  Excess excess_;
  bool moved_ = false;
  std::vector<MatX> slope_;
};

// The largest excess with those of parabolas between instants of a span.
double largest_between(const Excess& excess, const std::vector<Place>& places) {
  double most = largest(excess);
  for (const auto& row : excess)
    for (size_t i = 1; i + 1 < row.size(); ++i) {
      if (places[i - 1].stage != places[i + 1].stage || places[i - 1].span != places[i + 1].span) continue;
      const double across = row[i + 1] - row[i - 1], bend = row[i + 1] - 2 * row[i] + row[i - 1];
      if (bend < 0 && std::abs(across) < -2 * bend) most = std::max(most, row[i] - across * across / (8 * bend));
    }
  return most;
}

// The same splines with all times in proportion, as long as keeps the limits between instants too.
std::optional<Course> made_safe(const SplineCourses& courses, const VecX& x, const TryCourse& attempt) {
  const std::vector<Place> places = courses.places(points_to_be_sure, true);
  const auto longer = [&](double log) {
    VecX y = x;
    y.head(courses.stages()).array() += log;
    return courses.course(y);
  };
  const auto kept = [&](double log) {
    const Course course = longer(log);
    const auto excess = attempt(course, SplineCourses::times(course, places));
    return excess && largest_between(*excess, places) <= -well_kept;
  };
  if (kept(0)) return longer(0);
  double too_short = 0, enough = 1e-4;
  for (; !kept(enough); too_short = enough, enough *= 3)
    if (enough > 1) return std::nullopt;
  while (enough - too_short > 2e-5) {
    const double middle = 0.5 * (too_short + enough);
    (kept(middle) ? enough : too_short) = middle;
  }
  return longer(enough);
}

}  // namespace

std::optional<Course> shortest_profile(const ProfileProblem& problem, const TryCourse& attempt) {
  std::optional<Course> best;
  Course now = problem.polynomial;
  for (int spans = first_spans;; spans *= 2) {
    const SplineCourses courses(problem, spans);
    Sequence sequence(courses, attempt, courses.unknowns_of(now));
    if (!sequence.run()) break;
    now = courses.course(sequence.x());
    const auto safe = made_safe(courses, sequence.x(), attempt);
    if (safe && safe->over < (best ? *best : problem.polynomial).over) best = safe;
    if (spans >= enough_spans) break;
  }
  return best;
}

}  // namespace davit
