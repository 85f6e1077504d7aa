"""Mutations of every format are read, or refused with a sentence, in time and in bounds.

``python -m tests.faults --count 1000000`` reads a million.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from tests.faults import campaign, containers, formats, mutation

FEW, MANY = 4, 910
"""Files of each of the formats: about a hundred, and 20,000."""


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """Do not log the warnings about thousands of damaged files."""
    logging.disable()
    yield
    logging.disable(logging.NOTSET)


def faults(numbers: range, seed: int, folder: Path) -> list[str]:
    """Return the faults of a campaign, and the sockets that were opened in it."""
    with campaign.sockets_opened() as used:
        *_, found = campaign.run(formats.FORMATS, numbers, seed, folder)
    assert found.files == len(numbers) * len(formats.FORMATS)
    assert found.growth <= campaign.MAX_GROWTH
    return [*found.faults, *used]


def test_a_few_mutations_of_every_format_are_handled(tmp_path: Path) -> None:
    assert faults(range(FEW), 1, tmp_path) == []


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_many_mutations_of_every_format_are_handled(tmp_path: Path) -> None:
    assert faults(range(MANY), 0, tmp_path) == []


def test_a_mutation_is_repeated_by_its_seed() -> None:
    """And differs from the content."""
    content = b'{"steps": 16, "title": "Air"}'
    once, again, other = (
        mutation.mutated(content, content, np.random.default_rng(seed)) for seed in (1, 1, 2)
    )

    assert once == again != other
    assert once != content


def test_errors_of_parsers_are_faults(tmp_path: Path) -> None:
    """The campaign would find one; a message with a control character is one, too."""

    def fail(content: bytes, _folder: Path) -> object:
        return None if content == b"[]" else content.decode()

    broken = formats.Format(lambda _: [b"[]"], fail, lambda *_: b"\xff")
    *_, found = campaign.run({"broken": broken}, range(2), 0, tmp_path)

    assert len(found.faults) == 2
    assert found.faults[1].startswith("broken 1: UnicodeDecodeError")


def test_a_piece_that_the_project_has_already_is_no_error_of_the_campaign(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mutation may give the content of another piece, whose checksum is unique in a project."""
    monkeypatch.setattr(containers, "mutated", lambda content, *_: content)
    project = formats.FORMATS["project"]
    (tmp_path / "project").write_bytes(*project.seeds(tmp_path))
    rng = np.random.default_rng(0)

    with closing(sqlite3.connect(tmp_path / "project")) as connection:
        first, *_ = connection.execute("SELECT rowid FROM pieces").fetchone()
        containers._change_piece(connection, first, rng)  # noqa: SLF001  # a rare case of it
