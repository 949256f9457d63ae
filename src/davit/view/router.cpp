#include "davit/view/router.hpp"

#include <fmt/format.h>

#include <charconv>
#include <stdexcept>

#include "davit/result/error.hpp"
#include "davit/view/assets.hpp"
#include "davit/view/content.hpp"
#include "davit/view/html_page.hpp"

namespace davit::view {

namespace {

constexpr std::uint64_t most_values = 4'000'000;  // in one answer

struct BadRequest : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The whole number behind `key=`, which must be there and be nothing else.
std::uint64_t number(std::string_view query, std::string_view key) {
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(pair.size() + 1, query.size()));
    if (!pair.starts_with(key) || pair.size() <= key.size() || pair[key.size()] != '=') continue;
    const std::string_view digits = pair.substr(key.size() + 1);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error == std::errc{} && end == digits.data() + digits.size() && value < std::uint64_t{1} << 53U) return value;
    break;
  }
  throw BadRequest(fmt::format("'{}' must be a whole number", key));
}

struct Rows {
  std::uint64_t first, last, stride;
};

Rows rows(std::string_view query) {
  const Rows of{number(query, "first"), number(query, "last"), number(query, "stride")};
  if (of.stride == 0 || of.last < of.first) throw BadRequest("rows go from 'first' to 'last' by 'stride'");
  if ((of.last - of.first) / of.stride > most_values)
    throw BadRequest("that is too much at once: take a larger stride");
  return of;
}

constexpr const char* binary = "application/octet-stream";

}  // namespace

Answer Router::answer(std::string_view target) {
  const std::size_t mark = target.find('?');
  const std::string_view path = target.substr(0, mark);
  const std::string_view query = mark == std::string_view::npos ? std::string_view{} : target.substr(mark + 1);
  try {
    if (path == "/" || path == "/index.html")
      return {200, "text/html; charset=utf-8", served_page(result_.header().title)};
    if (path == "/viewer.js") return {200, "text/javascript; charset=utf-8", std::string(viewer_script())};
    if (path == "/viewer.css") return {200, "text/css; charset=utf-8", std::string(viewer_style())};
    if (path.starts_with("/api/")) return data(path.substr(5), query);
    return {404, "text/plain; charset=utf-8", "there is nothing here\n"};
  } catch (const BadRequest& error) {
    return {400, "text/plain; charset=utf-8", std::string(error.what()) + "\n"};
  } catch (const result::ResultError& error) {
    return {500, "text/plain; charset=utf-8", std::string(error.what()) + "\n"};
  }
}

Answer Router::data(std::string_view path, std::string_view query) {
  if (path == "meta") {
    if (!result_.closed()) result_.refresh();  // more may have been written
    return {200, "application/json; charset=utf-8", meta_json(result_)};
  }
  if (path == "meshes") return {200, binary, meshes(result_)};
  if (path == "frame-times") {
    const std::vector<double> all = result_.frame_times();
    return {200, binary, {reinterpret_cast<const char*>(all.data()), all.size() * sizeof(double)}};
  }
  if (path == "frames") {
    const std::uint64_t first = number(query, "first"), count = number(query, "count");
    if (first % result::frames_per_block != 0 || first > result_.frames() || count > result_.frames() - first ||
        count > 16 * result::frames_per_block)
      throw BadRequest(fmt::format("frames are given in blocks of {}, at most {} at once", result::frames_per_block,
                                   16 * result::frames_per_block));
    if (!result_.scene()) throw BadRequest("the result has no frames");
    return {200, binary, frames(result_.read_frames(first, count))};
  }
  if (path == "times") {
    const Rows of = rows(query);
    return {200, binary, times(result_, of.first, of.last, of.stride)};
  }
  if (path == "channel") {
    const Rows of = rows(query);
    const std::uint64_t index = number(query, "index");
    if (index >= result_.channels().size()) throw BadRequest("there is no such channel");
    return {200, binary, channel(result_, index, of.first, of.last, of.stride)};
  }
  return {404, "text/plain; charset=utf-8", "there is nothing here\n"};
}

bool is_own_host(std::string_view host, unsigned short port) {
  for (const char* name : {"127.0.0.1", "localhost", "[::1]"})
    if (host == fmt::format("{}:{}", name, port) || (port == 80 && host == name)) return true;
  return false;
}

bool is_own_origin(std::string_view origin, unsigned short port) {
  constexpr std::string_view scheme = "http://";
  return origin.starts_with(scheme) && is_own_host(origin.substr(scheme.size()), port);
}

}  // namespace davit::view
