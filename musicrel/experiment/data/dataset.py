"""Data sets, the positions that models need for them, and the order of training batches.

The batch of a step depends on the seed and the step alone: a resumed run needs no stored data
state, and two arms of a study with one seed train on the same sequences in the same order.

Dimensions: B batch, T tokens, C conditions.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from musicrel import jobs, paths, untrusted
from musicrel.analysis.corpus import bundled, hymns, jsb
from musicrel.analysis.corpus.splits import Split
from musicrel.chorale import Chorale
from musicrel.errors import DataError, UsageError
from musicrel.experiment.data import bytes_data, folder_dataset
from musicrel.experiment.data.bytes_data import Labelled
from musicrel.experiment.recipe.recipe import BYTES, REPLAY, DataPart, Recipe
from musicrel.language import tr
from musicrel.model.positions.table import SCHEMES
from musicrel.model.tokens import codec, conditions
from musicrel.model.tokens.codec import VOICES
from musicrel.model.tokens.vocabulary import PAD, START, vocabulary

Ids: TypeAlias = npt.NDArray[np.int64]
FOLDER: Final = "folder:"
BACH: Final = "Bach"
"""Split of the bundled test chorales, on which other data with ``REPLAY`` are measured besides."""
_REPLAYED_SHARE: Final = 0.5
"""About the share of the chorales in the training of data with ``REPLAY``."""
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
    replayed: Sequence[Chorale] = ()  # pieces of the model's earlier training, see ``lessons``

    @property
    def lessons(self) -> Sequence[Chorale]:
        """Return the pieces of an epoch: those of training, and what is replayed.

        Few pieces come several times, so that about half of an epoch is theirs.
        """
        pieces = self.pieces["train"]
        if not self.replayed:
            return pieces
        steps, replayed = (sum(piece.steps for piece in part) for part in (pieces, self.replayed))
        times = round(replayed * (1 / _REPLAYED_SHARE - 1) / max(steps, 1))
        return [*list(pieces) * max(times, 1), *self.replayed]

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
            raise DataError(
                tr(
                    "the {split} split of {name!r} is empty ({read}): {advice}",
                    split=split, name=self.name, read=read, advice=advice,
                )
            )  # fmt: skip


def load(source: str) -> DataSet:
    prefix, colon, rest = source.partition(":")
    if prefix + colon in _READERS:
        return _READERS[prefix + colon](source, rest)
    raise UsageError(
        tr(
            "unknown data {source!r}: expected 'chorales', 'jsb:FILE', 'folder:PATH', "
            "'hymns:FILE' or 'chorales+hymns:FILE', for a classifier 'bytes:KIND'",
            source=source,
        )
    )


def _chorales(source: str, _: str) -> DataSet:
    return DataSet(source, bundled.source_sha256(), bundled.load_all())


def _jsb(_: str, file: str) -> DataSet:
    path = _resolve(file, "jsb")
    return DataSet("jsb", hashlib.sha256(untrusted.read(path, "jsb")).hexdigest(), jsb.read(path))


def _hymns(source: str, file: str) -> DataSet:
    path = _resolve(file, "hymns")
    sha256 = hashlib.sha256(untrusted.read(path, "jsb")).hexdigest()
    return DataSet(source, sha256, hymns.read(path))


def _with_replay(source: str, rest: str) -> DataSet:
    own = load(rest)
    both = hashlib.sha256((own.sha256 + bundled.source_sha256()).encode()).hexdigest()
    return replace(own, name=source, sha256=both, replayed=beside(bundled.load("train")))


def _with_hymns(source: str, file: str) -> DataSet:
    """Return the bundled chorales, with hymns for training in addition."""
    path = _resolve(file, "hymns")
    both = bundled.source_sha256() + hashlib.sha256(untrusted.read(path, "jsb")).hexdigest()
    pieces = {**bundled.load_all()}
    pieces["train"] = [*pieces["train"], *beside(hymns.read(path)["train"])]
    return DataSet(source, hashlib.sha256(both.encode()).hexdigest(), pieces)


def beside(pieces: Sequence[Chorale]) -> list[Chorale]:
    """Return pieces marked as those that are read beside others; see the condition ``style``."""
    return [replace(piece, composer=conditions.BESIDE) for piece in pieces]


def _folder(source: str, folder: str) -> DataSet:
    if not folder.strip():
        raise UsageError(
            tr("folder: names no folder: expected folder:PATH, the folder of your pieces")
        )
    found = jobs.run(folder_dataset.read(Path(folder).expanduser()))
    return DataSet(source, found.sha256, found.pieces, found.report())


def _bytes(source: str, kind: str) -> DataSet:
    found = bytes_data.splits(kind)
    return DataSet(source, bytes_data.sha256(kind), {}, sequences=found)


_READERS: Final[Mapping[str, Callable[[str, str], DataSet]]] = {
    "chorales": _chorales,
    "jsb:": _jsb,
    "chorales+hymns:": _with_hymns,
    "hymns:": _hymns,
    REPLAY: _with_replay,
    FOLDER: _folder,
    BYTES: _bytes,
}
"""Prefix of the name of data -> a function of the name and of what follows the prefix."""


_LEAST_TAUGHT: Final[Mapping[Split, int]] = {"train": 16, "valid": 2, "test": 2}
_SHARES: Final[Mapping[Split, float]] = {"train": 0.8, "valid": 0.1, "test": 0.1}


def too_few(sizes: Mapping[Split, int]) -> str:
    """Return why these are too few pieces to teach a model, "" if they are enough."""
    missing = max((least - sizes[split]) / _SHARES[split] for split, least in _LEAST_TAUGHT.items())
    if missing <= 0:
        return ""
    return tr(
        "there are {train} pieces for training, {valid} for validation and {test} for the test: "
        "to teach a model, at least {least} are needed; add about {more} more pieces",
        train=sizes["train"], valid=sizes["valid"], test=sizes["test"],
        least=", ".join(map(str, _LEAST_TAUGHT.values())),
        more=math.ceil(missing),
    )  # fmt: skip


def check_splits(loaded: DataSet) -> None:
    if loaded.replayed and (reason := too_few(loaded.sizes)):
        raise DataError(reason)
    advice = tr("at least one piece is needed")
    if loaded.name.startswith(FOLDER):
        advice += tr("; its notes decide where a piece goes, one in ten to valid and one to test")
    for split in loaded.sizes:
        loaded.require(split, advice)


def _resolve(file: str, folder: str) -> Path:
    """Return the path of a file: as given, or in a folder of the shared data."""
    path = Path(file).expanduser()
    shared = paths.shared_data() / folder / file
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
    def reach(self) -> int:
        """Return the position after the last one."""
        return int(self.starts_B.max()) + self.ids_BT.shape[1]

    @property
    def mask(self) -> Tensor:
        """Return the padding mask, bool (B, 1, 1, T), True at real tokens."""
        return (self.ids_BT != PAD)[:, None, None]

    def parts(self, number: int) -> Iterator[Batch]:
        """Split the batch into ``number`` micro-batches of about one size.

        There are fewer if the batch has fewer sequences.
        """
        rows = -(-len(self.ids_BT) // number)
        pieces = [torch.split(tensor, rows) for tensor in self.tensors()]
        for part in zip(*pieces, strict=True):
            yield Batch(*part)

    def tensors(self) -> list[Tensor]:
        return [getattr(self, name) for name in self.__slots__]

    def to(self, device: torch.device) -> Batch:
        return Batch(*(tensor.to(device) for tensor in self.tensors()))


@dataclass(frozen=True, slots=True)
class _Draw:
    """A cut of a piece: its tokens ``start`` to ``stop``, ``shift`` semitones higher."""

    piece: int
    shift: int
    start: int
    stop: int
    given: tuple[str, ...]


class Epochs:
    """The order of numbered items: each epoch is a random permutation of them."""

    def __init__(self, number: int, seed: int) -> None:
        self._number, self._seed = number, seed
        self._orders: dict[int, Ids] = {}

    def order(self, epoch: int) -> Ids:
        if epoch not in self._orders:
            rng = np.random.default_rng([self._seed, 0, epoch])
            self._orders[epoch] = rng.permutation(self._number)
        return self._orders[epoch]

    def at(self, sample: int) -> int:
        epoch, place = divmod(sample, self._number)
        return int(self.order(epoch)[place])


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
        self._epochs = Epochs(len(self._piece_of_window), seed)
        self._shifts = [shifts_of(piece, data) for piece in pieces]
        # by piece and shift
        self._encoded: dict[tuple[int, int], tuple[codec.Ids, npt.NDArray[np.int16]]] = {}

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
        return int(self._piece_of_window[self._epochs.at(sample)])

    def _shift(self, piece: int, rng: np.random.Generator) -> int:
        return int(rng.integers(self._shifts[piece].start, self._shifts[piece].stop))

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
            if name in conditions.UNHIDDEN or rng.random() >= data.condition_dropout
        )
        if rng.random() >= data.hint_dropout:
            return kept
        return tuple(name for name in kept if name not in conditions.HINTS)

    def _cut(self, draw: _Draw) -> tuple[codec.Ids, conditions.Rows]:
        ids, rows = self._whole(draw)
        return ids[draw.start : draw.stop], self._given(draw, rows[draw.start : draw.stop])

    def _given(self, draw: _Draw, rows: npt.NDArray[np.int16]) -> conditions.Rows:
        """Return the rows of a draw with those conditions unknown that it does not give."""
        is_given = np.array([name in draw.given for name in self._data.conditions], dtype=np.bool_)
        return np.where(is_given, rows, np.int64(conditions.UNKNOWN))

    def _whole(self, draw: _Draw) -> tuple[codec.Ids, npt.NDArray[np.int16]]:
        """Return the tokens of a piece and the rows of all its conditions."""
        key, names = (draw.piece, draw.shift), self._data.conditions
        if key not in self._encoded:
            moved = self._pieces[draw.piece].transposed(draw.shift)
            rows = conditions.rows(moved, names, names).astype(np.int16)
            self._encoded[key] = (codec.encode(moved, self._vocabulary), rows)
        return self._encoded[key]


def shifts_of(piece: Chorale, data: DataPart) -> range:
    """Return the transpositions of a piece in training, in semitones."""
    if not data.transpose:
        return range(1)
    shifts, farthest = piece.shifts(), data.farthest_shift
    if not farthest:
        return shifts
    return range(max(shifts.start, -farthest), min(shifts.stop, farthest + 1))


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
    found = np.full((len(rows), max(map(len, rows)), *rows[0].shape[1:]), PAD, dtype=np.int64)
    for padded, row in zip(found, rows, strict=True):
        padded[: len(row)] = row
    return torch.from_numpy(found)


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
}
"""Tokens besides the notes that each family reads of a piece."""
_OF_STEPS: Final = "infill"
"""The family with one position per time step. The encoder of ``encoder_decoder`` has such positions
too, but needs only a quarter of the rows."""
_MEASURED: Final[tuple[Split, ...]] = ("valid", "test")


def max_tokens(recipe: Recipe) -> int | None:
    """Return the number of tokens a recipe's model has positions for; None: unlimited."""
    scheme, family = SCHEMES.get(recipe.model.scheme), recipe.model.family
    if scheme is None or scheme.extrapolation != "refuses" or family not in _EXTRA_TOKENS:
        return None
    rows = int(recipe.model.options.get(_TABLE_LENGTH, scheme.options[_TABLE_LENGTH]))
    return rows * VOICES if family == _OF_STEPS else rows


def check_window(recipe: Recipe) -> None:
    remedy = tr(", or a window that is no longer")
    _check_length(recipe, recipe.data.window, tr("windows have"), remedy)


def check_positions(recipe: Recipe, data: DataSet) -> None:
    """Check that the positional scheme of a model covers the lengths it will read.

    Only schemes with a table of positions are limited. Checking before training avoids a run that
    fails at its first evaluation.
    """
    check_window(recipe)
    if recipe.data.measured == "whole":
        steps = [piece.steps for split in _MEASURED for piece in data.pieces.get(split, ())]
        longest = max(steps, default=0) * VOICES + _EXTRA_TOKENS.get(recipe.model.family, 0)
        remedy = tr(', or measured = "window" in [data]') if recipe.model.family == "causal" else ""
        _check_length(recipe, longest, tr("the longest piece that is measured has"), remedy)


def _check_length(recipe: Recipe, length: int, what: str, remedy: str) -> None:
    reached = max_tokens(recipe)
    if reached is not None and length > reached:
        rows = -(-length // VOICES) if recipe.model.family == _OF_STEPS else length
        raise UsageError(
            tr(
                "scheme {scheme!r} has positions for {reached:,} tokens, but {what} {length:,}: "
                "expected its option {option} to be {rows} or more",
                scheme=recipe.model.scheme, reached=reached, what=what, length=length,
                option=_TABLE_LENGTH, rows=rows,
            )
            + remedy
        )  # fmt: skip
