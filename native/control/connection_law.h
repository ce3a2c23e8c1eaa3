#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "detectors/time.h"

namespace hodor::control {

// What share of the new connections may pass in an overload, so that the server does not spend
// itself on accepting, reading and answering requests whose clients have left meanwhile. Told the
// time; not thread-safe.
//
// There is a budget of new connections per second. It begins when requests wait for long in the
// kernel, or when new connections and rejections together take a large share of the CPU; it shrinks
// while requests wait there, and grows while they do not, faster if CPU is to spare. It ends when
// there are no more new connections than it has room for, or when the overload does.
//
// Where rejections on connections that exist take too much themselves or wait for long, or memory is
// short (each connection has buffers in it), a share of them closes its connection: the next request of that
// client is then one more new connection, most of which cost nothing.
class ConnectionLaw {
 public:
  // What may always pass: somebody who only asks whether the server lives is among it.
  static constexpr double kFloor = 0.01;

  struct Input {
    Instant now{};
    Duration elapsed{};  // since the last tick, > 0
    // An overload goes on.
    bool overloaded = false;
    // How long the slower of the requests wait to be read, in seconds.
    double unreadWait = 0;
    // For how long connections have waited to be accepted, at most, in seconds.
    double acceptWait = 0;
    // Connections that were established since the last tick, and the share that could pass in it.
    std::uint64_t opened = 0;
    double passed = 1;
    // Requests that were rejected since the last tick, and answered ones a second.
    std::uint64_t rejected = 0;
    double throughput = 0;
    // Share of the time lost to garbage collection; absent: unknown.
    std::optional<double> gcShare;
    // Share of the CPUs in use.
    double cpuUse = 0;
    double effectiveCpus = 1;
  };

  // The share that may pass, kFloor..1; 1: all of them.
  double tick(const Input& input);

  [[nodiscard]] double passing() const { return passing_; }
  // The share of the rejections that should close their connections, 0..1; 0 while all new ones
  // pass.
  [[nodiscard]] double closing() const { return closing_; }
  // Connections a second; absent: as many as come.
  [[nodiscard]] std::optional<double> budget() const { return budget_; }
  // New connections a second as they would be if all passed.
  [[nodiscard]] double offered() const { return offered_; }

 private:
  void observe(const Input& input);
  [[nodiscard]] bool congested(const Input& input) const;
  // What new connections and rejections cost, as a share of the CPUs.
  [[nodiscard]] double dearness(const Input& input) const;
  [[nodiscard]] double costOfRejections(const Input& input) const;
  // Many connections are asked for nothing, and memory is short.
  [[nodiscard]] bool crowded(const Input& input) const;
  void close(const Input& input);
  void begin(const Input& input);
  void adapt(const Input& input);
  void end();

  std::optional<double> budget_;
  double passing_ = 1;
  double closing_ = 0;
  double offered_ = 0;
  double rejections_ = 0;
  // What the last limit of this overload came down to: growth slows down near it.
  double tooMuch_ = 0;
  double lastWait_ = 0;
  std::optional<Instant> lastCut_;
  std::optional<Instant> roomSince_;
};

}  // namespace hodor::control
