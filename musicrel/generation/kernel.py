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
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from types import FrameType
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from musicrel.errors import UsageError
from musicrel.language import tr

if TYPE_CHECKING:
    from musicrel.model.checkpoint import LoadedWeights

SWITCH: Final = "MUSICREL_KERNEL"
"""Variable of the environment: "on", the default, or "off", which switches the kernel off."""
COMPILING: Final = "Preparing musicrel for this processor, once: this takes about half a minute …"

_FORMS: Final[Mapping[str, tuple[str, str, str]]] = {
    "causal": ("decoder", "CompiledModel", tr("the decoding step")),
    "infill": ("infiller", "CompiledInfiller", tr("infilling")),
}
"""Module and class of the form of each family, and its name as a part of the kernel."""

_PATIENCE: Final = 1.5
"""Seconds after which a compilation is announced; loading from the cache takes less."""

_log = logging.getLogger(__name__)
_lock: Final = threading.RLock()
_failures: Final[dict[str, str]] = {}
_tried: Final[set[str]] = set()
_compares: Final[ContextVar[bool]] = ContextVar("compares", default=False)


def available() -> bool:
    """Return True where compiled functions can be used."""
    return not reason()


def reason() -> str:
    """Return the reason why they cannot be used, one sentence for the user, or ""."""
    if is_switched_off():
        if _compares.get():
            return "the compiled kernel is switched off while torch computes for comparison"
        return tr(
            "the compiled kernel is switched off by {switch}=off: pieces are written by torch",
            switch=SWITCH,
        )
    return next(iter(_failures.values()), "") or _import_failure()


def is_switched_off() -> bool:
    """Return True where the kernel is not to be used, whether it works or not."""
    value = os.environ.get(SWITCH, "")
    if value.lower() not in ("", "on", "off"):
        raise UsageError(f"{SWITCH} is {value!r}: expected on or off")
    return _compares.get() or value.lower() == "off"


@contextlib.contextmanager
def switched_off() -> Iterator[None]:
    """Let torch compute in this thread during the block, for comparisons."""
    token = _compares.set(True)
    try:
        yield
    finally:
        _compares.reset(token)


def works(part: str, trial: Callable[[], object]) -> bool:
    """Return True where a part of the kernel runs; after a failure torch takes the place of all.

    It is tried once, so that the compiler compiles it or loads it from its cache; other threads
    wait for the end of the trial.
    """
    if not available():
        return False
    with _lock:
        if part not in _tried:
            try:
                _compile(trial)
            except Exception as failure:  # noqa: BLE001  # a compiler's errors have no common class
                _failures[part] = _reported(tr("{part} cannot be compiled", part=part), failure)
            _tried.add(part)
    return available()


@dataclass(frozen=True, eq=False)
class CompiledForm:
    """The form of a model's weights, of a class in ``_FORMS``, prepared when first asked for."""

    weights: LoadedWeights

    @property
    def known(self) -> Any:
        """Return the form; None where the model has none or the kernel is not used."""
        is_used = self.weights.device.type == "cpu" and available()
        return self._prepared if is_used else None

    @property
    def ready(self) -> Any:
        """Return the form after it has been compiled or loaded from the cache; None as above."""
        form = self.known
        if form is None:
            return None
        module, _, part = _FORMS[self.weights.config.family]
        return form if works(part, lambda: _module(module).run_once(form)) else None

    @functools.cached_property
    def _prepared(self) -> Any:
        config = self.weights.config
        if config.family not in _FORMS or not _module("layers").supported(config):
            return None
        name, form, _ = _FORMS[config.family]
        return getattr(_module(name), form).of(config, self.weights.tensors)


def is_missing() -> bool:
    """Return True if the kernel can be used and has not been compiled for this processor."""
    return available() and not _module("cache_folder").is_complete()


def progress() -> tuple[int, int]:
    """Return how many functions have been compiled, and how many there are in all."""
    for module, _, _ in _FORMS.values():
        _module(module)
    importlib.import_module("musicrel.generation.causal.compiled_writer")
    total = len(_module("arithmetic").functions)
    return min(_module("cache_folder").count(), total), total


def _compile(trial: Callable[[], object]) -> None:
    """Run a trial while no other process compiles; a compilation is announced if it is long."""
    folder = _module("cache_folder")
    announcement = threading.Timer(_PATIENCE, _announce)
    announcement.daemon = True
    with folder.locked(), _interruptible():
        if not folder.is_complete():
            announcement.start()
        try:
            _run(trial)
        finally:
            announcement.cancel()


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


def _run(trial: Callable[[], object]) -> None:
    """Run a function that compiles; files cut off, as by a power failure, are made again."""
    try:
        trial()
    except (EOFError, pickle.UnpicklingError):
        _module("cache_folder").clear()
        trial()


@functools.cache
def _announce() -> None:
    _log.warning(COMPILING)


@functools.cache
def _import_failure() -> str:
    """Return the reason why the functions cannot be imported and the smallest not be run."""
    try:
        arithmetic = _module("arithmetic")
        _run(lambda: arithmetic.relu(np.zeros(1, dtype=np.float32)))
    except Exception as failure:  # noqa: BLE001  # missing, broken, or no folder for its cache
        return _reported(tr("numba does not work"), failure)
    return ""


def _module(name: str) -> Any:
    return importlib.import_module(f"musicrel.model.compiled.{name}")


def _reported(what: str, failure: Exception) -> str:
    first_line = str(failure).strip().partition("\n")[0] or type(failure).__name__
    remedy = tr("reinstall numba")
    if isinstance(failure, OSError):
        what = tr("the folder for compiled functions cannot be used")
        remedy = tr("make it writable")
    sentence = tr(
        "the compiled kernel is not used, because {what} ({first_line}): pieces are "
        "written by torch, which takes longer; {remedy} to change that",
        what=what,
        first_line=first_line,
        remedy=remedy,
    )
    _log.warning(sentence)
    return sentence
