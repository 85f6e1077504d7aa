"""Meters of the claims for one piece."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from musicrel.analysis.claims import claim_shares
from musicrel.analysis.claims.claim_shares import (
    MEASURES,
    STEPS,
    ClaimShares,
    longest_pitch,
    repeated_notes,
)
from musicrel.analysis.corpus import bundled
from musicrel.chorale import Chorale
from musicrel.generation.heads.mutes import Head
from musicrel.interpretability.claim_rows import (
    NO_CADENCE,
    NOT_ITS_PIECE,
    NOTHING_YET,
    ClaimRow,
    claim_rows,
    figure,
    in_words,
)
from musicrel.interpretability.piece_analysis import INFILL, PieceAnalysis
from tests.helpers.known import known

CELLS = 4 * 96


@cache
def piece() -> Chorale:
    return bundled.load("test")[0].cropped(0, 96)


@cache
def weights(seed: int) -> np.ndarray:
    """Return random weights of two layers of one head, (2, 1, cells, columns)."""
    found = np.random.default_rng(seed).random((2, 1, CELLS, CELLS))
    found *= np.tri(CELLS)
    normalised: np.ndarray = found / found.sum(-1, keepdims=True)
    return normalised


def analysed(seed: int = 0, *, wrote: bool = True, chorale: Chorale | None = None) -> PieceAnalysis:
    chorale = chorale or piece()
    analysis = PieceAnalysis(chorale, "bach", 2, 1, wrote=wrote)
    for cell in range(chorale.steps * 4):
        row = weights(seed)[:, :, cell, : cell + 1]
        analysis.add(row.astype(np.float32), nats=1.0)
    return analysis


def row(rows: tuple[ClaimRow, ...], name: str) -> ClaimRow:
    return next(one for one in rows if one.measure.name == name)


@pytest.mark.parametrize("head", [None, Head(1, 0)])
def test_shares_are_those_of_the_chosen_head(head: Head | None) -> None:
    both = weights(0)[:, 0]
    of_head = both.mean(0) if head is None else both[head.layer]
    expected = ClaimShares.of(piece()).measure(of_head[None], np.arange(CELLS))

    rows = claim_rows(analysed(), heads=(head, None))

    for name in ("step_before", "every_voice", "phrase_start", "last_events"):
        found = row(rows, name)
        assert found.first is not None
        assert found.first.value == pytest.approx(np.nanmean(expected[name]), rel=0.02)
        assert found.first.low < found.first.value < found.first.high
        assert found.even == pytest.approx(
            np.nanmean(ClaimShares.of(piece()).even(np.arange(CELLS))[name])
        )
        assert found.second is None
        assert found.bach is None


def test_repetition_is_that_of_the_piece_beside_bach() -> None:
    rows = claim_rows(analysed(), analysed(1))

    repeated, longest = row(rows, "repeated_notes"), row(rows, "longest_pitch")
    assert repeated.first == repeated.second
    assert known(repeated.first).value == pytest.approx(np.nanmean(repeated_notes(piece())))
    assert longest.first == (longest_pitch(piece()),) * 3
    assert (repeated.bach, longest.bach) == tuple(claim_shares.OF_BACH.values())
    assert repeated.even is None


def test_only_the_model_that_wrote_a_piece_has_its_repetition() -> None:
    rows = claim_rows(analysed(wrote=False), analysed(1))
    assert row(rows, "repeated_notes").first is None
    assert row(rows, "repeated_notes").second is not None
    assert row(rows, "repeated_notes").remark == ""

    rows = claim_rows(analysed(wrote=False), analysed(1, wrote=False))
    for name in ("repeated_notes", "longest_pitch"):
        assert row(rows, name).remark == NOT_ITS_PIECE
        assert row(rows, name).bach is not None


def test_models_may_have_a_piece_each() -> None:
    other = bundled.load("test")[1].cropped(0, 64)

    rows = claim_rows(analysed(), analysed(chorale=other))

    longest = row(rows, "longest_pitch")
    assert (known(longest.first).value, known(longest.second).value) == (
        longest_pitch(piece()), longest_pitch(other)
    )  # fmt: skip


def test_a_piece_without_a_cadence_has_no_phrase_beginning() -> None:
    still = Chorale.of(np.tile([[72, 67, 64, 48]], (32, 1)))

    found = row(claim_rows(analysed(chorale=still)), "phrase_start")

    assert (found.first, found.even, found.remark) == (None, None, NO_CADENCE)


def test_before_the_first_note_there_is_nothing_to_measure() -> None:
    empty = PieceAnalysis(piece(), "bach", 2, 1, wrote=True)
    long = PieceAnalysis(piece(), "bach", 0, 0, wrote=True)

    for analysis in (empty, long):
        found = row(claim_rows(analysis), "step_before")
        assert (found.first, found.even, found.remark) == (None, None, NOTHING_YET)
    assert row(claim_rows(None, analysed()), "step_before").second is not None


def test_infilling_models_have_the_measures_of_steps() -> None:
    analysis = PieceAnalysis(piece(), "fill", 1, 1, wrote=True, columns=STEPS, kind=INFILL)
    weights_of_step = np.zeros((1, 1, 96), dtype=np.float32)
    weights_of_step[..., 39] = 0.25
    weights_of_step[..., 50] = 0.75
    analysis.add_at(4 * 40 + 2, weights_of_step)

    rows = claim_rows(analysis)

    assert [one.measure.name for one in rows] == [
        "step_before", "phrase_start", "repeated_notes", "longest_pitch"
    ]  # fmt: skip
    found = row(rows, "step_before")
    assert known(found.first).value == pytest.approx(0.25, rel=0.02)
    assert found.even == pytest.approx(1 / 96)


def test_rows_are_described_in_words() -> None:
    found = row(claim_rows(analysed(), analysed(1)), "repeated_notes")

    claim, first, second, of_bach = in_words(found, ("vanilla", "relative")).splitlines()

    assert claim == "Claim: Without relative attention, more notes repeat the pitch before."
    assert first.startswith("vanilla: ")
    assert "95 % interval over the bars of the piece" in second
    assert of_bach == "Bach: 14.3 % (95 % interval over 75 test pieces: 13.3 % to 15.4 %)"
    longest = row(claim_rows(analysed()), "longest_pitch")
    assert in_words(longest, ("vanilla", "")).splitlines()[1] == (
        f"vanilla: {longest_pitch(piece()):.1f} quarters"
    )
    lost = replace(found, first=None, second=None, remark=NOT_ITS_PIECE)
    assert in_words(lost, ("a", "b")).endswith(NOT_ITS_PIECE)
    assert "Equal weights: " in in_words(row(claim_rows(analysed()), "last_events"), ("a", ""))


def test_figures_have_a_unit() -> None:
    assert figure(MEASURES["last_events"], 0.0864) == "8.6 %"
    assert figure(MEASURES["longest_pitch"], 5.1) == "5.1 quarters"
