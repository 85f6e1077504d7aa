"""Runs that are cancelled."""

from __future__ import annotations

from pathlib import Path

import pytest

from musicrel.experiment.runners.local_runner import LocalRunner
from musicrel.experiment.runners.side_by_side import Happened, run_side_by_side
from musicrel.experiment.runs import child_process, folder_lock, run_control
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.jobs import KeepRunning
from tests.helpers.runners import fake_run
from tests.helpers.runners.fake_cluster import FakeCluster
from tests.unit.experiment.runners.test_runners import (
    WHOLE,
    cluster_runner,
    make_runner,
    queued,
    story,
)


def test_runs_that_wait_for_a_place_are_cancelled_at_once(tmp_path: Path) -> None:
    """A host without a place would never answer: a study may have a thousand of them."""
    folder, cluster = queued(tmp_path / "run"), FakeCluster(nodes=0)
    job = run_side_by_side([folder], cluster_runner(cluster, fetch=False), KeepRunning())
    while not isinstance(next(job), Happened):
        pass
    job.close()

    assert (cluster.hosts[0].alive, cluster.hosts[0].waited) == (False, 0.0)


def test_a_cancelled_run_keeps_what_its_node_has_sent_before(tmp_path: Path) -> None:
    """The answer that was on its way has the first events, that to the request the last one."""
    folder, cluster = queued(tmp_path / "run", fake_run.recipe(waits=7)), FakeCluster()
    runner = cluster_runner(cluster, fetch=True)
    runner.submit(folder, KeepRunning())
    runner.poll(folder)
    host = cluster.hosts[0].host
    assert host is not None
    assert host.process is not None
    command = [*map(str, host.process.args)]  # type: ignore[arg-type]  # it is a list
    there = Path(command[command.index("--out") + 1])
    while len(story(there)) < 7:
        assert host.process.poll() is None
    runner.cancel(folder)

    assert RunFolder(folder).state() == "cancelled"
    assert RunFolder(folder).log.damaged_lines() == 0
    assert story(folder) == WHOLE[:7]
    assert (folder / "checkpoint.json").exists()


@pytest.mark.parametrize("kind", ["local", "shared", "fetched"])
def test_cancelling_waits_for_the_end_of_a_joined_run(kind: str, tmp_path: Path) -> None:
    """Its folder can be deleted, or the run resumed, at once."""
    folder, runner = queued(tmp_path / "run", fake_run.recipe(waits=7)), make_runner(kind)
    process = child_process.start(folder, (), fake_run.PROGRAM)
    while len(story(folder)) < 7:
        assert process.poll() is None
    runner.submit(folder, KeepRunning())
    runner.cancel(folder)

    assert folder_lock.writer(folder) is None
    assert RunFolder(folder).state() == "cancelled"
    assert process.wait() == 130


def test_all_runs_know_of_the_end_before_the_first_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They end side by side: a slow one does not keep the next one running."""
    folders = [queued(tmp_path / name, fake_run.recipe(waits=7)) for name in "ab"]
    runner = LocalRunner("cpu", slots=2, program=fake_run.PROGRAM)
    job = run_side_by_side(folders, runner, KeepRunning())
    for _ in job:
        if [len(story(folder)) for folder in folders] == [7, 7]:
            break
    known: list[list[bool]] = []
    cancel = runner.cancel

    def cancel_after_looking(folder: Path) -> None:
        known.append([run_control.end_offset(each) > 0 for each in folders])
        cancel(folder)

    monkeypatch.setattr(runner, "cancel", cancel_after_looking)
    job.close()

    assert known == [[True, True]] * 2
