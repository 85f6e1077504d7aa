"""Copies of run folders between machines that share no storage.

The machine that trains sends what has changed since the last time: the new lines of logs, whole
files else. Files are read before logs and written after them, so that the copy never has a
checkpoint whose events it lacks.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final, TypeAlias

from musicrel import gate, paths
from musicrel.errors import FileError
from musicrel.experiment.runs import folder_lock, run_control

Files: TypeAlias = Mapping[str, bytes]
"""Contents of files by their path in the folder."""

_OWN: Final = (folder_lock.LOCK, folder_lock.ALIVE, run_control.CONTROL)
"""Files that each machine has for itself."""
_LOG: Final = ".jsonl"
_MARK: Final = "result.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """The changes of a run folder between two looks at it."""

    lines: Mapping[str, tuple[int, bytes]]  # new lines of logs, and the byte at which they begin
    files: Files  # new contents of other files
    removed: tuple[str, ...]  # paths of files in subfolders that are gone, such as old checkpoints


class Outbox:
    """The changes of a run folder since they were last asked for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known = {name: _signature(path) for name, path in _files(folder).items()}
        self._sent: dict[str, int] = {}

    def changes(self) -> Changes:
        """Return the changes since the last call."""
        found = _files(self._folder)
        files: dict[str, bytes] = {}
        for name, path in found.items():
            signature = _signature(path)
            if not name.endswith(_LOG) and self._known.get(name) != signature:
                with suppress(FileNotFoundError):  # it was replaced by a newer one meanwhile
                    files[name] = path.read_bytes()
                    self._known[name] = signature
        removed = tuple(name for name in self._known if name not in found and "/" in name)
        if not (self._folder / "recipe.toml").exists():  # deleted by a cleaner of temporary files
            removed = ()
        for name in removed:
            del self._known[name]
        logs = [name for name in found if name.endswith(_LOG)]
        lines = {name: self._new_lines(name, found[name]) for name in logs}
        return Changes(
            lines={name: new for name, new in lines.items() if new[1]},
            files=files,
            removed=removed,
        )

    def _new_lines(self, name: str, path: Path) -> tuple[int, bytes]:
        """Return the complete lines that were not sent yet, and where they begin."""
        begin = self._sent.get(name, 0)
        with path.open("rb") as file:
            file.seek(begin)
            content = file.read()
        content = content[: content.rfind(b"\n") + 1]
        self._sent[name] = begin + len(content)
        return begin, content


def read_all(folder: Path) -> dict[str, bytes]:
    """Return all files of a run folder that another machine needs to resume the run."""
    try:
        return {name: path.read_bytes() for name, path in _files(folder).items()}
    except OSError as reason:
        raise FileError(f"cannot read {folder}: {reason.strerror or reason}") from reason


def write_all(folder: Path, files: Files) -> None:
    for name, content in files.items():
        paths.write_bytes(_inside(folder, name), content)


def apply(folder: Path, changes: Changes) -> None:
    """Write changes into the copy of a run folder: logs first, the mark of its end last."""
    if not folder.is_dir():
        raise FileError(f"the folder of the run, {folder}, was deleted: the run cannot continue")
    for name, (begin, content) in changes.lines.items():
        _write_at(_inside(folder, name), begin, content)
    for name in sorted(changes.files, key=_order):
        paths.write_bytes(_inside(folder, name), changes.files[name])
    for name in changes.removed:
        with suppress(OSError):  # harmless: an old checkpoint
            _inside(folder, name).unlink(missing_ok=True)


def _order(name: str) -> tuple[bool, bool, str]:
    """Return the rank of a file: tensors before the JSON that vouches for them, results last."""
    return name == _MARK, name.endswith(".json"), name


def _inside(folder: Path, name: str) -> Path:
    parts = PurePosixPath(name).parts
    if not parts or ".." in parts or PurePosixPath(name).is_absolute():
        raise FileError(f"the node sent a file {name!r}: expected one inside the run's folder")
    return folder.joinpath(*parts)


def _write_at(path: Path, begin: int, content: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        mode = "r+b" if path.exists() else "w+b"
        with open(path, mode, opener=gate.descriptor) as file:
            file.truncate(begin)
            file.seek(begin)
            file.write(content)
    except OSError as reason:
        raise FileError(f"cannot write {path}: {reason.strerror or reason}") from reason


def _files(folder: Path) -> dict[str, Path]:
    """Return the files of a run that machines exchange, by their path in its folder."""
    return {
        path.relative_to(folder).as_posix(): path
        for path in sorted(folder.rglob("*"))
        if path.name not in _OWN and not path.name.startswith(".") and path.is_file()
    }


def _signature(path: Path) -> tuple[int, int] | None:
    try:
        about = path.stat()
    except OSError:
        return None
    return about.st_mtime_ns, about.st_size
