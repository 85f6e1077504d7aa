"""The reference pages: they are those that the code gives, and name all of it."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

import musicrel
from musicrel.cli.main import COMMANDS


def test_the_committed_pages_are_those_of_the_code(build_reference: ModuleType) -> None:
    """If not: python packaging/build_reference.py."""
    assert build_reference.outdated(build_reference.FOLDER) == []


def test_a_page_that_differs_is_named(
    build_reference: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One that is missing, too, and the exit code is 1."""
    (tmp_path / "commands.md").write_text(build_reference.PAGES["commands.md"]() + "more", "utf-8")
    monkeypatch.setattr(build_reference, "FOLDER", tmp_path)

    assert build_reference.main(["--check"]) == 1
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == [
        "commands.md", "python.md",
    ]  # fmt: skip


def test_the_written_pages_are_up_to_date(
    build_reference: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command creates the folder."""
    monkeypatch.setattr(build_reference, "FOLDER", tmp_path / "new")

    assert build_reference.main([]) == 0
    assert build_reference.main(["--check"]) == 0


def test_every_command_and_every_public_name_has_a_section(build_reference: ModuleType) -> None:
    """With options, values and defaults, and signatures as they are written."""
    commands, python = (page() for page in build_reference.PAGES.values())

    assert [name for name in COMMANDS if f"\n## musicrel {name}\n" not in commands] == []
    assert [name for name in musicrel.__all__ if f"\n### musicrel.{name}\n" not in python] == []
    assert "| `--bars BARS` | length in bars (default: 16) |" in commands
    assert "| `--mute-by mean\\|zero` |" in commands
    assert "    load_model(\n        name_or_dir: str,\n        device: str = 'cpu',\n" in python
    assert "**options: Unpack[EditOptions]," in python


def test_hidden_options_are_left_out(build_reference: ModuleType) -> None:
    """Old names and options between processes are for programs, not for users."""
    commands = build_reference.PAGES["commands.md"]()

    assert "--patience" not in commands
    assert "SUPPRESS" not in commands


def test_a_public_name_without_a_section_is_found(
    build_reference: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new function cannot be forgotten."""
    monkeypatch.setattr(musicrel, "__all__", [*musicrel.__all__, "new"])

    with pytest.raises(LookupError, match="'new'"):
        build_reference.PAGES["python.md"]()
