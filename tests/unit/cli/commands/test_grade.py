"""``musicrel grade`` from the command line."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from musicrel.chorale import REST, Chorale
from musicrel.cli.main import main
from musicrel.corpus import bundled
from musicrel.model.card import read_card
from tests.helpers.models import tiny_model_directory

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for number, piece in enumerate(bundled.load("test")[:2]):
        piece.write(tmp_path / f"{number}.mid")
        piece.write(tmp_path / f"{number}.json")
    (tmp_path / "results.json").write_text("{}", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("ignored", encoding="utf-8")
    return tmp_path


def grade(capsys: Capture, *words: object) -> Any:
    assert main(["grade", *map(str, words), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_every_piece_has_every_measure(folder: Path, capsys: Capture) -> None:
    """Scripts rely on the keys; the grade is the sum of its features."""
    found = grade(capsys, folder / "0.mid")
    (piece,) = found["pieces"]
    assert piece["file"] == str(folder / "0.mid")
    assert piece["grade"] == pytest.approx(sum(piece["features"].values()))
    assert len(piece["features"]) == 8
    assert {"parallels", "crossing", "spacing", "notes"} < set(piece)
    assert list(piece["memorisation"]) == ["1", "2", "4"]
    assert found["median"] == piece["grade"]


def test_a_folder_is_graded_one_file_a_piece(folder: Path, capsys: Capture) -> None:
    found = grade(capsys, folder)
    assert [Path(piece["file"]).name for piece in found["pieces"]] == ["0.json", "1.json"]
    assert found["median"] == median(piece["grade"] for piece in found["pieces"])
    assert [Path(item["file"]).name for item in found["skipped"]] == ["results.json"]


def test_skipped_files_are_named_on_standard_error(folder: Path, capsys: Capture) -> None:
    assert main(["grade", str(folder / "0.mid"), str(folder / "missing.mid")]) == 0
    assert "skipped: cannot read" in capsys.readouterr().err


def test_a_file_named_twice_is_graded_once(folder: Path, capsys: Capture) -> None:
    found = grade(capsys, folder / "0.json", folder, folder / "0.json")
    assert len(found["pieces"]) == 2


def test_the_table_ends_with_bachs_own_figures(folder: Path, capsys: Capture) -> None:
    assert main(["grade", str(folder)]) == 0
    head, first, *_, middle, bach, _ = capsys.readouterr().out.splitlines()
    assert head.split()[:3] == ["file", "grade", "parallels"]
    assert first.startswith(str(folder / "0.json"))
    assert middle.startswith("median grade of 2 pieces: ")
    assert "grade 4.12, parallels 1.20, crossing 1.99 %, spacing 1.59 % (the test split" in bach


def test_another_reference_gives_another_grade(folder: Path, capsys: Capture) -> None:
    shipped, other = (
        grade(capsys, folder / "0.mid", "--reference", name) for name in ("jsb16", "chorales")
    )
    assert shipped["reference"] == "the training split of JSB16"
    assert other["reference"] == "the training split of the bundled chorales"
    assert shipped["median"] != other["median"]


def test_copies_of_training_chorales_are_found(tmp_path: Path, capsys: Capture) -> None:
    bundled.load("train")[3].write(tmp_path / "known.json")
    found = grade(capsys, tmp_path / "known.json")
    assert found["pieces"][0]["memorisation"] == {"1": 1.0, "2": 1.0, "4": 1.0}


def test_each_file_is_named_if_none_of_several_can_be_read(tmp_path: Path, capsys: Capture) -> None:
    silent = tmp_path / "silent.json"
    Chorale.of([[REST] * 4], title="Pause").write(silent)
    assert main(["grade", str(silent), str(tmp_path / "missing.mid")]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("skipped: Pause has no note")
    assert lines[1].startswith("skipped: cannot read")
    assert lines[2] == "musicrel grade: none of the 2 files and folders holds a chorale to grade"


def test_the_counting_baseline_has_no_loss_of_the_end(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It counts notes only; null is not zero."""
    assert main(["evaluate", "--model", "counts", "--split", "valid", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)

    assert found["end_nats"] is None
    assert found["unit"] == "nats/note"
    assert found["data"] == "chorales"


def test_a_model_in_a_folder_has_the_name_of_its_card(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tiny_model_directory(tmp_path / "model")
    assert main(["evaluate", "--model", str(folder), "--split", "valid", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["model"] == read_card(folder).name != "model"
