"""What a critic learns from, and what it is measured by."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from musicrel import jobs
from musicrel.chorale import Chorale
from musicrel.corpus import archive, bundled
from musicrel.corpus.splits import SPLITS
from musicrel.errors import DataError, FileError, UsageError
from musicrel.experiment.data import critic_data, dataset
from musicrel.experiment.data.corruptions import CORRUPTIONS
from musicrel.experiment.data.critic_data import BACH, Windows
from musicrel.experiment.objectives import objectives
from musicrel.experiment.objectives.critic_objective import Criticism, batch_of
from musicrel.experiment.recipe import recipe
from musicrel.experiment.recipe.recipe import DataPart, MaskingPart, ModelPart, Recipe, TrainingPart
from musicrel.experiment.training.train import train
from musicrel.generation.candidates.critic import as_heard
from musicrel.model import checkpoint
from musicrel.model.families import critic
from musicrel.model.families.model_families import build
from musicrel.tokens.vocabulary import ARTICULATED, MASK
from tests.helpers.models import make_loud
from tests.helpers.music import random_chorale

STEPS = 48


@pytest.fixture
def few(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Two of Bach's pieces in each split, and two by chance of each of two kinds."""
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
    path.write_bytes(archive.pack(others))
    return f"critic:{path}"


def plan(source: str) -> Recipe:
    """Four steps of four windows of up to 48 steps."""
    return Recipe(
        name="tiny",
        model=ModelPart(
            scheme="relative", family="critic", width=16, layers=1, heads=2, feedforward=32
        ),
        data=DataPart(source=source, conditions=("beat",), condition_dropout=0, window=4 * STEPS),
        masking=MaskingPart(mode="token", rate=0.5, rates="uniform", mixed=False),
        training=TrainingPart(steps=4, batch=4, warmup_steps=1, evaluate_every=2),
    )


def criticism(source: str) -> Criticism:
    found = objectives.of(plan(source), dataset.load(source))
    assert isinstance(found, Criticism)
    return found


def test_opponents_are_read_beside_bach(few: str) -> None:
    """By split; the sum is of both files."""
    loaded = dataset.load(few)
    assert [piece.title for piece in loaded.others["test"]] == ["JS Fakes", "vanilla"] * 2
    assert loaded.sizes == dict.fromkeys(SPLITS, 2)
    assert loaded.sha256 != dataset.load("chorales").sha256


def test_missing_opponents_are_a_sentence_with_the_command(tmp_path: Path) -> None:
    """That makes them."""
    with pytest.raises(FileError, match=r"make them with python -m training\.opponents"):
        dataset.load(f"critic:{tmp_path / 'none.npz'}")
    (tmp_path / "bad.npz").write_bytes(b"no archive")
    with pytest.raises(FileError, match="damaged"):
        dataset.load(f"critic:{tmp_path / 'bad.npz'}")


def test_half_of_every_batch_is_bach_and_steps_are_repeatable(few: str) -> None:
    """Nothing but the seed and the number of the step decides."""
    batch, again = criticism(few).at(3), criticism(few).at(3)
    assert batch.targets_BT[:, 0].tolist() == [critic.BACH + 1, critic.OTHER + 1] * 2
    assert torch.equal(batch.ids_BT, again.ids_BT)
    assert batch.ids_BT.shape[1] in (4 * 32, 4 * 48)
    assert batch.conditions_BTC.shape == (*batch.ids_BT.shape, 1)


def test_notes_are_hidden_in_training_and_never_when_measured(few: str) -> None:
    """As the recipe's masking says."""
    objective = criticism(few)
    assert (objective.at(0).ids_BT == MASK).any()
    measured = batch_of(list(objective.windows("valid")), ("beat",))
    assert not (measured.ids_BT == MASK).any()


def test_splits_are_measured_with_the_same_windows_every_time(few: str) -> None:
    """As many by Bach as not; a kind is measured by itself, from test."""
    objective = criticism(few)
    windows = list(objective.windows("valid"))
    assert objective.count("valid") == len(windows)
    assert sum(window.is_bach for window in windows) == len(windows) / 2
    again = objective.windows("valid")
    assert all(a.piece == b.piece for a, b in zip(windows, again, strict=True))
    assert objective.further == (BACH, "JS Fakes", "vanilla", *CORRUPTIONS)
    assert {window.kind for window in objective.windows("vanilla")} == {"vanilla"}
    assert {window.kind for window in objective.windows("parallels")} == {"parallels"}


def test_the_choice_of_a_kind_has_chances_of_its_own(
    few: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else windows that are damaged would be damaged otherwise than by chance."""
    objective = criticism(few)
    chosen, drawn = [], []
    opponent, draw = Windows.opponent, Windows.draw

    def choosing(windows: Windows, rng: np.random.Generator) -> str:
        chosen.append(rng.bit_generator.state["state"]["state"])
        return opponent(windows, rng)

    def drawing(
        windows: Windows, kind: str, steps: int, rng: Any, index: int
    ) -> critic_data.Judged:
        drawn.append(rng.bit_generator.state["state"]["state"])
        return draw(windows, kind, steps, rng, index)

    monkeypatch.setattr(Windows, "opponent", choosing)
    monkeypatch.setattr(Windows, "draw", drawing)
    assert len(list(objective.windows("valid"))) == 2 * len(chosen) == len(drawn)
    assert not set(chosen) & set(drawn)


def test_no_held_out_window_is_of_a_piece_learned_from(few: str) -> None:
    """Bach made worse is made of the same split."""
    held = bundled.load_all()["test"]
    for window in criticism(few).windows("bars swapped"):
        bars = {bar.tobytes() for bar in window.piece.pitches.reshape(-1, 4)}
        assert any(bars <= {step.tobytes() for step in piece.pitches} for piece in held)


def test_its_loss_and_whether_it_is_right_are_told(few: str) -> None:
    """Of every window, with its kind; the model is in the mode it was in."""
    torch.manual_seed(0)
    objective, model = criticism(few), build(plan(few).config())
    make_loud(model)
    found = jobs.run(objective.evaluate(model, "valid", ("beat",)))
    assert model.training
    assert [piece.title for piece in found.pieces] == [
        window.kind for window in objective.windows("valid")
    ]
    model.eval()
    batch = batch_of(list(objective.windows("valid")), ("beat",))
    with torch.inference_mode():
        logits = model(batch.ids_BT, batch.conditions_BTC).logits_BTV[:, 0].double()
    expected = -torch.log_softmax(logits, -1).gather(1, batch.targets_BT - 1)[:, 0]
    assert [piece.nats for piece in found.pieces] == pytest.approx(expected.tolist(), abs=1e-5)
    right = (logits.argmax(-1) + 1 == batch.targets_BT[:, 0]).tolist()
    assert [piece.right for piece in found.pieces] == right


def test_repeated_notes_are_heard_as_held_ones() -> None:
    """Not all music tells them apart; START and END are not heard."""
    piece = Chorale.of([[72, 67, 64, 48]] * 4, onsets=np.ones((4, 4), dtype=bool))
    ids, rows = as_heard(piece, ("beat",))
    held = [ARTICULATED.first_hold + pitch - 36 for pitch in (72, 67, 64, 48)]
    assert ids[4:8].tolist() == held
    assert rows[::4, 0].tolist() == [1, 2, 3, 4]


def test_windows_begin_on_a_beat(few: str) -> None:
    """Whatever the pickup."""
    piece = replace(random_chorale(1, 90, margin=3), pickup=6)
    windows = Windows([piece], [replace(piece, title="x")], transpose=False)
    for seed in range(10):
        drawn = windows.draw(BACH, 32, np.random.default_rng(seed)).piece
        assert drawn.steps == 32
        assert drawn.pickup % 4 == 0
    del few


def test_a_short_piece_is_heard_whole() -> None:
    """And nothing is made up behind it."""
    piece = random_chorale(1, 20)
    windows = Windows([piece], [replace(piece, title="x")], transpose=False)
    assert windows.draw(BACH, 32, np.random.default_rng(0)).piece == piece


def test_without_opponents_there_is_nothing_to_tell_apart() -> None:
    """A sentence."""
    with pytest.raises(DataError, match="needs pieces by Bach and by others"):
        Windows([random_chorale(0)], [], transpose=True)


def test_a_run_ends_with_a_model_and_a_figure_for_each_kind(few: str, tmp_path: Path) -> None:
    """Trained, measured and stored like every other."""
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
        ({"condition_dropout": 0.1}, "is always told the beat: set condition_dropout = 0.0"),
        ({"unhinted": 0.5}, "unhinted is 0.5 and does nothing for family 'critic'"),
        ({"first_window": 64, "curriculum_steps": 9}, "from the first step on: set first_window"),
        ({"buckets": 8}, "windows of one length in each step: set buckets = 1"),
    ],
)
def test_what_a_critic_cannot_hear_is_refused(part: dict[str, Any], sentence: str) -> None:
    """In one sentence."""
    good = plan("critic:x.npz")
    with pytest.raises(UsageError, match=re.escape(sentence)):
        replace(good, data=replace(good.data, **part))


def test_the_shipped_recipe_says_where_its_opponents_are() -> None:
    """Where the script puts them."""
    assert recipe.load("critic").data.source == f"critic:{critic_data.OPPONENTS}"
