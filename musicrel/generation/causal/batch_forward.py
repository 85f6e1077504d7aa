"""Incremental forward passes of a model over a batch of sequences, within the available memory.

Dimensions: B sequences, T tokens, N tokens of a piece, V vocabulary, C conditions, L layers, H
heads, S tokens seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from musicrel.chorale import Key
from musicrel.errors import GenerationError
from musicrel.generation.heads.replacement import replaced_heads
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import GenerationRequest
from musicrel.generation.sampling import Floats, uniforms
from musicrel.model.replaced_heads import Ablations
from musicrel.tokens import codec
from musicrel.tokens.conditions import Rows
from musicrel.tokens.vocabulary import START


@dataclass(frozen=True, slots=True, kw_only=True)
class DecodeSequence:
    """A sequence to be decoded.

    Attributes:
        conditions_NC: int64 (N, C), condition rows of the whole piece, from START to END.
        prompt: ids of the prompt, START first.
        key: key of the piece; None: unknown.
        replaced: heads that are replaced at all positions, the same for all sequences of a batch;
            None: none.
    """

    conditions_NC: Rows
    seed: int
    prompt: codec.Ids
    key: Key | None = None
    replaced: Ablations | None = None

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
        conditions_NC = model.condition_rows(request.plan(), given, locked_tokens)
        return cls(
            conditions_NC=conditions_NC,
            seed=request.seed,
            prompt=np.array([START]),
            key=request.key,
            replaced=replaced_heads(model, request.mutes),
        )

    def uniforms(self, length: int) -> Floats:
        """Return the random numbers of the tokens with index 1 to ``length``, float64 (length,)."""
        return uniforms(self.seed, length)


_TRAILING_ROWS: Final = 2
"""Condition rows of the last token and of END: no prediction follows these."""


Output: TypeAlias = tuple[npt.NDArray[np.float32], npt.NDArray[np.float32] | None]


class BatchForward:
    """A model with the prompts of a batch in its cache.

    The constructor runs the first step, so that a lack of memory shows before anything is
    written.

    Args:
        length: index of the last token.
        branch: a forward pass and the row of its cache that all these sequences continue; None: the
            prompts are read.

    Attributes:
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
        self.batch, self.records = len(sequences), record
        conditions_BNC = np.stack(
            [sequence.conditions_NC[:-_TRAILING_ROWS] for sequence in sequences]
        )
        self._reader = model.reader(
            conditions_BNC, record=record, replay=branch is None, replaced=sequences[0].replaced
        )
        prompts_BT = np.stack([sequence.prompt for sequence in sequences])
        self._refusal_reported = False
        self._first_output: Output | None = None
        if branch is not None:
            self.branch_from(*branch, prompts_BT[0])
            return
        if prompts_BT.shape[1] > 1:
            self._reader.prefill(prompts_BT[:, :-1])
        self._first_output = self._reader.step(prompts_BT[:, -1])

    def branch_from(
        self, other: BatchForward, row: int, prompt_T: codec.Ids, shared: int = 0
    ) -> None:
        """Continue in every sequence one of another forward pass.

        Args:
            prompt_T: int64, the tokens so far; ``other`` has read all except perhaps the last.
            shared: number of first tokens that every sequence has read already.
        """
        self._reader.branch_from(other._reader, row, len(prompt_T) - 1, shared)
        self._first_output = self._reader.step(np.full(self.batch, prompt_T[-1]))

    def take(self, row: int, other: BatchForward, source: int, tokens: int, shared: int) -> None:
        self._reader.take(row, other._reader, source, tokens, shared)
        self._first_output = None

    def next(self, ids_B: codec.Ids) -> tuple[Floats, npt.NDArray[np.float32] | None]:
        """Read the newest token of every sequence.

        The first call returns the output of the step that the constructor took.

        Returns:
            Logits float64 (B, V), and attention weights float32 (B, L, H, S) or None.
        """
        output, self._first_output = self._first_output or self._reader.step(ids_B), None
        logits_BV, attention = output
        return logits_BV.astype(np.float64), attention

    def select(self, rows_B: codec.Ids, shared: int = 0) -> None:
        self._reader.select(rows_B, shared)

    def notices(self) -> Iterator[str]:
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
        sequences: at least one.
        length: index of the last token.

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
    """Return True where ``reason`` reports a lack of memory; torch has no class for all of them."""
    return isinstance(reason, MemoryError) or any(
        words in str(reason) for words in ("can't allocate memory", "out of memory")
    )
