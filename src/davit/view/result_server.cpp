#include "davit/view/result_server.hpp"

#include <boost/asio/io_context.hpp>

#include "davit/view/web_server.hpp"

namespace davit::view {

void serve(result::Result& result, const ServerOptions& options, result::Result* other) {
  Router router(result, other);
  boost::asio::io_context context(1);
  const WebServer server(context, options, {[&](std::string_view target) { return router.answer(target); }});
  if (options.listening) options.listening(server.port());
  context.run();
}

}  // namespace davit::view
