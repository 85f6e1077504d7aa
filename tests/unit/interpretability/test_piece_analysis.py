"""Attention and surprisal of a model over a piece, by token and by step, and their job."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from musicrel import jobs
from musicrel.analysis.claims.claim_shares import STEPS
from musicrel.chorale import Chorale, Meter, Provenance
from musicrel.generation.heads.mutes import Head
from musicrel.generation.infill.masked_reader import cell_nats, open_masked_reader
from musicrel.generation.loaded_model import load_model
from musicrel.generation.scoring import teacher_forcing
from musicrel.interpretability import analysis_job
from musicrel.interpretability.piece_analysis import (
    BOTH_SIDES,
    CROSS,
    INFILL,
    LAGS,
    AnalysisProgress,
    PieceAnalysis,
    cell_name,
    full_weights,
    percent,
    shrunk,
    to_levels,
)
from tests.helpers.known import known
from tests.helpers.models import (
    tiny_cross_attention_directory,
    tiny_infill_directory,
    tiny_model_directory,
)
from tests.helpers.music import random_chorale

PIECE = Chorale.of(np.tile([[72, 67, 64, -1]], (40, 1)))
OTHER_HEAD = Head(1, 0)
THREE_BARS = Chorale.of(np.tile([[72, 67, 64, 48]], (48, 1)), title="Three bars")
CELL = 4 * 20 + 2  # the tenor of the fifth sixteenth of bar 2
ANY_PIECE = random_chorale(4, 12)


def analysed(at: int, cells: int = 160, piece: Chorale = PIECE) -> PieceAnalysis:
    """Return an analysis with two layers of one head.

    The first looks back ``at`` cells, or at START where there are none; the second evenly at all.
    """
    reading = PieceAnalysis(piece, "bach", 2, 1, wrote=True)
    for cell in range(cells):
        row = np.zeros((2, 1, cell + 1), dtype=np.float32)
        row[0, 0, max(cell + 1 - at, 0)] = 1
        row[1, 0] = 1 / (cell + 1)
        reading.add(row, nats=cell / 10)
    return reading


def analysis(piece: Chorale = THREE_BARS) -> PieceAnalysis:
    return PieceAnalysis(piece, "both", 1, 2, wrote=False, columns=STEPS, kind=INFILL)


def on(step: int, steps: int = 48) -> np.ndarray:
    """Return rows of two heads: the first attends to ``step``, the second to all steps alike."""
    row = np.zeros((1, 2, steps), dtype=np.float32)
    row[0, 0, step] = 1
    row[0, 1] = 1 / steps
    return row


@pytest.mark.parametrize(
    ("cell", "back", "expected"),
    [
        (83, 1, "same step"),
        (83, 3, "same step"),
        (83, 4, "step before"),
        (80, 1, "step before"),
        (80, 4, "step before"),
        (80, 5, "within a beat"),
        (80, 16, "within a beat"),
        (80, 17, "within a bar"),
        (80, 64, "within a bar"),
        (80, 65, "earlier"),
        (80, 81, "START"),
        (0, 1, "START"),
    ],
)
def test_attention_divides_by_distance(cell: int, back: int, expected: str) -> None:
    """By steps, not by cells: just before a soprano stands the bass of the step before."""
    shares = analysed(back).by_lag(Head(0, 0), cell)

    assert [share.name for share in shares if share.here] == [expected]


def test_distances_are_those_of_the_meter() -> None:
    waltz = Chorale.of(PIECE.pitches, meter=Meter(3, 4))
    jig = Chorale.of(PIECE.pitches, meter=Meter(6, 8))

    assert analysed(64, piece=waltz).by_lag(Head(0, 0), 80)[4].here == 1
    assert analysed(12, piece=jig).by_lag(Head(0, 0), 80)[3].here == 1


@pytest.mark.parametrize("head", [None, Head(0, 0), OTHER_HEAD])
def test_distances_share_the_whole_attention(head: Head | None) -> None:
    shares = analysed(5).by_lag(head, 77)
    start = shares[-1]

    assert [share.name for share in shares] == list(reversed(LAGS))
    assert sum(share.whole for share in shares) == pytest.approx(1, abs=1e-5)
    assert sum(share.here or 0 for share in shares) == pytest.approx(1, abs=1e-5)
    voices = analysed(5).by_voice(head, 77)
    assert sum(share.whole for share in voices) + start.whole == pytest.approx(1, abs=1e-5)


def test_attention_divides_by_voice() -> None:
    """Cell 80 is a soprano; three cells back is the alto of the step before."""
    reading = analysed(3)

    assert [share.here for share in reading.by_voice(Head(0, 0), 80)] == [0, 1, 0, 0]
    assert all(share.here is None for share in reading.by_voice(None, None))


def test_mean_of_all_heads_is_a_head_too() -> None:
    reading = analysed(1)
    expected = (reading.attention_row(9, Head(0, 0)) + reading.attention_row(9, OTHER_HEAD)) / 2

    assert reading.attention_row(9, None) == pytest.approx(expected, abs=0.005)
    assert reading.map(None).shape == (160, 160)
    ((step, voice, _),) = reading.largest(9, None, most=1)
    assert (step, voice) == divmod(8, 4)


def test_thumbnails_show_the_largest_weights() -> None:
    mean, first, second = analysed(1, cells=80).thumbnails

    assert first.shape == (60, 60)
    assert (first.diagonal()[:30] == 255).all()
    assert not first[31:].any()
    assert not np.triu(first, 1).any()
    assert (second[29] < mean[29]).sum() == 1


def test_surprise_of_every_cell_is_kept() -> None:
    nats = analysed(1, cells=6).nats

    assert nats.shape == (40, 4)
    assert nats[1, 1] == pytest.approx(0.5)
    assert np.isnan(nats[1, 2:]).all()


def test_stopped_piece_knows_its_own_cells_only() -> None:
    reading = analysed(1, cells=10)
    reading.finish(PIECE.cropped(0, 2))

    assert (reading.cells, reading.has_cell(7), reading.has_cell(8), reading.has_cell(None)) == (
        8,
        True,
        False,
        False,
    )


def test_a_pair_of_cells_is_described() -> None:
    reading = analysed(1, cells=8)
    assert reading.describe(5, 3, 0.234) == (
        "Alto G4 (bar 1, beat 1¼): 23 % on Tenor E4 (bar 1, beat 1)"
    )
    assert reading.describe(4, 0, 0.004) == "Soprano C5 (bar 1, beat 1¼): 0.4 % on START"
    assert cell_name(PIECE, 3) == "Bass rest (bar 1, beat 1)"


@pytest.mark.parametrize(
    ("weight", "words"),
    [(0.0, "0 %"), (0.0004, "< 0.1 %"), (0.0044, "0.4 %"), (0.01, "1 %"), (1.0, "100 %")],
)
def test_percents_are_as_exact_as_they_are_useful(weight: float, words: str) -> None:
    assert percent(weight) == words


def test_no_row_is_copied_while_a_piece_grows() -> None:
    """A copy of all weights would stop the window for a third of a second in a long piece."""
    reading = analysed(1, cells=1)
    before = reading.map(None)
    reading.add(np.full((2, 1, 2), 0.5, dtype=np.float32), nats=0.0)

    assert np.shares_memory(before, reading.map(None))


@pytest.mark.parametrize(("most", "full"), [(0.01, 0.02), (0.04, 0.05), (0.3, 0.5), (0.9, 1.0)])
def test_last_colour_is_for_the_strongest_weights(most: float, full: float) -> None:
    """One of a few round weights, so that the scale stands still while a map grows."""
    weights = np.linspace(0, most, 1000, dtype=np.float32).reshape(1, 25, 40)

    assert full_weights(to_levels(weights)) == [full]


def test_each_of_several_maps_has_its_own_scale() -> None:
    maps = [to_levels(np.full((5, 5), weight, dtype=np.float32)) for weight in (0.01, 0.3, 0.0)]

    assert full_weights(np.array(maps)).tolist() == [0.02, 0.5, 1.0]


@pytest.mark.parametrize("size", [1, 7, 30, 50, 99, 100, 500])
def test_pixel_is_the_maximum_of_its_cells(size: int) -> None:
    levels, side = np.zeros((100, 100), dtype=np.uint8), min(size, 100)
    levels[70, 20] = 200
    pixels = shrunk(levels, size, size)

    assert pixels.shape == (side, side)
    assert pixels[70 * side // 100, 20 * side // 100] == 200
    assert (pixels == 200).sum() == 1


@pytest.mark.parametrize(
    ("step", "name"),
    [
        (3, "earlier"),
        (4, "within a bar"),
        (15, "within a bar"),
        (16, "within a beat"),
        (18, "within a beat"),
        (19, "step before"),
        (20, "same step"),
        (21, "step after"),
        (22, "a beat after"),
        (24, "a beat after"),
        (25, "a bar after"),
        (36, "a bar after"),
        (37, "later"),
    ],
)
def test_attention_divides_by_distance_to_both_sides(step: int, name: str) -> None:
    """The past comes first; the note is in the middle."""
    found = analysis()
    found.add_at(CELL, on(step))

    shares = found.by_lag(Head(0, 0), CELL)
    assert tuple(share.name for share in shares) == BOTH_SIDES
    assert [share.name for share in shares if share.here] == [name]


def test_distances_between_steps_are_those_of_the_meter() -> None:
    """A bar of 3/4 has twelve sixteenths."""
    found = analysis(Chorale.of(THREE_BARS.pitches, meter=Meter(3, 4)))
    found.add_at(CELL, on(33))

    assert [share.name for share in found.by_lag(Head(0, 0), CELL) if share.here] == ["later"]


def test_rows_become_known_in_any_order() -> None:
    found = analysis()
    found.add_at(CELL, on(7))

    assert (found.cells, found.has_cell(CELL), found.has_cell(CELL - 1)) == (1, True, False)
    assert not found.map(None)[: CELL - 1].any()
    assert found.map(Head(0, 0))[CELL, 7] == 255
    assert found.map(Head(0, 0))[CELL].all(), "a known row has no empty dots"
    row = found.attention_row(CELL, Head(0, 0))
    assert row[7] == 1
    assert row.sum() == 1
    assert [share.whole for share in found.by_lag(Head(0, 0), None)][1] == 1
    assert not found.is_complete


def test_a_row_may_be_read_twice() -> None:
    found = analysis()
    for _ in range(2):
        found.add_at(CELL, on(7))

    assert found.cells == 1


def test_arcs_and_profile_lead_to_steps() -> None:
    found = analysis()
    found.add_at(CELL, on(7))

    assert found.largest(CELL, Head(0, 0), most=1) == ((7, 2, 1),)
    assert found.profile(CELL, Head(0, 0)).weights.shape == (48, 1)
    words = found.describe(CELL, 7, 0.25)
    assert words == "Tenor E4 (bar 2, beat 2): 25 % on bar 1, beat 2¾"


def test_causal_model_has_weights_of_all_cells_before(tmp_path: Path) -> None:
    model = load_model(str(tiny_model_directory(tmp_path / "m")))
    found = jobs.run(analysis_job.analyse(model, ANY_PIECE))
    rows = model.condition_rows(ANY_PIECE, teacher_forcing.conditions_of(ANY_PIECE))
    whole = model.attention(model.encode(ANY_PIECE), rows).mean(axis=(0, 1))

    assert found.is_complete
    assert found.cross is None
    np.testing.assert_allclose(found.attention_row(30, None), whole[30, :31], atol=0.005)
    assert np.isfinite(found.nats).all()


def test_infilling_model_is_shown_while_it_reads(tmp_path: Path) -> None:
    model = load_model(str(tiny_infill_directory(tmp_path / "both")))
    job = analysis_job.analyse(model, ANY_PIECE)
    first = next(job)
    assert isinstance(first, AnalysisProgress)
    growing = known(first.analysis)
    assert 1 <= growing.cells < 48
    assert growing.kind == INFILL
    growing.wanted = 33
    found = jobs.run(job)

    tokens = model.encode(ANY_PIECE)[1:-1].reshape(12, 4)
    rows = model.condition_rows(ANY_PIECE, teacher_forcing.conditions_of(ANY_PIECE))[:48]
    expected = cell_nats(open_masked_reader(model), tokens, rows)
    assert found is growing
    assert found.is_complete
    np.testing.assert_allclose(found.nats, expected, rtol=1e-5)


def test_encoder_decoder_has_cross_attention_to_the_soprano(tmp_path: Path) -> None:
    model = load_model(str(tiny_cross_attention_directory(tmp_path / "harmoniser")))
    cross = known(jobs.run(analysis_job.analyse(model, ANY_PIECE)).cross)
    assert cross.kind == CROSS
    assert cross.is_complete
    assert cross.given[:, 0].all()
    assert not cross.given[:, 1:].any()
    settings = {"locked": [[3, 0, 12]]}
    locked = replace(
        ANY_PIECE, provenance=Provenance(model="m", sha256="", seed=1, settings=settings)
    )
    assert analysis_job.given_cells(locked)[:, 3].all()


@pytest.mark.parametrize("make", [tiny_model_directory, tiny_infill_directory])
def test_weights_may_be_left_out(tmp_path: Path, make: Callable[[Path], Path]) -> None:
    model = load_model(str(make(tmp_path / "m")))
    found = jobs.run(analysis_job.analyse(model, ANY_PIECE, weights=False))
    with_weights = jobs.run(analysis_job.analyse(model, ANY_PIECE))

    assert not found.has_weights
    assert found.is_complete
    np.testing.assert_allclose(found.nats, with_weights.nats, rtol=1e-5)


def test_wanted_cell_is_read_first_then_onsets_then_held_cells() -> None:
    onsets = np.zeros((48, 4), dtype=np.bool_)
    onsets[::8] = True
    piece = replace(Chorale.of(np.tile([[72, 67, 64, 48]], (48, 1))), onsets=onsets)
    found = PieceAnalysis(piece, "both", 1, 2, wrote=False, columns=STEPS, kind=INFILL)
    found.wanted = wanted = 4 * 20 + 2
    next_cell, order = analysis_job.cells_to_read(found), []
    while (cell := next_cell()) is not None:
        found.add_at(cell, np.full((1, 2, 48), 1 / 48, dtype=np.float32))
        order.append(cell)

    assert order[0] == wanted
    assert sorted(order) == list(range(192))
    assert {cell // 4 % 8 for cell in order[1:25]} == {0}
    assert order[1:25] != sorted(order[1:25]), "the shares of the first rows are about the whole's"
    assert found.is_complete
