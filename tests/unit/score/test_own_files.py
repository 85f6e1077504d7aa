"""Files of our own are read as they were written, without a remark, in every format and layout."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from musicrel.chorale import REST, Chorale, Key, Meter, Provenance
from musicrel.harmony.analysis import numerals
from musicrel.score import files
from musicrel.score.midi import midi_writer
from musicrel.score.musicxml import musicxml_writer
from tests.helpers.music import random_chorale

CHORDS = [
    (72, 67, 64, 48), (71, 67, 62, 55), (72, 69, 65, 53), (74, 67, 62, 55),
    (72, 67, 64, 48), (69, 65, 60, 53), (67, 62, 59, 55), (72, 67, 64, 48),
]  # fmt: skip
STEPS = 32


def chords(**fields: Any) -> Chorale:
    """Return eight chords, a quarter each."""
    return Chorale.of(np.repeat(CHORDS, 4, axis=0), **fields)


def silenced(*voices: int, steps: slice = slice(None), **fields: Any) -> Chorale:
    """Return the chords with rests in some voices."""
    pitches = np.repeat(CHORDS, 4, axis=0)
    pitches[steps, list(voices)] = REST
    return Chorale.of(pitches, **fields)


def repeated(every: int, chord: tuple[int, ...] = CHORDS[0]) -> Chorale:
    """Return a chord whose notes are repeated after so many steps."""
    onsets = np.repeat(np.arange(STEPS) % every == 0, 4).reshape(STEPS, 4)
    return Chorale.of([chord] * STEPS, onsets=onsets, pickup=2)


ENDS = np.isin(np.arange(STEPS) // 4, (3, 7))
PIECES: Mapping[str, Chorale] = {
    "generated": chords(
        title="Chorale 7",
        key=Key("G", "minor"),
        provenance=Provenance(
            model="relative",
            sha256="0" * 64,
            seed=7,
            settings={"bars": 2, "tempo": 76.0, "locks": {"steps": 32, "cells": [[0, 0, 72]]}},
            machine={"device": "cpu", "kernel": "compiled"},
        ),
    ),
    "tempo 76 with fermatas": chords(tempo=76, fermatas=ENDS, key=Key("F#", "major")),
    "odd tempo": chords(tempo=200 / 3, composer="J. S. Bäch", title="„Ä“ & <b>"),
    "3/4 with a pickup": chords(meter=Meter(3, 4), pickup=4, fermatas=ENDS),
    "6/8 with a pickup": chords(meter=Meter(6, 8), pickup=2, tempo=43),
    "12/8": chords(meter=Meter(12, 8)),
    "5/4": chords(meter=Meter(5, 4), pickup=8),
    "pickup of a sixteenth": chords(pickup=1),
    "one beat": Chorale.of([CHORDS[0]] * 4, pickup=4),
    "rests before": silenced(0, 1, 2, 3, steps=slice(0, 4)),
    "rests before a pickup": silenced(0, 1, 2, 3, steps=slice(0, 2), pickup=4),
    "rests after": silenced(0, 1, 2, 3, steps=slice(28, 32)),
    "rests between": silenced(0, 1, 2, 3, steps=slice(8, 24)),
    "canon": silenced(1, 2, 3, steps=slice(0, 16)),
    "no tenor": silenced(2),
    "outer voices": silenced(1, 2),
    "a melody": silenced(1, 2, 3),
    "a bass": silenced(0, 1, 2),
    "repeated notes": repeated(2),
    "repeated sixteenths": repeated(1),
    "unisons": repeated(4, (60, 60, 60, 60)),
    "held unisons": Chorale.of([(60, 60, 60, 60)] * STEPS, pickup=6),
    "crossed voices": Chorale.of(np.repeat([(60, 67, 50, 59), (62, 65, 59, 48)], 8, axis=0)),
    "random": random_chorale(3, 61),
}
WRITERS: Mapping[str, Callable[[Chorale, Path], None]] = {
    "a.mid": midi_writer.write,
    "held.mid": lambda piece, path: midi_writer.write(piece, path, stretch_fermatas=True),
    "organ.midi": lambda piece, path: midi_writer.write(piece, path, sound="organ"),
    "a.json": files.write,
    "four.musicxml": musicxml_writer.write,
    "two.mxl": lambda piece, path: musicxml_writer.write_compressed(piece, path, layout="staves"),
    "four numerals.mxl": lambda piece, path: musicxml_writer.write_compressed(
        piece, path, numerals=numerals(piece)
    ),
    "two numerals.musicxml": lambda piece, path: musicxml_writer.write(
        piece, path, layout="staves", numerals=numerals(piece)
    ),
}


@pytest.mark.parametrize("name", PIECES)
def test_own_files_are_read_in_silence(tmp_path: Path, name: str) -> None:
    """Whatever is written again from what was read is as silent: it is the same piece."""
    piece = PIECES[name]
    for file, write in WRITERS.items():
        write(piece, tmp_path / file)

        found = files.import_satb(tmp_path / file)

        assert found.report == (), file
        assert np.array_equal(found.chorale.pitches, piece.pitches), file
        assert np.array_equal(found.chorale.onsets, piece.onsets), file
        assert described(found.chorale) == described(piece), file


def described(piece: Chorale) -> tuple[object, ...]:
    """Return what a piece has beside its notes."""
    origin = piece.provenance
    settings = None if origin is None else (origin.model, origin.seed, dict(origin.settings))
    heading = piece.meter, piece.pickup, piece.key, piece.title, piece.composer
    return *heading, round(piece.tempo, 5), settings
