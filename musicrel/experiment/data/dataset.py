"""From pieces to batches, in an order that is arithmetic.

The batch of step n depends on the seed and n alone: nothing has to be stored to go on with a run,
and two arms with the same seed see the same notes in the same order.

Dimensions: B batch, T tokens, C conditions.

This file knows pieces and tokens; it knows nothing of models.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from musicrel import jobs, paths
from musicrel.chorale import Chorale
from musicrel.corpus import bundled, jsb
from musicrel.corpus.splits import Split
from musicrel.errors import DataError, UsageError
from musicrel.experiment.data import bytes_data, critic_data, folder_dataset, sample_order
from musicrel.experiment.data.bytes_data import Labelled
from musicrel.experiment.recipe.recipe_parts import BYTES, CRITIC, DataPart
from musicrel.tokens import codec, conditions
from musicrel.tokens.vocabulary import PAD, START, vocabulary

_LARGEST_FILE: Final = 64_000_000

Cut: TypeAlias = tuple[codec.Ids, conditions.Rows, int]
"""A sequence: its ids (T + 1,), its conditions (T + 1, C) and its place in its piece."""


@dataclass(frozen=True, slots=True)
class DataSet:
    """Pieces in three splits.

    Attributes:
        name: as the user named it.
        sha256: of the file the pieces come from.
        pieces: the pieces of each split; none where there are sequences.
        report: what was taken and what was refused and why; "" where everything is taken.
        sequences: for a classifier, labelled ones in the place of pieces.
        others: for a critic, pieces that are not by Bach, titled by their kind.
    """

    name: str
    sha256: str
    pieces: Mapping[Split, Sequence[Chorale]]
    report: str = ""
    sequences: Mapping[Split, Sequence[Labelled]] = field(default_factory=dict)
    others: Mapping[Split, Sequence[Chorale]] = field(default_factory=dict)

    @property
    def sizes(self) -> dict[Split, int]:
        """How many pieces or sequences each split has."""
        parts: Mapping[Split, Sequence[object]] = self.sequences or self.pieces
        return {split: len(part) for split, part in parts.items()}


def load(source: str) -> DataSet:
    """The data called ``source``: see ``DataPart``.

    Raises:
        UsageError: the name is unknown.
        FileError, DataError: the file is missing or damaged.
    """
    if source == "chorales":
        return DataSet(source, bundled.source_sha256(), bundled.load_all())
    if source.startswith("jsb:"):
        path = _found(source.removeprefix("jsb:"))
        content = paths.read_bytes(path, limit=_LARGEST_FILE)
        return DataSet("jsb", hashlib.sha256(content).hexdigest(), jsb.read(path))
    if source.startswith("folder:"):
        return _own(source, Path(source.removeprefix("folder:")).expanduser())
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


def _own(source: str, folder: Path) -> DataSet:
    if not source.partition(":")[2].strip():
        raise UsageError("folder: names no folder: expected folder:PATH, the folder of your pieces")
    found = jobs.run(folder_dataset.read(folder))
    return DataSet(source, found.sha256, found.pieces, found.report())


def check_splits(loaded: DataSet) -> None:
    """See that there is something to learn from, to choose by and to report on.

    Raises:
        DataError: a split has no pieces.
    """
    for split, size in loaded.sizes.items():
        if not size:
            raise DataError(
                f"the {split} split of {loaded.name!r} is empty: at least one piece is needed"
            )


def _found(file: str) -> Path:
    """The file of that name: as it stands, or among the benchmark data beside the project."""
    path = Path(file).expanduser()
    beside = paths.shared_data() / "jsb" / file
    return beside if not path.exists() and beside.exists() else path


@dataclass(frozen=True, slots=True)
class Batch:
    """One step's sequences, padded on the right.

    Attributes:
        ids_BT: int64, tokens read.
        targets_BT: int64, tokens to be predicted, PAD where there are none.
        conditions_BTC: int64 rows.
        starts_B: int64, place of each sequence in its piece.
    """

    ids_BT: Tensor
    targets_BT: Tensor
    conditions_BTC: Tensor
    starts_B: Tensor

    @property
    def tokens(self) -> int:
        """Real targets in the batch."""
        return int((self.targets_BT != PAD).sum())

    @property
    def mask(self) -> Tensor:
        """True where a token is real, bool (B, 1, 1, T)."""
        return (self.ids_BT != PAD)[:, None, None]

    def parts(self, number: int) -> Iterator[Batch]:
        """The same sequences as ``number`` batches of about one size, or fewer where they run out.

        One part is the batch itself.
        """
        rows = -(-len(self.ids_BT) // number)
        pieces = [getattr(self, name).split(rows) for name in self.__slots__]
        for part in zip(*pieces, strict=True):
            yield Batch(*part)

    def to(self, device: torch.device) -> Batch:
        """The same batch on ``device``."""
        return Batch(*(getattr(self, name).to(device) for name in self.__slots__))


@dataclass(frozen=True, slots=True)
class _Draw:
    piece: int
    shift: int
    start: int
    told: tuple[str, ...]


class Batches:
    """The endless order of training batches.

    Args:
        pieces: the training split.
        data: how they are cut, moved and described.
        batch: sequences B a step.
        seed: of the order.
    """

    def __init__(self, pieces: Sequence[Chorale], data: DataPart, batch: int, seed: int) -> None:
        if not pieces:
            raise DataError("the training split is empty: at least one piece is needed")
        self._pieces = pieces
        self._data = data
        self._batch = batch
        self._seed = seed
        self._vocabulary = vocabulary(data.vocabulary)
        self._of_window = _window_owners(pieces, data.window)
        self._encoded: dict[tuple[int, int], tuple[Chorale, codec.Ids]] = {}

    def at(self, step: int) -> Batch:
        """The batch of ``step``, counted from 0."""
        window = sample_order.window_at(self._data, step)
        return collate([self._sequence(sample, window) for sample in self.order(step)])

    def order(self, step: int) -> list[int]:
        """The samples of the batch of ``step``."""
        buckets = self._data.buckets
        return sample_order.samples_at(step, self._batch, buckets, self._seed, self._length)

    def _length(self, sample: int) -> int:
        """How many tokens of a sample's piece a window can hold at most."""
        tokens = self._pieces[self._piece(sample)].steps * codec.VOICES + 1
        return min(tokens, self._data.window)

    def _sequence(self, sample: int, window: int) -> Cut:
        """A cut of a piece, and where asked for the beginnings of other pieces behind it."""
        ids, rows, start = self._cut(self._draw(sample, window), window)
        rng = np.random.default_rng([self._seed, 3, sample])
        while self._data.concatenate and len(ids) <= window:
            piece = int(rng.integers(len(self._pieces)))
            draw = _Draw(piece, self._shift(piece, rng), 0, self._told(rng))
            more_ids, more_rows, _ = self._cut(draw, window - len(ids))
            ids, rows = np.concatenate([ids, more_ids]), np.concatenate([rows, more_rows])
        return ids, rows, start

    def _piece(self, sample: int) -> int:
        epoch, place = divmod(sample, len(self._of_window))
        order = np.random.default_rng([self._seed, 0, epoch]).permutation(len(self._of_window))
        return int(self._of_window[order[place]])

    def _shift(self, piece: int, rng: np.random.Generator) -> int:
        shifts = self._pieces[piece].shifts() if self._data.transpose else range(1)
        return int(rng.integers(shifts.start, shifts.stop))

    def _draw(self, sample: int, window: int) -> _Draw:
        piece = self._piece(sample)
        rng = np.random.default_rng([self._seed, 1, sample])
        return _Draw(
            piece=piece,
            shift=self._shift(piece, rng),
            start=_start(self._pieces[piece], window, rng),
            told=self._told(rng),
        )

    def _told(self, rng: np.random.Generator) -> tuple[str, ...]:
        """The conditions that one sequence is told."""
        data = self._data
        kept = tuple(
            name
            for name in data.conditions
            if name == "voice" or rng.random() >= data.condition_dropout
        )
        if rng.random() >= data.unhinted:
            return kept
        return tuple(name for name in kept if name not in conditions.HINTS)

    def _cut(self, draw: _Draw, window: int) -> Cut:
        ids, told = self._whole(draw)
        stop = draw.start + window + 1
        return ids[draw.start : stop], told[draw.start : stop], draw.start

    def _whole(self, draw: _Draw) -> tuple[codec.Ids, conditions.Rows]:
        """Ids and conditions of the piece that a cut is taken from."""
        key = (draw.piece, draw.shift)
        if key not in self._encoded:
            moved = self._pieces[draw.piece].transposed(draw.shift)
            self._encoded[key] = (moved, codec.encode(moved, self._vocabulary))
        chorale, ids = self._encoded[key]
        return ids, conditions.rows(chorale, self._data.conditions, draw.told)


def _start(piece: Chorale, window: int, rng: np.random.Generator) -> int:
    """Where to cut, on a step; START and END are seen half as often as the middle.

    The step is the next one, not the one before, so that the last cut still has END; it may be up
    to three tokens shorter for it.
    """
    tokens = piece.steps * codec.VOICES + 1
    place = int(rng.integers(-(window // 2), tokens - window // 2))
    place = min(max(place, 0), max(tokens - window, 0))
    return -(-place // codec.VOICES) * codec.VOICES


def collate(cuts: Sequence[Cut]) -> Batch:
    """Sequences of different lengths as one batch.

    Args:
        cuts: the sequences. START within one, where a piece follows another, is nothing to be
            predicted.
    """
    length = max(len(ids) for ids, _, _ in cuts)
    ids = np.stack([padded(ids, length) for ids, _, _ in cuts])
    rows = np.stack([padded(rows, length) for _, rows, _ in cuts])
    return Batch(
        ids_BT=torch.from_numpy(ids[:, :-1].copy()),
        targets_BT=torch.from_numpy(np.where(ids[:, 1:] == START, PAD, ids[:, 1:])),
        conditions_BTC=torch.from_numpy(rows[:, :-1].copy()),
        starts_B=torch.tensor([start for _, _, start in cuts]),
    )


def padded(rows: npt.NDArray[np.int64], length: int) -> npt.NDArray[np.int64]:
    """``rows`` with PAD, or unknown conditions, behind them up to ``length``."""
    room = [(0, length - len(rows))] + [(0, 0)] * (rows.ndim - 1)
    return np.pad(rows, room, constant_values=PAD)


def _window_owners(pieces: Sequence[Chorale], window: int) -> npt.NDArray[np.int64]:
    """The piece each window of an epoch is cut from: as many windows as a piece is long."""
    counts = [-(-(piece.steps * codec.VOICES + 1) // window) for piece in pieces]
    return np.repeat(np.arange(len(pieces)), counts)
