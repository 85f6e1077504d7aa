"""The mixer: who is heard, where, and that nothing exceeds full scale."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from musicrel.chorale import Voice
from musicrel.errors import UsageError
from musicrel.score.audio.mixer import Mix, Strip, gains, limit


def _mix(**strips: Any) -> Mix:
    """The usual mix with changes to the strips named by S, A, T, B."""
    return Mix(
        strips=tuple(
            replace(strip, **strips.get(voice.letter, {}))
            for voice, strip in zip(Voice, Mix().strips, strict=True)
        )
    )


def _heard(mix: Mix) -> str:
    return "".join(voice.letter for voice in Voice if mix.hears(voice))


def test_solo_silences_the_others_and_mute_wins() -> None:
    """As on every mixer."""
    assert _heard(Mix()) == "SATB"
    assert _heard(_mix(A={"mute": True})) == "STB"
    assert _heard(_mix(A={"solo": True}, B={"solo": True})) == "AB"
    assert _heard(_mix(A={"solo": True, "mute": True})) == ""


def test_a_voice_that_is_not_heard_has_no_gain_at_all() -> None:
    """Exactly zero, in the room too."""
    assert (gains(_mix(T={"mute": True}))[:, Voice.TENOR] == 0).all()
    assert np.count_nonzero(gains(_mix(T={"solo": True}))) == 4


@pytest.mark.parametrize("pan", [-1, -0.5, 0, 0.3, 1])
def test_panning_keeps_the_power(pan: float) -> None:
    """Left and right squared sum to the same everywhere; the ends are one ear alone."""
    left, right = gains(_mix(S={"pan": pan}))[:2, Voice.SOPRANO]
    centre = gains(_mix(S={"pan": 0}))[:2, Voice.SOPRANO]

    assert left**2 + right**2 == pytest.approx((centre**2).sum(), rel=1e-5)
    assert (left > right, left < right) == (pan < 0, pan > 0)


def test_volume_room_and_the_whole_multiply() -> None:
    """Half the volume of a voice in twice the whole is as loud; no room, no wet gain."""
    usual = gains(Mix())

    assert np.allclose(gains(replace(_mix(S={"volume": 0.5}), volume=2.0))[:, 0], usual[:, 0])
    assert (gains(Mix(room=0))[2:] == 0).all()


def test_the_limiter_leaves_what_is_soft_and_bends_what_is_loud() -> None:
    """Order and sign stay, and nothing passes the ceiling."""
    loud = np.linspace(-3, 3, 1001, dtype=np.float32)

    bent = limit(loud)

    soft = np.abs(loud) <= 0.7
    assert np.array_equal(bent[soft], loud[soft])
    assert np.abs(bent).max() <= 0.97
    assert (np.diff(bent) >= 0).all()
    assert bent.dtype == np.float32


@pytest.mark.parametrize(
    ("kind", "values", "told"),
    [
        (Strip, {"volume": 2.5}, "volume is 2.5: expected 0 to 2"),
        (Strip, {"pan": -2}, r"pan is -2: expected -1 \(left\) to 1 \(right\)"),
        (Mix, {"room": float("nan")}, "room is nan: expected 0 to 1"),
        (Mix, {"volume": -1}, "volume is -1: expected 0 to 2"),
        (Mix, {"strips": (Strip(),)}, "there are 1 strips: expected one a voice"),
    ],
    ids=str,
)
def test_a_setting_outside_its_range_is_refused(
    kind: type[Strip | Mix], values: dict[str, Any], told: str
) -> None:
    """The sentence names the value and the range."""
    with pytest.raises(UsageError, match=told):
        kind(**values)
