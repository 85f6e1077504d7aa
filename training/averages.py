"""Losses on JSB16 of one reading, of several keys, and of several models.

    python -m training.averages MODEL ... [--keys 5] [--window 512] [--split valid] [--store]

The probabilities that all readings give to each actual note are averaged; the figure is the mean of
the -log. A reading is a model and a transposition: ``--keys`` of them, the nearest first, within
the range of all voices. Conditions: voice and beat only; whole pieces, with ``--window`` also
windows that slide by half, with positions counted from the beginning of the piece, as in training,
and from 0 in each window. Figures of many readings have rows of their own beside those of
one, each with a 95 % interval by bootstrap over pieces. ``--store`` adds the rows to
``training/results/averages.json`` and ``.md``; those of the same reading are replaced. Models are
loaded one at a time; log-probabilities of notes alone are kept.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

import musicrel
from musicrel import jobs, paths
from musicrel.analysis.corpus import jsb
from musicrel.analysis.corpus.splits import SPLITS
from musicrel.chorale import Chorale
from musicrel.experiment.objectives.evaluation import evaluate
from musicrel.experiment.study import statistics
from musicrel.generation.sampling import log_softmax
from musicrel.model.tokens.conditions import POSITIONAL
from training import reports

_PUBLISHED: Final = paths.shared_data() / "jsb" / jsb.FILE_NAME
_POSITIONS: Final = {False: "", True: ", positions from 0"}
"""Whether positions start again in each window, in words."""
_QUANTILES: Final = (0.025, 0.975)

Array: TypeAlias = npt.NDArray[np.float64]
Readings: TypeAlias = list[Array]
"""For each piece log p of its N notes in each of its readings, (readings, N)."""


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    what: str
    nats: Array  # summed loss of each piece, (P,)
    notes: Array  # its number of notes, (P,)

    @property
    def loss(self) -> float:
        return float(self.nats.sum() / self.notes.sum())

    def interval(self) -> tuple[float, float]:
        """Return the 95 % interval of the loss by bootstrap over pieces, seed 0."""
        rng = np.random.default_rng(0)
        losses = statistics.replicates(self.nats[None], self.notes, rng)
        low, high = np.quantile(losses, _QUANTILES)
        return float(low), float(high)

    def figures(self) -> dict[str, Any]:
        low, high = self.interval()
        return {"nats": self.loss, "low": low, "high": high, "pieces": len(self.nats)}


def log_p(model: musicrel.LoadedModel, piece: Chorale) -> npt.NDArray[np.float64]:
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


def row(what: str, of_pieces: Readings) -> Row:
    means = [np.logaddexp.reduce(each, axis=0) - np.log(len(each)) for each in of_pieces]
    nats = np.array([-mean_N.sum() for mean_N in means])
    return Row(what, nats, np.array([float(len(mean_N)) for mean_N in means]))


def rows(
    names: Sequence[str], pieces: Sequence[Chorale], keys: int, window: int = 0
) -> Iterator[Row]:
    every: list[Readings] = []
    for name in names:
        model = musicrel.load_model(name)
        for restart, positions in _POSITIONS.items() if window else ():
            job = evaluate(model.network, pieces, model.vocabulary, window=window, restart=restart)
            pairs = [(piece.nats, float(piece.notes)) for piece in jobs.run(job).pieces]
            yield Row(f"{name}, windows of {window}{positions}", *np.array(pairs).T)
        every.append(readings(model, pieces, keys))
        yield from _rows_of(name, every[-1:], keys)
    if len(names) > 1:
        yield from _rows_of(" and ".join(Path(name).name for name in names), every, keys)


def _rows_of(what: str, every: Sequence[Readings], keys: int) -> Iterator[Row]:
    yield row(what, _together(every, 1))
    if keys > 1:
        yield row(f"{what}, {keys} keys", _together(every, keys))


def _together(every: Sequence[Readings], keys: int) -> Readings:
    return [np.concatenate([each[:keys] for each in same]) for same in zip(*every, strict=True)]


def _table(_section: str, figures: Mapping[str, Any]) -> str:
    rows = [
        [what, f"{one['nats']:.4f}", f"{one['low']:.4f} to {one['high']:.4f}"]
        for what, one in figures.items()
    ]
    return reports.table(("reading", "nats/note", "95 % interval"), rows)


PAGE: Final = reports.Page(
    "averages",
    "Losses of several readings",
    "Losses on JSB16, conditioned on voice and beat; readings of several keys or models are mean "
    "probabilities. Intervals by bootstrap over pieces.",
    _table,
)


@reports.script
def main(words: Sequence[str]) -> None:
    parser = reports.parser("averages", __doc__)
    parser.add_argument("models", nargs="+")
    parser.add_argument("--keys", type=int, default=1)
    parser.add_argument("--window", type=int, default=0)
    parser.add_argument("--split", choices=SPLITS, default="valid")
    parser.add_argument("--store", action="store_true")
    args = parser.parse_args(words)
    found = {}
    for each in rows(args.models, jsb.read(_PUBLISHED)[args.split], args.keys, args.window):
        found[each.what] = each.figures()
        print(each.what, found[each.what], flush=True)
    print(_table(args.split, found))
    if args.store:
        PAGE.store(args.split, reports.command("averages", words), found)


if __name__ == "__main__":
    sys.exit(main())
