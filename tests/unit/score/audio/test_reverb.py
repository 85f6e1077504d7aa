"""The reverb: its impulse response, and convolution chunk by chunk."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.score.audio.reverb import LENGTH, impulse_response, reverberate


@pytest.mark.parametrize("rate", [44_100, 48_000])
def test_the_impulse_response_has_energy_one_and_decays(rate: int) -> None:
    """In each channel; its end is silent."""
    response = impulse_response(rate)

    assert (response**2).sum(axis=1) == pytest.approx([1, 1], rel=1e-4)
    energy = (response.astype(float) ** 2).reshape(2, 64, -1).sum(axis=2)
    assert (energy[:, -1] < 1e-6 * energy.max(axis=1)).all()


def test_left_and_right_are_decorrelated() -> None:
    """This gives a wide stereo image."""
    left, right = impulse_response(44_100)

    assert abs(np.corrcoef(left, right)[0, 1]) < 0.3


def test_reverb_continues_across_chunks() -> None:
    """The tail of the previous chunk is exact."""
    before, now = np.zeros((2, 1, LENGTH), dtype=np.float32)
    before[0, 60_000] = 1
    quiet = np.zeros((1, LENGTH), dtype=np.float32)

    first = reverberate(quiet, before, 44_100)
    second = reverberate(before, now, 44_100)

    wet = np.concatenate([first, second], axis=-1)
    assert np.allclose(wet[:, 60_000 : 60_000 + LENGTH], impulse_response(44_100), atol=1e-6)
    assert np.abs(wet[:, :60_000]).max() < 1e-6


def test_stereo_input_is_convolved_per_channel() -> None:
    """Panned sound has its reverb on the same side."""
    sound = np.zeros((2, LENGTH), dtype=np.float32)
    sound[1, 0] = 0.5

    left, right = reverberate(np.zeros_like(sound), sound, 44_100)

    assert np.abs(left).max() < 1e-7
    assert np.allclose(right, 0.5 * impulse_response(44_100)[1], atol=1e-6)
