"""Which cells of a grid are hidden from a model that fills in: one pattern a mode of masking.

``mixture`` is what such a model learns from. Half of it is like what the sampler hides: one
voice here, another there, so that every hidden note has three known ones beside it. Else it is the
whole piece, some voices, some steps, or some voices over some steps, and of that region all cells
or a share of them, singly or in runs. ``ahead`` is what a model learns from that writes what is not
given: regions are hidden whole. The others are tasks that users set.

Dimensions: T steps, 4 voices.

This file knows steps and voices; it knows nothing of tokens or models.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

import numpy as np

from musicrel.chorale import STEPS_PER_QUARTER, Flags, Voice

Pattern: TypeAlias = Callable[[int, np.random.Generator], Flags]
"""From the number of steps and chance to the hidden cells, bool (T, 4), at least one."""

_KINDS: Final = ("sweep", "all", "voices", "steps", "both")
_SHARES: Final = (0.5, 0.15, 0.2, 0.05, 0.1)
_WHOLE: Final = 0.4
"""Chance that all of a region is hidden; else, and of the whole piece always, it is a share."""
_BLOCKS: Final = (STEPS_PER_QUARTER, 2 * STEPS_PER_QUARTER, 4 * STEPS_PER_QUARTER)
_RUNS: Final = (1, 2, STEPS_PER_QUARTER, 2 * STEPS_PER_QUARTER)
_LONGEST_SPAN: Final = 64
_TWO_BARS: Final = 32


def _mixture(steps: int, rng: np.random.Generator) -> Flags:
    kind = str(rng.choice(_KINDS, p=_SHARES))
    if kind == "sweep":
        return _swept(steps, int(rng.choice(_BLOCKS)), rng)
    region = _region(steps, kind, rng)
    if kind != "all" and rng.random() < _WHOLE:
        return region
    return _share(region, 1.0 - float(rng.random()), int(rng.choice(_RUNS)), rng)


def _region(steps: int, kind: str, rng: np.random.Generator) -> Flags:
    """All of the piece, some voices, some steps, or some voices over some steps."""
    region = np.ones((steps, len(Voice)), dtype=np.bool_)
    if kind in ("voices", "both"):
        chosen = rng.permutation(len(Voice))[: rng.integers(1, len(Voice))]
        region &= np.isin(np.arange(len(Voice)), chosen)
    if kind in ("steps", "both"):
        region &= _span(steps, int(rng.integers(1, _LONGEST_SPAN + 1)), rng)[:, None]
    return region


def _swept(steps: int, length: int, rng: np.random.Generator) -> Flags:
    """Blocks of about ``length`` steps, each of any one voice, with as much between them."""
    hidden = np.zeros((steps, len(Voice)), dtype=np.bool_)
    offset = int(rng.integers(2 * length))
    for first in range(offset - 2 * length, steps, 2 * length):
        start, stop = first + rng.integers(-length // 2, length // 2 + 1, size=2)
        hidden[max(start, 0) : max(stop + length, 0), rng.integers(len(Voice))] = True
    if not hidden.any():
        hidden[rng.integers(steps), rng.integers(len(Voice))] = True
    return hidden


def _share(region: Flags, rate: float, run: int, rng: np.random.Generator) -> Flags:
    """About ``rate`` of the cells of ``region``, in runs of so many steps of a voice."""
    steps = (np.arange(len(region)) + rng.integers(run)) // run
    group = steps[:, None] * len(Voice) + np.arange(len(Voice))
    groups = np.unique(group[region])
    number = max(1, round(rate * len(groups)))
    return region & np.isin(group, rng.permutation(groups)[:number])


def _span(steps: int, length: int, rng: np.random.Generator) -> Flags:
    """``length`` steps somewhere, or all where there are no more: bool (T,)."""
    first = int(rng.integers(max(steps - length, 0) + 1))
    places = np.arange(steps)
    return (places >= first) & (places < first + length)


def _but(*given: Voice) -> Pattern:
    """All voices but those."""

    def hidden(steps: int, rng: np.random.Generator) -> Flags:
        del rng
        return np.tile(~np.isin(np.arange(len(Voice)), given), (steps, 1))

    return hidden


def _two_bars(steps: int, rng: np.random.Generator) -> Flags:
    return np.tile(_span(steps, _TWO_BARS, rng)[:, None], (1, len(Voice)))


_WRITTEN: Final = ("all", "soprano", "voices", "steps", "both")
_WRITTEN_SHARES: Final = (0.25, 0.35, 0.15, 0.1, 0.15)


def _ahead(steps: int, rng: np.random.Generator) -> Flags:
    kind = str(rng.choice(_WRITTEN, p=_WRITTEN_SHARES))
    if kind == "soprano":
        return _but(Voice.SOPRANO)(steps, rng)
    return _region(steps, kind, rng)


PATTERNS: Final[Mapping[str, Pattern]] = MappingProxyType(
    {
        "mixture": _mixture,
        "ahead": _ahead,
        "nothing_given": _but(),
        "soprano_given": _but(Voice.SOPRANO),
        "outer_given": _but(Voice.SOPRANO, Voice.BASS),
        "two_bars": _two_bars,
    }
)
"""By mode."""
