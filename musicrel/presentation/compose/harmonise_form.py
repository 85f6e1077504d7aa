"""The form of a harmonisation: melody, voice and model, and the builder of its request."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from musicrel.chorale import REST, Chorale, Flags, Voice
from musicrel.editing.selection import Selection
from musicrel.errors import UsageError
from musicrel.generation import edit_requests
from musicrel.generation.transposition import place_melody
from musicrel.presentation.compose.form import Form, RequestBuilder, parse_whole_phrases
from musicrel.presentation.roll import lock_cells

NOTHING_ON_ROLL: Final = "The roll is empty: generate or open a piece first"
NO_MODEL: Final = "No model can harmonise: import one with Compose > Models…"
MOVED: Final = "The melody lies outside the range of its voice: {how}"
VOICE_HINT: Final = "Voice of the melody, which is moved into the voice’s range if it lies outside"
SEES_AHEAD: Final = "This model sees the whole melody before it generates the first note."
SEARCHES: Final = (
    "This model writes a few bars at a time and reads on in the melody to choose among several "
    "versions; draft quality does not."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    title: str
    path: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HarmoniseForm:
    source: Source
    voice: Voice
    model: str
    quality: str  # how much work goes into the piece, a name in ``QUALITIES``
    count: int  # number of candidates
    phrases: str = ""  # bars of each phrase as typed, "2,2,4"; empty: as in the melody


def harmonisation(piece: Chorale, entries: HarmoniseForm, form: Form) -> RequestBuilder:
    """Return the builder of three voices to a melody; silent bars at its end are cut."""
    if (piece.pitches[:, entries.voice] == REST).all():
        raise UsageError(f"the {entries.voice.title} has no notes: choose another voice or melody")
    piece = _without_silent_end(piece)
    bars = edit_requests.numbered_bars(piece)
    piece = edit_requests.with_phrases(piece, parse_whole_phrases(entries.phrases, bars))
    free = ~lock_cells.of_voice(piece, entries.voice)
    form = replace(form, model=entries.model, quality=entries.quality)
    return RequestBuilder(
        form=form,
        count=entries.count,
        piece=piece,
        free=free,
        melody=entries.voice,
        done="harmonised",
    )


def placed(piece: Chorale, voice: Voice) -> tuple[Chorale, str]:
    """Return the piece with its melody in or near its range, and a sentence if it was moved."""
    moved = place_melody(piece, voice)
    return (moved.melody, MOVED.format(how=moved.sentence)) if moved.sentence else (piece, "")


def problem(melody: Chorale | None, entries: HarmoniseForm) -> str:
    """Return the reason why the entries cannot be harmonised, or ""."""
    try:
        if melody is None:
            parse_whole_phrases(entries.phrases, None)
        else:
            harmonisation(placed(melody, entries.voice)[0], entries, Form())
    except UsageError as reason:
        return str(reason)
    return ""


def _without_silent_end(piece: Chorale) -> Chorale:
    """Crop ``piece`` after the last bar with a note, where the harmonisation ends."""
    last = int(np.flatnonzero((piece.pitches != REST).any(axis=1))[-1]) + 1
    bar = piece.meter.steps
    stop = piece.pickup + -(-(last - piece.pickup) // bar) * bar
    return piece if stop >= piece.steps else piece.cropped(0, stop)


def likely_voice(piece: Chorale, selection: Selection | None, kept: Flags | None) -> Voice:
    """Guess the melody's voice: the one selected, or locked throughout, or first with a note."""
    if selection is not None and len(selection.voices) == 1:
        return Voice(selection.voices[0])
    whole = [] if kept is None else [voice for voice in Voice if kept[:, voice].all()]
    sounding = [voice for voice in Voice if (piece.pitches[:, voice] != REST).any()]
    return next(iter([*whole, *sounding]), Voice.SOPRANO)
