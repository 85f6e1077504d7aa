"""Losses of several models together, or of one that reads a piece in several keys, on JSB16.

    python -m training.averages MODEL ... [--keys 5] [--split valid]

What each member gives to the note that is there is averaged, as probabilities; the mean of its
-log is the figure. A member is a model and a transposition: ``--keys`` of them, the nearest first,
as far as all voices keep their range. Told voice and beat only, whole pieces. These are
figures of many readings and stand in rows of their own beside those of one model.

This file knows how losses are averaged; reading is ``musicrel``'s.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

import musicrel
from musicrel import paths
from musicrel.chorale import Chorale
from musicrel.corpus import jsb
from musicrel.corpus.splits import SPLITS
from musicrel.errors import MusicrelError
from musicrel.generation.sampling import log_probabilities
from musicrel.tokens.conditions import FROM_PLACE_ALONE

_PUBLISHED: Final = paths.shared_data() / "jsb" / jsb.FILE_NAME


def log_p(model: musicrel.LoadedModel, piece: Chorale) -> npt.NDArray[np.float64]:
    """What the model gives to each note of ``piece``, and to its end: log p, (4 T + 1,)."""
    ids = model.encode(piece)
    rows = model.condition_rows(piece, FROM_PLACE_ALONE)[: len(ids) - 1]
    said = log_probabilities(model.logits(ids[:-1], rows).astype(np.float64))
    return said[np.arange(len(ids) - 1), ids[1:]]


def together(
    models: Sequence[musicrel.LoadedModel], piece: Chorale, keys: int
) -> npt.NDArray[np.float64]:
    """What all members give to each note on average, as ``log_p``."""
    shifts = sorted(piece.shifts(), key=abs)[:keys]
    each = [log_p(model, piece.transposed(shift)) for model in models for shift in shifts]
    mean: npt.NDArray[np.float64] = np.logaddexp.reduce(each, axis=0) - np.log(len(each))
    return mean


def loss(models: Sequence[musicrel.LoadedModel], pieces: Sequence[Chorale], keys: int) -> float:
    """Mean nats/note of all members together; the ends of pieces are no notes."""
    return -float(np.concatenate([together(models, piece, keys)[:-1] for piece in pieces]).mean())


def main() -> int:
    """Print the figure; the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("models", nargs="+")
    parser.add_argument("--keys", type=int, default=1)
    parser.add_argument("--split", choices=SPLITS, default="valid")
    asked = parser.parse_args()
    try:
        models = [musicrel.load_model(name) for name in asked.models]
        pieces = jsb.read(_PUBLISHED)[asked.split]
        figure = loss(models, pieces, asked.keys)
    except MusicrelError as reason:
        print(reason, file=sys.stderr)
        return 1
    print(f"{asked.split}, {' + '.join(asked.models)}, keys: {asked.keys}: {figure:.4f} nats/note")
    return 0


if __name__ == "__main__":
    sys.exit(main())
