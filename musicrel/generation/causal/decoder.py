"""Batched autoregressive decoding, as a job: the loop of all causal generation.

Each sequence has its own seed, prompt and conditions. Its random numbers do not depend on the
batch, and on a CPU its arithmetic does not either: a candidate is the same alone and in any batch.
On other devices kernels may sum in another order for another batch size; a note may then differ
where two are almost equally probable.

Loops choose the tokens, compiled where that is possible. A token that would recur is raised before
it is drawn (``recurrence``); what is reported is the model's opinion alone.

Dimensions: B sequences, N tokens, V vocabulary, C conditions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from musicrel.chorale import Flags
from musicrel.errors import GenerationError, UsageError
from musicrel.generation import kernel
from musicrel.generation.causal.batch_forward import BatchForward, DecodeSequence, batch_forwards
from musicrel.generation.causal.recurrence import Recurrence, recurrences_of
from musicrel.generation.cell_constraints import Constraints, RuleTables
from musicrel.generation.events import PhraseEndTrial
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.sampling import Choice, Floats, Sampler, uniforms
from musicrel.jobs import Job
from musicrel.model.tokens import codec


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


Search: TypeAlias = Callable[
    [int, BatchForward, Sequence[DecodeSequence], codec.Ids],
    Job[PhraseEndTrial, Iterator[Choice] | None],
]
"""From the index of a token, a forward pass over all tokens before it, except perhaps the last, the
sequences, and the tokens written so far, int64 (B, N), to the tokens of the passage that begins
there, in order; None if none does. Unless the forward pass records attention, it will have read all
tokens of the passage except the last."""


@dataclass(frozen=True, slots=True)
class Column:
    """The newest token of each sequence of a batch."""

    index: int  # START has 0
    rows: range  # numbers of the sequences; the first of them is row 0 of a mask
    choice: Choice
    attention: npt.NDArray[np.float32] | None  # (B, layers, heads, index); None unless recorded


class Notice(NamedTuple):
    """A change of method, in a sentence for the user."""

    sentence: str


DecodingEvent: TypeAlias = Column | Notice | PhraseEndTrial


def decode(
    model: LoadedModel,
    sequences: Sequence[DecodeSequence],
    length: int,
    legality: Legality,
    sampler: Sampler,
    *,
    record: bool = False,
    search: Search | None = None,
) -> Job[DecodingEvent, list[codec.Ids]]:
    """Decode ``sequences`` up to index ``length``; yields one column of tokens at a time.

    A batch too large for memory is halved, and the halves are decoded in turn.

    Args:
        sequences: at least one; all prompts have the same length.
        search: writes some passages; None: none.

    Returns:
        The ids of every sequence, START first.

    Raises:
        UsageError: the prompts do not fit.
        GenerationError: a logit is not finite, or memory is too small for a single sequence.
        ModelError: the model has no positions for this length.
    """
    _check(sequences, length)
    chooser, written = Chooser(legality, sampler, model.name), list[codec.Ids]()
    for rows, forward in batch_forwards(model, sequences, length, record=record):
        if forward is None:
            yield Notice(
                f"memory is too small for {len(rows)} pieces at once: "
                f"writing {(len(rows) + 1) // 2} at a time"
            )
            continue
        written += yield from _decode_batch(
            forward, sequences[rows.start : rows.stop], rows, chooser, search
        )
    return written


def _decode_batch(
    forward: BatchForward,
    sequences: Sequence[DecodeSequence],
    rows: range,
    chooser: Chooser,
    search: Search | None,
) -> Job[DecodingEvent, list[codec.Ids]]:
    first, length = len(sequences[0].prompt), forward.length
    ids_BN = np.zeros((len(sequences), length + 1), dtype=np.int64)
    ids_BN[:, :first] = [sequence.prompt for sequence in sequences]
    uniforms_BN = np.stack([uniforms(sequence.seed, length) for sequence in sequences])
    passage: Iterator[Choice] = iter(())
    is_noticed = False
    for index in range(first, length + 1):
        if search is not None:
            begun = yield from search(index, forward, sequences, ids_BN[:, :index])
            passage = begun or passage
        choice, attention = next(passage, None), None
        if choice is None or forward.records:
            logits_BV, attention = forward.next(ids_BN[:, index - 1])
            if forward.failure and not is_noticed:
                is_noticed = True
                yield Notice(
                    f"the device cannot record a step ({forward.failure}): generation "
                    "continues, but slower"
                )
            choice = choice or chooser.choose(ids_BN, index, logits_BV, uniforms_BN[:, index - 1])
        ids_BN[:, index] = choice.tokens
        yield Column(index, rows, choice, attention)
    return list(ids_BN)


def _check(sequences: Sequence[DecodeSequence], length: int) -> None:
    sizes = {len(sequence.prompt) for sequence in sequences}
    if len(sizes) != 1 or not 1 <= max(sizes) <= length:
        shown = ", ".join(str(size - 1) for size in sorted(sizes))
        raise UsageError(
            f"the prompts have {shown} tokens: expected the same for all, fewer than the "
            f"{length} of the whole piece; shorten the prompt or ask for a longer piece"
        )
