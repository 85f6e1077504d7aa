"""Objective of the family ``published``, evaluated as published and properly.

In the published evaluation, masks of validation and test are redrawn each time, and the loss is the
mean of the means of batches of eight windows. In the proper one, each window always has the same
masks, from a fixed seed, and the loss is the mean over all masked tokens.

The data are those of the published pipeline: a piece is [0, S1, A1, T1, B1, S2, ... 1] with 0 for
START and 1 for END. Rests are dropped, which shifts the voices of everything after them: a fault of
the published pipeline that is kept here.
Windows start at every token and are padded on the right. Masked are groups of four tokens counted
from the start of the window, which coincide with time steps only accidentally: max(1, round(15 %))
of them, so one of four.

Dimensions: N windows, B batch, L tokens of a window, G groups.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import torch

from musicrel.analysis.corpus.splits import SPLITS
from musicrel.chorale import REST, Chorale
from musicrel.errors import DataError
from musicrel.experiment.data.dataset import Batch, DataSet, Epochs, as_batch
from musicrel.experiment.objectives.evaluation import (
    Evaluation,
    Objective,
    batch_logits,
    evaluated,
    token_nats,
)
from musicrel.experiment.recipe.recipe import Recipe
from musicrel.experiment.runs.events import PieceLoss
from musicrel.jobs import Job
from musicrel.model.families.transformer import Transformer
from musicrel.model.tokens.codec import VOICES
from musicrel.model.tokens.vocabulary import MASK, PAD, PUBLISHED_TOKENS

SPECIALS: Final = ("PAD", "MASK", "CLS", "SEP", "UNK")
WINDOW: Final = 16
BATCH: Final = 8
"""Windows per batch; published losses are means of batch means."""

_START, _END = 0, 1
_UNKNOWN: Final = SPECIALS.index("UNK")
_RATE: Final = 0.15
_HIDDEN, _REPLACED = 0.8, 0.9

Ids = npt.NDArray[np.int64]

AS_PUBLISHED: Final[Mapping[str, str]] = {
    "valid as published": "valid", "test as published": "test",
}  # fmt: skip

_WINDOWS_AT_ONCE: Final = 16 * BATCH
"""Windows per forward pass; fastest on a CPU."""
_TRAINING, _FIXED, _REDRAWN = 4, 6, 7
"""Random streams; 0 is that of the epochs."""

Nats = npt.NDArray[np.float64]


class PublishedObjective(Objective):
    extra_splits = ("valid as published",)

    def __init__(self, recipe: Recipe, data: DataSet) -> None:
        training = recipe.training
        self._seed, self._batch = training.seed, training.batch * training.accumulate
        self._known = vocabulary_values(data.pieces["train"])
        self._data, self._length = data, recipe.data.window
        self._cached: dict[str, Windows] = {}
        self.final_splits = tuple(AS_PUBLISHED)
        self.uniform_nats = math.log(PUBLISHED_TOKENS)
        self.vocabulary = {
            "name": "published",
            "symbols": (*SPECIALS, "START", "END", *map(str, self._known[2:])),
        }
        batches = -(-len(self._windows("train")) // training.batch)
        self._epochs = Epochs(len(self._windows("train")), training.seed)
        self.steps_an_epoch = max(batches // training.accumulate, 1)

    def at(self, step: int) -> Batch:
        """Return the batch of ``step``; an epoch reads every window once, in random order."""
        epoch, place = divmod(step, self.steps_an_epoch)
        chosen = self._epochs.order(epoch)[place * self._batch : (place + 1) * self._batch]
        rng = np.random.default_rng([self._seed, _TRAINING, step])
        return as_batch(*mask_windows(self._windows("train").ids_NL[chosen], rng))

    def count(self, split: str) -> int:
        if split in AS_PUBLISHED:
            return -(-len(self._windows(AS_PUBLISHED[split])) // _WINDOWS_AT_ONCE)
        return len(self._windows(split).titles)

    def evaluate(
        self, model: Transformer, split: str, given: tuple[str, ...]
    ) -> Job[PieceLoss, Evaluation]:
        """Evaluate a split; as published, "pieces" are batches of weight 1 each."""
        score = self._as_published if split in AS_PUBLISHED else self._with_fixed_masks
        return evaluated(model, given, score(model, AS_PUBLISHED.get(split, split)))

    def _with_fixed_masks(self, model: Transformer, split: str) -> Iterator[PieceLoss]:
        """Yield the loss of each piece over all its windows, always with the same masks."""
        found = self._windows(split)
        rng = np.random.default_rng([_FIXED, [*map(str, SPLITS)].index(split)])
        read_NL, target_NL = mask_windows(found.ids_NL, rng)
        for index, title in enumerate(found.titles):
            own_N = found.piece_N == index
            scored = list(_score_batches(model, read_NL[own_N], target_NL[own_N]))
            nats_N, hidden_N = (np.concatenate(parts) for parts in zip(*scored, strict=True))
            yield _loss(index, title, nats_N.sum(), hidden_N.sum())

    def _as_published(self, model: Transformer, split: str) -> Iterator[PieceLoss]:
        """Yield sums of the means of batches, with other masks at every evaluation.

        The masks are seeded by the weights: other weights have other masks, and a resumed run has
        the same ones.
        """
        found = self._windows(split)
        weights = model.embed_token.weight.detach().cpu().numpy().tobytes()
        rng = np.random.default_rng([_REDRAWN, zlib.crc32(weights)])
        masked = mask_windows(found.ids_NL, rng)
        for number, (nats_N, hidden_N) in enumerate(_score_batches(model, *masked)):
            starts = np.arange(0, len(nats_N), BATCH)
            means = np.add.reduceat(nats_N, starts) / np.add.reduceat(hidden_N, starts)
            yield _loss(number, "", means.sum(), len(means))

    def _windows(self, split: str) -> Windows:
        if split not in self._cached:
            pieces = {str(name): pieces for name, pieces in self._data.pieces.items()}[split]
            self._cached[split] = windows(pieces, self._known, self._length)
        return self._cached[split]


@torch.inference_mode()
def _score_batches(model: Transformer, read_NL: Ids, target_NL: Ids) -> Iterator[tuple[Nats, Ids]]:
    """Yield the nats and the number of masked tokens of the windows, batch by batch."""
    device = model.embed_token.weight.device
    for first in range(0, len(read_NL), _WINDOWS_AT_ONCE):
        part = slice(first, first + _WINDOWS_AT_ONCE)
        batch = as_batch(read_NL[part], target_NL[part]).to(device)
        nats_BL = token_nats(batch_logits(model, batch), batch.targets_BT).cpu().double()
        yield nats_BL.sum(1).numpy(), (target_NL[part] != PAD).sum(1)


def _loss(index: int, title: str, nats: float, number: int) -> PieceLoss:
    return PieceLoss(index=index, title=title, nats=float(nats), notes=int(number))


@dataclass(frozen=True, slots=True, eq=False)
class Windows:
    ids_NL: Ids
    piece_N: Ids
    titles: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.ids_NL)


def serialise(piece: Chorale) -> Ids:
    pitches = piece.pitches.reshape(-1).astype(np.int64)
    return np.concatenate([[_START], pitches[pitches != REST], [_END]])


def vocabulary_values(pieces: Sequence[Chorale]) -> tuple[int, ...]:
    """Return the sorted values that occur in the pieces: the vocabulary after the specials."""
    found = tuple(np.unique(np.concatenate([serialise(piece) for piece in pieces])).tolist())
    most = PUBLISHED_TOKENS - len(SPECIALS)
    if len(found) > most:
        raise DataError(
            f"the train split has {len(found)} different values, the published vocabulary {most}: "
            "take the published JSB16 file, jsb:Jsb16thSeparated.json"
        )
    return found


def values_from_symbols(symbols: Sequence[str]) -> tuple[int, ...]:
    return (_START, _END, *map(int, symbols[len(SPECIALS) + 2 :]))


def windows(pieces: Sequence[Chorale], known: Sequence[int], window: int = WINDOW) -> Windows:
    token = np.full(max(known) + 1, _UNKNOWN)
    token[list(known)] = np.arange(len(known)) + len(SPECIALS)
    cut, piece_N = [], []
    for index, piece in enumerate(pieces):
        written = serialise(piece)
        ids = np.where(written <= max(known), token[np.minimum(written, max(known))], _UNKNOWN)
        padded = np.pad(ids, (0, window - 1), constant_values=PAD)
        cut.append(np.lib.stride_tricks.sliding_window_view(padded, window))
        piece_N.append(np.full(len(ids), index))
    titles = tuple(piece.title for piece in pieces)
    return Windows(np.concatenate(cut), np.concatenate(piece_N), titles)


def mask_windows(ids_NL: Ids, rng: np.random.Generator) -> tuple[Ids, Ids]:
    """Mask windows: of ten chosen tokens eight become MASK, one becomes another and one is kept."""
    groups = ids_NL.shape[1] // VOICES
    grouped_NL = ids_NL[:, : groups * VOICES]
    there_NG = (grouped_NL != PAD).reshape(len(ids_NL), groups, VOICES).any(-1)
    number_N = np.maximum(1, np.rint(there_NG.sum(1) * _RATE))
    lot_NG = np.where(there_NG, rng.random(there_NG.shape), 2.0)
    rank_NG = lot_NG.argsort(1).argsort(1)
    chosen_NL = np.zeros(ids_NL.shape, dtype=np.bool_)
    chosen_NL[:, : groups * VOICES] = np.repeat(rank_NG < number_N[:, None], VOICES, axis=1)
    chosen_NL &= ids_NL != PAD
    lot_NL = rng.random(ids_NL.shape)
    other_NL = rng.integers(PUBLISHED_TOKENS, size=ids_NL.shape)
    other_NL[other_NL == PAD] = MASK  # as published: PAD is never put in, the next one is
    masked_NL = np.where(lot_NL < _REPLACED, other_NL, ids_NL)
    masked_NL = np.where(lot_NL < _HIDDEN, MASK, masked_NL)
    read_NL = np.where(chosen_NL, masked_NL, ids_NL)
    return read_NL, np.where(chosen_NL, ids_NL, PAD)
