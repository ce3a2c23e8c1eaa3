"""Brings one server into one overload, and measures what becomes of it."""

from __future__ import annotations

import tempfile
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import figures
import machine
import server as servers
from children import Children
from figures import Phase
from load import Generator, Impatience, Segment, find_generator
from overload_contenders import Contender, Scenario
from prober import Prober, Probes

HALF = 0.5
HELLO_CONNECTIONS = 2
# The detection and what it takes to get going are counted apart.
SETTLED_AFTER = 3.0
# At a cell in which the load generator was later than it may be: then it is the one that is
# overloaded.
ATTEMPTS = 2
# Fewer say nothing about what each of them costs.
LEAST_REJECTIONS = 500
# Of the CPU time: then what is left is that of the rejections.
MOST_BY_ANSWERS = 0.7
# Good answers at the end that are the least that counts as recovered.
GOOD_SECONDS = 0.5


@dataclass(frozen=True)
class Lengths:
    """In seconds."""

    compile: float = 4
    warm_up: float = 8
    # Before the capacity is measured: busier than anything before, it makes compilers busy.
    settle: float = 3
    capacity: float = 3
    before: float = 4
    overload: float = 13
    after: float = 5


QUICK = Lengths(compile=3, warm_up=4, settle=2, capacity=2, before=3, overload=9, after=4)


@dataclass(frozen=True)
class Cell:
    """What came out of one server in one overload. Shares are of the capacity."""

    scenario: str
    contender: str
    multiple: float
    round: int
    # Requests a second in the same JVM, right before and right after.
    capacity_before: float
    capacity_after: float
    # Answered in time: in the whole overload, and from SETTLED_AFTER on.
    share: float
    settled: float
    served_p50_ms: float | None
    served_p99_ms: float | None
    rejected_p99_ms: float | None
    # Of the offered requests, from SETTLED_AFTER on.
    rejected: float
    # CPU time of the server beyond what the answers cost; None: too few rejections, or the answers
    # cost so much that the difference is that of the measurement.
    rejection_us: float | None
    # Rejected at 0.5x before the overload.
    rejected_before: int
    # Seconds after the step down until every request was answered in time; None: not to the end.
    recovery_s: float | None
    # Of the server, SETTLED_AFTER the step and at the end of the overload.
    holdings: tuple[machine.Holdings, machine.Holdings] | None
    # Health checks beside the load.
    probes: Probes
    # Answered in time in each second of the schedule, as shares of the capacity.
    each_second: tuple[float, ...]
    lag_ms: float
    outside: float
    steal: float
    valid: bool

    @property
    def key(self) -> tuple[str, str, float]:
        """What its rounds have in common."""
        return self.scenario, self.contender, self.multiple


class Arena:
    """Runs cells, one after the other, each in a JVM of its own."""

    def __init__(
        self, java: str | None, agent: str | None, options: str, lengths: Lengths,
        impatience: Impatience,
    ) -> None:
        self._options = options
        self._impatience = impatience
        self._java = machine.find_java(java)
        self._agent = servers.find_agent(agent)
        self._app = machine.ROOT / "tests/benchmark/rivals/target/hodor-rivals.jar"
        if not self._app.is_file():
            raise machine.Unusable(f"{self._app} is not built; run ./dev bench overload")
        self._generator = find_generator(None)
        self._cpu, self._other = machine.two_cpus()
        self._lengths = lengths
        self._rounds: int | None = None
        self.directory = machine.ROOT / "build" / "report" / "overload"
        self.directory.mkdir(parents=True, exist_ok=True)

    @property
    def java(self) -> str:
        """The JVM in one line."""
        return machine.java_version(self._java)

    def fits(self, scenario: Scenario) -> bool:
        """Whether this Java can run it."""
        return machine.java_release(self._java) >= scenario.java

    def run(
        self, scenario: Scenario, contender: Contender, multiple: float, number: int, limit: int
    ) -> Cell:
        """One cell; again where the load generator could not keep up."""
        for _ in range(ATTEMPTS):
            cell = self._attempt(scenario, contender, multiple, number, limit)
            if cell.valid:
                break
        return cell

    def _attempt(
        self, scenario: Scenario, contender: Contender, multiple: float, number: int, limit: int
    ) -> Cell:
        with Children() as children, tempfile.TemporaryDirectory() as directory:
            if contender.spinner:
                servers.start_spinner(children, self._other)
            generator = Generator(children, self._generator, self._other, self._impatience)
            # Sentinel writes logs to the home directory otherwise.
            logs = (f"-Dcsp.sentinel.log.dir={directory}", f"-DEAGLEEYE.LOG.PATH={directory}")
            options = servers.ServerOptions(
                java=self._java, app=self._app, cpu=self._cpu,
                log=self.directory / f"{scenario.key}-{contender.key}.log",
                agent=self._agent if contender.agent is not None else None,
                agent_options=",".join(filter(None, (contender.agent, self._options))),
                rounds=self._rounds,
                jvm=(*scenario.jvm, *logs),
                first=("--guard", contender.guard, "--limit", str(limit)), extra=scenario.flags,
            )
            server = servers.Server(children, options)
            self._rounds = server.rounds
            generator.closed_loop(
                server.port, "/hello", HELLO_CONNECTIONS, self._lengths.compile
            )
            generator.closed_loop(
                server.port, scenario.path, scenario.warm_connections, self._lengths.warm_up
            )
            return _Play(
                generator, server, self._cpu, scenario, contender, multiple, number, self._lengths,
                Path(directory) / "records.bin",
            ).cell()


@dataclass(frozen=True)
class _Mark:
    """The server at a time of the schedule."""

    seconds: float
    cpu: machine.CpuTimes
    holdings: machine.Holdings


@dataclass
class _Play:
    """A warm server, and what it goes through."""

    generator: Generator
    server: servers.Server
    cpu: int
    scenario: Scenario
    contender: Contender
    multiple: float
    number: int
    lengths: Lengths
    records: Path

    def cell(self) -> Cell:
        """Drives it."""
        self._busy(self.lengths.settle)
        capacity, cpu_each = self._capacity()
        schedule = self._schedule(capacity)
        names = [str(i) for i in range(len(schedule))]
        start, end = self.lengths.before, self.lengths.before + self.lengths.overload
        marks: list[_Mark] = []
        slowed = False

        def on_line(line: dict[str, Any]) -> None:
            nonlocal slowed
            if line["type"] != "live":
                return
            if self.scenario.slower != 1 and not slowed and line["seconds"] >= start:
                slowed = True
                self._slow_down(self.scenario.slower)
            due = (start + SETTLED_AFTER, end)[len(marks) : len(marks) + 1]
            if due and line["seconds"] >= due[0]:
                marks.append(
                    _Mark(
                        line["seconds"], machine.CpuTimes.now(self.cpu, self.server.pid),
                        machine.Holdings.of(self.server.pid),
                    )
                )

        before = machine.CpuTimes.now(self.cpu, self.server.pid)
        with Prober(self.server.port) as prober:
            load = self.generator.open_loop(
                self.server.port, self.scenario.path, schedule, seed=self.number,
                records=self.records, on_line=on_line,
            )
        after = machine.CpuTimes.now(self.cpu, self.server.pid)
        phases = figures.phases_of(names, schedule)
        use = machine.CpuUse.between(before, after, phases[-1].end + 1)
        if slowed:
            self._slow_down(1)
        records = figures.read_records(self.records)
        recovery = _recovery(records, end, phases[-1].end)
        again, cpu_each_again = self._capacity() if self.server.running() else (0.0, 0.0)
        # What is still overloaded shows no capacity.
        own = (capacity if recovery is None else (capacity + again) / 2) / self.scenario.slower
        whole = figures.phase_figures(records, Phase("", start, end, 0))
        settled = figures.phase_figures(records, Phase("", start + SETTLED_AFTER, end, 0))
        return Cell(
            scenario=self.scenario.key, contender=self.contender.key, multiple=self.multiple,
            round=self.number, capacity_before=capacity, capacity_after=again,
            share=whole.served / (own * self.lengths.overload),
            settled=settled.served / (own * (self.lengths.overload - SETTLED_AFTER)),
            served_p50_ms=settled.served_p50_ms, served_p99_ms=settled.served_p99_ms,
            rejected_p99_ms=settled.rejected_p99_ms,
            rejected=settled.rejected / max(1, settled.offered),
            rejection_us=_rejection_us(marks, records, (cpu_each + cpu_each_again) / 2),
            rejected_before=figures.phase_figures(records, Phase("", 0, start, 0)).rejected,
            recovery_s=recovery,
            holdings=(marks[0].holdings, marks[1].holdings) if len(marks) == 2 else None,
            probes=prober.probes(),
            each_second=tuple(
                float(count) / own
                for count in figures.per_second(records, figures.SERVED, int(phases[-1].end))
            ),
            lag_ms=load.summary["lag_worst_second_p99_ms"],
            outside=use.outside, steal=use.steal, valid=bool(load.summary["valid"]),
        )

    def _capacity(self) -> tuple[float, float]:
        """Requests a second that nobody limits, and the CPU seconds of each."""
        before = machine.process_ticks(self.server.pid)
        served = self._busy(self.lengths.capacity)
        used = (machine.process_ticks(self.server.pid) - before) / machine.TICKS
        if served < 2:
            # Of no use any more, which is a result: it has not come back.
            return 0.0, 0.0
        return served / self.lengths.capacity, used / served

    def _busy(self, seconds: float) -> float:
        """Requests that were answered, of connections that are always busy."""
        result = self.generator.closed_loop(
            self.server.port, self.scenario.path + "?direct", self.scenario.capacity_connections,
            seconds,
        )
        return float(result.summary["served"])

    def _schedule(self, capacity: float) -> list[Segment]:
        if capacity == 0:
            raise machine.Unusable(f"it answers nothing:\n{self.server.tail()}")
        high = Segment(self.multiple * capacity, self.lengths.overload)
        steps = [Segment(HALF * capacity, self.lengths.before), high]
        if self.scenario.burst is not None:
            every, length, between = self.scenario.burst
            count = max(1, round(self.lengths.overload / every))
            rest = self.lengths.overload / count - length
            low = between * capacity
            pair = [Segment(self.multiple * capacity, length), Segment(low, rest)]
            steps = [Segment(low, self.lengths.before), *(pair * count)]
        return [*steps, Segment(HALF * capacity, self.lengths.after)]

    def _slow_down(self, times: float) -> None:
        millis = round(servers.DOWNSTREAM_MS * times)
        url = f"http://127.0.0.1:{self.server.port}/downstream?millis={millis}"
        with urllib.request.urlopen(urllib.request.Request(url, method="POST"), timeout=10):
            pass


def _rejection_us(marks: Sequence[_Mark], records: Any, cpu_each: float) -> float | None:
    if len(marks) < 2:
        return None
    begin, end = marks
    part = figures.phase_figures(records, Phase("", begin.seconds, end.seconds, 0))
    if part.rejected < LEAST_REJECTIONS:
        return None
    used = (end.cpu.server - begin.cpu.server) / machine.TICKS
    answers = part.served * cpu_each
    return (used - answers) / part.rejected * 1e6 if answers < MOST_BY_ANSWERS * used else None


def _recovery(records: Any, down: float, end: float) -> float | None:
    seconds = records["scheduled_ns"] / 1e9
    failed = seconds[(seconds >= down) & (records["outcome"] != figures.SERVED)]
    if len(failed) == 0:
        return 0.0
    last = float(failed.max())
    return last - down if last < end - GOOD_SECONDS else None
