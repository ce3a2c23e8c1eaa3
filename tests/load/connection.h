#pragma once

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "tests/load/ledger.h"
#include "tests/load/options.h"

namespace hodor::load {

struct Connection;

// One scheduled request. `connection` is set from the sending until the outcome.
struct Request {
  Duration scheduled{0};
  Duration lag{0};
  Duration latency{0};
  Outcome outcome = Outcome::kUnsent;
  bool decided = false;
  int retries = 0;  // before this one
  Connection* connection = nullptr;
};

// Is told the outcome of every request given to the pool, but those that were abandoned.
class OutcomeListener {
 public:
  virtual void onOutcome(Request& request, Outcome outcome) = 0;

 protected:
  ~OutcomeListener() = default;
};

// Follows one answer for its status and its end; header fields and the body are thrown away.
class AnswerParser final : public boost::beast::http::basic_parser<false> {
 public:
  AnswerParser() {
    eager(true);
    // Not boost::none: Beast of Boost 1.74 then refuses every body that has a length.
    body_limit(std::numeric_limits<std::uint64_t>::max());
  }
  int status() const { return status_; }

 private:
  using Error = boost::beast::error_code;
  using Text = boost::beast::string_view;
  using Field = boost::beast::http::field;
  using Verb = boost::beast::http::verb;

  void on_request_impl(Verb, Text, Text, int, Error&) override {}
  void on_response_impl(int code, Text, int, Error&) override { status_ = code; }
  void on_field_impl(Field, Text, Text, Error&) override {}
  void on_header_impl(Error&) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>&, Error&) override {}
  std::size_t on_body_impl(Text body, Error&) override { return body.size(); }
  void on_chunk_header_impl(std::uint64_t, Text, Error&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, Text body, Error&) override { return body.size(); }
  void on_finish_impl(Error&) override {}

  int status_ = 0;
};

// One socket. While it is open exactly one asynchronous operation is under way (connect, then
// always a read, so that a connection closed by the server is noticed while idle); its handler
// alone gives the object back for reuse, so no handler can find a stranger.
struct Connection {
  explicit Connection(boost::asio::io_context& io) : socket(io) {}

  boost::asio::ip::tcp::socket socket;
  Request* request = nullptr;  // being answered; null while idle or closed
  std::size_t idleIndex = 0;   // place among the idle ones, if idle
  std::optional<AnswerParser> parser;
  std::size_t filled = 0;
  std::array<char, 8192> buffer;
};

// Keep-alive connections to one target. Each request takes the connection that became idle last or
// opens a new one. Single-threaded, with the io_context.
class ConnectionPool {
 public:
  ConnectionPool(boost::asio::io_context& io, const Options& options, OutcomeListener& listener);

  // Sends the request now; the outcome comes to the listener, possibly before this returns.
  void send(Request& request);

  // Closes the connection of a request that is not answered in time.
  void abandon(Request& request);

  int open() const { return open_; }
  int mostOpen() const { return mostOpen_; }

 private:
  using Error = boost::system::error_code;

  bool write(Connection& connection);
  void connect(Request& request);
  void onConnected(Connection& connection, Error error);
  void read(Connection& connection);
  void onRead(Connection& connection, Error error, std::size_t bytes);
  void parse(Connection& connection, bool ended);
  void finish(Connection& connection, Outcome outcome, bool keep);
  void removeIdle(Connection& connection);
  void close(Connection& connection);

  boost::asio::io_context& io_;
  OutcomeListener& listener_;
  boost::asio::ip::tcp::endpoint target_;
  std::vector<boost::asio::ip::tcp::endpoint> sources_;
  std::size_t nextSource_ = 0;
  std::string bytes_;  // the request, ready to send
  bool closeByReset_;
  int maxConnections_;
  int open_ = 0;
  int mostOpen_ = 0;
  std::deque<Connection> all_;
  std::vector<Connection*> idle_;
  std::vector<Connection*> unused_;
};

}  // namespace hodor::load
