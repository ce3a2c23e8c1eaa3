#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hodor::metrics {

enum class FieldType : std::uint8_t { kInteger, kReal, kText };

struct FieldSpec {
  std::string_view name;
  FieldType type;
  // Texts only: bytes of UTF-8 that fit; longer ones are cut.
  std::uint32_t capacity;
};

// The four numbers and two texts of one detector, in the order of `DetectorField`.
#define HODOR_DETECTOR_FIELDS(ID, NAME)        \
  X(ID##Value, NAME ".value", kReal, 0)        \
  X(ID##Firing, NAME ".firing", kInteger, 0)   \
  X(ID##Band, NAME ".band", kInteger, 0)       \
  X(ID##Firings, NAME ".firings", kInteger, 0) \
  X(ID##Stale, NAME ".stale", kInteger, 0)     \
  X(ID##Unit, NAME ".unit", kText, 24)         \
  X(ID##Explanation, NAME ".explanation", kText, 512)

#define HODOR_FIELDS                                                        \
  X(StateMode, "state.mode", kInteger, 0)                                   \
  X(StateOverloaded, "state.overloaded", kInteger, 0)                       \
  X(StateCause, "state.cause", kInteger, 0)                                 \
  X(StateCpuBlame, "state.cpuBlame", kInteger, 0)                           \
  X(StateSinceEpochMillis, "state.sinceEpochMillis", kInteger, 0)           \
  X(StateTransitions, "state.transitions", kInteger, 0)                     \
  X(StateReason, "state.reason", kText, 1024)                               \
  X(HodorVersion, "hodor.version", kText, 32)                               \
  X(HodorAttached, "hodor.attached", kText, 1024)                           \
  X(HodorGates, "hodor.gates", kInteger, 0)                                 \
  HODOR_DETECTOR_FIELDS(Heartbeat, "detector.heartbeat")                    \
  HODOR_DETECTOR_FIELDS(Cpu, "detector.cpu")                                \
  HODOR_DETECTOR_FIELDS(Gc, "detector.gc")                                  \
  HODOR_DETECTOR_FIELDS(Queue, "detector.queue")                            \
  X(AdmissionInFlight, "admission.inFlight", kInteger, 0)                   \
  X(AdmissionLimit, "admission.limit", kInteger, 0)                         \
  X(AdmissionAdmitted, "admission.admitted", kInteger, 0)                   \
  X(AdmissionRejected, "admission.rejected", kInteger, 0)                   \
  X(AdmissionWouldReject, "admission.wouldReject", kInteger, 0)             \
  X(AdmissionReleased, "admission.released", kInteger, 0)                   \
  X(AdmissionDropped, "admission.dropped", kInteger, 0)                     \
  X(AdmissionInvalid, "admission.invalid", kInteger, 0)                     \
  X(AdmissionExempt, "admission.exempt", kInteger, 0)                       \
  X(AdmissionExemptBeyondLimit, "admission.exemptBeyondLimit", kInteger, 0) \
  X(AdmissionAbandoned, "admission.abandoned", kInteger, 0)                 \
  X(AdmissionAdmittedRate, "admission.admittedRate", kReal, 0)              \
  X(AdmissionRejectedRate, "admission.rejectedRate", kReal, 0)              \
  X(AdmissionLatencyFastMillis, "admission.latencyFastMillis", kReal, 0)    \
  X(AdmissionLatencySlowMillis, "admission.latencySlowMillis", kReal, 0)    \
  X(AdmissionDropShare, "admission.dropShare", kReal, 0)                    \
  X(ConnectionsAccepted, "connections.accepted", kInteger, 0)               \
  X(ConnectionsDropped, "connections.dropped", kInteger, 0)                 \
  X(ConnectionsWouldDrop, "connections.wouldDrop", kInteger, 0)             \
  X(ConnectionsPassing, "connections.passing", kReal, 0)                    \
  X(ConnectionsClosing, "connections.closing", kReal, 0)                    \
  X(LawStep, "law.step", kInteger, 0)                                       \
  X(LawLearned, "law.learned", kInteger, 0)                                 \
  X(LawHealthyLatencyMillis, "law.healthyLatencyMillis", kReal, 0)          \
  X(LawHealthyInFlight, "law.healthyInFlight", kReal, 0)                    \
  X(LawThroughput, "law.throughput", kReal, 0)                              \
  X(LawBestThroughput, "law.bestThroughput", kReal, 0)                      \
  X(LawCapacity, "law.capacity", kReal, 0)                                  \
  X(LawSojournMillis, "law.sojournMillis", kReal, 0)                        \
  X(LawExcessMillis, "law.excessMillis", kReal, 0)                          \
  X(LawSpare, "law.spare", kReal, 0)                                        \
  X(ErrorsFailOpen, "errors.failOpen", kInteger, 0)                         \
  X(ErrorsSourceFailures, "errors.sourceFailures", kInteger, 0)             \
  X(ErrorsLast, "errors.last", kText, 512)                                  \
  X(SettingsRejectStatus, "settings.rejectStatus", kInteger, 0)             \
  X(SettingsRetryAfterSeconds, "settings.retryAfterSeconds", kInteger, 0)

enum class Field : std::size_t {
#define X(ID, NAME, TYPE, CAPACITY) k##ID,
  HODOR_FIELDS
#undef X
      kCount
};

inline constexpr std::size_t kFieldCount = static_cast<std::size_t>(Field::kCount);

inline constexpr std::array<FieldSpec, kFieldCount> kFields = {{
#define X(ID, NAME, TYPE, CAPACITY) {NAME, FieldType::TYPE, CAPACITY},
    HODOR_FIELDS
#undef X
}};

// A detector's fields stand together: the first one plus one of these.
enum class DetectorField : std::size_t {
  kValue,
  kFiring,
  kBand,
  kFirings,
  kStale,
  kUnit,
  kExplanation
};

constexpr Field detectorField(Field first, DetectorField which) {
  return static_cast<Field>(static_cast<std::size_t>(first) + static_cast<std::size_t>(which));
}

}  // namespace hodor::metrics
