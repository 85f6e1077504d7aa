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
def test_musescore_shows_every_text_on_the_bass(file: Path) -> None:
    """Version 3.2 has no Roman numerals yet; it shows them as chord symbols."""
    assert _MUSESCORE is not None
    target = file.with_suffix(".mscx")
    folders = {"HOME": str(file.parent), "XDG_RUNTIME_DIR": str(file.parent)}
    subprocess.run(
        [_MUSESCORE, "-o", target, file],
        env={**os.environ, **folders, "QT_QPA_PLATFORM": "offscreen"},
        check=True,
        capture_output=True,
        timeout=120,
    )

    score = xml_tree.parse(target.read_bytes())
    staves = score.findall("Score/Staff")
    found = [[name.text for name in staff.iterfind(".//Harmony/name")] for staff in staves]

    assert found == [[], [], [], [numeral.text for numeral in numerals(PIECE)]]


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
