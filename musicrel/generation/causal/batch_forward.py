"""Incremental forward passes of a model over a batch of sequences, within the available memory.

Dimensions: B sequences, T tokens, N tokens of a piece, V vocabulary, C conditions, L layers, H
heads, S tokens seen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from musicrel.chorale import Key
from musicrel.errors import GenerationError
from musicrel.generation import kernel
from musicrel.generation.heads.replacement import replaced_heads
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import GenerationRequest
from musicrel.language import tr
from musicrel.model.replaced_heads import Ablations
from musicrel.model.tokens import codec
from musicrel.model.tokens.conditions import Rows
from musicrel.model.tokens.vocabulary import START

_Output: TypeAlias = tuple[npt.NDArray[np.float32], npt.NDArray[np.float32] | None]

TRAILING_ROWS: Final = 2
"""Condition rows of the last token and of END: no prediction follows these."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecodeSequence:
    """A sequence to be decoded."""

    conditions_NC: Rows  # of the whole piece, from START to END
    seed: int
    prompt: codec.Ids  # START first
    key: Key | None = None  # of the piece; None: unknown
    replaced: Ablations | None = None  # heads, at all positions, the same for all of a batch

    @classmethod
    def of(cls, model: LoadedModel, request: GenerationRequest, locked_tokens: codec.Ids) -> Self:
        """Return the sequence of ``request`` without a prompt.

        Args:
            locked_tokens: int64 (4 T,), the token of every locked cell, -1 elsewhere.

        Raises:
            UsageError: a head is muted that the model does not have.
            ModelError: the means that replace muted heads are not known.
        """
        given = request.given_conditions()
        return cls(
            conditions_NC=model.condition_rows(request.plan(), given, locked_tokens),
            seed=request.seed,
            prompt=np.array([START]),
            key=request.key,
            replaced=replaced_heads(model, request.mutes),
        )


class BatchForward:
    """A model with the prompts of a batch in its cache.

    The constructor runs the first step, so that a lack of memory shows before anything is
    written.

    Args:
        length: index of the last token.
        branch: a forward pass and the rows of its cache that these sequences continue, int64 (B,);
            None: the prompts are read.

    Attributes:
        loops: compiled loops or captured steps that read and choose tokens (``compiled_writer``,
            ``device_writer``); None where there are none, or attention is recorded.
    """

    def __init__(
        self,
        model: LoadedModel,
        sequences: Sequence[DecodeSequence],
        length: int,
        *,
        record: bool = False,
        branch: tuple[BatchForward, codec.Ids] | None = None,
    ) -> None:
        self.name, self.length = model.name, length
        self.batch, self.records = len(sequences), record
        conditions_BNC = np.stack([one.conditions_NC[:-TRAILING_ROWS] for one in sequences])
        self._reader = model.reader(
            conditions_BNC, record=record, replay=True, replaced=sequences[0].replaced
        )
        prompts_BT = np.stack([sequence.prompt for sequence in sequences])
        self._first_output: _Output | None = None
        self.loops = None if record else _loops(model, self._reader)
        if branch is not None:
            self.branch_from(*branch, prompts_BT)
            return
        if prompts_BT.shape[1] > 1:
            self._reader.prefill(prompts_BT[:, :-1])
        self._first_output = self._reader.step(prompts_BT[:, -1])

    @property
    def is_ahead(self) -> bool:
        """Return True where the newest token of every sequence has been read."""
        return self._first_output is not None

    @property
    def failure(self) -> str | None:
        return self._reader.failure

    def branch_from(
        self, other: BatchForward, rows_B: codec.Ids, prompts_BT: codec.Ids, shared: int = 0
    ) -> None:
        """Continue in every sequence one of another forward pass.

        Args:
            rows_B: int64, the sequence of ``other`` that each continues.
            prompts_BT: the tokens so far; ``other`` has read all except perhaps the last.
            shared: number of first tokens that every sequence has read already.
        """
        self._reader.branch_from(other._reader, rows_B, prompts_BT.shape[1] - 1, shared)
        self._first_output = self._reader.step(prompts_BT[:, -1])

    def take(self, row: int, other: BatchForward, source: int, tokens: int, shared: int) -> None:
        self._reader.take(row, other._reader, source, tokens, shared)
        self._first_output = None

    def next(self, ids_B: codec.Ids) -> _Output:
        """Read the newest token of every sequence; the constructor has read the first.

        Returns:
            Logits float32 (B, V), and attention weights float32 (B, L, H, S) or None.
        """
        output, self._first_output = self._first_output or self._reader.step(ids_B), None
        return output

    def select(self, rows_B: codec.Ids, shared: int = 0) -> None:
        self._reader.select(rows_B, shared)


def _loops(model: LoadedModel, reader: Any) -> Callable[..., int] | None:
    if model.device.type == "cuda":
        from musicrel.generation.causal import device_writer  # noqa: PLC0415  # it imports torch

        return device_writer.loops(reader)
    if model.compiled is None:
        return None
    from musicrel.generation.causal import compiled_writer  # noqa: PLC0415  # it imports numba

    if not kernel.works(
        tr("writing", "part of the kernel"), partial(compiled_writer.run_once, model.compiled)
    ):
        return None
    return compiled_writer.loops(reader)


def batch_forwards(
    model: LoadedModel,
    sequences: Sequence[DecodeSequence],
    length: int,
    *,
    record: bool = False,
    branch: tuple[BatchForward, codec.Ids] | None = None,
) -> Iterator[tuple[range, BatchForward | None]]:
    """Yield forward passes for as many sequences as fit in memory, with their row numbers.

    It is None for rows that do not fit: their halves come next.

    Raises:
        GenerationError: memory is too small for a single sequence.
    """
    waiting = [range(len(sequences))]
    while waiting:
        rows = waiting.pop(0)
        batch, forward = sequences[rows.start : rows.stop], None
        try:
            own = branch and (branch[0], branch[1][rows.start : rows.stop])
            forward = BatchForward(model, batch, length, record=record, branch=own)
        except (RuntimeError, MemoryError) as reason:
            waiting = [*halves(rows, reason, length), *waiting]
        yield rows, forward


def halves(rows: range, reason: Exception, length: int) -> list[range]:
    """Return the halves of ``rows``, for which memory was too small.

    Raises:
        GenerationError: memory is too small for a single sequence.
        Exception: ``reason``, if it is another one.
    """
    lacks_memory = isinstance(reason, MemoryError) or any(  # torch has no class for all of them
        words in str(reason) for words in ("can't allocate memory", "out of memory")
    )
    if not lacks_memory:
        raise reason
    if len(rows) == 1:
        raise GenerationError(
            tr(
                "memory is too small for a piece of {length} tokens: ask for fewer bars or "
                "take a smaller model",
                length=length,
            )
        ) from reason
    middle = rows.start + (len(rows) + 1) // 2
    return [range(rows.start, middle), range(middle, rows.stop)]
