"""``musicrel evaluate``, and the arguments that all computing commands share."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from musicrel.cli.main import main
from musicrel.model.card import read_card
from tests.helpers.models import tiny_model_directory


def test_the_counting_baseline_has_no_loss_of_the_end(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It counts notes only; null is not zero."""
    assert main(["evaluate", "--model", "counts", "--split", "valid", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)

    assert found["end_nats"] is None
    assert found["unit"] == "nats/note"
    assert found["data"] == "chorales"


def test_a_model_in_a_folder_has_the_name_of_its_card(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The folder of a run's model is called model."""
    folder = tiny_model_directory(tmp_path / "model")

    assert main(["evaluate", "--model", str(folder), "--split", "valid", "--json"]) == 0

    assert json.loads(capsys.readouterr().out)["model"] == read_card(folder).name != "model"


@pytest.mark.parametrize("command", ["train --recipe tiny", "compare --study smoke", "diagnose"])
@pytest.mark.parametrize("threads", ["0", "-1", "257", "two"])
def test_impossible_threads_are_refused_before_anything_is_written(
    command: str, threads: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """In one sentence, as all numbers."""
    assert main([*command.split(), f"--threads={threads}"]) == 2

    name = command.split(maxsplit=1)[0]
    expected = f"musicrel {name}: threads is {threads}: expected 1 to 256\n"
    assert capsys.readouterr().err == expected
