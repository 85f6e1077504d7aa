"""MusicXML files checked with other programs: read by music21, drawn by Verovio."""

from __future__ import annotations

import itertools
import xml.etree.ElementTree as ET
from typing import Any

import numpy as np
import pytest
import verovio
from music21 import converter, expressions, stream

from musicrel.chorale import STEPS_PER_QUARTER, Chorale, Voice, spans
from musicrel.corpus import bundled
from musicrel.score.musicxml import musicxml_writer
from musicrel.score.notation.spelling import SpelledPitch, spell_melody
from musicrel.score.notes import Note, notes
from training import music21_reader

SVG = "{http://www.w3.org/2000/svg}"


def corpus() -> list[Chorale]:
    """Return all bundled chorales."""
    return list(itertools.chain.from_iterable(bundled.load_all().values()))


def some() -> list[Chorale]:
    """Return the first piece of each meter, with and without pickup, and of each mode."""
    kinds = {
        (str(piece.meter), piece.pickup > 0, piece.key and piece.key.mode): piece
        for piece in reversed(corpus())
    }
    return list(kinds.values())


def read(chorale: Chorale, layout: musicxml_writer.Layout) -> Any:
    """Parse the written score with music21."""
    return converter.parseData(musicxml_writer.to_xml(chorale, layout), format="musicxml")


def check_grid(piece: Chorale) -> None:
    """Check that the reader of the corpus restores the piece."""
    score = read(piece, "parts")

    reading = music21_reader.from_score(score)

    again = reading.chorale
    assert np.array_equal(again.pitches, piece.pitches)
    assert np.array_equal(again.onsets, piece.onsets)
    assert np.array_equal(again.fermatas, piece.fermatas)
    assert (again.meter, again.pickup) == (piece.meter, piece.pickup)
    assert (reading.off_grid, reading.bar_lines_off, reading.silent_bars_cut) == (0, 0, 0)
    signature = score.parts[0].recurse().getElementsByClass("Key").first()
    assert piece.key is not None
    assert (signature.sharps, signature.mode) == (piece.key.fifths, piece.key.mode)
    marks = list(score.recurse().getElementsByClass("MetronomeMark"))
    assert [mark.getQuarterBPM() for mark in marks] == [piece.tempo]
    assert score.metadata.title == piece.title


def heads(part: Any, voice: int) -> list[Any]:
    """List the notes of the ``voice``-th voice of a part, from 0, with tied ones separate."""
    found = []
    for measure in part.getElementsByClass(stream.Measure):
        line = list(measure.voices)[voice] if measure.voices else measure
        found += [(measure.offset + note.offset, note) for note in line.notes]
    return [(float(at) * STEPS_PER_QUARTER, note) for at, note in found]


def as_music21_names(pitch: SpelledPitch) -> str:
    """Format a pitch as in B-3 and F#4."""
    return pitch.step + "-#"[pitch.alter > 0] * abs(pitch.alter) + str(pitch.octave)


def check_voice(part: Any, index: int, piece: Chorale, voice: Voice) -> None:
    """Check notes, lengths, ties, spelling and fermatas of one voice."""
    merged: list[Note] = []
    names: list[str] = []
    marked: list[tuple[float, float]] = []
    for start, note in heads(part, index):
        length = round(float(note.quarterLength) * STEPS_PER_QUARTER)
        if note.tie and note.tie.type in ("stop", "continue"):
            last = merged.pop()
            assert (last.stop, last.pitch) == (start, note.pitch.midi)
            merged.append(Note(last.start, last.length + length, last.pitch))
        else:
            merged.append(Note(round(start), length, note.pitch.midi))
            names.append(note.pitch.nameWithOctave)
        if any(isinstance(mark, expressions.Fermata) for mark in note.expressions):
            marked.append((start, start + length))
    spelled = spell_melody([note.pitch for note in merged], piece.key)
    assert merged == notes(piece, voice)
    assert names == [as_music21_names(one) for one in spelled]
    held = [(a, b) for a, b in spans(piece.fermatas) if (piece.pitches[a:b, voice] >= 0).any()]
    assert len(marked) == len(held)
    for (start, stop), (begin, end) in zip(marked, held, strict=True):
        assert start < end
        assert stop > begin


def check_staves(piece: Chorale) -> None:
    """Check all four voices of the two staves."""
    for part, pair in zip(
        read(piece, "staves").parts,
        ((Voice.SOPRANO, Voice.ALTO), (Voice.TENOR, Voice.BASS)),
        strict=True,
    ):
        for index, voice in enumerate(pair):
            check_voice(part, index, piece, voice)


@pytest.mark.parametrize("piece", some(), ids=lambda piece: piece.title.split()[1])
def test_music21_reads_what_was_written(piece: Chorale) -> None:
    """Each kind of piece, in both layouts, with all fields."""
    check_grid(piece)
    check_staves(piece)


@pytest.mark.slow
def test_music21_reads_the_whole_corpus_as_it_was_written() -> None:
    """Every bundled chorale, in both layouts."""
    for piece in corpus():
        check_grid(piece)
        check_staves(piece)


@pytest.mark.parametrize("layout", ["parts", "staves"])
def test_verovio_draws_every_head_accidental_and_beam(layout: musicxml_writer.Layout) -> None:
    """The counts in the picture equal those in the file."""
    piece = next(piece for piece in some() if piece.key and piece.key.mode == "minor")
    text = musicxml_writer.to_xml(piece, layout)
    written = ET.fromstring(text)  # noqa: S314 (it is our own)
    toolkit = verovio.toolkit()
    toolkit.setOptions({"adjustPageHeight": True, "pageHeight": 20_000})

    assert toolkit.loadData(text)
    drawn = ET.fromstring(toolkit.renderToSVG(1))  # noqa: S314 (it is Verovio's)

    def count(kind: str) -> int:
        groups = [group for group in drawn.iter(f"{SVG}g") if group.get("class") == kind]
        return sum(len(group) > 0 for group in groups)

    assert toolkit.getPageCount() == 1
    assert count("note") == len(written.findall(".//note/pitch"))
    assert count("accid") == len(written.findall(".//accidental"))
    assert count("fermata") == len(written.findall(".//fermata"))
    assert count("beam") == len(
        [b for b in written.iter("beam") if b.text == "begin" and b.get("number") == "1"]
    )
