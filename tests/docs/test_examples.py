"""The examples of README and docs work: every command is parsed, and all but the long ones run."""

from __future__ import annotations

import io
import re
import shlex
import shutil
from collections.abc import Iterator, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Final

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

import musicrel
from musicrel import paths
from musicrel.cli import main as command_line
from musicrel.project.contents import Contents
from musicrel.project.project_file import ProjectFile
from tests.helpers.projects import full_contents

ROOT: Final = Path(__file__).parents[2]
ALL_PAGES: Final = tuple(
    page.relative_to(ROOT).as_posix()
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
    if page.parent.name != "reference"  # it shows signatures, not examples
)
_SCRIPTS: Final = ("bash", "toml")
"""Kinds of blocks with files, not with commands to type."""


@dataclass(frozen=True, slots=True)
class Example:
    """A command, or a block of Python."""

    page: str
    line: int
    text: str
    is_python: bool = False

    @property
    def words(self) -> list[str]:
        return shlex.split(self.text)

    def __str__(self) -> str:
        """Format as ``file:line: beginning``."""
        return f"{self.page}:{self.line}: {self.text.splitlines()[0]}"


def examples(page: str) -> list[Example]:
    tokens = MarkdownIt("commonmark").parse((ROOT / page).read_text("utf-8"))
    return [one for token in tokens for one in _of_block(page, token)]


def _of_block(page: str, token: Token) -> Iterator[Example]:
    if token.type not in {"fence", "code_block"} or token.info in _SCRIPTS or token.map is None:
        return
    first = token.map[0] + 1 + (token.type == "fence")
    if token.info == "python":
        yield Example(page, first, token.content, is_python=True)
        return
    for number, line in enumerate(token.content.splitlines(), first):
        if re.match(r"musicrel \S", line):
            yield Example(page, number, shlex.join(shlex.split(line, comments=True)[1:]))


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
        "ablate means": "it reads all training pieces: tests/unit/interpretability",
        "check": "it needs a GPU, or a minute: tests/integration/test_check.py",
        "bench": "it measures for minutes: tests/integration/test_check.py",
    }
)
"""Beginning of a command that is parsed only -> why."""


def reason_not_to_run(example: Example) -> str:
    found = [why for words, why in NOT_RUN.items() if f"{example.text} ".startswith(f"{words} ")]
    return found[0] if found else ""


def to_run(page: str) -> list[Example]:
    return [one for one in examples(page) if one.is_python or not reason_not_to_run(one)]


EXAMPLES: Final = [one for page in ALL_PAGES for one in examples(page)]
COMMANDS: Final = [one for one in EXAMPLES if not one.is_python]
WORDS: Final = """The morning light is on the hill
And all the fields are green and still
We lift our voices to the sky
And songs of joy will never die
"""
PAGES: Final = tuple(page for page in ALL_PAGES if to_run(page))
"""Pages with examples that are run."""


def test_there_are_examples() -> None:
    assert {"README.md", "docs/cli.md", "docs/formats.md"} <= set(PAGES)
    assert len([one for one in EXAMPLES if one.is_python]) >= 8
    assert len(COMMANDS) >= 80


@pytest.mark.parametrize("example", COMMANDS, ids=str)
def test_a_command_is_parsed(example: Example, capsys: pytest.CaptureFixture[str]) -> None:
    words = example.words
    if words[0] == "--version" or words[0].endswith(".musicrel"):
        return
    try:
        options = command_line.parser_of(words[:1]).parse_args(words)
    except SystemExit:
        pytest.fail(f"{example}: {capsys.readouterr().err}")
    assert options.command == words[0]


def test_every_reason_belongs_to_a_command() -> None:
    texts = [f"{one.text} " for one in COMMANDS]

    assert [words for words in NOT_RUN if not any(t.startswith(f"{words} ") for t in texts)] == []


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    monkeypatch.setenv("MUSICREL_HOME", str(home))
    monkeypatch.setenv("HOME", str(tmp_path))
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    piece = musicrel.generate(
        key="G major", seed=7, bars=8, phrases="none", pickup=0, ranges="full", quality="draft"
    )
    Path("hymn.txt").write_text(WORDS, encoding="utf-8")
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
    contents = full_contents()
    named = replace(contents.takes[1], name="Hymn (2)", rating=2)
    ProjectFile.create(path, Contents(takes=(contents.takes[0], named))).close()


def run(example: Example) -> None:
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


@pytest.mark.timeout(3600)
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("page", PAGES)
@pytest.mark.usefixtures("folder")
def test_the_examples_of_a_page_run(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    for example in to_run(page):
        try:
            run(example)
        except Exception as problem:  # noqa: BLE001
            pytest.fail(f"{example}: {problem!r}\n{capsys.readouterr().err[-2000:]}")
