"""Moving the folder of a model or a study, as to the trash, so that it can come back.

Folders may be on another disk than their target, or behind a link.
"""

from __future__ import annotations

import errno
import shutil
from collections.abc import Callable
from pathlib import Path

from musicrel import file_names, paths
from musicrel.errors import FileError
from musicrel.language import tr


def trash(kind: str) -> Path:
    """Return the folder of removed folders of a kind, as ``models``; it need not exist."""
    return paths.data() / "trash" / kind


def free(folder: Path, name: str) -> Path:
    """Return a path in ``folder`` that is not taken: a number is appended if necessary."""
    return folder / file_names.numbered(name, lambda free: (folder / free).exists(), "{}-{}")


def moved(source: Path, target: Path, mark: str) -> Path:
    """Move a folder as ``move`` does, make folders above it, and return ``target``."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        move(source, target, mark)
    except OSError as reason:
        advice = tr("close programs that use the folder and try again")
        why = paths.describe_failed_write(reason, advice)
        text = tr("cannot move {source} to {target}: {why}", source=source, target=target, why=why)
        raise FileError(text) from reason
    return target


def move(source: Path, target: Path, mark: str) -> None:
    """Move a folder, or a link to one, also to another disk; after an error nothing is changed.

    The file ``mark`` makes it what it is; it is copied last and removed first, so that at any time
    one folder is complete.
    """
    try:
        source.rename(target)
    except OSError as reason:
        if reason.errno != errno.EXDEV:
            raise
        _move_copy(source, target, mark)


def _move_copy(source: Path, target: Path, mark: str) -> None:
    """Copy a folder and remove the first one; a link is made again."""
    if source.is_symlink():
        target.symlink_to(source.resolve())
        source.unlink()
        return
    target.mkdir()
    try:
        ignore = _without(source, mark)
        shutil.copytree(source, target, symlinks=True, ignore=ignore, dirs_exist_ok=True)
        shutil.copy2(source / mark, target / mark, follow_symlinks=False)
        (source / mark).unlink()
    except OSError:
        shutil.rmtree(target, ignore_errors=True)
        raise
    shutil.rmtree(source, ignore_errors=True)


def _without(folder: Path, mark: str) -> Callable[[str, list[str]], list[str]]:
    """Return a filter for ``copytree`` that leaves out the mark of ``folder``, not those inside."""
    return lambda path, _names: [mark] if Path(path) == folder else []
