"""What one decision costs: the C++ micro-benchmarks, and by JMH the calls through JNI and peers."""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

import machine
import server as servers

THREADS = (1, 2, 8)
# Which benchmarks, and the agent's options; none: without it.
JMH_RUNS = {
    "DecisionBenchmark": "mode=monitor",
    "EngagedBenchmark": "mode=enforce,inject=cpu",
    "PeersBenchmark": "",
}


def measure(java: str | None, agent: str | None, console: Console) -> dict[str, Any]:
    """Runs what is built; prints a table for each. Times in nanoseconds for one operation."""
    return {
        "machine": machine.describe(),
        "native": _native(console),
        "jni": _jni(machine.find_java(java), servers.find_agent(agent), console),
    }


def _native(console: Console) -> list[dict[str, Any]]:
    binary = machine.ROOT / "build/release/tests/benchmark/hodor_micro_benchmark"
    if not binary.is_file():
        raise machine.Unusable("hodor_micro_benchmark is not built; run ./dev bench micro")
    run = subprocess.run(
        [binary, "--benchmark_format=json"], stdout=subprocess.PIPE, text=True, check=True
    )
    rows = [
        {"name": row["name"], "ns": row["real_time"], "cpu_ns": row["cpu_time"]}
        for row in json.loads(run.stdout)["benchmarks"]
        if row.get("run_type", "iteration") == "iteration"
    ]
    table = Table(title="C++, without JNI")
    table.add_column("benchmark")
    table.add_column("ns", justify="right")
    for row in rows:
        table.add_row(row["name"], f"{row['ns']:.1f}")
    console.print(table)
    return rows


def _jni(java: Path, agent: Path, console: Console) -> list[dict[str, Any]]:
    jar = machine.ROOT / "tests/benchmark/jmh/target/hodor-jmh.jar"
    if not jar.is_file():
        raise machine.Unusable(f"{jar} is not built; run ./dev bench micro")
    rows: list[dict[str, Any]] = []
    for threads in THREADS:
        console.print(
            f"JMH with {threads} thread{'s' if threads > 1 else ''}, about four minutes …"
        )
        for benchmark, options in JMH_RUNS.items():
            for row in _run_jmh(java, agent if options else None, options, jar, benchmark, threads):
                metric = row["primaryMetric"]
                rows.append(
                    {
                        "name": ".".join(row["benchmark"].rsplit(".", 2)[1:]),
                        "threads": threads,
                        "ns": metric["score"],
                        "error_ns": metric["scoreError"],
                    }
                )
    table = Table(title="Through JNI, and peers")
    table.add_column("benchmark")
    for threads in THREADS:
        table.add_column(f"{threads} thread{'s' if threads > 1 else ''}, ns", justify="right")
    for name in dict.fromkeys(row["name"] for row in rows):
        cells = [f"{row['ns']:.1f} ± {row['error_ns']:.1f}" for row in rows if row["name"] == name]
        table.add_row(name, *cells)
    console.print(table)
    return rows


def _run_jmh(
    java: Path, agent: Path | None, options: str, jar: Path, benchmark: str, threads: int
) -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as directory:
        results = Path(directory) / "jmh.json"
        # Sentinel writes logs to the home directory otherwise.
        forked = f"-Dcsp.sentinel.log.dir={directory} -DEAGLEEYE.LOG.PATH={directory}"
        if agent is not None:
            # The natives are in the boot loader's copy of the classes, and package-private.
            forked += f" -agentpath:{agent}={options} -Xbootclasspath/a:{jar}"
        command = [str(java), "-jar", str(jar), benchmark, "-t", str(threads)]
        run = subprocess.run(
            [*command, "-jvmArgsAppend", forked, "-rf", "json", "-rff", str(results)],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
        )
        if run.returncode != 0 or not results.is_file():
            raise machine.Unusable("JMH failed:\n" + "\n".join(run.stdout.splitlines()[-20:]))
        rows: list[dict[str, Any]] = json.loads(results.read_text())
    if not rows:
        raise machine.Unusable("JMH measured nothing; every benchmark failed")
    return rows
