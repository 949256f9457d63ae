#include "davit/result/frame_packing.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace davit::result {
namespace {

std::uint32_t zigzag(std::uint32_t difference) { return (difference << 1U) ^ (0U - (difference >> 31U)); }
std::uint32_t unzigzag(std::uint32_t kept) { return (kept >> 1U) ^ (0U - (kept & 1U)); }

// What is beyond the numbers that fit stays at their end; what is not a number is zero.
std::uint32_t counted(double value, double step) {
  constexpr double most = 2147483647;
  const double steps = value / step;
  if (std::isnan(steps)) return 0;
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(std::round(std::clamp(steps, -most, most))));
}

double measured(std::uint32_t value, double step) { return step * static_cast<std::int32_t>(value); }

// What a number is expected to be, after so many frames.
std::uint32_t expected(int after, std::uint32_t last, std::uint32_t before) {
  return after == 0 ? 0 : after == 1 ? last : 2 * last - before;
}

}  // namespace

FramePacker::FramePacker(const FrameShape& shape)
    : shape_(shape),
      last_(shape.bodies * numbers_per_pose),
      before_(shape.bodies * numbers_per_pose),
      lines_(shape.lines) {}

void FramePacker::pack(const Frame& frame, PackedFrames& to) {
  if (frame.bodies.size() != shape_.bodies || frame.lines.size() != shape_.lines)
    throw std::invalid_argument("a frame must have every body and every line");
  const int after = static_cast<int>(std::min<std::uint64_t>(frame_++ % frames_per_block, 2));
  to.times.push_back(frame.time);
  std::size_t i = 0;
  const auto keep = [&](double value, double step) {
    const std::uint32_t now = counted(value, step);
    to.poses.push_back(zigzag(now - expected(after, last_[i], before_[i])));
    before_[i] = last_[i];
    last_[i++] = now;
  };
  for (const BodyPose& pose : frame.bodies) {
    for (const double x : pose.at) keep(x, shape_.length_step);
    // Of the two quaternions that are one attitude, the one nearer to that before.
    double along = 0;
    for (std::size_t k = 0; k < 4; ++k) along += pose.attitude[k] * measured(last_[i + k], 1);
    for (const double e : pose.attitude) keep(along < 0 ? -e : e, shape_.attitude_step);
  }
  for (std::size_t l = 0; l < lines_.size(); ++l) {
    Line& line = lines_[l];
    const std::vector<LineVertex>& vertices = frame.lines[l];
    to.counts.push_back(static_cast<std::uint32_t>(vertices.size()));
    const std::size_t count = vertices.size() * numbers_per_vertex;
    if (after == 0 || line.last.size() != count) {
      line.same = 0;
      line.last.assign(count, 0);
      line.before.assign(count, 0);
    }
    std::size_t n = 0;
    const auto keep_of_line = [&](double value, double step) {
      const std::uint32_t now = counted(value, step);
      to.vertices.push_back(zigzag(now - expected(line.same, line.last[n], line.before[n])));
      line.before[n] = line.last[n];
      line.last[n++] = now;
    };
    for (const LineVertex& vertex : vertices) {
      for (const double x : vertex.at) keep_of_line(x, shape_.length_step);
      keep_of_line(vertex.tension, shape_.tension_step);
      to.flags.push_back(vertex.flags);
    }
    line.same = std::min(line.same + 1, 2);
  }
}

std::vector<Frame> unpack(const FrameShape& shape, const PackedFrames& packed) {
  const std::size_t frames = packed.times.size();
  std::uint64_t all = 0;
  for (const std::uint32_t count : packed.counts) all += count;
  if (packed.poses.size() != frames * shape.bodies * numbers_per_pose || packed.counts.size() != frames * shape.lines ||
      packed.vertices.size() != all * numbers_per_vertex || packed.flags.size() != all)
    throw std::runtime_error("the numbers of frames do not fit each other");

  struct Line {
    std::vector<std::uint32_t> last, before;
    int same = 0;
  };
  std::vector<std::uint32_t> last(shape.bodies * numbers_per_pose), before(last.size());
  std::vector<Line> lines(shape.lines);
  std::vector<Frame> out(frames);
  std::size_t pose_number = 0, vertex = 0;
  for (std::size_t f = 0; f < frames; ++f) {
    const int after = static_cast<int>(std::min<std::uint64_t>((packed.first + f) % frames_per_block, 2));
    Frame& frame = out[f];
    frame.time = packed.times[f];
    frame.bodies.resize(shape.bodies);
    for (std::size_t i = 0; i < last.size(); ++i) {
      const std::uint32_t now = unzigzag(packed.poses[pose_number++]) + expected(after, last[i], before[i]);
      before[i] = last[i];
      last[i] = now;
      BodyPose& pose = frame.bodies[i / numbers_per_pose];
      const std::size_t k = i % numbers_per_pose;
      if (k < 3)
        pose.at[k] = measured(now, shape.length_step);
      else
        pose.attitude[k - 3] = measured(now, shape.attitude_step);
    }
    frame.lines.resize(shape.lines);
    for (std::size_t l = 0; l < shape.lines; ++l) {
      Line& line = lines[l];
      frame.lines[l].resize(packed.counts[f * shape.lines + l]);
      const std::size_t count = frame.lines[l].size() * numbers_per_vertex;
      if (after == 0 || line.last.size() != count) {
        line.same = 0;
        line.last.assign(count, 0);
        line.before.assign(count, 0);
      }
      std::size_t n = 0;
      const auto next = [&](double step) {
        const std::uint32_t now = unzigzag(packed.vertices[vertex * numbers_per_vertex + n % numbers_per_vertex]) +
                                  expected(line.same, line.last[n], line.before[n]);
        line.before[n] = line.last[n];
        line.last[n++] = now;
        return measured(now, step);
      };
      for (LineVertex& v : frame.lines[l]) {
        for (double& x : v.at) x = next(shape.length_step);
        v.tension = next(shape.tension_step);
        v.flags = packed.flags[vertex++];
      }
      line.same = std::min(line.same + 1, 2);
    }
  }
  return out;
}

}  // namespace davit::result
