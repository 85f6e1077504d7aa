"""Masked batches: hidden tokens as targets, in training and in evaluation.

Targets are the original tokens at the chosen positions. Conditions of a position describe the token
at it, not the next one. In evaluation all chosen tokens are replaced by MASK, and the choice
follows from a fixed seed and the index of the piece, so that it is always the same. Family
``masked`` reads START, notes and END; ``infill`` reads the notes of whole steps.

Patterns hide cells of infilling models. ``mixture`` is the training distribution of ``infill``.
Half of it resembles the states of Gibbs sampling: blocks of single voices, so that each hidden note
has three known notes in its step. The rest masks the whole piece, some voices, some steps, or some
voices over some steps, and of this region all cells or a share, singly or in runs. ``ahead`` is the
training distribution of ``encoder_decoder``: whole regions. The other patterns are tasks of users.

Dimensions: B batch, T tokens, in patterns steps, C conditions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt
import torch

from musicrel.chorale import STEPS_PER_QUARTER, Chorale, Flags, Voice
from musicrel.experiment.data import dataset
from musicrel.experiment.data.dataset import Batch, Batches, Cut, as_batch, collate
from musicrel.experiment.recipe.recipe import DataPart, MaskingPart
from musicrel.model.tokens import codec, conditions
from musicrel.model.tokens.codec import VOICES, Ids
from musicrel.model.tokens.vocabulary import END, MASK, PAD, REST_TOKEN, Vocabulary

Pattern: TypeAlias = Callable[[int, np.random.Generator], Flags]
"""Maps the number of steps and a generator to the hidden cells, bool (T, 4), at least one."""

Integer = TypeVar("Integer", bound=np.signedinteger[Any])
_KINDS: Final = ("sweep", "all", "voices", "steps", "both")
_SHARES: Final = (0.5, 0.15, 0.2, 0.05, 0.1)
_WHOLE: Final = 0.4
"""Probability that a region is hidden completely; the whole piece always has a share of it
hidden."""
_BLOCKS: Final = (STEPS_PER_QUARTER, 2 * STEPS_PER_QUARTER, 4 * STEPS_PER_QUARTER)
_RUNS: Final = (1, 2, STEPS_PER_QUARTER, 2 * STEPS_PER_QUARTER)
_MAX_SPAN_STEPS: Final = 64
_TWO_BARS: Final = 32


def _mixture(steps: int, rng: np.random.Generator) -> Flags:
    kind = str(rng.choice(_KINDS, p=_SHARES))
    if kind == "sweep":
        return _sweep(steps, int(rng.choice(_BLOCKS)), rng)
    region = _region(steps, kind, rng)
    if kind != "all" and rng.random() < _WHOLE:
        return region
    return _share(region, 1.0 - float(rng.random()), int(rng.choice(_RUNS)), rng)


def _region(steps: int, kind: str, rng: np.random.Generator) -> Flags:
    """Draw a region: the whole piece, some voices, some steps, or some voices over some steps."""
    region = np.ones((steps, len(Voice)), dtype=np.bool_)
    if kind in ("voices", "both"):
        chosen = rng.permutation(len(Voice))[: rng.integers(1, len(Voice))]
        region &= np.isin(np.arange(len(Voice)), chosen)
    if kind in ("steps", "both"):
        region &= _span(steps, int(rng.integers(1, _MAX_SPAN_STEPS + 1)), rng)[:, None]
    return region


def _sweep(steps: int, length: int, rng: np.random.Generator) -> Flags:
    """Draw blocks of about ``length`` steps of random voices, with gaps of the same length."""
    hidden = np.zeros((steps, len(Voice)), dtype=np.bool_)
    offset = int(rng.integers(2 * length))
    for first in range(offset - 2 * length, steps, 2 * length):
        start, stop = first + rng.integers(-length // 2, length // 2 + 1, size=2)
        hidden[max(start, 0) : max(stop + length, 0), rng.integers(len(Voice))] = True
    if not hidden.any():
        hidden[rng.integers(steps), rng.integers(len(Voice))] = True
    return hidden


def _share(region: Flags, rate: float, run: int, rng: np.random.Generator) -> Flags:
    """Draw about ``rate`` of the cells of ``region``, in runs of ``run`` steps of a voice."""
    steps = (np.arange(len(region)) + rng.integers(run)) // run
    group = steps[:, None] * len(Voice) + np.arange(len(Voice))
    groups = np.unique(group[region])
    number = max(1, round(rate * len(groups)))
    return region & np.isin(group, rng.permutation(groups)[:number])


def _span(steps: int, length: int, rng: np.random.Generator) -> Flags:
    """Draw ``length`` consecutive steps, or all of a shorter piece: bool (T,)."""
    first = int(rng.integers(max(steps - length, 0) + 1))
    places = np.arange(steps)
    return (places >= first) & (places < first + length)


def _all_but(*given: Voice) -> Pattern:
    def hidden(steps: int, _rng: np.random.Generator) -> Flags:
        return np.tile(~np.isin(np.arange(len(Voice)), given), (steps, 1))

    return hidden


_AHEAD_KINDS: Final = ("all", "soprano", "voices", "steps", "both")
_AHEAD_SHARES: Final = (0.25, 0.35, 0.15, 0.1, 0.15)


def _ahead(steps: int, rng: np.random.Generator) -> Flags:
    kind = str(rng.choice(_AHEAD_KINDS, p=_AHEAD_SHARES))
    if kind == "soprano":
        return _all_but(Voice.SOPRANO)(steps, rng)
    return _region(steps, kind, rng)


PATTERNS: Final[Mapping[str, Pattern]] = MappingProxyType(
    {
        "mixture": _mixture,
        "ahead": _ahead,
        "nothing_given": _all_but(),
        "soprano_given": _all_but(Voice.SOPRANO),
        "outer_given": _all_but(Voice.SOPRANO, Voice.BASS),
        "two_bars": lambda steps, rng: np.tile(_span(steps, _TWO_BARS, rng)[:, None], len(Voice)),
    }
)


_HIDDEN, _REPLACED = 0.8, 0.9
_TRAINING: Final = 4
_EVALUATION: Final = (0, 5)
"""Random streams: [seed, 4, sample] in training, [0, 5, piece] in evaluation."""

Groups = list[npt.NDArray[np.int64]]


class MaskedBatches(Batches):
    """Training batches with hidden tokens, for one of the families that predict those."""

    def __init__(
        self,
        pieces: Sequence[Chorale],
        data: DataPart,
        masking: MaskingPart,
        batch: int,
        seed: int,
        *,
        family: str = "masked",
    ) -> None:
        super().__init__(pieces, data, batch, seed)
        self._masking, self._family = masking, family

    def at(self, step: int) -> Batch:
        window, samples = dataset.window_at(self._data, step), self.order(step)
        rngs = [np.random.default_rng([self._seed, _TRAINING, sample]) for sample in samples]
        cuts = [self._window(sample, window) for sample in samples]
        if self._family == "encoder_decoder":
            return given_batch(cuts, rngs, self._masking, self._data.conditions)
        mixed = self._masking.mixed
        return masked_batch(cuts, rngs, self._masking, self._vocabulary, mixed=mixed)

    def _window(self, sample: int, window: int) -> Cut:
        draw = self._draw(sample, window)
        ids, rows = as_read(self._family, *self._whole(draw))
        last = self._family == "encoder_decoder"  # the last token is only a target
        part = slice(draw.start, draw.start + window + last)
        return ids[part], self._given(draw, rows[part]), draw.start


def as_read(family: str, ids: Ids, rows: npt.NDArray[Integer]) -> tuple[Ids, npt.NDArray[Integer]]:
    """Return tokens and condition rows of a piece as a family reads them.

    Condition rows of masked tokens describe the token itself; those of START are unknown.
    """
    if family == "infill":
        return ids[1:-1], rows[:-2]
    if family == "masked":
        return ids, np.roll(rows, 1, 0)  # what is behind END is unknown, too
    return ids, rows


def given_batch(
    cuts: Sequence[Cut],
    rngs: Sequence[np.random.Generator],
    masking: MaskingPart,
    names: Sequence[str],
) -> Batch:
    batch = collate(cuts)
    for row, ((ids, _, _), rng) in enumerate(zip(cuts, rngs, strict=True)):
        cells = (len(ids) - 1) // VOICES * VOICES
        known = np.ones(cells, dtype=np.bool_)
        known[choose_positions(ids[1 : cells + 1], 0, masking, rng)] = False
        tokens = torch.from_numpy(np.where(known, ids[1 : cells + 1], conditions.UNKNOWN))
        batch.conditions_BTC[row, :cells, names.index(conditions.GIVEN.name)] = tokens
        batch.targets_BT[row, :cells].masked_fill_(torch.from_numpy(known), PAD)
    return batch


def evaluation_batch(
    pieces: Mapping[int, Chorale],
    vocabulary: Vocabulary,
    masking: MaskingPart,
    names: Sequence[str],
    given: Sequence[str],
    *,
    family: str = "masked",
) -> Batch:
    rngs = [np.random.default_rng([*_EVALUATION, index]) for index in pieces]
    cuts: list[Cut] = []
    for piece in pieces.values():
        rows = conditions.rows(piece, names, given)
        cuts.append((*as_read(family, codec.encode(piece, vocabulary), rows), 0))
    if family == "encoder_decoder":
        return given_batch(cuts, rngs, masking, names)
    return masked_batch(cuts, rngs, masking, vocabulary, mixed=False)


def masked_batch(
    cuts: Sequence[Cut],
    rngs: Sequence[np.random.Generator],
    masking: MaskingPart,
    vocabulary: Vocabulary,
    *,
    mixed: bool,
) -> Batch:
    read, targets = [], []
    for (ids, _, start), rng in zip(cuts, rngs, strict=True):
        chosen = choose_positions(ids, start, masking, rng)
        read.append(_replace_chosen(ids, chosen, masking, vocabulary, rng, mixed=mixed))
        target = np.full_like(ids, PAD)
        target[chosen] = ids[chosen]
        targets.append(target)
    _, rows, starts = zip(*cuts, strict=True)
    return as_batch(read, targets, rows, starts)


def choose_positions(ids: Ids, start: int, masking: MaskingPart, rng: np.random.Generator) -> Ids:
    """Choose max(1, round(rate x groups)) groups and return their positions, sorted."""
    if masking.mode in PATTERNS:
        return np.flatnonzero(PATTERNS[masking.mode](len(ids) // VOICES, rng))
    groups = GROUPS[masking.mode](ids, start)
    rate = masking.rate if masking.rates == "fixed" else rng.uniform(0, masking.rate)
    number = max(1, round(rate * len(groups)))
    taken = rng.choice(len(groups), size=number, replace=False)
    return np.sort(np.concatenate([groups[group] for group in taken]))


def _time_steps(ids: Ids, start: int) -> Groups:
    places = np.flatnonzero(ids >= REST_TOKEN)
    steps = (start + places - 1) // VOICES
    return [places[steps == step] for step in np.unique(steps)]


GROUPS: Final[Mapping[str, Callable[[Ids, int], Groups]]] = {
    "token": lambda ids, _start: list(np.flatnonzero(ids >= REST_TOKEN)[:, None]),
    "time": _time_steps,
    "published": lambda ids, _: np.split(np.arange(len(ids)), range(VOICES, len(ids), VOICES)),
}
"""The groups of each mode: single notes, time steps, groups of four from the first token on."""


def _replace_chosen(
    ids: Ids,
    chosen: Ids,
    masking: MaskingPart,
    vocabulary: Vocabulary,
    rng: np.random.Generator,
    *,
    mixed: bool,
) -> Ids:
    masked = ids.copy()
    if not mixed:
        masked[chosen] = MASK
        return masked
    u = rng.random(len(chosen))
    lowest = MASK if masking.mode == "published" else REST_TOKEN
    others = rng.integers(lowest, vocabulary.size, size=len(chosen))
    replaced = np.where(u < _REPLACED, others, ids[chosen])
    masked[chosen] = np.where(u < _HIDDEN, MASK, replaced)
    return masked


def mask_inputs(batch: Batch, share: float, generator: torch.Generator) -> Batch:
    """Replace each input note or rest by MASK with probability ``share``; targets stay.

    A regulariser: the model cannot lean on the last few notes alone.
    """
    chance_BT = torch.rand(batch.ids_BT.shape, generator=generator)
    hidden_BT = (chance_BT < share) & (batch.ids_BT > END)
    return Batch(
        batch.ids_BT.masked_fill(hidden_BT, MASK),
        batch.targets_BT,
        batch.conditions_BTC,
        batch.starts_B,
    )
