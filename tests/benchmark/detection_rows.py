"""What the detectors are put through, and what they must say: the one table of expectations."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import machine
from detection_stage import Situation, Stage, Step

JAVA = (11, 17, 21, 25)
# Names of collectors, and what selects them.
COLLECTORS = {
    "Serial": ("-XX:+UseSerialGC",),
    "Parallel": ("-XX:+UseParallelGC",),
    "G1": ("-XX:+UseG1GC",),
    "ZGC": ("-XX:+UseZGC",),
    "ZGC generational": ("-XX:+UseZGC", "-XX:+ZGenerational"),
    "Shenandoah": ("-XX:+UseShenandoahGC",),
}
# Generational ZGC is a choice on 21 and the only one on 25. Other collectors are on all.
COLLECTOR_ONLY_ON = {"ZGC": (17, 21, 25), "ZGC generational": (21,)}

# Names of causes.
CPU_SELF = frozenset({"cpu-self"})
CPU_NEIGHBOUR = frozenset({"cpu-neighbour"})
CPU_QUOTA = frozenset({"cpu-quota"})
GC = frozenset({"gc"})
QUEUE = frozenset({"queue"})
DOWNSTREAM = frozenset({"downstream"})
NOTHING: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Row:
    """A situation, and the causes one of which the first overload must name; none: no overload."""

    key: str
    title: str
    situation: Situation
    expected: frozenset[str]
    # Seconds to detection that are aimed at, in the median; no test asserts them.
    aim: float | None = None
    # The trouble takes some time to do harm: the time to detection counts from then.
    from_harm: bool = False
    # On every Java and collector; otherwise on `java` with `collector`.
    everywhere: bool = False
    java: tuple[int, ...] = (17,)
    collector: str = "G1"


# --- troubles ------------------------------------------------------------------------------------


def _typed(line: str) -> Callable[[Stage], None]:
    return lambda stage: stage.server.type(line)


def _asked(line: str) -> Callable[[Stage], None]:
    def ask(stage: Stage) -> None:
        stage.server.ask(line)

    return ask


_FILL = "fill 95"
_COLLECT = "collect 0"
_PAUSE_MS = 350
_TRIAL_MEGABYTES = 64
_MOST_MEGABYTES = 1400


def _fill_heap(stage: Stage) -> None:
    stage.server.type(_FILL)

    def note() -> None:
        for millis, percent in stage.server.answers(_FILL):
            stage.notes.append(f"{percent} % of the heap filled in {millis / 1000:.1f} s")

    stage.endings.append(note)


def _retain_for_a_pause(stage: Stage) -> None:
    """As much as makes a full collection last about so long, on this machine."""
    stage.server.ask(f"retain {_TRIAL_MEGABYTES}")
    stage.server.ask(_COLLECT)  # the first one moves everything
    millis, _ = stage.server.ask(_COLLECT)
    megabytes = round(_TRIAL_MEGABYTES * _PAUSE_MS / max(1, millis))
    stage.server.ask(f"retain {min(megabytes, _MOST_MEGABYTES)}")
    stage.server.ask(_COLLECT)


def _pause(stage: Stage) -> None:
    stage.server.type(_COLLECT)
    stage.endings.append(
        lambda: stage.notes.append(f"paused for {stage.server.answers(_COLLECT)[-1][0]} ms")
    )


def _stop_for_a_second(stage: Stage) -> None:
    os.kill(stage.server.pid, signal.SIGSTOP)
    try:
        time.sleep(1)
    finally:
        os.kill(stage.server.pid, signal.SIGCONT)


def _dump_heap(stage: Stage) -> None:
    dump = stage.logs / "heap.hprof"
    dump.unlink(missing_ok=True)
    begin = time.monotonic()
    jcmd = stage.start_here([stage.server.jcmd, str(stage.server.pid), "GC.heap_dump", str(dump)])
    stage.children.wait(jcmd)
    took = time.monotonic() - begin
    if not dump.is_file():
        raise machine.Unusable(f"no heap dump was written; see {stage.logs}")
    stage.notes.append(f"dumped {dump.stat().st_size >> 20} MiB, jcmd took {took:.1f} s")
    dump.unlink()


def _limit_to(cpus: float) -> Callable[[Stage], None]:
    def limit(stage: Stage) -> None:
        assert stage.group is not None
        stage.group.limit(cpus)

    return limit


def _unleash_neighbours(stage: Stage) -> None:
    for neighbour in stage.neighbours:
        assert neighbour.stdin is not None
        neighbour.stdin.write("\n")
        neighbour.stdin.flush()


# --- situations ----------------------------------------------------------------------------------

# 32 connections, each held for 50 ms.
_DOWNSTREAM_CAPACITY = 640.0
_DOWNSTREAM_WARM_CONNECTIONS = 20
_LOCK_RATE = 400.0
_SMALL_POOL = ("platform", 32)
_LARGE_POOL = ("platform", 2000)
_VIRTUAL = ("virtual", 0)
_VIRTUAL_UNLIMITED = ("unlimited", 0)
_OVERLOAD_SECONDS = 8
_LARGE_HEAP = ("-Xms2g", "-Xmx2g")
_BURST_SECONDS = 0.3
_BETWEEN_BURSTS_SECONDS = 4.7
_BURSTS = 12

_SPIKE_5 = Situation((Step(5, _OVERLOAD_SECONDS),))
_STUCK = Situation(
    (Step(1, _OVERLOAD_SECONDS),), path="/lock", unit=_LOCK_RATE, baseline=1, pool=_SMALL_POOL,
    trouble=_typed("stick 0"),
)
_STUCK_SECONDS = Situation(
    (Step(1, _OVERLOAD_SECONDS),), path="/lock", unit=_LOCK_RATE, baseline=1, pool=_SMALL_POOL,
    trouble=_typed("stick 3"),
)
_DOWNSTREAM_SLOWER = Situation(
    (Step(0.7, 10),), path="/downstream", unit=_DOWNSTREAM_CAPACITY, baseline=0.7,
    warm_connections=_DOWNSTREAM_WARM_CONNECTIONS, trouble=_typed("downstream 200"),
)

ROWS = (
    Row("spiral", "GC spiral: heap 60 %, then 95 % full",
        Situation((Step(0.5, 12),), path="/allocate", prepare=_asked("fill 60"),
                  trouble=_fill_heap),
        GC, aim=3, from_harm=True, everywhere=True),
    Row("spike-5x", "CPU: step to 5x", _SPIKE_5, CPU_SELF, aim=0.5, everywhere=True),
    Row("spike-2x", "CPU: step to 2x", Situation((Step(2, _OVERLOAD_SECONDS),)),
        CPU_SELF, aim=1, everywhere=True),
    Row("stuck", "thread pool stuck for good", _STUCK, QUEUE, aim=1, everywhere=True),
    Row("quiet", "quiet at 0.9x",
        Situation((Step(0.9),), path="/allocate", unit_by_use=True), NOTHING, everywhere=True),

    Row("stuck-3s", "handlers block for 3 s", _STUCK_SECONDS, QUEUE, aim=1),
    Row("quota", "CPU quota throttles: 0.6x, then 0.3 CPUs",
        Situation((Step(0.6, 10),), baseline=0.6, quota=True, trouble=_limit_to(0.3)),
        CPU_QUOTA),
    Row("neighbour", "four neighbours on the CPU, 0.6x",
        Situation((Step(0.6, 10),), baseline=0.6,
                  prepare=lambda stage: stage.await_neighbours(4), trouble=_unleash_neighbours),
        CPU_NEIGHBOUR),
    Row("downstream", "downstream 4x slower, 0.7x, 2,000 threads",
        replace(_DOWNSTREAM_SLOWER, pool=_LARGE_POOL), DOWNSTREAM),
    Row("downstream-pool", "downstream 4x slower, 0.7x, 200 threads: the pool runs out",
        _DOWNSTREAM_SLOWER, QUEUE),
    Row("downstream-spare", "downstream 4x slower, 0.15x: still enough",
        replace(_DOWNSTREAM_SLOWER, load=(Step(0.15),), baseline=0.15),
        NOTHING),
    Row("virtual-cpu", "virtual threads, CPU: step to 5x",
        replace(_SPIKE_5, pool=_VIRTUAL),
        CPU_SELF | QUEUE, aim=0.5, java=(21, 25)),
    Row("virtual-downstream", "virtual threads, downstream 4x slower, 0.7x",
        replace(_DOWNSTREAM_SLOWER, pool=_VIRTUAL_UNLIMITED), DOWNSTREAM, java=(21, 25)),
    Row("virtual-quiet", "virtual threads, quiet at 0.9x",
        Situation((Step(0.9),), pool=_VIRTUAL, unit_by_use=True), NOTHING, java=(21, 25)),
    Row("cold", "JIT warm-up: 0.5x from the first second on", Situation((Step(0.5),), cold=True),
        NOTHING, java=JAVA),
    Row("bursts", "300 ms at 2x every 5 s, else 0.65x",
        Situation((Step(2, _BURST_SECONDS), Step(0.65, _BETWEEN_BURSTS_SECONDS)) * _BURSTS,
                  baseline=0.65),
        NOTHING),
    Row("pause", "one pause of 200 to 500 ms (System.gc), 0.7x",
        Situation((Step(0.7),), baseline=0.7, jvm=_LARGE_HEAP,
                  prepare=_retain_for_a_pause, trouble=_pause),
        NOTHING, collector="Serial"),
    Row("stall", "stopped for 1 s, 0.5x",
        Situation((Step(0.5),), trouble=_stop_for_a_second), NOTHING),
    Row("heap-dump", "heap dump (jcmd) of 300 MiB, 0.5x",
        Situation((Step(0.5),), jvm=_LARGE_HEAP, prepare=_asked("retain 300"),
                  trouble=_dump_heap),
        NOTHING),
    Row("crowd", "2,000 threads, idle and busy now and then, 0.5x",
        Situation((Step(0.5),), prepare=_asked("crowd 2000")), NOTHING),
    Row("storm", "1,000 threads a second that live for 2 ms, 0.5x",
        Situation((Step(0.5),), prepare=_asked("storm 1000")), NOTHING),
    # With longer ones chance brings more at once than can be answered in a second.
    Row("rare", "1 request/s with 0.1 s of CPU",
        Situation((Step(1),), path="/cpu?times=50", unit=1, baseline=1), NOTHING),
)

# A part that stands for the whole in every test run; pools that hang and spirals of the collector
# have tests of their own.
REPRESENTATIVE = ("spike-5x", "quiet")
