"""Tests of the definition of a study in a file and in its folder."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from musicrel.cli.main import main
from musicrel.errors import UsageError
from musicrel.experiment.study import definition
from musicrel.experiment.study.definition import Definition
from musicrel.experiment.study.memory_study import MemoryStudy
from musicrel.experiment.study.study import Study
from musicrel.experiment.study.study_watch import StudyWatch

MEMORY = 'name = "m"\nkind = "memory"\nlengths = [16, 32]\narms = ["vanilla"]\nwidth = 16\n'
TRAINED = """
name = "small"
budget = { steps = 2 }
model = { width = 16, layers = 1, heads = 2, feedforward = 64 }
data = { source = "SOURCE", window = 32 }
training = { batch = 2, warmup_steps = 1 }
arms = [{ name = "vanilla", scheme = "sinusoidal" }, { name = "none", scheme = "none" }]
"""


def smoke() -> Study:
    found = definition.load("smoke")
    assert isinstance(found, Study)
    return found


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    texts: list[str] = []
    loads = tomllib.loads

    def note(text: str) -> dict[str, Any]:
        texts.append(text)
        return loads(text)

    monkeypatch.setattr(tomllib, "loads", note)
    return texts


@pytest.mark.parametrize(
    ("found", "about"),
    [
        (smoke(), {"format": "musicrel-study", "version": 1}),
        (definition.parse(MEMORY, "m.toml"), {"format": "musicrel-memory", "version": 1}),
    ],
    ids=["study", "memory"],
)
def test_a_created_study_is_read_back(
    found: Definition, about: dict[str, object], tmp_path: Path
) -> None:
    definition.create(tmp_path, found)

    assert definition.read(tmp_path) == found
    assert (tmp_path / "study.toml").read_text() == found.text
    assert json.loads((tmp_path / "study.json").read_text()) == about
    with pytest.raises(UsageError, match="already holds a study: resume it with --resume"):
        definition.create(tmp_path, smoke())


def test_the_entry_kind_decides_how_a_study_is_read() -> None:
    assert isinstance(definition.load("memory"), MemoryStudy)
    assert isinstance(definition.load("quick"), Study)
    with pytest.raises(UsageError, match=r"study x.toml is not valid TOML"):
        definition.parse("name =", "x.toml")
    with pytest.raises(UsageError, match=r"study x.toml: it has unknown entry 'sort'"):
        definition.parse(MEMORY + 'sort = "b"', "x.toml")


def test_a_study_in_other_words_is_the_same(tmp_path: Path) -> None:
    definition.create(tmp_path, smoke())

    definition.check_same(definition.parse(f"# mine\n{smoke().text}", "mine.toml"), tmp_path)
    other = definition.parse(smoke().text.replace("steps = 80", "steps = 81"), "other.toml")
    for wanted in (other, definition.parse(MEMORY, "m.toml")):
        with pytest.raises(UsageError, match="holds the study 'smoke' with other values than"):
            definition.check_same(wanted, tmp_path)


def test_a_watched_study_is_parsed_once(parsed: list[str], tmp_path: Path) -> None:
    found = smoke()
    definition.create(tmp_path, found)
    parsed.clear()
    watch = StudyWatch(tmp_path, clock=iter(range(0, 100, 2)).__next__)

    states = [watch.poll().state for _ in range(3)]

    assert states == ["queued"] * 3
    assert parsed.count(found.text) == 1


@pytest.mark.parametrize("text", [MEMORY, TRAINED], ids=["memory", "study"])
def test_a_process_that_resumes_a_study_parses_it_once(
    parsed: list[str], source: str, text: str, tmp_path: Path
) -> None:
    found = definition.parse(text.replace("SOURCE", source), "small.toml")
    definition.create(tmp_path / "study", found)
    parsed.clear()
    words = ["--out", str(tmp_path / "study"), "--device", "cpu", "--runner", "here"]

    assert main(["compare", "--resume", *words]) == 0

    assert parsed.count(found.text) == 1
    assert (tmp_path / "study" / "results.json").is_file()
