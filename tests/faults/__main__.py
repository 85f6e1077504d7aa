"""Run a campaign of mutations and print its findings.

``python -m tests.faults --count 100000 --seed 3`` reads about 100,000 files, evenly of all formats;
``--format midi --only 4711`` repeats one.
"""

from __future__ import annotations

import argparse
import logging
import tempfile
from pathlib import Path

from tests.faults import campaign, formats


def main() -> int:
    """Print the counts of each format and each fault; return 1 if there are any."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--count", type=int, default=20_000, help="number of files")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--format", choices=sorted(formats.FORMATS), action="append")
    parser.add_argument("--only", type=int, help="the number of the one file to read")
    options = parser.parse_args()
    logging.disable()
    chosen = {name: formats.FORMATS[name] for name in options.format or formats.FORMATS}
    numbers = range(-(-options.count // len(chosen))) if options.only is None else [options.only]
    found = campaign.Findings()
    with tempfile.TemporaryDirectory() as folder, campaign.sockets_opened() as used:
        for found in campaign.run(chosen, numbers, options.seed, Path(folder)):
            name = max(found.slowest, key=list(found.slowest).index)
            counts = {how: n for (of, how), n in sorted(found.outcomes.items()) if of == name}
            print(f"{name:>18} {counts}, slowest {found.slowest[name]:.2f} s", flush=True)  # noqa: T201
    for fault in found.faults[:200]:
        print(fault)  # noqa: T201
    print(  # noqa: T201
        f"{found.files:,} files, {len(found.faults)} faults, memory grew by "
        f"{found.growth / 1e6:.0f} MB, {len(used)} sockets"
    )
    return 1 if found.faults or used else 0


if __name__ == "__main__":
    raise SystemExit(main())
