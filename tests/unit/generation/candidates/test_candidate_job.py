"""Generation, measures and ranking of several candidates for one request."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from musicrel import jobs
from musicrel.analysis import grade_reference, rules, voice_leading
from musicrel.chorale import RANGES, REST, Chorale, Key, Lyric, Voice
from musicrel.errors import UsageError
from musicrel.generation import edit_requests
from musicrel.generation.candidates import candidate_job, ranking
from musicrel.generation.candidates.candidate_job import (
    Candidate,
    CandidateEvent,
    CandidateSet,
    Stuck,
)
from musicrel.generation.candidates.ranking import CandidateEvaluator
from musicrel.generation.causal import particle_search
from musicrel.generation.causal.batch import Progress
from musicrel.generation.causal.causal_generator import generate
from musicrel.generation.constraints.locks import Cell, Locks
from musicrel.generation.constraints.rules import HARD_RULES
from musicrel.generation.events import NoLegalNoteError
from musicrel.generation.heads.mutes import Mutes
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import GenerationRequest
from musicrel.generation.transposition import Transposition
from musicrel.jobs import Job
from tests.helpers.decoding import allow_only
from tests.helpers.music import random_chorale
from tests.helpers.surprisal import surprisal

SHORT = GenerationRequest(bars=1, seed=3)


@cache
def evaluator() -> CandidateEvaluator:
    return CandidateEvaluator(grade_reference.load().reference, [random_chorale(0, 40)])


def generated(
    model: LoadedModel, request: GenerationRequest, count: int, **options: Any
) -> tuple[CandidateSet, list[Any]]:
    events: list[Any] = []
    job = candidate_job.generate_candidates(model, request, count, evaluator=evaluator(), **options)
    return jobs.run(job, events.append), events


def test_each_candidate_equals_the_piece_of_its_seed(model: LoadedModel) -> None:
    """Notes, title and provenance are equal; candidates are numbered by seed."""
    made, _ = generated(model, SHORT, 4)

    assert sorted((one.number, one.seed) for one in made.ranked) == [(1, 3), (2, 4), (3, 5), (4, 6)]
    for one in made.ranked:
        assert one.seed is not None
        assert one.chorale == jobs.run(generate(model, replace(SHORT, seed=one.seed))).chorale


def test_the_best_comes_first(model: LoadedModel) -> None:
    """Candidates are ordered by the sum of their terms; other weights can change the order."""
    made, _ = generated(model, SHORT, 6)
    likely, _ = generated(
        model, SHORT, 6, weights=dict.fromkeys(ranking.TERMS, 0.0) | {"nats": 1.0}
    )

    scores = [one.score for one in made.ranked]
    assert scores == sorted(scores)
    assert scores == pytest.approx([sum(one.terms.values()) for one in made.ranked])
    nats = [one.measures.region_to_end_nats for one in likely.ranked]
    assert nats == sorted(nats)


@pytest.mark.usefixtures("one_core")
def test_progress_and_every_finished_candidate_are_reported(model: LoadedModel) -> None:
    """Progress counts the notes of all; the candidates follow in the order of their seeds."""
    made, events = generated(model, replace(SHORT, quality="draft"), 3)

    progress = [event for event in events if isinstance(event, Progress)]
    assert [event.done for event in progress] == list(range(3, 64 * 3 + 1, 3))
    assert {event.total for event in progress} == {64 * 3}
    done = [event for event in events if isinstance(event, Candidate)]
    assert [one.number for one in done] == [1, 2, 3]
    assert made.tokens == 64 * 3


@pytest.mark.usefixtures("one_core")
def test_phrase_end_trials_do_not_count_as_progress(
    model: LoadedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every stretch and beat of a search yields an event, so that the job can be cancelled.

    A stretch is a beat, or a token of the last chord or of the one that prepares it.
    """
    monkeypatch.setattr(particle_search, "_ATTEMPTS", 1)
    _, events = generated(model, SHORT, 3)

    done = [event.done for event in events if isinstance(event, Progress)]
    stretches, beats, in_cadence = 4 + 2 * 4, 3, 4
    assert done == [0] * (stretches + beats + in_cadence) * 3 + list(range(3, 64 * 3 + 1, 3))


def test_nats_are_those_of_the_model_under_the_same_conditions(model: LoadedModel) -> None:
    request = replace(SHORT, key=Key("D", "minor"))
    made, _ = generated(model, request, 2)
    for one in made.ranked:
        expected = surprisal(model, one.chorale, request.given_conditions())
        assert one.measures.nats == pytest.approx(float(expected.mean()), abs=1e-4)


@pytest.mark.parametrize("region", [(0, 8), (8, 16), (16, 24), (0, 24)])
def test_nats_of_locked_cells_are_included(model: LoadedModel, region: tuple[int, int]) -> None:
    """Surprisal before, within and after the region equals that of one pass over the piece."""
    piece = random_chorale(1, 24)
    free = np.zeros((24, 4), dtype=bool)
    free[slice(*region), 1:3] = True
    request = rewriting(piece, free)

    for one in generated(model, request, 2)[0].ranked:
        expected = surprisal(model, one.chorale, request.given_conditions())
        cells = 4 * (region[1] - region[0])
        assert one.measures.nats == pytest.approx(float(expected.mean()), abs=1e-4)
        region_to_end = float(expected[region[0] :].sum()) / cells
        assert one.measures.region_to_end_nats == pytest.approx(region_to_end, abs=1e-4)


def rewriting(piece: Chorale, free: np.ndarray, **fields: Any) -> GenerationRequest:
    return GenerationRequest.like(piece, locks=Locks.of(piece, ~free), **fields)


@pytest.mark.parametrize("seed", range(6))
def test_all_cells_that_are_not_free_are_kept(any_model: LoadedModel, seed: int) -> None:
    piece = random_chorale(seed, 27)
    rng = np.random.default_rng(seed)
    free = np.zeros((27, 4), dtype=bool)
    start, stop = sorted(rng.choice(28, 2, replace=False).tolist())
    free[start:stop, rng.permutation(4)[: rng.integers(1, 5)]] = True

    made, _ = generated(any_model, rewriting(piece, free), 3, original=piece)

    for one in made.ranked:
        assert np.array_equal(one.chorale.pitches[~free], piece.pitches[~free])
        assert np.array_equal(one.chorale.onsets[~free], piece.onsets[~free])
        assert np.array_equal(one.chorale.fermatas, piece.fermatas)
        assert (one.chorale.pickup, one.chorale.key) == (piece.pickup, piece.key)


def test_the_original_is_number_0_measured_like_the_others(model: LoadedModel) -> None:
    piece = random_chorale(1, 24)
    free = np.zeros((24, 4), dtype=bool)
    free[8:16, 1:3] = True

    made, events = generated(model, rewriting(piece, free), 2, original=piece)

    assert made.original is events[0]
    assert made.original is not None
    assert (made.original.number, made.original.seed) == (0, None)
    assert made.original.chorale is piece
    assert made.original.measures.distance is not None
    assert made.original.measures.distance.changed == 0.0
    assert all(one.measures.distance is not None for one in made.ranked)
    assert [one.chorale.title for one in made.ranked if one.number == 2] == [
        "random 1, candidate 2"
    ]


def test_a_candidate_stores_its_locks(model: LoadedModel) -> None:
    piece = random_chorale(1, 24)
    free = np.zeros((24, 4), dtype=bool)
    free[8:16, 1:3] = True
    request = rewriting(piece, free)
    best = generated(model, request, 2, original=piece)[0].ranked[0].chorale

    assert best.provenance is not None
    again = GenerationRequest.from_json(dict(best.provenance.settings))
    assert again.locks == request.locks
    assert np.array_equal(jobs.run(generate(model, again)).chorale.pitches, best.pitches)


@pytest.mark.parametrize(
    ("steps", "voices"),
    [((0, 48), (0, 1, 2)), ((0, 48), (1, 2)), ((16, 32), (1, 2)), ((0, 44), (0, 1, 2, 3)),
     ((40, 48), (0, 1, 2, 3)), ((10, 26), (3,))],
    ids=["bass given", "outer given", "middle", "last chord given", "close", "bass in the middle"],
)  # fmt: skip
def test_phrase_ends_are_equal_alone_and_in_a_batch(
    model: LoadedModel, steps: tuple[int, int], voices: tuple[int, ...]
) -> None:
    piece = random_chorale(2, 48)
    free = np.zeros((48, 4), dtype=bool)
    free[slice(*steps), voices] = True
    request = replace(rewriting(piece, free), fermatas=((20, 24),), rules=())
    for one in generated(model, request, 4)[0].ranked:
        assert one.seed is not None
        alone = jobs.run(generate(model, replace(request, seed=one.seed))).chorale
        assert np.array_equal(alone.pitches, one.chorale.pitches)
        assert np.array_equal(alone.onsets, one.chorale.onsets)


@pytest.mark.parametrize("semitones", [0, -5, 7])
def test_violations_are_those_of_the_piece_that_is_shown(
    model: LoadedModel, semitones: int
) -> None:
    original, free = random_chorale(2, 16), np.zeros((16, 4), dtype=bool)
    free[:, Voice.BASS] = True
    ranges = (*list(RANGES.values())[:3], (52, 60))
    request = replace(rewriting(original, free), rules=("range",), quality="draft", ranges=ranges)
    made, _ = generated(
        model,
        request,
        2,
        original=original,
        transposition=Transposition(semitones=semitones),
    )

    assert made.original is not None
    for one in (made.original, *made.ranked):
        shown = rules.with_requested_ranges(one.chorale, request.ranges)
        assert one.measures.rates == voice_leading.rates(shown)
    assert made.original.measures.rates != voice_leading.rates(original)


@pytest.mark.parametrize("rule", HARD_RULES)
def test_a_rule_that_is_on_is_never_broken(model: LoadedModel, rule: str) -> None:
    broken = {True: 0, False: 0}
    for is_on, quality in ((True, "normal"), (False, "draft")):
        rules = tuple({"range", rule}) if is_on else ()
        request = GenerationRequest(bars=1, key=Key("D", "minor"), rules=rules, quality=quality)
        for seed in range(10):
            piece = jobs.run(generate(model, replace(request, seed=seed))).chorale
            found = voice_leading.find(piece, HARD_RULES[rule].findings)
            broken[is_on] += len(found) + _by_itself(rule, piece)
    assert broken[True] == 0
    assert broken[False] > 0


def _by_itself(rule: str, piece: Chorale) -> int:
    if rule == "rests":
        return int((piece.pitches == REST).sum())
    minor = (0, 2, 3, 5, 7, 8, 9, 10, 11)
    outside = ~np.isin((piece.pitches - 2) % 12, minor) & (piece.pitches != REST)
    return int(outside.sum()) if rule == "scale" else 0


TIGHT = GenerationRequest(
    bars=1,
    temperature=3.0,
    quality="draft",
    rules=("range", "crossing", "parallels", "rests"),
    locks=Locks(
        steps=16, cells=(Cell(0, 0, 60), Cell(0, 1, 60), Cell(0, 2, 60), Cell(1, 2, 62, True))
    ),
)
"""A soprano that stays below the tenor's next note leaves no note for the alto."""


def test_a_dead_end_raises_an_error_with_the_notes_so_far(model: LoadedModel) -> None:
    stuck = []
    for seed in range(40):
        try:
            jobs.run(generate(model, replace(TIGHT, seed=seed)))
        except NoLegalNoteError as error:
            stuck.append(error)

    assert stuck
    for found in stuck:
        assert str(found).startswith("no note is left for the Alto in bar 1, step 1: the rules 'cr")
        assert found.written is not None
        assert found.written.pitches[:, :3].tolist() == [[60, 60, 60]]


def test_stuck_candidates_are_reported_and_the_others_finished(model: LoadedModel) -> None:
    """Some seeds leave no note for the alto; they are not among the ranked candidates."""
    made, events = generated(model, TIGHT, 40)

    assert made.stuck
    assert list(made.stuck) == [event for event in events if isinstance(event, Stuck)]
    assert len(made.stuck) + len(made.ranked) == 40
    for one in made.stuck:
        assert one.sentence.startswith("no note is left for the Alto in bar 1, step 1")
        assert one.written is not None
        assert one.written.steps == 1


def test_an_error_is_raised_when_all_candidates_are_stuck(model: LoadedModel) -> None:
    stuck = generated(model, TIGHT, 40)[0].stuck[0]
    with pytest.raises(NoLegalNoteError, match="no note is left for the Alto in bar 1") as caught:
        generated(model, replace(TIGHT, seed=stuck.seed), 1)
    assert caught.value.written == stuck.written


@pytest.mark.usefixtures("one_core")
def test_a_halved_batch_has_the_same_stuck_candidates(
    model: LoadedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, _ = generated(model, TIGHT, 12)
    allow_only(monkeypatch, 3)
    parts, events = generated(model, TIGHT, 12)

    assert whole.stuck
    assert parts.stuck == whole.stuck
    assert [one.chorale for one in parts.ranked] == [one.chorale for one in whole.ranked]
    notices = [event.notice for event in events if isinstance(event, Progress) and event.notice]
    assert notices[0].startswith("memory is too small for 12 pieces at once")


@pytest.mark.parametrize("count", [0, 257])
def test_the_number_of_candidates_has_bounds(model: LoadedModel, count: int) -> None:
    with pytest.raises(UsageError, match=f"candidates is {count}: expected 1 to 256"):
        generated(model, SHORT, count)


def test_temperature_0_allows_one_candidate(model: LoadedModel) -> None:
    """At temperature 0 all seeds give the same notes."""
    cold = replace(SHORT, temperature=0.0)
    assert len(generated(model, cold, 1)[0].ranked) == 1
    with pytest.raises(UsageError, match="at temperature 0 every seed writes the same notes"):
        generated(model, cold, 2)


def test_a_candidate_equal_to_the_original_comes_last(model: LoadedModel) -> None:
    piece = generated(model, replace(SHORT, seed=4), 1)[0].ranked[0].chorale
    made, _ = generated(model, SHORT, 4, original=piece, weights=dict.fromkeys(ranking.TERMS, 0.0))

    assert [one.seed for one in made.ranked] == [3, 5, 6, 4]


def test_an_original_of_another_length_is_refused(model: LoadedModel) -> None:
    with pytest.raises(UsageError, match=r"the original has 24 steps and the piece .* 16"):
        generated(model, SHORT, 2, original=random_chorale(1, 24))


_MUTED = GenerationRequest(bars=1, seed=3, quality="draft", mutes=Mutes.parse("2.1,1", "zero"))


def alone(model: LoadedModel, request: GenerationRequest) -> Chorale:
    return jobs.run(candidate_job.generate_candidates(model, request, 1)).ranked[0].chorale


def pair(
    model: LoadedModel, request: GenerationRequest, original: Chorale | None = None
) -> Job[CandidateEvent, CandidateSet]:
    return candidate_job.generate_candidates(model, request, 2, original=original, is_pair=True)


def test_both_are_those_of_the_same_seed(model: LoadedModel) -> None:
    """Candidate 1 has all heads, candidate 2 the muted ones silenced."""
    events: list[Any] = []

    made = jobs.run(pair(model, _MUTED), events.append)

    first, second = made.ranked
    assert (first.number, second.number) == (1, 2)
    assert (first.seed, second.seed) == (3, 3)
    assert first.chorale == alone(model, replace(_MUTED, mutes=Mutes()))
    assert second.chorale == alone(model, _MUTED)
    assert (first.chorale.pitches != second.chorale.pitches).any()
    assert [one.number for one in events if isinstance(one, Candidate)] == [1, 2]


def test_the_progress_is_that_of_both(model: LoadedModel) -> None:
    events: list[Any] = []

    jobs.run(pair(model, _MUTED), events.append)

    shares = [event.done / event.total for event in events if isinstance(event, Progress)]
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert 0.4 <= shares[len(shares) // 2] <= 0.6


def test_the_original_comes_once_and_its_kept_notes_stay(infill_model: LoadedModel) -> None:
    piece = random_chorale(4, 32, margin=2)
    voices = edit_requests.parse_voices("A,T")
    request = edit_requests.infill_request(
        piece, voices, 8, 16, quality="draft", mutes=Mutes.parse("1", "zero")
    )
    events: list[Any] = []

    made = jobs.run(pair(infill_model, request, piece), events.append)

    numbers = [one.number for one in events if isinstance(one, Candidate)]
    assert numbers == [0, 1, 2]
    for one in made.ranked:
        np.testing.assert_array_equal(one.chorale.pitches[:, [0, 3]], piece.pitches[:, [0, 3]])


@pytest.mark.parametrize("quality", ["draft", "normal"])
@pytest.mark.parametrize("fixture", ["model", "infill_model"])
def test_every_candidate_keeps_a_given_rhythm_and_its_words(
    fixture: str, quality: str, request: pytest.FixtureRequest
) -> None:
    """Models that write in order, with and without a search, and those that find hidden notes."""
    tune = Chorale.of(
        [[72, REST, REST, REST]] * 24,
        onsets=np.array([[step in (0, 4, 6, 7, 16), False, False, False] for step in range(24)]),
        fermatas=np.arange(24) >= 16,
        lyrics=(Lyric(Voice.SOPRANO, 1, 0, "one", True), Lyric(Voice.SOPRANO, 2, 16, "two")),
        pickup=4,
    )
    asked = GenerationRequest.singing(
        tune,
        seed=5,
        quality=quality,
        rules=("range", "parallels", "crossing"),
        key=Key("G", "major"),
    )
    made, _ = generated(request.getfixturevalue(fixture), asked, 3)

    assert len(made.ranked) == 3
    for one in made.ranked:
        piece = one.chorale
        assert (piece.onsets[:, 0] == tune.onsets[:, 0]).all()
        assert (piece.pitches[:, 0] != REST).all()
        assert (piece.title, piece.lyrics, piece.pickup) == ("one", tune.lyrics, 4)
        assert (piece.fermatas == tune.fermatas).all()
        assert piece.provenance is not None
        again = GenerationRequest.from_json(json.loads(json.dumps(dict(piece.provenance.settings))))
        assert (again.rhythm, again.lyrics) == (asked.rhythm, asked.lyrics)
