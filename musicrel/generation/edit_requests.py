"""What users ask of a piece they have: harmonise, fill in, continue, vary, as requests.

This file knows pieces, voices and steps; it knows nothing of models.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from musicrel.analysis import keys
from musicrel.chorale import REST, Chorale, Flags, Voice
from musicrel.errors import UsageError
from musicrel.generation.constraints.locks import Locks
from musicrel.generation.request import GenerationRequest, most_bars
from musicrel.tokens.vocabulary import HIGHEST_PITCH, LOWEST_PITCH

_NAMES: Final = {
    **{voice.letter.lower(): voice for voice in Voice},
    **{voice.name.lower(): voice for voice in Voice},
}


def harmony(melody: Chorale, voice: Voice = Voice.SOPRANO, **wishes: Any) -> GenerationRequest:
    """Three voices to the one of ``melody`` that is given; its rests stay rests.

    Args:
        melody: any piece; of its voices only ``voice`` counts. Where neither it nor a wish names a
            key, the one that its notes speak for is taken.
        voice: which one is given.
        **wishes: other fields of the request.

    Raises:
        UsageError: the voice is silent, or a wish is out of bounds.
    """
    if (melody.pitches[:, voice] == REST).all():
        raise UsageError(f"the {voice.title} has no notes: expected a melody")
    given = np.zeros(melody.pitches.shape, dtype=np.bool_)
    given[:, voice] = True
    key = wishes.pop("key", None) or melody.key or keys.analysed(melody.pitches[:, [voice]])
    return GenerationRequest.like(melody, key=key, locks=Locks.of(melody, given), **wishes)


def phrased(piece: Chorale, phrases: Collection[int]) -> Chorale:
    """``piece`` with a fermata at the end of each phrase, instead of those it has.

    Args:
        piece: any piece.
        phrases: bars of each, a pickup being part of the first; none leaves it as it is.

    Raises:
        UsageError: they do not sum to the bars of the piece, or it is too long.
    """
    if not phrases:
        return piece
    asked = GenerationRequest.like(piece, fermatas=(), phrases=tuple(phrases), rules=())
    return replace(piece, fermatas=asked.plan().fermatas)


def within_span(piece: Chorale) -> tuple[Chorale, int]:
    """``piece`` moved by the fewest semitones into the span that models know, and by how many.

    A piece that is wider than the span stays where it is.
    """
    sung = piece.pitches[piece.pitches != REST]
    if not sung.size:
        return piece, 0
    rise, fall = LOWEST_PITCH - int(sung.min()), HIGHEST_PITCH - int(sung.max())
    semitones = (max(rise, 0) or min(fall, 0)) if rise <= fall else 0
    return piece.transposed(semitones), semitones


def beginning(piece: Chorale) -> Chorale:
    """``piece``, or as many of its bars as can be written at once."""
    bar = piece.meter.steps
    longest = piece.pickup + (most_bars(piece.meter) - 1) * bar
    return piece if piece.steps <= longest else piece.cropped(0, longest)


def infilling(
    piece: Chorale, voices: Collection[Voice], start: int, stop: int, **wishes: Any
) -> GenerationRequest:
    """Some voices of ``piece`` over some steps anew; all else stays as it is.

    Args:
        piece: any piece.
        voices: those to write.
        start: first step.
        stop: the step after the last.
        **wishes: other fields of the request.

    Raises:
        UsageError: the steps are not in the piece, no voice is named, or a wish is out of bounds.
    """
    if not voices:
        raise UsageError("no voice is named: expected some of S, A, T, B")
    if not 0 <= start < stop <= piece.steps:
        raise UsageError(
            f"steps {start}:{stop} are not in the piece: expected 0 to {piece.steps}, the lower "
            "one first"
        )
    given = np.ones(piece.pitches.shape, dtype=np.bool_)
    given[start:stop, sorted(voices)] = False
    return GenerationRequest.like(piece, locks=Locks.of(piece, given), **wishes)


def continuation(piece: Chorale, bars: int, **wishes: Any) -> GenerationRequest:
    """``piece`` with ``bars`` more bars at its end.

    Raises:
        UsageError: bars is below 1, the piece would be too long, or a wish is out of bounds.
    """
    if bars < 1:
        raise UsageError(f"bars is {bars}: expected at least 1 to be added")
    steps = piece.steps + bars * piece.meter.steps
    whole, most = -(-steps // piece.meter.steps), most_bars(piece.meter)
    if whole > most:
        raise UsageError(
            f"the piece would have {whole:,} bars: expected at most {most} of {piece.meter}, as "
            "many as can be written at once; continue a shorter one"
        )
    locks = Locks.of_prompt(piece, steps)
    return GenerationRequest.like(piece, bars=whole, length=steps, locks=locks, **wishes)


def variation(
    piece: Chorale, change: float, voices: Collection[Voice] = tuple(Voice), **wishes: Any
) -> GenerationRequest:
    """Some of the notes of ``piece`` anew, which ones by chance.

    Args:
        piece: any piece.
        change: share of the cells to be written anew, 0 (similar) to 1 (different), at least one
            note.
        voices: in which voices.
        **wishes: other fields of the request; ``seed`` also chooses the notes.

    Raises:
        UsageError: the share is out of bounds, or a wish is.
    """
    if not 0 <= change <= 1:
        raise UsageError(f"change is {change}: expected 0 (similar) to 1 (different)")
    free = _some_notes(piece, change, sorted(voices), int(wishes.get("seed", 0)))
    return GenerationRequest.like(piece, locks=Locks.of(piece, ~free), **wishes)


def voices_named(text: str) -> tuple[Voice, ...]:
    """``A,T`` or ``alto,tenor`` as voices, each once, from the top down.

    Raises:
        UsageError: a name is no voice.
    """
    names = [name.strip().lower() for name in text.split(",")]
    for name in names:
        if name not in _NAMES:
            raise UsageError(f"{text!r} names no voices: expected some of S, A, T, B, as in A,T")
    return tuple(sorted({_NAMES[name] for name in names}))


def span(text: str) -> tuple[int, int]:
    """``16:32`` as first step and the step after the last.

    Raises:
        UsageError: the text is no such pair.
    """
    start, colon, stop = text.partition(":")
    if not (colon and start.strip().isdecimal() and stop.strip().isdecimal()):
        raise UsageError(f"{text!r} are no steps: expected sixteenths as in 16:32, half-open")
    return int(start), int(stop)


def _some_notes(piece: Chorale, change: float, voices: Sequence[int], seed: int) -> Flags:
    """The cells of so many whole notes, or rests, that their share is ``change``: bool (T, 4)."""
    begins = piece.onsets.copy()
    begins[1:] |= (piece.pitches[1:] == REST) & (piece.pitches[:-1] != REST)
    begins[0] = True
    note = begins.cumsum(axis=0) + np.arange(len(Voice)) * (piece.steps + 1)
    of_voices = note[:, list(voices)]
    order = np.random.default_rng(seed).permutation(np.unique(of_voices))
    lengths = (of_voices.reshape(-1)[:, None] == order).sum(axis=0)
    wanted = change * of_voices.size
    taken = max(int(np.searchsorted(lengths.cumsum(), wanted, side="left")) + (wanted > 0), 1)
    return np.isin(note, order[:taken])
