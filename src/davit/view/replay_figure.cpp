#include "davit/view/replay_figure.hpp"

#include <algorithm>

#include "davit/html/html.hpp"
#include "davit/view/assets.hpp"
#include "davit/view/html_page.hpp"

namespace davit::view {

namespace {

constexpr std::uint64_t most_frames = 6000, fewest_frames = 50;

// A packed number of a moving thing takes about a byte, in base64, when frames are far apart.
std::uint64_t numbers_of_frame(const result::Result& result) {
  const auto first = result.read_frames(0, 1);
  return std::max<std::size_t>(first.poses.size() + first.vertices.size(), 1);
}

std::string figure(const std::string& content) { return "<figure class=\"replay\">" + content + "</figure>\n"; }

}  // namespace

std::string replay_figure(const result::Result& result, std::uint64_t most_bytes) {
  if (!result.scene() || result.frames() == 0) return {};
  const std::uint64_t viewer = viewer_script().size() + viewer_style().size();
  std::uint64_t frames =
      std::min({result.frames(), most_frames, std::max(fewest_frames, most_bytes / numbers_of_frame(result))});
  while (true) {
    const std::string page = small_page(result, frames);
    const std::uint64_t beyond = page.size() - std::min<std::uint64_t>(page.size(), viewer);
    if (beyond <= most_bytes)
      return figure(
          "<figcaption>The lift in motion" +
          std::string(frames < result.frames() ? ", with fewer frames than the result has" : "") +
          "</figcaption><iframe sandbox=\"allow-scripts\" loading=\"lazy\" title=\"the lift in motion\" srcdoc=\"" +
          html::escape(page) + "\"></iframe>");
    if (frames <= fewest_frames)
      return figure("<figcaption>The scene is too large for a replay in this page: davit view shows it.</figcaption>");
    // Frames that are farther apart pack worse: somewhat fewer than in proportion.
    frames = std::max(fewest_frames, std::min(frames / 2, frames * most_bytes / beyond * 9 / 10));
  }
}

}  // namespace davit::view
