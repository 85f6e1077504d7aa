"""Recurrence of the voices, against a naive search for matches."""
# ruff: noqa: N803, N806  # shape suffixes: ids_BN

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from musicrel.chorale import REST, Chorale, Meter, Voice
from musicrel.generation.causal import compiled_choice
from musicrel.generation.causal.compiled_choice import find_matches
from musicrel.generation.causal.decoder import Chooser
from musicrel.generation.causal.recurrence import Match, Recurrence, recurrences_of
from musicrel.generation.cell_constraints import Constraints
from musicrel.generation.constraints.locks import Locks
from musicrel.generation.sampling import Sampler, log_softmax
from musicrel.model.tokens.vocabulary import ARTICULATED, LOWEST_PITCH, PITCH, START

ROWS, STEPS, BAR = 3, 64, 4
C, D, E, F, G = (ARTICULATED.first_onset + offset for offset in (36, 38, 40, 41, 43))
HELD = ARTICULATED.first_hold - ARTICULATED.first_onset


def plan(*ends: int, steps: int = STEPS) -> Chorale:
    """Return an empty piece in bars of a quarter; phrases end before some steps."""
    fermatas = np.isin(np.arange(steps), np.array(ends, dtype=int) - 1)
    return Chorale.of(np.full((steps, 4), REST), meter=Meter(1, 4), fermatas=fermatas)


def past_of(piece: Chorale, locks: Locks | None = None) -> Recurrence:
    return recurrences_of(Constraints(ARTICULATED, piece, locks=locks, rules=()))[0]


def rhythm_of(piece: Chorale) -> Recurrence:
    return recurrences_of(Constraints(ARTICULATED, piece, rules=()))[-1]


def grid(*sopranos: list[int]) -> np.ndarray:
    """Return ids with these tokens of the soprano, START first; the other voices repeat them."""
    return np.stack([np.array([START, *np.repeat(tokens, 4)]) for tokens in sopranos])


def naive(tokens: list[int], since: list[int], kinds: int, nearest: int) -> tuple[int, int]:
    now, found = len(tokens), []
    for start in range(now % BAR, now - (nearest - 1) * BAR, BAR):
        same = 0
        while same < start and tokens[now - same - 1] == tokens[start - same - 1]:
            same += 1
        is_phrase = since[start] == since[now] and same >= since[now]
        counted = tokens[now - (since[now] if is_phrase else same) : now]
        notes = sum(ARTICULATED.first_onset <= token < ARTICULATED.first_hold for token in counted)
        found.append((is_phrase, min(notes, kinds - 1), start))
    is_phrase, notes, start = max(found)
    return tokens[start], kinds * is_phrase + notes


Find = Callable[[np.ndarray, int, Recurrence], Match]


every_find = pytest.mark.parametrize(
    "find",
    [find_matches, compiled_choice.in_python().find_matches],
    ids=["compiled", "python"],
)


@every_find
@pytest.mark.parametrize("seed", range(4))
def test_the_best_match_is_found(find: Find, seed: int) -> None:
    """Random sopranos of few tokens, held, struck again and resting; one phrase comes back."""
    random = np.random.default_rng(seed)
    tokens_BT = random.choice([C, C + HELD, D, 4], (ROWS, STEPS), p=[0.3, 0.4, 0.2, 0.1])
    tokens_BT[:, 36:48] = tokens_BT[:, :12]
    past, kinds_seen = past_of(plan(12, 36, 48)), set()
    for step in range(4 * BAR, STEPS):
        found = find(grid(*tokens_BT.tolist()), 1 + 4 * step, past)
        for row, tokens_T in enumerate(tokens_BT.tolist()):
            kinds = len(past.nats_R) // 2
            expected = naive(tokens_T[:step], past.since_T.tolist(), kinds, past.nearest)
            assert (found.tokens_B[row], found.kinds_B[row]) == expected
            kinds_seen.add(expected[1])
    assert kinds_seen >= {0, 1, 2, 7, 8, 9, 10}


def test_a_phrase_that_begins_like_an_earlier_one_goes_on_like_it() -> None:
    """Two notes of the second phrase are those of the first; the third is raised."""
    tokens, past = [C, D, E, F, G, F, E, D, *[G, F, E, D] * 2, C, D], past_of(plan(16))
    ids_BN = grid(tokens)
    match = find_matches(ids_BN, 1 + 4 * 18, past)
    kind = len(past.nats_R) // 2 + 2

    raised_BV = past.raised(np.zeros((1, ARTICULATED.size)), match)

    assert match == (np.array([E]), np.array([kind]))
    assert raised_BV[0, E] == past.nats_R[kind] > 0
    assert np.flatnonzero(raised_BV).tolist() == [E]


@every_find
def test_rhythm_recurs_whatever_the_pitches_are(
    find: Find,
) -> None:
    """Onset, hold, onset in bar 1 and, on other pitches, in bar 2: all holds are raised."""
    tokens, past = [C, C + HELD, D, D + HELD, E, E + HELD, F], rhythm_of(plan())
    ids_BN = grid(tokens)
    match = find(ids_BN, 1 + 4 * 7, past)

    raised_BV = past.raised(np.zeros((1, ARTICULATED.size)), match)

    kind = 2  # notes that are the same; there is one phrase, so it has no earlier beginning
    assert (match.tokens_B.tolist(), match.kinds_B.tolist()) == ([D + HELD], [kind])
    assert np.flatnonzero(raised_BV).tolist() == list(
        range(ARTICULATED.first_hold, ARTICULATED.size)
    )
    assert raised_BV[0, F + HELD] == past.nats_R[kind] > 0


def test_the_best_match_of_rhythm_is_that_of_the_classes() -> None:
    random = np.random.default_rng(5)
    tokens_T = random.choice([C, C + HELD, D, D + HELD, E, E + HELD, 4], STEPS)
    past = rhythm_of(plan(12, 36, 48))
    same_T = np.array([4, C, C + HELD])[past.class_V[tokens_T]]
    for step in range(BAR, STEPS):
        found = find_matches(grid(tokens_T.tolist()), 1 + 4 * step, past)
        kinds = len(past.nats_R) // 2
        token, kind = naive(same_T[:step].tolist(), past.since_T.tolist(), kinds, past.nearest)
        assert (past.class_V[found.tokens_B[0]], found.kinds_B[0]) == (past.class_V[token], kind)


def test_only_free_notes_of_the_soprano_recur_after_four_bars() -> None:
    """The first four bars have no past; to a given melody nothing is added."""
    piece = plan()
    melody = np.zeros((STEPS, 4), dtype=np.bool_)
    melody[:, 0] = True
    given = past_of(piece, Locks.of(piece, melody))

    assert [index for index in range(1, 16 * BAR + 6) if past_of(piece).applies(index)] == [
        1 + 16 * BAR,
        5 + 16 * BAR,
    ]
    assert not any(given.applies(index) for index in range(1, 4 * STEPS + 1))


@every_find
@pytest.mark.parametrize("voice", Voice)
def test_each_voice_is_matched_with_itself(find: Find, voice: Voice) -> None:
    random = np.random.default_rng(voice)
    ids_BN = random.choice([C, D, E, F], (ROWS, 1 + 4 * STEPS))
    own_BT = random.choice([C, D, E, F], (ROWS, STEPS))
    ids_BN[:, 1 + voice :: 4] = own_BT
    past = recurrences_of(Constraints(ARTICULATED, plan(16, 32), rules=()))[voice]
    for step in range(4 * BAR, STEPS):
        index = 1 + 4 * step + voice
        found = find(ids_BN, index, past)
        assert past.applies(index)
        for row, tokens_T in enumerate(own_BT[:, :step].tolist()):
            expected = naive(tokens_T, past.since_T.tolist(), len(past.nats_R) // 2, past.nearest)
            assert (found.tokens_B[row], found.kinds_B[row]) == expected


def naive_under(
    given: tuple[Voice, ...], tokens_TV: list[list[int]], step: int, voice: Voice
) -> tuple[int, int] | None:
    found = []
    for start in range(step - 4 * BAR, -1, -BAR):
        if any(tokens_TV[start][one] != tokens_TV[step][one] for one in given):
            continue
        same = 0
        while same < start and all(
            tokens_TV[start - same - 1][one] == tokens_TV[step - same - 1][one]
            for one in (voice, *given)
        ):
            same += 1
        found.append((min(same, 6), start))
    if not found:
        return None
    notes, start = max(found)
    return tokens_TV[start][voice], notes


@every_find
@pytest.mark.parametrize(
    "given",
    [(Voice.SOPRANO,), (Voice.BASS,), (Voice.SOPRANO, Voice.TENOR)],
    ids=lambda given: "".join(one.letter for one in given),
)
def test_notes_recur_only_under_given_notes_that_recur_too(
    find: Find, given: tuple[Voice, ...]
) -> None:
    """The other voices have one token, so that what is given alone limits the matches."""
    tokens_TV = np.full((STEPS, 4), C)
    tokens_TV[:, given] = np.random.default_rng(0).choice([C, D], (STEPS, len(given)))
    tokens_TV[32:48, given] = tokens_TV[8:24, given]
    piece = plan()
    locked = np.zeros((STEPS, 4), dtype=np.bool_)
    locked[:, given] = True
    pitches = np.where(locked, tokens_TV - ARTICULATED.first_onset + LOWEST_PITCH, REST)
    piece = Chorale.of(pitches, meter=Meter(1, 4), onsets=locked)
    pasts = recurrences_of(Constraints(ARTICULATED, piece, locks=Locks.of(piece, locked), rules=()))
    ids_BN, seen = np.array([[START, *tokens_TV.ravel()]]), set()
    for voice in {*Voice} - {*given}:
        past = pasts[voice]._replace(since_T=np.arange(STEPS) + 100)
        for step in range(4 * BAR, STEPS):
            match = find(ids_BN, 1 + 4 * step + voice, past)
            expected = naive_under(given, tokens_TV.tolist(), step, voice)
            kind = int(match.kinds_B[0])
            seen.add(kind)
            if expected is None:
                assert kind == -1
                raised_BV = past.raised(np.zeros((1, ARTICULATED.size)), match)
                assert not raised_BV.any()
            else:
                assert (int(match.tokens_B[0]), kind) == expected
    assert seen >= {-1, 0, 1, 6}


def test_the_published_grid_has_no_recurrence() -> None:
    assert recurrences_of(Constraints(PITCH, plan(), rules=())) == ()


@pytest.mark.parametrize("seed", range(3))
def test_a_chooser_reports_the_models_opinion(seed: int) -> None:
    """Other tokens are drawn than without recurrence; log-probabilities are those of the logits."""
    allowed = Constraints(ARTICULATED, plan(16, 28, 44))
    chooser, sampler = Chooser(allowed, Sampler(top_p=0.9), "any"), Sampler(top_p=0.9)
    random = np.random.default_rng(seed)
    ids_BN, differences = np.full((ROWS, 4 * STEPS + 1), START), 0
    for index in range(1, ids_BN.shape[1]):
        logits_BV = random.standard_normal((ROWS, ARTICULATED.size))
        logits_BV[:, [C, C + HELD, D, D + HELD]] += 4
        uniforms_B = random.random(ROWS)
        choice = chooser.choose(ids_BN, index, logits_BV, uniforms_B)
        legal_BV = allowed.legal_next_tokens(ids_BN[:, :index])
        raised_BV = logits_BV
        for past in recurrences_of(allowed):
            if past.applies(index):
                raised_BV = past.raised(raised_BV, find_matches(ids_BN, index, past))
        drawn_B = sampler.choose(raised_BV, legal_BV, uniforms_B)

        assert choice.tokens.tolist() == drawn_B.tolist()
        own_B = log_softmax(logits_BV)[np.arange(ROWS), choice.tokens]
        np.testing.assert_allclose(choice.log_probability, own_B, atol=1e-12)
        differences += int((drawn_B != sampler.choose(logits_BV, legal_BV, uniforms_B)).sum())
        ids_BN[:, index] = choice.tokens
    assert differences
