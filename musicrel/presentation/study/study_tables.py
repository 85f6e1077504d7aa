"""The tables of a study's report: losses, pairs, costs, searched rates, settings; results.csv."""

from __future__ import annotations

import statistics as numbers
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any, Final

import numpy as np

from musicrel import legacy
from musicrel.experiment.runs.events import TrainResult
from musicrel.experiment.study import published as published_study
from musicrel.experiment.study import statistics
from musicrel.experiment.study.published import Findings
from musicrel.experiment.study.results import StudyResults
from musicrel.experiment.study.run_watch import RunStatus
from musicrel.experiment.study.statistics import Comparison
from musicrel.experiment.study.study import Arm
from musicrel.presentation.study import progress, run_table, study_method
from musicrel.presentation.study.blocks import (
    NONE,
    Block,
    Cell,
    Heading,
    Items,
    Paragraph,
    Table,
    count,
    number,
)
from musicrel.presentation.study.study_curves import examples
from musicrel.presentation.words import display_names
from musicrel.presentation.words.markdown import to_csv

_OWN: Final = "window\N{NO-BREAK SPACE}of"
_WHOLE: Final = "whole\N{NO-BREAK SPACE}pieces"
_LOSSES_NOTE: Final = (
    "Means over seeds. SD: standard deviation between seeds, of a sample. {readings}"
)
_PAIRS_TITLE: Final = "Differences of test losses, {unit}, {pieces} {things}"
_FURTHER: Final = {"valid": "validation", "whole valid": "validation", "whole test": "test"}
"""Titles of further measurements, if different from their keys."""
_PARTS: Final = ("model", "data", "training", "masking")
_INDEPENDENT_EPOCHS: Final = 4
_NOT_SET: Final = ("seed", "trial")
"""Entries that a study sets itself for each run."""
_UNUSED: Final[tuple[Any, ...]] = ("", (), [], {})
_MASKED: Final = ("masked", "infill", "encoder_decoder", "published")


def losses(found: StudyResults) -> Table:
    windowed = found.study.windowed
    rows = []
    for arm in found.study.arms:
        results = _results(found, arm)
        own = f"{_OWN} {arm.recipe.data.window:,}" if windowed else _whole(found)
        valid, test = ([one.valid for one in results], [one.test for one in results])
        rows.append(_loss_row(arm, own, valid, test))
        if windowed:
            whole = ([one.further.get(f"whole {split}") for one in results]
                     for split in ("valid", "test"))  # fmt: skip
            rows.append(_loss_row(arm, _WHOLE, *whole))
    return Table(
        key="losses",
        title=f"Losses of the arms, {found.measure.unit}",
        heads=("arm", "read", "seeds", "validation", "test", "SD of test"),
        rows=tuple(rows),
        note=_LOSSES_NOTE.format(
            readings=(
                "Window: pieces read in windows of the training length that overlap by "
                "half. Whole pieces: read at once with the full context; refused: the "
                "scheme has no positions beyond its window."
            )
            if windowed
            else ""
        ).strip(),
    )


def further(found: StudyResults) -> Iterator[Table]:
    runs = [(run, values) for run in found.runs if (values := _further(run))]
    names = dict.fromkeys(name for _, values in runs for name in values)
    if runs:
        columns: dict[str, Callable[[tuple[RunStatus, dict[str, float | str]]], Cell]] = {
            "arm": lambda row: Cell(display_names.arm(row[0].arm)),
            "seed": lambda row: count(row[0].seed),
        }
        for name in names:
            columns[_FURTHER.get(name, name)] = partial(_further_cell, name)
        yield Table.of("further", found.measure.further_title, columns, runs)


def pairs(found: StudyResults) -> Table:
    rows = []
    for pair in found.comparisons:
        read = "window" if found.study.windowed else "whole"
        more = Cell(NONE) if pair.more_seeds is None else count(pair.more_seeds)
        values = (pair.difference, pair.low, pair.high)
        rows.append(_pair_row(pair, read, values, pair.better, count(pair.seeds), more))
        if found.study.windowed and (seeds := whole_differences(found, pair)):
            rows.append(_whole_row(pair, seeds))
    pieces = max((pair.pieces for pair in found.comparisons), default=0)
    whole = (
        " Window: pieces read in each arm's own window. Whole: pieces read at once; Student's "
        "interval over the seeds finished in both arms, without the choice of pieces."
    )
    return Table(
        key="differences",
        title=_PAIRS_TITLE.format(
            unit=found.measure.unit, pieces=f"{pieces:,}", things=found.measure.observations
        ),
        heads=("first arm", "second arm", "read", "difference", "95 % from", "to", "better",
               "seeds", "more seeds"),
        rows=tuple(rows),
        note=("Difference: loss of the first arm minus that of the second; above 0 the second "
            "has the lower loss. Better: only with two seeds or more, and losses that no "
            "longer fall at the end. More seeds: those of each arm that would show a "
            "difference of 0.01 with a power of 80 %; – if no number would, because the "
            "pieces are too few, or if there is one seed."
            + (whole if len(rows) > len(found.comparisons) else "")),
    )  # fmt: skip


def whole_differences(found: StudyResults, pair: Comparison) -> list[float]:
    first, second = (
        {
            run.seed: run.result.further.get("whole test")
            for run in found.runs
            if run.arm == arm and run.result is not None
        }
        for arm in (pair.first, pair.second)
    )
    both = ((first[seed], second.get(seed)) for seed in first)
    return [one - two for one, two in both if isinstance(one, float) and isinstance(two, float)]


def search(found: StudyResults) -> Table:
    rates = found.rates

    columns: dict[str, Callable[[RunStatus], Cell]] = {
        "arm": lambda trial: Cell(display_names.arm(trial.arm)),
        "learning rate": lambda trial: Cell(f"{trial.rate or 0:g}", trial.rate),
        "validation": lambda trial: Cell(
            study_method.trial_outcome(trial), trial.result.valid if trial.result else None
        ),
        "time": lambda trial: run_table.duration(trial.result.seconds if trial.result else None),
        "chosen": lambda trial: Cell("yes" if rates.get(trial.arm) == trial.rate else ""),
    }
    title = f"Learning rates tried before the runs, losses in {found.measure.unit}"
    note = " ".join(study_method.search_remarks(found))
    return Table.of("learning-rates", title, columns, study_method.trials_in_order(found), note)


def costs(found: StudyResults) -> Table:
    """Return sizes, time, speed and memory of each arm, and the time of its search."""

    def per_run(arm: Arm) -> float | None:
        done = _results(found, arm)
        return sum(one.seconds for one in done) / len(done) if done else None

    def speed(arm: Arm) -> Cell:
        done = _results(found, arm)
        seconds = sum(one.seconds for one in done)
        return count(round(sum(one.tokens for one in done) / seconds)) if seconds else Cell(NONE)

    def memory(arm: Arm) -> Cell:
        peak = max((one.peak_bytes for one in _results(found, arm)), default=None)
        return Cell(NONE) if peak is None else Cell(progress.memory(peak), peak)

    def searched(arm: Arm) -> Cell:
        results = [one.result for one in found.trials if one.arm == arm.name]
        return run_table.duration(sum(result.seconds for result in results if result) or None)

    columns: dict[str, Callable[[Arm], Cell]] = {
        "arm": lambda arm: Cell(display_names.arm(arm.name)),
        "scheme": lambda arm: Cell(arm.recipe.model.scheme),
        "window": lambda arm: count(arm.recipe.data.window),
        "parameters": lambda arm: count(arm.parameters),
        "vs. first arm": lambda arm: number(arm.excess, "+,") if arm.excess else count(0),
        "feed-forward": lambda arm: count(arm.recipe.model.feedforward),
        "time per run": lambda arm: run_table.duration(per_run(arm)),
        f"{examples(found.measure.unit)}/s": speed,
        "memory": memory,
        **({"time of search": searched} if found.trials else {}),
    }
    return Table.of(
        "costs",
        "Costs of the arms",
        columns,
        found.study.arms,
        "Means over the finished runs; memory: the highest of them.",
    )


def settings(found: StudyResults) -> Table:
    """Return the values of the recipes: one column if they agree in all arms, else one per arm."""
    arms = found.study.arms
    tables = [asdict(arm.recipe) for arm in arms]
    rows = []
    for part in _PARTS if found.study.objective in _MASKED else _PARTS[:-1]:
        for name in tables[0][part]:
            values = [table[part].get(name) for table in tables]
            if name in _NOT_SET or all(value in _UNUSED for value in values):
                continue
            rows.append((Cell(part), Cell(name), Cell(_values(values, arms))))
    heads = ("table", "setting", "value")
    return Table(key="settings", title="Values of all recipes", heads=heads, rows=tuple(rows))


def published(found: Findings | None) -> Iterator[Block]:
    if found is None:
        return
    yield from (
        Heading("Cost of each fault"),
        Paragraph(
            "Test loss with the fault minus test loss without it: above 0 the fault is "
            "harmful. Corrected: the same masks for all arms, mean over tokens. As "
            "published: new masks at every evaluation, mean of batch means. One seed: "
            "these figures describe this run only."
        ),
        _faults(found),
    )
    both = [f"Not measured, since it is in every arm: {fault}."
            for fault in published_study.IN_EVERY_ARM]  # fmt: skip
    yield Items((f"{published_study.COST_NOTHING}.", *both))
    ends = " to ".join(str(end(published_study.REPORT)) for end in (min, max))
    text = (
        f"{found.epochs_run:g} of the {published_study.EPOCHS} epochs of the published "
        f"schedule were run. The publication prints epochs {ends} of one unnamed arm; its "
        "validation losses are measured as published."
    )
    yield from (Heading("Comparison with the published losses"), Paragraph(text), _epochs(found))
    heading = Heading("Comparison with an independent run")
    yield from (
        heading,
        Paragraph(
            "Losses as published, nats/token. The independent run used batches of 32, a "
            "schedule of four epochs and one seed; here batches of 8 are accumulated "
            "four per step over the published schedule."
        ),
        _independent(found),
    )


def results_csv(found: StudyResults) -> str:
    """Return a row for each run as CSV, with the unit of its losses and further measurements."""
    unit, title = found.measure.unit, found.measure.further_title
    own = ("arm", "seed", "state", "parameters", "valid", "test", examples(unit), "seconds",
           "peak_bytes")  # fmt: skip
    more = list(dict.fromkeys(name for run in found.runs for name in _further(run)))
    prefix = legacy.inverse(legacy.TABLE_TITLES).get(title, title)
    heads = [*own, "unit", *(f"{prefix}: {name}" if name in own else name for name in more)]
    rows = []
    for run in found.runs:
        result, values = run.result, _further(run)
        figures: tuple[object, ...] = ("",) * 6
        if result is not None:
            figures = (result.parameters, _text(result.valid), _text(result.test), result.tokens,
                       f"{result.seconds:.1f}", result.peak_bytes)  # fmt: skip
        state = f"{run.state} early" if result is not None and result.stopped else run.state
        rows.append([run.arm, run.seed, state, *figures, unit,
                     *(_text(values.get(name)) for name in more)])  # fmt: skip
    return to_csv([heads, *rows])


def _further_cell(name: str, row: tuple[RunStatus, dict[str, float | str]]) -> Cell:
    value = row[1].get(name)
    return Cell(value) if isinstance(value, str) else number(value, ".4f")


def _whole(found: StudyResults) -> str:
    """Return how pieces were read at once, or the name of what else was measured."""
    return _WHOLE if found.measure.observations == "pieces" else found.measure.observations


def _results(found: StudyResults, arm: Arm) -> list[TrainResult]:
    return [run.result for run in found.runs if run.arm == arm.name and run.result]


def _further(run: RunStatus) -> dict[str, float | str]:
    """Return the further measurements, with the accuracy on test from its sequences."""
    if run.result is None:
        return {}
    further = run.result.further
    right = [piece.right for piece in run.result.test_pieces if piece.right is not None]
    valid = {name: further[name] for name in ("valid",) if name in further}
    test = {"test": sum(right) / len(right)} if right and valid else {}
    return {**valid, **test, **further}


def _loss_row(
    arm: Arm,
    reading: str,
    valid: Sequence[float | str | None],
    test: Sequence[float | str | None],
) -> tuple[Cell, ...]:
    known = [[value for value in values if isinstance(value, int | float)]
             for values in (valid, test)]  # fmt: skip
    refused = next((value for value in (*valid, *test) if isinstance(value, str)), NONE)
    means = (numbers.fmean(values) if values else None for values in known)
    deviation = numbers.stdev(known[1]) if len(known[1]) > 1 else None
    return (
        Cell(display_names.arm(arm.name)),
        Cell(reading),
        count(len(test)),
        *(number(mean, ".4f", refused) for mean in means),
        number(deviation, ".4f"),
    )


def _pair_row(
    pair: Comparison, read: str, values: Sequence[float | None], better: str | None, *last: Cell
) -> tuple[Cell, ...]:
    return (
        Cell(display_names.arm(pair.first)),
        Cell(display_names.arm(pair.second)),
        Cell(read),
        *(number(value, "+.4f") for value in values),
        Cell(display_names.arm(better) if better else NONE),
        *last,
    )


def _whole_row(pair: Comparison, differences: Sequence[float]) -> tuple[Cell, ...]:
    mean, half = numbers.fmean(differences), None
    if len(differences) > 1:
        half = float(statistics.mean_half_width(np.array(differences)[:, None])[0])
    ends = (None, None) if half is None else (mean - half, mean + half)
    is_better = half is not None and abs(mean) > half and not pair.missing
    better = (pair.second if mean > 0 else pair.first) if is_better else None
    last = count(len(differences)), Cell(NONE)
    return _pair_row(pair, "whole", (mean, *ends), better, *last)


def _text(value: float | str | None) -> str:
    return f"{value:.4f}" if isinstance(value, int | float) else value or ""


def _values(values: Sequence[Any], arms: Sequence[Arm]) -> str:
    texts = [_setting(value) for value in values]
    if len(set(texts)) == 1:
        return texts[0]
    named = zip(arms, texts, strict=True)
    return "; ".join(f"{display_names.arm(arm.name)}: {text}" for arm, text in named)


def _setting(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_setting(inner)}" for name, inner in value.items()) or NONE
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or NONE
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else str(value) or NONE


def _faults(found: Findings) -> Table:
    rows = [
        (
            Cell(cost.fault.description),
            number(cost.proper, "+.4f"),
            Cell("{:+.3f} to {:+.3f}".format(*cost.interval) if cost.interval else ""),
            number(cost.as_published, "+.4f"),
        )
        for cost in found.costs
    ]
    redrawn = [abs(proper - printed) for proper, printed in found.tests.values()]
    if redrawn:
        rows.append(
            (
                Cell("new masks and batch means: maximum on the same weights"),
                number(max(redrawn), ".4f"),
                Cell(""),
                Cell(""),
            )
        )
    heads = ("fault", "nats/token on test", "95 % CI", "as published")
    return Table(key="faults", title="Costs of the faults", heads=heads, rows=tuple(rows))


def _epochs(found: Findings) -> Table:
    rows: list[tuple[int, str, float, float, float | None]] = [
        (epoch, "publication", train, valid, None)
        for epoch, (train, valid) in published_study.REPORT.items()
    ]
    for arm, epochs in found.arms.items():
        rows += [(one.number, display_names.arm(arm), one.train, one.valid_as_published, one.valid)
                 for one in epochs]  # fmt: skip
    heads = ("epoch", "arm", "training", "validation as published", "validation")
    cells = tuple(
        (count(epoch), Cell(arm), *(number(loss, ".4f", "") for loss in losses_))
        for epoch, arm, *losses_ in sorted(rows, key=lambda row: row[0])
    )
    return Table(key="epochs", title="Losses by epoch, nats/token", heads=heads, rows=cells)


def _independent(found: Findings) -> Table:
    epochs = range(1, _INDEPENDENT_EPOCHS + 1)
    arms = {scheme: arm for arm, scheme in reversed([*found.schemes.items()])}
    rows: list[tuple[str, Sequence[float | None]]] = []
    for scheme, printed in published_study.INDEPENDENT.items():
        arm = arms.get(scheme)
        rows.append((f"{display_names.arm(arm or scheme)}, independent", printed))
        if arm is not None:
            seen = {epoch.number: epoch.valid_as_published for epoch in found.arms[arm]}
            mine = [*(seen.get(epoch) for epoch in epochs), found.tests[arm][1]]
            rows.append((f"{display_names.arm(arm)}, this study", mine))
    cells = tuple((Cell(name), *(number(one, ".4f", "") for one in row)) for name, row in rows)
    heads = ("arm", *(f"validation {epoch}" for epoch in epochs), "test")
    return Table(key="independent", title="Losses as published", heads=heads, rows=cells)
