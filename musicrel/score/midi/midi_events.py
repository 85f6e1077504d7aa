"""A bounded parser for MIDI files.

Source: Standard MIDI Files 1.0 (format 0 and 1; MIDI Manufacturers Association, RP-001), also
within another container such as RIFF. Common parsers take seconds on hostile files, raise their own
exceptions, or refuse a file for one odd event. This one looks at each byte a few times at most,
raises nothing but ``FileError``, and reads what does not depend on a damaged part: wrong counts and
lengths are ignored, odd events left out, and a track ends where it cannot be read on. Without a
note that can be read, a damaged file is refused.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from musicrel import untrusted
from musicrel.errors import FileError
from musicrel.language import tr
from musicrel.score.importing.source import IssueKind

MAX_BYTES: Final = untrusted.LIMITS["midi"]
MAX_EVENTS: Final = 200_000
MAX_TRACKS: Final = 256
MAX_TICK: Final = 2**31 - 1

# High nibble of the status byte -> kind and number of data bytes.
_CHANNEL_KINDS: Final[Mapping[int, tuple[str, int]]] = {
    0x8: ("note_off", 2),
    0x9: ("note_on", 2),
    0xA: ("aftertouch", 2),
    0xB: ("control", 2),
    0xC: ("program", 1),
    0xD: ("pressure", 1),
    0xE: ("pitch_bend", 2),
}

# Type byte -> kind and number of the bytes that are needed; some programs leave out the others.
# Subtitle, composer and poet are events of MuseScore, which other programs ignore.
_META_KINDS: Final[Mapping[int, tuple[str, int]]] = {
    0x01: ("text", 0),
    0x02: ("copyright", 0),
    0x03: ("track_name", 0),
    0x05: ("lyric", 0),
    0x06: ("marker", 0),
    0x07: ("cue_point", 0),
    0x11: ("subtitle", 0),
    0x12: ("composer", 0),
    0x14: ("poet", 0),
    0x2F: ("end_of_track", 0),
    0x51: ("tempo", 3),
    0x58: ("time_signature", 2),
    0x59: ("key_signature", 1),
    0x7F: ("sequencer_specific", 0),
}

_META, _SYSEX, _ESCAPE = 0xFF, 0xF0, 0xF7
# Number of data bytes of the other system messages, if any; they have no place in a file.
_SYSTEM_DATA: Final[Mapping[int, int]] = {0xF1: 1, 0xF2: 2, 0xF3: 1}
_HEADER: Final = struct.Struct(">4sIHHH")
_CHUNK: Final = struct.Struct(">4sI")
_HIGHEST: Final = 127
_DROP_FRAME: Final = 29  # 29 frames a second stand for 29.97

Fault: TypeAlias = tuple[IssueKind, int]  # something that is damaged, and the tick of it


class Event(NamedTuple):
    """One MIDI event; a tuple, since a file holds up to 200,000."""

    tick: int  # ticks since the start of the track
    # note_on, note_off, program ..., text, copyright, track_name, lyric, marker, cue_point,
    # subtitle, composer, poet, tempo, time_signature, key_signature, sequencer_specific,
    # end_of_track; ``other`` for ignored events
    kind: str
    channel: int  # 0 to 15, -1 for events without a channel
    data: bytes  # the data bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class MidiFile:
    """A parsed MIDI file."""

    format: int  # 0 (one track) or 1 (simultaneous tracks)
    division: float  # ticks per quarter note
    tracks: tuple[tuple[Event, ...], ...]
    # of a file in seconds (SMPTE), whose division is unknown; else None
    ticks_per_second: float | None = None
    faults: frozenset[Fault] = frozenset()


def parse(content: bytes) -> MidiFile:
    """Parse a MIDI file.

    Raises:
        FileError: the bytes are not a MIDI file of format 0 or 1, hold no note that can be read, or
            exceed one of the limits above.
    """
    if len(content) > MAX_BYTES:
        sentence = tr("it has {size:,} bytes, but at most {most:,} are read here")
        raise FileError(sentence.format(size=len(content), most=MAX_BYTES))
    content = content[max(content.find(b"MThd"), 0) :]  # RIFF holds the file as it is
    kind, expected, division, body = _header(content)
    tracks, faults, reason = _tracks(content, body)
    if kind > 1 and len(tracks) > 1:
        raise FileError(tr("it is a MIDI file of format {kind}: expected 0 or 1", kind=kind))
    if not tracks:
        raise FileError(
            tr("it is truncated: it has no tracks, expected {expected}", expected=expected)
        )
    if reason and not any(event.kind == "note_on" for track in tracks for event in track):
        raise FileError(reason)
    if len(tracks) < expected and ("broken", tracks[-1][-1].tick) in faults:
        faults.add(("cut", 0))
    if len(tracks) > expected or (len(tracks) < expected and ("cut", 0) not in faults):
        faults.add(("tracks", 0))
    is_in_seconds = division >= 0x8000  # noqa: PLR2004
    frames, ticks = 256 - (division >> 8), division & 0xFF
    rate = (29.97 if frames == _DROP_FRAME else frames) * ticks
    return MidiFile(
        format=kind % 2,
        division=division,
        tracks=tracks,
        ticks_per_second=rate if is_in_seconds else None,
        faults=frozenset(faults),
    )


def _header(content: bytes) -> tuple[int, int, int, int]:
    if not content:
        raise FileError(tr("it is empty"))
    if len(content) < _HEADER.size or not content.startswith(b"MThd"):
        raise FileError(tr("it is not a MIDI file: it has no MThd header"))
    _, length, kind, tracks, division = _HEADER.unpack_from(content)
    if kind > 2:  # noqa: PLR2004
        raise FileError(tr("it is a MIDI file of format {kind}: expected 0 or 1", kind=kind))
    if division in (0, *range(0x8000, 0x10000, 0x100)):
        raise FileError(tr("it is damaged: a quarter note or a frame has 0 ticks"))
    return kind, tracks, division, _CHUNK.size + length


def _tracks(content: bytes, at: int) -> tuple[tuple[tuple[Event, ...], ...], set[Fault], str]:
    """Return the tracks from offset ``at`` on, what is damaged in them, and the first reason."""
    tracks: list[tuple[Event, ...]] = []
    faults: set[Fault] = set()
    reasons: list[str] = []
    remaining = MAX_EVENTS
    for chunk, length in _track_chunks(content, at):
        if length > len(chunk) == 0:
            faults.add(("cut", 0))
            continue
        events, used, reason = _events(chunk, remaining, faults)
        if length > len(chunk) and not reason and not chunk.endswith(b"\xff\x2f\0"):
            reason = tr("it is truncated: a track has no end")
        remaining -= len(events)
        if remaining < 0:
            raise FileError(
                tr("it has more than {most:,} events, too many to be a chorale", most=MAX_EVENTS)
            )
        if reason:
            reasons.append(reason)
            faults.add(("broken", events[-1].tick))
        elif length not in (len(chunk), used):
            faults.add(("length", 0))
        tracks.append(tuple(events))
        if len(tracks) > MAX_TRACKS:
            raise FileError(
                tr("it has more than {most} tracks, too many to be a chorale", most=MAX_TRACKS)
            )
    return tuple(tracks), faults, next(iter(reasons), "")


def _track_chunks(content: bytes, at: int) -> Iterator[tuple[bytes, int]]:
    """Yield the content of the MTrk chunks from offset ``at`` on, and the length they should have.

    Other chunks are ignored. A chunk whose length leads neither to another one nor to the end of
    the file ends where the next MTrk begins. A header that is cut off has no content.
    """
    if not _is_boundary(content, at):
        at = _next_track(content, _HEADER.size)
    while at + _CHUNK.size <= len(content):
        name, length = _CHUNK.unpack_from(content, at)
        at += _CHUNK.size
        stop = at + length
        if not _is_boundary(content, stop):
            stop = _next_track(content, at)
        if name == b"MTrk":
            yield content[at:stop], length
        at = stop
    if at < len(content) and b"MTrk".startswith(content[at : at + 4]):
        yield b"", _CHUNK.size


def _is_boundary(content: bytes, at: int) -> bool:
    name = content[at : at + 4]
    if at <= len(content) and b"MTrk".startswith(name):  # also cut off
        return True
    if not name.isalnum() or at + _CHUNK.size > len(content):
        return False
    return at + _CHUNK.size + int.from_bytes(content[at + 4 : at + _CHUNK.size]) <= len(content)


def _next_track(content: bytes, at: int) -> int:
    found = content.find(b"MTrk", at)
    return found if found >= 0 else len(content)


def _events(chunk: bytes, most: int, faults: set[Fault]) -> tuple[list[Event], int, str]:
    """Parse the events of one track up to its end_of_track, which is added if missing."""
    events: list[Event] = []
    at = tick = status = 0
    reason = ""
    try:
        while at < len(chunk) and len(events) <= most:
            delta, at = _variable(chunk, at)
            tick += delta
            if tick > MAX_TICK:
                reason = tr(
                    "it is longer than {most:,} ticks, too long to be a chorale", most=MAX_TICK
                )
                break
            if chunk[at] >= _SYSEX:
                event, at = _other_event(chunk, at, tick, faults)
            else:
                if chunk[at] > _HIGHEST:  # else: running status
                    status, at = chunk[at], at + 1
                event, at = _channel_event(chunk, at, tick, status, faults)
            events.append(event)
            if event.kind == "end_of_track":
                return events, at, ""
    except IndexError:
        reason = tr("it is truncated: a track ends within an event")
    except FileError as found:
        reason = str(found)
    end = Event(events[-1].tick if events else 0, "end_of_track", -1, b"")
    return [*events, end], at, reason


def _channel_event(
    chunk: bytes, at: int, tick: int, status: int, faults: set[Fault]
) -> tuple[Event, int]:
    if status == 0:
        raise FileError(tr("it is damaged: data without a status byte at tick {tick}", tick=tick))
    kind, size = _CHANNEL_KINDS[status >> 4]
    data = chunk[at : at + size]
    if len(data) < size:
        raise IndexError
    if not data.isascii():
        faults.add(("damaged", tick))
        kind = kind if data[0] <= _HIGHEST else "other"
        data = bytes(min(byte, _HIGHEST) for byte in data)
    return Event(tick, kind, status & 0x0F, data), at + size


def _other_event(chunk: bytes, at: int, tick: int, faults: set[Fault]) -> tuple[Event, int]:
    """Parse a meta event, or a system message, which is ignored."""
    status = chunk[at]
    kind, size = "other", 0
    if status == _META:
        kind, size = _META_KINDS.get(chunk[at + 1], (kind, size))
        at += 1
    elif status not in (_SYSEX, _ESCAPE):
        faults.add(("damaged", tick))
        return Event(tick, kind, -1, b""), at + 1 + _SYSTEM_DATA.get(status, 0)
    length, at = _variable(chunk, at + 1)
    if at + length > len(chunk):
        raise IndexError
    if length < size:
        faults.add(("damaged", tick))
        kind = "other"
    return Event(tick, kind, -1, chunk[at : at + length]), at + length


def _variable(chunk: bytes, at: int) -> tuple[int, int]:
    """Parse a variable-length quantity (up to four bytes of seven bits); return the next offset."""
    value = 0
    for place in range(at, at + 4):
        byte = chunk[place]
        value = value << 7 | byte & 0x7F
        if byte <= _HIGHEST:
            return value, place + 1
    raise FileError(tr("it is damaged: a number is longer than four bytes"))
