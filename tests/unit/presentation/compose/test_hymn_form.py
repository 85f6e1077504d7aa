"""Words that become a hymn: to a tune of their rhythm, or to a bundled one of their metre."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from musicrel.analysis.corpus import melodies
from musicrel.chorale import REST, Chorale, Lyric, Meter, Provenance, Voice
from musicrel.errors import UsageError
from musicrel.generation.constraints.locks import Cell, Locks
from musicrel.generation.request import GenerationRequest
from musicrel.presentation.compose import form as forms
from musicrel.presentation.compose.form import Form
from musicrel.presentation.compose.form_from_provenance import form_from_provenance
from musicrel.presentation.compose.hymn_form import HymnForm
from musicrel.presentation.compose.words_form import WordsForm
from musicrel.score.verses import tune_rhythm
from musicrel.score.verses.metre import Metre

COMMON_METRE = """The morn-ing breaks on field and stone,
the mist has gone a-way;
we walk the road, but not a-lone,
in-to the gift of day."""
FORM = HymnForm(text=f"{COMMON_METRE}\n\n{COMMON_METRE.replace('morn-ing', 'eve-ning')}")


def test_the_first_verse_gives_the_rhythm_and_all_go_under_it() -> None:
    tune = FORM.melody()
    assert (tune.pickup, tune.steps, str(tune.meter)) == (4, 8 * 16, "4/4")
    steps = np.flatnonzero(tune.onsets[:, Voice.SOPRANO]).tolist()
    for verse in (1, 2):
        assert [word.step for word in tune.lyrics if word.verse == verse] == steps
    assert len(steps) == 8 + 6 + 8 + 6


def test_beginning_and_time_signature_can_be_chosen() -> None:
    assert replace(FORM, lines_begin="beat").melody().pickup == 0
    assert replace(FORM, meter=Meter(3, 4)).melody().steps == (12 + 9 + 12 + 9) * 4


def test_a_given_metre_must_fit() -> None:
    assert replace(FORM, metre="C.M.").melody() == FORM.melody()
    with pytest.raises(UsageError, match=re.escape("line 2 has 6 syllables for 8")):
        replace(FORM, metre="L.M.").melody()
    fit = replace(FORM, metre="L.M.").fit()
    assert [line.syllables for line in fit.lines[:4]] == [
        "8", "6 for 8 notes", "8", "6 for 8 notes",
    ]  # fmt: skip
    assert (fit.fits, fit.problem) == (False, fit.summary)
    assert replace(FORM, metre="8.8").fit().problem.startswith("The first verse has 4 lines")
    assert replace(FORM, metre="short").fit().problem.startswith("Unknown metre 'short'")


def test_without_words_there_is_nothing_to_sing() -> None:
    assert HymnForm(text=" \n").fit().problem == "Type or paste a text first"
    for set_under in (
        HymnForm.melody,
        lambda form: form.under(FORM.melody()),
        lambda f: f.on_tune("x"),
    ):
        with pytest.raises(UsageError, match="there are no words: expected a text, a line for"):
            set_under(HymnForm())
        with pytest.raises(UsageError, match="the text has 120 verses: expected at most 99"):
            set_under(HymnForm(text="la\n\n" * 120))


def test_any_text_can_be_shown_while_it_is_typed() -> None:
    rng, piece = np.random.default_rng(0), FORM.melody()
    signs = [*"aeuglstéßжअाא漢--\u2011\u00ad~\u203f..,'«1   \u00a0\n\n"]
    for _ in range(300):
        text = "".join(rng.choice(signs, 24))
        fits = [
            HymnForm(text=text, language="Italian").fit(),
            WordsForm(text=text, language="Italian").fit(piece),
        ]
        assert all(fit.lines or fit.problem for fit in fits)
    assert HymnForm(text="la la\n" * 5000).fit().problem.startswith("The first verse has 5000")


@pytest.mark.parametrize("name", melodies.METRES)
def test_every_bundled_tune_takes_the_words_of_its_metre(name: str) -> None:
    lines = Metre.parse(melodies.METRES[name]).lines
    form = HymnForm(text="\n".join("la " * line for line in lines))
    assert name in form.tunes()
    tune = form.on_tune(name)
    assert len(tune.lyrics) == sum(lines)
    assert not any("\u203f" in word.text for word in tune.lyrics)


def test_a_tune_of_another_metre_is_refused_with_those_that_fit() -> None:
    assert FORM.tunes() == ("amazing-grace",)
    with pytest.raises(UsageError, match=r"is 8\.6\.8\.6, and the metre of nun-danket is 6\.7.*"):
        FORM.on_tune("nun-danket")
    with pytest.raises(UsageError, match=r"bundled ones amazing-grace$"):
        FORM.on_tune("nun-danket")
    with pytest.raises(
        UsageError, match=r"the first verse is 2, .*: no bundled tune has this metre"
    ):
        HymnForm(text="la la").on_tune("nun-danket")


def test_lines_that_do_not_fit_a_melody_are_named() -> None:
    melody = Chorale.of([[72 + step // 4, REST, REST, REST] for step in range(8)])
    assert HymnForm(text="one").misfits(melody, Voice.SOPRANO) == (
        "verse 1, line 1: 1 syllable for 2 notes",
    )


def test_the_words_of_the_piece_are_taken_over() -> None:
    piece = FORM.melody()
    found = HymnForm(metre="C.M.").with_words_of(piece)
    assert (found.melody(), found.metre) == (piece, "")
    assert FORM.with_words_of(None) is FORM
    assert FORM.with_words_of(replace(piece, lyrics=())) is FORM


def test_the_task_of_a_hymn_has_the_entries_of_the_form() -> None:
    form = Form(model="relative", key=None, seed=7, candidates=3, ranges="youth", top_p=0.8)
    form = form.with_words(FORM.melody())
    task = forms.new_piece(form)
    request = task.request
    assert (request.seed, request.top_p, task.count, task.piece) == (7, 0.8, 3, None)
    assert request.rhythm == tuple(np.flatnonzero(FORM.melody().onsets[:, 0]).tolist())
    assert request.ranges is not None
    piece = replace(request.plan(), provenance=None)
    assert task.accepted(piece) == (piece, form)  # it asks for the same piece again


@pytest.mark.parametrize("first_line", ["upbeat", "beat"])
@pytest.mark.parametrize("meter", tune_rhythm.METERS)
def test_the_form_of_a_hymn_asks_for_its_tune_and_comes_back_from_a_provenance(
    meter: Meter, first_line: str
) -> None:
    tune = replace(FORM, meter=meter, lines_begin=first_line).melody()
    form = Form(begins_on="", top_p=1.0).with_words(tune)
    asked = GenerationRequest.singing(tune, ranges=form.request().ranges)
    plan = form.request().plan()
    assert (plan.fermatas == tune.fermatas).all()
    assert (plan.steps, plan.meter, plan.pickup) == (tune.steps, meter, tune.pickup)

    origin = Provenance(model="relative", sha256="0" * 64, seed=0, settings=asked.to_json())
    restored = form_from_provenance(origin)
    assert restored.form is not None
    assert restored.form == replace(form, model="relative", ranges=restored.form.ranges)
    assert restored.left_out == ()


def test_without_words_a_form_is_free_again_but_for_the_meter() -> None:
    form = Form(model="relative", meter=Meter(3, 4), cadence="half")
    tune = replace(FORM, meter=Meter(3, 4)).melody()
    assert form.with_words(tune).without_words() == form
    assert form.with_words(tune).for_new_document().rhythm == ()
    assert form.with_words(tune).for_loop(4).request().lyrics == ()


@pytest.mark.parametrize("rhythm", [(1, 4), (0, 4, 4), (0, 999), (0, 2.0)])
def test_a_rhythm_out_of_order_is_refused(rhythm: tuple[int, ...]) -> None:
    with pytest.raises(UsageError, match=r"the rhythm is .*: expected steps within 0 to 15"):
        GenerationRequest(bars=1, rhythm=rhythm)


def test_stored_words_are_checked() -> None:
    values = GenerationRequest.singing(FORM.melody()).to_json()
    assert GenerationRequest.from_json(values).lyrics == FORM.melody().lyrics
    for words in ([[0, 1, 0, "", False, False]], [[9, 1, 0, "a", False, False]], [[0, 1]], "words"):
        with pytest.raises(UsageError, match="not a request of musicrel"):
            GenerationRequest.from_json(values | {"lyrics": words})
    assert Lyric(Voice.SOPRANO, 1, 0, "The") in FORM.melody().lyrics


def test_a_rhythm_needs_the_number_of_bars() -> None:
    with pytest.raises(UsageError, match=r"but not the length of the piece: expected the number"):
        GenerationRequest(bars=None, rhythm=(0, 4))


@pytest.mark.parametrize("rhythm", [(), (0,), (0, 8)])
def test_a_locked_soprano_is_refused_with_any_rhythm(rhythm: tuple[int, ...]) -> None:
    locks = Locks(steps=16, cells=(Cell(4, Voice.SOPRANO, 72, onset=True),))
    if not rhythm:
        assert GenerationRequest(bars=1, locks=locks).locks is locks
        return
    with pytest.raises(UsageError, match=r"rhythm of the soprano and some of its notes are given"):
        GenerationRequest(bars=1, rhythm=rhythm, locks=locks)


@pytest.mark.parametrize(
    ("word", "rhythm", "sentence"),
    [
        ("x", (0,), r"lyrics are \('x',\): expected values of Lyric"),
        (Lyric(Voice.ALTO, 1, 0, "la"), (0,), "'la' is under the Alto at step 0"),
        (Lyric(Voice.SOPRANO, 1, 2, "la"), (0, 4), "at step 2: expected one of the soprano at a"),
        (Lyric(Voice.SOPRANO, 1, 0, "la"), (), "which has to be given, too"),
    ],
)
def test_words_without_a_note_of_the_rhythm_are_refused(
    word: Any, rhythm: tuple[int, ...], sentence: str
) -> None:
    with pytest.raises(UsageError, match=sentence):
        GenerationRequest(bars=1, rhythm=rhythm, lyrics=(word,))
