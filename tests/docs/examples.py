"""The examples of README and docs: commands of musicrel, and blocks of Python."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT: Final = Path(__file__).parents[2]
PAGES: Final = tuple(
    page.relative_to(ROOT).as_posix()
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
    if page.parent.name != "reference"  # it shows signatures, not examples
)
_PROGRAM: Final = "musicrel "
_SCRIPTS: Final = ("bash", "toml")
"""Kinds of blocks with files, not with commands to type."""


@dataclass(frozen=True, slots=True)
class Example:
    """A command, or a block of Python.

    Attributes:
        page: file, from the root of the project.
        line: its line in it, from 1.
        text: the command without ``musicrel`` and its comment, or the block.
        is_python: whether it is a block.
    """

    page: str
    line: int
    text: str
    is_python: bool = False

    @property
    def words(self) -> list[str]:
        """Return the words of a command."""
        return shlex.split(self.text)

    def __str__(self) -> str:
        """Format as ``file:line: beginning``."""
        return f"{self.page}:{self.line}: {self.text.splitlines()[0]}"


def examples(page: str) -> list[Example]:
    """Return the examples of a page, in their order."""
    tokens = MarkdownIt("commonmark").parse((ROOT / page).read_text("utf-8"))
    return [one for token in tokens for one in _of_block(page, token)]


def commands() -> list[Example]:
    """Return the commands of all pages."""
    return [one for page in PAGES for one in examples(page) if not one.is_python]


def _of_block(page: str, token: Token) -> Iterator[Example]:
    if token.type not in {"fence", "code_block"} or token.info in _SCRIPTS or token.map is None:
        return
    first = token.map[0] + 1 + (token.type == "fence")
    if token.info == "python":
        yield Example(page, first, token.content, is_python=True)
        return
    for number, line in enumerate(token.content.splitlines(), first):
        if line.startswith(_PROGRAM) and not line.startswith(f"{_PROGRAM} "):
            yield Example(page, number, shlex.join(shlex.split(line, comments=True)[1:]))
