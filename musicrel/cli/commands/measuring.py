"""The commands that measure: ``evaluate``, ``grade`` and ``diagnose``."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, Final

from musicrel import paths
from musicrel.analysis import assessment, grade_reference, voice_leading
from musicrel.analysis.assessment import Assessment
from musicrel.analysis.corpus import bundled
from musicrel.analysis.count_model import CountModel
from musicrel.analysis.grade_reference import BachScores, GradeReference
from musicrel.analysis.rules import RULES
from musicrel.analysis.voice_leading import Rates
from musicrel.chorale import Voice
from musicrel.cli import arguments, inputs, output
from musicrel.cli.arguments import Command, argument, flag
from musicrel.errors import DataError, FileError, MusicrelError, UsageError
from musicrel.experiment.recipe import recipe
from musicrel.experiment.study.measures import MEASURES
from musicrel.language import count
from musicrel.model import catalogue, devices
from musicrel.model.card import WITHOUT_NOTES, Card, read_card
from musicrel.model.tokens import conditions
from musicrel.presentation.words import names
from musicrel.score import files

if TYPE_CHECKING:
    from musicrel.analysis.corpus.splits import Split
    from musicrel.experiment.objectives.evaluation import Evaluation
    from musicrel.experiment.probes import Probe
    from musicrel.interpretability.claims import ClaimResults

COUNTS: Final = "counts"  # the name of the baseline that only counts notes
_CONDITIONS: Final = "voice,beat"
_CHORALES: Final = "chorales"
_HEAD: Final = ("grade", "parallels", "crossing %", "spacing %", "notes")
_DEFAULT_MODEL: Final = "relative"
_CLAIMED: Final = ("vanilla", "relative")
"""The models of ``--claims`` by default; the first is the reference."""
_TABLE: Final = ".md"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Report:
    model: str
    vocabulary: str
    data: str  # source of the pieces
    result: Evaluation
    unit: str = "nats/note"
    observations: str = "pieces"  # name of what ``result.pieces`` are, in the plural


def _evaluate(options: argparse.Namespace) -> None:
    report, split = _report(options), options.split
    text = _sentence(report, split)
    output.print_result(_losses_json(report, split), text, as_json=options.json)


def _report(options: argparse.Namespace) -> _Report:
    if options.model == COUNTS:
        return _evaluate_counts(options)
    folder = catalogue.find(options.model)
    card = read_card(folder)
    if card.config.family in WITHOUT_NOTES:
        return _evaluate_as_trained(options, folder, card)
    return _evaluate_notes(options)


def _evaluate_notes(options: argparse.Namespace) -> _Report:
    from musicrel.experiment.objectives.evaluation import evaluate

    given = tuple(conditions.CONDITIONS) if options.given == "all" else options.given.split(",")
    conditions.sizes(given)
    model = inputs.open_model(options)
    source = options.data or _CHORALES
    pieces = inputs.read_data(source, options.split).pieces[options.split]
    if model.vocabulary.holds and source.startswith("jsb:"):
        raise DataError(
            f"model {model.name!r} separates held from repeated notes, JSB16 does not: evaluate it "
            "with --data chorales, or take a model with the 'pitch' vocabulary"
        )
    masks = recipe.masking_from_card(model.card.recipe)
    job = evaluate(model.network, pieces, model.vocabulary, given, masks)
    return _Report(
        model=_name(options, model.card),
        vocabulary=model.vocabulary.name,
        data=source,
        result=output.followed(job, "evaluating", "pieces", events=len(pieces)),
    )


def _evaluate_as_trained(options: argparse.Namespace, folder: Path, card: Card) -> _Report:
    if options.given != _CONDITIONS:
        raise UsageError(
            f"--given is {options.given!r}: leave it out, a model of family {card.config.family} "
            "is always conditioned as in training"
        )
    from musicrel.experiment.objectives import objectives
    from musicrel.model import checkpoint

    devices.use_threads(options.threads)
    plan = recipe.from_tables(card.recipe, f"the recipe of {folder.name}")
    source = options.data or plan.data.source
    objective = objectives.for_recipe(plan, inputs.read_data(source, options.split))
    if list(objective.vocabulary["symbols"]) != list(card.vocabulary["symbols"]):
        raise DataError(
            f"{source} has other tokens than the training data of {_name(options, card)}: evaluate "
            f"it with --data {plan.data.source}"
        )
    device = inputs.chosen_device(options.device, "training")
    model = checkpoint.load(folder, device).network
    job = objective.evaluate(model, options.split, objective.condition_sets(model.config)[0])
    measure = MEASURES[card.config.family]
    return _Report(
        model=_name(options, card),
        vocabulary=card.vocabulary["name"],
        data=source,
        result=output.followed(job, "evaluating", "pieces", events=objective.count(options.split)),
        unit=measure.unit,
        observations=measure.observations,
    )


def _name(options: argparse.Namespace, card: Card) -> str:
    """Return the name of an installed model, or that in the card: the folder of a run is model."""
    return card.name if Path(options.model).is_dir() else options.model


def _evaluate_counts(options: argparse.Namespace) -> _Report:
    if options.given != _CONDITIONS:
        raise UsageError(
            f"--given is {options.given!r}: leave it out, the counting model is always conditioned "
            f"on {_CONDITIONS}"
        )
    from musicrel.experiment.objectives.evaluation import Evaluation
    from musicrel.experiment.runs.events import PieceLoss

    source = options.data or _CHORALES
    data = inputs.read_data(source, options.split)
    data.require("train", "the counting model counts its pieces")
    splits = data.pieces
    counts = CountModel(splits["train"], repeats=not source.startswith("jsb:"))
    pieces = tuple(
        PieceLoss(
            index=index, title=piece.title, nats=counts.nats(piece), notes=piece.steps * len(Voice)
        )
        for index, piece in enumerate(splits[options.split])
    )
    result = Evaluation(conditions=("voice", "beat"), pieces=pieces)
    return _Report(model=COUNTS, vocabulary="counts", data=source, result=result)


def _sentence(report: _Report, split: Split) -> str:
    result = report.result
    each = report.unit.partition("/")[2]
    over = f"{count(result.notes, each)} of " if result.notes > len(result.pieces) else ""
    pieces = count(len(result.pieces), report.observations.removesuffix("s"))
    correct = (
        f", {100 * result.accuracy:.1f} % correct" if result.pieces[0].right is not None else ""
    )
    conditions = ", ".join(result.conditions) or "nothing"
    return (
        f"{report.model} on the {names.SPLITS[split]} split of {report.data}: "
        f"{result.nats_per_note:.4f} {report.unit} over {over}{pieces}"
        f"{correct}, conditioned on {conditions}"
    )


def _losses_json(report: _Report, split: Split) -> dict[str, Any]:
    result = report.result
    keys = ("index", "title", "nats", "notes")
    figures = {
        "model": report.model,
        "vocabulary": report.vocabulary,
        "data": report.data,
        "split": split,
        "pieces": len(result.pieces),
        "notes": result.notes,
        "unit": report.unit,
        "nats_per_note": result.nats_per_note,
        "end_nats": result.end_nats,
        "conditions": list(result.conditions),
        "per_piece": [{key: getattr(piece, key) for key in keys} for piece in result.pieces],
    }
    known = result.pieces[0].right is not None
    return figures | ({"share_right": result.accuracy} if known else {})


def _grade(options: argparse.Namespace) -> None:
    measure = grade_reference.load(options.reference)
    known = assessment.known_chunks(bundled.load("train"))
    skipped: dict[Path, str] = {}
    found = _files(options.paths, skipped)
    graded: dict[Path, Assessment] = {}
    reports: dict[Path, tuple[str, ...]] = {}
    with output.ProgressBar("grading", len(found), "pieces") as bar:
        for done, path in enumerate(found):
            bar.set_done(done)
            try:
                read = inputs.load(path)
                graded[path] = assessment.assess(read.chorale, measure.reference, known)
                reports[path] = read.report
            except MusicrelError as reason:
                skipped[path] = str(reason)
    _report_skipped(skipped, left=len(graded))
    output.report(f"{path}: {change}" for path, report in reports.items() for change in report)
    text = _text(graded, measure.bach)
    if options.rules:
        text += f"\n\n{_rule_table([piece.rates for piece in graded.values()])}"
    output.print_result(_grades_json(graded, skipped, measure), text, as_json=options.json)


def _files(named: Iterable[Path], skipped: dict[Path, str]) -> list[Path]:
    found: dict[Path, Path] = {}  # resolved path -> path as it is named
    for path in named:
        try:
            for file in _chorales_in(path) if path.is_dir() else [path]:
                found.setdefault(paths.resolved(file), file)
        except FileError as reason:
            skipped[path] = str(reason)
    return list(found.values())


def _chorales_in(folder: Path) -> list[Path]:
    with paths.explained(f"read {folder}"):
        inside = [path for path in folder.iterdir() if path.suffix.lower() in files.READABLE]
    if not inside:
        expected = ", ".join(files.READABLE)
        raise FileError(f"{folder} holds no chorale: expected files that end in {expected}")
    # of files of one name the lossless one is read
    inside.sort(key=lambda path: (path.stem, path.suffix.lower() != ".json", path.suffix))
    by_stem: dict[str, Path] = {}
    for path in inside:
        by_stem.setdefault(path.stem, path)
    return list(by_stem.values())


def _report_skipped(skipped: Mapping[Path, str], *, left: int) -> None:
    if not left and len(skipped) == 1:
        raise FileError(*skipped.values())
    for reason in skipped.values():
        output.print_message(f"skipped: {reason}")
    if not left:
        raise FileError(f"none of the {len(skipped)} files and folders holds a chorale to grade")


def _grades_json(
    graded: dict[Path, Assessment], skipped: Mapping[Path, str], measure: GradeReference
) -> dict[str, Any]:
    return {
        "median": median(piece.grade.total for piece in graded.values()),
        "reference": measure.reference.title,
        "bach": asdict(measure.bach) | {"rules": _rules(voice_leading.bach_rates())},
        "pieces": [{"file": str(path), **_piece_json(piece)} for path, piece in graded.items()],
        "skipped": [{"file": str(file), "reason": reason} for file, reason in skipped.items()],
    }


def _piece_json(piece: Assessment) -> dict[str, Any]:
    return {
        "grade": piece.grade.total,
        "features": dict(piece.grade.features),
        "parallels": piece.rates.parallels,
        "crossing": piece.rates.crossing,
        "spacing": piece.rates.spacing,
        "notes": piece.rates.notes,
        "rules": _rules(piece.rates),
        "memorisation": {str(bars): share for bars, share in piece.memorisation.items()},
    }


def _rules(rates: Rates) -> dict[str, float]:
    return {rule: rates.of(rule) for rule in rates.counts}


def _text(graded: dict[Path, Assessment], bach: BachScores) -> str:
    lengths = next(iter(graded.values())).memorisation
    head = ["file", *_HEAD, *(f"{bars} bar{'s' * (bars > 1)} %" for bars in lengths)]
    rows = [[str(path), *_cells(piece)] for path, piece in graded.items()]
    middle = median(piece.grade.total for piece in graded.values())
    pieces = f"{len(graded)} piece{'s' * (len(graded) != 1)}"
    lines = (
        output.table(head, rows, right=range(1, len(head))),
        f"median grade of {pieces}: {middle:.2f} (lower is closer; short pieces grade worse)",
        _bach_line(bach),
        "parallels per 1,000 notes; bars: share copied from the bundled training chorales, any key",
    )
    return "\n".join(lines)


def _bach_line(bach: BachScores) -> str:
    return (
        f"Bach himself: grade {bach.grade:.2f}, parallels {bach.parallels:.2f}, crossing "
        f"{bach.crossing:.2f} %, spacing {bach.spacing:.2f} % ({bach.title}, {bach.pieces} pieces)"
    )


def _cells(piece: Assessment) -> list[str]:
    rates = piece.rates
    shares = [f"{100 * share:.2f}" for share in piece.memorisation.values()]
    figures = (piece.grade.total, rates.parallels, rates.crossing, rates.spacing)
    return [*(f"{figure:.2f}" for figure in figures), str(rates.notes), *shares]


def _rule_table(rates: Sequence[Rates]) -> str:
    here, bach = _total(rates), voice_leading.bach_rates()
    rows = [
        (RULES[rule].title, f"{here.of(rule):.2f}", f"{bach.of(rule):.2f}", RULES[rule].unit.value)
        for rule in here.counts
    ]
    return output.table(("rule", "here", "Bach", "unit"), rows)


def _total(rates: Sequence[Rates]) -> Rates:
    def added(each: Sequence[Mapping[str, int]]) -> dict[str, int]:
        return {rule: sum(piece[rule] for piece in each) for rule in rates[0].counts}

    return Rates(
        notes=sum(piece.notes for piece in rates),
        steps=sum(piece.steps for piece in rates),
        counts=added([piece.counts for piece in rates]),
        lengths=added([piece.lengths for piece in rates]),
    )


def _diagnose(options: argparse.Namespace) -> None:
    devices.use_threads(options.threads)
    if options.claims:
        _claims(options)
    else:
        _check_without_claims(options)
        _probes(options)


def _check_without_claims(options: argparse.Namespace) -> None:
    if options.model and len(options.model) > 1:
        raise UsageError(
            f"there are {len(options.model)} models: expected one, or --claims to compare several"
        )
    for name in ("pieces", "seed", "out"):
        if getattr(options, name) is not None:
            raise UsageError(f"--{name} needs --claims: add it, or leave --{name} out")


def _probes(options: argparse.Namespace) -> None:
    from musicrel.experiment.probes import PROBES, diagnose

    (name,) = options.model or (_DEFAULT_MODEL,)
    job = diagnose(name, inputs.chosen_device(options.device, "writing"))
    found = output.followed(job, "examining", "probes", events=len(PROBES))
    rows = [(probe.name, probe.verdict, probe.finding) for probe in found]
    output.print_result(
        {"model": name, "probes": [_probe_json(probe) for probe in found]},
        output.table(("probe", "verdict", "finding"), rows),
        as_json=options.json,
    )


def _claims(options: argparse.Namespace) -> None:
    from musicrel.interpretability import claims

    names = options.model or _CLAIMED
    if options.out is not None:  # before hours of work
        if options.out.suffix.lower() == _TABLE or options.out.is_dir():
            raise UsageError(
                f"--out is {options.out}: expected a JSON file, beside which the table is written "
                f"as {_TABLE}"
            )
        paths.require_writable(options.out.parent)
    job = claims.examine_claims(
        names,
        pieces=options.pieces,
        device=inputs.chosen_device(options.device, "writing"),
        first_seed=options.seed or 0,
    )
    found = output.followed(
        job, "examining", "pieces", lambda at: (at.done, f"{at.model}, {at.task}", at.total)
    )
    if options.out is not None:
        _write_claims(options, names, found)
    table = output.table(claims.head(found), list(claims.rows(found)))
    output.print_result(found.to_json(), table, as_json=options.json)


def _write_claims(options: argparse.Namespace, names: Sequence[str], found: ClaimResults) -> None:
    from musicrel.interpretability import claims

    pieces = f" --pieces {options.pieces}" if options.pieces else ""
    seed = f" --seed {options.seed}" if options.seed else ""
    models = "".join(f" --model {name}" for name in names)
    command = f"musicrel diagnose --claims{models}{pieces}{seed}"
    values = {"command": command} | found.to_json()
    content = json.dumps(values, indent=1, ensure_ascii=False, allow_nan=False)
    paths.write_text(options.out, content + "\n")
    paths.write_text(options.out.with_suffix(_TABLE), claims.markdown(found, command))


def _probe_json(probe: Probe) -> dict[str, Any]:
    values = probe.to_json()
    if probe.figure is not None and not math.isfinite(probe.figure):
        values["figure"] = None
    return values


COMMANDS: Final = {
    "evaluate": Command(
        _evaluate,
        (
            arguments.model(more="; counts: a baseline that only counts notes"),
            argument(
                "--data",
                "chorales (the bundled ones), jsb:FILE or folder:PATH (default: chorales; for a "
                "model that does not predict notes, its training data)",
            ),
            argument(
                "--split",
                "part of the data; valid is the validation split",
                default="test",
                choices=("train", "valid", "test"),
            ),
            argument(
                "--given",
                "conditioning of the model, as in voice,beat,bar, or all",
                default=_CONDITIONS,
            ),
            *arguments.DEVICE,
            arguments.JSON,
        ),
    ),
    "grade": Command(
        _grade,
        (
            argument(
                "paths",
                "a chorale, or a folder of chorales; of files in it that differ in their suffix "
                "alone, one is read",
                Path,
                nargs="+",
                metavar="FILE|DIR",
            ),
            argument(
                "--reference",
                "the reference: jsb16 (bundled counts of the published training split), chorales "
                "(the bundled training split) or jsb:FILE",
                default="jsb16",
            ),
            flag("--rules", "also print the rate at which each rule is broken"),
            arguments.JSON,
        ),
    ),
    "diagnose": Command(
        _diagnose,
        (
            argument(
                "--model",
                "name or folder of a model; with --claims several, the first is the one that the "
                f"others are compared with (default: {_DEFAULT_MODEL}; with --claims "
                f"{' and '.join(_CLAIMED)})",
                action="append",
            ),
            flag(
                "--claims",
                "measure the attention to the step before, the phrase beginning and the last "
                "events, and repeated notes, on the test pieces and on as many pieces that each "
                "model writes",
            ),
            argument(
                "--pieces",
                "with --claims: number of test pieces (default: all)",
                arguments.number("pieces"),
            ),
            argument(
                "--seed",
                "with --claims: seed of the first piece that each model writes (default: 0)",
                arguments.number("seed"),
            ),
            argument("--out", "with --claims: JSON file to write; beside it a table as .md", Path),
            *arguments.DEVICE,
            arguments.JSON,
        ),
    ),
}
