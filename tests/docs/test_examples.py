"""The examples of README and docs work: every command is parsed, and all but the long ones run."""

from __future__ import annotations

import io
import shutil
from collections.abc import Mapping
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Final

import pytest

import musicrel
from musicrel import paths
from musicrel.cli import main as command_line
from musicrel.project.contents import Contents
from musicrel.project.project_file import ProjectFile
from tests.docs import examples
from tests.docs.examples import Example
from tests.helpers.projects import full_contents

NOT_RUN: Final[Mapping[str, str]] = MappingProxyType(
    {
        "hymns.musicrel": "it opens a window: tests/ui",
        "play": "it needs an audio device",
        "train --recipe relative": "an hour",
        "compare --study quick": "minutes for each run",
        "compare --study smoke --out runs/smoke-ray": "a cluster: tests/integration/test_ray.py",
        "compare --study full": "days; some on a cluster",
        "plot curves runs/quick": "it needs the study that is not run",
        "plot across": "it needs a trained model with cross-attention",
        "diagnose --claims": "it writes as many pieces as the test split has",
        "ablate study": "twelve minutes: tests/unit/experiment/ablation",
        "ablate means": "it reads all training pieces: tests/unit/generation/ablation",
        "plot study": "it needs the study that is not run",
        "check": "it needs a GPU, or a minute: tests/integration/test_check.py",
        "bench": "it measures for minutes: tests/integration/test_bench.py",
    }
)
"""Beginning of a command that is parsed only -> why."""


def reason_not_to_run(example: Example) -> str:
    """Return why a command is not run; "" if it is."""
    found = [why for words, why in NOT_RUN.items() if f"{example.text} ".startswith(f"{words} ")]
    return found[0] if found else ""


def to_run(page: str) -> list[Example]:
    """Return the examples of a page that are run."""
    found = examples.examples(page)
    return [one for one in found if one.is_python or not reason_not_to_run(one)]


PAGES: Final = tuple(page for page in examples.PAGES if to_run(page))
"""Pages with examples that are run."""


def test_there_are_examples() -> None:
    """They are found in README and docs, commands and Python."""
    found = [one for page in examples.PAGES for one in examples.examples(page)]

    assert {"README.md", "docs/cli.md", "docs/formats.md"} <= set(PAGES)
    assert len([one for one in found if one.is_python]) >= 8
    assert len([one for one in found if not one.is_python]) >= 80


@pytest.mark.parametrize("example", examples.commands(), ids=str)
def test_a_command_is_parsed(example: Example, capsys: pytest.CaptureFixture[str]) -> None:
    """The command exists and takes these arguments."""
    words = example.words
    if words[0] == "--version" or words[0].endswith(".musicrel"):
        return
    try:
        options = command_line.parser_of(words[:1]).parse_args(words)
    except SystemExit:
        pytest.fail(f"{example}: {capsys.readouterr().err}")
    assert options.command == words[0]


def test_every_reason_belongs_to_a_command() -> None:
    """Commands that are no longer in the documents leave the table."""
    texts = [f"{one.text} " for one in examples.commands()]

    assert [words for words in NOT_RUN if not any(t.startswith(f"{words} ") for t in texts)] == []


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Go to a folder with the files that the examples take for granted."""
    home = tmp_path / "home"
    monkeypatch.setenv("MUSICREL_HOME", str(home))
    monkeypatch.setenv("HOME", str(tmp_path))
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    piece = musicrel.generate(
        key="G major", seed=7, bars=8, phrases="none", pickup=0, ranges="full", quality="draft"
    )
    for name in ("chorale.mid", "hymn.musicxml"):
        piece.write(name)
    tune = musicrel.generate(seed=7, bars=16, phrases="none", pickup=0, quality="draft")
    tune.write("tune.mid")
    piece.cropped(0, 32).write("opening.mid")
    (work / "pieces").mkdir()
    piece.write("pieces/one.mid")
    for place in (work / "runs" / "mine" / "model", tmp_path / "models" / "mine"):
        shutil.copytree(paths.assets() / "models" / "relative", place)
    write_project(work / "hymns.musicrel")
    return work


def write_project(path: Path) -> None:
    """Write a project with a take of each name that the examples have."""
    contents = full_contents()
    named = replace(contents.takes[1], name="Hymn (2)", rating=2)
    ProjectFile.create(path, Contents(takes=(contents.takes[0], named))).close()


def run(example: Example) -> None:
    """Run a command or a block of Python in the present folder."""
    with redirect_stdout(io.StringIO()):
        if example.is_python:
            exec(compile(example.text, str(example), "exec"), {"__name__": "example"})  # noqa: S102
            return
        words = [str(Path(word).expanduser()) if word[0] == "~" else word for word in example.words]
        if words[0] == "convert":
            Path(words[2]).unlink(missing_ok=True)  # of the example before: convert replaces none
        assert exit_code(words) == 0


def exit_code(words: list[str]) -> object:
    """Run a command and return its exit code; argparse itself ends some."""
    try:
        return command_line.main(words)
    except SystemExit as end:
        return end.code


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("page", PAGES)
@pytest.mark.usefixtures("folder")
def test_the_examples_of_a_page_run(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    """In their order, in one folder."""
    for example in to_run(page):
        try:
            run(example)
        except Exception as problem:  # noqa: BLE001
            pytest.fail(f"{example}: {problem!r}\n{capsys.readouterr().err[-2000:]}")
