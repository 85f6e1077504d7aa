"""Figures of new pieces and of harmonisations."""

from __future__ import annotations

import json
import tomllib
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import musicrel
from musicrel.analysis.corpus import jsb
from musicrel.analysis.corpus.splits import SPLITS
from musicrel.chorale import REST, Chorale, Key, Meter, Voice
from musicrel.errors import DataError
from tests.helpers.music import jsb_file, random_chorale
from training import folk_tunes, quality, reports
from training.folk_tunes import Tune

MELODIES = [random_chorale(seed, 40, margin=3) for seed in range(2)]


def generate(*, bars: int, seed: int, **_: object) -> Chorale:
    return random_chorale(seed, 16 * bars)


def harmonise(melody: Chorale, **_: object) -> Chorale:
    return melody


ENTRIES = tomllib.loads(folk_tunes.LIST.read_text("utf-8"))["tune"]


def tune(*pitches: int, key: str = "C major") -> Chorale:
    grid = np.full((4 * len(pitches), 4), REST, dtype=np.int16)
    grid[:, Voice.SOPRANO] = np.repeat(pitches, 4)
    onsets = np.zeros(grid.shape, dtype=np.bool_)
    onsets[::4, Voice.SOPRANO] = True
    return replace(Chorale.of(grid, key=Key.parse(key)), onsets=onsets)


def setting(*chords: tuple[int, int, int, int]) -> Chorale:
    grid = np.repeat(np.array(chords, dtype=np.int16), 4, axis=0)
    onsets = np.zeros(grid.shape, dtype=np.bool_)
    onsets[::4] = True
    return replace(Chorale.of(grid), onsets=onsets, key=Key("C", "major"))


CLOSE = setting((71, 67, 62, 55), (72, 67, 64, 48))


def test_pieces_are_kept_and_their_figures_stored_in_sections(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second time the pieces of the same weights and task are read, not written."""
    (tmp_path / "jsb").mkdir()
    jsb_file(tmp_path / "jsb" / jsb.FILE_NAME, dict.fromkeys(SPLITS, MELODIES))
    monkeypatch.setenv("MUSICREL_SHARED", str(tmp_path))
    monkeypatch.setattr(reports, "RESULTS", tmp_path)
    monkeypatch.setattr(quality, "_baselines", lambda: {"Bach": MELODIES})
    monkeypatch.setattr(musicrel, "load_model", lambda _: SimpleNamespace(sha256="0" * 64))
    monkeypatch.setattr(musicrel, "generate", generate)
    monkeypatch.setattr(musicrel, "harmonise", harmonise)
    kept = tmp_path / "kept"
    words = ["--models", "tiny", "--pieces", "2", "--folder", str(kept), "--store"]

    assert quality.main([*words, "--melodies"]) == quality.main(words) == 0
    first = (tmp_path / "quality.md").read_text()
    monkeypatch.setattr(musicrel, "generate", None)
    assert quality.main(words) == 0

    assert (tmp_path / "quality.md").read_text() == first
    assert "| tiny | 2 |" in first
    assert "--pieces 2 --folder kept --store --melodies" in first
    stored = json.loads((tmp_path / "quality.json").read_text())
    assert list(stored) == ["Melodies of JSB16, test", "New pieces"]
    assert stored["New pieces"].keys() == {"Bach", "tiny"}
    assert {path.relative_to(kept).as_posix() for path in kept.rglob("*.json")} == {
        f"tiny-00000000-{task}-normal/00{n}.json" for task in ("new", "melodies") for n in (0, 1)
    }


def test_there_are_twenty_different_tunes() -> None:
    assert len({entry["sha256"] for entry in ENTRIES}) == len(ENTRIES) == 20


def test_a_listed_tune_has_the_notes_it_was_drawn_with() -> None:
    entry = next(entry for entry in ENTRIES if entry["file"] == "kinder0.abc")
    (found,) = folk_tunes.listed([entry])
    assert found.melody.title == entry["title"]


def test_a_tune_with_other_notes_is_refused() -> None:
    entry = {**ENTRIES[0], "sha256": "0" * 64}
    with pytest.raises(DataError, match=f"number {entry['number']}.* has other notes than when"):
        list(folk_tunes.listed([entry]))


def test_the_hash_is_that_of_notes_and_form() -> None:
    one = Tune(file="a.abc", number=1, melody=tune(60, 62, 60))
    same = replace(one, melody=replace(one.melody, title="Another"))
    later = replace(one, melody=replace(one.melody, meter=Meter(3, 4)))
    assert one.sha256 == same.sha256 != later.sha256
    assert folk_tunes.content(one.melody).splitlines()[:2] == ["4/4 0 12 C major", "0 4 60"]


def test_what_is_counted() -> None:
    """The melody may be moved by an octave; the close is authentic in the tune's key."""
    found = folk_tunes.figures([CLOSE, CLOSE], [tune(59, 60), tune(71, 72, key="G major")])
    assert found == {"tunes": 2, "authentic": 1, "tonic": 1, "keys": 1}
