"""Potentials of a search, as log-weights in nats: 0 where everything asked for is met.

Each returns the log-weights of the particles, float64 (K,), for their tokens so far, int64 (K, N),
START first. Of a beat the last token is the last of the newest beat, of a phrase the last of its
end. A key is that of the piece; None: unknown, and estimated where a tonic is needed.

Dimensions: K particles, N tokens so far, T steps, P pairs of voices.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import numpy as np
import numpy.typing as npt

from musicrel.analysis import cadences
from musicrel.analysis.rules import FIFTH, OCTAVE
from musicrel.chorale import REST, STEPS_PER_QUARTER, Flags, Key, Mode
from musicrel.generation.causal import last_chords
from musicrel.generation.causal.written import Written
from musicrel.generation.cell_constraints import Constraints
from musicrel.generation.constraints import dissonances
from musicrel.generation.discriminator.discriminator import Discriminator
from musicrel.generation.discriminator.features import CONTEXT_STEPS, Beat
from musicrel.generation.phrasing.phrase_ends import PhraseEnd
from musicrel.generation.sampling import Floats
from musicrel.model.tokens import codec

DEGREES: Final[Mapping[Mode, tuple[float, ...]]] = MappingProxyType(
    {
        "major": (
            *(0.1966, 0.0084, 0.1320, 0.0024, 0.1373, 0.0854),
            *(0.0166, 0.2057, 0.0073, 0.1129, 0.0118, 0.0837),
        ),
        "minor": (
            *(0.1913, 0.0075, 0.1084, 0.1335, 0.0208, 0.1143),
            *(0.0078, 0.1953, 0.0612, 0.0228, 0.0968, 0.0403),
        ),
    }
)
"""Share of each scale degree in the durations of a training chorale, from the tonic up."""
PER_QUARTER: Final = 0.15
"""Scale of the log-likelihood of a note of a quarter. Of 0.02 to 1 it gives the greatest likelihood
to the keys of the validation chorales after 8 bars."""
_LOG_LIKELIHOOD_QP: Final = np.stack(
    [np.roll(np.log(degrees), tonic) for degrees in DEGREES.values() for tonic in range(12)]
)


def log_posterior(
    pitches_KT4: npt.NDArray[np.integer], key: Key, scale: float = PER_QUARTER
) -> Floats:
    """Return the log-probability of ``key`` given the notes, float64 (K,).

    ``scale`` is the factor of the log-likelihood of a note of a quarter.
    """
    cells_KN = np.where(pitches_KT4 == REST, 12, pitches_KT4 % 12).reshape(len(pitches_KT4), -1)
    steps_KP = np.stack([np.bincount(cells_N, minlength=13)[:12] for cells_N in cells_KN])
    scores_KQ = (scale / STEPS_PER_QUARTER) * steps_KP @ _LOG_LIKELIHOOD_QP.T
    mode = [*DEGREES].index(key.mode)
    own_K = scores_KQ[:, 12 * mode + key.pitch_class]
    return np.asarray(own_K - np.logaddexp.reduce(scores_KQ, axis=1))


DEAD_END: Final = -50.0
"""A cell without a legal note: such a particle survives only where all are like it."""
_SHARPER: Final = 0.1
"""Weight of a nat of log-probability. The target is p^(1 + this): 0 is the model's own."""
_PARALLEL: Final = -5.0
"""Parallel fifths, octaves or unisons; models write four times as many as Bach."""
_SIX_FOUR: Final[Mapping[dissonances.SixFour | None, float]] = MappingProxyType({"untreated": -4.0})
"""6-4 chords by kind; models write three times as many as Bach that are neither over a bass that
stays nor passing nor neighbours."""
_SIX_FOUR_BELOW: Final[Mapping[dissonances.SixFour | None, float]] = MappingProxyType(
    {**_SIX_FOUR, "passing": -2.0, "cadential": -1.0}
)
"""The same below a melody, where models write two to six times as many of the others. In new pieces
it is four times for passing ones, but a weight made them no more like Bach's for classifiers."""
_SEVENTH: Final = -1.5
"""A seventh that is not resolved a step down; Bach resolves 91 %, models 66 to 77."""
_KEY_WEIGHT: Final[Mapping[Mode, float]] = MappingProxyType({"major": 1.0, "minor": 2.5})
"""Weight of the evidence for the key of a new piece. At 1, two of five pieces in minor are found in
another key, mostly the relative major; a given melody keeps them in theirs."""
_CROSS_RELATION: Final = -1.0
"""A sixteenth on which a degree of the key sounds together with its alteration."""
_PAIRS: Final = np.triu_indices(codec.VOICES, 1)
_READ_STEPS: Final = 5 * STEPS_PER_QUARTER  # steps in which the bass before a chord is searched
_NO_CADENCE: Final = -4.0  # a phrase end without a cadence of any kind, where any will do
_MISSED_KIND: Final = -12.0  # a phrase end without the cadence that is asked for
_MISSED_DRAWN: Final = -4.0  # a phrase end without the cadence that was drawn
_UNSTABLE: Final = -4.0
"""A phrase that does not end on a triad in root position; 98 % of Bach's fermatas do."""
_UNPREPARED: Final = 0.5
"""Share of that for chords after which the cadence is impossible, unless a suspension follows."""


def of_choices(written: Written, part: slice, is_locked_N: Flags) -> Floats:
    """Weigh tokens that were just chosen.

    The first factor is the probability that the model's token is legal: in a locked cell that of
    the locked token.
    """
    choices_KN = written.choices.at((slice(None), part))
    log_share_KN = np.log(np.maximum(choices_KN.legal_share, np.exp(DEAD_END)))
    log_weight_KN = log_share_KN + np.where(is_locked_N, 0.0, _SHARPER * choices_KN.log_probability)
    return np.asarray(np.where(written.is_dead_BN[:, part], DEAD_END, log_weight_KN).sum(axis=1))


def parallels(ids_KN: codec.Ids, constraints: Constraints) -> Floats:
    """Weigh the parallels of the newest beat."""
    pitches_KT4 = _newest(ids_KN, STEPS_PER_QUARTER + 1, constraints)
    one_KTP, other_KTP = pitches_KT4[..., _PAIRS[0]], pitches_KT4[..., _PAIRS[1]]
    sounding_KTP = (one_KTP >= 0) & (other_KTP >= 0)
    interval_KTP = np.where(sounding_KTP, np.abs(one_KTP - other_KTP) % OCTAVE, REST)
    before_KTP, after_KTP = interval_KTP[:, :-1], interval_KTP[:, 1:]
    moves_KTP = np.sign(np.diff(one_KTP, axis=1)), np.sign(np.diff(other_KTP, axis=1))
    is_parallel = (moves_KTP[0] == moves_KTP[1]) & (moves_KTP[0] != 0) & (before_KTP == after_KTP)
    is_perfect = (before_KTP == 0) | (before_KTP == FIFTH)
    return np.asarray(_PARALLEL * (is_parallel & is_perfect).sum(axis=(1, 2)))


def six_fours(ids_KN: codec.Ids, constraints: Constraints, *, is_open: bool) -> Floats:
    """Weigh a 6-4 chord of the beat before the newest; see ``dissonances``.

    Those that are treated have a weight only where locked cells lie ahead, as below a melody (not
    open).
    """
    pitches_KT4 = _newest(ids_KN, _READ_STEPS, constraints)
    chord = pitches_KT4.shape[1] - 2 * STEPS_PER_QUARTER
    if chord < 0:
        return np.zeros(len(ids_KN))
    kinds = (dissonances.six_four(pitches_T4, chord) for pitches_T4 in pitches_KT4)
    weight_of = _SIX_FOUR if is_open else _SIX_FOUR_BELOW
    return np.array([weight_of.get(kind, 0.0) for kind in kinds])


def unresolved_sevenths(ids_KN: codec.Ids, constraints: Constraints) -> Floats:
    """Weigh the sevenths that the newest beat leaves unresolved."""
    left_K, fell_K = dissonances.sevenths_left(_newest(ids_KN, _READ_STEPS, constraints))
    return np.asarray(_SEVENTH * (left_K - fell_K), dtype=np.float64)


def simultaneous_cross_relations(ids_KN: codec.Ids, constraints: Constraints, key: Key) -> Floats:
    """Weigh the cross relations of the newest beat."""
    pitches_KT4 = _newest(ids_KN, STEPS_PER_QUARTER, constraints)
    return np.asarray(_CROSS_RELATION * dissonances.cross_relation_steps(pitches_KT4, key))


def key_evidence(ids_KN: codec.Ids, constraints: Constraints, key: Key, *, is_open: bool) -> Floats:
    """Weigh the evidence of the newest beat for the key.

    All beats add up to the log-probability of the key given all notes, less that of any key without
    notes; in minor to a multiple where no locked cells lie ahead and the piece is to stay in its
    key (``is_open``).
    """
    pitches_KT4 = _newest(ids_KN, ids_KN.shape[1], constraints)
    before_K = log_posterior(pitches_KT4[:, :-STEPS_PER_QUARTER], key)
    weight = _KEY_WEIGHT[key.mode] if is_open else 1.0
    return weight * (log_posterior(pitches_KT4, key) - before_K)


def discriminator_logit(
    ids_KN: codec.Ids, constraints: Constraints, key: Key | None, discriminator: Discriminator
) -> Floats:
    """Weigh the newest beat by its log-odds of Bach.

    They are 0 where the quarters of the piece are not those of its bars.
    """
    plan, step = constraints.plan, ids_KN.shape[1] // codec.VOICES - STEPS_PER_QUARTER
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


def _newest(ids_KN: codec.Ids, steps: int, constraints: Constraints) -> codec.Ids:
    """Return the pitches of the newest steps, at most so many, (K, T, 4)."""
    return np.asarray(constraints.pitch_V[_newest_cells(ids_KN, steps)])


def _newest_onsets(ids_KN: codec.Ids, steps: int, constraints: Constraints) -> Flags:
    voc, cells_KT4 = constraints.vocabulary, _newest_cells(ids_KN, steps)
    return (cells_KT4 >= voc.first_onset) & (cells_KT4 < voc.first_hold)


def _newest_cells(ids_KN: codec.Ids, steps: int) -> codec.Ids:
    steps = min(steps, ids_KN.shape[1] // codec.VOICES)
    cells_KN = ids_KN[:, ids_KN.shape[1] - steps * codec.VOICES :]
    return cells_KN.reshape(-1, steps, codec.VOICES)


def cadence(ids_KN: codec.Ids, end: PhraseEnd, constraints: Constraints, key: Key | None) -> Floats:
    """Weigh the cadence of a phrase."""
    steps = constraints.plan.steps
    pieces = [constraints.piece(ids_N) or constraints.plan for ids_N in ids_KN]
    is_met = [end.is_met_by(piece, steps, key) for piece in pieces]
    return np.where(is_met, 0.0, _missed(end))


def unstable_chords(ids_KN: codec.Ids, constraints: Constraints) -> Floats:
    """Weigh the last chord of a phrase."""
    pitches_K4 = _newest(ids_KN, 1, constraints)[:, 0]
    is_stable = [cadences.is_root_position(pitches_4) for pitches_4 in pitches_K4]
    return np.where(is_stable, 0.0, _UNSTABLE)


def before_cadence(
    ids_KN: codec.Ids, end: PhraseEnd, constraints: Constraints, key: Key | None
) -> Floats:
    """Weigh the chord before ``end``, which comes next: no cadence of its kind can follow some."""
    roots = [last_chords.roots(ids_N, end, constraints, key) for ids_N in ids_KN]
    return np.array([0.0 if found else _UNPREPARED * _missed(end) for found in roots])


def _missed(end: PhraseEnd) -> float:
    if not end.kind:
        return _NO_CADENCE
    return _MISSED_DRAWN if end.is_drawn else _MISSED_KIND
