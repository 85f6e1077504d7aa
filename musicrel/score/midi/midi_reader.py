"""Events of a MIDI file -> a source: what ``midi`` and other programs write.

A line is what one channel sings in one track, drums aside; a track named as a voice is one even
without notes. Title, tempo, key, meter and pickup come from the events; musicrel's own remark
makes tempo and key exact as long as the events agree with it. Notes that never end, end with their
track; a first time signature that lasts less than a bar of the second is a pickup.

This file knows nothing of bytes, and nothing of which line is which voice.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Final

from musicrel.chorale import STEPS_PER_QUARTER, Key, Meter, Voice
from musicrel.errors import FileError, UsageError
from musicrel.score.importing.source import Finding, Line, Sound, Source, Span, Time, counted
from musicrel.score.midi import midi_metadata
from musicrel.score.midi.midi_events import Event, MidiFile
from musicrel.score.midi.midi_metadata import Remark
from musicrel.score.notation import spelling

DRUMS: Final = 9
"""The channel General MIDI keeps for percussion, counted from 0."""
USUAL_TEMPO: Final = 500_000
"""Microseconds a quarter where a file says nothing (RP-001)."""

MOST_FIFTHS: Final = spelling.MOST_SIGNS
"""Sharps or flats a key signature has at most."""

_MICROSECONDS_A_MINUTE: Final = 60e6
_NOTE_KINDS: Final = ("note_on", "note_off")
_FERMATA_MARKERS: Final = (midi_metadata.FERMATA.encode(), midi_metadata.FERMATA_END.encode())
_NAMES: Final = frozenset(voice.title for voice in Voice)


def source_of(file: MidiFile) -> Source:
    """What ``file`` says; see the module docstring for what is understood.

    Raises:
        FileError: an event is impossible.
    """
    conductor = _conductor(file)
    findings: set[Finding] = set()
    lines = tuple(
        line
        for number, track in enumerate(file.tracks[1:] if conductor else file.tracks)
        for line in _lines(track, number, file.division, findings)
    )
    told = [event for track in file.tracks for event in track if event.channel < 0]
    told.sort(key=attrgetter("tick"))
    remark = _remark(told)
    pickup, meters = _meters(told, file.division)
    end = max((line.end for line in lines), default=0.0)
    tempo, tempos = _tempos(told, remark, file.division)
    return Source(
        lines=lines,
        bar_lines=tuple(counted(meters, pickup, end)),
        meters=tuple(meters),
        pickup=pickup,
        key=_key(told, remark),
        tempos=tuple(tempos),
        tempo=tempo,
        fermatas=tuple(_fermatas(told, file.division)),
        title=_name(file.tracks[0]) if conductor or file.format == 0 else "",
        provenance=remark.provenance if remark else None,
        findings=tuple(sorted(findings)),
    )


def microseconds(tempo: float) -> int:
    """The length of a quarter as MIDI holds it, for ``tempo`` quarters a minute."""
    return round(_MICROSECONDS_A_MINUTE / tempo)


def _conductor(file: MidiFile) -> bool:
    """Whether the first track sings nothing, but says what all tracks share."""
    return file.format == 1 and not any(event.kind in _NOTE_KINDS for event in file.tracks[0])


def _lines(
    track: Sequence[Event], number: int, division: int, findings: set[Finding]
) -> Iterator[Line]:
    """The lines of one track; a track named as a voice is one even without notes."""
    name = _name(track)
    channels: dict[int, list[Event]] = {}
    for event in track:
        if event.kind in _NOTE_KINDS and event.channel != DRUMS:
            channels.setdefault(event.channel, []).append(event)
    sung = [
        _sounds(events, track[-1].tick, division, findings)
        for _, events in sorted(channels.items())
    ]
    silent: list[list[Sound]] = [[]] if name in _NAMES and not any(sung) else []
    for sounds in [*filter(None, sung), *silent]:
        end = max([_time(track[-1].tick, division), *(sound.stop for sound in sounds[-1:])])
        yield Line(name=name, sounds=tuple(sounds), end=end, staff=number)


def _sounds(
    events: Sequence[Event], end: int, division: int, findings: set[Finding]
) -> list[Sound]:
    """The notes of one channel; a pitch struck again while it sounds ends there and begins anew."""
    begun: dict[int, int] = {}
    released: dict[int, tuple[int, int]] = {}
    found: list[tuple[int, int, int]] = []
    # at one tick, ends come first: a repeated note ends before it begins again
    ordered = sorted((e.tick, _begins(e), place, e.data[0]) for place, e in enumerate(events))
    for tick, begins, place, pitch in ordered:
        if not begins and pitch not in begun:
            released[pitch] = tick, place
        start = begun.pop(pitch, tick)
        if start < tick:
            found.append((start, tick, pitch))
        if begins and released.get(pitch, (-1, -1)) > (tick, place):
            findings.add(Finding("empty", _time(tick, division)))
        elif begins:
            begun[pitch] = tick
    findings |= {Finding("endless", _time(start, division)) for start in begun.values()}
    found += [(start, end, pitch) for pitch, start in begun.items() if start < end]
    return [
        Sound(_time(start, division), _time(stop, division), pitch)
        for start, stop, pitch in sorted(found)
    ]


def _begins(event: Event) -> bool:
    """Whether a note begins: MIDI lets a note_on of velocity 0 stand for a note_off."""
    return event.kind == "note_on" and event.data[1] > 0


def _meters(told: Sequence[Event], division: int) -> tuple[Time, list[tuple[Time, Meter]]]:
    """Pickup, and the meter with its changes, the first one from the beginning on."""
    signatures = [
        next(run)
        for _, run in itertools.groupby(
            (event for event in told if event.kind == "time_signature"),
            key=lambda event: event.data[:2],
        )
    ]
    if not signatures:
        return 0.0, [(0.0, Meter())]
    # the signature of a pickup need not be one a piece can have, so it is left out unread
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


def _key(told: Sequence[Event], remark: Remark | None) -> Key | None:
    """The first key signature, by the name the remark has for it."""
    meant = remark.key if remark else None
    event = next((event for event in told if event.kind == "key_signature"), None)
    if event is None:
        return meant
    key = _signed(int.from_bytes(event.data[:1], signed=True), event.data[1])
    agreed = meant and (meant.pitch_class, meant.mode) == (key.pitch_class, key.mode)
    return meant if agreed else key


def _signed(fifths: int, minor: int) -> Key:
    """The key of a signature of ``fifths`` sharps (negative: flats)."""
    if abs(fifths) > MOST_FIFTHS or minor > 1:
        raise FileError(
            f"it is damaged: a key signature of {fifths} sharps and mode {minor}, expected -7 to 7 "
            "and 0 or 1"
        )
    return spelling.signed(fifths, "minor" if minor else "major")


def _tempos(
    told: Sequence[Event], remark: Remark | None, division: int
) -> tuple[float, list[tuple[Time, float]]]:
    """Quarters a minute: the one that is meant, and all; none of the latter in a file of ours.

    Meant is the first tempo, or the remark's where one of the tempos is the same: the first may be
    the slower one of a fermata.
    """
    events = [event for event in told if event.kind == "tempo"]
    lengths = [int.from_bytes(event.data) for event in events]
    if 0 in lengths:
        raise FileError("it is damaged: a tempo of 0 microseconds a quarter")
    if remark and microseconds(remark.tempo) in lengths:
        return remark.tempo, []
    tempos = [_MICROSECONDS_A_MINUTE / length for length in lengths]
    timed = [(_time(e.tick, division), tempo) for e, tempo in zip(events, tempos, strict=True)]
    return next(iter(tempos), _MICROSECONDS_A_MINUTE / USUAL_TEMPO), timed


def _fermatas(told: Sequence[Event], division: int) -> Iterator[Span]:
    """The ranges between markers; a fermata whose end is lost holds one step."""
    begun: int | None = None
    for event in told:
        if event.kind != "marker" or event.data not in _FERMATA_MARKERS:
            continue
        step = round(_time(event.tick, division))
        begins = event.data == _FERMATA_MARKERS[0]
        if begun is not None:
            stop = begun + 1 if begins else max(step, begun + 1)
            yield float(begun), float(stop)
        begun = step if begins else None
    if begun is not None:
        yield float(begun), float(begun + 1)


def _remark(told: Sequence[Event]) -> Remark | None:
    texts = (_text(event) for event in told if event.kind == "text")
    return next((remark for text in texts if (remark := midi_metadata.parse(text))), None)


def _name(track: Sequence[Event]) -> str:
    return next((_text(event) for event in track if event.kind == "track_name"), "")


def _text(event: Event) -> str:
    """UTF-8 as musicrel writes it, else latin-1, which older programs mean and any byte fits."""
    try:
        return event.data.decode("utf-8")
    except UnicodeDecodeError:
        return event.data.decode("latin-1")


def _time(tick: int, division: int) -> Time:
    """``tick`` in steps."""
    return tick * STEPS_PER_QUARTER / division
