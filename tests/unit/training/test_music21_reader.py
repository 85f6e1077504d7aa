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
    """Each repeated quarter has an onset."""
    chorale = read([quarters(4, 67)])
    assert chorale.steps == 16
    assert chorale.onsets[:, 0].nonzero()[0].tolist() == [0, 4, 8, 12]
    assert chorale.pitches[0].tolist() == [67, 62, 59, 43]


def test_of_a_chord_in_a_voice_the_outer_note_is_kept() -> None:
    """The highest in the soprano, the lowest in the bass."""
    thick = {"Bass": [chord.Chord([43, 48], quarterLength=4)]}
    chorale = read([[chord.Chord([60, 67], quarterLength=4)]], others=thick)
    assert (chorale.pitches[:, 0] == 67).all()
    assert (chorale.pitches[:, 3] == 43).all()


def test_a_short_first_bar_is_the_pickup() -> None:
    """The first bar line is one quarter after the first note."""
    chorale = read([quarters(1, 67), quarters(4, 69)])
    assert chorale.pickup == 4
    assert chorale.bar_line_steps() == [4]


def test_silence_before_the_first_note_is_cut_and_the_bar_line_stays() -> None:
    """Three quarters of rest before a note make a pickup of one quarter."""
    silent = [note.Rest(quarterLength=3), note.Note(67, quarterLength=1)]
    others = {name: [*silent[:1], note.Note(p, quarterLength=1)] for name, p in NAMES.items()}
    whole = score([silent], others={k: v for k, v in others.items() if k != "Soprano"})
    chorale = music21_reader.from_score(whole).chorale
    assert (chorale.steps, chorale.pickup) == (4, 4)


def test_a_tied_note_begins_once() -> None:
    """Also across the bar line."""
    first = [*quarters(3, 67), note.Note(69, quarterLength=1)]
    second = [note.Note(69, quarterLength=2), *quarters(2, 67)]
    first[-1].tie, second[0].tie = tie.Tie("start"), tie.Tie("stop")
    chorale = read([first, second])
    assert chorale.onsets[12:24, 0].tolist() == [True] + [False] * 11


def test_a_thirty_second_between_two_steps_is_counted_and_lost() -> None:
    """The one that begins on the step is kept."""
    events = [note.Note(p, quarterLength=0.125) for p in (67, 69)]
    events += [note.Note(71, quarterLength=0.75), *quarters(3, 67)]
    reading = music21_reader.from_score(score([events]))
    assert (reading.off_grid, reading.lost) == (1, 1)
    assert reading.chorale.pitches[:3, 0].tolist() == [67, 71, 71]


def test_a_bar_cut_by_a_repeat_keeps_the_grid() -> None:
    """Three quarters, a repeat sign and one quarter are one bar, played once."""
    whole = score([quarters(1, 67), quarters(3, 69), quarters(1, 71), quarters(4, 72)])
    for part in whole.parts:
        part.getElementsByClass(stream.Measure)[1].rightBarline = bar.Repeat("end")
    reading = music21_reader.from_score(whole)
    assert reading.bar_lines_off == 0
    assert reading.chorale.bar_line_steps() == [4, 20]
    assert reading.chorale.steps == 36


def test_of_two_endings_the_last_is_kept() -> None:
    """The first ending is skipped."""
    whole = score([quarters(4, 67), quarters(4, 69), quarters(4, 71)])
    for part in whole.parts:
        measures = part.getElementsByClass(stream.Measure)
        part.insert(0, spanner.RepeatBracket(measures[1], number=1))
        part.insert(0, spanner.RepeatBracket(measures[2], number=2))
    assert set(music21_reader.from_score(whole).chorale.pitches[:, 0].tolist()) == {67, 71}


def test_grace_notes_are_ignored() -> None:
    """They take no time."""
    events = quarters(4, 67)
    events.insert(1, note.Note(72, quarterLength=1).getGrace())
    chorale = read([events])
    assert set(chorale.pitches[:, 0].tolist()) == {67}


def test_a_fermata_holds_on_every_step_of_its_note() -> None:
    """Of the soprano's note, though the bass has a longer one under it."""
    soprano = quarters(4, 67)
    soprano[3].expressions.append(expressions.Fermata())
    bass = [note.Note(43, quarterLength=2), note.Note(48, quarterLength=2)]
    bass[1].expressions.append(expressions.Fermata())
    chorale = read([soprano], others={"Bass": bass})
    assert chorale.fermatas.nonzero()[0].tolist() == [12, 13, 14, 15]


def test_a_fermata_of_a_lower_voice_holds_where_the_soprano_has_none() -> None:
    """Some files mark one voice only."""
    bass = quarters(4, 43)
    bass[3].expressions.append(expressions.Fermata())
    chorale = read([quarters(4, 67)], others={"Bass": bass})
    assert chorale.fermatas.nonzero()[0].tolist() == [12, 13, 14, 15]


def test_a_rest_inside_a_voice_is_a_rest() -> None:
    """It has no onset; the other voices continue."""
    chorale = read([[*quarters(1, 67), note.Rest(quarterLength=1), *quarters(2, 69)]])
    assert (chorale.pitches[4:8, 0] == REST).all()
    assert not chorale.onsets[4:8, 0].any()


def test_whole_bars_of_silence_are_taken_out() -> None:
    """An interlude of instruments does not belong to the voices."""
    whole = score([quarters(4, 67), quarters(4, 67), quarters(4, 69)])
    for part in whole.parts:
        silent = part.getElementsByClass(stream.Measure)[1]
        for head in list(silent.notes):
            silent.replace(head, note.Rest(quarterLength=1))
    reading = music21_reader.from_score(whole)
    assert (reading.silent_bars_cut, reading.chorale.steps) == (1, 32)


def test_instruments_beside_the_voices_are_left_out() -> None:
    """The four voices are found by their names, in any order."""
    chorale = read([quarters(4, 67)], names=("Horn 1", "Bass", "Soprano", "Tenor", "Alto"))
    assert chorale.pitches[0].tolist() == [67, 62, 59, 43]


def test_the_meter_is_the_first_time_signature() -> None:
    """Three quarters are twelve steps a bar."""
    assert read([quarters(3, 67)] * 1, ratio="3/4").meter == Meter(3, 4)


def test_a_second_soprano_is_refused() -> None:
    """Five voices do not fit in four."""
    names = ("Soprano 1", "Soprano 2", "Alto", "Tenor", "Bass")
    with pytest.raises(RefusedError, match="2 parts named Soprano"):
        read([quarters(4, 67)], names=names)


def test_a_change_of_meter_is_refused() -> None:
    """The meters are named."""
    with pytest.raises(RefusedError, match="meters 4/4, 3/4"):
        read([quarters(4, 67), quarters(3, 67)], changes={1: "3/4"})


def test_bars_that_do_not_fit_the_meter_are_refused() -> None:
    """A bar one quarter short shifts all that follow."""
    with pytest.raises(RefusedError, match="2 of 4 bar lines do not fit one meter of 4/4"):
        read([quarters(4, 67), quarters(3, 67), quarters(4, 67), quarters(4, 67)])


def test_the_key_is_what_file_and_notes_agree_on() -> None:
    """G major is named, and the bass ends on G."""
    whole = score([quarters(4, 67)])
    whole.parts[0].getElementsByClass(stream.Measure)[0].insert(0, key.Key("G"))
    assert music21_reader.from_score(whole).chorale.key == Key("G", "major")
