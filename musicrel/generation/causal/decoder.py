"""Writing several sequences of tokens at once, as a job: the one loop behind all causal writing.

Every sequence has its own seed, sampling, prompt and conditions. What is written for one depends on
the others neither in its chance nor, on a CPU, in its arithmetic: a candidate comes out the same
alone and in any batch. On other devices kernels may add in another order for another batch, and
then a note may differ where two were all but equally likely.

Dimensions: B sequences, N tokens, V vocabulary, C conditions.

This file knows tokens and probabilities; it knows nothing of notes, locks or candidates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from musicrel.chorale import Flags
from musicrel.errors import GenerationError, UsageError
from musicrel.generation.causal.decode_sequence import Line
from musicrel.generation.causal.reader import Reader, readers
from musicrel.generation.events import Trying
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.sampling import Numbers, Sampler, Tokens
from musicrel.generation.sampling import log_probabilities as log_p
from musicrel.jobs import Job
from musicrel.tokens import codec


class Turning(Protocol):
    """What decides, on the way, where lines are to turn."""

    def turned(
        self, index: int, reader: Reader, lines: Sequence[Line], ids_BN: codec.Ids
    ) -> Job[Trying, Sequence[Line] | None]:
        """The lines as they go on from the token ``index``, to be written next; None: straight on.

        Args:
            index: its place.
            reader: has read all tokens before it, but perhaps the last.
            lines: as they were so far.
            ids_BN: int64 (B, N), what is written of them, START first.
        """
        ...


class Legality(Protocol):
    """What may be written next."""

    def allowed(self, ids_BN: codec.Ids) -> Flags:
        """The tokens that may have index N, given those before: bool (B, V), one a row at least."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """The next token of some sequences was written.

    Attributes:
        index: its place; START has 0.
        rows: which sequences; all of them unless the batch had to be halved. A ``Legality`` was
            asked about these only, the first of them being its row 0.
        tokens: int64 (B,).
        log_probability: float64 (B,), under the model itself, before temperature and legality.
        entropy: float64 (B,), of the model's own distribution, in nats.
        attention: float32 (B, layers, heads, index); None unless it was asked for.
    """

    index: int
    rows: range
    tokens: Tokens
    log_probability: Numbers
    entropy: Numbers
    attention: npt.NDArray[np.float32] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """Something goes on in another way than asked for.

    Attributes:
        sentence: what, and why, for the user.
    """

    sentence: str


DecodingEvent: TypeAlias = Column | Notice | Trying


def decode(
    model: LoadedModel,
    lines: Sequence[Line],
    length: int,
    legality: Legality,
    *,
    record: bool = False,
    turning: Turning | None = None,
) -> Job[DecodingEvent, list[codec.Ids]]:
    """Write ``lines`` side by side; yields a column of tokens at a time.

    Where memory is too small for all of them, half are written after the other half.

    Args:
        model: a causal model.
        lines: at least one; their prompts are equally long.
        length: index of the last token to be written.
        legality: what may be written.
        record: whether the columns carry the attention rows.
        turning: what decides where lines turn; None: they go straight on.

    Returns:
        The ids of every line, START first.

    Raises:
        UsageError: the prompts do not fit.
        GenerationError: the model gives no distribution to choose from, or memory is too small
            for a single line.
        ModelError: the model knows no positions so far out.
    """
    _check(lines, length)
    written: list[codec.Ids] = []
    for rows, reader in readers(model, lines, length, record=record):
        if reader is None:
            yield Notice(
                sentence=f"memory is too small for {len(rows)} pieces at once: "
                f"writing {(len(rows) + 1) // 2} at a time"
            )
            continue
        own = lines[rows.start : rows.stop]
        written += yield from write(reader, own, rows, legality, turning)
    return written


def write(
    reader: Reader,
    lines: Sequence[Line],
    rows: range,
    legality: Legality,
    turning: Turning | None = None,
) -> Job[DecodingEvent, list[codec.Ids]]:
    """Write the lines that are in memory together.

    Args:
        reader: has read their prompts, but perhaps for the last token.
        lines: what is written.
        rows: their numbers.
        legality: what may be written.
        turning: what decides where lines turn; None: they go straight on.
    """
    first, length = len(lines[0].prompt), reader.length
    ids_BN = np.zeros((len(lines), length + 1), dtype=np.int64)
    ids_BN[:, :first] = [line.prompt for line in lines]
    sampler = Sampler([line.sampling for line in lines])
    chance_BN = np.stack([line.chance(length) for line in lines])
    for index in range(first, length + 1):
        if turning is not None:
            turned = yield from turning.turned(index, reader, lines, ids_BN[:, :index])
            if turned:
                lines, chance_BN = turned, np.stack([line.chance(length) for line in turned])
        logits_BV, attention = reader.next(ids_BN[:, index - 1])
        for sentence in reader.refusals():
            yield Notice(sentence=sentence)
        legal_BV = legality.allowed(ids_BN[:, :index])
        if not np.isfinite(logits_BV[legal_BV]).all():
            raise GenerationError(
                f"model {reader.name!r} gives no distribution at step {codec.cell_of(index)[0]}: "
                "its weights are broken"
            )
        tokens_B = sampler.choose(logits_BV, legal_BV, chance_BN[:, index - 1])
        ids_BN[:, index] = tokens_B
        log_p_BV = log_p(logits_BV)
        yield Column(
            index=index,
            rows=rows,
            tokens=tokens_B,
            log_probability=log_p_BV[np.arange(len(lines)), tokens_B],
            entropy=-(np.exp(log_p_BV) * log_p_BV).sum(axis=1),
            attention=attention,
        )
    return list(ids_BN)


def _check(lines: Sequence[Line], length: int) -> None:
    sizes = {len(line.prompt) for line in lines}
    if len(sizes) != 1 or not 1 <= max(sizes) <= length:
        shown = ", ".join(str(size - 1) for size in sorted(sizes))
        raise UsageError(
            f"the prompts have {shown} tokens: expected the same for all, fewer than the "
            f"{length} of the whole piece; shorten the prompt or ask for a longer piece"
        )
