"""The faster device of this machine for a task: measured once, and stored in the user's cache.

Nothing is measured without an accelerator, and torch is not imported. A device that the user names
is taken as it is. Speeds are measured by a process of its own (``COMMAND``), which may run
out of memory, or be killed by a driver, without harm to this one; it prints a JSON object a line.
They are measured again when hardware, drivers or versions have changed, and by ``musicrel check``.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Generator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, Self, get_args

from musicrel import jobs, paths, untrusted, validated
from musicrel.errors import DataError, FileError
from musicrel.jobs import Job
from musicrel.language import tr
from musicrel.model import devices
from musicrel.model.devices import CPU, Device

Task = Literal["writing", "training"]
TASKS: Final[tuple[Task, ...]] = get_args(Task)

COMMAND: Final = (sys.executable, "-m", "musicrel.experiment.device_speeds")
"""The program that measures; its arguments are a task and devices."""
ANNOUNCED: Final = "Measuring once which device is faster for {task}: this takes up to a minute …"
_WORK: Final[Mapping[Task, str]] = {"writing": tr("writing"), "training": tr("training")}
_USED: Final = tr("{task} on the {device}")
_FAILED: Final = tr(
    "the {failed} failed when the speed of {task} was measured ({reason}): the {used} is used; "
    "musicrel check measures again"
)
_ENDED: Final = "the process ended with code {code}"
_SLOW: Final = "it had not ended after {minutes:.0f} minutes"

_INTERVAL: Final = 0.1
"""Seconds between two events, and so the longest time until a job is cancelled."""
_LIMIT: Final = 600.0  # seconds; on first use the kernel is compiled in them
_lock: Final = threading.Lock()  # jobs of several threads would slow each other down
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """A device is being measured; the job waits for it."""

    task: Task
    device: str
    share: float = 0.0  # that is done, 0 to 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Speeds:
    """The measured devices."""

    machine: dict[str, str]  # ``devices.machine`` when they were measured
    tokens_per_second: dict[str, float] = field(default_factory=dict)  # the CPU first
    failed: dict[str, str] = field(default_factory=dict)  # device -> reason

    @property
    def fastest(self) -> Device:
        rates = self.tokens_per_second
        return Device(max(rates, key=rates.__getitem__, default=CPU))

    def in_words(self, device: str) -> str:
        """Return the tokens a second of a device, or why it failed."""
        rate = self.tokens_per_second.get(device)
        return f"failed: {self.failed.get(device)}" if rate is None else f"{rate:,.0f}"


@dataclass(frozen=True, slots=True)
class Choice:
    """The device for a task."""

    device: Device
    is_measured: bool = False  # whether it is the faster one
    warning: str = ""  # about a device that failed when it was measured, one sentence, or ""

    @classmethod
    def of(cls, speeds: Speeds, task: Task) -> Self:
        """Return the fastest device that is still here."""
        used = speeds.fastest if _is_here(speeds.fastest) else CPU
        failed = tr(" and the ").join(map(title, speeds.failed))
        reason = "; ".join(speeds.failed.values())
        sentence = _FAILED.format(failed=failed, task=_WORK[task], reason=reason, used=title(used))
        return cls(used, used == speeds.fastest, sentence if failed else "")


def title(device: str) -> str:
    """Return the name of a device for people."""
    return "CPU" if device == CPU else "GPU"


def described() -> str:
    """Return what ``auto`` means here, as "writing on the CPU, training on the GPU".

    A task that has not been measured is left out.
    """
    found = {task: stored(task) for task in TASKS}
    return ", ".join(
        _USED.format(task=_WORK[task], device=title(speeds.fastest))
        for task, speeds in found.items()
        if speeds is not None
    )


def chosen(name: object, task: Task) -> Device:
    """Return the device for a task when it is known; that it is measured is announced in the log.

    Raises:
        UsageError: there is no such device.
    """
    return jobs.run(choose(name, task), lambda _: _announce(task)).device


def choose(name: object, task: Task, made_on: str = "") -> Job[Measurement, Choice]:
    """Return the device called ``name``; ``auto`` is the faster one for the task.

    Args:
        name: auto, cpu, cuda or mps.
        task: what it is to do.
        made_on: the device that has written the piece which is to be written again; ``auto`` is
            this one if there is such a device. "": none.

    Raises:
        UsageError: there is no such device.
    """
    if not isinstance(name, str) or name != "auto":
        return Choice(devices.resolve(name))
    if not devices.may_have_accelerator():
        return Choice(CPU)
    before = Device(Device(made_on).type)
    if _is_here(before):
        return Choice(before)
    speeds = stored(task)
    if speeds is None:
        accelerator = devices.accelerator()
        if accelerator is None:
            return Choice(CPU)
        speeds = yield from _measured_once(task, accelerator)
    return Choice.of(speeds, task)


def is_open(name: object, task: Task) -> bool:
    """Return whether ``choose`` measures first, where torch finds an accelerator."""
    return name == "auto" and devices.may_have_accelerator() and stored(task) is None


def _is_here(device: Device) -> bool:
    """Return whether there is the device; without torch if it is the CPU."""
    return device == CPU or (bool(device) and device == devices.accelerator())


def _measured_once(task: Task, accelerator: Device) -> Job[Measurement, Speeds]:
    while not _lock.acquire(timeout=_INTERVAL):
        yield Measurement(task=task, device=CPU)
    try:
        return stored(task) or (yield from measure(task, accelerator))
    finally:
        _lock.release()


def measure(
    task: Task, accelerator: Device, command: Sequence[str] | None = None
) -> Job[Measurement, Speeds]:
    """Measure the CPU and an accelerator and store their speeds, unless both of them fail.

    Args:
        task: what they do.
        accelerator: the device beside the CPU.
        command: the program that measures; None: ``COMMAND``.
    """
    names, found = (CPU, accelerator), Speeds(machine=devices.machine())
    with contextlib.closing(_answers((*(command or COMMAND), task, *names))) as answers:
        for answer in answers:
            device = str(answer.get("device", CPU))
            if rate := answer.get("tokens_per_second"):
                found.tokens_per_second[device] = rate
            elif reason := answer.get("failed"):
                found.failed[device] = reason
            elif reason := answer.get("ended"):
                known = found.failed | found.tokens_per_second
                found.failed.update((name, reason) for name in names if name not in known)
            else:
                yield Measurement(task=task, device=device, share=answer.get("share", 0.0))
    if found.tokens_per_second:
        with contextlib.suppress(FileError):  # then it is measured again
            paths.write_text(_file(task), json.dumps(asdict(found), indent=1) + "\n")
    return found


def _answers(command: Sequence[str]) -> Generator[Mapping[str, Any]]:
    """Run the program and yield its objects, the last one again while there is no other.

    The last object has the reason why it ended, as ``ended``. If this is closed, it is killed.
    """
    quiet, lines = subprocess.DEVNULL, queue.SimpleQueue[bytes]()
    try:
        process = subprocess.Popen(  # noqa: S603  # our own program
            command,
            stdin=quiet,
            stdout=subprocess.PIPE,
            stderr=quiet,
            env={**os.environ, "MUSICREL_KERNEL": "on"},  # as without the variable
        )
    except OSError as reason:
        yield {"ended": str(reason)}
        return
    with process:
        reader = threading.Thread(target=_read, args=(process, lines), daemon=True)
        reader.start()
        try:
            yield from _parsed(lines)
            ended = _ENDED.format(code=process.wait())
        except TimeoutError:
            ended = _SLOW.format(minutes=_LIMIT / 60)
        finally:
            process.kill()
            reader.join()
    yield {"ended": ended}


def _read(process: subprocess.Popen[bytes], lines: queue.SimpleQueue[bytes]) -> None:
    for line in process.stdout or ():
        lines.put(line)
    lines.put(b"")


def _parsed(lines: queue.SimpleQueue[bytes]) -> Generator[Mapping[str, Any]]:
    """Yield the objects among lines up to an empty one; raise ``TimeoutError`` after ``_LIMIT``."""
    last: Mapping[str, Any] = {}
    end = time.monotonic() + _LIMIT
    while time.monotonic() < end:
        try:
            line = lines.get(timeout=_INTERVAL)
        except queue.Empty:
            yield {key: last[key] for key in ("device", "share") if key in last}
            continue
        if not line:
            return
        if line.startswith(b"{"):
            last = json.loads(line)
            yield last
    raise TimeoutError


def stored(task: Task) -> Speeds | None:
    """Return the speeds that were measured with the present hardware and versions, if any were."""
    path = _file(task)
    if not path.is_file() or not devices.may_have_accelerator():
        return None
    try:
        plain = untrusted.parse_json(untrusted.read(path, "speeds"), str(path))
        found = validated.convert(plain, Speeds, str(path), error=DataError)
    except (FileError, DataError):
        return None
    return found if found.tokens_per_second and found.machine == devices.machine() else None


def folder() -> Path:
    """Return the folder of the stored speeds."""
    return paths.cache() / "devices"


def _file(task: Task) -> Path:
    return folder() / f"{task}.json"


@cache
def _announce(task: Task) -> None:
    _log.warning(ANNOUNCED.format(task=task))
