"""The tasks that the form and a piece become; tasks that avoid a rule violation."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from musicrel import jobs
from musicrel.chorale import REST, Chorale, Flags, Key, Lyric, Provenance, Voice
from musicrel.errors import UsageError
from musicrel.generation.candidates.candidate_job import CandidateSet
from musicrel.generation.constraints.locks import UNKNOWN
from musicrel.presentation import lock_cells, marks
from musicrel.presentation.compose import form
from musicrel.presentation.compose.form import MAX_CANDIDATES, MAX_SEED, Form, Task
from musicrel.presentation.marks import Mark
from musicrel.score.editing.selection import Selection
from musicrel.ui.jobs.generation_service import ModelCache
from tests.helpers.models import tiny_model_directory

PIECE = Chorale.of([(72, 67, 64, 48)] * 16, title="Air")
FORM = Form(model="m", bars=4, seed=5)
NONE = lock_cells.nothing(PIECE)
IN_C = replace(PIECE, key=Key("C", "major"))
REWRITING = Form(model="m", temperature=0.9, seed=5, rules=("range", "crossing"))
INNER = Selection(voices=(1, 2), start=4, stop=8)
BEFORE, AFTER = (67, 64, 55, 48), (69, 65, 57, 50)
FAULTY = replace(
    Chorale.of([BEFORE] * 16 + [AFTER] * 16),
    onsets=np.tile(np.arange(32)[:, None] % 4 == 0, (1, 4)),
)
"""Quarters; soprano, tenor and bass move in parallel into the second bar."""
SEEDED = Form(seed=5)
TENOR_BASS = (Voice.TENOR, Voice.BASS)


def violation(*voices: Voice, piece: Chorale = FAULTY) -> Mark:
    return next(mark for mark in marks.marks(piece) if mark.voices == voices)


def extent(free: Flags) -> tuple[list[int], int, int]:
    steps = np.flatnonzero(free.any(axis=1))
    return np.flatnonzero(free.any(axis=0)).tolist(), int(steps[0]), int(steps[-1]) + 1


def rewriting(piece: Chorale, free: Selection | None = INNER, entries: Form = REWRITING) -> Task:
    return form.rewrite(piece, free, lock_cells.nothing(piece), entries)


def test_a_new_piece_follows_the_form_which_seeds_of_all_candidates_fit() -> None:
    task = form.new_piece(replace(FORM, candidates=3))
    assert (task.request, task.count) == (FORM.request(), 3)
    assert (task.original, task.piece, task.before) == (None, None, "the empty sheet")
    with pytest.raises(UsageError, match="have 2 bars: expected 4"):
        form.new_piece(replace(FORM, phrases=(1, 1)))

    last = form.new_piece(replace(FORM, seed=MAX_SEED), count=MAX_CANDIDATES).request
    assert last.seed + MAX_CANDIDATES - 1 <= MAX_SEED


def test_an_accepted_new_piece_has_a_form() -> None:
    """The one that asked for it, with its open choices; a changed piece keeps its title."""
    assert form.new_piece(FORM).accepted(PIECE) == (PIECE, FORM)
    candidate = replace(PIECE, title="Air, candidate 2", composer="")
    for task in (rewriting(PIECE), rewriting(PIECE, None), form.continuation(PIECE, 2, FORM)):
        piece, none = task.accepted(candidate)
        assert (piece.title, piece.composer, none) == (PIECE.title, PIECE.composer, None)


@pytest.mark.parametrize(
    ("selection", "is_blind"),
    [
        (None, False),
        (Selection(voices=(0, 1, 2, 3), start=8, stop=16), False),
        (Selection(voices=(0, 1, 2, 3), start=4, stop=8), True),
        (Selection(voices=(1,), start=15, stop=16), True),
        (Selection(voices=(3,), start=15, stop=16), False),
    ],
)
def test_draft_quality_is_blind_to_kept_notes_ahead(
    selection: Selection | None, *, is_blind: bool
) -> None:
    """In the order in which a model writes: step by step, from the soprano down."""
    draft = replace(FORM, quality="draft")
    task = rewriting(PIECE, selection, draft)
    assert task.is_blind(sees_both_sides=False) == is_blind
    assert not task.is_blind(sees_both_sides=True)
    assert not form.new_piece(draft).is_blind(sees_both_sides=False)


def test_a_continuation_keeps_all_and_adds_bars() -> None:
    """It uses the form's sampling; no kept notes lie ahead."""
    task = form.continuation(PIECE, 2, FORM)
    request, plan = task.request, task.plan()

    assert request.locks is not None
    assert request.locks.mask[:16].all()
    assert not request.locks.mask[16:].any()
    assert (request.steps, request.seed) == (48, 5)
    assert (task.is_blind(sees_both_sides=False), task.original) == (False, None)
    assert (plan.steps, plan.title) == (48, "Air")
    assert (plan.pitches[16:] == REST).all()
    assert form.new_piece(FORM).plan().steps == 64


def test_a_piece_made_of_another_keeps_its_names_and_words() -> None:
    words = (Lyric(Voice.SOPRANO, 1, 0, "Lo"),)
    task = form.continuation(replace(PIECE, composer="Jörg", poet="P", lyrics=words), 2, FORM)

    accepted = task.accepted(PIECE)[0]
    assert (accepted.composer, accepted.poet, accepted.lyrics) == ("Jörg", "P", words)
    assert form.new_piece(FORM).accepted(PIECE)[0].composer == ""


def test_all_but_the_selection_is_given() -> None:
    """With surprise, seed and rules of the form, and the piece's own shape and key."""
    request = rewriting(IN_C).request

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

    assert rewriting(piece, INNER, replace(REWRITING, candidates=4)).request.seed == first


def test_locks_win_over_the_selection_and_may_leave_nothing_to_write() -> None:
    alto = lock_cells.of_voice(PIECE, 1)
    assert not form.rewrite(IN_C, INNER, alto, REWRITING).free[:, 1].any()
    assert (form.rewrite(IN_C, None, alto, REWRITING).free == ~alto).all()

    with pytest.raises(UsageError, match="everything selected is locked: select other notes"):
        form.rewrite(IN_C, INNER, ~NONE, REWRITING)
    with pytest.raises(UsageError, match="every note is locked: unlock at least one"):
        form.rewrite(IN_C, None, ~NONE, REWRITING)


def test_rules_are_for_what_is_written_and_kept_notes_that_break_one_are_named() -> None:
    crossed = Chorale.of([(72, 60, 64, 48)] * 8 + [(72, 67, 64, 48)] * 8)
    late = Selection(voices=(0,), start=12, stop=16)
    assert rewriting(crossed, late).request.rules == ("range", "crossing")

    crossed = Chorale.of([(72, 60, 64, 48)] * 16)
    with pytest.raises(UsageError, match="the locked notes break the rule 'crossing' in bar 1"):
        rewriting(crossed, Selection(voices=(0,), start=0, stop=4))


def test_equal_tasks_are_recognised() -> None:
    """Same piece, by its notes, part and form; the number of versions does not matter."""
    part, new, longer = rewriting(IN_C), form.new_piece(FORM), form.continuation(PIECE, 2, FORM)
    for one in (part, new, longer):
        assert one.same(replace(one, count=4))
        assert not one.same(replace(one, form=replace(one.form, seed=6)))
        assert not one.same(None)
    assert part.same(rewriting(replace(IN_C)))
    assert not part.same(rewriting(IN_C, None))
    assert not longer.same(form.continuation(PIECE, 4, FORM))
    assert not new.same(part)
    assert not part.same(new)


@pytest.mark.parametrize("change", [0.1, 0.3, 0.6])
def test_a_part_of_the_piece_is_varied(change: float) -> None:
    """Whole notes are chosen at random up to the share; a selection is rewritten completely."""
    piece = Chorale.of([(72 + n % 3, 67, 64, 48 + n % 2) for n in range(64)])
    nothing = lock_cells.nothing(piece)
    part = form.rewrite(piece, None, nothing, REWRITING, share=change).free.mean()
    whole = form.rewrite(piece, INNER, nothing, REWRITING, share=change)

    assert change <= part < change + 0.25
    assert (whole.free == lock_cells.cells(piece, INNER)).all()


def test_what_replaces_silence_has_no_original() -> None:
    piece = Chorale.of([(72, REST, REST, 48)] * 16)
    assert rewriting(piece).original is None
    assert rewriting(IN_C).original is IN_C


def test_a_piece_out_of_the_models_span_is_varied_too() -> None:
    piece = Chorale.of([(72 + n % 3, 67, 64, 48 + n % 2) for n in range(64)])
    parts = [
        form.rewrite(moved, None, lock_cells.nothing(moved), REWRITING, share=0.3).free
        for moved in (piece, piece.transposed(20), piece.transposed(-20))
    ]
    assert (parts[0] == parts[1]).all()
    assert (parts[0] == parts[2]).all()


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_model_directory(tmp_path_factory.mktemp("models") / "tiny")


@pytest.mark.parametrize(("by", "moved"), [(12, -4), (-14, 2), (9, 0)])
def test_a_piece_out_of_the_models_span_is_moved_into_it_and_back(
    by: int, moved: int, tiny: Path
) -> None:
    """By as little as can be, with the form's key; kept notes are those of the piece."""
    piece = replace(PIECE.transposed(by), key=None)
    entries = replace(FORM, model=str(tiny), key=Key("D", "major"), rules=(), quality="draft")
    alto = lock_cells.of_voice(piece, 1)
    for task in (
        form.continuation(piece, 1, entries), form.rewrite(piece, None, ~alto, entries)
    ):  # fmt: skip
        generated = jobs.run(ModelCache().write(task, "cpu"))
        assert isinstance(generated, CandidateSet)
        (made,) = generated.ranked
        assert (made.chorale.pitches[:16, [0, 2, 3]] == piece.pitches[:, [0, 2, 3]]).all()
        assert made.chorale.key == Key("D", "major")
        assert made.chorale.provenance is not None
        key = made.chorale.provenance.settings["key"]
        assert Key.parse(key) == Key("D", "major").transposed(moved)


def test_kept_notes_widen_the_ranges_of_a_preset() -> None:
    low = Chorale.of([(72, 67, 64, 38)] * 16)
    upper = Selection(voices=(0, 1), start=4, stop=8)
    assert rewriting(low, upper, FORM).request.ranges == ((60, 79), (55, 74), (48, 69), (38, 62))


def test_cadences_of_another_number_of_phrases_are_left_out() -> None:
    for cadence, expected in (("half", "half"), ("half,authentic", ""), ("auto", "")):
        entries = replace(FORM, cadence=cadence)
        assert rewriting(PIECE, INNER, entries).request.cadence == expected
    ended = replace(PIECE, fermatas=np.arange(16) % 8 >= 6)
    listed = replace(FORM, cadence="half,authentic")
    assert rewriting(ended, INNER, listed).request.cadence == "half,authentic"


def test_the_passage_is_the_beat_before_and_the_beat_of_the_violation() -> None:
    free = form.passage(FAULTY, violation(*TENOR_BASS), lock_cells.nothing(FAULTY))
    assert extent(free) == ([2, 3], 12, 20)
    assert free.sum() == 16


def test_the_melody_is_kept_unless_it_alone_is_at_fault() -> None:
    kept = lock_cells.nothing(FAULTY)
    tenor = form.passage(FAULTY, violation(Voice.SOPRANO, Voice.TENOR), kept)
    outer = form.passage(FAULTY, violation(Voice.SOPRANO, Voice.BASS), kept)
    assert extent(tenor)[0] == [2]
    assert extent(outer)[0] == [1, 2, 3]

    leaping = Chorale.of([BEFORE] * 16 + [(81, 64, 55, 48)] * 16)
    mark = violation(Voice.SOPRANO, piece=leaping)
    free = form.passage(leaping, mark, lock_cells.nothing(leaping))
    assert extent(free)[0] == [0]


def test_every_further_attempt_frees_more_voices() -> None:
    kept = lock_cells.nothing(FAULTY)
    voices = [
        extent(form.passage(FAULTY, violation(*TENOR_BASS), kept, attempt=attempt))[0]
        for attempt in range(4)
    ]
    assert voices == [[2, 3], [1, 2, 3], [0, 1, 2, 3], [0, 1, 2, 3]]


def test_notes_are_rewritten_whole_and_rests_only_in_the_passage() -> None:
    long = Chorale.of([BEFORE] * 16 + [AFTER] * 16)
    free = form.passage(long, violation(*TENOR_BASS, piece=long), lock_cells.nothing(long))
    assert extent(free) == ([2, 3], 0, 32)
    silent = FAULTY.pitches.copy()
    silent[:16, Voice.ALTO] = REST
    onsets = FAULTY.onsets & (silent != REST)
    resting = replace(FAULTY, pitches=silent, onsets=onsets)
    mark = violation(Voice.SOPRANO, Voice.BASS, piece=resting)
    free = form.passage(resting, mark, lock_cells.nothing(resting))
    assert np.flatnonzero(free[:, Voice.ALTO]).tolist() == list(range(12, 20))


def test_locked_notes_stay() -> None:
    mark = violation(*TENOR_BASS)
    kept = lock_cells.of_voice(FAULTY, Voice.BASS)
    assert extent(form.passage(FAULTY, mark, kept))[0] == [2]
    everything = ~lock_cells.nothing(FAULTY)
    with pytest.raises(UsageError, match="All notes around this violation are locked"):
        form.passage(FAULTY, mark, everything)


def without(piece: Chorale = FAULTY) -> Task:
    """Return the task to write the piece without its fifths of tenor and bass."""
    mark = violation(*TENOR_BASS, piece=piece)
    return form.rewrite_without(piece, mark, lock_cells.nothing(piece), SEEDED)


def test_a_rule_that_can_be_enforced_is_on_for_the_request() -> None:
    task = without()
    assert task.form.rules == task.request.rules == ("range", "parallels")
    assert (task.count, task.avoided) == (8, "parallel_fifths")
    assert replace(task.form, rules=SEEDED.rules) == SEEDED


def test_rules_that_the_kept_notes_break_are_off_for_the_request() -> None:
    """Otherwise nothing could be written."""
    pitches = FAULTY.pitches.copy()
    pitches[:, Voice.SOPRANO] -= 12
    assert without(replace(FAULTY, pitches=pitches)).request.rules == ("parallels",)


def test_candidates_that_break_the_rule_there_are_recognised() -> None:
    task = without()
    assert task.breaks_avoided(FAULTY)
    mended = FAULTY.pitches.copy()
    mended[16:20, [Voice.TENOR, Voice.BASS]] = (53, 53)
    assert not task.breaks_avoided(replace(FAULTY, pitches=mended))
    assert not replace(task, avoided="").breaks_avoided(FAULTY)
