"""The part of a report that only the study of the published comparison has.

This file knows tables and sentences; the figures are ``musicrel.experiment.study.published``'.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from musicrel.experiment.study import published
from musicrel.experiment.study.published import EPOCHS, INDEPENDENT, REPORT, Findings

_COST_COLUMNS: Final = ("fault", "nats/token on test", "95 % CI", "as published")
_EPOCH_COLUMNS: Final = ("epoch", "arm", "train", "valid as published", "valid")
_INDEPENDENT_EPOCHS: Final = 4
_COSTS: Final = (
    "Loss on test with the fault less that without it: above 0 it does harm. Properly: the same "
    "masks for all arms, mean over tokens. As published: other masks at every evaluation, mean of "
    "the means of batches."
)
_PRINTED: Final = (
    "{run:g} of the {all} epochs of the published schedule were run. The report printed epochs "
    "{printed} of one arm and does not say of which; its losses on valid are measured as published."
)
_ALONE: Final = (
    "Losses as published, nats/token. The independent run learned from batches of 32 over a "
    "schedule of four epochs, one seed; here batches are of 8, four of them a step, over the "
    "published schedule."
)


def lines(found: Findings | None) -> list[str]:
    """Its sections as Markdown; none for other studies."""
    if found is None:
        return []
    printed = " to ".join(str(end(REPORT)) for end in (min, max))
    run = _PRINTED.format(run=found.epochs_run, all=EPOCHS, printed=printed)
    return [
        *("## What each fault costs", "", _COSTS, "", *_costs(found), ""),
        f"- {published.COST_NOTHING}.",
        *(f"- Not told, since it is in every arm: {fault}." for fault in published.IN_EVERY_ARM),
        *("", "## Beside the printed losses", "", run, "", *_epochs(found), ""),
        *("## Beside an independent run", "", _ALONE, "", *_independent(found), ""),
    ]


def _costs(found: Findings) -> list[str]:
    rows = [
        (
            cost.fault.says,
            f"{cost.proper:+.4f}",
            "{:+.3f} to {:+.3f}".format(*cost.interval) if cost.interval else "",
            f"{cost.as_published:+.4f}",
        )
        for cost in found.costs
    ]
    redrawn = [abs(proper - printed) for proper, printed in found.tests.values()]
    if redrawn:
        says = "masks redrawn, means of means: at most, on the same weights"
        rows.append((says, f"{max(redrawn):.4f}", "", ""))
    return table(_COST_COLUMNS, rows)


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
    """The arms of the independent run, each with that of this study below it."""
    head = ("arm", *(f"valid {epoch}" for epoch in range(1, _INDEPENDENT_EPOCHS + 1)), "test")
    rows: list[tuple[str, ...]] = []
    arms = {scheme: arm for arm, scheme in reversed([*found.schemes.items()])}
    for scheme, losses in INDEPENDENT.items():
        arm = arms.get(scheme)
        rows.append((f"{arm or scheme}, independent run", *(f"{loss:.4f}" for loss in losses)))
        if arm is not None:
            seen = {epoch.number: f"{epoch.valid_as_published:.4f}" for epoch in found.arms[arm]}
            cells = [seen.get(epoch, "") for epoch in range(1, _INDEPENDENT_EPOCHS + 1)]
            rows.append((f"{arm}, here", *cells, f"{found.tests[arm][1]:.4f}"))
    return table(head, rows)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as a table in Markdown."""
    written = [head, ["---"] * len(head), *rows]
    return ["| " + " | ".join(line) + " |" for line in written]
