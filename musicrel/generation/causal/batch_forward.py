"""Incremental forward passes of a model over a batch of sequences, within the available memory.

Dimensions: B sequences, T tokens, N tokens of a piece, V vocabulary, C conditions, L layers, H
heads, S tokens seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt
import torch

from musicrel.errors import GenerationError
from musicrel.generation.causal.decode_sequence import DecodeSequence
from musicrel.generation.causal.step_reader import open_reader
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.sampling import Floats
from musicrel.tokens import codec

_TRAILING_ROWS: Final = 2
"""Condition rows of the last token and of END: no prediction follows these."""


Output: TypeAlias = tuple[npt.NDArray[np.float32], npt.NDArray[np.float32] | None]


class BatchForward:
    """A model with the prompts of a batch in its cache.

    The constructor runs the first step, so that a lack of memory shows before anything is
    written.

    Args:
        model: a causal model.
        sequences: the sequences to decode.
        length: index of the last token.
        record: record attention weights.
        branch: a forward pass and the row of its cache that all these sequences continue; None: the
            prompts are read.

    Attributes:
        name: name of the model.
        length: index of the last token.
    """

    def __init__(
        self,
        model: LoadedModel,
        sequences: Sequence[DecodeSequence],
        length: int,
        *,
        record: bool = False,
        branch: tuple[BatchForward, int] | None = None,
    ) -> None:
        self.name, self.length = model.name, length
        conditions_BNC = np.stack(
            [sequence.conditions_NC[:-_TRAILING_ROWS] for sequence in sequences]
        )
        self._reader = open_reader(model, conditions_BNC, record=record, replay=branch is None)
        prompts_BT = np.stack([sequence.prompt for sequence in sequences])
        if branch is not None:
            other, row = branch
            self._reader.branch_from(other._reader, row, prompts_BT.shape[1] - 1)  # noqa: SLF001
        elif prompts_BT.shape[1] > 1:
            self._reader.prefill(prompts_BT[:, :-1])
        self._refusal_reported = False
        self._first_output: Output | None = self._reader.step(prompts_BT[:, -1])

    def next(self, ids_B: codec.Ids) -> tuple[Floats, npt.NDArray[np.float32] | None]:
        """Read the newest token of every sequence.

        The first call returns the output of the step that the constructor took.

        Returns:
            Logits float64 (B, V), and attention weights float32 (B, L, H, S) or None.
        """
        output, self._first_output = self._first_output or self._reader.step(ids_B), None
        logits_BV, attention = output
        return logits_BV.astype(np.float64), attention

    def notices(self) -> Iterator[str]:
        """Yield a sentence for each change of method, each once."""
        refused = self._reader.failure
        if refused and not self._refusal_reported:
            self._refusal_reported = True
            yield f"the device cannot record a step ({refused}): generation continues, but slower"


def batch_forwards(
    model: LoadedModel,
    sequences: Sequence[DecodeSequence],
    length: int,
    *,
    record: bool = False,
    branch: tuple[BatchForward, int] | None = None,
) -> Iterator[tuple[range, BatchForward | None]]:
    """Yield forward passes for as many sequences as fit in memory, with their row numbers.

    It is None for rows that do not fit: their halves come next.

    Args:
        model: a causal model.
        sequences: at least one.
        length: index of the last token.
        record: record attention weights.
        branch: see ``BatchForward``.

    Raises:
        GenerationError: memory is too small for a single sequence.
    """
    waiting = [range(len(sequences))]
    while waiting:
        rows = waiting.pop(0)
        batch, forward = sequences[rows.start : rows.stop], None
        try:
            forward = BatchForward(model, batch, length, record=record, branch=branch)
        except (RuntimeError, MemoryError) as reason:
            waiting = [*_halves(rows, reason, length), *waiting]
        yield rows, forward


def _halves(rows: range, reason: Exception, length: int) -> list[range]:
    """Return the rows in two parts.

    Raises:
        GenerationError: there is only one row.
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
    """Return True where ``reason`` reports a lack of memory; on a CPU torch has no class for it."""
    if isinstance(reason, MemoryError | torch.OutOfMemoryError):
        return True
    return any(words in str(reason) for words in ("can't allocate memory", "out of memory"))
