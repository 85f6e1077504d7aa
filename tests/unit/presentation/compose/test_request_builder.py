"""What several versions are asked for of."""

from __future__ import annotations

from dataclasses import replace

import pytest

from musicrel.chorale import REST, Chorale, Key
from musicrel.errors import UsageError
from musicrel.presentation.compose import rewrite_form
from musicrel.presentation.compose.form import LARGEST_SEED, Form
from musicrel.presentation.compose.request_builder import Continuation, NewPiece, within_span
from musicrel.presentation.roll import lock_cells
from musicrel.presentation.roll.selection import Selection

PIECE = Chorale.of([(72, 67, 64, 48)] * 16, title="Air")
FORM = Form(model="m", bars=4, seed=5)
NONE = lock_cells.nothing(PIECE)


def test_a_new_piece_is_what_the_form_says() -> None:
    """Every version by itself, from the form's seed on."""
    wish = NewPiece(form=FORM, count=3)
    assert wish.request() == FORM.request()
    assert wish.original is None
    with pytest.raises(UsageError, match="make 2 bars, but the piece has 4"):
        NewPiece(form=replace(FORM, phrases="1,1"), count=2).request()


def test_seeds_of_all_versions_fit_the_form() -> None:
    """So that each can be written again from there."""
    last = NewPiece(form=replace(FORM, seed=LARGEST_SEED), count=rewrite_form.MOST).request()
    assert last.seed + rewrite_form.MOST - 1 <= LARGEST_SEED


def test_an_accepted_version_of_a_new_piece_is_told_by_the_form() -> None:
    """With its seed; one of a part has a name that says so, and no form."""
    assert NewPiece(form=FORM, count=3).accepted(PIECE, 7) == (PIECE, replace(FORM, seed=7))
    piece, form = rewrite_form.of(PIECE, None, NONE, FORM, 3).accepted(PIECE, 7)
    assert (piece.title, form) == ("Air, rewritten", None)


def test_the_same_wish_is_known() -> None:
    """Whatever the number; a part of a piece is another wish than a new one."""
    new, part = NewPiece(form=FORM, count=3), rewrite_form.of(PIECE, None, NONE, FORM, 3)
    assert new.same(NewPiece(form=FORM, count=4))
    assert part.same(rewrite_form.of(PIECE, None, NONE, FORM, 4))
    assert not new.same(NewPiece(form=replace(FORM, seed=6), count=3))
    assert not new.same(part)
    assert not part.same(new)
    assert not part.same(None)


@pytest.mark.parametrize(
    ("selection", "blind"),
    [
        (None, False),
        (Selection(voices=(0, 1, 2, 3), start=8, stop=16), False),
        (Selection(voices=(0, 1, 2, 3), start=4, stop=8), True),
        (Selection(voices=(1,), start=15, stop=16), True),
        (Selection(voices=(3,), start=15, stop=16), False),
    ],
)
def test_what_is_kept_ahead_is_written_towards_blindly(
    selection: Selection | None, *, blind: bool
) -> None:
    """In the order in which a model writes: step by step, from the soprano down."""
    assert rewrite_form.of(PIECE, selection, NONE, FORM, 2).blind == blind
    assert not NewPiece(form=FORM, count=2).blind


def test_a_continuation_keeps_all_and_adds_bars() -> None:
    """With what the form says of chance; nothing that is kept lies ahead."""
    wish = Continuation(piece=PIECE, bars=2, form=FORM, count=3)
    request = wish.request()

    assert request.locks is not None
    assert request.locks.mask[:16].all()
    assert not request.locks.mask[16:].any()
    assert (request.steps, request.seed, wish.blind, wish.original) == (48, 5, False, None)


def test_a_continuation_is_planned_in_its_length() -> None:
    """The piece, then silence."""
    plan = Continuation(piece=PIECE, bars=2, form=FORM, count=3).plan()
    assert (plan.steps, plan.title) == (48, "Air")
    assert (plan.pitches[16:] == REST).all()
    assert (NewPiece(form=FORM, count=2).plan().steps, rewrite_form.MOST) == (64, 32)


def test_the_same_continuation_is_known() -> None:
    """Piece, bars and form; an accepted one has its own name."""
    wish = Continuation(piece=PIECE, bars=2, form=FORM, count=3)
    assert wish.same(replace(wish, count=4))
    assert not wish.same(replace(wish, bars=4))
    assert not wish.same(None)
    assert wish.accepted(PIECE, 5)[0].title == "Air, continued"


@pytest.mark.parametrize(("by", "moved"), [(12, -4), (-14, 2), (9, 0), (-12, 0)])
def test_a_piece_out_of_the_models_span_is_moved_into_it(by: int, moved: int) -> None:
    """By as little as can be, with the form's key; its length, part and number stay."""
    piece = replace(PIECE.transposed(by), key=None)
    form = replace(FORM, key=Key("D", "major"))
    for wish in (
        Continuation(piece=piece, bars=1, form=form, count=2),
        rewrite_form.of(piece, None, NONE, form, 2),
    ):
        found, semitones = within_span(wish)
        request = found.request()
        assert semitones == moved
        assert (request.key, request.seed) == (Key("D", "major").transposed(moved), 5)
        assert found.plan().pitches.max() == piece.pitches.max() + moved
        assert (found is wish) == (moved == 0)


def test_a_piece_wider_than_the_models_span_is_a_sentence() -> None:
    """With its ends, and what to do."""
    wide = Chorale.of([(88, 67, 64, 36)] * 16)
    with pytest.raises(UsageError, match="from C2 to E6, and models know four voices from C2 to A"):
        within_span(Continuation(piece=wide, bars=1, form=FORM, count=2))


def test_a_new_piece_and_silence_stay_where_they_are() -> None:
    """There is nothing to move."""
    new = NewPiece(form=FORM, count=2)
    silent = Continuation(piece=Chorale.of([(REST,) * 4] * 16), bars=1, form=FORM, count=2)
    assert within_span(new) == (new, 0)
    assert within_span(silent) == (silent, 0)
