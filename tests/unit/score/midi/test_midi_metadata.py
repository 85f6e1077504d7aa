"""The metadata event: its content, and unreadable ones."""

from __future__ import annotations

from dataclasses import replace

import pytest

from musicrel.chorale import Chorale
from musicrel.errors import DataError
from musicrel.score.midi import midi_metadata


def test_metadata_round_trip(hymn: Chorale) -> None:
    """Tempo, key and provenance, in ASCII."""
    text = midi_metadata.encode(hymn)
    metadata = midi_metadata.decode(text)

    assert text.isascii()
    assert text.startswith("musicrel:{")
    assert metadata is not None
    assert (metadata.tempo, metadata.key, metadata.provenance) == (
        hymn.tempo,
        hymn.key,
        hymn.provenance,
    )


def test_a_chorale_without_key_and_provenance_has_metadata(hymn: Chorale) -> None:
    """They hold the exact tempo."""
    metadata = midi_metadata.decode(midi_metadata.encode(replace(hymn, key=None, provenance=None)))

    assert metadata == midi_metadata.MidiMetadata(tempo=72.5, key=None, provenance=None)


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
def test_foreign_or_damaged_metadata_are_ignored(text: str) -> None:
    """The notes are read all the same."""
    assert midi_metadata.decode(text) is None


def test_settings_that_are_not_json_are_refused(hymn: Chorale) -> None:
    """They are refused when encoding."""
    assert hymn.provenance is not None
    odd = replace(hymn.provenance, settings={"x": float("inf")})

    with pytest.raises(DataError, match="cannot be written as JSON"):
        midi_metadata.encode(replace(hymn, provenance=odd))
