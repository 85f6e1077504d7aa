"""Training objectives by model family: their batches and evaluations.

``causal`` predicts the next token, ``encoder_decoder`` does so given some tokens; ``masked`` and
``infill`` predict masked tokens, ``classifier`` predicts whether a byte occurs, ``critic`` whether
music is by Bach; ``published`` reproduces the published comparison. A trainer uses all of them
through ``Objective``.

Dimensions: B batch, T tokens, C conditions or classes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from musicrel.chorale import Chorale
from musicrel.experiment.data import bytes_data, dataset, masking
from musicrel.experiment.data.bytes_data import Labelled
from musicrel.experiment.data.critic_data import BACH, MIN_WINDOW_STEPS, CriticWindow, WindowSampler
from musicrel.experiment.data.dataset import Batch, Batches, DataSet, as_batch
from musicrel.experiment.data.masking import MaskedBatches
from musicrel.experiment.objectives.evaluation import (
    FIRST_CLASS,
    Evaluation,
    Objective,
    evaluate,
    evaluate_classes,
    group_by_length,
)
from musicrel.experiment.objectives.published_objective import PublishedObjective
from musicrel.experiment.recipe.recipe import MaskingPart, Recipe
from musicrel.experiment.runs.events import PieceLoss
from musicrel.generation.candidates.critic import critic_input
from musicrel.jobs import Job
from musicrel.model.config import BACH as BACH_CLASS
from musicrel.model.config import OTHER, ModelConfig
from musicrel.model.families.transformer import Transformer
from musicrel.model.tokens import conditions
from musicrel.model.tokens.codec import VOICES
from musicrel.model.tokens.vocabulary import MASK, PAD, vocabulary

_LENGTH, _TRAINING, _MASKING, _EVALUATION, _KINDS = 6, 7, 8, 9, 10
"""Random streams: [seed, 6, step], [seed, 7, sample] and [seed, 8, sample] in training; in
evaluation [0, 10, index] for the kind of an opponent and [0, 9, index] for the window and its
corruption. The two are separate, so that windows of a kind are corrupted alike wherever they are
drawn."""
_BAR_STEPS: Final = 16
_WINDOWS_PER_PIECE: Final = 8
_WINDOWS_AT_ONCE: Final = 32


class CriticObjective(Objective):
    """The objective of the critic: to classify windows of music as by Bach or not.

    Half of every batch is by Bach. All windows of a step have one length, from two bars to the
    window of the recipe, so that the critic can judge short passages. Evaluation windows have the
    full length and the original keys, are the same in every evaluation, and half of them are by
    Bach. The kind of an opponent and its corruption come from two random streams. In addition,
    each kind of opponent in test is evaluated by itself.

    In training some notes of every window are masked, following the recipe; otherwise the critic
    memorises the few chorales.
    """

    metric = "accuracy"

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
        self.final_splits = (BACH, *self._windows["test"].kinds)
        self.vocabulary = {"name": vocab.name, "symbols": vocab.symbols()}
        self.uniform_nats = math.log(2)

    def at(self, step: int) -> Batch:
        rng = np.random.default_rng([self._seed, _LENGTH, step])
        bars = int(
            rng.integers(MIN_WINDOW_STEPS // _BAR_STEPS, self._longest // _BAR_STEPS, endpoint=True)
        )
        samples = range(step * self._batch, (step + 1) * self._batch)
        batch = windows_batch(
            [self._drawn(sample, bars * _BAR_STEPS) for sample in samples], self._names
        )
        for ids_T, sample in zip(batch.ids_BT, samples, strict=True):
            rng = np.random.default_rng([self._seed, _MASKING, sample])
            ids_T[masking.choose_positions(ids_T.numpy(), 0, self._masking, rng)] = MASK
        return batch

    def count(self, split: str) -> int:
        return len(self._kinds(split))

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
        sampler = self._windows.get(split, self._windows["test"])
        each = 2 if split in self._windows else 1  # Bach's pieces and others in turn
        for n, kind in enumerate(self._kinds(split)):
            rng = np.random.default_rng([0, _EVALUATION, n])
            yield sampler.draw(kind, self._longest, rng, n // each % sampler.number(kind))

    def _drawn(self, sample: int, steps: int) -> CriticWindow:
        rng = np.random.default_rng([self._seed, _TRAINING, sample])
        windows = self._windows["train"]
        return windows.draw(windows.draw_kind(rng) if sample % 2 else BACH, steps, rng)

    def _kinds(self, split: str) -> list[str]:
        """Return the kinds of the windows of an evaluation, of a split every second one by Bach."""
        sampler = self._windows.get(split, self._windows["test"])
        if split not in self._windows:
            return [split] * (_WINDOWS_PER_PIECE * sampler.number(split))
        number = 2 * _WINDOWS_PER_PIECE * sampler.number(BACH)
        rngs = (np.random.default_rng([0, _KINDS, n]) for n in range(number))
        return [sampler.draw_kind(rng) if n % 2 else BACH for n, rng in enumerate(rngs)]

    def _batches(self, split: str) -> Iterator[tuple[Mapping[int, str], Batch]]:
        windows = list(self.windows(split))
        for first in range(0, len(windows), _WINDOWS_AT_ONCE):
            some = windows[first : first + _WINDOWS_AT_ONCE]
            titles = {first + n: window.kind for n, window in enumerate(some)}
            yield titles, windows_batch(some, self._names)


def windows_batch(windows: Sequence[CriticWindow], names: Sequence[str]) -> Batch:
    """Build a batch of windows whose only target is the class, counted from 1."""
    ids, rows = zip(*(critic_input(window.piece, names) for window in windows), strict=True)
    classes = np.array([BACH_CLASS if window.is_bach else OTHER for window in windows])
    return as_batch(ids, classes[:, None] + FIRST_CLASS, rows)


class ChoraleObjective(Objective):
    def __init__(self, recipe: Recipe, data: DataSet) -> None:
        training, vocab = recipe.training, vocabulary(recipe.data.vocabulary)
        pieces, batch = data.pieces["train"], training.batch * training.accumulate
        family = recipe.model.family
        self._batches = (
            Batches(pieces, recipe.data, batch, training.seed)
            if family == "causal"
            else MaskedBatches(
                pieces, recipe.data, recipe.masking, batch, training.seed, family=family
            )
        )
        self._pieces = {str(split): pieces for split, pieces in data.pieces.items()}
        self._vocabulary, self._masking = vocab, recipe.masking
        self._window = recipe.data.window if recipe.data.measured == "window" else 0
        whole = _WHOLE_SPLITS if self._window else {}
        self.final_splits = tuple(TASKS.get(family, whole))
        self._task_masks = TASKS.get(family, {})
        self.vocabulary = {"name": vocab.name, "symbols": vocab.symbols()}
        self.uniform_nats = math.log(vocab.size)

    def at(self, step: int) -> Batch:
        return self._batches.at(step)

    def count(self, split: str) -> int:
        return len(self._of(split))

    def condition_sets(self, config: ModelConfig) -> Sequence[tuple[str, ...]]:
        return tuple(dict.fromkeys((conditions.POSITIONAL, tuple(config.conditions))))

    def evaluate(
        self, model: Transformer, split: str, given: tuple[str, ...]
    ) -> Job[PieceLoss, Evaluation]:
        """Evaluate on whole pieces, or through a window as in training."""
        window = 0 if split in _WHOLE_SPLITS else self._window
        masks = self._task_masks.get(split, self._masking)
        return evaluate(model, self._of(split), self._vocabulary, given, masks, window=window)

    def _of(self, split: str) -> Sequence[Chorale]:
        return self._pieces[
            "test" if split in self._task_masks else _WHOLE_SPLITS.get(split, split)
        ]


_INFILL_TASKS: Final[Mapping[str, MaskingPart]] = {
    "15 % hidden": MaskingPart(mode="token", rate=0.15),
    "50 % hidden": MaskingPart(mode="token", rate=0.5),
    "85 % hidden": MaskingPart(mode="token", rate=0.85),
    "all hidden": MaskingPart(mode="token", rate=1.0),
    "soprano given": MaskingPart(mode="soprano_given"),
    "alto and tenor hidden": MaskingPart(mode="outer_given"),
    "two bars hidden": MaskingPart(mode="two_bars"),
}
"""Further evaluations of ``infill`` on test. Each masked note is predicted independently of the
other masked ones, so these are not likelihoods of pieces."""
_GIVEN_TASKS: Final[Mapping[str, MaskingPart]] = {
    "nothing given": MaskingPart(mode="nothing_given"),
    **{
        name: _INFILL_TASKS[name]
        for name in ("soprano given", "alto and tenor hidden", "two bars hidden")
    },
}
"""Further evaluations of ``encoder_decoder`` on test: nats of the notes that are not given, each
conditioned on those before it and on all given ones."""
TASKS: Final[Mapping[str, Mapping[str, MaskingPart]]] = {
    "infill": _INFILL_TASKS,
    "encoder_decoder": _GIVEN_TASKS,
}

_WHOLE_SPLITS: Final[Mapping[str, str]] = {"whole valid": "valid", "whole test": "test"}
"""Splits evaluated on whole pieces where the others are read through a window."""


class ByteObjective(Objective):
    metric = "accuracy"

    def __init__(self, recipe: Recipe, data: DataSet) -> None:
        training = recipe.training
        self._batch, self._seed = training.batch * training.accumulate, training.seed
        self._buckets = recipe.data.buckets
        self._sequences = {str(split): part for split, part in data.sequences.items()}
        self._train = self._sequences["train"]
        self.final_splits = ("valid", *_LENGTH_SPLITS)
        symbols = ("PAD", *(f"0x{byte:02X}" for byte in range(256)))
        self.vocabulary = {"name": "bytes", "symbols": symbols}
        self.uniform_nats = math.log(recipe.config().classes)

    def at(self, step: int) -> Batch:
        samples = dataset.samples_at(
            step,
            self._batch,
            self._buckets,
            self._seed,
            lambda sample: len(self._of(sample).content),
        )
        return batch_of([self._of(sample) for sample in samples])

    def count(self, split: str) -> int:
        return len(self._split(split))

    def evaluate(
        self, model: Transformer, split: str, given: tuple[str, ...]
    ) -> Job[PieceLoss, Evaluation]:
        sequences = self._split(split)
        batches = (
            (dict.fromkeys(group, ""), batch_of([sequences[index] for index in group]))
            for group in group_by_length([len(one.content) for one in sequences])
        )
        return evaluate_classes(model, batches, given)

    def _of(self, sample: int) -> Labelled:
        epoch, place = divmod(sample, len(self._train))
        order = np.random.default_rng([self._seed, 0, epoch]).permutation(len(self._train))
        return self._train[int(order[place])]

    def _split(self, name: str) -> Sequence[Labelled]:
        return (
            bytes_data.of_length(*_LENGTH_SPLITS[name])
            if name in _LENGTH_SPLITS
            else self._sequences[name]
        )


_LENGTH_SPLITS: Final[Mapping[str, tuple[str, int]]] = {
    f"{prefix}{length:,}": (kind, length)
    for kind, prefix in (("honest", ""), ("single", "once in "))
    for length in bytes_data.LONG
}


def batch_of(sequences: Sequence[Labelled]) -> Batch:
    """Build a batch: byte b as token b + 1, the class counted from 1 as the only target."""
    ids = [one.content.astype(np.int64) + PAD + 1 for one in sequences]
    labels = np.array([one.label for one in sequences])
    return as_batch(ids, labels[:, None] + FIRST_CLASS)


_BY_FAMILY: Final[Mapping[str, Callable[[Recipe, DataSet], Objective]]] = {
    "classifier": ByteObjective,
    "critic": CriticObjective,
    "published": PublishedObjective,
}


def for_recipe(recipe: Recipe, data: DataSet) -> Objective:
    return _BY_FAMILY.get(recipe.model.family, ChoraleObjective)(recipe, data)
