"""The metadata event: its content, unreadable ones, and those of older files."""

from __future__ import annotations

from dataclasses import replace

import pytest

from musicrel.chorale import Chorale
from musicrel.errors import DataError
from musicrel.score.importing import satb_import
from musicrel.score.midi import midi_events, midi_metadata, midi_reader, midi_writer
from musicrel.score.midi.midi_events import Event, MidiFile


def test_metadata_round_trip(hymn: Chorale) -> None:
    """Tempo, key and provenance, in ASCII after the ID for non-commercial use."""
    data = midi_metadata.encode(hymn)
    metadata = midi_metadata.decode(data)

    assert data.isascii()
    assert data.startswith(b"\x7dmusicrel:{")
    assert metadata is not None
    assert metadata == midi_metadata.decode_text(midi_metadata.encode_text(hymn))
    assert (metadata.tempo, metadata.key, metadata.provenance) == (
        hymn.tempo,
        hymn.key,
        hymn.provenance,
    )


def test_a_chorale_without_key_and_provenance_has_metadata(hymn: Chorale) -> None:
    """They hold the exact tempo."""
    metadata = midi_metadata.decode(midi_metadata.encode(replace(hymn, key=None, provenance=None)))

    assert metadata == midi_metadata.MidiMetadata(tempo=72.5, key=None, provenance=None)


def test_the_composer_is_left_out_where_it_is_unknown(hymn: Chorale) -> None:
    """These bytes are those of earlier versions."""
    known = replace(hymn, composer="Jörg ♭")

    assert "composer" not in midi_metadata.encode_text(hymn)
    decoded = midi_metadata.decode(midi_metadata.encode(known))
    assert decoded is not None
    assert decoded.composer == "Jörg ♭"


@pytest.mark.parametrize(("event", "composer"), [(b"", "Jörg"), (b" Anna\n B. ", "Anna B.")])
def test_another_program_may_drop_or_change_the_composer(
    hymn: Chorale, event: bytes, composer: str
) -> None:
    """Dropped, it comes from the metadata; changed, it is that of the event."""
    file = midi_events.parse(midi_writer.to_bytes(replace(hymn, composer="Jörg")))
    kept = [tuple(e for e in track if e.kind != "composer") for track in file.tracks]
    if event:
        kept[2] = (Event(0, "composer", -1, event), *kept[2])
    changed = MidiFile(format=file.format, division=file.division, tracks=tuple(kept))

    assert midi_reader.to_source(changed).composer == composer


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
    """The notes are read all the same; text events are those of older files."""
    assert midi_metadata.decode_text(text) is None
    assert midi_metadata.decode(b"\x7d" + text.encode()) is None


@pytest.mark.parametrize(
    "data",
    [b"", b"\x7d", b"\x41", b"\x00\x00\x41", b'musicrel:{"tempo": 72.5}', b"\x7d\xff\xfe"],
)
def test_events_of_other_manufacturers_are_ignored(data: bytes) -> None:
    """Their data are binary."""
    assert midi_metadata.decode(data) is None
    assert midi_metadata.decode(data + b'musicrel:{"tempo": 72.5}\xff') is None


def test_metadata_longer_than_the_limit_are_neither_read_nor_written(hymn: Chorale) -> None:
    """The limit is two million bytes."""
    assert hymn.provenance is not None
    long = replace(hymn.provenance, settings={"x": "a" * 2_000_000})
    padded = b'\x7dmusicrel:{"tempo": 72.5}'

    assert midi_metadata.decode(padded + b" " * 1_000) is not None
    assert midi_metadata.decode(padded + b" " * 2_000_000) is None
    with pytest.raises(DataError, match=r"the provenance has 2,.* bytes, more than 2,000,000"):
        midi_metadata.encode(replace(hymn, provenance=long))


def test_settings_that_are_not_json_are_refused(hymn: Chorale) -> None:
    """They are refused when encoding."""
    assert hymn.provenance is not None
    odd = replace(hymn.provenance, settings={"x": float("inf")})

    with pytest.raises(DataError, match="cannot be written as JSON"):
        midi_metadata.encode(replace(hymn, provenance=odd))


def test_truncated_metadata_are_ignored(hymn: Chorale) -> None:
    """Some programs truncate long events; the notes are read all the same."""
    cut = midi_metadata.encode(hymn)[:40]

    piece = _chorale_of(_with_metadata(hymn, "sequencer_specific", cut))

    assert piece.tempo == pytest.approx(72.5, abs=1e-4)
    assert replace(piece, tempo=72.5) == replace(hymn, provenance=None)


def test_a_text_event_holds_the_metadata_of_older_files(hymn: Chorale) -> None:
    """They have no sequencer-specific event."""
    text = midi_metadata.encode_text(hymn).encode()

    assert _chorale_of(_with_metadata(hymn, "text", text)) == hymn


@pytest.mark.parametrize("data", [b"", b"\x7d", b"\x41\x10\xff", b"\x7dmusicrel:{"])
def test_a_sequencer_specific_event_of_another_program_is_ignored(
    hymn: Chorale, data: bytes
) -> None:
    """The metadata may follow it."""
    file = midi_events.parse(midi_writer.to_bytes(hymn))
    other = (Event(0, "sequencer_specific", -1, data), *file.tracks[0])

    assert _chorale_of(replace(file, tracks=(other, *file.tracks[1:]))) == hymn


def _with_metadata(hymn: Chorale, kind: str, data: bytes) -> MidiFile:
    """Build the file of ``hymn`` with another event for its metadata."""
    file = midi_events.parse(midi_writer.to_bytes(hymn))
    tempo_track = tuple(
        event._replace(kind=kind, data=data) if event.kind == "sequencer_specific" else event
        for event in file.tracks[0]
    )
    return replace(file, tracks=(tempo_track, *file.tracks[1:]))


def _chorale_of(file: MidiFile) -> Chorale:
    return satb_import.import_satb(midi_reader.to_source(file)).chorale
