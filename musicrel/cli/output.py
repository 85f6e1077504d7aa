"""Standard output and standard error.

Results go to standard output, as one JSON object or plain lines; progress and messages to standard
error.
"""

from __future__ import annotations

import codecs
import contextlib
import io
import json
import os
import sys
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct
from tqdm import tqdm

from musicrel import jobs
from musicrel.errors import readable
from musicrel.jobs import Event, Job, Result

_changes: Final[dict[str, None]] = {}  # reports on the files that the command has read, in order


class OutputError(Exception):
    """Standard output cannot be written: its reader has gone, or its disk is full."""

    @property
    def reader_is_gone(self) -> bool:
        """Return True if nobody reads the output any more, as in ``musicrel ... | head -1``."""
        return isinstance(self.__cause__, BrokenPipeError)


def print_text(text: str, *, flush: bool = False) -> None:
    with _checked():
        print(text, flush=flush)


def print_json(values: Mapping[str, Any]) -> None:
    """Print exactly one JSON object, with all that was reported as its list ``report``."""
    values = {**values, "report": list(_changes)} if _changes else values
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    is_ascii = codecs.lookup(encoding).name != "utf-8"  # other encodings lack characters
    print_text(json.dumps(values, indent=2, ensure_ascii=is_ascii, allow_nan=False))


def print_result(values: Mapping[str, Any], text: str, *, as_json: bool) -> None:
    if as_json:
        print_json(values)
    else:
        print_text(text)


def print_event(event: Struct) -> None:
    print_text(json.dumps(msgspec.to_builtins(event)), flush=True)


def flush() -> None:
    """Flush standard output, before Python does so at exit with a traceback."""
    if sys.stdout is not None:  # None under pythonw
        with _checked():
            sys.stdout.flush()


def discard() -> None:
    """Discard the buffer of standard output, so that Python finds no error at exit."""
    with contextlib.suppress(io.UnsupportedOperation):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextlib.contextmanager
def _checked() -> Iterator[None]:
    """Turn an error of standard output into ``OutputError``.

    Errors of all other files and pipes must not be mistaken for it.
    """
    try:
        yield
    except OSError as reason:
        raise OutputError(f"cannot write the output: {reason.strerror or reason}") from reason


def print_message(text: str) -> None:
    print(text, file=sys.stderr)


def report(changes: Iterable[str]) -> None:
    """Print what was changed or left out on reading a file, once; ``print_json`` adds it, too."""
    for change in map(readable, changes):
        if change not in _changes:
            print_message(change)
            _changes[change] = None


def forget_reports() -> None:
    _changes.clear()


def table(
    head: Sequence[str], rows: Sequence[Sequence[object]], *, right: Container[int] = ()
) -> str:
    """Return columns of text; numbers, and the columns ``right``, are aligned right."""
    cells = [list(head)] + [[str(entry) for entry in row] for row in rows]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    is_number = [
        column in right
        or (bool(rows) and all(isinstance(row[column], (int, float)) for row in rows))
        for column in range(len(head))
    ]
    lines = []
    for row in cells:
        padded = [
            entry.rjust(width) if right else entry.ljust(width)
            for entry, width, right in zip(row, widths, is_number, strict=True)
        ]
        lines.append("  ".join(padded).rstrip())
    return "\n".join(lines)


class ProgressBar(tqdm):  # type: ignore[type-arg]  # generic in its stubs only
    def __init__(self, name: str, total: float, unit: str) -> None:
        super().__init__(
            desc=name,
            total=total,
            unit=f" {unit}",
            file=sys.stderr,
            disable=not sys.stderr.isatty(),
            leave=False,
        )

    def set_done(self, done: float, remark: str = "", total: float | None = None) -> None:
        if remark:
            self.set_postfix_str(remark, refresh=False)
        if total is not None:
            self.total = total
        self.update(done - self.n)


def followed(
    job: Job[Event, Result],
    name: str,
    unit: str,
    shown: Callable[[Any], tuple[float, str, float]] = lambda at: (at.done, "", at.total),
    *,
    events: int | None = None,
) -> Result:
    """Run a job with a progress bar of what ``shown`` returns, or of the number of events."""
    with ProgressBar(name, events or 1, unit) as bar:

        def show(event: Event) -> None:
            bar.set_done(*(shown(event) if events is None else (bar.n + 1, "", events)))

        return jobs.run(job, show)
