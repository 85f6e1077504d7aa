"""Bach's rates of the rules."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from musicrel import paths
from musicrel.analysis import bach_rates
from musicrel.analysis.rules import RULES
from musicrel.errors import FileError


@pytest.fixture(autouse=True)
def clear_cache() -> Iterator[None]:
    """Clear the cached file before and after."""
    bach_rates.load.cache_clear()
    yield
    bach_rates.load.cache_clear()


def test_every_rule_has_its_rate() -> None:
    """The rates are near those of the published splits: few parallels, many overlaps."""
    rates = bach_rates.load()
    assert set(rates.counts) == set(RULES)
    assert rates.parallels < 2
    assert 20 < rates.of("overlap") < 35


def test_a_rate_is_formatted_with_its_unit() -> None:
    """The text names Bach, the rate and its unit."""
    assert bach_rates.format_rate("parallel_fifths") == "Bach: 0.64 per 1,000 notes"
    assert bach_rates.format_rate("crossing") == "Bach: 2.28 % of steps"


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"notes": 1, "steps": 1, "counts": {}}'])
def test_a_damaged_file_is_an_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: str
) -> None:
    """The message names the file and advises to install again."""
    monkeypatch.setattr(paths, "assets", lambda: tmp_path)
    file = tmp_path / bach_rates.FILE_NAME
    file.parent.mkdir()
    file.write_text(content, encoding="utf-8")
    with pytest.raises(FileError, match=r"holds no rates of the rules .*: install musicrel again"):
        bach_rates.load()
