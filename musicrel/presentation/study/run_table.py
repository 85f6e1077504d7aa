"""The runs of a study as a table: what is shown, sorted and copied.

This file knows runs as they stand; it knows nothing of windows.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from musicrel.presentation.study import progress

if TYPE_CHECKING:
    from musicrel.experiment.study.run_watch import RunNow

STATES: Final = {
    "queued": "waiting",
    "running": "running",
    "paused": "paused",
    "stopped": "stopped",
    "cancelled": "ended",
    "finished": "finished",
    "crashed": "interrupted",
}
"""States of runs, as people call them."""
NONE: Final = "–"

Value = str | int | float | None


class Column(NamedTuple):
    """One column.

    Attributes:
        title: above it.
        meaning: of the title.
        value: what a run has in it; also what it is sorted by.
        text: the value for people.
        is_loss: whether it has the unit of the study's losses.
    """

    title: str
    meaning: str
    value: Callable[[RunNow], Value]
    text: Callable[[RunNow], str]
    is_loss: bool = False


def _figure(value: float | None) -> str:
    return NONE if value is None else f"{value:.4f}"


def _test(run: RunNow) -> float | None:
    return run.result.test if run.result is not None else None


def _parameters(run: RunNow) -> int:
    return run.result.parameters if run.result is not None else run.parameters


def _memory(run: RunNow) -> int:
    return run.result.peak_bytes if run.result is not None else run.memory


def _speed(run: RunNow) -> float:
    return run.tokens / run.seconds if run.seconds else 0.0


def _state(run: RunNow) -> str:
    if run.state == "running" and run.evaluating is not None:
        return "evaluating"
    if run.state in ("running", "paused", "stopped", "cancelled", "crashed"):
        return f"{STATES[run.state]}, {run.progress * 100:.0f} %"
    return STATES[run.state]


COLUMNS: Final = (
    Column("Arm", "What is compared", lambda run: run.arm, lambda run: run.arm),
    Column("Seed", "Of initialisation, data order and dropout", lambda run: run.seed,
           lambda run: str(run.seed)),
    Column("State", "How the run stands", lambda run: run.state,
           _state),
    Column("Valid", "Best loss on valid so far; lower is better",
           lambda run: run.loss, lambda run: _figure(run.loss), is_loss=True),
    Column("Test", "Loss on test, measured once at the end; lower is better", _test,
           lambda run: _figure(_test(run)), is_loss=True),
    Column("Tokens/s", "Tokens learned in a second of learning", _speed,
           lambda run: f"{_speed(run):,.0f}" if run.seconds else NONE),
    Column("Time", "Spent learning, without evaluations", lambda run: run.seconds,
           lambda run: progress.duration(run.seconds) if run.seconds else NONE),
    Column("Memory", "The most its process held, or holds now", _memory,
           lambda run: progress.memory(_memory(run)) if _memory(run) else NONE),
    Column("Parameters", "Trained numbers of the model", _parameters,
           lambda run: f"{_parameters(run):,}" if _parameters(run) else NONE),
)  # fmt: skip


def rows(runs: Sequence[RunNow]) -> list[list[str]]:
    """The table for people."""
    return [[column.text(run) for column in COLUMNS] for run in runs]


def sorted_by(runs: Sequence[RunNow], column: int, *, descending: bool) -> list[RunNow]:
    """The runs in the order of a column; those without a value come last, either way."""

    def value(run: RunNow) -> Value:
        return COLUMNS[column].value(run)

    known = [run for run in runs if value(run) is not None]
    rest = [run for run in runs if value(run) is None]
    return [*sorted(known, key=value, reverse=descending), *rest]  # type: ignore[arg-type]


def markdown(runs: Sequence[RunNow], unit: str = "nats/note") -> str:
    """The table as Markdown, its losses in ``unit``."""
    head = _heads(unit)
    lines = [head, ["---"] * len(head), *rows(runs)]
    return "".join("| " + " | ".join(_escaped(cell) for cell in line) + " |\n" for line in lines)


def as_csv(runs: Sequence[RunNow], unit: str = "nats/note") -> str:
    """The table as CSV, its values as exact as they are known."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_heads(unit))
    writer.writerows([column.value(run) for column in COLUMNS] for run in runs)
    return text.getvalue()


def _heads(unit: str) -> list[str]:
    return [f"{column.title} ({unit})" if column.is_loss else column.title for column in COLUMNS]


def _escaped(cell: str) -> str:
    return cell.replace("|", "\\|")
