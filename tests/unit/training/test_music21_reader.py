"""Conversion of music21 scores to the sixteenth grid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from musicrel.chorale import REST, Chorale, Key, Meter

pytest.importorskip("music21")

from music21 import bar, chord, expressions, key, meter, note, spanner, stream, tie

from training import music21_reader
from training.music21_reader import RefusedError

HELD = [12, 13, 14, 15]
NAMES = {"Soprano": 67, "Alto": 62, "Tenor": 59, "Bass": 43}


def quarters(count: int, pitch: int) -> list[Any]:
    return [note.Note(pitch, quarterLength=1) for _ in range(count)]


def score(
    soprano: list[list[Any]],
    *,
    ratio: str = "4/4",
    names: Sequence[str] = tuple(NAMES),
    others: Mapping[str, list[Any]] | None = None,
    changes: Mapping[int, str] | None = None,
) -> Any:
    """Build a score whose soprano has the given bars; the other voices have quarters."""
    whole = stream.Score()
    for name in names:
        part = stream.Part()
        part.partName = name
        for number, events in enumerate(soprano):
            length = int(sum(event.quarterLength for event in events))
            measure = stream.Measure(number=number)
            if number == 0:
                measure.append(meter.TimeSignature(ratio))
            if changes and number in changes:
                measure.append(meter.TimeSignature(changes[number]))
            plain = (others or {}).get(name) or quarters(length, NAMES.get(name, 60))
            for event in events if name == "Soprano" else plain:
                measure.append(event)
            part.append(measure)
        whole.append(part)
    return whole


def read(soprano: list[list[Any]], **more: Any) -> Chorale:
    return music21_reader.from_score(score(soprano, **more)).chorale


def test_a_quarter_is_four_steps_with_one_onset() -> None:
    """Of a chord in a voice the outer note is kept."""
    chorale = read([quarters(4, 67)])
    assert chorale.steps == 16
    assert chorale.onsets[:, 0].nonzero()[0].tolist() == [0, 4, 8, 12]
    assert chorale.pitches[0].tolist() == [67, 62, 59, 43]
    thick = {"Bass": [chord.Chord([43, 48], quarterLength=4)]}
    chorale = read([[chord.Chord([60, 67], quarterLength=4)]], others=thick)
    assert chorale.pitches[0, [0, 3]].tolist() == [67, 43]


def test_a_short_first_bar_is_the_pickup() -> None:
    chorale = read([quarters(1, 67), quarters(4, 69)])
    assert chorale.pickup == 4
    assert chorale.bar_line_steps() == [4]


def test_silence_before_the_first_note_is_cut_and_the_bar_line_stays() -> None:
    silent = [note.Rest(quarterLength=3), note.Note(67, quarterLength=1)]
    others = {name: [*silent[:1], note.Note(p, quarterLength=1)] for name, p in NAMES.items()}
    whole = score([silent], others={k: v for k, v in others.items() if k != "Soprano"})
    chorale = music21_reader.from_score(whole).chorale
    assert (chorale.steps, chorale.pickup) == (4, 4)


def test_a_tied_note_begins_once() -> None:
    first = [*quarters(3, 67), note.Note(69, quarterLength=1)]
    second = [note.Note(69, quarterLength=2), *quarters(2, 67)]
    first[-1].tie, second[0].tie = tie.Tie("start"), tie.Tie("stop")
    chorale = read([first, second])
    assert chorale.onsets[12:24, 0].tolist() == [True] + [False] * 11


def test_a_thirty_second_between_two_steps_is_counted_and_lost() -> None:
    events = [note.Note(p, quarterLength=0.125) for p in (67, 69)]
    events += [note.Note(71, quarterLength=0.75), *quarters(3, 67)]
    reading = music21_reader.from_score(score([events]))
    assert (reading.off_grid, reading.lost) == (1, 1)
    assert reading.chorale.pitches[:3, 0].tolist() == [67, 71, 71]


def test_a_bar_cut_by_a_repeat_keeps_the_grid() -> None:
    whole = score([quarters(1, 67), quarters(3, 69), quarters(1, 71), quarters(4, 72)])
    for part in whole.parts:
        part.getElementsByClass(stream.Measure)[1].rightBarline = bar.Repeat("end")
    reading = music21_reader.from_score(whole)
    assert reading.bar_lines_off == 0
    assert reading.chorale.bar_line_steps() == [4, 20]
    assert reading.chorale.steps == 36


def test_of_two_endings_the_last_is_kept() -> None:
    whole = score([quarters(4, 67), quarters(4, 69), quarters(4, 71)])
    for part in whole.parts:
        measures = part.getElementsByClass(stream.Measure)
        part.insert(0, spanner.RepeatBracket(measures[1], number=1))
        part.insert(0, spanner.RepeatBracket(measures[2], number=2))
    assert set(music21_reader.from_score(whole).chorale.pitches[:, 0].tolist()) == {67, 71}


def test_grace_notes_are_ignored() -> None:
    events = quarters(4, 67)
    events.insert(1, note.Note(72, quarterLength=1).getGrace())
    chorale = read([events])
    assert set(chorale.pitches[:, 0].tolist()) == {67}


def test_a_fermata_holds_on_every_step_of_its_note() -> None:
    soprano = quarters(4, 67)
    soprano[3].expressions.append(expressions.Fermata())
    bass = [note.Note(43, quarterLength=2), note.Note(48, quarterLength=2)]
    bass[1].expressions.append(expressions.Fermata())
    assert read([soprano], others={"Bass": bass}).fermatas.nonzero()[0].tolist() == HELD


def test_a_fermata_of_a_lower_voice_holds_where_the_soprano_has_none() -> None:
    bass = quarters(4, 43)
    bass[3].expressions.append(expressions.Fermata())
    assert read([quarters(4, 67)], others={"Bass": bass}).fermatas.nonzero()[0].tolist() == HELD


def test_a_rest_inside_a_voice_is_a_rest() -> None:
    """It has no onset; the other voices continue."""
    chorale = read([[*quarters(1, 67), note.Rest(quarterLength=1), *quarters(2, 69)]])
    assert (chorale.pitches[4:8, 0] == REST).all()
    assert not chorale.onsets[4:8, 0].any()


def test_whole_bars_of_silence_are_taken_out() -> None:
    whole = score([quarters(4, 67), quarters(4, 67), quarters(4, 69)])
    for part in whole.parts:
        silent = part.getElementsByClass(stream.Measure)[1]
        for head in list(silent.notes):
            silent.replace(head, note.Rest(quarterLength=1))
    reading = music21_reader.from_score(whole)
    assert (reading.silent_bars_cut, reading.chorale.steps) == (1, 32)


def test_instruments_beside_the_voices_are_left_out() -> None:
    chorale = read([quarters(4, 67)], names=("Horn 1", "Bass", "Soprano", "Tenor", "Alto"))
    assert chorale.pitches[0].tolist() == [67, 62, 59, 43]


def test_the_meter_is_the_first_time_signature() -> None:
    assert read([quarters(3, 67)], ratio="3/4").meter == Meter(3, 4)


@pytest.mark.parametrize(
    ("lengths", "more", "reason"),
    [
        (
            (4,),
            {"names": ("Soprano 1", "Soprano 2", "Alto", "Tenor", "Bass")},
            "2 parts named Soprano",
        ),
        ((4, 3), {"changes": {1: "3/4"}}, "meters 4/4, 3/4"),
        ((4, 3, 4, 4), {}, "2 of 4 bar lines do not fit one meter of 4/4"),
    ],
)
def test_a_file_that_is_no_four_part_chorale_in_one_meter_is_refused(
    lengths: tuple[int, ...], more: dict[str, Any], reason: str
) -> None:
    with pytest.raises(RefusedError, match=reason):
        read([quarters(length, 67) for length in lengths], **more)


def test_the_key_is_what_file_and_notes_agree_on() -> None:
    whole = score([quarters(4, 67)])
    whole.parts[0].getElementsByClass(stream.Measure)[0].insert(0, key.Key("G"))
    assert music21_reader.from_score(whole).chorale.key == Key("G", "major")
