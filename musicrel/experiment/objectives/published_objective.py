"""Objective of the family ``published``, evaluated as published and properly.

In the published evaluation, masks of validation and test are redrawn each time, and the loss is the
mean of the means of batches of eight windows. In the proper one, each window always has the same
masks, from a fixed seed, and the loss is the mean over all masked tokens.

Dimensions: N windows, B batch, L tokens of a window.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
import torch

from musicrel.corpus.splits import SPLITS
from musicrel.experiment.data import published_data
from musicrel.experiment.data.dataset import Batch, DataSet
from musicrel.experiment.data.published_data import BATCH, SPECIALS, Ids, Windows
from musicrel.experiment.objectives.evaluation import Evaluation, PieceLoss
from musicrel.experiment.objectives.losses import batch_logits, evaluation_mode, token_nats
from musicrel.experiment.recipe.recipe import Recipe
from musicrel.jobs import Job
from musicrel.model.config import ModelConfig
from musicrel.model.families.transformer import Transformer
from musicrel.tokens.vocabulary import PAD, PUBLISHED_TOKENS

AS_PUBLISHED: Final[Mapping[str, str]] = {
    "valid as published": "valid", "test as published": "test",
}  # fmt: skip
"""Splits that are evaluated as published."""

_WINDOWS_AT_ONCE: Final = 16 * BATCH
"""Windows per forward pass; fastest on a CPU."""
_ORDER, _TRAINING, _FIXED, _REDRAWN = 0, 4, 6, 7
"""Random streams."""

Nats = npt.NDArray[np.float64]


class PublishedObjective:
    """Windows with masked tokens, see ``Objective``."""

    metric = "nats_per_note"
    extra_splits: Sequence[str] = ("valid as published",)

    def __init__(self, recipe: Recipe, data: DataSet) -> None:
        training = recipe.training
        self._seed, self._batch = training.seed, training.batch * training.accumulate
        self._known = published_data.vocabulary_values(data.pieces["train"])
        self._data, self._length = data, recipe.data.window
        self._cached: dict[str, Windows] = {}
        self._fixed: dict[str, tuple[Ids, Ids]] = {}
        self._order: tuple[int, Ids] = (-1, np.empty(0, dtype=np.int64))
        self.final_splits = tuple(AS_PUBLISHED)
        self.uniform_nats = math.log(PUBLISHED_TOKENS)
        self.vocabulary = {
            "name": "published",
            "symbols": (*SPECIALS, "START", "END", *map(str, self._known[2:])),
        }
        batches = -(-len(self._windows("train")) // training.batch)
        self.steps_an_epoch = max(batches // training.accumulate, 1)

    def at(self, step: int) -> Batch:
        """Return the batch of ``step``; an epoch reads every window once, in random order."""
        epoch, place = divmod(step, self.steps_an_epoch)
        chosen = self._ordered(epoch)[place * self._batch : (place + 1) * self._batch]
        rng = np.random.default_rng([self._seed, _TRAINING, step])
        return as_batch(*published_data.mask_windows(self._windows("train").ids_NL[chosen], rng))

    def count(self, split: str) -> int:
        """Return the number of losses that ``evaluate`` yields."""
        if split in AS_PUBLISHED:
            return -(-len(self._windows(AS_PUBLISHED[split])) // _WINDOWS_AT_ONCE)
        return len(self._windows(split).titles)

    def condition_sets(self, config: ModelConfig) -> Sequence[tuple[str, ...]]:
        """Return one empty set: there are no conditions."""
        del config
        return ((),)

    def evaluate(
        self, model: Transformer, split: str, given: tuple[str, ...]
    ) -> Job[PieceLoss, Evaluation]:
        """Evaluate a split; as published, "pieces" are batches of weight 1 each."""
        with evaluation_mode(model):
            losses = []
            score = self._as_published if split in AS_PUBLISHED else self._with_fixed_masks
            for loss in score(model, AS_PUBLISHED.get(split, split)):
                losses.append(loss)
                yield loss
        return Evaluation(conditions=given, pieces=tuple(losses))

    def _with_fixed_masks(self, model: Transformer, split: str) -> Iterator[PieceLoss]:
        """Yield the loss of each piece over all its windows, always with the same masks."""
        found = self._windows(split)
        if split not in self._fixed:
            rng = np.random.default_rng([_FIXED, [*map(str, SPLITS)].index(split)])
            self._fixed[split] = published_data.mask_windows(found.ids_NL, rng)
        nats, hidden = np.zeros(len(found.titles)), np.zeros(len(found.titles), dtype=np.int64)
        reported = 0
        for first, nats_N, hidden_N in _score_batches(model, *self._fixed[split]):
            piece_N = found.piece_N[first : first + len(nats_N)]
            np.add.at(nats, piece_N, nats_N)
            np.add.at(hidden, piece_N, hidden_N)
            last = first + len(nats_N) == len(found)
            done = len(found.titles) if last else int(piece_N[-1])
            for index in range(reported, done):
                yield _loss(index, found.titles[index], nats[index], hidden[index])
            reported = done

    def _as_published(self, model: Transformer, split: str) -> Iterator[PieceLoss]:
        """Yield sums of the means of batches, with other masks at every evaluation.

        The masks are seeded by the weights: other weights have other masks, and a resumed run has
        the same ones.
        """
        found = self._windows(split)
        weights = model.embed_token.weight.detach().cpu().numpy().tobytes()
        rng = np.random.default_rng([_REDRAWN, zlib.crc32(weights)])
        masked = published_data.mask_windows(found.ids_NL, rng)
        for first, nats_N, hidden_N in _score_batches(model, *masked):
            starts = np.arange(0, len(nats_N), BATCH)
            means = np.add.reduceat(nats_N, starts) / np.add.reduceat(hidden_N, starts)
            yield _loss(first // _WINDOWS_AT_ONCE, "", means.sum(), len(means))

    def _windows(self, split: str) -> Windows:
        if split not in self._cached:
            pieces = {str(name): pieces for name, pieces in self._data.pieces.items()}[split]
            self._cached[split] = published_data.windows(pieces, self._known, self._length)
        return self._cached[split]

    def _ordered(self, epoch: int) -> Ids:
        if self._order[0] != epoch:
            rng = np.random.default_rng([self._seed, _ORDER, epoch])
            self._order = (epoch, rng.permutation(len(self._windows("train"))))
        return self._order[1]


@torch.inference_mode()
def _score_batches(
    model: Transformer, read_NL: Ids, target_NL: Ids
) -> Iterator[tuple[int, Nats, Ids]]:
    """Yield each batch's first window, and the nats and masked tokens of its windows."""
    device = model.embed_token.weight.device
    for first in range(0, len(read_NL), _WINDOWS_AT_ONCE):
        part = slice(first, first + _WINDOWS_AT_ONCE)
        batch = as_batch(read_NL[part], target_NL[part]).to(device)
        nats_BL = token_nats(batch_logits(model, batch), batch.targets_BT).cpu().double()
        hidden_N = (target_NL[part] != PAD).sum(1)
        yield first, nats_BL.sum(1).numpy(), hidden_N


def as_batch(read_BL: Ids, target_BL: Ids) -> Batch:
    """Build a batch from the results of ``published_data.mask_windows``."""
    return Batch(
        ids_BT=torch.from_numpy(read_BL),
        targets_BT=torch.from_numpy(target_BL),
        conditions_BTC=torch.zeros(*read_BL.shape, 0, dtype=torch.int64),
        starts_B=torch.zeros(len(read_BL), dtype=torch.int64),
    )


def _loss(index: int, title: str, nats: float, number: int) -> PieceLoss:
    return PieceLoss(index=index, title=title, nats=float(nats), notes=int(number))
