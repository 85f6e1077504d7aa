"""Studies and runs as they are seen by whoever only reads their folders."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from musicrel.errors import FileError, ModelError
from musicrel.experiment.runs import child_process, run_control
from musicrel.experiment.runs.event_log import EventLog
from musicrel.experiment.runs.folder_lock import WriterLock
from musicrel.experiment.study import estimate, launcher, results, study, study_folder
from musicrel.experiment.study.run_watch import RunWatch
from musicrel.experiment.study.study_watch import StudyWatch, state
from musicrel.experiment.training import install_model
from musicrel.model.card import WEIGHTS
from musicrel.presentation.study import study_text
from tests.helpers.models import tiny_model_directory


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own folder, empty."""
    monkeypatch.setenv("MUSICREL_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def begun(name: str = "smoke") -> Path:
    """A study in the user's folder, its two runs waiting."""
    folder = study_folder.free(name)
    results.begin(folder, study.load("smoke"))
    return folder


def step(number: int, nats: float = 2.0) -> dict[str, Any]:
    """A line of a run."""
    return {
        "event": "TrainStep", "step": number, "tokens": 10 * number, "progress": number / 10,
        "nats": nats, "gradient_norm": 1.0, "rate": 0.1, "tokens_per_second": 5.0,
        "seconds": 2.0 * number, "memory": 7,
    }  # fmt: skip


def started(number: int = 0) -> dict[str, Any]:
    """The line with which a run begins or goes on."""
    return {"event": "TrainStarted", "step": number, "parameters": 9, "tokens": 0, "notes": []}


def evaluated(number: int, valid: float) -> dict[str, Any]:
    """The line of an evaluation."""
    return {"event": "TrainEvaluated", "step": number, "tokens": 0, "valid": valid, "best": valid}


def write(folder: Path, *lines: dict[str, Any]) -> None:
    """Add lines to a run."""
    for line in lines:
        EventLog(folder / "events.jsonl").append(line)


def finish(run: Path, **values: Any) -> None:
    """Let a run be finished."""
    result = {
        "finished": True, "step": 10, "tokens": 100, "seconds": 20.0, "valid": 2.0, "test": 2.0,
        "parameters": 58_049, "test_pieces": [
            {"index": 0, "title": "a", "nats": 10.0, "notes": 4, "end_nats": 0.0}
        ],
    }  # fmt: skip
    (run / "result.json").write_text(json.dumps(result | values))


def test_run_is_read_along_line_by_line() -> None:
    """What was seen before is not read again; nothing new gives the same object."""
    run = begun() / "runs/vanilla-seed0"
    watch = RunWatch(run, "vanilla", 0)
    write(run, started(), step(1), step(2), evaluated(2, 2.5))
    now = watch.look(thoroughly=True)
    assert (now.step, now.parameters, now.progress, now.loss) == (2, 9, 0.2, 2.5)
    assert watch.look(thoroughly=False) is now

    write(run, {"event": "TrainEvaluating", "step": 2, "split": "valid", "given": [], "done": 1,
                "pieces": 3})  # fmt: skip
    assert watch.look(thoroughly=False).evaluating == ("valid", 1, 3)


def test_steps_that_are_made_again_are_seen_once() -> None:
    """After a death, and after a loss that exploded, of which the user is told."""
    run = begun() / "runs/vanilla-seed0"
    write(run, started(), step(1), step(2), evaluated(2, 2.5), step(3), started(1), step(2, 9.0))
    watch = RunWatch(run, "vanilla", 0)
    now = watch.look(thoroughly=True)
    assert [(point.step, point.nats) for point in now.train] == [(1, 2.0), (2, 9.0)]
    assert now.valid == ()

    write(run, {"event": "TrainRolledBack", "step": 1, "exploded": 2, "reason": "no number",
                "rate_factor": 0.5, "count": 1})  # fmt: skip
    now = watch.look(thoroughly=True)
    assert [point.step for point in now.train] == [1]
    assert now.remarks == ("no number: went on from step 1 with 0.5 of the rate",)


def test_run_that_was_begun_anew_is_read_anew() -> None:
    """Its file has become shorter."""
    run = begun() / "runs/vanilla-seed0"
    write(run, started(), step(1), step(2))
    watch = RunWatch(run, "vanilla", 0)
    watch.look(thoroughly=True)
    (run / "events.jsonl").unlink()
    write(run, started())

    assert watch.look(thoroughly=True).train == ()


def test_small_pieces_lie_in_the_folder_of_the_run() -> None:
    """Wherever a line says they do."""
    run = begun() / "runs/vanilla-seed0"
    write(run, {"event": "TrainSampled", "step": 4, "file": "../../x.json", "nats_per_note": 1.0})

    (sample,) = RunWatch(run, "vanilla", 0).look(thoroughly=True).samples
    assert sample.file == run / "samples/x.json"


def test_study_is_watched_from_its_beginning_to_its_end() -> None:
    """Queued, running, failed with its sentence, finished with its verdict."""
    folder = begun()
    clock = [0.0]
    watch = StudyWatch(folder, clock=lambda: clock[0])

    def look() -> str:
        clock[0] += 2
        return watch.look().state

    assert look() == "queued"
    with WriterLock(folder):
        write(folder, {"event": "StudyStarted"})
        assert look() == "running"
        write(folder, {"event": "StudyPaused"})
        assert look() == "paused"
    assert look() == "crashed"
    (folder / child_process.LOG).write_text(
        "a note\nmusicrel compare: the disk is full; make room\n"
    )
    assert (look(), watch.look().problem) == ("failed", "the disk is full; make room")
    for run in (folder / "runs").iterdir():
        finish(run)
    assert look() == "failed"
    (sentence,) = watch.look().verdicts
    assert "no difference" in sentence


def test_study_of_another_version_is_said_to_be_unreadable() -> None:
    """One sentence; nothing is raised."""
    folder = begun()
    (folder / results.ABOUT).write_text('{"format": "musicrel-study", "version": 99}')
    now = StudyWatch(folder).look()

    assert (now.state, state(folder, "study")) == ("unreadable", "unreadable")
    assert "update musicrel" in now.problem


def test_damaged_results_make_a_study_unreadable_and_nothing_else() -> None:
    """Whatever stands in the file, looking raises nothing; mended, the study is read again."""
    folder = begun()
    for run in (folder / "runs").iterdir():
        finish(run)
    (folder / results.RESULTS).write_text('{"runs": []}')
    clock = [0.0]
    watch = StudyWatch(folder, clock=lambda: clock[0])
    now = watch.look()

    assert now.state == "unreadable"
    assert "damaged, or of another version" in now.problem


def test_run_of_an_older_version_makes_its_study_unreadable() -> None:
    """Its figures may mean something else."""
    folder = begun()
    for run in (folder / "runs").iterdir():
        finish(run)
        (run / "recipe.toml").write_text("")
        (run / "run.json").write_text('{"format": "musicrel-run", "version": 1}')
    now = StudyWatch(folder).look()

    assert now.state == "unreadable"
    assert "is of format version 1" in now.problem


def test_folder_that_is_gone_is_said_to_be() -> None:
    """What was seen of its runs stays."""
    folder = begun()
    clock = [0.0]
    watch = StudyWatch(folder, clock=lambda: clock[0])
    watch.look()
    shutil.rmtree(folder)
    clock[0] += 2

    now = watch.look()
    assert (now.state, len(now.runs)) == ("gone", 2)


def test_run_alone_is_watched_as_a_study_of_one() -> None:
    """As ``musicrel train`` makes it."""
    folder = begun() / "runs/vanilla-seed0"
    now = StudyWatch(folder).look()

    assert (now.kind, now.state, [run.arm for run in now.runs]) == (
        "run", "queued", ["vanilla-seed0"],
    )  # fmt: skip


def test_what_lies_in_the_users_folder_is_known(tmp_path: Path) -> None:
    """Whoever put it there; and what was opened elsewhere, as long as it is there."""
    one = begun()
    elsewhere = tmp_path / "elsewhere"
    shutil.copytree(one, elsewhere)
    study_folder.remember(elsewhere)
    study_folder.remember(one)
    assert set(study_folder.known()) == {one, elsewhere}
    shutil.rmtree(elsewhere)
    assert study_folder.known() == [one]

    with pytest.raises(FileError, match="holds no study and no run"):
        study_folder.remember(tmp_path)


def test_study_of_the_same_name_gets_a_folder_of_its_own() -> None:
    """Whatever the name is made of."""
    assert begun("a b/c").name == "a-b-c"
    assert begun("a b/c").name == "a-b-c-2"
    assert study_folder.free("..").name == "study"


def test_time_is_estimated_from_runs_of_the_same_size() -> None:
    """None where there was no such run."""
    asked = study.load("smoke")
    folder = begun()
    assert estimate.seconds(asked, []) is None

    for run in (folder / "runs").iterdir():
        finish(run)
    speeds = estimate.measured([folder], {})
    assert estimate.seconds(asked, speeds.values()) == pytest.approx(2 * 80 * 20 / 10)
    assert estimate.measured([folder], speeds) == speeds
    wider = study.parse(asked.text.replace("width = 48", "width = 64"), "wider")
    assert estimate.seconds(wider, speeds.values()) is None
    timed = study.parse(asked.text.replace("steps = 80", "minutes = 2"), "timed")
    assert estimate.seconds(timed, []) == 2 * 2 * 60


def test_process_says_why_it_failed(tmp_path: Path) -> None:
    """In its last line; what a program of another kind says is none."""
    process = child_process.start(
        ["-c", "import sys; sys.exit('musicrel train: too hot')"], tmp_path / "log.txt",
        program=(sys.executable,),
    )  # fmt: skip
    assert process.wait(60) == 1
    assert child_process.failure(tmp_path / "log.txt") == "too hot"
    (tmp_path / "log.txt").write_text("stopped and saved; go on with --resume\n")
    assert child_process.failure(tmp_path / "log.txt") == ""
    assert child_process.failure(tmp_path / "none.txt") == ""


def test_model_is_adopted_once(home: Path, tmp_path: Path) -> None:
    """The same model keeps its name, another one of that name gets a number."""
    tiny_model_directory(tmp_path / "one")
    assert install_model.adopt(tmp_path / "one", "mine") == "mine"
    assert install_model.adopt(tmp_path / "one", "mine") == "mine"
    shutil.copytree(tmp_path / "one", tmp_path / "other")
    (tmp_path / "other" / WEIGHTS).write_bytes(b"other weights")
    assert install_model.adopt(tmp_path / "other", "mine") == "mine-2"
    assert {path.name for path in (home / "models").iterdir()} == {"mine", "mine-2"}

    with pytest.raises(ModelError, match="holds no model"):
        install_model.adopt(tmp_path / "none", "mine")


def test_wishes_go_to_runs_whose_study_is_dead() -> None:
    """Else nobody would hear them; to cancel goes to both, in any case."""
    folder = begun()
    run = folder / "runs/vanilla-seed0"
    with WriterLock(run):
        launcher.ask(folder, "stop")
        with WriterLock(folder):
            launcher.ask(folder, "pause")
            launcher.ask(folder, "cancel")

    def asked(where: Path) -> list[str]:
        return [line["wish"] for line in EventLog(where / run_control.CONTROL).events()]

    assert asked(folder) == ["stop", "pause", "cancel"]
    assert asked(run) == ["stop", "cancel"]


def test_only_a_study_that_has_not_begun_is_taken_back() -> None:
    """Nothing that was learned is ever deleted."""
    folder = begun()
    write(folder / "runs/vanilla-seed0", started())
    with pytest.raises(FileError, match="has begun meanwhile: it is not taken back"):
        launcher.discard(folder)

    other = begun()
    launcher.discard(other)
    assert not other.exists()
    with pytest.raises(FileError, match="is gone"):
        launcher.ask(other, "stop")
    with pytest.raises(FileError, match="is gone"):
        launcher.go_on(other, "study", "cpu")


@pytest.mark.parametrize(
    ("name", "unit", "writes"),
    [("smoke", "nats/note", True), ("bytes", "nats/sequence", False),
     ("published", "nats/token", False)],
)  # fmt: skip
def test_a_study_tells_the_unit_of_its_losses(
    name: str, unit: str, *, writes: bool, tmp_path: Path
) -> None:
    """And whether anything can be written with its models."""
    results.begin(tmp_path / name, study.load(name))
    seen = StudyWatch(tmp_path / name).look()

    assert seen.unit == unit
    assert (study_text.not_for_compose(seen) == "") is writes
