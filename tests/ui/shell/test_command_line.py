"""``musicrel`` with a document: it opens in a window."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from musicrel import __main__ as program
from musicrel.cli import main as cli_module
from musicrel.project import SUFFIX
from musicrel.score.files import READABLE
from musicrel.ui import app as app_module
from musicrel.ui import display
from musicrel.ui.files.new_window import RECOVER


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Start nothing, but return what would be."""
    found: list[str] = []

    def note(kind: str) -> int:
        found.append(kind)
        return 0

    monkeypatch.setattr(app_module, "main", lambda _argv: note("window"))
    monkeypatch.setattr(cli_module, "main", lambda _words: note("command"))
    return found


@pytest.fixture
def without_display(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a folder with a document the current one, on a machine without a display."""
    (tmp_path / "hymn.musicrel").touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(display, "has_display", lambda: False)


@pytest.mark.parametrize("name", [f"hymn{suffix}" for suffix in (SUFFIX, *READABLE, ".MID")])
def test_document_opens_in_a_window(
    name: str, started: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file manager starts the app like this."""
    (tmp_path / name).touch()
    monkeypatch.setattr(sys, "argv", ["musicrel", str(tmp_path / name)])
    monkeypatch.setattr(display, "has_display", lambda: True)
    program.main()

    assert started == ["window"]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("gone.musicrel", "there is no such file"),
        ("gone.mid", "there is no such file"),
        ("hymn.musicrel", "a display is needed to open it, but musicrel convert reads it"),
    ],
)
@pytest.mark.usefixtures("without_display")
def test_document_that_cannot_be_opened_is_a_sentence(
    name: str, reason: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither the app nor a command starts."""
    monkeypatch.setattr(sys, "argv", ["musicrel", name])

    assert program.main() == 1
    assert capsys.readouterr().err.startswith(f"musicrel: cannot open {name}: {reason}")


def test_missing_document_opens_no_window(
    started: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A sentence is printed, with a display and without."""
    monkeypatch.setattr(sys, "argv", ["musicrel", "gone.musicrel"])
    monkeypatch.setattr(display, "has_display", lambda: True)

    assert program.main() == 1
    assert "cannot open gone.musicrel: there is no such file" in capsys.readouterr().err
    assert started == []


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ([], "window"),
        ([RECOVER, "abc"], "window"),
        (["--out=gone.mid"], "command"),
        (["generate"], "command"),
        (["--version"], "command"),
    ],
)
def test_commands_are_no_documents(
    words: list[str], kind: str, started: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor is an option that ends like one."""
    monkeypatch.setattr(sys, "argv", ["musicrel", *words])
    monkeypatch.setattr(display, "has_display", lambda: True)
    program.main()

    assert started == [kind]
