#include "tests/load/connection.h"

#include <netinet/in.h>
#include <sys/socket.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/beast/http/error.hpp>
#include <cstring>

namespace hodor::load {
namespace {

using boost::asio::ip::tcp;
namespace http = boost::beast::http;

std::string requestBytes(const Options& options) {
  const bool six = options.targetHost.find(':') != std::string::npos;
  std::string bytes = "GET ";
  bytes.append(options.path).append(" HTTP/1.1\r\nHost: ");
  bytes.append(six ? "[" : "").append(options.targetHost).append(six ? "]:" : ":");
  bytes.append(std::to_string(options.targetPort)).append("\r\nUser-Agent: hodor-load\r\n");
  for (const std::string& header : options.headers) bytes.append(header).append("\r\n");
  return bytes.append("\r\n");
}

Outcome outcomeOf(int status) {
  if (status >= 200 && status < 300) return Outcome::kServed;
  return status == 503 ? Outcome::kRejected : Outcome::kOther;
}

// The machine, not the server, is out of something.
bool isOwnFault(const boost::system::error_code& error) {
  return error == boost::asio::error::address_in_use ||
         error == boost::asio::error::no_descriptors ||
         error == boost::system::errc::address_not_available ||
         error == boost::system::errc::too_many_files_open_in_system ||
         error == boost::system::errc::no_buffer_space;
}

}  // namespace

ConnectionPool::ConnectionPool(boost::asio::io_context& io, const Options& options,
                               OutcomeListener& listener)
    : io_(io),
      listener_(listener),
      target_(boost::asio::ip::make_address(options.targetHost), options.targetPort),
      bytes_(requestBytes(options)),
      closeByReset_(options.closeByReset),
      maxConnections_(options.maxConnections) {
  for (const std::string& source : options.sources) {
    sources_.emplace_back(boost::asio::ip::make_address(source), 0);
  }
}

void ConnectionPool::send(Request& request) {
  while (!idle_.empty()) {
    Connection& connection = *idle_.back();
    idle_.pop_back();
    if (write(connection)) {
      connection.request = &request;
      request.connection = &connection;
      return;
    }
    close(connection);  // the server closed it, and nothing was sent
  }
  connect(request);
}

// A request is far smaller than an idle connection's send buffer, so a partial write is an error.
bool ConnectionPool::write(Connection& connection) {
  Error error;
  const std::size_t sent = connection.socket.write_some(boost::asio::buffer(bytes_), error);
  return !error && sent == bytes_.size();
}

void ConnectionPool::connect(Request& request) {
  if (open_ >= maxConnections_) {
    listener_.onOutcome(request, Outcome::kUnsent);
    return;
  }
  if (unused_.empty()) unused_.push_back(&all_.emplace_back(io_));
  Connection& connection = *unused_.back();
  tcp::socket& socket = connection.socket;
  Error error;
  socket.open(target_.protocol(), error);
  if (!error) socket.non_blocking(true, error);
  if (!error) socket.set_option(tcp::no_delay(true), error);
  if (!error && !sources_.empty()) {
    // Leaves the choice of the port to connect(), where one port serves many targets.
    const int on = 1;
    setsockopt(socket.native_handle(), IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
    socket.bind(sources_[nextSource_], error);
    nextSource_ = (nextSource_ + 1) % sources_.size();
  }
  if (error) {
    Error ignored;
    socket.close(ignored);
    listener_.onOutcome(request, Outcome::kUnsent);
    return;
  }
  unused_.pop_back();
  ++open_;
  mostOpen_ = std::max(mostOpen_, open_);
  connection.filled = 0;
  connection.request = &request;
  request.connection = &connection;
  socket.async_connect(target_,
                       [this, &connection](const Error& e) { onConnected(connection, e); });
}

void ConnectionPool::onConnected(Connection& connection, Error error) {
  if (!connection.socket.is_open()) {
    unused_.push_back(&connection);
    return;
  }
  const bool ready = !error && write(connection);
  if (!ready) {
    finish(connection, isOwnFault(error) ? Outcome::kUnsent : Outcome::kFailed, false);
    return;
  }
  read(connection);
}

void ConnectionPool::read(Connection& connection) {
  auto rest = boost::asio::buffer(connection.buffer) + connection.filled;
  connection.socket.async_read_some(
      rest, [this, &connection](const Error& e, std::size_t n) { onRead(connection, e, n); });
}

void ConnectionPool::onRead(Connection& connection, Error error, std::size_t bytes) {
  if (!connection.socket.is_open()) {
    unused_.push_back(&connection);
    return;
  }
  if (connection.request == nullptr) {  // idle: the server closed it, or talks out of turn
    removeIdle(connection);
    close(connection);
    unused_.push_back(&connection);
    return;
  }
  connection.filled += bytes;
  if (error && error != boost::asio::error::eof) {
    finish(connection, Outcome::kFailed, false);
    return;
  }
  parse(connection, error == boost::asio::error::eof);
}

void ConnectionPool::parse(Connection& connection, bool ended) {
  while (true) {
    if (!connection.parser) connection.parser.emplace();
    AnswerParser& parser = *connection.parser;
    Error error;
    std::size_t used = 0;
    if (connection.filled > 0) {
      used = parser.put(boost::asio::buffer(connection.buffer.data(), connection.filled), error);
      connection.filled -= used;
      std::memmove(connection.buffer.data(), connection.buffer.data() + used, connection.filled);
    }
    if (ended && parser.got_some() && (!error || error == http::error::need_more)) {
      error = {};
      parser.put_eof(error);
    }
    if (parser.is_done()) {
      if (parser.status() < 200) {  // "100 Continue" and its like come before the answer
        connection.parser.reset();
        continue;
      }
      const bool keep = !ended && parser.keep_alive() && connection.filled == 0;
      finish(connection, outcomeOf(parser.status()), keep);
      return;
    }
    const bool full = connection.filled == connection.buffer.size();
    if (ended || full || (error && error != http::error::need_more)) {
      finish(connection, Outcome::kFailed, false);
      return;
    }
    if (used == 0 || connection.filled == 0 || error == http::error::need_more) break;
  }
  read(connection);
}

// Called from the connection's own handler only, so no operation of it is under way.
void ConnectionPool::finish(Connection& connection, Outcome outcome, bool keep) {
  Request& request = *connection.request;
  connection.request = nullptr;
  request.connection = nullptr;
  connection.parser.reset();
  if (keep) {
    connection.idleIndex = idle_.size();
    idle_.push_back(&connection);
    read(connection);
  } else {
    close(connection);
    unused_.push_back(&connection);
  }
  listener_.onOutcome(request, outcome);
}

void ConnectionPool::removeIdle(Connection& connection) {
  idle_[connection.idleIndex] = idle_.back();
  idle_[connection.idleIndex]->idleIndex = connection.idleIndex;
  idle_.pop_back();
}

void ConnectionPool::abandon(Request& request) {
  Connection& connection = *request.connection;
  request.connection = nullptr;
  connection.request = nullptr;
  connection.parser.reset();
  if (closeByReset_) {
    Error ignored;
    connection.socket.set_option(boost::asio::socket_base::linger(true, 0), ignored);
  }
  close(connection);
}

void ConnectionPool::close(Connection& connection) {
  Error ignored;
  connection.socket.close(ignored);
  --open_;
}

}  // namespace hodor::load
