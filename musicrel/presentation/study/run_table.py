"""The runs of a study as a table: shown, sorted and copied."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from musicrel.experiment.study import learning_curve
from musicrel.experiment.study.learning_curve import Trend
from musicrel.presentation.study import progress
from musicrel.presentation.study.csv_text import to_csv
from musicrel.presentation.words.markdown import table

if TYPE_CHECKING:
    from musicrel.experiment.study.run_watch import RunStatus

STATES: Final = {
    "queued": "queued",
    "running": "running",
    "paused": "paused",
    "stopped": "stopped",
    "cancelled": "cancelled",
    "finished": "finished",
    "crashed": "interrupted",
}
"""Names of run states."""
NONE: Final = "–"
_TRENDS: Final[Mapping[Trend | None, str]] = {"falls": ", still falls", "rises": ", rises"}
"""Marks of finished runs whose validation loss is not level at the end."""

Value = str | int | float | None


class Column(NamedTuple):
    title: str
    meaning: str
    value: Callable[[RunStatus], Value]  # of a run, also the sort key
    text: Callable[[RunStatus], str]  # the value for people
    is_loss: bool = False  # True if it has the unit of the study's losses


def _figure(value: float | None) -> str:
    return NONE if value is None else f"{value:.4f}"


def _test(run: RunStatus) -> float | None:
    return run.result.test if run.result is not None else None


def _parameters(run: RunStatus) -> int:
    return run.result.parameters if run.result is not None else run.parameters


def _memory(run: RunStatus) -> int:
    return run.result.peak_bytes if run.result is not None else run.memory


def _speed(run: RunStatus) -> float:
    return run.tokens / run.seconds if run.seconds else 0.0


def _state(run: RunStatus) -> str:
    if run.state == "running" and run.evaluating is not None:
        return "evaluating"
    if run.state in ("running", "paused", "stopped", "cancelled", "crashed"):
        return f"{STATES[run.state]}, {run.progress * 100:.0f} %"
    trained = run.state == "finished" and run.rate is None
    trend = learning_curve.trend(run.valid) if trained else None
    return STATES[run.state] + _early(run) + _TRENDS.get(trend, "")


def _early(run: RunStatus) -> str:
    """Return whether a run ended before its budget."""
    if run.result is None or not run.result.stopped:
        return ""
    return ", diverged" if run.result.valid is None else " early"


COLUMNS: Final = (
    Column("Arm", "Compared variant", lambda run: run.arm,
           progress.arm),
    Column("Seed", "Seed of initialisation, data order and dropout", lambda run: run.seed,
           lambda run: str(run.seed)),
    Column("State", "State of the run, and whether its validation loss was level at the end",
           lambda run: run.state,
           _state),
    Column("Validation", "Best validation loss so far; lower is better",
           lambda run: run.loss, lambda run: _figure(run.loss), is_loss=True),
    Column("Test", "Test loss, measured once at the end; lower is better", _test,
           lambda run: _figure(_test(run)), is_loss=True),
    Column("Tokens/s", "Training tokens per second", _speed,
           lambda run: f"{_speed(run):,.0f}" if run.seconds else NONE),
    Column("Time", "Training time, without evaluations", lambda run: run.seconds,
           lambda run: progress.duration(run.seconds) if run.seconds else NONE),
    Column("Memory", "Peak memory of its process", _memory,
           lambda run: progress.memory(_memory(run)) if _memory(run) else NONE),
    Column("Parameters", "Trainable parameters of the model", _parameters,
           lambda run: f"{_parameters(run):,}" if _parameters(run) else NONE),
)  # fmt: skip


def rows(runs: Sequence[RunStatus]) -> list[list[str]]:
    """Return the cells of the table."""
    return [[column.text(run) for column in COLUMNS] for run in runs]


def sorted_by(runs: Sequence[RunStatus], column: int, *, descending: bool) -> list[RunStatus]:
    """Sort runs by a column; those without a value come last in both directions."""

    def value(run: RunStatus) -> Value:
        return COLUMNS[column].value(run)

    known = [run for run in runs if value(run) is not None]
    rest = [run for run in runs if value(run) is None]
    return [*sorted(known, key=value, reverse=descending), *rest]  # type: ignore[arg-type]


def markdown(runs: Sequence[RunStatus], unit: str = "nats/note") -> str:
    """Return the table as Markdown, losses in ``unit``."""
    cells = [[cell.replace("|", "\\|") for cell in row] for row in rows(runs)]
    return "".join(f"{line}\n" for line in table(_heads(unit), cells))


def as_csv(runs: Sequence[RunStatus], unit: str = "nats/note") -> str:
    """Return the table as CSV, with unrounded values."""
    rows = ([column.value(run) for column in COLUMNS] for run in runs)
    return to_csv([_heads(unit), *rows])


def _heads(unit: str) -> list[str]:
    return [f"{column.title} ({unit})" if column.is_loss else column.title for column in COLUMNS]
