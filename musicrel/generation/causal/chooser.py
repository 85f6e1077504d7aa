"""Choosers: from logits to the next token of every sequence, with what the model thinks of it.

Constraints that have tables, and the sampler, are read by compiled loops where these are
available; NumPy chooses everywhere else. A token that would recur is raised before
it is drawn (``recurrence``); what is reported is the model's opinion alone.

Dimensions: B sequences, N tokens so far, V vocabulary.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np

from musicrel.chorale import Flags
from musicrel.errors import GenerationError
from musicrel.generation import kernel
from musicrel.generation.causal.recurrence import Match, Recurrence, recurrences_of
from musicrel.generation.constraints.rule_tables import RuleTables
from musicrel.generation.sampling import Floats, Sampler, Tokens, log_softmax
from musicrel.tokens import codec


class Legality(Protocol):
    """A mask of the legal tokens."""

    def legal_next_tokens(self, ids_BN: codec.Ids) -> Flags:
        """Return the legal tokens at index N, bool (B, V), at least one for each row.

        Args:
            ids_BN: int64 (B, N), tokens so far, START first.
        """
        ...


@runtime_checkable
class TabledLegality(Legality, Protocol):
    """A mask of the legal tokens that can be looked up."""

    def tables(self) -> RuleTables:
        """Return the tables of the mask."""
        ...


class Choice(NamedTuple):
    """The next token of each sequence.

    Attributes:
        tokens: int64 (B,).
        log_probability: float64 (B,), in nats under the model, before temperature and masking.
        entropy: float64 (B,), of the model's distribution, in nats.
        legal_share: float64 (B,), probability under the model that the token is a legal one.
    """

    tokens: Tokens
    log_probability: Floats
    entropy: Floats
    legal_share: Floats

    def at(self, places: Any) -> Choice:
        """Return the choices at some indices of every array."""
        return Choice(
            self.tokens[places],
            self.log_probability[places],
            self.entropy[places],
            self.legal_share[places],
        )


class Chooser(Protocol):
    """A strategy that chooses the next tokens."""

    def choose(
        self, ids_BN: codec.Ids, index: int, logits_BV: Floats, uniforms_B: Floats
    ) -> Choice:
        """Choose the tokens at ``index``.

        Args:
            ids_BN: int64, the tokens before it, START first; later columns are not read.
            index: index of the tokens.
            logits_BV: float64, unnormalised log-probabilities of a model.
            uniforms_B: float64 in [0, 1).

        Raises:
            GenerationError: a logit of a legal token is not finite.
        """
        ...


class NumPyChooser:
    """A chooser by NumPy: the reference.

    Args:
        legality: mask of legal tokens.
        sampler: the sampler.
        model: name of the model, for messages.
    """

    def __init__(self, legality: Legality, sampler: Sampler, model: str) -> None:
        self._legality, self._sampler, self._model = legality, sampler, model
        self._past = recurrences_of(legality)

    def choose(
        self, ids_BN: codec.Ids, index: int, logits_BV: Floats, uniforms_B: Floats
    ) -> Choice:
        """Choose the tokens at ``index``; see ``Chooser``."""
        legal_BV = self._legality.legal_next_tokens(ids_BN[:, :index])
        if not np.isfinite(logits_BV[legal_BV]).all():
            raise _broken(self._model, index)
        drawn_BV = _drawn_from(self._past, Recurrence.find, ids_BN, index, logits_BV)
        tokens_B = self._sampler.choose(drawn_BV, legal_BV, uniforms_B)
        log_p_BV = log_softmax(logits_BV)
        p_BV = np.exp(log_p_BV)
        return Choice(
            tokens=tokens_B,
            log_probability=log_p_BV[np.arange(len(tokens_B)), tokens_B],
            entropy=-(p_BV * log_p_BV).sum(axis=1),
            legal_share=np.where(legal_BV, p_BV, 0.0).sum(axis=1),
        )


class CompiledChooser:
    """A chooser by compiled loops, with the tokens of the reference.

    Args:
        legality: mask of legal tokens; it is asked only where its rules leave no token, so that it
            can record that.
        sampler: the sampler.
        model: name of the model, for messages.
    """

    def __init__(self, legality: TabledLegality, sampler: Sampler, model: str) -> None:
        from musicrel.generation.causal import compiled_choice  # noqa: PLC0415  # it imports numba

        self._kernel, self._legality, self._model = compiled_choice, legality, model
        self._tables, self._past = legality.tables(), recurrences_of(legality)
        self._sampling = compiled_choice.Sampling(
            float(sampler.temperature), sampler.top_k, float(sampler.top_p)
        )

    def choose(
        self, ids_BN: codec.Ids, index: int, logits_BV: Floats, uniforms_B: Floats
    ) -> Choice:
        """Choose the tokens at ``index``; see ``Chooser``."""
        rows = len(logits_BV)
        found = self._kernel.Choices(
            tokens_B=np.empty(rows, dtype=np.int64),
            log_probability_B=np.empty(rows),
            entropy_B=np.empty(rows),
            legal_share_B=np.empty(rows),
            outcome_B=np.empty(rows, dtype=np.int64),
        )
        ids_BN = np.ascontiguousarray(ids_BN)
        drawn_BV = _drawn_from(self._past, self._find, ids_BN, index, logits_BV)
        uniforms_B = np.ascontiguousarray(uniforms_B, dtype=np.float64)
        given = self._kernel.Given(ids_BN, index, logits_BV, drawn_BV, uniforms_B)
        self._kernel.choose(given, self._tables, self._sampling, found)
        if found.outcome_B.any():
            self._report(ids_BN, index, found.outcome_B)
        return Choice(*found[:-1])

    def _find(self, past: Recurrence, ids_BN: codec.Ids, index: int) -> Match:
        """Return the best match of each sequence; see ``Recurrence.find``."""
        match = Match(np.empty(len(ids_BN), np.int64), np.empty(len(ids_BN), np.int64))
        self._kernel.find_matches(ids_BN, index, past, match)
        return match

    def _report(self, ids_BN: codec.Ids, index: int, outcome_B: Tokens) -> None:
        if (outcome_B == self._kernel.BROKEN).any():
            raise _broken(self._model, index)
        self._legality.legal_next_tokens(ids_BN[:, :index])


def open_chooser(legality: Legality, sampler: Sampler, model: str) -> Chooser:
    """Return the fastest chooser.

    Args:
        legality: mask of legal tokens.
        sampler: the sampler.
        model: name of the model, for messages.
    """
    if isinstance(legality, TabledLegality) and kernel.works("the choice of tokens", _try_out):
        return CompiledChooser(legality, sampler, model)
    return NumPyChooser(legality, sampler, model)


def _try_out() -> None:
    from musicrel.generation.causal import compiled_choice  # noqa: PLC0415  # it imports numba

    compiled_choice.run_once()


def _drawn_from(
    pasts: Iterable[Recurrence],
    find: Callable[[Recurrence, codec.Ids, int], Match],
    ids_BN: codec.Ids,
    index: int,
    logits_BV: Floats,
) -> Floats:
    """Return the logits that the tokens at ``index`` are drawn from, float64 (B, V)."""
    for past in pasts:
        if past.applies(index):
            logits_BV = past.raised(logits_BV, find(past, ids_BN, index))
    return logits_BV


def _broken(model: str, index: int) -> GenerationError:
    return GenerationError(
        f"model {model!r} gives no distribution at step {codec.cell_of(index)[0]}: its weights are "
        "broken"
    )
