#include "signals/thread_kind.h"

#include <gtest/gtest.h>

#include <string_view>

namespace hodor::signals {
namespace {

using detectors::ThreadKind;

struct Named {
  std::string_view comm;
  ThreadKind kind;
};

class ThreadKindTest : public testing::TestWithParam<Named> {};

TEST_P(ThreadKindTest, IsToldByTheName) {
  EXPECT_EQ(kindOf(GetParam().comm), GetParam().kind) << GetParam().comm;
}

// As the kernel shows them of JVMs of these releases.
INSTANTIATE_TEST_SUITE_P(
    Collector, ThreadKindTest,
    testing::Values(
        Named{"VM Thread", ThreadKind::kCollector}, Named{"GC Thread#0", ThreadKind::kCollector},
        Named{"GC Thread#117", ThreadKind::kCollector},
        Named{"ParGC Thread#1", ThreadKind::kCollector},  // Parallel, 11
        Named{"G1 Conc#0", ThreadKind::kCollector}, Named{"G1 Main Marker", ThreadKind::kCollector},
        Named{"G1 Refine#0", ThreadKind::kCollector},
        Named{"G1 Service", ThreadKind::kCollector},       // from 17
        Named{"G1 Young RemSet", ThreadKind::kCollector},  // 11
        Named{"CMS Main Thread", ThreadKind::kCollector},  // 11
        Named{"CMS Thread#0", ThreadKind::kCollector},     // 11
        Named{"ZWorker#1", ThreadKind::kCollector},        // 11, 17
        Named{"ZDriver", ThreadKind::kCollector},          // 11, 17
        Named{"RuntimeWorker#0", ThreadKind::kCollector},
        Named{"ZDirector", ThreadKind::kCollector}, Named{"ZStat", ThreadKind::kCollector},
        Named{"ZUncommitter", ThreadKind::kCollector},    // 17
        Named{"ZUnmapper", ThreadKind::kCollector},       // 17, 21
        Named{"ZUncommitter#0", ThreadKind::kCollector},  // 25
        Named{"ZWorkerYoung#0", ThreadKind::kCollector},  // 21, 25
        Named{"ZWorkerOld#0", ThreadKind::kCollector},
        Named{"ZDriverMinor", ThreadKind::kCollector},
        Named{"ZDriverMajor", ThreadKind::kCollector},
        Named{"XWorker#0", ThreadKind::kCollector},  // 21
        Named{"XDriver", ThreadKind::kCollector}, Named{"XDirector", ThreadKind::kCollector},
        Named{"XStat", ThreadKind::kCollector}, Named{"XUncommitter", ThreadKind::kCollector},
        Named{"XUnmapper", ThreadKind::kCollector},
        Named{"Shenandoah GC T", ThreadKind::kCollector},
        Named{"Shenandoah Cont", ThreadKind::kCollector},  // from 17
        Named{"ShenandoahContr", ThreadKind::kCollector},  // 11
        Named{"Shenandoah Regu", ThreadKind::kCollector},  // 25, generational
        Named{"StrDedup", ThreadKind::kCollector},         // 11
        Named{"StringDedupProc", ThreadKind::kCollector}));

INSTANTIATE_TEST_SUITE_P(Compiler, ThreadKindTest,
                         testing::Values(Named{"C1 CompilerThre", ThreadKind::kCompiler},
                                         Named{"C2 CompilerThre", ThreadKind::kCompiler},
                                         Named{"JVMCI CompilerT", ThreadKind::kCompiler},
                                         Named{"Sweeper thread", ThreadKind::kCompiler}));

INSTANTIATE_TEST_SUITE_P(
    Other, ThreadKindTest,
    testing::Values(
        Named{"VM Periodic Tas", ThreadKind::kOther}, Named{"Reference Handl", ThreadKind::kOther},
        Named{"Finalizer", ThreadKind::kOther}, Named{"Common-Cleaner", ThreadKind::kOther},
        Named{"Signal Dispatch", ThreadKind::kOther}, Named{"Service Thread", ThreadKind::kOther},
        Named{"Monitor Deflati", ThreadKind::kOther}, Named{"Notification Th", ThreadKind::kOther},
        Named{"Attach Listener", ThreadKind::kOther}, Named{"AsyncLog Thread", ThreadKind::kOther},
        Named{"JFR Recorder Th", ThreadKind::kOther}, Named{"JFR Sampler Thr", ThreadKind::kOther},
        Named{"JDWP Transport ", ThreadKind::kOther}, Named{"hodor-tick", ThreadKind::kOther},
        Named{"hodor-beat", ThreadKind::kOther}));

INSTANTIATE_TEST_SUITE_P(Application, ThreadKindTest,
                         testing::Values(Named{"", ThreadKind::kApplication},
                                         Named{"java", ThreadKind::kApplication},
                                         Named{"qtp1161082381-1", ThreadKind::kApplication},
                                         Named{"http-nio-8080-e", ThreadKind::kApplication},
                                         Named{"ForkJoinPool-1-", ThreadKind::kApplication},
                                         Named{"ZWorker pool-1", ThreadKind::kApplication},
                                         Named{"XWorker-3", ThreadKind::kApplication},
                                         Named{"GC Threads", ThreadKind::kApplication},
                                         Named{"G1", ThreadKind::kApplication},
                                         Named{"VM Threa", ThreadKind::kApplication},
                                         Named{"my C2 Compiler", ThreadKind::kApplication},
                                         Named{"Hodor", ThreadKind::kApplication},
                                         Named{"\xff\xfe", ThreadKind::kApplication}));

}  // namespace
}  // namespace hodor::signals
