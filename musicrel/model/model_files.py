"""The files of a model in a folder or a zip archive that is not trusted.

Of a model only its card and its weights in safetensors are read; weights stored as pickle can run
code when they are loaded and are never opened.
"""

from __future__ import annotations

import os
import stat
import zipfile
from collections.abc import Generator
from pathlib import Path, PurePosixPath
from typing import Final, TypeAlias

from musicrel import paths, untrusted
from musicrel.errors import FileError, ModelError
from musicrel.language import tr
from musicrel.model.card import CARD, WEIGHTS

PICKLE_SUFFIXES: Final = frozenset({".bin", ".ckpt", ".pickle", ".pkl", ".pt", ".pth"})

_CHUNK: Final = 1 << 20
_MAX_MEMBERS: Final = 1_000
_MAX_ARCHIVE_BYTES: Final = untrusted.LIMITS["model archive"]
"""Size of an archive beyond which not even its list of files is read."""
_METHODS: Final = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_ENCRYPTED: Final = 0x1
_PICKLED: Final = tr(
    "{path} holds weights as pickle ({name}), which can run code when they are loaded: "
    "export them as {weights}"
)
_UNREADABLE: Final = tr("cannot read {path}: {reason}; copy the model again")
_NO_MODEL: Final = tr("{path} holds no model: expected the files {card} and {weights} side by side")
_NO_FILE: Final = tr(
    "{file} in {path} is a link to another folder, or no file: put the file itself into the folder"
)
_TOO_LARGE: Final = tr("{path} has more than {limit:,} bytes: a model of musicrel is smaller")
_SEVERAL: Final = tr(
    "{path} holds {count} models: import each of them from a folder or zip of its own"
)


Chunks: TypeAlias = Generator[bytes, None, None]
"""The content of a file, from its beginning to its end."""


ModelFiles: TypeAlias = "_ModelFolder | _ZippedModel"


def find(path: Path) -> ModelFiles:
    """Return the files of the model in a folder or a zip archive."""
    try:
        if path.is_dir():
            return _in_folder(path)
        if path.is_file() and zipfile.is_zipfile(path):
            return _ZippedModel(path)
    except untrusted.ARCHIVE_ERRORS as reason:
        raise FileError(_UNREADABLE.format(path=path, reason=reason)) from reason
    form = tr("{path} is no model: expected a folder or a zip archive with a {card}")
    raise ModelError(form.format(path=path, card=CARD))


def _in_folder(path: Path) -> ModelFiles:
    inside = [path, *sorted(one for one in path.iterdir() if one.is_dir())]
    cards = [folder for folder in inside if (folder / CARD).is_file()]
    folder = path if path in cards else _only(path, cards)
    _check_weights(path, [each.name for each in folder.iterdir()])
    for file in (CARD, WEIGHTS):
        _check_regular(folder, file)
    return _ModelFolder(folder)


def _is_regular(folder: Path, file: str) -> bool:
    """Return False for devices, pipes, and links that lead out of the folder or nowhere."""
    path = folder / file
    return path.is_file() and path.resolve().is_relative_to(folder.resolve())


def _check_regular(folder: Path, file: str) -> None:
    if not _is_regular(folder, file):
        raise ModelError(_NO_FILE.format(file=file, path=folder))


def _only(path: Path, found: list[Path]) -> Path:
    if not found:
        _check_weights(path, [each.name for each in path.iterdir()])
        raise ModelError(_NO_MODEL.format(path=path, card=CARD, weights=WEIGHTS))
    if len(found) > 1:
        raise ModelError(_SEVERAL.format(path=path, count=len(found)))
    return found[0]


def _check_weights(path: Path, names: list[str]) -> None:
    """Refuse files without weights in safetensors; those with a pickle get the reason."""
    if WEIGHTS in names:
        return
    for name in names:
        if Path(name).suffix.lower() in PICKLE_SUFFIXES:
            raise ModelError(_PICKLED.format(path=path, name=name, weights=WEIGHTS))
    raise ModelError(_NO_MODEL.format(path=path, card=CARD, weights=WEIGHTS))


class _ModelFolder:
    def __init__(self, folder: Path) -> None:
        self._folder, self.name = folder, folder.name

    def has(self, file: str) -> bool:
        """Return whether the model has ``file``, which is no link out of its folder."""
        return _is_regular(self._folder, file)

    def size(self, file: str) -> int:
        try:
            return (self._folder / file).stat().st_size
        except OSError as reason:
            raise self._unreadable(file, reason) from reason

    def chunks(self, file: str) -> Chunks:
        try:
            with open(self._folder / file, "rb", opener=untrusted.without_waiting) as stream:
                if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                    raise ModelError(_NO_FILE.format(file=file, path=self._folder))
                while chunk := stream.read(_CHUNK):
                    yield chunk
        except OSError as reason:
            raise self._unreadable(file, reason) from reason

    def _unreadable(self, file: str, reason: OSError) -> FileError:
        why = paths.describe_os_error(reason)
        return FileError(_UNREADABLE.format(path=self._folder / file, reason=why))


class _ZippedModel:
    """A model in a zip archive, whose members are checked before one is unpacked."""

    def __init__(self, path: Path) -> None:
        self._path = path
        if path.stat().st_size > _MAX_ARCHIVE_BYTES:
            raise ModelError(_TOO_LARGE.format(path=path, limit=_MAX_ARCHIVE_BYTES))
        with zipfile.ZipFile(path) as archive:
            members = [member for member in archive.infolist() if not member.is_dir()]
        _check_members(path, members)
        names = [PurePosixPath(member.filename) for member in members]
        cards = [name.parent for name in names if name.name == CARD]
        if len(cards) > 1:
            raise ModelError(_SEVERAL.format(path=path, count=len(cards)))
        folder = cards[0] if cards else PurePosixPath()
        _check_weights(path, [name.name for name in names if name.parent == folder])
        if not cards:
            raise ModelError(_NO_MODEL.format(path=path, card=CARD, weights=WEIGHTS))
        self.name = folder.name or path.stem
        self._members = {PurePosixPath(member.filename): member for member in members}
        self._folder = folder

    def has(self, file: str) -> bool:
        return self._folder / file in self._members

    def size(self, file: str) -> int:
        return self._members[self._folder / file].file_size

    def chunks(self, file: str) -> Chunks:
        try:
            with (
                zipfile.ZipFile(self._path) as archive,
                archive.open(self._members[self._folder / file]) as stream,
            ):
                while chunk := stream.read(_CHUNK):
                    yield chunk
        except untrusted.ARCHIVE_ERRORS as reason:
            raise FileError(
                tr("{path} is damaged: {reason}; copy it again", path=self._path, reason=reason)
            ) from reason


def _check_members(path: Path, members: list[zipfile.ZipInfo]) -> None:
    """Refuse an archive that no one would make of a model folder."""
    problem = ""
    if len(members) > _MAX_MEMBERS:
        problem = tr(
            "it has {found:,} files, at most {most:,} are expected",
            found=len(members), most=_MAX_MEMBERS,
        )  # fmt: skip
    elif len({member.filename for member in members}) < len(members):
        problem = tr("two of its files have the same name")
    for member in members:
        problem = problem or _problem(member)
    if problem:
        raise ModelError(
            tr(
                "{path} is not unpacked: {problem}; zip the model folder again",
                path=path, problem=problem,
            )
        )  # fmt: skip


def _problem(member: zipfile.ZipInfo) -> str:
    name = member.filename
    place = PurePosixPath(name)
    if place.is_absolute() or ".." in place.parts or "\\" in name or ":" in name:
        return tr("{name!r} points outside of the archive", name=name)
    if stat.S_ISLNK(member.external_attr >> 16):
        return tr("{name!r} is a link", name=name)
    if member.flag_bits & _ENCRYPTED:
        return tr("{name!r} is encrypted", name=name)
    if member.compress_type not in _METHODS:
        return tr("{name!r} is compressed with another method than Deflate", name=name)
    return ""
