"""Of several ways to the end of a phrase, the likeliest."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from musicrel import jobs
from musicrel.generation.causal import decoder
from musicrel.generation.causal.batch import Batch, Progress, nats_of
from musicrel.generation.causal.causal_generator import line_of
from musicrel.generation.causal.decode_sequence import Line
from musicrel.generation.causal.decoder import Column, DecodingEvent
from musicrel.generation.causal.phrase_ends import WAYS, Endings
from musicrel.generation.constraints.locks import Cell, Locks
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.generation.request import GenerationRequest
from musicrel.tokens import codec
from tests.helpers.models import tiny_looking_directory
from tests.helpers.music import random_chorale

PHRASES = GenerationRequest(length=48, bars=3, fermatas=((16, 20),))
"""Twelve quarters; a phrase ends after five, another with the piece."""
WAY = 28 * codec.VOICES


def lines(model: LoadedModel, request: GenerationRequest, seeds: range) -> list[Line]:
    """One for each seed, nothing of it written."""
    fixed = request.constraints(model.vocabulary).fixed
    each = [replace(request, seed=seed) for seed in seeds]
    return [line_of(model, one, one.plan(), fixed) for one in each]


def written(
    model: LoadedModel, asked: list[Line], request: GenerationRequest
) -> tuple[list[list[int]], list[DecodingEvent]]:
    """The ids of every line, and all events."""
    events: list[DecodingEvent] = []
    constraints = request.constraints(model.vocabulary)
    turning = Endings(model, constraints, request.patience, begun=1)
    length = request.steps * codec.VOICES
    job = decoder.decode(model, asked, length, constraints, turning=turning)
    return [row.tolist() for row in jobs.run(job, events.append)], events


def plain(
    model: LoadedModel, asked: Line, stop: int, request: GenerationRequest
) -> tuple[list[int], float]:
    """A line as the decoder alone goes on with it to ``stop``, and log p of what is new."""
    events: list[DecodingEvent] = []
    constraints = request.constraints(model.vocabulary)
    (ids,) = jobs.run(decoder.decode(model, [asked], stop, constraints), events.append)
    columns = [event for event in events if isinstance(event, Column)]
    return ids.tolist(), sum(float(column.log_probability[0]) for column in columns)


def test_a_draft_ends_as_it_comes(model: LoadedModel) -> None:
    """Token for token what the decoder writes by itself."""
    draft = replace(PHRASES, patience="draft")
    (line,) = asked = lines(model, draft, range(1))
    assert written(model, asked, draft)[0] == [plain(model, line, 192, draft)[0]]


def test_the_likeliest_of_the_ways_to_each_end_is_taken(model: LoadedModel) -> None:
    """As trying all of them one by one finds it; the first end is too near for a whole way."""
    (line,) = asked = lines(model, PHRASES, range(1))
    expected = line
    for first, stop in ((1, 20 * 4), (20 * 4 + 1, 48 * 4)):
        assert stop - first < WAY
        ways = [
            plain(model, expected.turned(first, way), stop, PHRASES)
            for way in range(WAYS["normal"])
        ]
        best = int(np.argmax([log_p for _, log_p in ways]))
        expected = replace(expected.turned(first, best), prompt=np.array(ways[best][0]))
    assert written(model, asked, PHRASES)[0] == [expected.prompt.tolist()]


def test_what_comes_before_a_way_is_as_without(model: LoadedModel) -> None:
    """Only the last seven quarters of a long phrase are tried."""
    long = replace(PHRASES, fermatas=())
    (line,) = asked = lines(model, long, range(1))
    (ids,), _ = written(model, asked, long)
    draft, _ = plain(model, line, 192, long)
    before = 192 - WAY + 1
    assert ids[:before] == draft[:before]
    assert ids != draft


def test_a_line_ends_alike_alone_and_beside_others(model: LoadedModel) -> None:
    """Token for token."""
    asked = lines(model, PHRASES, range(3))
    alone = [written(model, [line], PHRASES)[0][0] for line in asked]
    assert written(model, asked, PHRASES)[0] == alone
    assert len({tuple(ids) for ids in alone}) == 3


def test_every_token_is_told_once_and_in_order(model: LoadedModel) -> None:
    """Of ways that are not taken nothing is."""
    ids, events = written(model, lines(model, PHRASES, range(2)), PHRASES)
    columns = [event for event in events if isinstance(event, Column)]
    assert [column.index for column in columns] == list(range(1, 193))
    assert np.array_equal(np.stack([c.tokens for c in columns], 1), [row[1:] for row in ids])


def test_what_is_given_behind_an_end_is_heard_before_it(tmp_path: Path) -> None:
    """A model that is told all that is given beforehand writes as likely as it reads."""
    looking = load_model(str(tiny_looking_directory(tmp_path / "tiny")))
    piece, soprano = random_chorale(4, 48), np.zeros((48, 4), dtype=bool)
    soprano[:, 0] = True
    request = replace(PHRASES, locks=Locks.of(piece, soprano), rules=())
    batch = Batch(looking, request, [0])
    events: list[Progress] = []
    (ids,), (nats,) = jobs.run(batch.run(), events.append)

    written_ = batch.constraints.piece(ids)
    assert written_ is not None
    read = nats_of(looking, written_, request, fixed=batch.constraints.fixed)
    np.testing.assert_allclose(nats, read.reshape(nats.shape), atol=1e-4)
    assert len(events) > nats.size  # ways were tried


def test_without_chance_there_is_one_way(model: LoadedModel) -> None:
    """The likeliest token every time."""
    cold = replace(PHRASES, temperature=0.0)
    (line,) = asked = lines(model, cold, range(1))
    ids, events = written(model, asked, cold)
    assert ids == [plain(model, line, 192, cold)[0]]
    assert all(isinstance(event, Column) for event in events)


def test_a_line_that_turns_has_another_chance(model: LoadedModel) -> None:
    """From there on; way 0 is its own chance, wherever it turned before."""
    (line,) = lines(model, PHRASES, range(1))
    own = line.chance(40)
    other = line.turned(11, 3)
    assert np.array_equal(other.chance(40)[:10], own[:10])
    assert not (other.chance(40)[10:] == own[10:]).any()
    back = other.turned(31, 0)
    assert np.array_equal(back.chance(40)[30:], own[30:])
    assert np.array_equal(back.chance(40)[:30], other.chance(40)[:30])


@pytest.mark.parametrize(("patience", "most"), [("draft", 40), ("normal", 0)])
def test_a_way_that_is_stuck_is_not_taken(model: LoadedModel, patience: str, most: int) -> None:
    """Where the soprano stays below the tenor's next note, the alto has none between them."""
    cells = (Cell(0, 0, 60), Cell(0, 1, 60), Cell(0, 2, 60), Cell(1, 2, 62, True))
    tight = GenerationRequest(
        bars=1,
        temperature=3.0,
        rules=("range", "crossing", "parallels", "rests"),
        locks=Locks(steps=16, cells=cells),
        patience=patience,
    )
    constraints = tight.constraints(model.vocabulary)
    asked = lines(model, tight, range(40))
    turning = Endings(model, constraints, patience, begun=1)
    jobs.run(decoder.decode(model, asked, 64, constraints, turning=turning))
    stuck = len(constraints.dead_ends)
    assert (0 < stuck < most) if most else not stuck
