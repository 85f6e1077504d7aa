"""Batched autoregressive decoding, as a job: the loop of all causal generation.

Each sequence has its own seed, prompt and conditions. Its random numbers do not depend on the
batch, and on a CPU its arithmetic does not either: a candidate is the same alone and in any batch.
On other devices kernels may sum in another order for another batch size; a note
may then differ where two are almost equally probable.

Dimensions: B sequences, N tokens, V vocabulary, C conditions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from musicrel.chorale import Flags
from musicrel.errors import GenerationError, UsageError
from musicrel.generation.causal.batch_forward import BatchForward, batch_forwards
from musicrel.generation.causal.decode_sequence import DecodeSequence
from musicrel.generation.events import PhraseEndTrial
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.sampling import Floats, Sampler, Tokens
from musicrel.generation.sampling import log_softmax as log_p
from musicrel.jobs import Job
from musicrel.tokens import codec


class StreamSwitch(Protocol):
    """A strategy that switches the random streams of sequences while they are decoded."""

    def switched(
        self,
        index: int,
        forward: BatchForward,
        sequences: Sequence[DecodeSequence],
        ids_BN: codec.Ids,
    ) -> Job[PhraseEndTrial, Sequence[DecodeSequence] | None]:
        """Return the sequences to decode from the token ``index`` on; None: no change.

        Args:
            index: index of the next token.
            forward: a forward pass over all tokens before it, except perhaps the last.
            sequences: the sequences so far.
            ids_BN: int64 (B, N), tokens written so far, START first.
        """
        ...


class Legality(Protocol):
    """A mask of the legal tokens."""

    def legal_next_tokens(self, ids_BN: codec.Ids) -> Flags:
        """Return the legal tokens at index N, bool (B, V), at least one for each row.

        Args:
            ids_BN: int64 (B, N), tokens so far, START first.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """The newest token of each sequence of a batch.

    Attributes:
        index: index of the token; START has 0.
        rows: numbers of the sequences; all of them unless the batch was halved. The ``Legality`` is
            called with these only, so that its row 0 is the first of them.
        tokens: int64 (B,).
        log_probability: float64 (B,), in nats under the model, before temperature and masking.
        entropy: float64 (B,), of the model's distribution, in nats.
        attention: float32 (B, layers, heads, index); None unless recorded.
    """

    index: int
    rows: range
    tokens: Tokens
    log_probability: Floats
    entropy: Floats
    attention: npt.NDArray[np.float32] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """A change of method that the user should know of.

    Attributes:
        sentence: what changes and why, for the user.
    """

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
    stream_switch: StreamSwitch | None = None,
) -> Job[DecodingEvent, list[codec.Ids]]:
    """Decode ``sequences`` in batches; yields one column of tokens at a time.

    A batch too large for memory is halved, and the halves are decoded in turn.

    Args:
        model: a causal model.
        sequences: at least one; all prompts have the same length.
        length: index of the last token.
        legality: mask of legal tokens.
        sampler: the sampler of the tokens.
        record: record attention weights.
        stream_switch: strategy that switches random streams; None: none.

    Returns:
        The ids of every sequence, START first.

    Raises:
        UsageError: the prompts do not fit.
        GenerationError: a logit is not finite, or memory is too small for a single sequence.
        ModelError: the model has no positions for this length.
    """
    _check(sequences, length)
    written: list[codec.Ids] = []
    for rows, forward in batch_forwards(model, sequences, length, record=record):
        if forward is None:
            yield Notice(
                sentence=f"memory is too small for {len(rows)} pieces at once: "
                f"writing {(len(rows) + 1) // 2} at a time"
            )
            continue
        batch = sequences[rows.start : rows.stop]
        written += yield from decode_batch(
            forward, batch, rows, legality, sampler=sampler, stream_switch=stream_switch
        )
    return written


def decode_batch(
    forward: BatchForward,
    sequences: Sequence[DecodeSequence],
    rows: range,
    legality: Legality,
    *,
    sampler: Sampler,
    stream_switch: StreamSwitch | None = None,
) -> Job[DecodingEvent, list[codec.Ids]]:
    """Decode the sequences of one batch.

    Args:
        forward: a forward pass over their prompts, except perhaps for the last token.
        sequences: the sequences.
        rows: their numbers.
        legality: mask of legal tokens.
        sampler: the sampler of the tokens.
        stream_switch: strategy that switches random streams; None: none.
    """
    first, length = len(sequences[0].prompt), forward.length
    ids_BN = np.zeros((len(sequences), length + 1), dtype=np.int64)
    ids_BN[:, :first] = [sequence.prompt for sequence in sequences]
    uniforms_BN = np.stack([sequence.uniforms(length) for sequence in sequences])
    for index in range(first, length + 1):
        if stream_switch is not None:
            switched = yield from stream_switch.switched(
                index, forward, sequences, ids_BN[:, :index]
            )
            if switched:
                sequences = switched
                uniforms_BN = np.stack([sequence.uniforms(length) for sequence in sequences])
        logits_BV, attention = forward.next(ids_BN[:, index - 1])
        for sentence in forward.notices():
            yield Notice(sentence=sentence)
        legal_BV = legality.legal_next_tokens(ids_BN[:, :index])
        if not np.isfinite(logits_BV[legal_BV]).all():
            raise GenerationError(
                f"model {forward.name!r} gives no distribution at step {codec.cell_of(index)[0]}: "
                "its weights are broken"
            )
        tokens_B = sampler.choose(logits_BV, legal_BV, uniforms_BN[:, index - 1])
        ids_BN[:, index] = tokens_B
        log_p_BV = log_p(logits_BV)
        yield Column(
            index=index,
            rows=rows,
            tokens=tokens_B,
            log_probability=log_p_BV[np.arange(len(sequences)), tokens_B],
            entropy=-(np.exp(log_p_BV) * log_p_BV).sum(axis=1),
            attention=attention,
        )
    return list(ids_BN)


def _check(sequences: Sequence[DecodeSequence], length: int) -> None:
    sizes = {len(sequence.prompt) for sequence in sequences}
    if len(sizes) != 1 or not 1 <= max(sizes) <= length:
        shown = ", ".join(str(size - 1) for size in sorted(sizes))
        raise UsageError(
            f"the prompts have {shown} tokens: expected the same for all, fewer than the "
            f"{length} of the whole piece; shorten the prompt or ask for a longer piece"
        )
