"""Several proposals for one request."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from musicrel import jobs
from musicrel.analysis import grade_reference, voice_leading
from musicrel.chorale import REST, Chorale, Key
from musicrel.errors import UsageError
from musicrel.generation.candidates import candidate_job, ranking
from musicrel.generation.candidates.candidate_job import Candidate, Proposals, Stuck
from musicrel.generation.candidates.measures import Judge
from musicrel.generation.causal.batch import Progress
from musicrel.generation.causal.causal_generator import generate
from musicrel.generation.constraints.locks import Cell, Locks
from musicrel.generation.constraints.rules import HARD_RULES
from musicrel.generation.events import NoLegalNoteError
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import GenerationRequest
from musicrel.generation.scoring.surprisal import surprisal
from musicrel.model.decoding.step import Stepper
from tests.helpers.music import random_chorale

SHORT = GenerationRequest(bars=1, seed=3)


@pytest.fixture(scope="module")
def judge() -> Judge:
    """Little is known, so that it is quick."""
    return Judge(grade_reference.load().reference, [random_chorale(0, 40)])


def proposed(
    model: LoadedModel, judge: Judge, request: GenerationRequest, count: int, **how: Any
) -> tuple[Proposals, list[Any]]:
    events: list[Any] = []
    job = candidate_job.propose(model, request, count, judge=judge, **how)
    return jobs.run(job, events.append), events


def test_each_proposal_is_what_its_seed_writes_alone(model: LoadedModel, judge: Judge) -> None:
    """Notes, title and provenance; they are numbered by seed."""
    made, _ = proposed(model, judge, SHORT, 4)

    assert sorted((one.number, one.seed) for one in made.ranked) == [(1, 3), (2, 4), (3, 5), (4, 6)]
    for one in made.ranked:
        assert one.seed is not None
        assert one.chorale == jobs.run(generate(model, replace(SHORT, seed=one.seed))).chorale


def test_the_best_comes_first(model: LoadedModel, judge: Judge) -> None:
    """By the sum of what is shown; other weights may make another order."""
    made, _ = proposed(model, judge, SHORT, 6)
    likely, _ = proposed(
        model, judge, SHORT, 6, weights=dict.fromkeys(ranking.TERMS, 0.0) | {"nats": 1.0}
    )

    scores = [one.score for one in made.ranked]
    assert scores == sorted(scores)
    assert scores == pytest.approx([sum(one.terms.values()) for one in made.ranked])
    nats = [one.measures.onward_nats for one in likely.ranked]
    assert nats == sorted(nats)


def test_progress_is_told_and_every_proposal_when_it_is_done(
    model: LoadedModel, judge: Judge
) -> None:
    """Notes of all of them together, then the proposals in the order of their seeds."""
    made, events = proposed(model, judge, replace(SHORT, patience="draft"), 3)

    progress = [event for event in events if isinstance(event, Progress)]
    assert [event.done for event in progress] == list(range(3, 64 * 3 + 1, 3))
    assert {event.total for event in progress} == {64 * 3}
    done = [event for event in events if isinstance(event, Candidate)]
    assert [one.number for one in done] == [1, 2, 3]
    assert made.tokens == 64 * 3


def test_while_ends_are_tried_nothing_counts_as_written(model: LoadedModel, judge: Judge) -> None:
    """But something is told all the time, so that it can be stopped."""
    _, events = proposed(model, judge, SHORT, 3)

    done = [event.done for event in events if isinstance(event, Progress)]
    assert done == [0] * (64 * 3) + list(range(3, 64 * 3 + 1, 3))


def test_nats_are_those_of_the_model_told_the_same(model: LoadedModel, judge: Judge) -> None:
    """As the app colours them."""
    request = replace(SHORT, key=Key("D", "minor"))
    made, _ = proposed(model, judge, request, 2)
    for one in made.ranked:
        expected = surprisal(model, one.chorale, request.told())
        assert one.measures.nats == pytest.approx(float(expected.mean()), abs=1e-4)


@pytest.mark.parametrize("region", [(0, 8), (8, 16), (16, 24), (0, 24)])
def test_nats_of_what_is_locked_count_too(
    model: LoadedModel, judge: Judge, region: tuple[int, int]
) -> None:
    """Before, within and after the region: as one reading of the whole piece gives them."""
    piece = random_chorale(1, 24)
    free = np.zeros((24, 4), dtype=bool)
    free[slice(*region), 1:3] = True
    request = rewriting(piece, free)

    for one in proposed(model, judge, request, 2)[0].ranked:
        expected = surprisal(model, one.chorale, request.told())
        cells = 4 * (region[1] - region[0])
        assert one.measures.nats == pytest.approx(float(expected.mean()), abs=1e-4)
        onward = float(expected[region[0] :].sum()) / cells
        assert one.measures.onward_nats == pytest.approx(onward, abs=1e-4)


def rewriting(piece: Chorale, free: np.ndarray, **wishes: Any) -> GenerationRequest:
    return GenerationRequest.like(piece, locks=Locks.of(piece, ~free), **wishes)


@pytest.mark.parametrize("seed", range(6))
def test_all_but_the_free_cells_stays_bit_for_bit(
    any_model: LoadedModel, judge: Judge, seed: int
) -> None:
    """Notes, onsets, fermatas and form, whatever region, in every vocabulary."""
    piece = random_chorale(seed, 27)
    rng = np.random.default_rng(seed)
    free = np.zeros((27, 4), dtype=bool)
    start, stop = sorted(rng.choice(28, 2, replace=False).tolist())
    free[start:stop, rng.permutation(4)[: rng.integers(1, 5)]] = True

    made, _ = proposed(any_model, judge, rewriting(piece, free), 3, original=piece)

    for one in made.ranked:
        assert np.array_equal(one.chorale.pitches[~free], piece.pitches[~free])
        assert np.array_equal(one.chorale.onsets[~free], piece.onsets[~free])
        assert np.array_equal(one.chorale.fermatas, piece.fermatas)
        assert (one.chorale.pickup, one.chorale.key) == (piece.pickup, piece.key)


def test_the_original_is_number_0_measured_like_the_others(
    model: LoadedModel, judge: Judge
) -> None:
    """It comes first among the events and is not ranked."""
    piece = random_chorale(1, 24)
    free = np.zeros((24, 4), dtype=bool)
    free[8:16, 1:3] = True

    made, events = proposed(model, judge, rewriting(piece, free), 2, original=piece)

    assert made.original is events[0]
    assert made.original is not None
    assert (made.original.number, made.original.seed) == (0, None)
    assert made.original.chorale is piece
    assert made.original.measures.distance is not None
    assert made.original.measures.distance.changed == 0.0
    assert all(one.measures.distance is not None for one in made.ranked)
    assert [one.chorale.title for one in made.ranked if one.number == 2] == [
        "by chance 1, proposal 2"
    ]


def test_a_proposal_tells_what_was_given(model: LoadedModel, judge: Judge) -> None:
    """Its settings write it again."""
    piece = random_chorale(1, 24)
    free = np.zeros((24, 4), dtype=bool)
    free[8:16, 1:3] = True
    request = rewriting(piece, free)
    best = proposed(model, judge, request, 2, original=piece)[0].ranked[0].chorale

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
def test_what_is_given_ends_alike_alone_and_among_proposals(
    model: LoadedModel, judge: Judge, steps: tuple[int, int], voices: tuple[int, ...]
) -> None:
    """Wherever the free notes lie in the way to an end, and whatever is given behind them."""
    piece = random_chorale(2, 48)
    free = np.zeros((48, 4), dtype=bool)
    free[slice(*steps), voices] = True
    request = replace(rewriting(piece, free), fermatas=((20, 24),), rules=())
    for one in proposed(model, judge, request, 4)[0].ranked:
        assert one.seed is not None
        alone = jobs.run(generate(model, replace(request, seed=one.seed))).chorale
        assert np.array_equal(alone.pitches, one.chorale.pitches)
        assert np.array_equal(alone.onsets, one.chorale.onsets)


@pytest.mark.parametrize("rule", HARD_RULES)
def test_a_rule_that_is_on_is_never_broken(model: LoadedModel, rule: str) -> None:
    """Twenty pieces by weights by chance, which break it otherwise, where ends are as they come."""
    broken = {True: 0, False: 0}
    for is_on, patience in ((True, "normal"), (False, "draft")):
        rules = tuple({"range", rule}) if is_on else ()
        request = GenerationRequest(bars=1, key=Key("D", "minor"), rules=rules, patience=patience)
        for seed in range(20):
            piece = jobs.run(generate(model, replace(request, seed=seed))).chorale
            found = voice_leading.find(piece, HARD_RULES[rule].findings)
            broken[is_on] += len(found) + _by_itself(rule, piece)
    assert broken[True] == 0
    assert broken[False] > 0


def _by_itself(rule: str, piece: Chorale) -> int:
    """Breaches of the rules the analysis does not know."""
    if rule == "rests":
        return int((piece.pitches == REST).sum())
    minor = (0, 2, 3, 5, 7, 8, 9, 10, 11)
    outside = ~np.isin((piece.pitches - 2) % 12, minor) & (piece.pitches != REST)
    return int(outside.sum()) if rule == "scale" else 0


TIGHT = GenerationRequest(
    bars=1,
    temperature=3.0,
    patience="draft",
    rules=("range", "crossing", "parallels", "rests"),
    locks=Locks(
        steps=16, cells=(Cell(0, 0, 60), Cell(0, 1, 60), Cell(0, 2, 60), Cell(1, 2, 62, True))
    ),
)
"""Where the soprano stays below the tenor's next note, the alto has none between them."""


def test_a_piece_that_cannot_go_on_is_kept_as_far_as_it_is(model: LoadedModel) -> None:
    """The error carries what is written, and says where and by which rules."""
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


def test_what_is_stuck_is_told_and_the_others_go_on(model: LoadedModel, judge: Judge) -> None:
    """Some seeds lead the soprano where the alto has no note; they are no proposals."""
    made, events = proposed(model, judge, TIGHT, 40)

    assert made.stuck
    assert list(made.stuck) == [event for event in events if isinstance(event, Stuck)]
    assert len(made.stuck) + len(made.ranked) == 40
    for one in made.stuck:
        assert one.sentence.startswith("no note is left for the Alto in bar 1, step 1")
        assert one.written is not None
        assert one.written.steps == 1


def test_where_all_are_stuck_the_job_ends_with_the_reason(model: LoadedModel, judge: Judge) -> None:
    """And what the first of them had written."""
    stuck = proposed(model, judge, TIGHT, 40)[0].stuck[0]
    with pytest.raises(NoLegalNoteError, match="no note is left for the Alto in bar 1") as caught:
        proposed(model, judge, replace(TIGHT, seed=stuck.seed), 1)
    assert caught.value.written == stuck.written


def test_where_memory_is_small_the_same_ones_are_stuck(
    model: LoadedModel, judge: Judge, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Proposals are written a few at a time then; it is said, and nothing else changes."""
    whole, _ = proposed(model, judge, TIGHT, 12)
    make = Stepper.__init__

    def scarce(stepper: Stepper, network: Any, told: torch.Tensor, **how: Any) -> None:
        if len(told) > 3:
            raise RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to ...")
        make(stepper, network, told, **how)

    monkeypatch.setattr(Stepper, "__init__", scarce)
    parts, events = proposed(model, judge, TIGHT, 12)

    assert whole.stuck
    assert parts.stuck == whole.stuck
    assert [one.chorale for one in parts.ranked] == [one.chorale for one in whole.ranked]
    notices = [event.notice for event in events if isinstance(event, Progress) and event.notice]
    assert notices[0].startswith("memory is too small for 12 pieces at once")


@pytest.mark.parametrize("count", [0, candidate_job.MOST + 1])
def test_the_number_of_proposals_has_bounds(model: LoadedModel, judge: Judge, count: int) -> None:
    """Both are told."""
    with pytest.raises(UsageError, match=f"candidates is {count}: expected 1 to 256"):
        proposed(model, judge, SHORT, count)


def test_without_chance_there_is_one_proposal(model: LoadedModel, judge: Judge) -> None:
    """All seeds would write the same notes."""
    cold = replace(SHORT, temperature=0.0)
    assert len(proposed(model, judge, cold, 1)[0].ranked) == 1
    with pytest.raises(UsageError, match="at temperature 0 every seed writes the same notes"):
        proposed(model, judge, cold, 2)


def test_the_original_once_more_is_no_proposal_to_lead_with(
    model: LoadedModel, judge: Judge
) -> None:
    """A seed that writes its notes again comes last, however likely it is."""
    piece = proposed(model, judge, replace(SHORT, seed=4), 1)[0].ranked[0].chorale
    made, _ = proposed(
        model, judge, SHORT, 4, original=piece, weights=dict.fromkeys(ranking.TERMS, 0.0)
    )

    assert [one.seed for one in made.ranked] == [3, 5, 6, 4]


def test_an_original_must_be_as_long(model: LoadedModel, judge: Judge) -> None:
    """Else nothing could be compared."""
    with pytest.raises(UsageError, match=r"the original has 24 steps and the piece .* 16"):
        proposed(model, judge, SHORT, 2, original=random_chorale(1, 24))
