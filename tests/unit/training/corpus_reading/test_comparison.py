"""The comparison of our MusicXML reader with music21's."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from musicrel.corpus import bundled
from musicrel.score import files
from training.corpus_reading import __main__ as corpus_reading
from training.corpus_reading import comparison


def _written(path: Path) -> Path:
    files.write(bundled.load("test")[0], path)
    return path


def test_a_chorale_is_read_alike(tmp_path: Path) -> None:
    """In every aspect, as four voices too."""
    found = comparison.compare(_written(tmp_path / "a.musicxml"))

    assert found is not None
    assert (found.refused, found.differences) == ("", {})
    assert found.aspects == set(comparison.ASPECTS)
    assert "| others | 1 | 1 | 1 of 1 |" in comparison.table([found])


def test_a_difference_is_counted_and_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With an example of both readings."""
    path = _written(tmp_path / "a.musicxml")
    without = replace(files.source(path), fermatas=())
    monkeypatch.setattr(files, "source", lambda _: without)

    found = comparison.compare(path)

    assert found is not None
    assert "fermatas" in found.differences
    assert any(
        line.startswith("a.musicxml: fermatas: ") for line in comparison.differences([found])
    )
    assert "0 of 1" in comparison.table([found])


def test_scores_are_drawn_by_a_seed() -> None:
    """The same ones each time, of MusicXML."""
    drawn = corpus_reading.draw(5, 3)

    assert drawn == corpus_reading.draw(5, 3)
    assert drawn != corpus_reading.draw(5, 4)
    assert {path.suffix for path in drawn} <= set(corpus_reading.SUFFIXES)
