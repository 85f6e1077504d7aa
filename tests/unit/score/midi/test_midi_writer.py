"""MIDI files of musicrel: their content, and the round trip."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pretty_midi
import pytest

from musicrel.analysis.corpus import bundled
from musicrel.chorale import REST, Chorale, Key, Lyric, Mark, Meter, Provenance, Voice
from musicrel.errors import DataError, UsageError
from musicrel.score import files
from musicrel.score.importing import satb_import
from musicrel.score.importing.satb_import import import_satb
from musicrel.score.instruments import Sound
from musicrel.score.midi import midi_events, midi_metadata, midi_reader, midi_writer
from musicrel.score.midi.midi_events import Event, MidiFile
from musicrel.score.midi.midi_writer import TICKS_PER_STEP, Practice
from musicrel.score.midi.pretty_midi_conversion import from_pretty_midi, to_pretty_midi
from musicrel.score.notes import notes
from tests.helpers import midi_files
from tests.helpers.music import with_marks, with_words

_TICKS_PER_STEP = 120


def _tracks(piece: Chorale, *, stretch_fermatas: bool = False) -> tuple[tuple[Event, ...], ...]:
    return midi_events.parse(midi_writer.to_bytes(piece, stretch_fermatas=stretch_fermatas)).tracks


def _of(kind: str, events: tuple[Event, ...]) -> list[tuple[float, bytes]]:
    return [(event.tick / _TICKS_PER_STEP, event.data) for event in events if event.kind == kind]


@pytest.mark.parametrize(
    "change",
    [
        {"provenance": None}, {"key": None},
        {"key": None, "provenance": None, "title": "", "tempo": 60}, {"tempo": 5.0},
        {"tempo": 600.0}, {"tempo": 100 / 3}, {"tempo": 83.00000001}, {"title": "Bass"},
        {"title": "musicrel:{}"}, {"composer": "J. S. Bach"}, {"composer": "ä ♭ 𝄞", "title": ""},
        {"title": "ä ♭ 𝄞"}, {"fermatas": np.ones(24, dtype=np.bool_)},
        {"fermatas": np.zeros(24, dtype=np.bool_)}, {"fermatas": np.arange(24) % 2 == 0},
        {"fermatas": np.arange(24) % 2 == 1},
    ],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("stretch", [False, True])
def test_each_field_round_trips_independently(
    hymn: Chorale, change: dict[str, object], stretch: bool
) -> None:
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
    piece = replace(hymn, key=Key.parse(f"{tonic} {mode}"))
    assert midi_files.chorale_of(midi_writer.to_bytes(piece)).key == piece.key


@pytest.mark.parametrize("meter", ["4/4", "3/4", "6/8", "3/2", "2/2", "5/16", "1/16", "32/1"])
def test_every_meter_and_pickup_round_trips(hymn: Chorale, meter: str) -> None:
    for pickup in range(Meter.parse(meter).steps):
        piece = replace(hymn, meter=Meter.parse(meter), pickup=pickup)
        assert midi_files.chorale_of(midi_writer.to_bytes(piece)) == piece


def test_any_chorale_round_trips() -> None:
    """Voices without notes and crossed voices as well."""
    silent = Chorale.of([[72, -1, -1, 48]] * 4)
    empty = Chorale.of([[-1] * 4] * 7)
    assert midi_files.chorale_of(midi_writer.to_bytes(silent)) == silent
    assert midi_files.chorale_of(midi_writer.to_bytes(empty)) == empty

    crossed = Chorale.of([[48, 55, 60, 72]] * 4)
    assert midi_files.chorale_of(midi_writer.to_bytes(crossed)) == crossed

    rng = np.random.default_rng(7)
    for seed in range(300):
        piece = with_marks(_anything(rng), seed)
        assert midi_files.chorale_of(midi_writer.to_bytes(piece)) == piece
        assert midi_files.chorale_of(midi_writer.to_bytes(piece, stretch_fermatas=True)) == piece


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


def test_the_composer_is_an_event_of_musescore(hymn: Chorale) -> None:
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


def test_a_tempo_track_and_four_named_voices_are_written(hymn: Chorale) -> None:
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
    file = midi_events.parse(midi_writer.to_bytes(hymn, sound=sound))
    assert [_of("program", track) for track in file.tracks[1:]] == [[(0, bytes([program]))]] * 4


def test_the_key_signature_is_in_every_track_and_a_text_event_in_none(hymn: Chorale) -> None:
    """MuseScore ignores it in the tempo track, pretty_midi everywhere else."""
    signatures = [_of("key_signature", track) for track in _tracks(hymn)]
    assert signatures == [[(0, b"\xfe\0")]] * 5

    kinds = {event.kind for track in _tracks(hymn) for event in track}
    assert "text" not in kinds


@pytest.mark.parametrize(
    ("pickup", "signature"),
    [(1, (1, 16)), (2, (1, 8)), (3, (3, 16)), (4, (1, 4)), (6, (3, 8)), (8, (2, 4)), (12, (3, 4))],
)
def test_a_pickup_is_a_first_bar_with_its_own_signature(
    hymn: Chorale, pickup: int, signature: tuple[int, int]
) -> None:
    first, second = _of("time_signature", _tracks(replace(hymn, pickup=pickup))[0])
    assert first[0] == 0
    assert (first[1][0], 2 ** first[1][1]) == signature
    assert (second[0], second[1][:2]) == (pickup, b"\4\2")


def test_fermatas_are_markers_and_a_piece_without_pickup_has_one_signature(hymn: Chorale) -> None:
    assert [step for step, _ in _of("time_signature", _tracks(replace(hymn, pickup=0))[0])] == [0]

    assert _of("marker", _tracks(hymn)[0]) == [
        (12, b"fermata"),
        (16, b"fermata end"),
        (22, b"fermata"),
        (24, b"fermata end"),
    ]


def test_the_tempo_is_constant_unless_fermatas_are_stretched(hymn: Chorale) -> None:
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


def test_other_keys_and_tempos_and_every_step_of_a_ritardando_are_events(
    hymn: Chorale, tmp_path: Path
) -> None:
    marks = (
        Mark(kind="key", start=4, stop=4, value=Key("D", "minor")),
        Mark(kind="tempo", start=12, stop=12, value=60.0),
        Mark(kind="slowing", start=14, stop=16, value=50.0),
    )
    path, piece = tmp_path / "piece.mid", replace(hymn, marks=marks)
    midi_writer.write(piece, path, count_in=True)

    first = _tracks_in(path)[0]
    tempos = [(step - 28, 60e6 / int.from_bytes(data)) for step, data in _of("tempo", first)]
    assert [step for step, _ in tempos] == [-28, 12, 14, 15, 16]
    assert [tempo for _, tempo in tempos] == pytest.approx([72.5, 60, 45, 30, 60], rel=1e-4)
    assert [step for step, _ in _of("key_signature", first)] == [0, 28 + 4]
    midi_writer.write(piece, path)
    assert files.read(path) == piece


def test_the_same_chorale_gives_the_same_bytes_in_all_threads(hymn: Chorale) -> None:
    with ThreadPoolExecutor(4) as pool:
        contents = set(pool.map(lambda _: midi_writer.to_bytes(hymn), range(40)))
    assert contents == {midi_writer.to_bytes(hymn)}

    assert midi_writer.to_bytes(hymn) == midi_writer.to_bytes(hymn)


def test_what_could_not_be_read_is_not_written_but_the_next_piece_is(hymn: Chorale) -> None:
    with pytest.raises(DataError, match="cannot be encoded as UTF-8: change it"):
        midi_writer.to_bytes(replace(hymn, title="a\udcff"))
    assert midi_files.chorale_of(midi_writer.to_bytes(hymn)) == hymn

    with pytest.raises(DataError, match=r"the composer .* cannot be encoded as UTF-8: change it"):
        midi_writer.to_bytes(replace(hymn, composer="a\udcff"))

    with pytest.raises(DataError, match=r"the file would have 4,.* bytes, more than 4,000,000"):
        midi_writer.to_bytes(replace(hymn, title="a" * 4_000_000))


def _tracks_in(path: Path) -> tuple[tuple[Event, ...], ...]:
    return midi_events.parse(path.read_bytes()).tracks


def _volumes(path: Path) -> list[int]:
    content = path.read_bytes()
    return [content[content.index(bytes([0xB0 + channel, 7])) + 2] for channel in range(4)]


def _velocities(path: Path, voice: Voice) -> set[int]:
    return {event.data[1] for event in _tracks_in(path)[1 + voice] if event.kind == "note_on"}


def _clicks(path: Path) -> list[tuple[float, int]]:
    last = _tracks_in(path)[-1]
    return [(e.tick / TICKS_PER_STEP, e.data[0]) for e in last if e.kind == "note_on" and e.data[1]]


def test_the_voice_has_a_louder_channel_and_harder_notes(hymn: Chorale, tmp_path: Path) -> None:
    path = tmp_path / "alto.mid"
    midi_writer.write(hymn, path, Practice(voice=Voice.ALTO))

    assert _volumes(path) == [40, 127, 40, 40]
    assert max(_velocities(path, Voice.TENOR)) + 20 < min(_velocities(path, Voice.ALTO))
    assert files.read(path) == hymn


def test_a_voice_that_is_left_out_keeps_its_notes_on_a_silent_channel(
    hymn: Chorale, tmp_path: Path
) -> None:
    path = tmp_path / "minus.mid"
    midi_writer.write(hymn, path, Practice(voice=Voice.BASS, kind="left out"))
    assert _volumes(path) == [100, 100, 100, 0]
    assert files.read(path) == hymn


def test_a_track_of_clicks_is_no_voice(hymn: Chorale, tmp_path: Path) -> None:
    path = tmp_path / "clicks.mid"
    midi_writer.write(hymn, path, clicks=True)
    assert _clicks(path) == [(0, 77), (4, 76), (8, 77), (12, 77), (16, 77), (20, 76)]
    assert files.read(path) == hymn


def test_the_count_in_moves_everything_by_whole_bars(hymn: Chorale, tmp_path: Path) -> None:
    path = tmp_path / "counted.mid"
    piece = replace(hymn, composer="Anonymous")
    midi_writer.write(piece, path, count_in=True, stretch_fermatas=True)

    assert [step for step, _ in _clicks(path)] == [0, 4, 8, 12, 16, 20, 24]
    found = files.read(path)
    assert (found.pickup, found.meter, found.steps) == (4, Meter(4, 4), hymn.steps)
    assert np.array_equal(found.pitches, hymn.pitches)
    assert np.array_equal(found.fermatas, hymn.fermatas)
    assert (found.title, found.composer, found.provenance) == (hymn.title, "Anonymous", None)
    tempos = [(e.tick // TICKS_PER_STEP, e.kind) for e in _tracks_in(path)[0] if e.kind == "tempo"]
    assert [step for step, _ in tempos] == [0, 28 + 12, 28 + 16, 28 + 22, 28 + 24]


def test_a_fermata_at_the_beginning_does_not_slow_the_count_in(
    hymn: Chorale, tmp_path: Path
) -> None:
    path = tmp_path / "fermata.mid"
    fermatas = np.arange(hymn.steps) < 4
    piece = replace(hymn, fermatas=fermatas)
    midi_writer.write(piece, path, count_in=True, stretch_fermatas=True)

    tempos = [
        (e.tick // TICKS_PER_STEP, int.from_bytes(e.data))
        for e in _tracks_in(path)[0]
        if e.kind == "tempo"
    ]
    assert [step for step, _ in tempos] == [0, 28, 32]
    assert tempos[0][1] == tempos[2][1] < tempos[1][1]


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"kind": "loud"}, "the voice is 'loud': expected louder or left out"),
        ({"others": 1.5}, "the level of the others is 1.5: expected 0 to 1"),
    ],
)
def test_other_values_are_refused(values: dict[str, Any], sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        Practice(**({"voice": Voice.BASS} | values))


@pytest.mark.parametrize(("event", "composer"), [(b"", "Jörg"), (b" Anna\n B. ", "Anna B.")])
def test_another_program_may_drop_or_change_the_composer(
    hymn: Chorale, event: bytes, composer: str
) -> None:
    """Dropped, it comes from the metadata; changed, it is that of the event."""
    file = midi_events.parse(midi_writer.to_bytes(replace(hymn, composer="Jörg")))
    kept = [tuple(e for e in track if e.kind != "composer") for track in file.tracks]
    if event:
        kept[2] = (Event(0, "composer", -1, event), *kept[2])
    changed = MidiFile(format=file.format, division=file.division, tracks=tuple(kept))

    assert midi_reader.to_source(changed).composer == composer


def test_words_are_read_again_with_all_their_verses(hymn: Chorale) -> None:
    lines = {"subtitle": "For choir", "poet": "P. G.", "tune": "ASSAM", "copyright": "© 1900"}
    piece = replace(with_words(hymn), **lines)  # type: ignore[arg-type]
    read = import_satb(midi_reader.to_source(midi_events.parse(midi_writer.to_bytes(piece))))
    assert (read.chorale, read.report) == (piece, ())


def test_a_track_has_the_first_verse_for_players_of_karaoke(hymn: Chorale, tmp_path: Path) -> None:
    """After a count-in, words are as late as notes. Other voices have those of the soprano."""
    words = (
        Lyric(Voice.TENOR, 1, 0, "Lob‿a"), Lyric(Voice.SOPRANO, 1, 0, "Ma", hyphen=True),
        Lyric(Voice.SOPRANO, 1, 4, "ri"), Lyric(Voice.SOPRANO, 2, 4, "no"),
    )  # fmt: skip
    for count_in, first in (False, 0), (True, 28):
        path = tmp_path / "words.mid"
        practice = Practice(voice=Voice.TENOR)
        midi_writer.write(replace(hymn, lyrics=words), path, practice, count_in=count_in)
        found = [
            [
                (e.tick // TICKS_PER_STEP - first, e.data.decode())
                for e in track
                if e.kind == "lyric"
            ]
            for track in _tracks_in(path)
        ]
        assert found[1:5] == [
            [(0, "Ma-"), (4, "ri ")],
            [(4, "ri ")],
            [(0, "Lob‿a ")],
            [(0, "Ma-"), (4, "ri ")],
        ]


def test_words_that_another_program_changed_are_those_of_its_events(hymn: Chorale) -> None:
    content = midi_writer.to_bytes(replace(hymn, lyrics=(Lyric(Voice.SOPRANO, 1, 0, "Maria"),)))
    (line, *_) = midi_reader.to_source(
        midi_events.parse(content.replace(b"\x05\x06Maria ", b"\x05\x06Marie "))
    ).lines
    assert [word.text for word in line.lyrics] == ["Marie"]


@pytest.mark.parametrize(
    "data", [b"", b"verses:", b"verses:[[0]]", b'verses:[[0, 0, "a", false, false]]', b"verses:{}"]
)
def test_damaged_words_are_ignored(data: bytes) -> None:
    assert midi_metadata.decode_words(b"\x7d" + data) == ()


@pytest.mark.parametrize(
    "text",
    [
        "", "a text of another program", "musicrel:", 'musicrel:{"tempo": 72.5, "key": "B',
        "musicrel:[]", 'musicrel:{"tempo": "72"}', 'musicrel:{"tempo": 0.0}',
        'musicrel:{"tempo": 1e-310}', 'musicrel:{"tempo": NaN}', 'musicrel:{"tempo": 1e999}',
        'musicrel:{"tempo": 72.5, "key": "H"}', 'musicrel:{"tempo": 72.5, "key": [1]}',
        'musicrel:{"tempo": 72.5, "provenance": 7}',
        'musicrel:{"tempo": 72.5, "provenance": {"model": "m", "sha256": "", "seed": true}}',
    ],
)  # fmt: skip
def test_foreign_or_damaged_metadata_are_ignored(text: str) -> None:
    """The notes are read all the same; text events are those of older files."""
    assert midi_metadata.decode_text(text) is None
    assert midi_metadata.decode(b"\x7d" + text.encode()) is None


@pytest.mark.parametrize(
    "data",
    [b"", b"\x7d", b"\x41", b"\x00\x00\x41", b'musicrel:{"tempo": 72.5}', b"\x7d\xff\xfe"],
)
def test_events_of_other_manufacturers_are_ignored(data: bytes) -> None:
    assert midi_metadata.decode(data) is None
    assert midi_metadata.decode(data + b'musicrel:{"tempo": 72.5}\xff') is None


def test_metadata_longer_than_the_limit_are_neither_read_nor_written(hymn: Chorale) -> None:
    assert hymn.provenance is not None
    long = replace(hymn.provenance, settings={"x": "a" * 2_000_000})
    padded = b'\x7dmusicrel:{"tempo": 72.5}'

    assert midi_metadata.decode(padded + b" " * 1_000) is not None
    assert midi_metadata.decode(padded + b" " * 2_000_000) is None
    with pytest.raises(DataError, match=r"the provenance has 2,.* bytes, more than 2,000,000"):
        midi_metadata.encode(replace(hymn, provenance=long))


def test_truncated_metadata_are_ignored_and_those_of_older_files_are_a_text_event(
    hymn: Chorale,
) -> None:
    # Some programs truncate long events; the notes are read all the same.
    cut = midi_metadata.encode(hymn)[:40]
    piece = _chorale_of(_with_metadata(hymn, "sequencer_specific", cut))
    assert piece.tempo == pytest.approx(72.5, abs=1e-4)
    assert replace(piece, tempo=72.5) == replace(hymn, provenance=None)

    text = midi_metadata.encode_text(hymn).encode()
    assert _chorale_of(_with_metadata(hymn, "text", text)) == hymn


def _with_metadata(hymn: Chorale, kind: str, data: bytes) -> MidiFile:
    file = midi_events.parse(midi_writer.to_bytes(hymn))
    tempo_track = tuple(
        event._replace(kind=kind, data=data) if event.kind == "sequencer_specific" else event
        for event in file.tracks[0]
    )
    return replace(file, tracks=(tempo_track, *file.tracks[1:]))


def _chorale_of(file: MidiFile) -> Chorale:
    return satb_import.import_satb(midi_reader.to_source(file)).chorale


def _quarters(pitches: list[int], start: float = 0.0) -> list[pretty_midi.Note]:
    starts = [start + 0.5 * number for number in range(len(pitches))]
    return [
        pretty_midi.Note(80, pitch, begin, begin + 0.5)
        for pitch, begin in zip(pitches, starts, strict=True)
    ]


def _instrument(pitches: list[int], name: str = "", program: int = 0) -> pretty_midi.Instrument:
    instrument = pretty_midi.Instrument(program, name=name)
    instrument.notes = _quarters(pitches)
    return instrument


@pytest.mark.parametrize("stretched", [False, True])
def test_a_bundled_chorale_survives_the_round_trip(*, stretched: bool) -> None:
    for piece in bundled.load("valid")[::4]:
        file = to_pretty_midi(piece, stretch_fermatas=stretched)
        assert from_pretty_midi(file) == replace(piece, title="")


def test_all_fields_of_a_piece_survive(hymn: Chorale) -> None:
    assert from_pretty_midi(to_pretty_midi(hymn)) == replace(hymn, title="")


def test_the_instruments_are_named_and_programmed_like_midi_tracks(hymn: Chorale) -> None:
    file = to_pretty_midi(hymn, sound=("organ", "strings", "oboe", "brass"))
    assert [(each.name, each.program) for each in file.instruments] == [
        ("Soprano", 19), ("Alto", 48), ("Tenor", 68), ("Bass", 61),
    ]  # fmt: skip
    step = 60 / hymn.tempo / 4
    for voice, instrument in zip(Voice, file.instruments, strict=True):
        expected = [(n.pitch, n.start * step, n.stop * step) for n in notes(hymn, voice)]
        found = [(n.pitch, n.start, n.end) for n in instrument.notes]
        assert found == [pytest.approx(note, abs=1e-4) for note in expected]


def test_key_meter_and_tempo_are_in_the_object(hymn: Chorale) -> None:
    file = to_pretty_midi(hymn)
    assert [(m.numerator, m.denominator) for m in file.time_signature_changes] == [(1, 4), (4, 4)]
    assert [key.key_number for key in file.key_signature_changes] == [10]
    assert file.get_tempo_changes()[1] == pytest.approx([72.5], abs=1e-3)


def test_a_silent_voice_has_an_instrument_without_notes() -> None:
    pitches = np.full((16, 4), REST)
    pitches[:, Voice.ALTO] = 65
    piece = Chorale.of(pitches)

    file = to_pretty_midi(piece)

    assert [len(each.notes) for each in file.instruments] == [0, 1, 0, 0]
    assert from_pretty_midi(file) == piece


def test_an_object_made_by_hand_is_assigned_to_voices_by_pitch() -> None:
    file = pretty_midi.PrettyMIDI(initial_tempo=120)
    lines = ([48, 50, 52], [72, 74, 76], [60, 59, 60], [65, 67, 67])
    file.instruments = [_instrument(line, program=48) for line in lines]
    file.time_signature_changes = [pretty_midi.TimeSignature(3, 4, 0)]
    file.key_signature_changes = [pretty_midi.KeySignature(0, 0)]

    piece = from_pretty_midi(file)

    assert piece.pitches[::4].tolist() == [[72, 65, 60, 48], [74, 67, 59, 50], [76, 67, 60, 52]]
    assert (piece.meter, piece.key, piece.tempo) == (Meter(3, 4), Key("C", "major"), 120)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"pitch": 130}, "data byte must be in range 0..127"),
        ({"velocity": 200}, "data byte must be in range 0..127"),
    ],
)
def test_an_invalid_note_is_one_sentence(change: dict[str, float], message: str) -> None:
    file = pretty_midi.PrettyMIDI()
    file.instruments = [_instrument([72])]
    for name, value in change.items():
        setattr(file.instruments[0].notes[0], name, value)
    with pytest.raises(DataError, match=f"^cannot convert the PrettyMIDI object: {message}"):
        from_pretty_midi(file)


def test_an_object_without_notes_is_refused() -> None:
    with pytest.raises(DataError, match=r"cannot convert the PrettyMIDI object: .*notes"):
        from_pretty_midi(pretty_midi.PrettyMIDI())
    with pytest.raises(DataError, match=r"cannot convert the PrettyMIDI object: .*write"):
        from_pretty_midi(SimpleNamespace())
