"""The comparison of our MusicXML reader with music21's."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from musicrel.analysis.corpus import bundled
from musicrel.score import files
from training import corpus_reading


def _written(path: Path) -> Path:
    files.write(bundled.load("test")[0], path)
    return path


def test_a_chorale_is_read_alike(tmp_path: Path) -> None:
    found = corpus_reading.compare(_written(tmp_path / "a.musicxml"))

    assert found is not None
    assert (found.refused, found.differences) == ("", {})
    assert found.aspects == set(corpus_reading.ASPECTS)
    assert "| others | 1 | 1 | 1 of 1 |" in corpus_reading.table([found])


def test_a_difference_is_counted_and_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = _written(tmp_path / "a.musicxml")
    without = replace(files.source(path), fermatas=())
    monkeypatch.setattr(files, "source", lambda _: without)

    found = corpus_reading.compare(path)

    assert found is not None
    assert "fermatas" in found.differences
    assert any(
        line.startswith("a.musicxml: fermatas: ") for line in corpus_reading.differences([found])
    )
    assert "0 of 1" in corpus_reading.table([found])


def test_scores_are_drawn_by_a_seed() -> None:
    drawn = corpus_reading.draw(5, 3)

    assert drawn == corpus_reading.draw(5, 3)
    assert drawn != corpus_reading.draw(5, 4)
    assert {path.suffix for path in drawn} <= set(corpus_reading.SUFFIXES)
