// What the server answers to a request, without any network: which paths there are and what they give.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "davit/result/reader.hpp"

namespace davit::view {

struct Answer {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body{};
};

// The page and what it is made of; nothing for other paths.
std::optional<Answer> page_file(std::string_view path, const std::string& title);
Answer nothing_here();

class Router {
 public:
  // `other`: a second result to compare with, below /other/ as the first is below /api/.
  explicit Router(result::Result& result, result::Result* other = nullptr) : result_(result), other_(other) {}
  // `target` is the path with its query, as the browser sent it.
  Answer answer(std::string_view target);

 private:
  Answer data(result::Result& of, std::string_view path, std::string_view query) const;
  result::Result& result_;
  result::Result* other_;
};

// Whether a request is meant for this server, and comes from its own page: another site that a user has open must not
// read a result through the user's browser, also not by a name of its own that leads here.
bool is_own_host(std::string_view host, unsigned short port);
bool is_own_origin(std::string_view origin, unsigned short port);

}  // namespace davit::view
