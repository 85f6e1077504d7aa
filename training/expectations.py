"""What the models know: how likely they find parallels in real pieces, and what a key is worth.

    python -m training.expectations [--models NAME ...] [--split valid] [--pieces 25]

A model reads real pieces, told everything. Summed over all cells, the probability of every note
that would make parallel fifths, octaves or unisons with the voices already there is the number of
parallels it expects; Bach's own are counted beside it, per 1,000 notes. Then the loss, told the
grid, the length and the right key, the key a tone higher, or none.

This file knows what is asked; rules and losses are those of ``musicrel``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt

import musicrel
from musicrel.chorale import Chorale, Key
from musicrel.corpus import bundled
from musicrel.corpus.splits import SPLITS
from musicrel.errors import MusicrelError
from musicrel.generation.constraints.cell_constraints import Constraints
from musicrel.generation.sampling import log_probabilities

_GRID: Final = ("voice", "beat", "bar", "ending")


def log_p(
    model: musicrel.LoadedModel, piece: Chorale, told: tuple[str, ...]
) -> npt.NDArray[np.float64]:
    """The distribution of every cell of ``piece``: log p, (4 T, V)."""
    ids = model.encode(piece)
    rows = model.condition_rows(piece, told)[: len(ids) - 1]
    return log_probabilities(model.logits(ids[:-1], rows).astype(np.float64))[:-1]


def parallels(model: musicrel.LoadedModel, pieces: Sequence[Chorale]) -> tuple[float, float]:
    """Parallels per 1,000 notes: those that the model expects, and those that are there."""
    expected, real, notes = 0.0, 0, 0
    for piece in pieces:
        ids = model.encode(piece)
        shares = np.exp(log_p(model, piece, model.conditions))
        free = Constraints(model.vocabulary, piece, rules=("range",))
        strict = Constraints(model.vocabulary, piece, rules=("range", "parallels"))
        for place in range(1, len(ids) - 1):
            before = ids[None, :place]
            parallel = free.allowed(before)[0] & ~strict.allowed(before)[0]
            expected += float(shares[place - 1, parallel].sum())
            real += int(parallel[ids[place]])
        notes += int(piece.onsets.sum())
    return 1000 * expected / notes, 1000 * real / notes


def loss(model: musicrel.LoadedModel, pieces: Sequence[Chorale], tones: int | None) -> float:
    """Mean nats/note when the key told is ``tones`` semitones too high; None: no key is told."""
    nats: list[npt.NDArray[np.float64]] = []
    for piece in pieces:
        told: tuple[str, ...] = _GRID
        named = piece
        if tones is not None and piece.key is not None:
            key = Key.of((piece.key.pitch_class + tones) % 12, piece.key.mode)
            told, named = (*_GRID, "key"), replace(piece, key=key)
        ids = model.encode(piece)[1:-1]
        nats.append(-log_p(model, named, told)[np.arange(len(ids)), ids])
    return float(np.concatenate(nats).mean())


def main() -> int:
    """Print the figures; the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--models", nargs="+", default=["vanilla", "relative"])
    parser.add_argument("--split", choices=SPLITS, default="valid")
    parser.add_argument("--pieces", type=int, default=25)
    asked = parser.parse_args()
    try:
        pieces = bundled.load(asked.split)[: asked.pieces]
        for name in asked.models:
            model = musicrel.load_model(name)
            expected, real = parallels(model, pieces)
            told = [f"{loss(model, pieces, tones):.3f}" for tones in (0, 2, None)]
            print(
                f"{name}: expects {expected:.1f} parallels per 1,000 notes where there are "
                f"{real:.1f}; nats/note with the right key, a wrong one, none: {', '.join(told)}",
                flush=True,
            )
    except MusicrelError as reason:
        print(reason, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
