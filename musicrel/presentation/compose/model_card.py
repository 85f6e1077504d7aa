"""A model's card in words, as Markdown: what it is, what it reached, its limits, how to make it.

This file knows cards; it knows nothing of weights, and importing it takes no torch.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from musicrel.errors import ModelError
from musicrel.model.card import Card
from musicrel.model.config import ENDING, KEY
from musicrel.presentation.compose.models import scheme

_FAMILIES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "causal": "Writes note after note, each in view of those before it.",
        "encoder_decoder": "Writes note after note, told beforehand what is given.",
        "infill": "Finds hidden notes in view of what stands before and after them.",
        "masked": "Finds hidden tokens in view of those on both sides.",
        "classifier": "Tells classes of sequences apart.",
        "critic": "Tells Bach from what is not by him.",
        "published": "An arm of the published comparison.",
    }
)
_UNITS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "infill": "nats a hidden note",
        "masked": "nats a hidden token",
        "published": "nats a hidden token",
        "critic": "nats a window",
        "classifier": "nats a sequence",
    }
)
_FLAT: Final = 2e-3
_ELSEWHERE: Final = ("jsb:", "folder:")
"""Sources that ``evaluate`` has to be told of."""


def words(card: Card, name: str) -> str:
    """All that the card says, as Markdown.

    Args:
        card: of the model.
        name: of the model, as it can be found by.

    Raises:
        ModelError: an entry is of the wrong kind.
    """
    try:
        return _written(card, name)
    except (TypeError, ValueError, KeyError, AttributeError) as reason:
        raise ModelError(
            f"the card of {name} cannot be put in words: an entry is of the wrong kind ({reason}); "
            "copy the model anew from where it came"
        ) from reason


def _written(card: Card, name: str) -> str:
    parts = [
        [f"# {name}", "", f"{_FAMILIES[card.config.family]} Licence: {card.licence}."],
        _section("What it is", _shape(card)),
        _section("What it learned from", _data(card)),
        _section(f"What it reached, {_UNITS.get(card.config.family, 'nats/note')}", _figures(card)),
        _section("How it learned", _training(card)),
        _section("Its limits", _limits(card)),
        _section("How to make it again", _commands(card, name)),
    ]
    return "\n".join(line for part in parts if part for line in [*part, ""])


def _section(title: str, lines: Iterable[str]) -> list[str]:
    """The lines below a title; nothing where there are none."""
    found = list(lines)
    return [f"## {title}", "", *found] if found else []


def _shape(card: Card) -> list[str]:
    config = card.config
    told = ", ".join(config.conditions) or "nothing"
    tables = "three" if {KEY, ENDING} <= set(config.conditions) else "two"
    layers = f"{config.layers} layers of width {config.width}, {config.heads} heads"
    return [
        f"- Scheme {scheme(card)}; {layers}; {card.parameters:,} parameters.",
        f"- Vocabulary {card.vocabulary['name']}; may be told {told}.",
        *(["- Hears and says distances between notes."] if config.pitches else []),
        *(
            [f"- Counterpoint is added to what it says, {tables} small tables."]
            if config.counterpoint
            else []
        ),
    ]


def _data(card: Card) -> list[str]:
    pieces = card.data.get("pieces", {})
    if not card.data:
        return []
    sizes = ", ".join(f"{split} {number:,}" for split, number in pieces.items())
    digest = str(card.data.get("sha256", ""))[:12]
    return [
        f"- {card.data.get('name', 'unknown')}; pieces: {sizes} (sha256 {digest}).",
        *(
            ["- Moved to every key its voices can sing in."]
            if _of(card, "data", "transpose")
            else []
        ),
        "- Chosen by the loss on valid; test is measured once, at the end.",
    ]


def _figures(card: Card) -> list[str]:
    losses = {told: found for told, found in card.figures.items() if "test" in found}
    lines = [
        *_table(
            ("told", "valid", "test"),
            [
                (told.replace("+", ", "), *(f"{found[split]:.3f}" for split in ("valid", "test")))
                for told, found in losses.items()
            ],
        )
    ]
    for told, found in card.figures.items():
        if told not in losses:
            rows = [(task, _number(loss)) for task, loss in found.items()]
            lines += ["", *_table((f"test, {told.replace('_', ' ')}", ""), rows)]
    if card.voices:
        rows = [(voice, _number(loss)) for voice, loss in card.voices.items()]
        lines += ["", *_table(("test, by voice", ""), rows)]
    return lines if card.figures else []


def _training(card: Card) -> list[str]:
    known = card.training
    if not known:
        return []
    machine = known.get("machine", {})
    where = f"{machine.get('device', 'an unknown device')}, threads: {machine.get('threads', '?')}"
    minutes = known.get("seconds", 0) / 60
    work = f"{known.get('step', 0):,} steps, {known.get('tokens', 0):,} tokens, {minutes:.0f} min"
    lines = [f"- {work} on {where}; program {card.commit[:8] or 'unknown'}."]
    if "begun_with_sha256" in known:
        begins = _of(card, "training", "begins")
        lines.append(
            f"- On top of the model {begins} (sha256 {known['begun_with_sha256'][:12]}), which "
            "stays as it is; steps, tokens and minutes are those of what was added."
        )
    rounds = _of(card, "training", "weighed")
    if rounds:
        lines.append(
            f"- At the end its tables were weighed by what it writes itself; rounds: {rounds}."
        )
    slope = known.get("final_slope_nats_per_million_tokens")
    if slope is not None:
        flat = "flat" if abs(slope) < _FLAT else "falling still" if slope < 0 else "rising"
        lines.append(f"- At its end the curve was {flat} ({slope:+.4f} a million tokens).")
    return lines


def _limits(card: Card) -> list[str]:
    config = card.config
    window = f"{config.trained_length:,} tokens ({config.trained_length // 4} sixteenths)"
    causal = config.family == "causal"
    return [
        "- Four voices on a grid of sixteenths, in the manner of Bach's chorales alone.",
        f"- Learned from at most {window} at once; longer pieces are read beyond what it has seen.",
        *(["- Does not know given notes that lie ahead."] if causal else []),
        *(
            ["- Cannot tell a held note from one struck again."]
            if card.vocabulary["name"] == "pitch"
            else []
        ),
    ]


def _commands(card: Card, name: str) -> list[str]:
    if not card.recipe:
        return []
    recipe = str(card.recipe.get("name", name))
    source = str(_of(card, "data", "source") or "")
    data = f" --data {source}" if source.startswith(_ELSEWHERE) else ""
    commands = [
        f"musicrel train --recipe {recipe} --out runs/{recipe}",
        f"musicrel evaluate --model {name}{data} --split test",
    ]
    return ["```", *commands, "```"]


def _of(card: Card, part: str, entry: str) -> Any:
    """An entry of the recipe; None where it does not say."""
    return card.recipe.get(part, {}).get(entry)


def _number(value: object) -> str:
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return ["| " + " | ".join(cells) + " |" for cells in lines]
