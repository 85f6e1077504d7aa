"""The request for a rewritten passage."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from musicrel.chorale import REST, Chorale, Key, Provenance
from musicrel.errors import UsageError
from musicrel.generation.constraints.locks import UNKNOWN
from musicrel.presentation.compose import rewrite_form
from musicrel.presentation.compose.form import Form
from musicrel.presentation.roll import lock_cells
from musicrel.presentation.roll.selection import Selection

PIECE = Chorale.of([(72, 67, 64, 48)] * 16, key=Key("C", "major"))
FORM = Form(model="m", temperature=0.9, seed=5, rules=("range", "crossing"))
INNER = Selection(voices=(1, 2), start=4, stop=8)
NONE = lock_cells.nothing(PIECE)


def test_all_but_the_selection_is_given() -> None:
    """With surprise, seed and rules of the form, and the piece's own shape and key."""
    request = rewrite_form.build(PIECE, INNER, NONE, FORM, 8).request()

    assert request.locks is not None
    free = request.locks.locked_cells.pitches == UNKNOWN
    assert (free == lock_cells.cells(PIECE, INNER)).all()
    assert (request.steps, request.key, request.temperature) == (16, PIECE.key, 0.9)
    assert (request.seed, request.rules) == (5, ("range", "crossing"))


@pytest.mark.parametrize(("own", "first"), [(4, 5), (5, 6), (7, 8), (9, 5)])
def test_no_candidate_has_the_seed_of_the_piece(own: int, first: int) -> None:
    """It would be the piece once more; versions have seeds from the form's on."""
    provenance = Provenance(model="m", sha256="0", seed=own)
    piece = replace(PIECE, provenance=provenance)

    assert rewrite_form.build(piece, INNER, NONE, FORM, 4).request().seed == first


def test_locks_win_over_the_selection() -> None:
    """And without a selection all but the locks is written."""
    alto = lock_cells.of_voice(PIECE, 1)
    assert not rewrite_form.build(PIECE, INNER, alto, FORM, 8).free[:, 1].any()
    assert (rewrite_form.build(PIECE, None, alto, FORM, 8).free == ~alto).all()


def test_a_fully_locked_passage_is_refused() -> None:
    """With the way out."""
    with pytest.raises(UsageError, match="everything selected is locked: select other notes"):
        rewrite_form.build(PIECE, INNER, ~NONE, FORM, 8)
    with pytest.raises(UsageError, match="every note is locked: unlock at least one"):
        rewrite_form.build(PIECE, None, ~NONE, FORM, 8)


def test_kept_notes_that_break_a_rule_are_named() -> None:
    """By the engine, when the request is made."""
    crossed = Chorale.of([(72, 60, 64, 48)] * 16)
    with pytest.raises(UsageError, match="the locked notes break the rule 'crossing' in bar 1"):
        rewrite_form.build(
            crossed, Selection(voices=(0,), start=0, stop=4), NONE, FORM, 8
        ).request()


def test_rules_are_for_what_is_written() -> None:
    """Notes elsewhere that break one are none of their business."""
    crossed = Chorale.of([(72, 60, 64, 48)] * 8 + [(72, 67, 64, 48)] * 8)
    late = Selection(voices=(0,), start=12, stop=16)
    assert rewrite_form.build(crossed, late, NONE, FORM, 8).request().rules == ("range", "crossing")


def test_equal_requests_are_recognised() -> None:
    """Same piece, part and form; the number of versions does not matter."""
    rewrite = rewrite_form.build(PIECE, INNER, NONE, FORM, 8)
    assert rewrite.same(rewrite_form.build(PIECE, INNER, NONE, FORM, 4))
    assert not rewrite.same(None)
    assert not rewrite.same(replace(rewrite, form=replace(FORM, seed=6)))
    assert not rewrite.same(replace(rewrite, free=np.ones_like(rewrite.free)))


def test_titles_count_the_rewritings() -> None:
    """So that the history can be read."""
    assert rewrite_form.title("Air") == "Air, rewritten"
    assert rewrite_form.title("Air, rewritten") == "Air, rewritten 2"
    assert rewrite_form.title("Air, rewritten 9") == "Air, rewritten 10"
    assert rewrite_form.title("") == "Rewritten"


@pytest.mark.parametrize("change", [0.1, 0.3, 0.6])
def test_a_part_of_the_piece_is_varied(change: float) -> None:
    """Whole notes are chosen at random up to the share; a selection is rewritten completely."""
    piece = Chorale.of([(72 + n % 3, 67, 64, 48 + n % 2) for n in range(64)])
    share = rewrite_form.build(
        piece, None, lock_cells.nothing(piece), FORM, 8, change=change
    ).free.mean()
    whole = rewrite_form.build(piece, INNER, lock_cells.nothing(piece), FORM, 8, change=change)

    assert change <= share < change + 0.25
    assert (whole.free == lock_cells.cells(piece, INNER)).all()


def test_what_replaces_silence_has_no_original() -> None:
    """There is nothing to measure it against."""
    piece = Chorale.of([(72, REST, REST, 48)] * 16)
    assert rewrite_form.build(piece, INNER, NONE, FORM, 8).original is None
    assert rewrite_form.build(PIECE, INNER, NONE, FORM, 8).original is PIECE


def test_each_kind_of_model_has_its_explanation() -> None:
    """One cannot look ahead, the other sees both sides."""
    assert "cannot look ahead" in rewrite_form.lookahead_text(sees_both_sides=False)
    assert "before and after" in rewrite_form.lookahead_text(sees_both_sides=True)


def test_a_piece_out_of_the_models_span_is_varied_too() -> None:
    """The choice of notes does not depend on their pitch."""
    piece = Chorale.of([(72 + n % 3, 67, 64, 48 + n % 2) for n in range(64)])
    parts = [
        rewrite_form.build(moved, None, NONE[:1].repeat(64, axis=0), FORM, 8, change=0.3).free
        for moved in (piece, piece.transposed(20), piece.transposed(-20))
    ]
    assert (parts[0] == parts[1]).all()
    assert (parts[0] == parts[2]).all()
