"""Incremental forward passes of a model over a batch of sequences, within the available memory.

Dimensions: B sequences, T tokens, N tokens of a piece, V vocabulary, C conditions, L layers, H
heads, S tokens seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
import torch

from musicrel.errors import GenerationError
from musicrel.generation.causal.decode_sequence import DecodeSequence
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.sampling import Floats
from musicrel.model.blocks.kv_cache import KeyValueCache
from musicrel.model.decoding.graph import GraphDecoder, capture_cuda_graph
from musicrel.model.decoding.step import IncrementalDecoder, StepOutput
from musicrel.tokens import codec

_TRAILING_ROWS: Final = 2
"""Condition rows of the last token and of END: no prediction follows these."""


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
        self._device = model.device
        conditions_BNC = np.stack(
            [sequence.conditions_NC[:-_TRAILING_ROWS] for sequence in sequences]
        )
        self._decoder = IncrementalDecoder(
            model.network, torch.from_numpy(conditions_BNC).to(self._device), record=record
        )
        prompts_BT = np.stack([sequence.prompt for sequence in sequences])
        if branch is not None:
            other, row = branch
            self._decoder.cache.fill(other.cache, row, prompts_BT.shape[1] - 1)
        elif prompts_BT.shape[1] > 1:
            self._decoder.prefill(torch.from_numpy(prompts_BT[:, :-1]).to(self._device))
        self._graph = None if branch else _graph_decoder(self._decoder, self._device)
        self._refusal_reported = False
        self._first_output: StepOutput | None = self._step(prompts_BT[:, -1])

    @property
    def cache(self) -> KeyValueCache:
        """Return the keys and values of all tokens read."""
        return self._decoder.cache

    def next(self, ids_B: codec.Ids) -> tuple[Floats, npt.NDArray[np.float32] | None]:
        """Read the newest token of every sequence.

        The first call returns the output of the step that the constructor took.

        Returns:
            Logits float64 (B, V), and attention weights float32 (B, L, H, S) or None.
        """
        seen, self._first_output = self._first_output or self._step(ids_B), None
        attention = None
        if seen.weights_BLHS is not None:
            attention = seen.weights_BLHS.float().cpu().numpy()
        return seen.logits_BV.double().cpu().numpy(), attention

    def _step(self, ids_B: codec.Ids) -> StepOutput:
        decoder = self._graph or self._decoder
        return decoder.step(torch.from_numpy(ids_B).to(self._device))

    def notices(self) -> Iterator[str]:
        """Yield a sentence for each change of method, each once."""
        refused = self._graph.failure if self._graph else None
        if refused and not self._refusal_reported:
            self._refusal_reported = True
            yield f"the device cannot record a step ({refused}): generation continues, but slower"


def _graph_decoder(decoder: IncrementalDecoder, device: torch.device) -> GraphDecoder | None:
    """Return a decoder that replays a CUDA graph, None where the device or the scheme cannot."""
    if device.type != "cuda" or not decoder.graph_capturable:
        return None
    return GraphDecoder(decoder, capture_cuda_graph)


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
