"""Web pages of the guides: their links, from page to page and inside, and the command."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType
from urllib.parse import unquote, urlsplit

import pytest


class Addresses(HTMLParser):
    """Collects the addresses and anchors of a page."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(page.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take the addresses of links and pictures, and the anchors."""
        del tag
        values = dict(attrs)
        self.links += [values[name] or "" for name in ("href", "src") if name in values]
        self.anchors.add(values.get("id") or "")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Return a source tree of two guides that link one another, and a picture."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "dot.svg").write_text("<svg/>", "utf-8")
    (tmp_path / "README.md").write_text(
        "# Start\n\n[Guide](docs/guide.md#what-it-is), [web](https://www.qt.io)\n", "utf-8"
    )
    (tmp_path / "docs" / "guide.md").write_text(
        "# Guide\n\n## What it is?\n\n![Dot](dot.svg)\n\n| a | b |\n|---|---|\n| 1 | `<x>` |\n\n"
        "[Back](../README.md), [here](#what-it-is)\n",
        "utf-8",
    )
    return tmp_path


def test_all_links_of_the_guides_lead_somewhere(build_docs: ModuleType) -> None:
    """To files, pictures and headings of this source tree."""
    pages = build_docs.read_pages(build_docs.ROOT)

    assert build_docs.broken_links(pages, build_docs.ROOT) == []
    assert {"README.md", "docs/cli.md", "CONTRIBUTING.md"} <= {str(one.source) for one in pages}


def test_every_page_opens_from_the_disk(build_docs: ModuleType, tmp_path: Path) -> None:
    """All addresses on all pages are relative and have a file, and the anchor if they name one."""
    assert build_docs.main(["--out", str(tmp_path)]) == 0
    pages = {page: Addresses(page) for page in tmp_path.rglob("*.html")}

    assert tmp_path / "index.html" in pages
    for page, found in pages.items():
        for link in found.links:
            parts = urlsplit(link)
            if parts.scheme in {"http", "https"}:
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            assert target.is_file(), f"{page}: {link}"
            assert not parts.fragment or parts.fragment in pages[target].anchors, link


def test_a_page_has_its_text_and_the_list_of_all_pages(build_docs: ModuleType, tree: Path) -> None:
    """Text stays text; the present page is marked in the list."""
    build_docs.write(build_docs.read_pages(tree), tree, tree / "out")
    page = (tree / "out" / "docs" / "guide.html").read_text("utf-8")

    assert "<title>Guide – musicrel</title>" in page
    assert '<h2 id="what-it-is">What it is?</h2>' in page
    assert "<code>&lt;x&gt;</code>" in page
    assert '<a href="../index.html">Start</a>' in page
    assert '<a href="../docs/guide.html" aria-current="page">Guide</a>' in page
    assert '<a href="../index.html">Back</a>' in page
    assert (tree / "out" / "docs" / "dot.svg").read_text("utf-8") == "<svg/>"


def test_pages_are_in_sections_and_lead_on_within_them(build_docs: ModuleType, tree: Path) -> None:
    """The contents of the user guide come before its chapters, in their order."""
    guide = tree / "docs" / "guide"
    guide.mkdir()
    for name, title in (("README", "User guide"), ("01-a", "First"), ("02-b", "Second")):
        (guide / f"{name}.md").write_text(f"# {title}\n", "utf-8")
    build_docs.write(build_docs.read_pages(tree), tree, tree / "out")
    pages = {
        name: (tree / "out" / "docs" / "guide" / f"{name}.html").read_text("utf-8")
        for name in ("index", "01-a", "02-b")
    }

    listed = re.findall(r"<h2>.*?</h2>|(?<=<li>)<a .*?</a>", pages["index"])
    assert [re.sub(r"<.*?>", "", one) for one in listed] == [
        *("Start", "User guide", "User guide", "First", "Second"),
        *("Results and development", "Guide"),
    ]
    assert '<p class="next"><a href="../../docs/guide/01-a.html">First</a></p>' in pages["index"]
    assert '<p class="next"><a href="../../docs/guide/02-b.html">Second</a></p>' in pages["01-a"]
    assert 'class="next"' not in pages["02-b"]


def test_nothing_is_loaded_from_the_web(build_docs: ModuleType, tree: Path) -> None:
    """Pages have their style inside; links to the web stay links."""
    build_docs.write(build_docs.read_pages(tree), tree, tree / "out")
    page = (tree / "out" / "index.html").read_text("utf-8")

    assert re.findall(r'https?://[^"]*', page) == ["https://www.qt.io"]
    assert not re.search(r"<(link|script|iframe)\b|@import|url\(", page)


@pytest.mark.parametrize(
    "link", ["absent.md", "docs/guide.md#absent", "#absent", "docs/dot.svg#part", "docs"]
)
def test_a_broken_link_is_printed_and_nothing_is_written(
    build_docs: ModuleType,
    tree: Path,
    link: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The sentence names the page and the address as it was written."""
    (tree / "README.md").write_text(f"# Start\n\n[x]({link})\n", "utf-8")
    monkeypatch.setattr(build_docs, "ROOT", tree)

    assert build_docs.main(["--out", str(tree / "out")]) == 1
    assert capsys.readouterr().err == f"README.md: {link} leads nowhere\n"
    assert not (tree / "out").exists()
