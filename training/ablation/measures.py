"""Measures of a model on the drawn notes of a piece, and sets of heads that may carry a pattern.

A head has two weights for a note: the largest that it puts on one source, the sum over the keys of
the source (START is none, nor is the own step of an infilling model), and its concentration,
1 - entropy / ln(number of keys).

Dimensions: N notes, H heads of all layers, W weights of a head, K keys, S sources, C correlations,
R numbers of removed sources, G groups of them, P patterns, D sets of heads, U pieces.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from musicrel.analysis.claims.intervals import spearman
from musicrel.chorale import Chorale, Voice
from musicrel.errors import UsageError
from musicrel.generation.heads import replacement
from musicrel.generation.heads.mutes import Replacement
from musicrel.interpretability import ablation as parts
from musicrel.interpretability.ablation import NoteReader
from musicrel.interpretability.results import Source, SourceEffects
from musicrel.model.replaced_heads import Ablations
from training.ablation.head_patterns import PATTERNS, HeadPatterns, attention_excess

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]
Sets = npt.NDArray[np.bool_]
Measures = dict[str, Floats]
"""Measures by name, see ``measure_note``; those of several notes have an axis N in front."""

STRONGEST, RANDOM = 64, 64
"""Sources removed one at a time: those of largest weight, and random ones of the rest."""
REMOVED: Final = (4, 16)
"""Numbers of sources that are removed together."""
GROUPS: Final = ("strongest", "nearest", "random")
"""The sources that are removed together: of largest weight, latest, and others than the first."""
FEWEST: Final = 8
"""Sources that a rank correlation needs; with fewer it takes few values."""
RANDOM_GROUPS: Final = 8
"""Random groups of each number of removed sources."""
SET_SIZE: Final = 3
RANDOM_SETS: Final = 100
"""Random sets of heads that a chosen one is compared with."""


class ChosenSet(NamedTuple):
    """Heads that may carry a pattern, by their number in the model."""

    pattern: str
    by: str  # "attention" or "effect"
    heads: tuple[int, ...]


def draw_notes(pieces: Sequence[Chorale], number: int, seed: int) -> list[Places]:
    """Return cells where notes begin: as many of each piece, or all of one that has fewer."""
    cells = [np.flatnonzero(piece.onsets.reshape(-1)) for piece in pieces]
    sizes_U = np.array([len(of_piece) for of_piece in cells])
    if not len(pieces) <= number <= sizes_U.sum():
        raise UsageError(f"notes is {number}: expected {len(pieces)} to {sizes_U.sum()}")
    rng = np.random.default_rng(seed)
    order_U, counts_U = rng.permutation(len(pieces)), np.zeros_like(sizes_U)
    while (left := number - int(counts_U.sum())) > 0:
        counts_U[order_U[counts_U[order_U] < sizes_U[order_U]][:left]] += 1
    drawn = zip(cells, counts_U.tolist(), strict=True)
    return [np.sort(rng.choice(some, size=count, replace=False)) for some, count in drawn]


def measure(
    reader: NoteReader, cells_N: Places, by: Replacement, seed: int, piece: int
) -> Measures:
    """Measure the drawn notes of a piece; random groups of sources depend on its number."""
    patterns = HeadPatterns.of(reader.chorale, both_sides=_is_infill(reader))
    of_notes = patterns.of_notes()
    notes = []
    for cell in cells_N.tolist():
        scores_P = np.array([of_notes[name].reshape(-1)[cell] for name in PATTERNS])
        rng = np.random.default_rng([seed, piece, cell])
        found = measure_note(reader, cell, by, seed, rng)
        notes.append(found | {"scores_P": scores_P, "excess_PH": _excess(patterns, reader, cell)})
    return {name: np.stack([note[name] for note in notes]) for name in notes[0]}


def measure_note(
    reader: NoteReader, cell: int, by: Replacement, seed: int, rng: np.random.Generator
) -> Measures:
    """Return the measures of a note: the weights and effects of its heads and of its sources."""
    local, weights_LHK = reader.local(cell, by), reader.weights(cell).astype(np.float64)
    sources = reader.every_source(cell)
    keys_SK = parts.keys_of(sources, weights_LHK.shape[-1]).astype(np.float64)
    on_source_LHS = weights_LHK @ keys_SK.T
    largest_LH = on_source_LHS.max(axis=-1, initial=0.0)
    removed = reader.sources(cell, STRONGEST, RANDOM, seed)
    correlations_C, by_head_H = source_correlations(removed)
    weights_S = on_source_LHS.mean(axis=(0, 1))
    removed_RG, hurts_more_R = remove_together(reader, cell, sources, weights_S, rng)
    absent = (0, STRONGEST + RANDOM - len(removed.sources))
    return {
        "nats": np.array(local.output.nats),
        "weights_WH": np.stack([largest_LH.ravel(), concentration(weights_LHK).ravel()]),
        "effects_H": local.effects_LH.ravel(),
        "source_weights_S": np.pad(removed.weights_S, absent, constant_values=np.nan),
        "source_effects_S": np.pad(removed.effects_S, absent, constant_values=np.nan),
        "strongest": np.array(float(removed.strongest)),
        "correlations_C": correlations_C,
        "by_head_H": by_head_H,
        "removed_RG": removed_RG,
        "hurts_more_R": hurts_more_R,
    }


def concentration(weights_LHK: Floats) -> Floats:
    """Return how far the weights are from equal ones, (L, H), 0 to 1; 1 with a single key."""
    keys = weights_LHK.shape[-1]
    if keys == 1:
        return np.ones(weights_LHK.shape[:-1])
    positive = np.where(weights_LHK > 0, weights_LHK, 1.0)
    found: Floats = 1 + (positive * np.log(positive)).sum(axis=-1) / np.log(keys)
    return found


def source_correlations(found: SourceEffects) -> tuple[Floats, Floats]:
    """Return rank correlations over the sources of a note; nan where there are too few.

    The first are of weight and closeness in time with the effect and with its size, (4,); the
    second those of the weights of each head with the effect, (H,).
    """
    sources, layers, heads = found.weights_SLH.shape
    if sources < FEWEST:
        return np.full(4, np.nan), np.full(layers * heads, np.nan)
    effects_S, weights_HS = found.effects_S, found.weights_SLH.reshape(sources, -1).T
    closeness_S = -distances(found.sources, found.cell)
    pairs = product((found.weights_S, closeness_S), (effects_S, np.abs(effects_S)))
    of_note_C = np.array([float(spearman(x_S, y_S)) for x_S, y_S in pairs])
    return of_note_C, spearman(weights_HS, np.broadcast_to(effects_S, weights_HS.shape))


def distances(sources: Sequence[Source], cell: int) -> Floats:
    step = cell // len(Voice)
    return np.array([max(step - one.stop + 1, one.start - step) for one in sources], dtype=float)


def remove_together(
    reader: NoteReader,
    cell: int,
    sources: Sequence[Source],
    weights_S: Floats,
    rng: np.random.Generator,
) -> tuple[Floats, Floats]:
    """Remove sources together; nan where there are too few.

    The first result is the effect of each number and group, (R, G). The second is the share of the
    random groups of each number with a smaller effect than the strongest sources, ties half, (R,).
    """
    effects_RG = np.full((len(REMOVED), len(GROUPS)), np.nan)
    smaller_R = np.full(len(REMOVED), np.nan)
    by_weight = np.argsort(-weights_S, kind="stable")
    by_distance = np.argsort(distances(sources, cell), kind="stable")
    for row, number in enumerate(REMOVED):
        if 2 * number > len(sources):
            continue
        rest = by_weight[number:]
        drawn = [rng.choice(rest, size=number, replace=False) for _ in range(RANDOM_GROUPS)]
        groups = [by_weight[:number], by_distance[:number], *drawn]
        chosen = [[sources[place] for place in group] for group in groups]
        strongest, nearest, *random = reader.without(cell, chosen) - reader.output(cell).nats
        effects_RG[row] = strongest, nearest, np.mean(random)
        smaller_R[row] = np.mean([(one < strongest) + 0.5 * (one == strongest) for one in random])
    return effects_RG, smaller_R


def _excess(patterns: HeadPatterns, reader: NoteReader, cell: int) -> Floats:
    """Return the weight of each head on the patterns above that of equal weights, (P, H)."""
    config, cells_1 = reader.model.config, np.array([cell])
    found_PH = np.full((len(PATTERNS), config.layers * config.heads), np.nan)
    if _is_infill(reader):
        return found_PH
    weights_H1K = reader.weights(cell).reshape(found_PH.shape[1], 1, -1)
    columns = patterns.of_columns(cells_1)
    for row, name in enumerate(PATTERNS):
        if columns[name].any():
            found_PH[row] = attention_excess(weights_H1K, columns[name], cells_1)[:, 0]
    return found_PH


def _is_infill(reader: NoteReader) -> bool:
    return reader.model.config.family == "infill"


def choose_sets(measures: Measures) -> list[ChosenSet]:
    """Return the sets of heads for each pattern, from the notes of the first half.

    By ``attention``: heads of the largest mean weight on the pattern above that of equal weights;
    by ``effect``: of the largest ``contrast``. A choice that no note decides is left out.
    """
    found = []
    for row, pattern in enumerate(PATTERNS):
        excess_NH = measures["excess_PH"][:, row]
        there = ~np.isnan(excess_NH[:, 0])
        by_attention_H = np.full(excess_NH.shape[1], np.nan)
        if there.any():
            by_attention_H = excess_NH[there].mean(axis=0)
        by_effect_H = contrast(measures["scores_P"][:, row], measures["effects_H"])
        for by, scores_H in zip(
            ("attention", "effect"), (by_attention_H, by_effect_H), strict=True
        ):
            if not np.isnan(scores_H).any():
                heads = np.argsort(-scores_H, kind="stable")[:SET_SIZE]
                found.append(ChosenSet(pattern, by, tuple(heads.tolist())))
    return found


def contrast(scores_N: Floats, effects_ND: Floats) -> Floats:
    """Return the contrast of effects, (D,); nan without notes of both kinds.

    It is sum_n s_n e_n / sum_n s_n - sum_n (1 - s_n) e_n / sum_n (1 - s_n) with the scores s of the
    pattern, 0 to 1; notes whose score is nan do not count.
    """
    there = ~np.isnan(scores_N)
    s_N, e_ND = scores_N[there], effects_ND[there]
    if not (s_N.sum() and (1 - s_N).sum()):
        return np.full(effects_ND.shape[1], np.nan)
    found: Floats = s_N @ e_ND / s_N.sum() - (1 - s_N) @ e_ND / (1 - s_N).sum()
    return found


def with_random(chosen: Sequence[ChosenSet], heads: int, rng: np.random.Generator) -> Sets:
    """Return the chosen sets, then ``RANDOM_SETS`` random ones of as many heads, bool (D, H)."""
    size = len(chosen[0].heads)
    drawn = [rng.choice(heads, size=size, replace=False) for _ in range(RANDOM_SETS)]
    sets_DH = np.zeros((len(chosen) + len(drawn), heads), dtype=np.bool_)
    members = np.array([*(one.heads for one in chosen), *drawn])
    np.put_along_axis(sets_DH, members, values=True, axis=1)
    return sets_DH


def set_effects(reader: NoteReader, cells_N: Places, sets_DH: Sets, by: Replacement) -> Floats:
    """Return the effects of sets of heads that are replaced together at each note, (N, D)."""
    shape = reader.model.config.layers, reader.model.config.heads
    values_5LHd = replacement.replacement_values(reader.model, by)
    sets = Ablations(replaced_RLH=sets_DH.reshape(-1, *shape), values_5LHd=values_5LHd)
    return np.array([
        [output.nats - reader.output(cell).nats for output in reader.replaced(cell, sets)]
        for cell in cells_N.tolist()
    ]).reshape(len(cells_N), len(sets_DH))  # fmt: skip
