"""MIDI files of musicrel: their content, and the round trip."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from musicrel.chorale import Chorale, Key, Meter, Provenance
from musicrel.errors import DataError, FileError
from musicrel.score import files
from musicrel.score.instruments import Sound
from musicrel.score.midi import midi_events, midi_writer
from musicrel.score.midi.midi_events import Event
from tests.helpers import midi_files

_TICKS_PER_STEP = 120


def _tracks(piece: Chorale, *, stretch_fermatas: bool = False) -> tuple[tuple[Event, ...], ...]:
    return midi_events.parse(midi_writer.to_bytes(piece, stretch_fermatas=stretch_fermatas)).tracks


def _of(kind: str, events: tuple[Event, ...]) -> list[tuple[float, bytes]]:
    """List step and data of each event of ``kind``."""
    return [(event.tick / _TICKS_PER_STEP, event.data) for event in events if event.kind == kind]


def test_every_field_round_trips(hymn: Chorale, tmp_path: Path) -> None:
    """Through a file on disk."""
    path = tmp_path / "hymn.mid"

    midi_writer.write(hymn, path)

    assert files.read(path) == hymn


@pytest.mark.parametrize(
    "change",
    [
        {"provenance": None},
        {"key": None},
        {"key": None, "provenance": None, "title": "", "tempo": 60},
        {"tempo": 5.0},
        {"tempo": 600.0},
        {"tempo": 100 / 3},
        {"tempo": 83.00000001},
        {"title": "Bass"},
        {"title": "musicrel:{}"},
        {"composer": "J. S. Bach"},
        {"composer": "ä ♭ 𝄞", "title": ""},
        {"title": "ä ♭ 𝄞"},
        {"fermatas": np.ones(24, dtype=np.bool_)},
        {"fermatas": np.zeros(24, dtype=np.bool_)},
        {"fermatas": np.arange(24) % 2 == 0},
        {"fermatas": np.arange(24) % 2 == 1},
    ],
    ids=str,
)
@pytest.mark.parametrize("stretch", [False, True])
def test_each_field_round_trips_independently(
    hymn: Chorale, change: dict[str, object], stretch: bool
) -> None:
    """With and without stretched fermatas."""
    piece = replace(hymn, **change)  # type: ignore[arg-type]  # a table of fields

    assert midi_files.chorale_of(midi_writer.to_bytes(piece, stretch_fermatas=stretch)) == piece


_TONICS = (
    *("C", "D", "E", "F", "G", "A", "B"),
    *("C#", "D#", "F#", "G#", "A#"),
    *("Cb", "Db", "Eb", "Gb", "Ab", "Bb"),
)


@pytest.mark.parametrize("mode", ["major", "minor"])
@pytest.mark.parametrize("tonic", _TONICS)
def test_every_key_keeps_its_spelling(hymn: Chorale, tonic: str, mode: str) -> None:
    """Including G# major, for which MIDI has no signature."""
    piece = replace(hymn, key=Key.parse(f"{tonic} {mode}"))

    assert midi_files.chorale_of(midi_writer.to_bytes(piece)).key == piece.key


@pytest.mark.parametrize("meter", ["4/4", "3/4", "6/8", "3/2", "2/2", "5/16", "1/16", "32/1"])
def test_every_meter_and_pickup_round_trips(hymn: Chorale, meter: str) -> None:
    """Including a pickup longer than the piece."""
    for pickup in range(Meter.parse(meter).steps):
        piece = replace(hymn, meter=Meter.parse(meter), pickup=pickup)

        assert midi_files.chorale_of(midi_writer.to_bytes(piece)) == piece


def test_a_voice_without_notes_round_trips() -> None:
    """It has a track; a piece of rests has four."""
    silent = Chorale.of([[72, -1, -1, 48]] * 4)
    empty = Chorale.of([[-1] * 4] * 7)

    assert midi_files.chorale_of(midi_writer.to_bytes(silent)) == silent
    assert midi_files.chorale_of(midi_writer.to_bytes(empty)) == empty


def test_crossed_voices_stay_themselves() -> None:
    """Voices are identified by track name, not by pitch."""
    crossed = Chorale.of([[48, 55, 60, 72]] * 4)

    assert midi_files.chorale_of(midi_writer.to_bytes(crossed)) == crossed


def _anything(rng: np.random.Generator) -> Chorale:
    """Build a random piece of 1 to 60 steps with any value in each field."""
    steps = int(rng.integers(1, 60))
    pitches = np.empty((steps, 4), dtype=np.int16)
    onsets = np.zeros((steps, 4), dtype=np.bool_)
    for voice in range(4):
        step = 0
        while step < steps:
            length, pitch = int(rng.integers(1, 6)), int(rng.choice([-1, 0, 60, 61, 127]))
            pitches[step : step + length, voice] = pitch
            onsets[step, voice] = pitch >= 0
            step += length
    meter = Meter.parse(str(rng.choice(["4/4", "3/4", "6/8", "3/2", "7/16"])))
    origin = Provenance(model="m", sha256="a", seed=int(rng.integers(2**62)), settings={"x": [1.5]})
    return Chorale(
        pitches=pitches,
        onsets=onsets,
        fermatas=rng.random(steps) < 0.2,
        meter=meter,
        pickup=int(rng.integers(meter.steps)),
        key=Key.of(int(rng.integers(12)), "minor") if rng.random() < 0.8 else None,
        tempo=float(rng.uniform(5, 600)),
        provenance=origin if rng.random() < 0.5 else None,
    )


def test_any_chorale_round_trips() -> None:
    """300 random pieces, with and without stretched fermatas."""
    rng = np.random.default_rng(7)
    for _ in range(300):
        piece = _anything(rng)

        assert midi_files.chorale_of(midi_writer.to_bytes(piece)) == piece
        assert midi_files.chorale_of(midi_writer.to_bytes(piece, stretch_fermatas=True)) == piece


def test_the_composer_is_an_event_of_musescore(hymn: Chorale) -> None:
    """In the soprano, after the title; without a composer there is neither."""
    tracks = midi_writer.to_mido(replace(hymn, composer="Jörg")).tracks
    found = [
        (number, message.type_byte, bytes(message.data).decode("utf-8"))
        for number, track in enumerate(tracks)
        for message in track
        if message.type == "unknown_meta"
    ]

    assert found == [(1, 0x10, hymn.title), (1, 0x12, "Jörg")]
    plain = midi_writer.to_mido(hymn)
    assert not [m for track in plain.tracks for m in track if m.type == "unknown_meta"]


def test_a_composer_with_a_lone_surrogate_is_refused(hymn: Chorale) -> None:
    """The message names it."""
    with pytest.raises(DataError, match=r"the composer .* cannot be encoded as UTF-8: change it"):
        midi_writer.to_bytes(replace(hymn, composer="a\udcff"))


def test_a_tempo_track_and_four_named_voices_are_written(hymn: Chorale) -> None:
    """Format 1, 480 ticks per quarter, channels 0 to 3; every track ends with the piece."""
    file = midi_events.parse(midi_writer.to_bytes(hymn))

    assert (file.format, file.division) == (1, 480)
    names = [_of("track_name", track)[0][1].decode() for track in file.tracks]
    assert names == [hymn.title, "Soprano", "Alto", "Tenor", "Bass"]
    channels = [{event.channel for event in track} - {-1} for track in file.tracks]
    assert channels == [set(), {0}, {1}, {2}, {3}]
    assert [track[-1].tick for track in file.tracks] == [24 * _TICKS_PER_STEP] * 5


@pytest.mark.parametrize(("sound", "program"), [("choir", 52), ("organ", 19)])
def test_all_voices_have_the_program_of_the_sound(
    hymn: Chorale, sound: Sound, program: int
) -> None:
    """General MIDI Choir Aahs or Church Organ."""
    file = midi_events.parse(midi_writer.to_bytes(hymn, sound=sound))

    assert [_of("program", track) for track in file.tracks[1:]] == [[(0, bytes([program]))]] * 4


def test_the_key_signature_is_in_every_track(hymn: Chorale) -> None:
    """MuseScore ignores it in the tempo track, pretty_midi everywhere else."""
    signatures = [_of("key_signature", track) for track in _tracks(hymn)]

    assert signatures == [[(0, b"\xfe\0")]] * 5


def test_no_text_event_is_written(hymn: Chorale) -> None:
    """MuseScore prints them into the score."""
    kinds = {event.kind for track in _tracks(hymn) for event in track}

    assert "text" not in kinds


def test_a_repeated_note_ends_before_it_begins_again(hymn: Chorale) -> None:
    """The first G of the soprano ends and starts at step 4, in this order."""
    kinds = [e.kind for e in _tracks(hymn)[1] if e.tick == 4 * _TICKS_PER_STEP]

    assert kinds == ["note_off", "note_on"]


@pytest.mark.parametrize(
    ("pickup", "signature"),
    [(1, (1, 16)), (2, (1, 8)), (3, (3, 16)), (4, (1, 4)), (6, (3, 8)), (8, (2, 4)), (12, (3, 4))],
)
def test_a_pickup_is_a_first_bar_with_its_own_signature(
    hymn: Chorale, pickup: int, signature: tuple[int, int]
) -> None:
    """The meter follows at the first complete bar."""
    first, second = _of("time_signature", _tracks(replace(hymn, pickup=pickup))[0])

    assert first[0] == 0
    assert (first[1][0], 2 ** first[1][1]) == signature
    assert (second[0], second[1][:2]) == (pickup, b"\4\2")


def test_a_piece_without_pickup_has_one_signature(hymn: Chorale) -> None:
    """It is at the start."""
    assert [step for step, _ in _of("time_signature", _tracks(replace(hymn, pickup=0))[0])] == [0]


def test_fermatas_are_written_as_markers(hymn: Chorale) -> None:
    """One at the start and one at the end of each span."""
    assert _of("marker", _tracks(hymn)[0]) == [
        (12, b"fermata"),
        (16, b"fermata end"),
        (22, b"fermata"),
        (24, b"fermata end"),
    ]


def test_the_tempo_is_constant_unless_fermatas_are_stretched(hymn: Chorale) -> None:
    """Stretched ones are FERMATA_STRETCH times as long."""
    normal = 827_586
    slow = round(60e6 / 72.5 * midi_writer.FERMATA_STRETCH)

    plain = _of("tempo", _tracks(hymn)[0])
    stretched = _of("tempo", _tracks(hymn, stretch_fermatas=True)[0])

    assert [(step, int.from_bytes(data)) for step, data in plain] == [(0, normal)]
    assert [(step, int.from_bytes(data)) for step, data in stretched] == [
        (0, normal),
        (12, slow),
        (16, normal),
        (22, slow),
        (24, normal),
    ]


def test_the_same_chorale_gives_the_same_bytes(hymn: Chorale) -> None:
    """The output depends on neither time nor randomness."""
    assert midi_writer.to_bytes(hymn) == midi_writer.to_bytes(hymn)


def test_writing_is_thread_safe(hymn: Chorale) -> None:
    """The character set of mido is a global variable."""
    with ThreadPoolExecutor(4) as pool:
        contents = set(pool.map(lambda _: midi_writer.to_bytes(hymn), range(40)))

    assert contents == {midi_writer.to_bytes(hymn)}


def test_a_title_with_a_lone_surrogate_is_refused_and_the_next_one_written(hymn: Chorale) -> None:
    """These come from file names in other encodings."""
    with pytest.raises(DataError, match="cannot be encoded as UTF-8: change it"):
        midi_writer.to_bytes(replace(hymn, title="a\udcff"))
    assert midi_files.chorale_of(midi_writer.to_bytes(hymn)) == hymn


def test_a_file_too_long_to_be_read_is_not_written(hymn: Chorale) -> None:
    """Every written file can be read back."""
    with pytest.raises(DataError, match=r"the file would have 4,.* bytes, more than 4,000,000"):
        midi_writer.to_bytes(replace(hymn, title="a" * 4_000_000))


def test_a_damaged_file_is_named(hymn: Chorale, tmp_path: Path) -> None:
    """The message identifies the file among many."""
    path = tmp_path / "torn.mid"
    path.write_bytes(midi_writer.to_bytes(hymn)[:99])

    with pytest.raises(FileError, match=r"cannot read .*torn\.mid: it is truncated"):
        files.read(path)


def test_a_huge_file_is_refused_before_parsing(tmp_path: Path) -> None:
    """The limit is checked on reading."""
    path = tmp_path / "huge.mid"
    path.write_bytes(b"MThd" + b"\0" * 4_000_000)

    with pytest.raises(FileError, match="at most 4,000,000 are read"):
        files.read(path)
