#include "davit/live/live_server.hpp"

#include <fmt/format.h>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/websocket.hpp>
#include <deque>
#include <map>
#include <thread>

#include "davit/view/web_server.hpp"

namespace davit::live {

namespace {

namespace beast = boost::beast;
namespace asio = boost::asio;
using asio::ip::tcp;
using view::Answer;
using Bytes = std::shared_ptr<const std::string>;

constexpr std::size_t most_clients = 32;
// Of messages that wait for a client: beyond the first pictures are left out, beyond the second the client is.
constexpr std::size_t many_waiting = 60, most_waiting = 2000;
constexpr auto time_to_say_hello = std::chrono::seconds(10);

Bytes shared_text(std::string text) { return std::make_shared<const std::string>(std::move(text)); }

// What is to be sent to one client, one message after the other.
class Client {
 public:
  explicit Client(int number) : number_(number) {}
  virtual ~Client() = default;
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  int number() const { return number_; }

  void send(Bytes message, bool text) {
    if (closed_ || (!text && waiting_.size() > many_waiting)) return;
    if (waiting_.size() > most_waiting) {
      close();
      return;
    }
    waiting_.emplace_back(std::move(message), text);
    if (waiting_.size() == 1) write(waiting_.front().first, text);
  }
  virtual void close() = 0;
  // From now on nothing of it is heard, also what has arrived already: it will be closed.
  void turn_away() { turned_away_ = true; }
  bool is_heard() const { return !closed_ && !turned_away_; }

 protected:
  virtual void write(const Bytes& message, bool text) = 0;
  void written(beast::error_code error) {
    if (error) {
      close();
      return;
    }
    waiting_.pop_front();
    if (!waiting_.empty()) write(waiting_.front().first, waiting_.front().second);
  }
  bool closed_ = false;

 private:
  bool turned_away_ = false;
  int number_;
  std::deque<std::pair<Bytes, bool>> waiting_;
};

// What clients need of the server.
class Desk {
 public:
  virtual ~Desk() = default;
  virtual void hear(Client& from, std::string_view text) = 0;
  virtual void left(Client& client) = 0;
};

// A page in a browser, or a program that speaks WebSocket.
class WebClient final : public Client, public std::enable_shared_from_this<WebClient> {
 public:
  WebClient(beast::tcp_stream&& stream, int number, Desk& desk)
      : Client(number), socket_(std::move(stream)), desk_(desk) {
    beast::get_lowest_layer(socket_).socket().set_option(tcp::no_delay(true));
    socket_.set_option(beast::websocket::stream_base::timeout::suggested(beast::role_type::server));
    socket_.read_message_max(longest_message);
  }
  void open(const view::Upgrade& request, std::function<void(Client&)> greet) {
    socket_.async_accept(request, [self = shared_from_this(), greet = std::move(greet)](beast::error_code error) {
      if (error) {
        self->close();
        return;
      }
      greet(*self);
      self->read();
    });
  }
  void close() override {
    if (closed_) return;
    closed_ = true;
    beast::error_code ignored;
    beast::get_lowest_layer(socket_).socket().shutdown(tcp::socket::shutdown_both, ignored);
    beast::get_lowest_layer(socket_).close();
    desk_.left(*this);
  }

 private:
  void read() {
    socket_.async_read(buffer_, [self = shared_from_this()](beast::error_code error, std::size_t) {
      if (error) {
        self->close();
        return;
      }
      if (!self->is_heard()) return;
      const auto bytes = self->buffer_.cdata();
      self->desk_.hear(*self, {static_cast<const char*>(bytes.data()), bytes.size()});
      self->buffer_.consume(self->buffer_.size());
      if (self->is_heard()) self->read();
    });
  }
  void write(const Bytes& message, bool text) override {
    socket_.text(text);
    socket_.async_write(asio::buffer(*message), [self = shared_from_this(), message](
                                                    beast::error_code error, std::size_t) { self->written(error); });
  }

  beast::websocket::stream<beast::tcp_stream> socket_;
  beast::flat_buffer buffer_;
  Desk& desk_;
};

// A program that speaks lines of JSON.
class LineClient final : public Client, public std::enable_shared_from_this<LineClient> {
 public:
  LineClient(tcp::socket&& socket, int number, Desk& desk)
      : Client(number), socket_(std::move(socket)), timer_(socket_.get_executor()), desk_(desk) {
    beast::error_code ignored;
    socket_.set_option(tcp::no_delay(true), ignored);
  }
  void open() {
    timer_.expires_after(time_to_say_hello);
    timer_.async_wait([weak = weak_from_this()](beast::error_code error) {
      const auto self = weak.lock();
      if (!error && self && !self->spoke_) self->close();
    });
    read();
  }
  void close() override {
    if (closed_) return;
    closed_ = true;
    beast::error_code ignored;
    timer_.cancel(ignored);
    socket_.shutdown(tcp::socket::shutdown_both, ignored);
    socket_.close(ignored);
    desk_.left(*this);
  }

 private:
  void read() {
    asio::async_read_until(socket_, asio::dynamic_buffer(text_, longest_message), '\n',
                           [self = shared_from_this()](beast::error_code error, std::size_t size) {
                             if (error) {
                               self->close();
                               return;
                             }
                             // A line that came with the one before is here without any reading.
                             if (!self->is_heard()) return;
                             self->spoke_ = true;
                             self->desk_.hear(*self, std::string_view(self->text_).substr(0, size - 1));
                             self->text_.erase(0, size);
                             if (self->is_heard()) self->read();
                           });
  }
  void write(const Bytes& message, bool text) override {
    if (!text) {
      written({});
      return;
    }
    const auto line = shared_text(*message + "\n");
    asio::async_write(
        socket_, asio::buffer(*line),
        [self = shared_from_this(), line](beast::error_code error, std::size_t) { self->written(error); });
  }

  tcp::socket socket_;
  asio::steady_timer timer_;
  std::string text_;
  bool spoke_ = false;
  Desk& desk_;
};

}  // namespace

class Server::Running final : public Desk {
 public:
  Running(Session& session, const Options& options)
      : session_(session),
        web_(context_, {.port = options.port},
             {[this](std::string_view target) { return answer(target); },
              [this](beast::tcp_stream&& stream, view::Upgrade&& request) { page(std::move(stream), request); }}),
        acceptor_(context_) {
    if (options.controller_port) {
      view::listen_here(acceptor_, *options.controller_port);
      accept();
    }
    thread_ = std::thread([this] { context_.run(); });
  }
  ~Running() override {
    // What was said last shall arrive.
    asio::post(context_, [this] {
      closing_.expires_after(std::chrono::milliseconds(300));
      closing_.async_wait([this](beast::error_code) { context_.stop(); });
    });
    thread_.join();
  }
  Ports ports() const {
    return {web_.port(), acceptor_.is_open() ? acceptor_.local_endpoint().port() : static_cast<unsigned short>(0)};
  }

  void to_pages(Bytes message, bool text) {
    asio::post(context_, [this, message = std::move(message), text] {
      // One that is closed meanwhile takes itself out of the list.
      const auto all = pages_;
      for (const auto& [number, page] : all) page->send(message, text);
    });
  }
  void to_controller(Bytes message) {
    asio::post(context_, [this, message = std::move(message)] {
      if (const auto client = controller_.lock()) client->send(message, true);
    });
  }

 private:
  Answer answer(std::string_view target) {
    const std::string_view path = target.substr(0, target.find('?'));
    if (auto file = view::page_file(path, "live")) return *std::move(file);
    if (path == "/api/meta") return {200, "application/json; charset=utf-8", session_.meta()};
    if (path == "/api/meshes") return {200, "application/octet-stream", session_.meshes()};
    return view::nothing_here();
  }

  void page(beast::tcp_stream&& stream, const view::Upgrade& request) {
    if (request.target() != "/live" || pages_.size() + lines_.size() >= most_clients) return;
    const auto client = std::make_shared<WebClient>(std::move(stream), next_number_++, *this);
    client->open(request, [this, weak = std::weak_ptr<WebClient>(client)](Client& opened) {
      const auto self = weak.lock();
      if (!self) return;
      pages_[opened.number()] = self;
      const Session::Latest latest = session_.page_came();
      opened.send(shared_text(latest.began), true);
      for (const Bytes& bytes : {latest.frame, latest.row})
        if (bytes) opened.send(bytes, false);
    });
  }

  void accept() {
    acceptor_.async_accept(context_, [this](beast::error_code error, tcp::socket socket) {
      if (error == asio::error::operation_aborted) return;
      if (!error && pages_.size() + lines_.size() < most_clients) {
        const auto client = std::make_shared<LineClient>(std::move(socket), next_number_++, *this);
        lines_[client->number()] = client;
        client->open();
      }
      accept();
    });
  }

  std::shared_ptr<Client> find(int number) const {
    if (const auto page = pages_.find(number); page != pages_.end()) return page->second;
    if (const auto line = lines_.find(number); line != lines_.end()) return line->second;
    return nullptr;
  }

  void hear(Client& from, std::string_view text) override {
    const bool is_page = pages_.count(from.number()) > 0;
    const auto controller = controller_.lock();
    const bool is_controller = controller && controller->number() == from.number();
    try {
      const Request request = parse_request(text);
      if (request.hello) {
        from.send(shared_text(session_.controller_came(*request.hello)), true);
        controller_ = find(from.number());
      } else if (!is_page && !is_controller) {
        throw BadMessage(R"(say {"hello": {"mode": "lock-step", "channels": []}} first)");
      }
      session_.request(from.number(), request);
    } catch (const BadMessage& mistake) {
      from.send(shared_text(error_text(mistake.what())), true);
      // Whoever does not know the language is no controller: a browser that was led here by another site, for one.
      if (!is_page && !is_controller) close_soon(from);
    }
  }

  // When what was said to it is on its way.
  void close_soon(Client& client) {
    client.turn_away();
    asio::post(context_, [found = find(client.number())] {
      if (found) found->close();
    });
  }

  void left(Client& client) override {
    const auto controller = controller_.lock();
    if (controller && controller->number() == client.number()) {
      controller_.reset();
      session_.controller_left();
    }
    if (pages_.erase(client.number()) > 0) session_.page_left(client.number());
    lines_.erase(client.number());
  }

  Session& session_;
  asio::io_context context_{1};
  view::WebServer web_;
  tcp::acceptor acceptor_;
  asio::steady_timer closing_{context_};
  std::map<int, std::shared_ptr<Client>> pages_, lines_;
  std::weak_ptr<Client> controller_;
  int next_number_ = 0;
  std::thread thread_;
};

Server::Server() = default;
Server::~Server() = default;

Server::Ports Server::start(Session& session, const Options& options) {
  running_ = std::make_unique<Running>(session, options);
  return running_->ports();
}

void Server::stop() { running_.reset(); }

void Server::tell(const std::string& text) {
  if (running_) running_->to_pages(shared_text(text), true);
}
void Server::show(std::shared_ptr<const std::string> bytes) {
  if (running_) running_->to_pages(std::move(bytes), false);
}
void Server::tell_controller(const std::string& text) {
  if (running_) running_->to_controller(shared_text(text));
}

}  // namespace davit::live
