"""One sentence about a note: its chord, and the voice that did most for it."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

from musicrel.analysis.numeral import INTERVALS, Numeral
from musicrel.chorale import REST, Voice
from musicrel.interpretability.effects import NoteEffects, held
from musicrel.interpretability.piece_analysis import percent
from musicrel.language import tr
from musicrel.presentation.words import names

_MEMBERS: Final = (
    tr("the root of {chord}"), tr("the third of {chord}"), tr("the fifth of {chord}"),
    tr("the seventh of {chord}"),
)  # fmt: skip
_LEAST: Final = 0.1  # nats: less is no reason
_NEARLY_SURE: Final = 0.9  # a second choice is not worth a word
_HAS, _HOLDS = tr("{place}, the {voice} has {note}"), tr("{place}, the {voice} holds {note}")
# the voice that did most: another one, or that of the note
_BECAUSE: Final = (
    tr("mainly because of the {voice}, without which it would have {p}"),
    tr("mainly because of the notes before it in this voice, without which it would have {p}"),
)
_SPOKE: Final = (
    tr("what spoke for this note was the {voice}, without which it would have {p}"),
    tr("what spoke for it were the notes before it in this voice, without which it would have {p}"),
)
_NONE: Final = tr("and no single voice decided it")
_SEMITONES: Final = 12


def sentence(note: NoteEffects) -> str:
    """Return a sentence to read aloud.

    For example, "In bar 5, beat 2, the alto has F♯4, the third of V: the model gave this note 71 %,
    more than G4 with 12 %, mainly because of the bass, without which it would have 20 %."
    """
    return f"{_what(note)}: {_expected(note)}."


def _what(note: NoteEffects) -> str:
    piece, (step, voice) = note.chorale, divmod(note.cell, len(Voice))
    place = tr("In the {place}") if step < piece.pickup else tr("In {place}")
    place = place.format(place=names.position(step, piece.meter, piece.pickup))
    who, midi = Voice(voice).noun, int(piece.pitches[step, voice])
    if midi == REST:
        return tr("{place}, the {voice} rests", place=place, voice=who)
    text, key = _HAS if piece.onsets[step, voice] else _HOLDS, piece.key_at(step)
    text = text.format(place=place, voice=who, note=names.pitch(midi, key))
    if note.chord is None:
        return text
    member = _member(midi, note.chord)
    elsewhere = tr("{member} in {key}", member=member, key=names.key(note.chord.key))
    return f"{text}, {member if note.chord.key == key else elsewhere}"


def _member(midi: int, chord: Numeral) -> str:
    distance, tones = (midi - chord.root) % _SEMITONES, INTERVALS[chord.quality]
    text = _MEMBERS[tones.index(distance)] if distance in tones else tr("a note outside {chord}")
    return text.format(chord=chord.figure)


def _expected(note: NoteEffects) -> str:
    first, second = replace(note, log_p_muted=None).choices(2)  # those of the model as it is
    own, other = (first, second) if first.is_note else (second, first)
    rival = other.name
    if own.name == held(rival):
        rival = tr("{note} again", note=rival)
    p, other_p = percent(own.p), percent(other.p)
    if own is first:
        ahead = tr(", more than {note} with {p}", note=rival, p=other_p)
        text = tr("the model gave this note {p}{ahead}, {reason}")
        reason = _reason(note, *_BECAUSE) or _NONE
        return text.format(p=p, ahead=ahead if own.p < _NEARLY_SURE else "", reason=reason)
    preferred = tr("the model preferred {note}, at {p} to {own}", note=rival, p=other_p, own=p)
    reason = _reason(note, *_SPOKE)
    return f"{preferred}; {reason}" if reason else f"{preferred}, {_NONE}"


def _reason(note: NoteEffects, by_other: str, by_own: str) -> str:
    """Return which voice helped most, and the probability without it; "" if none did."""
    effects, nats = note.heads.by_voice, note.nats[0]
    if effects is None:
        return ""
    voice = Voice(int(effects.argmax()))
    without = percent(math.exp(-(nats + float(effects[voice]))))
    if effects[voice] < _LEAST or without == percent(math.exp(-nats)):
        return ""
    text = by_own if voice == note.cell % len(Voice) else by_other
    return text.format(voice=voice.noun, p=without)
