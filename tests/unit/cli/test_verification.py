"""``musicrel verify``: damage of models, corpus, runs, studies and projects is found."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from pathlib import Path

import pytest

from musicrel import jobs, paths
from musicrel.analysis.corpus import bundled
from musicrel.cli import verification
from musicrel.cli.main import main
from musicrel.cli.verification import Item
from musicrel.errors import UsageError
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.experiment.study import definition
from musicrel.project.project_file import write_new
from tests.helpers.models import tiny_model_directory
from tests.helpers.music import tiny_data
from tests.helpers.projects import full_contents
from tests.helpers.recipes import tiny_recipe
from tests.helpers.runs import run

Capture = pytest.CaptureFixture[str]

KEPT = Path(__file__).parents[3] / "training/results/runs"
"""Finished runs that recipes can begin with."""

STUDY = """
name = "two"
budget = { steps = 4 }
model = { width = 16, layers = 1, heads = 2 }
arms = [{ name = "vanilla", scheme = "sinusoidal" }, { name = "relative", scheme = "relative" }]
"""


def found(name: str | Path) -> list[Item]:
    events: list[Item] = []
    jobs.run(verification.verify(verification.named(str(name))), events.append)
    return events


def flip(path: Path, place: int = -20) -> None:
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(bytes(content))


@pytest.fixture
def finished(tmp_path: Path) -> Path:
    run(tiny_recipe(tiny_data(tmp_path / "data.json")), tmp_path / "run")
    return tmp_path / "run"


def test_everything_that_is_shipped_is_intact() -> None:
    events: list[Item] = []
    jobs.run(verification.verify(verification.known()), events.append)

    assert [one for one in events if one.problem or one.remark] == []
    assert {one.kind for one in events} == {"model", "corpus"}
    assert len(events) == 8


@pytest.mark.parametrize("folder", sorted(KEPT.iterdir()), ids=lambda folder: folder.name)
def test_models_that_recipes_begin_with_are_intact(folder: Path) -> None:
    assert [one for one in found(folder) if one.problem or one.remark] == []


def test_one_changed_bit_of_a_model_is_found(tmp_path: Path) -> None:
    for name in ("a", "b"):
        tiny_model_directory(tmp_path / name)
    flip(tmp_path / "b" / "model.safetensors")

    first, second = found(tmp_path)

    assert first.problem == ""
    assert "its weights have the SHA-256" in second.problem
    assert second.path == tmp_path / "b"


def test_a_model_without_a_hash_is_remarked_on(tmp_path: Path) -> None:
    card = tiny_model_directory(tmp_path / "old") / "card.json"
    card.write_text(json.dumps(json.loads(card.read_text()) | {"weights_sha256": ""}))
    (only,) = found(tmp_path / "old")
    assert (only.problem, only.remark) == ("", verification.NO_HASH)


def test_another_corpus_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundled, "source_sha256", lambda: "0" * 64)
    (only,) = found("corpus")
    assert "chorales.npz is not the one that rule_rates.json names" in only.problem


def test_an_intact_run_is_intact(finished: Path) -> None:
    events = found(finished)
    assert [one.problem for one in events] == ["", "", ""]
    assert [one.kind for one in events] == ["run", "model", "model"]


@pytest.mark.parametrize(
    ("pattern", "content", "sentence"),
    [
        ("checkpoints/*.safetensors", None, "is damaged: its checksum does not match"),
        ("model/model.safetensors", None, "its weights have the SHA-256"),
        ("best/model.safetensors", None, "its weights have the SHA-256"),
        ("events.jsonl", '{"event":\n', "1 lines of events.jsonl are no events"),
        ("result.json", "{", "result.json"),
        ("recipe.toml", "name = ", "recipe.toml"),
    ],
)
def test_damage_of_a_run_is_found(
    finished: Path, pattern: str, content: str | None, sentence: str
) -> None:
    file = min(finished.glob(pattern))
    if content is None:
        flip(file)
    else:
        before = file.read_text() if pattern == "events.jsonl" else ""
        file.write_text(before + content)

    (damaged,) = [one for one in found(finished) if one.problem]

    assert sentence in damaged.problem


def test_a_line_that_is_being_written_is_no_damage(finished: Path) -> None:
    with (finished / "events.jsonl").open("a") as file:
        file.write('{"event": "Tra')
    assert RunFolder(finished).problems() == []


def test_a_study_is_verified_with_its_runs(tmp_path: Path) -> None:
    definition.create(tmp_path / "study", definition.parse(STUDY, "study"))
    assert [one.kind for one in found(tmp_path)] == ["study", "run", "run"]
    (tmp_path / "study" / "study.toml").write_text("arms = 3")
    assert [bool(one.problem) for one in found(tmp_path)] == [True, False, False]


def test_a_project_is_verified(tmp_path: Path) -> None:
    path = tmp_path / "a.musicrel"
    write_new(full_contents(), path)
    assert [one.problem for one in found(path)] == [""]

    with contextlib.closing(sqlite3.connect(path)) as database:
        (piece,) = database.execute("SELECT content FROM pieces LIMIT 1").fetchone()
    content = path.read_bytes()
    place = content.index(piece)
    for changed in range(place, place + len(piece), 7):
        flip(path, changed)
        assert " cannot be read" in found(tmp_path)[0].problem
        path.write_bytes(content)
    path.write_bytes(content[:-4096])
    assert "is damaged" in found(tmp_path)[0].problem
    assert [one.name for one in tmp_path.iterdir()] == ["a.musicrel"]


@pytest.mark.parametrize("name", ["nobody", "empty", "file.mid"])
def test_nothing_to_verify_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "file.mid").touch()
    with pytest.raises(UsageError, match=f"{name} holds nothing to verify: expected the name of"):
        verification.named(name)


def test_each_item_is_a_line(tmp_path: Path, capsys: Capture) -> None:
    tiny_model_directory(tmp_path / "mine")
    assert main(["verify", str(tmp_path), "corpus"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"intact   model    {tmp_path / 'mine'}",
        f"intact   corpus   {paths.assets() / 'corpus'}",
        "2 verified, 0 damaged",
    ]

    flip(tmp_path / "mine" / "model.safetensors")
    assert main(["verify", str(tmp_path)]) == 1
    assert capsys.readouterr().out.startswith(f"damaged  model    {tmp_path / 'mine'} is damaged")
    assert main(["verify", str(tmp_path), "--json"]) == 1
    values = json.loads(capsys.readouterr().out)
    assert values["damaged"] == 1
    assert values["items"][0]["kind"] == "model"
