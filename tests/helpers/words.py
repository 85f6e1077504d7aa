"""Find words of version 1's private vocabulary; offences are lines ``file:line: what``."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]

# Identifiers of version 1. The English words among them are avoided as names of code, too: each
# has a term of the field that a reader would search for.
_LIST: Final = """
House Studio Desk ModelShelf Told Stepper Endings Turning Stock Wish Wishes Wished Weighing
Foresight Hearing Proposal Proposals Conductor Saying Beginning Finishing
proposing wishing keeping looking listening telling settling filing warming asking pencil
playing_in garbage conductor dress wish wishes wished steering beginning begins finishing
measuring own_data adoption astray weighing weighed told said heard say says hear hears widened
foresight hearing products stepper turned replays endings ways chance chances settled sing sings
sung RESUNG attending blind FREELY patience stir stirred penned yardstick proposal proposals
anew at_home foretells foretold counterpoint_around house studio desk
"""
IDENTIFIERS: Final = frozenset(_LIST.split())

# Words of prose: docstrings, comments, messages and documents. Patterns match whole words in any
# case.
PROSE: Final = (
    "told", "tells?", "telling", "said", "(?<!not enough to )says?(?! which is better)", "saying",
    "heard", "hears?", "hearing", "anew",
    "foretells?", "foretold", "weighed", "weighing", "wish(?:es|ed|ing)?", "comes? home",
    "came home", "comes? along", "at home", "astray", "sung", "sings?", "sang", "shall", "whoever",
    "by chance", "left to itself", "left to themselves", "all anew", "the floor", "conductor",
    "yardstick", "knows nothing", "this file knows", "no numbers", "go(?:es)? on in", "patience",
    "for ever", "as they will", "one another's", "lets? be", "at hand", "ear", "broken off",
    "breaks? off", "(?<!there )(?:is|are) no (?:table|list|text|multiple|JSON)",
)  # fmt: skip

# Docstrings begin with an imperative verb or a noun, and no sentence opens with a relative clause.
OPENINGS: Final = ("What", "How", "Whether", "Where", "Which", "Why", "When", "As", "Who", "Whose")

_PROSE: Final = re.compile(rf"\b(?:{'|'.join(PROSE)})\b", re.IGNORECASE)
_CODE: Final = re.compile(r"``.*?``|`[^`]*`|\{[^{}]*\}|https?://\S+|--[a-z-]+", re.DOTALL)
_SENTENCE: Final = re.compile(rf"(?:^|[.!?]\s+)({'|'.join(OPENINGS)})\b(?![^.!?]*\?)")


def identifiers(path: Path) -> Iterator[str]:
    for token in tokenize.generate_tokens(io.StringIO(path.read_text("utf-8")).readline):
        if token.type == tokenize.NAME and token.string in IDENTIFIERS:
            yield _hit(path, token.start[0], f"identifier {token.string!r}")


def prose(path: Path, *, messages: bool = True) -> Iterator[str]:
    text = path.read_text("utf-8")
    strings = _docstrings(text)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT or (messages and _is_message(token)):
            yield from _words(path, token.start[0], token.string)
    if not messages:
        for line, docstring in strings:
            yield from _words(path, line, docstring)


def openings(path: Path) -> Iterator[str]:
    for line, docstring in _docstrings(path.read_text("utf-8")):
        for match in _SENTENCE.finditer(_CODE.sub("x", docstring)):
            yield _hit(path, line, f"a sentence opens with {match[1]!r}")


def document(path: Path) -> Iterator[str]:
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        yield from _words(path, number, line)


def _is_message(token: tokenize.TokenInfo) -> bool:
    return token.type == tokenize.STRING and " " in token.string


def _docstrings(text: str) -> Iterator[tuple[int, str]]:
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, kinds) and (docstring := ast.get_docstring(node)):
            yield node.body[0].lineno, docstring


def _words(path: Path, line: int, text: str) -> Iterator[str]:
    plain = _CODE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    for match in _PROSE.finditer(plain):
        yield _hit(path, line + plain.count("\n", 0, match.start()), f"word {match[0]!r}")


def _hit(path: Path, line: int, what: str) -> str:
    return f"{path.relative_to(ROOT).as_posix()}:{line}: {what}"
