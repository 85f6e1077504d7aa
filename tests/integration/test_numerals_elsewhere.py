"""Roman numerals of our MusicXML as MuseScore 3 and music21 read them."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from musicrel.corpus import bundled
from musicrel.harmony.analysis import numerals
from musicrel.score.musicxml import musicxml_writer, xml_tree
from musicrel.score.musicxml.musicxml_writer import Layout

_MUSESCORE = shutil.which("mscore3") or shutil.which("musescore3")
PIECE = bundled.load("valid")[1]

pytestmark = pytest.mark.slow


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Write a chorale with its numerals."""
    path = tmp_path / "piece.musicxml"
    musicxml_writer.write(PIECE, path, numerals=numerals(PIECE))
    return path


@pytest.mark.skipif(
    _MUSESCORE is None, reason="MuseScore 3 is missing: install the Debian package musescore3"
)
@pytest.mark.parametrize("layout", ["parts", "staves"])
def test_musescore_prints_every_numeral_below_the_bass(tmp_path: Path, layout: Layout) -> None:
    """They are lyrics of the lowest staff; chord symbols, which it puts above, are not printed."""
    assert _MUSESCORE is not None
    file, target = tmp_path / "piece.musicxml", tmp_path / "piece.mscx"
    musicxml_writer.write(PIECE, file, layout=layout, numerals=numerals(PIECE))
    folders = {"HOME": str(tmp_path), "XDG_RUNTIME_DIR": str(tmp_path)}
    subprocess.run(
        [_MUSESCORE, "-o", target, file],
        env={**os.environ, **folders, "QT_QPA_PLATFORM": "offscreen"},
        check=True,
        capture_output=True,
        timeout=120,
    )

    *others, bass = xml_tree.parse(target.read_bytes()).findall("Score/Staff")
    count = len(numerals(PIECE))
    assert not any(staff.findall(".//Lyrics") for staff in others)
    assert len(bass.findall(".//Lyrics")) == count
    assert [shown.text for shown in bass.iterfind(".//Harmony/visible")] == ["0"] * count


def test_music21_reads_every_figure_at_its_time(file: Path) -> None:
    """The key is not part of the figure."""
    music21 = pytest.importorskip("music21")

    score = music21.converter.parse(file, forceSource=True)

    chords = score.flatten().getElementsByClass("Harmony")
    found = [(4 * float(chord.offset), chord.romanNumeral.figure) for chord in chords]
    assert found == [(numeral.start, numeral.figure) for numeral in numerals(PIECE)]


def test_music21_prints_and_writes_what_it_has_read(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It writes the texts, but no longer as Roman numerals."""
    music21 = pytest.importorskip("music21")
    texts = [numeral.text for numeral in numerals(PIECE)]
    score = music21.converter.parse(file, forceSource=True)

    score.show("text")
    shown = capsys.readouterr().out
    assert all(f"NoChord {text}>" in shown for text in texts)
    again = music21.converter.parse(score.write("musicxml", file.with_name("again.musicxml")))

    chords = again.flatten().getElementsByClass("Harmony")
    assert [chord.chordKindStr for chord in chords] == texts
    assert len(again.flatten().notes) == len(score.flatten().notes)
