"""A folder of one's own pieces as data."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import mido
import numpy as np
import pytest

from musicrel import jobs
from musicrel.chorale import REST, Chorale
from musicrel.errors import DataError, FileError, UsageError
from musicrel.experiment.data import dataset, folder_dataset
from musicrel.experiment.data.folder_dataset import FolderDataset, fingerprint, split_of
from musicrel.experiment.runs.events import TrainStarted
from musicrel.experiment.training.train import train
from musicrel.score import files
from tests.helpers.music import random_chorale
from tests.helpers.recipes import tiny_recipe


def read(folder: Path) -> FolderDataset:
    return jobs.run(folder_dataset.read(folder))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for seed in range(40):
        place = tmp_path / ("a" if seed % 2 else "b")
        place.mkdir(exist_ok=True)
        files.write(random_chorale(seed, 12 + seed), place / f"piece-{seed}.json")
    return tmp_path


def test_every_piece_goes_to_one_split(folder: Path) -> None:
    found = read(folder)

    titles = Counter(piece.title for split in found.pieces.values() for piece in split)
    assert set(titles.values()) == {1}
    assert sum(titles.values()) == found.taken == 40
    assert len(found.pieces["train"]) > 20


def test_splits_are_eighty_ten_and_ten() -> None:
    shares = Counter(split_of(f"{number * 7919:08x}") for number in range(10_000))

    assert {split: round(count / 100) for split, count in shares.items()} == {
        "train": 80, "valid": 10, "test": 10,
    }  # fmt: skip


def test_names_and_neighbours_do_not_move_a_piece(folder: Path) -> None:
    before = {
        fingerprint(piece): split for split, pieces in read(folder).pieces.items()
        for piece in pieces
    }  # fmt: skip
    for number, path in enumerate(sorted(folder.rglob("*.json"))):
        path.rename(folder / f"renamed-{40 - number}.json")
    files.write(random_chorale(99, 30), folder / "one-more.json")

    found = read(folder)

    after = {
        fingerprint(piece): split for split, pieces in found.pieces.items() for piece in pieces
    }
    assert before.items() <= after.items()
    assert len(after) == 41


def test_the_same_folder_is_the_same_data(folder: Path) -> None:
    whole = read(folder).sha256
    assert read(folder).sha256 == whole
    next(folder.rglob("*.json")).unlink()

    assert read(folder).sha256 != whole


def test_refused_files_are_reported_with_their_reason(tmp_path: Path) -> None:
    files.write(random_chorale(1), tmp_path / "1-good.json")
    files.write(random_chorale(1), tmp_path / "2-again.json")
    (tmp_path / "3-damaged.mid").write_bytes(b"MThd")
    files.write(Chorale.of(np.full((8, 4), REST)), tmp_path / "4-silent.json")
    files.write(Chorale.of([[90, 60, 50, 30]] * 8), tmp_path / "5-wide.json")
    (tmp_path / "notes.txt").write_text("nothing")

    found = read(tmp_path)

    refused = {file.file: file.reason for file in found.files if file.split is None}
    assert found.taken == 1
    assert list(refused) == ["2-again.json", "3-damaged.mid", "4-silent.json", "5-wide.json"]
    assert refused["2-again.json"] == "another file holds the same piece"
    assert refused["4-silent.json"] == "it has no notes"
    assert (
        refused["5-wide.json"]
        == "it spans MIDI 30 to 90, but the range of the models is 45 semitones"
    )
    report = found.report().splitlines()
    assert report[0].startswith("1 of 5 files used: train ")
    assert f"refused 5-wide.json: {refused['5-wide.json']}" in report


def test_the_fate_of_each_file_is_told(tmp_path: Path) -> None:
    files.write(random_chorale(1, 32), tmp_path / "1-good.json")
    files.write(Chorale.of([[84, 70, 60, REST]] * 16), tmp_path / "2-high.json")
    (tmp_path / "3-damaged.mid").write_bytes(b"MThd")

    good, high, damaged = (file.fate for file in read(tmp_path).files)

    assert re.fullmatch(r"F minor, 4/4, 2 bars, 4 voices; for (training|validation|the test)", good)
    assert re.fullmatch(r"no key, 4/4, 1 bar, 3 voices; for .*; moved -3 semitones", high)
    assert damaged.startswith("Not used: ")


def test_a_piece_outside_the_span_is_moved_into_it(tmp_path: Path) -> None:
    files.write(Chorale.of([[84, 70, 60, 50]] * 8), tmp_path / "high.json")

    found = read(tmp_path)

    assert found.files[0].semitones == -3
    assert found.report().endswith("for training; moved -3 semitones")
    (piece,) = [piece for pieces in found.pieces.values() for piece in pieces]
    assert piece.pitches.max() == 81


def test_changes_made_while_reading_are_reported(tmp_path: Path) -> None:
    track = mido.MidiTrack()
    for place in range(6):
        track.append(mido.Message("note_on", note=60 + place, velocity=80))
        track.append(mido.Message("note_off", note=60 + place, time=160))
    mido.MidiFile(tracks=[track], ticks_per_beat=480).save(tmp_path / "triplets.mid")

    found = read(tmp_path)

    assert found.taken == 1
    (line,) = found.report().splitlines()[1:]
    assert line.startswith("triplets.mid: no key, 4/4, 1 bar, 1 voice; for training; ")
    assert "notes off the sixteenth-note grid (triplets?) were quantised in bar 1" in line


def test_a_folder_without_pieces_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"there is no folder .*nowhere: expected one with pieces"):
        read(tmp_path / "nowhere")
    with pytest.raises(FileError, match=r"holds no piece that can be used: expected files that"):
        read(tmp_path)
    (tmp_path / "x.mid").write_bytes(b"")
    with pytest.raises(FileError, match=r"can be used: 1 refused, the first \(x.mid\) since"):
        read(tmp_path)


def test_a_folder_is_data_like_any_other(folder: Path) -> None:
    found = dataset.load(f"folder:{folder}")

    assert found.name == f"folder:{folder}"
    assert sum(len(pieces) for pieces in found.pieces.values()) == 40
    dataset.check_splits(found)


def test_a_folder_without_a_name_is_no_folder() -> None:
    with pytest.raises(UsageError, match="names no folder: expected folder:PATH"):
        dataset.load("folder: ")


def test_a_run_reports_the_files_it_uses(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    run = tmp_path_factory.mktemp("runs") / "run"
    (folder / "broken.mid").write_bytes(b"MThd")
    job = train(tiny_recipe(f"folder:{folder}"), run)
    started = next(job)
    job.close()

    assert isinstance(started, TrainStarted)
    assert started.notes[0].startswith("40 of 41 files used: train ")
    assert "refused broken.mid: " in (run / "data.txt").read_text()
    assert started.notes[1].startswith("refused broken.mid: ")


def test_an_empty_split_is_named_with_the_sizes_of_all(tmp_path: Path) -> None:
    for name in ("a", "b"):
        files.write(random_chorale(1), tmp_path / f"{name}.json")
    found = dataset.load(f"folder:{tmp_path}")

    with pytest.raises(
        DataError, match=r"is empty \(1 of 2 files used: train .*; 1 with the same"
    ) as one:
        dataset.check_splits(found)

    assert "one in ten to valid and one to test" in str(one.value)
