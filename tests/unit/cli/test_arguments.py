"""Arguments that several commands share."""

from __future__ import annotations

import argparse

import pytest

from musicrel.cli import arguments
from musicrel.cli.arguments import Command
from musicrel.cli.commands import training, writing
from musicrel.cli.main import main
from musicrel.experiment.runners.runner_choice import AUTO, RAY, RunnerChoice

REQUIRED = {
    "generate": (), "harmonise": ("tune.mid",), "infill": ("piece.mid",),
    "continue": ("piece.mid",), "vary": ("piece.mid",),
}  # fmt: skip
"""Commands with a quality, and their positional arguments."""


def parse(monkeypatch: pytest.MonkeyPatch, command: str, *words: str) -> argparse.Namespace:
    parsed: list[argparse.Namespace] = []

    def run(options: argparse.Namespace) -> int:
        parsed.append(options)
        return 0

    monkeypatch.setitem(writing.COMMANDS, command, writing.COMMANDS[command]._replace(run=run))
    assert main([command, *REQUIRED[command], "--out", "x.mid", *words]) == 0
    return parsed[0]


@pytest.mark.parametrize("command", REQUIRED)
@pytest.mark.parametrize(
    ("words", "quality"),
    [
        ((), "normal"), (("--quality", "draft"), "draft"), (("--quality", "high"), "high"),
        (("--quality", "careful"), "high"), (("--patience", "draft"), "draft"),
        (("--patience", "careful"), "high"),
    ],
)  # fmt: skip
def test_quality_is_read_by_both_its_names(
    monkeypatch: pytest.MonkeyPatch, command: str, words: tuple[str, ...], quality: str
) -> None:
    """Version 1 had ``--patience`` with ``careful`` for ``high``."""
    assert parse(monkeypatch, command, *words).quality == quality


@pytest.mark.parametrize("command", REQUIRED)
def test_the_help_has_the_new_name_of_quality_only(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="0"):
        main([command, "--help"])
    text = capsys.readouterr().out
    assert "--quality" in text
    assert "patience" not in text
    assert "careful" not in text


def options(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    arguments.add(parser, Command(None, (*training.RUNNER, *arguments.DEVICE)))
    return parser.parse_args(words)


@pytest.mark.parametrize(
    ("words", "chosen"),
    [
        ("", RunnerChoice()),
        ("--jobs 3", RunnerChoice(jobs=3)),
        ("--jobs auto", RunnerChoice(jobs=AUTO)),
        ("--runner here", RunnerChoice()),
        ("--runner ray", RunnerChoice(runner=RAY, jobs=AUTO)),
        ("--runner ray --jobs 9 --address head:1 --fetch --gpus 0.5",
         RunnerChoice(runner=RAY, jobs=9, address="head:1", fetch=True, gpus=0.5)),
    ],
)  # fmt: skip
def test_the_folder_keeps_the_runner_of_the_command_line(words: str, chosen: RunnerChoice) -> None:
    assert training.kept_choice(options(*words.split())) == chosen
    assert training.kept_choice(options(*chosen.options)) == chosen
