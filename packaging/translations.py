"""Bring the translations of the window up to date with its texts.

    python packaging/translations.py [CODE ...]

Each file of ``assets/languages`` gets the texts that are new, without a translation, and loses
those that are gone; ``CODE``, as ``fr``, begins a file for another language. Qt Linguist edits
them, or any editor.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

from musicrel.ui import languages

ROOT: Final = Path(__file__).resolve().parent.parent

Message = tuple[str, str]
"""An English text, and its sense, where others are equal."""
_CONTEXT: Final = "musicrel"
_COUNT: Final = 2  # arguments of ``count``: a number and a noun


def main(codes: list[str]) -> int:
    """Update all files, and begin those that are asked for; return the exit code."""
    texts = tuple(find())
    for code in sorted({*languages.available()[1:], *codes}):
        path = languages.folder() / f"{code}{languages.SUFFIX}"
        known = languages.read(path) if path.exists() else {}
        path.write_text(written(code, texts, known), encoding="utf-8")
        missing = sum(not known.get(text) for text in texts)
        print(f"{path}: {len(texts)} texts, {missing} without a translation")
    return 0


def find() -> Iterator[Message]:
    """Yield the texts of the program once each, in the order of files and lines."""
    found: dict[Message, None] = {}
    for path in sorted((ROOT / "musicrel").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
        for call in sorted(calls, key=lambda node: (node.lineno, node.col_offset)):
            found |= dict.fromkeys(texts_of(call))
    yield from found


def texts_of(call: ast.Call) -> Iterator[Message]:
    """Yield the texts that a call of ``tr`` or ``count`` looks up.

    Raises:
        ValueError: the text of ``tr`` is not a literal.
    """
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    values = [one.value if isinstance(one, ast.Constant) else None for one in call.args]
    if name == "tr":
        text, *sense = values
        if not isinstance(text, str) or not all(isinstance(one, str) for one in sense):
            raise ValueError(f"line {call.lineno}: the text of tr() is no literal")
        yield text, str(*sense)
    elif name == "count" and len(values) == _COUNT and isinstance(values[1], str):
        yield from ((values[1], ""), (f"{values[1]}s", ""))


def written(code: str, texts: tuple[Message, ...], known: Mapping[Message, str]) -> str:
    """Return the file of a language, with the translations that are known."""
    root = ET.Element("TS", version="2.1", language=code, sourcelanguage="en")
    context = ET.SubElement(root, "context")
    ET.SubElement(context, "name").text = _CONTEXT
    for text, sense in texts:
        message = ET.SubElement(context, "message")
        ET.SubElement(message, "source").text = text
        if sense:
            ET.SubElement(message, "comment").text = sense
        translation = ET.SubElement(message, "translation")
        translation.text = known.get((text, sense), "")
        if not translation.text:
            translation.set("type", "unfinished")
    ET.indent(root, space="")
    body = ET.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n{body}\n'


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
