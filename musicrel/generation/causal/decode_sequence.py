"""Sequences to be decoded: conditions, prompt and random numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from musicrel.chorale import Key
from musicrel.generation.heads.replacement import replaced_heads
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import GenerationRequest
from musicrel.generation.sampling import Floats, uniforms
from musicrel.model.replaced_heads import ReplacedHeads
from musicrel.tokens import codec
from musicrel.tokens.conditions import Rows
from musicrel.tokens.vocabulary import START


@dataclass(frozen=True, slots=True, kw_only=True)
class DecodeSequence:
    """A sequence to be decoded.

    Attributes:
        conditions_NC: int64 (N, C), condition rows of the whole piece, from START to END.
        seed: seed of the random numbers.
        prompt: ids of the prompt, START first.
        key: key of the piece; None: unknown.
        replaced: heads that are replaced at all positions, the same for all sequences of a batch;
            None: none.
    """

    conditions_NC: Rows
    seed: int
    prompt: codec.Ids
    key: Key | None = None
    replaced: ReplacedHeads | None = None

    @classmethod
    def of(cls, model: LoadedModel, request: GenerationRequest, locked_tokens: codec.Ids) -> Self:
        """Return the sequence of ``request`` without a prompt.

        Args:
            model: a causal model.
            request: seed and conditions.
            locked_tokens: int64 (4 T,), the token of every locked cell, -1 elsewhere.

        Raises:
            UsageError: a head is muted that the model does not have.
            ModelError: the means that replace muted heads are not known.
        """
        given = request.given_conditions()
        conditions_NC = model.condition_rows(request.plan(), given, locked_tokens)
        return cls(
            conditions_NC=conditions_NC,
            seed=request.seed,
            prompt=np.array([START]),
            key=request.key,
            replaced=replaced_heads(model, request.mutes),
        )

    def uniforms(self, length: int) -> Floats:
        """Return the random numbers of the tokens with index 1 to ``length``, float64 (length,)."""
        return uniforms(self.seed, length)
