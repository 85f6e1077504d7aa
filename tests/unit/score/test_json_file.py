"""JSON files: readable and lossless, with one-sentence errors."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from musicrel.chorale import Chorale, Meter, Provenance
from musicrel.errors import DataError, FileError
from musicrel.score import json_file

_SMALL = """{
  "format": "musicrel-chorale",
  "version": 1,
  "title": "Für Es♭",
  "composer": "Jörg",
  "tempo": 80.0,
  "meter": "3/4",
  "pickup": 0,
  "key": null,
  "steps": 2,
  "voices": {
    "soprano": [[0, 1, 67], [1, 1, 67]],
    "alto": [[0, 2, 64]],
    "tenor": [],
    "bass": [[1, 1, 48]]
  },
  "fermatas": [[1, 2]],
  "provenance": null
}
"""


def _small() -> dict[str, Any]:
    value: dict[str, Any] = json.loads(_SMALL)
    return value


def test_a_file_reads_as_a_person_would_write_it(tmp_path: Path) -> None:
    """One entry and one voice a line, text unescaped; reading and writing preserves the bytes."""
    path = tmp_path / "small.json"
    path.write_text(_SMALL, encoding="utf-8")

    json_file.write(json_file.read(path), path)

    assert path.read_text(encoding="utf-8") == _SMALL


def test_every_field_round_trips(hymn: Chorale) -> None:
    """from_json inverts to_json, directly and through text."""
    assert json_file.from_json(json.loads(json.dumps(json_file.to_json(hymn)))) == hymn
    assert json_file.from_json(json.loads(json_file.to_bytes(hymn))) == hymn


def test_only_format_version_steps_and_voices_are_needed() -> None:
    """Other entries are optional, and unknown ones are ignored."""
    value = {name: _small()[name] for name in ("format", "version", "steps", "voices")}

    piece = json_file.from_json({**value, "composer": "J. S. Bach"})

    assert (piece.meter, piece.pickup, piece.key, piece.tempo) == (Meter(4, 4), 0, None, 80.0)
    assert not piece.fermatas.any()


def test_a_byte_order_mark_is_ignored(tmp_path: Path) -> None:
    """Some editors write one."""
    path = tmp_path / "small.json"
    path.write_text(_SMALL, encoding="utf-8-sig")

    assert json_file.read(path).title == "Für Es♭"


_Change = Callable[[dict[str, Any]], object]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda v: v.update(format="x"), "it is not a musicrel chorale: its format is 'x'"),
        (lambda v: v.pop("format"), "its format is None, expected 'musicrel-chorale'"),
        (lambda v: v.update(version=2), "version 2 and this musicrel reads up to 1: update"),
        (lambda v: v.update(version="1"), "version is '1': expected a whole number"),
        (lambda v: v.pop("steps"), "steps is None: expected a whole number, 1 to 16384"),
        (lambda v: v.update(steps=True), "steps is True: expected a whole number"),
        (lambda v: v.update(steps=10**9), "steps is 1000000000: expected a whole number"),
        (lambda v: v.update(steps=1), "Soprano, step 1: .* outside the piece of 1 steps"),
        (lambda v: v.update(tempo="fast"), "tempo is 'fast': expected a number"),
        (lambda v: v.update(tempo=10**400), "tempo is 1000.*: expected a number"),
        (lambda v: v.update(tempo=2), "tempo is 2.0: expected 5 to 600"),
        (lambda v: v.update(meter="4:4"), "unknown meter '4:4'"),
        (lambda v: v.update(meter=4), "meter is 4: expected a text"),
        (lambda v: v.update(pickup=12), "pickup is 12 steps: expected 0 to 11"),
        (lambda v: v.update(pickup=0.5), "pickup is 0.5: expected a whole number"),
        (lambda v: v.update(key="H major"), "unknown key 'H major'"),
        (lambda v: v.update(key=3), "key is 3: expected a text"),
        (lambda v: v.update(title=None), "title is None: expected a text"),
        (lambda v: v.update(fermatas={}), r"fermatas is dict: expected a list of \[start, stop\]"),
        (lambda v: v.update(fermatas=[[1]]), r"an entry of fermatas is list: .*\[start, stop\]"),
        (lambda v: v.update(fermatas=[[1, 3]]), "a fermata covers steps 1:3"),
        (lambda v: v.pop("voices"), "voices is None: expected an object with soprano, alto"),
        (lambda v: v["voices"].pop("bass"), r"bass is None: expected a list of \[start, length"),
        (lambda v: v["voices"].update(alto=[[0, 2]]), "an entry of alto is list"),
        (lambda v: v["voices"].update(alto=[7]), "an entry of alto is 7"),
        (lambda v: v["voices"].update(alto=[[0, 1, "C"]]), "alto is 'C': expected a whole number"),
        (lambda v: v["voices"].update(alto=[[-1, 1, 60]]), "alto is -1: expected a whole number"),
        (lambda v: v["voices"].update(alto=[[0, 1, 128]]), "Alto, step 0: pitch 128 is not a MIDI"),
        (
            lambda v: v["voices"].update(alto=[[0, 2, 60], [1, 1, 62]]),
            "Alto, step 1: the note overlaps",
        ),
        (lambda v: v.update(provenance=[]), "its provenance is a list, expected an object"),
        (lambda v: v.update(provenance={"model": "m"}), "its provenance lacks sha256"),
        (
            lambda v: v.update(
                provenance={"model": "m", "sha256": "", "seed": 1, "settings": {}, "machine": "x"}
            ),
            "its provenance has a machine 'x', expected an object",
        ),
    ],
)
def test_an_impossible_entry_is_named_in_one_sentence(change: _Change, sentence: str) -> None:
    """The message names the entry, its value and the expected one."""
    value = _small()
    change(value)

    with pytest.raises(DataError, match=sentence):
        json_file.from_json(value)


@pytest.mark.parametrize("value", [None, [], "x", 3, float("nan")])
def test_other_json_is_refused(value: object) -> None:
    """Any value without the format entry."""
    with pytest.raises(DataError, match="it is not a musicrel chorale"):
        json_file.from_json(value)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "it is empty"),
        (b" ", "it is not valid JSON: Expecting value in line 1, column 2"),
        (b'{"format": \n', "it is not valid JSON: Expecting value in line 2"),
        (b"\xff\xfe\x00", "it is not valid JSON: it is not UTF-8 text"),
        (b"[" * 1_000_000, "nested too deeply"),
        (b'{"a":' * 500_000, "nested too deeply"),
        (b"9" * 3_000_000, "a number has too many digits"),
        (b"1" * 3_000_000 + b".5", "is not a JSON number"),
        (b'{"tempo": NaN}', "NaN is not a JSON number"),
        (b"[-Infinity]", "-Infinity is not a JSON number"),
        (b"[1e999]", "1e999 is not a JSON number"),
        (b" " * 4_000_001, "has 4,000,001 bytes, but at most 4,000,000 are read"),
    ],
    ids=lambda value: value[:12] if isinstance(value, bytes) else None,
)
def test_a_damaged_deep_or_huge_file_is_a_file_error(
    tmp_path: Path, content: bytes, sentence: str
) -> None:
    """The message names the file and the defect."""
    path = tmp_path / "broken.json"
    path.write_bytes(content)

    with pytest.raises(FileError, match=rf"broken\.json.*{sentence}"):
        json_file.read(path)


def test_a_bad_entry_in_a_file_is_a_file_error_with_its_name(tmp_path: Path) -> None:
    """The message identifies the file among many."""
    path = tmp_path / "odd.json"
    path.write_text(_SMALL.replace("80.0", "1"), encoding="utf-8")

    with pytest.raises(FileError, match=r"cannot read .*odd\.json: tempo is 1.0"):
        json_file.read(path)


@pytest.mark.parametrize("setting", [float("nan"), {1, 2}, object()])
def test_settings_that_are_not_plain_are_refused_when_written(
    hymn: Chorale, setting: object
) -> None:
    """A file with NaN could not be read back."""
    odd = Provenance(model="m", sha256="", seed=1, settings={"odd": setting})

    with pytest.raises(DataError, match="cannot be written as JSON"):
        json_file.to_bytes(replace(hymn, provenance=odd))


def test_a_title_with_a_lone_surrogate_is_refused_when_written(hymn: Chorale) -> None:
    """These come from file names in other encodings."""
    with pytest.raises(DataError, match="change the title"):
        json_file.to_bytes(replace(hymn, title="a\udcff"))


def test_a_file_too_long_to_be_read_is_not_written(hymn: Chorale) -> None:
    """Every written file can be read back."""
    with pytest.raises(DataError, match=r"the file would have 4,.* bytes, more than 4,000,000"):
        json_file.to_bytes(replace(hymn, title="a" * 4_000_000))
