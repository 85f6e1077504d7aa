"""The sections of the report on the study of the published comparison."""

from __future__ import annotations

from typing import Final

from musicrel.experiment.study import published
from musicrel.experiment.study.published import EPOCHS, INDEPENDENT, REPORT, Findings
from musicrel.presentation.words.markdown import table

_COST_COLUMNS: Final = ("fault", "nats/token on test", "95 % CI", "as published")
_EPOCH_COLUMNS: Final = ("epoch", "arm", "training", "validation as published", "validation")
_INDEPENDENT_EPOCHS: Final = 4
_COSTS: Final = (
    "Test loss with the fault minus test loss without it: above 0 the fault is harmful. Corrected: "
    "the same masks for all arms, mean over tokens. As published: new masks at every evaluation, "
    "mean of batch means. One seed: these figures describe this run only."
)
_PRINTED: Final = (
    "{run:g} of the {all} epochs of the published schedule were run. The publication prints epochs "
    "{printed} of one unnamed arm; its validation losses are measured as published."
)
_ALONE: Final = (
    "Losses as published, nats/token. The independent run used batches of 32, a schedule of four "
    "epochs and one seed; here batches of 8 are accumulated four per step over the published "
    "schedule."
)


def lines(found: Findings | None) -> list[str]:
    """Return the sections as Markdown; none for other studies."""
    if found is None:
        return []
    printed = " to ".join(str(end(REPORT)) for end in (min, max))
    run = _PRINTED.format(run=found.epochs_run, all=EPOCHS, printed=printed)
    return [
        *("## Cost of each fault", "", _COSTS, "", *_costs(found), ""),
        f"- {published.COST_NOTHING}.",
        *(
            f"- Not measured, since it is in every arm: {fault}."
            for fault in published.IN_EVERY_ARM
        ),
        *("", "## Comparison with the published losses", "", run, "", *_epochs(found), ""),
        *("## Comparison with an independent run", "", _ALONE, "", *_independent(found), ""),
    ]


def _costs(found: Findings) -> list[str]:
    rows = [
        (
            cost.fault.description,
            f"{cost.proper:+.4f}",
            "{:+.3f} to {:+.3f}".format(*cost.interval) if cost.interval else "",
            f"{cost.as_published:+.4f}",
        )
        for cost in found.costs
    ]
    redrawn = [abs(proper - printed) for proper, printed in found.tests.values()]
    if redrawn:
        label = "new masks and batch means: maximum on the same weights"
        rows.append((label, f"{max(redrawn):.4f}", "", ""))
    return table(_COST_COLUMNS, rows)


def _epochs(found: Findings) -> list[str]:
    rows = [
        (str(epoch), "publication", f"{train:.4f}", f"{valid:.4f}", "")
        for epoch, (train, valid) in REPORT.items()
    ]
    for arm, epochs in found.arms.items():
        rows += [
            (
                str(epoch.number),
                arm,
                f"{epoch.train:.4f}",
                f"{epoch.valid_as_published:.4f}",
                f"{epoch.valid:.4f}",
            )
            for epoch in epochs
        ]
    return table(_EPOCH_COLUMNS, sorted(rows, key=lambda row: int(row[0])))


def _independent(found: Findings) -> list[str]:
    """Return the arms of the independent run, each followed by that of this study."""
    head = ("arm", *(f"validation {epoch}" for epoch in range(1, _INDEPENDENT_EPOCHS + 1)), "test")
    rows: list[tuple[str, ...]] = []
    arms = {scheme: arm for arm, scheme in reversed([*found.schemes.items()])}
    for scheme, losses in INDEPENDENT.items():
        arm = arms.get(scheme)
        rows.append((f"{arm or scheme}, independent", *(f"{loss:.4f}" for loss in losses)))
        if arm is not None:
            seen = {epoch.number: f"{epoch.valid_as_published:.4f}" for epoch in found.arms[arm]}
            cells = [seen.get(epoch, "") for epoch in range(1, _INDEPENDENT_EPOCHS + 1)]
            rows.append((f"{arm}, this study", *cells, f"{found.tests[arm][1]:.4f}"))
    return table(head, rows)
