"""Reading of MIDI files, of musicrel and other programs, into a source.

A line is the notes of one channel in one track, except drums; a track named after a voice is a line
even without notes. Title, composer, tempo, key, meter and pickup come from the events; the metadata
event makes tempo and key exact as long as the events agree with it. A first time signature shorter
than one bar of the second is a pickup. Invalid tempos, keys and meters are ignored.

MIDI files in seconds (SMPTE): estimation of the quarter note.

By the standard a tempo has no meaning in them, but programs write the one of the score. It counts
if the notes fit its sixteenths and their usual distance is no dotted note; else this distance is a
quarter, or another note value that makes a tempo of about 120.

Gaps in a MIDI file: a damaged time of a few bytes may claim hours without an event.

The music is read up to the first gap that is longer than ``MAX_GAP`` quarters, which the variable
``MUSICREL_MAX_GAP`` overrides.
"""

from __future__ import annotations

import itertools
import math
import os
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import Final, NamedTuple

from musicrel import untrusted
from musicrel.chorale import STEPS_PER_QUARTER, Key, Meter, Mode, Voice
from musicrel.errors import FileError, UsageError
from musicrel.language import tr
from musicrel.score.importing.quantisation import KeyEvent, chord_share, ended, paired
from musicrel.score.importing.source import (
    Issue,
    IssueKind,
    Line,
    RawNote,
    Source,
    Span,
    Time,
    clean_text,
    implied_bar_lines,
)
from musicrel.score.importing.voice_matching import MAX_CHORD_SHARE
from musicrel.score.midi import midi_events, midi_lyrics, midi_metadata
from musicrel.score.midi.midi_drums import (
    ALL_NOTES_OFF,
    ALL_SOUND_OFF,
    CLICK_TRACK,
    DRUMS,
    are_drums,
)
from musicrel.score.midi.midi_events import MAX_TICK, Event, MidiFile
from musicrel.score.midi.midi_metadata import MidiMetadata
from musicrel.score.notation import spelling

MAX_GAP: Final = 256  # quarters; the longest of the bundled chorales has 193 in all
VARIABLE: Final = "MUSICREL_MAX_GAP"
_MAX_DIGITS: Final = 9


def without_gaps(file: MidiFile) -> tuple[MidiFile, int | None]:
    """Cut a file at its first gap."""
    limit = round(_limit() * file.division)
    ticks = {e.tick for track in file.tracks for e in track if e.kind in _NOTE_KINDS}
    ends = [track[-1].tick for track in file.tracks if track]
    for before, after in pairwise(sorted({0, *ticks, max(ends, default=0)})):
        if after - before > limit:
            stop = before + limit
            return replace(file, tracks=tuple(_cut(t, stop) for t in file.tracks)), before
    return file, None


def _cut(track: Sequence[Event], stop: int) -> tuple[Event, ...]:
    kept = tuple(event for event in track[:-1] if event.tick <= stop)
    return (*kept, *(last._replace(tick=min(last.tick, stop)) for last in track[-1:]))


def _limit() -> int:
    text = os.environ.get(VARIABLE, str(MAX_GAP))
    if not (text.isascii() and text.isdigit() and 0 < int(text[:_MAX_DIGITS]) <= MAX_TICK):
        raise UsageError(f"{VARIABLE} is {text!r}: expected a number of quarters such as {MAX_GAP}")
    return int(text[:_MAX_DIGITS])


_SHORTEST, _LONGEST = 0.1, 12.0  # seconds of a quarter
# The mean deviation, in sixteenths, up to which notes fit; that of random ones is 0.25.
_MAX_DEVIATION: Final = 0.1


def with_quarters(file: MidiFile) -> MidiFile:
    """Return a file in seconds with a division and one tempo; any other file itself."""
    rate = file.ticks_per_second
    if rate is None:
        return file
    events = [event for track in file.tracks for event in track]
    onsets = sorted({event.tick for event in events if event.kind == "note_on"})
    usual = float(statistics.median_low([b - a for a, b in pairwise(onsets)] or [rate / 2]))
    tempos = (int.from_bytes(event.data[:3]) / 1e6 for event in events if event.kind == "tempo")
    written = (rate * seconds for seconds in tempos if _SHORTEST < seconds < _LONGEST)
    near_120 = usual * 2.0 ** round(math.log2(rate / 2 / usual))
    quarter = next((ticks for ticks in written if _fits(onsets, usual, ticks)), near_120)
    tempo = Event(0, "tempo", -1, round(quarter / rate * 1e6).to_bytes(3))
    tracks = [tuple(e for e in track if e.kind != "tempo") for track in file.tracks]
    return replace(
        file,
        division=quarter,
        tracks=((tempo, *tracks[0]), *tracks[1:]),
        ticks_per_second=None,
        faults=file.faults | {("seconds", 0)},
    )


def _fits(onsets: list[int], usual: float, quarter: float) -> bool:
    """Return whether notes, most of them ``usual`` ticks apart, fit a ``quarter`` of ticks."""
    halvings = math.log2(quarter / usual)
    steps = [(tick - onsets[0]) * STEPS_PER_QUARTER / quarter for tick in onsets]
    off_grid = statistics.fmean(abs(at - round(at)) for at in steps or [0.0])
    return abs(halvings - round(halvings)) < _MAX_DEVIATION and off_grid <= _MAX_DEVIATION


DEFAULT_TEMPO: Final = 500_000  # default tempo in microseconds per quarter (RP-001)

MAX_FIFTHS: Final = spelling.MAX_SIGNS  # largest number of sharps or flats in a key signature

_MICROSECONDS_A_MINUTE: Final = 60e6
# Microseconds a quarter of the tempos that a piece may have.
_QUARTERS: Final = range(100_000, 12_000_001)
_MANY_TEXTS: Final = 8  # times with a text from which the texts are taken as lyrics
_LEFT_OUT: Final[Mapping[str, IssueKind]] = {
    "text": "text", "marker": "markers", "cue_point": "markers",
}  # fmt: skip
_MODES: Final[Mapping[bytes, Mode]] = {b"": "major", b"\0": "major", b"\1": "minor"}
_NOTE_KINDS: Final = ("note_on", "note_off")
_FERMATA_MARKERS: Final = (midi_metadata.FERMATA.encode(), midi_metadata.FERMATA_END.encode())


class _Played(NamedTuple):
    channel: int
    line: Line
    issues: set[Issue]


def read_source(path: Path) -> Source:
    """Read the MIDI file ``path`` without assigning voices."""
    content = untrusted.read(path, "midi")
    try:
        return to_source(midi_events.parse(content))
    except FileError as reason:
        raise FileError(tr("cannot read {path}: {reason}", path=path, reason=reason)) from reason


def to_source(file: MidiFile) -> Source:
    """Convert ``file`` to a source; see the module docstring for the rules."""
    file, gap = without_gaps(with_quarters(file))
    # a first track without notes, only with events that apply to all tracks
    has_tempo_track = len(file.tracks) > 1 and not any(
        event.kind in _NOTE_KINDS for event in file.tracks[0]
    )
    issues = {Issue(kind, _time(tick, file.division)) for kind, tick in file.faults}
    if gap is not None:
        issues.add(Issue("gap", _time(gap, file.division)))
    played = [
        one
        for number, track in enumerate(file.tracks[1:] if has_tempo_track else file.tracks)
        for one in _played(track, number, file.division)
    ]
    lines = midi_lyrics.with_words(
        list(_voices(played, issues, has_names=len(file.tracks) > 1)),
        file.tracks if has_tempo_track else ((), *file.tracks),
        file.division,
    )
    meta_events = [event for track in file.tracks for event in track if event.channel < 0]
    meta_events.sort(key=attrgetter("tick"))
    metadata = _metadata(meta_events)
    issues |= {Issue(kind, 0.0) for kind in _left_out(meta_events, ours=metadata is not None)}
    pickup, meters = _meters(meta_events, file.division, issues)
    end = max((line.end for line in lines), default=0.0)
    name = _name(file.tracks[0]) if has_tempo_track or file.format == 0 else ""
    tempo, tempos = _tempos(meta_events, metadata, file.division, issues)
    keys = _keys(meta_events, metadata, file.division, issues)
    return Source(
        lines=tuple(lines),
        bar_lines=tuple(implied_bar_lines(meters, pickup, end)),
        meters=tuple(meters),
        pickup=pickup,
        key=keys[0][1] if keys and (metadata is None or keys[0][0] == 0) else None,
        keys=tuple(keys),
        tempos=tuple(tempos),
        tempo=tempo,
        marks=() if metadata is None or tempos else metadata.tempo_marks,
        fermatas=tuple(_fermatas(meta_events, file.division)),
        title=name if metadata else midi_lyrics.title(meta_events) or name,
        subtitle=_name_of("subtitle", meta_events, metadata),
        composer=_name_of("composer", meta_events, metadata),
        poet=_name_of("poet", meta_events, metadata),
        tune=_name_of("tune", meta_events, metadata),
        copyright=_name_of("copyright", meta_events, metadata),
        provenance=metadata.provenance if metadata else None,
        issues=tuple(sorted(issues)),
        exact=metadata is not None,
    )


def microseconds(tempo: float) -> int:
    """Convert a tempo in quarters per minute to microseconds per quarter."""
    return round(_MICROSECONDS_A_MINUTE / tempo)


def _played(track: Sequence[Event], number: int, division: float) -> Iterator[_Played]:
    name = _name(track)
    end = _time(track[-1].tick, division)
    channels: dict[int, list[Event]] = {}
    for event in track:
        ends_all = event.kind == "control" and event.data[0] in (ALL_SOUND_OFF, ALL_NOTES_OFF)
        if event.kind in _NOTE_KINDS or ends_all:
            channels.setdefault(event.channel, []).append(event)
    is_silent = True
    for channel, events in sorted(channels.items()):
        found: set[Issue] = set()
        if raw_notes := tuple(_raw_notes(events, end, division, found)):
            is_silent = False
        line = Line(name=name, notes=raw_notes, end=end, staff=number)
        if raw_notes:
            line = replace(line, end=max(end, raw_notes[-1].stop))
        yield _Played(channel, line, found)
    if is_silent and name in [voice.part for voice in Voice]:
        yield _Played(-1, Line(name=name, notes=(), end=end, staff=number), set())


def _voices(played: Sequence[_Played], issues: set[Issue], *, has_names: bool) -> Iterator[Line]:
    lines = [line for _, line, _ in played if line.notes]
    are_four = len(lines) == len(Voice) and all(
        chord_share(line.notes) <= MAX_CHORD_SHARE for line in lines
    )
    in_choir = are_four or all(one.channel == DRUMS for one in played if one.line.notes)
    for channel, line, found in played:
        if channel == DRUMS and are_drums(line, has_name=has_names, in_choir=in_choir):
            if line.name != CLICK_TRACK:
                issues.add(Issue("drums", line.notes[0].start))
            continue
        issues |= found
        if line.notes or channel < 0:
            yield line


def _raw_notes(
    events: Sequence[Event], end: Time, division: float, issues: set[Issue]
) -> list[RawNote]:
    """Pair the note events of one channel; if all are doubled, as by a layer, each counts once."""
    found = paired(_key_events(events, division))
    issues |= {Issue("empty", note.start) for note in found.empty}
    issues |= {Issue("endless", note.start) for note in found.endless}
    notes = ended(found, end)
    unique = sorted(set(notes))
    return unique if 2 * len(unique) <= len(notes) else notes


def _key_events(events: Sequence[Event], division: float) -> Iterator[KeyEvent]:
    """Convert events of one channel, of which one may end all notes."""
    down: set[int] = set()
    for event in events:
        time = _time(event.tick, division)
        if event.kind not in _NOTE_KINDS:
            yield from (KeyEvent(time, False, pitch) for pitch in sorted(down))
            down.clear()
            continue
        pressed = event.kind == "note_on" and event.data[1] > 0
        if pressed:
            down.add(event.data[0])
        yield KeyEvent(time, pressed, event.data[0])


def _meters(
    meta_events: Sequence[Event], division: float, issues: set[Issue]
) -> tuple[Time, list[tuple[Time, Meter]]]:
    """Return the pickup, and the meter and its changes, the first at time 0."""
    events = [event for event in meta_events if event.kind == "time_signature"]
    known = [(event, _signature(event)) for event in events]
    # the signature of a pickup may be an unsupported meter
    valid = [
        next(run)
        for _, run in itertools.groupby(
            (pair for place, pair in enumerate(known) if pair[1] is not None or place == 0),
            key=lambda pair: pair[0].data[:2],
        )
    ]
    pickup = 0
    if len(valid) > 1:
        first = round(_time(valid[1][0].tick, division))
        pickup = first if valid[1][1] is not None and first < valid[1][1].steps else 0
    if pickup:
        del known[0], valid[0]
    times = [(_time(event.tick, division), meter) for event, meter in known]
    issues |= {Issue("signature", time) for time, meter in times if meter is None}
    meters = [(_time(event.tick, division), meter) for event, meter in valid if meter is not None]
    return float(pickup), [(0.0, meters[0][1] if meters else Meter()), *meters[1:]]


def _signature(event: Event) -> Meter | None:
    numerator, exponent = event.data[:2]
    try:
        return Meter(numerator, 2**exponent)
    except UsageError:
        return None


def _keys(
    meta_events: Sequence[Event], metadata: MidiMetadata | None, division: float, issues: set[Issue]
) -> list[tuple[Time, Key]]:
    """Return the key and its changes, with the spelling in the metadata.

    Of different keys at one time that of the first track counts: later ones may be those of
    transposing instruments.
    """
    found: dict[Time, Key] = {}
    for event in meta_events:
        if event.kind == "key_signature":
            time = _time(event.tick, division)
            fifths, mode = int.from_bytes(event.data[:1], signed=True), _MODES.get(event.data[1:2])
            if abs(fifths) > MAX_FIFTHS or mode is None:
                issues.add(Issue("signature", time))
            else:
                found.setdefault(time, spelling.key_from_signature(fifths, mode))
    keys = [next(run) for _, run in itertools.groupby(found.items(), key=itemgetter(1))]
    exact = metadata.keys if metadata else ()
    if exact and not keys:
        return [(0.0, exact[0])]
    names = {(key.pitch_class, key.mode): key for key in exact}
    return [(time, names.get((key.pitch_class, key.mode), key)) for time, key in keys]


def _tempos(
    meta_events: Sequence[Event], metadata: MidiMetadata | None, division: float, issues: set[Issue]
) -> tuple[float, list[tuple[Time, float]]]:
    """Return the main tempo in quarters per minute, and all tempos with their times.

    The main tempo is the first one, or that of the metadata if any tempo event agrees with it: the
    first may be the slower one of a fermata. In that case there are no others.
    """
    timed = [
        (_time(event.tick, division), int.from_bytes(event.data[:3]))
        for event in meta_events
        if event.kind == "tempo"
    ]
    if metadata and any(abs(microseconds(metadata.tempo) - length) <= 1 for _, length in timed):
        return metadata.tempo, []  # other programs round differently
    issues |= {Issue("tempo", time) for time, length in timed if length not in _QUARTERS}
    tempos = [
        (time, _MICROSECONDS_A_MINUTE / length) for time, length in timed if length in _QUARTERS
    ]
    return tempos[0][1] if tempos else _MICROSECONDS_A_MINUTE / DEFAULT_TEMPO, tempos


def _fermatas(meta_events: Sequence[Event], division: float) -> Iterator[Span]:
    """Yield the spans between fermata markers; without an end marker, a span is one step."""
    open_start: int | None = None
    for event in meta_events:
        # some programs keep texts but no markers
        if event.kind not in ("marker", "text") or event.data not in _FERMATA_MARKERS:
            continue
        step = round(_time(event.tick, division))
        starts = event.data == _FERMATA_MARKERS[0]
        if open_start is not None:
            stop = open_start + 1 if starts else max(step, open_start + 1)
            yield float(open_start), float(stop)
        open_start = step if starts else None
    if open_start is not None:
        yield float(open_start), float(open_start + 1)


def _left_out(meta_events: Sequence[Event], *, ours: bool) -> set[IssueKind]:
    """Return the kinds of words that are left out; many texts are lyrics without their marks.

    The markers of our own files are chords and phrases, which are found again in the notes.
    """
    events = [event for event in meta_events if _is_left_out(event)]
    texts = [event for event in events if event.kind == "text"]
    if midi_lyrics.are_karaoke(texts):
        texts = [event for event in texts if event.data[:2] in (b"@T", b"@I")][1:]
        events = [event for event in events if event.kind != "text"] + texts
    kinds = {_LEFT_OUT[event.kind] for event in events if not (ours and event.kind == "marker")}
    if "text" in kinds and len({event.tick for event in texts}) >= _MANY_TEXTS:
        return kinds - {"text"} | {"lyrics"}
    return kinds


def _is_left_out(event: Event) -> bool:
    """Return whether an event has words that are neither a fermata nor metadata of ours."""
    text = _text(event).strip() if event.kind in _LEFT_OUT else ""
    ours = event.data in _FERMATA_MARKERS or text.startswith(midi_metadata.PREFIX)
    return bool(text) and not ours


def _metadata(meta_events: Sequence[Event]) -> MidiMetadata | None:
    found = itertools.chain(
        (midi_metadata.decode(e.data) for e in meta_events if e.kind == "sequencer_specific"),
        (midi_metadata.decode_text(_text(e)) for e in meta_events if e.kind == "text"),
    )
    return next(filter(None, found), None)


def _name_of(kind: str, meta_events: Sequence[Event], metadata: MidiMetadata | None) -> str:
    """Return a name or line; programs that do not know its event drop it and keep the metadata."""
    found = next((_text(event) for event in meta_events if event.kind == kind), "")
    exact = metadata.lines.get(kind, "") if metadata else ""
    if metadata and found in ("", exact):
        return clean_text(exact)
    return clean_text(found)[:200]


def _name(track: Sequence[Event]) -> str:
    return next((clean_text(_text(event)) for event in track if event.kind == "track_name"), "")


def _text(event: Event) -> str:
    return midi_metadata.decoded(event.data)


def _time(tick: int, division: float) -> Time:
    return tick * STEPS_PER_QUARTER / division
