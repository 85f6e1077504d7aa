"""The tables of a study's report: losses, pairs, costs, searched rates, settings; results.csv."""

from __future__ import annotations

import statistics as numbers
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

import numpy as np

from musicrel import legacy
from musicrel.experiment.runs.events import TrainResult
from musicrel.experiment.study import published as published_study
from musicrel.experiment.study import run_table, statistics, study_text
from musicrel.experiment.study.blocks import (
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
from musicrel.experiment.study.published import Findings
from musicrel.experiment.study.results import StudyResults
from musicrel.experiment.study.run_watch import RunStatus
from musicrel.experiment.study.statistics import Comparison
from musicrel.experiment.study.study import Arm
from musicrel.experiment.study.study_curves import examples
from musicrel.presentation.words import display_names
from musicrel.presentation.words.markdown import to_csv

_OWN_READING: Final = {"window": "window", "opening": "opening"}
_WHOLE: Final = "whole\N{NO-BREAK SPACE}pieces"
_FURTHER: Final = {"valid": "validation", "whole valid": "validation", "whole test": "test"}
"""Titles of further measurements, if different from their keys."""
_INDEPENDENT_EPOCHS: Final = 4
_NOT_SET: Final = ("seed", "trial")
"""Entries that a study sets itself for each run."""
_UNUSED: Final[tuple[Any, ...]] = ("", (), [], {})
_DIVERGED: Final = "diverged"
_MASKED: Final = ("masked", "infill", "encoder_decoder", "published")

Row = tuple[Cell, ...]


def losses(found: StudyResults) -> Table:
    windowed, rows = found.study.windowed, list[Row]()
    whole = _WHOLE if found.measure.observations == "pieces" else found.measure.observations
    for arm in found.study.arms:
        results = _results(found, arm)
        kind = _OWN_READING.get(found.study.measured)
        own = whole if kind is None else f"{kind}\N{NO-BREAK SPACE}of {arm.recipe.data.window:,}"
        valid, test = ([one.valid for one in results], [one.test for one in results])
        rows.append(_loss_row(arm, own, valid, test))
        if windowed:
            further = ([one.further.get(f"whole {split}") for one in results]
                       for split in ("valid", "test"))  # fmt: skip
            rows.append(_loss_row(arm, _WHOLE, *further))
    note = "Means over seeds. SD: standard deviation between seeds, of a sample."
    readings = (
        " Window: pieces read in windows of the training length that overlap by half. Whole "
        "pieces: read at once with the full context; refused: the scheme has no positions beyond "
        "its window."
    )
    return Table(
        key="losses",
        title=f"Losses of the arms, {found.measure.unit}",
        heads=("arm", "read", "seeds", "validation", "test", "SD of test"),
        rows=tuple(rows),
        note=note + (readings if windowed else ""),
    )


def _loss_row(
    arm: Arm, reading: str, valid: Sequence[float | str | None], test: Sequence[float | str | None]
) -> Row:
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


def further(found: StudyResults) -> Iterator[Table]:
    runs = [(run, values) for run in found.runs if (values := _further(run))]
    names = dict.fromkeys(name for _, values in runs for name in values)
    rows = [
        (
            Cell(display_names.arm(run.arm)),
            count(run.seed),
            *map(_further_cell, map(values.get, names)),
        )
        for run, values in runs
    ]
    if rows:
        heads = ("arm", "seed", *(_FURTHER.get(name, name) for name in names))
        title = found.measure.further_title
        yield Table(key="further", title=title, heads=heads, rows=tuple(rows))


def outside(found: StudyResults) -> Iterator[Table]:
    """Yield the test losses that others published beside those of the study."""
    rows = list[Row]()
    for arm in found.study.arms:
        tests = [one.test for one in _results(found, arm) if isinstance(one.test, int | float)]
        mean = numbers.fmean(tests) if tests else None
        rows += [
            (
                Cell(display_names.arm(arm.name)),
                Cell(source),
                number(loss, ".4f"),
                number(mean, ".4f"),
                number(None if mean is None else mean - loss, "+.4f"),
            )
            for source, loss in arm.published.items()
        ]
    if rows:
        heads = ("arm", "source", "published", "here", "difference")
        title = f"Test losses beside published ones, {found.measure.unit}"
        yield Table(key="outside", title=title, heads=heads, rows=tuple(rows))


def _further_cell(value: float | str | None) -> Cell:
    return Cell(value) if isinstance(value, str) else number(value, ".4f")


def pairs(found: StudyResults) -> Table:
    rows = list[Row]()
    for pair in found.comparisons:
        read = found.study.measured
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
        title=f"Differences of test losses, {found.measure.unit}, {pieces:,} "
        f"{found.measure.observations}",
        heads=("first arm", "second arm", "read", "difference", "95 % from", "to", "better",
               "seeds", "more seeds"),
        rows=tuple(rows),
        note=("Difference: loss of the first arm minus that of the second; above 0 the second "
            "has the lower loss. Better: only with two seeds or more, and losses that "
            "are not known to fall at the end. More seeds: those of each arm that would show a "
            "difference of 0.01 with a power of 80 %; – if no number would, because the "
            "pieces are too few, or if there is one seed."
            + (whole if len(rows) > len(found.comparisons) else "")),
    )  # fmt: skip


def _pair_row(
    pair: Comparison, read: str, values: Sequence[float | None], better: str | None, *last: Cell
) -> Row:
    return (
        Cell(display_names.arm(pair.first)),
        Cell(display_names.arm(pair.second)),
        Cell(read),
        *(number(value, "+.4f") for value in values),
        Cell(display_names.arm(better) if better else NONE),
        *last,
    )


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


def _whole_row(pair: Comparison, differences: Sequence[float]) -> Row:
    mean, half = numbers.fmean(differences), None
    if len(differences) > 1:
        half = float(statistics.mean_half_width(np.array(differences)[:, None])[0])
    ends = (None, None) if half is None else (mean - half, mean + half)
    is_better = half is not None and abs(mean) > half and not pair.missing
    better = (pair.second if mean > 0 else pair.first) if is_better else None
    last = count(len(differences)), Cell(NONE)
    return _pair_row(pair, "whole", (mean, *ends), better, *last)


def search(found: StudyResults) -> Table:
    columns: dict[str, Callable[[RunStatus], Cell]] = {
        "arm": lambda trial: Cell(display_names.arm(trial.arm)),
        "learning rate": lambda trial: Cell(f"{trial.rate or 0:g}", trial.rate),
        "validation": _outcome,
        "time": lambda trial: run_table.duration(trial.result.seconds if trial.result else None),
        "chosen": lambda trial: Cell("yes" if found.rates.get(trial.arm) == trial.rate else ""),
    }
    title = f"Learning rates tried before the runs, losses in {found.measure.unit}"
    note = " ".join(search_remarks(found))
    return Table.of("learning-rates", title, columns, _trials_in_order(found), note)


def _trials_in_order(found: StudyResults) -> list[RunStatus]:
    arms = [arm.name for arm in found.study.arms]
    return sorted(found.trials, key=lambda trial: (arms.index(trial.arm), trial.rate or 0.0))


def _outcome(trial: RunStatus) -> Cell:
    """Return the loss of a trial, that it diverged, or that it is not finished."""
    valid = trial.result.valid if trial.result else None
    return number(valid, ".4f", _DIVERGED if trial.result else NONE)


def search_remarks(found: StudyResults) -> Iterator[str]:
    """Yield what limits the choice: rates at the edge of those tried, and rates that diverged."""
    tried = [trial.rate for trial in found.trials if trial.rate is not None]
    for edge, rate in (("lowest", min(tried)), ("highest", max(tried))):
        if arms := [arm for arm, chosen in found.rates.items() if chosen == rate]:
            yield f"The {edge} rate tried is that of {listed(arms)}: a better one may lie beyond."
    gone = [f"{one.arm} with {one.rate:g}" for one in _trials_in_order(found)
            if _outcome(one).text == _DIVERGED]  # fmt: skip
    if gone:
        yield f"Diverged, and left out: {', '.join(gone)}."


def listed(names: Sequence[str]) -> str:
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)


def costs(found: StudyResults) -> Table:
    """Return sizes, time, speed and memory of each arm, and the time of its search."""

    def per_run(arm: Arm) -> Cell:
        done = [one.seconds for one in _results(found, arm)]
        return run_table.duration(numbers.fmean(done) if done else None)

    def speed(arm: Arm) -> Cell:
        done = _results(found, arm)
        seconds = sum(one.seconds for one in done)
        return count(round(sum(one.tokens for one in done) / seconds)) if seconds else Cell(NONE)

    def memory(arm: Arm) -> Cell:
        peak = max((one.peak_bytes for one in _results(found, arm)), default=None)
        return Cell(NONE) if peak is None else Cell(study_text.memory(peak), peak)

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
        "time per run": per_run,
        f"{examples(found.measure.unit)}/s": speed,
        "memory": memory,
        **({"time of search": searched} if found.trials else {}),
    }
    note = "Means over the finished runs; memory: the highest of them."
    return Table.of("costs", "Costs of the arms", columns, found.study.arms, note)


def settings(found: StudyResults) -> Table:
    """Return the values of the recipes: one column if they agree in all arms, else one per arm."""
    arms = [display_names.arm(arm.name) for arm in found.study.arms]
    tables = [asdict(arm.recipe) for arm in found.study.arms]
    rows = []
    masked = ("masking",) if found.study.objective in _MASKED else ()
    for part in ("model", "data", "training", *masked):
        for name in tables[0][part]:
            values = [table[part].get(name) for table in tables]
            if name in _NOT_SET or all(value in _UNUSED for value in values):
                continue
            texts = [_setting(value) for value in values]
            named = (f"{arm}: {text}" for arm, text in zip(arms, texts, strict=True))
            text = texts[0] if len({*texts}) == 1 else "; ".join(named)
            rows.append((Cell(part), Cell(name), Cell(text)))
    heads = ("table", "setting", "value")
    return Table(key="settings", title="Values of all recipes", heads=heads, rows=tuple(rows))


def _setting(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_setting(inner)}" for name, inner in value.items()) or NONE
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or NONE
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else str(value) or NONE


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


def _text(value: float | str | None) -> str:
    return f"{value:.4f}" if isinstance(value, int | float) else value or ""


def _results(found: StudyResults, arm: Arm) -> list[TrainResult]:
    return [run.result for run in found.runs if run.arm == arm.name and run.result]


def _further(run: RunStatus) -> dict[str, float | str]:
    """Return the further measurements, with the accuracy on test from its sequences."""
    if run.result is None:
        return {}
    further = run.result.further
    right = [piece.right for piece in run.result.test_pieces if piece.right is not None]
    valid = {"valid": further["valid"]} if "valid" in further else {}
    test = {"test": sum(right) / len(right)} if right and valid else {}
    return {**valid, **test, **further}


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
    yield from (
        Heading("Comparison with the published losses"),
        Paragraph(
            f"{found.epochs_run:g} of the {published_study.EPOCHS} epochs of the published "
            f"schedule were run. The publication prints epochs {ends} of one unnamed arm; its "
            "validation losses are measured as published."
        ),
        _epochs(found),
        Heading("Comparison with an independent run"),
        Paragraph(
            "Losses as published, nats/token. The independent run used batches of 32, a "
            "schedule of four epochs and one seed; here batches of 8 are accumulated "
            "four per step over the published schedule."
        ),
        _independent(found),
    )


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
        title = "new masks and batch means: maximum on the same weights"
        rows.append((Cell(title), number(max(redrawn), ".4f"), Cell(""), Cell("")))
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
