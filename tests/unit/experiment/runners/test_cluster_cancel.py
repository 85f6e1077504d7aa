"""Runs on a cluster that are cancelled."""

from __future__ import annotations

from pathlib import Path

from musicrel.experiment.runners.side_by_side import Happened, run_side_by_side
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.jobs import KeepRunning
from tests.helpers.runners import fake_run
from tests.helpers.runners.fake_cluster import FakeCluster
from tests.unit.experiment.runners.test_runners import WHOLE, cluster_runner, queued, story


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
