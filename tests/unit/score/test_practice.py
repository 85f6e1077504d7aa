"""Practice versions: the level of each voice, and their names."""

from __future__ import annotations

from typing import Any

import pytest

from musicrel.chorale import Voice
from musicrel.errors import UsageError
from musicrel.score.practice import Practice


def test_one_voice_stands_out() -> None:
    """The others are softer by the same factor."""
    version = Practice(voice=Voice.ALTO, others=0.25)

    assert version.levels == (0.4, 1.6, 0.4, 0.4)
    assert version.name == "Alto practice"


def test_one_voice_is_left_out() -> None:
    """The others are as usual."""
    version = Practice(voice=Voice.SOPRANO, kind="left out")

    assert version.levels == (0.0, 1.0, 1.0, 1.0)
    assert version.name == "without Soprano"


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"kind": "loud"}, "the voice is 'loud': expected louder or left out"),
        ({"others": 1.5}, "the level of the others is 1.5: expected 0 to 1"),
    ],
)
def test_other_values_are_refused(values: dict[str, Any], sentence: str) -> None:
    """In one sentence."""
    with pytest.raises(UsageError, match=sentence):
        Practice(**({"voice": Voice.BASS} | values))
