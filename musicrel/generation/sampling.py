"""Sampling: a temperature is applied, and a token drawn.

Causal and infill models share the ``Sampler``; ``causal.compiled_choice`` does the same in a
compiled loop and is tested against it. A random number depends on seed, stream and index alone, so
a choice never depends on the rest of the batch.

Dimensions: B sequences, V vocabulary; "..." are any further dimensions or none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from musicrel.chorale import Flags

if TYPE_CHECKING:
    from musicrel.generation.request import GenerationRequest

Floats: TypeAlias = npt.NDArray[np.float64]
Logits: TypeAlias = npt.NDArray[np.float32]
Tokens: TypeAlias = npt.NDArray[np.int64]

# Separates the streams of a seed from other random numbers with the same seed.
_STREAM_KEY: Final = 2


def uniforms(seed: int, length: int, stream: int = 0) -> Floats:
    """Return random numbers in [0, 1), float64 (length,); more begin with the same numbers."""
    source = [seed, _STREAM_KEY, stream] if stream else seed
    return np.random.Generator(np.random.PCG64(source)).random(length)


_LEAST: Final = np.finfo(np.float64).tiny


class Sampler(NamedTuple):
    """A sampler of tokens.

    Attributes:
        temperature: divisor of the logits; 0 takes the largest logit.
        top_k: number of most probable tokens to choose from; 0: all.
        top_p: cumulative probability of the most probable tokens to choose from (nucleus sampling,
            Holtzman et al. 2020).
        first_hold: first of the tokens that hold a note; 0: there are none. Both filters narrow
            which note begins, not whether one does: one that is likely as a whole, but at no single
            pitch, would be filtered out otherwise.
    """

    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    first_hold: int = 0

    @classmethod
    def of(cls, request: GenerationRequest) -> Self:
        return cls(request.temperature, request.top_k, request.top_p)

    def choose(self, logits: Floats, legal: Flags, uniforms: npt.ArrayLike) -> Tokens:
        """Sample a token, int64 (...), by logits (..., V), among legal ones, at least one each."""
        return self.draw(self.filtered(self.weights(logits, legal)), uniforms)

    def weights(self, logits: Floats, legal: Flags) -> Floats:
        """Return exp(logit / temperature) relative to the largest, 0 where illegal, (..., V)."""
        legal_logits = np.where(legal, logits, -np.inf)
        shifted: Floats = legal_logits - legal_logits.max(axis=-1, keepdims=True)
        if self.temperature == 0:
            return np.asarray(shifted == 0, dtype=np.float64)
        with np.errstate(over="ignore"):  # towards temperature 0 the others go to -inf
            return np.asarray(np.exp(shifted / self.temperature))

    def filtered(self, weights: Floats) -> Floats:
        """Return the weights, 0 where top-k or top-p filters a token out, (..., V)."""
        if self.temperature == 0 or not (self.top_k or self.top_p < 1.0):
            return weights
        begun, held = np.split(weights, [self.first_hold or weights.shape[-1]], axis=-1)
        order = np.argsort(-begun, axis=-1, kind="stable")
        ordered, total = np.take_along_axis(begun, order, axis=-1), begun.sum(-1, keepdims=True)
        share = ordered / np.maximum(total, _LEAST)
        before, tokens = share.cumsum(axis=-1) - share, share.shape[-1]
        kept = (before < self.top_p) & (np.arange(tokens) < (self.top_k or tokens))
        filtered: Floats = np.zeros_like(begun)
        np.put_along_axis(filtered, order, np.where(kept, ordered, 0.0), axis=-1)
        scale = total / np.maximum(filtered.sum(-1, keepdims=True), _LEAST)
        return np.concatenate([filtered * scale, held], axis=-1)

    def draw(self, weights: Floats, uniforms: npt.ArrayLike) -> Tokens:
        """Draw a token by inverting the cumulative weights; at temperature 0 take the largest."""
        if self.temperature == 0:
            return np.asarray(weights.argmax(axis=-1))
        cumulative = weights.cumsum(axis=-1)
        end = cumulative[..., -1:]
        target = np.minimum(np.asarray(uniforms)[..., None] * end, np.nextafter(end, 0.0))
        return np.asarray((cumulative <= target).sum(axis=-1))


def log_softmax(logits_BV: Floats) -> Floats:
    """Return the log-probabilities of logits, float64 (B, V)."""
    shifted_BV = logits_BV - logits_BV.max(axis=1, keepdims=True)
    normalised: Floats = shifted_BV - np.log(np.exp(shifted_BV).sum(axis=1, keepdims=True))
    return normalised


class Choice(NamedTuple):
    """The next token of each sequence, and the model's opinion before temperature and masking."""

    tokens: Tokens
    log_probability: Floats  # in nats
    entropy: Floats  # in nats
    legal_share: Floats  # probability that the token is a legal one

    def at(self, places: Any) -> Choice:
        return Choice(
            self.tokens[places],
            self.log_probability[places],
            self.entropy[places],
            self.legal_share[places],
        )
