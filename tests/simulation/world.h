#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <queue>
#include <random>
#include <vector>

#include "admission/admission.h"
#include "admission/queue_watch.h"
#include "control/controller.h"
#include "processor.h"
#include "scenario.h"

namespace hodor::simulation {

// One run of a scenario: clients, server, and an agent in it that ticks ten times a second.
class World {
 public:
  enum class Agent { kNone, kOnlyRequests, kRequestsAndConnections };

  World(const Scenario& scenario, Agent agent);

  Outcome run();

 private:
  enum class What { kArrive, kGiveUp, kSendAgain, kHoldEnds, kTick, kChange, kPause, kPauseEnds };

  struct Event {
    double at;
    std::uint64_t order;
    What what;
    std::size_t index;         // of a request, a change or a pause
    std::uint64_t generation;  // of the request
    bool operator>(const Event& other) const {
      return at != other.at ? at > other.at : order > other.order;
    }
  };

  struct Request {
    std::uint64_t generation = 0;
    double arrived = 0;  // of its first attempt
    double sent = 0;
    double work = 0;
    std::int64_t permit = 0;
    int attempt = 1;
    bool clientWaits = false;
    bool inServer = false;
    bool hasConnection = false;
  };

  // What a job of the processor is.
  enum class Job : std::uint64_t { kWork, kRead, kReject, kRejectionOfSelector };

  void schedule(double at, What what, std::size_t index = 0);
  void handle(const Event& event);
  static std::uint64_t jobOf(Job job, std::size_t index);
  void jobDone(std::uint64_t job);

  std::size_t newRequest();
  void arrive();
  void send(std::size_t index);
  // Whether a request has a connection, or gets one.
  bool connect(Request& request);
  void giveUp(std::size_t index);
  void answered(std::size_t index);
  void refused(std::size_t index);
  void tryAgain(std::size_t index);
  void forget(std::size_t index);

  void readNext();
  void decide(std::size_t index);
  void start(std::size_t index);
  void startNext();
  void workDone(std::size_t index);
  void useConnection(std::size_t index);
  void finish(std::size_t index);
  double rejectionCost();
  // Integrates the requests in the server up to now.
  void changeInServer(int change);
  void updateCollection();

  void tick();
  [[nodiscard]] control::TickInput observe();
  [[nodiscard]] detectors::UnreadSample unread() const;

  double draw(double mean, Spread spread);
  [[nodiscard]] bool counts(const Request& request) const;

  const Scenario& scenario_;
  std::mt19937_64 random_;
  double now_ = 0;
  std::uint64_t order_ = 0;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  Processor processor_;
  double rate_ = 0;
  double holdFactor_ = 1;
  bool paused_ = false;
  double pausedSince_ = 0;
  double pausedTime_ = 0;

  std::vector<Request> requests_;
  std::vector<std::size_t> free_;
  // Requests in the server that hold memory.
  int inServer_ = 0;
  // Idle connections of clients.
  int idleConnections_ = 0;
  std::uint64_t opened_ = 0;
  // Share of the new connections that the kernel lets through.
  double passing_ = 1;

  std::deque<std::size_t> unread_;
  bool selectorBusy_ = false;
  int rejections_ = 0;
  std::deque<std::size_t> queue_;
  int busyThreads_ = 0;
  std::deque<std::size_t> waitingForConnection_;
  int busyConnections_ = 0;

  std::optional<control::Controller> controller_;
  admission::Admission admission_;
  admission::QueueWatch queueWatch_;
  double lastTick_ = 0;
  double lastRan_ = 0;
  double lastWaited_ = 0;
  double lastStopped_ = 0;
  double inFlightIntegral_ = 0;
  double inFlightSince_ = 0;
  std::uint64_t pauses_ = 0;

  Outcome outcome_;
  std::vector<double> latencies_;
  std::vector<double> settledLatencies_;
};

}  // namespace hodor::simulation
