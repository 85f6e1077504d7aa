"""Files of version 1 are read, its options and JSON keys are kept, its music comes out the same.

``tests/data/version1/README.md`` lists how the files were made. Nothing here is recorded again:
a difference is a change of behaviour. The tests use the command line and the public functions, so
that they do not depend on where a module lies.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from musicrel import Chorale, paths, settings
from musicrel.__main__ import main
from musicrel.experiment.study.study_status import StudyStatus
from musicrel.experiment.study.study_watch import StudyWatch
from musicrel.presentation.compose.form import Form
from musicrel.ui.files import session
from tests.integration.version1_notes import DEFAULTS, KEPT, MOVED, NOTE_FOR_NOTE, RANGES

VERSION1: Final = Path(__file__).parents[1] / "data" / "version1"
COMMANDS: Final = json.loads((VERSION1 / "commands.json").read_text(encoding="utf-8"))
KEYS: Final = json.loads((VERSION1 / "keys.json").read_text(encoding="utf-8"))
LOSSES: Final = json.loads((VERSION1 / "losses.json").read_text(encoding="utf-8"))
PIECES: Final = sorted(file for command in COMMANDS for file in command["files"])
HELP: Final = sorted((VERSION1 / "help").glob("*.txt"))
JSB16: Final = paths.shared_data() / "jsb" / "Jsb16thSeparated.json"

RENAMED: Final = {"--patience": "--quality"}
"""Options of version 1 that are accepted but may be left out of the help, with their successors."""
RENAMED_KEYS: Final = {
    "begins": "init_from", "weighed": "calibration_rounds", "unhinted": "hint_dropout",
}  # fmt: skip
"""Keys of recipes that are printed under their successors only, with these."""
MODELS: Final = {
    name: str(VERSION1 / "models" / name) for name in ("relative", "relative-jsb", "vanilla-jsb")
}
"""The models of version 1 that are kept, by name; the shipped ones are others today."""
LOSS_TOLERANCE: Final = 1e-6
"""Nats per note."""

Capture = pytest.CaptureFixture[str]


def musicrel(*words: object) -> int:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["musicrel", *map(str, words)])
        return main()


def answer(capsys: Capture, *words: object) -> Any:
    code = musicrel(*words)
    printed = capsys.readouterr()
    assert code == 0, printed.err
    return json.loads(printed.out)


def filled(argv: list[str], out: Path) -> list[str]:
    folders = {"{inputs}": VERSION1 / "inputs", "{version1}": VERSION1, "{out}": out}
    words = argv
    for placeholder, folder in folders.items():
        words = [word.replace(placeholder, str(folder)) for word in words]
    return words


def with_defaults(argv: list[str]) -> list[str]:
    """Add the defaults of version 1 to the options of a recorded command, and its models."""
    options = DEFAULTS.get(argv[0], RANGES)
    left_out = [(name, value) for name, value in options.items() if name not in argv]
    words = [*argv, *(word for option in left_out for word in option)]
    return [MODELS.get(word, word) for word in words]


def copied(name: str, folder: Path) -> Path:
    """Copy a recorded file or folder into ``folder``; return the copy."""
    source, target = VERSION1 / name, folder / name
    if source.is_dir():
        shutil.copytree(source, target)
    else:
        shutil.copy(source, target)
    return target


def assert_same_form(found: Chorale, expected: Chorale) -> None:
    assert found.pitches.shape == expected.pitches.shape
    assert np.array_equal(found.fermatas, expected.fermatas)
    assert (found.meter, found.pickup) == (expected.meter, expected.pickup)
    assert found.tempo == expected.tempo


def assert_same_music(found: Chorale, expected: Chorale) -> None:
    assert_same_form(found, expected)
    assert np.array_equal(found.pitches, expected.pitches)
    assert np.array_equal(found.onsets, expected.onsets)
    assert found.key == expected.key


# Files


def test_the_set_is_complete() -> None:
    groups = [file.partition("/")[0] for file in PIECES]
    assert {name: groups.count(name) for name in groups} == {
        "pieces": 20, "harmonisations": 5, "rewrites": 5,
    }  # fmt: skip
    stored = {
        path.relative_to(VERSION1).as_posix()
        for group in set(groups)
        for path in (VERSION1 / group).rglob("*.json")
    }
    assert stored == set(PIECES)


@pytest.mark.parametrize("file", PIECES)
def test_a_piece_is_read_with_its_provenance(file: str) -> None:
    stored = json.loads((VERSION1 / file).read_text(encoding="utf-8"))["provenance"]

    provenance = Chorale.read(VERSION1 / file).provenance

    assert provenance is not None
    assert provenance.model == stored["model"]
    assert provenance.sha256 == stored["sha256"]
    assert provenance.seed == stored["seed"]
    assert provenance.settings["temperature"] == stored["settings"]["temperature"]
    assert provenance.machine == stored["machine"]


@pytest.mark.parametrize("name", ["piece.mid", "piece.musicxml"])
def test_a_score_file_is_read_as_the_piece_it_was_written_from(name: str) -> None:
    expected = Chorale.read(VERSION1 / "pieces" / "relative-phrases.json")

    found = Chorale.read(VERSION1 / name)

    assert_same_music(found, expected)
    assert found.title == expected.title
    assert found.provenance == expected.provenance


def test_the_settings_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUSICREL_HOME", str(tmp_path))
    stored = tomllib.loads(copied("settings.toml", tmp_path).read_text(encoding="utf-8"))
    loaded = settings.load()
    assert {name: getattr(loaded, name) for name in stored} == stored


def test_a_piece_that_a_crash_left_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUSICREL_HOME", str(tmp_path))
    session.folder().mkdir()
    copied("recovered.json", session.folder())

    (identity,) = session.orphans()
    found = session.recover(identity, Form())

    assert found is not None
    state = found.contents.current
    assert state is not None
    assert_same_music(state.piece, Chorale.read(VERSION1 / "pieces" / "relative-phrases.json"))
    assert state.locks[:20, 0].all()
    assert not found.saved
    assert session.orphans() == []


def test_a_card_is_read(tmp_path: Path, capsys: Capture) -> None:
    stored = json.loads(copied("card.json", tmp_path).read_text(encoding="utf-8"))
    shutil.copy(paths.assets() / "models" / "relative" / "model.safetensors", tmp_path)
    found = answer(capsys, "models", tmp_path, "--json")
    assert {name: found[name] for name in stored} == stored


# Runs and studies


def seen(folder: Path) -> StudyStatus:
    return StudyWatch(folder).poll()


def test_a_finished_run_is_read(tmp_path: Path) -> None:
    folder = copied("run", tmp_path)
    result = json.loads((folder / "result.json").read_text(encoding="utf-8"))

    now = seen(folder)

    assert (now.kind, now.state, now.name, now.problem) == ("run", "finished", "small", "")
    run = now.runs[0]
    assert (run.step, len(run.train), len(run.valid)) == (40, 40, 2)
    assert run.valid[-1].nats == result["valid"]
    assert [Chorale.read(run.sample_file(one)).steps for one in run.samples] == [128, 128]
    assert run.result is not None
    assert run.result.test == result["test"]


def test_a_model_of_a_run_is_used(tmp_path: Path, capsys: Capture) -> None:
    words = ("--bars", 1, "--device", "cpu", "--out", tmp_path / "bar.json", "--json")
    found = answer(capsys, "generate", "--model", VERSION1 / "run" / "model", *words)
    assert found["files"] == [str(tmp_path / "bar.json")]


def test_a_killed_run_is_read(tmp_path: Path) -> None:
    now = seen(copied("interrupted", tmp_path))
    assert (now.kind, now.state, now.problem) == ("run", "crashed", "")
    assert now.runs[0].step == 20


def test_a_study_is_read(tmp_path: Path) -> None:
    folder = copied("study", tmp_path)
    stored = json.loads((folder / "results.json").read_text(encoding="utf-8"))

    now = seen(folder)

    assert (now.kind, now.state, now.name, now.problem) == ("study", "finished", "small", "")
    assert [(run.arm, run.seed, run.state) for run in now.runs] == [
        ("vanilla", 0, "finished"),
        ("relative", 0, "finished"),
        ("vanilla", 1, "finished"),
        ("relative", 1, "finished"),
    ]
    assert [run.loss for run in now.runs] == [run["valid"] for run in stored["runs"]]


def numbers(value: object, at: str = "") -> Iterator[tuple[str, object]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            if name not in {"sentence", "measure"}:
                yield from numbers(inner, f"{at}.{name}")
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from numbers(inner, f"{at}[{place}]")
    else:
        yield at, value


def test_the_report_of_a_study_is_written_again(tmp_path: Path, capsys: Capture) -> None:
    """All values of ``results.json`` are equal but for its sentences; there may be new ones.

    A renamed key of a recipe has its new name only.
    """
    folder = copied("study", tmp_path)
    before = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    for name in ("results.json", "report.md", "results.csv", "curves.svg"):
        (folder / name).unlink()

    found = answer(capsys, "compare", "--out", folder, "--report", "--json")

    again = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    known = {today(place): value for place, value in numbers(before)}
    now = dict(numbers(again))
    assert {place: now[place] for place in known} == pytest.approx(known, abs=1e-9)
    assert found == again
    assert (folder / "report.md").is_file()
    assert (folder / "results.csv").is_file()


@pytest.mark.parametrize("name", ["run", "interrupted", "study"])
def test_the_curves_are_drawn(name: str, tmp_path: Path) -> None:
    folder, out = copied(name, tmp_path), tmp_path / "curves.svg"
    assert musicrel("plot", "curves", folder, "--out", out) == 0
    assert "<svg" in out.read_text(encoding="utf-8")


# The command line


def options(text: str) -> set[str]:
    usage = text.partition("\n\n")[0]
    choices = [name for listed in re.findall(r"\{([^}]+)\}", usage) for name in listed.split(",")]
    return {*re.findall(r"--?[a-z][a-z-]*", usage), *choices}


@pytest.mark.parametrize("file", HELP, ids=lambda file: file.stem)
def test_every_option_is_still_listed(
    file: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Options and choices; a renamed option may appear under its new name only."""
    monkeypatch.setenv("COLUMNS", "100")
    words = [] if file.stem == "musicrel" else file.stem.split("-")
    with pytest.raises(SystemExit, match=r"^0$"):
        musicrel(*words, "--help")
    listed = options(capsys.readouterr().out)

    missing = options(file.read_text(encoding="utf-8")) - listed

    assert {name for name in missing if RENAMED.get(name) not in listed} == set()


def today(place: str) -> str:
    before, dot, name = place.rpartition(".")
    return f"{before}{dot}{RENAMED_KEYS.get(name, name)}"


def places(value: object, at: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            place = f"{at}.{name}" if at else name
            yield place
            yield from places(inner, place)
    elif isinstance(value, list):
        for inner in value:
            yield from places(inner, f"{at}[]")


@pytest.mark.parametrize("command", KEYS, ids=lambda command: command["name"])
def test_every_json_key_is_still_printed(
    command: dict[str, Any], tmp_path: Path, capsys: Capture
) -> None:
    copied("study", tmp_path)
    found = answer(capsys, *filled(command["argv"], tmp_path))
    assert {*map(today, command["keys"])} - set(places(found)) == set()


# Results


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command["name"])
def test_a_piece_is_still_written(command: dict[str, Any], tmp_path: Path) -> None:
    name = command["name"]
    assert musicrel(*filled(with_defaults(command["argv"]), tmp_path)) == 0
    for file in command["files"]:
        found, expected = Chorale.read(tmp_path / file), Chorale.read(VERSION1 / file)
        assert_same_form(found, expected)
        kept = KEPT.get(name, (slice(0), slice(0)))
        moved = expected.pitches[kept] + MOVED.get(name, 0)
        assert np.array_equal(found.pitches[kept], moved)
        if name in NOTE_FOR_NOTE:
            assert_same_music(found, expected)
        assert found.provenance is not None
        assert expected.provenance is not None
        assert found.provenance.model == expected.provenance.model
        if "--candidates" not in command["argv"]:  # another candidate may be the best one now
            assert found.provenance.seed == expected.provenance.seed


@pytest.mark.parametrize("name", MODELS)
def test_the_losses_are_the_same(name: str, capsys: Capture) -> None:
    expected = LOSSES[name]
    if expected["data"].startswith("jsb:") and not JSB16.exists():
        pytest.skip("no shared data: the published JSB16 file")
    words = ("--data", expected["data"], "--split", expected["split"], "--given", expected["given"])
    machine = ("--device", "cpu", "--threads", "1")

    found = answer(capsys, "evaluate", "--model", MODELS[name], *words, *machine, "--json")

    assert set(expected) - {"given"} <= set(found)
    for entry in ("pieces", "notes", "unit", "conditions", "model", "vocabulary", "split"):
        assert found[entry] == expected[entry]
    means = {entry: expected[entry] for entry in ("nats_per_note", "end_nats")}
    assert {entry: found[entry] for entry in means} == pytest.approx(means, abs=LOSS_TOLERANCE)
    for piece, stored in zip(found["per_piece"], expected["per_piece"], strict=True):
        same = {key: piece[key] for key in ("index", "title", "notes")}
        assert same == {key: stored[key] for key in same}
        bound = LOSS_TOLERANCE * stored["notes"]
        assert piece["nats"] == pytest.approx(stored["nats"], abs=bound)


def test_a_killed_run_resumes_to_the_same_result(tmp_path: Path) -> None:
    folder = copied("interrupted", tmp_path)
    recipe = folder / "recipe.toml"
    machine = ("--device", "cpu", "--threads", "1")

    assert musicrel("train", "--resume", "--recipe", recipe, "--out", folder, *machine) == 0

    found = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    expected = json.loads((VERSION1 / "run" / "result.json").read_text(encoding="utf-8"))
    assert (found["step"], found["tokens"]) == (expected["step"], expected["tokens"])
    for entry in ("valid", "test"):
        assert found[entry] == pytest.approx(expected[entry], abs=LOSS_TOLERANCE)
    assert seen(folder).state == "finished"
