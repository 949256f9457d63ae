// What a browser is given, and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "davit/result/recorder.hpp"
#include "davit/result/result_error.hpp"
#include "davit/test/temp_folder.hpp"
#include "davit/view/content.hpp"
#include "davit/view/gltf.hpp"
#include "davit/view/html_page.hpp"
#include "davit/view/replay_figure.hpp"
#include "davit/view/router.hpp"

namespace davit::view {
namespace {

using result::Result;
using test::TempFolder;

template <typename T>
std::vector<T> numbers(const std::string& bytes, std::size_t at = 0, std::size_t count = 0) {
  std::vector<T> out(count ? count : (bytes.size() - at) / sizeof(T));
  std::memcpy(out.data(), bytes.data() + at, out.size() * sizeof(T));
  return out;
}

constexpr std::uint64_t rows = 1000, frame_rows = 200;

std::filesystem::path written(const TempFolder& folder) {
  const auto path = folder / "result.h5";
  result::Scene scene{R"({"version":1,"title":"</script>"})", {{0, 0, 0, 1, 0, 0, 0, 1, 0}, {0, 1, 2}}, {.bodies = 1}};
  result::Recorder recorder(path, {.title = "<b>lift</b>"}, {{.name = "a.x", .unit = "m"}, {.name = "b.y"}}, {}, scene);
  for (std::uint64_t r = 0; r < rows; ++r) {
    const double t = 0.1 * static_cast<double>(r);
    recorder.append(t, std::vector<double>{t, r == 503 ? 100.0 : r == 777 ? NAN : -1.0});
    if (r < frame_rows) recorder.append_frame({t, {{{t, 0, 0}}}, {}});
  }
  recorder.append_event(3, "rope", "sticks", "often", {});
  recorder.append_event(4, "lift_off", "begins");
  recorder.finish();
  return path;
}

TEST(View, AnEnvelopeKeepsEveryPeak) {
  TempFolder folder;
  const Result result = Result::open(written(folder));
  const auto values = numbers<float>(channel(result, 1, 0, rows, 64));
  ASSERT_EQ(values.size(), 2 * 16u);
  EXPECT_EQ(values[503 / 64], -1);
  EXPECT_EQ(values[16 + 503 / 64], 100);
  for (const float v : values) EXPECT_FALSE(std::isnan(v));  // one row that is no number does not hide its neighbours
  EXPECT_EQ(numbers<double>(times(result, 0, rows, 64)).size(), 16u);
  const auto all = numbers<float>(channel(result, 0, 990, 5000, 1));
  ASSERT_EQ(all.size(), 2 * 10u);
  EXPECT_FLOAT_EQ(all[3], 99.3F);
  EXPECT_TRUE(channel(result, 0, 5000, 6000, 1).empty());
}

TEST(View, TheRouterGivesWhatThereIsAndRefusesTheRest) {
  TempFolder folder;
  Result result = Result::open(written(folder));
  Router router(result);
  const auto status = [&](const char* target) { return router.answer(target).status; };
  EXPECT_EQ(status("/"), 200);
  EXPECT_EQ(status("/viewer.js"), 200);
  EXPECT_EQ(status("/viewer.css"), 200);
  const auto meta = nlohmann::json::parse(router.answer("/api/meta").body);
  EXPECT_EQ(meta["rows"], rows);
  EXPECT_EQ(meta["frames"], frame_rows);
  EXPECT_EQ(meta["channels"][0]["name"], "a.x");
  ASSERT_EQ(meta["events"].size(), 1u);  // where ropes touch is in the frames
  EXPECT_EQ(meta["events"][0]["key"], "begins");
  const std::string packed = router.answer("/api/frames?first=64&count=70").body;
  EXPECT_EQ(numbers<double>(packed, 0, 6), (std::vector<double>{64, 70, 7 * 70, 0, 0, 0}));
  EXPECT_EQ(numbers<double>(router.answer("/api/frame-times").body).size(), frame_rows);
  EXPECT_EQ(numbers<double>(router.answer("/api/meshes").body, 0, 2), (std::vector<double>{9, 3}));
  for (const char* bad :
       {"/api/frames", "/api/frames?first=1&count=1", "/api/frames?first=0&count=100000",
        "/api/frames?first=-1&count=1", "/api/frames?first=18446744073709551615&count=2",
        "/api/channel?index=2&first=0&last=1&stride=1", "/api/channel?index=0&first=0&last=1&stride=0",
        "/api/channel?index=0x1&first=0&last=1&stride=1", "/api/times?first=5&last=1&stride=1",
        "/api/times?first=0&last=9007199254740991&stride=1"})
    EXPECT_EQ(status(bad), 400) << bad;
  EXPECT_EQ(status("/other/meta"), 404);  // there is none
  Router both(result, &result);
  EXPECT_EQ(both.answer("/other/meta").status, 200);
  EXPECT_EQ(both.answer("/other/frames?first=0&count=64").status, 200);
  for (const char* none : {"/result.h5", "/../../etc/passwd", "/api/", "/api/meta/x", "//", ""})
    EXPECT_EQ(status(none), 404) << none;
}

TEST(View, OnlyItsOwnHostAndPageAreServed) {
  EXPECT_TRUE(is_own_host("127.0.0.1:8000", 8000));
  EXPECT_TRUE(is_own_host("localhost:8000", 8000));
  for (const char* host : {"", "127.0.0.1", "127.0.0.1:80", "evil.example:8000", "127.0.0.1:8000.evil.example"})
    EXPECT_FALSE(is_own_host(host, 8000)) << host;
  EXPECT_TRUE(is_own_origin("http://localhost:8000", 8000));
  for (const char* origin : {"null", "https://localhost:8000", "http://evil.example", "http://localhost:8001"})
    EXPECT_FALSE(is_own_origin(origin, 8000)) << origin;
}

// Whatever a file says, it cannot end the element that it is in.
TEST(View, APageHasEverythingAndNothingOfTheFileIsMarkup) {
  TempFolder folder;
  const auto path = folder / "page.html";
  const WrittenPage page = write_page(Result::open(written(folder)), path, {.pairs = 100, .frames = 50});
  EXPECT_EQ(page.stride, 10u);
  EXPECT_EQ(page.frame_stride, 4u);
  std::ifstream in(path);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  EXPECT_EQ(text.size(), page.bytes);
  EXPECT_EQ(text.find("<b>lift"), std::string::npos);
  const std::size_t policy = text.find("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'");
  EXPECT_LT(policy, text.find("<script"));
  EXPECT_LT(policy, text.find("<style"));
  for (const char* piece : {"meta", "meshes", "frame-times", "frames-0", "times", "channel-0", "channel-1"})
    EXPECT_NE(text.find(std::string("id=\"davit-") + piece + "\""), std::string::npos) << piece;
  std::size_t opened = 0, closed = 0;
  for (std::size_t at = text.find("<script"); at != std::string::npos; at = text.find("<script", at + 1)) ++opened;
  for (std::size_t at = text.find("</script"); at != std::string::npos; at = text.find("</script", at + 1)) ++closed;
  EXPECT_EQ(opened, closed);
  EXPECT_EQ(text.find("src="), text.find("src=", text.find("<div id=\"davit\">")));  // nothing is loaded before
}

// Chunks as the standard has them, and as many frames as were asked for.
// What of a figure is an attribute cannot end it, and the frame may run scripts and nothing else.
TEST(View, AReplayIsAFrameThatCanDoNothingElse) {
  TempFolder folder;
  const Result result = Result::open(written(folder));
  const std::string figure = replay_figure(result);
  EXPECT_NE(figure.find("<iframe sandbox=\"allow-scripts\" loading=\"lazy\""), std::string::npos);
  const auto begin = figure.find("srcdoc=\"") + 8, end = figure.find('"', begin);
  EXPECT_EQ(figure.substr(end), "\"></iframe></figure>\n");
  EXPECT_EQ(figure.substr(begin, end - begin).find('<'), std::string::npos);
  EXPECT_NE(figure.find("id=&quot;davit&quot; class=&quot;small&quot;"), std::string::npos);
  EXPECT_EQ(figure.find("davit-channel-0"), std::string::npos) << "curves have no place in it";
}

TEST(View, AReplayIsThinnedUntilItFits) {
  TempFolder folder;
  const Result result = Result::open(written(folder));
  const std::string whole = replay_figure(result);
  EXPECT_EQ(whole.find("fewer frames"), std::string::npos);
  std::string thinned;
  for (std::uint64_t room = 4000; room > 100 && thinned.find("fewer frames") == std::string::npos; room -= 50)
    thinned = replay_figure(result, room);
  EXPECT_NE(thinned.find("fewer frames"), std::string::npos);
  EXPECT_LT(thinned.size(), whole.size());
  EXPECT_NE(replay_figure(result, 100).find("too large for a replay"), std::string::npos);
}

TEST(View, GltfHasTheMotionOfEveryBody) {
  TempFolder folder;
  const auto path = folder / "scene.h5";
  const char* const document =
      R"({"bodies":[{"name":"load","shapes":[{"kind":"box","role":"body","size":[1,2,3],)"
      R"("pose":[0,0,0,1,0,0,0]},{"kind":"mesh","role":"surface","mesh":0,)"
      R"("pose":[0,0,0,1,0,0,0]}]}],"world":[],"lines":[{"name":"sling","kind":"rope"}],)"
      R"("meshes":[{"name":"m","first_point":0,"points":3,"first_triangle":0,"triangles":1}]})";
  {
    const result::Scene scene{document, {{0, 0, 0, 1, 0, 0, 0, 1, 0}, {0, 1, 2}}, {.bodies = 1, .lines = 1}};
    result::Recorder recorder(path, {.title = "t"}, {{.name = "a.x"}}, {}, scene);
    for (int f = 0; f < 100; ++f)
      recorder.append_frame({0.1 * f, {{{1.0 * f, 0, 0}}}, {{{{0, 0, 0}, 5, 0}, {{0, 0, 2.0}, 0, 0}}}});
    recorder.finish();
  }
  const WrittenGltf made = write_gltf(Result::open(path), folder / "a.glb", 50);
  EXPECT_EQ(made.frames, 50u);
  EXPECT_EQ(made.stride, 2u);
  std::ifstream in(folder / "a.glb", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  const auto words = numbers<std::uint32_t>(bytes, 0, 5);
  EXPECT_EQ(bytes.substr(0, 4), "glTF");
  EXPECT_EQ(words[1], 2u);
  ASSERT_EQ(words[2], bytes.size());
  const auto gltf = nlohmann::json::parse(bytes.substr(20, words[3]));
  const std::size_t binary = 20 + words[3] + 8;
  EXPECT_EQ(gltf["buffers"][0]["byteLength"], bytes.size() - binary);
  const auto& animation = gltf["animations"][0];
  EXPECT_EQ(animation["channels"].size(), 2u + 3u);  // a body moves and turns, a piece of rope is stretched too
  // Where the body is in the last frame, in the very bytes.
  const std::size_t output = animation["samplers"][0]["output"];
  const auto& accessor = gltf["accessors"][output];
  EXPECT_EQ(accessor["count"], 50);
  const auto& view = gltf["bufferViews"][accessor["bufferView"].get<std::size_t>()];
  const auto places = numbers<float>(bytes, binary + view["byteOffset"].get<std::size_t>(), 150);
  EXPECT_FLOAT_EQ(places[147], 98);
  EXPECT_THROW(write_gltf(Result::open(written(folder)), folder / "b.glb"), result::ResultError);  // no such document
}

TEST(View, AResultWithoutASceneHasCurves) {
  TempFolder folder;
  const auto path = folder / "result.h5";
  result::Recorder(path, {.title = "t"}, {{.name = "a.x"}}).finish();
  Result result = Result::open(path);
  Router router(result);
  const auto meta = nlohmann::json::parse(router.answer("/api/meta").body);
  EXPECT_FALSE(meta.contains("scene"));
  EXPECT_EQ(router.answer("/api/frames?first=0&count=0").status, 400);
  EXPECT_NO_THROW(write_page(result, folder / "page.html"));
}

}  // namespace
}  // namespace davit::view
