"""Who is compared in `./dev bench overload`, and in what."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Contender:
    """One way to limit a server."""

    key: str
    # Of hodor-rivals.
    guard: str
    what: str
    # Options of the agent; None: no agent.
    agent: str | None = None
    # False: it takes the CPU use of the whole machine for a sign, so nothing may spin beside it.
    spinner: bool = True
    # Nobody ships it, or nobody knows its number beforehand.
    honest_rival: bool = False


CONTENDERS = (
    Contender("none", "none", "Jetty 12.1 as it is"),
    Contender("qos", "qos", "Jetty's QoSHandler, defaults: 100 at a time, the others wait"),
    Contender(
        "qos-tuned", "qos-tuned",
        "QoSHandler with the best fixed limit, 8 times as many wait, 500 ms at most",
    ),
    Contender("vegas-filter", "vegas-filter", "concurrency-limits 0.5.4, Vegas, in a filter"),
    Contender("gradient2-filter", "gradient2-filter", "the same, Gradient2"),
    Contender(
        "sentinel-cpu", "sentinel-cpu", "Sentinel 1.8.8, system rule: CPU use 0.8", spinner=False
    ),
    Contender(
        "sentinel-load", "sentinel-load", "the same: load 2.5 for each CPU, with its BBR check",
        spinner=False,
    ),
    Contender("bulkhead", "bulkhead-filter", "resilience4j 2.3.0, Bulkhead, defaults: 25"),
    Contender(
        "fixed-root", "fixed-root", "a fixed limit in a root handler, the best one",
        honest_rival=True,
    ),
    Contender("vegas-root", "vegas-root", "Vegas in a root handler", honest_rival=True),
    Contender("gradient2-root", "gradient2-root", "Gradient2 in a root handler", honest_rival=True),
    Contender(
        "hodor-filter", "hodor-filter", "Hodor with its filter only", agent="mode=enforce,attach=off"
    ),
    Contender("hodor", "none", "Hodor, one flag", agent="mode=enforce"),
)

MULTIPLES = (0.5, 0.9, 1.2, 2.0, 5.0, 10.0, 20.0, 40.0)


@dataclass(frozen=True)
class Scenario:
    """What requests are busy with, and what happens."""

    key: str
    title: str
    path: str
    # Busy connections: in the warm-up, and to measure the capacity.
    warm_connections: int = 1
    capacity_connections: int = 4
    multiples: tuple[float, ...] = MULTIPLES
    # The limit of those that need one, found by a sweep (`--limit`).
    limit: int = 4
    # Options of the JVM, and flags of the application.
    jvm: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    # The Java that it needs at least.
    java: int = 17
    # Of the overload phase, begin and length of bursts at the multiple in s, at `else_` between.
    burst: tuple[float, float, float] | None = None
    # The downstream becomes so many times slower at the onset, and the capacity as much smaller.
    slower: float = 1.0


SCENARIOS = (
    Scenario("cpu", "2 ms of CPU", "/cpu"),
    Scenario(
        "downstream", "one of 32 connections for 50 ms", "/downstream", 8, 40, limit=34
    ),
    Scenario(
        "slower", "the same at 0.8x, and four times slower from the onset on", "/downstream", 8, 40,
        multiples=(0.8,), limit=34, slower=4.0,
    ),
    Scenario(
        "memory", "1 MB held and 2 ms of CPU, heap of 256 MB", "/memory", limit=10,
        jvm=("-Xmx256m",),
    ),
    Scenario(
        "virtual", "2 ms of CPU in virtual threads", "/cpu", flags=("--virtual", "1"), java=21
    ),
    Scenario(
        "bursts", "2 ms of CPU at 0.65x, 300 ms at a multiple every 5 s", "/cpu",
        multiples=(2.0,), burst=(5.0, 0.3, 0.65),
    ),
)
