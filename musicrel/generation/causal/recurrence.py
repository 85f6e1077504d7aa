"""Recurrence: a voice goes on as it did earlier in the piece, in its notes or its rhythm alone.

Bach's melodies come back to their phrases: of four soprano notes in a row, one group in six occurs
twice in its chorale, nine of ten at the same pitches, most of them from the beginning of a phrase.
The models expect this too rarely. A cache of the piece's own past helps: where the last tokens of
a voice were written before on the same steps of a bar, the logit of the token that followed
then is raised. The nats depend on the length of the match. A second cache does the same for rhythm:
it compares tokens by whether they begin a note, hold one or rest.

Beside given voices, notes recur only under notes of theirs that recur, too: a bass that
came back under another part of a given tune would not fit it.

Source: Grave, Joulin and Usunier 2017, "Improving Neural Language Models with a Continuous Cache".
Here matches are exact, and each kind of match has its own weight.

Dimensions: T steps, V vocabulary, R kinds of matches.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

import numpy as np

from musicrel.chorale import Chorale, Flags, Voice, spans
from musicrel.generation.cell_constraints import Constraints
from musicrel.generation.sampling import Floats, Tokens
from musicrel.model.tokens import codec

LONGEST: Final = 64  # steps that are compared, at most: four bars of four quarters
_NEAREST: Final = 4
"""Bars back where matches of notes begin. Bach's motifs come back after four bars or more; nearer
ones give new pieces away."""
_NEAREST_RHYTHM: Final = 1  # bars back where matches of rhythm begin
_LIKELIEST_R: Final = np.array(
    [
        *(-0.3, 0.8, 1.2, 2.1, 2.0, 2.5, 3.8),
        *(-0.1, 1.7, 2.0, 3.6, 3.3, 2.6, 4.9),
    ]
)
"""The nats of greatest likelihood on the validation chorales (``training/LOG.md``)."""
LIKELIEST_LOWER_R: Final[Floats] = np.array(
    [
        *(0.1, 0.3, 0.4, 0.5, 1.9, 1.3, 5.1),
        *(0.3, 0.5, 0.8, 1.4, 3.0, 2.3, 5.1),
    ]
)
"""The same for alto, tenor and bass together."""
_LIKELIEST_RHYTHM_R: Final = np.array(
    [
        *(0.2, 1.0, 0.7, 0.6, 0.7, 0.6, 0.7),
        *(-0.1, 0.8, 1.0, 1.5, 1.0, 1.0, 1.2),
    ]
)
"""The same for the soprano's rhythm. That of the lower voices is left out: with it they move too
seldom."""
_GAINS: Final[Mapping[Voice, float]] = MappingProxyType(
    {Voice.SOPRANO: 2.0, Voice.ALTO: 1.2, Voice.TENOR: 1.5, Voice.BASS: 2.8}
)
"""Factors that make motifs recur more often, nearly as in Bach's pieces."""
_RHYTHM_GAIN: Final = 1.6

NATS: Final[Mapping[Voice, Floats]] = MappingProxyType(
    {
        voice: gain * (_LIKELIEST_R if voice is Voice.SOPRANO else LIKELIEST_LOWER_R)
        for voice, gain in _GAINS.items()
    }
)
"""Nats by kind of match: 0 to 5 notes that are the same, 6 or more; and again, if they are all the
notes of the phrase so far. All zero: no recurrence."""
RHYTHM_NATS_R: Final[Floats] = _RHYTHM_GAIN * _LIKELIEST_RHYTHM_R
"""Nats by kind of match of the soprano's rhythm."""


class Recurrence(NamedTuple):
    """The places of a piece where a voice may recur, in its notes or in its rhythm.

    Other voices that are given at a step must be the same throughout a match, its end included.
    """

    bar: int  # steps of a bar
    since_T: Tokens  # int64, steps since the phrase of each step began
    free_T: Flags  # whether the voice may recur there: more than one token is legal
    first_onset: int  # the first token that begins a note
    first_hold: int  # the first one that holds a note
    class_V: Tokens  # int64; tokens of one class are the same to a match
    given_TV: Tokens  # int64 (T, 4), the tokens of other voices where they are given, else -1
    nats_R: Floats = NATS[Voice.SOPRANO]  # nats by kind of match, as in ``NATS``
    nearest: int = _NEAREST  # bars back where matches begin
    voice: int = int(Voice.SOPRANO)


def recurrences_of(constraints: Constraints) -> tuple[Recurrence, ...]:
    """Return the recurrences of the notes of each voice, then that of the soprano's rhythm.

    In the published grid, which holds repeated notes, no voice is free to recur.
    """
    notes = [_of_notes(constraints, voice) for voice in Voice]
    vocabulary, soprano = constraints.vocabulary, notes[Voice.SOPRANO]
    rhythm = soprano._replace(
        class_V=np.digitize(
            soprano.class_V, (vocabulary.first_onset, vocabulary.first_hold)
        ).astype(np.int64),
        given_TV=np.full_like(soprano.given_TV, -1),
        nats_R=RHYTHM_NATS_R,
        nearest=_NEAREST_RHYTHM,
    )
    return *notes, rhythm


def _of_notes(constraints: Constraints, voice: Voice) -> Recurrence:
    vocabulary = constraints.vocabulary
    locked_TV = constraints.locks.with_implied_cells().mask
    given_TV = np.where(locked_TV, constraints.locked_tokens.reshape(locked_TV.shape), -1)
    given_TV[:, voice] = -1
    return Recurrence(
        bar=constraints.plan.meter.steps,
        since_T=steps_of_phrase(constraints.plan),
        free_T=(constraints.locked_tokens[voice :: codec.VOICES] < 0) & vocabulary.holds,
        first_onset=vocabulary.first_onset,
        first_hold=vocabulary.first_hold,
        class_V=np.arange(vocabulary.size),
        given_TV=given_TV,
        nats_R=NATS[voice],
        voice=int(voice),
    )


def steps_of_phrase(plan: Chorale) -> Tokens:
    """Return the steps since the phrase of each step began, int64 (T,); fermatas end phrases."""
    began_T = np.zeros(plan.steps, dtype=np.int64)
    for _, stop in spans(plan.fermatas):
        began_T[stop:] = stop
    return np.asarray(np.arange(plan.steps) - began_T)
