"""A melody that is to be harmonised."""

from __future__ import annotations

from dataclasses import replace

import pytest

from musicrel.chorale import REST, Chorale, Key, Voice
from musicrel.editing.selection import Selection
from musicrel.errors import UsageError
from musicrel.generation import transposition
from musicrel.presentation.compose import harmonise_form
from musicrel.presentation.compose.form import Form
from musicrel.presentation.compose.harmonise_form import HarmoniseForm, Source
from musicrel.presentation.roll import lock_cells

TUNE = Chorale.of([(72, REST, REST, REST)] * 16, key=Key("C", "major"), title="Air")
PIECE = Chorale.of([(72, 67, 64, 48)] * 16)
ASKED = HarmoniseForm(
    source=Source(title="Air"), voice=Voice.SOPRANO, model="both", quality="draft", count=3
)
FORM = Form(model="full", seed=5, temperature=0.9)


def test_the_melody_is_given_and_the_others_are_free() -> None:
    """Model and quality are those of the dialog; the rest is the form's."""
    rewrite = harmonise_form.harmonisation(TUNE, ASKED, FORM)
    request = rewrite.request()

    assert request.locks is not None
    assert request.locks.mask.all(axis=0).tolist() == [True, False, False, False]
    assert (request.quality, request.temperature, request.seed) == ("draft", 0.9, 5)
    assert (rewrite.form.model, rewrite.count, request.key) == ("both", 3, TUNE.key)


def test_phrases_become_fermatas() -> None:
    """They are typed; a sum other than the bars is refused with the form's message."""
    two = Chorale.of([(72, REST, REST, REST)] * 32)
    rewrite = harmonise_form.harmonisation(two, replace(ASKED, phrases="1 1"), FORM)
    assert rewrite.request().fermatas == ((8, 16), (24, 32))
    with pytest.raises(UsageError, match="have 3 bars: expected 2"):
        harmonise_form.harmonisation(two, replace(ASKED, phrases="1,2"), FORM)
    for phrases in ("0.5,1.5", "1:3,1"):
        with pytest.raises(UsageError, match=f"'{phrases}': expected whole bars, such as 2,2,4"):
            harmonise_form.harmonisation(two, replace(ASKED, phrases=phrases), FORM)


def test_silence_is_not_compared_with() -> None:
    """A piece that had other voices is one."""
    assert harmonise_form.harmonisation(TUNE, ASKED, FORM).original is None
    assert harmonise_form.harmonisation(PIECE, ASKED, FORM).original is PIECE


def test_a_harmony_has_a_name_of_its_own() -> None:
    """Air, harmonised; then harmonised 2."""
    rewrite = harmonise_form.harmonisation(TUNE, ASKED, FORM)
    version, form = rewrite.accepted(PIECE)
    assert (version.title, form) == ("Air, harmonised", None)
    again = harmonise_form.harmonisation(version, ASKED, FORM)
    assert again.accepted(PIECE)[0].title == "Air, harmonised 2"


def test_a_silent_voice_is_no_melody() -> None:
    """One sentence gives the remedy."""
    with pytest.raises(UsageError, match="the Bass has no notes: choose another voice or melody"):
        harmonise_form.harmonisation(TUNE, replace(ASKED, voice=Voice.BASS), FORM)


def test_the_voice_that_is_chosen_or_locked_has_the_melody() -> None:
    """The selection comes first, then locks, then the first voice with a note."""
    bass = Selection(voices=(3,), start=0, stop=4)
    kept = lock_cells.of_voice(PIECE, Voice.TENOR)

    assert harmonise_form.likely_voice(PIECE, bass, kept) == Voice.BASS
    assert harmonise_form.likely_voice(PIECE, None, kept) == Voice.TENOR
    assert harmonise_form.likely_voice(PIECE, None, None) == Voice.SOPRANO
    low = Chorale.of([(REST, REST, REST, 48)] * 4)
    assert harmonise_form.likely_voice(low, None, None) == Voice.BASS


def test_a_voice_stands_alone() -> None:
    """For a look at the melody only."""
    alone = transposition.alone(PIECE, Voice.ALTO)
    assert (alone.pitches == (REST, 67, REST, REST)).all()
    assert alone.onsets.sum() == 1


def test_a_melody_closes_where_it_ends() -> None:
    """Silent bars after it, as on a sheet that was drawn on, are no part of it."""
    notes = [(72, REST, REST, REST)] * 18 + [(REST, REST, REST, REST)] * 30
    drawn = Chorale.of(notes, pickup=4)
    rewrite = harmonise_form.harmonisation(drawn, ASKED, FORM)

    assert rewrite.piece is not None
    assert (rewrite.piece.steps, rewrite.free.shape) == (20, (20, 4))
    assert harmonise_form.harmonisation(PIECE, ASKED, FORM).piece is PIECE
