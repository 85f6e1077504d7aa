"""Everything that writes a file, and faults of the system while it does."""

from __future__ import annotations

import errno
import os
import resource
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, Literal, NoReturn

import torch

from musicrel import paths, settings
from musicrel.errors import FileError
from musicrel.experiment.runs.event_log import EventLog
from musicrel.experiment.runs.run_folder import Checkpoints
from musicrel.figures import exports
from musicrel.generation.heads import replacement
from musicrel.generation.heads.replacement import HeadMeans
from musicrel.model import checkpoint
from musicrel.project.contents import Contents
from musicrel.project.project_file import ProjectFile, write_new
from musicrel.settings import Settings
from tests.helpers.models import tiny_card, tiny_config, tiny_model
from tests.helpers.music import random_chorale
from tests.helpers.projects import edit

Save = Callable[[Path, int], object]
"""Writes version 1 or 2 of something into a folder."""
Fault = Literal["disk full", "no permission", "kill"]

UNDISTURBED: Final = 0
SAVED: Final = 1
REFUSED: Final = 2
CRASHED: Final = 3
"""Codes of a child process: no fault came, it did no harm, it was our own error, or another."""
_NUMBERS: Final = {"disk full": errno.ENOSPC, "no permission": errno.EACCES}
_WRITES: Final = frozenset({"os.rename", "os.remove", "os.mkdir", "os.chmod", "sqlite3.connect"})
"""Audit events of changes on the disk; ``open`` is one if it opens for writing."""
_FOR_WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT


@dataclass(frozen=True, slots=True)
class Saver:
    """Something that writes files.

    Attributes:
        name: of the saver.
        save: writes a version.
        appends: True if the new content follows the old one in the same file.
    """

    name: str
    save: Save
    appends: bool = False


def _piece(suffix: str, folder: Path, version: int) -> None:
    piece = random_chorale(version, 16)
    exports.writer(Path(f"a{suffix}"))(piece, folder / f"piece{suffix}")


def _contents(version: int) -> Contents:
    contents = Contents(mixer={"edits": 0})
    for number in range(1, 4 * version):
        contents = edit(contents, number)
    return contents


def _project(folder: Path, version: int) -> None:
    write_new(_contents(version), folder / "a.musicrel")


def _copied_project(folder: Path, version: int) -> None:
    kept = folder.parent / f"kept-{version}.musicrel"
    if not kept.exists():
        write_new(_contents(version), kept)
    ProjectFile.open(kept, read_only=True).copy_to(folder / "a.musicrel")


def _settings(folder: Path, version: int) -> None:
    os.environ["MUSICREL_HOME"] = str(folder)
    settings.save(Settings(theme="dark" if version == 1 else "light"))


def _model(folder: Path, version: int) -> None:
    model = tiny_model(tiny_config("relative"), seed=version)
    checkpoint.save(folder, model, tiny_card(model, commit=str(version)))


def _checkpoint(folder: Path, version: int) -> None:
    Checkpoints(folder).save(1, {"weights": torch.full((500,), float(version))}, {"step": version})


def _event(folder: Path, version: int) -> None:
    folder.mkdir(exist_ok=True)
    EventLog(folder / "events.jsonl").append({"event": "TrainStep", "step": version})


def _means(folder: Path, version: int) -> None:
    means = torch.full((5, 2, 64), float(version)).numpy()
    replacement.write(folder / "means.safetensors", HeadMeans(means, str(version)))


def _text(folder: Path, version: int) -> None:
    paths.write_text(folder / "report.md", f"{version}\n" * 3_000)


QUICK: Final = frozenset({".mid", "project", "model", "event"})
"""Savers of every kind of writing, for the tests that are not slow."""
SUFFIXES: Final = (".mid", ".json", ".wav", ".mp3", ".musicxml", ".mxl", ".svg", ".png")
SAVERS: Final = (
    *(Saver(suffix, partial(_piece, suffix)) for suffix in SUFFIXES), Saver("project", _project),
    Saver("copy of a project", _copied_project), Saver("settings", _settings),
    Saver("model", _model), Saver("checkpoint", _checkpoint), Saver("event", _event, appends=True),
    Saver("means of heads", _means), Saver("report", _text),
)  # fmt: skip


def at_change(saver: Saver, folder: Path, fault: Fault, number: int) -> int:
    """Save version 2 in a child process, in which change ``number`` on the disk has a fault.

    Returns:
        Its code; of a killed one, the negative number of the signal.
    """
    seen = [0]

    def watch(event: str, args: tuple[object, ...]) -> None:
        if not _is_change(event, args, folder):
            return
        seen[0] += 1
        if seen[0] != number:
            return
        if fault == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        raise OSError(_NUMBERS[fault], os.strerror(_NUMBERS[fault]))

    def begin() -> None:
        sys.addaudithook(watch)

    return _in_child(saver, folder, begin, lambda: seen[0] >= number)


def at_byte(saver: Saver, folder: Path, *, kill: bool, size: int) -> int:
    """Save version 2 in a child process, in which no file can be longer than ``size`` bytes.

    Args:
        saver: the saver.
        folder: for its files.
        kill: True: the first byte too many kills the process; False: it is an error.
        size: the limit.
    """

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL if kill else signal.SIG_IGN)

    return _in_child(saver, folder, limit, lambda: True)


def _is_change(event: str, args: tuple[object, ...], folder: Path) -> bool:
    if event == "open":
        flags = args[2]
        if not isinstance(flags, int) or not flags & _FOR_WRITING:
            return False
    elif event not in _WRITES:
        return False
    return bool(args) and str(folder) in str(args[0])


def _in_child(
    saver: Saver, folder: Path, begin: Callable[[], object], disturbed: Callable[[], bool]
) -> int:
    child = os.fork()
    if not child:
        _run(saver, folder, begin, disturbed)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def _run(
    saver: Saver, folder: Path, begin: Callable[[], object], disturbed: Callable[[], bool]
) -> NoReturn:
    code = CRASHED
    try:
        begin()
        saver.save(folder, 2)
        code = SAVED if disturbed() else UNDISTURBED
    except FileError:
        code = REFUSED
    finally:
        os._exit(code)
