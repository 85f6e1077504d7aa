"""Training objectives by model family: their batches and evaluations.

``causal`` predicts the next token, ``encoder_decoder`` does so given some tokens; ``masked`` and
``infill`` predict masked tokens, ``classifier`` predicts whether a byte occurs, ``critic`` whether
music is by Bach; ``published`` reproduces the published comparison. A trainer uses all of them
through ``Objective``.

Dimensions: B batch, T tokens, C conditions or classes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

import numpy as np
import torch

from musicrel.chorale import Chorale
from musicrel.experiment.data import bytes_data, sample_order
from musicrel.experiment.data.bytes_data import Labelled
from musicrel.experiment.data.dataset import Batch, Batches, DataSet, padded
from musicrel.experiment.data.masking import GivenBatches, GridBatches, MaskedBatches
from musicrel.experiment.objectives.critic_objective import CriticObjective
from musicrel.experiment.objectives.evaluation import (
    Evaluation,
    PieceLoss,
    evaluate,
    evaluate_classes,
    group_by_length,
)
from musicrel.experiment.objectives.losses import FIRST_CLASS
from musicrel.experiment.objectives.published_objective import PublishedObjective
from musicrel.experiment.recipe.recipe import MaskingPart, Recipe
from musicrel.jobs import Job
from musicrel.model.config import ModelConfig
from musicrel.model.families.transformer import Transformer
from musicrel.tokens import conditions
from musicrel.tokens.vocabulary import PAD, vocabulary


class Objective(Protocol):
    uniform_nats: float  # loss per target of a uniform prediction
    metric: str  # attribute of an ``Evaluation`` that is reported for further splits

    @property
    def vocabulary(self) -> Mapping[str, Any]:
        """Return ``name`` and ``symbols`` for the model card."""
        ...

    @property
    def final_splits(self) -> Sequence[str]:
        """Return the splits evaluated at the end besides validation and test."""
        ...

    @property
    def extra_splits(self) -> Sequence[str]:
        """Return the splits evaluated besides validation at every evaluation."""
        ...

    def at(self, step: int) -> Batch: ...

    def count(self, split: str) -> int: ...

    def condition_sets(self, config: ModelConfig) -> Sequence[tuple[str, ...]]:
        """Return the sets of conditions the final model is evaluated with; the first one counts."""
        ...

    def evaluate(
        self, model: Transformer, split: str, given: tuple[str, ...]
    ) -> Job[PieceLoss, Evaluation]: ...


def for_recipe(recipe: Recipe, data: DataSet) -> Objective:
    if recipe.model.family == "classifier":
        return ByteObjective(recipe, data)
    if recipe.model.family == "critic":
        return CriticObjective(recipe, data)
    if recipe.model.family == "published":
        return PublishedObjective(recipe, data)
    return ChoraleObjective(recipe, data)


class ChoraleObjective:
    """Prediction of chorales, causal or of masked tokens, see ``Objective``."""

    metric = "nats_per_note"
    extra_splits = ()

    def __init__(self, recipe: Recipe, data: DataSet) -> None:
        training, vocab = recipe.training, vocabulary(recipe.data.vocabulary)
        pieces, batch = data.pieces["train"], training.batch * training.accumulate
        finds = _MASKED_BATCHES.get(recipe.model.family)
        self._batches = (
            finds(pieces, recipe.data, recipe.masking, batch, training.seed)
            if finds
            else Batches(pieces, recipe.data, batch, training.seed)
        )
        self._pieces = {str(split): pieces for split, pieces in data.pieces.items()}
        self._vocabulary, self._masking = vocab, recipe.masking
        self._window = recipe.data.window if recipe.data.measured == "window" else 0
        self.final_splits: Sequence[str] = tuple(_WHOLE_SPLITS) if self._window else ()
        self.final_splits = tuple(TASKS.get(recipe.model.family, self.final_splits))
        self._task_masks = TASKS.get(recipe.model.family, {})
        self.vocabulary = {"name": vocab.name, "symbols": vocab.symbols()}
        self.uniform_nats = math.log(vocab.size)

    def at(self, step: int) -> Batch:
        return self._batches.at(step)

    def count(self, split: str) -> int:
        return len(self._of(split))

    def condition_sets(self, config: ModelConfig) -> Sequence[tuple[str, ...]]:
        """Return the conditions that follow from the position, and all conditions."""
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


_MASKED_BATCHES: Final[Mapping[str, type[MaskedBatches]]] = {
    "masked": MaskedBatches,
    "infill": GridBatches,
    "encoder_decoder": GivenBatches,
}
"""Training batches of the families with masked or given tokens."""

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
"""Further evaluations by family."""

_WHOLE_SPLITS: Final[Mapping[str, str]] = {"whole valid": "valid", "whole test": "test"}
"""Splits evaluated on whole pieces where the others are read through a window."""


class ByteObjective:
    """Classification of byte sequences, see ``Objective``."""

    metric = "accuracy"
    extra_splits = ()

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
        samples = sample_order.samples_at(
            step,
            self._batch,
            self._buckets,
            self._seed,
            lambda sample: len(self._of(sample).content),
        )
        return batch_of([self._of(sample) for sample in samples])

    def count(self, split: str) -> int:
        return len(self._split(split))

    def condition_sets(self, config: ModelConfig) -> Sequence[tuple[str, ...]]:
        """Return one empty set: there are no conditions."""
        del config
        return ((),)

    def evaluate(
        self, model: Transformer, split: str, given: tuple[str, ...]
    ) -> Job[PieceLoss, Evaluation]:
        """Evaluate loss and accuracy per sequence."""
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
"""Splits of one length: some 0xAA among random bytes, or exactly one."""


def batch_of(sequences: Sequence[Labelled]) -> Batch:
    """Build a batch: byte b as token b + 1, the class counted from 1 as the only target."""
    ids = [one.content.astype(np.int64) + PAD + 1 for one in sequences]
    longest = max(map(len, ids))
    return Batch(
        ids_BT=torch.from_numpy(np.stack([padded(row, longest) for row in ids])),
        targets_BT=torch.tensor([[one.label + FIRST_CLASS] for one in sequences]),
        conditions_BTC=torch.zeros(len(ids), longest, 0, dtype=torch.int64),
        starts_B=torch.zeros(len(ids), dtype=torch.int64),
    )
