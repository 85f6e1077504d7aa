"""All positional schemes by name: the only place where a model's arms differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Literal

from musicrel.errors import ModelError
from musicrel.model.config import ModelConfig
from musicrel.model.positions.base import EmbeddingPositions, PositionalAttention
from musicrel.model.positions.relative import RelativeAttention
from musicrel.model.positions.sinusoidal import SinusoidalPositions

Options = Mapping[str, Any]
_FARTHEST: Final = 16_384


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheme:
    """One positional scheme.

    Attributes:
        key: its name in recipes and cards.
        says: what it does, in a few words.
        beyond: what happens past the trained length.
        options: what it may be told, with the value it takes when it is not.
        embedding: makes the part that acts on the embeddings.
        attention: makes the part that acts in one layer's attention.
    """

    key: str
    says: str
    beyond: Literal["extends", "clips"]
    options: Options
    embedding: Callable[[ModelConfig, Options], EmbeddingPositions]
    attention: Callable[[ModelConfig, Options], PositionalAttention]


def _no_embedding(config: ModelConfig, options: Options) -> EmbeddingPositions:
    del config, options
    return EmbeddingPositions()


def _plain_attention(config: ModelConfig, options: Options) -> PositionalAttention:
    del config, options
    return PositionalAttention()


def _sinusoidal(config: ModelConfig, options: Options) -> EmbeddingPositions:
    del options
    return SinusoidalPositions(config.width, config.trained_length)


def _relative(config: ModelConfig, options: Options) -> PositionalAttention:
    return RelativeAttention(
        config.heads,
        config.head_width,
        max_distance=options["max_distance"],
        shared=options["shared"],
        causal=config.family == "causal",
    )


SCHEMES: Final[Mapping[str, Scheme]] = MappingProxyType(
    {
        scheme.key: scheme
        for scheme in (
            Scheme(
                key="sinusoidal",
                says="sinusoids added to the embeddings",
                beyond="extends",
                options={},
                embedding=_sinusoidal,
                attention=_plain_attention,
            ),
            Scheme(
                key="relative",
                says="a learned vector for every distance, met by the query",
                beyond="clips",
                options={"max_distance": 256, "shared": False},
                embedding=_no_embedding,
                attention=_relative,
            ),
        )
    }
)


def embedding_positions(config: ModelConfig) -> EmbeddingPositions:
    """The part of ``config``'s scheme that acts on the embeddings."""
    scheme = _scheme(config)
    return scheme.embedding(config, _options(scheme, config.options))


def positional_attention(config: ModelConfig) -> PositionalAttention:
    """The part of ``config``'s scheme that acts in one layer's attention."""
    scheme = _scheme(config)
    return scheme.attention(config, _options(scheme, config.options))


def _scheme(config: ModelConfig) -> Scheme:
    if config.scheme not in SCHEMES:
        raise ModelError(
            f"unknown positional scheme {config.scheme!r}: expected one of {', '.join(SCHEMES)}"
        )
    return SCHEMES[config.scheme]


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
        if expected is int and not 1 <= value <= _FARTHEST:
            raise ModelError(
                f"option {name} of scheme {scheme.key} is {value}: expected 1 to {_FARTHEST}"
            )
    return options
