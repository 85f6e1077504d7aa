"""All positional schemes by name: the only place where a model's arms differ."""

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
_FARTHEST: Final = 16_384
_LONGEST_LEARNED: Final = 3_200  # the longest bundled chorale has 3,090 tokens
_CHOICES: Final[Mapping[str, tuple[str, ...]]] = {"scaling": SCALINGS}
"""What the options that are words may be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheme:
    """One positional scheme.

    Attributes:
        key: its name in recipes and cards.
        says: what it does, in a few words.
        beyond: what happens past the trained length: it goes on, takes the farthest distance it
            knows, or refuses what its table does not reach.
        options: what it may be told, with the value it takes when it is not.
        drops: whether it has positions that ``position_dropout`` can drop.
        embedding: makes the part that acts on the embeddings.
        attention: makes the part that acts in one layer's attention.
    """

    key: str
    says: str
    beyond: Literal["extends", "clips", "refuses"]
    options: Options = field(default_factory=dict)
    drops: bool = True
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
            Scheme(key="none", says="no position at all", beyond="extends", drops=False),
            Scheme(
                key="sinusoidal",
                says="sinusoids added to the embeddings",
                beyond="extends",
                embedding=_sinusoidal,
            ),
            Scheme(
                key="sinusoidal_concat",
                says="sinusoids beside the embeddings, projected together",
                beyond="extends",
                embedding=_sinusoidal_concat,
            ),
            Scheme(
                key="learned",
                says="a learned vector for every position, added to the embeddings",
                beyond="refuses",
                options={"max_length": _LONGEST_LEARNED},
                embedding=_learned,
            ),
            Scheme(
                key="learned_sinusoidal",
                says="as learned, begun from the sinusoids",
                beyond="refuses",
                options={"max_length": _LONGEST_LEARNED},
                embedding=_learned_sinusoidal,
            ),
            Scheme(
                key="shaw",
                says="a learned vector for every distance, added to keys and values",
                beyond="clips",
                options={"max_distance": 128, "values": True},
                attention=_shaw,
            ),
            Scheme(
                key="relative",
                says="a learned vector for every distance, met by the query",
                beyond="clips",
                options={"max_distance": 256, "shared": False},
                attention=_relative,
            ),
            Scheme(
                key="bias",
                says="a learned number for every distance and head, added to the scores",
                beyond="clips",
                options={"max_distance": 128},
                attention=_bias,
            ),
            Scheme(
                key="transformer_xl",
                says="projected sinusoids of the distance, met by the query",
                beyond="extends",
                attention=_transformer_xl,
            ),
            Scheme(
                key="rope",
                says="queries and keys turned by their position",
                beyond="extends",
                options={"scaling": "none"},
                drops=False,
                attention=_rope,
            ),
            Scheme(
                key="alibi",
                says="a slope times the distance, taken off the scores",
                beyond="extends",
                drops=False,
                attention=_alibi,
            ),
        )
    }
)


def embedding_positions(config: ModelConfig) -> EmbeddingPositions:
    """The part of ``config``'s scheme that acts on the embeddings."""
    scheme = _scheme(config)
    made = scheme.embedding(config, _options(scheme, config.options))
    made.drop.p = _position_dropout(scheme, config)
    return made


def positional_attention(config: ModelConfig) -> PositionalAttention:
    """The part of ``config``'s scheme that acts in one layer's attention."""
    scheme = _scheme(config)
    made = scheme.attention(config, _options(scheme, config.options))
    made.drop.p = _position_dropout(scheme, config)
    return made


def _scheme(config: ModelConfig) -> Scheme:
    if config.scheme not in SCHEMES:
        raise ModelError(
            f"unknown positional scheme {config.scheme!r}: expected one of {', '.join(SCHEMES)}"
        )
    return SCHEMES[config.scheme]


def _position_dropout(scheme: Scheme, config: ModelConfig) -> float:
    if config.position_dropout and not scheme.drops:
        able = ", ".join(key for key, other in SCHEMES.items() if other.drops)
        raise ModelError(
            f"position_dropout is {config.position_dropout}, but scheme {scheme.key} adds nothing "
            f"that could be dropped: set it to 0, or choose one of {able}"
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
        if expected is int and not 1 <= value <= _FARTHEST:
            raise ModelError(
                f"option {name} of scheme {scheme.key} is {value}: expected 1 to {_FARTHEST}"
            )
    return options
