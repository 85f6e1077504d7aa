"""``python -m musicrel.generation``: compile all loops into the user's cache folder.

Set-up runs it, so that the first piece does not wait for the compiler.
"""

from __future__ import annotations

import sys
from typing import Final

from musicrel.generation import kernel
from musicrel.model import catalogue, checkpoint

_MODELS: Final = ("relative", "relative-infill", "critic")
"""A shipped model of each family that has a compiled form; all of a family share their loops."""


def main() -> int:
    """Compile what reads models and what chooses tokens; return the exit code, 1 if it fails."""
    for name in _MODELS:
        weights = checkpoint.load(catalogue.shipped_models() / name)
        if kernel.CompiledForm(weights).ready is None:
            return 1
    from musicrel.generation.causal import compiled_choice  # noqa: PLC0415  # it imports numba
    from musicrel.model.compiled import cache_folder  # noqa: PLC0415

    if not kernel.works("the choice of tokens", compiled_choice.run_once):
        return 1
    cache_folder.mark_complete()
    return 0


if __name__ == "__main__":
    sys.exit(main())
