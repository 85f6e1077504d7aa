"""Decoders of other libraries, which need not be installed."""

from __future__ import annotations

import pytest

from musicrel.bench import peers, workloads


@pytest.mark.parametrize(
    ("installed", "named"),
    [
        ((), "transformers and x-transformers"),
        (("transformers",), "x-transformers"),
        (("x_transformers",), "transformers"),
    ],
)
def test_missing_libraries_are_named_with_the_extra_that_installs_them(
    monkeypatch: pytest.MonkeyPatch, installed: tuple[str, ...], named: str
) -> None:
    """Those that are there are not."""
    monkeypatch.setattr(peers, "find_spec", lambda module: module in installed)

    assert peers.missing() == (
        f"the decoders of {named} are not measured, they are not installed here: install musicrel "
        "with its extra, as in pip install 'musicrel[bench]'"
    )


def test_nothing_is_said_where_all_are_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are measured."""
    monkeypatch.setattr(peers, "find_spec", lambda _: True)

    assert peers.missing() == ""


def test_without_the_libraries_there_are_no_peers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is imported."""
    monkeypatch.setattr(peers, "find_spec", lambda _: None)

    assert peers.found(workloads.config("sinusoidal", 8), 8, "cpu") == {}


@pytest.mark.slow
def test_every_peer_decodes_the_tokens_asked_for() -> None:
    """With a small model."""
    for package in ("transformers", "x_transformers"):
        pytest.importorskip(package, reason="the extra bench is not installed")
    config = workloads.config("sinusoidal", 8, width=16, layers=1)

    found = peers.found(config, 4, "cpu")

    assert len(found) == 3
    for decode in found.values():
        decode()
