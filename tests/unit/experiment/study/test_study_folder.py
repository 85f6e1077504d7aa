"""Studies that are renamed, archived and deleted, and come back."""

from __future__ import annotations

import errno
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pytest

from musicrel.errors import FileError, UsageError
from musicrel.experiment.runners import runner_choice
from musicrel.experiment.runners.runner_choice import RunnerChoice
from musicrel.experiment.runs import child_process
from musicrel.experiment.runs.folder_lock import writer_lock
from musicrel.experiment.study import definition, study, study_folder, study_text
from musicrel.experiment.study.run_watch import RunStatus
from musicrel.experiment.study.study_status import State, StudyStatus


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MUSICREL_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def status(folder: Path, state: State) -> StudyStatus:
    return StudyStatus(folder=folder, name=folder.name, kind="study", state=state)


def made(folder: Path) -> Path:
    definition.create(folder, study.load("smoke"))
    return folder


def content(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_a_deleted_study_is_kept_in_the_trash_and_comes_back(home: Path) -> None:
    folder = made(home / "runs" / "mine")
    before = content(folder)

    deleted = study_folder.move(folder, "delete")

    assert (deleted.folder.parent, folder.exists()) == (home / "trash" / "studies", False)
    assert study_folder.known_folders() == []
    assert study_folder.restore(deleted).folder == folder
    assert content(folder) == before
    assert study_folder.known_folders() == [folder]


def test_a_restored_study_gets_a_number_if_its_name_is_taken(home: Path) -> None:
    deleted = study_folder.move(made(home / "runs" / "mine"), "delete")
    made(home / "runs" / "mine")

    assert study_folder.restore(deleted).folder == home / "runs" / "mine-2"


def test_an_archived_study_is_known_and_does_not_start(home: Path) -> None:
    archived = study_folder.move(made(home / "runs" / "mine"), "archive").folder

    assert study_folder.known_folders() == [archived]
    assert study_folder.is_archived(archived)
    queued = status(archived, "queued")
    assert study_text.oldest_queued([queued]) is None
    assert study_text.state_text(queued).endswith(" · archived")
    assert study_folder.move(archived, "unarchive").folder == home / "runs" / "mine"


def test_a_study_is_renamed_with_its_folder(home: Path, tmp_path: Path) -> None:
    renamed = study_folder.move(made(home / "runs" / "mine"), "rename", " Night 2 ").folder
    elsewhere = made(tmp_path / "disk" / "mine")
    study_folder.remember(elsewhere)

    study_folder.move(elsewhere, "rename", "yours")

    assert renamed == home / "runs" / "Night 2"
    assert definition.read(renamed).name == "smoke"
    assert {*study_folder.known_folders()} == {renamed, tmp_path / "disk" / "yours"}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "'' is no name for a folder: expected letters"),
        ("a/b", "'a/b' is no name for a folder"),
        ("other", "there is a study other already: choose another name"),
    ],
)
def test_a_name_that_cannot_be_given_is_refused(home: Path, name: str, message: str) -> None:
    folder = made(home / "runs" / "mine")
    made(home / "runs" / "other")

    with pytest.raises(UsageError, match=message):
        study_folder.move(folder, "rename", name)
    assert folder.is_dir()


@pytest.mark.parametrize("run", ["", "runs/relative-seed0"])
def test_a_study_that_runs_stays(home: Path, run: str) -> None:
    folder = made(home / "runs" / "mine")

    with writer_lock(folder / run), pytest.raises(FileError, match="mine is running: stop it fir"):
        study_folder.move(folder, "delete")
    assert folder.is_dir()


def test_a_study_is_moved_to_another_disk(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = made(home / "runs" / "mine")
    before = content(folder)

    def not_here(*_: Path) -> Path:
        raise OSError(errno.EXDEV, "Invalid cross-device link")

    monkeypatch.setattr(Path, "rename", not_here)

    deleted = study_folder.move(folder, "delete")

    assert not folder.exists()
    assert content(deleted.folder) == before


def test_the_reason_against_moving_names_what_to_do() -> None:
    now, run = (
        status(Path("a"), "running"),
        RunStatus(arm="a", seed=0, folder=Path(), state="paused"),
    )
    assert study_text.fixed_reason(now) == "The study is running: stop it first"
    assert study_text.fixed_reason(status(Path("a"), "finished")) == ""
    orphaned = replace(now, state="crashed", runs=(run,))
    assert study_text.fixed_reason(orphaned).startswith("A run of the study is running")


def test_a_study_is_started_with_its_runner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[list[str]] = []

    def start(_: Path, options: tuple[str, ...], __: object) -> NoReturn:
        asked.append([*options])
        raise OSError

    monkeypatch.setattr(child_process, "start", start)
    definition.create(tmp_path, study.load("smoke"))
    runner_choice.write(tmp_path, RunnerChoice(jobs=3))
    for one in (tmp_path, tmp_path / "runs" / "vanilla-seed0"):
        with pytest.raises(FileError, match="cannot resume"):
            study_folder.launch(one, "cpu")
    assert asked == [["--jobs", "3", "--device", "cpu"], ["--device", "cpu"]]
