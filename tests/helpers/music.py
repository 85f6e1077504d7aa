"""Small pieces for tests, hand-written or random."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from musicrel.chorale import (
    DYNAMICS,
    HAIRPINS,
    RANGES,
    REST,
    Chorale,
    Key,
    Lyric,
    Mark,
    Meter,
    Voice,
    onsets_where_pitch_changes,
)
from musicrel.interpretability.piece_analysis import PieceAnalysis
from musicrel.score.editing.notes import voice_notes
from musicrel.score.editing.selection import Selection

_CHANGE_PROBABILITY = 0.4
_REPEAT_PROBABILITY = 0.2
_REST_PROBABILITY = 0.1


def random_chorale(seed: int, steps: int = 16, *, margin: int = 0) -> Chorale:
    """Build a random piece with held and repeated notes, rests and fermatas, all in range.

    ``margin`` semitones stay unused at both ends of the range of each voice.
    """
    rng = np.random.default_rng(seed)
    pitches = np.stack(
        [_line(rng, steps, low + margin, high - margin) for low, high in RANGES.values()], axis=1
    )
    repeated = (rng.random(pitches.shape) < _REPEAT_PROBABILITY) & (pitches != REST)
    return Chorale(
        pitches=pitches,
        onsets=onsets_where_pitch_changes(pitches) | repeated,
        fermatas=rng.random(steps) < _REST_PROBABILITY,
        pickup=int(rng.integers(16)),
        key=Key.of(int(rng.integers(12)), "minor"),
        title=f"random {seed}",
    )


def _line(rng: np.random.Generator, steps: int, low: int, high: int) -> np.ndarray:
    """Generate one voice, int16 (steps,)."""
    line = np.empty(steps, dtype=np.int16)
    pitch = int(rng.integers(low, high + 1))
    for step in range(steps):
        if rng.random() < _CHANGE_PROBABILITY:
            rests = rng.random() < _REST_PROBABILITY
            pitch = REST if rests else int(rng.integers(low, high + 1))
        line[step] = pitch
    return line


def with_words(piece: Chorale, seed: int = 0, verses: int = 3) -> Chorale:
    """Return ``piece`` with syllables of no language under most notes of each voice."""
    rng = np.random.default_rng(seed)
    return replace(
        piece,
        lyrics=tuple(
            Lyric(
                Voice(voice),
                verse,
                step,
                "".join(rng.choice([*"klmnr"]) + rng.choice([*"aeöu"]) for _ in range(2)),
                hyphen=bool(rng.random() < _REPEAT_PROBABILITY),
                extends=bool(rng.random() < _REST_PROBABILITY),
            )
            for step, voice in np.argwhere(piece.onsets).tolist()
            for verse in range(1, verses + 1)
            if rng.random() > _REST_PROBABILITY
        ),
    )


def with_marks(piece: Chorale, seed: int = 0) -> Chorale:
    """Return a piece with changes of key at bar lines, and marks of other kinds anywhere."""
    rng = np.random.default_rng(seed)
    lines = [step for step in piece.bar_line_steps() if step and rng.random() < 0.3]
    keys = [("key", line, line, Key.of(int(rng.integers(12)), "minor")) for line in lines]
    starts = np.flatnonzero(rng.random(piece.steps) < 0.1).tolist()
    tempos = [("tempo", step, step, int(rng.integers(10, 1200)) / 2) for step in starts[::2]]
    slow = [("slowing", step, step + int(rng.integers(1, 40)), 70.0) for step in starts[1::2]]
    loud = [
        ("dynamic", step, step, str(rng.choice(DYNAMICS)))
        for step in np.flatnonzero(piece.onsets.any(axis=1))[::7].tolist()
    ]
    slurs = [
        ("slur", int(line[n]), int(line[n + 2]), voice)
        for voice in Voice
        for line in [np.flatnonzero(piece.onsets[:, voice] | (piece.pitches[:, voice] == REST))]
        for n in range(0, len(line) - 2, 9)
    ]
    hairpins = [
        ("hairpin", step, step + int(rng.integers(1, 40)), str(rng.choice(HAIRPINS)))
        for step in range(3, piece.steps, 29)
    ]
    marks = (
        Mark(kind=kind, start=start, stop=stop, value=value)  # type: ignore[arg-type]
        for kind, start, stop, value in (*keys, *tempos, *slow, *loud, *slurs, *hairpins)
    )
    return replace(piece, marks=tuple(marks))


def minuet() -> Chorale:
    """Build seven steps of 3/4 in D minor: a pickup of a quarter and three steps of the first bar.

    The last three steps are under a fermata.
    """
    return Chorale.of(
        [[62, 57, 53, 50]] * 4 + [[65, 57, 53, 38]] * 2 + [[REST, 57, 52, 38]],
        fermatas=np.array([False] * 4 + [True] * 3),
        meter=Meter(3, 4),
        pickup=4,
        key=Key("D", "minor"),
        title="Minuet",
    )


def jsb_file(path: Path, pieces: Mapping[str, Sequence[Chorale]]) -> Path:
    """Write ``pieces`` by split in the JSB16 format and return ``path``."""
    content = {split: [piece.pitches.tolist() for piece in of] for split, of in pieces.items()}
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def tiny_data(path: Path) -> str:
    """Write a data set of ten small pieces as a JSB16 file; return its name for recipes."""
    pieces = {
        "train": [random_chorale(seed, 10 + 3 * seed, margin=2) for seed in range(6)],
        "valid": [random_chorale(100, 9), random_chorale(101, 14)],
        "test": [random_chorale(200, 12), random_chorale(201, 8)],
    }
    return f"jsb:{jsb_file(path, pieces)}"


@dataclass(frozen=True)
class Case:
    piece: Chorale
    selection: Selection
    rng: np.random.Generator

    @property
    def others(self) -> list[int]:
        return [voice for voice in Voice if voice not in self.selection.voices]


def random_case(seed: int) -> Case:
    """Draw a piece of 48 to 95 steps with words, and 1 to 24 of the steps in some voices."""
    rng = np.random.default_rng(seed)
    piece = with_words(random_chorale(seed, int(rng.integers(48, 96)), margin=1), seed)
    start = int(rng.integers(piece.steps - 24))
    voices = rng.choice(len(Voice), size=int(rng.integers(1, 5)), replace=False)
    selection = Selection(
        voices=tuple(sorted(map(int, voices))),
        start=start,
        stop=start + int(rng.integers(1, 25)),
    )
    return Case(piece, selection, rng)


def read(model: str, nats: float, back: int, piece: Chorale) -> PieceAnalysis:
    """Return an analysis by a model with one head, which looks ``back`` cells back."""
    found = PieceAnalysis(piece, model, 1, 1, wrote=False)
    for cell in range(4 * piece.steps):
        row = np.zeros((1, 1, cell + 1), dtype=np.float32)
        row[0, 0, max(cell + 1 - back, 0)] = 1
        found.add(row, nats=nats)
    return found


def of_voice(piece: Chorale, voice: int = 0) -> list[tuple[int, int, int]]:
    """Return start, stop and pitch of the notes of a voice."""
    return [(note.start, note.stop, note.pitch) for note in voice_notes(piece, voice)]


def some(start: int, stop: int, *voices: int) -> Selection:
    """Return a selection of some voices, all if none is given."""
    return Selection(voices=voices or tuple(Voice), start=start, stop=stop)


def soprano(start: int, stop: int) -> Selection:
    return some(start, stop, Voice.SOPRANO)
