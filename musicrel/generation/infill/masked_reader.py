"""Readers: an infill model that reads pieces with hidden cells and returns logits of some cells.

On a CPU the compiled kernel computes the features and the output layers. The layers between them
are computed by torch in bfloat16 where the processor has arithmetic for it, and else by the kernel
in float32, which needs no torch. Without the kernel, and on other devices, torch computes it all.

On a CPU every piece is read by itself: torch's kernels for bfloat16 sum in another order for
another number of rows, and a candidate's notes must not depend on the others. A batch would save
little, because a whole piece is bound by arithmetic.

Dimensions: B pieces, T steps, 4 voices, N cells in raster order, C conditions, M wanted cells,
V vocabulary.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np
import numpy.typing as npt

from musicrel.chorale import Flags, Voice
from musicrel.generation import kernel
from musicrel.generation.infill.muted_layers import compiled_layers, value_rows
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.sampling import Floats
from musicrel.model.replaced_heads import ReplacedHeads
from musicrel.tokens.conditions import Rows

if TYPE_CHECKING:
    from musicrel.model.compiled.infiller import CompiledInfiller, Layers
    from musicrel.model.devices import Precision

Grid = npt.NDArray[np.int64]

_MAX_CELLS: Final = 4 * 1024
"""Cells of one forward pass, 64 bars of 4/4; longer pieces are read in parts."""
_PART_CELLS: Final = 4 * 512
_MARGIN: Final = 4 * 64
"""Cells of context on both sides of the wanted cells: as many steps as the positions of the bundled
model distinguish. Predictions are as good as with the whole piece, and faster."""


class MaskedReader(Protocol):
    """A reader of pieces with hidden cells."""

    @property
    def precision(self) -> Precision: ...

    @property
    def pieces_at_once(self) -> int: ...

    def read(self, tokens_BT4: Grid, conditions_BNC: Rows, wanted_BT4: Flags, start: int) -> Floats:
        """Return logits, float64 (M, V), ordered by voice, then piece, then step.

        Args:
            tokens_BT4: int64, MASK in hidden cells.
            conditions_BNC: int64 condition rows of the cells.
            wanted_BT4: bool, the cells to predict; at least one.
            start: number of the first cell in its piece.
        """
        ...


@dataclass(frozen=True, slots=True)
class CellLogits:
    """The logits of some cells of a piece.

    Attributes:
        row_T4: int64 (T, 4), row of each cell in the logits, -1 where it has none.
        logits_MV: float64 (M, V).
    """

    row_T4: Grid
    logits_MV: Floats

    def at(self, steps: slice | int | Grid, voice: int | Grid) -> Floats:
        """Return the logits of some cells that were asked for, (..., V)."""
        found: Floats = self.logits_MV[self.row_T4[steps, voice]]
        return found


def open_masked_reader(
    model: LoadedModel,
    precision: Precision | None = None,
    replaced: ReplacedHeads | None = None,
) -> MaskedReader:
    """Return the fastest reader of ``model``.

    Args:
        model: a model of family ``infill``.
        precision: precision of the products; None: that of this machine. Heads are replaced in
            single precision.
        replaced: heads that are replaced at all steps; None: none.
    """
    chosen, compiled = precision or model.precision, compiled_infiller(model)
    chosen = chosen if replaced is None else "single"
    if compiled is None:
        from musicrel.generation.infill import torch_reader  # noqa: PLC0415  # it imports torch

        return torch_reader.TorchReader(model, chosen, replaced)
    if chosen == "single":
        return CompiledReader(compiled, replaced=replaced)
    from musicrel.generation.infill import mixed_layers  # noqa: PLC0415  # it imports torch

    return CompiledReader(compiled, mixed_layers.MixedLayers(model.network))


def compiled_infiller(model: LoadedModel) -> CompiledInfiller | None:
    """Return the model prepared for the kernel; None where torch reads."""
    compiled = model.compiled_infiller
    if compiled is None:
        return None
    from musicrel.model.compiled import infiller  # noqa: PLC0415  # it imports numba

    works = kernel.works("infilling", partial(infiller.run_once, compiled))
    return compiled if works else None


def read_cells(
    reader: MaskedReader,
    tokens: Sequence[Grid],
    conditions: Sequence[Rows],
    wanted_BT4: Flags,
    region: slice | None = None,
) -> list[CellLogits]:
    """Return the logits of some cells of each piece; long pieces are read in parts.

    Args:
        reader: the reader.
        tokens: int64 (T, 4) of each piece, MASK in hidden cells.
        conditions: condition rows of each piece, (N, C).
        wanted_BT4: bool (B, T, 4), the cells to predict.
        region: range of cells that all wanted ones lie in; cells far from it are not read. None:
            all.
    """
    tokens_BT4, conditions_BNC = np.stack(tokens), np.stack(conditions)
    region = region or slice(0, tokens_BT4[0].size)
    results: list[CellLogits] = []
    for first in range(0, len(tokens), reader.pieces_at_once):
        some = slice(first, first + reader.pieces_at_once)
        results += _read(reader, tokens_BT4[some], conditions_BNC[some], wanted_BT4[some], region)
    return results


def _read(
    reader: MaskedReader,
    tokens_BT4: Grid,
    conditions_BNC: Rows,
    wanted_BT4: Flags,
    region: slice,
) -> list[CellLogits]:
    """Return the result of ``read_cells`` for one batch."""
    row_BT4 = np.full(wanted_BT4.shape, -1)
    logits: list[Floats] = []
    for seen, kept in _parts(region, tokens_BT4[0].size):
        wanted = np.zeros_like(wanted_BT4)
        wanted[:, _steps(kept)] = wanted_BT4[:, _steps(kept)]
        if wanted.any():
            rows = sum(map(len, logits)) + np.arange(wanted.sum())
            row_BT4.transpose(2, 0, 1)[wanted.transpose(2, 0, 1)] = rows
            at = _steps(seen)
            part = reader.read(
                tokens_BT4[:, at], conditions_BNC[:, seen], wanted[:, at], seen.start
            )
            logits.append(part)
    logits_MV = np.concatenate(logits) if logits else np.zeros((0, 0))
    return [CellLogits(row_T4, logits_MV) for row_T4 in row_BT4]


def _steps(cells: slice) -> slice:
    return slice(cells.start // len(Voice), cells.stop // len(Voice))


def _parts(region: slice, cells: int) -> Iterator[tuple[slice, slice]]:
    """Yield slices of the cells to read together and of those to keep of them."""
    whole = _seen(region, cells)
    length = _PART_CELLS if whole.stop - whole.start > _MAX_CELLS else cells
    for first in range(region.start, region.stop, length):
        kept = slice(first, min(first + length, region.stop))
        yield _seen(kept, cells), kept


def _seen(region: slice, cells: int) -> slice:
    return slice(max(region.start - _MARGIN, 0), min(region.stop + _MARGIN, cells))


class CompiledReader:
    """A reader by the compiled kernel; see ``MaskedReader``.

    Args:
        infiller: the prepared model.
        layers: its layers in bfloat16; None: those of the kernel, in float32.
        replaced: heads that the kernel replaces at all steps; None: none.
    """

    pieces_at_once: Final = 1

    def __init__(
        self,
        infiller: CompiledInfiller,
        layers: Layers | None = None,
        replaced: ReplacedHeads | None = None,
    ) -> None:
        self._infiller, self._replaced = infiller, replaced
        self._options: dict[str, Layers] = {} if layers is None else {"layers": layers}
        self.precision: Precision = "single" if layers is None else "mixed"

    def read(self, tokens_BT4: Grid, conditions_BNC: Rows, wanted_BT4: Flags, start: int) -> Floats:
        steps_S = np.flatnonzero(wanted_BT4[0].any(axis=1))
        wanted_S4, options = wanted_BT4[0, steps_S], self._options
        if self._replaced is not None:
            (row_T,) = value_rows(wanted_BT4)
            options = {"layers": compiled_layers(self._replaced, row_T)}
        logits_1S4V = self._infiller.logits_at(
            tokens_BT4.reshape(1, -1),
            conditions_BNC,
            steps_S,
            starts=start,
            wanted_S4=wanted_S4,
            **options,
        )
        logits_MV: Floats = logits_1S4V[0].transpose(1, 0, 2)[wanted_S4.T].astype(np.float64)
        return logits_MV
