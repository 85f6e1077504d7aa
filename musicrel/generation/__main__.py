"""``python -m musicrel.generation``: compile all loops into the user's cache folder.

Set-up runs it, so that the first piece does not wait for the compiler.
"""

from __future__ import annotations

import sys

from musicrel.generation import kernel


def main() -> int:
    """Compile what reads models and what chooses tokens; return the exit code, 1 if it fails."""
    return int(not kernel.works("a loop of the shipped models", _run_all))


def _run_all() -> None:
    from musicrel.generation.causal import compiled_choice  # noqa: PLC0415  # it imports numba
    from musicrel.model.compiled import cache_folder, shipped_models  # noqa: PLC0415

    shipped_models.read_once()
    compiled_choice.run_once()
    cache_folder.mark_complete()


if __name__ == "__main__":
    sys.exit(main())
