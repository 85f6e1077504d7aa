"""Recurrence of the voices, against a naive search for matches."""
# ruff: noqa: N803, N806  # shape suffixes: ids_BN

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from musicrel.chorale import REST, Chorale, Meter, Voice
from musicrel.generation.causal import compiled_choice
from musicrel.generation.causal.compiled_choice import find_match, raise_logits
from musicrel.generation.causal.decoder import Chooser
from musicrel.generation.causal.recurrence import Recurrence, recurrences_of
from musicrel.generation.causal.written import Written
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


def ids_of(tokens: list[int]) -> np.ndarray:
    """Return ids with these tokens of the soprano, START first; the other voices repeat them."""
    return np.array([START, *np.repeat(tokens, 4)])


def raised(ids_N: np.ndarray, index: int, past: Recurrence) -> np.ndarray:
    """Return what is added to the logits at an index."""
    logit_V = np.zeros(ARTICULATED.size)
    raise_logits(logit_V, ids_N, index, past)
    return logit_V


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


Find = Callable[[np.ndarray, int, Recurrence], tuple[int, int]]


every_find = pytest.mark.parametrize(
    "find", [find_match, compiled_choice.in_python().find_match], ids=["compiled", "python"]
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
        for tokens_T in tokens_BT.tolist():
            kinds = len(past.nats_R) // 2
            expected = naive(tokens_T[:step], past.since_T.tolist(), kinds, past.nearest)
            assert find(ids_of(tokens_T), step, past) == expected
            kinds_seen.add(expected[1])
    assert kinds_seen >= {0, 1, 2, 7, 8, 9, 10}


def test_a_phrase_that_begins_like_an_earlier_one_goes_on_like_it() -> None:
    """Two notes of the second phrase are those of the first; the third is raised."""
    tokens, past = [C, D, E, F, G, F, E, D, *[G, F, E, D] * 2, C, D], past_of(plan(16))
    ids_N = ids_of(tokens)
    kind = len(past.nats_R) // 2 + 2

    raised_V = raised(ids_N, 1 + 4 * 18, past)

    assert find_match(ids_N, 18, past) == (E, kind)
    assert raised_V[E] == past.nats_R[kind] > 0
    assert np.flatnonzero(raised_V).tolist() == [E]


@every_find
def test_rhythm_recurs_whatever_the_pitches_are(find: Find) -> None:
    """Onset, hold, onset in bar 1 and, on other pitches, in bar 2: all holds are raised."""
    tokens, past = [C, C + HELD, D, D + HELD, E, E + HELD, F], rhythm_of(plan())
    ids_N = ids_of(tokens)

    raised_V = raised(ids_N, 1 + 4 * 7, past)

    kind = 2  # notes that are the same; there is one phrase, so it has no earlier beginning
    assert find(ids_N, 7, past) == (D + HELD, kind)
    assert np.flatnonzero(raised_V).tolist() == list(
        range(ARTICULATED.first_hold, ARTICULATED.size)
    )
    assert raised_V[F + HELD] == past.nats_R[kind] > 0


def test_the_best_match_of_rhythm_is_that_of_the_classes() -> None:
    random = np.random.default_rng(5)
    tokens_T = random.choice([C, C + HELD, D, D + HELD, E, E + HELD, 4], STEPS)
    past = rhythm_of(plan(12, 36, 48))
    same_T = np.array([4, C, C + HELD])[past.class_V[tokens_T]]
    for step in range(BAR, STEPS):
        found, found_kind = find_match(ids_of(tokens_T.tolist()), step, past)
        kinds = len(past.nats_R) // 2
        token, kind = naive(same_T[:step].tolist(), past.since_T.tolist(), kinds, past.nearest)
        assert (past.class_V[found], found_kind) == (past.class_V[token], kind)


def test_only_free_notes_of_the_soprano_recur_after_four_bars() -> None:
    """The first four bars have no past; to a given melody nothing is added."""
    piece = plan()
    melody = np.zeros((STEPS, 4), dtype=np.bool_)
    melody[:, 0] = True
    free, given = past_of(piece), past_of(piece, Locks.of(piece, melody))
    ids_N, indices = ids_of([C] * STEPS), range(1, 4 * STEPS + 1)

    raising = [index for index in indices if raised(ids_N, index, free).any()]
    assert raising == [*range(1 + 16 * BAR, 4 * STEPS, 4)]
    assert not any(raised(ids_N, index, given).any() for index in indices)


@every_find
@pytest.mark.parametrize("voice", Voice)
def test_each_voice_is_matched_with_itself(find: Find, voice: Voice) -> None:
    random = np.random.default_rng(voice)
    ids_N = random.choice([C, D, E, F], 1 + 4 * STEPS)
    own_T = random.choice([C, D, E, F], STEPS)
    ids_N[1 + voice :: 4] = own_T
    past = recurrences_of(Constraints(ARTICULATED, plan(16, 32), rules=()))[voice]
    for step in range(4 * BAR, STEPS):
        tokens_T, kinds = own_T[:step].tolist(), len(past.nats_R) // 2
        token, kind = naive(tokens_T, past.since_T.tolist(), kinds, past.nearest)
        assert find(ids_N, step, past) == (token, kind)
        added_V = raised(ids_N, 1 + 4 * step + voice, past)
        assert added_V[token] == past.nats_R[kind] == added_V.sum()


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
    ids_N, seen = np.array([START, *tokens_TV.ravel()]), set()
    for voice in {*Voice} - {*given}:
        past = pasts[voice]._replace(since_T=np.arange(STEPS) + 100)
        for step in range(4 * BAR, STEPS):
            token, kind = find(ids_N, step, past)
            expected = naive_under(given, tokens_TV.tolist(), step, voice)
            seen.add(kind)
            if expected is None:
                assert kind == -1
                assert not raised(ids_N, 1 + 4 * step + voice, past).any()
            else:
                assert (token, kind) == expected
    assert seen >= {-1, 0, 1, 6}


def test_the_published_grid_has_no_recurrence() -> None:
    assert not any(one.free_T.any() for one in recurrences_of(Constraints(PITCH, plan(), rules=())))


@pytest.mark.parametrize("seed", range(3))
def test_a_chooser_reports_the_models_opinion(seed: int) -> None:
    """Other tokens are drawn than without recurrence; log-probabilities are those of the logits."""
    allowed = Constraints(ARTICULATED, plan(16, 28, 44))
    chooser = Chooser(allowed, Sampler(top_p=0.9), "any")
    sampler = Sampler(top_p=0.9, first_hold=ARTICULATED.first_hold)
    random = np.random.default_rng(seed)
    uniforms_BN, differences = random.random((ROWS, 4 * STEPS)), 0
    written = Written.of(np.full((ROWS, 1), START), 4 * STEPS, uniforms_BN)
    for index in range(1, 4 * STEPS + 1):
        logits_BV = random.standard_normal((ROWS, ARTICULATED.size), dtype=np.float32)
        logits_BV[:, [C, C + HELD, D, D + HELD]] += 4
        chooser.choose(written, index, logits_BV)
        choice = written.choices.at((slice(None), index))
        legal_BV = allowed.legal_next_tokens(written.ids_BN[:, :index])
        raised_BV = logits_BV.astype(np.float64)
        for past in recurrences_of(allowed):
            for logit_V, ids_N in zip(raised_BV, written.ids_BN, strict=True):
                raise_logits(logit_V, ids_N, index, past)
        uniforms_B = uniforms_BN[:, index - 1]
        drawn_B = sampler.choose(raised_BV, legal_BV, uniforms_B)

        assert choice.tokens.tolist() == drawn_B.tolist()
        own_B = log_softmax(logits_BV.astype(np.float64))[np.arange(ROWS), choice.tokens]
        np.testing.assert_allclose(choice.log_probability, own_B, atol=1e-12)
        plain_B = sampler.choose(logits_BV.astype(np.float64), legal_BV, uniforms_B)
        differences += int((drawn_B != plain_B).sum())
    assert differences
