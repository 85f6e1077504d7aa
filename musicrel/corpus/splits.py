"""The three splits of a data set: training, validation and test."""

from __future__ import annotations

from typing import Final, Literal

Split = Literal["train", "valid", "test"]
"""A split: for training, for model selection, or for reported results."""

SPLITS: Final[tuple[Split, ...]] = ("train", "valid", "test")
