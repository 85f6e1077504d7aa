"""The last chords of phrases with a requested cadence."""
# ruff: noqa: N806  # shape suffixes: ids_1N

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from musicrel import jobs
from musicrel.analysis import cadences
from musicrel.chorale import Chorale, Key, Voice
from musicrel.generation.causal.causal_generator import generate
from musicrel.generation.causal.last_chords import LastChords
from musicrel.generation.constraints.locks import Cell, Locks
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.phrasing.phrase_ends import PhraseEnd
from musicrel.generation.request import GenerationRequest
from musicrel.tokens import codec
from musicrel.tokens.vocabulary import ARTICULATED

REQUEST = GenerationRequest(bars=1, key=Key("C", "major"), fermatas=((8, 12),))
C, G, AM = (72, 67, 64, 48), (71, 67, 62, 55), (72, 69, 64, 57)


def pitch_classes_before(
    end: PhraseEnd, known: tuple[int, ...], key: Key | None = REQUEST.key
) -> set[int]:
    """Return those of the next voice an eighth before ``end``, after C, G and some voices."""
    last = (*known, *(60,) * (4 - len(known)))
    notes = np.repeat(np.array([C, G]), [4, 2], axis=0)
    chorale = Chorale.of(np.concatenate([notes, [last]]))
    ids_1N = codec.encode(chorale, ARTICULATED)[None, : 6 * 4 + 1 + len(known)]
    constraints = REQUEST.constraints(ARTICULATED)
    (legal_V,) = LastChords(constraints, [end], key).legal_next_tokens(ids_1N)
    return {int(pitch) % 12 for pitch in constraints.pitch_V[legal_V]}


def legal_pitch_classes(kind: str, voices: int) -> set[int]:
    """Return those of the next voice after C, G and the first voices of A minor."""
    chorale = Chorale.of(np.repeat(np.array([C, G, AM]), 4, axis=0))
    ids_1N = codec.encode(chorale, ARTICULATED)[None, : 8 * 4 + 1 + voices]
    constraints = REQUEST.constraints(ARTICULATED)
    legality = LastChords(constraints, [PhraseEnd(8, 12, kind)], REQUEST.key)
    (legal_V,) = legality.legal_next_tokens(ids_1N)
    return {int(pitch) % 12 for pitch in REQUEST.constraints(ARTICULATED).pitch_V[legal_V]}


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


def test_a_cadence_that_is_impossible_forbids_no_note() -> None:
    """No plagal cadence follows G major."""
    assert legal_pitch_classes("plagal", 0) == set(range(12))


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
    """That of G major, in C major."""
    assert pitch_classes_before(PREPARED, known) == expected


def test_without_a_key_no_chord_prepares_a_cadence() -> None:
    """Its tonic is unknown."""
    assert pitch_classes_before(PREPARED, (), key=None) == set(range(12))


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
    constraints = replace(REQUEST, locks=locks).constraints(ARTICULATED)
    end = PhraseEnd(8, 12, "authentic", is_drawn=True, degree=0, prepared=2)
    notes = np.repeat(np.array([C, G]), [4, 3], axis=0)
    ids_1N = codec.encode(Chorale.of(notes), ARTICULATED)[None, : 6 * 4 + 1 + 2]
    (legal_V,) = LastChords(constraints, [end], REQUEST.key).legal_next_tokens(ids_1N)
    assert {int(pitch) % 12 for pitch in constraints.pitch_V[legal_V]} == {2, 5, 7, 11}
