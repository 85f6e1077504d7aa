"""Requests that start from a piece: harmonise, infill, continue, vary, rewrite named parts."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any, Final

import numpy as np

from musicrel import bounds, meter_beats
from musicrel.analysis import keys
from musicrel.chorale import REST, Chorale, Flags, Voice
from musicrel.errors import UsageError
from musicrel.generation.constraints import last_chord, regions, voice_ranges
from musicrel.generation.constraints.locks import Locks
from musicrel.generation.constraints.voice_ranges import Ranges
from musicrel.generation.phrasing import planned_phrase
from musicrel.generation.request import GenerationRequest, max_bars
from musicrel.language import tr
from musicrel.score.editing.draft import Edit
from musicrel.score.editing.selection import Selection
from musicrel.score.verses import harmonies

_NAMES: Final = {
    **{voice.letter.lower(): voice for voice in Voice},
    **{voice.name.lower(): voice for voice in Voice},
}

# End of a harmonised melody by the cadence that is requested for it.
_LAST_CHORDS: Final = {
    "": last_chord.AUTHENTIC,
    "authentic": last_chord.AUTHENTIC,
    "plagal": last_chord.TONIC,
    "half": last_chord.FREE,
    "deceptive": last_chord.FREE,
}


def harmony_request(
    melody: Chorale,
    voice: Voice = Voice.SOPRANO,
    free: Flags | None = None,
    **fields: Any,
) -> GenerationRequest:
    """Return a request for three voices to the given voice of ``melody``; its rests are kept.

    The piece ends on the tonic triad, after the dominant where the melody allows it, unless the
    fields have another ``last_chord`` or ask for another cadence at the end.

    Args:
        melody: any piece; only ``voice`` counts. Without a key in the piece or the fields, the key
            is estimated from its notes.
        free: the cells to write, bool (T, 4); None: all of the other voices.

    Raises:
        UsageError: the voice is silent, or a field is out of bounds.
    """
    if (melody.pitches[:, voice] == REST).all():
        raise UsageError(tr("the {voice} has no notes: expected a melody", voice=voice.title))
    if free is None:
        free = np.arange(len(Voice)) != np.full(melody.pitches.shape, voice)
    fields["key"] = fields.get("key") or melody.key or keys.estimate(melody.pitches[:, [voice]])
    cadence = planned_phrase.parse_cadences(fields.get("cadence", ""))[-1]
    fields.setdefault("last_chord", _LAST_CHORDS[cadence])
    return GenerationRequest.rewriting(melody, free, **fields).with_compound_rhythm()


def numbered_bars(piece: Chorale) -> int:
    """Return the number of the last bar, a pickup being part of the first: what the ruler shows."""
    return max(-(-(piece.steps - piece.pickup) // piece.meter.steps), 1)


def with_phrases(piece: Chorale, phrases: Collection[int]) -> Chorale:
    """Return ``piece`` with a fermata at the end of each phrase instead of its own.

    Args:
        phrases: bars of each phrase, a pickup being part of the first; empty: ``piece`` unchanged.
            If the last bar is full, too, the last phrase is longer by the pickup.

    Raises:
        UsageError: they do not sum to the bars of the piece, or it is too long.
    """
    if not phrases:
        return piece
    planned, bars = [*phrases], numbered_bars(piece)
    if sum(planned) == bars:
        planned[-1] += -(-piece.steps // piece.meter.steps) - bars
    request = GenerationRequest.like(piece, fermatas=(), phrases=tuple(planned), rules=())
    return replace(piece, fermatas=request.plan().fermatas)


def truncated(piece: Chorale) -> Chorale:
    """Return ``piece``, or as many of its bars as one request can have."""
    bar = piece.meter.steps
    longest = piece.pickup + (max_bars(piece.meter) - 1) * bar
    return piece if piece.steps <= longest else piece.cropped(0, longest)


def verse_written_out(piece: Chorale, verse: int) -> tuple[Edit, Flags]:
    """Return the edit that writes a verse out and selects its lower voices, and their cells.

    The cells are bool (T, 4); steps at which nothing sounds are not among them.

    Raises:
        UsageError: the piece has no such verse, or would be too long.
    """
    written, source_T, (start, stop, _) = harmonies.with_own_harmony(piece, verse)
    free = np.zeros(written.pitches.shape, dtype=np.bool_)
    sounds_T = (written.pitches[start:stop] != REST).any(axis=1)
    free[start:stop, Voice.ALTO :] = sounds_T[:, None]
    selected = Selection(voices=tuple(map(int, Voice))[Voice.ALTO :], start=start, stop=stop)
    return Edit(piece=written, selection=selected, source_T=source_T), free


def verse_request(piece: Chorale, free: Flags, **fields: Any) -> GenerationRequest:
    """Return a request for lower voices of a verse that is written out, as ``harmony_request``.

    Their notes begin on beats, and where a voice of ``piece`` begins one: they are no busier.
    """
    is_beat_T = piece.bar_positions() % meter_beats.beat(piece.meter) == 0
    moves = np.flatnonzero(is_beat_T | piece.onsets.any(axis=1)).tolist()
    return harmony_request(piece, free=free, **{"moves": tuple(moves)} | fields)


def infill_request(
    piece: Chorale, voices: Collection[Voice], start: int, stop: int, **fields: Any
) -> GenerationRequest:
    """Return a request to rewrite some voices of ``piece`` over some steps, half-open.

    Raises:
        UsageError: the steps are not in the piece, no voice is named, or a field is out of bounds.
    """
    if not voices:
        raise UsageError("no voice is named: expected some of S, A, T, B")
    if not all(step in bounds.BOUNDS["step"] for step in (start, stop)) or not (
        start < stop <= piece.steps
    ):
        raise UsageError(
            f"steps {bounds.shown(start)}:{bounds.shown(stop)} are not in the piece: expected 0 to "
            f"{piece.steps}, the lower one first"
        )
    free = np.zeros(piece.pitches.shape, dtype=np.bool_)
    free[start:stop, sorted(voices)] = True
    return GenerationRequest.rewriting(piece, free, **fields)


def part_request(
    piece: Chorale, keep: Collection[str], rewrite: Collection[str], **fields: Any
) -> GenerationRequest:
    """Return a request to rewrite named parts of ``piece``; see ``constraints.regions``.

    Args:
        rewrite: parts to rewrite; everything else is kept. Empty: everything except ``keep``.
        **fields: other fields of the request; ``locks`` are kept, too.

    Raises:
        UsageError: a name is not that of a part, none is given, or a field is out of bounds.
    """
    free = regions.free_cells(piece, keep, rewrite)
    return GenerationRequest.rewriting(piece, free, **fields)


def continuation_request(piece: Chorale, bars: int, **fields: Any) -> GenerationRequest:
    """Return a request for ``piece`` with ``bars`` more bars.

    Raises:
        UsageError: bars is below 1, the piece would be too long, or a field is out of bounds.
    """
    bounds.check("bars", bars)
    steps = piece.steps + bars * piece.meter.steps
    whole, most = -(-steps // piece.meter.steps), max_bars(piece.meter)
    if whole > most:
        raise UsageError(
            tr(
                "the piece would have {bars:,} bars: expected at most {most} of {meter}, as many "
                "as can be written at once; continue a shorter one",
                bars=whole,
                most=most,
                meter=piece.meter,
            )
        )
    locks = Locks.of_prompt(piece, steps)
    longer = GenerationRequest.like(piece, bars=whole, length=steps, locks=locks, **fields)
    return longer.with_compound_rhythm()


def with_ranges(request: GenerationRequest, ranges: Ranges | str | None) -> GenerationRequest:
    """Return ``request`` with voice ranges.

    Args:
        ranges: of the four voices, or text that ``voice_ranges.parse`` reads; None: ``FULL``. Those
            of a preset are widened where locked notes beside free ones lie outside.

    Raises:
        UsageError: the ranges are invalid, or locked notes lie outside.
    """
    if isinstance(ranges, str):
        is_preset = ranges in voice_ranges.PRESETS
        ranges = voice_ranges.parse(ranges)
        if is_preset and request.locks is not None:
            ranges = voice_ranges.holding(ranges, request.locks.with_implied_cells())
    elif ranges is not None:
        voice_ranges.check(ranges)
    return replace(request, ranges=None if ranges == voice_ranges.FULL else ranges)


def variation_request(
    piece: Chorale,
    change: float,
    voices: Collection[Voice] = tuple(Voice),
    **fields: Any,
) -> GenerationRequest:
    """Return a request to rewrite a share of ``change``, 0 to 1, of the notes of ``piece``.

    The ``seed`` among the fields chooses them.

    Raises:
        UsageError: the share is out of bounds, or a field is.
    """
    free = some_notes(piece, change, fields.get("seed", 0), voices)
    return GenerationRequest.rewriting(piece, free, **fields)


def some_notes(
    piece: Chorale, change: float, seed: int, voices: Collection[Voice] = tuple(Voice)
) -> Flags:
    """Return the cells of some whole notes and rests, bool (T, 4).

    They are a share of ``change``, 0 to 1, of the cells, at least one note; ``seed`` chooses them.

    Raises:
        UsageError: the share is out of bounds.
    """
    bounds.check("change", change)
    bounds.check("seed", seed)
    starts = piece.onsets.copy()
    starts[1:] |= (piece.pitches[1:] == REST) & (piece.pitches[:-1] != REST)
    starts[0] = True
    note = starts.cumsum(axis=0) + np.arange(len(Voice)) * (piece.steps + 1)
    of_voices = note[:, sorted(voices)]
    order = np.random.default_rng(seed).permutation(np.unique(of_voices))
    lengths = (of_voices.reshape(-1)[:, None] == order).sum(axis=0)
    target = change * of_voices.size
    taken = max(int(np.searchsorted(lengths.cumsum(), target, side="left")) + (target > 0), 1)
    return np.isin(note, order[:taken])


def parse_voices(text: str) -> tuple[Voice, ...]:
    """Return the voices of ``A,T`` or ``alto,tenor``, each once, from the soprano down.

    Raises:
        UsageError: a name is not that of a voice.
    """
    names = [name.strip().lower() for name in text.split(",")]
    for name in names:
        if name not in _NAMES:
            raise UsageError(f"{text!r} names no voices: expected some of S, A, T, B, as in A,T")
    return tuple(sorted({_NAMES[name] for name in names}))


def parse_steps(text: str) -> tuple[int, int]:
    """Return the first step and the step after the last of ``16:32``.

    Raises:
        UsageError: the text is not such a pair.
    """
    start, _, stop = text.partition(":")
    try:
        return int(bounds.parse("step", start)), int(bounds.parse("step", stop))
    except UsageError as reason:
        raise UsageError(
            f"{text!r} is not a range of steps: expected sixteenths as in 16:32, half-open"
        ) from reason
