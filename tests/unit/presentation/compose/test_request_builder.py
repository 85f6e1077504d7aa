"""Builders of requests for candidates."""

from __future__ import annotations

from dataclasses import replace

import pytest

from musicrel.chorale import REST, Chorale, Key
from musicrel.errors import UsageError
from musicrel.generation import edit_requests
from musicrel.presentation.compose import rewrite_form
from musicrel.presentation.compose.form import MAX_SEED, Form
from musicrel.presentation.compose.request_builder import (
    Continuation,
    NewPiece,
    fit_request_to_vocabulary,
)
from musicrel.presentation.roll import lock_cells
from musicrel.presentation.roll.selection import Selection

PIECE = Chorale.of([(72, 67, 64, 48)] * 16, title="Air")
FORM = Form(model="m", bars=4, seed=5)
NONE = lock_cells.nothing(PIECE)


def test_a_new_piece_follows_the_form() -> None:
    """Every version by itself, from the form's seed on."""
    builder = NewPiece(form=FORM, count=3)
    assert builder.request() == FORM.request()
    assert builder.original is None
    with pytest.raises(UsageError, match="have 2 bars: expected 4"):
        NewPiece(form=replace(FORM, phrases="1,1"), count=2).request()


def test_seeds_of_all_candidates_fit_the_form() -> None:
    """So that each can be written again from there."""
    last = NewPiece(form=replace(FORM, seed=MAX_SEED), count=rewrite_form.MAX_CANDIDATES).request()
    assert last.seed + rewrite_form.MAX_CANDIDATES - 1 <= MAX_SEED


def test_an_accepted_new_piece_has_a_form() -> None:
    """The form gets its seed; a rewritten piece gets a new title and no form."""
    assert NewPiece(form=FORM, count=3).accepted(PIECE, 7) == (PIECE, replace(FORM, seed=7))
    piece, form = rewrite_form.build(PIECE, None, NONE, FORM, 3).accepted(PIECE, 7)
    assert (piece.title, form) == ("Air, rewritten", None)


def test_equal_requests_are_recognised() -> None:
    """The count does not matter; a rewrite is never the same as a new piece."""
    new, part = NewPiece(form=FORM, count=3), rewrite_form.build(PIECE, None, NONE, FORM, 3)
    assert new.same(NewPiece(form=FORM, count=4))
    assert part.same(rewrite_form.build(PIECE, None, NONE, FORM, 4))
    assert not new.same(NewPiece(form=replace(FORM, seed=6), count=3))
    assert not new.same(part)
    assert not part.same(new)
    assert not part.same(None)


@pytest.mark.parametrize(
    ("selection", "needs_lookahead"),
    [
        (None, False),
        (Selection(voices=(0, 1, 2, 3), start=8, stop=16), False),
        (Selection(voices=(0, 1, 2, 3), start=4, stop=8), True),
        (Selection(voices=(1,), start=15, stop=16), True),
        (Selection(voices=(3,), start=15, stop=16), False),
    ],
)
def test_kept_notes_ahead_need_lookahead(
    selection: Selection | None, *, needs_lookahead: bool
) -> None:
    """In the order in which a model writes: step by step, from the soprano down."""
    assert rewrite_form.build(PIECE, selection, NONE, FORM, 2).needs_lookahead == needs_lookahead
    assert not NewPiece(form=FORM, count=2).needs_lookahead


def test_a_continuation_keeps_all_and_adds_bars() -> None:
    """It uses the form's sampling; no kept notes lie ahead."""
    builder = Continuation(piece=PIECE, bars=2, form=FORM, count=3)
    request = builder.request()

    assert request.locks is not None
    assert request.locks.mask[:16].all()
    assert not request.locks.mask[16:].any()
    assert (request.steps, request.seed, builder.needs_lookahead, builder.original) == (
        48,
        5,
        False,
        None,
    )


def test_a_continuation_is_planned_in_its_length() -> None:
    """The piece, then silence."""
    plan = Continuation(piece=PIECE, bars=2, form=FORM, count=3).plan()
    assert (plan.steps, plan.title) == (48, "Air")
    assert (plan.pitches[16:] == REST).all()
    assert (NewPiece(form=FORM, count=2).plan().steps, rewrite_form.MAX_CANDIDATES) == (64, 32)


def test_the_same_continuation_is_known() -> None:
    """Piece, bars and form; an accepted one has its own name."""
    builder = Continuation(piece=PIECE, bars=2, form=FORM, count=3)
    assert builder.same(replace(builder, count=4))
    assert not builder.same(replace(builder, bars=4))
    assert not builder.same(None)
    assert builder.accepted(PIECE, 5)[0].title == "Air, continued"


@pytest.mark.parametrize(("by", "moved"), [(12, -4), (-14, 2), (9, 0), (-12, 0)])
def test_a_piece_out_of_the_models_span_is_moved_into_it(by: int, moved: int) -> None:
    """By as little as can be, with the form's key; its length, part and number stay."""
    piece = replace(PIECE.transposed(by), key=None)
    form = replace(FORM, key=Key("D", "major"))
    for builder in (
        Continuation(piece=piece, bars=1, form=form, count=2),
        rewrite_form.build(piece, None, NONE, form, 2),
    ):
        found, semitones = fit_request_to_vocabulary(builder)
        request = found.request()
        assert semitones == moved
        assert (request.key, request.seed) == (Key("D", "major").transposed(moved), 5)
        assert found.plan().pitches.max() == piece.pitches.max() + moved
        assert (found is builder) == (moved == 0)


def test_a_piece_wider_than_the_models_span_is_a_sentence() -> None:
    """With its ends, and what to do."""
    wide = Chorale.of([(88, 67, 64, 36)] * 16)
    with pytest.raises(UsageError, match="from C2 to E6: expected pitches from C2 to A"):
        fit_request_to_vocabulary(Continuation(piece=wide, bars=1, form=FORM, count=2))


@pytest.mark.parametrize("top", [82, 84, 86])
def test_the_app_and_the_command_line_move_a_piece_alike(top: int) -> None:
    """Both use one function, so the same seed gives the same notes."""
    piece = Chorale.of([(top, 79, 60, 50)] * 16)
    found, semitones = fit_request_to_vocabulary(
        Continuation(piece=piece, bars=1, form=FORM, count=2)
    )
    assert (
        found.plan().cropped(0, 16).pitches == edit_requests.fit_to_vocabulary(piece)[0].pitches
    ).all()
    assert semitones == edit_requests.fit_to_vocabulary(piece)[1]


def test_a_new_piece_and_silence_stay_where_they_are() -> None:
    """There is nothing to move."""
    new = NewPiece(form=FORM, count=2)
    silent = Continuation(piece=Chorale.of([(REST,) * 4] * 16), bars=1, form=FORM, count=2)
    assert fit_request_to_vocabulary(new) == (new, 0)
    assert fit_request_to_vocabulary(silent) == (silent, 0)
