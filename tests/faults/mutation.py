"""Mutations of files: of their bytes, and of the tokens of a text."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from numpy.random import Generator

MAX_BYTES: Final = 400_000
"""Size at which a mutation stops to grow."""
_MAX_CHANGES: Final = 4
_SHARE_OF_TOKENS: Final = 0.8
"""Share of the texts whose tokens change: other changes rarely pass the first parser."""
_BEGINNING: Final = 40
"""Number of bytes that decide whether a file is a text."""
_TOKENS: Final = re.compile(rb"-?\d+(?:\.\d+)?|\"[^\"\n]{0,80}\"|[A-Za-z_][\w-]*|[\[\]{}<>=,:/]")
_INTEGERS: Final = (0, 1, 2, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, 1 << 62)
_TEXTS: Final = (
    b"-1", b"0", b"1e999", b"-1e-999", b"NaN", b"Infinity", b"9007199254740993", b"1" + b"0" * 320,
    b"9" * 5000, b"0.1", b"true", b"null", b"{}", b"[]", b'""', b'"\\ud800"', b'"\\u0000"', b"nan",
    b"1" + b"0" * 20, b"-1" + b"0" * 20, b"1_000", b"1e300", b"-0.0",
    b"inf", b"[" * 3000, b"{" * 100, b"a." * 500 + b"a", b"\xff\xfe", b"\x00", b"\xed\xa0\x80",
    b'"' + b"x" * 5000 + b'"', b"&amp;", b"<!--", b"\n", b"]]>", b'"../../etc"', b"2026-01-01",
)  # fmt: skip
"""Tokens that parsers stumble over."""

Change = Callable[[bytes, bytes, Generator], bytes]
"""Returns the first content changed; the second is another file of the format."""


def mutated(content: bytes, other: bytes, rng: Generator) -> bytes:
    """Return ``content`` with one to four changes.

    Args:
        content: a file.
        other: another file, parts of which are spliced in.
        rng: the source of all choices.
    """
    changes = _OF_BYTES
    if content[:_BEGINNING].isascii() and rng.random() < _SHARE_OF_TOKENS:
        changes = _OF_TOKENS
    for _ in range(min(rng.geometric(0.5), _MAX_CHANGES)):
        change = changes[rng.integers(len(changes))]
        content = change(content, other, rng)[:MAX_BYTES]
    return content


def _flip_bits(content: bytes, _other: bytes, rng: Generator) -> bytes:
    changed = bytearray(content)
    for _ in range(rng.integers(1, 9) if content else 0):
        changed[rng.integers(len(changed))] ^= 1 << int(rng.integers(8))
    return bytes(changed)


def _truncate(content: bytes, _other: bytes, rng: Generator) -> bytes:
    return content[: rng.integers(len(content) + 1)]


def _splice(content: bytes, other: bytes, rng: Generator) -> bytes:
    return content[: rng.integers(len(content) + 1)] + other[rng.integers(len(other) + 1) :]


def _duplicate(content: bytes, _other: bytes, rng: Generator) -> bytes:
    start, stop = _range(content, rng)
    return content[:stop] + content[start:stop] * int(rng.integers(1, 20)) + content[stop:]


def _delete(content: bytes, _other: bytes, rng: Generator) -> bytes:
    start, stop = _range(content, rng)
    return content[:start] + content[stop:]


def _set_integer(content: bytes, _other: bytes, rng: Generator) -> bytes:
    size = int(rng.choice([1, 2, 4, 8]))
    value = _INTEGERS[rng.integers(len(_INTEGERS))] % (1 << 8 * size)
    place = int(rng.integers(len(content) + 1))
    order = ("little", "big")[rng.integers(2)]
    written = value.to_bytes(size, "little" if order == "little" else "big")
    return content[:place] + written + content[place + size :]


def _replace_token(content: bytes, _other: bytes, rng: Generator) -> bytes:
    return _with_token(content, rng, _TEXTS)


def _exchange_token(content: bytes, other: bytes, rng: Generator) -> bytes:
    return _with_token(content, rng, _TOKENS.findall(other[:20_000]) or _TEXTS)


def _exchange_alike(content: bytes, other: bytes, rng: Generator) -> bytes:
    """Replace a token by one of the same kind, so that the syntax stays valid."""
    found = _TOKENS.search(content, int(rng.integers(len(content) + 1)))
    if found is None:
        return content
    kind = _kind(found[0])
    alike = [one for one in (*_TOKENS.findall(other[:20_000]), *_TEXTS) if _kind(one) == kind]
    new = alike[rng.integers(len(alike))] if alike else b""
    return content[: found.start()] + new + content[found.end() :]


def _kind(token: bytes) -> str:
    first = token[:1].lstrip(b"-")
    return "number" if first.isdigit() else "name" if first.isalpha() else first.decode("latin-1")


def _with_token(content: bytes, rng: Generator, tokens: Sequence[bytes]) -> bytes:
    found = _TOKENS.search(content, int(rng.integers(len(content) + 1)))
    if found is None:
        return content
    return (
        content[: found.start()] + tokens[int(rng.integers(len(tokens)))] + content[found.end() :]
    )


def _range(content: bytes, rng: Generator) -> tuple[int, int]:
    start = int(rng.integers(len(content) + 1))
    return start, start + int(rng.integers(1, 2 ** rng.integers(1, 12)))


_OF_BYTES: Final[tuple[Change, ...]] = (
    _flip_bits, _truncate, _splice, _duplicate, _delete, _set_integer,
)  # fmt: skip
_OF_TOKENS: Final[tuple[Change, ...]] = (
    _replace_token, _exchange_token, _exchange_alike, _exchange_alike, _exchange_alike,
)  # fmt: skip
