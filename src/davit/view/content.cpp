#include "davit/view/content.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

namespace davit::view {

namespace {

using nlohmann::json;

constexpr std::size_t most_events = 4000;
constexpr std::uint64_t rows_at_once = 1 << 16U;

template <typename T>
void append(std::string& to, const std::vector<T>& values) {
  to.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

json events_of(const result::Result& result) {
  json list = json::array();
  for (const result::Event& event : result.events()) {
    if (is_about_nodes(event.key)) continue;
    if (list.size() == most_events) break;
    list.push_back({{"time", event.time}, {"element", event.element}, {"key", event.key}, {"text", event.text}});
  }
  return list;
}

// Goes through rows in blocks that fit into memory, whole stretches at a time.
template <typename Read, typename Use>
void in_stretches(std::uint64_t rows, std::uint64_t first, std::uint64_t last, std::uint64_t stride, const Read& read,
                  const Use& use) {
  last = std::min(last, rows);
  stride = std::max<std::uint64_t>(stride, 1);
  if (first >= last) return;
  const std::uint64_t block = stride * std::max<std::uint64_t>(rows_at_once / stride, 1);
  std::vector<double> values;
  for (; first < last; first += block) {
    values.resize(std::min(block, last - first));
    read(first, std::span<double>(values));
    for (std::size_t begin = 0; begin < values.size(); begin += stride)
      use(std::span<const double>(values).subspan(begin, std::min<std::size_t>(stride, values.size() - begin)));
  }
}

json description(const result::RunHeader& header, const std::vector<result::ChannelInfo>& channels) {
  json out = {{"title", header.title},
              {"created", header.created},
              {"method", header.method},
              {"step", header.step},
              {"davit", header.davit_version},
              {"file", header.scenario_file},
              {"rows", 0},
              {"events", json::array()},
              {"frames", 0},
              {"channels", json::array()},
              {"first", 0},
              {"last", 0}};
  for (const result::ChannelInfo& c : channels)
    out["channels"].push_back(
        {{"name", c.name}, {"unit", c.unit}, {"description", c.description}, {"group", c.group}, {"main", c.main}});
  return out;
}

void add_scene(const result::Scene* scene, json& out) {
  if (!scene) return;
  const result::FrameShape& shape = scene->frames;
  out["shape"] = {{"bodies", shape.bodies},
                  {"lines", shape.lines},
                  {"length_step", shape.length_step},
                  {"attitude_step", shape.attitude_step},
                  {"tension_step", shape.tension_step}};
  // A document of somebody else's file may be anything; a viewer must then do without.
  const json document = json::parse(scene->document, nullptr, false);
  if (document.is_object()) out["scene"] = document;
}

std::string text_of(const json& out) { return out.dump(-1, ' ', false, json::error_handler_t::replace); }

}  // namespace

bool is_about_nodes(std::string_view key) { return key == "sticks" || key == "slips"; }

std::string meta_json(const result::Result& result, const Thinning& thinning) {
  static const std::vector<result::ChannelInfo> none;
  json out = description(result.header(), thinning.curves ? result.channels() : none);
  out["status"] = result.status();
  out["rows"] = thinning.curves ? result.rows() : 0;
  out["events"] = events_of(result);
  out["frames"] = result.frames();
  if (thinning.curves && result.rows() > 0) {
    std::array<double, 1> time{};
    result.read_times(0, time);
    out["first"] = time[0];
    result.read_times(result.rows() - 1, time);
    out["last"] = time[0];
  }
  add_scene(result.scene(), out);
  if (thinning.compared) out["compared"] = true;
  if (thinning.stride > 0) out["stride"] = thinning.stride;
  if (thinning.frame_stride > 0) {
    out["frame_stride"] = thinning.frame_stride;
    out["frames"] = thinning.frames;
    out["frames_per_piece"] = thinning.frames_per_piece;
  }
  return text_of(out);
}

std::string live_meta_json(const result::RunHeader& header, const std::vector<result::ChannelInfo>& channels,
                           const result::Scene* scene, const std::string& live) {
  json out = description(header, channels);
  out["status"] = "live";
  out["live"] = json::parse(live);
  add_scene(scene, out);
  return text_of(out);
}

std::string meshes(const result::Scene* scene) {
  static const result::SceneMeshes none;
  const result::SceneMeshes& of = scene ? scene->meshes : none;
  std::string out;
  append(out, std::vector<double>{static_cast<double>(of.points.size()), static_cast<double>(of.triangles.size())});
  append(out, of.points);
  append(out, of.triangles);
  return out;
}

std::string frames(const result::PackedFrames& packed) {
  std::string out;
  std::vector<double> head;
  for (const std::size_t n : {static_cast<std::size_t>(packed.first), packed.times.size(), packed.poses.size(),
                              packed.counts.size(), packed.vertices.size(), packed.flags.size()})
    head.push_back(static_cast<double>(n));
  append(out, head);
  append(out, packed.times);
  append(out, packed.poses);
  append(out, packed.counts);
  append(out, packed.vertices);
  append(out, packed.flags);
  return out;
}

std::string times(const result::Result& result, std::uint64_t first, std::uint64_t last, std::uint64_t stride) {
  std::vector<double> middles;
  in_stretches(
      result.rows(), first, last, stride,
      [&](std::uint64_t row, std::span<double> values) { result.read_times(row, values); },
      [&](std::span<const double> stretch) { middles.push_back(stretch[stretch.size() / 2]); });
  std::string out;
  append(out, middles);
  return out;
}

std::string channel(const result::Result& result, std::size_t index, std::uint64_t first, std::uint64_t last,
                    std::uint64_t stride) {
  std::vector<float> low, high;
  in_stretches(
      result.rows(), first, last, stride,
      [&](std::uint64_t row, std::span<double> values) { result.read_channel(index, row, values); },
      [&](std::span<const double> stretch) {
        double least = std::numeric_limits<double>::infinity(), most = -least;
        for (const double value : stretch) {
          if (std::isnan(value)) continue;
          least = std::min(least, value);
          most = std::max(most, value);
        }
        const bool none = least > most;
        low.push_back(none ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(least));
        high.push_back(none ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(most));
      });
  std::string out;
  append(out, low);
  append(out, high);
  return out;
}

}  // namespace davit::view
