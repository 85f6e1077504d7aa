"""A melody that is to be harmonised."""

from __future__ import annotations

from dataclasses import replace

import pytest

from musicrel.chorale import REST, Chorale, Key, Voice
from musicrel.errors import UsageError
from musicrel.presentation.compose import harmonise_form
from musicrel.presentation.compose.form import Form
from musicrel.presentation.compose.harmonise_form import Asked, Source
from musicrel.presentation.roll import lock_cells
from musicrel.presentation.roll.selection import Selection

TUNE = Chorale.of([(72, REST, REST, REST)] * 16, key=Key("C", "major"), title="Air")
PIECE = Chorale.of([(72, 67, 64, 48)] * 16)
ASKED = Asked(
    source=Source(title="Air"), voice=Voice.SOPRANO, model="both", patience="draft", count=3
)
FORM = Form(model="full", seed=5, temperature=0.9)


def test_the_melody_is_given_and_the_others_are_free() -> None:
    """By the model and with the patience that were asked for; the rest is the form's."""
    wish = harmonise_form.wish(TUNE, ASKED, FORM)
    request = wish.request()

    assert request.locks is not None
    assert request.locks.mask.all(axis=0).tolist() == [True, False, False, False]
    assert (request.patience, request.temperature, request.seed) == ("draft", 0.9, 5)
    assert (wish.form.model, wish.count, request.key) == ("both", 3, TUNE.key)


def test_phrases_are_told_by_fermatas() -> None:
    """As typed; what does not sum to the bars is refused in the form's words."""
    two = Chorale.of([(72, REST, REST, REST)] * 32)
    wish = harmonise_form.wish(two, replace(ASKED, phrases="1 1"), FORM)
    assert wish.request().fermatas == ((8, 16), (24, 32))
    with pytest.raises(UsageError, match="make 3 bars, but the piece has 2"):
        harmonise_form.wish(two, replace(ASKED, phrases="1,2"), FORM)


def test_silence_is_no_version_to_compare_with() -> None:
    """A piece that had other voices is one."""
    assert harmonise_form.wish(TUNE, ASKED, FORM).original is None
    assert harmonise_form.wish(PIECE, ASKED, FORM).original is PIECE


def test_a_harmony_has_a_name_of_its_own() -> None:
    """Air, harmonised; then harmonised 2."""
    wish = harmonise_form.wish(TUNE, ASKED, FORM)
    version, form = wish.accepted(PIECE, 5)
    assert (version.title, form) == ("Air, harmonised", None)
    again = harmonise_form.wish(version, ASKED, FORM)
    assert again.accepted(PIECE, 6)[0].title == "Air, harmonised 2"


def test_a_silent_voice_is_no_melody() -> None:
    """One sentence says what to do."""
    with pytest.raises(UsageError, match="the Bass has no notes: choose another voice or melody"):
        harmonise_form.wish(TUNE, replace(ASKED, voice=Voice.BASS), FORM)


def test_the_voice_that_is_chosen_or_locked_has_the_melody() -> None:
    """Selection before locks before whoever sounds."""
    bass = Selection(voices=(3,), start=0, stop=4)
    kept = lock_cells.of_voice(PIECE, Voice.TENOR)

    assert harmonise_form.likely_voice(PIECE, bass, kept) == Voice.BASS
    assert harmonise_form.likely_voice(PIECE, None, kept) == Voice.TENOR
    assert harmonise_form.likely_voice(PIECE, None, None) == Voice.SOPRANO
    low = Chorale.of([(REST, REST, REST, 48)] * 4)
    assert harmonise_form.likely_voice(low, None, None) == Voice.BASS


def test_a_voice_stands_alone() -> None:
    """For a look at the melody only."""
    alone = harmonise_form.alone(PIECE, Voice.ALTO)
    assert (alone.pitches == (REST, 67, REST, REST)).all()
    assert alone.onsets.sum() == 1


def test_a_melody_closes_where_it_ends() -> None:
    """Silent bars after it, as on a sheet that was drawn on, are no part of it."""
    notes = [(72, REST, REST, REST)] * 18 + [(REST, REST, REST, REST)] * 30
    drawn = Chorale.of(notes, pickup=4)
    wish = harmonise_form.wish(drawn, ASKED, FORM)

    assert (wish.piece.steps, wish.free.shape) == (20, (20, 4))
    assert harmonise_form.wish(PIECE, ASKED, FORM).piece is PIECE
