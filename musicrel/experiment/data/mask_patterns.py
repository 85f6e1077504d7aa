"""Mask patterns for training and evaluating infilling models, one per mode of masking.

``mixture`` is the training distribution of ``infill``. Half of it resembles the states of Gibbs
sampling: blocks of single voices, so that each hidden note has three known notes in its step. The
rest masks the whole piece, some voices, some steps, or some voices over some steps, and of this
region all cells or a share, singly or in runs. ``ahead`` is the training distribution of
``encoder_decoder``: whole regions. The other patterns are tasks of users.

Dimensions: T steps, 4 voices.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

import numpy as np

from musicrel.chorale import STEPS_PER_QUARTER, Flags, Voice

Pattern: TypeAlias = Callable[[int, np.random.Generator], Flags]
"""Maps the number of steps and a generator to the hidden cells, bool (T, 4), at least one."""

_KINDS: Final = ("sweep", "all", "voices", "steps", "both")
_SHARES: Final = (0.5, 0.15, 0.2, 0.05, 0.1)
_WHOLE: Final = 0.4
"""Probability that a region is hidden completely; the whole piece always has a share of it
hidden."""
_BLOCKS: Final = (STEPS_PER_QUARTER, 2 * STEPS_PER_QUARTER, 4 * STEPS_PER_QUARTER)
_RUNS: Final = (1, 2, STEPS_PER_QUARTER, 2 * STEPS_PER_QUARTER)
_MAX_SPAN_STEPS: Final = 64
_TWO_BARS: Final = 32


def _mixture(steps: int, rng: np.random.Generator) -> Flags:
    kind = str(rng.choice(_KINDS, p=_SHARES))
    if kind == "sweep":
        return _sweep(steps, int(rng.choice(_BLOCKS)), rng)
    region = _region(steps, kind, rng)
    if kind != "all" and rng.random() < _WHOLE:
        return region
    return _share(region, 1.0 - float(rng.random()), int(rng.choice(_RUNS)), rng)


def _region(steps: int, kind: str, rng: np.random.Generator) -> Flags:
    """Draw a region: the whole piece, some voices, some steps, or some voices over some steps."""
    region = np.ones((steps, len(Voice)), dtype=np.bool_)
    if kind in ("voices", "both"):
        chosen = rng.permutation(len(Voice))[: rng.integers(1, len(Voice))]
        region &= np.isin(np.arange(len(Voice)), chosen)
    if kind in ("steps", "both"):
        region &= _span(steps, int(rng.integers(1, _MAX_SPAN_STEPS + 1)), rng)[:, None]
    return region


def _sweep(steps: int, length: int, rng: np.random.Generator) -> Flags:
    """Draw blocks of about ``length`` steps of random voices, with gaps of the same length."""
    hidden = np.zeros((steps, len(Voice)), dtype=np.bool_)
    offset = int(rng.integers(2 * length))
    for first in range(offset - 2 * length, steps, 2 * length):
        start, stop = first + rng.integers(-length // 2, length // 2 + 1, size=2)
        hidden[max(start, 0) : max(stop + length, 0), rng.integers(len(Voice))] = True
    if not hidden.any():
        hidden[rng.integers(steps), rng.integers(len(Voice))] = True
    return hidden


def _share(region: Flags, rate: float, run: int, rng: np.random.Generator) -> Flags:
    """Draw about ``rate`` of the cells of ``region``, in runs of ``run`` steps of a voice."""
    steps = (np.arange(len(region)) + rng.integers(run)) // run
    group = steps[:, None] * len(Voice) + np.arange(len(Voice))
    groups = np.unique(group[region])
    number = max(1, round(rate * len(groups)))
    return region & np.isin(group, rng.permutation(groups)[:number])


def _span(steps: int, length: int, rng: np.random.Generator) -> Flags:
    """Draw ``length`` consecutive steps, or all of a shorter piece: bool (T,)."""
    first = int(rng.integers(max(steps - length, 0) + 1))
    places = np.arange(steps)
    return (places >= first) & (places < first + length)


def _all_but(*given: Voice) -> Pattern:
    """Return the pattern that hides all other voices."""

    def hidden(steps: int, _rng: np.random.Generator) -> Flags:
        return np.tile(~np.isin(np.arange(len(Voice)), given), (steps, 1))

    return hidden


def _two_bars(steps: int, rng: np.random.Generator) -> Flags:
    return np.tile(_span(steps, _TWO_BARS, rng)[:, None], (1, len(Voice)))


_AHEAD_KINDS: Final = ("all", "soprano", "voices", "steps", "both")
_AHEAD_SHARES: Final = (0.25, 0.35, 0.15, 0.1, 0.15)


def _ahead(steps: int, rng: np.random.Generator) -> Flags:
    kind = str(rng.choice(_AHEAD_KINDS, p=_AHEAD_SHARES))
    if kind == "soprano":
        return _all_but(Voice.SOPRANO)(steps, rng)
    return _region(steps, kind, rng)


PATTERNS: Final[Mapping[str, Pattern]] = MappingProxyType(
    {
        "mixture": _mixture,
        "ahead": _ahead,
        "nothing_given": _all_but(),
        "soprano_given": _all_but(Voice.SOPRANO),
        "outer_given": _all_but(Voice.SOPRANO, Voice.BASS),
        "two_bars": _two_bars,
    }
)
