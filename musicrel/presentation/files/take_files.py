"""Files of several takes: their names, and a job that writes them.

A file is named "TITLE – TAKE", or for the take alone where its name begins with the title. Of equal
names all but the first get a number; systems that ignore case find them different, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from musicrel import file_names
from musicrel.chorale import Chorale
from musicrel.errors import DataError, MusicrelError
from musicrel.jobs import Job
from musicrel.language import count, tr

DONE: Final = tr("Exported {takes} as {files} to {folder}")
_MAX_NAMED: Final = 3  # number of refused files that the summary names

# Writes a piece in the format of the suffix, and yields the share that is done.
WriteFile = Callable[[Chorale, Path], Job[float, None]]


class NamedPiece(NamedTuple):
    name: str
    piece: Chorale


class TakeFile(NamedTuple):
    take: NamedPiece
    path: Path


class ExportedTakes(NamedTuple):
    paths: tuple[Path, ...]
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeProgress:
    """The share of all files that is done, 0 to 1; ``path`` is being written."""

    path: Path
    share: float


def plan(
    takes: Iterable[NamedPiece], folder: Path, suffixes: Sequence[str], *, beside: bool = False
) -> list[TakeFile]:
    """Return the files of ``takes``, of all formats for each take.

    Args:
        beside: True also numbers names that files in the folder have.
    """
    used: set[str] = set()

    def is_taken(name: str) -> bool:
        exists = beside and any((folder / (name + suffix)).exists() for suffix in suffixes)
        return exists or name.casefold() in used

    found: list[TakeFile] = []
    for take in takes:
        whole = take.name.startswith(take.piece.title)
        name = take.name if whole else f"{take.piece.title} – {take.name}"
        stem = file_names.numbered(file_names.valid(name), is_taken)
        used.add(stem.casefold())
        found += [TakeFile(take, folder / f"{stem}{suffix}") for suffix in suffixes]
    return found


def write(files: Sequence[TakeFile], write_file: WriteFile) -> Job[TakeProgress, ExportedTakes]:
    """Write ``files``; what a format cannot represent is left out and named at the end."""
    written: list[Path] = []
    refused: list[str] = []
    for number, (take, path) in enumerate(files):
        yield TakeProgress(path=path, share=number / len(files))
        try:
            for share in write_file(take.piece, path):
                yield TakeProgress(path=path, share=(number + share) / len(files))
            written.append(path)
        except DataError as reason:
            refused.append(
                tr(
                    "; “{name}” is not among them as {suffix}: {reason}",
                    name=take.name,
                    suffix=path.suffix,
                    reason=reason,
                )
            )
        except MusicrelError as reason:
            total = count(len(files), "file")
            raise type(reason)(
                tr(
                    "only {written} of {files} were exported: {reason}",
                    written=len(written),
                    files=total,
                    reason=reason,
                )
            ) from reason
    return ExportedTakes(tuple(written), _summary(files, refused))


def _summary(files: Sequence[TakeFile], refused: Sequence[str]) -> str:
    takes = len({id(file.take) for file in files})
    done = DONE.format(
        takes=count(takes, "take"),
        files=count(len(files) - len(refused), "file"),
        folder=files[0].path.parent,
    )
    return done + "".join(refused[:_MAX_NAMED])
