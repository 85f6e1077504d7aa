"""The remark: what it says, and how a spoilt one is passed over."""

from __future__ import annotations

from dataclasses import replace

import pytest

from musicrel.chorale import Chorale
from musicrel.errors import DataError
from musicrel.score.midi import midi_metadata


def test_a_remark_says_what_the_chorale_does(hymn: Chorale) -> None:
    """Tempo, key and provenance, in ASCII."""
    text = midi_metadata.compose(hymn)
    remark = midi_metadata.parse(text)

    assert text.isascii()
    assert text.startswith("musicrel:{")
    assert remark is not None
    assert (remark.tempo, remark.key, remark.provenance) == (hymn.tempo, hymn.key, hymn.provenance)


def test_a_chorale_of_unknown_key_and_origin_has_a_remark_too(hymn: Chorale) -> None:
    """Its tempo is worth one."""
    remark = midi_metadata.parse(midi_metadata.compose(replace(hymn, key=None, provenance=None)))

    assert remark == midi_metadata.Remark(tempo=72.5, key=None, provenance=None)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a text of another program",
        "musicrel:",
        'musicrel:{"tempo": 72.5, "key": "B',
        "musicrel:[]",
        'musicrel:{"tempo": "72"}',
        'musicrel:{"tempo": 0.0}',
        'musicrel:{"tempo": 1e-310}',
        'musicrel:{"tempo": NaN}',
        'musicrel:{"tempo": 1e999}',
        'musicrel:{"tempo": 72.5, "key": "H"}',
        'musicrel:{"tempo": 72.5, "key": [1]}',
        'musicrel:{"tempo": 72.5, "provenance": 7}',
        'musicrel:{"tempo": 72.5, "provenance": {"model": "m", "sha256": "", "seed": true}}',
    ],
)
def test_a_foreign_or_spoilt_remark_is_passed_over(text: str) -> None:
    """The notes count more."""
    assert midi_metadata.parse(text) is None


def test_settings_json_cannot_hold_are_refused(hymn: Chorale) -> None:
    """When written, not when read."""
    assert hymn.provenance is not None
    odd = replace(hymn.provenance, settings={"x": float("inf")})

    with pytest.raises(DataError, match="cannot be written as JSON"):
        midi_metadata.compose(replace(hymn, provenance=odd))
