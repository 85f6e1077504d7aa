"""The last chords of phrases with a requested cadence."""
# ruff: noqa: N806  # shape suffixes: ids_1N

from __future__ import annotations

import numpy as np
import pytest

from musicrel import jobs
from musicrel.analysis import cadences
from musicrel.chorale import Chorale, Key
from musicrel.generation.causal.causal_generator import generate
from musicrel.generation.causal.last_chords import LastChords
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.phrasing.phrase_ends import PhraseEnd
from musicrel.generation.request import GenerationRequest
from musicrel.tokens import codec
from musicrel.tokens.vocabulary import ARTICULATED

REQUEST = GenerationRequest(bars=1, key=Key("C", "major"), fermatas=((8, 12),))
C, G, AM = (72, 67, 64, 48), (71, 67, 62, 55), (72, 69, 64, 57)


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
