"""Make web pages of the guides, which open from the disk, and check all their links.

    python packaging/build_docs.py [--out DIR]

Pages have the places of their sources, so links stay relative: README.md becomes index.html,
docs/cli.md becomes docs/cli.html. Linked pictures and files are copied.
"""

from __future__ import annotations

import argparse
import html
import itertools
import re
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from string import Template
from typing import Final
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT: Final = Path(__file__).resolve().parent.parent
SECTIONS: Final[Mapping[str, Sequence[str]]] = {
    "": ("README.md",),
    "User guide": ("docs/guide/README.md", "docs/guide/*.md"),
    "Models and studies": tuple(
        f"docs/{name}.md"
        for name in (
            *("attention", "causal_map", "two_models", "teaching", "laboratory", "cluster"),
            "how_it_works",
        )
    ),
    "Reference": ("docs/cli.md", "docs/reference/*.md", "docs/formats.md", "docs/accessibility.md"),
    "Results and development": (
        *("docs/results.md", "docs/*.md", "docs/*/*.md", "CONTRIBUTING.md", "CHANGELOG.md"),
    ),
}
"""Heading in the list of pages -> patterns of its sources; a page is in the first that fits."""
FRAME: Final = Path(__file__).with_name("page.html")
LINKS: Final = {"link_open": "href", "image": "src"}
"""Kind of token -> its attribute with an address."""

_NO_ANCHOR: Final = re.compile(r"[^\w\- ]")


@dataclass(frozen=True, slots=True)
class Page:
    """A guide.

    Attributes:
        source: its path below the root.
        title: its first heading.
        tokens: the parsed text, with addresses of web pages and anchors at headings.
        anchors: the anchors of its headings.
        links: the addresses in it as they were written.
        section: heading above it in the list of pages; "": none.
    """

    source: PurePosixPath
    title: str
    tokens: Sequence[Token]
    anchors: frozenset[str]
    links: tuple[str, ...]
    section: str = ""


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the pages, or print the broken links; return the exit code."""
    parser = argparse.ArgumentParser(prog="build_docs.py", description="Make web pages of docs/.")
    parser.add_argument("--out", type=Path, default=ROOT / "dist" / "docs", help="folder of pages")
    out: Path = parser.parse_args(arguments).out
    pages = read_pages(ROOT)
    broken = broken_links(pages, ROOT)
    print(*broken, sep="\n", end="\n" if broken else "", file=sys.stderr)
    if not broken:
        write(pages, ROOT, out)
        print(f"{len(pages)} pages: {out / 'index.html'}")
    return int(bool(broken))


def read_pages(root: Path, sections: Mapping[str, Sequence[str]] = SECTIONS) -> list[Page]:
    """Return the pages of the files below ``root`` that match the patterns of ``sections``."""
    found: dict[PurePosixPath, str] = {}
    for section, patterns in sections.items():
        for path in (path for pattern in patterns for path in sorted(root.glob(pattern))):
            found.setdefault(PurePosixPath(path.relative_to(root).as_posix()), section)
    return [_page(name, (root / name).read_text("utf-8"), at) for name, at in found.items()]


def broken_links(pages: Sequence[Page], root: Path) -> list[str]:
    """Return a sentence for each link to a file or a heading that is not there."""
    by_source = {page.source: page for page in pages}
    found = []
    for page in pages:
        for link in page.links:
            target, anchor = _target(page, link)
            if target is None:
                continue
            linked = by_source.get(target)
            is_whole = not anchor or (linked is not None and anchor in linked.anchors)
            if not (root / target).is_file() or not is_whole:
                found.append(f"{page.source}: {link} leads nowhere")
    return found


def write(pages: Sequence[Page], root: Path, out: Path) -> None:
    """Write all pages below ``out``, and copy the files that they link.

    Args:
        pages: links lead to one another and to files.
        root: of the sources.
        out: created where it is missing.
    """
    frame = Template(FRAME.read_text("utf-8"))
    sources = {page.source for page in pages}
    for page in pages:
        path = out / web_path(page.source)
        path.parent.mkdir(parents=True, exist_ok=True)
        body = MarkdownIt().renderer.render(page.tokens, MarkdownIt().options, {})
        fields = {"title": html.escape(page.title), "contents": _contents(page, pages)}
        path.write_text(frame.substitute(fields, body=body, next=_next(page, pages)), "utf-8")
        for target in {_target(page, link)[0] for link in page.links} - sources - {None}:
            copy = out / str(target)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(root / str(target), copy)


def web_path(source: PurePosixPath) -> PurePosixPath:
    """Return the path of the web page of a source; others keep theirs."""
    if source.name == "README.md":
        return source.with_name("index.html")
    return source.with_suffix(".html") if source.suffix == ".md" else source


def _page(source: PurePosixPath, text: str, section: str) -> Page:
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    headings = {_anchor(words): words for words in _mark_headings(tokens)}
    links = tuple(_rewrite_links(tokens))
    title = next(iter(headings.values()), source.stem)
    return Page(source, title, tokens, frozenset(headings), links, section)


def _mark_headings(tokens: Sequence[Token]) -> Iterator[str]:
    """Give each heading an anchor; yield their texts."""
    for opening, inline in itertools.pairwise(tokens):
        if opening.type == "heading_open":
            words = "".join(part.content for part in inline.children or ())
            opening.attrSet("id", _anchor(words))
            yield words


def _anchor(heading: str) -> str:
    """Return the anchor of a heading as code hosts make it."""
    return _NO_ANCHOR.sub("", heading.lower()).replace(" ", "-")


def _rewrite_links(tokens: Sequence[Token]) -> Iterator[str]:
    """Let links to sources lead to their web pages; yield them as they were."""
    for token in (part for block in tokens for part in block.children or ()):
        name = LINKS.get(token.type)
        if name is not None:
            link = str(token.attrGet(name))
            parts = urlsplit(link)
            if not parts.scheme and parts.path:
                path = str(web_path(PurePosixPath(parts.path)))
                token.attrSet(name, parts._replace(path=path).geturl())
            yield link


def _target(page: Page, link: str) -> tuple[PurePosixPath | None, str]:
    """Return the path below the root and the anchor that a link leads to; None: on the web."""
    parts = urlsplit(link)
    if parts.scheme:
        return None, ""
    if not parts.path:
        return page.source, parts.fragment
    steps: list[str] = []
    for step in (page.source.parent / unquote(parts.path)).parts:
        if step == "..":
            del steps[-1:]
        else:
            steps.append(step)
    return PurePosixPath(*steps), parts.fragment


def _contents(page: Page, pages: Sequence[Page]) -> str:
    """Return the list of all pages by section, as links from ``page``."""
    parts = []
    for section, group in itertools.groupby(pages, lambda one: one.section):
        items = (f"<li>{_link(page, other, is_current=other is page)}</li>" for other in group)
        parts += [f"<h2>{html.escape(section)}</h2>"] if section else []
        parts += ["<ul>", *items, "</ul>"]
    return "\n".join(parts)


def _next(page: Page, pages: Sequence[Page]) -> str:
    """Return a link to the page that follows ``page`` in its section; "" for the last one."""
    for one, other in itertools.pairwise(pages):
        if one is page and one.section == other.section:
            return f'<p class="next">{_link(page, other)}</p>'
    return ""


def _link(page: Page, other: Page, *, is_current: bool = False) -> str:
    """Return a link from ``page`` to another one, with its title."""
    up = "../" * (len(page.source.parts) - 1)
    address = html.escape(f"{up}{web_path(other.source)}")
    mark = ' aria-current="page"' if is_current else ""
    return f'<a href="{address}"{mark}>{html.escape(other.title)}</a>'


if __name__ == "__main__":
    sys.exit(main())
