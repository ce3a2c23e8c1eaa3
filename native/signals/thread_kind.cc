#include "signals/thread_kind.h"

#include <algorithm>
#include <array>

namespace hodor::signals {

namespace {

using detectors::ThreadKind;

struct KnownName {
  std::string_view begins;
  ThreadKind kind;
};

// As short as they stay unmistakable: names were reworded between releases, and where they are cut
// differs. First match wins.
constexpr std::array kKnownNames = std::to_array<KnownName>({
    // Serial collects in the VM thread. Elsewhere it begins and ends pauses, and what else it does
    // (deoptimization, thread dumps) takes milliseconds.
    {"VM Thread", ThreadKind::kCollector},
    {"GC Thread#", ThreadKind::kCollector},     // Parallel and G1
    {"ParGC Thread#", ThreadKind::kCollector},  // Parallel until 11
    {"G1 Conc#", ThreadKind::kCollector},
    {"G1 Main ", ThreadKind::kCollector},  // "G1 Main Marker"
    {"G1 Refine", ThreadKind::kCollector},
    {"G1 Service", ThreadKind::kCollector},
    {"G1 Young RemSet", ThreadKind::kCollector},  // 11
    {"CMS Main ", ThreadKind::kCollector},        // until 13
    {"CMS Thread#", ThreadKind::kCollector},
    {"ZWorker#", ThreadKind::kCollector},
    {"ZWorkerYoung#", ThreadKind::kCollector},  // generational: 21 on request, from 23 always
    {"ZWorkerOld#", ThreadKind::kCollector},
    {"ZDriver", ThreadKind::kCollector},  // "ZDriver", "ZDriverMinor", "ZDriverMajor"
    {"ZDirector", ThreadKind::kCollector},
    {"ZStat", ThreadKind::kCollector},
    {"ZUncommitter", ThreadKind::kCollector},
    {"ZUnmapper", ThreadKind::kCollector},
    {"XWorker#", ThreadKind::kCollector},  // 21 and 22: ZGC without generations
    {"XDriver", ThreadKind::kCollector},
    {"XDirector", ThreadKind::kCollector},
    {"XStat", ThreadKind::kCollector},
    {"XUncommitter", ThreadKind::kCollector},
    {"XUnmapper", ThreadKind::kCollector},
    {"RuntimeWorker#", ThreadKind::kCollector},  // ZGC: what is parallel in its safepoints
    {"Shenandoah", ThreadKind::kCollector},      // workers, control, regulator, uncommit
    {"StrDedup", ThreadKind::kCollector},        // 11
    {"StringDedupProc", ThreadKind::kCollector},
    {"C1 Comp", ThreadKind::kCompiler},
    {"C2 Comp", ThreadKind::kCompiler},
    {"JVMCI Comp", ThreadKind::kCompiler},
    {"Sweeper thread", ThreadKind::kCompiler},  // until 19: takes old code out of the code cache
    {"VM Periodic", ThreadKind::kOther},
    {"Reference Handl", ThreadKind::kOther},
    {"Finalizer", ThreadKind::kOther},
    {"Common-Cleaner", ThreadKind::kOther},
    {"Signal Dispatch", ThreadKind::kOther},
    {"Service Thread", ThreadKind::kOther},
    {"Monitor Deflati", ThreadKind::kOther},
    {"Notification Th", ThreadKind::kOther},
    {"Attach Listener", ThreadKind::kOther},
    {"AsyncLog Thread", ThreadKind::kOther},
    {"Archive Worker ", ThreadKind::kOther},  // 25: reads the class archive
    {"Training replay", ThreadKind::kOther},  // 25: replays the profiles of an AOT cache
    {"JFR ", ThreadKind::kOther},
    {"JDWP ", ThreadKind::kOther},
    {"hodor-", ThreadKind::kOther},
});

}  // namespace

ThreadKind kindOf(std::string_view comm) {
  const auto* const known =
      std::find_if(kKnownNames.begin(), kKnownNames.end(),
                   [&](const KnownName& name) { return comm.starts_with(name.begins); });
  return known == kKnownNames.end() ? ThreadKind::kApplication : known->kind;
}

}  // namespace hodor::signals
