"""A model that reads several sequences token by token while they are written.

Dimensions: B sequences, T tokens, N tokens of a piece, V vocabulary, C conditions, L layers, H
heads, S tokens seen.

This file knows memory and steps of a model; it knows nothing of what is chosen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
import torch

from musicrel.errors import GenerationError
from musicrel.generation.causal.decode_sequence import Line
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.sampling import Numbers
from musicrel.model.blocks.kv_cache import KeyValueCache
from musicrel.model.decoding.graph import RecordedStepper, cuda_recorder
from musicrel.model.decoding.step import Read, Stepper
from musicrel.tokens import codec

_BEHIND: Final = 2
"""Rows that are told last, of the last token and of END: nothing is written after these."""


class Reader:
    """The model with the lines' prompts read, told of the whole pieces.

    Its first step is taken at once, so that memory which is too small shows before anything is
    written.

    Args:
        model: a causal model.
        lines: what is to be written.
        length: index of the last token to be written.
        record: whether attention is wanted.
        before: a reader and the number of its line that all these lines go on from; None: their
            prompts are read.

    Attributes:
        name: of the model.
        length: index of the last token.
    """

    def __init__(
        self,
        model: LoadedModel,
        lines: Sequence[Line],
        length: int,
        *,
        record: bool = False,
        before: tuple[Reader, int] | None = None,
    ) -> None:
        self.name, self.length = model.name, length
        self._device = model.device
        told_BNC = np.stack([line.told_NC[:-_BEHIND] for line in lines])
        self._stepper = Stepper(
            model.network, torch.from_numpy(told_BNC).to(self._device), record=record
        )
        prompts_BT = np.stack([line.prompt for line in lines])
        if before is not None:
            other, row = before
            self._stepper.cache.fill(other.cache, row, prompts_BT.shape[1] - 1)
        elif prompts_BT.shape[1] > 1:
            self._stepper.prefill(torch.from_numpy(prompts_BT[:, :-1]).to(self._device))
        self._fast = None if before else _recorded(self._stepper, self._device)
        self._told_of_refusal = False
        self._ahead: Read | None = self._stepped(prompts_BT[:, -1])

    @property
    def cache(self) -> KeyValueCache:
        """What was read, of all lines."""
        return self._stepper.cache

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

    def refusals(self) -> Iterator[str]:
        """What goes on in another way than asked for, a sentence each, each once."""
        refused = self._fast.refused if self._fast else None
        if refused and not self._told_of_refusal:
            self._told_of_refusal = True
            yield f"the device cannot record a step ({refused}): writing goes on slower"


def _recorded(stepper: Stepper, device: torch.device) -> RecordedStepper | None:
    """Steps by recording, where the device and the scheme can."""
    if device.type != "cuda" or not stepper.replays:
        return None
    return RecordedStepper(stepper, cuda_recorder)


def readers(
    model: LoadedModel,
    lines: Sequence[Line],
    length: int,
    *,
    record: bool = False,
    before: tuple[Reader, int] | None = None,
) -> Iterator[tuple[range, Reader | None]]:
    """Readers of as many lines as there is memory for, one after the other, with their numbers.

    None for lines that are too many: each half of them comes next.

    Args:
        model: a causal model.
        lines: at least one.
        length: index of the last token to be written.
        record: whether attention is wanted.
        before: as in ``Reader``.

    Raises:
        GenerationError: memory is too small for a single line.
    """
    waiting = [range(len(lines))]
    while waiting:
        rows = waiting.pop(0)
        own, reader = lines[rows.start : rows.stop], None
        try:
            reader = Reader(model, own, length, record=record, before=before)
        except (RuntimeError, MemoryError) as reason:
            waiting = [*_halves(rows, reason, length), *waiting]
        yield rows, reader


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
