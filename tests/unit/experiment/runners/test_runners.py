"""Contract of all runners: child processes here, and a cluster with either kind of storage."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from musicrel.errors import MusicrelError
from musicrel.experiment.runners.cluster_runner import ClusterRunner
from musicrel.experiment.runners.local_runner import LocalRunner
from musicrel.experiment.runners.resources import Resources
from musicrel.experiment.runners.runner import Runner
from musicrel.experiment.runners.side_by_side import (
    Began,
    Ended,
    Happened,
    Lost,
    NodesFound,
    Paused,
    Placed,
    Resumed,
    RunFailedError,
    RunnerEvent,
    run_side_by_side,
)
from musicrel.experiment.runs import child_process, folder_lock, run_control
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.experiment.training.train_events import TrainPaused, TrainStarted, TrainStep
from musicrel.jobs import KeepRunning, RunCommand
from tests.helpers.runners import fake_run
from tests.helpers.runners.fake_cluster import FakeCluster

NEEDS = Resources(cpus=1, gpus=0.0, memory=1)


def cluster_runner(cluster: FakeCluster, *, fetch: bool, slots: int = 2) -> ClusterRunner:
    """Return a runner on a fake cluster that asks its hosts at every poll."""
    return ClusterRunner(
        cluster, (), lambda _: NEEDS, slots=slots, fetch=fetch, clock=iter(range(10**9)).__next__
    )


def make_runner(kind: str, slots: int = 2) -> Runner:
    """Return a runner of fake runs."""
    if kind == "local":
        return LocalRunner("cpu", slots=slots, program=fake_run.PROGRAM)
    return cluster_runner(FakeCluster(), fetch=kind == "fetched", slots=slots)


@pytest.fixture(params=["local", "shared", "fetched"])
def runner(request: pytest.FixtureRequest) -> Runner:
    """Return each kind of runner, with two slots."""
    return make_runner(request.param)


@pytest.fixture(autouse=True)
def no_process_is_left() -> Iterator[None]:
    """Check that no process of a run is alive after the test."""
    yield
    children = [one for one in psutil.Process().children(recursive=True) if is_run(one)]
    _, alive = psutil.wait_procs(children, timeout=20)
    assert alive == []


def queued(folder: Path, text: str | None = None) -> Path:
    """Return the folder of a new run."""
    RunFolder(folder).create(fake_run.recipe() if text is None else text)
    return folder


class Requested:
    """A control that returns what it was last given."""

    def __init__(self) -> None:
        self.now: RunCommand = "run"

    def command(self) -> RunCommand:
        """See ``Control``."""
        return self.now


def run(
    folders: Sequence[Path],
    runner: Runner,
    on_event: Callable[[RunnerEvent], object] = id,
    control: Requested | KeepRunning | None = None,
) -> list[RunnerEvent]:
    """Run to the end; return all events."""
    events = []
    for event in run_side_by_side(folders, runner, control or KeepRunning()):
        events.append(event)
        on_event(event)
    return events


def story(folder: Path) -> list[tuple[object, object]]:
    """Return the steps of a run and their losses, as a curve shows them."""
    events = RunFolder(folder).events()
    return [(e["step"], e["nats"]) for e in events if e["event"] == "TrainStep"]


def at_step(step: int, act: Callable[[], object]) -> Callable[[RunnerEvent], None]:
    """Return a function of events that acts once at a step."""
    waiting = [act]

    def react(event: RunnerEvent) -> None:
        inner = event.event if isinstance(event, Happened) else None
        if isinstance(inner, TrainStep) and inner.step == step and waiting:
            waiting.pop()()

    return react


WHOLE = [(step, 1 / step) for step in range(1, 13)]


def test_a_run_leaves_its_result_and_every_event_in_its_folder(
    runner: Runner, tmp_path: Path
) -> None:
    """The events are yielded in their order, too."""
    folder = queued(tmp_path / "run")

    events = run([folder], runner)

    assert (events[0], events[-1]) == (Began(folder), Ended(folder))
    assert RunFolder(folder).state() == "finished"
    assert story(folder) == WHOLE
    steps = [e.event.step for e in events if isinstance(e, Happened) and type(e.event) is TrainStep]
    assert steps == [*range(1, 13)]


@pytest.mark.parametrize("kind", ["local", "shared", "fetched"])
@pytest.mark.parametrize("slots", [1, 2])
def test_runs_are_side_by_side_as_far_as_there_are_slots(
    kind: str, slots: int, tmp_path: Path
) -> None:
    """They begin in their order."""
    folders = [queued(tmp_path / name) for name in "abc"]

    events = run(folders, make_runner(kind, slots))

    begun = [event for event in events if isinstance(event, Began)]
    at_once = [event for event in events if isinstance(event, Began | Ended)][:slots]
    assert begun == [Began(folder) for folder in folders]
    assert at_once == begun[:slots]
    assert [story(folder) for folder in folders] == [WHOLE] * 3


def test_a_paused_run_waits_and_a_resumed_one_continues(runner: Runner, tmp_path: Path) -> None:
    """All runs are paused before the pause is reported."""
    folders, control = (
        [queued(tmp_path / name, fake_run.recipe(waits=7)) for name in "ab"],
        Requested(),
    )
    seen: list[RunnerEvent] = []

    def react(event: RunnerEvent) -> None:
        if isinstance(event, Paused):
            paused = [
                e.folder for e in seen if isinstance(e, Happened) and type(e.event) is TrainPaused
            ]
            assert {*paused} == {*folders}
            control.now = "run"
        elif [*map(story, folders)] == [WHOLE[:7]] * 2 and Paused() not in seen:
            control.now = "pause"
        seen.append(event)

    run(folders, runner, react, control)

    assert seen.count(Paused()) == seen.count(Resumed()) == 1
    assert [story(folder) for folder in folders] == [WHOLE] * 2


def test_a_stopped_run_is_saved_and_resumed_by_any_runner(runner: Runner, tmp_path: Path) -> None:
    """It stops at step 7, between two checkpoints."""
    folder, control = queued(tmp_path / "run", fake_run.recipe(waits=7)), Requested()

    def stop() -> None:
        control.now = "stop"

    run([folder], runner, at_step(7, stop), control)
    assert RunFolder(folder).state() == "stopped"

    other = "fetched" if isinstance(runner, LocalRunner) else "local"
    run([folder], make_runner(other))
    assert story(folder) == WHOLE
    events = RunFolder(folder).log.events()
    assert [e["step"] for e in events if e["event"] == "TrainStarted"] == [0, 7]


def test_runs_that_wait_are_not_begun_after_a_stop(runner: Runner, tmp_path: Path) -> None:
    """The third has no slot when the stop is requested."""
    folders = [queued(tmp_path / name, fake_run.recipe(waits=3)) for name in "abc"]
    control = Requested()

    def stop() -> None:
        control.now = "stop"

    events = run(folders, runner, at_step(3, stop), control)

    assert Began(folders[2]) not in events
    assert RunFolder(folders[2]).state() == "queued"


def test_closing_cancels_all_runs_without_saving(runner: Runner, tmp_path: Path) -> None:
    """Their last checkpoints stay."""
    folders = [queued(tmp_path / name, fake_run.recipe(waits=7)) for name in "ab"]
    job = run_side_by_side(folders, runner, KeepRunning())
    for _ in job:
        if [len(story(folder)) for folder in folders] == [7, 7]:
            break
    job.close()

    assert [RunFolder(folder).state() for folder in folders] == ["cancelled"] * 2
    assert [folder_lock.writer(folder) for folder in folders] == [None, None]
    run(folders, runner)
    assert [story(folder) for folder in folders] == [WHOLE] * 2


def test_a_request_in_the_folder_of_a_run_is_followed(runner: Runner, tmp_path: Path) -> None:
    """Observers send their requests there; the other runs are stopped as well."""
    folders = [queued(tmp_path / name, fake_run.recipe(waits=7)) for name in "ab"]

    run(folders, runner, at_step(7, lambda: run_control.send_request(folders[0], "cancel")))

    assert RunFolder(folders[0]).state() == "cancelled"
    assert RunFolder(folders[1]).state() == "stopped"


def test_a_failed_run_is_named_and_the_others_are_saved(runner: Runner, tmp_path: Path) -> None:
    """The message is that of its process."""
    folders = [
        queued(tmp_path / "a", fake_run.recipe(waits=3)),
        queued(tmp_path / "b", fake_run.recipe(fails="the loss exploded")),
    ]

    with pytest.raises(RunFailedError, match=r"^the loss exploded$") as caught:
        run(folders, runner)

    assert caught.value.folder == folders[1]
    assert RunFolder(folders[0]).state() == "stopped"


def test_a_killed_process_is_a_failure(runner: Runner, tmp_path: Path) -> None:
    """The node is alive, so that the run would be killed again, for instance for lack of memory."""
    folder = queued(tmp_path / "run", fake_run.recipe(waits=7))

    def kill() -> None:
        (child,) = [one for one in psutil.Process().children() if is_run(one)]
        child.kill()

    with pytest.raises(RunFailedError, match="its process ended with -9"):
        run([folder], runner, at_step(7, kill))
    run([folder], runner)

    assert story(folder) == WHOLE


def is_run(process: psutil.Process) -> bool:
    """Return whether a process is one of a fake run."""
    with suppress(psutil.Error):  # it has ended
        return "tests.helpers.runners.fake_run" in process.cmdline()
    return False


def test_a_run_that_is_running_already_is_joined(runner: Runner, tmp_path: Path) -> None:
    """It is not started a second time, but follows requests."""
    folder, control = queued(tmp_path / "run", fake_run.recipe(waits=7)), Requested()
    process = child_process.start(folder, (), fake_run.PROGRAM)
    while len(story(folder)) < 7:
        assert process.poll() is None

    def react(event: RunnerEvent) -> None:
        if isinstance(event, Happened) and event.event is None:
            control.now = "stop"

    events = run([folder], runner, react, control)

    assert not [e for e in events if isinstance(e, Happened) and type(e.event) is TrainStarted]
    assert RunFolder(folder).state() == "stopped"
    assert process.wait() == 130


def test_a_joined_run_that_dies_is_started_again(runner: Runner, tmp_path: Path) -> None:
    """It resumes from its last checkpoint."""
    folder = queued(tmp_path / "run", fake_run.recipe(waits=7))
    process = child_process.start(folder, (), fake_run.PROGRAM)
    while len(story(folder)) < 7:
        assert process.poll() is None

    def react(event: RunnerEvent) -> None:
        if isinstance(event, Happened) and event.event is None:
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
    kinds = [type(event) for event in events if type(event) in (Placed, Lost, Ended)]
    assert kinds == [Placed, Lost, Placed, Ended]
    alive = [[node.alive for node in e.nodes] for e in events if isinstance(e, NodesFound)]
    assert alive == [[True, True], [False, True]]
    started = [
        e.event.step for e in events if isinstance(e, Happened) and type(e.event) is TrainStarted
    ]
    assert started[0] == 0
    assert started[1] in (5, 7)  # the process on the lost node may still have saved at step 7
    assert story(folder) == WHOLE


@pytest.mark.parametrize("fetch", [False, True])
def test_a_run_whose_nodes_all_die_fails(fetch: bool, tmp_path: Path) -> None:
    """It is given up after ten losses."""
    folder, cluster = queued(tmp_path / "run", fake_run.recipe(waits=0)), FakeCluster(nodes=100)

    def react(event: RunnerEvent) -> None:
        if isinstance(event, Happened) and type(event.event) is TrainStarted:
            (folder / "checkpoint.json").unlink(missing_ok=True)
            cluster.hosts[-1].die()

    with pytest.raises(RunFailedError, match="its node was lost 11 times, the last time"):
        run([folder], cluster_runner(cluster, fetch=fetch), react)
    assert cluster.orphans_end()


def test_a_run_that_loses_its_place_before_it_began_is_placed_again(tmp_path: Path) -> None:
    """Nothing was lost, so no loss is reported; after ten times the run fails."""
    folder, cluster = queued(tmp_path / "run"), FakeCluster(nodes=0)
    losses = iter(range(3))

    def react(event: RunnerEvent) -> None:
        if isinstance(event, Happened) and event.event is None:
            if cluster.hosts[-1].alive and next(losses, None) is None:
                cluster.free = 1
            else:
                cluster.hosts[-1].die()

    events = run([folder], cluster_runner(cluster, fetch=False), react)
    assert [event for event in events if isinstance(event, Lost)] == []
    assert len(cluster.hosts) == 4
    assert story(folder) == WHOLE


def test_a_run_that_always_loses_its_place_fails(tmp_path: Path) -> None:
    """After ten times."""
    folder, cluster = queued(tmp_path / "run"), FakeCluster(nodes=0)

    def react(event: RunnerEvent) -> None:
        if isinstance(event, Happened):
            cluster.hosts[-1].die()

    with pytest.raises(RunFailedError, match="11 times, each time before it began: the node died"):
        run([folder], cluster_runner(cluster, fetch=False), react)


def test_a_run_that_waits_for_a_place_ends_when_it_is_stopped(tmp_path: Path) -> None:
    """No node is free at all."""
    folder, cluster, control = queued(tmp_path / "run"), FakeCluster(nodes=0), Requested()
    states = []

    def react(event: RunnerEvent) -> None:
        if isinstance(event, Happened):
            states.append(RunFolder(folder).state())
            control.now = "stop"

    run([folder], cluster_runner(cluster, fetch=False), react, control)

    assert {*states} == {"queued"}
    assert (cluster.hosts[0].alive, cluster.hosts[0].waited) == (False, 0.0)


def test_a_node_without_the_folder_is_named(tmp_path: Path) -> None:
    """The message has the remedies."""
    folder, cluster = queued(tmp_path / "run"), FakeCluster()
    runner = cluster_runner(cluster, fetch=False)
    runner.submit(folder, KeepRunning())
    cluster.hosts[0].calls = [("start", ("/nowhere/run", (), None))]

    assert runner.poll(folder).state == "ended"
    with pytest.raises(
        MusicrelError, match=r"has no folder /nowhere/run: put the study on storage"
    ):
        runner.collect(folder)
