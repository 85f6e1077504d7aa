"""Build assets/corpus/grade_reference.json: the reference of the grade, as counts.

    python -m training.build_grade_reference [FILE]

FILE is the published Jsb16thSeparated.json, which is not shipped since it states no licence. The
asset keeps the pooled distributions of its training split and five figures of its test split: facts
about the music, from which no piece can be reconstructed.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from musicrel import paths, untrusted
from musicrel.analysis import grade_reference
from musicrel.analysis.corpus import jsb
from training import reports

_ABOUT: Final = (
    "Counts, not music: how often each note, rhythm, harmony, interval and parallel occurs in all "
    "pieces of a data set taken together, and what its test split scores when compared with them. "
    "musicrel/analysis/grade.py defines them. The data set is the published JSB16 "
    "(czhuang/JSB-Chorales-dataset on GitHub, commit 9a7f733), which states no licence; none of "
    "its pieces is in this file or can be put together from it."
)


def build(source: Path) -> dict[str, Any]:
    content = untrusted.read(source, "jsb")
    pieces = jsb.read(source)
    return {
        "about": _ABOUT,
        "made_by": "python -m training.build_grade_reference",
        "source": {"file": jsb.FILE_NAME, "sha256": hashlib.sha256(content).hexdigest()},
        **grade_reference.to_json(grade_reference.of(pieces["train"], pieces["test"], "JSB16")),
    }


@reports.script
def main(words: Sequence[str]) -> None:
    parser = reports.parser("build_grade_reference", __doc__)
    published = paths.shared_data() / "jsb" / jsb.FILE_NAME
    parser.add_argument("file", type=Path, nargs="?", default=published, help=jsb.FILE_NAME)
    content = build(parser.parse_args(words).file)
    print(reports.write_asset(grade_reference.FILE_NAME, content))


if __name__ == "__main__":
    sys.exit(main())
