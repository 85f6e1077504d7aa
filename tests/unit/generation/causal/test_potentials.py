"""Potentials of a search, and the evidence of notes for a key."""

# ruff: noqa: N806  # shape suffixes: ids_KN
# ruff: noqa: N806  # shape suffixes: pitches_KT4
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from musicrel.analysis import cadences, voice_leading
from musicrel.analysis.corpus import bundled
from musicrel.chorale import REST, Chorale, Key
from musicrel.generation.causal import potentials
from musicrel.generation.causal.written import Written
from musicrel.generation.cell_constraints import Constraints
from musicrel.generation.discriminator import features
from musicrel.generation.discriminator.discriminator import Discriminator
from musicrel.generation.discriminator.features import beats
from musicrel.generation.phrasing.phrase_ends import PhraseEnd
from musicrel.generation.request import GenerationRequest
from musicrel.model.tokens import codec
from musicrel.model.tokens.vocabulary import ARTICULATED, START
from tests.helpers.music import random_chorale

C_MAJOR = Key("C", "major")
REQUEST = GenerationRequest(bars=1, key=C_MAJOR, fermatas=((8, 12),))
C, F, G, DM = (
    (72, 67, 64, 48),
    (72, 69, 65, 53),
    (71, 67, 62, 55),
    (74, 69, 65, 50),
)
KEYS = [Key.of(tonic, mode) for mode in potentials.DEGREES for tonic in range(12)]
G_MAJOR = Key.parse("G major")
RNG = np.random.default_rng(3)
PIECES = RNG.integers(48, 80, (3, 24, 4))


@pytest.fixture
def constraints() -> Constraints:
    return Constraints.of(REQUEST, ARTICULATED)


def ids_of(*pieces: Sequence[Sequence[int]]) -> codec.Ids:
    """Return the ids of pieces of three quarters each, START first."""
    rows = []
    for chords in pieces:
        chorale = Chorale.of(np.repeat(np.array(chords), 4, axis=0))
        rows.append(codec.encode(chorale, ARTICULATED)[:-1])
    return np.stack(rows)


def written(legal_share: Sequence[float], log_probability: Sequence[float]) -> Written:
    """Return particles with a token each."""
    found = Written.of(np.full((len(legal_share), 1), START), 1, np.zeros((len(legal_share), 1)))
    found.choices.legal_share[:, 1] = legal_share
    found.choices.log_probability[:, 1] = log_probability
    return found


def test_a_token_is_weighed_by_the_share_of_legal_ones() -> None:
    """The share is the probability of a locked token; an impossible one has a finite weight."""
    shares, newest = np.log([0.8, 0.1]), slice(1, 2)
    free, is_locked = np.array([False]), np.array([True])
    locked = potentials.of_choices(written([0.8, 0.1], shares.tolist()), newest, is_locked)
    np.testing.assert_allclose(locked, shares)
    likely, unlikely = potentials.of_choices(written([0.5, 0.5], [-1.0, -2.0]), newest, free)
    assert np.log(0.5) > likely > unlikely > np.log(0.5) - 1
    impossible = potentials.of_choices(written([0.0], [-900.0]), newest, is_locked)
    assert impossible == potentials.DEAD_END


def test_a_stretch_weighs_as_much_as_its_tokens_and_a_dead_end_more_than_its_share() -> None:
    random = np.random.default_rng(0)
    found = Written.of(np.full((3, 1), START), 8, np.zeros((3, 8)))
    found.choices.legal_share[:] = random.random((3, 9))
    found.choices.log_probability[:] = np.log(random.random((3, 9)))
    found.is_dead_BN[1, 4] = True
    is_locked_N = np.arange(9) % 3 == 0
    each = [
        potentials.of_choices(found, slice(index, index + 1), is_locked_N[index : index + 1])
        for index in range(2, 8)
    ]
    together = potentials.of_choices(found, slice(2, 8), is_locked_N[2:8])
    np.testing.assert_allclose(together, np.sum(each, axis=0))
    assert each[2][1] == potentials.DEAD_END


@pytest.mark.parametrize("seed", range(4))
def test_parallels_are_those_of_the_analysis(constraints: Constraints, seed: int) -> None:
    generator = np.random.default_rng(seed)
    found, expected = [], []
    for _ in range(50):
        chords = generator.integers((65, 60, 55, 45), (75, 67, 62, 50), (8, 4))
        piece = Chorale.of(np.where(generator.random((8, 4)) < 0.1, REST, chords))
        ids_KN = codec.encode(piece, ARTICULATED)[None, :-1]
        found.append(potentials.parallels(ids_KN, constraints)[0])
        violations = voice_leading.find(piece, voice_leading.PARALLELS)
        expected.append(sum(one.step >= 4 for one in violations))
    assert sum(expected) > 2
    np.testing.assert_allclose(found, np.min(found) / max(expected) * np.array(expected))


def test_cross_relations_of_the_newest_beat_cost_by_their_length(constraints: Constraints) -> None:
    clash = (78, 69, 65, 50)
    ids_KN = ids_of((C, DM, clash), (C, clash, DM))
    lost = potentials.simultaneous_cross_relations(ids_KN, constraints, C_MAJOR)
    assert lost.tolist() == [4 * potentials._CROSS_RELATION, 0.0]


@pytest.mark.parametrize(("seed", "pickup"), [(0, 0), (1, 4), (2, 12)])
def test_the_likeness_of_a_beat_is_its_share_of_the_log_odds(seed: int, pickup: int) -> None:
    piece = replace(random_chorale(seed, 64), pickup=pickup)
    weights = {name: 0.01 * (place % 7) for place, name in enumerate(features.counts(piece))}
    judge = Discriminator(weights, "")
    constraints = Constraints(ARTICULATED, piece)
    ids_N = codec.encode(piece, ARTICULATED)
    found = [
        potentials.discriminator_logit(ids_N[None, : stop + 1], constraints, piece.key, judge)[0]
        for stop in range(16, 4 * piece.steps + 1, 16)
    ]
    np.testing.assert_allclose(found, [judge.log_odds(beat) for beat in beats(piece)])
    assert len(set(found)) > 1


SIX_FOUR = (76, 72, 67, 55)
"""C major over its fifth."""


def test_six_four_chords_of_the_beat_before_have_a_loss_treated_ones_below_a_melody(
    constraints: Constraints,
) -> None:
    ids_KN = ids_of((C, SIX_FOUR, F), (F, SIX_FOUR, F), (F, SIX_FOUR, G), (F, F, F))
    untreated, *others = potentials.six_fours(ids_KN, constraints, is_open=True)
    assert untreated < 0
    assert others == [0, 0, 0]
    untreated, *treated, other = potentials.six_fours(ids_KN, constraints, is_open=False)
    passing, over_a_staying_bass = treated
    assert untreated < passing < over_a_staying_bass < other == 0
    assert not potentials.six_fours(ids_KN[:, : 8 * 4 + 1], constraints, is_open=False).any()


def test_a_seventh_that_leaps_has_a_loss(constraints: Constraints) -> None:
    seventh = (77, 71, 62, 55)
    ids_KN = ids_of((G, seventh, (76, 72, 64, 48)), (G, seventh, (79, 72, 64, 48)))
    resolved, leapt = potentials.unresolved_sevenths(ids_KN, constraints)
    assert resolved == 0 > leapt
    assert not potentials.unresolved_sevenths(ids_KN[:, : 8 * 4 + 1], constraints).any()


def test_a_phrase_that_closes_as_requested_has_no_loss(constraints: Constraints) -> None:
    ids_KN = ids_of((C, G, C), (C, F, DM), (C, F, G))
    closed, open_, half = potentials.cadence(ids_KN, PhraseEnd(8, 12, ""), constraints, C_MAJOR)
    assert closed == half == 0 > open_

    ids_KN = ids_of((C, G, C), (C, F, DM), (C, F, G))
    any_K = potentials.cadence(ids_KN, PhraseEnd(8, 12, ""), constraints, C_MAJOR)
    half_K = potentials.cadence(ids_KN, PhraseEnd(8, 12, "half"), constraints, C_MAJOR)
    assert half_K[0] == half_K[1] < any_K[1]
    assert half_K[2] == 0


def test_a_drawn_cadence_weighs_less_than_a_requested_one(constraints: Constraints) -> None:
    ids_KN = ids_of((C, G, C), (C, F, DM), (C, F, G))
    asked, drawn = PhraseEnd(8, 12, "half"), PhraseEnd(8, 12, "half", is_drawn=True)
    for potential in (potentials.cadence, potentials.before_cadence):
        asked_K = potential(ids_KN[:, : 8 * 4 + 1], asked, constraints, C_MAJOR)
        drawn_K = potential(ids_KN[:, : 8 * 4 + 1], drawn, constraints, C_MAJOR)
        np.testing.assert_allclose(drawn_K, asked_K / 3)
    drawn_K = potentials.cadence(ids_KN, drawn, constraints, C_MAJOR)
    assert drawn_K[0] == drawn_K[1] < drawn_K[2] == 0


def test_a_phrase_that_is_left_to_the_model_has_no_loss(constraints: Constraints) -> None:
    """However it ends, unless its degree was drawn: it is led to no cadence nor away from one."""
    ids_KN = ids_of((C, G, C), (C, F, DM), (C, F, G))
    free = PhraseEnd(8, 12, "", is_drawn=True)
    assert not potentials.cadence(ids_KN, free, constraints, C_MAJOR).any()
    on_the_tonic = free._replace(degree=0)
    loss_K = potentials.cadence(ids_KN, on_the_tonic, constraints, C_MAJOR)
    assert loss_K[0] == 0 > loss_K[1] == loss_K[2]


def test_the_last_authentic_cadence_is_on_the_tonic_of_the_key(constraints: Constraints) -> None:
    ids_KN = ids_of((C, F, G, C), (C, G, C, F))
    last, within = PhraseEnd(12, 16, "authentic"), PhraseEnd(12, 15, "authentic")

    home, away = potentials.cadence(ids_KN, last, constraints, C_MAJOR)
    assert home == 0 > away
    before_KN = ids_KN[:, : 12 * 4 + 1]
    ready, unprepared = potentials.before_cadence(before_KN, last, constraints, C_MAJOR)
    assert ready == 0 > unprepared
    assert not potentials.cadence(ids_KN, within, constraints, C_MAJOR).any()
    assert not potentials.cadence(ids_KN, last, constraints, None).any()


@pytest.mark.parametrize(
    ("chord", "kinds"),
    [
        (G, {"authentic", "deceptive", "half"}),
        (F, {"authentic", "half", "plagal"}),  # authentic in B flat major
        (DM, {"half"}),
    ],
)
def test_the_chord_before_decides_which_cadences_are_possible(
    constraints: Constraints, chord: tuple[int, ...], kinds: set[str]
) -> None:
    ids_KN = ids_of((C, chord, C))[:, : 8 * 4 + 1]
    possible = {
        kind
        for kind in cadences.KINDS
        if potentials.before_cadence(ids_KN, PhraseEnd(8, 12, kind), constraints, C_MAJOR) == 0
    }
    assert possible == kinds


def test_evidence_for_the_key_adds_up_over_the_beats(constraints: Constraints) -> None:
    """To the log-probability of the key given all notes; without notes it is that of any key."""
    ids_KN = ids_of([C, F, G], [C, DM, G])
    beats_K = [
        potentials.key_evidence(ids_KN[:, : 1 + 16 * beat], constraints, C_MAJOR, is_open=True)
        for beat in (1, 2, 3)
    ]
    pitches_KT4 = constraints.pitch_V[ids_KN[:, 1:]].reshape(2, 12, 4)
    whole_K = potentials.log_posterior(pitches_KT4, C_MAJOR)
    np.testing.assert_allclose(np.sum(beats_K, axis=0), whole_K + np.log(24))


@pytest.mark.parametrize(("is_open", "weight"), [(True, 2.5), (False, 1.0)])
def test_evidence_for_a_minor_key_weighs_more_in_new_pieces(
    constraints: Constraints, *, is_open: bool, weight: float
) -> None:
    """Models drift more often from a minor key to its relative major than the other way."""
    ids_KN, a_minor = ids_of([C, F, G], [C, DM, G]), Key("A", "minor")
    pitches_KT4 = constraints.pitch_V[ids_KN[:, 1:]].reshape(2, 12, 4)
    before_K, after_K = (
        potentials.log_posterior(pitches_KT4[:, :steps], a_minor) for steps in (8, 12)
    )
    found_K = potentials.key_evidence(ids_KN, constraints, a_minor, is_open=is_open)
    np.testing.assert_allclose(found_K, weight * (after_K - before_K))


def test_a_phrase_ends_on_a_triad_in_root_position(constraints: Constraints) -> None:
    """The fifth may be missing; inversions, sevenths, seconds and silence have a loss."""
    open_third, first_inversion = (72, 64, 60, 48), (72, 67, 60, 52)
    six_four, seventh, suspension = (72, 67, 64, 55), (70, 67, 64, 48), (72, 67, 65, 48)
    silence = (REST, REST, REST, REST)
    stable, unstable = (C, DM, open_third), (first_inversion, six_four, seventh, suspension)
    ids_KN = ids_of(*([C, G, chord] for chord in (*stable, *unstable, silence)))

    found_K = potentials.unstable_chords(ids_KN, constraints)

    assert found_K.tolist() == [0.0] * 3 + [-4.0] * 5


def test_the_probabilities_are_those_of_bayes_rule() -> None:
    """Each key has the same prior; a rest counts for nothing."""
    pitches_KT4 = PIECES.copy()
    pitches_KT4[1, 4:9, 2] = REST
    for piece, pitches_T4 in enumerate(pitches_KT4):
        likelihood = {}
        for key in KEYS:
            shares = potentials.DEGREES[key.mode]
            notes = [pitch for pitch in pitches_T4.ravel().tolist() if pitch != REST]
            logs = [np.log(shares[(pitch - key.pitch_class) % 12]) for pitch in notes]
            likelihood[key] = np.exp(potentials.PER_QUARTER * sum(logs) / 4)
        for key in KEYS:
            found = potentials.log_posterior(pitches_KT4, key)[piece]
            assert found == pytest.approx(np.log(likelihood[key] / sum(likelihood.values())))


def test_without_notes_all_keys_are_equally_likely_and_transposed_ones_with_them() -> None:
    for pitches_KT4 in (PIECES[:, :0], np.full((3, 8, 4), REST)):
        found_K = potentials.log_posterior(pitches_KT4, G_MAJOR)
        np.testing.assert_allclose(found_K, np.log(1 / 24))

    here_K = potentials.log_posterior(PIECES, G_MAJOR)
    up_K = potentials.log_posterior(PIECES + 3, Key.parse("Bb major"))
    np.testing.assert_allclose(here_K, up_K)


def test_the_degrees_are_those_of_the_training_chorales() -> None:
    """They stand in the code, since counting takes longer than reading."""
    for mode, expected in potentials.DEGREES.items():
        shares = []
        for piece in bundled.load("train"):
            if piece.key and piece.key.mode == mode:
                above = (piece.pitches[piece.pitches != REST] - piece.key.pitch_class) % 12
                shares.append(np.bincount(above, minlength=12) / len(above))
        smoothed = np.mean(shares, axis=0) + 0.001
        np.testing.assert_allclose(smoothed / smoothed.sum(), expected, atol=6e-5)


def test_the_scale_is_calibrated_after_eight_bars() -> None:
    nats = {
        scale: -sum(
            float(potentials.log_posterior(piece.pitches[None, :128], piece.key, scale)[0])
            for piece in bundled.load("valid")
            if piece.key
        )
        for scale in (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0)
    }
    assert min(nats, key=nats.__getitem__) == potentials.PER_QUARTER
