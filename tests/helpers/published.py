"""Benchmark data that is evaluated but not shipped, where the shared folder has it."""

from __future__ import annotations

import json
from functools import cache

import pytest

from musicrel import paths
from musicrel.analysis.corpus import jsb
from musicrel.analysis.corpus.splits import Split
from musicrel.chorale import Chorale

JSB16 = paths.shared_data() / "jsb" / jsb.FILE_NAME
JS_FAKES = paths.shared_data() / "js-fakes" / "js-fakes-16th.json"

needs_jsb16 = pytest.mark.skipif(
    not JSB16.exists(), reason="no shared data: the published JSB16 file"
)
needs_both = pytest.mark.skipif(
    not (JSB16.exists() and JS_FAKES.exists()), reason="no shared data: JSB16 and JS Fakes"
)


@cache
def jsb16(split: Split) -> list[Chorale]:
    """Load the pieces of one split of JSB16."""
    return jsb.read(JSB16)[split]


@cache
def js_fakes() -> list[Chorale]:
    """Load the 500 JS Fake Chorales, in the form of JSB16."""
    pieces = json.loads(JS_FAKES.read_text(encoding="utf-8"))
    return [Chorale.of(piece, title=f"JS Fake {n}") for n, piece in enumerate(pieces)]
