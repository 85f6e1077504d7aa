"""Requests that avoid a rule violation."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from musicrel.chorale import REST, Chorale, Flags, Voice
from musicrel.errors import UsageError
from musicrel.presentation.compose import rule_rewrite
from musicrel.presentation.compose.form import Form
from musicrel.presentation.roll import lock_cells, marks
from musicrel.presentation.roll.marks import Mark

BEFORE, AFTER = (67, 64, 55, 48), (69, 65, 57, 50)
PIECE = replace(
    Chorale.of([BEFORE] * 16 + [AFTER] * 16),
    onsets=np.tile(np.arange(32)[:, None] % 4 == 0, (1, 4)),
)
"""Quarters; soprano, tenor and bass move in parallel into the second bar."""
FORM = Form(seed=5)
TENOR_BASS = (Voice.TENOR, Voice.BASS)


def violation(*voices: Voice, piece: Chorale = PIECE) -> Mark:
    """Return the violation of these voices."""
    return next(mark for mark in marks.marks(piece) if mark.voices == voices)


def extent(free: Flags) -> tuple[list[int], int, int]:
    """Return the voices to rewrite, the first step and the step after the last."""
    steps = np.flatnonzero(free.any(axis=1))
    return np.flatnonzero(free.any(axis=0)).tolist(), int(steps[0]), int(steps[-1]) + 1


def test_the_passage_is_the_beat_before_and_the_beat_of_the_violation() -> None:
    """In the voices at fault."""
    free = rule_rewrite.passage(PIECE, violation(*TENOR_BASS), lock_cells.nothing(PIECE))
    assert extent(free) == ([2, 3], 12, 20)
    assert free.sum() == 16


def test_the_melody_is_kept() -> None:
    """Below it, all voices move if it and the bass are at fault."""
    kept = lock_cells.nothing(PIECE)
    tenor = rule_rewrite.passage(PIECE, violation(Voice.SOPRANO, Voice.TENOR), kept)
    outer = rule_rewrite.passage(PIECE, violation(Voice.SOPRANO, Voice.BASS), kept)
    assert extent(tenor)[0] == [2]
    assert extent(outer)[0] == [1, 2, 3]


def test_a_melody_that_alone_is_at_fault_is_written_again() -> None:
    """A leap of more than an octave."""
    leaping = Chorale.of([BEFORE] * 16 + [(81, 64, 55, 48)] * 16)
    mark = violation(Voice.SOPRANO, piece=leaping)
    free = rule_rewrite.passage(leaping, mark, lock_cells.nothing(leaping))
    assert extent(free)[0] == [0]


def test_every_further_attempt_frees_more_voices() -> None:
    """In the end the melody, too."""
    kept = lock_cells.nothing(PIECE)
    voices = [
        extent(rule_rewrite.passage(PIECE, violation(*TENOR_BASS), kept, attempt=attempt))[0]
        for attempt in range(4)
    ]
    assert voices == [[2, 3], [1, 2, 3], [0, 1, 2, 3], [0, 1, 2, 3]]


def test_notes_are_rewritten_whole_and_rests_only_in_the_passage() -> None:
    """A long note is not cut."""
    long = Chorale.of([BEFORE] * 16 + [AFTER] * 16)
    free = rule_rewrite.passage(long, violation(*TENOR_BASS, piece=long), lock_cells.nothing(long))
    assert extent(free) == ([2, 3], 0, 32)
    silent = PIECE.pitches.copy()
    silent[:16, Voice.ALTO] = REST
    onsets = PIECE.onsets & (silent != REST)
    resting = replace(PIECE, pitches=silent, onsets=onsets)
    mark = violation(Voice.SOPRANO, Voice.BASS, piece=resting)
    free = rule_rewrite.passage(resting, mark, lock_cells.nothing(resting))
    assert np.flatnonzero(free[:, Voice.ALTO]).tolist() == list(range(12, 20))


def test_locked_notes_stay() -> None:
    """A sentence gives the reason if all are locked."""
    mark = violation(*TENOR_BASS)
    kept = lock_cells.of_voice(PIECE, Voice.BASS)
    assert extent(rule_rewrite.passage(PIECE, mark, kept))[0] == [2]
    everything = ~lock_cells.nothing(PIECE)
    with pytest.raises(UsageError, match="All notes around this violation are locked"):
        rule_rewrite.passage(PIECE, mark, everything)


def test_a_rule_that_can_be_enforced_is_on_for_the_request() -> None:
    """There are at least eight candidates."""
    builder = rule_rewrite.builder(PIECE, violation(*TENOR_BASS), lock_cells.nothing(PIECE), FORM)
    assert builder.form.rules == ("range", "parallels")
    assert (builder.count, builder.avoided) == (8, "parallel_fifths")
    assert replace(builder.form, rules=FORM.rules) == FORM
    assert builder.request().rules == ("range", "parallels")


def test_rules_that_the_kept_notes_break_are_off_for_the_request() -> None:
    """Otherwise nothing could be written."""
    pitches = PIECE.pitches.copy()
    pitches[:, Voice.SOPRANO] -= 12
    low = replace(PIECE, pitches=pitches)
    free = lock_cells.nothing(low)
    builder = rule_rewrite.builder(low, violation(*TENOR_BASS, piece=low), free, FORM)
    assert builder.form.rules == ("parallels",)
    assert builder.request().rules == ("parallels",)


def test_candidates_that_break_the_rule_there_are_recognised() -> None:
    """Elsewhere they may."""
    builder = rule_rewrite.builder(PIECE, violation(*TENOR_BASS), lock_cells.nothing(PIECE), FORM)
    assert builder.breaks_avoided(PIECE)
    mended = PIECE.pitches.copy()
    mended[16:20, [Voice.TENOR, Voice.BASS]] = (53, 53)
    assert not builder.breaks_avoided(replace(PIECE, pitches=mended))
    assert not replace(builder, avoided="").breaks_avoided(PIECE)
