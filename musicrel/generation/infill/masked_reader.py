"""Readers: an infill model that reads pieces with hidden cells and returns logits of some cells.

On a CPU the compiled kernel computes the features and the output layers. The layers between them
are computed by torch in bfloat16 where the processor has arithmetic for it, and else by the kernel
in float32, which needs no torch. Without the kernel, and on other devices, torch computes it all.

On a CPU every piece is read by itself: torch's kernels for bfloat16 sum in another order for
another number of rows, and a candidate's notes must not depend on the others. A batch would save
little, because a whole piece is bound by arithmetic.

Dimensions: B pieces, T steps, S wanted steps, 4 voices, N cells in raster order, C conditions, V
vocabulary.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np
import numpy.typing as npt

from musicrel.chorale import Chorale, Flags, Voice
from musicrel.generation.causal.batch import Nats
from musicrel.generation.loaded_model import LoadedModel
from musicrel.model.replaced_heads import Ablations
from musicrel.model.tokens.conditions import Rows
from musicrel.model.tokens.vocabulary import MASK

if TYPE_CHECKING:
    from musicrel.generation.infill.torch_reader import TorchReader
    from musicrel.model.compiled.infiller import CompiledInfiller
    from musicrel.model.devices import Precision

Grid = npt.NDArray[np.int64]
Logits = npt.NDArray[np.float32]

_MAX_CELLS: Final = 4 * 1024
"""Cells of one forward pass, 64 bars of 4/4; longer pieces are read in parts."""
_PART_CELLS: Final = 4 * 512
_MARGIN: Final = 4 * 48
"""Cells of context on both sides of the wanted cells. Predictions are about as good as with the
whole piece, and faster."""


class MaskedReader(Protocol):
    """A reader of pieces with hidden cells."""

    @property
    def precision(self) -> Precision: ...

    @property
    def pieces_at_once(self) -> int: ...

    def read(self, tokens_BT4: Grid, conditions_BNC: Rows, wanted_BT4: Flags, start: int) -> Logits:
        """Return the logits of the four voices of all steps with a wanted cell, (B, S, 4, V).

        Args:
            tokens_BT4: MASK in hidden cells.
            wanted_BT4: the cells to predict; at least one.
            start: number of the first cell in its piece.
        """
        ...


def open_masked_reader(
    model: LoadedModel,
    precision: Precision | None = None,
    replaced: Ablations | None = None,
) -> MaskedReader:
    """Return the fastest reader of ``model``.

    Without a precision it is that of this machine. Heads are replaced at all steps, in single
    precision.
    """
    chosen = (precision or model.precision) if replaced is None else "single"
    compiled = model.compiled_infiller
    if compiled is not None and chosen == "single":
        return CompiledReader(compiled, replaced=replaced)
    from musicrel.generation.infill import torch_reader  # noqa: PLC0415  # it imports torch

    by_torch = torch_reader.TorchReader(model, chosen, replaced)
    return by_torch if compiled is None else CompiledReader(compiled, by_torch)


def read_cells(
    reader: MaskedReader,
    tokens: Sequence[Grid],
    conditions: Sequence[Rows],
    wanted_BT4: Flags,
    region: slice | None = None,
) -> list[Logits]:
    """Return the logits of some cells of each piece, (T, 4, V); long pieces are read in parts.

    Args:
        tokens: int64 (T, 4) of each piece, MASK in hidden cells.
        conditions: condition rows of each piece, (N, C).
        wanted_BT4: the cells to predict; logits of others mean nothing.
        region: range of cells that all wanted ones lie in; cells far from it are not read.
    """
    tokens_BT4, conditions_BNC = np.stack(tokens), np.stack(conditions)
    region = region or slice(0, tokens_BT4[0].size)
    results: list[Logits] = []
    for first in range(0, len(tokens), reader.pieces_at_once):
        some = slice(first, first + reader.pieces_at_once)
        results.extend(
            _read(reader, tokens_BT4[some], conditions_BNC[some], wanted_BT4[some], region)
        )
    return results


def _read(
    reader: MaskedReader,
    tokens_BT4: Grid,
    conditions_BNC: Rows,
    wanted_BT4: Flags,
    region: slice,
) -> Logits:
    logits_BT4V = np.zeros((*wanted_BT4.shape, 0), dtype=np.float32)
    for seen, kept in _parts(region, tokens_BT4[0].size):
        wanted = np.zeros_like(wanted_BT4)
        wanted[:, _steps(kept)] = wanted_BT4[:, _steps(kept)]
        if wanted.any():
            at = _steps(seen)
            part_BS4V = reader.read(
                tokens_BT4[:, at], conditions_BNC[:, seen], wanted[:, at], seen.start
            )
            if not logits_BT4V.size:
                logits_BT4V = np.zeros((*wanted.shape, part_BS4V.shape[-1]), dtype=np.float32)
            logits_BT4V[:, wanted.any(axis=(0, 2))] = part_BS4V
    return logits_BT4V


def _steps(cells: slice) -> slice:
    return slice(cells.start // len(Voice), cells.stop // len(Voice))


def _parts(region: slice, cells: int) -> Iterator[tuple[slice, slice]]:
    whole = _seen(region, cells)
    length = _PART_CELLS if whole.stop - whole.start > _MAX_CELLS else cells
    for first in range(region.start, region.stop, length):
        kept = slice(first, min(first + length, region.stop))
        yield _seen(kept, cells), kept


def _seen(region: slice, cells: int) -> slice:
    return slice(max(region.start - _MARGIN, 0), min(region.stop + _MARGIN, cells))


class CompiledReader:
    """A reader by the compiled kernel; ``layers`` compute in bfloat16, else it does, in float32."""

    pieces_at_once: Final = 1

    def __init__(
        self,
        infiller: CompiledInfiller,
        layers: TorchReader | None = None,
        replaced: Ablations | None = None,
    ) -> None:
        self._infiller, self._layers, self._replaced = infiller, layers, replaced
        self.precision: Precision = "single" if layers is None else "mixed"

    def read(self, tokens_BT4: Grid, conditions_BNC: Rows, wanted_BT4: Flags, start: int) -> Logits:
        steps_S = np.flatnonzero(wanted_BT4[0].any(axis=1))
        return self._infiller.logits_at(
            tokens_BT4.reshape(1, -1),
            conditions_BNC,
            steps_S,
            starts=start,
            wanted_S4=wanted_BT4[0, steps_S],
            layers=None if self._layers is None else self._layers.states,
            replaced=self._replaced,
        )


_HIDDEN_AT_ONCE: Final = 4  # steps of a hidden run


def piece_nats(
    reader: MaskedReader, model: LoadedModel, chorale: Chorale, given: Iterable[str]
) -> Nats:
    """Return -log p of each cell of a piece, (T, 4); see ``cell_nats``."""
    tokens = model.encode(chorale)[1:-1].reshape(-1, len(Voice))
    return cell_nats(reader, tokens, model.condition_rows(chorale, tuple(given))[: tokens.size])


def cell_nats(reader: MaskedReader, tokens: Grid, conditions_NC: Rows) -> Nats:
    """Return -log p of each cell, given all but its neighbours in its voice, (T, 4), in nats.

    Each of eight passes hides every other run of a voice.
    """
    nats = np.zeros(tokens.shape)
    run = np.arange(len(tokens)) // _HIDDEN_AT_ONCE % 2
    for voice in Voice:
        for phase in range(2):
            steps = np.flatnonzero(run == phase)
            if steps.size:
                hidden, wanted_BT4 = tokens.copy(), np.zeros((1, *tokens.shape), dtype=np.bool_)
                hidden[steps, voice], wanted_BT4[0, steps, voice] = MASK, True
                (logits,) = read_cells(reader, [hidden], [conditions_NC], wanted_BT4)
                logits_SV = logits[steps, voice].astype(np.float64)
                log_p_SV = logits_SV - np.logaddexp.reduce(logits_SV, axis=-1, keepdims=True)
                nats[steps, voice] = -log_p_SV[np.arange(len(steps)), tokens[steps, voice]]
    return nats
