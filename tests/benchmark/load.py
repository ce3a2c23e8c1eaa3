"""Runs the load generator hodor-load and hands on its lines."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import machine
from children import Children

Line = dict[str, Any]

# Each address brings 28,000 ports of its own; lost requests close their connections, and the ports
# of closed connections stay taken for a minute. Not 127.0.0.1: its connections are never limited.
SOURCES = "127.0.0.2,127.0.0.3,127.0.0.4,127.0.0.5"


def find_generator(given: str | None) -> Path:
    """The generator's binary: from --generator or from the newest build."""
    if given is not None:
        found = [Path(given)] if Path(given).is_file() else []
    else:
        found = list((machine.ROOT / "build").glob("*/tests/load/hodor-load"))
    if not found:
        raise machine.Unusable("hodor-load is not built; run ./dev build")
    return max(found, key=lambda path: path.stat().st_mtime).resolve()


@dataclass(frozen=True)
class Segment:
    """Part of a schedule: `rate` requests a second for `seconds`."""

    rate: float
    seconds: float


@dataclass
class LoadResult:
    """What the generator said."""

    start: Line = field(default_factory=dict)
    seconds: list[Line] = field(default_factory=list)
    summary: Line = field(default_factory=dict)

    @property
    def epoch_ms(self) -> int:
        """Time zero of the schedule, in milliseconds since 1970."""
        return int(self.start["epoch_ms"])


@dataclass(frozen=True)
class Impatience:
    """What clients do that are not served in time."""

    # How they close their connections: fin or rst.
    close: str = "fin"
    # How often they try again, at once.
    retries: int = 0


class Generator:
    """Starts hodor-load against a port of this machine, in front of all else on its CPU."""

    def __init__(
        self, children: Children, binary: Path, cpu: int, impatience: Impatience | None = None
    ) -> None:
        self._impatience = impatience or Impatience()
        self._children = children
        self._binary = binary
        self._cpu = cpu
        self.realtime = machine.may_run_realtime()

    def open_loop(
        self,
        port: int,
        path: str,
        schedule: list[Segment],
        *,
        seed: int,
        records: Path | None = None,
        on_line: Callable[[Line], None] = lambda _: None,
    ) -> LoadResult:
        """Arrivals that do not wait for answers; latency and deadline from the scheduled time."""
        text = ",".join(f"{segment.rate:.3f}:{segment.seconds}" for segment in schedule)
        arguments = ["--schedule", text, "--seed", str(seed), "--live"]
        arguments += ["--retries", str(self._impatience.retries)]
        if records is not None:
            arguments += ["--records", str(records)]
        return self._run(port, path, arguments, on_line)

    def closed_loop(self, port: int, path: str, connections: int, seconds: float) -> LoadResult:
        """`connections` that are always busy."""
        arguments = ["--closed", str(connections), "--seconds", str(seconds)]
        return self._run(port, path, arguments, lambda _: None)

    def _run(
        self, port: int, path: str, arguments: list[str], on_line: Callable[[Line], None]
    ) -> LoadResult:
        target = ["--target", f"127.0.0.1:{port}", "--path", path, "--source", SOURCES]
        target += ["--close", self._impatience.close]
        child = self._children.start(
            [str(self._binary), *target, *arguments],
            cpu=self._cpu,
            policy=("chrt", "-f", "1") if self.realtime else (),
            stderr=subprocess.PIPE,
        )
        assert child.stdout is not None and child.stderr is not None
        result = LoadResult()
        for text in child.stdout:
            line: Line = json.loads(text)
            if line["type"] == "start":
                result.start = line
            elif line["type"] == "second":
                result.seconds.append(line)
            elif line["type"] == "summary":
                result.summary = line
            on_line(line)
        errors = child.stderr.read().strip()
        code = self._children.wait(child)
        if not result.summary or code not in (0, 3):
            raise machine.Unusable(f"the load generator failed (exit code {code}): {errors}")
        return result
