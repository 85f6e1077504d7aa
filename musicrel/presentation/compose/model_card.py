"""A model card as Markdown; importing this takes no torch."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from musicrel import legacy
from musicrel.errors import ModelError, readable
from musicrel.language import count, decimal, tr
from musicrel.model.card import Card
from musicrel.model.config import ENDING, KEY
from musicrel.presentation.compose.models import FAMILIES
from musicrel.presentation.words import display_names, names

_FLAT: Final = 2e-3
# prefixes of data sources that ``evaluate`` needs as an option
_ELSEWHERE: Final = ("jsb:", "folder:", "hymns:")
_REPLAY: Final = "replay:"
_BEFORE: Final = tr("- Data of the models that it was initialised or distilled from: {before}.")
_ADDED: Final = tr(", which stays frozen; steps, tokens and minutes are those of the added part.")
# conditions, voices and tasks of cards, and their names for people
_WORDS: Final = dict(
    zip(
        (
            "voice", "beat", "bar", "fermata", "key", "ending", "phrase", "style", "given",
            "soprano", "alto", "tenor", "bass", "nats per note", "15 % hidden", "50 % hidden",
            "85 % hidden", "all hidden", "soprano given", "alto and tenor hidden",
            "two bars hidden",
        ),
        tr(
            "voice, beat, bar, fermata, key, ending, phrase, style, given, soprano, alto, tenor, "
            "bass, nats per note, 15 % hidden, 50 % hidden, 85 % hidden, all hidden, soprano "
            "given, alto and tenor hidden, two bars hidden"
        ).split(", "),
        strict=True,
    )
)  # fmt: skip


def to_markdown(card: Card, name: str) -> str:
    try:
        return _written(card, name)
    except (TypeError, ValueError, KeyError, AttributeError) as reason:
        raise ModelError(
            tr(
                "the card of {name} cannot be shown: an entry has the wrong type ({reason}); "
                "copy the model again from its source",
                name=name,
                reason=reason,
            )
        ) from reason


def _written(card: Card, name: str) -> str:
    licence = tr("Licence: {licence}.", licence=card.licence)
    parts = [
        [f"# {name}", "", f"{FAMILIES[card.config.family].meaning} {licence}"],
        _section(tr("Architecture"), _shape(card)),
        _section(tr("Training data"), _data(card)),
        _section(tr("What it was taught"), _taught(card)),
        _section(tr("Loss, {unit}", unit=FAMILIES[card.config.family].unit), _figures(card)),
        _section(tr("Training"), _training(card)),
        _section(tr("Limitations"), _limits(card)),
        _section(tr("Reproduction"), _commands(card, name)),
    ]
    return "\n".join(readable(line) for part in parts if part for line in [*part, ""])


def _section(title: str, lines: Iterable[str]) -> list[str]:
    found = list(lines)
    return [f"## {title}", "", *found] if found else []


def _shape(card: Card) -> list[str]:
    config = card.config
    conditions = ", ".join(_WORDS.get(name, name) for name in config.conditions)
    has_cadences = {KEY, ENDING} <= set(config.conditions)
    tables = tr("two three four").split()[has_cadences + bool(config.lines)]
    layers = tr(
        "{layers} of width {width}, {heads}",
        layers=count(config.layers, "layer"),
        width=config.width,
        heads=count(config.heads, "head"),
    )
    positions = display_names.scheme(config.scheme)
    return [
        tr(
            "- Positions: {positions}; {layers}; {parameters:,} parameters.",
            positions=positions,
            layers=layers,
            parameters=card.parameters,
        ),
        tr(
            "- Vocabulary {vocabulary}; conditioned on {conditions}.",
            vocabulary=card.vocabulary["name"],
            conditions=conditions or tr("nothing", "conditions"),
        ),
        *([tr("- Interval embeddings and interval output head.")] if config.pitches else []),
        *(
            [tr("- Logit biases by rule from {tables} small tables.", tables=tables)]
            if config.counterpoint
            else []
        ),
    ]


def _data(card: Card) -> list[str]:
    pieces = card.data.get("pieces", {})
    if not card.data:
        return []
    sizes = ", ".join(
        f"{names.SPLITS.get(split, split)} {decimal(number, ',')}"
        for split, number in pieces.items()
    )
    before = ", ".join(card.training.get("data_before", ()))
    return [
        tr(
            "- {name}; pieces: {sizes} (sha256 {digest}).",
            name=card.data.get("name", tr("unknown")),
            sizes=sizes,
            digest=str(card.data.get("sha256", ""))[:12],
        ),
        *([_BEFORE.format(before=before)] if before else []),
        *(
            [tr("- Augmented by transposition within the voices' ranges.")]
            if _of(card, "data", "transpose")
            else []
        ),
        tr("- Weights chosen by validation loss; test loss measured once, at the end."),
    ]


def _taught(card: Card) -> list[str]:
    known = card.taught
    if not known:
        return []
    gain, before = known["gain"], known["before"]
    mean, low, high = (-gain[end] / before for end in ("value", "high", "low"))
    return [
        tr(
            "- {pieces:,} pieces, some of them held out, with Bach's chorales besides.",
            pieces=known["pieces"],
        ),
        *_table(
            (tr("nats/note"), tr("before"), tr("after")),
            [
                (
                    tr("held-out pieces"),
                    *(decimal(loss, ".3f") for loss in (before, known["after"])),
                ),
                (
                    tr("Bach's chorales"),
                    *(decimal(known[f"bach_{when}"], ".3f") for when in ("before", "after")),
                ),
            ],
        ),
        "",
        tr(
            "- On held-out pieces {mean:+.1%} (95 % interval {low:+.1%} to {high:+.1%}).",
            mean=mean,
            low=low,
            high=high,
        ),
        tr(
            "- Copied eight-beat passages in {pieces} new pieces: {share:.1%}.",
            pieces=known["written"],
            share=known["copied"],
        ),
    ]


def _figures(card: Card) -> list[str]:
    losses = {given: found for given, found in card.figures.items() if "test" in found}
    lines = [
        *_table(
            (tr("conditioned on"), tr("validation"), tr("test")),
            [
                (
                    ", ".join(_WORDS.get(name, name) for name in given.split("+")),
                    *(decimal(found[split], ".3f") for split in ("valid", "test")),
                )
                for given, found in losses.items()
            ],
        )
    ]
    for given, found in card.figures.items():
        if given not in losses:
            rows = [(_WORDS.get(task, task), _number(loss)) for task, loss in found.items()]
            unit = given.replace("_", " ")
            head = tr("test, {measure}", measure=_WORDS.get(unit, unit))
            lines += ["", *_table((head, ""), rows)]
    if card.voices:
        rows = [(_WORDS.get(voice, voice), _number(loss)) for voice, loss in card.voices.items()]
        lines += ["", *_table((tr("test, by voice"), ""), rows)]
    return lines if card.figures else []


def _training(card: Card) -> Iterator[str]:
    known = card.training
    if not known:
        return
    machine = known.get("machine", {})
    yield tr(
        "- {steps:,} steps, {tokens:,} tokens, {minutes:.0f} min on {device}, threads: {threads}; "
        "commit {commit}.",
        steps=known.get("step", 0),
        tokens=known.get("tokens", 0),
        minutes=known.get("seconds", 0) / 60,
        device=machine.get("device", tr("an unknown device")),
        threads=machine.get("threads", "?"),
        commit=card.commit[:8] or tr("unknown"),
    )
    yield from _origin(card)
    if rounds := _of(card, "training", "calibration_rounds"):
        yield tr(
            "- Logit biases calibrated on the model's own samples; rounds: {rounds}.", rounds=rounds
        )
    slope = known.get("final_slope_nats_per_million_tokens")
    if slope is not None:
        course = tr("still falling") if slope < 0 else tr("rising")
        yield tr(
            "- Learning curve at the end: {course} ({slope:+.4f} per million tokens).",
            course=tr("flat") if abs(slope) < _FLAT else course,
            slope=slope,
        )


def _origin(card: Card) -> Iterator[str]:
    """Yield the models that a model was initialised or distilled from."""
    known = card.training
    if "begun_with_sha256" in known:
        text = tr("- Initialised from the model {model} (sha256 {digest})")
        further = known.get("trained_further")
        yield text.format(
            model=_of(card, "training", "init_from"), digest=known["begun_with_sha256"][:12]
        ) + (tr(", trained further here.") if further else _ADDED)
    if "teachers_sha256" in known:
        pairs = zip(_of(card, "training", "teachers"), known["teachers_sha256"], strict=True)
        yield tr(
            "- Distilled from {teachers}: {share:.0%} of the loss is their mean prediction.",
            teachers=", ".join(f"{name} (sha256 {digest[:12]})" for name, digest in pairs),
            share=_of(card, "training", "distil"),
        )


def _limits(card: Card) -> list[str]:
    config = card.config
    window = tr(
        "{tokens:,} tokens ({steps} sixteenths)",
        tokens=config.trained_length,
        steps=config.trained_length // 4,
    )
    causal = config.family == "causal"
    return [
        tr(
            "- Four voices on a sixteenth grid, in the style of {pieces}.",
            pieces=tr("the pieces it was taught") if card.taught else tr("Bach’s chorales only"),
        ),
        tr(
            "- Trained on windows of at most {window}; longer pieces are extrapolation.",
            window=window,
        ),
        *([tr("- Does not see given notes after the note it generates.")] if causal else []),
        *(
            [tr("- Cannot distinguish a held note from a repeated one.")]
            if card.vocabulary["name"] == "pitch"
            else []
        ),
    ]


def _commands(card: Card, name: str) -> list[str]:
    if not card.recipe:
        return []
    recipe = str(card.recipe.get("name", name))
    source = str(_of(card, "data", "source") or "")
    plain = source.removeprefix(_REPLAY)
    data = ("--data", plain) if plain.startswith(_ELSEWHERE) else ()
    base = str(_of(card, "training", "init_from") or "").removeprefix("models/")
    origin = ("--from", base, *data) if plain != source else ("--recipe", recipe)
    commands = (
        ("train", *origin, "--out", f"runs/{recipe}"),
        ("evaluate", "--model", name, *data, "--split", "test"),
    )
    return ["```", *(shlex.join(("musicrel", *words)) for words in commands), "```"]


def _of(card: Card, part: str, entry: str) -> Any:
    """Return an entry of the recipe, None if it is missing."""
    return legacy.translate(card.recipe, legacy.RECIPE_KEYS).get(part, {}).get(entry)


def _number(value: object) -> str:
    return decimal(value, ".3f") if isinstance(value, float) else str(value)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return ["| " + " | ".join(cells) + " |" for cells in lines]
