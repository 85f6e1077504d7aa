"""The phrases above the roll, and how they are edited."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from musicrel.chorale import Chorale, Key, Meter
from musicrel.errors import UsageError
from musicrel.figures.roll import Viewport
from musicrel.generation.phrasing.planned_phrase import parse
from musicrel.presentation.compose import phrases
from musicrel.presentation.compose.form import Form
from musicrel.presentation.compose.phrases import Phrase, PhraseLane

FORM = Form(bars=8, phrases=(2, 2, 4), pickup=4, cadence="half,,authentic")
DRAWN = Form(bars=12, seed=5)
LANE = phrases.of_form(FORM)
VIEW = Viewport(width=800, height=400, steps=128, step_width=4)


def test_phrases_of_a_form_have_their_steps_and_cadences() -> None:
    assert phrases.of_form(FORM).phrases == (
        Phrase(2, 0, 32, "half"),
        Phrase(2, 32, 64, ""),
        Phrase(4, 64, 128, "authentic"),
    )
    waltz = replace(FORM, meter=Meter(3, 4), cadence="")
    assert [phrase.stop for phrase in phrases.of_form(waltz).phrases] == [24, 48, 96]


def test_brackets_end_with_the_fermatas_of_the_request() -> None:
    for form in (FORM, DRAWN):
        fermatas = form.request().plan().fermatas
        ends = [phrase.stop for phrase in phrases.of_form(form).phrases]
        assert all(fermatas[end - 1] for end in ends)
        assert not any(fermatas[end] for end in ends[:-1])


def test_phrases_within_bars_keep_their_lengths_when_others_change() -> None:
    """A moved or merged end has its fermata on the last strong beat again."""
    form = Form(bars=8, phrases=parse("1.75:1,2.25:3,4:3"), pickup=4)
    assert [phrase.stop for phrase in phrases.of_form(form).phrases] == [28, 64, 128]
    assert phrases.with_cadence(form, 0, "half").phrases == parse("1.75:1,2.25:3,4:3")
    assert phrases.moved(form, 0, 2).phrases == parse("2,2:3,4:3")
    assert phrases.moved(form, 1, 9).phrases == parse("1.75:1,5.25,1:3")
    assert phrases.moved(form, 2, 6).phrases == parse("1.75:1,2.25:3,2")
    assert phrases.merged(form, 0).phrases == parse("4:3,4:3")
    assert phrases.split(form, 1).phrases == parse("1.75:1,1.25,1:3,4:3")
    assert phrases.split(form, 0) == form


def test_an_end_between_short_phrases_stays() -> None:
    form = Form(bars=3, phrases=parse("1,0.75,1.25"), pickup=0)
    assert phrases.moved(form, 0, 2) == form
    assert phrases.moved(form, 2, 1).bars == 3


def test_the_models_choice_has_no_phrases_to_show() -> None:
    assert phrases.of_form(replace(FORM, phrases=(), cadence="half")).phrases == ()
    with pytest.raises(UsageError, match="have 8 bars: expected 9"):
        phrases.of_form(replace(FORM, bars=9))
    with pytest.raises(UsageError, match="2 cadences for 3 phrases"):
        phrases.of_form(replace(FORM, cadence="half,half"))


def test_the_end_of_a_phrase_is_moved_and_leaves_both_a_bar() -> None:
    assert phrases.moved(FORM, 0, 3).phrases == parse("3,1,4")
    assert phrases.moved(FORM, 1, 6).phrases == parse("2,4,2")
    assert phrases.moved(FORM, 1, 6).cadence == FORM.cadence

    assert phrases.moved(FORM, 1, 0).phrases == parse("2,1,5")
    assert phrases.moved(FORM, 1, 99).phrases == parse("2,5,1")

    longer = phrases.moved(FORM, 2, 10)
    assert (longer.phrases, longer.bars) == ((2, 2, 6), 10)
    assert phrases.moved(FORM, 2, 1).phrases == parse("2,2,1")
    assert phrases.moved(FORM, 2, 999).bars == 256


def test_editing_drawn_phrases_keeps_the_others() -> None:
    before = DRAWN.request()
    edited = phrases.with_cadence(DRAWN, 1, "half")
    assert edited.phrases == before.phrases
    assert edited.pickup == before.pickup
    assert [phrase.cadence for phrase in phrases.of_form(edited).phrases[:3]] == ["", "half", ""]


def test_a_cadence_is_chosen_for_one_phrase() -> None:
    edited = phrases.with_cadence(FORM, 1, "plagal")
    assert edited.cadence == "half,plagal,authentic"
    same = replace(FORM, cadence="half")
    assert phrases.with_cadence(same, 1, "half").cadence == "half"
    assert phrases.with_cadence(same, 1, "").cadence == "half,,half"


def test_phrases_are_split_and_merged() -> None:
    split = phrases.split(FORM, 2)
    assert (split.phrases, split.cadence) == ((2, 2, 2, 2), "half,,,authentic")
    assert phrases.merged(split, 2) == FORM
    assert phrases.merged(FORM, 2) == FORM
    short = replace(FORM, bars=2, phrases=(1, 1), cadence="")
    assert phrases.split(short, 0) == short


def test_phrases_of_a_planned_piece_are_those_of_the_form() -> None:
    for seed in range(6):
        form = Form(bars=8, seed=seed)
        plan = form.request().plan()
        piece = Chorale.of(np.full((128, 4), 60), fermatas=plan.fermatas, pickup=plan.pickup)
        assert phrases.of_piece(piece) == phrases.of_form(form).phrases


def test_phrases_of_a_piece_are_those_of_its_fermatas() -> None:
    """With the cadences they end in; the last one reaches the end of the piece."""
    bars = [(67, 62, 59, 55)] * 16, [(67, 60, 52, 48)] * 16
    pitches = np.concatenate([*bars, *bars])
    fermatas = np.zeros(64, dtype=np.bool_)
    fermatas[24:32] = fermatas[56:60] = True
    piece = Chorale.of(pitches, fermatas=fermatas, key=Key("C", "major"))

    assert phrases.of_piece(piece) == (
        Phrase(2, 0, 32, "authentic"),
        Phrase(2, 32, 64, "authentic"),
    )
    assert phrases.of_piece(Chorale.of(pitches)) == ()
    assert phrases.of_piece(FORM.request().plan()) == ()


def test_phrases_are_described_with_bars_and_cadence() -> None:
    """A phrase of one bar names one; an actual piece may have no cadence there."""
    assert LANE.describe(0) == "Phrase 1: bars 1 to 2, half cadence (–V)"
    assert LANE.describe(1) == "Phrase 2: bars 2 to 4, any cadence"
    written = replace(phrases.of_form(Form(bars=1, phrases=(1,), pickup=0)), planned=False)
    assert written.describe(0) == "Phrase 1: bar 1, no cadence found"


def test_brackets_name_the_cadence_and_its_key() -> None:
    """The longest label comes first; a planned phrase that may end anyhow has none."""
    ends = (
        ("half", None, ("half cadence", "half")),
        ("authentic", None, ("V–I",)),
        ("authentic", "Bb major", ("V–I in B♭",)),
        ("authentic", "F# minor", ("V–I in F♯ minor", "V–I in F♯m")),
        ("plagal", None, ("IV–I",)),
        ("", None, (phrases.NO_CADENCE,)),
    )
    for cadence, key, labels in ends:
        end = Phrase(2, 0, 32, cadence, key=Key.parse(key) if key else None)
        assert PhraseLane(phrases=(end,), planned=False).labels(0) == labels
    assert LANE.labels(0) == ("half cadence", "half")
    assert LANE.labels(1) == ()
    in_g = Phrase(2, 0, 32, "authentic", key=Key("G", "major"))
    lane = PhraseLane(phrases=(in_g,), planned=False)
    assert lane.describe(0) == "Phrase 1: bars 1 to 2, authentic cadence (V–I in G)"


def test_phrase_is_found_at_a_step_and_its_end_snaps_to_a_bar() -> None:
    assert [LANE.phrase_at(step) for step in (-1, 0, 31.9, 32, 64, 127, 128)] == [
        None, 0, 0, 1, 2, 2, None,
    ]  # fmt: skip

    assert [LANE.bar_at(step) for step in (-40, 7, 9, 31, 33)] == [0, 0, 1, 2, 2]
    triple = PhraseLane(meter=Meter(3, 4))
    assert triple.bar_at(25) == 2


def test_end_of_a_phrase_is_found_within_reach() -> None:
    """The nearest one counts; without phrases there is none."""
    assert [LANE.end_at(step, 1.0) for step in (33, 127, 34.5)] == [0, 2, None]
    assert PhraseLane().end_at(0, 1.0) is None


@pytest.mark.parametrize(
    ("index", "bar", "stops"),
    [(0, 3, [48, 64, 128]), (0, 0, [16, 64, 128]), (0, 9, [48, 64, 128]), (2, 12, [32, 64, 192])],
)
def test_dragged_end_keeps_a_bar_on_both_sides(index: int, bar: int, stops: list[int]) -> None:
    """The next phrase begins where this one ends; the last end is free."""
    moved = LANE.moved(index, bar).phrases

    assert [phrase.stop for phrase in moved] == stops
    assert [phrase.start for phrase in moved] == [0, *stops[:-1]]


def test_summary_for_screen_readers() -> None:
    assert phrases.summary(LANE.phrases) == "3 phrases of 2, 2, 4 bars"
    halves = phrases.of_form(Form(bars=4, phrases=parse("1.5,2.5"), pickup=0))
    assert phrases.summary(halves.phrases) == "2 phrases of 1.5, 2.5 bars"
    assert phrases.summary(()) == "No phrases"
