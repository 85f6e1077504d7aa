"""MIDI files of other programs: their interpretation and the report."""

from __future__ import annotations

import struct
from dataclasses import replace

import pytest

from musicrel.chorale import MAX_STEPS, Chorale, Key, Meter, Voice
from musicrel.errors import UsageError
from musicrel.score.importing import satb_import
from musicrel.score.importing.conversion import ImportedPiece
from musicrel.score.midi import midi_events, midi_reader, midi_writer
from musicrel.score.midi.midi_events import Event, MidiFile
from musicrel.score.notes import Note, notes

_PITCHES = (72, 65, 55, 48)


def reading(file: MidiFile) -> ImportedPiece:
    return satb_import.import_satb(midi_reader.to_source(file))


def chorale_of(file: MidiFile) -> Chorale:
    return reading(file).chorale


def _notes(*ranges: tuple[int, int], pitch: int, channel: int = 0) -> list[Event]:
    """Build the events of notes with start and end in ticks."""
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


def _quartet(*meta_events: Event, division: int = 96) -> MidiFile:
    voices = [_track(*_notes((0, 2 * division), pitch=pitch)) for pitch in _PITCHES]
    return _file(_track(*meta_events, name="Air"), *voices, division=division)


def _with_track(index: int, track: tuple[Event, ...]) -> MidiFile:
    file = _quartet()
    return replace(file, tracks=(*file.tracks[:index], track, *file.tracks[index + 1 :]))


def _signature(tick: int, numerator: int, exponent: int) -> Event:
    return Event(tick, "time_signature", -1, bytes([numerator, exponent, 24, 8]))


def test_four_unnamed_tracks_are_the_voices_from_high_to_low() -> None:
    quartet = _quartet()
    upside_down = replace(quartet, tracks=(quartet.tracks[0], *quartet.tracks[:0:-1]))
    piece = chorale_of(upside_down)
    assert piece == Chorale.of([_PITCHES] * 8, title="Air", tempo=120.0)


def test_the_channels_of_one_track_are_the_voices() -> None:
    events = [
        e for c, pitch in enumerate(_PITCHES) for e in _notes((0, 96), pitch=pitch, channel=c)
    ]
    drums = _notes((0, 24), pitch=40, channel=9)
    ordered = sorted([*events, *drums], key=lambda event: event.tick)

    piece = chorale_of(_file(_track(*ordered, name="Air"), form=0))

    assert piece == Chorale.of([_PITCHES] * 4, title="Air", tempo=120.0)


def test_a_note_on_of_velocity_0_ends_a_note() -> None:
    quartet = _quartet()
    tracks = tuple(
        tuple(e._replace(kind="note_on") if e.kind == "note_off" else e for e in track)
        for track in quartet.tracks
    )
    assert chorale_of(replace(quartet, tracks=tracks)).steps == 8


@pytest.mark.parametrize("division", [1, 24, 96, 220, 480, 1024, 10_080])
def test_any_number_of_ticks_per_quarter_is_supported(division: int) -> None:
    assert chorale_of(_quartet(division=division)).steps == 8


def test_ends_are_rounded_to_the_nearest_sixteenth() -> None:
    """Notation programs shorten notes slightly; a staccato sixteenth remains one."""
    soprano = _track(*_notes((0, 455), (480, 490), (600, 950), pitch=72))
    others = [_track(*_notes((0, 960), pitch=pitch)) for pitch in _PITCHES[1:]]
    piece = chorale_of(_file(soprano, *others, division=480))
    assert notes(piece, Voice.SOPRANO) == [Note(0, 4, 72), Note(4, 1, 72), Note(5, 3, 72)]


def test_a_foreign_key_signature_becomes_a_key() -> None:
    keys = {
        chorale_of(_quartet(Event(0, "key_signature", -1, data))).key
        for data in (b"\xf9\0", b"\7\0", b"\xf9\1", b"\7\1", b"\0\0", b"\xfe\1")
    }
    expected = {"Cb major", "C# major", "C major", "Ab minor", "A# minor", "G minor"}
    assert {str(key) for key in keys} == expected


def test_a_first_signature_shorter_than_a_bar_is_a_pickup() -> None:
    """The meter is the following one; repeating it is not a change."""
    meta_events = [_signature(0, 1, 2), _signature(96, 3, 2), _signature(192, 3, 2)]
    piece = chorale_of(_quartet(*meta_events))
    assert (piece.pickup, piece.meter) == (4, Meter(3, 4))


def test_edited_events_take_precedence_over_the_metadata(hymn: Chorale) -> None:
    file = midi_events.parse(midi_writer.to_bytes(hymn))
    changes = {"tempo": (500_000).to_bytes(3), "key_signature": b"\1\0"}
    tempo_track = tuple(e._replace(data=changes.get(e.kind, e.data)) for e in file.tracks[0])

    piece = chorale_of(replace(file, tracks=(tempo_track, *file.tracks[1:])))

    assert piece == replace(hymn, tempo=120.0, key=Key("G", "major"))


def test_a_fermata_without_an_end_marker_spans_one_step() -> None:
    meta_events = [Event(tick, "marker", -1, b"fermata") for tick in (24, 96, 4800)]
    piece = chorale_of(_quartet(*meta_events))
    assert piece.fermatas.nonzero()[0].tolist() == [1, 4]


def test_the_first_valid_event_of_a_kind_counts() -> None:
    meta_events = [
        event
        for tick, tempo, fifths, meter in ((0, 0, 9, 0), (0, 600_000, 2, 3), (96, 1, 9, 33))
        for event in (
            Event(tick, "tempo", -1, tempo.to_bytes(3)),
            Event(tick, "key_signature", -1, bytes([fifths, 0])),
            _signature(tick, meter, 2),
        )
    ]

    read = reading(_quartet(*meta_events, _signature(120, 3, 2)))

    piece = read.chorale
    assert (piece.tempo, piece.key, piece.meter) == (100, Key("D", "major"), Meter(3, 4))
    assert len(read.report) == 2


def test_changes_of_key_are_kept_with_their_times() -> None:
    quartet = _quartet(
        *(
            Event(tick, "key_signature", -1, bytes([n, 0]))
            for tick, n in ((0, 1), (96, 1), (192, 3))
        )
    )
    first, soprano, *others = quartet.tracks
    clarinet = (Event(0, "key_signature", -1, b"\3\0"), *soprano)

    source = midi_reader.to_source(replace(quartet, tracks=(first, clarinet, *others)))

    assert source.key == Key("G", "major")
    assert source.keys == ((0.0, Key("G", "major")), (8.0, Key("A", "major")))


def test_a_change_of_meter_is_reported_and_the_first_meter_kept() -> None:
    meta_events = [_signature(0, 2, 2), _signature(960, 3, 2), _signature(960 + 288, 2, 2)]
    tracks = [_track(*_notes((0, 1920), pitch=pitch)) for pitch in _PITCHES]

    read = reading(_file(_track(*meta_events), *tracks))

    assert read.chorale.meter == Meter(2, 4)
    assert read.report == (
        "meter changes (3/4 from bar 6 and 2/4 from bar 7) were dropped: 2/4 throughout",
    )


def _in_tempos(*seconds: float) -> ImportedPiece:
    """Read three bars and two quarters whose quarters last so long."""
    meta_events = [
        Event(96 * quarter, "tempo", -1, round(length * 1e6).to_bytes(3))
        for quarter, length in enumerate(seconds)
    ]
    tracks = [_track(*_notes((0, 14 * 96), pitch=pitch)) for pitch in _PITCHES]
    return reading(_file(_track(*meta_events), *tracks))


def test_a_change_of_tempo_is_kept() -> None:
    read = _in_tempos(*(0.6,) * 5, 0.3)

    assert read.chorale.tempos()[[0, 19, 20, 55]] == pytest.approx([100, 100, 200, 200])
    assert read.report == ()


def test_a_tempo_that_falls_is_a_ritardando() -> None:
    read = _in_tempos(*(0.6,) * 9, 0.65, 0.7, 0.75, 0.6)

    (mark,) = read.chorale.marks
    assert (mark.kind, mark.start, mark.stop, mark.value) == ("slowing", 36, 48, 80.0)
    assert read.report == ()


def test_tempos_that_change_with_every_beat_are_dropped() -> None:
    read = _in_tempos(*(0.6, 0.5) * 6)

    assert read.chorale.marks == ()
    assert read.report == ("tempo changes in bars 1 to 3 were dropped: 100 throughout",)


def test_triplets_are_quantised_and_their_bars_named() -> None:
    triplets = [(32 * i, 32 * (i + 1)) for i in range(3)] + [(384, 416), (416, 448), (448, 480)]
    odd = _track(*_notes(*triplets, (768, 864), pitch=72))
    others = [_track(*_notes((0, 864), pitch=pitch)) for pitch in _PITCHES[1:]]

    read = reading(_file(_track(), odd, *others))

    soprano = notes(read.chorale, Voice.SOPRANO)
    assert [note.start for note in soprano] == [0, 1, 3, 16, 17, 19, 32]
    assert [note.length for note in soprano[:3]] == [1, 2, 1]
    assert read.report == (
        "notes off the sixteenth-note grid (triplets?) were quantised in bars 1 and 2",
    )


def test_the_longer_of_two_notes_within_one_sixteenth_is_kept() -> None:
    line = _track(*_notes((0, 8), (8, 24), (24, 36), (36, 48), pitch=72))
    others = [_track(*_notes((0, 96), pitch=pitch)) for pitch in _PITCHES[1:]]

    read = reading(_file(_track(), line, *others))

    assert notes(read.chorale, Voice.SOPRANO) == [Note(0, 1, 72), Note(1, 1, 72)]
    assert "notes too short for the sixteenth-note grid were left out in bar 1" in read.report


def test_notes_of_zero_length_are_left_out() -> None:
    empty = _notes((0, 0), (96, 96), pitch=74)
    line = _track(*sorted([*_notes((0, 96), (96, 192), pitch=72), *empty], key=lambda e: e.tick))

    read = reading(_with_track(1, line))

    assert notes(read.chorale, Voice.SOPRANO) == [Note(0, 4, 72), Note(4, 4, 72)]
    assert read.report == ("notes of zero length were left out in bar 1",)


def test_an_extremely_long_piece_is_cut_without_allocating_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MUSICREL_MAX_GAP", "99999999")
    voices = [_track(*_notes((0, 2**31 - 1), pitch=pitch)) for pitch in _PITCHES]

    read = reading(_file(*voices))

    assert read.chorale.steps == MAX_STEPS
    assert "it is 89,478,485 sixteenths long" in read.report[0]
    assert "the first 16,384 were kept" in read.report[0]


def test_changes_of_meter_beyond_the_length_limit_are_cheap() -> None:
    meta_events = [_signature(0, 1, 4), _signature(2**30, 1, 4), _signature(2**31 - 1, 3, 2)]
    assert chorale_of(_quartet(*meta_events)).meter == Meter(1, 16)


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
    read = piece(*events)
    assert read.chorale.steps <= 4 * midi_reader.MAX_GAP + 4
    assert read.chorale.pitches[0, 0] == 60
    assert any("hundreds of quarters after bar 1" in one for one in read.report)


def test_the_limit_can_be_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(midi_reader.VARIABLE, "10000000")
    assert piece(sounding(60, b"\0", _LONGEST)).chorale.steps == 16_384


@pytest.mark.parametrize("text", ["", "0", "-5", "many", "²"])
def test_the_limit_is_a_number(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(midi_reader.VARIABLE, text)
    with pytest.raises(UsageError, match=r"MUSICREL_MAX_GAP is .*: expected a number of quarters"):
        piece(sounding(60, b"\0", QUARTER))
