"""The command line with a tiny model that it trains; in a separate process if that matters."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import IO, Any

import pytest

from musicrel import paths
from musicrel.chorale import Chorale
from musicrel.cli.main import main
from musicrel.experiment.recipe import recipe

Answer = subprocess.CompletedProcess[str]


def process(*words: object, home: Path | None = None) -> Answer:
    environment = {**os.environ, "NO_COLOR": "1"}
    environment.pop("QT_QPA_PLATFORM", None)
    environment.pop("DISPLAY", None)
    environment.pop("WAYLAND_DISPLAY", None)
    if home is not None:
        environment["MUSICREL_HOME"] = str(home)
    command = [sys.executable, "-m", "musicrel", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Train a run by the command; its standard output is in a file beside it."""
    folder = tmp_path_factory.mktemp("training") / "run"
    answer = process("train", "--recipe", "tiny", "--out", folder, "--events", "-")
    assert answer.returncode == 0, answer.stderr
    folder.with_name("output").write_text(answer.stdout, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def model(run: Path) -> Path:
    return run / "model"


def test_train_prints_each_event_as_a_json_line(run: Path) -> None:
    printed = run.with_name("output").read_text(encoding="utf-8")

    events = [json.loads(line) for line in printed.splitlines()]
    assert [event["event"] for event in events[:2]] == ["TrainStarted", "TrainStep"]
    stored = (run / "events.jsonl").read_text(encoding="utf-8").splitlines()
    assert events == [json.loads(line) for line in stored]


def test_train_refuses_a_folder_that_holds_a_run(
    model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "--recipe", "tiny", "--out", str(model.parent)]) == 2
    assert "already holds a run: resume it with --resume" in capsys.readouterr().err


def test_evaluate_prints_the_loss_and_the_conditions(
    model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--model", str(model), "--split", "valid", "--given", "voice,beat", "--json"]
    assert main(["evaluate", *words]) == 0

    found = json.loads(capsys.readouterr().out)
    assert found["conditions"] == ["voice", "beat"]
    assert found["pieces"] == len(found["per_piece"])
    total = sum(piece["nats"] for piece in found["per_piece"])
    assert found["nats_per_note"] == pytest.approx(total / found["notes"])
    card = json.loads((model / "card.json").read_text(encoding="utf-8"))
    assert found["nats_per_note"] == pytest.approx(card["valid_nats_per_note"], abs=1e-5)


def test_a_process_ends_with_the_sentence_and_its_code(tmp_path: Path) -> None:
    answer = process("generate", "--model", "nobody", "--out", tmp_path / "x")
    assert answer.returncode == 1
    assert "no model 'nobody'" in answer.stderr
    assert "Traceback" not in answer.stderr


def test_without_a_display_a_message_is_printed_and_a_chorale_is_written(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "home" / "models").mkdir(parents=True)
    (tmp_path / "home" / "models" / "relative").symlink_to(model)
    monkeypatch.chdir(tmp_path)

    answer = process(home=tmp_path / "home")

    assert answer.returncode == 0, answer.stderr
    assert "no display" in answer.stderr
    piece = Chorale.read(tmp_path / "musicrel-first-piece" / "chorale-0.mid")
    assert piece.steps == 8 * piece.meter.steps


VERSION = """
import contextlib, sys
from musicrel.cli.main import main
with contextlib.redirect_stdout(sys.stderr), contextlib.suppress(SystemExit):
    main(["--version"])
"""
HELP_OF_ALL = """
import contextlib, sys
from musicrel.cli.main import COMMANDS, main
for name in COMMANDS:
    with contextlib.redirect_stdout(sys.stderr), contextlib.suppress(SystemExit):
        main([name, "--help"])
"""


@pytest.mark.parametrize(
    ("code", "costly"),
    [
        ("import musicrel", {"torch", "numpy"}),
        (VERSION, {"torch", "numpy"}),
        (HELP_OF_ALL, {"torch", "numba", "PySide6"}),
    ],
    ids=["the package", "the versions", "the help of all commands"],
)
def test_imports_are_cheap(code: str, costly: set[str]) -> None:
    code += f"\nimport sys; print(sorted({costly} & set(sys.modules)))"
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert answer.stdout.strip() == "[]"


def test_the_bundled_pair_was_trained_alike() -> None:
    """Same data, steps, tokens and size: otherwise the two could not be compared."""
    cards = [catalogue_card(name) for name in ("vanilla", "relative")]

    for what in ("parameters", "data", "conditions"):
        assert cards[0].get(what) == cards[1].get(what)
    for what in ("step", "tokens"):
        assert cards[0]["training"][what] == cards[1]["training"][what]
    init_from = [card["recipe"]["training"].pop("init_from") for card in cards]
    assert init_from == ["vanilla-base", "relative-base"]
    assert cards[0]["recipe"]["training"] == cards[1]["recipe"]["training"]
    bases = [recipe.load(f"{name}-base") for name in ("vanilla", "relative")]
    assert bases[0].training == bases[1].training
    assert bases[0].data == bases[1].data
    assert cards[0]["recipe"]["data"] == cards[1]["recipe"]["data"]


def catalogue_card(name: str) -> Any:
    return json.loads((paths.assets() / "models" / name / "card.json").read_text(encoding="utf-8"))


def printing_into(output: IO[str] | int) -> Answer:
    command = [sys.executable, "-m", "musicrel", "models"]
    return subprocess.run(command, stdout=output, stderr=subprocess.PIPE, text=True, check=False)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a full device is Linux's")
def test_a_full_disk_behind_the_output_is_one_sentence() -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        answer = printing_into(full)
    assert answer.returncode == 1
    assert answer.stderr == "musicrel: cannot write the output: No space left on device\n"


@pytest.mark.skipif(os.name == "nt", reason="pipes of Windows report another error")
def test_a_reader_that_has_gone_ends_the_command_quietly() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    answer = printing_into(writer)
    os.close(writer)
    assert (answer.returncode, answer.stderr) == (1, "")
