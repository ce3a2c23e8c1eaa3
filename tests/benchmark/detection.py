"""./dev bench detection: a matrix of real JVMs in trouble, and what the agent says of it."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import detection_report
import machine
from detection_rows import COLLECTOR_ONLY_ON, COLLECTORS, JAVA, REPRESENTATIVE, ROWS, Row
from detection_stage import MOST_SERVED_IN_OVERLOAD, Firing, Outcome, Theatre
from workload import class_path, require_options

# A run in which others took more of the CPUs says nothing if it came out wrong, and is repeated.
_MOST_STOLEN = 0.05
_MOST_OUTSIDE = 0.1
_ATTEMPTS = 3
# Half a tick of the agent.
_MOST_LAG_MS = 50
# Of its CPU, by a server that is asked for 0.9 of what it can.
_MOST_USED_IN_QUIET = 0.95
_REPRESENTATIVE_JAVA = 17
_REPRESENTATIVE_COLLECTOR = "G1"
_REPRESENTATIVE_QUIET_SECONDS = 20
_REPRESENTATIVE_ATTEMPTS = 2


@dataclass
class Cell:
    """One row on one Java with one collector; its outcomes, one for each round."""

    row: Row
    java: int
    collector: str
    outcomes: list[Outcome] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    seconds: float = 0

    @property
    def name(self) -> str:
        """For logs and reports."""
        return f"{self.row.title}: Java {self.java}, {self.collector}"

    @property
    def file_name(self) -> str:
        """For a folder."""
        return f"{self.row.key}-{self.java}-{self.collector.replace(' ', '-')}"


def cells(choices: argparse.Namespace) -> Iterator[Cell]:
    """What was asked for, the matrix first."""
    for row in ROWS:
        if row.key not in choices.rows:
            continue
        for java in JAVA:
            if java not in choices.java or not (row.everywhere or java in row.java):
                continue
            if not row.everywhere:
                yield Cell(row, java, row.collector)
                continue
            for collector in choices.collector:
                if java in COLLECTOR_ONLY_ON.get(collector, JAVA):
                    yield Cell(row, java, collector)


def judge(row: Row, outcome: Outcome) -> str:
    """What is wrong; empty: nothing."""
    if outcome.warm_up_firings:
        return f"fired in the warm-up: {', '.join(outcome.warm_up_firings)}"
    if not row.expected:
        causes = ", ".join(f"{f.cause} at {f.seconds:.1f} s" for f in outcome.firings)
        return f"fired where nothing is overloaded: {causes}" if causes else ""
    if outcome.served > MOST_SERVED_IN_OVERLOAD:
        return f"no overload came about: {outcome.served:.0%} were answered in time"
    if not outcome.firings:
        return "the overload was not seen"
    first = outcome.firings[0]
    if first.seconds < 0:
        return f"fired {-first.seconds:.1f} s before the onset: {first.cause}"
    if first.cause not in row.expected:
        return f"{first.cause} is named, not {' or '.join(sorted(row.expected))}"
    return ""


def disturbance(row: Row, outcome: Outcome) -> str:
    """Why the run says nothing; empty: it says something."""
    if not row.expected and outcome.served < MOST_SERVED_IN_OVERLOAD:
        # The capacity was measured too high, or the server became slower since.
        return f"it was overloaded: only {outcome.served:.0%} were answered in time"
    if not row.expected and outcome.server_cpu > _MOST_USED_IN_QUIET:
        return f"it was asked for all it can: it used {outcome.server_cpu:.0%} of its CPU"
    if outcome.lag_ms > _MOST_LAG_MS:
        return f"the load generator was {outcome.lag_ms:.0f} ms late"
    if outcome.steal > _MOST_STOLEN:
        return f"the host took {outcome.steal:.0%} of the CPUs"
    if outcome.outside > _MOST_OUTSIDE and not outcome.is_favoured:
        return f"others took {outcome.outside:.0%} of the server's CPU"
    return ""


def measured_before(path: Path) -> list[Cell]:
    """The cells of an earlier run's --json; ends the program with code 2 if there are none."""
    rows = {row.key: row for row in ROWS}
    try:
        return [
            Cell(
                rows[cell["row"]], cell["java"], cell["collector"],
                [
                    Outcome(**{**x, "firings": [Firing(**firing) for firing in x["firings"]]})
                    for x in cell["rounds"]
                ],
                cell["wrong"], cell["skipped"], cell["seconds"],
            )
            for cell in json.loads(path.read_text())["cells"]
        ]
    except (OSError, ValueError, KeyError, TypeError) as error:
        print(
            f"detection: --with {path}: no figures of `--json` that fit: {error!r}", file=sys.stderr
        )
        sys.exit(2)


def run(cell: Cell, theatre: Theatre, choices: argparse.Namespace, seed: int) -> None:
    """One round of a cell; again where it was disturbed and came out wrong."""
    options = COLLECTORS[cell.collector]
    try:
        class_path(cell.java)
        require_options(cell.java, options)
        for attempt in range(1, choices.attempts + 1):
            outcome = theatre.play(
                cell.row.situation, cell.java, options, name=cell.file_name,
                quiet_seconds=choices.quiet_seconds, seed=seed,
            )
            wrong = judge(cell.row, outcome)
            disturbed = disturbance(cell.row, outcome)
            if not wrong or not disturbed:
                break
            print(f"  attempt {attempt}: {wrong}, but {disturbed}", flush=True)
        cell.outcomes.append(outcome)
        if wrong and disturbed:
            cell.skipped.append(f"{wrong}; but {disturbed}, in each of {attempt} attempts")
        elif wrong:
            cell.wrong.append(wrong)
    except machine.Absent as absent:
        cell.skipped.append(str(absent))
    except machine.Unusable as unusable:
        cell.wrong.append(f"could not run: {unusable}")


def parse(arguments: list[str]) -> argparse.Namespace:
    """The command line; ends the program with code 2 if it is wrong."""
    parser = argparse.ArgumentParser(
        prog="./dev bench detection", description=__doc__, allow_abbrev=False
    )
    keys = [row.key for row in ROWS]

    def among(allowed: list[str]) -> Any:
        def parts(text: str) -> list[str]:
            chosen = text.split(",")
            unknown = [part for part in chosen if part not in allowed]
            if unknown:
                raise argparse.ArgumentTypeError(
                    f"{', '.join(unknown)}: there are {', '.join(allowed)}"
                )
            return chosen

        return parts

    versions = [str(version) for version in JAVA]
    parser.add_argument(
        "--rows", type=among(keys), default=keys, metavar="A,B", help=f"of {', '.join(keys)}"
    )
    parser.add_argument(
        "--java", type=among(versions), default=versions, metavar="A,B",
        help=f"of {', '.join(versions)}",
    )
    parser.add_argument(
        "--collector", type=among(list(COLLECTORS)), default=list(COLLECTORS), metavar="A,B",
        help=f"in the rows that run on all of them: of {', '.join(COLLECTORS)}",
    )
    parser.add_argument(
        "--representative", action="store_true",
        help="a part in a minute: two rows on one Java, 20 s of quiet",
    )
    parser.add_argument(
        "--quiet-seconds", type=float, default=60, help="length of quiet rows (default 60)"
    )
    parser.add_argument("--rounds", type=int, default=1, help="of each cell (default 1)")
    parser.add_argument(
        "--attempts", type=int, default=_ATTEMPTS,
        help=f"at a cell that others disturb (default {_ATTEMPTS})",
    )
    parser.add_argument(
        "--with", dest="earlier", metavar="FILE", action="append", default=[], type=Path,
        help="add the cells of an earlier --json to the tables; may be repeated",
    )
    parser.add_argument("--agent", metavar="FILE", help="another libhodor.so")
    parser.add_argument("--json", metavar="FILE", help="write the figures there")
    parser.add_argument(
        "--markdown", metavar="FILE",
        help="write the tables there, between the marks if the file has them",
    )
    parser.add_argument("--junit", metavar="FILE", help="write a report of the cells there")
    parser.add_argument("--list", action="store_true", help="say what would run, and end")
    choices = parser.parse_args(arguments)
    if not 5 <= choices.quiet_seconds <= 600:
        parser.error("--quiet-seconds is a number from 5 to 600")
    if not 1 <= choices.rounds <= 100 or not 1 <= choices.attempts <= 100:
        parser.error("--rounds and --attempts are numbers from 1 to 100")
    choices.java = [int(version) for version in choices.java]
    if choices.representative:
        choices.rows, choices.java = list(REPRESENTATIVE), [_REPRESENTATIVE_JAVA]
        choices.collector = [_REPRESENTATIVE_COLLECTOR]
        choices.quiet_seconds = _REPRESENTATIVE_QUIET_SECONDS
        choices.attempts = min(choices.attempts, _REPRESENTATIVE_ATTEMPTS)
    return choices


def run_all(choices: argparse.Namespace, planned: list[Cell]) -> None:
    """Runs them, one after the other, and says of each what came out."""
    theatre = Theatre(choices.agent, machine.ROOT / "build" / "report" / "detection")
    for number in range(choices.rounds):
        for i, cell in enumerate(planned, 1):
            begin = time.monotonic()
            run(cell, theatre, choices, seed=number + 1)
            cell.seconds += time.monotonic() - begin
            line = detection_report.cell_line(cell)
            print(f"[{number + 1}.{i}/{len(planned)}] {cell.name}: {line}", flush=True)


def main(arguments: list[str]) -> int:
    """Runs the matrix; 0: all right, 1: a cell is wrong or nothing ran, 130: interrupted."""
    choices = parse(arguments)
    planned = list(cells(choices))
    if choices.list:
        print("\n".join(cell.name for cell in planned))
        return 0
    earlier = [cell for path in choices.earlier for cell in measured_before(path)]
    print(f"{len(planned)} cells, {choices.rounds} rounds; {machine.describe()}", flush=True)
    try:
        run_all(choices, planned)
    except machine.Unusable as error:
        print(f"detection: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("detection: interrupted; everything that was started has ended", file=sys.stderr)
        _report(choices, earlier + [cell for cell in planned if cell.seconds > 0])
        return 130
    _report(choices, earlier + planned)
    return 1 if any(cell.wrong for cell in planned) else 0


def _report(choices: argparse.Namespace, done: list[Cell]) -> None:
    tables = detection_report.markdown(done)
    print(f"\n{tables}")
    if choices.markdown:
        detection_report.write_markdown(tables, Path(choices.markdown))
    if choices.junit:
        detection_report.write_junit(done, Path(choices.junit))
    if choices.json:
        Path(choices.json).write_text(json.dumps(_figures(done), indent=2) + "\n")


def _figures(planned: list[Cell]) -> dict[str, Any]:
    return {
        "machine": machine.describe(),
        "cells": [
            {
                "row": cell.row.key,
                "java": cell.java,
                "collector": cell.collector,
                "expected": sorted(cell.row.expected),
                "wrong": cell.wrong,
                "skipped": cell.skipped,
                "seconds": cell.seconds,
                "rounds": [asdict(outcome) for outcome in cell.outcomes],
            }
            for cell in planned
        ],
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
