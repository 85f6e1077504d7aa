"""Samples to examine: pieces, or crops of eight bars, with the group that stays together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from musicrel.chorale import REST, Chorale
from training.examination import tunes
from training.examination.reading import BEAT

Crop = Literal["8", "whole"]
CROP_STEPS: Final = 128
"""Eight bars of four quarters."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sample:
    """A piece or a crop.

    Attributes:
        piece: the music.
        group: name of the tune.
    """

    piece: Chorale
    group: str


def samples(pieces: Sequence[Chorale], groups: Sequence[str], crop: Crop) -> list[Sample]:
    """Return the samples of pieces.

    Args:
        pieces: any pieces; a crop of silence is left out.
        groups: the group of each.
        crop: "8": crops of eight bars of four quarters, evenly spread, that cover the piece from
            its first beat to its last; a shorter piece is one sample. "whole": the pieces.
    """
    return [
        Sample(piece=part, group=group)
        for piece, group in zip(pieces, groups, strict=True)
        for part in (crops(piece) if crop == "8" else [piece])
        if (part.pitches != REST).any()
    ]


def grouped(
    bach: Sequence[Chorale], others: Sequence[Chorale], crop: Crop
) -> tuple[list[Sample], list[Sample]]:
    """Return the samples of Bach's pieces and of others, grouped by tune."""
    names = [str(group) for group in tunes.groups([*bach, *others])]
    return samples(bach, names[: len(bach)], crop), samples(others, names[len(bach) :], crop)


def crops(piece: Chorale) -> Iterable[Chorale]:
    """Yield the fewest crops of eight bars that cover a piece, on its beats."""
    spare = max(piece.steps - CROP_STEPS, 0)
    number = -(-spare // CROP_STEPS) + 1
    for start in np.linspace(0, spare, number).tolist():
        first = round(start / BEAT) * BEAT
        yield piece.cropped(first, min(first + CROP_STEPS, piece.steps))
