#include "control/page_writer.h"

#include <algorithm>

namespace hodor::control {

namespace {

using metrics::DetectorField;
using metrics::detectorField;
using metrics::Field;

constexpr Duration kSentencePeriod = std::chrono::seconds(1);

struct DetectorPlace {
  Cause cause;
  Field first;
};

constexpr std::array<DetectorPlace, 4> kPlaces = {{{Cause::kHeartbeat, Field::kHeartbeatValue},
                                                   {Cause::kQueue, Field::kQueueValue},
                                                   {Cause::kCpu, Field::kCpuValue},
                                                   {Cause::kGc, Field::kGcValue}}};

std::int64_t number(std::uint64_t value) { return static_cast<std::int64_t>(value); }

}  // namespace

void PageWriter::writeDetector(const Controller& controller, Cause cause, bool sentences) {
  const auto place = std::find_if(kPlaces.begin(), kPlaces.end(),
                                  [&](const DetectorPlace& p) { return p.cause == cause; });
  const auto which = static_cast<std::size_t>(cause);
  const detectors::Verdict& verdict = controller.verdicts()[which];
  page_.set(detectorField(place->first, DetectorField::kValue), verdict.value);
  page_.set(detectorField(place->first, DetectorField::kFiring),
            std::int64_t{verdict.firing ? 1 : 0});
  page_.set(detectorField(place->first, DetectorField::kBand), std::int64_t{verdict.band});
  page_.set(
      detectorField(place->first, DetectorField::kFirings),
      number(controller.firings(cause) - std::min(baseFirings_[which], controller.firings(cause))));
  page_.set(detectorField(place->first, DetectorField::kStale),
            std::int64_t{verdict.stale ? 1 : 0});
  if (sentences) {
    page_.set(detectorField(place->first, DetectorField::kUnit), controller.unit(cause));
    page_.set(detectorField(place->first, DetectorField::kExplanation),
              std::string_view(controller.explain(cause)));
  }
}

void PageWriter::write(const Controller& controller, const admission::AdmissionTotals& totals,
                       const ConnectionTotals& connections, Duration elapsed,
                       std::int64_t sinceEpochMillis) {
  const OverloadState& state = controller.state();
  sentencesDue_ -= elapsed;
  const bool sentences = sentencesDue_ <= Duration::zero() ||
                         state.transitions() != lastTransitions_ ||
                         controller.cpuBlame() != lastBlame_;
  if (sentences) {
    sentencesDue_ = kSentencePeriod;
    page_.set(Field::kStateReason, std::string_view(controller.reason()));
  }
  lastTransitions_ = state.transitions();
  lastBlame_ = controller.cpuBlame();
  for (const DetectorPlace& place : kPlaces) {
    writeDetector(controller, place.cause, sentences);
  }
  page_.set(Field::kStateOverloaded, std::int64_t{state.overloaded() ? 1 : 0});
  page_.set(Field::kStateCause, static_cast<std::int64_t>(state.cause()));
  page_.set(Field::kStateCpuBlame, static_cast<std::int64_t>(controller.cpuBlame()));
  page_.set(Field::kStateSinceEpochMillis, sinceEpochMillis);
  page_.set(Field::kStateTransitions, number(state.transitions()));

  const auto limit = controller.limit();
  page_.set(Field::kAdmissionInFlight, std::max<std::int64_t>(totals.inFlight(), 0));
  page_.set(Field::kAdmissionLimit, limit ? std::int64_t{*limit} : std::int64_t{-1});
  page_.set(Field::kAdmissionDropShare, controller.dropShare().value_or(0));
  const std::uint64_t admitted = totals.admitted - base_.admitted;
  const std::uint64_t rejected = totals.refused() - base_.refused();
  page_.set(Field::kAdmissionAdmitted, number(admitted));
  page_.set(Field::kAdmissionRejected, number(rejected));
  page_.set(Field::kAdmissionWouldReject, number(totals.wouldReject - base_.wouldReject));
  page_.set(Field::kAdmissionReleased, number(totals.released() - base_.released()));
  page_.set(Field::kAdmissionDropped, number(totals.dropped - base_.dropped));
  page_.set(Field::kAdmissionInvalid, number(totals.invalid - base_.invalid));
  page_.set(Field::kAdmissionExempt, number(totals.exempt - base_.exempt));
  page_.set(Field::kAdmissionExemptBeyondLimit,
            number(totals.exemptBeyondLimit - base_.exemptBeyondLimit));
  page_.set(Field::kAdmissionAbandoned, number(totals.abandoned - base_.abandoned));
  const double seconds = toSeconds(elapsed);
  admittedRate_.add(static_cast<double>(admitted - lastAdmitted_) / seconds, elapsed);
  rejectedRate_.add(static_cast<double>(rejected - lastRejected_) / seconds, elapsed);
  lastAdmitted_ = admitted;
  lastRejected_ = rejected;
  page_.set(Field::kAdmissionAdmittedRate, admittedRate_.value());
  page_.set(Field::kAdmissionRejectedRate, rejectedRate_.value());
  page_.set(Field::kAdmissionLatencyFastMillis, controller.law().load().latencyFast() * 1e3);
  page_.set(Field::kAdmissionLatencySlowMillis, controller.law().load().latencySlow() * 1e3);
  writeLaw(controller);
  writeConnections(connections);
}

void PageWriter::writeConnections(const ConnectionTotals& connections) {
  page_.set(Field::kConnectionsAccepted, number(connections.accepted - baseConnections_.accepted));
  page_.set(Field::kConnectionsDropped, number(connections.dropped - baseConnections_.dropped));
  page_.set(Field::kConnectionsWouldDrop,
            number(connections.wouldDrop - baseConnections_.wouldDrop));
  page_.set(Field::kConnectionsPassing, connections.passing);
  page_.set(Field::kConnectionsClosing, connections.closing);
}

void PageWriter::writeLaw(const Controller& controller) {
  const ConcurrencyLaw& law = controller.law();
  page_.set(Field::kLawStep, static_cast<std::int64_t>(law.step()));
  page_.set(Field::kLawLearned, std::int64_t{law.learned() ? 1 : 0});
  page_.set(Field::kLawHealthyLatencyMillis, law.learned() ? law.healthyLatency() * 1e3 : 0);
  page_.set(Field::kLawHealthyInFlight, law.healthyInFlight());
  page_.set(Field::kLawThroughput, law.load().throughput());
  page_.set(Field::kLawBestThroughput, law.load().bestThroughput());
  page_.set(Field::kLawCapacity, law.capacity());
  page_.set(Field::kLawSojournMillis, law.load().sojourn() * 1e3);
  page_.set(Field::kLawExcessMillis, controller.excess() * 1e3);
  page_.set(Field::kLawSpare, law.spare());
}

void PageWriter::writeOptions(const options::Options& options) {
  page_.set(Field::kStateMode, static_cast<std::int64_t>(options.mode));
  page_.set(Field::kSettingsRejectStatus, std::int64_t{options.rejectStatus});
  page_.set(Field::kSettingsRetryAfterSeconds, options.rejectRetryAfter
                                                   ? std::int64_t{options.rejectRetryAfter->count()}
                                                   : std::int64_t{0});
}

void PageWriter::writeOff(std::string_view reason) {
  page_.set(Field::kStateReason, reason);
  page_.set(Field::kStateOverloaded, std::int64_t{0});
  page_.set(Field::kStateCause, static_cast<std::int64_t>(Cause::kNone));
  page_.set(Field::kStateCpuBlame, static_cast<std::int64_t>(detectors::CpuBlame::kUnknown));
  page_.set(Field::kStateSinceEpochMillis, std::int64_t{0});
  page_.set(Field::kAdmissionLimit, std::int64_t{-1});
  page_.set(Field::kAdmissionDropShare, 0.0);
  page_.set(Field::kConnectionsPassing, 1.0);
  page_.set(Field::kConnectionsClosing, 0.0);
  page_.set(Field::kLawStep, static_cast<std::int64_t>(LawStep::kIdle));
  page_.set(Field::kLawSpare, 0.0);
  for (const DetectorPlace& place : kPlaces) {
    page_.set(detectorField(place.first, DetectorField::kFiring), std::int64_t{0});
    page_.set(detectorField(place.first, DetectorField::kBand), std::int64_t{0});
    page_.set(detectorField(place.first, DetectorField::kStale), std::int64_t{1});
    page_.set(detectorField(place.first, DetectorField::kExplanation),
              std::string_view("not watched: mode=off"));
  }
}

void PageWriter::resetCounters(const Controller* controller,
                               const admission::AdmissionTotals& totals,
                               const ConnectionTotals& connections) {
  base_ = totals;
  baseConnections_ = connections;
  for (std::size_t i = 0; i < kCauseCount; ++i) {
    baseFirings_[i] = controller == nullptr ? 0 : controller->firings(static_cast<Cause>(i));
  }
  lastAdmitted_ = 0;
  lastRejected_ = 0;
}

}  // namespace hodor::control
