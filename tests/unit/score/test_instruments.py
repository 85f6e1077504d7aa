"""The instruments and their names."""

from __future__ import annotations

import pytest

from musicrel.errors import UsageError
from musicrel.score import instruments
from musicrel.score.audio.mixer import Mix
from musicrel.score.instruments import Sounds

FOUR: Sounds = ("organ", "strings", "oboe", "brass")


@pytest.mark.parametrize(
    ("text", "sounds"),
    [
        ("choir", ("choir",) * 4),
        ("organ,strings,oboe,brass", FOUR),
        (" organ, piano,organ ,organ", ("organ", "piano", "organ", "organ")),
    ],
)
def test_one_name_or_four_are_parsed(text: str, sounds: Sounds) -> None:
    """One is that of all voices."""
    assert instruments.parse(text) == sounds
    assert instruments.parse(instruments.to_text(sounds)) == sounds


def test_equal_instruments_are_one_name() -> None:
    """Files of version 1 have one, too."""
    assert instruments.to_text(("organ",) * 4) == "organ"
    assert instruments.to_text(FOUR) == "organ,strings,oboe,brass"


@pytest.mark.parametrize("text", ["", "Kazoo", "Organ", "organ,choir", "organ,choir,organ,kazoo"])
def test_other_names_are_refused(text: str) -> None:
    """The message lists the instruments."""
    with pytest.raises(UsageError, match=f"sound is '{text}': expected choir, organ, .* or four"):
        instruments.parse(text)


def test_a_mix_has_one_instrument_or_four() -> None:
    """Both are read as four."""
    assert Mix(sound="organ").sounds == ("organ",) * 4
    assert Mix(sound=FOUR).sounds == FOUR
    with pytest.raises(UsageError, match="sound is 'organ,choir': expected"):
        Mix(sound=("organ", "choir"))  # type: ignore[arg-type]


def test_only_sampled_instruments_need_a_soundfont() -> None:
    """Of any voice."""
    assert instruments.needs_soundfont(FOUR)
    assert not instruments.needs_soundfont(("choir", "organ", "choir", "organ"))
