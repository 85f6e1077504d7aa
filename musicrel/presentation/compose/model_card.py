"""A model card as Markdown; importing this takes no torch."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from typing import Any, Final

from musicrel import legacy
from musicrel.errors import ModelError, readable
from musicrel.language import tr
from musicrel.model.card import Card
from musicrel.model.config import ENDING, KEY
from musicrel.presentation.compose.models import FAMILIES
from musicrel.presentation.words import display_names, names

_FLAT: Final = 2e-3
# prefixes of data sources that ``evaluate`` needs as an option
_ELSEWHERE: Final = ("jsb:", "folder:", "hymns:")
_REPLAY: Final = "replay:"


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
    parts = [
        [f"# {name}", "", f"{FAMILIES[card.config.family].meaning} Licence: {card.licence}."],
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
    conditions = ", ".join(config.conditions) or "nothing"
    has_cadences = {KEY, ENDING} <= set(config.conditions)
    tables = ("two", "three", "four")[has_cadences + bool(config.lines)]
    layers = tr(
        "{layers} layer{s} of width {width}, {heads} head{s_2}",
        layers=config.layers,
        s=_s(config.layers),
        width=config.width,
        heads=config.heads,
        s_2=_s(config.heads),
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
            "- Vocabulary {value}; conditioned on {conditions}.",
            value=card.vocabulary["name"],
            conditions=conditions,
        ),
        *([tr("- Interval embeddings and interval output head.")] if config.pitches else []),
        *(
            [tr("- Logit biases by rule from {tables} small tables.", tables=tables)]
            if config.counterpoint
            else []
        ),
    ]


def _s(number: int) -> str:
    return "" if number == 1 else "s"


def _data(card: Card) -> list[str]:
    pieces = card.data.get("pieces", {})
    if not card.data:
        return []
    sizes = ", ".join(
        f"{names.SPLITS.get(split, split)} {number:,}" for split, number in pieces.items()
    )
    digest = str(card.data.get("sha256", ""))[:12]
    before = ", ".join(card.training.get("data_before", ()))
    return [
        f"- {card.data.get('name', 'unknown')}; pieces: {sizes} (sha256 {digest}).",
        *(
            [
                tr(
                    "- Data of the models that it was initialised or distilled from: {before}.",
                    before=before,
                )
            ]
            if before
            else []
        ),
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
    changes = [-gain[end] / before for end in ("value", "high", "low")]
    return [
        tr(
            "- {value:,} pieces, some of them held out, with Bach's chorales besides.",
            value=known["pieces"],
        ),
        *_table(
            ("nats/note", "before", "after"),
            [
                (tr("held-out pieces"), f"{before:.3f}", f"{known['after']:.3f}"),
                (
                    tr("Bach's chorales"),
                    f"{known['bach_before']:.3f}",
                    f"{known['bach_after']:.3f}",
                ),
            ],
        ),
        "",
        tr("- On held-out pieces {:+.1%} (95 % interval {:+.1%} to {:+.1%}).").format(*changes),
        tr(
            "- Copied eight-beat passages in {value} new pieces: {value_2:.1%}.",
            value=known["written"],
            value_2=known["copied"],
        ),
    ]


def _figures(card: Card) -> list[str]:
    losses = {given: found for given, found in card.figures.items() if "test" in found}
    lines = [
        *_table(
            (tr("conditioned on"), "validation", "test"),
            [
                (given.replace("+", ", "), *(f"{found[split]:.3f}" for split in ("valid", "test")))
                for given, found in losses.items()
            ],
        )
    ]
    for given, found in card.figures.items():
        if given not in losses:
            rows = [(task, _number(loss)) for task, loss in found.items()]
            lines += ["", *_table((f"test, {given.replace('_', ' ')}", ""), rows)]
    if card.voices:
        rows = [(voice, _number(loss)) for voice, loss in card.voices.items()]
        lines += ["", *_table((tr("test, by voice"), ""), rows)]
    return lines if card.figures else []


def _training(card: Card) -> list[str]:
    known = card.training
    if not known:
        return []
    machine = known.get("machine", {})
    where = f"{machine.get('device', 'an unknown device')}, threads: {machine.get('threads', '?')}"
    minutes = known.get("seconds", 0) / 60
    work = tr(
        "{get:,} steps, {get_2:,} tokens, {minutes:.0f} min",
        get=known.get("step", 0),
        get_2=known.get("tokens", 0),
        minutes=minutes,
    )
    lines = [
        tr(
            "- {work} on {where}; commit {value}.",
            work=work,
            where=where,
            value=card.commit[:8] or "unknown",
        )
    ]
    if "begun_with_sha256" in known:
        init_from = _of(card, "training", "init_from")
        of_part = tr(", which stays frozen; steps, tokens and minutes are those of the added part.")
        lines.append(
            tr(
                "- Initialised from the model {init_from} (sha256 {value})",
                init_from=init_from,
                value=known["begun_with_sha256"][:12],
            )
            + (tr(", trained further here.") if known.get("trained_further") else of_part)
        )
    if "teachers_sha256" in known:
        pairs = zip(_of(card, "training", "teachers"), known["teachers_sha256"], strict=True)
        teachers = ", ".join(f"{name} (sha256 {digest[:12]})" for name, digest in pairs)
        share = _of(card, "training", "distil")
        lines.append(
            tr(
                "- Distilled from {teachers}: {share:.0%} of the loss is their mean prediction.",
                teachers=teachers,
                share=share,
            )
        )
    rounds = _of(card, "training", "calibration_rounds")
    if rounds:
        lines.append(
            tr(
                "- Logit biases calibrated on the model's own samples; rounds: {rounds}.",
                rounds=rounds,
            )
        )
    slope = known.get("final_slope_nats_per_million_tokens")
    if slope is not None:
        flat = "flat" if abs(slope) < _FLAT else tr("still falling") if slope < 0 else "rising"
        lines.append(
            tr(
                "- Learning curve at the end: {flat} ({slope:+.4f} per million tokens).",
                flat=flat,
                slope=slope,
            )
        )
    return lines


def _limits(card: Card) -> list[str]:
    config = card.config
    window = tr(
        "{trained_length:,} tokens ({value} sixteenths)",
        trained_length=config.trained_length,
        value=config.trained_length // 4,
    )
    causal = config.family == "causal"
    return [
        (
            tr(
                "- Four voices on a sixteenth grid, in the style of {value}.",
                value="the pieces it was taught" if card.taught else "Bach’s chorales only",
            )
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
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return ["| " + " | ".join(cells) + " |" for cells in lines]
