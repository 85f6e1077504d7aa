"""Events of a MIDI file -> a chorale.

Understood is what ``midi`` writes, and any file with exactly four melodic lines (a track and a
channel with notes, drums aside) whose notes begin on sixteenths. The voices are those of the
tracks' names Soprano, Alto, Tenor, Bass, else the lines from high to low. Ends of notes go to the
nearest sixteenth. Title, tempo, key, meter and pickup come from the events; musicrel's own remark
makes tempo and key exact as long as the events agree with it.

This file knows nothing of bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from statistics import fmean
from typing import Final

from musicrel.chorale import REST, STEPS_PER_QUARTER, Chorale, Key, Meter, Voice
from musicrel.errors import FileError, UsageError
from musicrel.score import midi_remark
from musicrel.score.midi_events import Event, MidiFile
from musicrel.score.midi_remark import Remark
from musicrel.score.notes import Note, from_notes, from_spans

DRUMS: Final = 9
"""The channel General MIDI keeps for percussion, counted from 0."""
FARTHEST_FROM_GRID: Final = 0.25
"""Sixteenths a note may begin beside the grid: less than a triplet does."""
USUAL_TEMPO: Final = 500_000
"""Microseconds a quarter where a file says nothing (RP-001)."""

MOST_FIFTHS: Final = 7
"""Sharps or flats a key signature has at most."""

_MICROSECONDS_A_MINUTE: Final = 60e6
_FIFTHS: Final = "FCGDAEB"
_ACCIDENTALS: Final[Mapping[int, str]] = {-1: "b", 0: "", 1: "#"}
_NOTE_KINDS: Final = ("note_on", "note_off")
_FERMATA_MARKERS: Final = (midi_remark.FERMATA.encode(), midi_remark.FERMATA_END.encode())
_NAMES: Final = frozenset(voice.title for voice in Voice)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """One melodic line: the notes of one channel in one track.

    Attributes:
        name: of its track, "" where it has none.
        notes: in steps, by start.
        end: the step at which its track ends, and all its notes.
    """

    name: str
    notes: Sequence[Note]
    end: int


def chorale_of(file: MidiFile) -> Chorale:
    """The chorale ``file`` holds; see the module docstring for what is understood.

    Raises:
        FileError: there are not four lines, they are off the grid, or an event is impossible.
        DataError: notes of a line overlap, or a value is none a chorale can have.
    """
    conductor = _conductor(file)
    tracks = file.tracks[1:] if conductor else file.tracks
    lines = [line for track in tracks for line in _lines(track, file.division)]
    voices = _by_voice(lines)
    steps = max(line.end for line in voices)
    pitches, onsets = from_notes([line.notes for line in voices], steps)
    told = [event for track in file.tracks for event in track if event.channel < 0]
    told.sort(key=attrgetter("tick"))
    remark = _remark(told)
    pickup, meter = _meter(told, file.division)
    return Chorale(
        pitches=pitches,
        onsets=onsets,
        fermatas=from_spans(_fermatas(told, file.division, steps), steps),
        meter=meter,
        pickup=pickup,
        key=_key(told, remark),
        tempo=_tempo(told, remark),
        title=_name(file.tracks[0]) if conductor or file.format == 0 else "",
        provenance=remark.provenance if remark else None,
    )


def microseconds(tempo: float) -> int:
    """The length of a quarter as MIDI holds it, for ``tempo`` quarters a minute."""
    return round(_MICROSECONDS_A_MINUTE / tempo)


def _conductor(file: MidiFile) -> bool:
    """Whether the first track sings nothing, but says what all tracks share."""
    return file.format == 1 and not any(event.kind in _NOTE_KINDS for event in file.tracks[0])


def _lines(track: Sequence[Event], division: int) -> list[_Line]:
    """The melodic lines of one track; a track named as a voice is one even without notes."""
    name = _name(track)
    end = _step(track[-1].tick, division)
    channels: dict[int, list[Event]] = {}
    for event in track:
        if event.kind in _NOTE_KINDS and event.channel != DRUMS:
            channels.setdefault(event.channel, []).append(event)
    sung = [_notes(events, division) for _, events in sorted(channels.items())]
    silent: list[list[Note]] = [[]] if name in _NAMES and not any(sung) else []
    return [
        _Line(name=name, notes=notes, end=max([end, *(note.stop for note in notes[-1:])]))
        for notes in [*filter(None, sung), *silent]
    ]


def _notes(events: list[Event], division: int) -> list[Note]:
    """The notes of one channel; a pitch struck again while it sounds ends there and begins anew."""
    begun: dict[int, int] = {}
    found: list[Note] = []
    # at one tick, ends come first: a repeated note ends before it begins again
    for event in sorted(events, key=lambda event: (event.tick, _begins(event))):
        pitch = event.data[0]
        start = begun.pop(pitch, event.tick)
        if start < event.tick:
            found.append(_note(start, event.tick, pitch, division))
        if _begins(event):
            begun[pitch] = event.tick
    if begun:
        pitch, start = begun.popitem()
        raise FileError(f"it is damaged: pitch {pitch}, begun at tick {start}, never ends")
    return sorted(found)


def _note(start: int, stop: int, pitch: int, division: int) -> Note:
    exact = start * STEPS_PER_QUARTER / division
    first = round(exact)
    if abs(exact - first) > FARTHEST_FROM_GRID:
        raise FileError(
            f"a note begins {exact:.2f} sixteenths in, between two of them: quantise the file to "
            "sixteenths first"
        )
    return Note(first, max(_step(stop, division) - first, 1), pitch)


def _begins(event: Event) -> bool:
    """Whether a note begins: MIDI lets a note_on of velocity 0 stand for a note_off."""
    return event.kind == "note_on" and event.data[1] > 0


def _by_voice(lines: Sequence[_Line]) -> list[_Line]:
    """``lines`` as S A T B."""
    if len(lines) != len(Voice):
        lines_of = "track or channel" if len(lines) == 1 else "tracks or channels"
        raise FileError(
            f"it has {len(lines)} {lines_of} with notes: expected four, one for each voice"
        )
    if {line.name for line in lines} == _NAMES:
        return sorted(lines, key=lambda line: Voice[line.name.upper()])
    return sorted(lines, key=_height, reverse=True)


def _height(line: _Line) -> float:
    """The mean pitch of a line, below every pitch where it has no notes."""
    return fmean(note.pitch for note in line.notes) if line.notes else float(REST)


def _meter(told: Sequence[Event], division: int) -> tuple[int, Meter]:
    """Pickup in steps, and the meter; a first signature that lasts less than a bar is a pickup."""
    signatures: list[Event] = []
    for event in told:
        if event.kind == "time_signature" and (
            not signatures or event.data[:2] != signatures[-1].data[:2]
        ):
            signatures.append(event)
    if not signatures:
        return 0, Meter()
    meter = _signature(signatures[-1])
    pickup = _step(signatures[-1].tick, division) if len(signatures) > 1 else 0
    if len(signatures) > 2 or pickup >= meter.steps:  # noqa: PLR2004  # a pickup's, and the meter
        raise FileError(
            f"its meter changes at tick {signatures[1].tick}: expected one meter throughout"
        )
    return pickup, meter


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
    accidental, letter = divmod(fifths + (4 if minor else 1), len(_FIFTHS))
    return Key(_FIFTHS[letter] + _ACCIDENTALS[accidental], "minor" if minor else "major")


def _tempo(told: Sequence[Event], remark: Remark | None) -> float:
    """Quarters a minute: the first tempo, or the remark's where one of the tempos is the same.

    The first may be the slower one of a fermata, so each is asked.
    """
    tempos = [int.from_bytes(event.data) for event in told if event.kind == "tempo"]
    if 0 in tempos:
        raise FileError("it is damaged: a tempo of 0 microseconds a quarter")
    if remark and microseconds(remark.tempo) in tempos:
        return remark.tempo
    return _MICROSECONDS_A_MINUTE / (tempos[0] if tempos else USUAL_TEMPO)


def _fermatas(told: Sequence[Event], division: int, steps: int) -> Iterator[tuple[int, int]]:
    """The ranges between markers; a fermata whose end is lost holds one step."""
    begun: int | None = None
    for event in told:
        if event.kind != "marker" or event.data not in _FERMATA_MARKERS:
            continue
        step = min(_step(event.tick, division), steps)
        begins = event.data == _FERMATA_MARKERS[0]
        if begun is not None and begun < steps:
            yield begun, begun + 1 if begins else max(step, begun + 1)
        begun = step if begins else None
    if begun is not None and begun < steps:
        yield begun, begun + 1


def _remark(told: Sequence[Event]) -> Remark | None:
    texts = (_text(event) for event in told if event.kind == "text")
    return next((remark for text in texts if (remark := midi_remark.parse(text))), None)


def _name(track: Sequence[Event]) -> str:
    return next((_text(event) for event in track if event.kind == "track_name"), "")


def _text(event: Event) -> str:
    """UTF-8 as musicrel writes it, else latin-1, which older programs mean and any byte fits."""
    try:
        return event.data.decode("utf-8")
    except UnicodeDecodeError:
        return event.data.decode("latin-1")


def _step(tick: int, division: int) -> int:
    """The step nearest to ``tick``."""
    return round(tick * STEPS_PER_QUARTER / division)
