"""Arguments that several commands share."""

from __future__ import annotations

import argparse

import pytest

from musicrel.cli.main import main

REQUIRED = {
    "generate": (),
    "harmonise": ("tune.mid",),
    "infill": ("piece.mid",),
    "continue": ("piece.mid",),
    "vary": ("piece.mid",),
}
"""Commands with a quality, and their positional arguments."""


def parse(monkeypatch: pytest.MonkeyPatch, command: str, *words: str) -> argparse.Namespace:
    """Return the parsed options of a command without running it."""
    parsed: list[argparse.Namespace] = []

    def run(options: argparse.Namespace) -> int:
        parsed.append(options)
        return 0

    module = "continue_" if command == "continue" else command
    monkeypatch.setattr(f"musicrel.cli.commands.{module}.run", run)
    assert main([command, *REQUIRED[command], "--out", "x.mid", *words]) == 0
    return parsed[0]


@pytest.mark.parametrize("command", REQUIRED)
@pytest.mark.parametrize(
    ("words", "quality"),
    [
        ((), "normal"),
        (("--quality", "draft"), "draft"),
        (("--quality", "high"), "high"),
        (("--quality", "careful"), "high"),
        (("--patience", "draft"), "draft"),
        (("--patience", "careful"), "high"),
    ],
)
def test_quality_is_read_by_both_its_names(
    monkeypatch: pytest.MonkeyPatch, command: str, words: tuple[str, ...], quality: str
) -> None:
    """Version 1 had ``--patience`` with ``careful`` for ``high``."""
    assert parse(monkeypatch, command, *words).quality == quality


@pytest.mark.parametrize("phrases", ["-1", "0", "2,x", "", "2,-1"])
def test_phrases_to_harmonise_are_at_least_a_bar(
    phrases: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["harmonise", "tune.mid", "--out", "x.mid", f"--phrases={phrases}"])
    assert "expected the bars of each, at least 1, as in 2,2,4" in capsys.readouterr().err


@pytest.mark.parametrize("command", REQUIRED)
def test_the_help_has_the_new_name_of_quality_only(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """``--patience`` is accepted but hidden."""
    with pytest.raises(SystemExit, match="0"):
        main([command, "--help"])
    text = capsys.readouterr().out
    assert "--quality" in text
    assert "patience" not in text
    assert "careful" not in text
