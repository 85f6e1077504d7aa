"""The table of quality levels, and the help made from it."""

from __future__ import annotations

import pytest

from musicrel.cli.main import main
from musicrel.generation.quality import DESCRIPTION, NORMAL, QUALITIES
from musicrel.generation.request import GenerationRequest

Capture = pytest.CaptureFixture[str]


def test_the_numbers_of_passes_stay() -> None:
    """The notes of a seed depend on them."""
    passes = {
        name: (row.particles, row.fill_passes, row.gibbs_sweeps) for name, row in QUALITIES.items()
    }
    assert passes == {"draft": (1, 2, 2), "normal": (10, 8, 8), "high": (32, 8, 24)}
    spans = {name: row.span_sweeps for name, row in QUALITIES.items()}
    assert spans == {"draft": (), "normal": (), "high": (3, 7, 11, 15, 19)}


def test_the_default_is_normal() -> None:
    """Request and table agree."""
    assert GenerationRequest().quality == NORMAL == "normal"


def test_the_help_is_made_from_the_table(capsys: Capture) -> None:
    """It contains names and description."""
    with pytest.raises(SystemExit):
        main(["generate", "--help"])
    text = " ".join(capsys.readouterr().out.split())
    assert DESCRIPTION[1:] in text.replace("relative- infill", "relative-infill")
    assert ", ".join(QUALITIES) in text
