"""The critic's training data and evaluation."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from musicrel import jobs
from musicrel.analysis import voice_leading
from musicrel.analysis.corpus import bundled
from musicrel.analysis.corpus.splits import SPLITS
from musicrel.chorale import RANGES, REST, Chorale
from musicrel.errors import DataError, FileError, UsageError
from musicrel.experiment.data import critic_data, dataset
from musicrel.experiment.data.critic_data import (
    BACH,
    CORRUPTIONS,
    WindowSampler,
    corrupted,
    note_spans,
)
from musicrel.experiment.objectives import objectives
from musicrel.experiment.objectives.objectives import CriticObjective, windows_batch
from musicrel.experiment.recipe import recipe
from musicrel.experiment.recipe.recipe import DataPart, MaskingPart, ModelPart, Recipe, TrainingPart
from musicrel.experiment.training.train import train
from musicrel.generation.candidates.critic import critic_input
from musicrel.model import checkpoint, config
from musicrel.model.networks import build
from musicrel.model.tokens.vocabulary import ARTICULATED, MASK
from tests.helpers.models import enlarge_weights
from tests.helpers.music import random_chorale
from training import opponents

STEPS = 48


@pytest.fixture
def few(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    bach = {split: bundled.load(split)[:2] for split in SPLITS}
    monkeypatch.setattr(bundled, "load_all", lambda: bach)
    others = {
        split: [
            replace(random_chorale(seed, 60, margin=3), title=kind)
            for seed, kind in enumerate(["JS Fakes", "vanilla"] * 2, start=10 * place)
        ]
        for place, split in enumerate(SPLITS)
    }
    path = tmp_path / "opponents.npz"
    path.write_bytes(bundled.pack(others))
    return f"critic:{path}"


def plan(source: str) -> Recipe:
    """Return a recipe of four steps of four windows of up to 48 steps."""
    return Recipe(
        name="tiny",
        model=ModelPart(
            scheme="relative", family="critic", width=16, layers=1, heads=2, feedforward=32
        ),
        data=DataPart(source=source, conditions=("beat",), condition_dropout=0, window=4 * STEPS),
        masking=MaskingPart(mode="token", rate=0.5, rates="uniform", mixed=False),
        training=TrainingPart(steps=4, batch=4, warmup_steps=1, evaluate_every=2),
    )


def criticism(source: str) -> CriticObjective:
    found = objectives.for_recipe(plan(source), dataset.load(source))
    assert isinstance(found, CriticObjective)
    return found


def test_opponents_are_read_beside_bach(few: str) -> None:
    loaded = dataset.load(few)
    assert [piece.title for piece in loaded.others["test"]] == ["JS Fakes", "vanilla"] * 2
    assert loaded.sizes == dict.fromkeys(SPLITS, 2)
    assert loaded.sha256 != dataset.load("chorales").sha256


def test_missing_opponents_are_reported_with_the_command(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"make them with python -m training\.opponents"):
        dataset.load(f"critic:{tmp_path / 'none.npz'}")
    (tmp_path / "bad.npz").write_bytes(b"no archive")
    with pytest.raises(FileError, match="damaged"):
        dataset.load(f"critic:{tmp_path / 'bad.npz'}")


def test_half_of_every_batch_is_bach_and_steps_are_repeatable(few: str) -> None:
    batch, again = criticism(few).at(3), criticism(few).at(3)
    assert batch.targets_BT[:, 0].tolist() == [config.BACH + 1, config.OTHER + 1] * 2
    assert torch.equal(batch.ids_BT, again.ids_BT)
    assert batch.ids_BT.shape[1] in (4 * 32, 4 * 48)
    assert batch.conditions_BTC.shape == (*batch.ids_BT.shape, 1)


def test_notes_are_masked_in_training_and_not_in_evaluation(few: str) -> None:
    objective = criticism(few)
    assert (objective.at(0).ids_BT == MASK).any()
    measured = windows_batch(list(objective.windows("valid")), ("beat",))
    assert not (measured.ids_BT == MASK).any()


def test_splits_are_evaluated_on_the_same_windows_every_time(few: str) -> None:
    objective = criticism(few)
    windows = list(objective.windows("valid"))
    assert objective.count("valid") == len(windows)
    assert sum(window.is_bach for window in windows) == len(windows) / 2
    again = objective.windows("valid")
    assert all(a.piece == b.piece for a, b in zip(windows, again, strict=True))
    assert objective.final_splits == (BACH, "JS Fakes", "vanilla", *CORRUPTIONS)
    assert {window.kind for window in objective.windows("vanilla")} == {"vanilla"}
    assert {window.kind for window in objective.windows("parallels")} == {"parallels"}


def test_the_choice_of_a_kind_has_a_random_stream_of_its_own(
    few: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One shared stream would tie corruptions to the choice of their kind."""
    objective = criticism(few)
    chosen, drawn = [], []
    draw_kind, draw = WindowSampler.draw_kind, WindowSampler.draw

    def choosing(windows: WindowSampler, rng: np.random.Generator) -> str:
        chosen.append(rng.bit_generator.state["state"]["state"])
        return draw_kind(windows, rng)

    def drawing(
        windows: WindowSampler, kind: str, steps: int, rng: Any, index: int
    ) -> critic_data.CriticWindow:
        drawn.append(rng.bit_generator.state["state"]["state"])
        return draw(windows, kind, steps, rng, index)

    monkeypatch.setattr(WindowSampler, "draw_kind", choosing)
    monkeypatch.setattr(WindowSampler, "draw", drawing)
    assert len(list(objective.windows("valid"))) == 2 * len(chosen) == len(drawn)
    assert not set(chosen) & set(drawn)


def test_no_held_out_window_is_of_a_piece_learned_from(few: str) -> None:
    held = bundled.load_all()["test"]
    for window in criticism(few).windows("bars swapped"):
        bars = {bar.tobytes() for bar in window.piece.pitches.reshape(-1, 4)}
        assert any(bars <= {step.tobytes() for step in piece.pitches} for piece in held)


def test_loss_and_correctness_of_each_window_are_reported(few: str) -> None:
    torch.manual_seed(0)
    objective, model = criticism(few), build(plan(few).config())
    enlarge_weights(model)
    found = jobs.run(objective.evaluate(model, "valid", ("beat",)))
    assert model.training
    assert [piece.title for piece in found.pieces] == [
        window.kind for window in objective.windows("valid")
    ]
    model.eval()
    batch = windows_batch(list(objective.windows("valid")), ("beat",))
    with torch.inference_mode():
        logits = model(batch.ids_BT, batch.conditions_BTC).logits_BTV[:, 0].double()
    expected = -torch.log_softmax(logits, -1).gather(1, batch.targets_BT - 1)[:, 0]
    assert [piece.nats for piece in found.pieces] == pytest.approx(expected.tolist(), abs=1e-5)
    right = (logits.argmax(-1) + 1 == batch.targets_BT[:, 0]).tolist()
    assert [piece.right for piece in found.pieces] == right


def test_repeated_notes_are_read_as_held_ones() -> None:
    piece = Chorale.of([[72, 67, 64, 48]] * 4, onsets=np.ones((4, 4), dtype=bool))
    ids, rows = critic_input(piece, ("beat",))
    held = [ARTICULATED.first_hold + pitch - 36 for pitch in (72, 67, 64, 48)]
    assert ids[4:8].tolist() == held
    assert rows[::4, 0].tolist() == [1, 2, 3, 4]


def test_windows_begin_on_a_beat(few: str) -> None:
    piece = replace(random_chorale(1, 90, margin=3), pickup=6)
    windows = WindowSampler([piece], [replace(piece, title="x")], transpose=False)
    for seed in range(10):
        drawn = windows.draw(BACH, 32, np.random.default_rng(seed)).piece
        assert drawn.steps == 32
        assert drawn.pickup % 4 == 0
    del few


def test_a_short_piece_is_read_whole() -> None:
    piece = random_chorale(1, 20)
    windows = WindowSampler([piece], [replace(piece, title="x")], transpose=False)
    assert windows.draw(BACH, 32, np.random.default_rng(0)).piece == piece


def test_windows_without_opponents_are_refused() -> None:
    with pytest.raises(DataError, match="needs pieces by Bach and by others"):
        WindowSampler([random_chorale(0)], [], transpose=True)


def test_a_run_ends_with_a_model_and_a_figure_for_each_kind(few: str, tmp_path: Path) -> None:
    job = train(plan(few), tmp_path / "run")
    result = jobs.run(job)
    assert result.finished
    assert set(result.further) == {BACH, "JS Fakes", "vanilla", *CORRUPTIONS}
    loaded = checkpoint.load(tmp_path / "run" / "model")
    assert loaded.card.config.family == "critic"
    assert loaded.card.figures["accuracy"] == result.further


@pytest.mark.parametrize(
    ("part", "sentence"),
    [
        ({"source": "chorales"}, "expected family 'critic' for 'critic:FILE' and for no other"),
        ({"conditions": ("beat", "key")}, "no condition but 'beat'"),
        ({"window": 64}, "a window of 128 tokens or more (64)"),
        ({"vocabulary": "pitch"}, "expected vocabulary 'articulated' (it is 'pitch')"),
        ({"condition_dropout": 0.1}, "is always given the beat: set condition_dropout = 0.0"),
        ({"hint_dropout": 0.5}, "hint_dropout is 0.5 and has no effect on family 'critic'"),
        ({"first_window": 64, "curriculum_steps": 9}, "from the first step on: set first_window"),
        ({"buckets": 8}, "windows of one length in each step: set buckets = 1"),
    ],
)
def test_data_a_critic_cannot_read_are_refused(part: dict[str, Any], sentence: str) -> None:
    good = plan("critic:x.npz")
    with pytest.raises(UsageError, match=re.escape(sentence)):
        good.changed(data={**part})


def test_the_shipped_recipe_names_the_file_of_opponents() -> None:
    assert recipe.load("critic").data.source == f"critic:{opponents.OPPONENTS_FILE}"


PIECE = bundled.load("valid")[0].pitches[:128]

every_kind = pytest.mark.parametrize("kind", CORRUPTIONS)


def worse(kind: str, seed: int = 0) -> np.ndarray:
    return corrupted(PIECE, kind, np.random.default_rng(seed))


@every_kind
def test_something_is_worse_in_range_and_the_same_every_time(kind: str) -> None:
    before = PIECE.copy()
    found = worse(kind)
    assert (found != before).any()
    assert (before == PIECE).all()
    assert (worse(kind) == found).all()
    for voice, (low, high) in RANGES.items():
        pitches = found[:, voice]
        assert pitches.min() >= low
        assert pitches.max() <= high


@every_kind
def test_silence_stays_silence(kind: str) -> None:
    """Rests alone cannot be corrupted."""
    silence = np.full((32, 4), REST, dtype=np.int16)
    assert (corrupted(silence, kind, np.random.default_rng(0)) == REST).all()


@pytest.mark.parametrize("kind", ["a voice late", "a voice transposed"])
def test_of_one_voice_the_others_stay(kind: str) -> None:
    assert ((worse(kind) != PIECE).any(axis=0)).sum() == 1


def test_swapped_bars_are_the_same_bars() -> None:
    bars = [sorted(grid.reshape(-1, 64).tolist()) for grid in (PIECE, worse("bars swapped"))]
    assert bars[0] == bars[1]


def test_parallels_are_parallels() -> None:
    found = [Chorale.of(worse("parallels", seed)) for seed in range(20)]
    count = [voice_leading.rates(piece).parallels > 0 for piece in found]
    assert voice_leading.rates(Chorale.of(PIECE)).parallels == 0
    assert sum(count) >= 15


def test_note_spans_merge_repeated_notes() -> None:
    line = np.array([60, 60, REST, REST, 62, 60], dtype=np.int16)
    assert note_spans(line) == [(0, 2), (4, 5), (5, 6)]
