"""Writing what is hidden with a model that sees both sides."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from musicrel import jobs
from musicrel.analysis import grade_reference, voice_leading
from musicrel.chorale import REST, Chorale, onsets_where_pitch_changes
from musicrel.errors import UsageError
from musicrel.generation import sampled_key
from musicrel.generation.candidates import candidate_job
from musicrel.generation.candidates.measures import Judge
from musicrel.generation.causal.batch import Progress
from musicrel.generation.constraints.locks import UNKNOWN, Cell, Locks
from musicrel.generation.infill import infill_generator
from musicrel.generation.infill.gibbs_blocks import Block
from musicrel.generation.infill.infill_generator import Filling, Settling
from musicrel.generation.infill.infill_state import Grid
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import GenerationRequest
from musicrel.tokens import codec
from musicrel.tokens.vocabulary import ARTICULATED, MASK, REST_TOKEN
from tests.helpers.music import random_chorale

SHORT = GenerationRequest(bars=2, seed=5, patience="draft")


def filled(
    model: LoadedModel, request: GenerationRequest, seeds: tuple[int, ...] = (5,)
) -> tuple[list[Chorale], list[Progress]]:
    """The proposals as pieces, and the events."""
    events: list[Progress] = []
    filling = Filling(model, request, seeds)
    ids, nats = jobs.run(filling.run(), events.append)
    assert nats.shape == (len(seeds), request.steps, 4)
    assert (nats >= 0).all()
    pieces = [filling.constraints.piece(one) for one in ids]
    return [piece for piece in pieces if piece is not None], events


def in_range(steps: int = 32) -> Chorale:
    """A piece by chance that all voices can sing."""
    rng = np.random.default_rng(0)
    pitches = np.stack(
        [rng.integers(*span, steps) for span in ((60, 80), (53, 72), (48, 67), (40, 60))], 1
    )
    return Chorale.of(np.repeat(pitches[::4], 4, axis=0)[:steps])


def test_everything_is_written_and_every_hold_holds(infill_model: LoadedModel) -> None:
    """Tokens are notes or rests; a hold stands only after its own pitch."""
    filling = Filling(infill_model, SHORT, (1, 2, 3))
    ids, _ = jobs.run(filling.run())
    for row in ids:
        assert len(row) == 1 + SHORT.steps * 4
        cells = row[1:].reshape(-1, 4)
        assert (cells >= REST_TOKEN).all()
        held = cells >= infill_model.vocabulary.first_hold
        assert not held[0].any()
        pitches = (cells - infill_model.vocabulary.first_onset) % 46
        assert (pitches[1:] == pitches[:-1])[held[1:]].all()
        assert (cells[:-1] > REST_TOKEN)[held[1:]].all()


@pytest.mark.parametrize(
    ("patience", "steps", "rewritten"),
    [("draft", 256, (97, 129)), ("normal", 256, (97, 129)), ("careful", 32, (9, 22))],
)
def test_what_is_given_stays_bit_for_bit(
    infill_model: LoadedModel, patience: str, steps: int, rewritten: tuple[int, int]
) -> None:
    """Pitches and onsets of every given cell, read or too far away for that."""
    piece = in_range(steps)
    given = np.ones((steps, 4), dtype=np.bool_)
    given[slice(*rewritten), 1:3] = False
    request = GenerationRequest.like(piece, locks=Locks.of(piece, given), patience=patience)
    (made,), _ = filled(infill_model, request)
    assert np.array_equal(made.pitches[given], piece.pitches[given])
    assert np.array_equal(made.onsets[given], piece.onsets[given])
    assert not np.array_equal(made.pitches, piece.pitches)


def test_a_lock_that_says_only_a_pitch_is_kept(infill_model: LoadedModel) -> None:
    """And so is one that is held, with the note before it that it needs."""
    cells = (Cell(4, 0, 67), Cell(5, 0, 67), Cell(9, 3, 48, False), Cell(20, 2, REST))
    (made,), _ = filled(infill_model, replace(SHORT, locks=Locks(steps=32, cells=cells)))
    assert made.pitches[4, 0] == made.pitches[5, 0] == 67
    assert made.pitches[8, 3] == made.pitches[9, 3] == 48
    assert not made.onsets[9, 3]
    assert made.pitches[20, 2] == REST


def test_a_seed_writes_the_same_in_every_company(infill_model: LoadedModel) -> None:
    """On a CPU, to the last note; other seeds write something else."""
    alone, _ = filled(infill_model, SHORT, (7,))
    beside, _ = filled(infill_model, SHORT, (6, 7, 8))
    assert alone[0] == beside[1]
    assert beside[0] != beside[1] != beside[2]


def test_from_nothing_each_proposal_is_told_the_key_of_its_seed(
    infill_model: LoadedModel,
) -> None:
    """And keeps it; where notes are given, their key is not guessed at."""
    made = jobs.run(candidate_job.propose(infill_model, SHORT, 2))
    assert {one.seed: one.chorale.key for one in made.ranked} == {
        one.seed: sampled_key.drawn(one.seed) for one in made.ranked if one.seed is not None
    }
    named = [
        filled(infill_model, replace(SHORT, key=sampled_key.drawn(seed)), (seed,))[0][0]
        for seed in (SHORT.seed, SHORT.seed + 1)
    ]
    for one in made.ranked:
        alone = named[(one.seed or 0) - SHORT.seed]
        assert np.array_equal(one.chorale.pitches, alone.pitches)


def test_the_first_proposal_is_there_before_the_others_are_written(
    infill_model: LoadedModel,
) -> None:
    """One after the other, told as one work."""
    events: list[candidate_job.Event] = []
    made = jobs.run(candidate_job.propose(infill_model, SHORT, 3), events.append)
    told = [event for event in events if isinstance(event, Progress)]
    first = next(
        at for at, event in enumerate(events) if isinstance(event, candidate_job.Candidate)
    )
    before = [event for event in events[:first] if isinstance(event, Progress)]
    assert before == [event for event in told if event.done <= made.tokens // 3]
    assert before[-1].done == made.tokens // 3
    assert [event.done for event in told] == sorted(event.done for event in told)
    assert {event.total for event in told} == {made.tokens}
    assert told[-1].done == made.tokens


def test_a_note_drawn_anew_is_the_likelier_the_cooler_the_chance(
    infill_model: LoadedModel,
) -> None:
    """Of many draws of one hidden note, more are the likeliest pitch."""
    request = replace(SHORT, rules=())
    grid = Grid(request.constraints(infill_model.vocabulary), ARTICULATED, temperature=1.0)
    first = ARTICULATED.first_onset
    logits = np.full((grid.tokens.size, ARTICULATED.size), -9.0)
    logits[0, first + 20], logits[0, first + 21] = 1.0, 0.0
    rng = np.random.default_rng(0)

    def likeliest(cooling: float) -> float:
        drawn = []
        for _ in range(500):
            grid.sing([Block(0, 0, 1)], logits, rng.random(grid.tokens.shape), cooling)
            drawn.append(int(grid.tokens[0, 0]) == first + 20)
        return float(np.mean(drawn))

    warm, cool = likeliest(1.0), likeliest(0.5)
    assert warm == pytest.approx(1 / (1 + math.exp(-1)), abs=0.06)
    assert cool == pytest.approx(1 / (1 + math.exp(-2)), abs=0.06)


def test_a_note_drawn_anew_is_one_of_the_likeliest_asked_for(infill_model: LoadedModel) -> None:
    """Top-k and top-p hold here, too."""
    constraints = replace(SHORT, rules=()).constraints(infill_model.vocabulary)
    first = ARTICULATED.first_onset
    rng = np.random.default_rng(0)
    for narrow in ({"top_k": 1}, {"top_p": 0.4}):
        grid = Grid(constraints, ARTICULATED, temperature=1.0, **narrow)
        logits = np.full((grid.tokens.size, ARTICULATED.size), -9.0)
        logits[0, first + 20], logits[0, first + 21] = 0.1, 0.0
        for _ in range(50):
            grid.sing([Block(0, 0, 1)], logits, rng.random(grid.tokens.shape), 1.0)
            assert grid.tokens[0, 0] == first + 20


def test_the_piece_is_seen_settling(infill_model: LoadedModel) -> None:
    """Every pass tells how the proposals stand: first with gaps, in the end without."""
    pieces, events = filled(infill_model, SHORT, (1, 2))
    passes = [event for event in events if isinstance(event, Settling)]
    gaps = [int((event.pitches[0] == UNKNOWN).sum()) for event in passes]
    assert gaps[0] > 0 == gaps[-1]
    assert gaps == sorted(gaps, reverse=True)
    assert [event.done for event in passes] == sorted(event.done for event in passes)
    assert all(event.done <= event.total for event in passes)
    for piece, pitches in zip(pieces, passes[-1].pitches, strict=True):
        assert np.array_equal(piece.pitches, pitches)


def test_at_temperature_0_chance_decides_nothing_of_a_first_note(infill_model: LoadedModel) -> None:
    """A single hidden cell gets its likeliest legal token from every seed."""
    piece = in_range()
    given = np.ones((32, 4), dtype=np.bool_)
    given[12, 1] = False
    request = GenerationRequest.like(piece, locks=Locks.of(piece, given), temperature=0.0)
    pieces, _ = filled(infill_model, request, (1, 2, 3))
    assert pieces[0] == pieces[1] == pieces[2]


@pytest.mark.parametrize("seed", [2, 3])
def test_at_temperature_0_every_seed_writes_the_same(infill_model: LoadedModel, seed: int) -> None:
    """Where voices are given; the order in which notes are drawn anew is the same, too."""
    piece = in_range()
    given = np.zeros((32, 4), dtype=np.bool_)
    given[:, 0] = True
    request = GenerationRequest.like(
        piece, locks=Locks.of(piece, given), temperature=0.0, patience="draft"
    )
    (first, other), _ = filled(infill_model, request, (1, seed))
    assert first == other
    assert not np.array_equal(first.pitches, piece.pitches)


@pytest.mark.parametrize("silent", [16, 32])
def test_progress_comes_to_its_end_where_there_are_rests(
    infill_model: LoadedModel, monkeypatch: pytest.MonkeyPatch, silent: int
) -> None:
    """They are gone over when notes are drawn anew, even where nothing else is left."""
    draw = Grid.draw

    def rest_first(grid: Grid, hidden: list[Block], *said: Any, **how: Any) -> list[Block]:
        for block in hidden:
            grid.tokens[block.start : min(block.stop, silent), block.voice] = REST_TOKEN
        return draw(grid, [one for one in hidden if one.start >= silent], *said, **how)

    monkeypatch.setattr(Grid, "draw", rest_first)
    events: list[candidate_job.Event] = []
    made = jobs.run(candidate_job.propose(infill_model, SHORT, 2), events.append)
    told = [event for event in events if isinstance(event, Progress)]
    assert (made.ranked[0].chorale.pitches[:silent] == REST).all()
    assert [event.done for event in told] == sorted(event.done for event in told)
    assert told[-1].done == told[-1].total == made.tokens


@pytest.mark.parametrize("rule", ["crossing", "rests"])
def test_rules_that_are_on_are_kept(infill_model: LoadedModel, rule: str) -> None:
    """Even by a model whose weights are chance."""
    (made,), _ = filled(infill_model, replace(SHORT, rules=("range", rule)))
    assert not (made.pitches == REST).any() or rule != "rests"
    assert rule != "crossing" or not voice_leading.find(made, ("crossing",))


def test_proposals_are_measured_and_ranked(infill_model: LoadedModel) -> None:
    """As those of a model that reads from left to right."""
    judge = Judge(grade_reference.load().reference, [random_chorale(0, 40)])
    piece = in_range()
    given = np.ones((32, 4), dtype=np.bool_)
    given[8:24, 1] = False
    request = GenerationRequest.like(piece, locks=Locks.of(piece, given), patience="draft")
    made = jobs.run(candidate_job.propose(infill_model, request, 3, original=piece, judge=judge))
    assert [one.score for one in made.ranked] == sorted(one.score for one in made.ranked)
    assert made.original is not None
    assert made.original.measures.distance is not None
    settings = made.ranked[0].chorale.provenance
    assert settings is not None
    assert settings.settings["patience"] == "draft"


def test_nats_are_of_each_note_in_view_of_the_others(infill_model: LoadedModel) -> None:
    """-log p of a cell while every other run of four steps of its voice is hidden, its own too."""
    piece = in_range()
    request = GenerationRequest.like(piece)
    found = infill_generator.nats_of(infill_model, piece, request)
    ids = codec.encode(piece, infill_model.vocabulary)[1:-1].reshape(-1, 4)
    hidden = ids.copy()
    hidden[[step for step in range(32) if step // 4 % 2 == 1], 2] = MASK
    told = infill_model.condition_rows(piece, request.told())[:-2]
    logits = infill_generator.read(infill_model, [hidden], [told])[0][6 * 4 + 2]
    expected = np.logaddexp.reduce(logits) - logits[ids[6, 2]]
    assert found[6, 2] == pytest.approx(expected)


def test_a_long_piece_is_read_in_parts(
    infill_model: LoadedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each sees some bars beyond its ends; what they say, put together, is of every cell once."""
    piece = in_range(steps=40)
    ids = codec.encode(piece, infill_model.vocabulary)[1:-1].reshape(-1, 4)
    ids[::3, 1] = MASK
    told = infill_model.condition_rows(piece, ("beat",))[:-2]
    whole = infill_generator.read(infill_model, [ids], [told])[0]
    monkeypatch.setattr(infill_generator, "_LONGEST", 64)
    monkeypatch.setattr(infill_generator, "_PART", 64)
    monkeypatch.setattr(infill_generator, "_MARGIN", 4 * 40)
    parted = infill_generator.read(infill_model, [ids], [told])[0]
    assert parted.shape == whole.shape
    np.testing.assert_allclose(parted, whole, atol=1e-4)
    monkeypatch.setattr(infill_generator, "_MARGIN", 8)
    assert infill_generator.read(infill_model, [ids], [told])[0].shape == whole.shape


def test_only_what_is_near_the_wanted_cells_is_read(
    infill_model: LoadedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says what that part of the piece says where it stands; nothing is said of other cells."""
    piece = in_range(steps=40)
    ids = codec.encode(piece, infill_model.vocabulary)[1:-1].reshape(-1, 4)
    ids[19:25, 2] = MASK
    told = infill_model.condition_rows(piece, ("beat",))[:-2]
    monkeypatch.setattr(infill_generator, "_MARGIN", 4 * 5)
    found = infill_generator.read(infill_model, [ids], [told], wanted=slice(4 * 20, 4 * 24))[0]
    part = infill_generator.read(infill_model, [ids[15:29]], [told[4 * 15 : 4 * 29]])[0]
    assert found[80:96].any(axis=1).all()
    np.testing.assert_allclose(found[80:96], part[20:36], atol=1e-4)
    assert not found[:80].any()
    assert not found[96:].any()


def test_a_few_bars_are_rewritten_in_view_of_those_around(
    infill_model: LoadedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So it takes no longer in a long piece, and what stands far away changes nothing."""
    monkeypatch.setattr(infill_generator, "_MARGIN", 4 * 16)
    near = in_range(steps=96)
    pitches = near.pitches.copy()
    pitches[:16] = (72, 67, 64, 48)
    given = np.ones((96, 4), dtype=np.bool_)
    given[40:56, 1:3] = False
    written = []
    for piece in (near, Chorale.of(pitches)):
        request = GenerationRequest.like(piece, locks=Locks.of(piece, given), patience="draft")
        (made,), _ = filled(infill_model, request)
        written.append(made.pitches[40:56])
    beside, elsewhere = written
    assert np.array_equal(beside, elsewhere)


def test_an_unknown_patience_is_refused() -> None:
    """By the words that are known."""
    with pytest.raises(UsageError, match="patience is 'endless': expected draft, normal, careful"):
        replace(SHORT, patience="endless")


def test_onsets_of_a_written_piece_are_where_pitches_change(infill_model: LoadedModel) -> None:
    """At least there: repeated notes may begin anew."""
    (made,), _ = filled(infill_model, SHORT)
    assert (made.onsets | ~onsets_where_pitch_changes(made.pitches)).all()
