"""Logs and other things beside a project of somebody else touch nothing outside of it."""

from __future__ import annotations

import contextlib
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from musicrel.errors import FileError
from musicrel.project import database, project_file
from musicrel.project.project_file import ProjectFile
from tests.faults import side_files
from tests.helpers.projects import full_contents, plain, with_take

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes in folders")

PRECIOUS = b"precious" * 99


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    """Write a file of the user's that has nothing to do with the project."""
    victim = tmp_path / "victim"
    victim.write_bytes(PRECIOUS)
    return victim


@pytest.fixture
def received(project: ProjectFile, path: Path) -> Path:
    """Write a closed project, as it was received."""
    project.close()
    return path


@pytest.mark.parametrize("use", [*side_files.READERS, *side_files.WRITERS])
@pytest.mark.parametrize(
    ("kind", "by_link"),
    [*((kind, False) for kind in side_files.HARMLESS), ("journal that names a file", True)],
)
def test_a_log_that_was_sent_touches_nothing_else(
    received: Path, victim: Path, use: Callable[[Path], None], kind: str, by_link: bool
) -> None:
    """Reading leaves it as it is, and the first edit leaves one file."""
    side_files.HARMLESS[kind](received, victim)
    (log,) = (file for file in received.parent.iterdir() if file != received)
    before = received.read_bytes(), log.read_bytes()
    path = received
    if by_link:
        path = received.parent.parent / "link.musicrel"
        path.symlink_to(received)

    use(path)

    assert victim.read_bytes() == PRECIOUS
    if use in side_files.READERS:
        assert (received.read_bytes(), log.read_bytes()) == before
        assert plain(ProjectFile.open(path, read_only=True).read()) == plain(full_contents())
    else:
        assert not log.exists()
        assert ProjectFile.open(path, read_only=True).problems == ()


@pytest.mark.parametrize("use", [*side_files.READERS, *side_files.WRITERS])
@pytest.mark.parametrize("kind", side_files.REFUSED)
def test_what_is_no_log_is_refused(
    received: Path, victim: Path, use: Callable[[Path], None], kind: str
) -> None:
    """In a sentence that names it; the project stays as it is."""
    side_files.REFUSED[kind](received, victim)
    before = received.read_bytes()

    with pytest.raises(FileError, match=r"beside it (is|has)|with the log beside it"):
        use(received)

    assert victim.read_bytes() == PRECIOUS
    assert received.read_bytes() == before


def test_a_log_that_comes_while_a_project_is_open_is_not_rolled_back(
    project: ProjectFile, path: Path, victim: Path
) -> None:
    """Folders that are synchronised bring one."""
    project.write(with_take(project.read()))
    side_files.HARMLESS["journal that names a file"](path, victim)

    project.close()

    assert victim.read_bytes() == PRECIOUS
    assert len(ProjectFile.open(path, read_only=True).read().takes) == 3


def leave_log(path: Path, suffix: str) -> dict[Path, bytes]:
    """Write a project and a log of it, as a kill leaves them; return the contents of both."""
    project_file.write_new(full_contents(), path)
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as killed:
        killed.execute(f"PRAGMA journal_mode={'WAL' if suffix == '-wal' else 'DELETE'}")
        killed.execute("PRAGMA cache_size=1")
        killed.execute("BEGIN")
        killed.execute("UPDATE takes SET name = 'changed'")
        rows = [(str(number), "x" * 2000) for number in range(100)]
        killed.executemany("INSERT INTO document VALUES (?, ?)", rows)
        if suffix == "-wal":
            killed.execute("COMMIT")
        left = {file: file.read_bytes() for file in (path, Path(f"{path}{suffix}"))}
    for file, content in left.items():
        file.write_bytes(content)
    return left


@pytest.mark.parametrize("suffix", ["-wal", "-journal"])
def test_a_kill_before_a_log_is_removed_changes_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    """The file has the content of the log then, which is applied once more."""
    left, log = leave_log(path, suffix), Path(f"{path}{suffix}")
    expected = plain(ProjectFile.open(path, read_only=True).read())
    assert expected["takes"][0]["name"] == ("changed" if suffix == "-wal" else "Menuett")
    unlink = Path.unlink

    def be_killed(file: Path, *, missing_ok: bool = False) -> None:
        if file == log:
            raise KeyboardInterrupt
        unlink(file, missing_ok=missing_ok)

    monkeypatch.setattr(Path, "unlink", be_killed)
    with pytest.raises(KeyboardInterrupt):
        database.absorb_logs(path)

    monkeypatch.undo()
    assert path.read_bytes() != left[path]
    assert log.read_bytes() == left[log]
    found = ProjectFile.open(path)
    assert (plain(found.read()), found.problems) == (expected, ())


@pytest.mark.parametrize("use", [side_files.save_over, side_files.restore])
@pytest.mark.parametrize("suffix", ["-wal", "-journal", "-shm"])
def test_a_log_without_its_project_is_kept(
    path: Path, use: Callable[[Path], None], suffix: str
) -> None:
    """The project may only have been moved for a moment; an index holds nothing."""
    path.parent.mkdir(exist_ok=True)
    log = Path(f"{path}{suffix}")
    log.write_bytes(PRECIOUS)

    if suffix == "-shm":
        use(path)
        assert not log.exists()
        return
    with pytest.raises(FileError, match=f"{log.name} beside it may hold edits .* move {log.name}"):
        use(path)

    assert log.read_bytes() == PRECIOUS
    assert not path.exists()


OTHER_PROGRAM = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
connection.execute("PRAGMA journal_mode=WAL")
connection.execute("UPDATE takes SET name = 'changed' WHERE number = 1")
connection.commit()
print("written", flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("use", side_files.WRITERS)
def test_a_project_that_another_program_writes_is_not_replaced(
    received: Path, use: Callable[[Path], None]
) -> None:
    """Its log is read, but not put into the file."""
    command = [sys.executable, "-c", OTHER_PROGRAM, str(received)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        assert ProjectFile.open(received).read().takes[0].name == "changed"
        before = received.stat().st_ino

        with pytest.raises(FileError, match="another program is using it"):
            use(received)

        assert received.stat().st_ino == before
    assert ProjectFile.open(received, read_only=True).read().takes[0].name == "changed"
