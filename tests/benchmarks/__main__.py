"""`python -m tests.benchmarks [--quick]`: a table of ratios on the screen, every figure as JSON."""

from __future__ import annotations

import argparse
import asyncio
import json
import platform
import sqlite3
import sys
import tempfile
from pathlib import Path

from agents import set_tracing_disabled

from . import databases, report
from .measuring import FULL, QUICK, Effort, compare_all, crowd, pages

SIZES = (100, 10_000, 100_000)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer rounds, and not 100,000 items")
    parser.add_argument("--json", type=Path, default=Path("data/benchmarks.json"), help="where to write JSON")
    parser.add_argument("--only", choices=["sqlite", "others"], help="half of it: SQLiteSession, or the rest")
    parser.add_argument("--folder", type=Path, help="a folder on the disk to measure (default: temporary)")
    options = parser.parse_args()
    set_tracing_disabled(True)
    effort, sizes = (QUICK, SIZES[:2]) if options.quick else (FULL, SIZES)
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        found = asyncio.run(_measure(Path(folder), sizes, effort, options.only))
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(f"\nEvery figure is in {options.json}.")


async def _measure(
    folder: Path, sizes: tuple[int, ...], effort: Effort, only: str | None
) -> dict[str, object]:
    found = await _sqlite(folder, sizes, effort) if only != "others" else {}
    if only != "sqlite":
        others = await databases.measure(folder, effort)
        print(f"\nOther stores, {databases.SIZE:,} items, against the SDK's class for each:\n")
        print("\n".join(databases.lines(others)))
        found |= report.others_as_json(others)
    return found


async def _sqlite(folder: Path, sizes: tuple[int, ...], effort: Effort) -> dict[str, object]:
    stores = {}
    print(
        "How many times as fast as the SDK's SQLiteSession; medians over rounds in turns; WAL, synchronous "
        f"FULL. Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}.\n"
    )
    for title, root in (("on file", folder), ("in memory", None)):
        measured = {}
        for size in sizes:
            place = root / str(size) if root else None
            if place:
                place.mkdir()
            measured[size] = await compare_all(place, size, effort, lambda line: print(line, file=sys.stderr))
            if place:
                for path in place.iterdir():
                    path.unlink()
        stores[title] = measured
        print(f"{title[0].upper()}{title[1:]}:\n")
        print("\n".join(report.table(measured, on_file=root is not None)), end="\n\n", flush=True)
    together = await crowd(folder, effort)
    print(report.crowd_line(together))
    looks = await pages(folder, sizes[1:] if len(sizes) > 2 else sizes, effort)
    print("\n".join(report.page_lines(looks)))
    return report.as_json(stores, together, looks)


if __name__ == "__main__":
    main()
