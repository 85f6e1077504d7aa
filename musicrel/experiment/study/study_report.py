"""The report of a study: question, verdict, figures, tables, settings and method."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from musicrel import file_names, language
from musicrel.chorale import Chorale
from musicrel.errors import MusicrelError, UsageError
from musicrel.experiment.data import dataset
from musicrel.experiment.recipe import recipe
from musicrel.experiment.recipe.recipe import BUDGETS
from musicrel.experiment.runs.events import PieceLoss
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.experiment.study import (
    definition,
    published,
    results,
    run_table,
    run_watch,
    statistics,
    study_folder,
    study_form,
    study_tables,
    study_text,
)
from musicrel.experiment.study.blocks import (
    Block,
    Cell,
    Figure,
    Fold,
    Heading,
    Intervals,
    Items,
    Link,
    Paragraph,
    PieceDifference,
    PieceDifferences,
    Report,
    Table,
    count,
    number,
)
from musicrel.experiment.study.measures import MEASURES
from musicrel.experiment.study.memory_study import MemoryStudy
from musicrel.experiment.study.published import Findings
from musicrel.experiment.study.results import COMMIT, StudyResults
from musicrel.experiment.study.run_watch import RunWatch
from musicrel.experiment.study.statistics import Comparison, not_enough
from musicrel.experiment.study.study_curves import Axis, CurveChoice, CurveReader, Curves, examples
from musicrel.presentation.words import display_names
from musicrel.score.midi import midi_writer

_METHOD: Final = """\
Runs of one seed train on the same {read} in the same order. The {weights} with the best validation
loss are measured on test once, at the end.

Losses are {unit} on {basis}.

A difference is the loss of the first arm minus that of the second: above 0 the second has the lower
loss. It is paired by {things} and seed and weighted by {each}s; its interval is a bootstrap over
{things} and, with more than one, seeds (10,000 draws, widened for few seeds by Student's quantile).

An arm is called better only with two seeds or more, and if no loss is known to fall at the end.
"""

CURVES: Final[Mapping[str, Axis]] = {"curves.svg": "tokens", "curves-time.svg": "seconds"}


def read(found: StudyResults) -> Report:
    """Return the report on ``found``; the test pieces and event logs are read."""
    return report(found, unseen_pieces(found), published.findings(found))


def curves(folder: Path, choice: CurveChoice) -> Curves:
    """Return the curves of the study or the run in ``folder``, as far as known."""
    kind = study_folder.kind_of(folder)
    if kind is None:
        raise UsageError(f"{folder} holds no study and no run: expected the folder of one of them")
    study = definition.read(folder) if kind == "study" else None
    if isinstance(study, MemoryStudy):
        raise UsageError(
            f"the study in {folder} has no learning curves: expected one that trains models; "
            f"compare --report --out {folder} draws its measurements"
        )
    if study is not None:
        name, unit, runs = study.name, study.measure.unit, run_watch.read_all(folder, study.runs)
    else:
        alone = recipe.parse(RunFolder(folder).recipe_toml(), "recipe.toml")
        name, unit = alone.name, MEASURES[alone.model.family].unit
        runs = (RunWatch(folder, name, alone.training.seed).poll(check_process=False),)
    return Curves(title=name, arms=CurveReader().read(runs, choice), choice=choice, unit=unit)


def unseen_pieces(found: StudyResults) -> Mapping[int, Chorale]:
    """Return the test pieces by index; empty if there are none or the data cannot be read."""
    try:
        data = dataset.load(found.study.arms[0].recipe.data.source)
    except MusicrelError:
        return {}
    return dict(enumerate(data.pieces.get("test", ())))


def report(
    found: StudyResults, pieces: Mapping[int, Chorale], as_published: Findings | None = None
) -> Report:
    return Report(
        title=display_names.study(found.study.name),
        blocks=(
            *_question(found),
            *_verdict(found),
            Heading("Losses"),
            study_tables.losses(found),
            *study_tables.further(found),
            *study_tables.outside(found),
            *_curves(found),
            *_pieces(found, pieces),
            *study_tables.published(as_published),
            Heading("Costs"),
            study_tables.costs(found),
            run_table.reported(found.runs, found.measure.unit),
            *((study_tables.search(found),) if found.trials else ()),
            Heading("Settings"),
            study_tables.settings(found),
            Heading("Method"),
            Items(tuple(method(found))),
        ),
    )


def _question(found: StudyResults) -> Iterator[Block]:
    pairs, things = found.study.pairs, found.measure.observations
    firsts = {first for first, _ in pairs}
    form = (
        "Does {second} predict unseen {things} better than {first}?"
        if len(pairs) == 1
        else "Which of {number} arms predict unseen {things} better than {first}?"
        if len(firsts) == 1
        else "Which arm of each pair predicts unseen {things} better?"
    )
    first, second = (display_names.arm(name) for name in pairs[0])
    text = form.format(first=first, second=second, number=len(pairs), things=things)
    yield Paragraph(text, "lead")
    if description := study_form.about(found.study.text):
        yield Paragraph(description)


def _verdict(found: StudyResults) -> Iterator[Block]:
    yield Heading("Verdict")
    if not found.finished:
        done = sum(run.result is not None for run in found.runs)
        yield Paragraph(
            f"Unfinished: {done} of {len(found.runs)} runs done. The findings may still change.",
            "warning",
        )
    pairs = found.comparisons
    if not pairs:
        yield from _sentence(found, found.sentence)
        return
    if len(pairs) > 1 and len({pair.first for pair in pairs}) == 1:
        yield from _summary(found)
    else:
        for pair in pairs:
            yield from _sentence(found, pair.sentence)
    things = f"{found.measure.observations} {pairs[0].reading}".rstrip()
    yield Figure(
        data=Intervals(pairs),
        title="; ".join(pair.sentence for pair in pairs),
        caption=(
            f"Mean difference of test losses on {things}, and its 95 % confidence "
            f"interval. Grey: differences below 0.01 {found.measure.unit}, too small to "
            "matter. Coloured: 0 is excluded, in two seeds or more whose losses are not "
            "known to fall. An interval without colour that excludes 0 holds for this run "
            "only."
        ),
    )
    if len(pairs) > 1:
        text = (
            f"Each of the {len(pairs)} intervals holds the true difference with 95 % "
            "probability. The probability that at least one of them misses it is at "
            f"most {min(5 * len(pairs), 100):.0f} %, so a single difference that only "
            "just excludes 0 may be due to chance."
        )
        yield Paragraph(text, "note")
    yield study_tables.pairs(found)


def _summary(found: StudyResults) -> Iterator[Block]:
    """Yield which arms are better than the common reference, worse, and neither."""
    if any(pair.missing for pair in found.comparisons):
        yield from _sentence(found, _missing(found))
    yield Items(tuple(_groups(found)))


def _missing(found: StudyResults) -> str:
    """Return what the pairs without a verdict lack, and what would carry one."""
    seeds = dict.fromkeys(clause for pair in found.comparisons for clause in pair.missing
                          if clause not in pair.undertrained)  # fmt: skip
    which = "for all pairs" if all(pair.missing for pair in found.comparisons) else "for some pairs"
    next_step = next((f". Next: {pair.next_step}" for pair in found.comparisons
                      if pair.next_step), "")  # fmt: skip
    trends = [run.ending for run in found.runs if run.result is not None]
    clauses = "; ".join((*seeds, *results.undertrained(trends)))
    return f"{not_enough()} {which}: {clauses}{next_step}"


def _groups(found: StudyResults) -> Iterator[str]:
    """Yield a sentence for each finding, with what is not known about the runs it is based on."""
    pairs = found.comparisons
    first = display_names.arm(pairs[0].first)
    known = [pair for pair in pairs if not pair.missing]
    for title, chosen in (
        (f"Better than {first}", [pair for pair in known if pair.better == pair.second]),
        (f"Worse than {first}", [pair for pair in known if pair.better == pair.first]),
        ("No significant difference", [pair for pair in known if pair.better is None]),
        (not_enough(), [pair for pair in pairs if pair.missing]),
    ):
        named = [
            display_names.arm(pair.second)
            + (f" by {abs(pair.difference):.3f}" if pair.better else "")
            for pair in sorted(chosen, key=lambda pair: -pair.difference)
        ]
        if named:
            arms = {arm for pair in chosen for arm in (pair.first, pair.second)}
            runs = (run for run in found.runs if run.arm in arms and run.result is not None)
            caveat = results.caveat([run.ending for run in runs])
            unit = f" {pairs[0].unit}" if chosen[0].better else ""
            yield f"{title}: {', '.join(named)}{unit}{f'; {caveat}' if caveat else ''}."


def _sentence(found: StudyResults, sentence: str) -> Iterator[Block]:
    """Yield a finding with the names of arms that people read, figures without a verdict last."""
    named = display_names.in_sentence(sentence, [arm.name for arm in found.study.arms])
    for place, part in enumerate(statistics.parts(f"{named[:1].upper()}{named[1:]}")):
        text = study_text.typeset(f"{part}.")
        yield Paragraph(text) if place else Paragraph(text, "lead")


def _curves(found: StudyResults) -> Iterator[Block]:
    yield Heading("Learning curves")
    if not any(run.valid for run in found.runs):
        yield Paragraph("No curves: the folder has no event logs of its runs.", "note")
        return
    title, unit = display_names.study(found.study.name), found.measure.unit
    for file, axis in CURVES.items():
        choice = CurveChoice(axis=axis)
        arms = CurveReader().read(found.runs, choice)
        by = examples(unit) if axis == "tokens" else axis
        yield Figure(
            data=Curves(title=title, arms=arms, choice=choice, unit=unit),
            title=f"Validation loss by {by}, {unit}",
            caption=(
                "Validation losses. Bold: mean over seeds, as far as all of them have "
                "come; band: its 95 % confidence interval; thin: single seeds."
            ),
            file=file,
        )


def _pieces(found: StudyResults, pieces: Mapping[int, Chorale]) -> Iterator[Block]:
    if not found.comparisons:
        return
    yield Heading(f"Differences by {found.measure.observations.removesuffix('s')}")
    for place, pair in enumerate(found.comparisons):
        differences = by_piece(found, pair)
        first, second = (display_names.arm(name) for name in (pair.first, pair.second))
        things = pair.observations
        title = (
            f"Difference of {len(differences.pieces)} {things} between {first} and {second}, "
            f"{pair.unit}"
        )
        figure = Figure(
            data=differences,
            title=title,
            caption=(
                f"One dot for each of the {things}, mean over seeds. Band and dashed "
                "line: interval and mean of the difference over all of them. Coloured: "
                "the ten that differ most."
            ),
        )
        table = _most_different(differences, pieces)
        yield Fold(f"{first} and {second}", (figure, table), opened=place == 0)


def by_piece(found: StudyResults, pair: Comparison) -> PieceDifferences:
    first, second = (results.losses_by_seed(arm, found.runs) for arm in (pair.first, pair.second))
    seeds = [seed for seed in first if seed in second]
    rows = zip(*(first[seed] for seed in seeds), *(second[seed] for seed in seeds), strict=True)
    pieces = (_difference(row[: len(seeds)], row[len(seeds) :]) for row in rows)
    return PieceDifferences(pair, tuple(sorted(pieces, key=lambda one: -abs(one.difference))))


def _difference(first: Sequence[PieceLoss], second: Sequence[PieceLoss]) -> PieceDifference:
    piece = first[0]
    losses = np.array([[one.nats / piece.notes for one in arm] for arm in (first, second)])
    one, other = losses.mean(axis=1).tolist()
    return PieceDifference(
        index=piece.index,
        title=piece.title,
        notes=piece.notes,
        first=one,
        second=other,
        by_seed=tuple((losses[0] - losses[1]).tolist()),
    )


def _most_different(found: PieceDifferences, pieces: Mapping[int, Chorale]) -> Table:
    pair, most = found.pair, found.marked
    links = {piece.index: _link(pieces, piece) for piece in found.pieces[:most]}
    first, second = (display_names.arm(name) for name in (pair.first, pair.second))
    columns = {
        "piece": lambda one: Cell(one.title or f"{one.index}"),
        pair.unit.partition("/")[2] + "s": lambda one: count(one.notes),
        first: lambda one: number(one.first, ".4f"),
        second: lambda one: number(one.second, ".4f"),
        "difference": lambda one: number(one.difference, "+.4f"),
    }
    if pair.seeds > 1:
        columns["seeds that agree"] = lambda one: Cell(f"{one.agreeing} of {len(one.by_seed)}")
    if any(links.values()):
        columns["play"] = lambda one: Cell("", link=links.get(one.index))
    title = (
        f"The {min(most, len(found.pieces))} {pair.observations} that differ most, {first} "
        f"minus {second}"
    )
    whole = Table.of(f"pieces-{pair.first}-{pair.second}", title, columns, found.pieces)
    return replace(whole, rows=whole.rows[:most], further_rows=whole.rows[most:])


def _link(pieces: Mapping[int, Chorale], piece: PieceDifference) -> Link | None:
    chorale = pieces.get(piece.index)
    if chorale is None or chorale.title != piece.title:
        return None
    return Link(
        text="MIDI",
        name=f"{file_names.valid(piece.title)}.mid",
        media="audio/midi",
        content=midi_writer.to_bytes(chorale),
    )


def method(found: StudyResults) -> list[str]:
    """Return the method: data, training, measurement, choice of rates, machine and command."""
    measure, bytes_ = found.measure, found.study.objective == "classifier"
    averaged = any(arm.recipe.training.ema for arm in found.study.arms)
    text = _METHOD.format(
        unit=measure.unit,
        basis=measure.basis,
        things=measure.observations,
        each=measure.per,
        read="sequences" if bytes_ else "windows",
        weights="averaged weights" if averaged else "weights",
    )
    items = (" ".join(item.split()) for item in text.split("\n\n"))
    return [_data(found), *items, *_rates(found), *_rules(found), *_machine(found), _command(found)]


def _data(found: StudyResults) -> str:
    first = found.study.arms[0].recipe
    budgets = ((unit, getattr(first.training, unit)) for unit in BUDGETS)
    unit, amount = next((unit, amount) for unit, amount in budgets if amount)
    widths = "matched for equal parameters" if found.study.matched else "as given"
    windows = sorted({arm.recipe.data.window for arm in found.study.arms})
    own = {"classifier": "bytes", "published": "published"}
    vocabulary = own.get(found.study.objective, first.data.vocabulary)
    read = "sequences of up to" if found.study.objective == "classifier" else "windows of"
    return (
        f"Data {first.data.source}, vocabulary {vocabulary}, {read} "
        f"{', '.join(f'{window:,}' for window in windows)} tokens; budget {amount:,} {unit} per "
        f"run; feed-forward widths {widths}."
    )


def _machine(found: StudyResults) -> list[str]:
    facts = []
    for name, value in found.origin.items():
        values = [str(one) for one in (value if isinstance(value, list) else [value])]
        shown = [one[:12] if name == COMMIT else one for one in values]
        facts += [f"{name} {' or '.join(shown)}"] if value else []
    times = "Times depend on the machine and its load"
    return [f"Machine: {', '.join(facts)}. {times}."] if facts else []


def _command(found: StudyResults) -> str:
    """Return the command that runs the study; a study that is not shipped is read from its file."""
    name = found.study.name
    study = name if name in study_folder.bundled() else "study.toml"
    chosen = {key: found.origin.get(key) for key in ("device", "threads")}
    options = "".join(
        f" --{key} {value}" for key, value in chosen.items() if isinstance(value, str | int)
    )
    return f"Command: `musicrel compare --study {study} --out FOLDER{options}`."


def _rates(found: StudyResults) -> Iterator[str]:
    search = found.study.search
    if search is not None:
        named = ", ".join(f"{arm} {rate:g}" for arm, rate in found.rates.items())
        tried = study_tables.listed([f"{rate:g}" for rate in search.learning_rates])
        chosen = (
            f"The learning rate of each arm is that of {tried} with the lowest loss on "
            f"validation, each tried with seed {found.study.seeds[0]} and "
            f"{100 * search.share:g} % of the budget{f': {named}' if named else ''}."
        )
        yield " ".join([chosen, *study_tables.search_remarks(found)])


def _rules(found: StudyResults) -> Iterator[str]:
    rules: dict[tuple[int, float], list[str]] = {}
    for arm in found.study.arms:
        training = arm.recipe.training
        rules.setdefault((training.stop_after, training.stop_gain), []).append(arm.name)
    for (after, gain), arms in rules.items():
        mine = [run.result for run in found.runs if run.arm in arms and run.result is not None]
        named = f" {study_tables.listed(arms)}" if len(rules) > 1 else ""
        least = f"{gain:g} nats or more" if gain else "any size"
        if after:
            yield (
                f"A run ends before its budget after {language.count(after, 'evaluation')} in a "
                f"row without an improvement of {least} on validation: "
                f"{sum(bool(result.stopped) for result in mine)} of {len(mine)} finished{named} "
                "runs did."
            )
