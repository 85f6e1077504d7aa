"""``musicrel grade``, ``evaluate`` and ``diagnose``."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import median

import pytest

from musicrel.analysis.corpus import bundled
from musicrel.model.card import read_card
from tests.unit.cli.conftest import Place


@pytest.fixture
def chorales(here: Place) -> Place:
    """Write two chorales in two formats each, and other files, into a folder."""
    folder = here.folder / "bach"
    folder.mkdir()
    for number, piece in enumerate(bundled.load("test")[:2]):
        piece.write(folder / f"{number}.mid")
        piece.write(folder / f"{number}.json")
    (folder / "results.json").write_text("{}", encoding="utf-8")
    (folder / "notes.txt").write_text("ignored", encoding="utf-8")
    return here


def test_every_piece_has_every_measure(chorales: Place) -> None:
    found = chorales.json("grade bach/0.mid")
    (piece,) = found["pieces"]
    assert Path(piece["file"]) == Path("bach/0.mid")
    assert piece["grade"] == found["median"] == pytest.approx(sum(piece["features"].values()))
    assert len(piece["features"]) == 8
    assert {"parallels", "crossing", "spacing", "notes"} < set(piece)
    assert list(piece["memorisation"]) == ["1", "2", "4"]


def test_a_folder_is_graded_one_file_a_piece(chorales: Place) -> None:
    found = chorales.json("grade bach")
    assert [Path(piece["file"]).name for piece in found["pieces"]] == ["0.json", "1.json"]
    assert found["median"] == median(piece["grade"] for piece in found["pieces"])
    assert [Path(item["file"]).name for item in found["skipped"]] == ["results.json"]


def test_skipped_files_are_named_on_standard_error(here: Place) -> None:
    assert "skipped: cannot read" in here.run("grade bar.mid missing.mid").err


def test_a_file_named_twice_is_graded_once(chorales: Place) -> None:
    assert len(chorales.json("grade bach/0.json bach bach/0.json")["pieces"]) == 2


def test_the_table_ends_with_bachs_own_figures(chorales: Place) -> None:
    head, first, *_, middle, bach, _ = chorales.run("grade bach").out.splitlines()
    assert head.split()[:3] == ["file", "grade", "parallels"]
    assert first.startswith(str(Path("bach/0.json")))
    assert middle.startswith("median grade of 2 pieces: ")
    assert "grade 4.12, parallels 1.20, crossing 1.99 %, spacing 1.59 % (the test split" in bach


def test_another_reference_gives_another_grade(here: Place) -> None:
    shipped, other = (
        here.json(f"grade bar.mid --reference {name}") for name in ("jsb16", "chorales")
    )
    assert shipped["reference"] == "the training split of JSB16"
    assert other["reference"] == "the training split of the bundled chorales"
    assert shipped["median"] != other["median"]


def test_copies_of_training_chorales_are_found(here: Place) -> None:
    bundled.load("train")[3].write("known.json")
    (piece,) = here.json("grade known.json")["pieces"]
    assert piece["memorisation"] == {"1": 1.0, "2": 1.0, "4": 1.0}


def test_each_file_is_named_if_none_of_several_can_be_read(here: Place) -> None:
    lines = here.run("grade silent.json missing.mid", code=1).err.splitlines()
    assert lines[0].startswith("skipped: Pause has no note")
    assert lines[1].startswith("skipped: cannot read")
    assert lines[2] == "musicrel grade: none of the 2 files and folders holds a chorale to grade"


def test_a_project_is_graded(here: Place) -> None:
    (piece,) = here.json("grade hymn.musicrel")["pieces"]
    assert piece["file"] == "hymn.musicrel"


def test_the_counting_baseline_has_no_loss_of_the_end(here: Place) -> None:
    """It counts notes only; null is not zero."""
    found = here.json("evaluate --model counts --split valid")
    assert (found["end_nats"], found["unit"], found["data"]) == (None, "nats/note", "chorales")


def test_a_model_in_a_folder_has_the_name_of_its_card(here: Place) -> None:
    found = here.json("evaluate --model plain --split valid")
    assert found["model"] == read_card(here.folder / "plain").name


@pytest.fixture
def two_pieces(here: Place, monkeypatch: pytest.MonkeyPatch) -> Place:
    pieces = [piece.cropped(0, 32) for piece in bundled.load("test")[:2]]
    load = bundled.load  # phrases are drawn as in the training chorales, which are kept
    monkeypatch.setattr(
        bundled, "load", lambda split: list(pieces) if split == "test" else load(split)
    )
    return here


CLAIMS = "diagnose --claims --model plain --model tiny"


def test_claims_are_printed_as_a_table(two_pieces: Place) -> None:
    head, *lines = two_pieces.run(CLAIMS).out.splitlines()
    assert head.split()[:4] == ["measure", "pieces", "plain", "tiny"]
    assert "tiny − plain" in head
    assert any(line.startswith("All voices of the step before, %") for line in lines)


def test_claims_are_written_with_their_command(two_pieces: Place) -> None:
    command = f"{CLAIMS} --pieces 1 --seed 7"

    printed = two_pieces.json(f"{command} --out claims.json")

    written = json.loads(two_pieces.text("claims.json"))
    assert written.pop("command") == f"musicrel {command}"
    assert written == printed
    assert (written["pieces"], written["first_seed"]) == (1, 7)
    assert two_pieces.text("claims.md").startswith(f"`musicrel {command}`.")


def test_a_folder_that_cannot_be_written_is_found_at_once(
    here: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    monkeypatch.setattr(bundled, "load", read.append)
    here.run(f"{CLAIMS} --out text/claims.json", code=1)
    assert read == []
