"""The report of the study of ablations: Markdown, JSON, CSV and pictures."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from musicrel import paths
from musicrel.presentation.ablation import study_charts, study_tables, study_words
from musicrel.presentation.drawing import svg
from musicrel.presentation.drawing.drawing import Drawing
from musicrel.presentation.study.csv_text import to_csv
from musicrel.presentation.words.markdown import table
from musicrel.presentation.words.palette import LIGHT, Theme

if TYPE_CHECKING:
    from musicrel.analysis.claims.intervals import Estimate
    from musicrel.experiment.ablation.study_results import ModelResults, Removal, StudyResults

REPORT: Final = "report.md"
RESULTS: Final = "results.json"
MEANS: Final = "results.csv"
NOTES: Final = "notes.csv"

_TITLE: Final = "# Attention weights and effects"
_CAPTION: Final = "{command}; seed {seed}"
_INTRODUCTION: Final = """\
{notes:,} notes, spread evenly over {pieces} pieces and drawn by seed {seed}, the same for all \
models. A model predicts a note again with one part missing. The effect of the part is -log p of \
the note after minus before, in nats: positive if the part helped. Its size is the effect \
without its sign. Values are means over notes with 95 % intervals (bootstrap over pieces). \
Models read the pieces with what follows from the grid alone; the mean of -log p is {nats}."""
_CORRELATIONS: Final = """\
Spearman's rank correlation within each note, then the mean over notes. Heads: the weight of a \
head is the largest weight that it puts on one source, or its concentration, 1 - entropy / \
ln(number of keys); its effect is that of replacing its output at this query by {by}. Sources, \
which are {sources}: the weight is the mean over all heads; the effect is that of masking its \
keys in all layers at this query, for the 64 sources of largest weight and 64 random others. \
Closeness in time, the negative distance in steps, is a reference without attention."""
_SOURCES: Final = {"notes": "earlier notes", "steps": "the other steps", "both": "earlier notes, "
                   "or the other steps of an infilling model"}  # fmt: skip
_REMOVALS: Final = """\
Sources removed together: those of largest weight, the nearest in time, and random ones other \
than the first (mean of 8 groups for each note; notes with twice as many sources or more)."""
_RANKS: Final = """\
Sources removed one at a time, by rank of their weight; random others are drawn after the 64 \
strongest."""
_HEADS: Final = """\
Means of each head. The last column is the rank correlation of its own weights on sources with \
their effects."""
_CARRIERS: Final = """\
Three heads, chosen on one half of the pieces and replaced together on the other: those with the \
largest weight on the pattern above equal weights (by attention), or with the largest difference \
of their effect between notes with the pattern and others (by effect). The difference is \
compared with that of 100 random sets of three heads (rank: share of the sets that it exceeds; p \
= (1 + sets as large) / 101). With {tests} sets tested, about {expected} would have p < 0.05 if \
none carried its pattern."""
_HARDER: Final = (
    "{model}: removing the {number} sources of largest weight {verdict}: {difference} nats."
)
_VERDICTS: Final = {1: "hurts more than removing as many random ones",
                    0: "does not differ measurably from removing as many random ones",
                    -1: "hurts less than removing as many random ones"}  # fmt: skip
_BY: Final = {"mean": "its mean over the training pieces, for each voice", "zero": "zero"}
_MACHINE: Final = "Machine: {machine}. Weights: {weights}."
_LEVEL: Final = 0.05


def draw(results: StudyResults, command: str, theme: Theme = LIGHT) -> dict[str, Drawing]:
    """Return the pictures of the report by file name; those without values are left out."""
    caption = _CAPTION.format(command=command, seed=results.seed)
    return study_charts.draw(results, caption, theme)


def write(folder: Path, results: StudyResults, command: str) -> list[Path]:
    """Write the report into the folder of the study and return its files."""
    drawings = draw(results, command)
    values = {"command": command} | results.to_json()
    contents = {
        RESULTS: json.dumps(values, indent=1, ensure_ascii=False, allow_nan=False) + "\n",
        MEANS: to_csv(study_tables.results_csv(results)),
        NOTES: to_csv(study_tables.notes_csv(results)),
        **{name: svg.to_svg(drawing) for name, drawing in drawings.items()},
        REPORT: markdown(results, command, drawings),
    }
    for name, content in contents.items():
        paths.write_text(folder / name, content)
    return [folder / name for name in contents]


def markdown(results: StudyResults, command: str, pictures: Iterable[str]) -> str:
    shown, caption = set(pictures), f"`{command}`, seed {results.seed}"

    def section(title: str, words: str, name: str, rows: Iterator[study_tables.Row]) -> list[str]:
        head, *lines = rows
        picture = [f"![{title[3:]}]({name})", "", caption, ""] if name in shown else []
        parts = [title, "", words, "", *picture, *table(head, lines), ""]
        return parts if lines else []

    charts, tables = study_charts, study_tables
    lines = [
        _TITLE, "", _introduction(results), "",
        *section("## Rank correlations of weight and effect", _correlations(results),
                 charts.CORRELATIONS, tables.correlations(results)),
        *section("## Removing the strongest sources", _removals(results), charts.REMOVALS,
                 tables.removals(results)),
        *section("## Effect by rank of weight", _RANKS, charts.RANKS, tables.ranks(results)),
        *section("## Heads that may carry a pattern", _carriers(results), charts.CARRIERS,
                 tables.carriers(results)),
    ]  # fmt: skip
    for number, model in enumerate(results.models, start=1):
        name = study_charts.HEADS.format(number=number)
        lines += section(f"## Heads of {model.model}", _HEADS, name, tables.heads(model))
    return "\n".join((*lines, _machine(results), ""))


def verdict(model: ModelResults, removal: Removal) -> str:
    """Return whether removing the strongest sources hurts more than random ones, as a sentence."""
    side = _side(removal.difference)
    difference = study_words.interval(removal.difference)
    return _HARDER.format(
        model=model.model, number=removal.number, verdict=_VERDICTS[side], difference=difference
    )


def _side(change: Estimate) -> int:
    """Return 1 or -1 if the whole interval is above or below 0, else 0."""
    return int(change.above_zero) - int(change.below_zero)


def _introduction(results: StudyResults) -> str:
    nats = ", ".join(
        f"{study_words.interval(model.nats)} nats with {model.model}" for model in results.models
    )
    return _INTRODUCTION.format(
        notes=results.notes, pieces=results.pieces, seed=results.seed, nats=nats
    )


def _correlations(results: StudyResults) -> str:
    kinds = {"steps" if model.infills else "notes" for model in results.models}
    sources = _SOURCES["both" if len(kinds) > 1 else kinds.pop()]
    return _CORRELATIONS.format(by=_BY[results.by], sources=sources)


def _removals(results: StudyResults) -> str:
    """Return the explanation and a sentence for each removal, as a list."""
    sentences = [
        f"- {verdict(model, removal)}" for model in results.models for removal in model.removals
    ]
    return "\n".join((_REMOVALS, "", *sentences))


def _carriers(results: StudyResults) -> str:
    tests = sum(len(model.carriers) for model in results.models)
    return _CARRIERS.format(tests=tests, expected=study_words.number(_LEVEL * tests, 1))


def _machine(results: StudyResults) -> str:
    machine = ", ".join(f"{name} {value}" for name, value in results.machine.items() if value)
    weights = ", ".join(f"{model.model} {model.sha256[:12]}" for model in results.models)
    return _MACHINE.format(machine=machine, weights=weights)
