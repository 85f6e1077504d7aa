"""The one way from the form to a request."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from musicrel import jobs
from musicrel.chorale import REST, Chorale, Key, Provenance
from musicrel.editing.selection import Selection
from musicrel.errors import UsageError
from musicrel.generation.candidates.candidate_job import CandidateSet
from musicrel.generation.constraints.locks import UNKNOWN
from musicrel.presentation.compose import form
from musicrel.presentation.compose.form import MAX_SEED, Form, RequestBuilder
from musicrel.presentation.compose.rewrite_form import MAX_CANDIDATES
from musicrel.presentation.roll import lock_cells
from musicrel.ui.jobs.generation_service import ModelCache
from tests.helpers.models import tiny_model_directory

PIECE = Chorale.of([(72, 67, 64, 48)] * 16, title="Air")
FORM = Form(model="m", bars=4, seed=5)
NONE = lock_cells.nothing(PIECE)
IN_C = replace(PIECE, key=Key("C", "major"))
REWRITING = Form(model="m", temperature=0.9, seed=5, rules=("range", "crossing"))
INNER = Selection(voices=(1, 2), start=4, stop=8)


def generated(builder: RequestBuilder, model: Path) -> CandidateSet:
    """Return the candidates of a model for a builder."""
    return jobs.run(ModelCache().generate_candidates(str(model), "cpu", builder))


def test_a_new_piece_follows_the_form() -> None:
    """Every version by itself, from the form's seed on."""
    builder = RequestBuilder(form=FORM, count=3)
    assert builder.request() == FORM.request()
    assert (builder.original, builder.is_new, builder.before) == (None, True, "the empty sheet")
    with pytest.raises(UsageError, match="have 2 bars: expected 4"):
        RequestBuilder(form=replace(FORM, phrases="1,1"), count=2).request()


def test_seeds_of_all_candidates_fit_the_form() -> None:
    """So that each can be written again from there."""
    last = RequestBuilder(form=replace(FORM, seed=MAX_SEED), count=MAX_CANDIDATES).request()
    assert last.seed + MAX_CANDIDATES - 1 <= MAX_SEED


def test_an_accepted_new_piece_has_a_form() -> None:
    """The one that asked for it, with its open choices; a rewritten piece has a new title."""
    assert RequestBuilder(form=FORM, count=3).accepted(PIECE) == (PIECE, FORM)
    piece, none = form.rewrite(PIECE, None, NONE, FORM, 3).accepted(PIECE)
    assert (piece.title, none) == ("Air, rewritten", None)


def test_equal_requests_are_recognised() -> None:
    """The count does not matter; a rewrite is never the same as a new piece."""
    new, part = RequestBuilder(form=FORM, count=3), form.rewrite(PIECE, None, NONE, FORM, 3)
    assert new.same(RequestBuilder(form=FORM, count=4))
    assert part.same(form.rewrite(PIECE, None, NONE, FORM, 4))
    assert not new.same(RequestBuilder(form=replace(FORM, seed=6), count=3))
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
    assert form.rewrite(PIECE, selection, NONE, FORM, 2).needs_lookahead == needs_lookahead
    assert not RequestBuilder(form=FORM, count=2).needs_lookahead


def test_a_continuation_keeps_all_and_adds_bars() -> None:
    """It uses the form's sampling; no kept notes lie ahead."""
    builder = RequestBuilder(piece=PIECE, bars=2, form=FORM, count=3)
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
    plan = RequestBuilder(piece=PIECE, bars=2, form=FORM, count=3).plan()
    assert (plan.steps, plan.title) == (48, "Air")
    assert (plan.pitches[16:] == REST).all()
    assert (RequestBuilder(form=FORM, count=2).plan().steps, MAX_CANDIDATES) == (64, 32)


def test_the_same_continuation_is_known() -> None:
    """Piece, bars and form; an accepted one has its own name."""
    builder = RequestBuilder(piece=PIECE, bars=2, form=FORM, count=3)
    assert builder.same(replace(builder, count=4))
    assert not builder.same(replace(builder, bars=4))
    assert not builder.same(None)
    assert builder.accepted(PIECE)[0].title == "Air, continued"


def test_a_piece_made_of_another_keeps_its_composer() -> None:
    """The notes of a candidate come from a model, which is none."""
    builder = RequestBuilder(piece=replace(PIECE, composer="Jörg"), bars=2, form=FORM)

    assert builder.accepted(PIECE)[0].composer == "Jörg"
    assert RequestBuilder(form=FORM).accepted(PIECE)[0].composer == ""


def test_all_but_the_selection_is_given() -> None:
    """With surprise, seed and rules of the form, and the piece's own shape and key."""
    request = form.rewrite(IN_C, INNER, NONE, REWRITING, 8).request()

    assert request.locks is not None
    free = request.locks.locked_cells.pitches == UNKNOWN
    assert (free == lock_cells.cells(PIECE, INNER)).all()
    assert (request.steps, request.key, request.temperature) == (16, IN_C.key, 0.9)
    assert (request.seed, request.rules) == (5, ("range", "crossing"))


@pytest.mark.parametrize(("own", "first"), [(4, 5), (5, 6), (7, 8), (9, 5)])
def test_no_candidate_has_the_seed_of_the_piece(own: int, first: int) -> None:
    """It would be the piece once more; versions have seeds from the form's on."""
    provenance = Provenance(model="m", sha256="0", seed=own)
    piece = replace(IN_C, provenance=provenance)

    assert form.rewrite(piece, INNER, NONE, REWRITING, 4).request().seed == first


def test_locks_win_over_the_selection() -> None:
    """And without a selection all but the locks is written."""
    alto = lock_cells.of_voice(PIECE, 1)
    assert not form.rewrite(IN_C, INNER, alto, REWRITING, 8).free[:, 1].any()
    assert (form.rewrite(IN_C, None, alto, REWRITING, 8).free == ~alto).all()


def test_a_fully_locked_passage_is_refused() -> None:
    """With the way out."""
    with pytest.raises(UsageError, match="everything selected is locked: select other notes"):
        form.rewrite(IN_C, INNER, ~NONE, REWRITING, 8)
    with pytest.raises(UsageError, match="every note is locked: unlock at least one"):
        form.rewrite(IN_C, None, ~NONE, REWRITING, 8)


def test_kept_notes_that_break_a_rule_are_named() -> None:
    """By the engine, when the request is made."""
    crossed = Chorale.of([(72, 60, 64, 48)] * 16)
    with pytest.raises(UsageError, match="the locked notes break the rule 'crossing' in bar 1"):
        form.rewrite(crossed, Selection(voices=(0,), start=0, stop=4), NONE, REWRITING, 8).request()


def test_rules_are_for_what_is_written() -> None:
    """Notes elsewhere that break one are none of their business."""
    crossed = Chorale.of([(72, 60, 64, 48)] * 8 + [(72, 67, 64, 48)] * 8)
    late = Selection(voices=(0,), start=12, stop=16)
    assert form.rewrite(crossed, late, NONE, REWRITING, 8).request().rules == ("range", "crossing")


def test_equal_rewrites_are_recognised() -> None:
    """Same piece, part and form; the number of versions does not matter."""
    part = form.rewrite(IN_C, INNER, NONE, REWRITING, 8)
    assert part.same(form.rewrite(IN_C, INNER, NONE, REWRITING, 4))
    assert not part.same(None)
    assert not part.same(replace(part, form=replace(REWRITING, seed=6)))
    assert not part.same(replace(part, free=np.ones_like(part.free)))


def test_titles_count_the_rewritings() -> None:
    """So that the history can be read."""
    assert form.title("Air", "rewritten") == "Air, rewritten"
    assert form.title("Air, rewritten", "rewritten") == "Air, rewritten 2"
    assert form.title("Air, rewritten 9", "rewritten") == "Air, rewritten 10"
    assert form.title("", "rewritten") == "Rewritten"


@pytest.mark.parametrize("change", [0.1, 0.3, 0.6])
def test_a_part_of_the_piece_is_varied(change: float) -> None:
    """Whole notes are chosen at random up to the share; a selection is rewritten completely."""
    piece = Chorale.of([(72 + n % 3, 67, 64, 48 + n % 2) for n in range(64)])
    share = form.rewrite(
        piece, None, lock_cells.nothing(piece), REWRITING, 8, change=change
    ).free.mean()
    whole = form.rewrite(piece, INNER, lock_cells.nothing(piece), REWRITING, 8, change=change)

    assert change <= share < change + 0.25
    assert (whole.free == lock_cells.cells(piece, INNER)).all()


def test_what_replaces_silence_has_no_original() -> None:
    """There is nothing to measure it against."""
    piece = Chorale.of([(72, REST, REST, 48)] * 16)
    assert form.rewrite(piece, INNER, NONE, REWRITING, 8).original is None
    assert form.rewrite(IN_C, INNER, NONE, REWRITING, 8).original is IN_C


def test_a_piece_out_of_the_models_span_is_varied_too() -> None:
    """The choice of notes does not depend on their pitch."""
    piece = Chorale.of([(72 + n % 3, 67, 64, 48 + n % 2) for n in range(64)])
    parts = [
        form.rewrite(moved, None, NONE[:1].repeat(64, axis=0), REWRITING, 8, change=0.3).free
        for moved in (piece, piece.transposed(20), piece.transposed(-20))
    ]
    assert (parts[0] == parts[1]).all()
    assert (parts[0] == parts[2]).all()


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a model with random weights."""
    return tiny_model_directory(tmp_path_factory.mktemp("models") / "tiny")


@pytest.mark.parametrize(("by", "moved"), [(12, -4), (-14, 2), (9, 0)])
def test_a_piece_out_of_the_models_span_is_moved_into_it_and_back(
    by: int, moved: int, tiny: Path
) -> None:
    """By as little as can be, with the form's key; kept notes are those of the piece."""
    piece = replace(PIECE.transposed(by), key=None)
    entries = replace(FORM, key=Key("D", "major"), rules=(), quality="draft")
    alto = lock_cells.of_voice(piece, 1)
    for builder in (
        RequestBuilder(piece=piece, bars=1, form=entries, count=1),
        form.rewrite(piece, None, ~alto, entries, 1),
    ):
        (made,) = generated(builder, tiny).ranked

        assert (made.chorale.pitches[:16, [0, 2, 3]] == piece.pitches[:, [0, 2, 3]]).all()
        assert made.chorale.key == Key("D", "major")
        assert made.chorale.provenance is not None
        key = made.chorale.provenance.settings["key"]
        assert Key.parse(key) == Key("D", "major").transposed(moved)


def test_a_piece_wider_than_the_models_span_is_a_sentence() -> None:
    """With its ends, and what to do."""
    wide = Chorale.of([(88, 67, 64, 36)] * 16)
    builder = RequestBuilder(piece=wide, bars=1, form=FORM)
    with pytest.raises(UsageError, match="from C2 to E6: expected pitches from C2 to A"):
        builder.fitted()


def test_a_new_piece_is_generated(tiny: Path) -> None:
    """Its candidates have consecutive seeds."""
    builder = RequestBuilder(form=replace(FORM, bars=1, quality="draft"), count=2)
    made = generated(builder, tiny)
    assert sorted(one.seed or 0 for one in made.ranked) == [5, 6]


def test_kept_notes_widen_the_ranges_of_a_preset() -> None:
    """So that a piece that leaves them can be rewritten."""
    low = Chorale.of([(72, 67, 64, 38)] * 16)
    upper = Selection(voices=(0, 1), start=4, stop=8)
    request = form.rewrite(low, upper, lock_cells.nothing(low), FORM, 1).request()
    assert request.ranges == ((60, 79), (55, 74), (48, 69), (38, 62))


def test_cadences_of_another_number_of_phrases_are_left_out() -> None:
    """One for all holds for any piece."""
    for cadence, expected in (("half", "half"), ("half,authentic", ""), ("auto", "")):
        builder = form.rewrite(PIECE, INNER, NONE, replace(FORM, cadence=cadence), 1)
        assert builder.request().cadence == expected
    ended = replace(PIECE, fermatas=np.arange(16) % 8 >= 6)
    listed = replace(FORM, cadence="half,authentic")
    assert form.rewrite(ended, INNER, NONE, listed, 1).request().cadence == "half,authentic"
