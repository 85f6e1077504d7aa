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

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

import musicrel
from musicrel import jobs, paths
from musicrel.chorale import Chorale
from musicrel.corpus import jsb
from musicrel.corpus.splits import SPLITS
from musicrel.errors import MusicrelError
from musicrel.experiment.objectives.evaluation import evaluate
from musicrel.experiment.study import statistics
from musicrel.generation.sampling import log_softmax
from musicrel.tokens.conditions import POSITIONAL

_PUBLISHED: Final = paths.shared_data() / "jsb" / jsb.FILE_NAME
_RESULTS: Final = Path(__file__).parent / "results"
_MIN_WINDOW: Final = 4
"""Tokens of a step, the shortest window."""
_POSITIONS: Final = {False: "", True: ", positions from 0"}
"""Whether positions start again in each window, in words."""

_LEVEL: Final = 0.95
_HEAD: Final = ("reading", "nats/note", "95 % interval")
_INTRODUCTION: Final = (
    "Losses on JSB16, conditioned on voice and beat; readings of several keys or models are mean "
    "probabilities. Intervals by bootstrap over pieces."
)

Array: TypeAlias = npt.NDArray[np.float64]
Readings: TypeAlias = list[Array]
"""For each piece log p of its N notes in each of its readings, (readings, N)."""


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """The loss of a way of reading.

    Attributes:
        what: what was read.
        nats: summed loss of each piece, (P,).
        notes: its number of notes, (P,).
    """

    what: str
    nats: Array
    notes: Array

    @property
    def loss(self) -> float:
        """Return nats/note over all notes."""
        return float(self.nats.sum() / self.notes.sum())

    def interval(self) -> tuple[float, float]:
        """Return the 95 % interval of the loss by bootstrap over pieces, seed 0."""
        rng = np.random.default_rng(0)
        losses = statistics.replicates(self.nats[None], self.notes, rng)
        low, high = np.quantile(losses, [(1 - _LEVEL) / 2, (1 + _LEVEL) / 2])
        return float(low), float(high)


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


def row(what: str, of_pieces: Readings) -> Row:
    """Return the row of the readings' mean probability."""
    means = [np.logaddexp.reduce(each, axis=0) - np.log(len(each)) for each in of_pieces]
    nats = np.array([-mean_N.sum() for mean_N in means])
    return Row(what, nats, np.array([float(len(mean_N)) for mean_N in means]))


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
    """Join the first ``keys`` readings of each model, piece by piece."""
    return [np.concatenate([each[:keys] for each in same]) for same in zip(*every, strict=True)]


def store(split: str, command: str, found: Sequence[Row], folder: Path) -> None:
    """Add rows to the stored ones; those of the same reading and split are replaced.

    Args:
        split: the split.
        command: the command that measured them.
        found: the rows.
        folder: where the two files are.

    Raises:
        FileError: they cannot be written.
    """
    file = folder / "averages.json"
    stored: dict[str, dict[str, Any]] = json.loads(file.read_text("utf-8")) if file.exists() else {}
    entries = stored.setdefault(split, {})
    for each in found:
        low, high = each.interval()
        figures = {"nats": each.loss, "low": low, "high": high, "pieces": len(each.nats)}
        entries[each.what] = {"command": command, **figures}
    paths.write_text(file, json.dumps(stored, indent=1) + "\n")
    paths.write_text(folder / "averages.md", markdown(stored))


def markdown(stored: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> str:
    """Return all stored rows as Markdown, a section for each split."""
    parts = ["# Losses of several readings", _INTRODUCTION]
    for split, entries in stored.items():
        commands = dict.fromkeys(entry["command"] for entry in entries.values())
        lines = [
            _line(what, entry["nats"], (entry["low"], entry["high"]))
            for what, entry in entries.items()
        ]
        parts += [f"## {split}", "\n".join(f"    {command}" for command in commands)]
        parts.append("\n".join([*_table_head(), *lines]))
    return "\n\n".join(parts) + "\n"


def _table_head() -> tuple[str, str]:
    return f"| {' | '.join(_HEAD)} |", "|---|---:|---|"


def _line(what: str, loss: float, interval: tuple[float, float]) -> str:
    low, high = interval
    return f"| {what} | {loss:.4f} | {low:.4f} to {high:.4f} |"


def _at_least(lowest: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if int(text) < lowest:
            raise argparse.ArgumentTypeError(f"{text} is below {lowest}")
        return int(text)

    return number


def _command(args: argparse.Namespace) -> str:
    """Return the command that measures these rows."""
    window = f" --window {args.window}" if args.window else ""
    options = f"--keys {args.keys}{window} --split {args.split}"
    return f"python -m training.averages {' '.join(args.models)} {options}"


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
    parser.add_argument("--store", action="store_true")
    args = parser.parse_args(arguments)
    print(*_table_head(), sep="\n")
    try:
        pieces, found = jsb.read(_PUBLISHED)[args.split], []
        for each in rows(args.models, pieces, args.keys, args.window):
            found.append(each)
            print(_line(each.what, each.loss, each.interval()), flush=True)
        if args.store:
            store(args.split, _command(args), found, _RESULTS)
    except MusicrelError as reason:
        print(reason, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
