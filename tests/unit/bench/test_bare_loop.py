"""The bare loop in C, which need not be compilable."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from musicrel.bench import bare_loop, workloads
from musicrel.bench.bare_loop import BareLoop, CompilerError

CONFIG = workloads.config("relative", 8, width=16, layers=1)


@pytest.fixture(autouse=True)
def _compiled_again() -> Iterator[None]:
    """Compile in every test."""
    bare_loop.library.cache_clear()
    yield
    bare_loop.library.cache_clear()


@pytest.fixture
def only_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Leave a single compiler, which fails and prints two lines."""
    compiler = tmp_path / "clang"
    compiler.write_text("#!/bin/sh\necho 'no header found' >&2\necho 'stopped' >&2\nexit 1\n")
    compiler.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    return compiler


@pytest.mark.parametrize("scheme", ["relative", "sinusoidal"])
def test_it_decodes_all_tokens(scheme: str) -> None:
    """Again and again, where it can be compiled."""
    if bare_loop.missing():
        pytest.skip(bare_loop.missing())
    loop = BareLoop(workloads.config(scheme, 8, width=16, layers=1), 8)

    last = [loop.decode() for _ in range(3)]

    assert all(0 <= token < CONFIG.tokens for token in last)


def test_the_last_token_depends_on_random_numbers() -> None:
    """They are drawn for every token, so that nothing is left out by the compiler."""
    if bare_loop.missing():
        pytest.skip(bare_loop.missing())
    loop = BareLoop(CONFIG, 8)

    assert len({loop.decode() for _ in range(20)}) > 1


def test_without_a_compiler_there_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Nothing is decoded."""
    monkeypatch.setenv("PATH", str(tmp_path))

    assert bare_loop.missing() == (
        "the bare loop in C is not measured, nor any share of it: there is no C compiler here "
        "(looked for cc, gcc and clang)"
    )
    with pytest.raises(CompilerError, match="there is no C compiler here"):
        BareLoop(CONFIG, 8)


@pytest.mark.skipif(os.name == "nt", reason="a script is no program there")
def test_a_compiler_that_fails_is_named(only_compiler: Path) -> None:
    """With the first line that it prints."""
    assert bare_loop.missing() == (
        "the bare loop in C is not measured, nor any share of it: "
        f"{only_compiler} does not compile it (no header found)"
    )
