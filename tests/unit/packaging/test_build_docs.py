"""Web pages: the links of the guides, and the reference, which names all of the code."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType
from urllib.parse import unquote, urlsplit

import pytest

import musicrel
from musicrel.cli.main import COMMANDS


class Addresses(HTMLParser):
    def __init__(self, page: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(page.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del tag
        values = dict(attrs)
        self.links += [values[name] or "" for name in ("href", "src") if name in values]
        self.anchors.add(values.get("id") or "")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
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
    pages = build_docs.read_pages(build_docs.ROOT)

    assert build_docs.broken_links(pages, build_docs.ROOT) == []
    assert {"README.md", "docs/cli.md", "CONTRIBUTING.md"} <= {str(one.source) for one in pages}


def test_every_page_opens_from_the_disk(build_docs: ModuleType, tmp_path: Path) -> None:
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
    guide = tree / "docs" / "guide"
    guide.mkdir()
    for name, title in (("README", "User guide"), ("01-a", "First"), ("02-b", "Second")):
        (guide / f"{name}.md").write_text(f"# {title}\n", "utf-8")
    build_docs.write(build_docs.read_pages(tree), tree, tree / "out")
    pages = {
        name: (tree / "out" / "docs" / "guide" / f"{name}.html").read_text("utf-8")
        for name in ("index", "01-a", "02-b")
    }

    listed = re.findall(r"<h2>(.*?)</h2>|(?<=<li>)<a .*?>(.*?)</a>", pages["index"])
    assert ["".join(one) for one in listed] == [
        *("Start", "User guide", "User guide", "First", "Second"),
        *("Results and development", "Guide"),
    ]
    nexts = [re.findall(r'<p class="next"><a href="(.*?)">', page) for page in pages.values()]
    assert nexts == [["../../docs/guide/01-a.html"], ["../../docs/guide/02-b.html"], []]


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
    (tree / "README.md").write_text(f"# Start\n\n[x]({link})\n", "utf-8")
    monkeypatch.setattr(build_docs, "ROOT", tree)

    assert build_docs.main(["--out", str(tree / "out")]) == 1
    assert capsys.readouterr().err == f"README.md: {link} leads nowhere\n"
    assert not (tree / "out").exists()


def test_the_committed_pages_are_those_of_the_code(build_reference: ModuleType) -> None:
    """If not: python packaging/build_reference.py."""
    assert build_reference.outdated(build_reference.FOLDER) == []


def test_a_page_that_differs_is_named(
    build_reference: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One that is missing, too, and the exit code is 1, until they are written again."""
    (tmp_path / "commands.md").write_text(build_reference.PAGES["commands.md"]() + "more", "utf-8")
    monkeypatch.setattr(build_reference, "FOLDER", tmp_path)

    assert build_reference.main(["--check"]) == 1
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == [
        "commands.md", "python.md",
    ]  # fmt: skip
    assert build_reference.main([]) == 0
    assert build_reference.main(["--check"]) == 0


def test_every_command_and_every_public_name_has_a_section(build_reference: ModuleType) -> None:
    commands, python = (page() for page in build_reference.PAGES.values())

    assert [name for name in COMMANDS if f"\n## musicrel {name}\n" not in commands] == []
    assert [name for name in musicrel.__all__ if f"\n### musicrel.{name}\n" not in python] == []
    assert "| `--bars BARS` | number of new bars (default: 4) |" in commands
    assert "| `--mute-by mean\\|zero` |" in commands
    assert not any(hidden in commands for hidden in ("--patience", "SUPPRESS"))
    assert "    load_model(\n        name_or_dir: str,\n        device: str = 'cpu',\n" in python
    assert "**options: Unpack[EditOptions]," in python


def test_a_public_name_without_a_section_is_found(
    build_reference: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new function cannot be forgotten."""
    monkeypatch.setattr(musicrel, "__all__", [*musicrel.__all__, "new"])

    with pytest.raises(LookupError, match="'new'"):
        build_reference.PAGES["python.md"]()
