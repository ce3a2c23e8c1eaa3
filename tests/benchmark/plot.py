"""The picture: what was offered, and what was served in time with and without Hodor."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
matplotlib.rcParams["svg.fonttype"] = "path"
matplotlib.rcParams["svg.hashsalt"] = "hodor"

import matplotlib.pyplot as plt  # noqa: E402

from figures import REJECTED, SERVED, Phase, per_second  # noqa: E402

# Okabe and Ito's colours, told apart by the colour-blind; line styles differ as well.
_WITH = "#0072B2"
_WITHOUT = "#D55E00"
_OFFERED = "#555555"
_CAPACITY = "#009E73"


@dataclass(frozen=True)
class Picture:
    """What is drawn. Rates in requests a second, times in seconds since the start of a run."""

    title: str
    phases: list[Phase]
    capacity: float
    without: Any  # records
    with_hodor: Any  # records
    detected_s: float | None


def draw(picture: Picture, directory: Path, name: str) -> Path:
    """Writes DIRECTORY/NAME.svg and .png; returns the path of the PNG."""
    length = round(picture.phases[-1].end)
    middles = [second + 0.5 for second in range(length)]
    figure, (above, below) = plt.subplots(
        2, 1, sharex=True, figsize=(10, 6), gridspec_kw={"height_ratios": [1, 2.6]}
    )
    _offered(above, picture, middles, length)
    _served(below, picture, middles, length)
    for axes in (above, below):
        for phase in picture.phases[1:]:
            axes.axvline(phase.start, color="#999999", linewidth=0.8)
        axes.set_xlim(0, length)
        axes.set_ylim(bottom=0)
        axes.grid(axis="y", color="#e6e6e6", linewidth=0.6)
        axes.set_axisbelow(True)
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
    figure.suptitle(picture.title, fontsize=12)
    figure.tight_layout()
    figure.savefig(directory / f"{name}.svg", metadata={"Date": None})
    figure.savefig(directory / f"{name}.png", dpi=120)
    plt.close(figure)
    return directory / f"{name}.png"


def _offered(axes: Any, picture: Picture, middles: list[float], length: int) -> None:
    offered = per_second(picture.with_hodor, None, length)
    rejected = per_second(picture.with_hodor, REJECTED, length)
    axes.plot(middles, offered, color=_OFFERED, linestyle="--", label="offered (both runs)")
    axes.plot(middles, rejected, color=_WITH, linestyle=":", label="rejected, with Hodor")
    top = max(offered) * 1.35
    axes.set_ylim(0, top)
    for phase in picture.phases:
        axes.text(
            (phase.start + phase.end) / 2, top * 0.97, phase.name, ha="center", va="top", fontsize=9
        )
    axes.set_ylabel("requests/s")
    axes.legend(loc="center right", fontsize=8, framealpha=0.9)


def _served(axes: Any, picture: Picture, middles: list[float], length: int) -> None:
    with_hodor = per_second(picture.with_hodor, SERVED, length)
    without = per_second(picture.without, SERVED, length)
    axes.axhline(
        picture.capacity, color=_CAPACITY, linestyle="-.", linewidth=1, label="capacity, measured"
    )
    axes.plot(middles, with_hodor, color=_WITH, linewidth=2, marker="o", markersize=3,
              label="with Hodor")
    axes.plot(middles, without, color=_WITHOUT, linewidth=2, marker="s", markersize=3,
              label="without Hodor")
    axes.set_ylim(0, max(picture.capacity, max(with_hodor), max(without)) * 1.3)
    if picture.detected_s is not None:
        axes.axvline(picture.detected_s, color=_WITH, linewidth=0.8, linestyle=":")
        axes.annotate(
            "overload detected", (picture.detected_s, 0.84), xytext=(4, 0),
            xycoords=("data", "axes fraction"), textcoords="offset points", color=_WITH,
            fontsize=8,
        )
    axes.set_ylabel("served within 1 s,\nper second")
    axes.set_xlabel("second in which the requests were scheduled")
    axes.legend(loc="upper left", ncol=3, fontsize=9, framealpha=0.9)
