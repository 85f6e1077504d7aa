"""Sequences to be decoded: conditions, prompt, sampling parameters and random numbers."""

from __future__ import annotations

from dataclasses import dataclass, replace

from musicrel.generation.sampling import Floats, Sampling, uniforms
from musicrel.tokens import codec
from musicrel.tokens.conditions import Rows


@dataclass(frozen=True, slots=True, kw_only=True)
class DecodeSequence:
    """A sequence to be decoded.

    Attributes:
        conditions_NC: int64 (N, C), condition rows of the whole piece, from START to END.
        seed: seed of the random numbers.
        sampling: sampling parameters.
        prompt: ids of the prompt, START first.
        switches: (index, stream) pairs: from the token ``index`` on, random numbers come from
            ``stream``.
    """

    conditions_NC: Rows
    seed: int
    sampling: Sampling
    prompt: codec.Ids
    switches: tuple[tuple[int, int], ...] = ()

    def with_stream(self, index: int, stream: int) -> DecodeSequence:
        """Return this sequence with random numbers from ``stream`` from the token ``index`` on."""
        return replace(self, switches=(*self.switches, (index, stream)))

    def uniforms(self, length: int) -> Floats:
        """Return the random numbers of the tokens with index 1 to ``length``, float64 (length,)."""
        numbers_N = uniforms(self.seed, length)
        for index, stream in self.switches:
            numbers_N[index - 1 :] = uniforms(self.seed, length, stream)[index - 1 :]
        return numbers_N
