#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "detectors/bands.h"
#include "detectors/momentary_value.h"
#include "detectors/samples.h"
#include "detectors/unread_wait.h"
#include "detectors/verdict.h"

namespace hodor::detectors {

// What is known of the queue from two sides: the longer wait of the two, nothing if neither knows
// one. They do not refute each other: probes see the pools that they are sent to, requests those
// that they were handed to, and a wait that either sees is one that requests have. Where the two
// agree within a factor of 2, the pool that the probe names is taken for the requests' too.
std::optional<QueueSample> longer(std::optional<QueueSample> one, std::optional<QueueSample> other);

// How long work waits for the server, in milliseconds: for a thread of its pool, or in the kernel
// to be read (see unread_wait.h), whichever is more. A pool knows nothing of what waits in front of
// its selectors, nor the kernel of what was read and waits for a thread.
class QueueDetector {
 public:
  // Thresholds in milliseconds.
  explicit QueueDetector(std::vector<Band> bands) : window_(std::move(bands)) {}

  // `elapsed`: the time that the samples stand for, usually one tick. Stale without a pool, unless
  // the kernel shows a wait: that nothing is unread does not say that nothing waits.
  Verdict observe(Instant now, Duration elapsed, const std::optional<QueueSample>& pool,
                  const std::optional<UnreadSample>& unread, std::int64_t inFlight);

  // How long requests wait in the kernel to be read, as of the last samples.
  [[nodiscard]] Duration waitInKernel() const { return unread_.wait; }
  // Requests that wait in the kernel, accepted or not, as of the last samples.
  [[nodiscard]] double requestsInKernel() const { return unread_.requests + acceptQueue_; }

  [[nodiscard]] std::string explain() const;
  [[nodiscard]] static std::string_view unit() { return "ms"; }
  [[nodiscard]] static std::vector<Band> defaultBands();

 private:
  [[nodiscard]] std::string describeUnread() const;

  BandWindow window_;
  Verdict verdict_;
  MomentaryValue wait_;  // milliseconds
  std::string pool_;
  bool unreadLonger_ = false;
  UnreadWait unread_;
  double connections_ = 0;
  double acceptQueue_ = 0;
};

}  // namespace hodor::detectors
