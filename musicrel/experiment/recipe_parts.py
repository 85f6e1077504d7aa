"""The parts of a recipe: what each value means, and which ones are allowed.

This file knows names, bounds and defaults; it knows nothing of files or of how anything is trained.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from musicrel.errors import UsageError
from musicrel.experiment.patterns import PATTERNS
from musicrel.model.config import Activation, Family, Norm
from musicrel.tokens import conditions
from musicrel.tokens.vocabulary import vocabulary

BYTES: Final = "bytes:"
"""How the names of data begin that are bytes with a label and not music."""

_SHORTEST_WINDOW: Final = 4
_LARGEST_SEED: Final = 2**32 - 1

Decay = Literal["cosine", "linear", "inverse_sqrt", "warmup_linear"]
Decayed = Literal["matrices", "all"]
Averaged = Literal["targets", "batches", "sequences"]
Precision = Literal["single", "mixed"]
MaskMode = Literal[
    "token", "time", "published", "mixture", "soprano_given", "outer_given", "two_bars"
]
MaskRates = Literal["fixed", "uniform"]
Measured = Literal["whole", "window"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPart:
    """The shape of the model; see ``ModelConfig`` for the meaning of each number.

    ``intervals``: whether a causal model of notes hears and says distances between them.
    """

    scheme: str
    options: Mapping[str, Any] = field(default_factory=dict)
    width: int = 128
    layers: int = 4
    heads: int = 4
    feedforward: int = 512
    dropout: float = 0.1
    attention_dropout: float = 0.0
    position_dropout: float = 0.0
    norm: Norm = "pre"
    activation: Activation = "gelu"
    family: Family = "causal"
    intervals: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DataPart:
    """What is learned from.

    Attributes:
        source: ``chorales`` (the bundled corpus), ``jsb:FILE`` or ``folder:PATH``; for a classifier
            ``bytes:source``, ``bytes:honest`` or ``bytes:single``.
        vocabulary: ``articulated`` or ``pitch``.
        conditions: what the model may be told.
        condition_dropout: chance that a sequence is not told a condition (voice is always told).
        unhinted: chance that a sequence is told nothing of the music itself: neither key nor
            fermatas, as when a user asks for a length alone.
        window: longest sequence in tokens; longer pieces are cut at random places.
        transpose: whether pieces are moved to any key in which all voices keep their range.
        buckets: how many batches are drawn together and filled with sequences of about one length,
            so that less is padded; 1: as they come.
        first_window: length of the windows at the first step, where short ones come first; 0: all
            windows are as long as ``window``.
        curriculum_steps: steps over which windows grow from ``first_window`` to ``window``.
        concatenate: whether a sequence that is shorter than the window is filled up with the
            beginnings of other pieces; its positions run on, and a model may look back across.
        measured: how pieces are read when a model is measured: ``whole``, or in a ``window`` as
            long as those of training that slides by half; then whole pieces are measured besides,
            once, at the end.
    """

    source: str = "chorales"
    vocabulary: str = "articulated"
    conditions: tuple[str, ...] = tuple(conditions.CONDITIONS)
    condition_dropout: float = 0.15
    unhinted: float = 0.0
    window: int = 1024
    transpose: bool = True
    buckets: int = 1
    first_window: int = 0
    curriculum_steps: int = 0
    concatenate: bool = False
    measured: Measured = "whole"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingPart:
    """How it is learned.

    Attributes:
        tokens: budget in real (not padded) tokens; 0 when another budget rules.
        steps: budget in optimiser steps; 0 when another budget rules.
        minutes: budget in time spent learning; 0 when another budget rules. A run that ends by the
            clock is not the same twice.
        batch: sequences read at once.
        accumulate: how many such batches make one step: their gradients are added up.
        precision: ``mixed`` computes in bfloat16 what may be, where the hardware has it; weights
            stay in single precision.
        label_smoothing: share of a target's weight that is spread evenly over all tokens. The loss
            that is shown is that without it.
        learning_rate: the highest rate.
        warmup_steps: steps of linear rise.
        decay: shape of the fall afterwards, over the budget; ``warmup_linear`` is the straight
            line from the end of the rise to 0 of the published comparison, whose rise begins at 0.
        schedule_steps: steps over which the rate falls where that is not the budget, so that a run
            may end early and be part of a longer one; 0: the budget.
        final_rate: share of ``learning_rate`` that is left at the end (cosine, linear).
        weight_decay: of what ``decayed`` names.
        decayed: ``matrices`` in the blocks, never biases, norms, embeddings and the head; or
            ``all``.
        averaged: what counts alike in the loss of a step: its ``targets``, or each of the
            ``batches`` that are accumulated, or each of their ``sequences``, however many targets
            it has.
        beta1: AdamW's first decay.
        beta2: AdamW's second decay.
        clip: largest norm of the gradient.
        ema: decay of the averaged weights, which are the ones evaluated and kept.
        seed: of initialisation, data order and dropout.
        evaluate_every: steps between evaluations on valid.
        checkpoint_every: steps between checkpoints.
        samples: whether a small piece is written at each evaluation, to be heard.
    """

    tokens: int = 0
    steps: int = 0
    minutes: float = 0.0
    batch: int = 4
    accumulate: int = 1
    precision: Precision = "single"
    label_smoothing: float = 0.0
    learning_rate: float = 2e-3
    warmup_steps: int = 100
    decay: Decay = "cosine"
    schedule_steps: int = 0
    final_rate: float = 0.02
    weight_decay: float = 0.1
    decayed: Decayed = "matrices"
    averaged: Averaged = "targets"
    beta1: float = 0.9
    beta2: float = 0.99
    clip: float = 1.0
    ema: float = 0.998
    seed: int = 0
    evaluate_every: int = 250
    checkpoint_every: int = 100
    samples: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MaskingPart:
    """What the families ``masked`` and ``infill`` have to find.

    Attributes:
        mode: ``token``: notes anywhere; ``time``: all four notes of time steps; ``published``:
            groups of four tokens counted from the window's start, START and END among them, as in
            the published comparison, where a group is a time step only by chance. For ``infill``
            also the patterns of ``musicrel.experiment.patterns``, which have rates of their own:
            ``mixture``, ``soprano_given``, ``outer_given``, ``two_bars``.
        rate: share that is masked, at least one; the highest where rates are uniform.
        rates: ``fixed``: always ``rate``; ``uniform``: drawn anew for each sequence, 0 to ``rate``.
        mixed: whether of the chosen tokens 80 % become MASK, 10 % another token and 10 % stay
            (Devlin et al. 2019); else all become MASK.
    """

    mode: MaskMode = "time"
    rate: float = 0.15
    rates: MaskRates = "fixed"
    mixed: bool = True


def check_data(data: DataPart) -> None:
    """See that there can be such data.

    Raises:
        UsageError: a value is unknown or out of bounds.
    """
    vocabulary(data.vocabulary)
    conditions.sizes(data.conditions)
    for name in data.conditions:
        if data.conditions.count(name) > 1:
            raise UsageError(f"conditions names {name!r} twice: expected each once")
    if data.window < _SHORTEST_WINDOW:
        raise UsageError(
            f"window is {data.window} tokens: expected at least {_SHORTEST_WINDOW}, one step"
        )
    if data.buckets < 1:
        raise UsageError(f"buckets is {data.buckets}: expected at least 1, batches as they come")
    _check_curriculum(data)
    _check_words(data, ("measured",))
    for name, chance in (
        ("condition_dropout", data.condition_dropout),
        ("unhinted", data.unhinted),
    ):
        if not 0 <= chance <= 1:
            raise UsageError(f"{name} is {chance}: expected 0 to 1")


def _check_curriculum(data: DataPart) -> None:
    first, steps = data.first_window, data.curriculum_steps
    if (first, steps) == (0, 0):
        return
    if not _SHORTEST_WINDOW <= first < data.window:
        raise UsageError(
            f"first_window is {first}: expected {_SHORTEST_WINDOW} to less than the window of "
            f"{data.window}, or 0 and no curriculum_steps"
        )
    if steps < 1:
        raise UsageError(
            f"curriculum_steps is {steps}: expected over how many steps windows grow from {first} "
            f"to {data.window} tokens"
        )


_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "decay": ("cosine", "linear", "inverse_sqrt", "warmup_linear"),
    "decayed": ("matrices", "all"),
    "averaged": ("targets", "batches", "sequences"),
    "precision": ("single", "mixed"),
    "mode": ("token", "time", "published", *PATTERNS),
    "rates": ("fixed", "uniform"),
    "measured": ("whole", "window"),
}
"""The entries that are words, and what they may be."""

_LARGEST_BATCH: Final = 4096
_RULES: Final[tuple[tuple[tuple[str, ...], Callable[[float], bool], str], ...]] = (
    (("batch",), lambda value: 0 < value <= _LARGEST_BATCH, f"1 to {_LARGEST_BATCH:,}"),
    (
        ("accumulate", "learning_rate", "clip", "evaluate_every", "checkpoint_every"),
        lambda value: 0 < value < math.inf,
        "more than 0",
    ),
    (
        ("tokens", "steps", "minutes", "warmup_steps", "schedule_steps", "weight_decay"),
        lambda value: 0 <= value < math.inf,
        "0 or more",
    ),
    (("beta1", "beta2", "label_smoothing"), lambda value: 0 <= value < 1, "0 to less than 1"),
    (("ema", "final_rate"), lambda value: 0 <= value <= 1, "0 to 1"),
    (("seed",), lambda value: 0 <= value <= _LARGEST_SEED, f"a whole number 0 to {_LARGEST_SEED}"),
)
"""Which values of a training part are allowed, and how that is said."""


def check_training(training: TrainingPart) -> None:
    """See that one can learn so.

    Raises:
        UsageError: a value is unknown or out of bounds.
    """
    for names, is_allowed, expected in _RULES:
        for name in names:
            if not is_allowed(getattr(training, name)):
                raise UsageError(f"{name} is {getattr(training, name)}: expected {expected}")
    if [training.tokens > 0, training.steps > 0, training.minutes > 0].count(True) != 1:
        raise UsageError(
            f"the budget is {training.tokens} tokens, {training.steps} steps and "
            f"{training.minutes:g} minutes: expected one of them above 0"
        )
    _check_words(training, ("decay", "decayed", "averaged", "precision"))
    _check_schedule(training)


def _check_schedule(training: TrainingPart) -> None:
    schedule = training.schedule_steps
    if schedule and schedule < max(training.steps, training.warmup_steps + 1):
        raise UsageError(
            f"schedule_steps is {schedule:,}: expected at least the budget of {training.steps:,} "
            f"steps and more than the {training.warmup_steps:,} of the warm-up, or 0"
        )
    if training.decay == "warmup_linear" and not schedule:
        raise UsageError("decay is 'warmup_linear': expected schedule_steps, where it ends at 0")


def check_masking(masking: MaskingPart) -> None:
    """See that masks can be drawn.

    Raises:
        UsageError: a value is out of bounds.
    """
    _check_words(masking, ("mode", "rates"))
    if not 0 < masking.rate <= 1:
        raise UsageError(f"rate is {masking.rate}: expected more than 0, at most 1")


def check_infill(family: str, data: DataPart, masking: MaskingPart) -> None:
    """See that notes can be filled in, or are not asked to be.

    Raises:
        UsageError: the family, what is hidden and the data do not go together.
    """
    if family != "infill":
        if masking.mode in PATTERNS:
            raise UsageError(
                f"mode is {masking.mode!r} and the family {family!r}: that mode hides cells of a "
                "grid, which only family 'infill' reads"
            )
        return
    fits = data.vocabulary == "articulated" and data.window % _SHORTEST_WINDOW == 0
    if not fits or "voice" in data.conditions or masking.mode == "published":
        raise UsageError(
            f"family 'infill' reads whole steps: expected vocabulary 'articulated' (it is "
            f"{data.vocabulary!r}), a window that is a multiple of 4 tokens ({data.window}), no "
            f"condition 'voice', and a mode other than 'published' ({masking.mode!r})"
        )


def check_together(model: ModelPart, data: DataPart, training: TrainingPart) -> None:
    """See that the parts fit each other.

    Raises:
        UsageError: a family cannot learn from these data, or not in this way.
    """
    if (model.family == "classifier") != data.source.startswith(BYTES):
        raise UsageError(
            f"family is {model.family!r} and the data are {data.source!r}: expected family "
            f"'classifier' for '{BYTES}source', '{BYTES}honest' or '{BYTES}single' and for no other"
        )
    for asked, entry, remedy in (
        (training.samples, "samples are written from left to right", "samples = false"),
        (data.concatenate, "pieces are put end to end", "concatenate = false"),
        (data.measured == "window", "a sliding window is read", 'measured = "whole"'),
    ):
        if asked and model.family != "causal":
            raise UsageError(
                f"{entry} for family 'causal' only, the family is {model.family!r}: set {remedy}"
            )


def _check_words(part: object, names: tuple[str, ...]) -> None:
    for name in names:
        words, value = _WORDS[name], getattr(part, name)
        if value not in words:
            known = ", ".join(map(repr, words[:-1]))
            raise UsageError(f"{name} is {value!r}: expected {known} or {words[-1]!r}")
