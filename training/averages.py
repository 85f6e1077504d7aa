"""Losses on JSB16 of one reading, of several keys, and of several models.

    python -m training.averages MODEL ... [--keys 5] [--window 512] [--split valid]

The probabilities that all readings give to each actual note are averaged; the figure is the mean of
the -log. A reading is a model and a transposition: ``--keys`` of them, the nearest first, within
the range of all voices. Conditions: voice and beat only; whole pieces, with ``--window`` also
windows that slide by half, with positions counted from the beginning of the piece, as in training,
and from 0 in each window. Figures of many readings have rows of their own beside those of
one. Models are loaded one at a time; log-probabilities of notes alone are kept.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

import musicrel
from musicrel import jobs, paths
from musicrel.chorale import Chorale
from musicrel.corpus import jsb
from musicrel.corpus.splits import SPLITS
from musicrel.errors import MusicrelError
from musicrel.experiment.objectives.evaluation import evaluate
from musicrel.generation.sampling import log_softmax
from musicrel.tokens.conditions import POSITIONAL

_PUBLISHED: Final = paths.shared_data() / "jsb" / jsb.FILE_NAME
_MIN_WINDOW: Final = 4
"""Tokens of a step, the shortest window."""
_POSITIONS: Final = {False: "", True: ", positions from 0"}
"""Whether positions start again in each window, in words."""

Readings: TypeAlias = list[npt.NDArray[np.float64]]
"""For each piece log p of its N notes in each of its readings, (readings, N)."""

Row: TypeAlias = tuple[str, float]
"""What was read, and nats/note."""


def log_p(model: musicrel.LoadedModel, piece: Chorale) -> npt.NDArray[np.float64]:
    """Return the model's log p of each note of ``piece``, and of its end: (4 T + 1,)."""
    ids = model.encode(piece)
    rows = model.condition_rows(piece, POSITIONAL)[: len(ids) - 1]
    rows_log_p = log_softmax(model.logits(ids[:-1], rows).astype(np.float64))
    return rows_log_p[np.arange(len(ids) - 1), ids[1:]]


def readings(model: musicrel.LoadedModel, pieces: Sequence[Chorale], keys: int) -> Readings:
    """Read each piece in its nearest ``keys`` keys, as written first; END is left out."""
    return [
        np.stack(
            [
                log_p(model, piece.transposed(shift))[:-1]
                for shift in sorted(piece.shifts(), key=abs)[:keys]
            ]
        )
        for piece in pieces
    ]


def loss(of_pieces: Readings) -> float:
    """Return the mean nats/note of the readings' mean probability."""
    means = [np.logaddexp.reduce(each, axis=0) - np.log(len(each)) for each in of_pieces]
    return -float(np.concatenate(means).mean())


def rows(
    names: Sequence[str], pieces: Sequence[Chorale], keys: int, window: int = 0
) -> Iterator[Row]:
    """Yield the rows of each model, then of all of them together.

    Args:
        names: names or folders of models.
        pieces: the split.
        keys: keys each piece is read in; 1: as written alone.
        window: tokens of a sliding window; 0: no such rows.
    """
    every: list[Readings] = []
    for name in names:
        model = musicrel.load_model(name)
        for restart, positions in _POSITIONS.items() if window else ():
            job = evaluate(model.network, pieces, model.vocabulary, window=window, restart=restart)
            yield f"{name}, windows of {window}{positions}", jobs.run(job).nats_per_note
        every.append(readings(model, pieces, keys))
        yield from _rows_of(name, every[-1:], keys)
    if len(names) > 1:
        yield from _rows_of(f"{len(names)} models", every, keys)


def _rows_of(what: str, every: Sequence[Readings], keys: int) -> Iterator[Row]:
    yield what, loss(_together(every, 1))
    if keys > 1:
        yield f"{what}, {keys} keys", loss(_together(every, keys))


def _together(every: Sequence[Readings], keys: int) -> Readings:
    """Join the first ``keys`` readings of each model, piece by piece."""
    return [np.concatenate([each[:keys] for each in same]) for same in zip(*every, strict=True)]


def _at_least(lowest: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if int(text) < lowest:
            raise argparse.ArgumentTypeError(f"{text} is below {lowest}")
        return int(text)

    return number


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table and return the exit code.

    Args:
        arguments: of the command line; None: those of the process.
    """
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("models", nargs="+")
    parser.add_argument("--keys", type=_at_least(1), default=1)
    parser.add_argument("--window", type=_at_least(_MIN_WINDOW), default=0)
    parser.add_argument("--split", choices=SPLITS, default="valid")
    args = parser.parse_args(arguments)
    print(f"| reading | {args.split}, nats/note |\n|---|---|")
    try:
        pieces = jsb.read(_PUBLISHED)[args.split]
        for what, figure in rows(args.models, pieces, args.keys, args.window):
            print(f"| {what} | {figure:.4f} |", flush=True)
    except MusicrelError as reason:
        print(reason, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
