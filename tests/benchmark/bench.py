"""./dev bench: what Hodor costs. Without a name it runs all benchmarks, one after the other.

`./dev bench detection` and `./dev bench overload` are programs of their own, with their own
arguments: detection.py, overload.py.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from rich.console import Console

import detection
import frameworks
import heartbeat
import idle
import machine
import micro
import overhead
import overhead_switched
import overload
from children import Children

NAMES = ("micro", "idle", "overhead", "frameworks", "heartbeat")


def parse(arguments: list[str]) -> argparse.Namespace:
    """The command line; ends the program with code 2 if it is wrong."""
    parser = argparse.ArgumentParser(prog="./dev bench", description=__doc__, allow_abbrev=False)
    parser.add_argument("name", nargs="?", help=", ".join(NAMES))
    parser.add_argument("--json", metavar="FILE", help="write the figures there, too")
    parser.add_argument("--java", metavar="PATH", help="a java launcher or a JDK's directory")
    parser.add_argument(
        "--seconds", type=float, default=60, help="length of `idle` (default 60, 1 to 600)"
    )
    parser.add_argument("--app", metavar="JAR", help="another build of the demo app")
    parser.add_argument("--agent", metavar="FILE", help="another libhodor.so")
    choices = parser.parse_args(arguments)
    if choices.name is not None and choices.name not in NAMES:
        parser.error(f"there is no benchmark {choices.name}; there are: {', '.join(NAMES)}")
    if not 1 <= choices.seconds <= 600:
        parser.error("--seconds is a number from 1 to 600")
    return choices


def run(choices: argparse.Namespace, console: Console) -> dict[str, Any]:
    """Runs what was asked for; the figures by the benchmark's name."""
    figures: dict[str, Any] = {}
    if choices.name in (None, "micro"):
        figures["micro"] = micro.measure(choices.java, choices.agent, console)
    if choices.name in (None, "idle"):
        with Children() as children:
            figures["idle"] = idle.measure(
                idle.Choices(choices.seconds, choices.java, choices.app, choices.agent),
                children,
                console,
            )
    if choices.name in (None, "overhead"):
        with Children() as children:
            figures["overhead"] = overhead.Overhead(
                choices.java, choices.app, choices.agent, console, children
            ).measure()
        with Children() as children:
            figures["overhead_switched"] = overhead_switched.Switched(
                choices.java, choices.app, choices.agent, console, children
            ).measure()
    if choices.name in (None, "frameworks"):
        with Children() as children:
            figures["frameworks"] = frameworks.Frameworks(
                choices.java, choices.agent, console, children
            ).measure()
    if choices.name in (None, "heartbeat"):
        figures["heartbeat"] = heartbeat.measure(console)
    return figures


def main() -> int:
    """Runs the benchmarks; 0: done, 1: could not run, 2: wrong arguments, 130: interrupted."""
    if sys.argv[1:2] == ["detection"]:
        return detection.main(sys.argv[2:])
    if sys.argv[1:2] == ["overload"]:
        return overload.main(sys.argv[2:])
    choices = parse(sys.argv[1:])
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 110)
    try:
        figures = run(choices, console)
    except (machine.Unusable, subprocess.CalledProcessError) as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("bench: interrupted; everything that was started has been ended", file=sys.stderr)
        return 130
    if choices.json is not None:
        Path(choices.json).write_text(json.dumps(figures, indent=2) + "\n")
        console.print(f"Figures: {choices.json}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
