"""A bounded parser for MIDI files.

Source: Standard MIDI Files 1.0 (format 0 and 1; MIDI Manufacturers Association, RP-001). Common
parsers take seconds on hostile files, or raise their own exceptions; this one reads each byte
once and raises nothing but ``FileError``.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final, NamedTuple

from musicrel import gate
from musicrel.errors import FileError

MAX_BYTES: Final = gate.LIMITS["midi"]
MAX_EVENTS: Final = 200_000
MAX_TRACKS: Final = 256
MAX_TICK: Final = 2**31 - 1

_CHANNEL_KINDS: Final[Mapping[int, tuple[str, int]]] = {
    0x8: ("note_off", 2),
    0x9: ("note_on", 2),
    0xA: ("aftertouch", 2),
    0xB: ("control", 2),
    0xC: ("program", 1),
    0xD: ("pressure", 1),
    0xE: ("pitch_bend", 2),
}
"""High nibble of the status byte -> kind and number of data bytes."""

_META_KINDS: Final[Mapping[int, tuple[str, int | None]]] = {
    0x01: ("text", None),
    0x03: ("track_name", None),
    0x06: ("marker", None),
    0x12: ("composer", None),
    0x2F: ("end_of_track", 0),
    0x51: ("tempo", 3),
    0x58: ("time_signature", 4),
    0x59: ("key_signature", 2),
    0x7F: ("sequencer_specific", None),
}
"""Type byte -> kind and required length in bytes, None if any length is valid.

The composer is an event of MuseScore, which other programs ignore.
"""

_META, _SYSEX, _ESCAPE = 0xFF, 0xF0, 0xF7
_HEADER: Final = struct.Struct(">4sIHHH")
_CHUNK: Final = struct.Struct(">4sI")


class Event(NamedTuple):
    """One MIDI event; a tuple, since a file holds up to 200,000.

    Attributes:
        tick: ticks since the start of the track.
        kind: note_on, note_off, program ..., text, track_name, marker, composer, tempo,
            time_signature, key_signature, sequencer_specific, end_of_track; ``other`` for ignored
            events.
        channel: 0 to 15, -1 for events without a channel.
        data: the data bytes.
    """

    tick: int
    kind: str
    channel: int
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class MidiFile:
    """A parsed MIDI file.

    Attributes:
        format: 0 (one track) or 1 (simultaneous tracks).
        division: ticks per quarter note, 1 to 32767.
        tracks: the events of each track, in order of time.
    """

    format: int
    division: int
    tracks: tuple[tuple[Event, ...], ...]


def parse(content: bytes) -> MidiFile:
    """Parse a MIDI file.

    Args:
        content: all bytes of the file.

    Raises:
        FileError: the bytes are not a MIDI file of format 0 or 1, are damaged, use SMPTE time,
            or exceed one of the limits above.
    """
    if len(content) > MAX_BYTES:
        raise FileError(f"it has {len(content):,} bytes, but at most {MAX_BYTES:,} are read here")
    kind, tracks, division, body = _header(content)
    found = []
    remaining = MAX_EVENTS
    for chunk in islice(_track_chunks(content, body), tracks):
        events = tuple(islice(_events(chunk), remaining + 1))
        remaining -= len(events)
        if remaining < 0:
            raise FileError(f"it has more than {MAX_EVENTS:,} events, too many to be a chorale")
        found.append(events)
    if len(found) < tracks:
        raise FileError(f"it is truncated: it has {len(found)} tracks, expected {tracks}")
    return MidiFile(format=kind, division=division, tracks=tuple(found))


def _header(content: bytes) -> tuple[int, int, int, int]:
    """Return format, number of tracks, division, and the offset of the first track chunk."""
    if not content:
        raise FileError("it is empty")
    if len(content) < _HEADER.size or not content.startswith(b"MThd"):
        raise FileError("it is not a MIDI file: it does not start with an MThd header")
    _, length, kind, tracks, division = _HEADER.unpack_from(content)
    if kind > 1:
        raise FileError(f"it is a MIDI file of format {kind}: expected 0 or 1")
    if not 1 <= tracks <= MAX_TRACKS:
        raise FileError(f"it has {tracks} tracks: expected 1 to {MAX_TRACKS}")
    if division >= 0x8000:  # noqa: PLR2004
        raise FileError("its time unit is SMPTE frames: expected ticks per quarter note")
    if division == 0:
        raise FileError("it is damaged: a quarter note has 0 ticks")
    if length < _HEADER.size - _CHUNK.size:
        raise FileError(f"it is damaged: its header has {length} bytes, expected 6")
    return kind, tracks, division, _CHUNK.size + length


def _track_chunks(content: bytes, at: int) -> Iterator[bytes]:
    """Yield the content of the MTrk chunks from offset ``at`` on, ignoring other chunks."""
    while at + _CHUNK.size <= len(content):
        name, length = _CHUNK.unpack_from(content, at)
        at += _CHUNK.size
        if name == b"MTrk":
            if at + length > len(content):
                raise FileError("it is truncated: a track is longer than the rest of the file")
            yield content[at : at + length]
        at += length


def _events(chunk: bytes) -> Iterator[Event]:
    """Yield the events of one track up to its end_of_track, which is added if missing."""
    at = tick = status = 0
    try:
        while at < len(chunk):
            delta, at = _variable(chunk, at)
            tick += delta
            if tick > MAX_TICK:
                raise FileError(f"it is longer than {MAX_TICK:,} ticks, too long to be a chorale")
            if chunk[at] >= _SYSEX:
                event, at = _other_event(chunk, at, tick)
            else:
                if chunk[at] >= 0x80:  # noqa: PLR2004  # else: running status
                    status = chunk[at]
                    at += 1
                event, at = _channel_event(chunk, at, tick, status)
            yield event
            if event.kind == "end_of_track":
                return
    except IndexError as reason:
        raise FileError("it is truncated: a track ends within an event") from reason
    yield Event(tick, "end_of_track", -1, b"")


def _channel_event(chunk: bytes, at: int, tick: int, status: int) -> tuple[Event, int]:
    if status == 0:
        raise FileError(f"it is damaged: data without a status byte at tick {tick}")
    kind, size = _CHANNEL_KINDS[status >> 4]
    data = chunk[at : at + size]
    if len(data) < size:
        raise IndexError
    if not data.isascii():
        raise FileError(f"it is damaged: a {kind} at tick {tick} has a data byte above 127")
    return Event(tick, kind, status & 0x0F, data), at + size


def _other_event(chunk: bytes, at: int, tick: int) -> tuple[Event, int]:
    """Parse a meta event, or a system exclusive one, which is ignored."""
    status = chunk[at]
    kind: str
    size: int | None
    if status == _META:
        kind, size = _META_KINDS.get(chunk[at + 1], ("other", None))
        at += 2
    elif status in (_SYSEX, _ESCAPE):
        kind, size = "other", None
        at += 1
    else:
        raise FileError(f"it is damaged: status byte {status:#04x} at tick {tick}")
    length, at = _variable(chunk, at)
    if at + length > len(chunk):
        raise IndexError
    if size is not None and length != size:
        raise FileError(f"it is damaged: a {kind} of {length} bytes, expected {size}")
    return Event(tick, kind, -1, chunk[at : at + length]), at + length


def _variable(chunk: bytes, at: int) -> tuple[int, int]:
    """Parse a variable-length quantity (up to four bytes of seven bits); return the next offset."""
    value = 0
    for place in range(at, at + 4):
        byte = chunk[place]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:  # noqa: PLR2004
            return value, place + 1
    raise FileError("it is damaged: a number is longer than four bytes")
