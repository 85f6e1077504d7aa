"""Reading of MIDI files, of musicrel and other programs, into a source.

A line is the notes of one channel in one track, except drums; a track named after a voice is a line
even without notes. Title, composer, tempo, key, meter and pickup come from the events; the metadata
event makes tempo and key exact as long as the events agree with it. Notes without an end are ended
with their track. A first time signature shorter than one bar of the second is a pickup.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from operator import attrgetter
from pathlib import Path
from typing import Final

from musicrel import gate
from musicrel.chorale import STEPS_PER_QUARTER, Key, Meter, Voice
from musicrel.errors import FileError, UsageError
from musicrel.score.importing.source import (
    Issue,
    Line,
    RawNote,
    Source,
    Span,
    Time,
    implied_bar_lines,
)
from musicrel.score.midi import midi_events, midi_gaps, midi_metadata
from musicrel.score.midi.midi_events import Event, MidiFile
from musicrel.score.midi.midi_metadata import MidiMetadata
from musicrel.score.notation import spelling

DRUMS: Final = 9
"""The percussion channel of General MIDI, counted from 0."""
DEFAULT_TEMPO: Final = 500_000
"""Default tempo in microseconds per quarter (RP-001)."""

MAX_FIFTHS: Final = spelling.MAX_SIGNS
"""Largest number of sharps or flats in a key signature."""

_MAX_COMPOSER_LENGTH: Final = 200
_MICROSECONDS_A_MINUTE: Final = 60e6
_NOTE_KINDS: Final = ("note_on", "note_off")
_MARKER_KINDS: Final = ("marker", "text")
"""Some programs keep texts but no markers."""
_FERMATA_MARKERS: Final = (midi_metadata.FERMATA.encode(), midi_metadata.FERMATA_END.encode())
_NAMES: Final = frozenset(voice.title for voice in Voice)


def read_source(path: Path) -> Source:
    """Read the MIDI file ``path`` without assigning voices; see the module docstring for the rules.

    Raises:
        FileError: the file is missing, damaged or too long.
    """
    content = gate.read(path, "midi")
    try:
        return to_source(midi_events.parse(content))
    except FileError as reason:
        raise FileError(f"cannot read {path}: {reason}") from reason


def to_source(file: MidiFile) -> Source:
    """Convert ``file`` to a source; see the module docstring for the rules.

    Raises:
        FileError: an event has an invalid value.
        UsageError: see ``midi_gaps``.
    """
    file, gap = midi_gaps.without_gaps(file)
    has_tempo_track = _has_tempo_track(file)
    issues = set() if gap is None else {Issue("gap", _time(gap, file.division))}
    lines = tuple(
        line
        for number, track in enumerate(file.tracks[1:] if has_tempo_track else file.tracks)
        for line in _lines(track, number, file.division, issues)
    )
    meta_events = [event for track in file.tracks for event in track if event.channel < 0]
    meta_events.sort(key=attrgetter("tick"))
    metadata = _metadata(meta_events)
    pickup, meters = _meters(meta_events, file.division)
    end = max((line.end for line in lines), default=0.0)
    tempo, tempos = _tempos(meta_events, metadata, file.division)
    return Source(
        lines=lines,
        bar_lines=tuple(implied_bar_lines(meters, pickup, end)),
        meters=tuple(meters),
        pickup=pickup,
        key=_key(meta_events, metadata),
        tempos=tuple(tempos),
        tempo=tempo,
        fermatas=tuple(_fermatas(meta_events, file.division)),
        title=_name(file.tracks[0]) if has_tempo_track or file.format == 0 else "",
        composer=_composer(meta_events, metadata),
        provenance=metadata.provenance if metadata else None,
        issues=tuple(sorted(issues)),
        exact=metadata is not None,
    )


def microseconds(tempo: float) -> int:
    """Convert a tempo in quarters per minute to microseconds per quarter."""
    return round(_MICROSECONDS_A_MINUTE / tempo)


def _has_tempo_track(file: MidiFile) -> bool:
    """Return whether the first track has no notes, only events that apply to all tracks."""
    return file.format == 1 and not any(event.kind in _NOTE_KINDS for event in file.tracks[0])


def _lines(
    track: Sequence[Event], number: int, division: int, issues: set[Issue]
) -> Iterator[Line]:
    """Yield the lines of one track."""
    name = _name(track)
    channels: dict[int, list[Event]] = {}
    for event in track:
        if event.kind in _NOTE_KINDS and event.channel != DRUMS:
            channels.setdefault(event.channel, []).append(event)
    by_channel = [
        _raw_notes(events, track[-1].tick, division, issues)
        for _, events in sorted(channels.items())
    ]
    silent: list[list[RawNote]] = [[]] if name in _NAMES and not any(by_channel) else []
    for raw_notes in [*filter(None, by_channel), *silent]:
        end = max([_time(track[-1].tick, division), *(note.stop for note in raw_notes[-1:])])
        yield Line(name=name, notes=tuple(raw_notes), end=end, staff=number)


def _raw_notes(
    events: Sequence[Event], end: int, division: int, issues: set[Issue]
) -> list[RawNote]:
    """Pair the note events of one channel; a repeated note_on ends the sounding note."""
    sounding: dict[int, int] = {}
    released: dict[int, tuple[int, int]] = {}
    found: list[tuple[int, int, int]] = []
    # at one tick, ends come first: a repeated note ends before it starts again
    ordered = sorted((e.tick, _starts_note(e), place, e.data[0]) for place, e in enumerate(events))
    for tick, starts, place, pitch in ordered:
        if not starts and pitch not in sounding:
            released[pitch] = tick, place
        start = sounding.pop(pitch, tick)
        if start < tick:
            found.append((start, tick, pitch))
        if starts and released.get(pitch, (-1, -1)) > (tick, place):
            issues.add(Issue("empty", _time(tick, division)))
        elif starts:
            sounding[pitch] = tick
    issues |= {Issue("endless", _time(start, division)) for start in sounding.values()}
    found += [(start, end, pitch) for pitch, start in sounding.items() if start < end]
    return [
        RawNote(_time(start, division), _time(stop, division), pitch)
        for start, stop, pitch in sorted(found)
    ]


def _starts_note(event: Event) -> bool:
    """Return whether a note starts; a note_on of velocity 0 is a note_off."""
    return event.kind == "note_on" and event.data[1] > 0


def _meters(meta_events: Sequence[Event], division: int) -> tuple[Time, list[tuple[Time, Meter]]]:
    """Return the pickup, and the meter and its changes, the first at time 0."""
    signatures = [
        next(run)
        for _, run in itertools.groupby(
            (event for event in meta_events if event.kind == "time_signature"),
            key=lambda event: event.data[:2],
        )
    ]
    if not signatures:
        return 0.0, [(0.0, Meter())]
    # the signature of a pickup may be an unsupported meter, so it is not converted
    pickup = round(_time(signatures[1].tick, division)) if len(signatures) > 1 else 0
    if len(signatures) > 1 and pickup < _signature(signatures[1]).steps:
        del signatures[0]
    else:
        pickup = 0
    meters = [(_time(event.tick, division), _signature(event)) for event in signatures]
    return float(pickup), [(0.0, meters[0][1]), *meters[1:]]


def _signature(event: Event) -> Meter:
    numerator, exponent = event.data[:2]
    try:
        return Meter(numerator, 2**exponent)
    except UsageError as reason:
        raise FileError(str(reason)) from reason


def _key(meta_events: Sequence[Event], metadata: MidiMetadata | None) -> Key | None:
    """Return the key of the first key signature, with the spelling in the metadata."""
    exact = metadata.key if metadata else None
    event = next((event for event in meta_events if event.kind == "key_signature"), None)
    if event is None:
        return exact
    key = _signed(int.from_bytes(event.data[:1], signed=True), event.data[1])
    agreed = exact and (exact.pitch_class, exact.mode) == (key.pitch_class, key.mode)
    return exact if agreed else key


def _signed(fifths: int, minor: int) -> Key:
    """Return the key of a signature of ``fifths`` sharps (negative: flats)."""
    if abs(fifths) > MAX_FIFTHS or minor > 1:
        raise FileError(
            f"it is damaged: a key signature of {fifths} sharps and mode {minor}, expected -7 to 7 "
            "and 0 or 1"
        )
    return spelling.key_from_signature(fifths, "minor" if minor else "major")


def _tempos(
    meta_events: Sequence[Event], metadata: MidiMetadata | None, division: int
) -> tuple[float, list[tuple[Time, float]]]:
    """Return the main tempo in quarters per minute, and all tempos with their times.

    The main tempo is the first one, or that of the metadata if any tempo event agrees with it: the
    first may be the slower one of a fermata. In that case there are no others.
    """
    events = [event for event in meta_events if event.kind == "tempo"]
    lengths = [int.from_bytes(event.data) for event in events]
    if 0 in lengths:
        raise FileError("it is damaged: a tempo of 0 microseconds a quarter")
    if metadata and any(abs(microseconds(metadata.tempo) - length) <= 1 for length in lengths):
        return metadata.tempo, []  # other programs round differently
    tempos = [_MICROSECONDS_A_MINUTE / length for length in lengths]
    timed = [(_time(e.tick, division), tempo) for e, tempo in zip(events, tempos, strict=True)]
    return next(iter(tempos), _MICROSECONDS_A_MINUTE / DEFAULT_TEMPO), timed


def _fermatas(meta_events: Sequence[Event], division: int) -> Iterator[Span]:
    """Yield the spans between fermata markers; without an end marker, a span is one step."""
    open_start: int | None = None
    for event in meta_events:
        if event.kind not in _MARKER_KINDS or event.data not in _FERMATA_MARKERS:
            continue
        step = round(_time(event.tick, division))
        starts = event.data == _FERMATA_MARKERS[0]
        if open_start is not None:
            stop = open_start + 1 if starts else max(step, open_start + 1)
            yield float(open_start), float(stop)
        open_start = step if starts else None
    if open_start is not None:
        yield float(open_start), float(open_start + 1)


def _metadata(meta_events: Sequence[Event]) -> MidiMetadata | None:
    """Return the first readable metadata; text events are those of older files."""
    found = itertools.chain(
        (midi_metadata.decode(e.data) for e in meta_events if e.kind == "sequencer_specific"),
        (midi_metadata.decode_text(_text(e)) for e in meta_events if e.kind == "text"),
    )
    return next(filter(None, found), None)


def _composer(meta_events: Sequence[Event], metadata: MidiMetadata | None) -> str:
    """Return the composer; programs that do not know the event drop it and keep the metadata."""
    found = next((_text(event) for event in meta_events if event.kind == "composer"), "")
    if metadata and found in ("", metadata.composer):
        return metadata.composer
    return " ".join(found.split())[:_MAX_COMPOSER_LENGTH]


def _name(track: Sequence[Event]) -> str:
    return next((_text(event) for event in track if event.kind == "track_name"), "")


def _text(event: Event) -> str:
    """Decode UTF-8, else Latin-1, which older programs write and which accepts any byte."""
    try:
        return event.data.decode("utf-8")
    except UnicodeDecodeError:
        return event.data.decode("latin-1")


def _time(tick: int, division: int) -> Time:
    """Convert ticks to steps."""
    return tick * STEPS_PER_QUARTER / division
