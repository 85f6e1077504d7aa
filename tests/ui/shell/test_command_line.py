"""``musicrel`` with a document: it opens in a window."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from musicrel import __main__ as program
from musicrel.cli import main as cli_module
from musicrel.score.files import READABLE
from musicrel.ui import app as app_module
from musicrel.ui import display
from musicrel.ui.files.new_window import RECOVER
from musicrel.ui.files.window_record import PROJECT


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


@pytest.mark.parametrize("name", [f"hymn{suffix}" for suffix in (PROJECT, *READABLE, ".MID")])
def test_document_opens_in_a_window(
    name: str, started: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file manager starts the app like this; without a display the command line answers."""
    (tmp_path / name).touch()
    monkeypatch.setattr(sys, "argv", ["musicrel", str(tmp_path / name)])
    monkeypatch.setattr(display, "has_display", lambda: True)
    program.main()
    monkeypatch.setattr(display, "has_display", lambda: False)
    program.main()

    assert started == ["window", "command"]


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ([], "window"),
        ([RECOVER, "abc"], "window"),
        (["gone.mid"], "command"),
        (["generate"], "command"),
        (["--version"], "command"),
    ],
)
def test_commands_are_no_documents(
    words: list[str], kind: str, started: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor is a file that does not exist."""
    monkeypatch.setattr(sys, "argv", ["musicrel", *words])
    monkeypatch.setattr(display, "has_display", lambda: True)
    program.main()

    assert started == [kind]
