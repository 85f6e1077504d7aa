"""Choosers: from logits to the next token of every sequence, with what the model thinks of it.

Loops choose, compiled where that is possible. A token that would recur is raised before it is drawn
(``recurrence``); what is reported is the model's opinion alone.

Dimensions: B sequences, N tokens so far, V vocabulary.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from musicrel.chorale import Flags
from musicrel.errors import GenerationError
from musicrel.generation import kernel
from musicrel.generation.causal.recurrence import Match, recurrences_of
from musicrel.generation.constraints.cell_constraints import Constraints
from musicrel.generation.sampling import Choice, Floats, Sampler, Sampling
from musicrel.tokens import codec


class Legality(Protocol):
    """A mask of the legal tokens."""

    def legal_next_tokens(self, ids_BN: codec.Ids) -> Flags:
        """Return the legal tokens at index N, bool (B, V), at least one for each row.

        Args:
            ids_BN: int64 (B, N), tokens so far, START first.
        """
        ...


class Chooser:
    """A strategy that chooses the next tokens.

    Args:
        legality: mask of legal tokens; if it has tables it is asked only where its rules leave no
            token, so that it can record that.
    """

    def __init__(self, legality: Legality, sampler: Sampler, model: str) -> None:
        from musicrel.generation.causal import compiled_choice  # noqa: PLC0415  # it imports numba

        is_compiled = kernel.works("the choice of tokens", compiled_choice.run_once)
        self._loops: Any = compiled_choice if is_compiled else compiled_choice.in_python()
        self._legality, self._model, self._past = legality, model, recurrences_of(legality)
        self._tables = legality.tables() if isinstance(legality, Constraints) else None
        self._sampler = float(sampler.temperature), sampler.top_k, float(sampler.top_p)

    @np.errstate(all="ignore")
    def choose(
        self, ids_BN: codec.Ids, index: int, logits_BV: Floats, uniforms_B: Floats
    ) -> Choice:
        """Choose the tokens at ``index``.

        Args:
            ids_BN: int64, the tokens before it, START first; later columns are not read.
            logits_BV: float64, unnormalised log-probabilities of a model.
            uniforms_B: float64 in [0, 1).

        Raises:
            GenerationError: a logit of a legal token is not finite.
        """
        rows, ids_BN = len(logits_BV), np.ascontiguousarray(ids_BN)
        legal_BV, drawn_BV = self._legal(ids_BN, index, logits_BV.shape), logits_BV
        for past in self._past:
            if past.applies(index):
                match = Match(np.empty(rows, np.int64), np.empty(rows, np.int64))
                self._loops.find_matches(ids_BN, index, past, match)
                drawn_BV = past.raised(drawn_BV, match)
        uniforms_B = np.ascontiguousarray(uniforms_B, dtype=np.float64)
        sampling = Sampling(*self._sampler, uniforms_B)
        choice = Choice(np.empty(rows, np.int64), *(np.empty(rows) for _ in range(3)))
        if not self._loops.choose(legal_BV, logits_BV, drawn_BV, sampling, choice):
            raise GenerationError(
                f"model {self._model!r} gives no distribution at step {codec.cell_of(index)[0]}: "
                "its weights are broken"
            )
        return choice

    def _legal(self, ids_BN: codec.Ids, index: int, shape: tuple[int, ...]) -> Flags:
        """Return the legal tokens, bool (B, V)."""
        legal_BV = np.empty(shape, dtype=np.bool_)
        if self._tables is None:
            return np.ascontiguousarray(self._legality.legal_next_tokens(ids_BN[:, :index]))
        if not self._loops.mark_all_legal(ids_BN, index, self._tables, legal_BV):
            self._legality.legal_next_tokens(ids_BN[:, :index])
        return legal_BV
