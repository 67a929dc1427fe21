"""The figures as a table for people and as JSON for the next run to compare with."""

from __future__ import annotations

from typing import Any

from .contenders import Bare, Ours, Sdk
from .measuring import Crowd, Timings
from .works import WORKS

CROWD_FLOOR = 1.2
PAGE_FLOOR = 1.25
"""The most a page may cost at 100,000 items, as a multiple of its cost at 10,000."""

HEADER = "| work | items | cold | floor | warm | floor | ours | SDK | sqlite3 |"
RULE = "|---|---:|---:|---:|---:|---:|---:|---:|---:|"


def table(sizes: dict[int, dict[str, Timings]], *, on_file: bool) -> list[str]:
    """Markdown: how many times as fast as the SDK, and milliseconds when warm."""
    lines = [HEADER, RULE]
    for work in WORKS:
        for size, results in sizes.items():
            timings = results.get(work.title)
            if timings is None:
                continue
            cells = [work.title, f"{size:,}"]
            for cold in (True, False):
                floor = work.floor(size, cold=cold) if on_file else None
                ratio = timings.ratio(cold=cold)
                missed = floor is not None and ratio < floor
                cells += [f"**{ratio:.2f}**" if missed else f"{ratio:.2f}", f"{floor:g}" if floor else ""]
            cells += [f"{timings.of(kind.name, cold=False) * 1000:.3g} ms" for kind in (Ours, Sdk, Bare)]
            lines.append("| " + " | ".join(cells) + " |")
    return lines


def crowd_line(crowd: Crowd) -> str:
    per_second, p99 = _medians(crowd.per_second), _medians(crowd.p99)
    ratio = per_second[Ours.name] / per_second[Sdk.name]
    return (
        f"8 tasks appending to one file: {ratio:.2f} times the SDK's throughput (floor {CROWD_FLOOR:g}): "
        f"{per_second[Ours.name]:,.0f} against {per_second[Sdk.name]:,.0f} turns a second; p99 "
        f"{p99[Ours.name] * 1000:.1f} ms against {p99[Sdk.name] * 1000:.1f} ms (floor: lower)"
    )


def page_lines(pages: dict[str, dict[int, float]]) -> list[str]:
    lines = []
    for title, by_size in pages.items():
        small, large = min(by_size), max(by_size)
        lines.append(
            f"A page of 200 entries, {title}: {by_size[large] / by_size[small]:.2f} times as long at "
            f"{large:,} items as at {small:,} (floor {PAGE_FLOOR:g}): {by_size[large] * 1000:.2f} ms against "
            f"{by_size[small] * 1000:.2f} ms"
        )
    return lines


def as_json(
    stores: dict[str, dict[int, dict[str, Timings]]], crowd: Crowd, pages: dict[str, dict[int, float]]
) -> dict[str, Any]:
    """Everything in seconds, ratios as times as fast as the SDK."""
    return {
        "works": [
            {"store": store, "items": size, **figures}
            for store, sizes in stores.items()
            for size, results in sizes.items()
            for figures in _works(results)
        ],
        "crowd": {"turns_per_second": crowd.per_second, "p99": crowd.p99},
        "pages": pages,
    }


def others_as_json(others: dict[str, dict[str, Timings]]) -> dict[str, Any]:
    return {"others": {store: _works(results) for store, results in others.items()}}


def _works(results: dict[str, Timings]) -> list[dict[str, Any]]:
    return [
        {
            "work": title,
            "ratio": {"cold": timings.ratio(cold=True), "warm": timings.ratio(cold=False)},
            "rounds": {"cold": timings.cold, "warm": timings.warm},
        }
        for title, timings in results.items()
    ]


def _medians(by_name: dict[str, list[float]]) -> dict[str, float]:
    from statistics import median

    return {name: median(values) for name, values in by_name.items()}
