"""The end of a harmonised melody as legal tokens."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from musicrel.chorale import REST, Chorale, Key, Voice
from musicrel.errors import UsageError
from musicrel.generation import edit_requests
from musicrel.generation.constraints.last_chord import AUTHENTIC, FREE, TONIC
from musicrel.generation.request import GenerationRequest
from musicrel.tokens.vocabulary import ARTICULATED as VOCABULARY
from musicrel.tokens.vocabulary import LOWEST_PITCH, PITCHES, REST_TOKEN


def tune(*pitches: int, key: str = "C major") -> Chorale:
    """Return a soprano in quarters."""
    rows = [(pitch, REST, REST, REST) for pitch in pitches for _ in range(4)]
    piece = replace(Chorale.of(rows), key=Key.parse(key))
    onsets = np.zeros_like(piece.onsets)
    onsets[::4, Voice.SOPRANO] = True
    return replace(piece, onsets=onsets)


def classes(request: GenerationRequest, step: int, voice: Voice) -> set[int]:
    """Return the legal pitch classes of a cell, REST where silence is legal."""
    legal = request.constraints(VOCABULARY).legal_tokens_per_cell.reshape(-1, 4, VOCABULARY.size)
    tokens = np.flatnonzero(legal[step, voice])
    notes = (tokens[tokens > REST_TOKEN] - VOCABULARY.first_onset) % PITCHES + LOWEST_PITCH
    return {*(notes % 12).tolist()} | ({REST} if REST_TOKEN in tokens else set())


def test_a_melody_ends_on_the_tonic_triad_after_the_dominant() -> None:
    """Bass: the dominant's root or third for an eighth, the tonic under the last note."""
    request = edit_requests.harmony_request(tune(64, 62, 60))

    assert request.last_chord == AUTHENTIC
    assert classes(request, 5, Voice.BASS) == {REST, *range(12)}
    assert classes(request, 6, Voice.BASS) == classes(request, 7, Voice.BASS) == {7, 11}
    assert all(classes(request, step, Voice.BASS) == {0} for step in range(8, 12))
    assert classes(request, 11, Voice.ALTO) == classes(request, 11, Voice.TENOR) == {0, 4, 7}
    assert classes(request, 10, Voice.TENOR) == {REST, *range(12)}


def test_a_minor_key_may_end_in_major() -> None:
    """Both thirds are legal."""
    request = edit_requests.harmony_request(tune(72, 71, 69, key="A minor"))
    assert classes(request, 11, Voice.ALTO) == {9, 0, 1, 4}


def test_a_note_that_is_not_of_the_dominant_leaves_the_approach_free() -> None:
    """The sixth degree before the last note."""
    request = edit_requests.harmony_request(tune(64, 69, 67))
    assert classes(request, 7, Voice.BASS) == {REST, *range(12)}
    assert classes(request, 11, Voice.BASS) == {0}


@pytest.mark.parametrize("last", [62, 65, 61])
def test_a_melody_that_ends_outside_the_triad_is_left_alone(last: int) -> None:
    """No voice is restricted."""
    request = edit_requests.harmony_request(tune(64, 62, last))
    assert classes(request, 11, Voice.BASS) == {REST, *range(12)}


def test_a_given_bass_keeps_its_notes() -> None:
    """It is restricted nowhere, the others at the last step; one on the fifth closes nothing."""
    below = Chorale.of([(REST, REST, REST, 55)] * 4 + [(REST, REST, REST, 48)] * 4)
    request = edit_requests.harmony_request(replace(below, key=Key("C", "major")), Voice.BASS)
    assert classes(request, 7, Voice.SOPRANO) == {0, 4, 7}
    assert classes(request, 3, Voice.BASS) == {7}

    away = replace(below.cropped(0, 4), key=Key("C", "major"))
    open_end = edit_requests.harmony_request(away, Voice.BASS)
    assert classes(open_end, 3, Voice.SOPRANO) == {REST, *range(12)}


@pytest.mark.parametrize(
    ("cadence", "chord"),
    [
        ("", AUTHENTIC), ("authentic", AUTHENTIC), ("plagal", TONIC), ("half", FREE),
        ("deceptive", FREE),
    ],
)  # fmt: skip
def test_a_requested_cadence_decides_the_last_chord(cadence: str, chord: str) -> None:
    """A half close does not end on the tonic."""
    assert edit_requests.harmony_request(tune(64, 62, 60), cadence=cadence).last_chord == chord


def test_the_last_chord_is_free_if_the_request_says_so() -> None:
    """And in all other requests, which are stored as before."""
    request = edit_requests.harmony_request(tune(64, 62, 60), last_chord=FREE)
    assert classes(request, 11, Voice.BASS) == {REST, *range(12)}
    assert "last_chord" not in request.to_json()
    assert "last_chord" not in GenerationRequest().to_json()


def test_the_last_chord_is_stored_with_the_request() -> None:
    """Its settings make the same request."""
    request = edit_requests.harmony_request(tune(64, 62, 60))
    assert GenerationRequest.from_json(request.to_json()) == request


def test_an_unknown_last_chord_is_refused() -> None:
    """The message names the known ones."""
    with pytest.raises(UsageError, match="last chord is 'six': expected tonic, authentic or ''"):
        GenerationRequest(last_chord="six")
