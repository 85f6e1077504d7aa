"""The shapes of the tensors of a model by formula, for models that may be read without torch.

Dimensions: D width, F hidden width of the feed-forward network, H heads, R distances, d head width.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from musicrel.model.config import ENDING, KEY, ModelConfig
from musicrel.model.features import context_rows
from musicrel.model.features import interval_tables as tables
from musicrel.model.features.interval_tables import (
    BEATS,
    CONTINUATIONS,
    KEY_ROWS,
    LEAPS,
    MOTION_STATES,
    NEIGHBOURS,
    OCTAVE,
    OWN,
    QUARTERS_LEFT,
    VOICES,
)

Shapes = dict[str, tuple[int, ...]]

_MAX_DISTANCE: Final = 256
"""The default of the relative scheme."""
_LARGEST_DISTANCE: Final = 16_384
_INFILL_HIDDEN: Final = 64
"""Hidden units of the output layer of each voice of an infilling model."""


def known_shapes(config: ModelConfig) -> Shapes | None:
    """Return the shape of every tensor, in the order of the network.

    None: there is no formula for the model, or its options are impossible: only its network knows.
    """
    if config.family not in {"causal", "infill"} or not _scheme_is_known(config):
        return None
    shapes: Shapes = {"embed_token.weight": (_embedded_rows(config), config.width)}
    for column, rows in enumerate(config.conditions.values()):
        shapes[f"embed_condition.{column}.weight"] = (rows, config.width)
    if config.pitches:
        shapes |= _intervals(config)
    if config.counterpoint:
        shapes |= _biases(config)
    for layer in range(config.layers):
        shapes |= {f"blocks.{layer}.{name}": shape for name, shape in _block(config).items()}
    if config.norm == "pre":
        shapes |= _norm("norm", config.width)
    if config.family == "infill":
        return shapes | _voice_heads(config)
    return shapes | _linear("head", config.width, config.tokens)


def _scheme_is_known(config: ModelConfig) -> bool:
    if config.scheme == "sinusoidal":
        return not config.options
    return config.scheme == "relative" and _relative_is_valid(config.options)


def _relative_is_valid(options: Mapping[str, Any]) -> bool:
    distance, shared = options.get("max_distance", _MAX_DISTANCE), options.get("shared", False)
    return (
        set(options) <= {"max_distance", "shared"}
        and type(distance) is int
        and 1 <= distance <= _LARGEST_DISTANCE
        and type(shared) is bool
    )


def _embedded_rows(config: ModelConfig) -> int:
    if config.family == "infill":
        return sum(context_rows.input_sizes(config.tokens, has_key=KEY in config.conditions))
    return config.tokens


def _intervals(config: ModelConfig) -> Shapes:
    distances = 2 * config.pitches
    keys = NEIGHBOURS * KEY_ROWS if KEY in config.conditions else 0
    rows = NEIGHBOURS * distances + OWN * (OCTAVE + 1) * LEAPS + keys
    return {
        "intervals.embed_row.weight": (rows, config.width),
        "intervals.embed_class.weight": (NEIGHBOURS * (OCTAVE + 1), config.width),
        **_linear("intervals.project", config.width, distances + OCTAVE),
    }


def _biases(config: ModelConfig) -> Shapes:
    intervals = tables.SIMPLE_INTERVALS
    states = MOTION_STATES if config.is_causal else 1
    shapes: Shapes = {
        "counterpoint.voice_leading_MS": (intervals * tables.MOTION_KINDS, intervals - 1),
        "counterpoint.rhythm_WG": ((1 + VOICES) * BEATS * states, CONTINUATIONS),
    }
    if KEY in config.conditions and ENDING in config.conditions:
        shapes["counterpoint.cadence_HD"] = (2 * QUARTERS_LEFT * (1 + VOICES), OCTAVE)
    if config.lines:
        shapes["counterpoint.line_LJ"] = (tables.LINE_ROWS, tables.LINE_CONTINUATIONS)
    return shapes


def _block(config: ModelConfig) -> Shapes:
    width, hidden = config.width, config.feedforward
    return {
        **_norm("norm_attention", width),
        **_distances(config),
        "attention.project_in.weight": (3 * width, width),
        "attention.project_out.weight": (width, width),
        **_norm("norm_feedforward", width),
        **_linear("feedforward.0", width, hidden),
        **_linear("feedforward.2", hidden, width),
    }


def _distances(config: ModelConfig) -> Shapes:
    """Return the relative table of a layer; nothing in another scheme."""
    if config.scheme != "relative":
        return {}
    farthest = config.options.get("max_distance", _MAX_DISTANCE)
    rows = farthest + 1 if config.is_causal else 2 * farthest + 1
    heads = 1 if config.options.get("shared", False) else config.heads
    return {"attention.positional.table_HRd": (heads, rows, config.head_width)}


def _voice_heads(config: ModelConfig) -> Shapes:
    """Return the output layers of an infilling model."""
    distances = 2 * context_rows.number_of_pitches(config.tokens)
    outputs = config.tokens + context_rows.REFERENCES * distances + OCTAVE
    hidden = _INFILL_HIDDEN
    return {
        "head.weight": (VOICES, hidden, outputs),
        "head.bias": (VOICES, 1, outputs),
        **_linear("inner", config.width, VOICES * hidden),
        "embed_context.weight": (sum(context_rows.context_sizes(config.tokens)), hidden),
        "motion_biases.weight": (2 * tables.MOTIONS, distances),
        "chord_biases.weight": (3 * VOICES * distances, distances),
    }


def _linear(name: str, inputs: int, outputs: int) -> Shapes:
    return {f"{name}.weight": (outputs, inputs), f"{name}.bias": (outputs,)}


def _norm(name: str, width: int) -> Shapes:
    return {f"{name}.weight": (width,), f"{name}.bias": (width,)}
