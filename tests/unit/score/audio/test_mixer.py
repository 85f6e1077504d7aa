"""The mixer: mute, solo, pan, levels and the limiter."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from musicrel.chorale import Voice
from musicrel.errors import UsageError
from musicrel.score.audio.mixer import Mix, Strip, gains, limit


def _mix(**strips: Any) -> Mix:
    """Build the default mix with changes to the strips of S, A, T, B."""
    return Mix(
        strips=tuple(
            replace(strip, **strips.get(voice.letter, {}))
            for voice, strip in zip(Voice, Mix().strips, strict=True)
        )
    )


def _audible(mix: Mix) -> str:
    return "".join(voice.letter for voice in Voice if mix.is_audible(voice))


def test_solo_silences_the_others_and_mute_takes_precedence() -> None:
    """The convention of mixing consoles."""
    assert _audible(Mix()) == "SATB"
    assert _audible(_mix(A={"mute": True})) == "STB"
    assert _audible(_mix(A={"solo": True}, B={"solo": True})) == "AB"
    assert _audible(_mix(A={"solo": True, "mute": True})) == ""


def test_a_silent_voice_has_zero_gain() -> None:
    """Exactly zero, reverb included."""
    assert (gains(_mix(T={"mute": True}))[:, Voice.TENOR] == 0).all()
    assert np.count_nonzero(gains(_mix(T={"solo": True}))) == 4


@pytest.mark.parametrize("pan", [-1, -0.5, 0, 0.3, 1])
def test_panning_keeps_the_power(pan: float) -> None:
    """The squares of left and right have a constant sum; the ends are one channel alone."""
    left, right = gains(_mix(S={"pan": pan}))[:2, Voice.SOPRANO]
    centre = gains(_mix(S={"pan": 0}))[:2, Voice.SOPRANO]

    assert left**2 + right**2 == pytest.approx((centre**2).sum(), rel=1e-5)
    assert (left > right, left < right) == (pan < 0, pan > 0)


def test_volume_reverb_and_master_volume_multiply() -> None:
    """Half the volume at twice the master volume is equal; without reverb the wet gain is 0."""
    default = gains(Mix())

    assert np.allclose(gains(replace(_mix(S={"volume": 0.5}), volume=2.0))[:, 0], default[:, 0])
    assert (gains(Mix(reverb=0))[2:] == 0).all()


def test_the_limiter_is_linear_below_the_knee_and_bounded_above() -> None:
    """It is monotonic and keeps the sign."""
    loud = np.linspace(-3, 3, 1001, dtype=np.float32)

    limited = limit(loud)

    soft = np.abs(loud) <= 0.7
    assert np.array_equal(limited[soft], loud[soft])
    assert np.abs(limited).max() <= 0.97
    assert (np.diff(limited) >= 0).all()
    assert limited.dtype == np.float32


@pytest.mark.parametrize(
    ("kind", "values", "sentence"),
    [
        (Strip, {"volume": 2.5}, "volume is 2.5: expected 0 to 2"),
        (Strip, {"pan": -2}, r"pan is -2: expected -1 \(left\) to 1 \(right\)"),
        (Mix, {"reverb": float("nan")}, "reverb is nan: expected 0 to 1"),
        (Mix, {"volume": -1}, "volume is -1: expected 0 to 2"),
        (Mix, {"strips": (Strip(),)}, "there are 1 strips: expected one for each voice"),
    ],
    ids=str,
)
def test_a_setting_outside_its_range_is_refused(
    kind: type[Strip | Mix], values: dict[str, Any], sentence: str
) -> None:
    """The message names the value and the range."""
    with pytest.raises(UsageError, match=sentence):
        kind(**values)
