"""Brings one server into one situation, and notes what the agent said when."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import machine
import server as servers
from cgroups import QuotaGroup
from children import Children
from load import Generator, LoadResult, Segment, find_generator
from watch import Watch
from workload import Workload

# Healthy load before the onset, so that the agent knows what is normal.
BASELINE_SECONDS = 6
BASELINE = 0.5

_HELLO_SECONDS = 2
_WARM_UP_SECONDS = 5
_CAPACITY_SECONDS = 3
_CAPACITY_CONNECTIONS = 4
# What of the capacity is offered to see what of the CPU it uses, less where it is all; how long,
# and how long before, as compilers are busy when the load is new.
_USE_MULTIPLES = (0.8, 0.6)
_USE_SECONDS = 4
_BEFORE_USE_SECONDS = 6
_MOST_USED = 0.97
# What the MBeans said last must not be older than this at the end of the load.
_FRESH_SECONDS = 2
# Answered within a second: in an overload less, in quiet times more.
MOST_SERVED_IN_OVERLOAD = 0.9
# An overload in the warm-up must have ended before the baseline begins.
_SETTLE_SECONDS = 30


@dataclass(frozen=True)
class Step:
    """Part of the load: a multiple of the capacity; no seconds: as long as quiet shall be seen."""

    multiple: float
    seconds: float | None = None


@dataclass(frozen=True)
class Situation:
    """What a server goes through. The onset is the end of the baseline."""

    load: tuple[Step, ...]
    path: str = "/cpu"
    baseline: float = BASELINE
    # Requests a second that count as 1x; None: the capacity, measured before in the same JVM.
    unit: float | None = None
    # The capacity is what would use all of the CPU, by what a steady load uses: collectors and
    # connections cost more there than in the closed loop that is measured otherwise.
    unit_by_use: bool = False
    # Busy connections in the warm-up: not yet an overload.
    warm_connections: int = 1
    # Called before the warm-up, and at the onset.
    prepare: Callable[[Stage], None] | None = None
    trouble: Callable[[Stage], None] | None = None
    # Which pool serves, and its most threads.
    pool: tuple[str, int] = ("platform", 200)
    jvm: tuple[str, ...] = ("-Xmx256m",)
    # No baseline: a JVM that has just started gets the load at once.
    cold: bool = False
    # In a control group of its own.
    quota: bool = False

    def schedule(self, unit: float, quiet_seconds: float) -> list[Segment]:
        """Rates in requests a second."""
        steps = self.load if self.cold else (Step(self.baseline, BASELINE_SECONDS), *self.load)
        return [Segment(step.multiple * unit, step.seconds or quiet_seconds) for step in steps]

    @property
    def onset(self) -> float:
        """Seconds from the start of the load."""
        return 0 if self.cold else BASELINE_SECONDS


@dataclass(frozen=True)
class Firing:
    """An overload that the agent declared."""

    seconds: float  # from the onset; negative: before it
    cause: str
    sentence: str


@dataclass(frozen=True)
class Outcome:
    """What became of it."""

    firings: list[Firing]
    # Causes of the overloads that were declared in the warm-up, which is none.
    warm_up_firings: list[str]
    # How often each detector fired from the start of the load on, as the MBeans said it last; None:
    # they were not asked, or the JVM was too busy to answer to the end.
    detectors: dict[str, int] | None
    capacity: float
    # Of the requests from the onset on, those answered within a second.
    served: float
    # Seconds from the onset to the first second of which fewer than 90 % were; None: there was none.
    harmed: float | None
    # Share of its CPU that the server used from the onset on.
    server_cpu: float
    steal: float
    outside: float
    # Others get the server's CPU only while it is idle, but for neighbours that we start.
    is_favoured: bool
    # How far the load generator was behind its schedule: p99 of its worst second.
    lag_ms: float
    notes: list[str]


@dataclass
class Stage:
    """The server and what is around it, for preparations and troubles."""

    server: Workload
    children: Children
    cpu: int
    other_cpu: int
    logs: Path
    group: QuotaGroup | None
    neighbours: list[subprocess.Popen[str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    # Called after the load.
    endings: list[Callable[[], None]] = field(default_factory=list)
    onset: float | None = None
    # When the load after the baseline began, and the CPU times then.
    begun: tuple[float, machine.CpuTimes] | None = None

    def start_here(self, command: Sequence[str | Path], **options: Any) -> subprocess.Popen[str]:
        """A process beside the server, on the CPU that is not the server's."""
        return self.children.start(command, cpu=self.other_cpu, **options)

    def await_neighbours(self, count: int) -> None:
        """Processes that will keep the server's CPU busy, with the server's weight."""
        for _ in range(count):
            process = self.children.start(
                [sys.executable, "-c", "input()\nwhile True: pass"],
                cpu=self.cpu, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            )
            machine.set_autogroup_nice(process.pid, -20)
            self.neighbours.append(process)


class Theatre:
    """Plays situations, each with a JVM of its own, one after the other."""

    def __init__(self, agent: str | None, logs: Path) -> None:
        self._agent = servers.find_agent(agent)
        self._generator = find_generator(None)
        self._watcher = machine.find_java(None)
        self._cpu, self._other = machine.two_cpus()
        self._logs = logs

    def play(
        self, situation: Situation, version: int, jvm: Sequence[str], *, name: str,
        quiet_seconds: float, seed: int,
    ) -> Outcome:
        """Plays one; `jvm` are options beside those of the situation."""
        logs = self._logs / name
        logs.mkdir(parents=True, exist_ok=True)
        with contextlib.ExitStack() as stack:
            # Entered before the processes, so that it is empty when it is removed.
            group = stack.enter_context(QuotaGroup()) if situation.quota else None
            children = stack.enter_context(Children())
            generator = Generator(children, self._generator, self._other)
            servers.start_spinner(children, self._other)

            def start(part: str) -> Stage:
                server = Workload(
                    children, version, jvm=[*situation.jvm, *jvm], pool=situation.pool,
                    agent=self._agent, agent_options="mode=monitor", cpu=self._cpu,
                    log=logs / f"server{part}.log", prefix=group.prefix if group else (),
                )
                return Stage(server, children, self._cpu, self._other, logs, group)

            stage = start("-warm" if situation.cold else "")
            if situation.prepare is not None:
                situation.prepare(stage)
                _await_calm(stage.server)
            begin = len(stage.server.overloads())
            unit = _warm_up(situation, stage.server, generator)
            causes = [overload.cause for overload in stage.server.overloads()[begin:]]
            if situation.unit_by_use:
                unit, more = self._by_use(situation, stage, generator, unit)
                causes += more
            if situation.cold:
                stage.server.stop()
                stage = start("")
            else:
                _await_calm(stage.server)
            outcome = self._observe(situation, stage, generator, unit, quiet_seconds, seed)
            return replace(outcome, warm_up_firings=causes)

    def _by_use(
        self, situation: Situation, stage: Stage, generator: Generator, unit: float
    ) -> tuple[float, list[str]]:
        """The capacity, and the causes of overloads declared where there was none."""
        for multiple in _USE_MULTIPLES:
            begin = len(stage.server.overloads())
            for seconds in (_BEFORE_USE_SECONDS, _USE_SECONDS):
                before = machine.process_ticks(stage.server.pid)
                generator.open_loop(
                    stage.server.port, situation.path, [Segment(multiple * unit, seconds)],
                    seed=1,
                )
            ticks = machine.process_ticks(stage.server.pid) - before
            use = ticks / machine.TICKS / _USE_SECONDS
            if use < _MOST_USED:
                causes = [overload.cause for overload in stage.server.overloads()[begin:]]
                return multiple * unit / use, causes
            _await_calm(stage.server)
        raise machine.Unusable(f"{_USE_MULTIPLES[-1]} of {unit:.0f} requests/s use the whole CPU")

    def _observe(
        self, situation: Situation, stage: Stage, generator: Generator, unit: float,
        quiet_seconds: float, seed: int,
    ) -> Outcome:
        server = stage.server
        overloads_before = len(server.overloads())
        # Attaching is work, which would come on top of a cold start.
        watch = None if situation.cold else Watch(
            stage.children, self._watcher, server.pid, cpu=self._other,
            log=stage.logs / "watch.jsonl",
        )

        def on_line(line: dict[str, Any]) -> None:
            if line["type"] != "live" or line["seconds"] < situation.onset:
                return
            if stage.begun is None:
                stage.begun = time.monotonic(), machine.CpuTimes.now(self._cpu, server.pid)
            if stage.onset is None and situation.trouble is not None:
                stage.onset = time.time()
                situation.trouble(stage)

        before = machine.CpuTimes.now(self._cpu, server.pid)
        begin = time.monotonic()
        load = generator.open_loop(
            server.port, situation.path, situation.schedule(unit, quiet_seconds),
            seed=seed, records=stage.logs / "records.bin", on_line=on_line,
        )
        end, ended = time.monotonic(), time.time()
        after = machine.CpuTimes.now(self._cpu, server.pid)
        for finish in stage.endings:
            finish()
        use = machine.CpuUse.between(before, after, end - begin)
        begun, at_onset = stage.begun or (begin, before)
        onset = stage.onset or load.epoch_ms / 1000 + situation.onset
        outcome = Outcome(
            firings=[
                Firing(overload.epoch - onset, overload.cause, overload.sentence)
                for overload in server.overloads()[overloads_before:]
            ],
            warm_up_firings=[],
            detectors=_firings_of_detectors(watch, ended),
            capacity=unit,
            served=_served(load, situation.onset),
            harmed=_harmed(load, situation.onset),
            server_cpu=(after.server - at_onset.server) / machine.TICKS / (end - begun),
            steal=use.steal,
            outside=use.outside,
            is_favoured=server.is_favoured or stage.group is not None,
            lag_ms=load.summary["lag_worst_second_p99_ms"],
            notes=stage.notes,
        )
        server.stop()
        return outcome


def _warm_up(situation: Situation, server: Workload, generator: Generator) -> float:
    """Has the code compiled; returns the requests a second that are 1x."""
    generator.closed_loop(server.port, "/hello", 2, _HELLO_SECONDS)
    generator.closed_loop(server.port, situation.path, situation.warm_connections, _WARM_UP_SECONDS)
    if situation.unit is not None:
        return situation.unit
    capacity = generator.closed_loop(
        server.port, situation.path, _CAPACITY_CONNECTIONS, _CAPACITY_SECONDS
    )
    served = float(capacity.summary["served"]) / _CAPACITY_SECONDS
    if served < 2:
        raise machine.Unusable(f"{served:.1f} requests a second were served:\n{server.tail()}")
    return served


def _await_calm(server: Workload) -> None:
    deadline = time.monotonic() + _SETTLE_SECONDS
    while server.is_overloaded():
        if time.monotonic() > deadline:
            raise machine.Unusable(f"overloaded without load:\n{server.tail()}")
        time.sleep(0.1)


def _served(load: LoadResult, onset: float) -> float:
    lines = [line for line in load.seconds if line["second"] >= onset]
    return sum(line["served"] for line in lines) / max(1, sum(line["offered"] for line in lines))


def _harmed(load: LoadResult, onset: float) -> float | None:
    for line in load.seconds:
        too_few = line["served"] < MOST_SERVED_IN_OVERLOAD * line["offered"]
        if line["second"] >= onset and too_few:
            return float(line["second"]) - onset
    return None


def _firings_of_detectors(watch: Watch | None, ended: float) -> dict[str, int] | None:
    samples = [] if watch is None else [x for x in watch.stop() if x["type"] == "sample"]
    if not samples or samples[-1]["epoch_ms"] / 1000 < ended - _FRESH_SECONDS:
        return None
    first, last = samples[0]["detectors"], samples[-1]["detectors"]
    grown = {name: last[name]["firings"] - first[name]["firings"] for name in first}
    return {name: count for name, count in grown.items() if count > 0}
