#include "davit/view/web_server.hpp"

#include <fmt/format.h>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <chrono>
#include <optional>
#include <stdexcept>

namespace davit::view {

namespace {

namespace beast = boost::beast;
namespace http = beast::http;
namespace asio = boost::asio;
using asio::ip::tcp;

constexpr std::uint32_t longest_header = 8 * 1024;
constexpr std::uint64_t longest_body = 1024;  // nobody has anything to say
constexpr auto looks_up = std::chrono::milliseconds(100);

struct Shared {
  WebContent content;
  ServerOptions options;
  unsigned short port = 0;
  std::size_t clients = 0;
};

// One client: a request, its answer, the next request.
class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(tcp::socket&& socket, Shared& shared) : stream_(std::move(socket)), shared_(shared) { ++shared_.clients; }
  ~Session() { --shared_.clients; }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void read() {
    parser_.emplace();
    parser_->header_limit(longest_header);
    parser_->body_limit(longest_body);
    wait_at_most();
    http::async_read(stream_, buffer_, *parser_, [self = shared_from_this()](beast::error_code error, std::size_t) {
      if (error) {
        self->close();
        return;
      }
      if (beast::websocket::is_upgrade(self->parser_->get()) && self->upgrade()) return;
      self->answer();
    });
  }

 private:
  void wait_at_most() {
    stream_.expires_after(std::chrono::milliseconds(static_cast<long>(1000 * shared_.options.patience)));
  }

  static std::string_view text(beast::string_view view) { return {view.data(), view.size()}; }

  // Why nothing is done for a request that is not meant for this server, or does not come from its own page.
  std::optional<Answer> refusal(const http::request<http::string_body>& request) const {
    if (!is_own_host(text(request[http::field::host]), shared_.port))
      return Answer{421, "text/plain", "not this host\n"};
    if (request.count(http::field::origin) > 0 && !is_own_origin(text(request[http::field::origin]), shared_.port))
      return Answer{403, "text/plain", "not for other sites\n"};
    return std::nullopt;
  }

  // False where it is answered like any other request.
  bool upgrade() {
    if (!shared_.content.upgrade || refusal(parser_->get())) return false;
    stream_.expires_never();
    shared_.content.upgrade(std::move(stream_), parser_->release());
    return true;
  }

  Answer answer_to(const http::request<http::string_body>& request) {
    if (auto refused = refusal(request)) return *std::move(refused);
    if (request.method() != http::verb::get && request.method() != http::verb::head)
      return {405, "text/plain", "only GET and HEAD\n"};
    try {
      return shared_.content.answer(text(request.target()));
    } catch (const std::exception& error) {
      return {500, "text/plain", std::string(error.what()) + "\n"};
    }
  }

  void answer() {
    const http::request<http::string_body>& request = parser_->get();
    Answer given = answer_to(request);
    response_ = {};
    response_.version(request.version());
    response_.result(static_cast<unsigned>(given.status));
    response_.keep_alive(request.keep_alive() && given.status == 200);
    response_.set(http::field::content_type, given.type);
    response_.set(http::field::cache_control, "no-store");
    response_.set("X-Content-Type-Options", "nosniff");
    response_.set("X-Frame-Options", "DENY");
    response_.set("Referrer-Policy", "no-referrer");
    response_.set("Cross-Origin-Resource-Policy", "same-origin");
    response_.set("Content-Security-Policy",
                  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: "
                  "blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    const std::size_t size = given.body.size();
    if (request.method() != http::verb::head) response_.body() = std::move(given.body);
    response_.content_length(size);
    serializer_.emplace(response_);
    if (request.method() == http::verb::head) {
      wait_at_most();
      http::async_write_header(
          stream_, *serializer_,
          [self = shared_from_this()](beast::error_code error, std::size_t) { self->done(error); });
    } else {
      write();
    }
  }

  // Bit by bit: patience is for a client that takes nothing, not for one that takes much.
  void write() {
    wait_at_most();
    http::async_write_some(stream_, *serializer_, [self = shared_from_this()](beast::error_code error, std::size_t) {
      if (error || self->serializer_->is_done())
        self->done(error);
      else
        self->write();
    });
  }

  void done(beast::error_code error) {
    if (error || !response_.keep_alive())
      close();
    else
      read();
  }

  void close() {
    beast::error_code ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_both, ignored);
    stream_.close();
  }

  beast::tcp_stream stream_;
  Shared& shared_;
  beast::flat_buffer buffer_{16 * 1024};
  std::optional<http::request_parser<http::string_body>> parser_;
  http::response<http::string_body> response_;
  std::optional<http::response_serializer<http::string_body>> serializer_;
};

}  // namespace

void listen_here(tcp::acceptor& acceptor, unsigned short port) {
  const tcp::endpoint here(asio::ip::address_v4::loopback(), port);
  beast::error_code error;
  acceptor.open(here.protocol(), error);
  if (!error) acceptor.set_option(asio::socket_base::reuse_address(true), error);
  if (!error) acceptor.bind(here, error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error) throw std::runtime_error(fmt::format("cannot listen on port {}: {}", port, error.message()));
}

class WebServer::Listener {
 public:
  Listener(asio::io_context& context, const ServerOptions& options, WebContent content)
      : context_(context), acceptor_(context), timer_(context), shared_{std::move(content), options} {
    listen_here(acceptor_, options.port);
    shared_.port = acceptor_.local_endpoint().port();
    accept();
    look_up();
  }
  unsigned short port() const { return shared_.port; }

 private:
  void accept() {
    acceptor_.async_accept(context_, [this](beast::error_code error, tcp::socket socket) {
      if (error == asio::error::operation_aborted) return;
      // Beyond so many clients one is let in and sent away at once, so that it does not wait.
      if (!error && shared_.clients < shared_.options.most_clients)
        std::make_shared<Session>(std::move(socket), shared_)->read();
      accept();
    });
  }

  void look_up() {
    timer_.expires_after(looks_up);
    timer_.async_wait([this](beast::error_code error) {
      if (error) return;
      if (shared_.options.stop && shared_.options.stop())
        context_.stop();
      else
        look_up();
    });
  }

  asio::io_context& context_;
  tcp::acceptor acceptor_;
  asio::steady_timer timer_;
  Shared shared_;
};

WebServer::WebServer(asio::io_context& context, const ServerOptions& options, WebContent content)
    : listener_(std::make_unique<Listener>(context, options, std::move(content))) {}
WebServer::~WebServer() = default;
unsigned short WebServer::port() const { return listener_->port(); }

}  // namespace davit::view
