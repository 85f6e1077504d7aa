"""The reader of the published JSB16 file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from musicrel import paths
from musicrel.chorale import REST
from musicrel.corpus import jsb
from musicrel.corpus.splits import SPLITS
from musicrel.errors import DataError, FileError

CHORD = [67, 62, 59, 43]
Write = Callable[[Any], Path]
PUBLISHED = paths.shared_data() / "jsb" / jsb.FILE_NAME


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write content as a JSON file and return its path."""

    def write(content: Any) -> Path:
        path = tmp_path / "some.json"
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

    return write


def splits(piece: Any) -> dict[str, Any]:
    return {"train": [[CHORD]], "valid": [[CHORD], piece], "test": [[CHORD]]}


def test_a_note_begins_where_its_pitch_changes(write: Write) -> None:
    """A held pitch has one onset, a new pitch another, silence none."""
    read = jsb.read(write(splits([CHORD, CHORD, [69, 62, 59, REST]])))
    onsets = read["valid"][1].onsets
    assert onsets.tolist() == [[True] * 4, [False] * 4, [True, False, False, False]]


def test_titles_name_the_split_and_the_index(write: Write) -> None:
    """The title identifies the piece in the file."""
    read = jsb.read(write(splits([CHORD])))
    assert [c.title for c in read["valid"]] == ["JSB16 valid 0", "JSB16 valid 1"]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("{", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ([], "holds no splits"),
        ({"train": [], "test": []}, "has no valid: expected lists named train, valid, test"),
        ({"train": [], "valid": {}, "test": []}, "has no valid"),
    ],
)
def test_a_foreign_file_is_refused(write: Write, content: Any, text: str) -> None:
    """The message names what is missing."""
    with pytest.raises(FileError, match=text):
        jsb.read(write(content))


@pytest.mark.parametrize(
    ("piece", "text"),
    [
        ([], "valid 1: expected a list of 1 to"),
        ("x", "valid 1: expected a list"),
        ([CHORD, [60, 60, 60]], "valid 1, step 1: expected four whole numbers"),
        ([CHORD, [60, 60, 60, 60.5]], "valid 1, step 1: expected four whole numbers"),
        ([CHORD, CHORD, [60, 60, 128, 40]], r"valid 1, step 2: the pitches are .*128.* 0 to 127"),
        ([[60, 60, -2, 40]], "valid 1, step 0: the pitches are"),
        ([[60, 10**30, 50, 40]], "valid 1, step 0: the pitches are"),
    ],
)
def test_a_faulty_piece_is_named_with_its_step(write: Write, piece: Any, text: str) -> None:
    """The message names split, piece and step."""
    with pytest.raises(DataError, match=text):
        jsb.read(write(splits(piece)))


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    """The message contains the path."""
    with pytest.raises(FileError, match=r"cannot read .*none\.json"):
        jsb.read(tmp_path / "none.json")


@pytest.mark.skipif(not PUBLISHED.exists(), reason="no shared data: the published JSB16 file")
def test_the_published_file_has_the_published_size() -> None:
    """229/76/77 pieces, 55,228/18,408/18,900 steps, 411/589/284 rests."""
    read = jsb.read(PUBLISHED)
    counts = {
        split: (
            len(read[split]),
            sum(c.steps for c in read[split]),
            sum(int(np.sum(c.pitches == REST)) for c in read[split]),
        )
        for split in SPLITS
    }
    assert counts == {
        "train": (229, 55_228, 411),
        "valid": (76, 18_408, 589),
        "test": (77, 18_900, 284),
    }
