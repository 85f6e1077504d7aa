"""Generation with an infill model, and chords of a cadence as its legal tokens."""

# ruff: noqa: N803, N806  # shape suffixes: mask_L4V
from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from musicrel import cores, jobs
from musicrel.analysis import voice_leading
from musicrel.chorale import REST, Chorale, Flags, Key, Voice
from musicrel.generation.candidates import candidate_job
from musicrel.generation.causal.batch import Progress
from musicrel.generation.cell_constraints import Constraints
from musicrel.generation.constraints.locks import UNKNOWN, Cell, Locks
from musicrel.generation.infill import masked_reader
from musicrel.generation.infill.gibbs_blocks import Block
from musicrel.generation.infill.infill_generator import InfillBatch, InfillProgress
from musicrel.generation.infill.infill_state import InfillState
from musicrel.generation.infill.masked_reader import Logits
from musicrel.generation.infill.repair import FaultFinder, close_mask
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.phrasing.phrase_ends import PhraseEnd
from musicrel.generation.request import GenerationRequest
from musicrel.generation.sampling import Sampler
from musicrel.model.tokens import codec
from musicrel.model.tokens.vocabulary import ARTICULATED, MASK, REST_TOKEN

C_MAJOR = Key.parse("C major")
CONDITIONS = ("fermata", "ending", "key")
SHORT = GenerationRequest(bars=2, seed=5, quality="draft")
C_MINOR = Key.parse("C minor")
PITCH_V = Constraints.of(GenerationRequest(bars=1), ARTICULATED).pitch_V
G_CHORD = (71, 67, 62, 55)
TONICS = Chorale.of(np.repeat([G_CHORD] * 4, 4, axis=0))
ANY = set(range(12))


@pytest.fixture(autouse=True)
def _cores_as_before(infill_model: LoadedModel) -> Iterator[None]:  # noqa: ARG001  # loading sets them
    yield
    cores.use(None)


def filled(
    model: LoadedModel, request: GenerationRequest, seeds: tuple[int, ...] = (5,)
) -> tuple[list[Chorale], list[Progress]]:
    events: list[Progress] = []
    constraints = Constraints.of(request, model.vocabulary)
    batch = InfillBatch(model, request, constraints, seeds)
    ids, nats = jobs.run(batch.run(), events.append)
    assert nats.shape == (len(seeds), request.steps, 4)
    assert (nats >= 0).all()
    pieces = [constraints.piece(one) for one in ids]
    return [piece for piece in pieces if piece is not None], events


def new_state(request: GenerationRequest, model: LoadedModel) -> InfillState:
    rows = model.condition_rows(request.plan(), request.given_conditions())[:-2]
    constraints = Constraints.of(request, model.vocabulary)
    return InfillState(constraints, rows, np.random.default_rng(0))


def every_cell(state: InfillState, logits: dict[int, float]) -> Logits:
    """Return some logits of all cells; those of other tokens are low."""
    logits_T4V = np.full((*state.tokens.shape, ARTICULATED.size), -9.0, dtype=np.float32)
    logits_T4V[..., list(logits)] = list(logits.values())
    return logits_T4V


def in_range(steps: int = 32) -> Chorale:
    rng = np.random.default_rng(0)
    pitches = np.stack(
        [rng.integers(*span, steps) for span in ((60, 80), (53, 72), (48, 67), (40, 60))], 1
    )
    return Chorale.of(np.repeat(pitches[::4], 4, axis=0)[:steps])


def classes(legal_V: Flags) -> set[int]:
    return {pitch % 12 for pitch in PITCH_V[legal_V].tolist() if pitch >= 0}


def test_all_cells_are_filled_and_holds_follow_their_pitch(infill_model: LoadedModel) -> None:
    """Tokens are notes or rests; a hold follows its own pitch."""
    constraints = Constraints.of(SHORT, infill_model.vocabulary)
    batch = InfillBatch(infill_model, SHORT, constraints, (1, 2, 3))
    ids, _ = jobs.run(batch.run())
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
    ("quality", "steps", "rewritten"),
    [("draft", 256, (97, 129)), ("normal", 256, (97, 129)), ("high", 32, (9, 22))],
)
def test_given_cells_are_kept(
    infill_model: LoadedModel, quality: str, steps: int, rewritten: tuple[int, int]
) -> None:
    piece = in_range(steps)
    given = np.ones((steps, 4), dtype=np.bool_)
    given[slice(*rewritten), 1:3] = False
    request = GenerationRequest.like(piece, locks=Locks.of(piece, given), quality=quality)
    (made,), _ = filled(infill_model, request)
    assert np.array_equal(made.pitches[given], piece.pitches[given])
    assert np.array_equal(made.onsets[given], piece.onsets[given])
    assert not np.array_equal(made.pitches, piece.pitches)


def test_a_lock_without_an_onset_is_kept(infill_model: LoadedModel) -> None:
    cells = (Cell(4, 0, 67), Cell(5, 0, 67), Cell(9, 3, 48, False), Cell(20, 2, REST))
    (made,), _ = filled(infill_model, replace(SHORT, locks=Locks(steps=32, cells=cells)))
    assert made.pitches[4, 0] == made.pitches[5, 0] == 67
    assert made.pitches[8, 3] == made.pitches[9, 3] == 48
    assert not made.onsets[9, 3]
    assert made.pitches[20, 2] == REST


def test_a_candidate_does_not_depend_on_the_batch(infill_model: LoadedModel) -> None:
    """On a CPU a candidate does not depend on the batch; other seeds give other notes."""
    alone, _ = filled(infill_model, SHORT, (7,))
    batched, _ = filled(infill_model, SHORT, (6, 7, 8))
    assert alone[0] == batched[1]
    assert batched[0] != batched[1] != batched[2]


@pytest.mark.parametrize("threads", [1, 2])
def test_candidates_are_finished_one_by_one(infill_model: LoadedModel, threads: int) -> None:
    """The first is finished before the last is; only its notes are shown while it is written."""
    cores.use(threads)
    events: list[candidate_job.CandidateEvent] = []
    made = jobs.run(candidate_job.generate_candidates(infill_model, SHORT, 3), events.append)
    rows = [event for event in events if isinstance(event, Progress)]
    finished = [event for event in events if isinstance(event, candidate_job.Candidate)]
    assert [one.number for one in finished] == [1, 2, 3]
    before = events[: events.index(finished[0])]
    shown = [event for event in before if isinstance(event, InfillProgress)]
    assert shown == [event for event in rows if isinstance(event, InfillProgress)]
    assert shown[-1].share == 1
    assert np.array_equal(shown[-1].pitches[0], finished[0].chorale.pitches)
    assert max(event.done for event in before if isinstance(event, Progress)) < made.tokens
    assert [event.done for event in rows] == sorted(event.done for event in rows)
    assert {event.total for event in rows} == {made.tokens}
    assert rows[-1].done == made.tokens


def test_notes_do_not_depend_on_the_number_of_threads(infill_model: LoadedModel) -> None:
    """Candidates and their measures are the same to the bit, alone and in a set."""
    request = GenerationRequest(bars=5, seed=5, key=C_MAJOR, cadence="authentic")
    found = []
    for threads in (1, 2, 8):
        cores.use(threads)
        made = jobs.run(candidate_job.generate_candidates(infill_model, request, 3))
        found.append(sorted(made.ranked, key=lambda one: one.number))
        third = replace(request, seed=7)
        alone = jobs.run(candidate_job.generate_candidates(infill_model, third, 1)).ranked[0]
        assert found[-1][2].measures == alone.measures
        assert np.array_equal(found[-1][2].chorale.pitches, alone.chorale.pitches)
        assert np.array_equal(found[-1][2].chorale.onsets, alone.chorale.onsets)
    assert found[0] == found[1] == found[2]


def test_resampling_uses_the_cooled_temperature(
    infill_model: LoadedModel,
) -> None:
    request = replace(SHORT, rules=())
    state = new_state(request, infill_model)
    first = ARTICULATED.first_onset
    logits = every_cell(state, {first + 20: 1.0, first + 21: 0.0})

    def likeliest(temperature: float) -> float:
        sampled, sampler = [], Sampler(temperature=temperature)
        for _ in range(500):
            state.resample_pitches([Block(0, 0, 1)], logits, sampler)
            sampled.append(int(state.tokens[0, 0]) == first + 20)
        return float(np.mean(sampled))

    warm, cool = likeliest(1.0), likeliest(0.5)
    assert warm == pytest.approx(1 / (1 + math.exp(-1)), abs=0.06)
    assert cool == pytest.approx(1 / (1 + math.exp(-2)), abs=0.06)


@pytest.mark.parametrize(
    ("block", "written", "pitch"),
    [
        (Block(0, 2, 4), slice(0, 2), 21),  # off the beat, after the same pitch
        (Block(0, 0, 2), slice(2, 4), 21),  # on the beat, before the same pitch off the beat
        (Block(0, 4, 6), slice(2, 4), 20),  # on the beat, after the same pitch
    ],
)
def test_no_resampled_pitch_is_struck_again_off_the_beat(
    infill_model: LoadedModel, block: Block, written: slice, pitch: int
) -> None:
    """The next best pitch is taken there; on the beat a note may be struck again."""
    state = new_state(replace(SHORT, rules=()), infill_model)
    first, hold = ARTICULATED.first_onset, ARTICULATED.first_hold
    state.tokens[written, 0] = first + 20, hold + 20
    wanted = {first + 20: 3.0, hold + 20: 3.0, first + 21: 2.0, hold + 21: 2.0}
    logits = every_cell(state, wanted)
    state.resample_pitches([block], logits, Sampler(temperature=0))
    assert state.tokens[block.start, 0] == first + pitch


def test_beats_are_rewritten_between_the_sweeps(infill_model: LoadedModel) -> None:
    """After the first filling there are gaps again, in the end none; all cells are counted."""
    _, events = filled(infill_model, replace(SHORT, quality="high"))
    passes = [event for event in events if isinstance(event, InfillProgress)]
    has_gaps = [bool((event.pitches[0] == UNKNOWN).any()) for event in passes]
    assert any(has_gaps[has_gaps.index(False) :])
    assert not has_gaps[-1]
    assert passes[-1].done == passes[-1].total


def test_missed_cadences_and_parallels_are_repaired(infill_model: LoadedModel) -> None:
    """A model with random weights writes many; drafts are left as they are."""
    request = GenerationRequest(bars=4, phrases=(2, 2), key=C_MAJOR, cadence="authentic", rules=())
    left = {}
    for quality in ("draft", "normal"):
        pieces, events = filled(infill_model, replace(request, quality=quality), (1, 2, 3, 4))
        finder = FaultFinder.of(request.plan(), CONDITIONS, "authentic", np.full(256, -1), 0)
        left[quality] = sum(fault.is_repaired for piece in pieces for fault in finder.faults(piece))
        assert isinstance(events[-1], InfillProgress)
        assert [*map(np.ndarray.tolist, events[-1].pitches)] == [
            piece.pitches.tolist() for piece in pieces
        ]
    assert left["normal"] < left["draft"]


def test_every_pass_reports_the_state(infill_model: LoadedModel) -> None:
    """Every pass yields the state of all candidates: first with gaps, in the end without."""
    pieces, events = filled(infill_model, SHORT, (1, 2))
    passes = [event for event in events if isinstance(event, InfillProgress)]
    gaps = [int((event.pitches[0] == UNKNOWN).sum()) for event in passes]
    assert gaps[0] > 0 == gaps[-1]
    assert gaps == sorted(gaps, reverse=True)
    assert [event.done for event in passes] == sorted(event.done for event in passes)
    assert all(event.done <= event.total for event in passes)
    for piece, pitches in zip(pieces, passes[-1].pitches, strict=True):
        assert np.array_equal(piece.pitches, pitches)


@pytest.mark.parametrize("seed", [2, 3])
def test_at_temperature_0_every_seed_writes_the_same(infill_model: LoadedModel, seed: int) -> None:
    piece = in_range()
    given = np.zeros((32, 4), dtype=np.bool_)
    given[:, 0] = True
    request = GenerationRequest.like(
        piece, locks=Locks.of(piece, given), temperature=0.0, quality="draft"
    )
    (first, other), _ = filled(infill_model, request, (1, seed))
    assert first == other
    assert not np.array_equal(first.pitches, piece.pitches)


@pytest.mark.parametrize("silent", [16, 32])
def test_progress_reaches_its_total_in_silent_pieces(
    infill_model: LoadedModel, monkeypatch: pytest.MonkeyPatch, silent: int
) -> None:
    draw = InfillState.draw

    def rest_first(
        state: InfillState,
        hidden: list[Block],
        logits: Logits,
        sampler: Sampler,
    ) -> list[Block | None]:
        for block in hidden:
            state.tokens[block.start : min(block.stop, silent), block.voice] = REST_TOKEN
        drawn = iter(draw(state, [one for one in hidden if one.start >= silent], logits, sampler))
        return [next(drawn) if one.start >= silent else None for one in hidden]

    monkeypatch.setattr(InfillState, "draw", rest_first)
    events: list[candidate_job.CandidateEvent] = []
    made = jobs.run(candidate_job.generate_candidates(infill_model, SHORT, 2), events.append)
    rows = [event for event in events if isinstance(event, Progress)]
    assert (made.ranked[0].chorale.pitches[:silent] == REST).all()
    assert [event.done for event in rows] == sorted(event.done for event in rows)
    assert rows[-1].done == rows[-1].total == made.tokens


@pytest.mark.parametrize("rule", ["crossing", "rests"])
def test_rules_that_are_on_are_kept(infill_model: LoadedModel, rule: str) -> None:
    (made,), _ = filled(infill_model, replace(SHORT, rules=("range", rule)))
    assert not (made.pitches == REST).any() or rule != "rests"
    assert rule != "crossing" or not voice_leading.find(made, ("crossing",))


def test_nats_condition_each_note_on_the_others(infill_model: LoadedModel) -> None:
    """-log p of a cell with every other run of four steps of its voice hidden, its own included."""
    piece = in_range()
    request = GenerationRequest.like(piece)
    constraints = Constraints.of(request, infill_model.vocabulary)
    found = InfillBatch(infill_model, request, constraints, (0,)).nats(piece)
    ids = codec.encode(piece, infill_model.vocabulary)[1:-1].reshape(-1, 4)
    hidden, wanted = ids.copy(), np.zeros((1, 32, 4), dtype=np.bool_)
    hidden[[step for step in range(32) if step // 4 % 2 == 1], 2] = MASK
    wanted[0, 6, 2] = True
    rows = infill_model.condition_rows(piece, request.given_conditions())[:-2]
    reader = masked_reader.open_masked_reader(infill_model)
    (read,) = masked_reader.read_cells(reader, [hidden], [rows], wanted)
    logits = read[6, 2]
    expected = np.logaddexp.reduce(logits) - logits[ids[6, 2]]
    assert found[6, 2] == pytest.approx(expected, abs=0.01)


def test_a_rewrite_depends_on_nearby_bars_only(
    infill_model: LoadedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(masked_reader, "_MARGIN", 4 * 16)
    near = in_range(steps=96)
    pitches = near.pitches.copy()
    pitches[:16] = (72, 67, 64, 48)
    given = np.ones((96, 4), dtype=np.bool_)
    given[40:56, 1:3] = False
    written = []
    for piece in (near, Chorale.of(pitches)):
        request = GenerationRequest.like(piece, locks=Locks.of(piece, given), quality="draft")
        (made,), _ = filled(infill_model, request)
        written.append(made.pitches[40:56])
    batched, elsewhere = written
    assert np.array_equal(batched, elsewhere)


def test_an_authentic_close_is_a_dominant_and_the_tonic() -> None:
    """The upper voices reach the triad at the last step; a piece in major ends in major."""
    mask_L4V = close_mask(PhraseEnd(12, 16, "authentic"), TONICS, C_MAJOR, 4, PITCH_V)
    assert mask_L4V.shape == (12, 4, ARTICULATED.size)
    for voice in Voice:
        bass = voice == Voice.BASS
        assert [classes(mask_L4V[step, voice]) for step in (0, 5)] == [ANY, ANY]
        approach = {7, 11} if bass else {7, 11, 2, 5}
        assert [classes(mask_L4V[step, voice]) for step in (6, 7)] == [approach] * 2
        assert [classes(mask_L4V[step, voice]) for step in (8, 10)] == [{0} if bass else ANY] * 2
        assert classes(mask_L4V[11, voice]) == ({0} if bass else {0, 4, 7})
    in_minor = close_mask(PhraseEnd(12, 16, "authentic"), TONICS, C_MINOR, 4, PITCH_V)
    assert classes(in_minor[11, Voice.ALTO]) == {0, 3, 4, 7}


def test_within_a_piece_the_root_is_that_of_the_bass() -> None:
    """A phrase can close in another key; any cadence is taken for an authentic one."""
    for kind in ("authentic", ""):
        mask_L4V = close_mask(PhraseEnd(4, 8, kind), TONICS, C_MAJOR, 0, PITCH_V)
        assert classes(mask_L4V[7, Voice.BASS]) == {7}
        assert classes(mask_L4V[3, Voice.BASS]) == {2, 6}
    in_f_sharp = Key.parse("F# minor")
    assert close_mask(PhraseEnd(4, 8, "authentic"), TONICS, in_f_sharp, 0, PITCH_V).all()


def test_a_half_close_is_on_the_dominant_a_plagal_one_subdominant_and_tonic() -> None:
    """A deceptive one is left to the model."""
    mask_L4V = close_mask(PhraseEnd(12, 16, "half"), TONICS, C_MAJOR, 8, PITCH_V)
    assert classes(mask_L4V[-1, Voice.BASS]) == {7}
    assert classes(mask_L4V[-1, Voice.ALTO]) == {7, 11, 2}
    assert mask_L4V[:4].all()

    mask_L4V = close_mask(PhraseEnd(12, 16, "plagal"), TONICS, C_MAJOR, 8, PITCH_V)
    assert classes(mask_L4V[3, Voice.BASS]) == {5}
    assert classes(mask_L4V[3, Voice.TENOR]) == {5, 8, 9, 0}
    assert classes(mask_L4V[-1, Voice.BASS]) == {0}

    assert close_mask(PhraseEnd(12, 16, "deceptive"), TONICS, C_MAJOR, 4, PITCH_V).all()
