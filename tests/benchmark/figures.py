"""Turns the generator's records into figures. Times in seconds, latencies in milliseconds."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from load import Segment

_RECORD = np.dtype(
    [
        ("scheduled_ns", "<i8"),
        ("latency_us", "<i4"),
        ("lag_us", "<i4"),
        ("outcome", "u1"),
        ("zero", "u1", 7),
    ]
)

SERVED, REJECTED, OTHER, LOST, FAILED, UNSENT = range(6)


@dataclass(frozen=True)
class Phase:
    """Part of a run: from `start` to `end` at `rate` requests a second."""

    name: str
    start: float
    end: float
    rate: float


@dataclass(frozen=True)
class PhaseFigures:
    """What became of the requests scheduled in one phase; None: there were none to take it from."""

    offered: int
    served: int
    rejected: int
    lost_or_failed: int  # every other outcome, too
    served_p50_ms: float | None
    served_p99_ms: float | None
    rejected_p99_ms: float | None


def phases_of(names: list[str], schedule: list[Segment]) -> list[Phase]:
    """The phases of a schedule."""
    phases = []
    start = 0.0
    for name, segment in zip(names, schedule, strict=True):
        phases.append(Phase(name, start, start + segment.seconds, segment.rate))
        start += segment.seconds
    return phases


def read_records(path: Path) -> Any:
    """The records of a run, in the order of their scheduled times."""
    return np.fromfile(path, dtype=_RECORD)


def _quantile(micros: Any, share: float) -> float | None:
    return float(np.percentile(micros, share * 100)) / 1000 if len(micros) else None


def phase_figures(records: Any, phase: Phase) -> PhaseFigures:
    """Counts the requests whose scheduled time lies in the phase."""
    seconds = records["scheduled_ns"] / 1e9
    part = records[(seconds >= phase.start) & (seconds < phase.end)]
    served = part["latency_us"][part["outcome"] == SERVED]
    rejected = part["latency_us"][part["outcome"] == REJECTED]
    return PhaseFigures(
        offered=len(part),
        served=len(served),
        rejected=len(rejected),
        lost_or_failed=len(part) - len(served) - len(rejected),
        served_p50_ms=_quantile(served, 0.5),
        served_p99_ms=_quantile(served, 0.99),
        rejected_p99_ms=_quantile(rejected, 0.99),
    )


def per_second(records: Any, outcome: int | None, seconds: int) -> Any:
    """How many requests of each scheduled second had this outcome; None: all of them."""
    chosen = records if outcome is None else records[records["outcome"] == outcome]
    second = (chosen["scheduled_ns"] // 1_000_000_000).astype(int)
    return np.bincount(second, minlength=seconds)[:seconds]


def as_json(figures: PhaseFigures) -> dict[str, Any]:
    """The figures under their names."""
    return asdict(figures)
