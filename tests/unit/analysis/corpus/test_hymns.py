"""The reader of hymns: which are taken, where their phrases end, and their style in training."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from musicrel import paths
from musicrel.analysis.corpus import bundled, hymns
from musicrel.chorale import REST, Key, Meter
from musicrel.errors import FileError
from musicrel.experiment.data import dataset
from musicrel.experiment.data.dataset import Batches
from musicrel.experiment.recipe.recipe import DataPart
from musicrel.model.tokens.vocabulary import PAD

CHORD, OTHER = [67, 62, 59, 43], [69, 62, 57, 50]
HYMNS = paths.shared_data() / "hymns" / hymns.FILE_NAME
TRAIN, VALID, TEST = "Azmon", "Hyfrydol", "Dundee"


def hymn(tune: str, **changes: Any) -> dict[str, Any]:
    """Return four quarters of two chords and a rest, with fields the reader does not need."""
    pitches = [CHORD] * 8 + [OTHER] * 4 + [[0, 62, 57, 50]] * 4
    onsets = [[int(n in {0, 8})] * 4 for n in range(16)]
    return {
        "tune": tune, "key": "G major", "meter": "3/4", "pickup": 4, "regular": True,
        "pitches": pitches, "onsets": onsets, "fermatas": [0], "line_ends": [8, 12],
        "year": 1839, "setting_year": None, "composer": "Mason, Lowell (1792-1872)",
        "arranger": None, "copy_of": None, "bach": None, "verses": 3, "metre": "8 6",
    } | changes  # fmt: skip


def written(path: Path, *each: dict[str, Any]) -> Path:
    path.write_text(json.dumps(each), "utf-8")
    return path


def test_a_hymn_is_read_note_by_note(tmp_path: Path) -> None:
    (piece,) = hymns.read(written(tmp_path / "it.json", hymn(TRAIN)))["train"]

    assert piece.title == TRAIN
    assert (piece.meter, piece.pickup, piece.key) == (Meter(3, 4), 4, Key("G", "major"))
    assert piece.pitches[0].tolist() == CHORD
    assert piece.pitches[12].tolist() == [REST, 62, 57, 50]
    assert np.flatnonzero(piece.onsets[:, 0]).tolist() == [0, 8]


@pytest.mark.parametrize(
    ("line_ends", "steps"),
    [
        ([8, 12], range(12)),
        ([12], range(8, 12)),
        ([16], range(8, 12)),  # the rest is no part of the last note
        ([], range(8)),  # the fermata of the source
    ],
)
def test_phrases_end_with_the_last_notes_of_lines(
    tmp_path: Path, line_ends: list[int], steps: range
) -> None:
    (piece,) = hymns.read(written(tmp_path / "it.json", hymn(TRAIN, line_ends=line_ends)))["train"]
    assert np.flatnonzero(piece.fermatas).tolist() == list(steps)


@pytest.mark.parametrize(
    "change",
    [
        {"copy_of": "6bfc3d504030"},
        {"meter": "none", "regular": None},
        {"regular": False},
        {"bach": ["BWV 2.6", "valid", 0.36, 1.0]},
        {"bach": ["BWV 7.7", "test", 0.18, 0.45]},
        {"composer": "Sibelius, Jean (1865-1957)"},
        {"arranger": "Kropf, Loren J. (1989-)"},
        {"composer": "Bach, Johann Sebastian (1685-1750);Willan, Healey (1880 - 1968)"},
        {"setting_year": 1975, "arranger": "Snell, Donna"},
    ],
)
def test_copies_free_meters_measured_tunes_and_recent_music_are_left_out(
    tmp_path: Path, change: dict[str, Any]
) -> None:
    kept = hymn(TRAIN, bach=["BWV 140.7", "train", 0.3, 0.4], composer="Jeater (circa 1858-?)")
    found = hymns.read(written(tmp_path / "it.json", kept, hymn(TRAIN, **change)))
    assert [len(pieces) for pieces in found.values()] == [1, 0, 0]


def test_a_tune_has_one_split_whatever_its_setting(tmp_path: Path) -> None:
    tunes = [f"Tune {n}" for n in range(200)]
    file = written(tmp_path / "it.json", *(hymn(tune) for tune in tunes + tunes[:1]))
    found = {split: [piece.title for piece in of] for split, of in hymns.read(file).items()}
    assert sorted(found["train"] + found["valid"] + found["test"]) == sorted(tunes + tunes[:1])
    assert all(10 < len(found[split]) < 35 for split in ("valid", "test"))
    assert sum(tunes[0] in pieces for pieces in found.values()) == 1


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("{", "is no hymns.json: it is not valid JSON"),
        ("{}", "it is {}: expected a list"),
        (json.dumps([{"tune": "A"}]), "[0] lacks 'key'"),
        (json.dumps([hymn(TRAIN, key="H major")]), "'Azmon': unknown key 'H major'"),
        (json.dumps([hymn(TRAIN, onsets=[[1] * 4])]), "'Azmon': onsets have shape"),
    ],
)
def test_another_file_is_refused(tmp_path: Path, content: str, sentence: str) -> None:
    (tmp_path / "it.json").write_text(content, "utf-8")
    with pytest.raises(FileError, match="is no hymns") as refused:
        hymns.read(tmp_path / "it.json")
    assert sentence in str(refused.value)


def test_hymns_alone_are_data_with_splits_of_their_own(tmp_path: Path) -> None:
    file = written(tmp_path / "it.json", hymn(TRAIN), hymn(VALID), hymn(TEST), hymn(TRAIN))

    assert dataset.load(f"hymns:{file}").sizes == {"train": 2, "valid": 1, "test": 1}


def test_hymns_are_read_beside_bach_in_training_alone_and_have_their_own_style(
    tmp_path: Path,
) -> None:
    file = written(tmp_path / "it.json", *(hymn(f"Tune {n}") for n in range(30)))
    bach, both = bundled.load_all(), dataset.load(f"chorales+hymns:{file}")
    count = len(hymns.read(file)["train"])

    assert both.pieces["train"][: len(bach["train"])] == bach["train"]
    assert len(both.pieces["train"]) == len(bach["train"]) + count
    assert all(both.pieces[split] == bach[split] for split in ("valid", "test"))
    assert both.sha256 != dataset.load("chorales").sha256

    names = ("voice", "style")
    pieces = [both.pieces["train"][0].cropped(0, 16), both.pieces["train"][-1]]
    data = DataPart(conditions=names, window=64, condition_dropout=0.9, transpose=False)
    batches = Batches(pieces, data, 4, 0)
    styles = set()
    for step in range(5):
        batch = batches.at(step)
        for targets, rows in zip(batch.targets_BT, batch.conditions_BTC, strict=True):
            (style,) = set(rows[targets != PAD, 1].tolist())  # one for all notes, never hidden
            styles.add(style)
    assert styles == {0, 1}


@pytest.mark.skipif(not HYMNS.exists(), reason="the hymns are not there")
def test_the_file_of_hymns_has_198_that_are_free_and_measured_by_nothing() -> None:
    found = hymns.read(HYMNS)
    assert {split: len(pieces) for split, pieces in found.items()} == {
        "train": 156, "valid": 24, "test": 18,
    }  # fmt: skip
    titles = {piece.title for pieces in found.values() for piece in pieces}
    assert not titles & {"Finlandia", "Slane", "Down Ampney", "Whittle", "Wo Gott Zum Haus"}
