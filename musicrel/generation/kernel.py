"""The compiled kernel: whether models may be read by it here, and the reason if not.

Without it torch reads; nothing but time is lost. The modules of ``musicrel.model.compiled`` are
imported where ``available`` has returned True, and nowhere else.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import logging
import os
import pickle
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Final

import numpy as np

from musicrel.errors import UsageError

SWITCH: Final = "MUSICREL_KERNEL"
"""Variable of the environment: "on", the default, or "off", which switches the kernel off."""
COMPILING: Final = "Preparing musicrel for this processor, once: this takes about half a minute …"

_VALUES: Final = ("", "on", "off")
_NO_SWITCH: Final = SWITCH + " is {value!r}: expected on or off"
_OFF: Final = f"the compiled kernel is switched off by {SWITCH}=off: pieces are written by torch"
_COMPARED: Final = "the compiled kernel is switched off while torch computes for comparison"
_NOT_USED: Final = (
    "the compiled kernel is not used, because {what} ({failure}): pieces are written by torch, "
    "which takes longer; {remedy} to change that"
)
_FOLDER: Final = "the folder for compiled functions cannot be used"
_CACHE: Final = "musicrel.model.compiled.cache_folder"
_DAMAGED: Final = (EOFError, pickle.UnpicklingError)
"""Errors of a compiled function whose file is empty or cut off, as after a power failure."""

_PATIENCE: Final = 1.5
"""Seconds after which a compilation is announced; loading from the cache takes less."""

_log = logging.getLogger(__name__)
_lock: Final = threading.RLock()
_failures: Final[dict[str, str]] = {}
_tried: Final[set[str]] = set()


class _Comparisons:
    """The blocks in which torch computes.

    Attributes:
        number: number of those that have begun and not ended, in all threads.
    """

    number = 0


def available() -> bool:
    """Return True where compiled functions can be used."""
    return not reason()


def reason() -> str:
    """Return the reason why they cannot be used, one sentence for the user, or ""."""
    if is_switched_off():
        return _COMPARED if _Comparisons.number else _OFF
    return next(iter(_failures.values()), "") or _import_failure()


def is_switched_off() -> bool:
    """Return True where the kernel is not to be used, whether it works or not.

    Raises:
        UsageError: the variable of the environment has another value than "on" or "off".
    """
    value = os.environ.get(SWITCH, "")
    if value.lower() not in _VALUES:
        raise UsageError(_NO_SWITCH.format(value=value))
    return bool(_Comparisons.number) or value.lower() == "off"


def works(part: str, trial: Callable[[], object]) -> bool:
    """Return True where a part of the kernel runs; after a failure torch takes the place of all.

    Args:
        part: name of the part, which is tried once; other threads wait for the end of the trial.
        trial: runs it, so that the compiler compiles it or loads it from its cache.
    """
    if not available():
        return False
    with _lock:
        if part not in _tried:
            _try(part, trial)
            _tried.add(part)
    return available()


@contextlib.contextmanager
def switched_off() -> Iterator[None]:
    """Let torch compute in all threads during the block, for comparisons."""
    with _lock:
        _Comparisons.number += 1
    try:
        yield
    finally:
        with _lock:
            _Comparisons.number -= 1


def _try(part: str, trial: Callable[[], object]) -> None:
    folder = importlib.import_module(_CACHE)
    try:
        with folder.locked(), _interruptible(), _announced(complete=folder.is_complete()):
            _run(trial)
    except Exception as failure:  # noqa: BLE001  # a compiler's errors have no common class
        _failures[part] = _reported(f"{part} cannot be compiled", failure)


def _run(trial: Callable[[], object]) -> None:
    """Run a function that compiles; damaged files of the cache are made again."""
    try:
        trial()
    except _DAMAGED:
        importlib.import_module(_CACHE).clear()
        trial()


@contextlib.contextmanager
def _announced(*, complete: bool) -> Iterator[None]:
    """Log once that functions are compiled, unless all have been or the block ends soon."""
    announcement = threading.Timer(_PATIENCE, _announce)
    announcement.daemon = True
    if not complete:
        announcement.start()
    try:
        yield
    finally:
        announcement.cancel()


@functools.cache
def _announce() -> None:
    _log.warning(COMPILING)


@contextlib.contextmanager
def _interruptible() -> Iterator[None]:
    """Let Ctrl+C end the block also if a function that the compiler calls back swallows it."""
    is_usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not is_usual or threading.current_thread() is not threading.main_thread():
        yield
        return
    interrupted = False

    def interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal interrupted
        interrupted = True
        signal.default_int_handler(number, frame)

    signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    except Exception:
        if not interrupted:
            raise
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if interrupted:
        raise KeyboardInterrupt


@functools.cache
def _import_failure() -> str:
    """Return the reason why the functions cannot be imported and the smallest not be run."""
    try:
        arithmetic = importlib.import_module("musicrel.model.compiled.arithmetic")
        _run(lambda: arithmetic.relu(np.zeros(1, dtype=np.float32)))
    except Exception as failure:  # noqa: BLE001  # missing, broken, or no folder for its cache
        return _reported("numba does not work", failure)
    return ""


def _reported(what: str, failure: Exception) -> str:
    """Return a failure as a sentence, which is logged, too."""
    first_line = str(failure).strip().partition("\n")[0] or type(failure).__name__
    remedy = "reinstall numba"
    if isinstance(failure, OSError):
        what, remedy = _FOLDER, "make it writable"
    sentence = _NOT_USED.format(what=what, failure=first_line, remedy=remedy)
    _log.warning(sentence)
    return sentence
