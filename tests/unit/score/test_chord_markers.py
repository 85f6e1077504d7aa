"""Chords and phrases as markers of a MIDI file."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import mido
import numpy as np
import pytest

from musicrel import jobs
from musicrel.analysis import numeral_search
from musicrel.analysis.corpus import bundled
from musicrel.analysis.numeral import INTERVALS
from musicrel.chorale import Chorale, Key
from musicrel.figures import exports
from musicrel.score import files
from musicrel.score.chord_markers import chord_name, markers

_LETTERS = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}
_NAME = re.compile(r"([A-G])([#b]?)(maj7|m7b5|m7|dim7|dim|aug|m|7|)(?:/([A-G])([#b]?))?")
_KINDS = {
    "": "major", "m": "minor", "dim": "diminished", "aug": "augmented", "7": "dominant",
    "m7": "minor-seventh", "maj7": "major-seventh", "m7b5": "half-diminished",
    "dim7": "diminished-seventh",
}  # fmt: skip


def pitch_class(letter: str, sign: str) -> int:
    return (_LETTERS[letter] + {"": 0, "#": 1, "b": -1}[sign]) % 12


def test_a_cadence_in_d_major_is_named_as_a_guitarist_reads_it() -> None:
    rows = [[74, 69, 66, 50], [76, 67, 61, 57], [73, 67, 64, 45], [74, 69, 66, 50]]
    piece = Chorale.of(np.repeat(rows, 8, axis=0), key=Key("D", "major"))
    fermatas = np.arange(32) >= 28
    found = markers(replace(piece, fermatas=fermatas), numeral_search.numerals(piece))
    assert found == ((0, "Phrase 1: D"), (8, "A7"), (24, "D"))


def test_the_leading_tone_of_g_sharp_minor_has_a_double_sharp() -> None:
    rows = [[71, 68, 63, 56], [73, 67, 64, 58], [71, 68, 63, 56]]
    piece = Chorale.of(np.repeat(rows, 8, axis=0), key=Key("G#", "minor"))
    names = [chord_name(numeral) for numeral in numeral_search.numerals(piece)]
    assert names == ["G#m", "F##dim7/A#", "G#m"]


def test_names_of_chords_spell_root_kind_and_bass_of_bach() -> None:
    for piece in bundled.load("test")[:6]:
        for numeral in numeral_search.numerals(piece):
            match = _NAME.fullmatch(chord_name(numeral))
            assert match is not None
            letter, sign, kind, bass, bass_sign = match.groups()
            assert (pitch_class(letter, sign), _KINDS[kind]) == (numeral.root, numeral.quality)
            over = INTERVALS[numeral.quality][numeral.inversion]
            assert (bass is None) == (numeral.inversion == 0)
            if bass:
                assert pitch_class(bass, bass_sign) == (numeral.root + over) % 12


def test_a_file_with_markers_is_read_back_without_a_report(tmp_path: Path) -> None:
    piece = bundled.load("test")[0]
    jobs.run(exports.write_midi_job(piece, tmp_path / "a.mid", chords=True))

    track = mido.MidiFile(tmp_path / "a.mid").tracks[0]
    texts = [event.text for event in track if event.type == "marker"]
    assert any(text.startswith("Phrase 2: ") for text in texts)
    found = files.import_satb(tmp_path / "a.mid")
    assert found.report == ()
    assert found.chorale == piece


@pytest.mark.parametrize("key", [Key("Gb", "major"), Key("F#", "major"), Key("C", "minor")])
def test_roots_are_spelled_in_their_key(key: Key) -> None:
    chord = np.array([12, 4 if key.mode == "major" else 3, 7, 0]) + 48 + key.pitch_class
    piece = Chorale.of(np.repeat([chord], 16, axis=0), key=key)
    (numeral,) = numeral_search.numerals(piece)
    assert chord_name(numeral) == key.tonic + ("m" if key.mode == "minor" else "")
