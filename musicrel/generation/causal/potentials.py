"""Potentials of a search, as log-weights in nats: 0 where everything asked for is met.

Dimensions: K particles, N tokens so far, T steps, P pairs of voices.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

import numpy as np

from musicrel.analysis import cadences
from musicrel.analysis.motion import FIFTH, OCTAVE
from musicrel.chorale import REST, STEPS_PER_QUARTER, Flags, Key, Meter, Mode
from musicrel.generation.causal import key_evidence, last_chords
from musicrel.generation.causal.chooser import Choice
from musicrel.generation.constraints import cross_relations, sevenths, six_fours
from musicrel.generation.constraints.cell_constraints import Constraints
from musicrel.generation.discriminator import beat_notes, network
from musicrel.generation.discriminator.beat import CONTEXT_STEPS, Beat
from musicrel.generation.discriminator.discriminator import Discriminator
from musicrel.generation.discriminator.network import CONTEXT_BEATS, Network
from musicrel.generation.phrasing.phrase_ends import PhraseEnd
from musicrel.generation.sampling import Floats
from musicrel.tokens import codec

DEAD_END: Final = -50.0
"""A cell without a legal note: such a particle survives only where all are like it."""
_SHARPER: Final = 0.1
"""Weight of a nat of log-probability. The target is p^(1 + this): 0 is the model's own."""
_PARALLEL: Final = -5.0
"""Parallel fifths, octaves or unisons; models write four times as many as Bach."""
_SIX_FOUR: Final = -4.0
"""A 6-4 chord neither cadential nor passing nor neighbour; models write three times Bach's."""
_SEVENTH: Final = -1.5
"""A seventh that is not resolved a step down; Bach resolves 91 %, models 66 to 77."""
_KEY_WEIGHT: Final[Mapping[Mode, float]] = MappingProxyType({"major": 1.0, "minor": 2.5})
"""Weight of the evidence for the key of a new piece. At 1, two of five pieces in minor are found in
another key, mostly the relative major; a given melody keeps them in theirs."""
_CROSS_RELATION: Final = -1.0
"""A sixteenth on which a degree of the key sounds together with its alteration."""
_PAIRS: Final = np.triu_indices(codec.VOICES, 1)
_READ_STEPS: Final = 5 * STEPS_PER_QUARTER
"""Steps in which the bass before a chord is searched."""
_NETWORK_STEPS: Final = CONTEXT_BEATS * STEPS_PER_QUARTER + 1
"""Steps that networks read, and one for the first interval."""
_NO_CADENCE: Final = -4.0
"""A phrase end without a cadence of any kind, where any will do."""
_MISSED_KIND: Final = -12.0
"""A phrase end without the cadence that is asked for."""
_MISSED_DRAWN: Final = -4.0
"""A phrase end without the cadence that was drawn."""
_UNSTABLE: Final = -4.0
"""A phrase that does not end on a triad in root position; 98 % of Bach's fermatas do."""
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
    pitches_KT4 = _newest(ids_KN, STEPS_PER_QUARTER + 1, constraints)
    one_KTP, other_KTP = pitches_KT4[..., _PAIRS[0]], pitches_KT4[..., _PAIRS[1]]
    sounding_KTP = (one_KTP >= 0) & (other_KTP >= 0)
    interval_KTP = np.where(sounding_KTP, np.abs(one_KTP - other_KTP) % OCTAVE, REST)
    before_KTP, after_KTP = interval_KTP[:, :-1], interval_KTP[:, 1:]
    moves_KTP = np.sign(np.diff(one_KTP, axis=1)), np.sign(np.diff(other_KTP, axis=1))
    is_parallel = (moves_KTP[0] == moves_KTP[1]) & (moves_KTP[0] != 0) & (before_KTP == after_KTP)
    is_perfect = (before_KTP == 0) | (before_KTP == FIFTH)
    return np.asarray(_PARALLEL * (is_parallel & is_perfect).sum(axis=(1, 2)))


def untreated_six_fours(ids_KN: codec.Ids, constraints: Constraints) -> Floats:
    """Return the log-weights of the beat before the newest by its 6-4 chord, float64 (K,).

    An untreated one has a loss; see ``constraints.six_fours``.

    Args:
        ids_KN: int64, START first; the last token is the last of a beat.
        constraints: the vocabulary.
    """
    pitches_KT4 = _newest(ids_KN, _READ_STEPS, constraints)
    chord = pitches_KT4.shape[1] - 2 * STEPS_PER_QUARTER
    if chord < 0:
        return np.zeros(len(ids_KN))
    is_untreated = [six_fours.is_untreated(pitches_T4, chord) for pitches_T4 in pitches_KT4]
    return _SIX_FOUR * np.array(is_untreated, dtype=np.float64)


def unresolved_sevenths(ids_KN: codec.Ids, constraints: Constraints) -> Floats:
    """Return the log-weights of the newest beat by sevenths left unresolved, float64 (K,).

    Args:
        ids_KN: int64, START first; the last token is the last of a beat.
        constraints: the vocabulary.
    """
    pitches_KT4 = _newest(ids_KN, _READ_STEPS, constraints).tolist()
    return np.array([_SEVENTH * sevenths.unresolved(pitches_T4) for pitches_T4 in pitches_KT4])


def simultaneous_cross_relations(ids_KN: codec.Ids, constraints: Constraints, key: Key) -> Floats:
    """Return the log-weights of the newest beat by its cross relations, float64 (K,).

    Args:
        ids_KN: int64, START first; the last token is the last of a beat.
        constraints: the vocabulary.
        key: key of the piece.
    """
    pitches_KT4 = _newest(ids_KN, STEPS_PER_QUARTER, constraints)
    return np.asarray(_CROSS_RELATION * cross_relations.steps(pitches_KT4, key))


def in_key(ids_KN: codec.Ids, constraints: Constraints, key: Key, *, is_open: bool) -> Floats:
    """Return the log-weights of the newest beat by its evidence for the key, float64 (K,).

    They add up to the log-probability of the key given all notes, less that of any key without
    notes; in new pieces in minor they are a multiple of it.

    Args:
        ids_KN: int64, START first; the last token is the last of a beat.
        constraints: the vocabulary.
        key: key of the piece.
        is_open: True if no locked cells lie ahead.
    """
    pitches_KT4 = _newest(ids_KN, ids_KN.shape[1], constraints)
    before_K = key_evidence.log_posterior(pitches_KT4[:, :-STEPS_PER_QUARTER], key)
    weight = _KEY_WEIGHT[key.mode] if is_open else 1.0
    return weight * (key_evidence.log_posterior(pitches_KT4, key) - before_K)


def likeness(
    ids_KN: codec.Ids, constraints: Constraints, key: Key | None, discriminator: Discriminator
) -> Floats:
    """Return the log-weights of the newest beat by its log-odds of Bach, float64 (K,).

    They are 0 where the quarters of the piece are not those of its bars.

    Args:
        ids_KN: int64, START first; the last token is the last of a beat.
        constraints: the plan of the piece.
        key: key of the piece; None: unknown.
        discriminator: that of the model.
    """
    plan, step = constraints.plan, _first_of_beat(ids_KN)
    position = (step - plan.pickup) % plan.meter.steps
    if position % STEPS_PER_QUARTER:
        return np.zeros(len(ids_KN))
    pitches_KT4 = _newest(ids_KN, CONTEXT_STEPS, constraints)
    onsets_KT4 = _newest_onsets(ids_KN, CONTEXT_STEPS, constraints)
    has_fermata = bool(plan.fermatas[step])
    rows = zip(pitches_KT4.tolist(), onsets_KT4.tolist(), strict=True)
    beats = (
        Beat(pitches=pitches, onsets=onsets, position=position, has_fermata=has_fermata, key=key)
        for pitches, onsets in rows
    )
    return np.array([discriminator.log_odds(beat) for beat in beats])


def likeness_by_networks(
    ids_KN: codec.Ids, constraints: Constraints, key: Key | None, networks: Sequence[Network]
) -> Floats:
    """Return the log-weights of the newest beat by the networks' log-odds of Bach, float64 (K,).

    They are 0 in other meters than four quarters and without a key, which networks were not trained
    on, and where the quarters of the piece are not those of its bars.

    Args:
        ids_KN: int64, START first; the last token is the last of a beat.
        constraints: the plan of the piece.
        key: key of the piece; None: unknown.
        networks: those of the model.
    """
    plan, step = constraints.plan, _first_of_beat(ids_KN)
    number, offset = divmod((step - plan.pickup) % plan.meter.steps, STEPS_PER_QUARTER)
    if offset or key is None or plan.meter != Meter(4, 4):
        return np.zeros(len(ids_KN))
    pitches_KT4 = _newest(ids_KN, _NETWORK_STEPS, constraints)
    stop = step + STEPS_PER_QUARTER
    beats = pitches_KT4.shape[1] // STEPS_PER_QUARTER
    notes = beat_notes.read(
        pitches_KT4,
        _newest_onsets(ids_KN, _NETWORK_STEPS, constraints),
        plan.fermatas[stop - pitches_KT4.shape[1] : stop],
        first_number=number - beats + 1,
        key=key,
    )
    return network.log_odds(networks, notes)


def _first_of_beat(ids_KN: codec.Ids) -> int:
    """Return the first step of the newest beat."""
    return int(ids_KN.shape[1]) // codec.VOICES - STEPS_PER_QUARTER


def _newest(ids_KN: codec.Ids, steps: int, constraints: Constraints) -> codec.Ids:
    """Return the pitches of the newest steps, at most so many, (K, T, 4)."""
    return np.asarray(constraints.pitch_V[_newest_cells(ids_KN, steps)])


def _newest_onsets(ids_KN: codec.Ids, steps: int, constraints: Constraints) -> Flags:
    """Return where notes begin in the newest steps, at most so many, (K, T, 4)."""
    voc, cells_KT4 = constraints.vocabulary, _newest_cells(ids_KN, steps)
    return (cells_KT4 >= voc.first_onset) & (cells_KT4 < voc.first_hold)


def _newest_cells(ids_KN: codec.Ids, steps: int) -> codec.Ids:
    steps = min(steps, ids_KN.shape[1] // codec.VOICES)
    cells_KN = ids_KN[:, ids_KN.shape[1] - steps * codec.VOICES :]
    return cells_KN.reshape(-1, steps, codec.VOICES)


def closing(ids_KN: codec.Ids, end: PhraseEnd, constraints: Constraints, key: Key | None) -> Floats:
    """Return the log-weights of phrases that have just ended, float64 (K,).

    Args:
        ids_KN: int64, START first; the last token is the last of ``end``.
        end: the phrase end.
        constraints: the plan of the piece, and its locks.
        key: key of the piece; None: it is estimated.
    """
    steps = constraints.plan.steps
    pieces = [constraints.piece(ids_N) or constraints.plan for ids_N in ids_KN]
    is_met = [end.is_met_by(piece, steps, key) for piece in pieces]
    return np.where(is_met, 0.0, _missed(end))


def unstable_chords(ids_KN: codec.Ids, constraints: Constraints) -> Floats:
    """Return the log-weights of phrases that have just ended by their last chord, float64 (K,).

    Args:
        ids_KN: int64, START first; the last token is the last of a phrase.
        constraints: the vocabulary.
    """
    pitches_K4 = _newest(ids_KN, 1, constraints)[:, 0]
    is_stable = [cadences.is_root_position(pitches_4) for pitches_4 in pitches_K4]
    return np.where(is_stable, 0.0, _UNSTABLE)


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
