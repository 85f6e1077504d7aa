"""``musicrel verify``: check that models, corpus, runs and projects are as they were written."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from musicrel import jobs
from musicrel.cli import output
from musicrel.cli.options import arguments
from musicrel.cli.options.arguments import argument
from musicrel.errors import readable

if TYPE_CHECKING:
    from musicrel.checkup.verification import Verified


def add(parser: argparse.ArgumentParser) -> None:
    what = argument(
        "what",
        "the name of a model, 'corpus', a project, or a folder with models, runs, studies or "
        "projects (default: all models, the corpus, and your runs and studies)",
        nargs="*",
        metavar="MODEL|PATH",
    )
    arguments.add(parser, (what, arguments.JSON))


def run(options: argparse.Namespace) -> int:
    from musicrel.checkup import verification

    found: list[Verified] = []

    def show(one: Verified) -> None:
        found.append(one)
        if not options.json:
            output.print_text(_line(one), flush=True)

    named = [item for name in options.what for item in verification.named(name)]
    jobs.run(verification.verify(named if options.what else verification.known()), show)
    damaged = sum(bool(one.problem) for one in found)
    if options.json:
        items = [
            {
                "kind": one.item.kind,
                "path": str(one.item.path),
                "problem": one.problem,
                "remark": one.remark,
            }
            for one in found
        ]
        output.print_json({"items": items, "damaged": damaged})
    else:
        output.print_text(f"{len(found)} verified, {damaged} damaged")
    return int(damaged > 0)


def _line(one: Verified) -> str:
    path, text = str(one.item.path), one.problem or one.remark
    described = text if path in text else f"{path}: {text}" if text else path
    return f"{'damaged' if one.problem else 'intact':8} {one.item.kind:8} {readable(described)}"
