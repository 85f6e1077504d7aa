"""The three parts a data set is divided into.

This file knows their names; it knows nothing of which piece is in which.
"""

from __future__ import annotations

from typing import Final, Literal

Split = Literal["train", "valid", "test"]
"""What is learned from, what chooses between models, what is reported."""

SPLITS: Final[tuple[Split, ...]] = ("train", "valid", "test")
