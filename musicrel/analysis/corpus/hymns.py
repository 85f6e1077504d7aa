"""Reader of hymns.json: four-voice hymns in the public domain, made from the Open Hymnal Project.

The file is not part of the project. It is a list of hymns with the notes of every sixteenth and the
facts that decide whether a hymn is taken. Left out are copies; hymns without a meter or with
irregular bars; tunes that Bach set in the validation or test split; and hymns of 1956 or later,
or whose composer or arranger lives or died after 1955, which are not free everywhere. A phrase ends
with the last note of each line of text; hymns without known lines have the fermatas of the source.

A hymn's split depends on the name of its tune alone.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
import numpy as np

from musicrel import untrusted
from musicrel.analysis.corpus.splits import SPLITS, Split
from musicrel.chorale import MAX_STEPS, REST, Chorale, Flags, Key, Meter, Voice
from musicrel.errors import DataError, FileError, UsageError
from musicrel.validated import convert

FILE_NAME: Final = "hymns.json"
LAST_YEAR: Final = 1955
"""Last year of death, and of publication, of hymns that are free in most countries."""
_DATES: Final = re.compile(r"\((?:circa )?(\d{4})\s*-\s*(\d{4}|\?)?\)")
_PARTS: Final = 10
_SPLITS: Final[Mapping[int, Split]] = {0: "test", 1: "valid"}


def read(path: Path) -> Mapping[Split, list[Chorale]]:
    where = f"{path} is no {FILE_NAME}"
    try:
        content = untrusted.parse_json(untrusted.read(path, "jsb"))
    except DataError as reason:
        raise FileError(f"{where}: {reason}") from reason
    pieces: dict[Split, list[Chorale]] = {split: [] for split in SPLITS}
    for hymn in convert(content, list[_Hymn], where, error=FileError):
        if _is_taken(hymn):
            try:
                pieces[_split(hymn.tune)].append(_piece(hymn))
            except (DataError, UsageError) as reason:
                raise FileError(f"{where}: {hymn.tune!r}: {reason}") from reason
    return pieces


_Number = Annotated[int, msgspec.Meta(ge=0, le=127)]
_Step = Annotated[int, msgspec.Meta(ge=0, le=MAX_STEPS)]
_Flag = Annotated[int, msgspec.Meta(ge=0, le=1)]


class _Hymn(msgspec.Struct):
    tune: str
    key: str
    meter: str  # "none": free
    pickup: _Step
    regular: bool | None  # whether all bar lines are where meter and pickup put them
    # S A T B of every sixteenth, 0 for a rest
    pitches: Annotated[
        list[tuple[_Number, _Number, _Number, _Number]],
        msgspec.Meta(min_length=1, max_length=MAX_STEPS),
    ]
    onsets: list[tuple[_Flag, _Flag, _Flag, _Flag]]
    fermatas: list[_Step]  # onsets of the soprano's notes under one
    line_ends: list[_Step]  # the steps after the last notes of the lines of text
    year: int | None
    setting_year: int | None
    composer: str | None  # as in "Monk, William Henry (1823-1889)", several divided by ;
    arranger: str | None
    copy_of: str | None
    bach: tuple[Any, ...] | None  # Bach's work with this tune, its split, and shares


def _split(tune: str) -> Split:
    return _SPLITS.get(hashlib.sha256(tune.encode()).digest()[0] % _PARTS, "train")


def _is_taken(hymn: _Hymn) -> bool:
    is_measured = hymn.bach is not None and "train" not in hymn.bach
    return (
        hymn.copy_of is None
        and hymn.meter != "none"
        and bool(hymn.regular)
        and not is_measured
        and _is_free(hymn)
    )


def _is_free(hymn: _Hymn) -> bool:
    years = [year for year in (hymn.year, hymn.setting_year) if year is not None]
    for names in (hymn.composer, hymn.arranger):
        for _, died in _DATES.findall(names or ""):
            if not died:  # lives
                return False
            years += [int(died)] if died != "?" else []
    return max(years, default=0) <= LAST_YEAR


def _piece(hymn: _Hymn) -> Chorale:
    pitches = np.array(hymn.pitches, dtype=np.int16)
    pitches[pitches == 0] = REST
    piece = Chorale.of(
        pitches,
        onsets=np.array(hymn.onsets, dtype=np.bool_),
        meter=Meter.parse(hymn.meter),
        pickup=hymn.pickup,
        key=Key.parse(hymn.key),
        title=hymn.tune,
    )
    return replace(piece, fermatas=_phrase_ends(hymn, piece))


def _phrase_ends(hymn: _Hymn, piece: Chorale) -> Flags:
    """Mark the soprano's notes that end a line or, without lines, that have a fermata, (T,)."""
    found = np.zeros(piece.steps, dtype=np.bool_)
    soprano_T, onsets_T = piece.pitches[:, Voice.SOPRANO], piece.onsets[:, Voice.SOPRANO]
    starts = np.flatnonzero(onsets_T)
    lasts = [int(starts[starts < end][-1]) for end in hymn.line_ends if (starts < end).any()]
    for first in lasts if hymn.line_ends else hymn.fermatas:
        is_over = onsets_T[first + 1 :] | (soprano_T[first + 1 :] == REST)
        length = 1 + (int(is_over.argmax()) if is_over.any() else len(is_over))
        found[first : first + length] = True
    return found
