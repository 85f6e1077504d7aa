"""Build assets/corpus/chorales.npz from music21's Bach corpus.

Run as ``python -m training.build_corpus``. It needs music21 (a development dependency) and the
published JSB16 file, which is measured against and never copied; the same versions of both give the
same bytes. ``music21_reader`` has the rules of reading, ``allocation`` those of splitting;
SOURCE.md beside the file has both, and the facts about this corpus.
"""

from __future__ import annotations

import contextlib
import csv
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import music21
import numpy as np

from musicrel import paths, untrusted
from musicrel.analysis.corpus import bundled, jsb
from musicrel.analysis.corpus.splits import SPLITS, Split
from musicrel.chorale import RANGES, REST, Chorale
from musicrel.errors import DataError, FileError
from training import music21_reader, reports
from training.allocation import Allocation, Match, allocate
from training.music21_reader import Reading, RefusedError

WORKS: Final = Path(__file__).with_name("works.csv")
_SPLIT_NAMES: Final[dict[str, Split]] = {split: split for split in SPLITS}
_LOWEST: Final = min(low for low, _ in RANGES.values())
_HIGHEST: Final = max(high for _, high in RANGES.values())
_SUFFIXES: Final = (".mxl", ".xml")
"""The three .krn files of the corpus exist as .mxl too."""


@reports.script
def main(words: Sequence[str]) -> None:
    reports.parser("build_corpus", __doc__).parse_args(words)
    build()


def build() -> None:
    published = _published()
    readings = read_folder(Path(music21.__file__).parent / "corpus" / "bach")
    works = {name: reading.chorale for name, reading in readings.items()}
    pieces = titled(works, allocate(works, published, read_matches(WORKS)))
    paths.write_bytes(paths.assets() / bundled.FILE_NAME, bundled.pack(pieces))
    print({split: len(group) for split, group in pieces.items()})


def read_folder(folder: Path) -> dict[str, Reading]:
    """Read the files of a folder by their stems; those that are refused are left out."""
    readings: dict[str, Reading] = {}
    for path in sorted(folder.glob("bwv*"), key=lambda path: path.stem):
        if path.suffix not in _SUFFIXES:
            continue
        with contextlib.suppress(RefusedError):
            readings[path.stem] = in_range(music21_reader.read(path))
    return readings


def in_range(reading: Reading) -> Reading:
    sounding = reading.chorale.pitches[reading.chorale.pitches != REST]
    low, high = int(np.min(sounding)), int(np.max(sounding))
    if low < _LOWEST or high > _HIGHEST:
        raise RefusedError(f"pitches {low} to {high}: expected {_LOWEST} to {_HIGHEST}")
    return reading


def read_matches(path: Path) -> list[Match]:
    rows = csv.DictReader(untrusted.read(path, "reference").decode("utf-8").splitlines())
    try:
        return [
            Match(
                split=_SPLIT_NAMES[row["split"]],
                index=int(row["index"]),
                work=row["music21_work"],
                overlap=float(row["overlap"] or 0.0),
            )
            for row in rows
        ]
    except (KeyError, ValueError, TypeError) as reason:
        raise DataError(f"{path} has a row that cannot be read: {reason}") from reason


def titled(works: dict[str, Chorale], allocation: Allocation) -> dict[Split, list[Chorale]]:
    hymns = music21.corpus.chorales.ChoraleListRKBWV().byBWV
    return {
        split: [_with_title(works[name], name, hymns) for name in allocation.splits[split]]
        for split in SPLITS
    }


def _with_title(work: Chorale, name: str, hymns: dict[str, dict[str, str]]) -> Chorale:
    number = name.removeprefix("bwv")
    hymn = hymns.get(number, {}).get("title", "")
    return replace(work, title=f"BWV {number} {hymn}".strip())


def _published() -> dict[Split, list[Chorale]]:
    path = paths.shared_data() / "jsb" / jsb.FILE_NAME
    if not path.exists():
        raise FileError(
            f"{path} is missing: the splits are kept apart from JSB16, so its file is needed "
            "(set MUSICREL_SHARED to the folder that holds jsb/)"
        )
    return dict(jsb.read(path))


if __name__ == "__main__":
    sys.exit(main())
