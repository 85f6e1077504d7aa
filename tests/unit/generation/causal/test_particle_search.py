"""Search with particles for phrase endings and towards locked notes."""

# ruff: noqa: N806  # shape suffixes: ids_KN
from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any
from weakref import WeakSet

import numpy as np
import pytest

from musicrel import jobs
from musicrel.chorale import Key
from musicrel.generation import quality
from musicrel.generation.causal import (
    batch_forward,
    causal_generator,
    decoder,
    particle_search,
    potentials,
)
from musicrel.generation.causal.batch import CausalBatch, Progress
from musicrel.generation.causal.batch_forward import BatchForward, DecodeSequence
from musicrel.generation.causal.compiled_choice import Choosing
from musicrel.generation.causal.decoder import Column, DecodingEvent
from musicrel.generation.causal.particle_search import Particles, ParticleSearch
from musicrel.generation.causal.search_windows import _LEFT_OPEN, Window
from musicrel.generation.causal.written import Written
from musicrel.generation.cell_constraints import Constraints
from musicrel.generation.constraints import dissonances
from musicrel.generation.constraints.locks import Cell, Locks
from musicrel.generation.discriminator import discriminator
from musicrel.generation.discriminator.discriminator import Discriminator
from musicrel.generation.discriminator.features import counts
from musicrel.generation.events import SearchState
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.generation.phrasing import phrase_ends
from musicrel.generation.request import GenerationRequest
from musicrel.generation.sampling import Sampler
from musicrel.model.reading import Reader
from musicrel.model.tokens import codec
from tests.helpers.models import tiny_cross_attention_directory
from tests.helpers.music import random_chorale

PHRASES = GenerationRequest(length=48, bars=3, fermatas=((16, 20),))
"""Twelve quarters; a phrase ends after five, another with the piece."""
HALF = replace(PHRASES, cadence="half,", begins_on="tonic")
C_MAJOR = Key("C", "major")
COUNT = quality.QUALITIES["normal"].particles


def new_sequences(
    model: LoadedModel, request: GenerationRequest, seeds: range
) -> list[DecodeSequence]:
    locked_tokens = Constraints.of(request, model.vocabulary).locked_tokens
    each = [replace(request, seed=seed) for seed in seeds]
    return [DecodeSequence.of(model, one, locked_tokens) for one in each]


def written(
    model: LoadedModel,
    sequences: list[DecodeSequence],
    request: GenerationRequest,
    *,
    record: bool = False,
) -> tuple[list[list[int]], list[DecodingEvent]]:
    events: list[DecodingEvent] = []
    constraints = Constraints.of(request, model.vocabulary)
    length = request.steps * codec.VOICES
    job = causal_generator.decode(model, request, constraints, sequences, length, record=record)
    return [row.tolist() for row in jobs.run(job, events.append)], events


def plain(
    model: LoadedModel, sequence: DecodeSequence, stop: int, request: GenerationRequest
) -> list[int]:
    constraints = Constraints.of(request, model.vocabulary)
    job = decoder.decode(model, [sequence], stop, constraints, Sampler.of(request))
    return [int(token) for token in jobs.run(job)[0]]


def with_soprano(request: GenerationRequest) -> GenerationRequest:
    soprano = np.zeros((request.steps, 4), dtype=bool)
    soprano[:, 0] = True
    locks = Locks.of(random_chorale(4, request.steps), soprano)
    return replace(request, locks=locks, rules=())


@pytest.fixture
def once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(particle_search, "_ATTEMPTS", 1)


def test_drafts_and_greedy_decoding_have_no_search(model: LoadedModel) -> None:
    draft = replace(PHRASES, quality="draft")
    (sequence,) = sequences = new_sequences(model, draft, range(1))
    assert written(model, sequences, draft)[0] == [plain(model, sequence, 192, draft)]

    cold = replace(PHRASES, temperature=0.0)
    (sequence,) = sequences = new_sequences(model, cold, range(1))
    ids, events = written(model, sequences, cold)
    assert ids == [plain(model, sequence, 192, cold)]
    assert all(isinstance(event, Column) for event in events)


@pytest.mark.parametrize("cadence", ["", "half,authentic"])
@pytest.mark.parametrize("has_melody", [False, True], ids=["free", "melody"])
def test_notes_do_not_depend_on_the_batch(
    model: LoadedModel, *, cadence: str, has_melody: bool
) -> None:
    request = replace(PHRASES, cadence=cadence)
    request = with_soprano(request) if has_melody else request
    sequences = new_sequences(model, request, range(3))
    alone = [written(model, [sequence], request)[0][0] for sequence in sequences]
    assert written(model, sequences, request)[0] == alone
    assert len({tuple(ids) for ids in alone}) == 3


@pytest.fixture
def side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    """Search the sequences of a batch as on a GPU."""
    joint = partial(ParticleSearch, is_joint=True)
    monkeypatch.setattr(causal_generator, "ParticleSearch", joint)


def in_two_keys(
    model: LoadedModel, request: GenerationRequest, seeds: range
) -> list[DecodeSequence]:
    keys = cycle((C_MAJOR, Key("A", "minor")))
    sequences = new_sequences(model, request, seeds)
    return [replace(sequence, key=key) for sequence, key in zip(sequences, keys, strict=False)]


@pytest.mark.parametrize("fits", [100, 3 * COUNT - 1], ids=["all", "two"])
def test_sequences_searched_side_by_side_are_those_searched_alone(
    model: LoadedModel, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, fits: int
) -> None:
    """Each has its own key, closes, and number of attempts; memory may not hold all of them."""
    alone, open_reader = each_alone(model), LoadedModel.reader

    def small(*arguments: Any, **options: Any) -> Reader:
        if len(arguments[1]) > fits:
            raise MemoryError
        return open_reader(*arguments, **options)

    monkeypatch.setattr(LoadedModel, "reader", small)
    request.getfixturevalue("side_by_side")
    assert written(model, in_two_keys(model, HALF, range(3)), HALF)[0] == alone


@pytest.mark.usefixtures("side_by_side", "once")
def test_memory_that_is_too_small_is_tried_once_and_freed(
    model: LoadedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two of four sequences fit, and the particles of one: nothing of the first two is kept."""
    opened: list[tuple[int, list[int]]] = []
    alive = WeakSet[BatchForward]()
    open_forward = BatchForward.__init__

    def small(self: BatchForward, model: LoadedModel, own: Any, *rest: Any, **more: Any) -> None:
        opened.append((len(own), sorted(one.batch for one in alive)))
        if len(own) > (COUNT if more.get("branch") else 2):
            raise MemoryError
        open_forward(self, model, own, *rest, **more)
        alive.add(self)

    monkeypatch.setattr(BatchForward, "__init__", small)
    written(model, new_sequences(model, PHRASES, range(4)), PHRASES)
    sizes = [size for size, _ in opened]
    assert sizes[:4] == [4, 2, 2 * COUNT, COUNT]
    assert sizes.count(2 * COUNT) == 1
    assert [kept for size, kept in opened if size == 2] == [[], []]


def test_torch_searches_sequences_side_by_side(
    model: LoadedModel, request: pytest.FixtureRequest
) -> None:
    by_torch = replace(model, may_compile=False)
    alone = each_alone(by_torch)
    request.getfixturevalue("side_by_side")
    assert written(by_torch, in_two_keys(by_torch, HALF, range(3)), HALF)[0] == alone


def each_alone(model: LoadedModel) -> list[list[int]]:
    return [written(model, [one], HALF)[0][0] for one in in_two_keys(model, HALF, range(3))]


def test_256_sequences_are_searched_side_by_side(
    model: LoadedModel, request: pytest.FixtureRequest
) -> None:
    sequences = in_two_keys(model, PHRASES, range(256))
    some = {row: written(model, [sequences[row]], PHRASES)[0][0] for row in (0, 101, 255)}
    request.getfixturevalue("side_by_side")
    together, _ = written(model, sequences, PHRASES)
    assert {row: together[row] for row in some} == some
    assert len({tuple(ids) for ids in together}) == 256


@pytest.mark.parametrize("kernel", [True, False], ids=["compiled", "torch"])
@pytest.mark.parametrize("batch", [1, 2])
def test_a_drawn_particle_is_continued_as_if_it_had_been_read(
    model: LoadedModel, batch: int, *, kernel: bool
) -> None:
    """Columns are those of one pass over the whole piece, in and after each passage."""
    reading = model if kernel else replace(model, may_compile=False)
    request = replace(PHRASES, cadence="half,authentic")
    sequences = new_sequences(reading, request, range(batch))
    ids, events = written(reading, sequences, request)
    for row, sequence in enumerate(sequences):
        logits = reading.logits(ids[row][:-1], sequence.conditions_NC[:192]).astype(float)
        log_p = logits - np.logaddexp.reduce(logits, axis=1, keepdims=True)
        columns = [event for event in events if isinstance(event, Column)]
        expected = [log_p[column.index - 1, column.choice.tokens[row]] for column in columns]
        entropy = -(np.exp(log_p) * log_p).sum(axis=1)
        found = [column.choice.log_probability[row] for column in columns]
        np.testing.assert_allclose(found, expected, atol=1e-4)
        np.testing.assert_allclose([c.choice.entropy[row] for c in columns], entropy, atol=1e-4)


@pytest.mark.parametrize("has_melody", [False, True], ids=["free", "melody"])
def test_recording_changes_nothing(model: LoadedModel, *, has_melody: bool) -> None:
    """Tokens and probabilities are the same to the bit; every column has attention weights."""
    request = with_soprano(PHRASES) if has_melody else PHRASES
    sequences = new_sequences(model, request, range(2))
    ids, events = written(model, sequences, request)
    recorded_ids, recorded_events = written(model, sequences, request, record=True)
    assert recorded_ids == ids
    for event, recorded in zip(events, recorded_events, strict=True):
        if isinstance(event, Column) and isinstance(recorded, Column):
            assert event.choice.log_probability.tolist() == recorded.choice.log_probability.tolist()
            assert event.attention is None
            assert recorded.attention is not None
            assert recorded.attention.shape == (2, 2, 2, recorded.index)
            np.testing.assert_allclose(recorded.attention.sum(-1), 1.0, atol=1e-5)


@pytest.mark.usefixtures("once")
def test_nothing_is_read_twice(model: LoadedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tokens that particles have read are not read again, unless attention is recorded."""
    sizes: list[int] = []
    open_reader, open_loops = LoadedModel.reader, batch_forward._loops

    def counted(*arguments: Any, **options: Any) -> Reader:
        reader = open_reader(*arguments, **options)
        step = reader.step

        def one_more(ids: codec.Ids) -> Any:
            sizes.append(len(ids))
            return step(ids)

        monkeypatch.setattr(reader, "step", one_more)
        return reader

    def counted_loops(model: Any, reader: Any) -> Any:
        write = open_loops(model, reader)

        def some_more(written: Written, first: int, stop: int, by: Choosing) -> int:
            sizes.extend([reader.batch] * (stop - first))
            return write(written, first, stop, by) if write else 0

        return some_more

    monkeypatch.setattr(LoadedModel, "reader", counted)
    monkeypatch.setattr(batch_forward, "_loops", counted_loops)
    counts = []
    for record in (False, True):
        sizes.clear()
        written(model, new_sequences(model, PHRASES, range(1)), PHRASES, record=record)
        counts.append([sizes.count(1), sizes.count(COUNT)])
    assert counts == [[1, 192], [192, 192]]


def test_particles_with_higher_log_odds_are_kept(
    model: LoadedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    crossed = []
    for weight in (-3.0, 3.0):
        judge = Discriminator({"crossing": weight}, model.sha256)
        monkeypatch.setattr(discriminator, "known", lambda _, judge=judge: judge)
        ids, _ = written(model, new_sequences(model, PHRASES, range(4)), PHRASES)
        pieces = [Constraints.of(PHRASES, model.vocabulary).piece(row) for row in ids]
        crossed.append(sum(counts(piece)["crossing"] for piece in pieces if piece))
    assert crossed[0] < crossed[1] - 5


def test_particles_without_cross_relations_are_kept(
    model: LoadedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for loss in (0.0, -3.0):
        monkeypatch.setattr(potentials, "_CROSS_RELATION", loss)
        request = replace(PHRASES, key=C_MAJOR)
        sequences = new_sequences(model, request, range(4))
        ids, _ = written(model, sequences, request)
        pieces = [Constraints.of(request, model.vocabulary).piece(row) for row in ids]
        steps = [
            dissonances.cross_relation_steps(p.pitches[None].astype(np.int64), C_MAJOR)
            for p in pieces
            if p
        ]
        found.append(int(np.sum(steps)))
    assert found[1] < found[0] / 2


def test_a_melody_is_harmonised_without_the_discriminator(
    model: LoadedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = with_soprano(replace(PHRASES, key=C_MAJOR))
    plain_ids, _ = written(model, new_sequences(model, request, range(1)), request)
    judge = Discriminator({"crossing": 3.0}, model.sha256)
    monkeypatch.setattr(discriminator, "known", lambda _: judge)
    assert written(model, new_sequences(model, request, range(1)), request)[0] == plain_ids


@pytest.mark.usefixtures("once")
def test_the_effective_size_is_reported_on_every_beat(model: LoadedModel) -> None:
    """It is at most the number of particles; a locked soprano has one window for both phrases.

    The search of a free phrase end has four more places to resample if its cadence is drawn.
    """
    free = written(model, new_sequences(model, PHRASES, range(1)), PHRASES)[1]
    drawn = [phrase_ends.draw_within(0, 16, _LEFT_OPEN), phrase_ends.draw_last(0, 44).kind]
    melody = with_soprano(PHRASES)
    locked = written(model, new_sequences(model, melody, range(1)), melody)[1]
    sizes = [
        [event.effective_size for event in events if isinstance(event, SearchState)]
        for events in (free, locked)
    ]
    assert [len(of_events) for of_events in sizes] == [10 + 4 * sum(map(bool, drawn)), 11]
    assert all(1 <= size <= COUNT + 1e-9 for of_events in sizes for size in of_events)
    assert {e.particles for e in locked if isinstance(e, SearchState)} == {COUNT}


def test_fewer_particles_are_written_where_memory_is_small(
    model: LoadedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_reader = LoadedModel.reader

    def small(*arguments: Any, **options: Any) -> Reader:
        if len(arguments[1]) > 4:
            raise MemoryError
        return open_reader(*arguments, **options)

    monkeypatch.setattr(LoadedModel, "reader", small)
    _, events = written(model, new_sequences(model, PHRASES, range(1)), PHRASES)
    assert {e.particles for e in events if isinstance(e, SearchState)} == {4}


def test_decoding_and_scoring_agree_with_cross_attention(tmp_path: Path) -> None:
    cross_attention = load_model(str(tiny_cross_attention_directory(tmp_path / "tiny")))
    request = with_soprano(PHRASES)
    constraints = Constraints.of(request, cross_attention.vocabulary)
    batch = CausalBatch(cross_attention, request, constraints, [0])
    events: list[Progress] = []
    (ids,), (nats,) = jobs.run(batch.run(), events.append)

    written_ = constraints.piece(ids)
    assert written_ is not None
    np.testing.assert_allclose(nats, batch.nats(written_), atol=1e-4)
    assert len(events) > nats.size  # ways were tried


def test_a_sequence_takes_over_the_part_of_a_particle_that_is_kept(model: LoadedModel) -> None:
    """Tokens that were read only to judge are not taken; dead ends stay with their cells."""
    (sequence,) = new_sequences(model, PHRASES, range(1))
    begun = replace(sequence, prompt=np.array([2, 40]))
    batch = Written.of(np.array([[2, 40]] * 3), 9)
    particles = Particles(begun, Window(first=2, last=5, read=9), batch)
    for index in range(2, 10):
        for every_KN in particles.written.choices:
            every_KN[:, index] = np.arange(3) + 10 * index
    particles.written.is_dead_BN[1, 4] = True
    particles.log_weight_K[:] = [-50.0, 0.0, -50.0]
    assert particles.resample().tolist() == [1, 1, 1]
    whole = Written.of(np.array([[2, 40], [2, 41]]), 9, np.zeros((2, 9)))

    whole.take(1, slice(2, 6), particles.written, particles.drawn())

    assert whole.ids_BN.tolist() == [[2, 40, *[0] * 8], [2, 41, 21, 31, 41, 51, *[0] * 4]]
    assert whole.choices.entropy[1].tolist() == [0, 0, 21, 31, 41, 51, 0, 0, 0, 0]
    assert np.argwhere(whole.is_dead_BN).tolist() == [[1, 4]]


@pytest.mark.parametrize(("level", "most"), [("draft", 20), ("normal", 0)])
def test_a_particle_at_a_dead_end_is_not_drawn(model: LoadedModel, level: str, most: int) -> None:
    """A soprano that stays below the tenor's next note leaves no note for the alto."""
    cells = (Cell(0, 0, 60), Cell(0, 1, 60), Cell(0, 2, 60), Cell(1, 2, 62, True))
    tight = GenerationRequest(
        bars=1,
        temperature=3.0,
        rules=("range", "crossing", "parallels", "rests"),
        locks=Locks(steps=16, cells=cells),
        quality=level,
    )
    constraints = Constraints.of(tight, model.vocabulary)
    sequences = new_sequences(model, tight, range(20))
    events: list[DecodingEvent] = []
    jobs.run(causal_generator.decode(model, tight, constraints, sequences, 64), events.append)
    stuck = len({row for event in events if isinstance(event, Column) for row in event.dead_ends})
    assert (0 < stuck < most) if most else not stuck


def test_the_effective_size_counts_equal_weights() -> None:
    assert particle_search.effective_size(np.full(4, -7.0)) == pytest.approx(4)
    assert particle_search.effective_size(np.array([0.0, 0.0, -99.0, -99.0])) == pytest.approx(2)
    assert particle_search.effective_size(np.array([-2000.0, -3000.0])) == pytest.approx(1)


def test_copies_are_in_proportion_to_the_weights_and_unbiased() -> None:
    log_weight_K = np.log([0.5, 0.3, 0.15, 0.05])
    for uniform in np.linspace(0, 0.999, 25):
        times_K = np.bincount(particle_search.systematic(log_weight_K, uniform), minlength=4)
        assert (np.abs(times_K - 4 * np.exp(log_weight_K)) < 1).all()

    weight_K = np.array([0.1, 0.45, 0.25, 0.2])
    uniforms = (np.arange(1000) + 0.5) / 1000
    rows = [particle_search.systematic(np.log(weight_K), uniform) for uniform in uniforms]
    np.testing.assert_allclose(np.bincount(np.concatenate(rows)) / 4000, weight_K, atol=1e-3)


def test_a_draw_follows_the_weights() -> None:
    log_weight_K = np.log([0.25, 0.5, 0.25]) - 300
    drawn = [
        particle_search.draw(log_weight_K, uniform) for uniform in (0, 0.2, 0.26, 0.7, 0.8, 0.9999)
    ]
    assert drawn == [0, 0, 1, 1, 2, 2]
