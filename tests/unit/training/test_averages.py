"""Losses of one reading, of several keys and of several models."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
import torch

import musicrel
from musicrel.analysis.corpus import jsb
from musicrel.model import checkpoint
from musicrel.model.tokens.vocabulary import PITCH
from tests.helpers.models import tiny_card, tiny_config, tiny_model
from tests.helpers.music import jsb_file, random_chorale
from training import averages, reports

PIECES = [random_chorale(seed, 10 + 6 * seed, margin=3) for seed in range(2)]


@pytest.fixture
def models(tmp_path: Path) -> list[str]:
    names = []
    for seed in range(2):
        config = tiny_config("relative", conditions=("voice", "beat"), vocabulary=PITCH)
        network = tiny_model(config, seed)
        checkpoint.save(tmp_path / f"m{seed}", network, tiny_card(network, PITCH))
        names.append(str(tmp_path / f"m{seed}"))
    return names


def naive(name: str, piece_index: int, shift: int) -> list[float]:
    """Return p of each note of a piece in one key, from torch in float64."""
    model = musicrel.load_model(name)
    piece = PIECES[piece_index].transposed(shift)
    ids = model.encode(piece)
    rows = torch.from_numpy(model.condition_rows(piece, ("voice", "beat"))[: len(ids) - 1])
    network = model.network.double()
    with torch.inference_mode():
        logits = network(torch.from_numpy(ids[:-1])[None], rows[None]).logits_BTV[0]
    p = logits.softmax(-1)
    return [float(p[n, token]) for n, token in enumerate(ids[1:-1])]


def test_a_row_is_the_log_of_the_mean_probability_of_its_readings(models: list[str]) -> None:
    found = {row.what: row.loss for row in averages.rows(models, PIECES, 3)}

    def expected(names: list[str], keys: int) -> float:
        nats = []
        for index, piece in enumerate(PIECES):
            shifts = sorted(piece.shifts(), key=abs)[:keys]
            each = [naive(name, index, shift) for name in names for shift in shifts]
            nats += [-math.log(sum(row) / len(row)) for row in zip(*each, strict=True)]
        return sum(nats) / len(nats)

    first, second = models
    assert {len(sorted(piece.shifts(), key=abs)[:3]) for piece in PIECES} == {3}
    assert found == pytest.approx(
        {
            first: expected([first], 1),
            f"{first}, 3 keys": expected([first], 3),
            second: expected([second], 1),
            f"{second}, 3 keys": expected([second], 3),
            "m0 and m1": expected(models, 1),
            "m0 and m1, 3 keys": expected(models, 3),
        },
        abs=1e-4,
    )


def test_sliding_windows_have_a_row_of_their_own(models: list[str]) -> None:
    """A window as long as the pieces is no other reading; a shorter one is."""
    long, short = (
        {row.what: row.loss for row in averages.rows(models[:1], PIECES, 1, window)}
        for window in (400, 16)
    )

    assert long[f"{models[0]}, windows of 400"] == pytest.approx(long[models[0]], abs=1e-4)
    assert short[f"{models[0]}, windows of 16"] != pytest.approx(short[models[0]], abs=1e-3)


def test_a_piece_that_fits_fewer_keys_is_read_in_those(models: list[str]) -> None:
    model = musicrel.load_model(models[0])
    wide = random_chorale(5, 40)
    keys = len(wide.shifts())

    (read,) = averages.readings(model, [wide], 100)

    assert read.shape == (keys, 160)
    np.testing.assert_allclose(read[0], averages.log_p(model, wide)[:-1])


@pytest.fixture
def published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = jsb_file(tmp_path / "data.json", {"train": PIECES, "valid": PIECES, "test": PIECES[:1]})
    monkeypatch.setattr(averages, "_PUBLISHED", file)
    monkeypatch.setattr(reports, "RESULTS", tmp_path)
    return file


@pytest.mark.usefixtures("published")
def test_the_command_prints_a_table(models: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """The error is one sentence."""
    assert averages.main([*models, "--keys", "2", "--split", "test"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[6] == "| reading | nats/note | 95 % interval |"
    assert len(lines) == 6 + 2 + 6
    assert lines[-1].startswith("| m0 and m1, 2 keys | ")

    assert averages.main(["nowhere"]) == 1
    assert "nowhere" in capsys.readouterr().err


def test_an_interval_is_that_of_pieces_drawn_with_replacement() -> None:
    """Quantiles of resampled losses, drawn naively; of one piece it is a point."""
    rng = np.random.default_rng(1)
    notes = rng.integers(20, 200, 40).astype(float)
    nats = notes * rng.uniform(0.2, 0.6, 40)
    losses = []
    for _ in range(4000):
        drawn = rng.integers(40, size=40)
        losses.append(nats[drawn].sum() / notes[drawn].sum())

    found = averages.Row("", nats, notes).interval()

    assert found == pytest.approx(np.quantile(losses, [0.025, 0.975]), abs=0.003)
    assert averages.Row("", nats[:1], notes[:1]).interval() == pytest.approx(
        (nats[0] / notes[0], nats[0] / notes[0])
    )


def test_stored_rows_are_added_to_those_before(
    models: list[str], tmp_path: Path, published: Path
) -> None:
    """Of the same reading the newer is kept; the report has a section for each split."""
    for split, model in (("test", models[0]), ("valid", models[0]), ("test", models[0])):
        averages.main([model, "--keys", "2", "--split", split, "--store"])
    averages.main([models[1], "--split", "test", "--store"])

    stored = json.loads((tmp_path / "averages.json").read_text())
    (row,) = averages.rows(models[1:], jsb.read(published)["test"], 1)
    figures = stored["test"][models[1]]["figures"]
    assert list(stored["test"]) == [models[0], f"{models[0]}, 2 keys", models[1]]
    assert (figures["nats"], figures["pieces"]) == (pytest.approx(row.loss), 1)
    report = (tmp_path / "averages.md").read_text()
    assert "    python -m training.averages m1 --split test --store" in report
    assert f"| {models[1]} | {row.loss:.4f} | {row.loss:.4f} to {row.loss:.4f} |" in report
    assert report.count("## ") == 2
