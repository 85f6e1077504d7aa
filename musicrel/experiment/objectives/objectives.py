"""What a run learns, by family: where its batches come from and how its model is measured.

``causal`` says the next token, ``encoder_decoder`` too, told what is given; ``masked`` and
``infill`` find hidden ones, ``classifier`` says whether a byte occurs, ``critic`` whether music is
Bach's, ``published`` does what the published comparison did. A trainer knows no more of any of them
than ``Objective`` tells.

Dimensions: B batch, T tokens, C conditions or classes.

This file ties data to measures; it knows nothing of steps, rates or files.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Protocol

import numpy as np
import torch

from musicrel.chorale import Chorale
from musicrel.experiment.data import bytes_data, sample_order
from musicrel.experiment.data.bytes_data import Labelled
from musicrel.experiment.data.dataset import Batch, Batches, DataSet, padded
from musicrel.experiment.data.masking import GivenBatches, GridBatches, MaskedBatches
from musicrel.experiment.objectives import class_evaluation
from musicrel.experiment.objectives.critic_objective import Criticism
from musicrel.experiment.objectives.evaluation import Evaluation, PieceLoss, evaluate
from musicrel.experiment.objectives.losses import FIRST_CLASS
from musicrel.experiment.objectives.published_objective import Published
from musicrel.experiment.recipe.recipe import MaskingPart, Recipe
from musicrel.jobs import Job
from musicrel.model.config import ModelConfig
from musicrel.model.families.transformer import Transformer
from musicrel.tokens import conditions
from musicrel.tokens.vocabulary import PAD, vocabulary

_TOKENS_AT_ONCE: Final = 8192


class Objective(Protocol):
    """What a run learns.

    Attributes:
        guess: nats a target that blind guessing costs.
        figure: the attribute of an evaluation that counts in further measurements.
    """

    guess: float
    figure: str

    @property
    def vocabulary(self) -> Mapping[str, Any]:
        """``name`` and ``symbols``, for the model's card."""
        ...

    @property
    def further(self) -> Sequence[str]:
        """What is measured at the end besides valid and test."""
        ...

    @property
    def beside(self) -> Sequence[str]:
        """What is measured besides valid at every evaluation."""
        ...

    def at(self, step: int) -> Batch:
        """The batch of ``step``, counted from 0."""
        ...

    def count(self, split: str) -> int:
        """Pieces in a split."""
        ...

    def told(self, config: ModelConfig) -> Sequence[tuple[str, ...]]:
        """Conditions the finished model is told in each measurement; the first one counts."""
        ...

    def evaluate(
        self, model: Transformer, split: str, given: tuple[str, ...]
    ) -> Job[PieceLoss, Evaluation]:
        """Measure ``model`` on a split, told ``given``."""
        ...


def of(recipe: Recipe, data: DataSet) -> Objective:
    """The objective of a recipe.

    Raises:
        DataError: there is nothing to learn from.
    """
    if recipe.model.family == "classifier":
        return Classes(recipe, data)
    if recipe.model.family == "critic":
        return Criticism(recipe, data)
    if recipe.model.family == "published":
        return Published(recipe, data)
    return Music(recipe, data)


class Music:
    """Chorales, read forwards or with some tokens hidden."""

    figure = "nats_per_note"
    beside = ()

    def __init__(self, recipe: Recipe, data: DataSet) -> None:
        training, words = recipe.training, vocabulary(recipe.data.vocabulary)
        pieces, batch = data.pieces["train"], training.batch * training.accumulate
        finds = _FINDING.get(recipe.model.family)
        self._batches = (
            finds(pieces, recipe.data, recipe.masking, batch, training.seed)
            if finds
            else Batches(pieces, recipe.data, batch, training.seed)
        )
        self._pieces = {str(split): pieces for split, pieces in data.pieces.items()}
        self._words, self._masking = words, recipe.masking
        self._window = recipe.data.window if recipe.data.measured == "window" else 0
        self.further: Sequence[str] = tuple(_WHOLE) if self._window else ()
        self.further = tuple(TASKS.get(recipe.model.family, self.further))
        self._tasks = TASKS.get(recipe.model.family, {})
        self.vocabulary = {"name": words.name, "symbols": words.symbols()}
        self.guess = math.log(words.size)

    def at(self, step: int) -> Batch:
        """See ``Objective``."""
        return self._batches.at(step)

    def count(self, split: str) -> int:
        """See ``Objective``."""
        return len(self._of(split))

    def told(self, config: ModelConfig) -> Sequence[tuple[str, ...]]:
        """See ``Objective``: what follows from the place alone, and all there is."""
        return tuple(dict.fromkeys((conditions.FROM_PLACE_ALONE, tuple(config.conditions))))

    def evaluate(
        self, model: Transformer, split: str, given: tuple[str, ...]
    ) -> Job[PieceLoss, Evaluation]:
        """See ``Objective``: whole pieces in context, or through a window as in training."""
        window = 0 if split in _WHOLE else self._window
        masks = self._tasks.get(split, self._masking)
        return evaluate(model, self._of(split), self._words, given, masks, window=window)

    def _of(self, split: str) -> Sequence[Chorale]:
        return self._pieces["test" if split in self._tasks else _WHOLE.get(split, split)]


_FINDING: Final[Mapping[str, type[MaskedBatches]]] = {
    "masked": MaskedBatches,
    "infill": GridBatches,
    "encoder_decoder": GivenBatches,
}
"""Where the batches of families come from that find hidden notes, or write around given ones."""

_FOUND: Final[Mapping[str, MaskingPart]] = {
    "15 % hidden": MaskingPart(mode="token", rate=0.15),
    "50 % hidden": MaskingPart(mode="token", rate=0.5),
    "85 % hidden": MaskingPart(mode="token", rate=0.85),
    "all hidden": MaskingPart(mode="token", rate=1.0),
    "soprano given": MaskingPart(mode="soprano_given"),
    "alto and tenor hidden": MaskingPart(mode="outer_given"),
    "two bars hidden": MaskingPart(mode="two_bars"),
}
"""What a model that fills in is measured by besides, on test. Every hidden note is found for itself
and knows nothing of the others that are hidden: the figures say nothing of whole pieces."""
_WRITTEN: Final[Mapping[str, MaskingPart]] = {
    "nothing given": MaskingPart(mode="nothing_given"),
    **{
        name: _FOUND[name] for name in ("soprano given", "alto and tenor hidden", "two bars hidden")
    },
}
"""What one that writes around given notes is measured by besides, on test: nats of the notes it has
to write, each in view of those written before and of all that is given."""
TASKS: Final[Mapping[str, Mapping[str, MaskingPart]]] = {
    "infill": _FOUND,
    "encoder_decoder": _WRITTEN,
}
"""What families are measured by besides."""

_WHOLE: Final[Mapping[str, str]] = {"whole valid": "valid", "whole test": "test"}
"""Splits whose pieces are read whole, where the others are read through a window."""


class Classes:
    """Byte sequences with a label."""

    figure = "accuracy"
    beside = ()

    def __init__(self, recipe: Recipe, data: DataSet) -> None:
        training = recipe.training
        self._batch, self._seed = training.batch * training.accumulate, training.seed
        self._buckets = recipe.data.buckets
        self._sequences = {str(split): part for split, part in data.sequences.items()}
        self._train = self._sequences["train"]
        self.further = ("valid", *_LONG)
        symbols = ("PAD", *(f"0x{byte:02X}" for byte in range(256)))
        self.vocabulary = {"name": "bytes", "symbols": symbols}
        self.guess = math.log(recipe.config().classes)

    def at(self, step: int) -> Batch:
        """See ``Objective``."""
        samples = sample_order.samples_at(
            step,
            self._batch,
            self._buckets,
            self._seed,
            lambda sample: len(self._of(sample).content),
        )
        return batch_of([self._of(sample) for sample in samples])

    def count(self, split: str) -> int:
        """See ``Objective``."""
        return len(self._split(split))

    def told(self, config: ModelConfig) -> Sequence[tuple[str, ...]]:
        """See ``Objective``: there is nothing to be told."""
        del config
        return ((),)

    def evaluate(
        self, model: Transformer, split: str, given: tuple[str, ...]
    ) -> Job[PieceLoss, Evaluation]:
        """See ``Objective``: nats a sequence, and whether the likelier class is the true one."""
        sequences = self._split(split)
        batches = (
            (dict.fromkeys(group, ""), batch_of([sequences[index] for index in group]))
            for group in _groups(sequences)
        )
        return class_evaluation.evaluate(model, batches, given)

    def _of(self, sample: int) -> Labelled:
        epoch, place = divmod(sample, len(self._train))
        order = np.random.default_rng([self._seed, 0, epoch]).permutation(len(self._train))
        return self._train[int(order[place])]

    def _split(self, name: str) -> Sequence[Labelled]:
        return bytes_data.of_length(*_LONG[name]) if name in _LONG else self._sequences[name]


_LONG: Final[Mapping[str, tuple[str, int]]] = {
    f"{prefix}{length:,}": (kind, length)
    for kind, prefix in (("honest", ""), ("single", "once in "))
    for length in bytes_data.LONG
}
"""Splits of one length: some 0xAA among random bytes, then exactly one."""


def batch_of(sequences: Sequence[Labelled]) -> Batch:
    """Byte b as token b + 1, the class counted from 1 as the only target of each sequence."""
    ids = [one.content.astype(np.int64) + PAD + 1 for one in sequences]
    longest = max(map(len, ids))
    return Batch(
        ids_BT=torch.from_numpy(np.stack([padded(row, longest) for row in ids])),
        targets_BT=torch.tensor([[one.label + FIRST_CLASS] for one in sequences]),
        conditions_BTC=torch.zeros(len(ids), longest, 0, dtype=torch.int64),
        starts_B=torch.zeros(len(ids), dtype=torch.int64),
    )


def _groups(sequences: Sequence[Labelled]) -> Iterable[list[int]]:
    """Sequences of about one length together, as many as fit."""
    group: list[int] = []
    for index in sorted(range(len(sequences)), key=lambda index: len(sequences[index].content)):
        if group and (len(group) + 1) * len(sequences[index].content) > _TOKENS_AT_ONCE:
            yield group
            group = []
        group.append(index)
    yield group
