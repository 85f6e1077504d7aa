"""One sentence about a note: its chord, and the voice that did most for it."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

from musicrel.analysis.numeral import INTERVALS, Numeral
from musicrel.chorale import REST, Voice
from musicrel.interpretability.effects import NoteEffects
from musicrel.interpretability.piece_analysis import percent
from musicrel.language import tr
from musicrel.presentation.words import names

_MEMBERS: Final = ("root", "third", "fifth", "seventh")
_LEAST: Final = 0.1  # nats: less is no reason
_NEARLY_SURE: Final = 0.9  # a second choice is not worth a word
_NONE: Final = tr("and no single voice decided it")
_SEMITONES: Final = 12


def sentence(note: NoteEffects) -> str:
    """Return a sentence to read aloud.

    For example, "In bar 5, beat 2, the alto has F♯4, the third of V: the model expected this note
    at 71 %, ahead of G4 at 12 %, mainly because of the bass, without which it would be at 20 %."
    """
    return f"{_what(note)}: {_expected(note)}."


def _what(note: NoteEffects) -> str:
    piece, (step, voice) = note.chorale, divmod(note.cell, len(Voice))
    place = names.position(step, piece.meter, piece.pickup)
    place = f"In {'the ' if place.startswith('pickup') else ''}{place}"
    who, midi = f"the {Voice(voice).name.lower()}", int(piece.pitches[step, voice])
    if midi == REST:
        return f"{place}, {who} rests"
    does = "has" if piece.onsets[step, voice] else "holds"
    text = f"{place}, {who} {does} {names.pitch(midi, piece.key_at(step))}"
    return text if note.chord is None else f"{text}, {_member(midi, note.chord)}"


def _member(midi: int, chord: Numeral) -> str:
    distance, tones = (midi - chord.root) % _SEMITONES, INTERVALS[chord.quality]
    if distance not in tones:
        return tr("a note outside {figure}", figure=chord.figure)
    return tr("the {value} of {figure}", value=_MEMBERS[tones.index(distance)], figure=chord.figure)


def _expected(note: NoteEffects) -> str:
    first, second = replace(note, log_p_muted=None).choices(2)  # those of the model as it is
    own, other = (first, second) if first.is_note else (second, first)
    rival = f"{other.name} again" if own.name == f"{other.name} held" else other.name
    voice, without = _voice(note)
    if own is first:
        ahead = (
            tr(", ahead of {rival} at {percent}", rival=rival, percent=percent(other.p))
            if own.p < _NEARLY_SURE
            else ""
        )
        reason = tr(
            "mainly because of {voice}, without which it would be at {without}",
            voice=voice,
            without=without,
        )
        return tr(
            "the model expected this note at {percent}{ahead}, {value}",
            percent=percent(own.p),
            ahead=ahead,
            value=reason if voice else _NONE,
        )
    preferred = tr(
        "the model preferred {rival}, at {percent} to {percent_2}",
        rival=rival,
        percent=percent(other.p),
        percent_2=percent(own.p),
    )
    reason = tr(
        "what spoke for this note was {voice}, without which it would be at {without}",
        voice=voice,
        without=without,
    )
    return f"{preferred}; {reason}" if voice else f"{preferred}, {_NONE}"


def _voice(note: NoteEffects) -> tuple[str, str]:
    """Return the voice that helped most, and the probability without it; "" if none did."""
    effects, nats = note.heads.by_voice, note.nats[0]
    if effects is None:
        return "", ""
    voice = Voice(int(effects.argmax()))
    without = percent(math.exp(-(nats + float(effects[voice]))))
    if effects[voice] < _LEAST or without == percent(math.exp(-nats)):
        return "", ""
    is_own = voice == note.cell % len(Voice)
    return (tr("its own line") if is_own else f"the {voice.name.lower()}"), without
