#include "davit/view/router.hpp"

#include <fmt/format.h>

#include <charconv>
#include <stdexcept>

#include "davit/result/result_error.hpp"
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

std::optional<Answer> page_file(std::string_view path, const std::string& title) {
  if (path == "/" || path == "/index.html") return Answer{200, "text/html; charset=utf-8", served_page(title)};
  if (path == "/viewer.js") return Answer{200, "text/javascript; charset=utf-8", std::string(viewer_script())};
  if (path == "/viewer.css") return Answer{200, "text/css; charset=utf-8", std::string(viewer_style())};
  return std::nullopt;
}

Answer nothing_here() { return {404, "text/plain; charset=utf-8", "there is nothing here\n"}; }

Answer Router::answer(std::string_view target) {
  const std::size_t mark = target.find('?');
  const std::string_view path = target.substr(0, mark);
  const std::string_view query = mark == std::string_view::npos ? std::string_view{} : target.substr(mark + 1);
  try {
    if (auto file = page_file(path, result_.header().title)) return *std::move(file);
    if (path.starts_with("/api/")) return data(result_, path.substr(5), query);
    if (other_ && path.starts_with("/other/")) return data(*other_, path.substr(7), query);
    return nothing_here();
  } catch (const BadRequest& error) {
    return {400, "text/plain; charset=utf-8", std::string(error.what()) + "\n"};
  } catch (const result::ResultError& error) {
    return {500, "text/plain; charset=utf-8", std::string(error.what()) + "\n"};
  }
}

Answer Router::data(result::Result& of, std::string_view path, std::string_view query) const {
  if (path == "meta") {
    if (!of.closed()) of.refresh();  // more may have been written
    return {200, "application/json; charset=utf-8", meta_json(of, {.compared = other_ != nullptr && &of == &result_})};
  }
  if (path == "meshes") return {200, binary, meshes(of.scene())};
  if (path == "frame-times") {
    const std::vector<double> all = of.frame_times();
    return {200, binary, {reinterpret_cast<const char*>(all.data()), all.size() * sizeof(double)}};
  }
  if (path == "frames") {
    const std::uint64_t first = number(query, "first"), count = number(query, "count");
    if (first % result::frames_per_block != 0 || first > of.frames() || count > of.frames() - first ||
        count > 16 * result::frames_per_block)
      throw BadRequest(fmt::format("frames are given in blocks of {}, at most {} at once", result::frames_per_block,
                                   16 * result::frames_per_block));
    if (!of.scene()) throw BadRequest("the result has no frames");
    return {200, binary, frames(of.read_frames(first, count))};
  }
  if (path == "times") {
    const Rows part = rows(query);
    return {200, binary, times(of, part.first, part.last, part.stride)};
  }
  if (path == "channel") {
    const Rows part = rows(query);
    const std::uint64_t index = number(query, "index");
    if (index >= of.channels().size()) throw BadRequest("there is no such channel");
    return {200, binary, channel(of, index, part.first, part.last, part.stride)};
  }
  return nothing_here();
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
