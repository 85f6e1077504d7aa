"""Build assets/corpus/rule_rates.json: Bach's rates of the rules of four-part writing.

    python -m training.build_rule_rates

Counted over the bundled training chorales, by ``musicrel.analysis.voice_leading``.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from musicrel.analysis import voice_leading
from musicrel.analysis.corpus import bundled
from musicrel.analysis.rules import RULES
from training import reports


def build() -> dict[str, Any]:
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


@reports.script
def main(words: Sequence[str]) -> None:
    reports.parser("build_rule_rates", __doc__).parse_args(words)
    print(reports.write_asset(voice_leading.BACH_RATES, build()))


if __name__ == "__main__":
    sys.exit(main())
