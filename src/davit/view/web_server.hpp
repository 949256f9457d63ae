// A small web server on this very machine: answers GET and HEAD, and hands over connections that want to become a
// WebSocket. For the sources of the servers alone: it shows Boost's types.
//
// Solves: loopback only; answers requests for this server from its own page alone, gives slow and silent clients up,
// takes a bounded number of them, survives what is not HTTP.
// Does not: know what is served.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <functional>
#include <memory>

#include "davit/view/result_server.hpp"
#include "davit/view/router.hpp"

namespace davit::view {

using Upgrade = boost::beast::http::request<boost::beast::http::string_body>;

struct WebContent {
  std::function<Answer(std::string_view target)> answer;
  // Takes a connection whose request asks for a WebSocket; none: nobody may ask.
  std::function<void(boost::beast::tcp_stream&&, Upgrade&&)> upgrade = {};
};

class WebServer {
 public:
  // Listens at once; clients are served while the context runs. Throws std::runtime_error when the port cannot be had.
  WebServer(boost::asio::io_context& context, const ServerOptions& options, WebContent content);
  ~WebServer();
  unsigned short port() const;

 private:
  class Listener;
  std::unique_ptr<Listener> listener_;
};

// Listens on the loopback address. Throws std::runtime_error in words.
void listen_here(boost::asio::ip::tcp::acceptor& acceptor, unsigned short port);

}  // namespace davit::view
