"""All positional schemes by name: the only difference between the arms of a comparison.

CONTRIBUTING.md describes how to add one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, Literal

from musicrel.errors import ModelError
from musicrel.language import tr
from musicrel.model.config import ModelConfig
from musicrel.model.positions.base import EmbeddingPositions, PositionalAttention
from musicrel.model.positions.darope import DataAwareRotation
from musicrel.model.positions.decay import LearnedDecay
from musicrel.model.positions.distance_bias import LearnedBias, LinearBias, LogarithmicBias
from musicrel.model.positions.fire import FunctionalBias
from musicrel.model.positions.fox import ForgettingAttention
from musicrel.model.positions.hope import HighFrequencyRotation
from musicrel.model.positions.learned import LearnedPositions
from musicrel.model.positions.musical import MusicalGrid, MusicalRotation
from musicrel.model.positions.pope import INITIAL_PHASES, PolarAttention
from musicrel.model.positions.relative import RelativeAttention
from musicrel.model.positions.rope import SCALINGS, RotaryAttention
from musicrel.model.positions.shaw import ShawAttention
from musicrel.model.positions.sinusoidal import ConcatenatedSinusoids, SinusoidalPositions
from musicrel.model.positions.transformer_xl import TransformerXLAttention

Options = Mapping[str, Any]
_MAX_OPTION_VALUE: Final = 16_384
_MAX_LEARNED_LENGTH: Final = 3_200  # the longest bundled chorale has 3,090 tokens
_CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "scaling": SCALINGS,
    "initial_phase": INITIAL_PHASES,
}
"""Options with a fixed set of values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheme:
    """One positional scheme."""

    key: str
    summary: str  # description in a few words
    # behaviour beyond the trained length: ``extends`` to any length, ``clips`` distances to the
    # largest one of its table, or ``refuses`` positions beyond its table
    extrapolation: Literal["extends", "clips", "refuses"]
    options: Options = field(default_factory=dict)  # options and their default values
    supports_dropout: bool = True
    # numbers of a cached key of a head of this width
    key_width: Callable[[int], int] = lambda width: width
    # factory of the part that acts on the embeddings
    embedding: Callable[[ModelConfig, Options], EmbeddingPositions] = lambda *_: (
        EmbeddingPositions()
    )
    # factory of the part that acts in the attention of one layer
    attention: Callable[[ModelConfig, Options], PositionalAttention] = lambda *_: (
        PositionalAttention()
    )


SCHEMES: Final[Mapping[str, Scheme]] = MappingProxyType(
    {
        scheme.key: scheme
        for scheme in (
            Scheme(
                key="none",
                summary=tr("no position at all"),
                extrapolation="extends",
                supports_dropout=False,
            ),
            Scheme(
                key="sinusoidal",
                summary=tr("sinusoids added to the embeddings"),
                extrapolation="extends",
                embedding=lambda c, _: SinusoidalPositions(c.width, c.trained_length),
            ),
            Scheme(
                key="sinusoidal_concat",
                summary=tr("sinusoids concatenated with the embeddings, projected back"),
                extrapolation="extends",
                embedding=lambda c, _: ConcatenatedSinusoids(c.width, c.trained_length),
            ),
            Scheme(
                key="learned",
                summary=tr("a learned vector for every position, added to the embeddings"),
                extrapolation="refuses",
                options={"max_length": _MAX_LEARNED_LENGTH},
                embedding=lambda c, o: LearnedPositions(c.width, **o),
            ),
            Scheme(
                key="learned_sinusoidal",
                summary=tr("as learned, initialised with the sinusoids"),
                extrapolation="refuses",
                options={"max_length": _MAX_LEARNED_LENGTH},
                embedding=lambda c, o: LearnedPositions(c.width, **o, from_sinusoids=True),
            ),
            Scheme(
                key="shaw",
                summary=tr("a learned vector for every distance, added to keys and values"),
                extrapolation="clips",
                options={"max_distance": 128, "values": True},
                attention=lambda c, o: ShawAttention(c.head_width, **o, causal=c.is_causal),
            ),
            Scheme(
                key="relative",
                summary=tr("a learned vector for every distance, dotted with the query"),
                extrapolation="clips",
                options={"max_distance": 256, "shared": False},
                attention=lambda c, o: RelativeAttention(
                    c.heads, c.head_width, **o, causal=c.is_causal
                ),
            ),
            Scheme(
                key="bias",
                summary=tr("a learned number for every distance and head, added to the scores"),
                extrapolation="clips",
                options={"max_distance": 128},
                attention=lambda c, o: LearnedBias(c.heads, **o, causal=c.is_causal),
            ),
            Scheme(
                key="transformer_xl",
                summary=tr("projected sinusoids of the distance, dotted with the query"),
                extrapolation="extends",
                attention=lambda c, _: TransformerXLAttention(c.width, c.heads),
            ),
            Scheme(
                key="rope",
                summary=tr("queries and keys rotated by their position"),
                extrapolation="extends",
                options={"scaling": "none"},
                supports_dropout=False,
                attention=lambda c, o: RotaryAttention(
                    c.head_width, trained_length=c.trained_length, **o
                ),
            ),
            Scheme(
                key="alibi",
                summary=tr("a slope times the distance, subtracted from the scores"),
                extrapolation="extends",
                supports_dropout=False,
                attention=lambda c, _: LinearBias(c.heads),
            ),
            Scheme(
                key="rope_decay",
                summary=tr("as rope, and a learned slope times the distance is subtracted"),
                extrapolation="extends",
                supports_dropout=False,
                attention=lambda c, _: LearnedDecay(
                    RotaryAttention(c.head_width, trained_length=c.trained_length), c.heads
                ),
            ),
            Scheme(
                key="hope",
                summary=tr("as rope, but pairs slower than the window are not rotated"),
                extrapolation="extends",
                supports_dropout=False,
                attention=lambda c, _: HighFrequencyRotation(
                    c.head_width, trained_length=c.trained_length
                ),
            ),
            Scheme(
                key="darope",
                summary=tr(
                    "as rope, but slow pairs rotated by a coordinate learned from the token"
                ),
                extrapolation="extends",
                supports_dropout=False,
                attention=lambda c, _: DataAwareRotation(
                    c.width, c.heads, trained_length=c.trained_length
                ),
            ),
            Scheme(
                key="pope",
                summary=tr("sizes of queries and keys, with the angles of their positions"),
                extrapolation="extends",
                options={"initial_phase": "uniform"},
                supports_dropout=False,
                key_width=lambda width: 2 * width,
                attention=lambda c, o: PolarAttention(c.heads, c.head_width, **o),
            ),
            Scheme(
                key="pope_decay",
                summary=tr("as pope, and a learned slope times the distance is subtracted"),
                extrapolation="extends",
                options={"initial_phase": "uniform"},
                supports_dropout=False,
                key_width=lambda width: 2 * width,
                attention=lambda c, o: LearnedDecay(
                    PolarAttention(c.heads, c.head_width, **o), c.heads
                ),
            ),
            Scheme(
                key="musical",
                summary=tr("queries and keys rotated by bar, beat, voice and pitch"),
                extrapolation="extends",
                supports_dropout=False,
                embedding=lambda c, _: MusicalGrid(c),
                attention=lambda c, _: MusicalRotation(c.head_width),
            ),
            Scheme(
                key="kerple",
                summary=tr("a learned logarithm of the distance, subtracted from the scores"),
                extrapolation="extends",
                supports_dropout=False,
                attention=lambda c, _: LogarithmicBias(c.heads),
            ),
            Scheme(
                key="fire",
                summary=tr("a learned function of the distance as a share of the longest one"),
                extrapolation="extends",
                options={"threshold": 512},
                supports_dropout=False,
                attention=lambda c, o: FunctionalBias(c.heads, **o),
            ),
            Scheme(
                key="fox",
                summary=tr("each token decides how far what lies before it is forgotten"),
                extrapolation="extends",
                supports_dropout=False,
                key_width=lambda width: width + 1,
                attention=lambda c, _: ForgettingAttention(c.width, c.heads),
            ),
        )
    }
)


def embedding_positions(config: ModelConfig) -> EmbeddingPositions:
    """Build the part of the scheme of ``config`` that acts on the embeddings."""
    scheme, options = _checked(config)
    module = scheme.embedding(config, options)
    module.drop.p = config.position_dropout
    return module


def positional_attention(config: ModelConfig) -> PositionalAttention:
    """Build the part of the scheme of ``config`` that acts in the attention of one layer."""
    scheme, options = _checked(config)
    module = scheme.attention(config, options)
    module.drop.p = config.position_dropout
    return module


def key_width(config: ModelConfig) -> int:
    """Return the numbers of a cached key of one head."""
    return SCHEMES[config.scheme].key_width(config.head_width)


def _checked(config: ModelConfig) -> tuple[Scheme, Options]:
    if config.scheme not in SCHEMES:
        raise ModelError(
            f"unknown positional scheme {config.scheme!r}: expected one of {', '.join(SCHEMES)}"
        )
    scheme = SCHEMES[config.scheme]
    if config.position_dropout and not scheme.supports_dropout:
        supporting = ", ".join(key for key, other in SCHEMES.items() if other.supports_dropout)
        raise ModelError(
            f"position_dropout is {config.position_dropout}, but scheme {scheme.key} adds nothing "
            f"that could be dropped: set it to 0, or choose one of {supporting}"
        )
    unknown = set(config.options) - set(scheme.options)
    if unknown:
        raise ModelError(
            f"scheme {scheme.key} has no option {', '.join(sorted(unknown))}: "
            f"it takes {', '.join(scheme.options) or 'none'}"
        )
    for name, value in config.options.items():
        _check_option(scheme, name, value)
    return scheme, {**scheme.options, **config.options}


def _check_option(scheme: Scheme, name: str, value: object) -> None:
    kind, where = type(scheme.options[name]), f"option {name} of scheme {scheme.key}"
    if type(value) is not kind:
        raise ModelError(f"{where} is {value!r}: expected {kind.__name__}")
    if name in _CHOICES and value not in _CHOICES[name]:
        raise ModelError(f"{where} is {value!r}: expected one of {', '.join(_CHOICES[name])}")
    if type(value) is int and not 1 <= value <= _MAX_OPTION_VALUE:
        raise ModelError(f"{where} is {value}: expected 1 to {_MAX_OPTION_VALUE}")
