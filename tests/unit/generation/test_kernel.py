"""The compiled kernel where it is missing, switched off or broken: torch takes its place."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from musicrel.errors import UsageError
from musicrel.generation import kernel
from musicrel.generation.loaded_model import LoadedModel
from musicrel.model.torch_reader import TorchReader
from tests.helpers.processes import printed

_BROKEN_TRIAL = """
from musicrel.generation import kernel

def broken():
    raise ValueError("no such type\\nand many lines")

print(kernel.available())
print(kernel.works("the step", broken))
print(kernel.works("the step", broken), kernel.available())
print(kernel.reason())
"""
_SLOW_TRIAL = """
import threading
from musicrel.generation import kernel

begun, ended = threading.Event(), threading.Event()
done, seen = [], []

def slow():
    begun.set()
    ended.wait()
    done.append("tried")

def other():
    kernel.works("the step", slow)
    seen.append(len(done))

threads = [threading.Thread(target=other) for _ in range(2)]
kernel.available()
threads[0].start()
begun.wait()
threads[1].start()
ended.set()
for thread in threads:
    thread.join()
print(*seen)
"""
_ANNOUNCED_TRIAL = """
import logging, sys, threading
from musicrel.generation import kernel

logged = threading.Event()

class Printer(logging.Handler):
    def emit(self, record):
        print(record.getMessage())
        logged.set()

logging.getLogger().addHandler(Printer())
kernel._PATIENCE = 0.0
print(kernel.works("the step", lambda: logged.wait(60)))
kernel._announce()
"""
_CACHE = "import pathlib\nfrom musicrel import paths\npaths.cache = lambda: pathlib.Path({!r})\n"


def reason_where(before: str, **environment: str) -> str:
    code = f"{before}\nfrom musicrel.generation import kernel\nprint(kernel.reason())"
    return "\n".join(printed(code, **environment))


def test_a_variable_switches_it_off(monkeypatch: pytest.MonkeyPatch, model: LoadedModel) -> None:
    monkeypatch.setenv(kernel.SWITCH, "off")

    assert kernel.reason() == (
        "the compiled kernel is switched off by MUSICREL_KERNEL=off: pieces are written by torch"
    )
    rows = np.zeros((1, 4, len(model.conditions)), dtype=np.int64)
    assert isinstance(model.reader(rows), TorchReader)


def test_a_variable_with_another_value_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A misspelt choice is not ignored; the two choices may be in capitals."""
    monkeypatch.setenv(kernel.SWITCH, "nonsense")
    with pytest.raises(UsageError, match=r"^MUSICREL_KERNEL is 'nonsense': expected on or off$"):
        kernel.available()

    monkeypatch.setenv(kernel.SWITCH, "On")
    assert kernel.available()


def test_a_long_compilation_is_announced_once(tmp_path: Path) -> None:
    assert printed(_CACHE.format(str(tmp_path)) + _ANNOUNCED_TRIAL) == [kernel.COMPILING, "True"]


def test_the_progress_counts_the_functions_that_have_been_compiled(tmp_path: Path) -> None:
    """Here the smallest one, by which the compiler is tried."""
    code = _CACHE.format(str(tmp_path)) + (
        "from musicrel.generation import kernel\n"
        "print(kernel.available())\n"
        "done, total = kernel.progress()\n"
        "print(done, total > 50)\n"
    )
    assert printed(code) == ["True", "1 True"]


def test_nothing_is_announced_where_all_is_compiled(tmp_path: Path) -> None:
    code = _CACHE.format(str(tmp_path)) + (
        "import threading\n"
        "from musicrel.generation import kernel\n"
        "from musicrel.model.compiled import cache_folder\n"
        "kernel.available()  # sets the folder\n"
        "cache_folder.mark_complete()\n"
        "print(kernel.works('the step', lambda: print(*threading.enumerate())))\n"
    )
    threads, works = printed(code)
    assert "MainThread" in threads
    assert "Timer" not in threads
    assert works == "True"


def test_without_numba_torch_takes_its_place() -> None:
    reason = reason_where("import sys; sys.modules['numba'] = None")

    assert "numba does not work (import of numba halted" in reason
    assert "pieces are written by torch, which takes longer; reinstall numba" in reason


def test_without_a_folder_for_its_cache_torch_takes_its_place() -> None:
    reason = reason_where(_CACHE.format(os.devnull))

    assert "because the folder for compiled functions cannot be used ([Errno" in reason
    assert os.devnull in reason
    assert reason.endswith("which takes longer; make it writable to change that")


def test_damaged_files_of_the_cache_are_made_again(tmp_path: Path) -> None:
    """An index is empty, and a function is cut off, as after a power failure."""
    code = _CACHE.format(str(tmp_path)) + (
        "from musicrel.generation import kernel\n"
        "from musicrel.model.compiled.arithmetic import layer_norm\n"
        "import numpy as np\n"
        "rows = np.ones((4, 8), dtype=np.float32)\n"
        "print(kernel.works('a norm', lambda: layer_norm(*rows)))\n"
    )
    assert printed(code) == ["True"]
    (index,) = tmp_path.rglob("arithmetic.relu-*.nbi")
    (function,) = tmp_path.rglob("arithmetic.layer_norm-*.nbc")
    index.write_bytes(b"")
    function.write_bytes(function.read_bytes()[:100])

    assert printed(code) == ["True"]

    assert index.stat().st_size > 0
    assert function.stat().st_size > 100


def test_other_threads_wait_for_the_trial_of_a_part() -> None:
    assert printed(_SLOW_TRIAL) == ["1 1"]


def test_a_part_that_cannot_be_compiled_switches_all_off() -> None:
    available, works, *later, reason = printed(_BROKEN_TRIAL)

    assert (available, works, later) == ("True", "False", ["False False"])
    assert "because the step cannot be compiled (no such type): pieces are written" in reason


@pytest.mark.parametrize("swallowed", ["", "pass", "raise ValueError('half compiled')"])
def test_an_interruption_ends_the_trial(swallowed: str) -> None:
    """Functions that the compiler calls back may swallow it, or break by it."""
    caught = f"except KeyboardInterrupt: {swallowed}" if swallowed else "finally: pass"
    lines = printed(
        "import signal\n"
        "from musicrel.generation import kernel\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a shell may have ignored it
        "def trial():\n"
        "    try: signal.raise_signal(signal.SIGINT)\n"
        f"    {caught}\n"
        "try: kernel.works('the step', trial)\n"
        "except KeyboardInterrupt: print('interrupted')\n"
        "print(repr(kernel.reason()))\n"
        "print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)\n"
    )

    assert lines == ["interrupted", "''", "True"]


def test_it_is_switched_off_for_a_block(monkeypatch: pytest.MonkeyPatch) -> None:
    with kernel.switched_off():
        assert not kernel.available()
        assert kernel.reason() == (
            "the compiled kernel is switched off while torch computes for comparison"
        )
    assert kernel.available()

    monkeypatch.setenv(kernel.SWITCH, "off")
    with kernel.switched_off():
        assert not kernel.available()
    assert not kernel.available()
