"""A model that is examined, and what one experiment found of it.

This file knows these two values; the experiments stand in ``probes``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from musicrel.experiment.data.dataset import Batch
from musicrel.model.families.transformer import Transformer
from musicrel.tokens.codec import VOICES

Verdict = Literal["ok", "notable", "wrong"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """What one experiment found.

    Attributes:
        name: of the experiment.
        says: what was found, one sentence.
        figure: the number it turns on; None where there is none for such a model.
        verdict: ``wrong``: the model or the program is broken; ``notable``: to be known.
        details: further figures by name.
    """

    name: str
    says: str
    verdict: Verdict = "ok"
    figure: float | None = None
    details: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What is examined.

    Attributes:
        network: the model, in evaluation mode.
        batch: a few sequences of different lengths, the longest first, none beyond the trained one.
        long: sequences up to twice the trained length, as far as there are any; padded.
    """

    network: Transformer
    batch: Batch
    long: Batch

    @property
    def family(self) -> str:
        """How the model reads."""
        return self.network.config.family

    @property
    def each(self) -> int:
        """Tokens of one position; a model that fills in reads whole steps."""
        return VOICES if self.family == "infill" else 1

    @property
    def one(self) -> Batch:
        """The longest sequence alone, without padding."""
        return next(self.batch.parts(len(self.batch.ids_BT)))
