"""The report of a study as one page: question, verdict, figures, tables, settings and method."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from musicrel import file_names, paths
from musicrel.chorale import Chorale
from musicrel.errors import MusicrelError
from musicrel.experiment.data import dataset
from musicrel.experiment.study import results, run_watch, statistics
from musicrel.experiment.study.learning_curve import Ending
from musicrel.experiment.study.results import StudyResults
from musicrel.experiment.study.run_watch import RunStatus
from musicrel.experiment.study.statistics import NOT_ENOUGH, Comparison
from musicrel.presentation.report import (
    difference_plots,
    differences,
    html,
    pair_table,
    study_tables,
)
from musicrel.presentation.report.blocks import (
    Block,
    Cell,
    Figure,
    Fold,
    Heading,
    Items,
    Link,
    Paragraph,
    Report,
    Table,
)
from musicrel.presentation.report.differences import PieceDifference
from musicrel.presentation.study import curves, study_form, study_method, study_report, study_text
from musicrel.presentation.words import display_names
from musicrel.score.midi import midi_writer

FILE: Final = "report.html"
TABLES: Final = "tables"
"""The page, and the folder of its tables as CSV."""

_ONE: Final = "Does {second} predict unseen {things} better than {first}?"
_SEVERAL: Final = "Which of {number} arms predict unseen {things} better than {first}?"
_PAIRS: Final = "Which arm of each pair predicts unseen {things} better?"
_UNFINISHED: Final = "Unfinished: {done} of {runs} runs done. The findings may still change."
_MANY: Final = (
    "Each of the {number} intervals holds the true difference with 95 % probability. The "
    "probability that at least one of them misses it is at most {share:.0f} %, so a single "
    "difference that only just excludes 0 may be due to chance."
)
_BAND: Final = (
    "Mean difference of test losses on {things}, and its 95 % confidence interval. "
    "Grey: differences below 0.01 {unit}, too small to matter. Coloured: 0 is excluded, in two "
    "seeds or more whose losses no longer fall. An interval without colour that excludes 0 holds "
    "for this run only."
)
_CURVES: Final = (
    "Validation losses. Bold: mean over seeds, as far as all of them have come; band: its 95 % "
    "confidence interval; thin: single seeds."
)
_NO_CURVES: Final = "No curves: the folder has no event logs of its runs."
_DOTS: Final = (
    "One dot for each of the {things}, mean over seeds. Band and dashed line: interval and mean of "
    "the difference over all of them. "
    "Coloured: the ten that differ most."
)
_DIFFER_MOST: Final = "The {number} {things} that differ most, {first} minus {second}"
_DOWNLOAD: Final = "MIDI"
_MOST: Final = 10


def write(folder: Path, found: StudyResults) -> list[Path]:
    """Write the page and its tables into the study's folder and return their files."""
    report = read(folder, found)
    contents = {folder / FILE: html.to_html(report)}
    for table in report.tables:
        contents[folder / TABLES / f"{table.key}.csv"] = table.to_csv()
    for path, content in contents.items():
        paths.write_text(path, content)
    return list(contents)


def read(folder: Path, found: StudyResults) -> Report:
    return page(found, run_watch.read_all(folder, found.study), unseen_pieces(found))


def unseen_pieces(found: StudyResults) -> Mapping[int, Chorale]:
    """Return the test pieces by index; empty if there are none or the data cannot be read."""
    try:
        data = dataset.load(found.study.arms[0].recipe.data.source)
    except MusicrelError:
        return {}
    return dict(enumerate(data.pieces.get("test", ())))


def page(found: StudyResults, runs: Sequence[RunStatus], pieces: Mapping[int, Chorale]) -> Report:
    return Report(
        title=display_names.study(found.study.name),
        blocks=(
            *_question(found),
            *_verdict(found),
            Heading("Losses"),
            study_tables.losses(found),
            *_curves(found, runs),
            *_pieces(found, pieces),
            Heading("Costs"),
            study_tables.costs(found),
            study_tables.runs(found),
            *((study_tables.search(found),) if found.trials else ()),
            Heading("Settings"),
            study_tables.settings(found),
            Heading("Method"),
            Items(tuple(_without_bullets(study_method.lines(found)))),
        ),
    )


def _question(found: StudyResults) -> Iterator[Block]:
    """Yield the question, and the description at the head of the definition."""
    pairs, things = found.study.pairs, found.measure.observations
    firsts = {first for first, _ in pairs}
    form = _ONE if len(pairs) == 1 else _SEVERAL if len(firsts) == 1 else _PAIRS
    first, second = (display_names.arm(name) for name in pairs[0])
    text = form.format(first=first, second=second, number=len(pairs), things=things)
    yield Paragraph(text, "lead")
    description = study_form.about(Path(), found.study.text)
    if description:
        yield Paragraph(description)


def _verdict(found: StudyResults) -> Iterator[Block]:
    yield Heading("Verdict")
    if not found.finished:
        done = sum(run.result is not None for run in found.runs)
        yield Paragraph(_UNFINISHED.format(done=done, runs=len(found.runs)), "warning")
    if not found.comparisons:
        yield from _sentence(found, found.sentence)
        return
    if len(found.comparisons) > 1 and len({pair.first for pair in found.comparisons}) == 1:
        yield from _summary(found)
    else:
        for pair in found.comparisons:
            yield from _sentence(found, pair.sentence)
    things = f"{found.measure.observations} {found.comparisons[0].reading}".rstrip()
    caption = _BAND.format(things=things, unit=found.measure.unit)
    yield Figure(difference_plots.intervals(found.comparisons), caption)
    number = len(found.comparisons)
    if number > 1:
        yield Paragraph(_MANY.format(number=number, share=min(5 * number, 100)), "note")
    yield pair_table.pairs(found)


def _summary(found: StudyResults) -> Iterator[Block]:
    """Yield which arms are better than the common reference, worse, and neither."""
    trends = [run.trend for run in found.runs if run.result is not None]
    if any(pair.missing for pair in found.comparisons):
        yield from _sentence(found, _missing(found, trends))
    yield Items(tuple(_groups(found.comparisons)))
    if clause := results.caveat(trends):
        yield Paragraph(f"{clause[:1].upper()}{clause[1:]}.", "warning")


def _missing(found: StudyResults, trends: Sequence[Ending | None]) -> str:
    """Return what the pairs without a verdict lack, and what would carry one."""
    seeds = dict.fromkeys(clause for pair in found.comparisons for clause in pair.missing
                          if clause not in pair.undertrained)  # fmt: skip
    which = "for all pairs" if all(pair.missing for pair in found.comparisons) else "for some pairs"
    next_step = next((f". Next: {pair.next_step}" for pair in found.comparisons
                      if pair.next_step), "")  # fmt: skip
    clauses = "; ".join((*seeds, *results.undertrained(trends)))
    return f"{NOT_ENOUGH} {which}: {clauses}{next_step}"


def _groups(pairs: Sequence[Comparison]) -> Iterator[str]:
    first = display_names.arm(pairs[0].first)
    unit = pairs[0].unit
    known = [pair for pair in pairs if not pair.missing]
    for title, chosen in (
        (f"Better than {first}", [pair for pair in known if pair.better == pair.second]),
        (f"Worse than {first}", [pair for pair in known if pair.better == pair.first]),
        ("No significant difference", [pair for pair in known if pair.better is None]),
        (NOT_ENOUGH, [pair for pair in pairs if pair.missing]),
    ):
        ordered = sorted(chosen, key=lambda pair: -pair.difference)
        names = (display_names.arm(pair.second) for pair in ordered)
        named = [
            f"{name} by {abs(pair.difference):.3f}" if pair.better else name
            for name, pair in zip(names, ordered, strict=True)
        ]
        if named:
            yield f"{title}: {', '.join(named)}{f' {unit}' if chosen[0].better else ''}."


def _sentence(found: StudyResults, sentence: str) -> Iterator[Block]:
    """Yield a finding with the names of arms that people read, figures without a verdict last."""
    named = display_names.in_sentence(sentence, [arm.name for arm in found.study.arms])
    for place, part in enumerate(statistics.parts(f"{named[:1].upper()}{named[1:]}")):
        text = study_text.typeset(f"{part}.")
        yield Paragraph(text) if place else Paragraph(text, "lead")


def _curves(found: StudyResults, runs: Sequence[RunStatus]) -> Iterator[Block]:
    yield Heading("Learning curves")
    if not any(run.valid for run in runs):
        yield Paragraph(_NO_CURVES, "note")
        return
    title, unit = display_names.study(found.study.name), found.measure.unit
    for axis in study_report.PICTURES.values():
        series = [replace(one, arm=display_names.arm(one.arm))
                  for one in study_report.series(runs, axis)]  # fmt: skip
        yield Figure(curves.draw(series, title=title, unit=unit, axis=axis), _CURVES)


def _pieces(found: StudyResults, pieces: Mapping[int, Chorale]) -> Iterator[Block]:
    """Yield the differences by piece of each pair."""
    if not found.comparisons:
        return
    yield Heading(f"Differences by {found.measure.observations.removesuffix('s')}")
    for place, pair in enumerate(found.comparisons):
        by_piece = differences.by_piece(found, pair)
        dots = _DOTS.format(things=pair.observations)
        names = f"{display_names.arm(pair.first)} and {display_names.arm(pair.second)}"
        yield Fold(
            names,
            (
                Figure(difference_plots.dots(by_piece, pair, marked=_MOST), dots),
                _most_different(by_piece, pair, pieces),
            ),
            opened=place == 0,
        )


def _most_different(
    by_piece: Sequence[PieceDifference], pair: Comparison, pieces: Mapping[int, Chorale]
) -> Table:
    """Return the table of the pieces that differ most, with links to play them."""
    ordered = differences.most_different(by_piece)
    links = {piece.index: _link(pieces, piece) for piece in ordered[:_MOST]}
    playable, several = any(links.values()), pair.seeds > 1
    rows = [
        (
            Cell(piece.title or f"{piece.index}"),
            Cell(f"{piece.notes:,}", piece.notes),
            Cell(f"{piece.first:.4f}", piece.first),
            Cell(f"{piece.second:.4f}", piece.second),
            Cell(f"{piece.difference:+.4f}".replace("-", "\N{MINUS SIGN}"), piece.difference),
            *((Cell(f"{piece.agreeing} of {len(piece.by_seed)}"),) if several else ()),
            *((Cell("", link=links.get(piece.index)),) if playable else ()),
        )
        for piece in ordered
    ]
    first, second = (display_names.arm(name) for name in (pair.first, pair.second))
    heads = ("piece", pair.unit.partition("/")[2] + "s", first, second, "difference",
             *(("seeds that agree",) if several else ()),
             *(("play",) if playable else ()))  # fmt: skip
    return Table(
        key=f"pieces-{pair.first}-{pair.second}",
        title=_DIFFER_MOST.format(
            number=len(rows[:_MOST]), things=pair.observations, first=first, second=second
        ),
        heads=heads,
        rows=tuple(rows[:_MOST]),
        further_rows=tuple(rows[_MOST:]),
    )


def _link(pieces: Mapping[int, Chorale], piece: PieceDifference) -> Link | None:
    """Return a piece as a MIDI file; None if it is not known."""
    chorale = pieces.get(piece.index)
    if chorale is None or chorale.title != piece.title:
        return None
    return Link(
        text=_DOWNLOAD,
        name=f"{file_names.valid(piece.title)}.mid",
        media="audio/midi",
        content=midi_writer.to_bytes(chorale),
    )


def _without_bullets(lines: Sequence[str]) -> list[str]:
    """Return the items of a Markdown list as plain texts, continued lines joined."""
    texts: list[str] = []
    for line in lines:
        if line.startswith("- "):
            texts.append(line[2:])
        else:
            texts[-1] += f" {line.strip()}"
    return texts
