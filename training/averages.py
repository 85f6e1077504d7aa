"""Losses of model ensembles, or of one model over several keys, on JSB16.

    python -m training.averages MODEL ... [--keys 5] [--split valid]

The members' probabilities of each actual note are averaged; the figure is the mean of the -log. A
member is a model and a transposition: ``--keys`` of them, the nearest first, within the range of
all voices. Conditions: voice and beat only; whole pieces. These are figures of many readings and
have rows of their own beside those of one model.
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
from musicrel.generation.sampling import log_softmax
from musicrel.tokens.conditions import POSITIONAL

_PUBLISHED: Final = paths.shared_data() / "jsb" / jsb.FILE_NAME


def log_p(model: musicrel.LoadedModel, piece: Chorale) -> npt.NDArray[np.float64]:
    """Return the model's log p of each note of ``piece``, and of its end: (4 T + 1,)."""
    ids = model.encode(piece)
    rows = model.condition_rows(piece, POSITIONAL)[: len(ids) - 1]
    rows_log_p = log_softmax(model.logits(ids[:-1], rows).astype(np.float64))
    return rows_log_p[np.arange(len(ids) - 1), ids[1:]]


def ensemble_log_p(
    models: Sequence[musicrel.LoadedModel], piece: Chorale, keys: int
) -> npt.NDArray[np.float64]:
    """Return the log of the members' mean probability of each note, as ``log_p``."""
    shifts = sorted(piece.shifts(), key=abs)[:keys]
    each = [log_p(model, piece.transposed(shift)) for model in models for shift in shifts]
    mean: npt.NDArray[np.float64] = np.logaddexp.reduce(each, axis=0) - np.log(len(each))
    return mean


def loss(models: Sequence[musicrel.LoadedModel], pieces: Sequence[Chorale], keys: int) -> float:
    """Return the mean nats/note of the ensemble, without the ends of pieces."""
    return -float(
        np.concatenate([ensemble_log_p(models, piece, keys)[:-1] for piece in pieces]).mean()
    )


def main() -> int:
    """Print the figure and return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("models", nargs="+")
    parser.add_argument("--keys", type=int, default=1)
    parser.add_argument("--split", choices=SPLITS, default="valid")
    args = parser.parse_args()
    try:
        models = [musicrel.load_model(name) for name in args.models]
        pieces = jsb.read(_PUBLISHED)[args.split]
        figure = loss(models, pieces, args.keys)
    except MusicrelError as reason:
        print(reason, file=sys.stderr)
        return 1
    print(f"{args.split}, {' + '.join(args.models)}, keys: {args.keys}: {figure:.4f} nats/note")
    return 0


if __name__ == "__main__":
    sys.exit(main())
