"""The kernel is compiled once, by another process, while jobs wait."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest

from musicrel import jobs
from musicrel.ui.jobs.generation_service import Loaded, Loading, ModelCache
from musicrel.ui.jobs.kernel_compilation import Compiling, KernelCompilation
from tests.helpers.models import tiny_model_directory

WAITS = "import pathlib, sys, time\nwhile not pathlib.Path(sys.argv[1]).exists(): time.sleep(0.01)"
COUNTS = "import sys\nopen(sys.argv[1], 'a').write('started ')"


def python(code: str, file: Path) -> list[str]:
    """Return a command that runs Python code with the name of a file."""
    return [sys.executable, "-c", code, str(file)]


def test_a_job_waits_until_the_kernel_is_compiled(tmp_path: Path) -> None:
    """It yields events meanwhile, so that it can be cancelled."""
    done = tmp_path / "done"
    job = KernelCompilation(lambda: True, python(WAITS, done)).wait()

    assert [next(job), next(job)] == [Compiling(), Compiling()]
    done.touch()

    assert set(job) <= {Compiling()}


def test_nothing_is_compiled_where_nothing_is_missing(tmp_path: Path) -> None:
    """No process is started."""
    started = tmp_path / "started"
    compilation = KernelCompilation(lambda: False, python(COUNTS, started))

    assert list(compilation.wait()) == []
    assert not started.exists()


def test_several_jobs_share_one_process(tmp_path: Path) -> None:
    """Later requests start no other job, even if the first one was cancelled."""
    started = tmp_path / "started"
    compilation = KernelCompilation(lambda: True, python(COUNTS, started))
    compilation.wait().close()
    threads = [threading.Thread(target=lambda: list(compilation.wait())) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    list(compilation.wait())

    assert started.read_text() == "started "


@pytest.mark.parametrize("command", [["no-such-program"], [sys.executable, "-c", "exit(1)"]])
def test_a_failure_ends_the_waiting(command: list[str]) -> None:
    """The kernel is compiled on its first use then, or torch takes its place."""
    assert set(KernelCompilation(lambda: True, command).wait()) <= {Compiling()}


def test_a_model_is_ready_after_the_compilation(home: Path, tmp_path: Path) -> None:
    """The events come in this order."""
    tiny_model_directory(home / "models" / "tiny")
    compilation = KernelCompilation(lambda: True, python(WAITS, tmp_path / "done"))
    events: list[object] = []

    def note(event: object) -> None:
        events.append(event)
        (tmp_path / "done").touch()

    jobs.run(ModelCache(compilation).warm_up("tiny", "cpu"), note)

    assert events[0] == Loading(model="tiny")
    assert isinstance(events[-1], Loaded)
    assert set(events[1:-1]) <= {Compiling()}
