"""Objective of the critic: to classify windows of music as by Bach or not.

Half of every batch is by Bach. All windows of a step have one length, from two bars to the window
of the recipe, so that the critic can judge short passages. Evaluation windows have the full length
and the original keys, are the same in every evaluation, and half of them are by Bach. The kind of
an opponent and its corruption come from two random streams. In addition, each kind of opponent in
test is evaluated by itself.

In training some notes of every window are masked, following the recipe; otherwise the critic
memorises the few chorales.

Dimensions: B batch, T tokens.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
import torch

from musicrel.experiment.data import masking
from musicrel.experiment.data.critic_data import BACH, MIN_WINDOW_STEPS, CriticWindow, WindowSampler
from musicrel.experiment.data.dataset import Batch, DataSet, padded
from musicrel.experiment.objectives.evaluation import Evaluation, PieceLoss, evaluate_classes
from musicrel.experiment.objectives.losses import FIRST_CLASS
from musicrel.experiment.recipe.recipe import Recipe
from musicrel.generation.candidates.critic import critic_input
from musicrel.jobs import Job
from musicrel.model.config import BACH as BACH_CLASS
from musicrel.model.config import OTHER, ModelConfig
from musicrel.model.families.transformer import Transformer
from musicrel.tokens import conditions
from musicrel.tokens.codec import VOICES
from musicrel.tokens.vocabulary import MASK, vocabulary

_LENGTH, _TRAINING, _MASKING, _EVALUATION, _KINDS = 6, 7, 8, 9, 10
"""Random streams: [seed, 6, step], [seed, 7, sample] and [seed, 8, sample] in training; in
evaluation [0, 10, index] for the kind of an opponent and [0, 9, index] for the window and its
corruption. The two are separate, so that windows of a kind are corrupted alike wherever they are
drawn."""
_BAR: Final = 16
_WINDOWS_PER_PIECE: Final = 8
"""Evaluation windows per chorale, and as many of opponents."""
_BATCH: Final = 32


class _EvaluationWindow(NamedTuple):
    """An evaluation window: its random stream, its kind and its piece among those of the kind."""

    stream: int
    kind: str
    piece: int


class CriticObjective:
    """Classification of windows of music, see ``Objective``."""

    metric = "accuracy"
    extra_splits = ()

    def __init__(self, recipe: Recipe, data: DataSet) -> None:
        training, vocab = recipe.training, vocabulary(recipe.data.vocabulary)
        self._batch, self._seed = training.batch * training.accumulate, training.seed
        self._longest = recipe.data.window // VOICES
        self._names, self._masking = tuple(recipe.data.conditions), recipe.masking
        self._windows = {
            str(split): WindowSampler(
                data.pieces[split], others, transpose=recipe.data.transpose and split == "train"
            )
            for split, others in data.others.items()
        }
        self.final_splits: Sequence[str] = (BACH, *self._windows["test"].kinds)
        self.vocabulary = {"name": vocab.name, "symbols": vocab.symbols()}
        self.uniform_nats = math.log(2)

    def at(self, step: int) -> Batch:
        rng = np.random.default_rng([self._seed, _LENGTH, step])
        bars = int(rng.integers(MIN_WINDOW_STEPS // _BAR, self._longest // _BAR, endpoint=True))
        samples = range(step * self._batch, (step + 1) * self._batch)
        batch = batch_of([self._drawn(sample, bars * _BAR) for sample in samples], self._names)
        for ids_T, sample in zip(batch.ids_BT, samples, strict=True):
            rng = np.random.default_rng([self._seed, _MASKING, sample])
            ids_T[masking.choose_positions(ids_T.numpy(), 0, self._masking, rng)] = MASK
        return batch

    def count(self, split: str) -> int:
        return len(self._evaluation_windows(split))

    def condition_sets(self, config: ModelConfig) -> Sequence[tuple[str, ...]]:
        """Return the conditions that follow from the position, the only ones a critic may have."""
        return (tuple(name for name in conditions.POSITIONAL if name in config.conditions),)

    def evaluate(
        self, model: Transformer, split: str, given: tuple[str, ...]
    ) -> Job[PieceLoss, Evaluation]:
        """Evaluate loss and accuracy per window.

        The name of a kind instead of a split means windows of that kind, from test.
        """
        return evaluate_classes(model, self._batches(split), given)

    def windows(self, split: str) -> Iterator[CriticWindow]:
        """Return the evaluation windows of a split or of a kind."""
        for window in self._evaluation_windows(split):
            rng = np.random.default_rng([0, _EVALUATION, window.stream])
            windows = self._windows.get(split, self._windows["test"])
            yield windows.draw(window.kind, self._longest, rng, window.piece)

    def _drawn(self, sample: int, steps: int) -> CriticWindow:
        rng = np.random.default_rng([self._seed, _TRAINING, sample])
        windows = self._windows["train"]
        return windows.draw(windows.draw_kind(rng) if sample % 2 else BACH, steps, rng)

    def _evaluation_windows(self, split: str) -> list[_EvaluationWindow]:
        windows = self._windows.get(split, self._windows["test"])
        number = _WINDOWS_PER_PIECE * windows.number(BACH if split in self._windows else split)
        if split not in self._windows:
            return [_EvaluationWindow(n, split, n % windows.number(split)) for n in range(number)]
        found = []
        for n in range(2 * number):
            rng = np.random.default_rng([0, _KINDS, n])
            kind = windows.draw_kind(rng) if n % 2 else BACH
            found.append(_EvaluationWindow(n, kind, n // 2 % windows.number(kind)))
        return found

    def _batches(self, split: str) -> Iterator[tuple[Mapping[int, str], Batch]]:
        windows = list(self.windows(split))
        for first in range(0, len(windows), _BATCH):
            some = windows[first : first + _BATCH]
            titles = {first + n: window.kind for n, window in enumerate(some)}
            yield titles, batch_of(some, self._names)


def batch_of(windows: Sequence[CriticWindow], names: Sequence[str]) -> Batch:
    """Build a batch of windows whose only target is the class, counted from 1."""
    encoded = [critic_input(window.piece, names) for window in windows]
    longest = max(len(ids) for ids, _ in encoded)
    classes = [BACH_CLASS if window.is_bach else OTHER for window in windows]
    return Batch(
        ids_BT=torch.from_numpy(np.stack([padded(ids, longest) for ids, _ in encoded])),
        targets_BT=torch.tensor(classes)[:, None] + FIRST_CLASS,
        conditions_BTC=torch.from_numpy(np.stack([padded(rows, longest) for _, rows in encoded])),
        starts_B=torch.zeros(len(encoded), dtype=torch.int64),
    )
