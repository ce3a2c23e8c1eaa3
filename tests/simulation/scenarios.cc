#include "scenarios.h"

#include <algorithm>
#include <utility>

namespace hodor::simulation {

namespace {

constexpr double kCalm = 15;
constexpr double kOverload = 40;
constexpr double kAfter = 5;
constexpr double kHalf = 0.5;

// Requests per second that leave the CPUs nothing to spare while the rest of `offered` is rejected,
// `attempts` times each.
double cpuLimit(const Service& service, double cpus, double offered, int attempts = 1) {
  const double rejection = service.rejection * attempts;
  return (cpus - offered * rejection) / (service.work - rejection);
}

Scenario named(std::string name, Service service) {
  Scenario scenario;
  scenario.name = std::move(name);
  scenario.service = service;
  scenario.from = kCalm;
  scenario.to = kCalm + kOverload;
  scenario.end = scenario.to + kAfter;
  return scenario;
}

Change rate(double at, double value) { return {at, Change::What::kRate, value}; }

// From half of `capacity` to `multiple` of it, and back.
Scenario step(std::string name, const Service& service, double capacity, double multiple) {
  Scenario scenario = named(std::move(name), service);
  scenario.changes = {rate(0, kHalf * capacity), rate(scenario.from, multiple * capacity),
                      rate(scenario.to, kHalf * capacity)};
  return scenario;
}

Scenario cpuStep(std::string name, const Service& service, double multiple) {
  const double capacity = service.cpus / service.work;
  Scenario scenario = step(std::move(name), service, capacity, multiple);
  scenario.limit = cpuLimit(service, service.cpus, multiple * capacity);
  return scenario;
}

// `multiple` of the capacity all the time.
Scenario steady(std::string name, const Service& service, double capacity, double multiple) {
  Scenario scenario = named(std::move(name), service);
  scenario.changes = {rate(0, multiple * capacity)};
  scenario.limit = multiple * capacity;
  return scenario;
}

Service a() { return {}; }

Service downstream() {
  Service service;
  service.work = 0.0005;
  service.connections = 32;
  service.hold = 0.05;
  return service;
}

double capacityOf(const Service& service) {
  return service.connections > 0 ? service.connections / service.hold : service.cpus / service.work;
}

// The downstream takes four times as long in the middle.
Scenario slower(std::string name, const Service& service, double load) {
  constexpr double kSlower = 4;
  Scenario scenario = steady(std::move(name), service, capacityOf(service), load);
  scenario.changes.push_back({scenario.from, Change::What::kHoldFactor, kSlower});
  scenario.changes.push_back({scenario.to, Change::What::kHoldFactor, 1});
  scenario.limit = std::min(scenario.limit, capacityOf(service) / kSlower);
  return scenario;
}

Scenario bursts(std::string name, double multiple) {
  constexpr double kMean = 0.65;
  constexpr double kEvery = 5;
  constexpr double kLength = 0.3;
  const double capacity = capacityOf(a());
  Scenario scenario = steady(std::move(name), a(), capacity, kMean);
  for (double at = scenario.from; at < scenario.to; at += kEvery) {
    scenario.changes.push_back(rate(at, multiple * capacity));
    scenario.changes.push_back(rate(at + kLength, kMean * capacity));
  }
  return scenario;
}

Scenario pauses(std::string name, double load, double length) {
  Scenario scenario = steady(std::move(name), a(), capacityOf(a()), load);
  for (double at = scenario.from; at < scenario.to; at += kOverload / 4) {
    scenario.pauses.push_back({at, length});
  }
  return scenario;
}

}  // namespace

std::vector<Scenario> overloads() {
  std::vector<Scenario> all;
  for (const auto& [name, multiple] : {std::pair{"A1.2", 1.2}, {"A2", 2.0}, {"A5", 5.0}}) {
    all.push_back(cpuStep(name, a(), multiple));
  }
  Service service = a();
  service.spread = Spread::kLogNormal;
  all.push_back(cpuStep("A2hv", service, 2));
  service = a();
  service.work = 0.0002;
  service.rejection = 3e-6;
  all.push_back(cpuStep("A.2ms", service, 2));
  service = a();
  service.work = 0.05;
  all.push_back(cpuStep("A50", service, 2));

  Scenario retry = cpuStep("retry", a(), 2);
  retry.clients.attempts = 3;
  retry.limit = cpuLimit(a(), a().cpus, 2 * capacityOf(a()), retry.clients.attempts);
  all.push_back(retry);

  Scenario b2 = step("B2", downstream(), capacityOf(downstream()), 2);
  b2.limit = capacityOf(downstream());
  all.push_back(b2);
  all.push_back(slower("Bslow", downstream(), 0.8));

  service = a();
  service.io = 0.02;
  service.heapFull = 160;
  Scenario collection = cpuStep("C2", service, 2);
  // With 44 requests in flight the CPUs are busy, and 2.8 % of the time is lost.
  collection.limit = cpuLimit(service, 0.972 * service.cpus, 2 * capacityOf(a()));
  all.push_back(collection);

  Scenario neighbour = steady("D", a(), capacityOf(a()), 0.8);
  neighbour.changes.push_back({neighbour.from, Change::What::kCpus, a().cpus / 2});
  neighbour.changes.push_back({neighbour.to, Change::What::kCpus, a().cpus});
  neighbour.limit = cpuLimit(a(), a().cpus / 2, 0.8 * capacityOf(a()));
  all.push_back(neighbour);

  service = a();
  service.threads = 0;
  service.hasSignals = false;
  all.push_back(cpuStep("E2", service, 2));
  service = downstream();
  service.threads = 0;
  service.hasSignals = false;
  all.push_back(slower("EBslow", service, 0.8));

  Scenario cold = cpuStep("cold", a(), 2);
  cold.changes = {rate(0, 2 * capacityOf(a()))};
  cold.from = 0;
  cold.to = kOverload;
  cold.end = cold.to;
  all.push_back(cold);
  return all;
}

std::vector<Scenario> healthy() {
  std::vector<Scenario> all;
  for (const auto& [name, load] : {std::pair{"0.5", 0.5}, {"0.9", 0.9}, {"0.95", 0.95}}) {
    all.push_back(steady(name, a(), capacityOf(a()), load));
  }
  Service service = a();
  service.spread = Spread::kLogNormal;
  all.push_back(steady("0.9 heavy tail", service, capacityOf(service), 0.9));
  all.push_back(steady("B 0.9", downstream(), capacityOf(downstream()), 0.9));
  all.push_back(bursts("bursts 2x", 2));
  all.push_back(pauses("200 ms pauses at 0.9", 0.9, 0.2));
  all.push_back(pauses("500 ms pauses at 0.7", 0.7, 0.5));
  Scenario enough = slower("downstream 4x slower at 0.15", downstream(), 0.15);
  all.push_back(enough);
  service = a();
  service.work = 0.5;
  all.push_back(steady("1 request/s of 0.5 s", service, 1, 1));
  return all;
}

Scenario storm(double multiple, bool cold) {
  Service service;
  service.cpus = 1;
  service.spread = Spread::kFixed;
  service.work = 0.0022;
  service.reading = 10e-6;
  service.accepting = 100e-6;
  service.rejection = 10e-6;
  if (cold) {
    service.coldRejections = 5000;
    service.coldFactor = 10;
  }
  const double capacity = capacityOf(service);
  Scenario scenario = step("storm", service, capacity, multiple);
  scenario.clients.reconnect = true;
  const double each = service.reading + service.rejection;
  scenario.limit = (service.cpus - multiple * capacity * each) / (service.work - service.rejection);
  return scenario;
}

}  // namespace hodor::simulation
