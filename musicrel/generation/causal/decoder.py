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

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from musicrel.chorale import STEPS_PER_QUARTER, Flags
from musicrel.errors import GenerationError, UsageError
from musicrel.generation import kernel
from musicrel.generation.causal.batch_forward import BatchForward, DecodeSequence, batch_forwards
from musicrel.generation.causal.written import Written
from musicrel.generation.cell_constraints import Constraints, DeadEnd
from musicrel.generation.events import PhraseEndTrial
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.sampling import Choice, Logits, Sampler, uniforms
from musicrel.jobs import Job
from musicrel.language import tr
from musicrel.model.tokens import codec

if TYPE_CHECKING:
    from musicrel.generation.causal.particle_search import ParticleSearch

Weights = npt.NDArray[np.float32]

_TOKENS_AT_ONCE: Final = STEPS_PER_QUARTER * codec.VOICES
_FAILED: Final = tr("the device cannot record a step ({}): generation continues, but slower")


class Chooser:
    """A strategy that chooses the next tokens."""

    def __init__(self, constraints: Constraints, sampler: Sampler, model: str) -> None:
        from musicrel.generation.causal import compiled_choice  # noqa: PLC0415  # it imports numba

        is_compiled = kernel.works(tr("the choice of tokens"), compiled_choice.run_once)
        loops: Any = compiled_choice if is_compiled else compiled_choice.in_python()
        self._constraints, self._choose, self._model = constraints, loops.choose, model
        self._by = compiled_choice.Choosing.of(constraints, sampler)

    @np.errstate(all="ignore")
    def choose(
        self, written: Written, index: int, logits_BV: Logits, wanted_BV: Flags | None = None
    ) -> None:
        """Choose the tokens at ``index`` of all sequences.

        Args:
            logits_BV: of the tokens after those before ``index``.
            wanted_BV: the only legal tokens where one of them is legal; None: all are.

        Raises:
            GenerationError: a logit of a legal token is not finite.
        """
        wanted_BV = np.zeros((0, 0), dtype=np.bool_) if wanted_BV is None else wanted_BV
        if not self._choose(index, logits_BV, wanted_BV, 0, written, self._by):
            raise self._broken(index)

    def write(self, forward: BatchForward, written: Written, first: int, stop: int) -> None:
        """Read and choose the tokens from ``first`` up to ``stop``; errors as in ``choose``."""
        for index in range(first, stop):
            if forward.loops is not None and not forward.is_ahead:
                broken = forward.loops(written, index, stop, self._by)
                if broken:
                    raise self._broken(broken)
                break
            self.choose(written, index, forward.next(written.ids_BN[:, index - 1])[0])

    def column(
        self, written: Written, index: int, rows: range, attention: Weights | None
    ) -> Column:
        """Return the column of the tokens at ``index``, with their dead ends."""
        dead = np.flatnonzero(written.is_dead_BN[:, index]).tolist()
        ends = {row: self._constraints.dead_end(written.ids_BN[row, :index]) for row in dead}
        return Column(index, rows, written.choices.at((slice(None), index)), attention, ends)

    def _broken(self, index: int) -> GenerationError:
        step, _ = codec.cell_of(index)
        sentence = tr("model {name!r} gives no distribution at step {step}: its weights are broken")
        return GenerationError(sentence.format(name=self._model, step=step))


@dataclass(frozen=True, slots=True)
class Column:
    """The newest token of each sequence of a batch."""

    index: int  # START has 0
    rows: range  # numbers of the sequences
    choice: Choice
    attention: Weights | None  # (B, layers, heads, index); None unless recorded
    dead_ends: Mapping[int, DeadEnd]  # by row, where the rules left no token


class Notice(NamedTuple):
    """A change of method, in a sentence for the user."""

    sentence: str


DecodingEvent: TypeAlias = Column | Notice | PhraseEndTrial


def decode(
    model: LoadedModel,
    sequences: Sequence[DecodeSequence],
    length: int,
    constraints: Constraints,
    sampler: Sampler,
    *,
    record: bool = False,
    search: ParticleSearch | None = None,
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
    chooser, ids = Chooser(constraints, sampler, model.name), list[codec.Ids]()
    for rows, forward in batch_forwards(model, sequences, length, record=record):
        if forward is None:
            yield Notice(
                tr(
                    "memory is too small for {pieces} pieces at once: writing {half} at a time",
                    pieces=len(rows),
                    half=(len(rows) + 1) // 2,
                )
            )
            continue
        own = sequences[rows.start : rows.stop]
        ids += yield from _decode_batch(forward, own, rows, chooser, search)
        del forward  # the next ones need its memory
        if search is not None:
            search.forget()
    return ids


def _decode_batch(
    forward: BatchForward,
    sequences: Sequence[DecodeSequence],
    rows: range,
    chooser: Chooser,
    search: ParticleSearch | None,
) -> Job[DecodingEvent, list[codec.Ids]]:
    written = Written.of(
        np.stack([sequence.prompt for sequence in sequences]),
        forward.length,
        np.stack([uniforms(sequence.seed, forward.length) for sequence in sequences]),
    )
    index, is_noticed = len(sequences[0].prompt), False
    while index <= forward.length:
        is_searched = search is not None and index in search.starts
        stop = index + 1
        if search is not None and is_searched:
            stop = yield from search.passage(index, forward, sequences, written)
        elif not forward.records:
            starts = search.starts if search is not None else ()
            ends = (start for start in starts if start > index)
            stop = min(index + _TOKENS_AT_ONCE, forward.length + 1, *ends)
            chooser.write(forward, written, index, stop)
        for place in range(index, stop):
            attention = None
            if forward.records:
                logits_BV, attention = forward.next(written.ids_BN[:, place - 1])
                if not is_searched:
                    chooser.choose(written, place, logits_BV)
            if forward.failure and not is_noticed:
                is_noticed = True
                yield Notice(_FAILED.format(forward.failure))
            yield chooser.column(written, place, rows, attention)
        index = stop
    return list(written.ids_BN)


def _check(sequences: Sequence[DecodeSequence], length: int) -> None:
    sizes = {len(sequence.prompt) for sequence in sequences}
    if len(sizes) != 1 or not 1 <= max(sizes) <= length:
        shown = ", ".join(str(size - 1) for size in sorted(sizes))
        raise UsageError(
            f"the prompts have {shown} tokens: expected the same for all, fewer than the "
            f"{length} of the whole piece; shorten the prompt or ask for a longer piece"
        )
