"""The three splits of a data set: training, validation and test."""

from __future__ import annotations

from typing import Final, Literal

# A split: for training, for model selection, or for reported results.
Split = Literal["train", "valid", "test"]

SPLITS: Final[tuple[Split, ...]] = ("train", "valid", "test")
