"""Names of buttons in the guides, which are in bold, are those on the screen."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from musicrel.ui.library import guides

ROOT = Path(__file__).parents[3]
FOLDERS = ("musicrel/ui", "musicrel/presentation", "musicrel/analysis/claims")
PAGES = {
    "teaching.md": "",
    "two_models.md": "",
    "accessibility.md": "",
    "causal_map.md": "## In the app",
}
CHAPTERS = sorted(path.name for path in (ROOT / "docs" / "guide").glob("[0-9]*.md"))
"""Guide -> the heading of the section with names of buttons; "": the whole guide."""
BOLD = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)
FIELD = re.compile(r"\{.*?\}")
LETTERS = re.compile("[A-Za-z]{4}")


@cache
def texts_on_screen() -> tuple[re.Pattern[str], ...]:
    """Return the texts in the code, without marks of keys; a field stands for anything."""
    found = {
        node.value.replace("&", "")
        for folder in FOLDERS
        for file in (ROOT / folder).rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    return tuple(
        re.compile(".+".join(map(re.escape, FIELD.split(text))))
        for text in found
        if not FIELD.search(text) or LETTERS.search(FIELD.sub("", text))
    )


def names_in(guide: str, heading: str) -> Iterator[str]:
    """Yield the names in bold in a section of a guide."""
    text = (guides.folder() / guide).read_text(encoding="utf-8")
    section = text.partition(heading)[2].partition("\n## ")[0] if heading else text
    for match in BOLD.finditer(section):
        yield " ".join(match[1].split())


@pytest.mark.parametrize(("guide", "heading"), PAGES.items())
def test_names_of_buttons_are_those_on_the_screen(guide: str, heading: str) -> None:
    """Another name in the code must be changed in the guide, too."""
    names = set(names_in(guide, heading)) - {"bold"}

    assert len(names) > 5
    unknown = {one for one in names if not any(text.fullmatch(one) for text in texts_on_screen())}
    assert unknown == set()


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_names_in_the_user_guide_are_those_on_the_screen(chapter: str) -> None:
    """A path in a menu has its parts; of a name with dots these may be left out."""
    names = {part for name in names_in(f"guide/{chapter}", "") for part in name.split(" > ")}
    screen = texts_on_screen()

    assert names
    assert {one for one in names if not any(text.fullmatch(one) for text in screen)} == set()


@pytest.mark.parametrize("guide", [*guides.GUIDES, *(f"guide/{name}" for name in CHAPTERS)])
def test_pictures_and_links_of_a_guide_lead_to_files(guide: str) -> None:
    """They are shipped beside it."""
    text = (guides.folder() / guide).read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)#]+)[^)]*\)", text)
    local = [target for target in targets if not target.startswith("http")]
    beside = (guides.folder() / guide).parent

    assert [one for one in local if not (beside / one).is_file()] == []
