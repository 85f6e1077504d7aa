"""All positional schemes by name: the only difference between the arms of a comparison.

To add a scheme:

1. Write its module in this package, on a base class of ``base`` or ``explicit``.
2. Add its factory and its row of ``SCHEMES`` here.
3. Add its label in ``musicrel.presentation.words.display_names``.
4. Add its formula, computed naively, in ``tests/helpers/naive_schemes.py``; its tests use it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, Literal

from musicrel.errors import ModelError
from musicrel.model.config import ModelConfig
from musicrel.model.positions.alibi import LinearBias
from musicrel.model.positions.base import EmbeddingPositions, PositionalAttention
from musicrel.model.positions.bias import LearnedBias
from musicrel.model.positions.learned import LearnedPositions
from musicrel.model.positions.relative import RelativeAttention
from musicrel.model.positions.rope import SCALINGS, RotaryAttention
from musicrel.model.positions.shaw import ShawAttention
from musicrel.model.positions.sinusoidal import SinusoidalPositions
from musicrel.model.positions.sinusoidal_concat import ConcatenatedSinusoids
from musicrel.model.positions.transformer_xl import TransformerXLAttention

Options = Mapping[str, Any]
_MAX_OPTION_VALUE: Final = 16_384
_MAX_LEARNED_LENGTH: Final = 3_200  # the longest bundled chorale has 3,090 tokens
_CHOICES: Final[Mapping[str, tuple[str, ...]]] = {"scaling": SCALINGS}
"""Options with a fixed set of values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheme:
    """One positional scheme.

    Attributes:
        key: its name in recipes and cards.
        summary: description in a few words.
        extrapolation: behaviour beyond the trained length: ``extends`` to any length, ``clips``
            distances to the largest one of its table, or ``refuses`` positions beyond its table.
        options: options and their default values.
        supports_dropout: whether ``position_dropout`` applies.
        embedding: factory of the part that acts on the embeddings.
        attention: factory of the part that acts in the attention of one layer.
    """

    key: str
    summary: str
    extrapolation: Literal["extends", "clips", "refuses"]
    options: Options = field(default_factory=dict)
    supports_dropout: bool = True
    embedding: Callable[[ModelConfig, Options], EmbeddingPositions] = lambda *_: (
        EmbeddingPositions()
    )
    attention: Callable[[ModelConfig, Options], PositionalAttention] = lambda *_: (
        PositionalAttention()
    )


def _sinusoidal(config: ModelConfig, options: Options) -> EmbeddingPositions:
    del options
    return SinusoidalPositions(config.width, config.trained_length)


def _relative(config: ModelConfig, options: Options) -> PositionalAttention:
    return RelativeAttention(
        config.heads,
        config.head_width,
        max_distance=options["max_distance"],
        shared=options["shared"],
        causal=config.is_causal,
    )


def _sinusoidal_concat(config: ModelConfig, options: Options) -> EmbeddingPositions:
    del options
    return ConcatenatedSinusoids(config.width, config.trained_length)


def _learned(config: ModelConfig, options: Options) -> EmbeddingPositions:
    return LearnedPositions(config.width, options["max_length"], from_sinusoids=False)


def _learned_sinusoidal(config: ModelConfig, options: Options) -> EmbeddingPositions:
    return LearnedPositions(config.width, options["max_length"], from_sinusoids=True)


def _shaw(config: ModelConfig, options: Options) -> PositionalAttention:
    return ShawAttention(config.head_width, **options, causal=config.is_causal)


def _bias(config: ModelConfig, options: Options) -> PositionalAttention:
    return LearnedBias(config.heads, **options, causal=config.is_causal)


def _transformer_xl(config: ModelConfig, options: Options) -> PositionalAttention:
    del options
    return TransformerXLAttention(config.width, config.heads)


def _rope(config: ModelConfig, options: Options) -> PositionalAttention:
    return RotaryAttention(config.head_width, trained_length=config.trained_length, **options)


def _alibi(config: ModelConfig, options: Options) -> PositionalAttention:
    del options
    return LinearBias(config.heads)


SCHEMES: Final[Mapping[str, Scheme]] = MappingProxyType(
    {
        scheme.key: scheme
        for scheme in (
            Scheme(
                key="none",
                summary="no position at all",
                extrapolation="extends",
                supports_dropout=False,
            ),
            Scheme(
                key="sinusoidal",
                summary="sinusoids added to the embeddings",
                extrapolation="extends",
                embedding=_sinusoidal,
            ),
            Scheme(
                key="sinusoidal_concat",
                summary="sinusoids concatenated with the embeddings, projected back",
                extrapolation="extends",
                embedding=_sinusoidal_concat,
            ),
            Scheme(
                key="learned",
                summary="a learned vector for every position, added to the embeddings",
                extrapolation="refuses",
                options={"max_length": _MAX_LEARNED_LENGTH},
                embedding=_learned,
            ),
            Scheme(
                key="learned_sinusoidal",
                summary="as learned, initialised with the sinusoids",
                extrapolation="refuses",
                options={"max_length": _MAX_LEARNED_LENGTH},
                embedding=_learned_sinusoidal,
            ),
            Scheme(
                key="shaw",
                summary="a learned vector for every distance, added to keys and values",
                extrapolation="clips",
                options={"max_distance": 128, "values": True},
                attention=_shaw,
            ),
            Scheme(
                key="relative",
                summary="a learned vector for every distance, dotted with the query",
                extrapolation="clips",
                options={"max_distance": 256, "shared": False},
                attention=_relative,
            ),
            Scheme(
                key="bias",
                summary="a learned number for every distance and head, added to the scores",
                extrapolation="clips",
                options={"max_distance": 128},
                attention=_bias,
            ),
            Scheme(
                key="transformer_xl",
                summary="projected sinusoids of the distance, dotted with the query",
                extrapolation="extends",
                attention=_transformer_xl,
            ),
            Scheme(
                key="rope",
                summary="queries and keys rotated by their position",
                extrapolation="extends",
                options={"scaling": "none"},
                supports_dropout=False,
                attention=_rope,
            ),
            Scheme(
                key="alibi",
                summary="a slope times the distance, subtracted from the scores",
                extrapolation="extends",
                supports_dropout=False,
                attention=_alibi,
            ),
        )
    }
)


def embedding_positions(config: ModelConfig) -> EmbeddingPositions:
    """Build the part of the scheme of ``config`` that acts on the embeddings."""
    scheme = _scheme(config)
    module = scheme.embedding(config, _options(scheme, config.options))
    module.drop.p = _position_dropout(scheme, config)
    return module


def positional_attention(config: ModelConfig) -> PositionalAttention:
    """Build the part of the scheme of ``config`` that acts in the attention of one layer."""
    scheme = _scheme(config)
    module = scheme.attention(config, _options(scheme, config.options))
    module.drop.p = _position_dropout(scheme, config)
    return module


def _scheme(config: ModelConfig) -> Scheme:
    if config.scheme not in SCHEMES:
        raise ModelError(
            f"unknown positional scheme {config.scheme!r}: expected one of {', '.join(SCHEMES)}"
        )
    return SCHEMES[config.scheme]


def _position_dropout(scheme: Scheme, config: ModelConfig) -> float:
    if config.position_dropout and not scheme.supports_dropout:
        supporting = ", ".join(key for key, other in SCHEMES.items() if other.supports_dropout)
        raise ModelError(
            f"position_dropout is {config.position_dropout}, but scheme {scheme.key} adds nothing "
            f"that could be dropped: set it to 0, or choose one of {supporting}"
        )
    return config.position_dropout


def _options(scheme: Scheme, given: Options) -> Options:
    unknown = set(given) - set(scheme.options)
    if unknown:
        raise ModelError(
            f"scheme {scheme.key} has no option {', '.join(sorted(unknown))}: "
            f"it takes {', '.join(scheme.options) or 'none'}"
        )
    options = {**scheme.options, **given}
    for name, value in options.items():
        expected = type(scheme.options[name])
        if type(value) is not expected:
            raise ModelError(
                f"option {name} of scheme {scheme.key} is {value!r}: expected {expected.__name__}"
            )
        if name in _CHOICES and value not in _CHOICES[name]:
            raise ModelError(
                f"option {name} of scheme {scheme.key} is {value!r}: expected one of "
                f"{', '.join(_CHOICES[name])}"
            )
        if expected is int and not 1 <= value <= _MAX_OPTION_VALUE:
            raise ModelError(
                f"option {name} of scheme {scheme.key} is {value}: expected 1 to "
                f"{_MAX_OPTION_VALUE}"
            )
    return options
