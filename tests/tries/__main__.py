"""Run the tries."""

from __future__ import annotations

import logging
import sys
import time

from .every import attempt, tries


def main(words: list[str]) -> int:
    """How many tries succeeded."""
    logging.disable(logging.CRITICAL)  # what the desk says of faults that were made on purpose
    chosen = [one for one in tries() if not words or any(word in one.name for word in words)]
    began, broken = time.monotonic(), 0
    for number, one in enumerate(chosen, 1):
        held, remark = attempt(one)
        broken += not held
        print(f"{number:4} {one.name:<66} {remark if held else f'BROKEN: {remark}'}", flush=True)
    print(f"{len(chosen)} tries in {time.monotonic() - began:.0f} s, {broken} of them succeeded.")
    return broken


if __name__ == "__main__":
    sys.exit(1 if main(sys.argv[1:]) else 0)
