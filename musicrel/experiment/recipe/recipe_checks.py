"""Which values of a recipe are allowed, each by itself and together.

This file knows bounds; what each value means stands in ``recipe_parts``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Final

from musicrel.errors import UsageError
from musicrel.experiment.data.mask_patterns import PATTERNS
from musicrel.experiment.recipe.recipe_parts import (
    BYTES,
    CRITIC,
    DataPart,
    MaskingPart,
    ModelPart,
    TrainingPart,
)
from musicrel.tokens import conditions
from musicrel.tokens.vocabulary import vocabulary

_SHORTEST_WINDOW: Final = 4
_SHORTEST_HEARD: Final = 128
_LARGEST_SEED: Final = 2**32 - 1
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

_IDLE_FOR_CRITIC: Final[Mapping[str, tuple[float, str]]] = {
    "condition_dropout": (0.0, "is always told the beat"),
    "unhinted": (0.0, "is always told the beat"),
    "first_window": (0, "hears windows of any length from the first step on"),
    "buckets": (1, "hears windows of one length in each step"),
}
"""Entries of the data that would do nothing for a critic, what they have to be, and why."""

_BY_TABLES: Final = ("causal", "infill")
"""The families whose models may have tables of counterpoint."""

_LARGEST_BATCH: Final = 4096
_RULES: Final[tuple[tuple[tuple[str, ...], Callable[[float], bool], str], ...]] = (
    (("batch",), lambda value: 0 < value <= _LARGEST_BATCH, f"1 to {_LARGEST_BATCH:,}"),
    (
        ("accumulate", "learning_rate", "clip", "evaluate_every", "checkpoint_every"),
        lambda value: 0 < value < math.inf,
        "more than 0",
    ),
    (
        ("tokens", "steps", "minutes", "warmup_steps", "schedule_steps", "weight_decay", "weighed"),
        lambda value: 0 <= value < math.inf,
        "0 or more",
    ),
    (("beta1", "beta2", "label_smoothing"), lambda value: 0 <= value < 1, "0 to less than 1"),
    (("ema", "final_rate"), lambda value: 0 <= value <= 1, "0 to 1"),
    (("seed",), lambda value: 0 <= value <= _LARGEST_SEED, f"a whole number 0 to {_LARGEST_SEED}"),
)
"""Which values of a training part are allowed, and how that is said."""


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
    if family not in ("infill", "encoder_decoder"):
        if masking.mode in PATTERNS:
            raise UsageError(
                f"mode is {masking.mode!r} and the family {family!r}: that mode hides cells of a "
                "grid, which only families 'infill' and 'encoder_decoder' read"
            )
        return
    if family == "encoder_decoder":
        _check_given(data, masking)
        return
    fits = data.vocabulary == "articulated" and _has_whole_steps(data)
    if not fits or "voice" in data.conditions or masking.mode in ("published", "time"):
        raise UsageError(
            f"family 'infill' reads whole steps: expected vocabulary 'articulated' (it is "
            f"{data.vocabulary!r}), a window that is a multiple of 4 tokens ({data.window}), no "
            f"condition 'voice', and a mode other than 'published' and 'time' ({masking.mode!r})"
        )


def _has_whole_steps(data: DataPart) -> bool:
    return data.window % _SHORTEST_WINDOW == 0 and data.first_window % _SHORTEST_WINDOW == 0


def _check_given(data: DataPart, masking: MaskingPart) -> None:
    fits = data.vocabulary == "articulated" and _has_whole_steps(data)
    if not fits or "given" not in data.conditions or masking.mode not in PATTERNS:
        raise UsageError(
            f"family 'encoder_decoder' hears whole steps that are given: expected vocabulary "
            f"'articulated' (it is {data.vocabulary!r}), a window that is a multiple of 4 tokens "
            f"({data.window}), a condition 'given', and a mode such as 'ahead' ({masking.mode!r})"
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
    _check_critic(model.family, data)
    _check_tables(model, training)
    for asked, entry, remedy in (
        (training.samples, "small pieces are written on the way", "samples = false"),
        (data.concatenate, "pieces are put end to end", "concatenate = false"),
        (data.measured == "window", "a sliding window is read", 'measured = "whole"'),
    ):
        if asked and model.family != "causal":
            raise UsageError(
                f"{entry} for family 'causal' only, the family is {model.family!r}: set {remedy}"
            )


def _check_tables(model: ModelPart, training: TrainingPart) -> None:
    if model.counterpoint and model.family not in _BY_TABLES:
        raise UsageError(
            f"counterpoint is true and the family {model.family!r}: expected family "
            f"{' or '.join(map(repr, _BY_TABLES))}, or counterpoint = false"
        )
    if training.weighed and not model.counterpoint:
        raise UsageError(
            f"weighed is {training.weighed} and there are no tables to be weighed: expected "
            "counterpoint = true, or weighed = 0"
        )


def _check_critic(family: str, data: DataPart) -> None:
    if (family == "critic") != data.source.startswith(CRITIC):
        raise UsageError(
            f"family is {family!r} and the data are {data.source!r}: expected family 'critic' for "
            f"'{CRITIC}FILE' and for no other"
        )
    fits = data.vocabulary == "articulated" and data.window >= _SHORTEST_HEARD
    if family == "critic" and not (fits and set(data.conditions) <= {"beat"}):
        raise UsageError(
            f"family 'critic' hears two bars at least and is told the beat at most: expected "
            f"vocabulary 'articulated' (it is {data.vocabulary!r}), a window of "
            f"{_SHORTEST_HEARD} tokens or more ({data.window}), and no condition but 'beat'"
        )
    for entry, (nothing, why) in _IDLE_FOR_CRITIC.items():
        value = getattr(data, entry)
        if family == "critic" and value != nothing:
            raise UsageError(
                f"{entry} is {value} and does nothing for family 'critic', which {why}: set "
                f"{entry} = {nothing}"
            )


def _check_words(part: object, names: tuple[str, ...]) -> None:
    for name in names:
        words, value = _WORDS[name], getattr(part, name)
        if value not in words:
            known = ", ".join(map(repr, words[:-1]))
            raise UsageError(f"{name} is {value!r}: expected {known} or {words[-1]!r}")
