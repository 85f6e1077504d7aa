"""Expected parallels of the models on real pieces, and the value of the key condition.

    python -m training.expectations [--models NAME ...] [--split valid] [--pieces 25]

A model reads real pieces under all conditions. Summed over all cells, the probability of every note
that would make parallel fifths, octaves or unisons with the voices already there is its expected
number of parallels; Bach's own are counted beside it, per 1,000 notes. Then the loss given the
grid, the length and the right key, the key a tone higher, or none.
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
from musicrel.generation.sampling import log_softmax

_GRID: Final = ("voice", "beat", "bar", "ending")


def log_p(
    model: musicrel.LoadedModel, piece: Chorale, given: tuple[str, ...]
) -> npt.NDArray[np.float64]:
    """Return the distribution of every cell of ``piece``: log p, (4 T, V)."""
    ids = model.encode(piece)
    rows = model.condition_rows(piece, given)[: len(ids) - 1]
    return log_softmax(model.logits(ids[:-1], rows).astype(np.float64))[:-1]


def parallels(model: musicrel.LoadedModel, pieces: Sequence[Chorale]) -> tuple[float, float]:
    """Return parallels per 1,000 notes: the model's expected ones, and the actual ones."""
    expected, real, notes = 0.0, 0, 0
    for piece in pieces:
        ids = model.encode(piece)
        shares = np.exp(log_p(model, piece, model.conditions))
        free = Constraints(model.vocabulary, piece, rules=("range",))
        strict = Constraints(model.vocabulary, piece, rules=("range", "parallels"))
        for place in range(1, len(ids) - 1):
            before = ids[None, :place]
            parallel = free.legal_next_tokens(before)[0] & ~strict.legal_next_tokens(before)[0]
            expected += float(shares[place - 1, parallel].sum())
            real += int(parallel[ids[place]])
        notes += int(piece.onsets.sum())
    return 1000 * expected / notes, 1000 * real / notes


def loss(model: musicrel.LoadedModel, pieces: Sequence[Chorale], tones: int | None) -> float:
    """Return the mean nats/note with the key ``tones`` semitones too high; None: without a key."""
    nats: list[npt.NDArray[np.float64]] = []
    for piece in pieces:
        given: tuple[str, ...] = _GRID
        named = piece
        if tones is not None and piece.key is not None:
            key = Key.of((piece.key.pitch_class + tones) % 12, piece.key.mode)
            given, named = (*_GRID, "key"), replace(piece, key=key)
        ids = model.encode(piece)[1:-1]
        nats.append(-log_p(model, named, given)[np.arange(len(ids)), ids])
    return float(np.concatenate(nats).mean())


def main() -> int:
    """Print the figures and return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--models", nargs="+", default=["vanilla", "relative"])
    parser.add_argument("--split", choices=SPLITS, default="valid")
    parser.add_argument("--pieces", type=int, default=25)
    args = parser.parse_args()
    try:
        pieces = bundled.load(args.split)[: args.pieces]
        for name in args.models:
            model = musicrel.load_model(name)
            expected, real = parallels(model, pieces)
            given = [f"{loss(model, pieces, tones):.3f}" for tones in (0, 2, None)]
            print(
                f"{name}: expects {expected:.1f} parallels per 1,000 notes where there are "
                f"{real:.1f}; nats/note with the right key, a wrong one, none: {', '.join(given)}",
                flush=True,
            )
    except MusicrelError as reason:
        print(reason, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
