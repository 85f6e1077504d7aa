"""Pieces outside the range of the vocabulary, and their candidates."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from musicrel import jobs
from musicrel.analysis import grade_reference
from musicrel.chorale import REST, Chorale, Key, Voice
from musicrel.errors import UsageError
from musicrel.generation import edit_requests
from musicrel.generation.candidates import candidate_job
from musicrel.generation.candidates.candidate_job import Candidate, CandidateSet, Stuck
from musicrel.generation.candidates.ranking import CandidateEvaluator
from musicrel.generation.constraints.locks import Cell, Locks
from musicrel.generation.infill.infill_generator import InfillProgress
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import GenerationRequest
from musicrel.generation.transposition import Transposition, fit_to_vocabulary, place_melody
from tests.helpers.music import random_chorale

HIGH = Chorale.of([(84, 79, 76, 60), (86, 79, 74, 62)] * 8, key=Key("Gb", "major"))
MOVED, DOWN = fit_to_vocabulary(HIGH)


@pytest.fixture(scope="module")
def evaluator() -> CandidateEvaluator:
    return CandidateEvaluator(grade_reference.load().reference, [random_chorale(0, 40)])


def rewritten(
    model: LoadedModel, evaluator: CandidateEvaluator, transposition: Transposition | None
) -> tuple[CandidateSet, list[Any]]:
    request = edit_requests.infill_request(MOVED, [Voice.ALTO, Voice.TENOR], 8, 16, rules=())
    events: list[Any] = []
    job = candidate_job.generate_candidates(
        model, request, 2, original=MOVED, transposition=transposition, evaluator=evaluator
    )
    return jobs.run(job, events.append), events


@pytest.mark.parametrize("which", ["model", "infill_model"])
def test_kept_notes_are_transposed_back(
    which: str, evaluator: CandidateEvaluator, request: pytest.FixtureRequest
) -> None:
    """Kept pitches and the spelling of the key are restored; new notes are transposed with them."""
    model: LoadedModel = request.getfixturevalue(which)
    assert Transposition(semitones=-5, key=HIGH.key) == DOWN
    plain, _ = rewritten(model, evaluator, None)
    made, events = rewritten(model, evaluator, DOWN)

    assert made.original is not None
    assert made.original.chorale == HIGH
    for one, there in zip(made.ranked, plain.ranked, strict=True):
        kept = one.chorale.pitches.copy()
        assert (kept - there.chorale.pitches == 5)[kept >= 0].all()
        kept[8:, 1:3] = HIGH.pitches[8:, 1:3]
        assert (kept == HIGH.pitches).all()
        assert one.chorale.key == HIGH.key
        moved, measures = one.measures.rates.counts, there.measures
        assert {**moved, "range": 0} == {**measures.rates.counts, "range": 0}  # ranges stay
        assert replace(one.measures, rates=measures.rates) == measures
    finished = [event for event in events if isinstance(event, Candidate)]
    assert {id(one.chorale.key) for one in finished} == {id(HIGH.key)}
    for event in events:
        if isinstance(event, InfillProgress):
            assert (event.pitches[0][:8] == HIGH.pitches[:8]).all()


def test_stuck_candidates_are_transposed_back(
    model: LoadedModel, evaluator: CandidateEvaluator
) -> None:
    """The steps written before a dead end have the locked notes at their own pitch."""
    cells = (Cell(3, 0, 60), Cell(3, 1, 60), Cell(3, 2, 60), Cell(4, 2, 62, True))
    request = GenerationRequest(
        bars=1,
        temperature=3.0,
        rules=("range", "crossing", "parallels", "rests"),
        locks=Locks(steps=16, cells=cells),
        quality="draft",
    )
    events: list[Any] = []
    job = candidate_job.generate_candidates(
        model, request, 20, transposition=Transposition(semitones=-5), evaluator=evaluator
    )
    jobs.run(job, events.append)
    stuck = [event for event in events if isinstance(event, Stuck)]
    assert stuck
    for one in stuck:
        assert one.written is not None
        assert one.written.pitches[3, 0] == 65


def test_the_key_is_transposed_with_the_piece() -> None:
    """A requested key replaces that of the piece; without any the key found is transposed back."""
    assert DOWN.requested_key == Key("Db", "major") == MOVED.key
    _, asked = fit_to_vocabulary(HIGH, Key("Eb", "minor"))
    assert (asked.key, asked.requested_key) == (Key("Eb", "minor"), Key("Bb", "minor"))
    written = Chorale.of([(72, 67, 64, 48)] * 4, key=Key("C", "major"))
    assert Transposition(semitones=-5).back(written).key == Key("F", "major")
    assert Transposition(key=Key("G", "major")).back(written) is written


def test_a_piece_outside_the_vocabulary_is_transposed_and_can_be_rewritten() -> None:
    """It is transposed by the fewest semitones; one inside the range is unchanged."""
    tune = Chorale.of([(67, REST, REST, REST)] * 16)
    moved, transposition = fit_to_vocabulary(tune.transposed(20))
    assert transposition.semitones == 81 - 87
    assert int(moved.pitches.max()) == 81
    assert fit_to_vocabulary(tune)[0] is tune

    moved, _ = fit_to_vocabulary(Chorale.of([(82, 79, 60, 50)] * 16))
    request = edit_requests.infill_request(moved, [Voice.TENOR], 0, 16)
    assert request.rules == ("range",)


@pytest.mark.parametrize(
    ("chord", "semitones"),
    [
        ((81, 78, 60, 50), 0),  # inside the span: it stays, though no alto reaches 78
        ((82, 79, 60, 50), -2),  # -1 would do for the span, but would leave the alto at 78
        ((84, 79, 76, 60), -4),
        ((86, 81, 72, 67), -5),
        ((84, 83, 82, 45), -3),  # no move brings all voices into their ranges
        ((REST, REST, REST, 30), 6),
        ((REST, REST, REST, REST), 0),
    ],
)
def test_a_piece_outside_the_vocabulary_fits_the_voices_after(
    chord: tuple[int, ...], semitones: int
) -> None:
    piece = Chorale.of([chord] * 4)
    moved = Transposition(semitones=semitones)
    assert fit_to_vocabulary(piece) == (piece.transposed(semitones), moved)


def test_a_piece_wider_than_the_vocabulary_is_refused() -> None:
    sentence = (
        "the piece ranges from F♯1 to E6: expected pitches from C2 to A5; move its highest or "
        "lowest notes by an octave"
    )
    with pytest.raises(UsageError, match=sentence):
        fit_to_vocabulary(Chorale.of([(88, 67, 64, 30)] * 16))


def melody_of(*pitches: int, key: Key | None = None) -> Chorale:
    return Chorale.of([(pitch, REST, REST, REST) for pitch in pitches], key=key)


def test_a_melody_in_its_range_is_not_moved() -> None:
    """The piece is the same, with its other voices; also a silent one."""
    placed = place_melody(HIGH.transposed(-5), Voice.SOPRANO)
    assert (placed.transposition.semitones, placed.sentence) == (0, "")
    assert placed.melody == HIGH.transposed(-5)
    silent = melody_of(60)
    assert place_melody(silent, Voice.ALTO).melody is silent


@pytest.mark.parametrize(("lowest", "semitones"), [(58, 2), (59, 1)])
def test_a_melody_near_its_range_is_moved_and_comes_back(lowest: int, semitones: int) -> None:
    tune = melody_of(65, lowest, 65, key=Key("F", "major"))
    placed = place_melody(tune, Voice.SOPRANO)
    assert placed.melody == tune.transposed(semitones)
    assert placed.transposition.back(placed.melody) == tune
    assert placed.sentence == ""


@pytest.mark.parametrize(
    ("lowest", "pitch", "how"),
    [(36, 60, "up by 2 octaves"), (84, 72, "down by 1 octave"), (55, 60, "up by 5 semitones")],
)
def test_a_melody_far_from_its_range_takes_the_choir_along(
    lowest: int, pitch: int, how: str
) -> None:
    tune = melody_of(lowest, lowest + 5, lowest + 7, lowest + 9)
    placed = place_melody(tune, Voice.SOPRANO, Key("C", "major"))
    assert placed.melody.pitches[0, 0] == pitch
    assert placed.transposition.semitones == 0
    assert placed.transposition.requested_key == Key.of(pitch - lowest, "major")
    assert placed.sentence == f"it was transposed {how} into the range of the soprano"


@pytest.mark.parametrize(
    ("pitches", "sentence"),
    [
        ((36, 90), "ranges from C2 to F♯6, 54 semitones: expected at most 21"),
        ((30, 65, 65, 100), "ranges from F♯1 to E7, 70 semitones: expected at most 21"),
    ],
)
def test_a_melody_wider_than_models_can_write_is_refused(
    pitches: tuple[int, ...], sentence: str
) -> None:
    """With an offer, also where no transposition brings more notes into the range."""
    with pytest.raises(UsageError, match=sentence):
        place_melody(melody_of(*pitches), Voice.SOPRANO)
