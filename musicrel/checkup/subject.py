"""A model on a device and the same model read by torch on the CPU, with a piece to read.

Dimensions: N tokens, V vocabulary, L layers, H heads, C conditions, T steps, 4 voices.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from musicrel.checkup.findings import Outcome
from musicrel.chorale import Chorale, Meter, Voice
from musicrel.corpus import bundled
from musicrel.generation import kernel
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.tokens import codec, conditions

Floats = npt.NDArray[np.float32]

BARS: Final = 4
_LARGEST_DIFFERENCE: Final = 1e-4
"""Difference of two numbers of a model, logits or weights of attention, that passes."""


class Subject:
    """A model on a device, and the same read by torch on the CPU."""

    def __init__(self, folder: Path, device: str, threads: int) -> None:
        self.folder, self._device, self._threads = folder, device, threads

    @cached_property
    def model(self) -> LoadedModel:
        return load_model(str(self.folder), self._device, self._threads)

    @cached_property
    def reference(self) -> LoadedModel:
        """Return the model on the CPU; it is used with the kernel switched off only."""
        return load_model(str(self.folder), "cpu", self._threads)

    @cached_property
    def rows_NC(self) -> conditions.Rows:
        """Return the condition rows of the cells of the piece."""
        names = tuple(name for name in self.model.conditions if name in conditions.CONDITIONS)
        return self.model.condition_rows(piece(), names)[: piece().steps * len(Voice)]

    @cached_property
    def ids_N(self) -> codec.Ids:
        """Return the token before each cell, START first."""
        return self.model.encode(piece())[: len(self.rows_NC)]

    @cached_property
    def cells_T4(self) -> codec.Ids:
        """Return the token of each cell of the piece."""
        return self.model.encode(piece())[1:-1].reshape(-1, len(Voice))

    @cached_property
    def expected_logits_NV(self) -> Floats:
        """Return the logits of all cells by torch on the CPU."""
        with kernel.switched_off():
            return self.reference.logits(self.ids_N, self.rows_NC)

    @cached_property
    def expected_attention_LHNN(self) -> Floats:
        """Return the attention weights by torch on the CPU."""
        with kernel.switched_off():
            return self.reference.attention(self.ids_N, self.rows_NC)

    def compared_notes(self, write: Callable[[LoadedModel], Chorale]) -> Outcome:
        """Compare the pieces that are written on the device and by torch on the CPU."""
        found = write(self.model)
        with kernel.switched_off():
            expected = write(self.reference)
        return compared_pieces(found, expected)


@cache
def pieces() -> tuple[Chorale, ...]:
    """Return validation chorales in 4/4 without a pickup."""
    meter = Meter(4, 4)
    return tuple(one for one in bundled.load("valid") if one.meter == meter and not one.pickup)


@cache
def piece() -> Chorale:
    first = pieces()[0]
    return first.cropped(0, BARS * first.meter.steps)


def compared_numbers(what: str, found: npt.NDArray[Any], expected: npt.NDArray[Any]) -> Outcome:
    """Compare numbers of a model with those of torch on the CPU."""
    if found.shape != expected.shape:
        shapes = f"{what} of shape {found.shape} instead of {expected.shape}"
        return Outcome(finding=shapes, holds=False)
    largest = float(np.abs(found.astype(np.float64) - expected).max(initial=0.0))
    return Outcome(
        finding=f"largest difference of {found.size:,} {what}: {largest:.1e}",
        figure=largest,
        limit=_LARGEST_DIFFERENCE,
    )


def compared_pieces(found: Chorale, expected: Chorale) -> Outcome:
    """Compare the notes of two pieces, cell by cell."""
    if found.steps != expected.steps:
        return Outcome(finding=f"{found.steps} steps instead of {expected.steps}", holds=False)
    same = (found.pitches == expected.pitches) & (found.onsets == expected.onsets)
    others = int((~same).sum())
    return Outcome(finding=f"{others} of {same.size} cells have another note", figure=others)
