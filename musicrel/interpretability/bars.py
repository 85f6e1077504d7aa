"""The bars of Bach's chorales in which a head raised the written notes most.

A head's part in a note is its direct contribution to the logit of the note, less what it adds to
all notes on average, weighted by their probability: to first order, the nats by which it raises
log p. A bar has the sum over the notes that begin in it. The chorales are those of the test split,
which no bundled model has been trained on.

Dimensions: B bars, C cells, L layers, H heads, V vocabulary.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from musicrel.analysis.corpus import bundled
from musicrel.chorale import Chorale, Voice
from musicrel.errors import ModelError
from musicrel.generation.heads.mutes import Head
from musicrel.generation.sampling import log_softmax
from musicrel.interpretability.results import Floats
from musicrel.interpretability.view import Heading, View
from musicrel.jobs import Job
from musicrel.language import tr

if TYPE_CHECKING:
    from musicrel.generation.loaded_model import LoadedModel

STRONGEST: Final = 20
REWRITES: Final = tr(
    "the model {model} reads a chorale once for every note, which takes too long for all of them: "
    "choose one that writes from left to right"
)
_WORDS: Final = tr(
    "Sum over the notes that begin in the bar of what the head adds to their logits, against all "
    "notes weighted by probability, in nats."
)


class Bar(NamedTuple):
    piece: Chorale
    start: int  # first step
    stop: int  # step after the last
    raised: float  # nats by which the head raised its notes

    @property
    def name(self) -> str:
        number = self.piece.bar_number(self.start)
        text = tr("{title}, bar {bar}") if number > 0 else tr("{title}, pickup")
        return text.format(title=self.piece.title, bar=number)


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class HeadBars:
    """The bars read so far."""

    model: str
    bars: tuple[Bar, ...]  # of no head
    raised_BLH: Floats
    done: int  # chorales
    total: int

    @property
    def share(self) -> float:
        return self.done / self.total

    def strongest(self, head: Head, most: int = STRONGEST) -> tuple[Bar, ...]:
        raised_B = self.raised_BLH[:, head.layer, head.head]
        order = np.argsort(-raised_B, kind="stable")[:most].tolist()
        return tuple(self.bars[place]._replace(raised=float(raised_B[place])) for place in order)


def find(model: LoadedModel, pieces: Sequence[Chorale] | None = None) -> Job[HeadBars, HeadBars]:
    """Measure all heads of a model in all bars of some chorales; None: of the test split.

    Raises:
        ModelError: the model is not causal, or normalises its states after every layer.
        MissingTorchError: torch is not installed.
    """
    if not model.config.is_causal:
        raise ModelError(REWRITES.format(model=model.name))
    pieces = bundled.load("test") if pieces is None else pieces
    bars: list[Bar] = []
    parts: list[Floats] = [np.zeros((0, model.config.layers, model.config.heads))]
    found = HeadBars(model=model.name, bars=(), raised_BLH=parts[0], done=0, total=len(pieces))
    for done, piece in enumerate(pieces, start=1):
        raised_CLH = _raised(model, piece)
        for start, stop in _bars(piece):
            cells = slice(len(Voice) * start, len(Voice) * stop)
            bars.append(Bar(piece, start, stop, 0.0))
            parts.append(raised_CLH[cells].sum(axis=0, keepdims=True))
        found = HeadBars(
            model=model.name, bars=tuple(bars), raised_BLH=np.concatenate(parts),
            done=done, total=len(pieces),
        )  # fmt: skip
        yield found
    return found


def _raised(model: LoadedModel, piece: Chorale) -> Floats:
    """Return the nats by which each head raised the notes that begin in each cell."""
    from musicrel.interpretability.readers import open_reader  # numba, torch

    onsets = np.flatnonzero(piece.onsets.ravel())
    found = open_reader(model, piece).attributions(onsets.tolist())
    p_CV = np.exp(log_softmax(found.logits_CV))
    tokens_C11 = model.encode(piece)[1:-1][onsets, None, None, None]
    written_CLH = np.take_along_axis(found.heads_CLHV, tokens_C11, axis=-1)[..., 0]
    raised_CLH = np.zeros((len(Voice) * piece.steps, *written_CLH.shape[1:]))
    raised_CLH[onsets] = written_CLH - np.einsum("clhv,cv->clh", found.heads_CLHV, p_CV)
    return raised_CLH


def _bars(piece: Chorale) -> Iterator[tuple[int, int]]:
    return pairwise(sorted({0, *piece.bar_line_steps(), piece.steps}))


def of_bars(found: HeadBars, head: Head) -> View:
    bars = found.strongest(head)

    def table() -> Iterator[tuple[object, ...]]:
        yield ("chorale", "bar", "first step", "step after the last", "nats")
        for bar in bars:
            number = bar.piece.bar_number(bar.start)
            yield (bar.piece.title, max(number, 0), bar.start, bar.stop, f"{bar.raised:.6f}")

    heading = tr("Strongest bars of {head}", head=head.noun)
    read = tr("{model}, {number} of Bach's chorales", model=found.model, number=found.done)
    return View(heading, Heading(heading, (read, _WORDS)), ("effect_charts", "bars", bars), table)
