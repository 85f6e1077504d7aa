"""What a model of the family ``published`` learns, and how it is measured: both ways.

As published: the masks of valid and test are drawn anew at every evaluation, and the loss is the
mean of the means of batches of eight windows. Properly, beside it: every window has the masks it
always has, from a fixed seed, and the loss is the mean over all hidden tokens.

Dimensions: N windows, B batch, L tokens of a window.

This file ties windows to measures; the windows are ``published_data``'s.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt
import torch

from musicrel.corpus.splits import SPLITS
from musicrel.experiment.data import published_data
from musicrel.experiment.data.dataset import Batch, DataSet
from musicrel.experiment.data.published_data import BATCH, SPECIALS, TOKENS, Ids, Windows
from musicrel.experiment.objectives.evaluation import Evaluation, PieceLoss
from musicrel.experiment.objectives.losses import read, token_nats
from musicrel.experiment.recipe.recipe import Recipe
from musicrel.jobs import Job
from musicrel.model.config import ModelConfig
from musicrel.model.families.transformer import Transformer
from musicrel.tokens.vocabulary import PAD

AS_PUBLISHED: Final[Mapping[str, str]] = {
    "valid as published": "valid", "test as published": "test",
}  # fmt: skip
"""Splits that are measured in the published way."""

_AT_ONCE: Final = 16 * BATCH
"""Windows read at a time: the fastest on a CPU."""
_ORDER, _TRAINING, _FIXED, _REDRAWN = 0, 4, 6, 7
"""Streams of chance."""

Nats = npt.NDArray[np.float64]


class Published:
    """Windows with hidden tokens.

    Attributes:
        steps_an_epoch: steps in which every window is read once.
    """

    figure = "nats_per_note"
    beside: Sequence[str] = ("valid as published",)

    def __init__(self, recipe: Recipe, data: DataSet) -> None:
        training = recipe.training
        self._seed, self._batch = training.seed, training.batch * training.accumulate
        self._known = published_data.values(data.pieces["train"])
        self._data, self._length = data, recipe.data.window
        self._fixed: dict[str, tuple[Ids, Ids]] = {}
        self._order: tuple[int, Ids] = (-1, np.empty(0, dtype=np.int64))
        self.further = tuple(AS_PUBLISHED)
        self.guess = math.log(TOKENS)
        self.vocabulary = {
            "name": "published",
            "symbols": (*SPECIALS, "START", "END", *map(str, self._known[2:])),
        }
        batches = -(-len(self._train) // training.batch)
        self.steps_an_epoch = max(batches // training.accumulate, 1)

    def at(self, step: int) -> Batch:
        """See ``Objective``; an epoch reads every window once, in an order by chance."""
        epoch, place = divmod(step, self.steps_an_epoch)
        chosen = self._ordered(epoch)[place * self._batch : (place + 1) * self._batch]
        rng = np.random.default_rng([self._seed, _TRAINING, step])
        return as_batch(*published_data.masked(self._train.ids_NL[chosen], rng))

    def count(self, split: str) -> int:
        """See ``Objective``; of a split in the published way, how often it is heard of."""
        if split in AS_PUBLISHED:
            return -(-len(self._windows(AS_PUBLISHED[split])) // _AT_ONCE)
        return len(self._windows(split).titles)

    def told(self, config: ModelConfig) -> Sequence[tuple[str, ...]]:
        """See ``Objective``: there is nothing to be told."""
        del config
        return ((),)

    def evaluate(
        self, model: Transformer, split: str, given: tuple[str, ...]
    ) -> Job[PieceLoss, Evaluation]:
        """See ``Objective``; in the published way, "pieces" are batches, each of weight 1."""
        was_training = model.training
        model.eval()
        try:
            losses = []
            way = self._redrawn if split in AS_PUBLISHED else self._properly
            for loss in way(model, AS_PUBLISHED.get(split, split)):
                losses.append(loss)
                yield loss
        finally:
            model.train(was_training)
        return Evaluation(conditions=given, pieces=tuple(losses))

    def _properly(self, model: Transformer, split: str) -> Iterator[PieceLoss]:
        """The loss of each piece over all its windows, the same tokens hidden every time."""
        found = self._windows(split)
        if split not in self._fixed:
            rng = np.random.default_rng([_FIXED, [*map(str, SPLITS)].index(split)])
            self._fixed[split] = published_data.masked(found.ids_NL, rng)
        nats, hidden = np.zeros(len(found.titles)), np.zeros(len(found.titles), dtype=np.int64)
        told = 0
        for first, nats_N, hidden_N in _measured(model, *self._fixed[split]):
            piece_N = found.piece_N[first : first + len(nats_N)]
            np.add.at(nats, piece_N, nats_N)
            np.add.at(hidden, piece_N, hidden_N)
            last = first + len(nats_N) == len(found)
            done = len(found.titles) if last else int(piece_N[-1])
            for index in range(told, done):
                yield _loss(index, found.titles[index], nats[index], hidden[index])
            told = done

    def _redrawn(self, model: Transformer, split: str) -> Iterator[PieceLoss]:
        """Sums of the means of batches, with other masks at every evaluation.

        The masks follow from the weights, so that they are others whenever those are, and the same
        when a run that broke off comes here again.
        """
        found = self._windows(split)
        weights = model.embed_token.weight.detach().cpu().numpy().tobytes()
        rng = np.random.default_rng([_REDRAWN, zlib.crc32(weights)])
        covered = published_data.masked(found.ids_NL, rng)
        for first, nats_N, hidden_N in _measured(model, *covered):
            starts = np.arange(0, len(nats_N), BATCH)
            means = np.add.reduceat(nats_N, starts) / np.add.reduceat(hidden_N, starts)
            yield _loss(first // _AT_ONCE, "", means.sum(), len(means))

    @cached_property
    def _train(self) -> Windows:
        return published_data.windows(self._data.pieces["train"], self._known, self._length)

    def _windows(self, split: str) -> Windows:
        if split not in self._held:
            pieces = {str(name): pieces for name, pieces in self._data.pieces.items()}[split]
            self._held[split] = published_data.windows(pieces, self._known, self._length)
        return self._held[split]

    @cached_property
    def _held(self) -> dict[str, Windows]:
        return {"train": self._train}

    def _ordered(self, epoch: int) -> Ids:
        if self._order[0] != epoch:
            rng = np.random.default_rng([self._seed, _ORDER, epoch])
            self._order = (epoch, rng.permutation(len(self._train)))
        return self._order[1]


@torch.inference_mode()
def _measured(model: Transformer, read_NL: Ids, target_NL: Ids) -> Iterator[tuple[int, Nats, Ids]]:
    """Of some windows at a time: the first one, the nats of each, and how many are hidden there."""
    device = model.embed_token.weight.device
    for first in range(0, len(read_NL), _AT_ONCE):
        part = slice(first, first + _AT_ONCE)
        batch = as_batch(read_NL[part], target_NL[part]).to(device)
        nats_BL = token_nats(read(model, batch), batch.targets_BT).double()
        hidden_N = (target_NL[part] != PAD).sum(1)
        yield first, nats_BL.sum(1).cpu().numpy(), hidden_N


def as_batch(read_BL: Ids, target_BL: Ids) -> Batch:
    """Windows, as ``published_data.masked`` gives them, as a model reads them."""
    return Batch(
        ids_BT=torch.from_numpy(read_BL),
        targets_BT=torch.from_numpy(target_BL),
        conditions_BTC=torch.zeros(*read_BL.shape, 0, dtype=torch.int64),
        starts_B=torch.zeros(len(read_BL), dtype=torch.int64),
    )


def _loss(index: int, title: str, nats: float, number: int) -> PieceLoss:
    return PieceLoss(index=index, title=title, nats=float(nats), notes=int(number))
