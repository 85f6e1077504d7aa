"""What music is measured against: a reference for the grade, and how Bach himself does.

The shipped one holds counts, not music: the pooled distributions of the training split of the
published JSB16 data, and the figures of its test split. ``training/build_grade_reference.py`` makes
the file. Others are made from pieces, when they are asked for.

This file knows the sources of references; it knows nothing of how a grade comes about.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any, Final

from musicrel import paths
from musicrel.analysis import voice_leading, wasserstein
from musicrel.analysis.grade import Reference, grade
from musicrel.chorale import Chorale
from musicrel.corpus import bundled, jsb
from musicrel.errors import DataError, FileError, UsageError

SHIPPED: Final = "jsb16"
BUNDLED: Final = "chorales"
FILE_NAME: Final = "corpus/grade_reference.json"
_FILE_PREFIX: Final = "jsb:"
_LONGEST_FILE: Final = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class BachsFigures:
    """How Bach's chorales that are not in the reference do.

    Attributes:
        title: which ones, as it is printed.
        pieces: how many.
        grade: the median of their grades.
        parallels: per 1,000 notes, pooled.
        crossing: in % of steps, pooled.
        spacing: in % of steps, pooled.
    """

    title: str
    pieces: int
    grade: float
    parallels: float
    crossing: float
    spacing: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Yardstick:
    """A reference, and what Bach scores on it."""

    reference: Reference
    bach: BachsFigures


def load(source: str = SHIPPED) -> Yardstick:
    """The yardstick called ``source``.

    Args:
        source: "jsb16", the shipped counts; "chorales", the bundled corpus; or "jsb:FILE", the
            published data, which users download themselves.

    Raises:
        UsageError: the name is unknown.
        FileError: a file is missing or damaged.
        DataError: the pieces in the file are too few.
    """
    if source == SHIPPED:
        return _shipped()
    if source == BUNDLED:
        return of(bundled.load("train"), bundled.load("test"), "the bundled chorales")
    if source.startswith(_FILE_PREFIX):
        pieces = jsb.read(Path(source.removeprefix(_FILE_PREFIX)).expanduser())
        return of(pieces["train"], pieces["test"], "JSB16")
    raise UsageError(
        f"unknown reference {source!r}: expected '{SHIPPED}', '{BUNDLED}' or '{_FILE_PREFIX}FILE'"
    )


def of(train: Sequence[Chorale], test: Sequence[Chorale], name: str) -> Yardstick:
    """The yardstick that two splits of a data set are.

    Args:
        train: what is compared with.
        test: Bach's pieces that are not among them.
        name: of the data set.

    Raises:
        DataError: the pieces are too few.
    """
    if not test:
        raise DataError(f"the test split of {name} is empty: at least one piece is needed")
    reference = Reference.of(train, f"the training split of {name}")
    rates = voice_leading.rates(*test)
    bach = BachsFigures(
        title=f"the test split of {name}",
        pieces=len(test),
        grade=median(grade(piece, reference).total for piece in test),
        parallels=rates.parallels,
        crossing=rates.crossing,
        spacing=rates.spacing,
    )
    return Yardstick(reference=reference, bach=bach)


def to_json(yardstick: Yardstick) -> dict[str, Any]:
    """``yardstick`` as plain values; symbols by rank."""
    reference = yardstick.reference
    counts = {
        feature: {
            mode: {symbol: of_mode[symbol] for symbol in wasserstein.ranked(of_mode)}
            for mode, of_mode in of_feature.items()
        }
        for feature, of_feature in reference.counts.items()
    }
    return {
        "reference": {
            "title": reference.title,
            "pieces": reference.pieces,
            "notes": reference.notes,
            "counts": counts,
        },
        "bach": asdict(yardstick.bach),
    }


def from_json(content: Mapping[str, Any]) -> Yardstick:
    """The yardstick that ``to_json`` told; beside its keys others may stand.

    Raises:
        KeyError, TypeError: something is missing.
        DataError: a distribution is empty.
    """
    return Yardstick(
        reference=Reference(**content["reference"]), bach=BachsFigures(**content["bach"])
    )


def _shipped() -> Yardstick:
    path = paths.assets() / FILE_NAME
    try:
        return from_json(json.loads(paths.read_bytes(path, limit=_LONGEST_FILE)))
    except (ValueError, KeyError, TypeError, AttributeError, DataError) as reason:
        raise FileError(
            f"{path} holds no reference for the grade ({reason}): install musicrel again"
        ) from reason
