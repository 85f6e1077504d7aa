"""What a critic learns, and what it is measured by: whether a window of music is by Bach.

Half of every batch is Bach's. All windows of a step are of one length, two bars to as long as the
recipe says, so that short passages are judged as well; those it is measured by are as long as the
recipe says, in the keys they were written in, the same in every measurement, and as many by Bach
as not. Which kind of opponent stands at a place and what is done to its window are two streams of
chance. Besides, each kind of opponent in test is measured by itself.

In training some notes of every window are not heard, as many as the recipe's masking says: else the
few pieces of Bach are known by heart before anything is learned of others.

Dimensions: B batch, T tokens.

This file ties windows to batches; what a window is stands in ``critic_data``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
import torch

from musicrel.experiment.data import masking
from musicrel.experiment.data.critic_data import BACH, SHORTEST, Judged, Windows
from musicrel.experiment.data.dataset import Batch, DataSet, padded
from musicrel.experiment.objectives import class_evaluation
from musicrel.experiment.objectives.evaluation import Evaluation, PieceLoss
from musicrel.experiment.objectives.losses import FIRST_CLASS
from musicrel.experiment.recipe.recipe import Recipe
from musicrel.generation.candidates.critic import as_heard
from musicrel.jobs import Job
from musicrel.model.config import ModelConfig
from musicrel.model.families import critic
from musicrel.model.families.transformer import Transformer
from musicrel.tokens import conditions
from musicrel.tokens.codec import VOICES
from musicrel.tokens.vocabulary import MASK, vocabulary

_LENGTH, _TRAINING, _HIDING, _MEASURING, _CHOOSING = 6, 7, 8, 9, 10
"""Streams of chance: [seed, 6, step], [seed, 7, sample] and [seed, 8, sample] in training; in
measurements [0, 10, place], which kind of opponent stands there, and [0, 9, place], the window and
what is done to it: apart, so that a kind is damaged as it is wherever else it is drawn."""
_BAR: Final = 16
_EACH: Final = 8
"""Windows of each of Bach's pieces when a critic is measured, and as many of others."""
_AT_ONCE: Final = 32


class _Place(NamedTuple):
    """A window of a measurement: its chance, its kind and its piece among those of the kind."""

    chance: int
    kind: str
    piece: int


class Criticism:
    """Windows of music, by Bach or not."""

    figure = "accuracy"
    beside = ()

    def __init__(self, recipe: Recipe, data: DataSet) -> None:
        training, words = recipe.training, vocabulary(recipe.data.vocabulary)
        self._batch, self._seed = training.batch * training.accumulate, training.seed
        self._longest = recipe.data.window // VOICES
        self._names, self._masking = tuple(recipe.data.conditions), recipe.masking
        self._windows = {
            str(split): Windows(
                data.pieces[split], others, transpose=recipe.data.transpose and split == "train"
            )
            for split, others in data.others.items()
        }
        self.further: Sequence[str] = (BACH, *self._windows["test"].kinds)
        self.vocabulary = {"name": words.name, "symbols": words.symbols()}
        self.guess = math.log(2)

    def at(self, step: int) -> Batch:
        """See ``Objective``."""
        rng = np.random.default_rng([self._seed, _LENGTH, step])
        bars = int(rng.integers(SHORTEST // _BAR, self._longest // _BAR, endpoint=True))
        samples = range(step * self._batch, (step + 1) * self._batch)
        batch = batch_of([self._drawn(sample, bars * _BAR) for sample in samples], self._names)
        for ids_T, sample in zip(batch.ids_BT, samples, strict=True):
            rng = np.random.default_rng([self._seed, _HIDING, sample])
            ids_T[masking.choose(ids_T.numpy(), 0, self._masking, rng)] = MASK
        return batch

    def count(self, split: str) -> int:
        """See ``Objective``: windows."""
        return len(self._places(split))

    def told(self, config: ModelConfig) -> Sequence[tuple[str, ...]]:
        """See ``Objective``: what follows from the place, which is all a critic may be told."""
        return (tuple(name for name in conditions.FROM_PLACE_ALONE if name in config.conditions),)

    def evaluate(
        self, model: Transformer, split: str, given: tuple[str, ...]
    ) -> Job[PieceLoss, Evaluation]:
        """See ``Objective``: nats a window, and whether it was told whose it is.

        The name of a kind in the place of a split means windows of that kind, from test.
        """
        return class_evaluation.evaluate(model, self._batches(split), given)

    def windows(self, split: str) -> Iterator[Judged]:
        """The windows a split, or a kind, is measured by."""
        for place in self._places(split):
            rng = np.random.default_rng([0, _MEASURING, place.chance])
            windows = self._windows.get(split, self._windows["test"])
            yield windows.draw(place.kind, self._longest, rng, place.piece)

    def _drawn(self, sample: int, steps: int) -> Judged:
        rng = np.random.default_rng([self._seed, _TRAINING, sample])
        windows = self._windows["train"]
        return windows.draw(windows.opponent(rng) if sample % 2 else BACH, steps, rng)

    def _places(self, split: str) -> list[_Place]:
        windows = self._windows.get(split, self._windows["test"])
        number = _EACH * windows.number(BACH if split in self._windows else split)
        if split not in self._windows:
            return [_Place(n, split, n % windows.number(split)) for n in range(number)]
        places = []
        for n in range(2 * number):
            rng = np.random.default_rng([0, _CHOOSING, n])
            kind = windows.opponent(rng) if n % 2 else BACH
            places.append(_Place(n, kind, n // 2 % windows.number(kind)))
        return places

    def _batches(self, split: str) -> Iterator[tuple[Mapping[int, str], Batch]]:
        windows = list(self.windows(split))
        for first in range(0, len(windows), _AT_ONCE):
            some = windows[first : first + _AT_ONCE]
            titles = {first + n: window.kind for n, window in enumerate(some)}
            yield titles, batch_of(some, self._names)


def batch_of(windows: Sequence[Judged], names: Sequence[str]) -> Batch:
    """Windows with the class counted from 1 as the only target of each.

    Args:
        windows: at least one.
        names: the conditions that are told, in the critic's order.
    """
    heard = [as_heard(window.piece, names) for window in windows]
    longest = max(len(ids) for ids, _ in heard)
    classes = [critic.BACH if window.is_bach else critic.OTHER for window in windows]
    return Batch(
        ids_BT=torch.from_numpy(np.stack([padded(ids, longest) for ids, _ in heard])),
        targets_BT=torch.tensor(classes)[:, None] + FIRST_CLASS,
        conditions_BTC=torch.from_numpy(np.stack([padded(rows, longest) for _, rows in heard])),
        starts_B=torch.zeros(len(heard), dtype=torch.int64),
    )
