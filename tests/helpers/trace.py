"""The modules that a value passes through, found by profiling every call of musicrel."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

Predicate = Callable[[object], bool]


@contextmanager
def modules_holding(predicate: Predicate) -> Iterator[list[str]]:
    """Collect the modules of musicrel in whose functions a value is found.

    A function holds the value if one of its arguments when it is called, or of its local variables
    or its result when it returns or yields, is the value, or a dataclass with the value as a field.
    All calls of this thread, and of threads that start meanwhile, are seen; those of other
    processes are not.
    """
    found: list[str] = []

    def profile(frame: FrameType, event: str, result: Any) -> None:
        module = frame.f_globals.get("__name__", "")
        if event not in ("call", "return") or frame.f_code.co_name == "<module>":
            return
        if not module.startswith("musicrel.") or module in found:
            return
        values = [*frame.f_locals.values(), result]
        if any(_holds(value, predicate) for value in values) and module not in found:
            found.append(module)

    with _profiled(profile):
        yield found


@contextmanager
def modules_passing(predicate: Predicate, *stations: Callable[..., object]) -> Iterator[list[str]]:
    """Collect the modules of musicrel that pass a value on, from one station to the next.

    A station is a function where the value comes to rest in an object, such as a document or a
    job, or where it takes effect. Whenever one is called, the functions on the stack that hold the
    value, as in ``modules_holding``, are on its way. Functions that only look at it are not.
    """
    found: list[str] = []
    codes = {station.__code__ for station in stations}

    def profile(frame: FrameType, event: str, _result: Any) -> None:
        if event != "call" or frame.f_code not in codes:
            return
        stack: list[str] = []
        station: FrameType | None = frame
        while station is not None:
            module = station.f_globals.get("__name__", "")
            if module.startswith("musicrel.") and module not in (*stack, *found):
                held = [*station.f_locals.values()]
                if any(_holds(value, predicate) for value in held):
                    stack.append(module)
            station = station.f_back
        found.extend(reversed(stack))

    with _profiled(profile):
        yield found


def _holds(value: object, predicate: Predicate) -> bool:
    inner = getattr(type(value), "__dataclass_fields__", ())
    fields = [getattr(value, name, None) for name in inner]
    with suppress(Exception):  # such as the comparison of two arrays
        return any(predicate(one) for one in (value, *fields))
    return False


@contextmanager
def _profiled(profile: Callable[[FrameType, str, Any], None]) -> Iterator[None]:
    qt = sys.modules.get("PySide6.QtCore")
    kinds = [kind for kind in _subclasses(qt.QThread) if "run" in vars(kind)] if qt else []
    originals = {kind: kind.run for kind in kinds}
    ended = threading.Event()

    def profile_until_ended(frame: FrameType, event: str, result: Any) -> None:
        if not ended.is_set():
            profile(frame, event, result)

    for kind, run in originals.items():
        kind.run = _with_profile(run, profile_until_ended)
    threading.setprofile(profile_until_ended)
    sys.setprofile(profile_until_ended)
    try:
        yield
    finally:
        ended.set()
        sys.setprofile(None)
        threading.setprofile(None)
        for kind, run in originals.items():
            kind.run = run


def _with_profile(run: Callable[[Any], None], profile: Any) -> Callable[[Any], None]:
    def profiled(self: Any) -> None:
        sys.setprofile(profile)
        run(self)

    return profiled


def _subclasses(kind: type) -> list[Any]:
    own: list[Any] = kind.__subclasses__()
    return [*own, *(inner for one in own for inner in _subclasses(one))]
