"""The scripts that build shipped files: the same bytes again, and what they refuse."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from musicrel import paths
from musicrel.analysis import grade_reference, voice_leading
from musicrel.analysis.corpus import bundled
from musicrel.chorale import Meter, Voice
from musicrel.errors import DataError
from musicrel.score.notes import Note, notes
from tests.helpers import published

pytest.importorskip("music21")

from training import build_corpus, build_grade_reference, build_melodies, build_rule_rates

SLOW = [pytest.mark.slow, published.needs_jsb16]
MELODIES = [f"melodies/{path.name}" for path in (paths.assets() / "melodies").iterdir()]
TUNE: dict[str, Any] = {
    "title": "Air", "key": "G major", "meter": "3/4", "tempo": 90,
    "notes": "D4q | G4h. | F#4e. G4s A4q^",
}  # fmt: skip


@pytest.mark.parametrize(
    ("script", "files"),
    [
        (build_rule_rates, [voice_leading.BACH_RATES]),
        pytest.param(
            build_grade_reference, [grade_reference.FILE_NAME], marks=published.needs_jsb16
        ),
        pytest.param(build_corpus, [bundled.FILE_NAME], marks=SLOW),
        (
            build_melodies,
            [f"melodies/{path.name}" for path in (paths.assets() / "melodies").iterdir()],
        ),
    ],
)
def test_building_again_gives_the_shipped_bytes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: ModuleType, files: Sequence[str]
) -> None:
    shipped = {name: (paths.assets() / name).read_bytes() for name in files}
    build_rule_rates.build()  # reads the corpus while it is still in its place
    monkeypatch.setattr(paths, "assets", lambda: tmp_path)

    assert script.main([]) == 0

    found = {path.relative_to(tmp_path).as_posix(): path for path in tmp_path.rglob("*.*")}
    assert {name: path.read_bytes() for name, path in found.items()} == shipped


def test_a_builder_that_lacks_a_file_or_a_place_says_so_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MUSICREL_SHARED", str(tmp_path))
    assert build_corpus.main([]) == 1
    assert "Jsb16thSeparated.json is missing" in capsys.readouterr().err

    assert build_grade_reference.main([str(tmp_path / "missing.json")]) == 1
    assert "missing.json: No such file" in capsys.readouterr().err

    build_rule_rates.build()
    (tmp_path / "corpus").write_text("in the way", encoding="utf-8")
    monkeypatch.setattr(paths, "assets", lambda: tmp_path)
    assert build_rule_rates.main([]) == 1
    assert "cannot write" in capsys.readouterr().err


def test_every_published_piece_has_a_row() -> None:
    matches = build_corpus.read_matches(build_corpus.WORKS)
    assert len(matches) == 382
    assert sum(not match.work for match in matches) == 8


def test_a_broken_table_is_named(tmp_path: Path) -> None:
    table = tmp_path / "works.csv"
    table.write_text("split,index,music21_work,overlap\ndev,0,bwv1,1\n")
    with pytest.raises(DataError, match=r"works\.csv has a row that cannot be read"):
        build_corpus.read_matches(table)


def test_a_tune_is_read_as_written() -> None:
    piece = build_melodies.piece(TUNE)

    assert (piece.pickup, piece.meter, piece.tempo, piece.title) == (4, Meter(3, 4), 90, "Air")
    assert notes(piece, Voice.SOPRANO) == [
        Note(0, 4, 62), Note(4, 12, 67), Note(16, 3, 66), Note(19, 1, 67), Note(20, 4, 69),
    ]  # fmt: skip
    assert piece.fermatas.nonzero()[0].tolist() == [20, 21, 22, 23]


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        ("D4q | G4h | A4h", "Air: bar 1 has 8 sixteenths, expected 12"),
        ("D4q | G4h. | A4h.", "Air: bar 2 has 12 sixteenths, expected 8"),
        ("D4x", "'D4x' is no note"),
        ("D3h.", "'D3h.' is outside the soprano's range"),
    ],
)
def test_a_slip_of_the_pen_is_refused(written: str, sentence: str) -> None:
    with pytest.raises(DataError, match=sentence):
        build_melodies.piece({**TUNE, "notes": written})
