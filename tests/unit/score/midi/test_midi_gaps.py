"""A gap of hours in a file of a few bytes."""

from __future__ import annotations

import struct

import pytest

from musicrel.errors import UsageError
from musicrel.score.importing import satb_import
from musicrel.score.importing.conversion import ImportedPiece
from musicrel.score.midi import midi_events, midi_gaps, midi_reader

_LONGEST = b"\xff\xff\xff\x7f"
"""The greatest time between two events."""
QUARTER = b"\x60"


def piece(*events: bytes) -> ImportedPiece:
    """Read a track of these events with 96 ticks a quarter."""
    track = b"".join(events) + b"\x00\xff\x2f\x00"
    header = b"MThd" + struct.pack(">IHHH", 6, 0, 1, 96)
    file = midi_events.parse(header + b"MTrk" + struct.pack(">I", len(track)) + track)
    return satb_import.import_satb(midi_reader.to_source(file))


def sounding(pitch: int, before: bytes, length: bytes) -> bytes:
    """Return the events of a note."""
    return before + bytes([0x90, pitch, 64]) + length + bytes([0x80, pitch, 0])


@pytest.mark.parametrize(
    "events",
    [
        [sounding(60, b"\0", _LONGEST)],
        [sounding(60, b"\0", QUARTER), sounding(62, _LONGEST, QUARTER)],
        [sounding(60, b"\0", QUARTER), _LONGEST + b"\xff\x01\x00"],
    ],
    ids=["a long note", "a long rest", "a long end"],
)
def test_a_file_is_read_up_to_its_gap(events: list[bytes]) -> None:
    """The report names the bar and the variable that raises the limit."""
    read = piece(*events)

    assert read.chorale.steps <= 4 * midi_gaps.MAX_GAP + 4
    assert read.chorale.pitches[0, 0] == 60
    assert any("hundreds of quarters after bar 1" in one for one in read.report)


def test_the_limit_can_be_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then the piece is cut at the length limit of a chorale."""
    monkeypatch.setenv(midi_gaps.VARIABLE, "10000000")

    assert piece(sounding(60, b"\0", _LONGEST)).chorale.steps == 16_384


@pytest.mark.parametrize("text", ["", "0", "-5", "many", "²"])
def test_the_limit_is_a_number(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(midi_gaps.VARIABLE, text)
    with pytest.raises(UsageError, match=r"MUSICREL_MAX_GAP is .*: expected a number of quarters"):
        piece(sounding(60, b"\0", QUARTER))


def test_a_piece_without_a_gap_is_left_alone() -> None:
    file = midi_events.MidiFile(format=1, division=96, tracks=())

    assert midi_gaps.without_gaps(file) == (file, None)
