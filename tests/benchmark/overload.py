"""./dev bench overload: who keeps a server at its limit, side by side, each entered cold."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import machine
import overload_report
from load import Impatience
from overload_contenders import CONTENDERS, MULTIPLES, SCENARIOS
from overload_stage import QUICK, SETTLED_AFTER, Arena, Cell, Lengths

QUICK_CONTENDERS = ("none", "gradient2-filter", "fixed-root", "hodor")
QUICK_MULTIPLES = (0.9, 2.0, 10.0)
ROUNDS = 5


def parse(arguments: list[str]) -> argparse.Namespace:
    """The command line; ends the program with code 2 if it is wrong."""
    parser = argparse.ArgumentParser(
        prog="./dev bench overload", description=__doc__, allow_abbrev=False
    )

    def among(allowed: Sequence[Any], read: Any) -> Any:
        def parts(text: str) -> list[Any]:
            try:
                chosen = [read(part) for part in text.split(",")]
            except ValueError:
                chosen = []
            if not chosen or any(part not in allowed for part in chosen):
                raise argparse.ArgumentTypeError(
                    f"{text}: there are {', '.join(map(str, allowed))}"
                )
            return chosen

        return parts

    keys = [scenario.key for scenario in SCENARIOS]
    names = [contender.key for contender in CONTENDERS]
    parser.add_argument(
        "--quick", action="store_true",
        help=f"cpu, {', '.join(QUICK_CONTENDERS)} at "
        f"{', '.join(f'{multiple:g}x' for multiple in QUICK_MULTIPLES)}, once: under ten minutes",
    )
    parser.add_argument(
        "--scenarios", type=among(keys, str), metavar="A,B", default=keys,
        help=f"of {', '.join(keys)}",
    )
    parser.add_argument(
        "--contenders", type=among(names, str), metavar="A,B", default=names,
        help=f"of {', '.join(names)}",
    )
    parser.add_argument(
        "--multiples", type=among(MULTIPLES, float), metavar="A,B", default=None,
        help=f"of {', '.join(f'{multiple:g}' for multiple in MULTIPLES)}",
    )
    parser.add_argument("--rounds", type=int, default=None, help=f"of each cell (default {ROUNDS})")
    parser.add_argument(
        "--limit", type=int, default=None,
        help="of fixed-root and qos-tuned, instead of the scenario's",
    )
    parser.add_argument(
        "--seconds", type=float, default=None,
        help=f"length of the overload (default {Lengths.overload:g}; 600 shows what leaks)",
    )
    parser.add_argument(
        "--close", choices=("fin", "rst"), default="fin",
        help="how clients that give up close their connections (default fin)",
    )
    parser.add_argument(
        "--retries", type=int, default=0,
        help="how often clients that are not served try again at once (0 to 10, default 0)",
    )
    parser.add_argument("--java", metavar="PATH", help="a java launcher or a JDK's directory")
    parser.add_argument("--agent", metavar="FILE", help="another libhodor.so")
    parser.add_argument(
        "--options", metavar="A=B,C=D", default="", help="more options of the agent",
    )
    parser.add_argument("--json", metavar="FILE", help="write the figures there")
    choices = parser.parse_args(arguments)
    if choices.quick:
        choices.scenarios, choices.contenders = ["cpu"], list(QUICK_CONTENDERS)
        choices.multiples = list(QUICK_MULTIPLES)
    if choices.rounds is None:
        choices.rounds = 1 if choices.quick else ROUNDS
    if not 1 <= choices.rounds <= 100:
        parser.error("--rounds is a number from 1 to 100")
    if choices.seconds is not None and not 2 * SETTLED_AFTER <= choices.seconds <= 3600:
        parser.error(f"--seconds is a number from {2 * SETTLED_AFTER:g} to 3600")
    if choices.limit is not None and not 1 <= choices.limit <= 10_000:
        parser.error("--limit is a number from 1 to 10000")
    if not 0 <= choices.retries <= 10:
        parser.error("--retries is a number from 0 to 10")
    return choices


def write_json(path: str, arena: Arena, cells: list[Cell]) -> None:
    """All figures until now."""
    content = {
        "machine": machine.describe(), "java": arena.java,
        "cells": [asdict(cell) for cell in cells],
    }
    Path(path).write_text(json.dumps(content, indent=2) + "\n")


def run_all(choices: argparse.Namespace, arena: Arena, cells: list[Cell]) -> None:
    """Runs them in turns: each contender in each round, and each goes first now and then."""
    contenders = [x for x in CONTENDERS if x.key in choices.contenders]
    scenarios = [x for x in SCENARIOS if x.key in choices.scenarios]
    for scenario in scenarios:
        if not arena.fits(scenario):
            print(f"SKIPPED: {scenario.key} needs Java {scenario.java} (--java)", flush=True)
            continue
        multiples = [
            x for x in scenario.multiples
            if choices.multiples is None or len(scenario.multiples) == 1 or x in choices.multiples
        ]
        for number in range(1, choices.rounds + 1):
            for i, multiple in enumerate(multiples):
                turn = (number + i) % len(contenders)
                for contender in contenders[turn:] + contenders[:turn]:
                    limit = choices.limit or scenario.limit
                    begin = time.monotonic()
                    cell = arena.run(scenario, contender, multiple, number, limit)
                    cells.append(cell)
                    seconds = time.monotonic() - begin
                    print(f"{overload_report.line(cell)}, {seconds:.0f} s", flush=True)
                    # Hours may be lost otherwise.
                    if choices.json:
                        write_json(choices.json, arena, cells)


def main(arguments: list[str]) -> int:
    """Runs the comparison; 0: done, 1: could not run, 2: wrong arguments, 130: interrupted."""
    choices = parse(arguments)
    cells: list[Cell] = []
    code = 0
    try:
        lengths = QUICK if choices.quick else Lengths()
        if choices.seconds is not None:
            lengths = replace(lengths, overload=choices.seconds)
        impatience = Impatience(choices.close, choices.retries)
        arena = Arena(choices.java, choices.agent, choices.options, lengths, impatience)
        # Nothing of ours but the server may use its CPU, this program included.
        os.sched_setaffinity(0, {machine.two_cpus()[1]})
        print(f"{machine.describe()}; {arena.java}", flush=True)
        run_all(choices, arena, cells)
    except machine.Unusable as error:
        print(f"overload: {error}", file=sys.stderr)
        code = 1
    except KeyboardInterrupt:
        print("overload: interrupted; everything that was started has ended", file=sys.stderr)
        code = 130
    if cells:
        print(f"\n{overload_report.markdown(cells)}")
        for picture in (
            *overload_report.draw(cells, arena.directory),
            *overload_report.draw_seconds(cells, arena.directory),
        ):
            print(f"Plot: {picture} (and .svg)")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
