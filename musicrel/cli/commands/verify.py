"""``musicrel verify``: check that models, corpus, runs and projects are as they were written."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from musicrel import jobs
from musicrel.cli import output
from musicrel.cli.options import arguments
from musicrel.errors import readable

if TYPE_CHECKING:
    from musicrel.checkup.verification import Item, Verified


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what",
        nargs="*",
        metavar="MODEL|PATH",
        help="the name of a model, 'corpus', a project, or a folder with models, runs, studies or "
        "projects (default: all models, the corpus, and your runs and studies)",
    )
    arguments.add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Verify and print a line for each item; return the exit code, 1 if one is damaged."""
    from musicrel.checkup import verification

    found: list[Verified] = []

    def show(one: Verified) -> None:
        found.append(one)
        if not options.json:
            output.print_text(_line(one), flush=True)

    jobs.run(verification.verify(_items(options.what)), show)
    damaged = sum(bool(one.problem) for one in found)
    if options.json:
        output.print_json({"items": [_entry(one) for one in found], "damaged": damaged})
    else:
        output.print_text(f"{len(found)} verified, {damaged} damaged")
    return int(damaged > 0)


def _items(names: list[str]) -> list[Item]:
    from musicrel.checkup import verification

    if not names:
        return verification.known()
    return [item for name in names for item in verification.named(name)]


def _line(one: Verified) -> str:
    path, text = str(one.item.path), one.problem or one.remark
    described = text if path in text else f"{path}: {text}" if text else path
    return f"{'damaged' if one.problem else 'intact':8} {one.item.kind:8} {readable(described)}"


def _entry(one: Verified) -> dict[str, str]:
    return {
        "kind": one.item.kind,
        "path": str(one.item.path),
        "problem": one.problem,
        "remark": one.remark,
    }
