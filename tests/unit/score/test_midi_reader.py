"""MIDI files of other programs: which are understood, and what the others are told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from musicrel.chorale import Chorale, Key, Meter, Voice
from musicrel.errors import DataError, FileError
from musicrel.score import midi, midi_events, midi_reader
from musicrel.score.midi_events import Event, MidiFile
from musicrel.score.notes import Note, notes

_PITCHES = (72, 65, 55, 48)


def _sung(*ranges: tuple[int, int], pitch: int, channel: int = 0) -> list[Event]:
    """Notes from and to ticks."""
    return [
        event
        for start, stop in ranges
        for event in (
            Event(start, "note_on", channel, bytes([pitch, 64])),
            Event(stop, "note_off", channel, bytes([pitch, 0])),
        )
    ]


def _track(*events: Event, name: str = "") -> tuple[Event, ...]:
    named = [Event(0, "track_name", -1, name.encode())] if name else []
    end = max((event.tick for event in events), default=0)
    return (*named, *events, Event(end, "end_of_track", -1, b""))


def _file(*tracks: tuple[Event, ...], form: int = 1, division: int = 96) -> MidiFile:
    return MidiFile(format=form, division=division, tracks=tracks)


def _quartet(*told: Event, division: int = 96) -> MidiFile:
    """A half note in four unnamed tracks after a conductor that says ``told``."""
    voices = [_track(*_sung((0, 2 * division), pitch=pitch)) for pitch in _PITCHES]
    return _file(_track(*told, name="Air"), *voices, division=division)


def _signature(tick: int, numerator: int, exponent: int) -> Event:
    return Event(tick, "time_signature", -1, bytes([numerator, exponent, 24, 8]))


def test_four_unnamed_tracks_are_the_voices_from_high_to_low() -> None:
    """What nothing tells is usual: 4/4, 120 quarters a minute, no key, no origin."""
    quartet = _quartet()
    upside_down = replace(quartet, tracks=(quartet.tracks[0], *quartet.tracks[:0:-1]))

    piece = midi_reader.chorale_of(upside_down)

    assert piece == Chorale.of([_PITCHES] * 8, title="Air", tempo=120.0)


def test_one_track_with_four_channels_is_understood() -> None:
    """Format 0 names the piece by its only track; drums and other channels do not count."""
    events = [e for c, pitch in enumerate(_PITCHES) for e in _sung((0, 96), pitch=pitch, channel=c)]
    drums = _sung((0, 24), pitch=40, channel=9)
    ordered = sorted([*events, *drums], key=lambda event: event.tick)

    piece = midi_reader.chorale_of(_file(_track(*ordered, name="Air"), form=0))

    assert piece == Chorale.of([_PITCHES] * 4, title="Air", tempo=120.0)


def test_a_note_on_of_velocity_0_ends_a_note() -> None:
    """As many programs write."""
    quartet = _quartet()
    tracks = tuple(
        tuple(e._replace(kind="note_on") if e.kind == "note_off" else e for e in track)
        for track in quartet.tracks
    )

    assert midi_reader.chorale_of(replace(quartet, tracks=tracks)).steps == 8


def test_a_repeated_note_survives_whatever_the_order_at_its_tick() -> None:
    """Some programs begin the second before they end the first."""
    first, *rest = _quartet().tracks[1:]
    begin, end = Event(96, "note_on", 0, b"\x48\x40"), Event(96, "note_off", 0, b"\x48\x00")
    twice = _track(first[0], begin, end, *first[1:-1])

    piece = midi_reader.chorale_of(_file(twice, *rest))

    assert notes(piece, Voice.SOPRANO) == [Note(0, 4, 72), Note(4, 4, 72)]


@pytest.mark.parametrize("division", [1, 24, 96, 220, 480, 1024, 10_080])
def test_any_number_of_ticks_a_quarter_is_understood(division: int) -> None:
    """Steps do not depend on how finely a program counts."""
    assert midi_reader.chorale_of(_quartet(division=division)).steps == 8


def test_ends_go_to_the_nearest_sixteenth() -> None:
    """Notation programs shorten notes a little; a staccato sixteenth stays one."""
    soprano = _track(*_sung((0, 455), (480, 490), (600, 950), pitch=72))
    others = [_track(*_sung((0, 960), pitch=pitch)) for pitch in _PITCHES[1:]]

    piece = midi_reader.chorale_of(_file(soprano, *others, division=480))

    assert notes(piece, Voice.SOPRANO) == [Note(0, 4, 72), Note(4, 1, 72), Note(5, 3, 72)]


def test_a_foreign_key_signature_becomes_a_key() -> None:
    """Sharps and flats up to seven, in both modes."""
    keys = {
        midi_reader.chorale_of(_quartet(Event(0, "key_signature", -1, data))).key
        for data in (b"\xf9\0", b"\7\0", b"\xf9\1", b"\7\1", b"\0\0", b"\xfe\1")
    }

    assert {str(key) for key in keys} == {
        "Cb major",
        "C# major",
        "Ab minor",
        "A# minor",
        "C major",
        "G minor",
    }


def test_a_first_signature_shorter_than_a_bar_is_a_pickup() -> None:
    """The meter is the one that follows; saying it twice is no change."""
    told = [_signature(0, 1, 2), _signature(96, 3, 2), _signature(192, 3, 2)]

    piece = midi_reader.chorale_of(_quartet(*told))

    assert (piece.pickup, piece.meter) == (4, Meter(3, 4))


def test_a_name_in_latin_1_is_read_as_such() -> None:
    """Older programs write no UTF-8."""
    quartet = _quartet()
    conductor = _track(Event(0, "track_name", -1, "Für".encode("latin-1")))

    piece = midi_reader.chorale_of(replace(quartet, tracks=(conductor, *quartet.tracks[1:])))

    assert piece.title == "Für"


def test_another_programs_changes_win_over_the_remark(hymn: Chorale) -> None:
    """A new tempo or key counts, the origin is kept."""
    file = midi_events.parse(midi.to_bytes(hymn))
    changes = {"tempo": (500_000).to_bytes(3), "key_signature": b"\1\0"}
    conductor = tuple(e._replace(data=changes.get(e.kind, e.data)) for e in file.tracks[0])

    piece = midi_reader.chorale_of(replace(file, tracks=(conductor, *file.tracks[1:])))

    assert piece == replace(hymn, tempo=120.0, key=Key("G", "major"))


def test_a_remark_cut_short_costs_the_origin_but_not_the_notes(hymn: Chorale) -> None:
    """Some programs cut long texts."""
    file = midi_events.parse(midi.to_bytes(hymn))
    conductor = tuple(
        e._replace(data=e.data[:40]) if e.kind == "text" else e for e in file.tracks[0]
    )

    piece = midi_reader.chorale_of(replace(file, tracks=(conductor, *file.tracks[1:])))

    assert piece.tempo == pytest.approx(72.5, abs=1e-4)
    assert replace(piece, tempo=72.5) == replace(hymn, provenance=None)


def test_a_fermata_whose_end_is_lost_holds_one_step() -> None:
    """A marker of that name may come from anyone."""
    told = [Event(tick, "marker", -1, b"fermata") for tick in (24, 96, 4800)]

    piece = midi_reader.chorale_of(_quartet(*told))

    assert piece.fermatas.nonzero()[0].tolist() == [1, 4]


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        ([_signature(0, 3, 2), _signature(9, 4, 2), _signature(18, 3, 2)], "changes at tick 9"),
        ([_signature(0, 3, 2), _signature(960, 4, 2)], "its meter changes at tick 960"),
        ([_signature(0, 4, 7)], "unknown meter 4/128"),
        ([_signature(0, 0, 2)], "unknown meter 0/4"),
        ([_signature(0, 4, 255)], "unknown meter 4/"),
        ([Event(0, "tempo", -1, b"\0\0\0")], "a tempo of 0 microseconds"),
        ([Event(0, "key_signature", -1, b"\x08\0")], "8 sharps and mode 0, expected -7 to 7"),
        ([Event(0, "key_signature", -1, b"\0\2")], "0 sharps and mode 2"),
    ],
)  # fmt: skip
def test_an_impossible_sign_is_named(told: list[Event], sentence: str) -> None:
    """One sentence with the value."""
    with pytest.raises(FileError, match=sentence):
        midi_reader.chorale_of(_quartet(*told))


def test_a_tempo_no_chorale_has_is_named() -> None:
    """The chorale's own limits hold."""
    with pytest.raises(DataError, match="expected 5 to 600 quarter notes"):
        midi_reader.chorale_of(_quartet(Event(0, "tempo", -1, b"\0\0\1")))


@pytest.mark.parametrize("voices", [0, 1, 3, 5])
def test_other_than_four_lines_are_refused(voices: int) -> None:
    """It says how many there are."""
    tracks = [_track(*_sung((0, 96), pitch=60 + voice)) for voice in range(voices)]

    with pytest.raises(FileError, match=rf"it has {voices} track.* with notes: expected"):
        midi_reader.chorale_of(_file(_track(), *tracks))


@pytest.mark.parametrize("start", [32, 12, 80])
def test_notes_between_sixteenths_are_refused(start: int) -> None:
    """A triplet or a thirty-second is not bent silently."""
    quartet = _quartet()
    odd = _track(*_sung((start, 160), pitch=72))

    with pytest.raises(FileError, match="between two of them: quantise the file to sixteenths"):
        midi_reader.chorale_of(replace(quartet, tracks=(odd, *quartet.tracks[2:])))


def test_two_notes_at_once_in_a_voice_are_refused() -> None:
    """The voice and the step are named."""
    alto = _track(*_sung((0, 96), pitch=60), *_sung((96, 192), (96, 192), pitch=64))
    chord = _track(*sorted([*alto, *_sung((48, 96), pitch=62)], key=lambda event: event.tick))
    quartet = _quartet()
    tracks = (*quartet.tracks[:2], chord, *quartet.tracks[3:])

    with pytest.raises(DataError, match="Alto, step 2: a note begins while another still sounds"):
        midi_reader.chorale_of(replace(quartet, tracks=tracks))


def test_a_note_that_never_ends_is_refused() -> None:
    """Pitch and tick are named."""
    quartet = _quartet()
    open_end = _track(Event(0, "note_on", 0, b"\x48\x40"))

    with pytest.raises(FileError, match="pitch 72, begun at tick 0, never ends"):
        midi_reader.chorale_of(replace(quartet, tracks=(open_end, *quartet.tracks[2:])))


def test_a_piece_of_years_is_refused_before_memory_is_asked_for() -> None:
    """A tick may be two thousand million."""
    voices = [_track(*_sung((0, 2**31 - 1), pitch=pitch)) for pitch in _PITCHES]

    with pytest.raises(DataError, match="the piece has 89478485 sixteenths: expected 1 to 16384"):
        midi_reader.chorale_of(_file(*voices))
