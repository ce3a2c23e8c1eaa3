"""The tables of the detection matrix, and its report for the summary of the tests."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from detection_rows import JAVA, ROWS, Row
from spread import spread

if TYPE_CHECKING:
    from detection import Cell
    from detection_stage import Outcome

# Of a document that holds the tables.
_BEGIN = "<!-- tables: begin -->"
_END = "<!-- tables: end -->"


def _times(cell: Cell) -> list[float]:
    """Seconds to detection, of the rounds that came out right."""
    if not cell.row.expected or cell.wrong or cell.skipped:
        return []
    return [_time(cell.row, outcome) for outcome in cell.outcomes]


def _time(row: Row, outcome: Outcome) -> float:
    first = outcome.firings[0].seconds
    return max(0.0, first - (outcome.harmed or 0)) if row.from_harm else first


def _short(cell: Cell) -> str:
    """What came out, for a cell of a table."""
    if cell.wrong:
        causes = {f.cause for outcome in cell.outcomes for f in outcome.firings}
        causes.update(cause for outcome in cell.outcomes for cause in outcome.warm_up_firings)
        said = ", ".join(sorted(causes)) or "nothing"
        return f"**WRONG: {said}**"
    if cell.skipped:
        return "skipped"
    if not cell.row.expected:
        return "0"
    causes = sorted({outcome.firings[0].cause for outcome in cell.outcomes})
    return f"{', '.join(causes)} {spread(_times(cell), 2)}"


def cell_line(cell: Cell) -> str:
    """What came out, in a line of the progress."""
    if cell.wrong or cell.skipped:
        text = f"WRONG: {cell.wrong[-1]}" if cell.wrong else f"SKIPPED: {cell.skipped[-1]}"
    else:
        text = _short(cell)
    if not cell.outcomes:
        return text
    last = cell.outcomes[-1]
    detectors = ", ".join(f"{name} {count}" for name, count in (last.detectors or {}).items())
    if last.detectors is None:
        detectors = "not known"
    facts = [
        f"1x is {last.capacity:.0f}/s",
        f"{last.served:.0%} answered in time",
        f"detectors that fired: {detectors or 'none'}",
        f"server's CPU {last.server_cpu:.0%}, others {last.outside:.0%}, steal {last.steal:.0%}",
        *last.notes,
    ]
    return f"{text} ({'; '.join(facts)})"


def _table(head: Sequence[str], lines: Iterable[Sequence[str]]) -> list[str]:
    return [
        f"| {' | '.join(head)} |",
        f"|{' --- |' * len(head)}",
        *(f"| {' | '.join(line)} |" for line in lines),
        "",
    ]


def markdown(cells: list[Cell]) -> str:
    """All tables: the matrix, what runs once, and the times to detection."""
    text: list[str] = []
    versions = [version for version in JAVA if any(cell.java == version for cell in cells)]
    matrix = [cell for cell in cells if cell.row.everywhere]
    once = [cell for cell in cells if not cell.row.everywhere]
    if matrix:
        lines = []
        for row in ROWS:
            own = [cell for cell in matrix if cell.row is row]
            for collector in dict.fromkeys(cell.collector for cell in own):
                by_java = {cell.java: _short(cell) for cell in own if cell.collector == collector}
                lines.append([row.title, collector, *(by_java.get(v, "-") for v in versions)])
        text += _table(["situation", "collector", *(f"Java {v}" for v in versions)], lines)
    if once:
        head = ["situation", "Java", "expected", "came out", "detectors that fired", "notes"]
        text += _table(head, map(_once_line, once))
    text += _detection_times(cells)
    return "\n".join(text)


def _once_line(cell: Cell) -> list[str]:
    expected = " or ".join(sorted(cell.row.expected)) or "nothing"
    fired = dict.fromkeys(name for o in cell.outcomes for name in o.detectors or ())
    notes = dict.fromkeys(note for outcome in cell.outcomes for note in outcome.notes)
    return [
        cell.row.title, f"{cell.java}, {cell.collector}", expected, _short(cell),
        ", ".join(fired) or "-", "; ".join(notes),
    ]


def _detection_times(cells: list[Cell]) -> list[str]:
    lines = []
    for row in ROWS:
        own = [cell for cell in cells if cell.row is row]
        for collector in dict.fromkeys(cell.collector for cell in own):
            times = [t for cell in own if cell.collector == collector for t in _times(cell)]
            if times:
                aim = "" if row.aim is None else f"{row.aim:g}"
                lines.append([row.title, collector, str(len(times)), spread(times, 2), aim])
    head = ["seconds from onset to detection", "collector", "runs", "median (least to most)", "aim"]
    return _table(head, lines) if lines else []


def write_markdown(tables: str, path: Path) -> None:
    """The tables as a file, or between the marks of a file that has them."""
    text = path.read_text() if path.is_file() else ""
    if _BEGIN in text and _END in text:
        before, rest = text.split(_BEGIN, 1)
        _, after = rest.split(_END, 1)
        tables = f"{before}{_BEGIN}\n\n{tables}\n{_END}{after}"
    path.write_text(tables)


def write_junit(cells: list[Cell], path: Path) -> None:
    """A test case for each cell."""
    suite = ElementTree.Element("testsuite", name="detection")
    for cell in cells:
        case = ElementTree.SubElement(
            suite, "testcase", classname="detection", name=cell.name, time=f"{cell.seconds:.1f}"
        )
        if cell.wrong:
            ElementTree.SubElement(case, "failure", message="; ".join(cell.wrong))
        elif cell.skipped:
            ElementTree.SubElement(case, "skipped", message=cell.skipped[0])
    ElementTree.ElementTree(suite).write(path, encoding="unicode", xml_declaration=True)
