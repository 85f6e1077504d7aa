"""The table of the runs of a study, in its report and in the window."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from musicrel.experiment.study import study_text
from musicrel.experiment.study.blocks import NONE, Cell, Table, count, number
from musicrel.experiment.study.study_curves import examples
from musicrel.language import tr

if TYPE_CHECKING:
    from musicrel.experiment.runs.events import TrainResult
    from musicrel.experiment.study.run_watch import Ending, RunStatus


class Column(NamedTuple):
    title: str
    meaning: str
    cell: Callable[[RunStatus], Cell]
    is_loss: bool = False  # True if it has the unit of the study's losses

    @property
    def head(self) -> str:
        return f"{self.title[:1].upper()}{self.title[1:]}"


def _state(run: RunStatus) -> Cell:
    if run.state == "running" and run.evaluating is not None:
        return Cell(tr("evaluating"))
    if run.state not in ("queued", "finished"):
        states = {
            "running": tr("running"), "paused": tr("paused"), "stopped": tr("stopped"),
            "cancelled": tr("cancelled"), "crashed": tr("interrupted"),
        }  # fmt: skip
        return Cell(f"{states[run.state]}, {run.progress * 100:.0f} %")
    name = tr("queued") if run.state == "queued" else tr("finished")
    if run.result is not None and run.result.stopped:
        name = tr("finished, diverged") if run.result.valid is None else tr("finished early")
    trends: Mapping[Ending | None, str] = {"falls": tr(", still falls"), "rises": tr(", rises")}
    trained = run.state == "finished" and run.rate is None
    return Cell(name + trends.get(run.ending if trained else None, ""))


def _counted(value: Callable[[RunStatus], float | None]) -> Callable[[RunStatus], Cell]:
    """Return the function that fills a cell with a count; 0 is not known."""
    return lambda run: count(round(known)) if (known := value(run)) else Cell(NONE)


def _of_result(value: Callable[[TrainResult], int]) -> Callable[[RunStatus], Cell]:
    return lambda run: Cell(NONE) if run.result is None else count(value(run.result))


def _latest(run: RunStatus) -> RunStatus | TrainResult:
    return run.result or run


def duration(seconds: float | None) -> Cell:
    return Cell(study_text.duration(seconds), seconds) if seconds else Cell(NONE)


def memory(size: int) -> Cell:
    return Cell(study_text.memory(size), size) if size else Cell(NONE)


COLUMNS: Final = (
    Column("arm", tr("Compared variant"), lambda run: Cell(study_text.arm(run))),
    Column("seed", tr("Seed of initialisation, data order and dropout"),
           lambda run: count(run.seed)),
    Column("state", tr("State of the run, and whether its validation loss was level at the end"),
           _state),
    Column("validation", tr("Best validation loss so far; lower is better"),
           lambda run: number(run.loss, ".4f"), is_loss=True),
    Column("test", tr("Test loss, measured once at the end; lower is better"),
           lambda run: number(run.result.test if run.result else None, ".4f"), is_loss=True),
    Column("tokens/s", tr("Training tokens per second"),
           _counted(lambda run: _latest(run).tokens / (_latest(run).seconds or 1.0))),
    Column("time", tr("Training time, without evaluations"),
           lambda run: duration(_latest(run).seconds)),
    Column("memory", tr("Peak memory of its process"),
           lambda run: memory(run.result.peak_bytes if run.result else run.memory)),
    Column("parameters", tr("Trainable parameters of the model"),
           _counted(lambda run: _latest(run).parameters)),
)  # fmt: skip


def cells(run: RunStatus) -> tuple[Cell, ...]:
    return tuple(column.cell(run) for column in COLUMNS)


def shown(rows: Iterable[tuple[Cell, ...]], unit: str) -> Table:
    heads = (f"{one.head} ({unit})" if one.is_loss else one.head for one in COLUMNS)
    title = f"Runs, losses in {unit}"
    return Table(key="runs", title=title, heads=(*heads,), rows=(*rows,))


def reported(runs: Sequence[RunStatus], unit: str) -> Table:
    """Return the table in the report: sizes and speeds are in that of the costs."""
    shown_too = {one.title: one.cell for one in COLUMNS[:5] + COLUMNS[6:8]}
    columns = shown_too | {
        "steps": _of_result(lambda result: result.step),
        examples(unit): _of_result(lambda result: result.tokens),
        "rollbacks": _of_result(lambda result: result.rollbacks),
        "loss at the end": lambda run: Cell(run.ending or NONE),
    }
    return Table.of(
        "runs",
        f"Runs, losses in {unit}",
        columns,
        runs,
        "Loss at the end: the median slope of validation in the last quarter of the steps; level "
        "below a change of 0.01 over that quarter.",
    )
