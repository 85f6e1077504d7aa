"""The rhythm of a hymn tune from the metre of its words."""

from __future__ import annotations

import re

import numpy as np
import pytest

from musicrel.chorale import Meter, spans
from musicrel.errors import UsageError
from musicrel.score.verses import setting, syllables, tune_rhythm
from musicrel.score.verses.metre import Metre

COMMON, TRIPLE = tune_rhythm.METERS
METRES = (
    "8.6.8.6", "8.8.8.8", "6.6.8.6", "8.7.8.7 D", "7.7.7.7", "7.6.7.6 D", "11.10.11.10", "5.5.5.4",
    "10.10.10.10", "1.2.3.9.12",
)  # fmt: skip
FROM_HYMNALS = {
    (COMMON, True, 6): (1, 1, 1, 1, 1, 3),
    (COMMON, True, 7): (1, 1, 1, 1, 1, 2, 1),
    (COMMON, True, 8): (1, 1, 1, 1, 1, 1, 1, 1),
    (COMMON, False, 6): (1, 1, 1, 1, 2, 2),
    (COMMON, False, 7): (1, 1, 1, 1, 1, 1, 2),
    (COMMON, False, 8): (1, 1, 1, 1, 1, 1, 1, 1),
    (TRIPLE, True, 6): (1, 2, 1, 2, 1, 2),
    (TRIPLE, True, 7): (1, 2, 1, 2, 1, 3, 2),
    (TRIPLE, True, 8): (1, 2, 1, 2, 1, 2, 1, 2),
    (TRIPLE, False, 7): (2, 1, 2, 1, 2, 1, 3),
}
"""Quarters of the most frequent rhythms in public-domain hymns, by meter, upbeat and syllables."""


@pytest.mark.parametrize(
    ("metre", "upbeat"),
    [
        ("8.6.8.6", True),
        ("8.8.8.8", True),
        ("6.6.8.6", True),
        ("7.6.7.6 D", True),
        ("8.7.8.7 D", False),
        ("7.7.7.7", False),
        ("7", False),
    ],
)
def test_the_metre_suggests_an_upbeat_or_none(metre: str, upbeat: bool) -> None:
    assert tune_rhythm.has_upbeat(Metre.parse(metre)) == upbeat


def test_common_lines_have_the_rhythm_of_hymnals() -> None:
    found = {
        (meter, upbeat, line): tune_rhythm.of_line(line, meter, upbeat=upbeat)
        for meter, upbeat, line in FROM_HYMNALS
    }
    assert found == FROM_HYMNALS


@pytest.mark.parametrize("upbeat", [True, False])
@pytest.mark.parametrize("meter", tune_rhythm.METERS, ids=str)
@pytest.mark.parametrize("metre", METRES)
def test_every_syllable_has_a_note_and_every_line_a_fermata(
    metre: str, meter: Meter, upbeat: bool
) -> None:
    """Each line begins at the same place of a bar; its fermata is on its last note."""
    lines = Metre.parse(metre).lines
    tune = tune_rhythm.tune(Metre(lines), meter, upbeat=upbeat)

    steps = np.flatnonzero(tune.onsets[:, 0])
    assert len(steps) == sum(lines)
    firsts = steps[np.cumsum([0, *lines[:-1]])]
    assert {(step - tune.pickup) % meter.steps for step in firsts.tolist()} == {
        -tune.pickup % meter.steps
    }
    lasts = steps[np.cumsum(lines) - 1].tolist()
    assert spans(tune.fermatas) == list(zip(lasts, [*firsts[1:].tolist(), tune.steps], strict=True))
    words = syllables.verses("\n".join("la " * line for line in lines), "English")
    assert not setting.set_under(tune, words).misfits


@pytest.mark.parametrize(
    ("text", "metre", "sentence"),
    [
        ("a b c\nd e", "3.3", "the first verse does not fit 3.3: line 2 has 2 syllables for 3; "),
        ("a b\nc", "3.3", "line 1 has 2 syllables for 3 and line 2 has 1 syllable for 3; divide"),
        ("a b c", "3.3", "the first verse has 1 line: expected 2, those of 3.3"),
        (
            "a\n" * 40,
            "1",
            "the first verse has 40 lines of up to 1 syllables: expected at most 32 lines of",
        ),
    ],
)
def test_a_verse_in_another_metre_is_refused_line_by_line(
    text: str, metre: str, sentence: str
) -> None:
    verse = syllables.verses(text, "English")[0]
    with pytest.raises(UsageError, match=re.escape(sentence)):
        tune_rhythm.check(verse, Metre.parse(metre))


def test_other_time_signatures_are_refused() -> None:
    with pytest.raises(UsageError, match=r"the meter of a hymn is 6/8: expected 4/4 or 3/4"):
        tune_rhythm.tune(Metre((4,)), Meter(6, 8), upbeat=False)
