"""Build assets/corpus/rule_rates.json: Bach's rates of the rules of four-part writing.

    python -m training.build_rule_rates

Counted over the bundled training chorales, by ``musicrel.analysis.voice_leading``.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from musicrel import paths
from musicrel.analysis import bach_rates, voice_leading
from musicrel.analysis.rules import RULES
from musicrel.corpus import bundled
from musicrel.errors import MusicrelError


def build() -> dict[str, Any]:
    """Compute the content of the asset.

    Raises:
        FileError: the bundled corpus is missing or damaged.
    """
    pieces = bundled.load("train")
    rates = voice_leading.rates(*pieces, rules=tuple(RULES))
    return {
        "about": "Counts, not music: how often the bundled training chorales break each rule of "
        "musicrel/analysis/rules.py, and for how many steps.",
        "made_by": "python -m training.build_rule_rates",
        "source": {"file": bundled.FILE_NAME, "sha256": bundled.source_sha256()},
        "pieces": len(pieces),
        "notes": rates.notes,
        "steps": rates.steps,
        "counts": dict(rates.counts),
        "lengths": dict(rates.lengths),
    }


def main() -> int:
    """Run the command and return its exit code."""
    target = paths.assets() / bach_rates.FILE_NAME
    try:
        paths.write_text(target, json.dumps(build(), indent=1) + "\n")
    except MusicrelError as reason:
        print(reason, file=sys.stderr)
        return 1
    print(target)
    return 0


if __name__ == "__main__":
    sys.exit(main())
