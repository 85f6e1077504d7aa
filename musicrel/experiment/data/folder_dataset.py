"""A folder of the user's own pieces as data: what is taken, what is refused and why.

Which split a piece goes to depends on its notes alone: the first bytes of their sha256, 80 % train,
10 % valid, 10 % test. So more pieces never move those that were there, a renamed file stays where
it was, and a piece that lies there twice is taken once.

This file knows files and splits; formats are ``musicrel.score.files``'.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from musicrel.chorale import REST, Chorale
from musicrel.corpus.splits import SPLITS, Split
from musicrel.errors import FileError, MusicrelError
from musicrel.jobs import Job
from musicrel.score import files
from musicrel.tokens.vocabulary import HIGHEST_PITCH, LOWEST_PITCH

MOST_FILES: Final = 20_000
_SHARES: Final[tuple[tuple[Split, int], ...]] = (("train", 80), ("valid", 90), ("test", 100))
"""Each split and the hundredth below which a piece belongs to it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRead:
    """A file was looked at.

    Attributes:
        file: its place within the folder.
        split: where its piece went; None where it was refused.
        reason: why it was refused, "" otherwise.
        semitones: how far it was moved so that models know all its pitches.
        report: what its reader had to bend, leave out or guess, one sentence each.
    """

    file: str
    split: Split | None
    reason: str = ""
    semitones: int = 0
    report: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnData:
    """The pieces of a folder.

    Attributes:
        pieces: of each split, in the order of their hashes.
        sha256: of all pieces taken.
        files: what became of each file, in the order of their names.
    """

    pieces: Mapping[Split, Sequence[Chorale]]
    sha256: str
    files: tuple[FileRead, ...]

    @property
    def taken(self) -> int:
        """Number of pieces taken."""
        return sum(file.split is not None for file in self.files)

    def report(self) -> str:
        """What was taken, what was bent for that, what was refused and why, a line each."""
        sizes = ", ".join(f"{split} {len(self.pieces[split])}" for split in SPLITS)
        head = f"{self.taken} of {len(self.files)} files taken: {sizes}"
        moved = [
            f"moved {file.semitones:+d} semitones: {file.file}"
            for file in self.files
            if file.semitones
        ]
        bent = [
            f"{file.file}: {sentence}"
            for file in self.files
            if file.split is not None
            for sentence in file.report
        ]
        refused = [
            f"refused {file.file}: {file.reason}" for file in self.files if file.split is None
        ]
        return "\n".join([head, *moved, *bent, *refused])


def read(folder: Path) -> Job[FileRead, OwnData]:
    """Read every piece under ``folder``; yields what became of each file.

    Args:
        folder: with files of any kind that can be read; those of other kinds are passed over.

    Raises:
        FileError: there is no such folder, it cannot be read, or holds no or too many pieces.
    """
    found: dict[str, tuple[Split, Chorale]] = {}
    told: list[FileRead] = []
    for path in _candidates(folder):
        name = path.relative_to(folder).as_posix()
        try:
            reading = files.reading(path)
            piece, semitones = _fitted(reading.chorale)
        except MusicrelError as reason:
            told.append(FileRead(file=name, split=None, reason=str(reason)))
        else:
            taken = _taken(name, piece, semitones, found)
            told.append(replace(taken, report=reading.report))
        yield told[-1]
    if not found:
        raise FileError(f"{folder} holds no piece that can be used: {_why(told)}")
    digest = hashlib.sha256("".join(sorted(found)).encode()).hexdigest()
    pieces = {split: [found[key][1] for key in sorted(found) if found[key][0] == split]
              for split in SPLITS}  # fmt: skip
    return OwnData(pieces=pieces, sha256=digest, files=tuple(told))


def split_of(digest: str) -> Split:
    """The split of the piece with this sha256."""
    hundredth = int(digest[:8], 16) % 100
    return next(split for split, below in _SHARES if hundredth < below)


def fingerprint(piece: Chorale) -> str:
    """sha256 of all that makes a piece the same piece: notes, fermatas, meter, pickup, key."""
    about = f"{piece.steps} {piece.meter} {piece.pickup} {piece.key}".encode()
    arrays = (piece.pitches.astype("<i2"), piece.onsets, piece.fermatas)
    return hashlib.sha256(about + b"".join(array.tobytes() for array in arrays)).hexdigest()


def _candidates(folder: Path) -> list[Path]:
    try:
        if not folder.is_dir():
            raise FileError(f"there is no folder {folder}: expected one with pieces")
        found = sorted(
            path
            for path in folder.rglob("*")
            if path.suffix.lower() in files.READABLE and path.is_file()
        )
    except OSError as reason:
        raise FileError(f"cannot read {folder}: {reason.strerror or reason}") from reason
    if len(found) > MOST_FILES:
        raise FileError(f"{folder} holds {len(found):,} files: expected at most {MOST_FILES:,}")
    return found


def _fitted(piece: Chorale) -> tuple[Chorale, int]:
    """The piece where models know all its pitches, and how far it was moved for that.

    Raises:
        FileError: it is silent, or spans more than models know.
    """
    sung = piece.pitches[piece.pitches != REST]
    if not sung.size:
        raise FileError("it has no notes")
    low, high = int(sung.min()), int(sung.max())
    if high - low > HIGHEST_PITCH - LOWEST_PITCH:
        raise FileError(
            f"it spans MIDI {low} to {high}, models know no more than "
            f"{HIGHEST_PITCH - LOWEST_PITCH} semitones"
        )
    semitones = int(np.clip(0, LOWEST_PITCH - low, HIGHEST_PITCH - high))
    return (piece.transposed(semitones) if semitones else piece), semitones


def _taken(
    name: str, piece: Chorale, semitones: int, found: dict[str, tuple[Split, Chorale]]
) -> FileRead:
    key = fingerprint(piece)
    if key in found:
        return FileRead(file=name, split=None, reason="the same piece was taken already")
    split = split_of(key)
    found[key] = (split, replace(piece, title=piece.title or Path(name).stem))
    return FileRead(file=name, split=split, semitones=semitones)


def _why(told: Sequence[FileRead]) -> str:
    if not told:
        return f"expected files that end in {', '.join(files.READABLE)}"
    return f"{len(told)} refused, the first ({told[0].file}) since {told[0].reason}"
