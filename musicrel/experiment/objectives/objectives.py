"""Training objectives by model family: their batches and evaluations.

``causal`` predicts the next token, ``encoder_decoder`` does so given some tokens; ``masked`` and
``infill`` predict masked tokens, ``classifier`` predicts whether a byte occurs; ``published``
reproduces the published comparison. A trainer uses all of them through ``Objective``.

Dimensions: B batch, T tokens, C conditions or classes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np

from musicrel.analysis.corpus import bundled
from musicrel.chorale import Chorale
from musicrel.experiment.data import bytes_data, dataset
from musicrel.experiment.data.bytes_data import Labelled
from musicrel.experiment.data.dataset import Batch, Batches, DataSet, Epochs, as_batch
from musicrel.experiment.data.masking import MaskedBatches
from musicrel.experiment.objectives.evaluation import (
    FIRST_CLASS,
    Evaluation,
    Objective,
    evaluate,
    evaluate_classes,
    group_by_length,
    tokens_at_once,
)
from musicrel.experiment.objectives.published_objective import PublishedObjective
from musicrel.experiment.recipe.recipe import MaskingPart, Recipe
from musicrel.experiment.runs.events import PieceLoss
from musicrel.jobs import Job
from musicrel.model.config import ModelConfig
from musicrel.model.families.transformer import Transformer
from musicrel.model.tokens import conditions
from musicrel.model.tokens.vocabulary import PAD, vocabulary


class ChoraleObjective(Objective):
    def __init__(self, recipe: Recipe, data: DataSet) -> None:
        training, vocab = recipe.training, vocabulary(recipe.data.vocabulary)
        pieces, batch = data.lessons, training.batch * training.accumulate
        family = recipe.model.family
        self._batches = (
            Batches(pieces, recipe.data, batch, training.seed)
            if family == "causal"
            else MaskedBatches(
                pieces, recipe.data, recipe.masking, batch, training.seed, family=family
            )
        )
        self._pieces = {str(split): pieces for split, pieces in data.pieces.items()}
        beside = {dataset.BACH: dataset.beside(bundled.load("test"))} if data.replayed else {}
        self._pieces |= beside
        self._vocabulary, self._masking = vocab, recipe.masking
        part = recipe.data
        self._window, self._opening = (
            part.window if part.measured == kind else 0 for kind in ("window", "opening")
        )
        whole = _WHOLE_SPLITS if self._window else {}
        self.final_splits = (*beside, *TASKS.get(family, whole))
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
        """Evaluate on whole pieces, through a window as in training, or on openings."""
        window = 0 if split in _WHOLE_SPLITS else self._window
        masks = self._task_masks.get(split, self._masking)
        pieces, opening = self._of(split), self._opening
        given = (*given, conditions.STYLE)  # as in training, it is not hidden
        return evaluate(
            model, pieces, self._vocabulary, given, masks, window=window, opening=opening
        )

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
        self._epochs = Epochs(len(self._train), training.seed)
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
            (group, batch_of([sequences[index] for index in group]))
            for group in group_by_length(
                [len(one.content) for one in sequences], tokens_at_once(model)
            )
        )
        return evaluate_classes(model, batches, given)

    def _of(self, sample: int) -> Labelled:
        return self._train[self._epochs.at(sample)]

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
    "published": PublishedObjective,
}


def for_recipe(recipe: Recipe, data: DataSet) -> Objective:
    return _BY_FAMILY.get(recipe.model.family, ChoraleObjective)(recipe, data)
