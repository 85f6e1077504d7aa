"""``musicrel grade``, as a user calls it."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from musicrel.chorale import REST, Chorale
from musicrel.cli.main import main
from musicrel.corpus import bundled

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two of Bach's chorales, each in two formats, beside a file that is none."""
    for number, piece in enumerate(bundled.load("test")[:2]):
        piece.write(tmp_path / f"{number}.mid")
        piece.write(tmp_path / f"{number}.json")
    (tmp_path / "results.json").write_text("{}", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("not looked at", encoding="utf-8")
    return tmp_path


def answer(capsys: Capture, *words: object) -> Any:
    assert main(["grade", *map(str, words), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_every_piece_has_every_measure(folder: Path, capsys: Capture) -> None:
    """The keys scripts rely on; the grade is the sum of its features."""
    said = answer(capsys, folder / "0.mid")
    (piece,) = said["pieces"]
    assert piece["file"] == str(folder / "0.mid")
    assert piece["grade"] == pytest.approx(sum(piece["features"].values()))
    assert len(piece["features"]) == 8
    assert {"parallels", "crossing", "spacing", "notes"} < set(piece)
    assert list(piece["memorisation"]) == ["1", "2", "4"]
    assert said["median"] == piece["grade"]


def test_a_folder_is_graded_one_file_a_piece(folder: Path, capsys: Capture) -> None:
    """What is no chorale is named and skipped."""
    said = answer(capsys, folder)
    assert [Path(piece["file"]).name for piece in said["pieces"]] == ["0.json", "1.json"]
    assert said["median"] == median(piece["grade"] for piece in said["pieces"])
    assert [Path(item["file"]).name for item in said["skipped"]] == ["results.json"]


def test_what_is_skipped_is_told_on_standard_error(folder: Path, capsys: Capture) -> None:
    """The exit code is 0 as long as one piece could be read."""
    assert main(["grade", str(folder / "0.mid"), str(folder / "missing.mid")]) == 0
    assert "skipped: cannot read" in capsys.readouterr().err


def test_a_file_named_twice_is_graded_once(folder: Path, capsys: Capture) -> None:
    """Also when it lies in a folder that is named."""
    said = answer(capsys, folder / "0.json", folder, folder / "0.json")
    assert len(said["pieces"]) == 2


def test_the_table_ends_with_bachs_own_figures(folder: Path, capsys: Capture) -> None:
    """For comparison."""
    assert main(["grade", str(folder)]) == 0
    head, first, *_, middle, bach, _ = capsys.readouterr().out.splitlines()
    assert head.split()[:3] == ["file", "grade", "parallels"]
    assert first.startswith(str(folder / "0.json"))
    assert middle.startswith("median grade of 2 pieces: ")
    assert "grade 4.12, parallels 1.20, crossing 1.99 %, spacing 1.59 % (the test split" in bach


def test_another_reference_gives_another_grade(folder: Path, capsys: Capture) -> None:
    """And says which it is."""
    shipped, other = (
        answer(capsys, folder / "0.mid", "--reference", name) for name in ("jsb16", "chorales")
    )
    assert shipped["reference"] == "the training split of JSB16"
    assert other["reference"] == "the training split of the bundled chorales"
    assert shipped["median"] != other["median"]


def test_pieces_the_models_learned_from_are_told(tmp_path: Path, capsys: Capture) -> None:
    """Every chunk of a bundled training chorale is known."""
    bundled.load("train")[3].write(tmp_path / "known.json")
    said = answer(capsys, tmp_path / "known.json")
    assert said["pieces"][0]["memorisation"] == {"1": 1.0, "2": 1.0, "4": 1.0}


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda path: path.mkdir(), "holds no chorale: expected files that end in .mid"),
        (lambda path: path.exists(), "expected a name that ends in"),
        (lambda path: path.write_text("?"), "expected a name that ends in"),
    ],
    ids=["an empty folder", "no such file", "another kind of file"],
)
def test_when_nothing_can_be_read_one_sentence_says_why(
    make: Any, sentence: str, tmp_path: Path, capsys: Capture
) -> None:
    """And the exit code is 1."""
    make(tmp_path / "given")
    assert main(["grade", str(tmp_path / "given")]) == 1
    said = capsys.readouterr()
    assert sentence in said.err
    assert (said.out, said.err.count("\n")) == ("", 1)


def test_when_none_of_several_can_be_read_each_is_named(tmp_path: Path, capsys: Capture) -> None:
    """Then that there was nothing to grade."""
    silent = tmp_path / "silent.json"
    Chorale.of([[REST] * 4], title="Pause").write(silent)
    assert main(["grade", str(silent), str(tmp_path / "missing.mid")]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("skipped: Pause has no note")
    assert lines[1].startswith("skipped: cannot read")
    assert lines[2] == "musicrel grade: none of the 2 files and folders gave a chorale to grade"


def test_an_unknown_reference_is_wrong_usage(folder: Path, capsys: Capture) -> None:
    """Exit code 2."""
    assert main(["grade", str(folder), "--reference", "mozart"]) == 2
    assert "unknown reference 'mozart'" in capsys.readouterr().err
