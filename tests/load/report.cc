#include "tests/load/report.h"

#include <bit>
#include <cmath>
#include <nlohmann/json.hpp>

namespace hodor::load {
namespace {

using Json = nlohmann::ordered_json;

static_assert(std::endian::native == std::endian::little, "the records are little endian");

struct Record {
  std::int64_t scheduledNanos;
  std::int32_t latencyMicros;
  std::int32_t lagMicros;
  std::uint8_t outcome;
  std::uint8_t zero[7];
};
static_assert(sizeof(Record) == 24);

double rounded(double value) { return std::round(value * 1000) / 1000; }

double millis(Duration duration) {
  return rounded(std::chrono::duration<double, std::milli>(duration).count());
}

std::int32_t micros(Duration duration) {
  return static_cast<std::int32_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(duration).count());
}

void addOutcomes(Json& line, const Tally& tally) {
  for (std::size_t i = 0; i < kOutcomeNames.size(); ++i) {
    line[std::string(kOutcomeNames[i])] = tally.outcomes[i];
  }
}

// null where nothing was counted: a quantile of nothing is not 0.
void addQuantiles(Json& line, const std::string& name, const Histogram& histogram) {
  const bool any = histogram.count() > 0;
  line[name + "_p50_ms"] = any ? Json(millis(histogram.quantile(0.5))) : Json();
  line[name + "_p99_ms"] = any ? Json(millis(histogram.quantile(0.99))) : Json();
}

void addTally(Json& line, const Tally& tally) {
  line["offered"] = tally.offered;
  addOutcomes(line, tally);
  addQuantiles(line, "served", tally.served);
  addQuantiles(line, "rejected", tally.rejected);
  addQuantiles(line, "lag", tally.lag);
  line["lag_max_ms"] = millis(tally.lag.max());
}

void print(const Json& line) {
  std::fputs((line.dump() + "\n").c_str(), stdout);
  std::fflush(stdout);
}

}  // namespace

Report::~Report() {
  if (records_ != nullptr) std::fclose(records_);
}

bool Report::openRecords() {
  if (options_.recordsFile.empty()) return true;
  records_ = std::fopen(options_.recordsFile.c_str(), "wb");
  return records_ != nullptr;
}

bool Report::closeRecords() {
  if (records_ == nullptr) return true;
  const bool written = std::ferror(records_) == 0;
  const bool closed = std::fclose(records_) == 0;
  records_ = nullptr;
  return written && closed;
}

void Report::started(std::int64_t epochMillis) {
  Json line = {{"type", "start"}, {"epoch_ms", epochMillis}};
  line["target"] = options_.targetHost + ":" + std::to_string(options_.targetPort);
  line["path"] = options_.path;
  line["schedule"] = Json::array();
  for (const Segment& segment : options_.schedule) {
    line["schedule"].push_back({{"rate", segment.rate}, {"seconds", toSeconds(segment.length)}});
  }
  line["closed"] = options_.closed;
  line["seed"] = options_.seed;
  line["timeout_ms"] = millis(options_.timeout);
  line["max_connections"] = options_.maxConnections;
  print(line);
}

void Report::second(std::int64_t second, const Tally& tally) {
  Json line = {{"type", "second"}, {"second", second}};
  addTally(line, tally);
  print(line);
}

void Report::live(Duration now, std::uint64_t offered, const Tally& decided, int connections) {
  Json line = {{"type", "live"}, {"seconds", rounded(toSeconds(now))}, {"offered", offered}};
  addOutcomes(line, decided);
  line["connections"] = connections;
  print(line);
}

void Report::summary(const Tally& total, const RunFacts& facts) {
  Json line = {{"type", "summary"},
               {"valid", facts.invalidBecause.empty()},
               {"invalid_because", facts.invalidBecause}};
  addTally(line, total);
  line["lag_worst_second_p99_ms"] = millis(facts.worstLagP99);
  line["cpu_share"] = rounded(facts.cpuShare);
  line["cpu_share_worst_second"] = rounded(facts.cpuShareOfWorst);
  line["most_connections"] = facts.mostConnections;
  print(line);
}

void Report::record(const Request& request) {
  if (records_ == nullptr) return;
  const Record record = {request.scheduled.count(),
                         micros(request.latency),
                         micros(request.lag),
                         static_cast<std::uint8_t>(request.outcome),
                         {}};
  std::fwrite(&record, sizeof record, 1, records_);
}

}  // namespace hodor::load
