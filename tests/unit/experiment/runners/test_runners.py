"""Contract of all runners: child processes here, and a cluster with either kind of storage."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest

from musicrel.errors import MusicrelError
from musicrel.experiment.runners import side_by_side
from musicrel.experiment.runners.resources import Resources
from musicrel.experiment.runners.run_host import Answer, LocalHost
from musicrel.experiment.runners.side_by_side import Runner, run_side_by_side
from musicrel.experiment.runs import child_process, folder_lock, run_control
from musicrel.experiment.runs.events import (
    NodesChanged,
    RunBegan,
    RunEnded,
    RunEvent,
    RunLost,
    RunPlaced,
    StudyEvent,
    StudyPaused,
    StudyResumed,
    TrainPaused,
    TrainStarted,
    TrainStep,
)
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.jobs import Control, RunCommand, keep_running
from tests.helpers.runners import fake_run
from tests.helpers.runners.fake_cluster import FakeCluster

NEEDS = Resources(cpus=1, gpus=0.0, memory=1)


def cluster_runner(cluster: FakeCluster, *, fetch: bool, slots: int = 2) -> Runner:
    return side_by_side.on_cluster(
        cluster, lambda _: NEEDS, slots=slots, fetch=fetch, clock=iter(range(10**9)).__next__
    )


def make_runner(kind: str, slots: int = 2) -> Runner:
    if kind == "local":
        return side_by_side.local("cpu", slots=slots, program=fake_run.PROGRAM)
    return cluster_runner(FakeCluster(), fetch=kind == "fetched", slots=slots)


@pytest.fixture(params=["local", "shared", "fetched"])
def runner(request: pytest.FixtureRequest) -> Runner:
    return make_runner(request.param)


@pytest.fixture(autouse=True)
def no_process_is_left() -> Iterator[None]:
    yield
    children = [one for one in psutil.Process().children(recursive=True) if is_run(one)]
    _, alive = psutil.wait_procs(children, timeout=20)
    assert alive == []


def queued(folder: Path, text: str | None = None) -> Path:
    RunFolder(folder).create(fake_run.recipe() if text is None else text)
    return folder


def named(folders: Sequence[Path]) -> dict[Path, RunBegan]:
    return {
        folder: RunBegan(arm=folder.name, seed=0, number=number)
        for number, folder in enumerate(folders, 1)
    }


class Requested:
    def __init__(self) -> None:
        self.now: RunCommand = "run"

    def __call__(self) -> RunCommand:
        return self.now

    def stop(self) -> None:
        self.now = "stop"


def of_runs(kind: type[Any], events: Sequence[StudyEvent]) -> list[Any]:
    return [e.of_run for e in events if isinstance(e, RunEvent) and type(e.of_run) is kind]


def begun_elsewhere(folder: Path) -> subprocess.Popen[bytes]:
    """Start a run by itself, and wait until it has made seven steps."""
    process = child_process.start(folder, (), fake_run.PROGRAM)
    while len(story(folder)) < 7:
        assert process.poll() is None
    return process


def run(
    folders: Sequence[Path],
    runner: Runner,
    on_event: Callable[[StudyEvent], object] = id,
    control: Control = keep_running,
) -> list[StudyEvent]:
    events = []
    for event in run_side_by_side(named(folders), runner, control):
        events.append(event)
        on_event(event)
    return events


def story(folder: Path) -> list[tuple[object, object]]:
    events = RunFolder(folder).events()
    return [(e["step"], e["nats"]) for e in events if e["event"] == "TrainStep"]


def at_step(step: int, act: Callable[[], object]) -> Callable[[StudyEvent], None]:
    waiting = [act]

    def react(event: StudyEvent) -> None:
        inner = event.of_run if isinstance(event, RunEvent) else None
        if isinstance(inner, TrainStep) and inner.step == step and waiting:
            waiting.pop()()

    return react


WHOLE = [(step, 1 / step) for step in range(1, 13)]


def test_a_run_leaves_its_result_and_every_event_in_its_folder(
    runner: Runner, tmp_path: Path
) -> None:
    folder = queued(tmp_path / "run")

    events = run([folder], runner)

    ended = RunEnded(arm="run", seed=0, valid=1.0, test=1.0, seconds=0.0)
    assert (events[0], events[-1]) == (RunBegan(arm="run", seed=0, number=1), ended)
    assert RunFolder(folder).state() == "finished"
    assert story(folder) == WHOLE
    assert [e.step for e in of_runs(TrainStep, events)] == [*range(1, 13)]


@pytest.mark.parametrize("kind", ["local", "shared", "fetched"])
@pytest.mark.parametrize("slots", [1, 2])
def test_runs_are_side_by_side_as_far_as_there_are_slots(
    kind: str, slots: int, tmp_path: Path
) -> None:
    folders = [queued(tmp_path / name) for name in "abc"]

    events = run(folders, make_runner(kind, slots))

    begun = [event for event in events if isinstance(event, RunBegan)]
    at_once = [event for event in events if isinstance(event, RunBegan | RunEnded)][:slots]
    assert begun == [*named(folders).values()]
    assert at_once == begun[:slots]
    assert [story(folder) for folder in folders] == [WHOLE] * 3


def test_a_paused_run_waits_and_a_resumed_one_continues(runner: Runner, tmp_path: Path) -> None:
    folders, control = (
        [queued(tmp_path / name, fake_run.recipe(waits=7)) for name in "ab"],
        Requested(),
    )
    seen: list[StudyEvent] = []

    def react(event: StudyEvent) -> None:
        if isinstance(event, StudyPaused):
            paused = [
                e.arm for e in seen if isinstance(e, RunEvent) and type(e.of_run) is TrainPaused
            ]
            assert {*paused} == {folder.name for folder in folders}
            control.now = "run"
        elif [*map(story, folders)] == [WHOLE[:7]] * 2 and StudyPaused() not in seen:
            control.now = "pause"
        seen.append(event)

    run(folders, runner, react, control)

    assert seen.count(StudyPaused()) == seen.count(StudyResumed()) == 1
    assert [story(folder) for folder in folders] == [WHOLE] * 2


def test_a_stopped_run_is_saved_and_resumed_by_any_runner(runner: Runner, tmp_path: Path) -> None:
    """It stops at step 7, between two checkpoints."""
    folder, control = queued(tmp_path / "run", fake_run.recipe(waits=7)), Requested()

    run([folder], runner, at_step(7, control.stop), control)
    assert RunFolder(folder).state() == "stopped"

    other = "local" if runner.fetch else "fetched"
    run([folder], make_runner(other))
    assert story(folder) == WHOLE
    events = RunFolder(folder).log.events()
    assert [e["step"] for e in events if e["event"] == "TrainStarted"] == [0, 7]


def test_runs_that_wait_are_not_begun_after_a_stop(runner: Runner, tmp_path: Path) -> None:
    folders = [queued(tmp_path / name, fake_run.recipe(waits=3)) for name in "abc"]
    control = Requested()

    events = run(folders, runner, at_step(3, control.stop), control)

    assert named(folders)[folders[2]] not in events
    assert RunFolder(folders[2]).state() == "queued"


def test_closing_cancels_all_runs_without_saving(runner: Runner, tmp_path: Path) -> None:
    folders = [queued(tmp_path / name, fake_run.recipe(waits=7)) for name in "ab"]
    job = run_side_by_side(named(folders), runner, keep_running)
    for _ in job:
        if [len(story(folder)) for folder in folders] == [7, 7]:
            break
    job.close()

    assert [RunFolder(folder).state() for folder in folders] == ["cancelled"] * 2
    assert [folder_lock.writer(folder) for folder in folders] == [None, None]
    run(folders, runner)
    assert [story(folder) for folder in folders] == [WHOLE] * 2


def test_a_request_in_the_folder_of_a_run_is_followed(runner: Runner, tmp_path: Path) -> None:
    folders = [queued(tmp_path / name, fake_run.recipe(waits=7)) for name in "ab"]

    run(folders, runner, at_step(7, lambda: run_control.send_request(folders[0], "cancel")))

    assert RunFolder(folders[0]).state() == "cancelled"
    assert RunFolder(folders[1]).state() == "stopped"


def test_a_failed_run_is_named_and_the_others_are_saved(runner: Runner, tmp_path: Path) -> None:
    folders = [
        queued(tmp_path / "a", fake_run.recipe(waits=3)),
        queued(tmp_path / "b", fake_run.recipe(fails="the loss exploded")),
    ]

    with pytest.raises(MusicrelError, match=r"^b, seed 0: the loss exploded; the study can be res"):
        run(folders, runner)

    assert RunFolder(folders[0]).state() == "stopped"


def test_a_killed_process_is_a_failure(runner: Runner, tmp_path: Path) -> None:
    """The node is alive, so that the run would be killed again, for instance for lack of memory."""
    folder = queued(tmp_path / "run", fake_run.recipe(waits=7))

    def kill() -> None:
        (child,) = [one for one in psutil.Process().children() if is_run(one)]
        child.kill()

    with pytest.raises(MusicrelError, match="its process ended with -9"):
        run([folder], runner, at_step(7, kill))
    run([folder], runner)

    assert story(folder) == WHOLE


def is_run(process: psutil.Process) -> bool:
    with suppress(psutil.Error):  # it has ended
        return "tests.helpers.runners.fake_run" in process.cmdline()
    return False


def test_a_run_that_is_running_already_is_joined(runner: Runner, tmp_path: Path) -> None:
    folder, control = queued(tmp_path / "run", fake_run.recipe(waits=7)), Requested()
    process = begun_elsewhere(folder)

    def react(event: StudyEvent) -> None:
        if isinstance(event, RunEvent) and event.of_run is None:
            control.now = "stop"

    events = run([folder], runner, react, control)

    assert not of_runs(TrainStarted, events)
    assert RunFolder(folder).state() == "stopped"
    assert process.wait() == 130


def test_a_joined_run_that_dies_is_started_again(runner: Runner, tmp_path: Path) -> None:
    folder = queued(tmp_path / "run", fake_run.recipe(waits=7))
    process = begun_elsewhere(folder)

    def react(event: StudyEvent) -> None:
        if isinstance(event, RunEvent) and event.of_run is None:
            process.kill()
            process.wait()

    run([folder], runner, react)

    assert story(folder) == WHOLE


@pytest.mark.parametrize("fetch", [False, True])
def test_a_run_whose_node_dies_resumes_on_another_one(fetch: bool, tmp_path: Path) -> None:
    """From its last checkpoint at step 5: nothing of the curve is lost or repeated."""
    folder, cluster = queued(tmp_path / "run", fake_run.recipe(waits=7)), FakeCluster()

    def die() -> None:
        cluster.hosts[0].die()

    events = run([folder], cluster_runner(cluster, fetch=fetch), at_step(7, die))

    assert cluster.orphans_end()
    kinds = [type(event) for event in events if type(event) in (RunPlaced, RunLost, RunEnded)]
    assert kinds == [RunPlaced, RunLost, RunPlaced, RunEnded]
    alive = [[node.alive for node in e.nodes] for e in events if isinstance(e, NodesChanged)]
    assert alive == [[True, True], [False, True]]
    started = [e.step for e in of_runs(TrainStarted, events)]
    assert started[0] == 0
    assert started[1] in (5, 7)  # the process on the lost node may still have saved at step 7
    assert story(folder) == WHOLE


@pytest.mark.parametrize("fetch", [False, True])
def test_a_run_whose_nodes_all_die_fails(fetch: bool, tmp_path: Path) -> None:
    folder, cluster = queued(tmp_path / "run", fake_run.recipe(waits=0)), FakeCluster(nodes=100)

    def react(event: StudyEvent) -> None:
        if isinstance(event, RunEvent) and type(event.of_run) is TrainStarted:
            (folder / "checkpoint.json").unlink(missing_ok=True)
            cluster.hosts[-1].die()

    with pytest.raises(MusicrelError, match="its node was lost 11 times, the last time"):
        run([folder], cluster_runner(cluster, fetch=fetch), react)
    assert cluster.orphans_end()


def test_a_run_that_loses_its_place_before_it_began_is_placed_again(tmp_path: Path) -> None:
    folder, cluster = queued(tmp_path / "run"), FakeCluster(nodes=0)
    losses = iter(range(3))

    def react(event: StudyEvent) -> None:
        if isinstance(event, RunEvent) and event.of_run is None:
            if cluster.hosts[-1].alive and next(losses, None) is None:
                cluster.free = 1
            else:
                cluster.hosts[-1].die()

    events = run([folder], cluster_runner(cluster, fetch=False), react)
    assert [event for event in events if isinstance(event, RunLost)] == []
    assert len(cluster.hosts) == 4
    assert story(folder) == WHOLE


def test_a_run_that_always_loses_its_place_fails(tmp_path: Path) -> None:
    folder, cluster = queued(tmp_path / "run"), FakeCluster(nodes=0)

    def react(event: StudyEvent) -> None:
        if isinstance(event, RunEvent):
            cluster.hosts[-1].die()

    with pytest.raises(MusicrelError, match="11 times, each time before it began: the node died"):
        run([folder], cluster_runner(cluster, fetch=False), react)


def test_a_run_that_waits_for_a_place_ends_when_it_is_stopped(tmp_path: Path) -> None:
    folder, cluster, control = queued(tmp_path / "run"), FakeCluster(nodes=0), Requested()
    states = []

    def react(event: StudyEvent) -> None:
        if isinstance(event, RunEvent):
            states.append(RunFolder(folder).state())
            control.now = "stop"

    run([folder], cluster_runner(cluster, fetch=False), react, control)

    assert {*states} == {"queued"}
    assert (cluster.hosts[0].alive, cluster.hosts[0].waited) == (False, 0.0)


def test_runs_that_wait_for_a_place_are_cancelled_at_once(tmp_path: Path) -> None:
    """A host without a place would never answer: a study may have a thousand of them."""
    folder, cluster = queued(tmp_path / "run"), FakeCluster(nodes=0)
    job = run_side_by_side(named([folder]), cluster_runner(cluster, fetch=False), keep_running)
    while not isinstance(next(job), RunEvent):
        pass
    job.close()

    assert (cluster.hosts[0].alive, cluster.hosts[0].waited) == (False, 0.0)


def test_a_cancelled_run_keeps_what_its_node_has_sent_before(tmp_path: Path) -> None:
    folder, cluster = queued(tmp_path / "run", fake_run.recipe(waits=7)), FakeCluster()
    job = run_side_by_side(named([folder]), cluster_runner(cluster, fetch=True), keep_running)
    while not isinstance(next(job), RunPlaced):
        pass
    host = cluster.hosts[0].host
    assert host is not None
    assert host.process is not None
    command = [*map(str, host.process.args)]  # type: ignore[arg-type]  # it is a list
    there = Path(command[command.index("--out") + 1])
    while len(story(there)) < 7:
        assert host.process.poll() is None
    job.close()

    assert RunFolder(folder).state() == "cancelled"
    assert RunFolder(folder).log.damaged_lines() == 0
    assert story(folder) == WHOLE[:7]
    assert (folder / "checkpoint.json").exists()


def test_a_run_that_was_never_polled_ends_with_its_cancelling(tmp_path: Path) -> None:
    folder, other = (queued(tmp_path / name, fake_run.recipe(waits=7)) for name in "ab")
    job = run_side_by_side(named([folder, other]), make_runner("local"), keep_running)
    assert [type(event) for event in (next(job), next(job))] == [RunBegan, RunBegan]
    while not (begun := [one for one in psutil.Process().children() if is_run(one)]):
        pass  # for a moment it has no command line yet
    (process,) = begun
    while len(story(folder)) < 7:
        assert process.is_running()
    job.close()
    left = process.is_running()
    with suppress(psutil.NoSuchProcess):
        process.kill()

    assert not left
    assert folder_lock.writer(folder) is None
    assert RunFolder(folder).state() == "cancelled"


@pytest.mark.parametrize("kind", ["local", "shared", "fetched"])
def test_cancelling_waits_for_the_end_of_a_joined_run(kind: str, tmp_path: Path) -> None:
    folder = queued(tmp_path / "run", fake_run.recipe(waits=7))
    process = begun_elsewhere(folder)
    job = run_side_by_side(named([folder]), make_runner(kind), keep_running)
    while not isinstance(next(job), RunEvent):
        pass
    job.close()

    assert folder_lock.writer(folder) is None
    assert RunFolder(folder).state() == "cancelled"
    assert process.wait() == 130


def test_all_runs_know_of_the_end_before_the_first_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = [queued(tmp_path / name, fake_run.recipe(waits=7)) for name in "ab"]
    job = run_side_by_side(named(folders), make_runner("local"), keep_running)
    for _ in job:
        if [len(story(folder)) for folder in folders] == [7, 7]:
            break
    known: list[list[bool]] = []
    cancel = LocalHost.cancel

    def cancel_after_looking(host: LocalHost) -> Answer:
        known.append([run_control.end_offset(each) > 0 for each in folders])
        return cancel(host)

    monkeypatch.setattr(LocalHost, "cancel", cancel_after_looking)
    job.close()

    assert known == [[True, True]] * 2
