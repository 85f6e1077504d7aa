"""Fit the discriminator that guides the search of a causal model.

    python -m training.guidance NAME --pieces FOLDER [--number 300] [--strength 1.7] [--store]

FOLDER holds pieces of the model without a discriminator; they are written first if it is missing.
Bach's side are the chorales in four quarters of training and validation; test is not read. With ten
particles a search reaches only a part of what the log-odds ask for: ``--strength`` multiplies them.
``--store`` writes the discriminator beside the model.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from musicrel.chorale import Chorale
from musicrel.errors import MusicrelError, UsageError
from musicrel.generation.discriminator.discriminator import Discriminator
from musicrel.model import catalogue, checkpoint, devices
from musicrel.model.companions import DISCRIMINATOR
from musicrel.paths import write_text
from training.examination import material, writing
from training.guidance.fit import Fit, fit

FIRST_SEED: Final = 900_000
"""The first seed of the pieces; no set of the examination has it."""
_SHOWN: Final = 20


def plain_pieces(model: Path, folder: Path, number: int) -> list[Chorale]:
    """Return the pieces in ``folder``, written first if it is missing.

    Args:
        model: folder of the model; its discriminator is not used.
        folder: folder of the pieces.
        number: number of pieces.

    Raises:
        UsageError: the folder holds another number of pieces.
    """
    if not folder.exists():
        with tempfile.TemporaryDirectory() as place:
            plain = Path(place) / model.name
            shutil.copytree(model, plain, ignore=shutil.ignore_patterns(DISCRIMINATOR))
            list(writing.kept(writing.composed(str(plain), "valid", number, FIRST_SEED), folder))
    pieces = material.read_folder(folder)
    if len(pieces) != number:
        raise UsageError(
            f"{folder} holds {len(pieces)} pieces: expected {number}; remove it, or give --number"
        )
    return pieces


def report(found: Fit) -> str:
    """Return the figures of a fit, and its largest weights."""
    (bach, others), held_out = found.sizes, found.held_out
    largest = sorted(found.weights.items(), key=lambda item: -abs(item[1]))[:_SHOWN]
    lines = [
        f"{bach} crops of Bach, {others} of the model, {len(found.weights):,} features",
        f"held out: area {held_out.area:.3f}, log loss {held_out.log_loss:.4f}",
        f"penalty {held_out.penalty:g}, log-odds scaled by {held_out.slope:.2f}",
        *(f"{weight:+.2f}  {name}" for name, weight in largest),
    ]
    return "\n".join(lines)


def main(words: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    args = _parser().parse_args(words)
    devices.use_threads(1)
    try:
        model = catalogue.find(args.name)
        others = plain_pieces(model, args.pieces, args.number)
        found = fit([*material.bach("train"), *material.bach("valid")], others)
        print(report(found))
        if args.store:
            weights = {name: args.strength * weight for name, weight in found.weights.items()}
            stored = Discriminator(weights, checkpoint.weights_sha256(model))
            write_text(model / DISCRIMINATOR, stored.to_json())
    except MusicrelError as reason:
        print(reason, file=sys.stderr)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        description=__doc__,
        prog="training.guidance",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("name", help="a causal model")
    made.add_argument("--pieces", type=Path, required=True, metavar="FOLDER")
    made.add_argument("--number", type=int, default=300)
    made.add_argument("--strength", type=float, default=1.7)
    made.add_argument("--store", action="store_true")
    return made


if __name__ == "__main__":
    sys.exit(main())
