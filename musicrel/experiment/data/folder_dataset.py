"""A data set from a folder of the user's pieces.

The split of a piece depends on its notes alone: on the first bytes of their sha256, 80 % train, 10
% validation, 10 % test. Adding or renaming files never moves a piece to another split, and
duplicates are used once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from musicrel import paths
from musicrel.analysis.corpus.splits import SPLITS, Split
from musicrel.chorale import REST, Chorale
from musicrel.errors import FileError, MusicrelError, readable
from musicrel.jobs import Job
from musicrel.language import count, tr
from musicrel.model.tokens.vocabulary import HIGHEST_PITCH, LOWEST_PITCH
from musicrel.presentation.words import names
from musicrel.score import files

MAX_FILES: Final = 20_000
_EQUAL: Final = tr("another file holds the same piece")
_USES: Final[Mapping[Split, str]] = {
    "train": tr("for training"), "valid": tr("for validation"), "test": tr("for the test"),
}  # fmt: skip
_SHORT: Final = tr("A study needs some in each part: add more pieces.")
_SHARES: Final[tuple[tuple[Split, int], ...]] = (("train", 80), ("valid", 90), ("test", 100))


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRead:
    file: str  # its path within the folder
    split: Split | None  # split of its piece; None if the file was refused
    reason: str = ""  # reason of the refusal, "" otherwise
    about: str = ""  # key, meter and length of its piece, "" if the file was refused
    semitones: int = 0  # transposition into the pitch range of the models
    report: tuple[str, ...] = ()  # sentences on what the reader changed, dropped or assumed

    @property
    def fate(self) -> str:
        """Return what was read, or why nothing was, in a line."""
        if self.split is None:
            return readable(tr("Not used: {reason}", reason=self.reason))
        moved = tr("moved {semitones:+d} semitones", semitones=self.semitones)
        shift = (moved,) if self.semitones else ()
        return readable("; ".join((self.about, _USES[self.split], *shift, *self.report)))


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderDataset:
    pieces: Mapping[Split, Sequence[Chorale]]  # pieces of each split, in the order of their hashes
    sha256: str  # SHA-256 of all pieces used
    files: tuple[FileRead, ...]  # the outcome of each file, by name

    @property
    def taken(self) -> int:
        return sum(file.split is not None for file in self.files)

    @property
    def refused(self) -> tuple[FileRead, ...]:
        return tuple(file for file in self.files if file.split is None)

    def summary(self) -> str:
        """Return in sentences how many pieces each split has, and which file is not used first."""
        named = (f"{len(self.pieces[split])} {_USES[split]}" for split in SPLITS)
        head = tr(
            "{taken} of {files} files can be used: {named}.",
            taken=self.taken, files=len(self.files), named=", ".join(named),
        )  # fmt: skip
        short = "" if all(self.pieces[split] for split in SPLITS) else _SHORT
        refused = self.refused
        if not refused:
            return " ".join(filter(None, (head, short)))
        left_out = readable(f"{refused[0].file}: {refused[0].reason}") + _more(len(refused) - 1)
        return " ".join(filter(None, (head, short, tr("Not used: {reason}.", reason=left_out))))

    def remarks(self) -> list[str]:
        """Return a line for each file that is not used, was moved, or was changed."""
        moved = [
            tr("moved {semitones:+d} semitones: {file}", semitones=file.semitones, file=file.file)
            for file in self.files
            if file.semitones
        ]
        changed = [
            f"{file.file}: {sentence}"
            for file in self.files
            if file.split is not None
            for sentence in file.report
        ]
        return [*self._refusals(), *map(readable, (*moved, *changed))]

    def _refusals(self) -> list[str]:
        return [
            readable(tr("refused {file}: {reason}", file=file.file, reason=file.reason))
            for file in self.refused
        ]

    def report(self) -> str:
        """Return a report, one per line: numbers, files refused, what was read of the others."""
        sizes = ", ".join(f"{split} {len(self.pieces[split])}" for split in SPLITS)
        head = tr(
            "{taken} of {files} files used: {sizes}",
            taken=self.taken, files=len(self.files), sizes=sizes,
        )  # fmt: skip
        if equal := sum(file.reason == _EQUAL for file in self.files):
            head += tr("; {equal} with the same piece as another file", equal=equal)
        used = (f"{file.file}: {file.fate}" for file in self.files if file.split is not None)
        return "\n".join([head, *self._refusals(), *used])


def read(folder: Path) -> Job[FileRead, FolderDataset]:
    """Read every piece in ``folder`` and its subfolders; yields the outcome of each file."""
    found: dict[str, tuple[Split, Chorale]] = {}
    outcomes: list[FileRead] = []
    for path in _candidates(folder):
        name = path.relative_to(folder).as_posix()
        try:
            reading = files.import_satb(path)
            piece, semitones = _fit(reading.chorale)
        except MusicrelError as reason:
            outcomes.append(FileRead(file=name, split=None, reason=str(reason)))
        else:
            taken = _take(name, piece, semitones, found)
            outcomes.append(replace(taken, report=reading.report))
        yield outcomes[-1]
    if not found:
        raise FileError(
            tr(
                "{folder} holds no piece that can be used: {reason}",
                folder=folder, reason=_explain(outcomes),
            )
        )  # fmt: skip
    digest = hashlib.sha256("".join(sorted(found)).encode()).hexdigest()
    pieces = {split: [found[key][1] for key in sorted(found) if found[key][0] == split]
              for split in SPLITS}  # fmt: skip
    return FolderDataset(pieces=pieces, sha256=digest, files=tuple(outcomes))


def split_of(digest: str) -> Split:
    hundredth = int(digest[:8], 16) % 100
    return next(split for split, below in _SHARES if hundredth < below)


def fingerprint(piece: Chorale) -> str:
    about = f"{piece.steps} {piece.meter} {piece.pickup} {piece.key}".encode()
    arrays = (piece.pitches.astype("<i2"), piece.onsets, piece.fermatas)
    return hashlib.sha256(about + b"".join(array.tobytes() for array in arrays)).hexdigest()


def _candidates(folder: Path) -> list[Path]:
    with paths.explained(tr("read {folder}", folder=folder)):
        if not folder.is_dir():
            raise FileError(
                tr("there is no folder {folder}: expected one with pieces", folder=folder)
            )
        found = sorted(
            path
            for path in folder.rglob("*")
            if path.suffix.lower() in files.READABLE and path.is_file()
        )
    if len(found) > MAX_FILES:
        raise FileError(
            tr(
                "{folder} holds {files:,} files: expected at most {most:,}",
                folder=folder, files=len(found), most=MAX_FILES,
            )
        )  # fmt: skip
    return found


def _fit(piece: Chorale) -> tuple[Chorale, int]:
    """Transpose a piece into the pitch range of the models if necessary."""
    sounding = piece.pitches[piece.pitches != REST]
    if not sounding.size:
        raise FileError(tr("it has no notes"))
    low, high = int(sounding.min()), int(sounding.max())
    if high - low > HIGHEST_PITCH - LOWEST_PITCH:
        raise FileError(
            tr(
                "it spans MIDI {low} to {high}, but the range of the models is {span} semitones",
                low=low, high=high, span=HIGHEST_PITCH - LOWEST_PITCH,
            )
        )  # fmt: skip
    semitones = int(np.clip(0, LOWEST_PITCH - low, HIGHEST_PITCH - high))
    return (piece.transposed(semitones) if semitones else piece), semitones


def _take(
    name: str, piece: Chorale, semitones: int, found: dict[str, tuple[Split, Chorale]]
) -> FileRead:
    key = fingerprint(piece)
    if key in found:
        return FileRead(file=name, split=None, reason=_EQUAL)
    split = split_of(key)
    found[key] = (split, replace(piece, title=piece.title or readable(Path(name).stem)))
    return FileRead(file=name, split=split, semitones=semitones, about=_about(piece))


def _about(piece: Chorale) -> str:
    """Return what was read, as 'G major, 4/4, 16 bars, 4 voices'."""
    voices = int((piece.pitches != REST).any(axis=0).sum())
    key = tr("no key") if piece.key is None else names.key(piece.key)
    bars = count(len(piece.bar_line_steps()), "bar")
    return f"{key}, {piece.meter}, {bars}, {count(voices, 'voice')}"


def _more(number: int) -> str:
    return tr(", and {number:,} more", number=number) if number else ""


def _explain(outcomes: Sequence[FileRead]) -> str:
    if not outcomes:
        return tr("expected files that end in {suffixes}", suffixes=", ".join(files.READABLE))
    first = outcomes[0]
    return tr(
        "{number} refused, the first ({file}) since {reason}",
        number=len(outcomes), file=first.file, reason=first.reason,
    )  # fmt: skip
