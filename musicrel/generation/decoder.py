"""Writing several sequences of tokens at once, as a job: the one loop behind all causal writing.

Every sequence has its own seed, sampling, prompt and conditions. What is written for one depends on
the others neither in its chance nor, on a CPU, in its arithmetic: a candidate comes out the same
alone and in any batch. On other devices kernels may add in another order for another batch, and
then a note may differ where two were all but equally likely.

Dimensions: B sequences, N tokens, V vocabulary, C conditions.

This file knows tokens and probabilities; it knows nothing of notes, locks or candidates.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt
import torch

from musicrel.chorale import Flags
from musicrel.errors import GenerationError, UsageError
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.sampling import Numbers, Sampler, Sampling, Tokens, chance
from musicrel.generation.sampling import log_probabilities as log_p
from musicrel.jobs import Job
from musicrel.model.graph import RecordedStepper, cuda_recorder
from musicrel.model.step import Read, Stepper
from musicrel.tokens import codec
from musicrel.tokens.conditions import Rows


class Legality(Protocol):
    """What may be written next."""

    def allowed(self, ids_BN: codec.Ids) -> Flags:
        """The tokens that may have index N, given those before: bool (B, V), one a row at least."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One sequence to be written.

    Attributes:
        told_NC: the rows of its conditions, START's first.
        seed: of its chance.
        sampling: how it is sampled.
        prompt: the ids it begins with, START first.
        turns: where its chance turns into another way, and into which: (index, way).
    """

    told_NC: Rows
    seed: int
    sampling: Sampling
    prompt: codec.Ids
    turns: tuple[tuple[int, int], ...] = ()

    def turned(self, way: int) -> Line:
        """The same line, going on from the end of its prompt in that way."""
        return replace(self, turns=(*self.turns, (len(self.prompt), way)))

    def chance(self, length: int) -> Numbers:
        """The numbers that decide on its tokens, index 1 to ``length``: (N,)."""
        numbers_N = chance(self.seed, length)
        for index, way in self.turns:
            numbers_N[index - 1 :] = chance(self.seed, length, way)[index - 1 :]
        return numbers_N


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


DecodingEvent: TypeAlias = Column | Notice


def decode(
    model: LoadedModel,
    lines: Sequence[Line],
    length: int,
    legality: Legality,
    *,
    record: bool = False,
) -> Job[DecodingEvent, list[codec.Ids]]:
    """Write ``lines`` side by side; yields a column of tokens at a time.

    Where memory is too small for all of them, half are written after the other half.

    Args:
        model: a causal model.
        lines: at least one; their prompts are equally long.
        length: index of the last token to be written.
        legality: what may be written.
        record: whether the columns carry the attention rows.

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
    waiting = [range(len(lines))]
    while waiting:
        rows = waiting.pop(0)
        own = [lines[row] for row in rows]
        try:
            reader = _Reader(model, own, length, record=record)
        except (RuntimeError, MemoryError) as reason:
            waiting = [*_halves(rows, reason, length), *waiting]
            yield Notice(
                sentence=f"memory is too small for {len(rows)} pieces at once: "
                f"writing {len(waiting[0])} at a time"
            )
            continue
        written += yield from _group(reader, own, rows, legality, name=model.name)
    return written


def _group(
    reader: _Reader, lines: Sequence[Line], rows: range, legality: Legality, *, name: str
) -> Job[DecodingEvent, list[codec.Ids]]:
    """Write the lines that are in memory together."""
    first, length = len(lines[0].prompt), reader.length
    ids_BN = np.zeros((len(lines), length + 1), dtype=np.int64)
    ids_BN[:, :first] = [line.prompt for line in lines]
    sampler = Sampler([line.sampling for line in lines])
    chance_BN = np.stack([line.chance(length) for line in lines])
    for index in range(first, length + 1):
        logits_BV, attention = reader.next(ids_BN[:, index - 1])
        yield from reader.notices()
        legal_BV = legality.allowed(ids_BN[:, :index])
        if not np.isfinite(logits_BV[legal_BV]).all():
            raise GenerationError(
                f"model {name!r} gives no distribution at step {codec.cell_of(index)[0]}: "
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


class _Reader:
    """The model with the lines' prompts read but for their last token.

    Its first step is taken at once, so that memory which is too small shows before anything is
    written.

    Attributes:
        length: index of the last token.
    """

    def __init__(
        self, model: LoadedModel, lines: Sequence[Line], length: int, *, record: bool
    ) -> None:
        self.length = length
        self._device = model.device
        told_BNC = np.stack([line.told_NC[:length] for line in lines])
        self._stepper = Stepper(
            model.network, torch.from_numpy(told_BNC).to(self._device), record=record
        )
        prompts_BT = np.stack([line.prompt for line in lines])
        if prompts_BT.shape[1] > 1:
            self._stepper.prefill(torch.from_numpy(prompts_BT[:, :-1]).to(self._device))
        self._fast = _recorded(self._stepper, self._device)
        self._told_of_refusal = False
        self._ahead: Read | None = self._stepped(prompts_BT[:, -1])

    def next(self, ids_B: codec.Ids) -> tuple[Numbers, npt.NDArray[np.float32] | None]:
        """Read the newest token of every line: logits (B, V), attention; the one wait a token."""
        seen, self._ahead = self._ahead or self._stepped(ids_B), None
        attention = None
        if seen.weights_BLHS is not None:
            attention = seen.weights_BLHS.float().cpu().numpy()
        return seen.logits_BV.double().cpu().numpy(), attention

    def _stepped(self, ids_B: codec.Ids) -> Read:
        stepper = self._fast or self._stepper
        return stepper.read(torch.from_numpy(ids_B).to(self._device))

    def notices(self) -> Iterator[Notice]:
        """What goes on in another way than asked for, each once."""
        refused = self._fast.refused if self._fast else None
        if refused and not self._told_of_refusal:
            self._told_of_refusal = True
            yield Notice(
                sentence=f"the device cannot record a step ({refused}): writing goes on slower"
            )


def _recorded(stepper: Stepper, device: torch.device) -> RecordedStepper | None:
    """Steps by recording, where the device and the scheme can."""
    if device.type != "cuda" or not stepper.replays:
        return None
    return RecordedStepper(stepper, cuda_recorder)


def _check(lines: Sequence[Line], length: int) -> None:
    sizes = {len(line.prompt) for line in lines}
    if len(sizes) != 1 or not 1 <= max(sizes) <= length:
        shown = ", ".join(str(size - 1) for size in sorted(sizes))
        raise UsageError(
            f"the prompts have {shown} tokens: expected the same for all, fewer than the "
            f"{length} of the whole piece; shorten the prompt or ask for a longer piece"
        )


def _halves(rows: range, reason: Exception, length: int) -> list[range]:
    """The rows in two parts.

    Raises:
        GenerationError: one row cannot be halved.
    """
    if not _is_about_memory(reason):
        raise reason
    if len(rows) == 1:
        raise GenerationError(
            f"memory is too small for a piece of {length} tokens: ask for fewer bars or take a "
            "smaller model"
        ) from reason
    middle = rows.start + (len(rows) + 1) // 2
    return [range(rows.start, middle), range(middle, rows.stop)]


def _is_about_memory(reason: Exception) -> bool:
    """Whether ``reason`` says that memory ran out; on a CPU torch has no class for that."""
    if isinstance(reason, MemoryError | torch.OutOfMemoryError):
        return True
    return any(words in str(reason) for words in ("can't allocate memory", "out of memory"))
