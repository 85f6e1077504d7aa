"""References for the grade, with Bach's own scores on them.

The shipped one holds counts, not music: the pooled distributions of the training split of the
published JSB16 data, and the figures of its test split. ``training/build_grade_reference.py``
writes the file. Others are computed from pieces on demand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any, Final

from musicrel import paths, untrusted
from musicrel.analysis import voice_leading
from musicrel.analysis.corpus import bundled, jsb
from musicrel.analysis.grade import Reference, by_rank, grade
from musicrel.chorale import Chorale
from musicrel.errors import DataError, FileError, UsageError
from musicrel.validated import convert

SHIPPED: Final = "jsb16"
BUNDLED: Final = "chorales"
FILE_NAME: Final = "corpus/grade_reference.json"
_FILE_PREFIX: Final = "jsb:"


@dataclass(frozen=True, slots=True, kw_only=True)
class BachScores:
    """The scores of Bach's chorales that are not in the reference."""

    title: str
    pieces: int
    grade: float
    parallels: float  # per 1,000 notes, pooled
    crossing: float  # in % of steps, pooled
    spacing: float  # in % of steps, pooled


@dataclass(frozen=True, slots=True, kw_only=True)
class GradeReference:
    reference: Reference
    bach: BachScores


def load(source: str = SHIPPED) -> GradeReference:
    """Load the shipped counts, "jsb16", or compute "chorales" or the data of users, "jsb:FILE"."""
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


def of(train: Sequence[Chorale], test: Sequence[Chorale], name: str) -> GradeReference:
    if not test:
        raise DataError(f"the test split of {name} is empty: at least one piece is needed")
    reference = Reference.of(train, f"the training split of {name}")
    rates = voice_leading.rates(*test)
    bach = BachScores(
        title=f"the test split of {name}",
        pieces=len(test),
        grade=median(grade(piece, reference).total for piece in test),
        parallels=rates.parallels,
        crossing=rates.crossing,
        spacing=rates.spacing,
    )
    return GradeReference(reference=reference, bach=bach)


def to_json(grade_reference: GradeReference) -> dict[str, Any]:
    reference = grade_reference.reference
    counts = {
        feature: {
            mode: {symbol: of_mode[symbol] for symbol in by_rank(of_mode)}
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
        "bach": asdict(grade_reference.bach),
    }


def _shipped() -> GradeReference:
    path = paths.assets() / FILE_NAME
    try:
        content = untrusted.parse_json(untrusted.read(path, "reference"))
        return convert(content, GradeReference, "it", error=DataError)
    except DataError as reason:
        raise FileError(
            f"{path} holds no reference for the grade ({reason}): install musicrel again"
        ) from reason
