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
from musicrel.generation.causal.recurrence import Recurrence, recurrences_of
from musicrel.generation.constraints.cell_constraints import Constraints, RuleTables
from musicrel.generation.sampling import Choice, Floats, Sampler
from musicrel.tokens import codec


class Legality(Protocol):
    """A mask of the legal tokens."""

    def legal_next_tokens(self, ids_BN: codec.Ids) -> Flags:
        """Return the legal tokens at index N, bool (B, V), at least one for each row."""
        ...


class Chooser:
    """A strategy that chooses the next tokens.

    Args:
        legality: mask of legal tokens; ``Constraints`` are asked only where their rules leave no
            token, so that they can record that.
    """

    def __init__(self, legality: Legality, sampler: Sampler, model: str) -> None:
        from musicrel.generation.causal import compiled_choice  # noqa: PLC0415  # it imports numba

        is_compiled = kernel.works("the choice of tokens", compiled_choice.run_once)
        self._loops: Any = compiled_choice if is_compiled else compiled_choice.in_python()
        self._legality, self._model = legality, model
        self._tables: RuleTables | None = None
        self._past: tuple[Recurrence, ...] = ()
        if isinstance(legality, Constraints):
            self._tables, self._past = legality.tables(), recurrences_of(legality)
        self._sampler = Sampler(float(sampler.temperature), sampler.top_k, float(sampler.top_p))

    @np.errstate(all="ignore")
    def choose(
        self,
        ids_BN: codec.Ids,
        index: int,
        logits_BV: Floats,
        uniforms_B: Floats,
        narrowed_BV: Flags | None = None,
    ) -> Choice:
        """Choose the tokens at ``index``.

        Args:
            ids_BN: the tokens before it, START first; later columns are not read.
            narrowed_BV: legal tokens instead of those of the mask.

        Raises:
            GenerationError: a logit of a legal token is not finite.
        """
        ids_BN = np.ascontiguousarray(ids_BN)
        legal_BV = self._legal(ids_BN, index, logits_BV) if narrowed_BV is None else narrowed_BV
        drawn_BV = logits_BV
        for past in self._past:
            if past.applies(index):
                drawn_BV = past.raised(drawn_BV, self._loops.find_matches(ids_BN, index, past))
        uniforms_B = np.ascontiguousarray(uniforms_B, dtype=np.float64)
        choice: Choice = self._loops.choose(
            np.ascontiguousarray(legal_BV), logits_BV, drawn_BV, uniforms_B, self._sampler
        )
        if (choice.tokens < 0).any():
            raise GenerationError(
                f"model {self._model!r} gives no distribution at step {codec.cell_of(index)[0]}: "
                "its weights are broken"
            )
        return choice

    def _legal(self, ids_BN: codec.Ids, index: int, logits_BV: Floats) -> Flags:
        if self._tables is None:
            return self._legality.legal_next_tokens(ids_BN[:, :index])
        legal_BV = np.empty(logits_BV.shape, dtype=np.bool_)
        if not self._loops.mark_all_legal(ids_BN, index, self._tables, legal_BV):
            self._legality.legal_next_tokens(ids_BN[:, :index])
        return legal_BV
