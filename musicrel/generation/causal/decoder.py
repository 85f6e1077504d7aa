"""Batched autoregressive decoding, as a job: the loop of all causal generation.

Each sequence has its own seed, prompt and conditions. Its random numbers do not depend on the
batch, and on a CPU its arithmetic does not either: a candidate is the same alone and in any batch.
On other devices kernels may sum in another order for another batch size; a note
may then differ where two are almost equally probable.

Dimensions: B sequences, N tokens, V vocabulary, C conditions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from musicrel.errors import UsageError
from musicrel.generation.causal.batch_forward import BatchForward, DecodeSequence, batch_forwards
from musicrel.generation.causal.chooser import Chooser, Legality
from musicrel.generation.events import PhraseEndTrial
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.sampling import Choice, Floats, Sampler, Tokens, uniforms
from musicrel.jobs import Job
from musicrel.tokens import codec

Search: TypeAlias = Callable[
    [int, BatchForward, Sequence[DecodeSequence], codec.Ids],
    Job[PhraseEndTrial, Iterator[Choice] | None],
]
"""From the index of a token, a forward pass over all tokens before it, except perhaps the last, the
sequences, and the tokens written so far, int64 (B, N), to the tokens of the passage that begins
there, in order; None if none does. Unless the forward pass records attention, it will have read all
tokens of the passage except the last."""


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
                sentence=f"memory is too small for {len(rows)} pieces at once: "
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
                    sentence=f"the device cannot record a step ({forward.failure}): generation "
                    "continues, but slower"
                )
            choice = choice or chooser.choose(ids_BN, index, logits_BV, uniforms_BN[:, index - 1])
        ids_BN[:, index] = choice.tokens
        yield Column(
            index=index,
            rows=rows,
            tokens=choice.tokens,
            log_probability=choice.log_probability,
            entropy=choice.entropy,
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
