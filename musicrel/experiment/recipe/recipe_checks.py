"""Checks of the values of a recipe, each by itself and in combination."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Final

from musicrel import bounds
from musicrel.bounds import BOUNDS
from musicrel.errors import UsageError
from musicrel.experiment.recipe.recipe_parts import (
    BYTES,
    CRITIC,
    PATTERN_MODES,
    STORED,
    DataPart,
    MaskingPart,
    ModelPart,
    ResourcesPart,
    TrainingPart,
)
from musicrel.tokens import conditions
from musicrel.tokens.vocabulary import vocabulary

_MIN_WINDOW: Final = 4
_MIN_CRITIC_WINDOW: Final = 128
_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "decay": ("cosine", "linear", "inverse_sqrt", "warmup_linear"),
    "decayed": ("matrices", "all"),
    "averaged": ("targets", "batches", "sequences"),
    "precision": ("single", "mixed"),
    "mode": ("token", "time", "published", *PATTERN_MODES),
    "rates": ("fixed", "uniform"),
    "measured": ("whole", "window"),
}
"""Entries with a fixed set of values."""

_UNUSED_BY_CRITIC: Final[Mapping[str, tuple[float, str]]] = {
    "condition_dropout": (0.0, "is always given the beat"),
    "hint_dropout": (0.0, "is always given the beat"),
    "first_window": (0, "reads windows of any length from the first step on"),
    "buckets": (1, "reads windows of one length in each step"),
}
"""Data entries without effect on a critic, their required value, and the reason."""

_TABLE_FAMILIES: Final = ("causal", "infill")
"""Families whose models may have counterpoint tables."""

GPUS: Final = "expected a share as in 0.25, or 1 to 16"
_MAX_SEQUENCES: Final = 1 << 20
"""Sequences that are drawn together."""


def _check_numbers(part: object) -> None:
    for field in fields(part):  # type: ignore[arg-type]
        name = "run seed" if field.name == "seed" else field.name
        if name in BOUNDS:
            bounds.check(name, getattr(part, field.name), _key(field.name))


def check_data(data: DataPart) -> None:
    vocabulary(data.vocabulary)
    conditions.sizes(data.conditions)
    for name in data.conditions:
        if data.conditions.count(name) > 1:
            raise UsageError(f"conditions names {name!r} twice: expected each once")
    _check_numbers(data)
    _check_curriculum(data)
    _check_words(data, ("measured",))


def _check_curriculum(data: DataPart) -> None:
    first, steps = data.first_window, data.curriculum_steps
    if (first, steps) == (0, 0):
        return
    if not _MIN_WINDOW <= first < data.window:
        raise UsageError(
            f"first_window is {first}: expected {_MIN_WINDOW} to less than the window of "
            f"{data.window}, or 0 and no curriculum_steps"
        )
    if steps < 1:
        raise UsageError(
            f"curriculum_steps is {steps}: expected over how many steps windows grow from {first} "
            f"to {data.window} tokens"
        )


def check_training(training: TrainingPart) -> None:
    _check_numbers(training)
    if [training.tokens > 0, training.steps > 0, training.minutes > 0].count(True) != 1:
        raise UsageError(
            f"the budget is {training.tokens} tokens, {training.steps} steps and "
            f"{training.minutes:g} minutes: expected one of them above 0"
        )
    _check_words(training, ("decay", "decayed", "averaged", "precision"))
    _check_schedule(training)
    _check_teachers(training)
    if training.stop_gain and not training.stop_after:
        raise UsageError(
            f"stop_gain is {training.stop_gain:g} and has no effect without stop_after: set the "
            "number of evaluations after which a run stops, or stop_gain = 0"
        )


def _check_teachers(training: TrainingPart) -> None:
    if bool(training.teachers) != (training.distil > 0):
        raise UsageError(
            f"distil is {training.distil} and the number of teachers {len(training.teachers)}: "
            "expected both above 0, or neither"
        )


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
    _check_words(masking, ("mode", "rates"))
    _check_numbers(masking)


def check_resources(resources: ResourcesPart) -> None:
    for name in ("cpus", "memory"):
        bounds.check(name, getattr(resources, name))
    if resources.gpus and not are_gpus(resources.gpus):
        raise UsageError(f"gpus is {bounds.shown(resources.gpus)}: {GPUS}")


def are_gpus(value: float) -> bool:
    """Return whether a run can have this many GPUs: a share of one, or a whole number."""
    return value in BOUNDS["gpus"] and (value <= 1 or value == int(value))


def check_infill(family: str, data: DataPart, masking: MaskingPart) -> None:
    """Check that family, data and masking of an infilling model go together."""
    if family not in ("infill", "encoder_decoder"):
        if masking.mode in PATTERN_MODES:
            raise UsageError(
                f"mode is {masking.mode!r} and the family {family!r}: that mode hides cells of a "
                "grid, which only families 'infill' and 'encoder_decoder' do"
            )
        return
    if family == "encoder_decoder":
        _check_encoder_decoder(data, masking)
        return
    fits = data.vocabulary == "articulated" and _has_whole_steps(data)
    if not fits or "voice" in data.conditions or masking.mode in ("published", "time"):
        raise UsageError(
            f"family 'infill' reads whole steps: expected vocabulary 'articulated' (it is "
            f"{data.vocabulary!r}), a window that is a multiple of 4 tokens ({data.window}), no "
            f"condition 'voice', and a mode other than 'published' and 'time' ({masking.mode!r})"
        )


def _has_whole_steps(data: DataPart) -> bool:
    return data.window % _MIN_WINDOW == 0 and data.first_window % _MIN_WINDOW == 0


def _check_encoder_decoder(data: DataPart, masking: MaskingPart) -> None:
    fits = data.vocabulary == "articulated" and _has_whole_steps(data)
    if not fits or "given" not in data.conditions or masking.mode not in PATTERN_MODES:
        raise UsageError(
            f"family 'encoder_decoder' encodes given whole steps: expected vocabulary "
            f"'articulated' (it is {data.vocabulary!r}), a window that is a multiple of 4 tokens "
            f"({data.window}), a condition 'given', and a mode such as 'ahead' ({masking.mode!r})"
        )


def check_together(model: ModelPart, data: DataPart, training: TrainingPart) -> None:
    """Check that the parts of a recipe go together."""
    if (model.family == "classifier") != data.source.startswith(BYTES):
        raise UsageError(
            f"family is {model.family!r} and the data are {data.source!r}: expected family "
            f"'classifier' for '{BYTES}source', '{BYTES}honest' or '{BYTES}single' and for no other"
        )
    sequences = training.batch * training.accumulate * data.buckets
    if sequences > _MAX_SEQUENCES:
        raise UsageError(
            f"batch x accumulate x buckets is {sequences:,}: expected at most {_MAX_SEQUENCES:,} "
            "sequences at once"
        )
    _check_critic(model.family, data)
    _check_tables(model, data, training)
    for asked, entry, remedy in (
        (training.samples, "samples are generated", "samples = false"),
        (training.token_masking > 0, "input tokens are masked", "token_masking = 0"),
        (bool(training.teachers), "teachers are used", "teachers = []"),
        (data.concatenate, "pieces are concatenated", "concatenate = false"),
        (data.measured == "window", "sliding windows are evaluated", 'measured = "whole"'),
    ):
        if asked and model.family != "causal":
            raise UsageError(
                f"{entry} for family 'causal' only, the family is {model.family!r}: set {remedy}"
            )


def _check_tables(model: ModelPart, data: DataPart, training: TrainingPart) -> None:
    if model.counterpoint and model.family not in _TABLE_FAMILIES:
        raise UsageError(
            f"counterpoint is true and the family {model.family!r}: expected family "
            f"{' or '.join(map(repr, _TABLE_FAMILIES))}, or counterpoint = false"
        )
    if model.lines and not (model.counterpoint and data.vocabulary == "articulated"):
        raise UsageError(
            "lines is true: expected counterpoint = true, to whose tables it adds one (it is "
            f"{str(model.counterpoint).lower()}), and vocabulary 'articulated' (it is "
            f"{data.vocabulary!r})"
        )
    if training.calibration_rounds and not model.counterpoint:
        raise UsageError(
            f"{_key('calibration_rounds')} is {training.calibration_rounds} and the model has no "
            "counterpoint tables to calibrate: expected counterpoint = true, or 0"
        )


def _check_critic(family: str, data: DataPart) -> None:
    if (family == "critic") != data.source.startswith(CRITIC):
        raise UsageError(
            f"family is {family!r} and the data are {data.source!r}: expected family 'critic' for "
            f"'{CRITIC}FILE' and for no other"
        )
    fits = data.vocabulary == "articulated" and data.window >= _MIN_CRITIC_WINDOW
    if family == "critic" and not (fits and set(data.conditions) <= {"beat"}):
        raise UsageError(
            f"family 'critic' reads two bars or more and no condition but the beat: expected "
            f"vocabulary 'articulated' (it is {data.vocabulary!r}), a window of "
            f"{_MIN_CRITIC_WINDOW} tokens or more ({data.window}), and no condition but 'beat'"
        )
    for entry, (nothing, why) in _UNUSED_BY_CRITIC.items():
        value = getattr(data, entry)
        if family == "critic" and value != nothing:
            raise UsageError(
                f"{_key(entry)} is {value} and has no effect on family 'critic', which {why}: set "
                f"{_key(entry)} = {nothing}"
            )


def _check_words(part: object, names: tuple[str, ...]) -> None:
    for name in names:
        words, value = _WORDS[name], getattr(part, name)
        if value not in words:
            known = ", ".join(map(repr, words[:-1]))
            raise UsageError(f"{name} is {value!r}: expected {known} or {words[-1]!r}")


def _key(name: str) -> str:
    """Return the key that a field has in a recipe file."""
    return STORED.get(name, name)
