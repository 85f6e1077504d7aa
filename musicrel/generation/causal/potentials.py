"""Potentials of a search, as log-weights in nats: 0 where everything asked for is met.

Dimensions: K particles, N tokens so far, T steps, P pairs of voices.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import numpy as np

from musicrel.analysis import cadences, keys
from musicrel.analysis.motion import FIFTH, OCTAVE
from musicrel.chorale import REST, STEPS_PER_QUARTER, Key
from musicrel.generation.causal import last_chords
from musicrel.generation.causal.chooser import Choice
from musicrel.generation.causal.last_chords import pitches
from musicrel.generation.causal.search_windows import PhraseEnd
from musicrel.generation.constraints.cell_constraints import Constraints
from musicrel.generation.sampling import Floats
from musicrel.tokens import codec

DEAD_END: Final = -50.0
"""A cell without a legal note: such a particle survives only where all are like it."""
_SHARPER: Final = 0.1
"""Weight of a nat of log-probability. The target is p^(1 + this): 0 is the model's own."""
_PARALLEL: Final = -4.0
"""Parallel fifths, octaves or unisons; models write four times as many as Bach."""
_SIX_FOUR: Final = -4.0
"""A 6-4 chord that is neither cadential nor passing nor a neighbour."""
_FOURTH: Final = 5
_SIXTHS: Final = (8, 9)
_STEP: Final = 2
"""Largest step of a passing bass in semitones."""
_PAIRS: Final = np.triu_indices(codec.VOICES, 1)
_READ_STEPS: Final = 5 * STEPS_PER_QUARTER
_CHORD: Final = _READ_STEPS - 2 * STEPS_PER_QUARTER
_NEAR_STEPS: Final = 8 * STEPS_PER_QUARTER
"""Steps before a phrase end that can matter to its cadence, a long last chord included."""
_NO_CADENCE: Final = -4.0
"""A phrase end without a cadence of any kind, where any will do."""
_MISSED_KIND: Final = -12.0
"""A phrase end without the cadence that is asked for."""
_MISSED_DRAWN: Final = -4.0
"""A phrase end without the cadence that was drawn."""
_UNPREPARED: Final = 0.5
"""Share of that for chords after which the cadence is impossible, unless a suspension follows."""


def of_choice(choice: Choice, *, is_locked: bool) -> Floats:
    """Return the log-weights of tokens that were just chosen, float64 (K,).

    The first factor is the probability that the model's token is legal: in a locked cell that of
    the locked token.

    Args:
        choice: the tokens.
        is_locked: True if only one token is legal.
    """
    log_share_K = np.log(np.maximum(choice.legal_share, np.exp(DEAD_END)))
    sharper = 0.0 if is_locked else _SHARPER
    return np.asarray(log_share_K + sharper * choice.log_probability)


def parallels(ids_KN: codec.Ids, constraints: Constraints) -> Floats:
    """Return the log-weights of the newest beat by its parallels, float64 (K,).

    Args:
        ids_KN: int64, START first; the last token is the last of a beat.
        constraints: the vocabulary.
    """
    steps = min(STEPS_PER_QUARTER + 1, ids_KN.shape[1] // codec.VOICES)
    cells_KN = ids_KN[:, ids_KN.shape[1] - steps * codec.VOICES :]
    pitches_KT4 = pitches(constraints.vocabulary)[cells_KN].reshape(-1, steps, codec.VOICES)
    one_KTP, other_KTP = pitches_KT4[..., _PAIRS[0]], pitches_KT4[..., _PAIRS[1]]
    sounding_KTP = (one_KTP >= 0) & (other_KTP >= 0)
    interval_KTP = np.where(sounding_KTP, np.abs(one_KTP - other_KTP) % OCTAVE, REST)
    before_KTP, after_KTP = interval_KTP[:, :-1], interval_KTP[:, 1:]
    moves_KTP = np.sign(np.diff(one_KTP, axis=1)), np.sign(np.diff(other_KTP, axis=1))
    is_parallel = (moves_KTP[0] == moves_KTP[1]) & (moves_KTP[0] != 0) & (before_KTP == after_KTP)
    is_perfect = (before_KTP == 0) | (before_KTP == FIFTH)
    return np.asarray(_PARALLEL * (is_parallel & is_perfect).sum(axis=(1, 2)))


def six_fours(ids_KN: codec.Ids, constraints: Constraints) -> Floats:
    """Return the log-weights of the last beat but one by its 6-4 chord, float64 (K,).

    A cadential one is followed by another chord over its bass; the bass of the others comes and
    goes by step.

    Args:
        ids_KN: int64, START first; the last token is the last of a beat.
        constraints: the vocabulary.
    """
    steps = ids_KN.shape[1] // codec.VOICES
    if steps < _READ_STEPS:
        return np.zeros(len(ids_KN))
    cells_KN = ids_KN[:, -_READ_STEPS * codec.VOICES :]
    pitches_KT4 = pitches(constraints.vocabulary)[cells_KN].reshape(-1, _READ_STEPS, codec.VOICES)
    chord_K4, next_K4 = pitches_KT4[:, _CHORD], pitches_KT4[:, _CHORD + STEPS_PER_QUARTER]
    bass_K, above_K3 = chord_K4[:, 3], (chord_K4[:, :3] - chord_K4[:, 3:]) % OCTAVE
    has_fourth, has_minor, has_major = ((above_K3 == n).any(1) for n in (_FOURTH, *_SIXTHS))
    is_triad = np.isin(above_K3, (0, _FOURTH, *_SIXTHS)).all(1) & (has_minor ^ has_major)
    is_six_four = is_triad & has_fourth & (chord_K4 >= 0).all(1)
    stays = next_K4[:, 3] == bass_K
    leaps = np.array([_leaps(pitches_T, _CHORD) for pitches_T in pitches_KT4[..., 3]])
    return np.asarray(_SIX_FOUR * (is_six_four & ~stays & leaps))


def _leaps(pitches_T: Any, step: int) -> bool:
    """Return whether a voice leaps to or from its pitch at ``step``."""
    own = pitches_T[step]
    before, later = pitches_T[:step], pitches_T[step:]
    sides = [*before[before != own][-1:], *later[later != own][:1]]
    return any(abs(int(pitch) - int(own)) > _STEP for pitch in sides)


def closing(ids_KN: codec.Ids, end: PhraseEnd, constraints: Constraints, key: Key | None) -> Floats:
    """Return the log-weights of phrases that have just ended, float64 (K,).

    Args:
        ids_KN: int64, START first; the last token is the last of ``end``.
        end: the phrase end.
        constraints: the plan of the piece, and its locks.
        key: key of the piece; None: it is estimated.
    """
    if end.is_drawn and not end.kind:
        return np.zeros(len(ids_KN))
    found = [_cadence(ids_N, end, constraints, key) for ids_N in ids_KN]
    hit = [kind == end.kind if end.kind else bool(kind) for kind in found]
    return np.where(hit, 0.0, _missed(end))


def approaching(
    ids_KN: codec.Ids, end: PhraseEnd, constraints: Constraints, key: Key | None
) -> Floats:
    """Return the log-weights of phrases whose last chord comes next, float64 (K,).

    They look ahead: no cadence of the requested kind can follow some chords.

    Args:
        ids_KN: int64, START first; the next token is the first of ``end``.
        end: the phrase end, with a requested cadence.
        constraints: the plan of the piece, and its locks.
        key: key of the piece; None: it is estimated.
    """
    roots = [last_chords.roots(ids_N, end, constraints, key) for ids_N in ids_KN]
    return np.array([0.0 if found else _UNPREPARED * _missed(end) for found in roots])


def _missed(end: PhraseEnd) -> float:
    """Return the log-weight of a phrase that ends in another way."""
    if not end.kind:
        return _NO_CADENCE
    return _MISSED_DRAWN if end.is_drawn else _MISSED_KIND


def _cadence(ids_N: codec.Ids, end: PhraseEnd, constraints: Constraints, key: Key | None) -> str:
    """Return the kind of the cadence at ``end``, "" for none."""
    piece = constraints.piece(ids_N) or constraints.plan
    first = max(end.step - _NEAR_STEPS, 0)
    near = piece.cropped(first, piece.steps)
    found = cadences.phrase_ends(replace(near, key=key or keys.estimate(piece.pitches)))
    return found[-1].kind if found and found[-1].stop >= end.stop - first else ""
