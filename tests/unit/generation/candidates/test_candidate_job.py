"""Generation, measures and ranking of several candidates for one request."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from musicrel import jobs
from musicrel.analysis import grade_reference, requested_ranges, voice_leading
from musicrel.chorale import RANGES, REST, Chorale, Key, Voice
from musicrel.errors import UsageError
from musicrel.generation.candidates import candidate_job, ranking
from musicrel.generation.candidates.candidate_job import Candidate, CandidateSet, Stuck
from musicrel.generation.candidates.measures import CandidateEvaluator
from musicrel.generation.causal import particle_search
from musicrel.generation.causal.batch import Progress
from musicrel.generation.causal.causal_generator import generate
from musicrel.generation.constraints.locks import Cell, Locks
from musicrel.generation.constraints.rules import HARD_RULES
from musicrel.generation.events import NoLegalNoteError
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import GenerationRequest
from musicrel.generation.transposition import Transposition
from tests.helpers.decoding import allow_only
from tests.helpers.music import random_chorale
from tests.helpers.surprisal import surprisal

SHORT = GenerationRequest(bars=1, seed=3)


@pytest.fixture(scope="module")
def evaluator() -> CandidateEvaluator:
    """Return an evaluator with little known music, for speed."""
    return CandidateEvaluator(grade_reference.load().reference, [random_chorale(0, 40)])


def generated(
    model: LoadedModel,
    evaluator: CandidateEvaluator,
    request: GenerationRequest,
    count: int,
    **options: Any,
) -> tuple[CandidateSet, list[Any]]:
    events: list[Any] = []
    job = candidate_job.generate_candidates(model, request, count, evaluator=evaluator, **options)
    return jobs.run(job, events.append), events


def test_each_candidate_equals_the_piece_of_its_seed(
    model: LoadedModel, evaluator: CandidateEvaluator
) -> None:
    """Notes, title and provenance are equal; candidates are numbered by seed."""
    made, _ = generated(model, evaluator, SHORT, 4)

    assert sorted((one.number, one.seed) for one in made.ranked) == [(1, 3), (2, 4), (3, 5), (4, 6)]
    for one in made.ranked:
        assert one.seed is not None
        assert one.chorale == jobs.run(generate(model, replace(SHORT, seed=one.seed))).chorale


def test_the_best_comes_first(model: LoadedModel, evaluator: CandidateEvaluator) -> None:
    """Candidates are ordered by the sum of their terms; other weights can change the order."""
    made, _ = generated(model, evaluator, SHORT, 6)
    likely, _ = generated(
        model, evaluator, SHORT, 6, weights=dict.fromkeys(ranking.TERMS, 0.0) | {"nats": 1.0}
    )

    scores = [one.score for one in made.ranked]
    assert scores == sorted(scores)
    assert scores == pytest.approx([sum(one.terms.values()) for one in made.ranked])
    nats = [one.measures.region_to_end_nats for one in likely.ranked]
    assert nats == sorted(nats)


def test_progress_and_every_finished_candidate_are_reported(
    model: LoadedModel, evaluator: CandidateEvaluator
) -> None:
    """Progress counts the notes of all; the candidates follow in the order of their seeds."""
    made, events = generated(model, evaluator, replace(SHORT, quality="draft"), 3)

    progress = [event for event in events if isinstance(event, Progress)]
    assert [event.done for event in progress] == list(range(3, 64 * 3 + 1, 3))
    assert {event.total for event in progress} == {64 * 3}
    done = [event for event in events if isinstance(event, Candidate)]
    assert [one.number for one in done] == [1, 2, 3]
    assert made.tokens == 64 * 3


def test_phrase_end_trials_do_not_count_as_progress(
    model: LoadedModel, evaluator: CandidateEvaluator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every token and beat of a search yields an event, so that the job can be cancelled."""
    monkeypatch.setattr(particle_search, "_ATTEMPTS", 1)
    _, events = generated(model, evaluator, SHORT, 3)

    done = [event.done for event in events if isinstance(event, Progress)]
    beats, in_cadence = 3, 4
    assert done == [0] * (64 + beats + in_cadence) * 3 + list(range(3, 64 * 3 + 1, 3))


def test_nats_are_those_of_the_model_under_the_same_conditions(
    model: LoadedModel, evaluator: CandidateEvaluator
) -> None:
    """The measure equals the surprisal under the conditions of the request."""
    request = replace(SHORT, key=Key("D", "minor"))
    made, _ = generated(model, evaluator, request, 2)
    for one in made.ranked:
        expected = surprisal(model, one.chorale, request.given_conditions())
        assert one.measures.nats == pytest.approx(float(expected.mean()), abs=1e-4)


@pytest.mark.parametrize("region", [(0, 8), (8, 16), (16, 24), (0, 24)])
def test_nats_of_locked_cells_are_included(
    model: LoadedModel, evaluator: CandidateEvaluator, region: tuple[int, int]
) -> None:
    """Surprisal before, within and after the region equals that of one pass over the piece."""
    piece = random_chorale(1, 24)
    free = np.zeros((24, 4), dtype=bool)
    free[slice(*region), 1:3] = True
    request = rewriting(piece, free)

    for one in generated(model, evaluator, request, 2)[0].ranked:
        expected = surprisal(model, one.chorale, request.given_conditions())
        cells = 4 * (region[1] - region[0])
        assert one.measures.nats == pytest.approx(float(expected.mean()), abs=1e-4)
        region_to_end = float(expected[region[0] :].sum()) / cells
        assert one.measures.region_to_end_nats == pytest.approx(region_to_end, abs=1e-4)


def rewriting(piece: Chorale, free: np.ndarray, **fields: Any) -> GenerationRequest:
    return GenerationRequest.like(piece, locks=Locks.of(piece, ~free), **fields)


@pytest.mark.parametrize("seed", range(6))
def test_all_cells_that_are_not_free_are_kept(
    any_model: LoadedModel, evaluator: CandidateEvaluator, seed: int
) -> None:
    """Notes, onsets, fermatas and form are kept for any region and vocabulary."""
    piece = random_chorale(seed, 27)
    rng = np.random.default_rng(seed)
    free = np.zeros((27, 4), dtype=bool)
    start, stop = sorted(rng.choice(28, 2, replace=False).tolist())
    free[start:stop, rng.permutation(4)[: rng.integers(1, 5)]] = True

    made, _ = generated(any_model, evaluator, rewriting(piece, free), 3, original=piece)

    for one in made.ranked:
        assert np.array_equal(one.chorale.pitches[~free], piece.pitches[~free])
        assert np.array_equal(one.chorale.onsets[~free], piece.onsets[~free])
        assert np.array_equal(one.chorale.fermatas, piece.fermatas)
        assert (one.chorale.pickup, one.chorale.key) == (piece.pickup, piece.key)


def test_the_original_is_number_0_measured_like_the_others(
    model: LoadedModel, evaluator: CandidateEvaluator
) -> None:
    """It is the first event and is not ranked."""
    piece = random_chorale(1, 24)
    free = np.zeros((24, 4), dtype=bool)
    free[8:16, 1:3] = True

    made, events = generated(model, evaluator, rewriting(piece, free), 2, original=piece)

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


def test_a_candidate_stores_its_locks(model: LoadedModel, evaluator: CandidateEvaluator) -> None:
    """The settings in its provenance generate it again."""
    piece = random_chorale(1, 24)
    free = np.zeros((24, 4), dtype=bool)
    free[8:16, 1:3] = True
    request = rewriting(piece, free)
    best = generated(model, evaluator, request, 2, original=piece)[0].ranked[0].chorale

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
    model: LoadedModel,
    evaluator: CandidateEvaluator,
    steps: tuple[int, int],
    voices: tuple[int, ...],
) -> None:
    """Notes are equal for any position of the free notes and of the locked ones after them."""
    piece = random_chorale(2, 48)
    free = np.zeros((48, 4), dtype=bool)
    free[slice(*steps), voices] = True
    request = replace(rewriting(piece, free), fermatas=((20, 24),), rules=())
    for one in generated(model, evaluator, request, 4)[0].ranked:
        assert one.seed is not None
        alone = jobs.run(generate(model, replace(request, seed=one.seed))).chorale
        assert np.array_equal(alone.pitches, one.chorale.pitches)
        assert np.array_equal(alone.onsets, one.chorale.onsets)


@pytest.mark.parametrize("semitones", [0, -5, 7])
def test_violations_are_those_of_the_piece_that_is_shown(
    model: LoadedModel, evaluator: CandidateEvaluator, semitones: int
) -> None:
    """In its own key, and in the ranges of the request, which bind the original, too."""
    original, free = random_chorale(2, 16), np.zeros((16, 4), dtype=bool)
    free[:, Voice.BASS] = True
    ranges = (*list(RANGES.values())[:3], (52, 60))
    request = replace(rewriting(original, free), rules=("range",), quality="draft", ranges=ranges)
    made, _ = generated(
        model,
        evaluator,
        request,
        2,
        original=original,
        transposition=Transposition(semitones=semitones),
    )

    assert made.original is not None
    for one in (made.original, *made.ranked):
        shown = requested_ranges.bound(one.chorale, request.ranges)
        assert one.measures.rates == voice_leading.rates(shown)
    assert made.original.measures.rates != voice_leading.rates(original)


@pytest.mark.parametrize("rule", HARD_RULES)
def test_a_rule_that_is_on_is_never_broken(model: LoadedModel, rule: str) -> None:
    """Twenty pieces with random weights break the rule when it is off, and never when it is on."""
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
    """Count violations of the rules that the analysis does not have."""
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
    """The error holds the notes so far and names the cell and the rules."""
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


def test_stuck_candidates_are_reported_and_the_others_finished(
    model: LoadedModel, evaluator: CandidateEvaluator
) -> None:
    """Some seeds leave no note for the alto; they are not among the ranked candidates."""
    made, events = generated(model, evaluator, TIGHT, 40)

    assert made.stuck
    assert list(made.stuck) == [event for event in events if isinstance(event, Stuck)]
    assert len(made.stuck) + len(made.ranked) == 40
    for one in made.stuck:
        assert one.sentence.startswith("no note is left for the Alto in bar 1, step 1")
        assert one.written is not None
        assert one.written.steps == 1


def test_an_error_is_raised_when_all_candidates_are_stuck(
    model: LoadedModel, evaluator: CandidateEvaluator
) -> None:
    """The error holds the notes of the first candidate."""
    stuck = generated(model, evaluator, TIGHT, 40)[0].stuck[0]
    with pytest.raises(NoLegalNoteError, match="no note is left for the Alto in bar 1") as caught:
        generated(model, evaluator, replace(TIGHT, seed=stuck.seed), 1)
    assert caught.value.written == stuck.written


def test_a_halved_batch_has_the_same_stuck_candidates(
    model: LoadedModel, evaluator: CandidateEvaluator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Smaller batches are announced by a notice and give the same candidates."""
    whole, _ = generated(model, evaluator, TIGHT, 12)
    allow_only(monkeypatch, 3)
    parts, events = generated(model, evaluator, TIGHT, 12)

    assert whole.stuck
    assert parts.stuck == whole.stuck
    assert [one.chorale for one in parts.ranked] == [one.chorale for one in whole.ranked]
    notices = [event.notice for event in events if isinstance(event, Progress) and event.notice]
    assert notices[0].startswith("memory is too small for 12 pieces at once")


@pytest.mark.parametrize("count", [0, 257])
def test_the_number_of_candidates_has_bounds(
    model: LoadedModel, evaluator: CandidateEvaluator, count: int
) -> None:
    """Both bounds are in the message."""
    with pytest.raises(UsageError, match=f"candidates is {count}: expected 1 to 256"):
        generated(model, evaluator, SHORT, count)


def test_temperature_0_allows_one_candidate(
    model: LoadedModel, evaluator: CandidateEvaluator
) -> None:
    """At temperature 0 all seeds give the same notes."""
    cold = replace(SHORT, temperature=0.0)
    assert len(generated(model, evaluator, cold, 1)[0].ranked) == 1
    with pytest.raises(UsageError, match="at temperature 0 every seed writes the same notes"):
        generated(model, evaluator, cold, 2)


def test_a_candidate_equal_to_the_original_comes_last(
    model: LoadedModel, evaluator: CandidateEvaluator
) -> None:
    """A candidate equal to the original comes last, whatever its score."""
    piece = generated(model, evaluator, replace(SHORT, seed=4), 1)[0].ranked[0].chorale
    made, _ = generated(
        model, evaluator, SHORT, 4, original=piece, weights=dict.fromkeys(ranking.TERMS, 0.0)
    )

    assert [one.seed for one in made.ranked] == [3, 5, 6, 4]


def test_an_original_of_another_length_is_refused(
    model: LoadedModel, evaluator: CandidateEvaluator
) -> None:
    """Both lengths are in the message."""
    with pytest.raises(UsageError, match=r"the original has 24 steps and the piece .* 16"):
        generated(model, evaluator, SHORT, 2, original=random_chorale(1, 24))
