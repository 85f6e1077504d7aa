"""Choice of the file format by suffix."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import mido
import numpy as np
import pytest

from musicrel.analysis.numeral_search import numerals
from musicrel.chorale import MAX_STEPS, REST, Chorale, Key, Mark, Meter, Provenance, Voice, spans
from musicrel.errors import DataError, FileError, UsageError
from musicrel.score import files, instruments, json_file
from musicrel.score.audio.mixer import Mix
from musicrel.score.instruments import Sounds
from musicrel.score.midi import midi_writer
from musicrel.score.musicxml import musicxml_writer
from musicrel.score.notes import Note, from_notes, from_spans, notes
from musicrel.score.performance import FERMATA_STRETCH, Style, TempoMap, perform
from tests.helpers.music import minuet, random_chorale, with_marks


@pytest.mark.parametrize("name", ["a.mid", "a.midi", "a.MID", "a.json", "deep/er/b.Json"])
def test_a_chorale_round_trips(hymn: Chorale, tmp_path: Path, name: str) -> None:
    """All fields are preserved for any case of the suffix; folders are created."""
    path, piece = tmp_path / name, replace(hymn, composer="Johann Crüger (1598–1662) ♭")
    files.write(piece, path)
    assert files.read(path) == piece


@pytest.mark.parametrize("name", ["a.doc", "a", ".mid"])
def test_an_unknown_suffix_is_a_usage_error_that_names_the_known(
    hymn: Chorale, tmp_path: Path, name: str
) -> None:
    known = r"expected a name that ends in \.mid, .* or \.\w+"
    with pytest.raises(UsageError, match=f"cannot write .*{known}"):
        files.write(hymn, tmp_path / name)
    with pytest.raises(UsageError, match=f"cannot read .*{known}"):
        files.read(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["a.mid", "a.json"])
def test_a_missing_file_is_a_file_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(FileError, match=f"cannot read .*{name}: No such file"):
        files.read(tmp_path / name)


@pytest.mark.parametrize("name", ["a.mid", "a.json", "a.mp3"])
def test_a_file_that_fails_to_be_written_leaves_the_old_one(
    hymn: Chorale, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / name
    path.write_bytes(b"old")

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)

    with pytest.raises(FileError, match="the disk is full; make room on it"):
        files.write(hymn, path)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["a.mid", "a.json", "a.musicxml"])
def test_a_melody_is_read_from_every_kind_of_file(hymn: Chorale, tmp_path: Path, name: str) -> None:
    files.write(hymn, tmp_path / name)
    read = files.import_melody(tmp_path / name, Voice.TENOR)
    assert set(read.chorale.pitches[:, Voice.TENOR]) == {59}
    assert read.report == ("of its 4 lines with notes 'Tenor' was taken as the melody",)


def test_a_file_without_music_is_a_file_error_that_names_it(tmp_path: Path) -> None:
    path = tmp_path / "a.musicxml"
    path.write_text('<score-partwise><part id="a"><measure/></part></score-partwise>')
    with pytest.raises(FileError, match=r"cannot read .*a\.musicxml: it has no notes"):
        files.read(path)
    with pytest.raises(FileError, match=r"a\.musicxml: it has no notes: expected a melody"):
        files.import_melody(path)


CHORDS = [
    (72, 67, 64, 48), (71, 67, 62, 55), (72, 69, 65, 53), (74, 67, 62, 55),
    (72, 67, 64, 48), (69, 65, 60, 53), (67, 62, 59, 55), (72, 67, 64, 48),
]  # fmt: skip
STEPS = 32


def chords(**fields: Any) -> Chorale:
    return Chorale.of(np.repeat(CHORDS, 4, axis=0), **fields)


def silenced(*voices: int, steps: slice = slice(None), **fields: Any) -> Chorale:
    pitches = np.repeat(CHORDS, 4, axis=0)
    pitches[steps, list(voices)] = REST
    return Chorale.of(pitches, **fields)


def repeated(every: int, chord: tuple[int, ...] = CHORDS[0]) -> Chorale:
    onsets = np.repeat(np.arange(STEPS) % every == 0, 4).reshape(STEPS, 4)
    return Chorale.of([chord] * STEPS, onsets=onsets, pickup=2)


ENDS = np.isin(np.arange(STEPS) // 4, (3, 7))
PIECES: Mapping[str, Chorale] = {
    "generated": chords(
        title="Chorale 7",
        key=Key("G", "minor"),
        provenance=Provenance(
            model="relative",
            sha256="0" * 64,
            seed=7,
            settings={"bars": 2, "tempo": 76.0, "locks": {"steps": 32, "cells": [[0, 0, 72]]}},
            machine={"device": "cpu", "kernel": "compiled"},
        ),
    ),
    "tempo 76 with fermatas": chords(tempo=76, fermatas=ENDS, key=Key("F#", "major")),
    "odd tempo": chords(tempo=200 / 3, composer="J. S. Bäch", title="„Ä“ & <b>"),
    "3/4 with a pickup": chords(meter=Meter(3, 4), pickup=4, fermatas=ENDS),
    "6/8 with a pickup": chords(meter=Meter(6, 8), pickup=2, tempo=43),
    "12/8": chords(meter=Meter(12, 8)),
    "5/4": chords(meter=Meter(5, 4), pickup=8),
    "pickup of a sixteenth": chords(pickup=1),
    "one beat": Chorale.of([CHORDS[0]] * 4, pickup=4),
    "rests before": silenced(0, 1, 2, 3, steps=slice(0, 4)),
    "rests before a pickup": silenced(0, 1, 2, 3, steps=slice(0, 2), pickup=4),
    "rests after": silenced(0, 1, 2, 3, steps=slice(28, 32)),
    "rests between": silenced(0, 1, 2, 3, steps=slice(8, 24)),
    "canon": silenced(1, 2, 3, steps=slice(0, 16)),
    "no tenor": silenced(2),
    "outer voices": silenced(1, 2),
    "a melody": silenced(1, 2, 3),
    "a bass": silenced(0, 1, 2),
    "repeated notes": repeated(2),
    "repeated sixteenths": repeated(1),
    "unisons": repeated(4, (60, 60, 60, 60)),
    "held unisons": Chorale.of([(60, 60, 60, 60)] * STEPS, pickup=6),
    "crossed voices": Chorale.of(np.repeat([(60, 67, 50, 59), (62, 65, 59, 48)], 8, axis=0)),
    "random": random_chorale(3, 61),
}
WRITERS: Mapping[str, Callable[[Chorale, Path], None]] = {
    "a.mid": midi_writer.write,
    "held.mid": lambda piece, path: midi_writer.write(piece, path, stretch_fermatas=True),
    "organ.midi": lambda piece, path: midi_writer.write(piece, path, sound="organ"),
    "a.json": files.write,
    "four.musicxml": musicxml_writer.write,
    "two.mxl": lambda piece, path: musicxml_writer.write(piece, path, layout="staves"),
    "four numerals.mxl": lambda piece, path: musicxml_writer.write(
        piece, path, numerals=numerals(piece)
    ),
    "two numerals.musicxml": lambda piece, path: musicxml_writer.write(
        piece, path, layout="staves", numerals=numerals(piece)
    ),
}


@pytest.mark.parametrize("name", PIECES)
def test_own_files_are_read_in_silence(tmp_path: Path, name: str) -> None:
    piece = PIECES[name]
    for file, write in WRITERS.items():
        write(piece, tmp_path / file)
        found = files.import_satb(tmp_path / file)
        assert found.report == (), file
        assert np.array_equal(found.chorale.pitches, piece.pitches), file
        assert np.array_equal(found.chorale.onsets, piece.onsets), file
        assert described(found.chorale) == described(piece), file


def described(piece: Chorale) -> tuple[object, ...]:
    origin = piece.provenance
    settings = None if origin is None else (origin.model, origin.seed, dict(origin.settings))
    heading = piece.meter, piece.pickup, piece.key, piece.title, piece.composer
    return *heading, round(piece.tempo, 5), settings


_SMALL = """{
  "format": "musicrel-chorale",
  "version": 1,
  "title": "Für Es♭",
  "composer": "Jörg",
  "tempo": 80.0,
  "meter": "3/4",
  "pickup": 0,
  "key": null,
  "steps": 2,
  "voices": {
    "soprano": [[0, 1, 67], [1, 1, 67]],
    "alto": [[0, 2, 64]],
    "tenor": [],
    "bass": [[1, 1, 48]]
  },
  "fermatas": [[1, 2]],
  "provenance": null
}
"""


def _small() -> dict[str, Any]:
    value: dict[str, Any] = json.loads(_SMALL)
    return value


def test_a_file_reads_as_a_person_would_write_it_with_or_without_a_byte_order_mark(
    tmp_path: Path,
) -> None:
    path = tmp_path / "small.json"
    path.write_text(_SMALL, encoding="utf-8")
    json_file.write(json_file.read(path), path)
    assert path.read_text(encoding="utf-8") == _SMALL

    path = tmp_path / "small.json"
    path.write_text(_SMALL, encoding="utf-8-sig")
    assert json_file.read(path).title == "Für Es♭"


def test_only_format_version_steps_and_voices_are_needed() -> None:
    value = {name: _small()[name] for name in ("format", "version", "steps", "voices")}
    piece = json_file.from_json({**value, "composer": "J. S. Bach"})
    assert (piece.meter, piece.pickup, piece.key, piece.tempo) == (Meter(4, 4), 0, None, 80.0)
    assert not piece.fermatas.any()


_Change = Callable[[dict[str, Any]], object]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda v: v.update(format="x"), "it is not a musicrel chorale: its format is 'x'"),
        (lambda v: v.pop("format"), "its format is None, expected 'musicrel-chorale'"),
        (lambda v: v.update(version=2), "version 2 and this musicrel reads up to 1: update"),
        (lambda v: v.update(version="1"), "version is '1': expected a whole number"),
        (lambda v: v.pop("steps"), "it lacks 'steps'"),
        (lambda v: v.update(steps=True), "steps is True: expected a whole number"),
        (lambda v: v.update(steps=10**9), "steps is 1000000000: expected a whole number"),
        (lambda v: v.update(steps=1), "Soprano, step 1: .* outside the piece of 1 steps"),
        (lambda v: v.update(tempo="fast"), "tempo is 'fast': expected a number"),
        (lambda v: v.update(tempo=10**400), "tempo is 1000.*: expected"),
        (lambda v: v.update(tempo=2), "tempo is 2.0: expected 5 to 600"),
        (lambda v: v.update(meter="4:4"), "unknown meter '4:4'"),
        (lambda v: v.update(meter=4), "meter is 4: expected a text"),
        (lambda v: v.update(pickup=12), "pickup is 12 steps: expected 0 to 11"),
        (lambda v: v.update(pickup=0.5), "pickup is 0.5: expected a whole number"),
        (lambda v: v.update(key="H major"), "unknown key 'H major'"),
        (lambda v: v.update(key=3), "key is 3: expected a text"),
        (lambda v: v.update(title=None), "title is None: expected a text"),
        (lambda v: v.update(fermatas={}), "fermatas is {}: expected a list"),
        (
            lambda v: v.update(fermatas=[[1]]),
            r"fermatas\[0\] is \[1\]: expected a list of length 2",
        ),
        (lambda v: v.update(fermatas=[[1, 3]]), "a fermata covers steps 1:3"),
        (lambda v: v.pop("voices"), "it lacks 'voices'"),
        (lambda v: v["voices"].pop("bass"), "voices lacks 'bass'"),
        (
            lambda v: v["voices"].update(alto=[[0, 2]]),
            r"voices.alto\[0\] is \[0, 2\]: expected a list of length 3",
        ),
        (lambda v: v["voices"].update(alto=[7]), r"voices.alto\[0\] is 7: expected a list"),
        (
            lambda v: v["voices"].update(alto=[[0, 1, "C"]]),
            r"voices.alto\[0\]\[2\] is 'C': expected a whole number",
        ),
        (
            lambda v: v["voices"].update(alto=[[-1, 1, 60]]),
            "Alto, step -1: a note of 1 steps lies outside the piece",
        ),
        (lambda v: v["voices"].update(alto=[[0, 1, 128]]), "Alto, step 0: pitch 128 is not a MIDI"),
        (
            lambda v: v["voices"].update(alto=[[0, 2, 60], [1, 1, 62]]),
            "Alto, step 1: the note overlaps",
        ),
        (
            lambda v: v.update(lyrics={"alto": [[1, 0, 5, False, False]]}),
            r"lyrics.alto\[0\]\[2\] is 5: expected a text",
        ),
        (lambda v: v.update(lyrics={"treble": []}), "unknown field `treble`"),
        (
            lambda v: v.update(lyrics={"alto": [[1, 9, "la", False, False]]}),
            "Alto, verse 1, step 9: the syllable 'la' stands under no note: expected the first",
        ),
        (lambda v: v.update(provenance=[]), r"provenance is \[\]: expected a table or nothing"),
        (lambda v: v.update(provenance={"model": "m"}), "provenance lacks 'sha256'"),
        (
            lambda v: v.update(
                provenance={"model": "m", "sha256": "", "seed": 1, "settings": {}, "machine": "x"}
            ),
            "provenance.machine is 'x': expected a table",
        ),
    ],
)
def test_an_impossible_entry_is_named_in_one_sentence(change: _Change, sentence: str) -> None:
    value = _small()
    change(value)
    with pytest.raises(DataError, match=sentence):
        json_file.from_json(value)


@pytest.mark.parametrize("value", [None, [], "x", 3, float("nan")])
def test_other_json_is_refused(value: object) -> None:
    with pytest.raises(DataError, match="it is not a musicrel chorale"):
        json_file.from_json(value)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "it is empty"),
        (b" ", "it is not valid JSON: Expecting value in line 1, column 2"),
        (b'{"format": \n', "it is not valid JSON: Expecting value in line 2"),
        (b"\xff\xfe\x00", "it is not valid JSON: it is not UTF-8 text"),
        (b"[" * 1_000_000, "nested too deeply"),
        (b'{"a":' * 500_000, "nested too deeply"),
        (b"9" * 3_000_000, "a number has too many digits"),
        (b"1" * 3_000_000 + b".5", "is not a JSON number"),
        (b'{"tempo": NaN}', "NaN is not a JSON number"),
        (b"[-Infinity]", "-Infinity is not a JSON number"),
        (b"[1e999]", "1e999 is not a JSON number"),
        (b" " * 4_000_001, "has 4,000,001 bytes, but at most 4,000,000 are read"),
    ],
    ids=lambda value: value[:12] if isinstance(value, bytes) else None,
)
def test_a_damaged_deep_or_huge_file_is_a_file_error(
    tmp_path: Path, content: bytes, sentence: str
) -> None:
    path = tmp_path / "broken.json"
    path.write_bytes(content)
    with pytest.raises(FileError, match=rf"broken\.json.*{sentence}"):
        json_file.read(path)


@pytest.mark.parametrize("setting", [float("nan"), {1, 2}, object()])
def test_settings_that_are_not_plain_are_refused_when_written(
    hymn: Chorale, setting: object
) -> None:
    """A file with NaN could not be read back."""
    odd = Provenance(model="m", sha256="", seed=1, settings={"odd": setting})
    with pytest.raises(DataError, match="cannot be written as JSON"):
        json_file.to_bytes(replace(hymn, provenance=odd))


def test_what_could_not_be_read_is_not_written(hymn: Chorale) -> None:
    with pytest.raises(DataError, match="change the title"):
        json_file.to_bytes(replace(hymn, title="a\udcff"))

    with pytest.raises(DataError, match=r"the file would have 4,.* bytes, more than 4,000,000"):
        json_file.to_bytes(replace(hymn, title="a" * 4_000_000))


def test_a_repeated_note_is_a_note_of_its_own_up_to_the_end_and_rests_are_gaps(
    hymn: Chorale,
) -> None:
    assert notes(hymn, Voice.SOPRANO) == [
        Note(0, 4, 67),
        Note(4, 4, 67),
        Note(8, 4, 69),
        Note(12, 8, 71),
    ]

    assert notes(hymn, Voice.ALTO) == [Note(4, 4, 62), Note(8, 8, 62)]

    piece = Chorale.of([[60, -1, 50, 40]] * 4)
    assert notes(piece, Voice.ALTO) == []

    assert notes(hymn, Voice.TENOR)[-1].stop == hymn.steps


@pytest.mark.parametrize(
    ("alto", "steps", "sentence"),
    [
        ([Note(0, 4, 60), Note(3, 1, 62)], 8, "Alto, step 3: the note overlaps the one before"),
        ([Note(6, 4, 60)], 8, "Alto, step 6: a note of 4 steps lies outside the piece of 8 steps"),
        ([Note(-1, 4, 60)], 8, "Alto, step -1: a note of 4 steps lies outside"),
        ([Note(0, 0, 60)], 8, "a note of 0 steps"),
        ([Note(0, 1, 128)], 8, "pitch 128 is not a MIDI number: expected 0 to 127"),
        ([], 0, f"the piece has 0 sixteenths: expected 1 to {MAX_STEPS}"),
        ([], 2**40, "sixteenths: expected 1 to"),
    ],
)
def test_impossible_notes_are_refused(alto: list[Note], steps: int, sentence: str) -> None:
    with pytest.raises(DataError, match=sentence):
        from_notes([[], alto, [], []], steps)


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ([0, 0, 0], []),
        ([1, 1, 1], [(0, 3)]),
        ([1, 0, 1], [(0, 1), (2, 3)]),
        ([0, 1, 1, 0, 0, 1], [(1, 3), (5, 6)]),
    ],
)
def test_spans_are_the_runs_of_true(flags: list[int], expected: list[tuple[int, int]]) -> None:
    given = np.array(flags, dtype=np.bool_)
    assert spans(given) == expected
    assert np.array_equal(from_spans(expected, len(flags)), given)


@pytest.mark.parametrize("span", [(2, 2), (-1, 2), (2, 9)])
def test_a_span_outside_the_piece_is_refused(span: tuple[int, int]) -> None:
    with pytest.raises(DataError, match="expected a range within 0:8"):
        from_spans([span], 8)


AS_WRITTEN = Style(fermata_stretch=1.0)


def test_whole_steps_round_trip_exactly_and_fractions_and_seconds_nearly() -> None:
    times = TempoMap.of(random_chorale(1, steps=300), Style(tempo_factor=1.3))

    assert all(times.step_at(times.seconds_at(step)) == step for step in range(301))
    fractions = np.linspace(0, 300, 4001)
    back = [times.step_at(times.seconds_at(step)) for step in fractions]
    assert np.allclose(back, fractions, rtol=0, atol=1e-10)

    times = TempoMap.of(random_chorale(2, steps=50), Style())
    seconds = np.linspace(0, times.seconds, 777)
    assert np.allclose([times.seconds_at(times.step_at(second)) for second in seconds], seconds)


def test_notes_are_as_loud_as_the_dynamics_say() -> None:
    marks = tuple(
        Mark(kind="dynamic", start=step, stop=step, value=value)
        for step, value in ((4, "pp"), (8, "mf"), (12, "fff"))
    )
    piece = Chorale.of(np.repeat([[72, 67, 64, 48], [74, 65, 62, 50]] * 2, 4, axis=0), marks=marks)
    levels = [note.level for note in perform(piece).notes[0]]
    assert levels == [1, 0.45, 1, 1.6]
    file = midi_writer.to_mido(piece)
    found = [m.velocity for m in file.tracks[1] if m.type == "note_on"]
    assert found == [92, 41, 92, 127]


@pytest.mark.parametrize(
    ("marks", "expected"),
    [
        ([("dynamic", 0, 0, "p"), ("hairpin", 0, 8, "crescendo"), ("dynamic", 10, 10, "f")],
         [0.6, 0.9, 1.2, 1.2]),
        ([("dynamic", 0, 0, "f"), ("hairpin", 4, 8, "diminuendo")], [1.2, 1.2, 1.0, 1.0]),
        ([("hairpin", 0, 8, "crescendo"), ("dynamic", 4, 4, "ff")], [1.0, 1.4, 1.4, 1.4]),
        ([("dynamic", 0, 0, "ppp"), ("hairpin", 0, 4, "diminuendo")], [0.35, 0.35, 0.35, 0.35]),
    ],
    ids=["to its dynamic", "to the next dynamic in order", "a dynamic within", "no softer one"],
)  # fmt: skip
def test_notes_become_louder_or_softer_along_a_hairpin(
    marks: list[Any], expected: list[float]
) -> None:
    made = [Mark(kind=kind, start=a, stop=b, value=value) for kind, a, b, value in marks]
    piece = Chorale.of(np.repeat([[72, 67, 64, 48], [74, 65, 62, 50]] * 2, 4, axis=0), marks=made)
    assert [note.level for note in perform(piece).notes[0]] == pytest.approx(expected)


def test_a_performance_follows_the_tempos_of_a_piece() -> None:
    piece = with_marks(random_chorale(3, steps=200), seed=3)
    times = TempoMap.of(piece, replace(AS_WRITTEN, tempo_factor=2.0))

    assert len(piece.marks) > 10
    assert np.diff(times.step_starts) == pytest.approx(60 / 4 / 2 / piece.tempos())
    assert times.seconds == pytest.approx(piece.seconds / 2)


def test_fermatas_are_held_longer_unless_switched_off_and_a_factor_multiplies_the_tempo() -> None:
    step = 60 / 80 / 4
    assert perform(minuet()).times.seconds == pytest.approx(step * (4 + 3 * FERMATA_STRETCH))
    assert perform(minuet(), AS_WRITTEN).times.seconds == pytest.approx(step * 7)

    assert perform(minuet(), Style(tempo_factor=2)).times.seconds == pytest.approx(
        perform(minuet()).times.seconds / 2
    )


def test_a_performance_lasts_as_long_as_the_midi_file(hymn: Chorale) -> None:
    content = midi_writer.to_bytes(hymn, stretch_fermatas=True)
    length = mido.MidiFile(file=io.BytesIO(content), charset="utf-8").length
    assert perform(hymn).times.seconds == pytest.approx(length, abs=1e-3)


def test_notes_are_legato_except_before_repetitions_and_breaths() -> None:
    pitches = [[60, -1, -1, -1]] * 8 + [[62, -1, -1, -1]] * 4 + [[64, 50, -1, -1]] * 4
    onsets = np.zeros((16, 4), dtype=bool)
    onsets[[0, 4, 8, 12], 0], onsets[12, 1] = True, True
    fermatas = np.arange(16) // 4 == 2
    piece = Chorale.of(pitches, onsets=onsets, fermatas=fermatas, tempo=60)

    performance = perform(piece, AS_WRITTEN)

    assert [note.stop for note in performance.notes[0]] == pytest.approx([0.9, 2, 2.84, 4])
    assert [note.stop for note in performance.notes[1]] == pytest.approx([4])


def test_a_short_note_keeps_most_of_its_length() -> None:
    piece = Chorale.of(np.full((8, 4), 60), onsets=np.ones((8, 4), dtype=bool), tempo=600)
    first = perform(piece).notes[0][0]
    assert first.stop - first.start == pytest.approx(0.7 * 60 / 600 / 4)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"tempo_factor": 0.1}, "tempo factor is 0.1: expected 0.25 to 4"),
        ({"tempo_factor": float("nan")}, "tempo factor is nan: expected 0.25 to 4"),
        ({"fermata_stretch": 0.5}, "fermata stretch is 0.5: expected 1 to 4"),
    ],
    ids=str,
)
def test_a_style_outside_its_range_is_refused(values: dict[str, float], sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        replace(Style(), **values)


FOUR: Sounds = ("organ", "strings", "oboe", "brass")


@pytest.mark.parametrize(
    ("text", "sounds"),
    [
        ("choir", ("choir",) * 4),
        ("organ,strings,oboe,brass", FOUR),
        (" organ, piano,organ ,organ", ("organ", "piano", "organ", "organ")),
    ],
)
def test_one_name_or_four_are_parsed(text: str, sounds: Sounds) -> None:
    assert instruments.parse(text) == sounds
    assert instruments.parse(instruments.to_text(sounds)) == sounds


@pytest.mark.parametrize("text", ["", "Kazoo", "Organ", "organ,choir", "organ,choir,organ,kazoo"])
def test_other_names_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match=f"sound is '{text}': expected choir, organ, .* or four"):
        instruments.parse(text)


def test_a_mix_has_one_instrument_or_four() -> None:
    assert Mix(sound="organ").sounds == ("organ",) * 4
    assert Mix(sound=FOUR).sounds == FOUR
    with pytest.raises(UsageError, match="sound is 'organ,choir': expected"):
        Mix(sound=("organ", "choir"))  # type: ignore[arg-type]
