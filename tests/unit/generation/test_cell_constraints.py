"""Masks of the legal tokens of a cell."""

from __future__ import annotations

import re

import numpy as np
import pytest

from musicrel.analysis import voice_leading
from musicrel.chorale import RANGES, REST, Chorale, Key, Voice
from musicrel.errors import UsageError
from musicrel.generation.cell_constraints import Constraints, columns_of, pair_tables
from musicrel.generation.constraints.locks import UNKNOWN, Cell, Locks
from musicrel.generation.constraints.rules import (
    COLUMNS,
    DEFAULT,
    HARD_RULES,
    check_locked_cells,
    legal_pitches,
    validated,
)
from musicrel.model.tokens import codec
from musicrel.model.tokens.vocabulary import (
    ARTICULATED,
    HIGHEST_PITCH,
    LOWEST_PITCH,
    PITCH,
    REST_TOKEN,
    START,
    VOCABULARIES,
    Vocabulary,
)
from tests.helpers.music import random_chorale

S, A, T, B = Voice
both = pytest.mark.parametrize("table", VOCABULARIES.values(), ids=list(VOCABULARIES))
PAIRED = ("crossing", "parallels")


def plan(steps: int = 8, key: str | None = None) -> Chorale:
    return Chorale.of(np.full((steps, 4), REST), key=Key.parse(key) if key else None)


def token(pitch: int, *, held: bool = False) -> int:
    first = ARTICULATED.first_hold if held else ARTICULATED.first_onset
    return REST_TOKEN if pitch == REST else first + pitch - LOWEST_PITCH


def written(*pitches: int) -> np.ndarray:
    return np.array([[START, *map(token, pitches)]])


def legal(table: Vocabulary, constraints: Constraints, ids: np.ndarray) -> set[str]:
    mask = constraints.legal_next_tokens(ids)[0]
    return {name for name, is_legal in zip(table.symbols(), mask.tolist(), strict=True) if is_legal}


def beginnings(voice: Voice) -> set[str]:
    low, high = RANGES[voice]
    return {"REST", *(str(pitch) for pitch in range(low, high + 1))}


@both
@pytest.mark.parametrize("voice", list(Voice))
def test_at_first_a_voice_rests_or_begins_a_note_in_its_range(
    table: Vocabulary, voice: Voice
) -> None:
    """No PAD, MASK, START or END, no note out of range, and no hold is legal."""
    ids = np.array([[START, *[REST_TOKEN] * voice]])
    assert legal(table, Constraints(table, plan()), ids) == beginnings(voice)


@pytest.mark.parametrize("voice", list(Voice))
@pytest.mark.parametrize("held", [False, True], ids=["after-an-onset", "after-a-hold"])
def test_only_the_pitch_before_may_be_held(voice: Voice, held: bool) -> None:
    """A pitch can be held after its onset or a hold; it can be repeated, too."""
    pitch = RANGES[voice][0] + 3
    step = [REST_TOKEN] * 4
    step[voice] = token(pitch, held=held)
    ids = np.array([[START, *step, *[REST_TOKEN] * voice]])

    expected = {*beginnings(voice), f"{pitch}_"}
    assert legal(ARTICULATED, Constraints(ARTICULATED, plan()), ids) == expected


def test_the_range_may_be_switched_off_and_rests_forbidden() -> None:
    mask = Constraints(PITCH, plan(), rules=()).legal_next_tokens(np.array([[START]]))[0]
    assert mask[REST_TOKEN:].all()
    assert not mask[:REST_TOKEN].any()

    constraints = Constraints(ARTICULATED, plan(), rules=("range", "rests"))
    assert legal(ARTICULATED, constraints, written()) == beginnings(S) - {"REST"}


def test_only_notes_of_the_scale_are_left() -> None:
    constraints = Constraints(PITCH, plan(key="D minor"), rules=("scale",))
    names = legal(PITCH, constraints, np.array([[START]])) - {"REST"}
    assert {int(name) % 12 for name in names} == {2, 4, 5, 7, 9, 10, 11, 0, 1}


def breaks(rule: str, pitches: np.ndarray) -> bool:
    return bool(voice_leading.find(Chorale.of(pitches), HARD_RULES[rule].findings))


@pytest.mark.parametrize("rule", PAIRED)
@pytest.mark.parametrize("seed", range(40))
def test_masks_forbid_what_the_analysis_finds(rule: str, seed: int) -> None:
    """Every pitch of every voice is compared, beside random written and locked cells."""
    rng = np.random.default_rng(seed)
    grid = rng.integers(55, 64, size=(3, 4)).astype(np.int16)
    grid[rng.random(grid.shape) < 0.1] = REST
    voice = int(rng.integers(4))
    written_cells = np.arange(12).reshape(3, 4) < 4 + voice
    locked = (rng.random(grid.shape) < 0.6) & ~written_cells
    locked[1, voice] = False
    if breaks(rule, np.where(locked, grid, REST)):
        return
    cells = [Cell(int(s), int(v), int(grid[s, v])) for s, v in np.argwhere(locked)]
    locks = Locks(steps=3, cells=tuple(cells))
    constraints = Constraints(PITCH, plan(3), rules=(rule,), locks=locks)
    first = PITCH.first_onset - LOWEST_PITCH
    flat = grid.reshape(-1)[: 4 + voice]
    ids = np.array([[START, *np.where(flat == REST, REST_TOKEN, flat + first)]])

    mask = constraints._pair_mask(constraints.pair_rules, ids)[0]

    for pitch in range(50, 70):
        attempt = np.where(written_cells | locked, grid, REST)
        attempt[1, voice] = pitch
        new = [
            finding
            for finding in voice_leading.find(Chorale.of(attempt), HARD_RULES[rule].findings)
            if voice in finding.voices
            and (finding.step <= 1 < finding.stop or finding.previous == 1)
        ]
        assert mask[pitch + first] == (not new), (pitch, attempt.tolist())
    assert mask[REST_TOKEN]


def sample_tokens(constraints: Constraints, steps: int, rows: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    ids = np.full((rows, 1), START)
    for _ in range(4 * steps):
        mask = constraints.legal_next_tokens(ids)
        assert mask.any(axis=1).all()
        ids = np.column_stack([ids, (rng.random(mask.shape) * mask).argmax(axis=1)])
    return ids


@both
@pytest.mark.parametrize("seed", range(12))
def test_locks_are_kept_bit_for_bit(table: Vocabulary, seed: int) -> None:
    rng = np.random.default_rng(seed)
    piece = random_chorale(seed, 24)
    mask = rng.random((24, 4)) < rng.choice([0.05, 0.5, 0.95])
    constraints = Constraints(table, plan(24), locks=Locks.of(piece, mask))

    for ids in sample_tokens(constraints, 24, rows=3, seed=seed):
        result = constraints.piece(ids)
        assert result is not None
        assert np.array_equal(result.pitches[mask], piece.pitches[mask])
        assert np.array_equal(result.onsets[mask], piece.onsets[mask])
        assert np.array_equal(codec.encode(result, table)[1:-1], ids[1:])


@both
@pytest.mark.parametrize("seed", range(6))
def test_rules_and_locks_are_kept_together(table: Vocabulary, seed: int) -> None:
    """The masks include locked cells ahead, so that no earlier choice makes one break a rule."""
    rules = ("range", "crossing", "parallels", "scale")
    free = Constraints(table, plan(16, "C major"), rules=rules)
    piece = free.piece(sample_tokens(free, 16, rows=1, seed=seed)[0])
    assert piece is not None
    mask = np.random.default_rng(seed).random((16, 4)) < 0.4
    locks = Locks.of(piece, mask)
    constraints = Constraints(table, plan(16, "C major"), rules=rules, locks=locks)

    for ids in sample_tokens(constraints, 16, rows=4, seed=seed):
        result = constraints.piece(ids)
        assert result is not None
        assert np.array_equal(result.pitches[mask], piece.pitches[mask])
        assert not any(breaks(rule, result.pitches) for rule in rules)


def test_a_note_that_is_locked_as_held_is_prepared() -> None:
    locks = Locks(steps=8, cells=(Cell(2, A, 62, onset=False),))
    constraints = Constraints(ARTICULATED, plan(), locks=locks)
    ids = np.array([[START, *[token(p) for p in (72, 62, 55, 48)], token(72)]])

    assert legal(ARTICULATED, constraints, ids) == {"62", "62_"}


def test_cells_with_one_legal_token_are_fixed() -> None:
    """A locked onset or rest has one token; a pitch without onset has two."""
    locks = Locks(steps=8, cells=(Cell(1, S, 72, True), Cell(1, A, REST), Cell(1, T, 60)))
    locked_tokens = Constraints(ARTICULATED, plan(), locks=locks).locked_tokens

    assert locked_tokens[4:8].tolist() == [token(72), REST_TOKEN, -1, -1]
    assert (
        Constraints(PITCH, plan(), locks=locks).locked_tokens[6]
        == PITCH.first_onset + 60 - LOWEST_PITCH
    )


def test_the_beginning_of_a_piece_is_a_piece() -> None:
    """It has whole steps only, with all locks applied; no whole step is None."""
    locks = Locks(steps=8, cells=(Cell(1, S, 72, onset=True), Cell(5, S, 74)))
    constraints = Constraints(PITCH, plan(), locks=locks)
    first = PITCH.first_onset + 72 - LOWEST_PITCH

    piece = constraints.piece([START, *[first, REST_TOKEN, REST_TOKEN, REST_TOKEN] * 2, first])

    assert constraints.piece([START, first]) is None
    assert piece is not None
    assert piece.pitches[:, 0].tolist() == [72, 72]
    assert piece.onsets[:, 0].tolist() == [True, True]


def test_a_dead_end_names_the_rules_and_those_about_two_voices_are_waived() -> None:
    """The rules about two voices are waived for that cell; other rows are not affected."""
    locks = Locks(steps=8, cells=(Cell(0, T, 60, True), Cell(0, A, 60, True), Cell(1, T, 62, True)))
    rules = ("range", "crossing", "parallels", "rests")
    constraints, waived = (
        Constraints(ARTICULATED, plan(), locks=locks, rules=some)
        for some in (rules, ("range", "rests"))
    )
    ids = np.concatenate([written(60, 60, 60, 48, 62), written(60, 60, 60, 48, 67)])

    mask, waived_mask = constraints.legal_next_tokens(ids), waived.legal_next_tokens(ids)

    assert mask.any(axis=1).all()
    assert (mask == waived_mask).all(axis=1).tolist() == [True, False]
    assert constraints.dead_end(ids[0]).sentence == (
        "no note is left for the Alto in bar 1, step 1: the rules 'crossing' and 'parallels' and "
        "'rests' and the locks forbid all; switch a rule off, free a cell near or take another seed"
    )


@pytest.mark.parametrize(
    ("rules", "cells", "sentence"),
    [
        ("range", [Cell(20, B, 70)], "the rule 'range' in bar 2, Bass (step 20: out of range)"),
        (
            "crossing", [Cell(1, S, 60), Cell(1, A, 64)],
            "the rule 'crossing' in bar 1, Soprano and Alto (step 1: voice crossing)",
        ),
        (
            "parallels", [Cell(0, S, 67), Cell(0, B, 48), Cell(1, S, 69), Cell(1, B, 50)],
            "the rule 'parallels' in bar 1, Soprano and Bass (step 1: parallel fifths)",
        ),
        ("scale", [Cell(3, T, 61)], "the rule 'scale' in bar 1, Tenor (step 3: pitch 61)"),
        ("rests", [Cell(3, T, REST)], "the rule 'rests' in bar 1, Tenor (step 3: a rest)"),
    ],
)  # fmt: skip
def test_locks_that_break_a_rule_are_refused(rules: str, cells: list[Cell], sentence: str) -> None:
    locks = Locks(steps=32, cells=tuple(cells))
    text = f"the locked notes break {sentence}: switch the rule off or free one of these notes"
    with pytest.raises(UsageError, match=re.escape(text)):
        check_locked_cells(locks.with_implied_cells(), (rules,), plan(32, "C major"))


def test_a_rule_must_be_known_and_have_its_key() -> None:
    with pytest.raises(
        UsageError, match="there is no hard rule 'fun': expected some of range, cro"
    ):
        validated(("fun",), None)
    with pytest.raises(UsageError, match="the rule 'scale' needs to know the key"):
        validated(("scale",), None)
    assert DEFAULT == ("range",)


ROWS = 3000


@pytest.mark.parametrize("rules", [("crossing",), ("parallels",), ("crossing", "parallels")])
@pytest.mark.parametrize("voice", list(Voice))
def test_looked_up_pitches_are_those_of_the_masks(rules: tuple[str, ...], voice: Voice) -> None:
    random = np.random.default_rng(int(voice))
    pitches = np.array([REST, UNKNOWN, *range(LOWEST_PITCH, HIGHEST_PITCH + 1, 1)])
    before, now, after = pitches[random.integers(0, len(pitches), size=(3, ROWS, len(Voice)))]
    expected = legal_pitches(rules, voice, before, now, after)

    at_once, moved = pair_tables(rules)
    sets = np.full(ROWS, ~np.uint64(0))
    for other in (other for other in Voice if other != voice):
        present = columns_of(now[:, other])
        sets &= at_once[voice, other, present]
        for step in (before, after):
            sets &= moved[columns_of(step[:, voice]), columns_of(step[:, other]), present]
    found = (sets[:, None] >> np.arange(COLUMNS, dtype=np.uint64)) & np.uint64(1)

    assert np.array_equal(found.astype(np.bool_), expected)
    assert not expected.all()


def test_a_given_rhythm_leaves_the_soprano_onsets_or_holds_and_others_alone() -> None:
    """Compared with a loop over cells and tokens; the range and the key still hold."""
    rhythm, rules = (0, 3, 4), ("range", "scale")
    free = Constraints(ARTICULATED, plan(6, "G major"), rules=rules).legal_tokens_per_cell
    found = Constraints(ARTICULATED, plan(6, "G major"), rules=rules, rhythm=rhythm)
    for cell, its_legal in enumerate(found.legal_tokens_per_cell):
        step, voice = divmod(cell, len(Voice))
        for number, is_legal in enumerate(its_legal.tolist()):
            is_held = number >= ARTICULATED.first_hold
            fits = number > REST_TOKEN and is_held == (step not in rhythm)
            assert is_legal == (free[cell, number] and (fits or voice != S))


def test_lower_voices_begin_notes_only_where_they_may_move_or_have_tokens_of_their_own() -> None:
    tune = Chorale.of([(67, REST, REST, REST)] * 24 + [(72, REST, REST, REST)] * 8)
    melody = np.tile([True, False, False, False], (32, 1))
    found = Constraints(
        ARTICULATED, plan(32, "C major"), locks=Locks.of(tune, melody), moves=(0, 4, 8, 24),
        last_chord="authentic",
    )  # fmt: skip
    onsets = slice(ARTICULATED.first_onset, ARTICULATED.first_hold)
    may_begin = found.legal_tokens_per_cell[:, onsets].any(axis=1).reshape(32, 4)
    assert np.flatnonzero(may_begin[:, B]).tolist() == [0, 4, 8, 22, 24]  # the dominant
    assert np.flatnonzero(may_begin[:, A]).tolist() == [0, 4, 8, 23, 24, 31]  # and the tonic
    assert np.flatnonzero(may_begin[:, S]).tolist() == [0, 24]
    holds = slice(ARTICULATED.first_hold, None)
    may_hold = found.legal_tokens_per_cell[:, holds].any(axis=1).reshape(32, 4)
    assert may_hold[:, B].tolist() == [False, *[True] * 31]
    assert found.legal_tokens_per_cell.any(axis=1).all()


def test_a_vocabulary_without_holds_cannot_keep_a_rhythm() -> None:
    with pytest.raises(UsageError, match=r"this model cannot keep a given rhythm, .* relative"):
        Constraints(PITCH, plan(), rhythm=(0, 4))


@pytest.mark.parametrize("rhythm", [(0,), (0, 8), (0, 23)])
def test_a_last_chord_leaves_alone_what_the_rhythm_holds(rhythm: tuple[int, ...]) -> None:
    """Whatever pitch a note begins with, it can be held to its end."""
    pitches, onsets = np.full((32, 4), REST), np.zeros((32, 4), dtype=np.bool_)
    pitches[:24, B], pitches[24:, B], onsets[[0, 24], B] = 43, 48, True
    bass = Chorale.of(pitches, onsets=onsets, key=Key.parse("C major"))
    found = Constraints(
        ARTICULATED,
        plan(32, "C major"),
        locks=Locks.of(bass, np.tile([False, False, False, True], (32, 1))),
        last_chord="authentic",
        rhythm=rhythm,
    )
    soprano = found.legal_tokens_per_cell[S :: len(Voice)]
    legal_by_step = [set(found.pitch_V[mask].tolist()) for mask in soprano]
    for step in set(range(1, 32)) - set(rhythm):
        assert legal_by_step[step - 1] <= legal_by_step[step]
    assert found.legal_tokens_per_cell[A :: len(Voice)][-1].sum() < ARTICULATED.size / 4
