// Serves a live run on this very machine: the page with its WebSocket, and a port with lines of JSON for a controller.
//
// Solves: runs in a thread of its own; a client that takes nothing loses pictures first and then its connection; one
// that talks nonsense gets a sentence.
// Does not: decide anything: requests go to the session.
#pragma once

#include <memory>
#include <optional>

#include "davit/live/session.hpp"

namespace davit::live {

class Server final : public Broadcaster {
 public:
  struct Options {
    unsigned short port = 0;                          // of the page; 0: any that is free
    std::optional<unsigned short> controller_port{};  // of lines; none: only WebSockets
  };
  struct Ports {
    unsigned short page = 0, controller = 0;
  };

  Server();
  ~Server() override;
  // Throws std::runtime_error when a port cannot be had. The session must be there until it stops.
  Ports start(Session& session, const Options& options);
  void stop();

  void tell(const std::string& text) override;
  void show(std::shared_ptr<const std::string> bytes) override;
  void tell_controller(const std::string& text) override;

 private:
  class Running;
  std::unique_ptr<Running> running_;
};

}  // namespace davit::live
