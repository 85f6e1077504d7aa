"""The available models and their cards as JSON."""

from __future__ import annotations

import errno
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from musicrel import paths
from musicrel.errors import FileError, ModelError
from musicrel.model import catalogue
from musicrel.model.card import Card
from musicrel.model.config import ModelConfig
from tests.helpers.models import tiny_card, tiny_config, tiny_model, tiny_model_directory


@pytest.fixture
def roots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    monkeypatch.setattr(paths, "assets", lambda: tmp_path / "assets")
    monkeypatch.setattr(paths, "data", lambda: tmp_path / "data")
    return tmp_path / "assets" / "models", tmp_path / "data" / "models"


def make(root: Path, name: str) -> Path:
    (root / name).mkdir(parents=True)
    (root / name / "card.json").touch()
    return root / name


@pytest.fixture
def card() -> Card:
    return tiny_card(
        tiny_model(tiny_config("relative", conditions=("voice", "key"))),
        data={"name": "jsb", "sha256": "0f", "pieces": {"train": 229}},
        recipe={"name": "tiny"},
        training={"step": 12},
        figures={"voice+beat": {"test": 0.5}},
        valid_nats_per_note=0.5,
        test_nats_per_note=0.25,
        commit="abc",
        licence="CC0",
    )


def changed(card: Card, **values: Any) -> str:
    """Return the card's text with entries replaced; None removes one."""
    table = json.loads(card.to_json()) | values
    return json.dumps({name: value for name, value in table.items() if value is not None})


def test_without_models_there_are_none(roots: tuple[Path, Path]) -> None:
    del roots

    assert catalogue.model_directories() == []
    with pytest.raises(ModelError, match=r"no model 'vanilla': .* or one of none yet"):
        catalogue.find("vanilla")


def test_shipped_models_come_first(roots: tuple[Path, Path]) -> None:
    """Each group is sorted by name; folders without a card are skipped."""
    shipped, own = roots
    expected = [make(shipped, "b"), make(shipped, "z"), make(own, "a")]
    (shipped / "half-copied").mkdir()

    assert catalogue.model_directories() == expected


def test_a_model_is_found_by_name_or_folder(roots: tuple[Path, Path], tmp_path: Path) -> None:
    shipped, own = roots
    vanilla, mine = make(shipped, "vanilla"), make(own, "mine")

    assert catalogue.find("vanilla") == vanilla
    assert catalogue.find("mine") == mine

    del roots

    assert catalogue.find(str(make(tmp_path, "run"))) == tmp_path / "run"


def test_a_shipped_model_wins_over_an_own_one_of_its_name(roots: tuple[Path, Path]) -> None:
    shipped, own = roots
    expected = make(shipped, "vanilla")
    make(own, "vanilla")

    assert catalogue.find("vanilla") == expected


def test_an_unknown_model_is_refused_with_those_there_are(roots: tuple[Path, Path]) -> None:
    make(roots[0], "vanilla")
    make(roots[0], "relative")

    with pytest.raises(
        ModelError,
        match=r"no model 'nope': expected a model directory with a card.json, "
        "or one of relative, vanilla",
    ):
        catalogue.find("nope")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MUSICREL_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def test_a_removed_model_is_kept_and_comes_back(home: Path) -> None:
    folder = tiny_model_directory(home / "models" / "mine")
    before = {file.name: file.read_bytes() for file in folder.iterdir()}

    removed = catalogue.remove(folder)

    assert not folder.exists()
    assert removed.folder.parent == home / "trash" / "models"
    assert catalogue.restore(removed) == "mine"
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before


def test_two_removed_models_may_have_had_the_same_name(home: Path) -> None:
    """Each comes back; the second gets a number."""
    removed = [catalogue.remove(tiny_model_directory(home / "models" / "mine")) for _ in range(2)]

    assert [catalogue.restore(one) for one in removed] == ["mine", "mine-2"]


def test_a_shipped_model_stays() -> None:
    with pytest.raises(ModelError, match="vanilla belongs to musicrel and cannot be removed"):
        catalogue.remove(catalogue.find("vanilla"))


def test_only_the_folder_of_a_model_is_removed(home: Path, tmp_path: Path) -> None:
    (home / "models" / "notes").mkdir(parents=True)

    for folder in (home / "models" / "notes", tiny_model_directory(tmp_path / "elsewhere")):
        with pytest.raises(ModelError, match="nothing was removed"):
            catalogue.remove(folder)


def test_a_folder_that_cannot_be_moved_is_a_sentence(home: Path) -> None:
    folder = tiny_model_directory(home / "models" / "mine")
    (home / "trash").write_text("a file where the trash should be")

    with pytest.raises(FileError, match=r"cannot move .* close programs that use the folder"):
        catalogue.remove(folder)
    assert folder.is_dir()


def not_here(*_: Path) -> Path:
    raise OSError(errno.EXDEV, "Invalid cross-device link")


def test_a_link_to_a_model_is_moved_as_a_link(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = tiny_model_directory(tmp_path / "elsewhere")
    (home / "models").mkdir(parents=True)
    (home / "models" / "mine").symlink_to(model)
    monkeypatch.setattr(Path, "rename", not_here)

    removed = catalogue.remove(home / "models" / "mine")

    assert removed.folder.is_symlink()
    assert (model / "card.json").is_file()
    assert catalogue.restore(removed) == "mine"


def test_a_failed_move_to_another_disk_changes_nothing(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tiny_model_directory(home / "models" / "mine")
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    monkeypatch.setattr(Path, "rename", not_here)

    def full(*_: Path, **__: bool) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(shutil, "copy2", full)

    with pytest.raises(FileError, match="the disk is full; make room on it"):
        catalogue.remove(folder)
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before
    assert list((home / "trash" / "models").iterdir()) == []


def test_a_card_survives_its_text(card: Card) -> None:
    """Tuples become lists, nothing else changes."""
    back = Card.from_json(card.to_json())

    assert back.to_json() == card.to_json()
    assert back.config == card.config


def test_a_card_needs_only_what_the_model_is_and_unknown_entries_are_ignored(card: Card) -> None:
    text = changed(card, data=None, recipe=None, training=None, figures=None, commit=None)

    back = Card.from_json(text)

    assert (back.data, back.figures, back.commit) == ({}, {}, "")

    assert Card.from_json(changed(card, remark="nice")) == Card.from_json(card.to_json())


@pytest.mark.parametrize(
    ("texts", "sentence"),
    [
        (["", "{", "[1, 2", "\ufeff{}", "[" * 100_000, '{"parameters": ' + "1" * 5000 + "}"],
         "card.json is not valid JSON"),
        (["[]", "null", "7", '"card"', "{}", '{"format": "other"}'],
         "card.json is not the card of a musicrel model"),
    ],
)  # fmt: skip
def test_text_that_is_no_card_is_refused(texts: list[str], sentence: str) -> None:
    for text in texts:
        with pytest.raises(ModelError, match=sentence):
            Card.from_json(text)


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        *[("version", version, f"has version {version!r}, this program reads 1: update")
          for version in (0, 2, "1", None)],
        *[(name, None, f"card.json: .*lacks {name!r}")
          for name in ("name", "config", "vocabulary", "parameters")],
        *[(name, value, rf"card.json: {name} is .*: expected a ")
          for name, value in [
              ("name", 7), ("parameters", "many"), ("vocabulary", ["PAD"]), ("data", "jsb"),
              ("recipe", []), ("training", 1), ("figures", "good"), ("valid_nats_per_note", "0.5"),
              ("test_nats_per_note", [0.5]), ("commit", 7), ("licence", {}),
          ]],
        ("vocabulary", {}, "card.json names no vocabulary"),
        ("vocabulary", {"name": 7}, "card.json names no vocabulary"),
    ],
)  # fmt: skip
def test_a_wrong_or_missing_entry_is_refused(
    card: Card, name: str, value: object, sentence: str
) -> None:
    with pytest.raises(ModelError, match=sentence):
        Card.from_json(changed(card, **{name: value}))


def config(**fields: Any) -> ModelConfig:
    """Return a valid config; ``fields`` override."""
    least: dict[str, Any] = {"scheme": "relative", "tokens": 51}
    return ModelConfig(**least | fields)


def test_a_config_survives_json() -> None:
    before = config(conditions={"voice": 5}, options={"max_distance": 7}, width=16, heads=2)

    assert ModelConfig.from_json(json.loads(json.dumps(before.to_json()))) == before


@pytest.mark.parametrize(
    ("name", "value", "bounds"),
    [
        ("tokens", 3, "4 to 4096"),
        ("tokens", 10**9, "4 to 4096"),
        ("width", 4, "8 to 2048"),
        ("layers", 0, "1 to 24"),
        ("layers", 10**30, "1 to 24"),
        ("heads", 65, "1 to 64"),
        ("feedforward", 2**20, "8 to 8192"),
        ("trained_length", 1, "2 to 16384"),
    ],
)
def test_a_number_outside_its_bounds_is_refused(name: str, value: object, bounds: str) -> None:
    with pytest.raises(ModelError, match=f"{name} is {value!r}: expected a whole number {bounds}"):
        config(**{name: value})


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        *[({"dropout": value}, r"dropout is .*: expected 0.0 to 0.95")
          for value in (-0.1, 1.0, float("nan"))],
        ({"conditions": {"voice": 0}}, "condition 'voice' has 0 rows: expected 1 to 1024"),
        ({"conditions": {"voice": 2**40}}, "rows: expected 1 to 1024"),
        ({"conditions": dict.fromkeys(map(str, range(5000)), 1)}, "5000 conditions: expected at"),
        ({"width": 16, "heads": 3}, "width 16 is not a multiple of heads 3"),
    ],
)  # fmt: skip
def test_an_impossible_config_is_refused(fields: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ModelError, match=sentence):
        config(**fields)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ([], "the config of a model: it is .*: expected a table"),
        (None, "the config of a model: it is .*: expected a table"),
        ({"scheme": "relative"}, "the config of a model: it lacks 'tokens'"),
        ({"scheme": "relative", "tokens": 51, "depth": 3}, "has unknown entry 'depth'"),
        *[({"scheme": "relative", "tokens": 51, name: value}, f"{name}.* is .*: expected {kind}")
          for name, value, kind in [
              ("scheme", ["relative"], "a text"), ("options", [], "a table"),
              ("conditions", {"voice": "5"}, "a whole number"), ("heads", "4", "a whole number"),
              ("layers", True, "a whole number"), ("dropout", None, "a number"),
              ("cross", 1, "true"), ("family", "diffusion", "'causal', "),
          ]],
    ],
)  # fmt: skip
def test_json_of_another_kind_is_refused(values: object, sentence: str) -> None:
    with pytest.raises(ModelError, match=sentence):
        ModelConfig.from_json(values)
