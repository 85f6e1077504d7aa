"""The form that edits a study: its entries as text, read from TOML and written to TOML.

Entries are not validated here: the study parser does that. An empty entry is not written, so that
the recipe or the default applies. Tables without an entry stay unchanged.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from pathlib import Path
from typing import Any, Final, Literal

import tomli_w

from musicrel.experiment.recipe import recipe
from musicrel.experiment.recipe.recipe import BUDGETS
from musicrel.language import tr

Source = Literal["chorales", "jsb", "folder", "other"]

NUMBERS: Final[Mapping[str, tuple[str, str, str]]] = {
    "width": ("model", tr("&Width"), tr("Size of the token embeddings (d_model)")),
    "layers": ("model", tr("&Layers"), tr("Number of transformer blocks")),
    "heads": ("model", tr("He&ads"), tr("Attention heads per layer")),
    "feedforward": ("model", tr("Feed-forward"),
                    tr("Size of the feed-forward layer; other arms get one with equal parameters")),
    "window": ("data", tr("W&indow"), tr("Maximum sequence length in tokens; a bar of 4/4 has 64")),
    "batch": ("training", tr("Batch"), tr("Sequences per step")),
    "evaluate_every": ("training", tr("Evaluate ever&y"),
                       tr("Steps between validation evaluations")),
    "stop_after": ("training", tr("Stop after"),
                   tr("Evaluations in a row without improvement that end a run before its budget")),
    "stop_gain": ("training", tr("Least gain"),
                  tr("Least decrease of the validation loss, in nats, that counts as an "
                     "improvement")),
}  # fmt: skip
"""Entry of a recipe -> its table, label and meaning."""
DESCRIPTIONS: Final[Mapping[str, str]] = {
    "bytes": tr(
        "Every scheme on byte sequences without the published leak: trained on 8 to 400 bytes, "
        "evaluated on 400, 2,000 and 10,000. About an hour and a half on one core, most of it "
        "reading 10,000 bytes."
    ),
    "full": tr(
        "The shipped models' own size and window, three seeds of 5 M tokens: a night on one core."
    ),
    "memory": tr(
        "The cost of one layer of attention, forward and backward, by sequence length. Nothing "
        "is trained. A few minutes on one core."
    ),
    "published": tr(
        "The published comparison on JSB16, reproduced exactly, with its faults and without "
        "each of them: four of its ten epochs. An epoch is 6,905 steps: 41,430 steps are six, "
        "the length of its printed log, 69,050 all ten. The data, Jsb16thSeparated.json, are "
        "not shipped. About an hour and a half on one core."
    ),
    "quick": tr(
        "About twenty minutes on two cores: small models, two seeds. Their losses still fall "
        "at the end: for a verdict, run the full study."
    ),
    "smoke": tr(
        "Under two minutes on two cores: checks that a study runs; it does not show which arm "
        "is better."
    ),
    "window": tr(
        "Does relative attention need longer windows? A question of the published comparison: "
        "windows of 16 to 1,024 tokens and whole pieces, the same number of training tokens in "
        "each. About three hours on one core."
    ),
    "window-gpu": tr(
        "The study window for a GPU: its five windows, 3 M parameters instead of 0.8 M, three "
        "seeds, and besides vanilla and relative also ALiBi, rotary positions and none at all. "
        "75 runs: it needs a GPU and was not run."
    ),
}
"""Bundled study -> the comment at its top, in the language on the screen."""
ARM_NAMES: Final = {"sinusoidal": "vanilla"}
"""Names of arms by scheme, if different."""
_THOUSANDS: Final = re.compile(r"\d{1,3}(,\d{3})+")


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmChoice:
    table: Mapping[str, Any]  # its entry in the study
    chosen: bool  # True if it is part of the study
    description: str = ""

    @property
    def name(self) -> str:
        return str(self.table.get("name", ""))


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyForm:
    name: str = ""
    arms: tuple[ArmChoice, ...] = ()  # in the order of the study, other choices after them
    seeds: str = "0"
    amount: str = ""
    unit: str = "steps"
    rates: str = ""  # learning rates to try for each arm first, as typed; empty: no search
    numbers: Mapping[str, str] = field(default_factory=dict)  # those of ``NUMBERS``, as text
    source: Source = "chorales"  # kind of data
    path: str = ""  # the file or folder, if the kind needs one; for other data their full name
    samples: bool = False  # True to write samples during training
    rest: Mapping[str, Any] = field(default_factory=dict)

    @property
    def trains(self) -> bool:
        """Return whether models are trained; other studies have no entries but the name."""
        return "kind" not in self.rest


def read(text: str) -> StudyForm:
    tables = recipe.parse_toml(text, tr("the study"))
    arms = tables.get("arms")
    unit, amount = _budget(tables.get("budget"))
    source, path = _source(_table(tables, "data").get("source"))
    return StudyForm(
        name=str(tables.get("name", "")),
        arms=tuple(
            ArmChoice(table=arm, chosen=True)
            for arm in (arms if isinstance(arms, list) else [])
            if isinstance(arm, dict)
        ),
        seeds=_listed(tables.get("seeds", [0])),
        amount=amount,
        unit=unit,
        rates=_listed(_table(tables, "search").get("learning_rates", [])),
        numbers={
            name: _text(_table(tables, part).get(name)) for name, (part, *_) in NUMBERS.items()
        },
        source=source,
        path=path,
        samples=bool(_table(tables, "training").get("samples", False)),
        rest=tables,
    )


def offering(form: StudyForm, schemes: Sequence[tuple[str, str]]) -> StudyForm:
    """Add every scheme as an arm to choose."""
    if not form.trains:
        return form
    texts = dict(schemes)
    chosen = tuple(
        replace(arm, description=texts.get(str(arm.table.get("scheme")), "")) for arm in form.arms
    )
    there = {arm.table.get("scheme") for arm in form.arms}
    names = {arm.name for arm in form.arms}
    others = tuple(
        ArmChoice(table={"name": name, "scheme": scheme}, chosen=False, description=text)
        for scheme, text in schemes
        if scheme not in there and (name := ARM_NAMES.get(scheme, scheme)) not in names
    )
    return replace(form, arms=(*chosen, *others))


def text(form: StudyForm) -> str:
    tables = copy.deepcopy(dict(form.rest))
    tables["name"] = form.name
    if not form.trains:
        return tomli_w.dumps(tables)
    tables["seeds"] = seeds(form.seeds)
    tables["budget"] = {form.unit: _number(form.amount)}
    for name, value in form.numbers.items():
        _put(tables, NUMBERS[name][0], name, _number(value) if value.strip() else None)
    rates = [_number(word) for word in form.rates.replace(";", ",").split(",") if word.strip()]
    _put(tables, "search", "learning_rates", rates or None)
    if not rates:
        tables.pop("search", None)
    _put(tables, "data", "source", source_of(form))
    _put(tables, "training", "samples", form.samples)
    chosen = [dict(arm.table) for arm in form.arms if arm.chosen]
    tables["arms"] = chosen
    names = {arm.get("name") for arm in chosen}
    pairs = [pair for pair in tables.pop("pairs", []) if names.issuperset(pair)]
    return tomli_w.dumps({**tables, **({"pairs": pairs} if pairs else {})})


def source_of(form: StudyForm) -> str:
    path = form.path.strip()
    if form.source == "folder" and path:
        path = str(Path(path).expanduser().absolute())
    own = f"{form.source}:{path}"
    return {"chorales": "chorales", "other": path}.get(form.source, own)


def seeds(typed: str) -> list[int | str]:
    """Parse seeds such as ``0, 1, 4-6``; invalid entries are kept as text."""
    found: list[int | str] = []
    for word in typed.replace(";", ",").split(","):
        first, dash, last = word.strip().partition("-")
        if dash and first.isdecimal() and last.isdecimal():
            found += range(int(first), min(int(last), int(first) + 20_000) + 1)
        elif word.strip():
            found.append(int(first) if not dash and first.isdecimal() else word.strip())
    return found


def about(content: str) -> str:
    """Return the comment at the top of a study."""
    comment = takewhile(lambda line: line.startswith("#"), content.splitlines())
    return " ".join(line.lstrip("# ") for line in comment)


def _number(typed: str) -> int | float | str:
    plain = typed.strip().replace("_", "").replace(" ", "")
    if _THOUSANDS.fullmatch(plain):  # "1,5" is rejected: it means 1.5 in many countries
        plain = plain.replace(",", "")
    for kind in (int, float):
        try:
            return kind(plain)
        except ValueError:
            continue
    return typed.strip()


def _text(value: object) -> str:
    return "" if value is None else str(value)


def _listed(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _budget(budget: object) -> tuple[str, str]:
    if isinstance(budget, dict) and len(budget) == 1:
        ((unit, amount),) = budget.items()
        if unit in BUDGETS:
            return unit, _text(amount)
    return BUDGETS[0], ""


def _source(named: object) -> tuple[Source, str]:
    kind, _, path = str(named or "chorales").partition(":")
    known: dict[str, Source] = {"chorales": "chorales", "jsb": "jsb", "folder": "folder"}
    return (known[kind], path) if kind in known else ("other", str(named))


def _table(tables: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = tables.get(name, {})
    return found if isinstance(found, dict) else {}


def _put(tables: dict[str, Any], part: str, key: str, value: object) -> None:
    """Set an entry, or remove it if the value is None."""
    table = dict(_table(tables, part))
    if value is None:
        table.pop(key, None)
    else:
        table[key] = value
    if table:
        tables[part] = table
