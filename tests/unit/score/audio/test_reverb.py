"""The room: its answer to one clap, and sound put into it piece by piece."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.score.audio.reverb import LENGTH, response, reverberate


@pytest.mark.parametrize("rate", [44_100, 48_000])
def test_the_answer_has_energy_one_in_each_ear_and_dies_away(rate: int) -> None:
    """So the room's loudness is that of its control; at the end nothing is left to cut off."""
    answer = response(rate)

    assert (answer**2).sum(axis=1) == pytest.approx([1, 1], rel=1e-4)
    energy = (answer.astype(float) ** 2).reshape(2, 64, -1).sum(axis=2)
    assert (energy[:, -1] < 1e-6 * energy.max(axis=1)).all()


def test_the_ears_hear_different_rooms() -> None:
    """That is what makes it wide."""
    left, right = response(44_100)

    assert abs(np.corrcoef(left, right)[0, 1]) < 0.3


def test_a_clap_is_answered_across_the_border_of_two_pieces() -> None:
    """What sounded in the piece before rings on in this one, exactly."""
    before, now = np.zeros((2, 1, LENGTH), dtype=np.float32)
    before[0, 60_000] = 1
    quiet = np.zeros((1, LENGTH), dtype=np.float32)

    first = reverberate(quiet, before, 44_100)
    second = reverberate(before, now, 44_100)

    heard = np.concatenate([first, second], axis=-1)
    assert np.allclose(heard[:, 60_000 : 60_000 + LENGTH], response(44_100), atol=1e-6)
    assert np.abs(heard[:, :60_000]).max() < 1e-6


def test_each_ear_may_be_sent_a_sound_of_its_own() -> None:
    """Panned sound is answered at its own side."""
    sound = np.zeros((2, LENGTH), dtype=np.float32)
    sound[1, 0] = 0.5

    left, right = reverberate(np.zeros_like(sound), sound, 44_100)

    assert np.abs(left).max() < 1e-7
    assert np.allclose(right, 0.5 * response(44_100)[1], atol=1e-6)
