"""A model measured on the drawn notes of a piece.

Dimensions: N notes, H heads of all layers, S sources, K keys, P patterns, D sets of heads.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from musicrel.analysis.heads.head_patterns import PATTERNS, HeadPatterns, attention_excess
from musicrel.experiment.ablation import head_weights, source_removal
from musicrel.experiment.ablation.measures import (
    RANDOM,
    STRONGEST,
    Floats,
    Measures,
    Places,
    SetEffects,
)
from musicrel.generation.ablation import sources as parts
from musicrel.generation.ablation.note_reader import NoteReader
from musicrel.generation.heads import replacement
from musicrel.generation.heads.mutes import Replacement
from musicrel.jobs import Job
from musicrel.model.replaced_heads import ReplacedHeads

_SOURCES: Final = STRONGEST + RANDOM


@dataclass(frozen=True, slots=True)
class Draws:
    """The random choices of a piece."""

    seed: int
    piece: int

    def of_cell(self, cell: int) -> np.random.Generator:
        """Return the generator of a cell, the same for all models."""
        return np.random.default_rng([self.seed, self.piece, cell])


def measure(
    reader: NoteReader, cells_N: Places, draws: Draws, by: Replacement
) -> Job[int, Measures]:
    """Measure notes; yields the number of notes done."""
    patterns = HeadPatterns.of(reader.chorale, both_sides=_is_infill(reader))
    of_notes = patterns.of_notes()
    scores_NP = np.stack([of_notes[name].reshape(-1)[cells_N] for name in PATTERNS], axis=-1)
    notes = []
    for number, cell in enumerate(cells_N.tolist()):
        of_patterns = scores_NP[number], _excess(patterns, reader, cell)
        notes.append(_measure_note(reader, cell, draws, by, of_patterns))
        yield number + 1
    return Measures.joined(notes)


def measure_sets(
    reader: NoteReader, cells_N: Places, sets_DH: npt.NDArray[np.bool_], by: Replacement
) -> Job[int, SetEffects]:
    """Replace sets of heads at the query of each note; yields the number of notes done."""
    config = reader.model.config
    values_5LHd = replacement.replacement_values(reader.model, by)
    sets = [
        ReplacedHeads(is_in_H.reshape(config.layers, config.heads), values_5LHd)
        for is_in_H in sets_DH
    ]
    effects = []
    for number, cell in enumerate(cells_N.tolist()):
        nats = reader.output(cell).nats
        effects.append([output.nats - nats for output in reader.replaced(cell, sets)])
        yield number + 1
    return SetEffects(sets_DH=sets_DH, effects_ND=np.array(effects))


def _measure_note(
    reader: NoteReader,
    cell: int,
    draws: Draws,
    by: Replacement,
    of_patterns: tuple[Floats, Floats],
) -> Measures:
    scores_P, excess_PH = of_patterns
    local, weights_LHK = reader.local(cell, by), reader.attention(cell)
    sources = reader.every_source(cell)
    keys_SK = parts.keys_of(sources, weights_LHK.shape[-1])
    weights_WLH = head_weights.of_heads(weights_LHK, keys_SK)
    weights_S = (weights_LHK @ keys_SK.T.astype(np.float64)).mean(axis=(0, 1))
    removed = reader.sources(cell, STRONGEST, RANDOM, draws.seed)
    correlations_C, by_head_H = source_removal.correlations(removed)
    rng = draws.of_cell(cell)
    removed_KG, smaller_K = source_removal.together(reader, cell, sources, weights_S, rng)
    return Measures(
        cells_N=np.array([cell]),
        nats_N=np.array([local.output.nats]),
        weights_NWH=weights_WLH.reshape(1, len(weights_WLH), -1),
        effects_NH=local.effects_LH.reshape(1, -1),
        source_weights_NS=_padded(removed.weights_S),
        source_effects_NS=_padded(removed.effects_S),
        strongest_N=np.array([removed.strongest]),
        correlations_NC=correlations_C[None],
        by_head_NH=by_head_H[None],
        removed_NKG=removed_KG[None],
        hurts_more_NK=smaller_K[None],
        scores_NP=scores_P[None],
        excess_NPH=excess_PH[None],
    )


def _padded(values_S: Floats) -> Floats:
    """Return a row of ``_SOURCES`` values, nan after the last."""
    return np.pad(values_S, (0, _SOURCES - len(values_S)), constant_values=np.nan)[None]


def _excess(patterns: HeadPatterns, reader: NoteReader, cell: int) -> Floats:
    """Return the weight of each head on the patterns above that of equal weights, (P, H)."""
    config, cells_1 = reader.model.config, np.array([cell])
    found_PH = np.full((len(PATTERNS), config.layers * config.heads), np.nan)
    if _is_infill(reader):
        return found_PH
    weights_H1K = reader.attention(cell).reshape(found_PH.shape[1], 1, -1).astype(np.float32)
    columns = patterns.of_columns(cells_1)
    for row, name in enumerate(PATTERNS):
        if columns[name].any():
            found_PH[row] = attention_excess(weights_H1K, columns[name], cells_1)[:, 0]
    return found_PH


def _is_infill(reader: NoteReader) -> bool:
    return reader.model.config.family == "infill"
