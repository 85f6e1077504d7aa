"""Our files as MuseScore 3 opens them, converted and read here, and as music21 reads them."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from xml.etree.ElementTree import Element

import numpy as np
import pytest

from musicrel.analysis.corpus import bundled
from musicrel.analysis.numeral_search import numerals
from musicrel.chorale import REST, Chorale, Key, Lyric, Mark, Provenance, Voice, spans
from musicrel.score import files
from musicrel.score.midi import midi_writer
from musicrel.score.musicxml import musicxml_writer, xml_tree
from musicrel.score.musicxml.musicxml_writer import Layout
from musicrel.score.notation import repeats, spelling

_MUSESCORE = shutil.which("mscore3") or shutil.which("musescore3")
needs_musescore = pytest.mark.skipif(
    _MUSESCORE is None, reason="MuseScore 3 is missing: install the Debian package musescore3"
)
_TITLE = "Ach wie flüchtig"
_COMPOSER = "J. S. Bach (1685–1750)"
_PIECE = bundled.load("valid")[1]


def _piece(meter: str, key: str, pickup: int) -> Chorale:
    pieces = [*bundled.load("valid"), *bundled.load("test")]
    piece = next(p for p in pieces if p.key and (str(p.meter), p.pickup) == (meter, pickup))
    assert piece.key is not None
    wanted = Key.parse(key)
    shift = (wanted.pitch_class - piece.key.pitch_class + 6) % 12 - 6
    return replace(
        piece,
        pitches=np.where(piece.pitches == REST, REST, piece.pitches + shift),
        key=wanted,
        tempo=92.0,
        title=_TITLE,
        composer=_COMPOSER,
        provenance=Provenance(model="relative", sha256="0f" * 32, seed=3, settings={"bars": 8}),
    )


@pytest.fixture(
    params=[("4/4", "G minor", 4), ("3/4", "F# minor", 4), ("4/4", "Eb major", 0)],
    ids=lambda form: " ".join(map(str, form)),
)
def piece(request: pytest.FixtureRequest) -> Chorale:
    return _piece(*request.param)


def _opened(path: Path, suffix: str = ".musicxml") -> Element:
    assert _MUSESCORE is not None
    target = path.with_name("opened" + suffix)
    folders = {"HOME": str(path.parent), "XDG_RUNTIME_DIR": str(path.parent)}
    subprocess.run(
        [_MUSESCORE, "-o", target, path],
        env={**os.environ, **folders, "QT_QPA_PLATFORM": "offscreen"},
        check=True,
        capture_output=True,
        timeout=120,
    )
    return xml_tree.parse(target.read_bytes())


def _texts(score: Element, path: str) -> list[str]:
    return [element.text or "" for element in score.iterfind(path)]


def _has_the_form_of(score: Element, piece: Chorale, parts: int) -> None:
    assert piece.key is not None
    assert _texts(score, ".//key/fifths") == [str(spelling.signature(piece.key))] * parts
    assert _texts(score, ".//time/beats") == [str(piece.meter.numerator)] * parts
    assert _texts(score, ".//time/beat-type") == [str(piece.meter.denominator)] * parts
    assert _texts(score, ".//per-minute") == ["92"]
    pickups = score.findall("part/measure[@implicit='yes']")
    assert len(pickups) == (parts if piece.pickup else 0)
    assert all(_length(score, bar) == piece.pickup for bar in pickups)
    assert _texts(score, ".//words") + _texts(score, ".//lyric/text") == []
    assert _texts(score, ".//rehearsal") == []


def _length(score: Element, bar: Element) -> float:
    divisions = int(score.findtext(".//divisions") or 0)
    first = bar.findtext("note/voice")
    lengths = [
        int(note.findtext("duration") or 0)
        for note in bar.iterfind("note")
        if note.findtext("voice") == first
    ]
    return sum(lengths) * 4 / divisions


@needs_musescore
def test_a_midi_file_opens_as_four_named_staves(piece: Chorale, tmp_path: Path) -> None:
    """With credits; MuseScore puts the name of the sound before that of the track."""
    path = tmp_path / "piece.mid"
    midi_writer.write(piece, path)

    score = _opened(path)

    names = _texts(score, "part-list/score-part/part-name")
    assert names == [f"Choir Aahs, {voice.title}" for voice in Voice]
    assert _texts(score, "credit/credit-words") == [_TITLE, _COMPOSER]
    _has_the_form_of(score, piece, parts=4)


@needs_musescore
@pytest.mark.parametrize("layout", ["parts", "staves"])
def test_every_verse_opens_with_its_hyphens_elisions_and_lines(
    layout: Layout, tmp_path: Path
) -> None:
    steps = np.flatnonzero(_PIECE.onsets[:, Voice.SOPRANO]).tolist()
    words = tuple(
        Lyric(Voice.SOPRANO, verse, step, text, hyphen=text == "Ma", extends=text == "on")
        for verse in (1, 2, 3)
        for number, step in enumerate(steps[:-1])
        if (text := ("Ma", "ri‿a", "on", "")[(number + verse) % 4])
    )
    piece = replace(_PIECE, lyrics=words, poet="Anna B.", copyright="© nobody")
    path = tmp_path / "piece.musicxml"
    musicxml_writer.write(piece, path, layout=layout)

    _opened(path)

    back = files.read(tmp_path / "opened.musicxml")
    assert (back.lyrics, back.poet, back.copyright) == (words, piece.poet, piece.copyright)


@needs_musescore
@pytest.mark.parametrize(("layout", "parts"), [("parts", 4), ("staves", 2)])
def test_a_musicxml_file_opens_as_it_was_written(
    piece: Chorale, layout: Layout, parts: int, tmp_path: Path
) -> None:
    path = tmp_path / "piece.musicxml"
    musicxml_writer.write(piece, path, layout=layout)

    score = _opened(path)

    names = [name.split() for name in _texts(score, "part-list/score-part/part-name")]
    assert list(itertools.chain(*names)) == [voice.title for voice in Voice]
    _has_the_form_of(score, piece, parts)
    assert _TITLE in [*_texts(score, "work/work-title"), *_texts(score, "movement-title")]
    assert _texts(score, "credit/credit-words") == [_TITLE, _COMPOSER]
    assert _texts(score, "identification/creator") == [_COMPOSER]
    assert len(score.findall(".//fermata")) == 4 * len(spans(piece.fermatas))
    assert sorted(_spelled(score)) == sorted(_spelled(xml_tree.parse(path.read_bytes())))
    back = files.read(tmp_path / "opened.musicxml")
    assert np.array_equal(back.pitches, piece.pitches)
    assert (back.meter, back.pickup, back.title) == (piece.meter, piece.pickup, piece.title)


@needs_musescore
@pytest.mark.parametrize("layout", ["parts", "staves"])
def test_marks_open_as_they_were_written(layout: Layout, tmp_path: Path) -> None:
    bars = [step for step in _PIECE.bar_line_steps() if step]
    marks = (
        Mark(kind="key", start=bars[2], stop=bars[2], value=Key("Eb", "major")),
        Mark(kind="tempo", start=bars[1], stop=bars[1], value=96.0),
        Mark(kind="slowing", start=bars[3], stop=bars[4], value=60.0),
        Mark(kind="dynamic", start=bars[0], stop=bars[0], value="mf"),
        Mark(kind="slur", start=bars[0], stop=bars[1], value=Voice.BASS),
        Mark(kind="hairpin", start=bars[1], stop=bars[2], value="crescendo"),
        Mark(kind="hairpin", start=bars[-1], stop=_PIECE.steps, value="diminuendo"),
    )
    assert _PIECE.onsets[bars, Voice.BASS].all()
    piece, path = replace(_PIECE, marks=marks), tmp_path / "piece.musicxml"
    musicxml_writer.write(piece, path, layout=layout)

    _opened(path)

    back = files.read(tmp_path / "opened.musicxml")
    assert back.marks == tuple(
        replace(mark, value=75.0) if mark.kind == "slowing" else mark for mark in piece.marks
    )


@needs_musescore
@pytest.mark.parametrize("layout", ["parts", "staves"])
@pytest.mark.parametrize(("number", "signs"), [(0, 1), (39, 3)], ids=["endings", "three repeats"])
def test_repeat_signs_open_as_they_were_written(
    number: int, signs: int, layout: Layout, tmp_path: Path
) -> None:
    piece, path = bundled.load("train")[number], tmp_path / "piece.musicxml"
    musicxml_writer.write(piece, path, layout=layout, repeats=repeats.find(piece))

    score = _opened(path)

    part = score.findall("part")[0]
    assert len(part.findall(".//repeat[@direction='backward']")) == signs
    assert _numbers(part) == _numbers(xml_tree.parse(path.read_bytes()).findall("part")[0])
    back = files.read(tmp_path / "opened.musicxml")
    assert np.array_equal(back.pitches, piece.pitches)
    assert np.array_equal(back.fermatas, piece.fermatas)


def _numbers(part: Element) -> list[str | None]:
    return [bar.get("number") for bar in part.iterfind("measure") if not bar.get("implicit")]


@needs_musescore
def test_a_compressed_file_opens_as_the_plain_one(piece: Chorale, tmp_path: Path) -> None:
    path = tmp_path / "piece.mxl"
    musicxml_writer.write(piece, path)

    score = _opened(path)

    back = files.read(tmp_path / "opened.musicxml")
    assert np.array_equal(back.pitches, piece.pitches)
    assert (back.title, back.composer) == (_TITLE, _COMPOSER)
    _has_the_form_of(score, piece, 4)


def _spelled(score: Element) -> list[str]:
    return [
        "".join(part.text or "" for part in pitch if part.text)
        for pitch in score.iterfind(".//pitch")
    ]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "piece.musicxml"
    musicxml_writer.write(_PIECE, path, numerals=numerals(_PIECE))
    return path


@needs_musescore
@pytest.mark.parametrize("layout", ["parts", "staves"])
def test_musescore_prints_every_numeral_below_the_bass(tmp_path: Path, layout: Layout) -> None:
    file = tmp_path / "piece.musicxml"
    musicxml_writer.write(_PIECE, file, layout=layout, numerals=numerals(_PIECE))

    *others, bass = _opened(file, ".mscx").findall("Score/Staff")
    count = len(numerals(_PIECE))
    assert not any(staff.findall(".//Lyrics") for staff in others)
    assert len(bass.findall(".//Lyrics")) == count
    assert [shown.text for shown in bass.iterfind(".//Harmony/visible")] == ["0"] * count


def test_music21_reads_every_figure_at_its_time(file: Path) -> None:
    music21 = pytest.importorskip("music21")

    score = music21.converter.parse(file, forceSource=True)

    chords = score.flatten().getElementsByClass("Harmony")
    found = [(4 * float(chord.offset), chord.romanNumeral.figure) for chord in chords]
    assert found == [(numeral.start, numeral.figure) for numeral in numerals(_PIECE)]


def test_music21_prints_and_writes_what_it_has_read(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    music21 = pytest.importorskip("music21")
    texts = [numeral.text for numeral in numerals(_PIECE)]
    score = music21.converter.parse(file, forceSource=True)

    score.show("text")
    shown = capsys.readouterr().out
    assert all(f"NoChord {text}>" in shown for text in texts)
    again = music21.converter.parse(score.write("musicxml", file.with_name("again.musicxml")))

    chords = again.flatten().getElementsByClass("Harmony")
    assert [chord.chordKindStr for chord in chords] == texts
    assert len(again.flatten().notes) == len(score.flatten().notes)
