"""Networks between beats of Bach and of a model, trained in torch (``discriminator.network``).

Pieces are cropped to eight bars at random places; the log-odds of a crop are the sum of those of
its beats, on which a search weighs particles. Calibration needs tunes that were held out, since the
networks know the others by heart: networks trained without a fifth of the tunes give the factor for
those that are trained on all.

Dimensions: S crops, B beats, C cells of a beat, E embedding, H hidden units.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np
import torch
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.model_selection import StratifiedGroupKFold
from torch import Tensor, nn

from musicrel.chorale import Chorale
from musicrel.generation.discriminator import network
from musicrel.generation.discriminator.network import (
    BEATS,
    CELLS,
    CONTEXT_BEATS,
    DEGREES,
    INTERVALS,
    BeatNotes,
    Network,
)
from training.examination.samples import grouped

NETWORKS: Final = 3
"""Number of networks that are averaged."""
EPOCHS: Final = 80
_FOLDS: Final = 5
"""One of so many parts of the tunes is held out for the calibration."""
_CROP_BEATS: Final = 32
_BATCH: Final = 32
_EMBEDDING: Final = 6
_HIDDEN: Final = 96
_DROPOUT: Final = 0.5
_RATE: Final = 4e-3
_DECAY: Final = 0.05
_SHARE: Final = 0.1
"""Factor of the log-odds of a beat in training: those of a crop are then small at first."""
_UNPENALISED: Final = 1e6


class Side(NamedTuple):
    notes: BeatNotes  # its beats
    is_bach: bool


class Batch(NamedTuple):
    """Crops side by side, padded: the fields of ``BeatNotes``, and which beats there are."""

    degrees_SBC: Tensor
    intervals_SBC: Tensor
    onsets_SBC: Tensor
    heights_SBC: Tensor
    numbers_SB: Tensor
    fermatas_SB: Tensor
    modes_SB: Tensor
    is_there_SB: Tensor


@dataclass(frozen=True, slots=True, eq=False)
class NetworkFit:
    networks: tuple[Network, ...]  # their log-odds are calibrated, in nats
    area: float  # area under the ROC curve on held-out tunes
    log_loss: float  # log loss there in nats a crop, after calibration; both sides count the same
    slope: float  # factor that calibrates the log-odds


class BeatNetwork(nn.Module):
    """The network with dropout; its exported weights are a ``Network``."""

    def __init__(self) -> None:
        super().__init__()
        self.degrees = nn.Embedding(DEGREES, _EMBEDDING)
        self.intervals = nn.Embedding(INTERVALS, _EMBEDDING)
        self.onsets = nn.Embedding(2, 2)
        self.numbers = nn.Embedding(BEATS, 8)
        self.fermatas = nn.Embedding(2, 4)
        self.modes = nn.Embedding(2, 4)
        self.inner = nn.Linear(CELLS * (2 * _EMBEDDING + 3) + 16, _HIDDEN)
        self.outer = nn.Linear(_HIDDEN * CONTEXT_BEATS, _HIDDEN)
        self.odds = nn.Linear(_HIDDEN, 1)
        self.input_dropout, self.dropout = nn.Dropout(_DROPOUT / 2), nn.Dropout(_DROPOUT)

    def forward(self, batch: Batch) -> Tensor:
        """Return the log-odds of each beat, (S, B)."""
        cells = (
            self.degrees(batch.degrees_SBC),
            self.intervals(batch.intervals_SBC),
            self.onsets(batch.onsets_SBC),
            batch.heights_SBC[..., None],
        )
        places = (
            self.numbers(batch.numbers_SB),
            self.fermatas(batch.fermatas_SB),
            self.modes(batch.modes_SB),
        )
        beats_SBI = torch.cat([torch.cat(cells, dim=-1).flatten(start_dim=2), *places], dim=-1)
        hidden_SBH = self.dropout(torch.relu(self.inner(self.input_dropout(beats_SBI))))
        padded_SBH = nn.functional.pad(hidden_SBH, (0, 0, CONTEXT_BEATS - 1, 0))
        beats = hidden_SBH.shape[1]
        first = CONTEXT_BEATS - 1
        context = [padded_SBH[:, first - n : first - n + beats] for n in range(CONTEXT_BEATS)]
        outer_SBH = self.dropout(torch.relu(self.outer(torch.cat(context, dim=-1))))
        odds_SB: Tensor = self.odds(outer_SBH)[..., 0]
        return odds_SB

    def exported(self, factor: float) -> Network:
        tensors = [each.detach().numpy().astype(np.float32) for each in self.parameters()]
        return Network(*tensors).multiplied(factor)


def fit(bach: Sequence[Chorale], others: Sequence[Chorale], *, epochs: int = EPOCHS) -> NetworkFit:
    """Train networks between pieces by Bach and others, all in four quarters."""
    own, foreign = grouped(bach, others, "whole")
    sides = [Side(network.of_piece(s.piece), is_bach=True) for s in own]
    sides += [Side(network.of_piece(s.piece), is_bach=False) for s in foreign]
    labels = [side.is_bach for side in sides]
    folds = StratifiedGroupKFold(_FOLDS, shuffle=True, random_state=0)
    groups = [sample.group for sample in (*own, *foreign)]
    kept, held_out = next(folds.split(labels, labels, groups))
    judges = _trained([sides[n] for n in kept], epochs)
    found = _calibrated(judges, [sides[n] for n in held_out])
    factor = found.slope * _SHARE
    networks = tuple(net.exported(factor) for net in _trained(sides, epochs))
    return replace(found, networks=networks)


def _trained(sides: Sequence[Side], epochs: int) -> list[BeatNetwork]:
    return [_network(sides, epochs, seed) for seed in range(NETWORKS)]


def _network(sides: Sequence[Side], epochs: int, seed: int) -> BeatNetwork:
    random = np.random.default_rng(seed)
    torch.manual_seed(seed)
    network = BeatNetwork().train()
    places = [n for n, side in enumerate(sides) for _ in range(_crops(side))]
    steps = epochs * -(-len(places) // _BATCH)
    optimizer = torch.optim.AdamW(network.parameters(), lr=_RATE, weight_decay=_DECAY)
    rate = torch.optim.lr_scheduler.OneCycleLR(optimizer, _RATE, total_steps=steps)
    others = sum(not sides[n].is_bach for n in places)
    of_bach = others / max(len(places) - others, 1)
    for _ in range(epochs):
        order = random.permutation(places)
        for chosen in np.split(order, range(_BATCH, len(order), _BATCH)):
            taken = [sides[n] for n in chosen]
            labels = torch.tensor([float(side.is_bach) for side in taken])
            odds = _log_odds(network, [_cropped(side.notes, random) for side in taken])
            weights = torch.where(labels > 0, of_bach, 1.0)
            loss = nn.functional.binary_cross_entropy_with_logits(odds, labels, weights)
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            rate.step()
    return network.eval()


def _crops(side: Side) -> int:
    return max(1, round(len(side.notes.numbers_B) / _CROP_BEATS))


def _cropped(notes: BeatNotes, random: np.random.Generator) -> BeatNotes:
    first = int(random.integers(max(len(notes.numbers_B) - _CROP_BEATS, 0) + 1))
    return notes.part(slice(first, first + _CROP_BEATS))


def _log_odds(network: BeatNetwork, crops: Sequence[BeatNotes]) -> Tensor:
    batch = batch_of(crops)
    odds_SB: Tensor = network(batch) * batch.is_there_SB
    return _SHARE * odds_SB.sum(dim=1)


def batch_of(crops: Sequence[BeatNotes]) -> Batch:
    by_piece = [[torch.from_numpy(each[0]) for each in crop[:4]] for crop in crops]
    by_beat = [[torch.from_numpy(each) for each in crop[4:]] for crop in crops]
    there = [torch.ones(len(crop.numbers_B)) for crop in crops]
    fields = [*zip(*by_piece, strict=True), *zip(*by_beat, strict=True), there]
    return Batch(*(nn.utils.rnn.pad_sequence(list(each), batch_first=True) for each in fields))


def _calibrated(networks: Sequence[BeatNetwork], sides: Sequence[Side]) -> NetworkFit:
    """Return the figures of networks on held-out pieces."""
    labels, odds = zip(*_judged(networks, sides), strict=True)
    odds_S1 = np.array(odds)[:, None]
    platt = LogisticRegression(C=_UNPENALISED, class_weight="balanced").fit(odds_S1, labels)
    is_bach = np.array(labels)
    weights = np.where(is_bach, 0.5 / is_bach.mean(), 0.5 / (1 - is_bach.mean()))
    return NetworkFit(
        networks=(),
        area=float(roc_auc_score(labels, odds)),
        log_loss=float(log_loss(labels, platt.predict_proba(odds_S1)[:, 1], sample_weight=weights)),
        slope=float(platt.coef_[0, 0]),
    )


def _judged(networks: Sequence[BeatNetwork], sides: Sequence[Side]) -> Iterator[tuple[bool, float]]:
    """Yield the label of each crop and its mean log-odds; the crops cover the pieces."""
    for side in sides:
        spare = max(len(side.notes.numbers_B) - _CROP_BEATS, 0)
        for first in np.linspace(0, spare, -(-spare // _CROP_BEATS) + 1).round().astype(int):
            crop = [side.notes.part(slice(first, first + _CROP_BEATS))]
            with torch.no_grad():
                odds = [float(_log_odds(network, crop)) for network in networks]
            yield side.is_bach, float(np.mean(odds))
