"""Data sets, the positions that models need for them, and the order of training batches.

The batch of a step depends on the seed and the step alone: a resumed run needs no stored data
state, and two arms of a study with one seed train on the same sequences in the same order.

Dimensions: B batch, T tokens, C conditions.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from musicrel import jobs, paths, untrusted
from musicrel.analysis.corpus import bundled, jsb
from musicrel.analysis.corpus.splits import Split
from musicrel.chorale import Chorale
from musicrel.errors import DataError, UsageError
from musicrel.experiment.data import bytes_data, critic_data, folder_dataset
from musicrel.experiment.data.bytes_data import Labelled
from musicrel.experiment.recipe.recipe import BYTES, CRITIC, DataPart, Recipe
from musicrel.model.positions.table import SCHEMES
from musicrel.model.tokens import codec, conditions
from musicrel.model.tokens.codec import VOICES
from musicrel.model.tokens.vocabulary import PAD, START, vocabulary

Ids: TypeAlias = npt.NDArray[np.int64]
FOLDER: Final = "folder:"
Cut: TypeAlias = tuple[codec.Ids, conditions.Rows, int]
"""A sequence: ids (T + 1,), condition rows (T + 1, C) and the position of its first token in its
piece."""


@dataclass(frozen=True, slots=True)
class DataSet:
    name: str  # as the user gave it
    sha256: str
    pieces: Mapping[Split, Sequence[Chorale]]
    report: str = ""  # report of the files read and refused; "" where all were read
    sequences: Mapping[Split, Sequence[Labelled]] = field(default_factory=dict)
    # for a critic, pieces that are not by Bach, titled by their kind
    others: Mapping[Split, Sequence[Chorale]] = field(default_factory=dict)

    @property
    def sizes(self) -> dict[Split, int]:
        parts: Mapping[Split, Sequence[object]] = self.sequences or self.pieces
        return {split: len(part) for split, part in parts.items()}

    def require(self, split: Split, advice: str) -> None:
        if split not in self.sizes:
            raise UsageError(f"split is {split!r}: expected one of {', '.join(self.sizes)}")
        if not self.sizes[split]:
            sizes = ", ".join(f"{name} {size}" for name, size in self.sizes.items())
            read = self.report.partition("\n")[0] or sizes
            raise DataError(f"the {split} split of {self.name!r} is empty ({read}): {advice}")


def load(source: str) -> DataSet:
    if source == "chorales":
        return DataSet(source, bundled.source_sha256(), bundled.load_all())
    if source.startswith("jsb:"):
        path = _resolve(source.removeprefix("jsb:"))
        content = untrusted.read(path, "jsb")
        return DataSet("jsb", hashlib.sha256(content).hexdigest(), jsb.read(path))
    if source.startswith(FOLDER):
        return _load_folder(source, Path(source.removeprefix(FOLDER)).expanduser())
    if source.startswith(BYTES):
        kind = source.removeprefix(BYTES)
        found = bytes_data.splits(kind)
        return DataSet(source, bytes_data.sha256(kind), {}, sequences=found)
    if source.startswith(CRITIC):
        sha256, others = critic_data.read(Path(source.removeprefix(CRITIC)).expanduser())
        return DataSet(source, sha256, bundled.load_all(), others=others)
    raise UsageError(
        f"unknown data {source!r}: expected 'chorales', 'jsb:FILE' or 'folder:PATH', for a "
        "classifier 'bytes:KIND', for a critic 'critic:FILE'"
    )


def _load_folder(source: str, folder: Path) -> DataSet:
    if not source.partition(":")[2].strip():
        raise UsageError("folder: names no folder: expected folder:PATH, the folder of your pieces")
    found = jobs.run(folder_dataset.read(folder))
    return DataSet(source, found.sha256, found.pieces, found.report())


def check_splits(loaded: DataSet) -> None:
    advice = "at least one piece is needed"
    if loaded.name.startswith(FOLDER):
        advice += "; its notes decide where a piece goes, one in ten to valid and one to test"
    for split in loaded.sizes:
        loaded.require(split, advice)


def _resolve(file: str) -> Path:
    """Return the path of a file: as given, or in the shared folder of benchmark data."""
    path = Path(file).expanduser()
    shared = paths.shared_data() / "jsb" / file
    return shared if not path.exists() and shared.exists() else path


@dataclass(frozen=True, slots=True)
class Batch:
    """The sequences of one step, padded on the right."""

    ids_BT: Tensor  # input tokens, int64
    targets_BT: Tensor  # tokens to predict, int64; PAD where there is no target
    conditions_BTC: Tensor  # condition rows, int64
    starts_B: Tensor  # position of each sequence in its piece, int64

    @property
    def tokens(self) -> int:
        return int((self.targets_BT != PAD).sum())

    @property
    def mask(self) -> Tensor:
        """Return the padding mask, bool (B, 1, 1, T), True at real tokens."""
        return (self.ids_BT != PAD)[:, None, None]

    def parts(self, number: int) -> Iterator[Batch]:
        """Split the batch into ``number`` micro-batches of about one size.

        There are fewer if the batch has fewer sequences.
        """
        rows = -(-len(self.ids_BT) // number)
        pieces = [getattr(self, name).split(rows) for name in self.__slots__]
        for part in zip(*pieces, strict=True):
            yield Batch(*part)

    def to(self, device: torch.device) -> Batch:
        return Batch(*(getattr(self, name).to(device) for name in self.__slots__))


@dataclass(frozen=True, slots=True)
class _Draw:
    """A cut of a piece: its tokens ``start`` to ``stop``, ``shift`` semitones higher."""

    piece: int
    shift: int
    start: int
    stop: int
    given: tuple[str, ...]


class Batches:
    def __init__(self, pieces: Sequence[Chorale], data: DataPart, batch: int, seed: int) -> None:
        if not pieces:
            raise DataError("the training split is empty: at least one piece is needed")
        self._pieces = pieces
        self._data = data
        self._batch = batch
        self._seed = seed
        self._vocabulary = vocabulary(data.vocabulary)
        targets = [piece.steps * codec.VOICES + 1 for piece in pieces]
        windows = [-(-number // data.window) for number in targets]
        self._piece_of_window = np.repeat(np.arange(len(pieces)), windows)  # in an epoch
        self._first_target = np.cumsum([0, *targets]).tolist()
        self._encoded: dict[tuple[int, int], tuple[Chorale, codec.Ids]] = {}

    def at(self, step: int) -> Batch:
        window = window_at(self._data, step)
        return collate([self._sequence(sample, window) for sample in self.order(step)])

    def order(self, step: int) -> list[int]:
        buckets = self._data.buckets
        return samples_at(step, self._batch, buckets, self._seed, self._length)

    def places(self, step: int) -> tuple[codec.Ids, codec.Ids]:
        """Return where the targets of the batch of ``step`` come from; pieces are not read."""
        window = window_at(self._data, step)
        of_sample = [self._places(sample, window) for sample in self.order(step)]
        length = max(places.shape[1] for places in of_sample)
        rows_BT, shifts_BT = np.stack(
            [np.pad(places, ((0, 0), (0, length - places.shape[1]))) for places in of_sample], 1
        )
        return rows_BT, shifts_BT

    def _places(self, sample: int, window: int) -> npt.NDArray[np.int64]:
        of_draw = []
        for draw in self._draws(sample, window):
            rows = self._first_target[draw.piece] - 1 + np.arange(draw.start, draw.stop)
            of_draw.append(np.stack([rows, np.full_like(rows, draw.shift)]))
        return np.concatenate(of_draw, 1)[:, 1:]

    def _length(self, sample: int) -> int:
        """Return the number of tokens of a sample's piece that fit into a window."""
        tokens = self._pieces[self._piece(sample)].steps * codec.VOICES + 1
        return min(tokens, self._data.window)

    def _sequence(self, sample: int, window: int) -> Cut:
        draws = self._draws(sample, window)
        cuts = [self._cut(draw) for draw in draws]
        ids, rows = (np.concatenate(parts) for parts in zip(*cuts, strict=True))
        return ids, rows, draws[0].start

    def _draws(self, sample: int, window: int) -> list[_Draw]:
        """Draw a cut of a piece and, with ``concatenate``, openings of others to fill a window."""
        draws, rng = [self._draw(sample, window)], np.random.default_rng([self._seed, 3, sample])
        tokens = draws[0].stop - draws[0].start
        while self._data.concatenate and tokens <= window:
            piece = int(rng.integers(len(self._pieces)))
            stop = min(window - tokens + 1, self._tokens(piece))
            shift = self._shift(piece, rng)
            draws.append(_Draw(piece, shift, 0, stop, self._draw_conditions(rng)))
            tokens += stop
        return draws

    def _piece(self, sample: int) -> int:
        epoch, place = divmod(sample, len(self._piece_of_window))
        order = np.random.default_rng([self._seed, 0, epoch]).permutation(
            len(self._piece_of_window)
        )
        return int(self._piece_of_window[order[place]])

    def _shift(self, piece: int, rng: np.random.Generator) -> int:
        shifts = self._pieces[piece].shifts() if self._data.transpose else range(1)
        return int(rng.integers(shifts.start, shifts.stop))

    def _draw(self, sample: int, window: int) -> _Draw:
        piece = self._piece(sample)
        rng = np.random.default_rng([self._seed, 1, sample])
        shift, start = self._shift(piece, rng), _start(self._pieces[piece], window, rng)
        stop = min(start + window + 1, self._tokens(piece))
        return _Draw(piece, shift, start, stop, self._draw_conditions(rng))

    def _tokens(self, piece: int) -> int:
        return self._pieces[piece].steps * codec.VOICES + 2

    def _draw_conditions(self, rng: np.random.Generator) -> tuple[str, ...]:
        data = self._data
        kept = tuple(
            name
            for name in data.conditions
            if name == "voice" or rng.random() >= data.condition_dropout
        )
        if rng.random() >= data.hint_dropout:
            return kept
        return tuple(name for name in kept if name not in conditions.HINTS)

    def _cut(self, draw: _Draw) -> tuple[codec.Ids, conditions.Rows]:
        ids, given = self._whole(draw)
        return ids[draw.start : draw.stop], given[draw.start : draw.stop]

    def _whole(self, draw: _Draw) -> tuple[codec.Ids, conditions.Rows]:
        key = (draw.piece, draw.shift)
        if key not in self._encoded:
            moved = self._pieces[draw.piece].transposed(draw.shift)
            self._encoded[key] = (moved, codec.encode(moved, self._vocabulary))
        chorale, ids = self._encoded[key]
        return ids, conditions.rows(chorale, self._data.conditions, draw.given)


def _start(piece: Chorale, window: int, rng: np.random.Generator) -> int:
    """Draw the start of a sequence, on a time step.

    START and END occur half as often as tokens in the middle. Rounding up to the next step keeps
    END in the last cut, which may be up to three tokens shorter.
    """
    tokens = piece.steps * codec.VOICES + 1
    place = int(rng.integers(-(window // 2), tokens - window // 2))
    place = min(max(place, 0), max(tokens - window, 0))
    return -(-place // codec.VOICES) * codec.VOICES


def collate(cuts: Sequence[Cut]) -> Batch:
    ids, rows, starts = zip(*cuts, strict=True)
    ids_BT, rows_BTC = stacked(ids), stacked(rows)
    return Batch(
        ids_BT=ids_BT[:, :-1].contiguous(),
        targets_BT=ids_BT[:, 1:].masked_fill(ids_BT[:, 1:] == START, PAD),
        conditions_BTC=rows_BTC[:, :-1].contiguous(),
        starts_B=torch.tensor(starts),
    )


def as_batch(
    ids: Sequence[Ids] | Ids,
    targets: Sequence[Ids] | Ids,
    rows: Sequence[conditions.Rows] = (),
    starts: Sequence[int] = (),
) -> Batch:
    """Build a batch of sequences and their targets; without rows it has no conditions."""
    ids_BT = stacked(ids)
    return Batch(
        ids_BT=ids_BT,
        targets_BT=stacked(targets),
        conditions_BTC=stacked(rows) if rows else ids_BT.new_empty((*ids_BT.shape, 0)),
        starts_B=torch.tensor(starts or [0] * len(ids)),
    )


def stacked(rows: Sequence[npt.NDArray[np.int64]] | npt.NDArray[np.int64]) -> Tensor:
    """Return ``rows`` padded to one length with PAD (equal to the unknown condition)."""
    length = max(map(len, rows))
    more = [(0, 0)] * (rows[0].ndim - 1)
    return torch.from_numpy(
        np.stack(
            [np.pad(row, [(0, length - len(row)), *more], constant_values=PAD) for row in rows]
        )
    )


_STREAM: Final = 2
"""Random stream of batches, distinct from those of epochs (0) and samples (1)."""
_GRID: Final = 4


def samples_at(
    step: int, batch: int, buckets: int, seed: int, length_of: Callable[[int], int]
) -> list[int]:
    """Return the samples of the batch of ``step``.

    With buckets, the samples of that many batches are sorted by length, cut into batches and
    shuffled batch by batch; each sample still occurs once.
    """
    group, place = divmod(step, buckets)
    first = group * buckets * batch
    if buckets == 1:
        return list(range(first, first + batch))
    by_length = sorted(range(first, first + buckets * batch), key=length_of)
    order = np.random.default_rng([seed, _STREAM, group]).permutation(buckets)
    begin = int(order[place]) * batch
    return by_length[begin : begin + batch]


def window_at(data: DataPart, step: int) -> int:
    if step >= data.curriculum_steps:
        return data.window
    grown = (data.window - data.first_window) * step // data.curriculum_steps
    return data.first_window + grown // _GRID * _GRID


_TABLE_LENGTH: Final = "max_length"
_EXTRA_TOKENS: Final[Mapping[str, int]] = {
    "causal": 1,
    "encoder_decoder": 1,
    "masked": 2,
    "infill": 0,
    "critic": 0,
}
"""Tokens besides the notes that each family reads of a piece."""
_OF_STEPS: Final = ("infill", "critic")
"""Families with one position per time step. The encoder of ``encoder_decoder`` has such positions
too, but needs only a quarter of the rows."""
_MEASURED: Final[tuple[Split, ...]] = ("valid", "test")


def max_tokens(recipe: Recipe) -> int | None:
    """Return the number of tokens a recipe's model has positions for; None: unlimited."""
    scheme, family = SCHEMES.get(recipe.model.scheme), recipe.model.family
    if scheme is None or scheme.extrapolation != "refuses" or family not in _EXTRA_TOKENS:
        return None
    rows = int(recipe.model.options.get(_TABLE_LENGTH, scheme.options[_TABLE_LENGTH]))
    return rows * VOICES if family in _OF_STEPS else rows


def check_window(recipe: Recipe) -> None:
    _check_length(recipe, recipe.data.window, "windows have", "or a window that is no longer")


def check_positions(recipe: Recipe, data: DataSet) -> None:
    """Check that the positional scheme of a model covers the lengths it will read.

    Only schemes with a table of positions are limited. Checking before training avoids a run that
    fails at its first evaluation.
    """
    check_window(recipe)
    if recipe.data.measured == "whole":
        steps = [piece.steps for split in _MEASURED for piece in data.pieces.get(split, ())]
        longest = max(steps, default=0) * VOICES + _EXTRA_TOKENS.get(recipe.model.family, 0)
        remedy = 'or measured = "window" in [data]' if recipe.model.family == "causal" else ""
        _check_length(recipe, longest, "the longest piece that is measured has", remedy)


def _check_length(recipe: Recipe, length: int, what: str, remedy: str) -> None:
    reached = max_tokens(recipe)
    if reached is not None and length > reached:
        rows = -(-length // VOICES) if recipe.model.family in _OF_STEPS else length
        raise UsageError(
            f"scheme {recipe.model.scheme!r} has positions for {reached:,} tokens, but {what} "
            f"{length:,}: expected its option {_TABLE_LENGTH} to be {rows} or more"
            f"{', ' if remedy else ''}{remedy}"
        )
