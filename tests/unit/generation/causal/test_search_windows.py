"""The windows of a search, their potentials, and what is searched again."""

# ruff: noqa: N806  # shape suffixes: ids_1N
from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from musicrel import jobs
from musicrel.analysis import cadences
from musicrel.chorale import Chorale, Key, Voice
from musicrel.generation.causal import potentials, search_windows
from musicrel.generation.causal.causal_generator import generate
from musicrel.generation.causal.last_chords import LastChords
from musicrel.generation.causal.particle_search import ParticleSearch
from musicrel.generation.causal.search_windows import Window
from musicrel.generation.cell_constraints import Constraints
from musicrel.generation.constraints.locks import Cell, Locks
from musicrel.generation.events import PhraseEndTrial
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.phrasing import phrase_ends
from musicrel.generation.phrasing.phrase_ends import PhraseEnd, planned_ends
from musicrel.generation.request import GenerationRequest
from musicrel.generation.sampling import Floats
from musicrel.model.tokens import codec
from musicrel.model.tokens.vocabulary import ARTICULATED, REST_TOKEN
from tests.helpers.music import random_chorale

PHRASES = GenerationRequest(bars=4, phrases=(2, 2))
C_MAJOR = Key("C", "major")
KNOWN = ("fermata", "ending")
FIRST = PhraseEnd(24, 32, "", place="first")
LAST = PhraseEnd(56, 64, "")
ONE_PHRASE = GenerationRequest(length=48, bars=3, fermatas=((16, 20),), pickup=0)
"""Twelve quarters; a phrase ends after five, another with the piece."""
LAST_CHORD = codec.VOICES
"""Trials of a search besides one for each quarter: the notes of a last chord, each by itself."""
ENDINGS = GenerationRequest(
    length=48, bars=3, fermatas=((16, 20),), key=Key("A", "minor"), pickup=0
)


def locked_tokens(steps: int, *free: tuple[int, int], voices: int = 4) -> codec.Ids:
    tokens = np.ones((steps, 4), dtype=np.int64)
    for start, stop in free:
        tokens[start:stop, :voices] = -1
    return tokens.reshape(-1)


def low_ends(model: LoadedModel) -> int:
    pieces = [jobs.run(generate(model, replace(ENDINGS, seed=seed))).chorale for seed in range(8)]
    return sum(is_low(piece.pitches[19]) for piece in pieces)


def is_low(pitches_4: Any) -> bool:
    return int(pitches_4[Voice.SOPRANO]) < 70


def test_phrases_end_with_their_fermatas_and_a_piece_without_them_once() -> None:
    assert planned_ends(PHRASES.plan(), KNOWN, ("",)) == [FIRST, LAST]

    plan = replace(PHRASES, phrases=()).plan()
    assert planned_ends(plan, KNOWN, ("",)) == [PhraseEnd(60, 64, "")]


def test_ends_that_a_model_does_not_know_of_are_left_out() -> None:
    plan = PHRASES.plan()
    assert planned_ends(plan, ("ending",), ("",)) == [LAST]
    assert planned_ends(plan, (), ("",)) == []
    assert planned_ends(plan, (), ("half", "")) == [FIRST._replace(kind="half")]


def test_one_requested_cadence_is_for_all_phrases() -> None:
    plan = PHRASES.plan()
    both = planned_ends(plan, KNOWN, ("authentic",))
    each = planned_ends(plan, KNOWN, ("half", "authentic"))
    assert [end.kind for end in both] == ["authentic", "authentic"]
    assert [end.kind for end in each] == ["half", "authentic"]


THREE, SEVEN = PhraseEnd(44, 48, ""), PhraseEnd(112, 120, "")


@pytest.mark.parametrize(
    ("ends", "locked", "spans"),
    [
        ([FIRST, LAST], np.full(256, -1), [(1, 128), (129, 256)]),
        ([THREE], np.full(480, -1), [(1, 192)]),  # three bars before a last chord are not divided
        ([SEVEN], np.full(480, -1), [(1, 128), (129, 256), (257, 480)]),
        ([FIRST, LAST], locked_tokens(64, (30, 64)), [(121, 128), (129, 256)]),  # after a prompt
        ([FIRST, LAST], locked_tokens(64, (40, 64)), [(161, 256)]),
        ([FIRST], np.full(256, -1), [(1, 128)]),  # nothing is searched after the last end
        ([FIRST, LAST], locked_tokens(64), []),
    ],
)
def test_each_phrase_is_a_window_or_several_of_two_bars(
    ends: list[PhraseEnd], locked: codec.Ids, spans: list[tuple[int, int]]
) -> None:
    found = search_windows.windows(ends, locked, 1, len(locked))
    assert [(each.first, each.last) for each in found] == spans
    assert all(each.read == each.last and each.is_open for each in found)
    for each in found:
        assert each.ends == tuple(end for end in ends if each.first <= end.last <= each.last)


@pytest.mark.parametrize(
    ("ends", "locked", "first", "spans"),
    [
        ((FIRST, LAST), locked_tokens(64, (16, 48), voices=2), 65, [(65, 190, 256)]),
        ((), locked_tokens(128, (0, 76), voices=3), 1, [(1, 127, 192), (129, 303, 368)]),
        ((), locked_tokens(128, (0, 8), (100, 108)), 1, [(1, 32, 96), (401, 432, 496)]),
    ],
)
def test_free_cells_before_locked_ones_are_windows_of_two_bars(
    ends: tuple[PhraseEnd, ...], locked: codec.Ids, first: int, spans: list[tuple[int, int, int]]
) -> None:
    """A short rest belongs to the last one; the locked cells between are in none."""
    found = search_windows.windows(ends, locked, first, len(locked))
    assert [(each.first, each.last, each.read) for each in found] == spans
    assert all(each.ends == ends and not each.is_open for each in found)


def test_how_a_free_phrase_closes_is_drawn_with_the_seed() -> None:
    """The last phrase closes on the tonic; every seed draws its own."""
    inner, final = search_windows.windows([FIRST, LAST], np.full(256, -1), 1, 256)
    for seed in range(50):
        (first,) = inner.with_drawn_closes(seed, 64, C_MAJOR).ends
        (last,) = final.with_drawn_closes(seed, 64, C_MAJOR).ends
        drawn = phrase_ends.draw_of(phrase_ends.OF_THE_FIRST["major"], seed, FIRST.step)
        assert (first.kind, first.degree, first.prepared) == drawn
        assert (last.kind, 0, last.prepared) == phrase_ends.draw_last(seed, LAST.step)
        assert first.is_drawn
    assert len({inner.with_drawn_closes(seed, 64, C_MAJOR) for seed in range(50)}) > 2


def test_a_requested_cadence_is_not_drawn_again() -> None:
    *_, asked = search_windows.windows([LAST._replace(kind="plagal")], np.full(256, -1), 1, 256)
    melody = locked_tokens(64, (0, 64), voices=3)
    for window in (asked, *search_windows.windows([FIRST, LAST], melody, 1, 256)):
        assert window.ends
        assert all(window.with_drawn_closes(seed, 64, C_MAJOR) == window for seed in range(10))


def test_particles_are_resampled_on_beats_and_within_a_requested_cadence() -> None:
    asked = Window(first=209, last=256, read=256, ends=(PhraseEnd(58, 64, "half"),))
    beats = [209, 225, 241]
    assert [index for index in range(209, 257) if asked.is_checkpoint(index)] == [
        *beats[:2],
        *range(233, 238),
        beats[2],
    ]
    free = replace(asked, ends=(LAST,))
    assert [index for index in range(209, 257) if free.is_checkpoint(index)] == beats


REQUEST = GenerationRequest(bars=1, key=Key("C", "major"), fermatas=((8, 12),))


C, G, AM = (72, 67, 64, 48), (71, 67, 62, 55), (72, 69, 64, 57)


def legal_classes(
    end: PhraseEnd, notes: np.ndarray, cells: int, key: Key | None = REQUEST.key
) -> set[int]:
    """Return the pitch classes that are legal after some cells of a piece."""
    ids_1N = codec.encode(Chorale.of(notes), ARTICULATED)[None, : 1 + cells]
    constraints = Constraints.of(REQUEST, ARTICULATED)
    legal_V = constraints.legal_next_tokens(ids_1N)[0]
    wanted_1V = LastChords(constraints, [end], key).next_tokens(ids_1N)
    both_V = legal_V if wanted_1V is None else legal_V & wanted_1V[0]
    return {int(pitch) % 12 for pitch in constraints.pitch_V[both_V if both_V.any() else legal_V]}


def pitch_classes_before(
    end: PhraseEnd, known: tuple[int, ...], key: Key | None = REQUEST.key
) -> set[int]:
    notes = np.repeat(np.array([C, G]), [4, 2], axis=0)
    last = [(*known, *(60,) * (4 - len(known)))]
    return legal_classes(end, np.concatenate([notes, last]), 6 * 4 + len(known), key)


def legal_pitch_classes(kind: str, voices: int) -> set[int]:
    notes = np.repeat(np.array([C, G, AM]), 4, axis=0)
    return legal_classes(PhraseEnd(8, 12, kind), notes, 8 * 4 + voices)


@pytest.mark.parametrize(
    ("voices", "expected"),
    [
        (0, {9, 0, 1, 4, 8, 11, 3}),  # triads on A and A flat, major or minor
        (1, {9, 0, 4, 8, 3}),
        (2, {9, 0, 4}),
        (3, {9}),
    ],
)
def test_each_voice_leaves_a_triad_possible(voices: int, expected: set[int]) -> None:
    """A deceptive cadence on A minor: the last note is its root."""
    assert legal_pitch_classes("deceptive", voices) == expected


def test_without_a_key_or_a_possible_cadence_no_note_is_forbidden() -> None:
    assert legal_pitch_classes("plagal", 0) == set(range(12))

    assert pitch_classes_before(PREPARED, (), key=None) == set(range(12))


@pytest.mark.parametrize(
    ("end", "expected"),
    [
        (PhraseEnd(8, 12, "authentic", is_drawn=True, degree=7, prepared=2), {2, 6, 9, 0}),
        (PhraseEnd(8, 12, "deceptive", is_drawn=True, prepared=2), {7, 11, 2, 5}),
        (PhraseEnd(8, 12, "plagal", is_drawn=True, prepared=2), {5, 9, 8, 0}),
        (PhraseEnd(8, 12, "half", is_drawn=True), set(range(12))),
        (PhraseEnd(8, 12, "authentic"), set(range(12))),
    ],
)
def test_a_chord_prepares_a_drawn_cadence(end: PhraseEnd, expected: set[int]) -> None:
    """An eighth before it; half cadences and requested ones are left to the search."""
    assert pitch_classes_before(end, ()) == expected


PREPARED = PhraseEnd(8, 12, "authentic", is_drawn=True, degree=7, prepared=2)


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        ((74,), {2, 6, 9, 0}),
        ((74, 69, 66), {2, 6, 9}),  # no seventh in the bass
        ((72, 69, 66), {9, 6, 2}),
        ((74, 69, 62), {6}),  # the leading tone is missing
        ((71,), set(range(12))),  # too late: all notes stay legal
    ],
)
def test_each_voice_leaves_a_dominant_possible(known: tuple[int, ...], expected: set[int]) -> None:
    assert pitch_classes_before(PREPARED, known) == expected


def test_requested_cadences_are_written(model: LoadedModel) -> None:
    """A model with random weights writes no half cadence unless asked for it."""
    found = []
    for requested in ("half", ""):
        request = GenerationRequest(
            bars=2, key=Key("C", "major"), phrases=(1, 1), seed=1, cadence=requested
        )
        piece = jobs.run(generate(model, request)).chorale
        found.append([end.kind for end in cadences.phrase_ends(piece)].count("half"))
    assert found[0] > found[1] == 0


def test_a_pitch_that_is_locked_in_the_chord_leaves_it_possible() -> None:
    """The bass has G, the root of the dominant of C: the leading tone is left to the others."""
    locks = Locks(steps=16, cells=(Cell(6, Voice.BASS, 55),))
    constraints = Constraints.of(replace(REQUEST, locks=locks), ARTICULATED)
    end = PhraseEnd(8, 12, "authentic", is_drawn=True, degree=0, prepared=2)
    notes = np.repeat(np.array([C, G]), [4, 3], axis=0)
    ids_1N = codec.encode(Chorale.of(notes), ARTICULATED)[None, : 6 * 4 + 1 + 2]
    wanted_1V = LastChords(constraints, [end], REQUEST.key).next_tokens(ids_1N)
    assert wanted_1V is not None
    legal_V = constraints.legal_next_tokens(ids_1N)[0] & wanted_1V[0]
    assert {int(pitch) % 12 for pitch in constraints.pitch_V[legal_V]} == {2, 5, 7, 11}


@pytest.mark.parametrize("seed", range(3))
def test_a_phrase_that_misses_its_cadence_is_searched_again(
    model: LoadedModel, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Three times at most."""
    request = replace(ONE_PHRASE, seed=seed, cadence="authentic")
    found: dict[int, list[float]] = {}
    measured = ParticleSearch._loss

    def loss(search: ParticleSearch, ids: codec.Ids, one: Any) -> float:
        losses = found.setdefault(one.window.first, [])
        losses.append(measured(search, ids, one))
        return losses[-1]

    monkeypatch.setattr(ParticleSearch, "_loss", loss)
    trials = sum(type(event) is PhraseEndTrial for event in generate(model, request))

    first, second = found.values()
    for losses in (first, second):
        assert len(losses) == (losses.index(0) + 1 if 0 in losses else 3)
    assert trials == (5 + LAST_CHORD) * len(first) + (7 + LAST_CHORD) * len(second)


@pytest.mark.parametrize(
    ("written", "locked", "searches"), [(-5.0, 0.0, 3), (-5.0, -5.0, 1), (0.0, 0.0, 1)]
)
def test_a_window_with_parallels_is_searched_again(
    model: LoadedModel,
    monkeypatch: pytest.MonkeyPatch,
    written: float,
    locked: float,
    searches: int,
) -> None:
    """Three times at most, although every cadence is met; not for those of locked voices."""

    def found(ids: codec.Ids, _: object) -> Floats:
        return np.full(len(ids), written if (ids[:, 1:] != REST_TOKEN).any() else locked)

    monkeypatch.setattr(potentials, "parallels", found)
    monkeypatch.setattr(potentials, "cadence", lambda ids, *_: np.zeros(len(ids)))
    trials = sum(type(event) is PhraseEndTrial for event in generate(model, ONE_PHRASE))
    assert trials == searches * (12 + 2 * LAST_CHORD)


def test_particles_that_rest_on_a_triad_are_kept(
    model: LoadedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Random weights hardly ever write triads: every other chord stands for one."""
    monkeypatch.setattr(potentials, "_MISSED_DRAWN", 0.0)
    monkeypatch.setattr(cadences, "is_root_position", is_low)
    found = []
    for loss in (50.0, -50.0):
        monkeypatch.setattr(potentials, "_UNSTABLE", loss)
        found.append(low_ends(model))
    assert found == [0, 8]


@pytest.mark.parametrize("is_locked", [False, True])
def test_the_key_of_a_melody_needs_no_more_evidence(
    model: LoadedModel, monkeypatch: pytest.MonkeyPatch, *, is_locked: bool
) -> None:
    found: set[bool] = set()

    def key_evidence(ids_KN: Any, *_: Any, is_open: bool) -> Any:  # noqa: N803
        found.add(is_open)
        return np.zeros(len(ids_KN))

    monkeypatch.setattr(potentials, "key_evidence", key_evidence)
    soprano = np.zeros((48, 4), dtype=bool)
    soprano[:, 0] = is_locked
    locks = Locks.of(random_chorale(4, 48), soprano) if is_locked else None
    jobs.run(generate(model, replace(ENDINGS, locks=locks, rules=())))
    assert found == {not is_locked}


@pytest.mark.parametrize(
    ("first", "degree", "leaves"), [(1, 7, True), (1, 0, False), (1, None, False), (65, 7, False)]
)
def test_only_a_first_phrase_that_closes_on_another_degree_leaves_the_key(
    first: int, degree: int | None, *, leaves: bool
) -> None:
    end = FIRST._replace(kind="authentic", degree=degree, is_drawn=True)
    window = Window(first=first, last=128, read=128, ends=(end,), is_open=True)
    assert window.leaves_key == leaves
