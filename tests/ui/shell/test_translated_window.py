"""Every text is looked up, and none is clipped in another language or at the largest size."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from musicrel.ui import languages
from tests.conftest import MARKED

FOLDER = Path(__file__).parent
WALK = FOLDER / "walk_in_language.py"


@pytest.mark.parametrize(
    ("language", "size", "tests"),
    [(MARKED, 100, [WALK]), (languages.ENGLISH, 150, [WALK]),
     *((code, 150, [WALK]) for code in languages.available()[1:]),
     *((code, 100, [WALK, FOLDER / "test_clipping.py"]) for code in languages.available()[1:])],
)  # fmt: skip
def test_the_window_in_another_language_or_size(
    language: str, size: int, tests: list[Path]
) -> None:
    sets = {"MUSICREL_TEST_LANGUAGE": language, "MUSICREL_TEST_TEXT_SIZE": str(size)}
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests,
         "-k", "not headers_of_candidates"],  # they are named in English there
        env=os.environ | sets, cwd=FOLDER.parents[2], capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert run.returncode == 0, run.stdout
