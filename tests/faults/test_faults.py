"""Mutations of every format are read, or refused with a sentence, in time and in bounds.

``python -m tests.faults --count 1000000`` reads a million.
"""

from __future__ import annotations

import logging
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from musicrel import jobs
from musicrel.cli.main import main
from musicrel.errors import MusicrelError
from musicrel.experiment.runners import run_host, runner_choice
from musicrel.experiment.runners.run_host import Changes, RunHost
from musicrel.experiment.runners.runner_choice import RunnerChoice
from musicrel.experiment.runs import run_control
from musicrel.experiment.runs.event_log import EventLog
from musicrel.experiment.runs.folder_lock import writer, writer_lock
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.experiment.study import definition, study, study_folder
from musicrel.experiment.training.train import train
from tests.faults import campaign, formats, mutation
from tests.faults.planted import FILES, PLANTED, Victim, plant
from tests.helpers.models import tiny_model_directory
from tests.helpers.music import tiny_data
from tests.helpers.recipes import tiny_recipe
from tests.helpers.runs import run

FEW, MANY = 4, 910
"""Files of each of the formats: about a hundred, and 20,000."""


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    logging.disable()
    yield
    logging.disable(logging.NOTSET)


def faults(numbers: range, seed: int, folder: Path) -> list[str]:
    with campaign.sockets_opened() as used:
        *_, found = campaign.run(formats.FORMATS, numbers, seed, folder)
    assert found.files == len(numbers) * len(formats.FORMATS)
    assert found.growth <= campaign.MAX_GROWTH
    return [*found.faults, *used]


def test_a_few_mutations_of_every_format_are_handled(tmp_path: Path) -> None:
    assert faults(range(FEW), 1, tmp_path) == []


@pytest.mark.timeout(1200)
def test_many_mutations_of_every_format_are_handled(tmp_path: Path) -> None:
    assert faults(range(MANY), 0, tmp_path) == []


def test_a_mutation_is_repeated_by_its_seed() -> None:
    content = b'{"steps": 16, "title": "Air"}'
    once, again, other = (
        mutation.mutated(content, content, np.random.default_rng(seed)) for seed in (1, 1, 2)
    )
    assert once == again != other
    assert once != content


def test_errors_of_parsers_are_faults(tmp_path: Path) -> None:
    """The campaign would find one; a message with a control character is one, too."""

    def fail(content: bytes, _folder: Path) -> object:
        return None if content == b"[]" else content.decode()

    broken = formats.Format(lambda _: [b"[]"], fail, lambda *_: b"\xff")
    *_, found = campaign.run({"broken": broken}, range(2), 0, tmp_path)

    assert len(found.faults) == 2
    assert found.faults[1].startswith("broken 1: UnicodeDecodeError")


pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes in folders"),
    pytest.mark.timeout(120),
]
each_kind = pytest.mark.parametrize("kind", PLANTED)
IN_PLACE = ("writer.lock", "writer.alive", "events.jsonl")
"""Files that a run writes in place."""


@pytest.fixture
def victim(tmp_path: Path) -> Victim:
    return Victim(tmp_path / "home")


@pytest.fixture(scope="module")
def stopped(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    folder = tmp_path_factory.mktemp("stopped")
    source = tiny_data(folder / "tiny.json")
    run(tiny_recipe(source), folder / "run", stop_at=6)
    return folder / "run", source


@each_kind
@pytest.mark.parametrize("name", FILES)
def test_a_run_is_resumed(
    tmp_path: Path, stopped: tuple[Path, str], victim: Victim, name: str, kind: str
) -> None:
    folder = shutil.copytree(stopped[0], tmp_path / "run")
    plant(folder, name, kind, victim)

    problem = ""
    try:
        jobs.run(train(tiny_recipe(stopped[1]), folder, resume=True))
    except MusicrelError as reason:
        problem = str(reason)
    is_replaced = kind == "hard link" and name not in IN_PLACE
    assert str(folder) in problem or is_replaced or name == "recipe.toml"
    assert victim.is_whole()


def _study(folder: Path) -> None:
    definition.create(folder, study.load("smoke"))


STUDY_FILES = (
    "writer.lock", "events.jsonl", "results.json", "report.md", "study.json", "runs",
    "runs/vanilla-seed0", "runs/vanilla-seed0/log.txt", "runs/vanilla-seed0/run.json",
)  # fmt: skip


@pytest.mark.parametrize("kind", [kind for kind in PLANTED if kind != "hard link"])
@pytest.mark.parametrize("name", STUDY_FILES)
def test_a_study_is_neither_resumed_nor_reported(
    tmp_path: Path, victim: Victim, name: str, kind: str
) -> None:
    folder = tmp_path / "study"
    _study(folder)
    plant(folder, name, kind, victim)

    for how in ("--resume", "--report"):
        assert main(["compare", "--out", str(folder), how]) in (1, 2)
    assert victim.is_whole()


def _locked(folder: Path) -> None:
    with writer_lock(folder):
        pass


WRITERS: dict[str, tuple[str, Callable[[Path], object]]] = {
    "a request": ("control.jsonl", lambda folder: run_control.send_request(folder, "stop")),
    "a request to a study": (
        "control.jsonl",
        lambda folder: study_folder.send_request(folder, "stop"),
    ),
    "an event": ("events.jsonl", lambda folder: EventLog(folder / "events.jsonl").append({})),
    "a repair": ("events.jsonl", lambda folder: EventLog(folder / "events.jsonl").repair()),
    "a flush": ("events.jsonl", lambda folder: EventLog(folder / "events.jsonl").sync()),
    "the log of a process": (
        "log.txt",
        lambda folder: study_folder.launch(folder, "cpu", ("true",)),
    ),
    "lines of a node": (
        "events.jsonl",
        lambda folder: run_host.apply(
            folder, Changes(lines={"events.jsonl": (0, b"{}\n")}, files={}, removed=())
        ),
    ),
    "the lock": ("writer.lock", _locked),
    "the sign of life": ("writer.alive", _locked),
}


@each_kind
@pytest.mark.parametrize("name", WRITERS)
def test_a_file_that_is_written_in_place(
    tmp_path: Path, victim: Victim, name: str, kind: str
) -> None:
    file, write = WRITERS[name]
    _study(tmp_path / "study")
    plant(tmp_path / "study", file, kind, victim)

    if name == "a repair" and kind == "link to a new file":
        write(tmp_path / "study")  # there is nothing to repair
    else:
        with pytest.raises(MusicrelError, match=r"link|device|pipe"):
            write(tmp_path / "study")
    assert victim.is_whole()


@each_kind
def test_a_folder_in_which_a_run_or_study_begins(tmp_path: Path, victim: Victim, kind: str) -> None:
    (tmp_path / "new").mkdir()
    plant(tmp_path / "new", "run.json", kind, victim)
    plant(tmp_path / "new", "study.json", kind, victim)
    writers: tuple[Callable[[], object], ...] = (
        lambda: RunFolder(tmp_path / "new").create(""),
        lambda: _study(tmp_path / "new"),
        lambda: runner_choice.write(tmp_path / "new", RunnerChoice()),
    )
    for write in writers:
        if kind != "hard link":
            with pytest.raises(MusicrelError, match="is a link, a device or a pipe: put"):
                write()
    assert victim.is_whole()


@each_kind
def test_requests_that_a_cluster_passes_on(tmp_path: Path, victim: Victim, kind: str) -> None:
    host = RunHost(("true",))
    host.start(str(tmp_path), (), None)
    plant(tmp_path, "control.jsonl", kind, victim)

    assert "cannot write" in host.report(b'{"wish": "stop"}\n').problem
    host.close()
    assert victim.is_whole()


def test_a_run_behind_a_link_gets_no_request(tmp_path: Path) -> None:
    _study(tmp_path / "study")
    (tmp_path / "mine").mkdir()
    with writer_lock(tmp_path / "mine"):
        shutil.rmtree(tmp_path / "study/runs/vanilla-seed0")
        (tmp_path / "study/runs/vanilla-seed0").symlink_to(tmp_path / "mine")

        study_folder.send_request(tmp_path / "study", "cancel")

    assert not (tmp_path / "mine/control.jsonl").exists()
    assert writer(tmp_path / "mine") is None


@pytest.mark.parametrize("kind", [kind for kind in PLANTED if kind != "hard link"])
def test_means_are_not_stored_in_a_model_with_links(
    tmp_path: Path, victim: Victim, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tiny_model_directory(tmp_path / "tiny")
    plant(folder, "head_means.safetensors", kind, victim)

    words = ["ablate", "means", "--model", str(folder), "--store", str(folder)]

    assert main(words) == 1
    assert "is a link, a device or a pipe: put" in capsys.readouterr().err
    assert victim.is_whole()
