"""Samples to examine: pieces, or crops of eight bars, with the group that stays together.

Settings of one chorale melody are a group, which is never in different folds. Two pieces have one
tune if the soprano of one has half of the runs of eight intervals that the other has, as in
``training.allocation``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from musicrel.chorale import REST, Chorale
from training.allocation import SAME_SETTING, Run
from training.bar_lines import runs
from training.examination.reading import BEAT

Crop = Literal["8", "whole"]
CROP_STEPS: Final = 128
"""Eight bars of four quarters."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sample:
    piece: Chorale
    group: str  # name of the tune


def samples(pieces: Sequence[Chorale], groups: Sequence[str], crop: Crop) -> list[Sample]:
    return [
        Sample(piece=part, group=group)
        for piece, group in zip(pieces, groups, strict=True)
        for part in (crops(piece) if crop == "8" else [piece])
        if (part.pitches != REST).any()
    ]


def grouped(
    bach: Sequence[Chorale], others: Sequence[Chorale], crop: Crop
) -> tuple[list[Sample], list[Sample]]:
    names = [str(group) for group in groups_by_tune([*bach, *others])]
    return samples(bach, names[: len(bach)], crop), samples(others, names[len(bach) :], crop)


def crops(piece: Chorale) -> Iterable[Chorale]:
    """Yield the fewest crops of eight bars that cover a piece, on its beats."""
    spare = max(piece.steps - CROP_STEPS, 0)
    number = -(-spare // CROP_STEPS) + 1
    for start in np.linspace(0, spare, number).tolist():
        first = round(start / BEAT) * BEAT
        yield piece.cropped(first, min(first + CROP_STEPS, piece.steps))


def groups_by_tune(pieces: Sequence[Chorale]) -> list[int]:
    melodies = [runs(piece) for piece in pieces]
    found: list[int] = []
    for number, own in enumerate(melodies):
        alike = {found[other] for other in range(number) if _is_same(own, melodies[other])}
        first = min(alike, default=number)
        found = [first if group in alike else group for group in found] + [first]
    return found


def _is_same(one: frozenset[Run], other: frozenset[Run]) -> bool:
    shorter = min(len(one), len(other))
    return shorter > 0 and len(one & other) >= SAME_SETTING * shorter
