"""The faster device for a task: measured once, on a machine that is simulated with real files."""

from __future__ import annotations

import os
import platform
import sys
import threading
from pathlib import Path
from typing import Any

import psutil
import pytest

from musicrel import jobs
from musicrel.errors import UsageError
from musicrel.model import device_choice, devices
from musicrel.model.device_choice import Choice, Measurement, choose
from musicrel.model.devices import Device
from tests.helpers.measured_devices import DIES, MACHINE, WAITS, Graphics
from tests.helpers.processes import printed


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Graphics:
    return Graphics(monkeypatch, tmp_path)


def writing(name: str = "auto", made_on: str = "") -> Choice:
    return jobs.run(choose(name, "writing", made_on))


@pytest.mark.parametrize(
    ("cpu", "cuda", "expected"), [(2.0, 1.0, "cpu"), (1.0, 2.0, "cuda"), (1.0, 1.0, "cpu")]
)
def test_auto_is_the_faster_device(gpu: Graphics, cpu: float, cuda: float, expected: str) -> None:
    gpu.have(cpu=cpu, cuda=cuda)

    assert writing() == Choice(Device(expected), is_measured=True)


def test_a_task_is_measured_once_and_never_silently_again(gpu: Graphics) -> None:
    gpu.have(cpu=1.0, cuda=2.0)
    writing()
    gpu.have(cpu=2.0, cuda=1.0)

    assert writing().device == "cuda"
    assert gpu.started == ["writing"]


def test_tasks_have_devices_of_their_own(gpu: Graphics) -> None:
    assert device_choice.described() == ""
    gpu.have(cpu=2.0, cuda=1.0)
    writing()
    assert device_choice.described() == "writing on the CPU"
    gpu.have(cpu=1.0, cuda=2.0)
    jobs.run(choose("auto", "training"))

    assert device_choice.described() == "writing on the CPU, training on the GPU"
    assert gpu.started == ["writing", "training"]


@pytest.mark.parametrize("name", MACHINE)
def test_new_hardware_drivers_and_versions_are_measured(gpu: Graphics, name: str) -> None:
    gpu.have(cpu=1.0, cuda=2.0)
    writing()
    gpu.use(MACHINE | {name: "another"})
    gpu.have(cpu=2.0, cuda=1.0)

    assert device_choice.described() == ""
    assert writing().device == "cpu"
    assert device_choice.described() == "writing on the CPU"


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '{"machine": {}}', '{"machine": 3, "tokens_per_second": {}}']
)
def test_a_damaged_file_is_written_again(gpu: Graphics, content: str) -> None:
    gpu.have(cpu=1.0, cuda=2.0)
    writing()
    (file,) = (gpu.folder / "devices").iterdir()
    whole = file.read_text()
    file.write_text(content)

    assert writing().device == "cuda"
    assert file.read_text() == whole


def test_a_device_that_is_named_is_taken(gpu: Graphics) -> None:
    gpu.have(cpu=1.0, cuda=2.0)
    writing()

    assert writing("cpu") == Choice(devices.CPU)
    gpu.is_here(cuda=False)
    with pytest.raises(UsageError, match="torch finds no cuda device"):
        writing("cuda")
    assert gpu.started == ["writing"]


def test_nothing_is_measured_without_an_accelerator(gpu: Graphics) -> None:
    """Neither where torch finds none, nor where there can be none, and torch is not imported."""
    gpu.is_here(cuda=False)
    assert writing() == Choice(devices.CPU)
    assert gpu.started == []

    lines = printed(
        "import sys\n"
        "from musicrel import jobs\n"
        "from musicrel.model import device_choice, devices\n"
        "devices.may_have_accelerator = lambda: False\n"
        "print(jobs.run(device_choice.choose('auto', 'writing', 'cuda')).device)\n"
        "print(device_choice.is_open('auto', 'writing'), 'torch' in sys.modules)\n"
    )
    assert lines == ["cpu", "False False"]


def test_torch_is_not_imported_where_the_cpu_is_faster(gpu: Graphics) -> None:
    gpu.have(cpu=2.0, cuda=1.0)
    writing()

    lines = printed(
        "import pathlib, sys\n"
        "from musicrel import jobs\n"
        "from musicrel.model import device_choice, devices\n"
        "devices.may_have_accelerator = lambda: True\n"
        f"devices.machine = lambda: {MACHINE}\n"
        f"device_choice.folder = lambda: pathlib.Path({str(gpu.folder / 'devices')!r})\n"
        "print(jobs.run(device_choice.choose('auto', 'writing')))\n"
        "print('torch' in sys.modules)\n"
    )
    assert lines == ["Choice(device='cpu', is_measured=True, warning='')", "False"]


CPU_ANSWER = {"device": "cpu", "tokens_per_second": 1.0}
CUDA_ANSWER = {"device": "cuda", "tokens_per_second": 1.0}
HALF = {"device": "cuda", "share": 0.5}
OUT_OF_MEMORY = {"device": "cuda", "failed": "out of memory"}
NO_NUMBA = {"device": "cpu", "failed": "no numba"}
ENDED = "the process ended with code 3"
FAILED = (
    "the {} failed when the speed of writing was measured ({}): the {} is used; "
    "musicrel check measures again"
)


@pytest.mark.parametrize(
    ("answers", "end", "expected", "sentence"),
    [
        ([CPU_ANSWER, OUT_OF_MEMORY], "", "cpu", FAILED.format("GPU", "out of memory", "CPU")),
        ([CPU_ANSWER, HALF], DIES, "cpu", FAILED.format("GPU", ENDED, "CPU")),
        ([NO_NUMBA, CUDA_ANSWER], "", "cuda", FAILED.format("CPU", "no numba", "GPU")),
    ],
)
def test_a_device_that_fails_is_not_taken(
    gpu: Graphics, answers: list[dict[str, Any]], end: str, expected: str, sentence: str
) -> None:
    gpu.answer(*answers, end=end)

    made = writing()

    assert (made.device, made.warning) == (expected, sentence)
    assert writing() == made
    assert gpu.started == ["writing"]


def test_a_program_that_takes_too_long_is_ended(
    gpu: Graphics, monkeypatch: pytest.MonkeyPatch
) -> None:
    gpu.answer(CPU_ANSWER, end=WAITS)
    monkeypatch.setattr(device_choice, "_LIMIT", 0.0)

    assert "it had not ended after 0 minutes): the CPU is used" in writing().warning
    assert psutil.Process(os.getpid()).children() == []


@pytest.mark.parametrize("command", ["no-such-program", sys.executable])
def test_where_nothing_can_be_measured_the_cpu_is_taken_for_now(
    gpu: Graphics, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setattr(device_choice, "COMMAND", (command, "-c", "exit(1)"))

    assert writing().device == "cpu"
    assert "the CPU and the GPU failed" in writing().warning
    assert not (gpu.folder / "devices").exists()


def test_progress_is_reported_and_closing_the_job_ends_the_program(gpu: Graphics) -> None:
    gpu.answer(CPU_ANSWER, HALF, end=WAITS)
    job = choose("auto", "writing")

    assert next(job) == Measurement(task="writing", device="cuda", share=0.5)
    assert next(job) == Measurement(task="writing", device="cuda", share=0.5)
    (process,) = psutil.Process(os.getpid()).children()
    job.close()

    assert not process.is_running()
    assert not (gpu.folder / "devices").exists()
    gpu.have(cpu=1.0, cuda=2.0)
    assert writing().device == "cuda"


def test_jobs_of_several_threads_share_a_measurement(gpu: Graphics) -> None:
    gpu.have(cpu=1.0, cuda=2.0)
    found: list[str] = []
    threads = [threading.Thread(target=lambda: found.append(writing().device)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert found == ["cuda"] * 3
    assert gpu.started == ["writing"]


@pytest.mark.parametrize(
    ("made_on", "expected"), [("cpu", "cpu"), ("cuda:0", "cuda"), ("mps", "cuda"), ("", "cuda")]
)
def test_a_piece_is_written_again_where_it_was_written(
    gpu: Graphics, made_on: str, expected: str
) -> None:
    """If this machine has the device, and the user has named no other."""
    gpu.have(cpu=1.0, cuda=2.0)
    writing()

    assert writing("auto", made_on).device == expected
    assert writing("cpu", made_on).device == "cpu"


def test_a_device_that_has_gone_is_not_taken(gpu: Graphics) -> None:
    gpu.have(cpu=1.0, cuda=2.0)
    writing()
    gpu.is_here(cuda=False)

    assert writing() == Choice(devices.CPU)


def test_a_measurement_that_nobody_shows_is_announced(
    gpu: Graphics, caplog: pytest.LogCaptureFixture
) -> None:
    gpu.answer({"device": "cpu", "share": 0.5}, CPU_ANSWER, CUDA_ANSWER)
    device_choice._announce.cache_clear()

    assert device_choice.chosen("auto", "training") == "cpu"
    assert [record.message for record in caplog.records] == [
        device_choice.ANNOUNCED.format(task="training")
    ]
    assert gpu.started == ["training"]


def test_the_machine_names_graphics_and_driver_by_nvidia_or_the_system(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    devices.machine.cache_clear()
    monkeypatch.setattr(devices, "_NVIDIA", (sys.executable, "-c", "print('H200, 570.124')"))
    assert devices.machine()["graphics"] == "H200, 570.124"

    devices.machine.cache_clear()
    monkeypatch.setattr(devices, "_NVIDIA", ("no-such-program",))
    assert devices.machine()["graphics"] == platform.platform()
    assert set(devices.machine()) == {"processor", "cores", "graphics", "torch", "musicrel"}
    devices.machine.cache_clear()
