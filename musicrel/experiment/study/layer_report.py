"""The report of a study that measures the memory and the time of layers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final

from musicrel.experiment.study.blocks import Cell, Figure, Heading, Items, Paragraph, Report, Table
from musicrel.language import decimal, tr
from musicrel.presentation.words import display_names
from musicrel.presentation.words.markdown import to_csv

if TYPE_CHECKING:
    from musicrel.experiment.study.layer_costs import LayerCosts

_QUANTITIES: Final = (
    ("Peak memory", "peak_bytes", "B", "memory.svg", "Peak memory of one layer"),
    ("Time", "seconds", "s", "time.svg", "Time of one layer, forwards and backwards"),
)
_METHOD: Final = """\
One causal layer of {heads} heads and width {width}, batch {batch}, distances up to {max_distance};
forward and backward passes, without training.

Time is the fastest of {repeats} passes after a warm-up. Memory is the peak of tensors allocated in
a pass.

Rows above {limit_gigabytes:g} GB, or above free memory, are extrapolated from the two before them.
Exponents are fitted to measured rows only.

Machine: {machine}.
"""
_COLUMNS: Final = ("arm", "length", "seconds", "peak_bytes", "estimated")
_UNITS: Final = ((1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "µ"))


@dataclass(frozen=True, slots=True, kw_only=True)
class CostCurves:
    """One quantity of the layers by length, a curve for each arm."""

    title: str
    unit: str
    quantity: str  # ``seconds`` or ``peak_bytes``
    costs: LayerCosts  # with rows


def report(found: LayerCosts) -> Report:
    study = found.study
    verdict = found.sentence[:1].upper() + found.sentence[1:]
    machine = ", ".join(f"{name} {value}" for name, value in found.machine.items() if value)
    method = _METHOD.format(**asdict(study) | {"machine": machine})
    return Report(
        title=f"Study: {study.name}",
        blocks=(
            Paragraph(f"{verdict}.", "lead"),
            *tables(found),
            *(
                Figure(
                    data=CostCurves(title=title, unit=unit, quantity=value, costs=found),
                    title=title,
                    file=file,
                )
                for _, value, unit, file, title in _QUANTITIES
                if found.rows
            ),
            Heading("Method"),
            Items(tuple(" ".join(item.split()) for item in method.split("\n\n"))),
        ),
    )


def tables(found: LayerCosts) -> tuple[Table, ...]:
    titles = {"peak_bytes": tr("Peak memory"), "seconds": tr("Time")}
    return tuple(
        Table.of(
            value,
            titles[value],
            {tr("tokens"): _length}
            | {
                display_names.arm(arm): _filled(found, arm, value, unit) for arm in found.study.arms
            },
            (*found.study.lengths, None),
        )
        for _, value, unit, _, _ in _QUANTITIES
    )


def results_csv(found: LayerCosts) -> str:
    return to_csv([_COLUMNS, *([getattr(row, name) for name in _COLUMNS] for row in found.rows)])


def prefixed(value: float, unit: str) -> str:
    """Return a number with an SI prefix and unit: 1,500,000 B as 1.5 MB."""
    size, letter = next((pair for pair in _UNITS if abs(value) >= pair[0]), _UNITS[-1])
    return f"{decimal(value / size, '.3g')} {letter}{unit}"


def _length(length: int | None) -> Cell:
    return Cell(tr("growth") if length is None else decimal(length, ","), length)


def _filled(found: LayerCosts, arm: str, value: str, unit: str) -> Callable[[int | None], Cell]:
    """Return the function that fills the cells of an arm, by length; None: its growth."""
    rows = {row.length: row for row in found.rows_of(arm)}

    def cell(length: int | None) -> Cell:
        if length is None:
            power = found.exponent(arm, value)
            return Cell("" if power is None else f"L^{decimal(power, '.2f')}", power)
        row = rows.get(length)
        if row is None:
            return Cell("")
        figure = getattr(row, value)
        text = prefixed(figure, unit)
        return Cell(tr("{value} (estimated)", value=text) if row.estimated else text, figure)

    return cell
