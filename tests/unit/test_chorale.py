"""Keys, meters, voices and pieces."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from musicrel import meter_beats
from musicrel.analysis.progression import pulse
from musicrel.chorale import (
    MAX_STEPS,
    RANGES,
    REST,
    Chorale,
    Key,
    Lyric,
    Mark,
    Meter,
    Voice,
    onsets_where_pitch_changes,
)
from musicrel.errors import DataError, UsageError
from tests.helpers.music import minuet, random_chorale


def test_voices_are_the_columns_of_a_piece() -> None:
    assert "".join(voice.letter for voice in Voice) == "SATB"
    assert [voice.title for voice in Voice] == ["Soprano", "Alto", "Tenor", "Bass"]
    assert list(Voice) == [0, 1, 2, 3] == list(RANGES)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("G major", Key("G", "major")), ("f# minor", Key("F#", "minor")),
        (" Bb ", Key("Bb", "major")), ("c", Key("C", "minor")), ("a maj", Key("A", "major")),
        ("E♭ Minor", Key("Eb", "minor")), ("F♯min", Key("F#", "minor")), ("b", Key("B", "minor")),
        ("bb", Key("Bb", "minor")),
    ],
)  # fmt: skip
def test_a_key_is_read_as_people_write_it(text: str, expected: Key) -> None:
    assert Key.parse(text) == expected


@pytest.mark.parametrize("text", ["", "H major", "G mixolydian", "G major 7", "E#", "Fb", "7"])
def test_an_unknown_key_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=f"unknown key '{text}'.*: expected a tonic A to G"):
        Key.parse(text)


@pytest.mark.parametrize("mode", ["major", "minor"])
@pytest.mark.parametrize("pitch_class", range(12))
def test_every_key_is_spelt_with_few_accidentals(pitch_class: int, mode: Any) -> None:
    key = Key.of(pitch_class, mode)
    assert key.pitch_class == pitch_class
    assert -6 <= key.fifths <= 6
    assert Key.parse(str(key)) == key


@pytest.mark.parametrize(
    ("text", "fifths"),
    [("C", 0), ("G", 1), ("F", -1), ("a", 0), ("e", 1), ("d", -1), ("F#", 6), ("Gb", -6),
     ("C#", 7), ("Cb", -7), ("f#", 3), ("bb", -5), ("eb", -6), ("d#", 6)],
)  # fmt: skip
def test_a_key_knows_its_signature(text: str, fifths: int) -> None:
    assert Key.parse(text).fifths == fifths


def test_a_key_is_transposed_to_its_usual_spelling() -> None:
    sharp = Key("C#", "major")
    assert sharp.transposed(0) == sharp.transposed(-12) == sharp
    assert str(sharp.transposed(2)) == "Eb major"


@pytest.mark.parametrize(("text", "steps"), [("4/4", 16), ("3/4", 12), (" 6 / 8 ", 12), ("3/2", 24),
                                             ("1/16", 1), ("32/1", 512)])  # fmt: skip
def test_a_meter_has_its_sixteenths(text: str, steps: int) -> None:
    meter = Meter.parse(text)
    assert meter.steps == steps
    assert Meter.parse(str(meter)) == meter


@pytest.mark.parametrize("text", ["", "four", "4", "4/5", "0/4", "33/4", "4/0", "-3/4", "3/4/4"])
def test_an_unknown_meter_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=f"unknown meter .?{text}.?: expected"):
        Meter.parse(text)


def test_a_piece_may_be_made_of_pitches_alone() -> None:
    """Notes begin where pitches change; 4/4, no fermata, no key."""
    piece = Chorale.of([[60, 55, 50, 40], [60, REST, 52, 40]])
    assert piece.onsets.tolist() == [[True] * 4, [False, False, True, False]]
    assert not piece.fermatas.any()
    assert (piece.meter, piece.pickup, piece.key, piece.tempo) == (Meter(4, 4), 0, None, 80)


def test_a_piece_has_read_only_arrays_of_its_own() -> None:
    pitches = np.full((2, 4), 60, dtype=np.int16)
    piece = Chorale.of(pitches)
    pitches[0, 0] = 61

    assert piece.pitches[0, 0] == 60
    for array in (piece.pitches, piece.onsets, piece.fermatas):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_a_repeated_note_after_a_rest_begins() -> None:
    pitches = np.array([[60], [60], [REST], [60]], dtype=np.int16)
    assert onsets_where_pitch_changes(pitches)[:, 0].tolist() == [True, False, False, True]


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"pitches": np.zeros((3, 3))}, r"pitches have shape \(3, 3\): expected \(steps, 4\)"),
        ({"pitches": np.zeros(4)}, r"pitches have shape \(4,\): expected \(steps, 4\)"),
        ({"pitches": np.zeros((0, 4))}, r"\(0, 4\): expected \(steps, 4\) with 1 to 16384 steps"),
        ({"pitches": np.zeros((MAX_STEPS + 1, 4))}, "with 1 to 16384 steps"),
        ({"onsets": np.zeros((2, 4), bool)}, r"onsets have shape \(2, 4\)"),
        ({"fermatas": np.zeros(2, bool)}, r"fermatas \(2,\): expected \(3, 4\) and \(3,\)"),
        ({"pitches": [[128] * 4] * 3}, "pitches run from 128 to 128: expected MIDI numbers 0 to"),
        ({"pitches": [[60, 60, 60, -2]] * 3}, "pitches run from -2 to 60"),
        ({"pitches": [[60, REST, 60, 60]] * 3, "onsets": np.ones((3, 4), bool)},
         "step 0, Alto: a rest cannot be the onset of a note"),
        ({"pitches": [[60] * 4] * 2 + [[60, 60, 60, 61]],
          "onsets": np.array([[True] * 4, [False] * 4, [False] * 4])},
         "step 2, Bass: the pitch changes without an onset"),
        ({"pickup": 16}, "pickup is 16 steps: expected 0 to 15, less than a bar of 4/4"),
        ({"pickup": -1}, "pickup is -1 steps"),
        ({"meter": Meter(3, 4), "pickup": 12}, "expected 0 to 11, less than a bar of 3/4"),
        ({"tempo": 4.9}, "tempo is 4.9: expected 5 to 600 quarter notes a minute"),
        ({"tempo": float("nan")}, "tempo is nan"),
    ],
)  # fmt: skip
def test_an_impossible_piece_is_refused(fields: dict[str, Any], sentence: str) -> None:
    pitches = fields.pop("pitches", [[60] * 4] * 3)
    with pytest.raises(DataError, match=sentence):
        Chorale.of(pitches, **fields)


def test_bars_count_the_pickup_if_there_is_any() -> None:
    piece = minuet()
    assert (piece.steps, piece.bars) == (7, 2)
    assert piece.bar_positions().tolist() == [8, 9, 10, 11, 0, 1, 2]
    assert piece.bar_line_steps() == [4]

    piece = Chorale.of([[60] * 4] * 33)
    assert piece.bars == 3
    assert piece.bar_line_steps() == [0, 16, 32]


def test_shifts_end_at_the_ranges_of_the_voices() -> None:
    piece = Chorale.of([[76, 60, 55, 40]])
    assert piece.shifts() == range(-4, 6)


@pytest.mark.parametrize("pitches", [[84, 60, 55, 40], [59, 60, 55, 40], [81, 60, 55, 36],
                                     [84, 60, 55, 30]])  # fmt: skip
def test_zero_is_always_a_shift(pitches: list[int]) -> None:
    assert list(Chorale.of([pitches]).shifts()) == [0]


@pytest.mark.parametrize("seed", range(10))
def test_every_shift_keeps_every_voice_in_range(seed: int) -> None:
    """One more semitone would not."""
    piece = random_chorale(seed, 20, margin=seed % 4)

    def fits(shift: int) -> bool:
        pitches = piece.transposed(shift).pitches
        return all(
            low <= pitch <= high
            for voice, (low, high) in RANGES.items()
            for pitch in pitches[:, voice][pitches[:, voice] != REST]
        )

    shifts = piece.shifts()
    assert 0 in shifts
    assert all(map(fits, shifts))
    assert not fits(shifts.start - 1)
    assert not fits(shifts.stop)


def test_transposing_moves_notes_and_names_the_key() -> None:
    piece = minuet()

    moved = piece.transposed(3)

    assert moved.pitches[6].tolist() == [REST, 60, 55, 41]
    assert str(moved.key) == "F minor"
    assert moved.transposed(-3) == piece
    assert replace(moved, pitches=piece.pitches, key=piece.key) == piece


def test_words_are_in_order_and_stand_under_notes() -> None:
    words = (
        Lyric(Voice.ALTO, 1, 0, "du"), Lyric(Voice.SOPRANO, 2, 4, "we"),
        Lyric(Voice.SOPRANO, 1, 4, "\u00e9s‿a", hyphen=True), Lyric(Voice.SOPRANO, 1, 0, "ro"),
    )  # fmt: skip
    piece = replace(
        minuet(), lyrics=(*words, Lyric(Voice.BASS, 1, 5, "no"), replace(words[0], step=99))
    )
    assert piece.lyrics == (words[3], words[2], words[1], words[0])
    assert piece.transposed(2).lyrics == piece.padded(5).lyrics == piece.lyrics
    assert replace(Chorale.of([[REST] * 4] * 7), lyrics=piece.lyrics).lyrics == ()
    assert piece.cropped(4, 7).lyrics == tuple(replace(word, step=0) for word in words[2:0:-1])
    assert minuet().with_texts_of(piece) == piece


@pytest.mark.parametrize("text", ["", " a", "a ", "a\nb"])
def test_a_syllable_is_one_line_of_text(text: str) -> None:
    with pytest.raises(DataError, match=r"Tenor, verse 2, step 3: the syllable is .* expected"):
        Lyric(Voice.TENOR, 2, 3, text)


def test_a_note_has_one_syllable_in_each_verse() -> None:
    words = Lyric(Voice.SOPRANO, 1, 0, "ro"), Lyric(Voice.SOPRANO, 1, 0, "sa")
    with pytest.raises(DataError, match="Soprano, verse 1, step 0: two syllables, 'ro' and 'sa'"):
        replace(minuet(), lyrics=words)
    with pytest.raises(DataError, match="verse is 0: expected 1 to 99"):
        Lyric(Voice.SOPRANO, 0, 0, "ro")


def tempo(start: int, value: float) -> Mark:
    return Mark(kind="tempo", start=start, stop=start, value=value)


def slowing(start: int, stop: int, value: float) -> Mark:
    return Mark(kind="slowing", start=start, stop=stop, value=value)


def key_change(start: int, name: str) -> Mark:
    return Mark(kind="key", start=start, stop=start, value=Key.parse(name))


def marked(*marks: Mark) -> Chorale:
    """Return 32 steps in C major at 80 quarters a minute."""
    return Chorale.of([[72, 67, 64, 48]] * 32, key=Key("C", "major"), marks=marks)


def test_each_step_has_its_tempo_and_its_key() -> None:
    piece = marked(tempo(16, 100), slowing(20, 24, 60), key_change(16, "G"))
    assert piece.tempos()[[0, 15, 16, 20, 23, 24]] == pytest.approx([80, 80, 100, 90, 60, 100])
    assert [piece.tempo_at(step) for step in (-3, 16.5, 40)] == [80, 100, 100]
    assert [str(piece.key_at(step)) for step in (15, 16)] == ["C major", "G major"]
    assert piece.seconds == pytest.approx(sum(15 / tempo for tempo in piece.tempos()))


def test_marks_are_sorted_and_those_without_effect_dropped() -> None:
    kept = (
        tempo(8, 60),
        slowing(12, 16, 50),
        key_change(16, "F"),
        tempo(20, 80),
        slowing(28, 32, 70),
    )
    more = (
        slowing(28, 40, 70),
        tempo(32, 100),
        tempo(10, 60),
        key_change(8, "C"),
        slowing(32, 34, 80),
    )
    assert marked(*more, *kept[:4][::-1]).marks == kept


def test_a_slowing_ends_where_another_tempo_begins() -> None:
    piece = marked(slowing(8, 24, 50), tempo(12, 60), slowing(16, 20, 80))
    assert piece.marks == (slowing(8, 12, 50), tempo(12, 60), slowing(16, 20, 80))


def test_a_hairpin_ends_where_another_begins_or_the_piece_ends() -> None:
    def hairpin(start: int, stop: int, value: str) -> Mark:
        return Mark(kind="hairpin", start=start, stop=stop, value=value)

    piece = marked(hairpin(4, 20, "crescendo"), hairpin(12, 40, "diminuendo"), tempo(8, 60))
    marks = (hairpin(4, 12, "crescendo"), tempo(8, 60), hairpin(12, 32, "diminuendo"))
    assert piece.marks == marks
    assert piece.cropped(16, 24).marks == (hairpin(0, 8, "diminuendo"),)


def test_the_last_key_and_tempo_before_a_part_are_its_own() -> None:
    piece = marked(tempo(4, 60), key_change(8, "G"), slowing(6, 14, 50), tempo(24, 90))
    part = piece.cropped(10, 28)
    assert (part.tempo, str(part.key)) == (60, "G major")
    assert part.marks == (slowing(0, 4, 50), tempo(14, 90))


def test_dynamics_stay_at_the_beginning_and_slurs_with_two_notes() -> None:
    def dynamic(start: int, value: str) -> Mark:
        return Mark(kind="dynamic", start=start, stop=start, value=value)

    def slur(start: int, stop: int) -> Mark:
        return Mark(kind="slur", start=start, stop=stop, value=Voice.ALTO)

    pitches = np.repeat([[72, 67, 64, 48], [72, 65, 64, 48]] * 4, 4, axis=0)
    marks = (dynamic(0, "p"), slur(0, 8), slur(2, 8), slur(8, 12), dynamic(16, "f"), slur(20, 32))
    piece = Chorale.of(pitches, marks=marks)
    assert piece.marks == (marks[0], marks[1], marks[4], marks[5])
    assert piece.cropped(8, 28).marks == (dynamic(0, "p"), dynamic(8, "f"), slur(12, 20))


def test_a_slur_ends_where_its_last_note_does() -> None:
    pitches = [[72, 67, 64, 48]] * 4 + [[72, 65, 64, 48]] * 6 + [[-1, -1, -1, -1]] * 4
    marks = [Mark(kind="slur", start=0, stop=stop, value=Voice.ALTO) for stop in (6, 10, 12)]
    ends = [Chorale.of(pitches, marks=(mark,)).marks[0].stop for mark in marks]
    assert ends == [10, 10, 10]
    assert Chorale.of(pitches[:8], marks=(marks[0],)).marks[0].stop == 8


def test_marks_follow_another_tempo_and_another_key_of_the_piece() -> None:
    piece = marked(tempo(4, 60), key_change(8, "G"), slowing(6, 14, 50))
    assert piece.at_tempo(160).tempos() == pytest.approx(2 * piece.tempos())
    assert [str(piece.transposed(3).key_at(step)) for step in (0, 8)] == ["Eb major", "Bb major"]


@pytest.mark.parametrize(
    ("mark", "sentence"),
    [
        ({"kind": "tempo", "value": 601.0}, "tempo is 601.0: expected 5 to 600 quarter notes"),
        ({"kind": "key", "value": 80.0}, "a mark at step 8 is 'key' with 80.0: expected key,"),
        ({"kind": "loud", "value": 80.0}, "'loud' with 80.0: expected key, tempo, dynamic, slo"),
        ({"kind": "dynamic", "value": "loud"}, "a mark at step 8 is 'dynamic' with 'loud'"),
        ({"kind": "slur", "stop": 9, "value": 1.0}, "a mark at step 8 is 'slur' with 1.0"),
        ({"kind": "hairpin", "stop": 9, "value": "p"}, "a mark at step 8 is 'hairpin' with 'p'"),
        ({"kind": "hairpin", "value": "crescendo"}, "the hairpin at step 8 ends at step 8"),
        ({"kind": "tempo", "value": "mf"}, "a mark at step 8 is 'tempo' with 'mf'"),
        ({"kind": "slowing", "value": 70.0}, "the slowing at step 8 ends at step 8: expected a"),
        ({"kind": "slowing", "stop": 9, "value": 100.0}, "slowing is 100.0: expected 10 to 99"),
    ],
)
def test_an_impossible_mark_is_refused(mark: dict[str, Any], sentence: str) -> None:
    with pytest.raises(DataError, match=sentence):
        Mark(**{"start": 8, "stop": 8} | mark)


def test_a_part_is_a_piece_of_its_own() -> None:
    part = minuet().cropped(2, 6)

    assert part.pitches[:, 0].tolist() == [62, 62, 65, 65]
    assert part.onsets[0].all()
    assert part.pickup == 2
    assert part.bar_positions().tolist() == minuet().bar_positions()[2:6].tolist()
    assert part.fermatas.tolist() == [False, False, True, True]
    assert part.key == minuet().key


@pytest.mark.parametrize(("start", "stop"), [(-1, 3), (3, 3), (4, 3), (0, 8)])
def test_a_part_lies_within_the_piece(start: int, stop: int) -> None:
    with pytest.raises(DataError, match=f"steps {start}:{stop} are not in the piece: expected 0:7"):
        minuet().cropped(start, stop)


@pytest.mark.parametrize(
    "change",
    [{"tempo": 81.0}, {"title": "x"}, {"pickup": 5}, {"key": None}, {"meter": Meter(6, 4)},
     {"fermatas": np.zeros(7, bool)}],
)  # fmt: skip
def test_pieces_are_equal_when_all_of_them_is(change: dict[str, Any]) -> None:
    assert minuet() == minuet()
    assert minuet() != replace(minuet(), **change)
    assert minuet() != minuet().cropped(0, 6)
    assert minuet() != "a minuet"


def test_a_piece_reads_and_writes_at_once(tmp_path: Path) -> None:
    path = tmp_path / "air.mid"
    code = (
        f"from musicrel.chorale import Chorale; piece = Chorale.of([[72, 67, 64, 48]] * 16); "
        f"piece.write({str(path)!r}); assert Chorale.read({str(path)!r}).steps == 16"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    ("meter", "unit", "beat", "harmonic_pulse"),
    [
        ("4/4", 4, 4, 4), ("3/4", 4, 4, 4), ("2/2", 8, 8, 4), ("3/2", 8, 8, 4), ("4/2", 8, 8, 4),
        ("3/8", 2, 2, 2), ("6/8", 2, 6, 6), ("12/8", 2, 6, 6), ("6/4", 4, 12, 4), ("5/8", 2, 2, 2),
        ("4/16", 1, 1, 2), ("6/16", 1, 3, 3), ("1/1", 16, 16, 4),
    ],
)  # fmt: skip
def test_unit_beat_and_pulse(meter: str, unit: int, beat: int, harmonic_pulse: int) -> None:
    parsed = Meter.parse(meter)
    found = (meter_beats.written_unit(parsed), meter_beats.beat(parsed), pulse(parsed))
    assert found == (unit, beat, harmonic_pulse)
