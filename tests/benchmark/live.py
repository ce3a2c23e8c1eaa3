"""Shows a run while it goes on: a live view on a terminal, else a line a second."""

from __future__ import annotations

from collections import deque
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

Line = dict[str, Any]

_ROWS = 14
_BAR = 30


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:,.1f}" if value < 100 else f"{value:,.0f}"


def _p99(row: Line) -> str:
    return _number(row["served_p99_ms"])


def _lost(row: Line) -> int:
    return int(row["other"] + row["lost"] + row["failed"] + row["unsent"])


def detector_text(sample: Line | None) -> str:
    """The detectors' states in one line."""
    if sample is None:
        return ""
    parts = []
    for name, detector in sample["detectors"].items():
        value = "stale" if detector["stale"] else f"{_number(detector['value'])} {detector['unit']}"
        mark = f" FIRING band {detector['band']}" if detector["firing"] else ""
        parts.append(f"{name} {value}{mark}")
    return " | ".join(parts)


def state_text(sample: Line | None) -> str:
    """The agent's state in one line."""
    if sample is None:
        return "no Hodor in this run"
    if not sample["overloaded"]:
        return f"Hodor ({sample['mode']}): not overloaded, {sample['in_flight']} in flight"
    limit = "none" if sample["limit"] < 0 else sample["limit"]
    return (
        f"Hodor ({sample['mode']}): OVERLOADED, cause {sample['cause']}, "
        f"{sample['in_flight']} in flight, limit {limit}"
    )


class View:
    """One line for each scheduled second, for logs and pipes. The base of the live view."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self._header_due = True

    def begin(self, title: str, capacity: float) -> None:
        """A run begins; `capacity` in requests a second."""
        self.say(title)
        self._header_due = True

    def say(self, text: str) -> None:
        """A sentence on what goes on."""
        self.console.print(text, markup=False, highlight=False)

    def line(self, line: Line, sample: Line | None) -> None:
        """A line of the generator, and the newest sample of the agent."""
        if line["type"] != "second":
            return
        if self._header_due:
            self.say("  sec  offered served rejected   lost  p99 ms")
            self._header_due = False
        state = ""
        if sample is not None:
            state = f"  {'OVERLOADED ' + sample['cause'] if sample['overloaded'] else 'fine'}"
        self.say(
            f"  {line['second']:3d}  {line['offered']:7d} {line['served']:6d} "
            f"{line['rejected']:8d} {_lost(line):6d} {_p99(line):>7s}{state}"
        )

    def end(self) -> None:
        """The run is over."""


class LiveView(View):
    """A table that moves, with the detectors' states below."""

    def __init__(self, console: Console) -> None:
        super().__init__(console)
        self._rows: deque[Line] = deque(maxlen=_ROWS)
        self._live: Live | None = None
        self._title = ""
        self._capacity = 1.0
        self._now: Line = {}

    def begin(self, title: str, capacity: float) -> None:
        self._rows.clear()
        self._now = {}
        self._title = title
        self._capacity = max(capacity, 1.0)
        self._live = Live(console=self.console, refresh_per_second=4)
        self._live.start()

    def line(self, line: Line, sample: Line | None) -> None:
        if line["type"] == "second":
            self._rows.append(line)
        elif line["type"] == "live":
            self._now = line
        if self._live is not None:
            self._live.update(self._render(sample))

    def end(self) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None

    def _render(self, sample: Line | None) -> RenderableType:
        table = Table(title=self._title, title_justify="left", expand=False)
        for name in ("second", "offered", "served in time", "rejected", "lost", "p99 ms"):
            table.add_column(name, justify="right")
        table.add_column("served, of capacity")
        for row in self._rows:
            share = row["served"] / self._capacity
            bar = "█" * min(_BAR, round(share * _BAR / 1.2))
            table.add_row(
                str(row["second"]), str(row["offered"]), str(row["served"]), str(row["rejected"]),
                str(_lost(row)), _p99(row), bar,
            )
        lines: list[RenderableType] = [table]
        if self._now:
            lines.append(
                Text(
                    f"{self._now['seconds']:.0f} s: {self._now['offered']:,} offered, "
                    f"{self._now['served']:,} served in time, {self._now['rejected']:,} rejected, "
                    f"{_lost(self._now):,} lost, {self._now['connections']:,} connections"
                )
            )
        style = "bold red" if sample is not None and sample["overloaded"] else "green"
        lines.append(Text(state_text(sample), style=style if sample is not None else "dim"))
        lines.append(Text(detector_text(sample), style="dim"))
        return Group(*lines)


def make_view(console: Console) -> View:
    """The view that suits where the output goes."""
    return LiveView(console) if console.is_terminal else View(console)
