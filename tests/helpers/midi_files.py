"""MIDI files in memory."""

from __future__ import annotations

import struct
from collections.abc import Iterable

from musicrel.chorale import Chorale
from musicrel.score.importing import satb_import
from musicrel.score.importing.conversion import ImportedPiece
from musicrel.score.midi import midi_events, midi_reader

END = "00 ff 2f 00"
QUARTER = 480
"""Ticks a quarter."""


def imported(content: bytes) -> ImportedPiece:
    return satb_import.import_satb(midi_reader.to_source(midi_events.parse(content)))


def chorale_of(content: bytes) -> Chorale:
    return imported(content).chorale


def chunk(name: bytes, content: bytes) -> bytes:
    return name + struct.pack(">I", len(content)) + content


def header(kind: int = 0, tracks: int = 1, division: int = QUARTER) -> bytes:
    return chunk(b"MThd", struct.pack(">HHH", kind, tracks, division))


def file(*tracks: str | bytes, division: int = QUARTER) -> bytes:
    """Return a file; tracks are bytes or hexadecimal text."""
    contents = [bytes.fromhex(track) if isinstance(track, str) else track for track in tracks]
    head = header(1 if len(tracks) > 1 else 0, len(tracks), division)
    return head + b"".join(chunk(b"MTrk", content) for content in contents)


def track(events: Iterable[tuple[int, bytes]], *, end: bool = True) -> bytes:
    """Return the content of a track of ``events``: a tick, and the bytes of an event."""
    found, now = b"", 0
    for tick, event in sorted(events, key=lambda timed: timed[0]):
        found += number(tick - now) + event
        now = tick
    return found + (bytes.fromhex(END) if end else b"")


def number(value: int) -> bytes:
    sevens = [value >> shift & 0x7F for shift in (21, 14, 7, 0) if value >> shift or not shift]
    return bytes([*(seven | 0x80 for seven in sevens[:-1]), sevens[-1]])


def meta(kind: int, data: bytes) -> bytes:
    return bytes([0xFF, kind]) + number(len(data)) + data


def note(start: int, stop: int, pitch: int, channel: int = 0) -> list[tuple[int, bytes]]:
    """Return the events of a note, its times in ticks."""
    on, off = bytes([0x90 | channel, pitch, 80]), bytes([0x80 | channel, pitch, 0])
    return [(start, on), (stop, off)]


def quarters(pitches: Iterable[int], channel: int = 0) -> list[tuple[int, bytes]]:
    """Return the events of quarters, one after another."""
    return [
        event
        for place, pitch in enumerate(pitches)
        for event in note(place * QUARTER, (place + 1) * QUARTER, pitch, channel)
    ]
