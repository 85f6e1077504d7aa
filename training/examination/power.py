"""The power of the examination: what has to look alike does, and what differs is found out.

Bach against Bach: validation against pieces drawn from training, five times, since areas of
draws of this size differ by 0.1; the mean counts. The draws share the pieces of validation and some
of training, so that no interval of the mean can be had from them: the least and the greatest area
stand in its place. JS Fakes have neither repeats nor bar lines
nor fermatas, and are compared with Bach's pitches alone. In the last test each validation piece is
compared with itself, one voice of which has its phrases shuffled.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from statistics import fmean
from types import MappingProxyType
from typing import Final, NamedTuple

import numpy as np

from training.examination import material
from training.examination.estimate import Estimate
from training.examination.examination import Examination, examine
from training.examination.features import FIRST_SEED, FeatureSet
from training.examination.samples import Crop, Sample, grouped, groups_by_tune, samples

_PIECES: Final = 100
"""Number of others, as of a model."""

Pair = tuple[list[Sample], list[Sample]]


def _null(crop: Crop, random: np.random.Generator) -> Pair:
    bach, train = material.bach("valid"), material.bach("train")
    drawn = random.choice(len(train), _PIECES, replace=False)
    return grouped(bach, [train[n] for n in sorted(drawn)], crop)


def _fakes(crop: Crop, random: np.random.Generator) -> Pair:
    fakes = material.js_fakes()
    drawn = random.choice(len(fakes), _PIECES, replace=False)
    bach = [material.bare(piece) for piece in material.bach("valid")]
    return grouped(bach, [fakes[n] for n in sorted(drawn)], crop)


def _shuffled(crop: Crop, random: np.random.Generator) -> Pair:
    bach = material.bach("valid")
    others = [material.shuffled(piece, int(random.integers(2**31))) for piece in bach]
    groups = [str(group) for group in groups_by_tune(bach)]
    return samples(bach, groups, crop), samples(others, groups, crop)


class Test(NamedTuple):
    """A test: draws samples of both, so many times, and the area that is asked."""

    draw: Callable[[Crop, np.random.Generator], Pair]  # returns samples of Bach and of the other
    times: int  # number of draws
    asked: float  # the largest mean area of a classifier has to be at most, or at least, this
    alike: bool  # True for at most


TESTS: Final[Mapping[str, Test]] = MappingProxyType(
    {
        "Bach": Test(_null, 5, 0.6, alike=True),
        "JS Fakes": Test(_fakes, 1, 0.75, alike=False),
        "Bach, a voice shuffled": Test(_shuffled, 1, 0.9, alike=False),
    }
)
"""Name of what Bach is compared with -> the test."""


def power(which: FeatureSet, crop: Crop) -> dict[str, Examination]:
    """Return the examination of each of ``TESTS``; of several draws the mean areas."""
    found = {}
    for number, (name, test) in enumerate(TESTS.items()):
        random = np.random.default_rng([FIRST_SEED[which], number])
        draws = [examine(*test.draw(crop, random), which) for _ in range(test.times)]
        found[name] = replace(draws[0], areas=over_draws([draw.areas for draw in draws]))
    return found


def over_draws(areas: Sequence[Mapping[str, Estimate]]) -> dict[str, Estimate]:
    """Return the areas by classifier: those of one draw, or the mean, least and greatest of all."""
    if len(areas) == 1:
        return dict(areas[0])
    found = {name: [each[name].value for each in areas] for name in areas[0]}
    return {
        name: Estimate(value=fmean(values), low=min(values), high=max(values))
        for name, values in found.items()
    }
