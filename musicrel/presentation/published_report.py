"""The part of a report that only the study of the published comparison has.

This file knows tables and sentences; the figures are ``musicrel.experiment.published``'.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from musicrel.experiment import published
from musicrel.experiment.published import EPOCHS, INDEPENDENT, REPORT, Findings

_EPOCH_COLUMNS: Final = ("epoch", "arm", "train", "valid as published", "valid")
_INDEPENDENT_EPOCHS: Final = 4


def lines(found: Findings | None) -> list[str]:
    """Its sections as Markdown; none for other studies."""
    if found is None:
        return []
    run = f"{found.epochs_run:g} of the {EPOCHS} epochs of the published schedule were run."
    return [
        *("## What each fault costs", "", *_costs(found), ""),
        f"- {published.COST_NOTHING}.",
        *(f"- Not told, since it is in every arm: {fault}." for fault in published.IN_EVERY_ARM),
        *("", "## Beside the printed losses", "", run, "", *_epochs(found), ""),
        *("## Beside an independent run", "", *_independent(found), ""),
    ]


def _costs(found: Findings) -> list[str]:
    rows = [
        (cost.fault.says, f"{cost.proper:+.4f}", f"{cost.as_published:+.4f}")
        for cost in found.costs
    ]
    redrawn = [abs(proper - printed) for proper, printed in found.tests.values()]
    if redrawn:
        says = "masks redrawn, means of means: at most, on the same weights"
        rows.append((says, f"{max(redrawn):.4f}", ""))
    return table(("fault", "nats/token on test", "as published"), rows)


def _epochs(found: Findings) -> list[str]:
    rows = [
        (str(epoch), "the report", f"{train:.4f}", f"{valid:.4f}", "")
        for epoch, (train, valid) in REPORT.items()
    ]
    for arm, told in found.arms.items():
        rows += [
            (
                str(epoch.number),
                arm,
                f"{epoch.train:.4f}",
                f"{epoch.valid_as_published:.4f}",
                f"{epoch.valid:.4f}",
            )
            for epoch in told
        ]
    return table(_EPOCH_COLUMNS, sorted(rows, key=lambda row: int(row[0])))


def _independent(found: Findings) -> list[str]:
    """The independent run learned from batches of 32 over a schedule of four epochs."""
    head = ("arm", *(f"valid {epoch}" for epoch in range(1, _INDEPENDENT_EPOCHS + 1)), "test")
    rows = [
        (f"{scheme}, independent run", *(f"{loss:.4f}" for loss in losses))
        for scheme, losses in INDEPENDENT.items()
    ]
    for arm, told in found.arms.items():
        seen = {epoch.number: f"{epoch.valid_as_published:.4f}" for epoch in told}
        cells = [seen.get(epoch, "") for epoch in range(1, _INDEPENDENT_EPOCHS + 1)]
        rows.append((f"{arm}, here", *cells, f"{found.tests[arm][1]:.4f}"))
    return table(head, rows)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as a table in Markdown."""
    written = [head, ["---"] * len(head), *rows]
    return ["| " + " | ".join(line) + " |" for line in written]
