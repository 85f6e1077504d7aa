"""The command line with a tiny model that it trains; in a separate process if that matters."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from musicrel import paths
from musicrel.chorale import Chorale, Key
from musicrel.cli.main import main
from musicrel.experiment.recipe import recipe
from musicrel.score import files

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


def musicrel(*words: object) -> Answer:
    command, out, err = [*map(str, words)], StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            code = main(command)
        except SystemExit as end:  # argparse refuses the words
            code = int(end.code or 0)
    return Answer(command, code, out.getvalue(), err.getvalue())


def answer_of(*words: object) -> Any:
    answer = musicrel(*words, "--json")
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout)


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


def test_train_refuses_a_folder_that_holds_a_run(model: Path) -> None:
    answer = musicrel("train", "--recipe", "tiny", "--out", model.parent)
    assert answer.returncode == 2
    assert "already holds a run: resume it with --resume" in answer.stderr


def test_generate_writes_the_requested_form(model: Path, tmp_path: Path) -> None:
    out = tmp_path / "piece.mid"
    words = ("--bars", 3, "--meter", "3/4", "--key", "F# minor", "--tempo", 96, "--seed", 5)

    found = answer_of("generate", "--model", model, *words, "--out", out)

    assert found["files"] == [str(out)]
    assert (found["seed"], found["tokens"], found["threads"]) == (5, 3 * 12 * 4, 1)
    piece = files.read(out)
    assert (piece.steps, piece.key, piece.tempo) == (36, Key("F#", "minor"), 96)
    assert piece.provenance is not None
    assert piece.provenance.seed == 5


def test_the_same_seed_gives_the_same_file_and_another_seed_another(
    model: Path, tmp_path: Path
) -> None:
    for name, seed in (("a", 7), ("b", 7), ("c", 8)):
        answer_of(
            "generate", "--model", model, "--bars", 2, "--seed", seed, "--out", tmp_path / name
        )
    first, again, other = ((tmp_path / f"{name}.mid").read_bytes() for name in "abc")
    assert first == again
    assert first != other


def test_count_writes_one_piece_a_seed_in_every_format(model: Path, tmp_path: Path) -> None:
    words = ("--bars", 1, "--seed", 3, "--count", 2, "--format", "mid,json")
    answer_of("generate", "--model", model, *words, "--out", tmp_path / "many")
    names = sorted(path.name for path in (tmp_path / "many").iterdir())
    assert names == ["chorale-3.json", "chorale-3.mid", "chorale-4.json", "chorale-4.mid"]


def test_evaluate_prints_the_loss_and_the_conditions(model: Path) -> None:
    found = answer_of("evaluate", "--model", model, "--split", "valid", "--given", "voice,beat")

    assert found["conditions"] == ["voice", "beat"]
    assert found["pieces"] == len(found["per_piece"])
    total = sum(piece["nats"] for piece in found["per_piece"])
    assert found["nats_per_note"] == pytest.approx(total / found["notes"])
    card = json.loads((model / "card.json").read_text(encoding="utf-8"))
    assert found["nats_per_note"] == pytest.approx(card["valid_nats_per_note"], abs=1e-5)


def test_models_lists_models_of_the_user(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUSICREL_HOME", str(tmp_path))
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "mine").symlink_to(model)

    answer = musicrel("models", "--json")

    listed = {entry["name"]: entry for entry in json.loads(answer.stdout)["models"]}
    assert listed["mine"]["scheme"] == "relative"
    assert listed["mine"]["family"] == "causal"
    assert listed["mine"]["tokens"] == "articulated"
    assert len(listed["mine"]["sha256"]) == 64


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (("--bars", "0"), 2, "bars is 0: expected 1 to 256"),
        (("--key", "H major"), 2, "unknown key 'H major'"),
        (("--phrases", "3,3"), 2, "the phrases have 6 bars"),
        (("--phrases", "3,x"), 2, "phrases are '3,x': expected auto, none or the bars"),
        (("--meter", "4"), 2, "unknown meter '4'"),
        (("--pickup", "16"), 2, "pickup is 16 sixteenths: expected 0 to 15"),
        (("--temperature", "-1"), 2, "temperature is -1.0: expected 0 to 10"),
        (("--top-p", "0"), 2, "top-p is 0.0: expected more than 0"),
        (("--threads", "0"), 2, "threads is 0: expected 1 to 256"),
        (("--device", "abacus"), 2, "unknown device 'abacus'"),
        (("--format", "xyz"), 2, "format 'xyz': expected mid, "),
        (("--format", "mid,"), 2, "format '': expected mid, "),
        (("--seed", "9223372036854775807", "--count", "2"), 2, "seed is 9223372036854775808"),
        (("--count", "0"), 2, "count is 0"),
        (("--model", "nobody"), 1, "no model 'nobody'"),
    ],
)  # fmt: skip
def test_bad_input_gets_one_sentence(
    words: tuple[str, ...], code: int, sentence: str, model: Path, tmp_path: Path
) -> None:
    answer = musicrel("generate", "--model", model, "--out", tmp_path / "x", *words)
    assert answer.returncode == code
    assert sentence in answer.stderr
    assert not list(tmp_path.iterdir())


def test_a_process_ends_with_the_sentence_and_its_code(tmp_path: Path) -> None:
    answer = process("generate", "--model", "nobody", "--out", tmp_path / "x")
    assert answer.returncode == 1
    assert "no model 'nobody'" in answer.stderr
    assert "Traceback" not in answer.stderr


def test_an_output_that_cannot_be_written_is_refused_before_anything_is_computed(
    model: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")

    answer = musicrel("generate", "--model", model, "--out", tmp_path / "file" / "x.mid")

    assert answer.returncode == 1
    assert "cannot write into" in answer.stderr
    assert (tmp_path / "file").read_text(encoding="utf-8") == "in the way"


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


HELP_OF_ALL = """
import contextlib, sys
from musicrel.cli.main import COMMANDS, main
for name in COMMANDS:
    with contextlib.redirect_stdout(sys.stderr), contextlib.suppress(SystemExit):
        main([name, "--help"])
"""


@pytest.mark.parametrize(
    ("code", "costly"),
    [("import musicrel", {"torch", "numpy"}), (HELP_OF_ALL, {"torch", "numba", "PySide6"})],
    ids=["the package", "the help of all commands"],
)
def test_imports_are_cheap(code: str, costly: set[str]) -> None:
    code += f"\nimport sys; print(sorted({costly} & set(sys.modules)))"
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert answer.stdout.strip() == "[]"


def test_models_leaves_out_a_folder_without_weights(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUSICREL_HOME", str(tmp_path))
    (tmp_path / "models" / "half").mkdir(parents=True)
    (tmp_path / "models" / "half" / "card.json").write_bytes((model / "card.json").read_bytes())

    answer = musicrel("models", "--json")

    assert answer.returncode == 0
    assert "skipped: " in answer.stderr
    assert "half" not in {entry["name"] for entry in json.loads(answer.stdout)["models"]}


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


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a full device is Linux's")
def test_a_full_disk_behind_the_output_is_one_sentence() -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        answer = subprocess.run(
            [sys.executable, "-m", "musicrel", "models"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert answer.returncode == 1
    assert answer.stderr == "musicrel: cannot write the output: No space left on device\n"


@pytest.mark.skipif(os.name == "nt", reason="pipes of Windows report another error")
def test_a_reader_that_has_gone_ends_the_command_quietly() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    answer = subprocess.run(
        [sys.executable, "-m", "musicrel", "models"],
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(writer)
    assert (answer.returncode, answer.stderr) == (1, "")
