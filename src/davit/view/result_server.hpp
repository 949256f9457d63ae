// Serves a result to a browser on this very machine.
//
// Solves: loopback only; answers requests for this server from its own page alone, reads nothing but the result, gives
// slow and silent clients up, takes a bounded number of them.
// Does not: write, or serve other machines.
#pragma once

#include <functional>

#include "davit/result/reader.hpp"

namespace davit::view {

struct ServerOptions {
  unsigned short port = 0;  // 0: any that is free
  std::size_t most_clients = 64;
  double patience = 20;                                     // s, for a client that says nothing or takes nothing
  std::function<void(unsigned short port)> listening = {};  // called when clients may come
  std::function<bool()> stop = {};                          // asked now and then
};

// Returns when it is told to stop. Throws std::runtime_error when the port cannot be had.
// `other`: to compare with, or nothing.
void serve(result::Result& result, const ServerOptions& options, result::Result* other = nullptr);

}  // namespace davit::view
