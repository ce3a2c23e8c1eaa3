#!/usr/bin/python3
"""Counts what `./dev test` ran: reads the reports of ctest, GoogleTest, Surefire and our Python.

usage: summary.py RESULTS

RESULTS/phases says which steps ran and how they ended; RESULTS/<preset>.ctest.xml and
RESULTS/<preset>/*.xml are the C++ reports, RESULTS/<phase>.junit.xml those of Python; the Java
reports stand beside the sources, and with them the attach matrix, which is printed as tables, like
RESULTS/detection.md. Exit code 1 if anything failed, also when a step broke without a report.
"""

import pathlib
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Phases that leave one JUnit report.
PYTHON_PHASES = ("detection", "packages")
# Phases that are broken if they ran no test.
TEST_PHASES = ("release", "asan-ubsan", "tsan", "Java", *PYTHON_PHASES)


class Suite:
    def __init__(self, name):
        self.name = name
        self.passed = 0
        self.failed = []
        self.skipped = []
        self.seconds = 0.0

    def add_report(self, path):
        """A JUnit-like report, of GoogleTest, pytest or Surefire."""
        for case in ElementTree.parse(path).getroot().iter("testcase"):
            name = f"{case.get('classname', '')}.{case.get('name', '')}"
            self.seconds += float((case.get("time") or "0").replace(",", ""))
            skipped = case.find("skipped")
            if case.find("failure") is not None or case.find("error") is not None:
                self.failed.append(name)
            elif skipped is not None or case.get("result") == "skipped":
                self.skipped.append((name, reason_of(skipped)))
            else:
                self.passed += 1


def reason_of(skipped):
    if skipped is None:
        return "no reason given"
    text = (skipped.get("message") or skipped.text or "no reason given").strip()
    lines = [line for line in text.splitlines() if not line.startswith("/")]
    return (lines or [text])[0]


def ctest_suite(results, preset):
    suite = Suite(preset)
    report = results / f"{preset}.ctest.xml"
    if not report.exists():
        return suite
    for case in ElementTree.parse(report).getroot().iter("testcase"):
        name = case.get("name")
        failed = case.get("status") not in ("run", "notrun", "disabled")
        cases = results / preset / f"{name}.xml"
        if cases.exists():
            already = len(suite.failed)
            suite.add_report(cases)
            if failed and len(suite.failed) == already:
                suite.failed.append(f"{name} (failed as a program, with all its tests passed)")
            continue
        suite.seconds += float(case.get("time") or 0)
        if failed:
            suite.failed.append(name)
        elif case.get("status") == "run":
            suite.passed += 1
        else:
            suite.skipped.append((name, case.get("status")))
    return suite


def python_suite(results, phase):
    suite = Suite(phase)
    report = results / f"{phase}.junit.xml"
    if report.exists():
        suite.add_report(report)
    return suite


def java_suites():
    suites = []
    for folder in ("java-shim", "examples", "tests"):
        for reports in sorted((ROOT / folder).glob("**/target/surefire-reports")):
            suite = Suite(str(reports.parent.parent.relative_to(ROOT)))
            for report in sorted(reports.glob("TEST-*.xml")):
                suite.add_report(report)
            suites.append(suite)
    return suites


class Matrix:
    """One table of what was attached to: rows are what, columns where or which part of it."""

    OUTCOMES = ["works", "fails open", "skipped", "FAILED"]  # the last one of a cell's counts

    def __init__(self):
        self.rows = {}
        self.columns = {}  # in the order in which they came

    def add(self, row, column, outcome):
        cells = self.rows.setdefault(row, {})
        self.columns.setdefault(column)
        cells[column] = max(cells.get(column, outcome), outcome, key=self.OUTCOMES.index)

    def print(self, name):
        columns = list(self.columns)
        if all(column.startswith("Java ") for column in columns):
            columns.sort()
        # A word a line, so that columns stay narrow.
        heads = [column.split() for column in columns]
        lines = max(map(len, heads))
        texts = [[""] * (lines - len(head)) + head for head in heads]
        widths = [max(map(len, text + [cells.get(column, "") for cells in self.rows.values()]))
                  for column, text in zip(columns, texts)]
        first = max(map(len, [name, *self.rows]))

        def line(start, cells):
            padded = (f"{cell:<{width}}" for cell, width in zip(cells, widths))
            print(f"{start:<{first}}  {'  '.join(padded)}".rstrip())

        print()
        for i in range(lines):
            line(name if i == lines - 1 else "", [text[i] for text in texts])
        for row, cells in self.rows.items():
            line(row, [cells.get(column, "-") for column in columns])


def print_matrices():
    """What the Java tests noted while they attached to everything that they know."""
    file = ROOT / "tests" / "jvm" / "target" / "attach-matrix"
    matrices = {}
    for line in file.read_text().splitlines() if file.exists() else []:
        table, *cell = line.split("\t")
        matrices.setdefault(table, Matrix()).add(*cell)
    if matrices:
        print("\nThe attach matrix; - is no part of it, or could not be started (see SKIPPED):")
    for name, matrix in matrices.items():
        matrix.print(name)


def print_detection(results):
    """What the JVMs in trouble came to."""
    file = results / "detection.md"
    if file.exists():
        print(f"\nDetection:\n\n{file.read_text().rstrip()}")


def main():
    results = pathlib.Path(sys.argv[1])
    phases, lost = [], []
    for line in (results / "phases").read_text().splitlines():
        kind, *rest = line.split("\t")
        if kind == "phase":
            phases.append((rest[0], int(rest[1]), int(rest[2])))
        else:
            lost.append((rest[0], rest[1]))

    suites = []
    for name, code, _ in phases:
        if name == "Java":
            found = java_suites()
        elif name in PYTHON_PHASES:
            found = [python_suite(results, name)]
        else:
            found = [ctest_suite(results, name)]
        if code != 0 and not any(suite.failed for suite in found):
            found[:1] = found[:1] or [Suite(name)]
            found[0].failed.append(f"{name}: ended with exit code {code}")
        if name in TEST_PHASES and not any(s.passed for s in found):
            broken = Suite(name)
            broken.failed.append(f"{name}: no test ran")
            found.append(broken)
        suites += [s for s in found if s.passed or s.failed or s.skipped]
    if lost:
        suite = Suite("Java runtimes")
        suite.skipped = lost
        suites.append(suite)

    width = max(len(suite.name) for suite in suites)
    print(f"\n{'suite':<{width}}  passed  failed  skipped  seconds in tests")
    for suite in suites:
        print(
            f"{suite.name:<{width}}  {suite.passed:6}  {len(suite.failed):6}"
            f"  {len(suite.skipped):7}  {suite.seconds:7.1f}"
        )
    print("\ntime: " + ", ".join(f"{name} {seconds} s" for name, _, seconds in phases)
          + f"; {sum(seconds for _, _, seconds in phases)} s in all")

    print_matrices()
    print_detection(results)
    print()
    reasons = Counter((s.name, reason) for s in suites for _, reason in s.skipped)
    for (suite, reason), count in reasons.items():
        print(f"SKIPPED {count} in {suite}: {reason}")
    for suite in suites:
        for name in suite.failed:
            print(f"FAILED in {suite.name}: {name}")
    failed = sum(len(suite.failed) for suite in suites)
    print(
        f"{sum(suite.passed for suite in suites)} passed, {failed} failed, "
        f"{sum(len(suite.skipped) for suite in suites)} skipped"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
