"""``python -m musicrel.generation``: compile all loops into the user's cache folder.

Set-up runs it, so that the first piece does not wait for the compiler, and shows its progress.
"""

from __future__ import annotations

import sys
import threading
from typing import Final

from tqdm import tqdm

from musicrel.generation import kernel
from musicrel.model import catalogue, checkpoint

_MODELS: Final = ("relative", "relative-infill")
"""A shipped model of each family that has a compiled form; all of a family share their loops."""
_INTERVAL: Final = 0.5
"""Seconds between two looks at the progress."""


def main() -> int:
    """Compile what reads models and what chooses tokens; return the exit code, 1 if it fails."""
    if not kernel.is_missing():
        return int(not kernel.available())
    ended = threading.Event()
    reporter = threading.Thread(target=_report, args=(ended,), daemon=True)
    reporter.start()
    try:
        return _compile()
    finally:
        ended.set()
        reporter.join()


def _compile() -> int:
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


def _report(ended: threading.Event) -> None:
    done, total = kernel.progress()
    with tqdm(desc="Compiling", total=total, initial=done, unit=" functions") as bar:
        while not ended.wait(_INTERVAL):
            bar.update(kernel.progress()[0] - bar.n)
        bar.update(total - bar.n)  # what others contain may need no code of its own


if __name__ == "__main__":
    sys.exit(main())
