"""Results of the study: means over notes with 95 % intervals, bootstrap over pieces.

Dimensions: N notes, S sources, D sets of heads, U pieces.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, product
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from musicrel.analysis.claims import intervals
from musicrel.analysis.claims.intervals import Estimate, Pool, spearman
from musicrel.generation.heads.mutes import Head
from musicrel.presentation.words.markdown import table
from training.ablation.head_patterns import PATTERNS
from training.ablation.measures import (
    GROUPS,
    REMOVED,
    STRONGEST,
    ChosenSet,
    Floats,
    Measures,
    contrast,
)

HEAD_WEIGHTS: Final = ("strongest_source", "concentration")
SOURCE_WEIGHTS: Final = ("weight", "closeness")
RANKS: Final = (0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, STRONGEST)
"""Borders of the ranks of sources that are pooled."""


_WORDS: Final = (
    "`{command}`. Means over notes with 95 % intervals (bootstrap over pieces); effects are -log p "
    "after minus before, in nats, positive if the part helped. A size is an effect without its "
    "sign."
)


class Row(NamedTuple):
    """A line of ``results.csv``; a value that is no mean has no interval."""

    model: str
    quantity: str
    value: float | str
    low: float | str = ""
    high: float | str = ""


class Observed(NamedTuple):
    model: str
    heads: int  # of a layer
    parts: list[Measures]  # by piece
    chosen: list[ChosenSet]
    second: list[int]  # numbers of the pieces of the second half
    effects_ND: Floats  # of the chosen sets, then the random ones, on notes of the second half


class NoteMeans:
    """Means over the notes of some pieces, with bootstrap intervals over pieces."""

    def __init__(self, notes: Sequence[int]) -> None:
        self.pieces_N = np.repeat(np.arange(len(notes)), notes)
        self.draws = intervals.draws(len(notes), np.random.default_rng(0))

    def mean(self, values_N: npt.ArrayLike) -> Estimate | None:
        return intervals.mean(Pool.of(values_N, self.pieces_N, self.draws.shape[1]), self.draws)

    def weighted(self, weights_N: Floats, values_N: Floats) -> Pool:
        """Return the observations by piece, each counted as often as its weight; nan: never."""
        there, pieces = ~np.isnan(weights_N), self.draws.shape[1]
        of_N, weight_N = self.pieces_N[there], weights_N[there]
        totals_U, counts_U = np.zeros(pieces), np.zeros(pieces)
        np.add.at(totals_U, of_N, weight_N * values_N[there])
        np.add.at(counts_U, of_N, weight_N)
        return Pool(totals_U, counts_U)


def of_each_note(measures: Measures) -> dict[str, Floats]:
    """Return the correlations of each note by name, as "heads concentration_size"."""
    found, effects_NH = {}, measures["effects_H"]
    for row, name in enumerate(HEAD_WEIGHTS):
        weights_NH = measures["weights_WH"][:, row]
        found[f"heads {name}"] = spearman(weights_NH, effects_NH)
        found[f"heads {name}_size"] = spearman(weights_NH, np.abs(effects_NH))
    for column, (name, size) in enumerate(product(SOURCE_WEIGHTS, ("", "_size"))):
        found[f"sources {name}{size}"] = measures["correlations_C"][:, column]
    return found


def quantities(measures: Measures, heads_of_layer: int) -> dict[str, Floats]:
    """Return the values of each note whose means are results, by name."""
    found = {"nats": measures["nats"], **of_each_note(measures)}
    for head in range(measures["effects_H"].shape[1]):
        prefix = f"head {_code(head, heads_of_layer)}"
        for row, name in enumerate(HEAD_WEIGHTS):
            found[f"{prefix} {name}"] = measures["weights_WH"][:, row, head]
        found[f"{prefix} effect"] = measures["effects_H"][:, head]
        found[f"{prefix} correlation"] = measures["by_head_H"][:, head]
    for row, number in enumerate(REMOVED):
        of_groups = dict(zip(GROUPS, measures["removed_RG"][:, row].T, strict=True))
        of_groups["difference"] = of_groups["strongest"] - of_groups["random"]
        of_groups["hurts_more"] = measures["hurts_more_R"][:, row]
        found |= {f"{number} sources {name}": of_group for name, of_group in of_groups.items()}
    return found | dict(_by_rank(measures))


def _by_rank(measures: Measures) -> Iterator[tuple[str, Floats]]:
    """Yield weight and effect of single sources by rank of weight, of each note the mean."""
    weights_NS, effects_NS = measures["source_weights_S"], measures["source_effects_S"]
    number_S = np.arange(weights_NS.shape[1])
    is_strong_NS = number_S < measures["strongest"][:, None]
    groups = {
        f"ranks {first + 1} to {last}": is_strong_NS & (first <= number_S) & (number_S < last)
        for first, last in pairwise(RANKS)
    }
    values = {"weight": weights_NS, "effect": effects_NS, "size": np.abs(effects_NS)}
    for label, chosen_NS in {**groups, "random others": ~is_strong_NS}.items():
        for name, values_NS in values.items():
            there_NS = chosen_NS & ~np.isnan(values_NS)
            counts_N = there_NS.sum(axis=1)
            totals_N = np.where(there_NS, values_NS, 0.0).sum(axis=1)
            unknown_N = np.full(len(totals_N), np.nan)
            yield f"{label} {name}", np.divide(totals_N, counts_N, unknown_N, where=counts_N > 0)


def summarise(observed: Sequence[Observed]) -> Iterator[Row]:
    """Yield the results of every model, then the differences of the later ones to the first."""
    means = NoteMeans([len(part["nats"]) for part in observed[0].parts])
    values = [quantities(joined(one.parts), one.heads) for one in observed]
    for one, of_model in zip(observed, values, strict=True):
        yield from _rows(one.model, of_model, means)
        for number in REMOVED:
            known = ~np.isnan(of_model[f"{number} sources strongest"])
            yield Row(one.model, f"{number} sources notes", int(known.sum()))
        yield from _carriers(one)
    for one, of_model in zip(observed[1:], values[1:], strict=True):
        compared = {
            name: of_model[name] - values[0][name]
            for name in of_model
            if name.startswith(("heads ", "sources ")) or name.endswith(" difference")
        }
        yield from _rows(f"{one.model} minus {observed[0].model}", compared, means)


def joined(parts: Sequence[Measures]) -> Measures:
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _rows(model: str, values: Mapping[str, Floats], means: NoteMeans) -> Iterator[Row]:
    for name, values_N in values.items():
        mean = means.mean(values_N)
        if mean is not None:
            yield Row(model, name, *mean)


def _carriers(observed: Observed) -> Iterator[Row]:
    """Yield the chosen sets of heads against the random ones.

    A set carries its pattern if the contrast of its effect exceeds that of random sets: ``rank`` is
    the share of these that it exceeds, ties half, and ``p`` is (1 + sets as large) / (1 + sets).
    """
    if not observed.chosen:
        return
    second = [observed.parts[piece] for piece in observed.second]
    means, measures = NoteMeans([len(part["nats"]) for part in second]), joined(second)
    random_ND = observed.effects_ND[:, len(observed.chosen) :]
    for place, one in enumerate(observed.chosen):
        scores_N = measures["scores_P"][:, PATTERNS.index(one.pattern)]
        random_D = contrast(scores_N, random_ND)
        if np.isnan(random_D).any():
            continue
        effects_N = observed.effects_ND[:, place]
        sides = [means.weighted(weight_N, effects_N) for weight_N in (scores_N, 1 - scores_N)]
        above_N = effects_N - random_ND.mean(axis=1)
        above = [means.weighted(weight_N, above_N) for weight_N in (scores_N, 1 - scores_N)]
        found = {
            "with_pattern": intervals.mean(sides[0], means.draws),
            "without": intervals.mean(sides[1], means.draws),
            "contrast": intervals.difference(sides[0], sides[1], means.draws),
            "excess": intervals.difference(above[0], above[1], means.draws),
        }
        prefix, name = f"{one.pattern} {one.by}", observed.model
        codes = (_code(head, observed.heads) for head in sorted(one.heads))
        yield Row(name, f"{prefix} heads", " ".join(codes))
        yield from (Row(name, f"{prefix} {key}", *mean) for key, mean in found.items() if mean)
        value = contrast(scores_N, effects_N[:, None])[0]
        rank = ((random_D < value) + 0.5 * (random_D == value)).mean()
        yield Row(name, f"{prefix} rank", float(rank))
        yield Row(name, f"{prefix} p", (1 + int((random_D >= value).sum())) / (1 + len(random_D)))


def _code(head: int, heads_of_layer: int) -> str:
    return Head(*divmod(head, heads_of_layer)).code


def report(rows: Iterable[Row], command: str) -> str:
    """Return tables of all results; ``docs/causal_map.md`` explains the quantities."""
    by_model: dict[str, dict[str, Row]] = {}
    for row in rows:
        by_model.setdefault(row.model, {})[row.quantity] = row
    names = {name: None for of_model in by_model.values() for name in of_model}
    lines = [
        "# Attention weights and effects",
        "",
        _WORDS.format(command=command),
    ]
    for title, starts in (
        ("Surprisal of the notes", ("nats",)),
        ("Rank correlations of weight and effect", ("heads ", "sources ")),
        ("Sources removed together", tuple(f"{number} sources" for number in REMOVED)),
        ("Sources removed one at a time, by rank of weight", ("ranks", "random others")),
        ("Heads that may carry a pattern, against 100 random sets", PATTERNS),
        ("Heads", ("head ",)),
    ):
        chosen = [name for name in names if name.startswith(starts)]
        shown = [model for model in by_model if any(name in by_model[model] for name in chosen)]
        cells = [
            [name.replace("_", " "), *(_text(by_model[model].get(name)) for model in shown)]
            for name in chosen
        ]
        lines += ["", f"## {title}", "", *table(["", *shown], cells)]
    return "\n".join((*lines, ""))


def _text(row: Row | None) -> str:
    if row is None:
        return "–"
    value, low, high = (
        f"{float(part):.4f}".replace("-", "−") if _is_number(part) else str(part)
        for part in row[2:]
    )
    return f"{value} ({low} to {high})" if low else value


def _is_number(part: float | str) -> bool:
    return isinstance(part, float)
