"""The folk tunes of the list, and what is counted of their harmonisations."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from musicrel.chorale import REST, Chorale, Key, Meter, Voice
from musicrel.errors import DataError
from training.folk_tunes import __main__ as command
from training.folk_tunes import essen, tune_list
from training.folk_tunes.essen import Tune

ENTRIES = tomllib.loads(tune_list.LIST.read_text("utf-8"))["tune"]


def tune(*pitches: int, key: str = "C major") -> Chorale:
    """Return a soprano in quarters."""
    grid = np.full((4 * len(pitches), 4), REST, dtype=np.int16)
    grid[:, Voice.SOPRANO] = np.repeat(pitches, 4)
    onsets = np.zeros(grid.shape, dtype=np.bool_)
    onsets[::4, Voice.SOPRANO] = True
    return replace(Chorale.of(grid, key=Key.parse(key)), onsets=onsets)


def setting(*chords: tuple[int, int, int, int]) -> Chorale:
    """Return chords in quarters."""
    grid = np.repeat(np.array(chords, dtype=np.int16), 4, axis=0)
    onsets = np.zeros(grid.shape, dtype=np.bool_)
    onsets[::4] = True
    return replace(Chorale.of(grid), onsets=onsets, key=Key("C", "major"))


CLOSE = setting((71, 67, 62, 55), (72, 67, 64, 48))


def test_there_are_twenty_different_tunes() -> None:
    """Each with a hash."""
    assert len({entry["sha256"] for entry in ENTRIES}) == len(ENTRIES) == tune_list.TUNES


def test_a_listed_tune_has_the_notes_it_was_drawn_with() -> None:
    """It ends on its tonic, and has a usual meter and length."""
    entry = next(entry for entry in ENTRIES if entry["file"] == "kinder0.abc")
    (found,) = tune_list.listed([entry])
    assert found.melody.title == entry["title"]
    assert tune_list.is_eligible(found.melody, set())


def test_a_tune_with_other_notes_is_refused() -> None:
    """The message names it."""
    entry = {**ENTRIES[0], "sha256": "0" * 64}
    with pytest.raises(DataError, match=f"number {entry['number']}.* has other notes than when"):
        list(tune_list.listed([entry]))


def test_the_hash_is_that_of_notes_and_form() -> None:
    """Not of the title."""
    one = Tune(file="a.abc", number=1, melody=tune(60, 62, 60))
    same = replace(one, melody=replace(one.melody, title="Another"))
    later = replace(one, melody=replace(one.melody, meter=Meter(3, 4)))
    assert one.sha256 == same.sha256 != later.sha256
    assert essen.content(one.melody).splitlines()[:2] == ["4/4 0 12 C major", "0 4 60"]


def test_no_two_drawn_tunes_share_a_run() -> None:
    """The draw depends on the seed alone."""
    line = (60, 62, 64, 65, 67, 69, 71, 72, 74, 76)
    first, twin = (Tune(file="a.abc", number=n, melody=tune(*line)) for n in (1, 2))
    other = Tune(file="a.abc", number=3, melody=tune(*reversed(line)))
    drawn = tune_list.drawn([first, twin, other], 0, 3)
    assert len(drawn) == 2
    assert drawn == tune_list.drawn([first, twin, other], 0, 3)


def test_what_is_counted() -> None:
    """The melody moved by an octave is kept; the close is authentic in the tune's key."""
    found = command.figures([CLOSE], [tune(59, 60)])
    assert found == {
        "tunes": 1, "authentic": 1, "tonic": 1, "keys": 1, "kept": 1, "moved": 1, "outside": 0,
        "lowest": 48,
    }  # fmt: skip


@pytest.mark.parametrize("line", [(72, 71), (71, 74)])
def test_another_note_is_no_kept_melody(line: tuple[int, int]) -> None:
    """All notes have to move by the same interval."""
    assert not command.is_kept(CLOSE, tune(*line))


def test_a_close_in_another_key_is_not_authentic() -> None:
    """G major goes on to C."""
    assert command.is_authentic(CLOSE, Key("C", "major"))
    assert not command.is_authentic(CLOSE, Key("G", "major"))


def test_a_voice_outside_its_range_is_seen() -> None:
    """The soprano is the user's."""
    assert not command.leaves_ranges(CLOSE)
    assert command.leaves_ranges(setting((71, 67, 62, 35), (72, 67, 64, 48)))


def test_a_requested_and_a_free_close_have_rows_of_their_own(tmp_path: Path) -> None:
    """A row is replaced by one of the same writer and end."""
    counted = command.figures([CLOSE], [tune(71, 72)])
    found = command.Figures(**counted, seconds=1.0, sha256="")
    command.store("authentic", {"one": replace(found, tunes=9)}, tmp_path)
    command.store("authentic", {"one": found, "two": found}, tmp_path)
    command.store("free", {"one": replace(found, authentic=0)}, tmp_path)
    text = (tmp_path / "folk_tunes.md").read_text("utf-8")
    rows = [line.split(" | ")[:3] for line in text.splitlines() if " of " in line and "|" in line]
    assert rows == [
        ["| one", "authentic", "1 of 1"],
        ["| two", "authentic", "1 of 1"],
        ["| one", "free", "0 of 1"],
    ]
    assert "drawn from tunes that end on their tonic" in text
    assert "    python -m training.folk_tunes --models one --end free" in text
