"""The command line: finds the command, turns errors into one sentence and an exit code.

Exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted.
"""

from __future__ import annotations

import argparse
import logging
from collections.abc import Sequence
from typing import Final

from musicrel.cli import output
from musicrel.cli.commands import (
    bench,
    compare,
    continue_,
    convert,
    diagnose,
    evaluate,
    generate,
    grade,
    harmonise,
    infill,
    models,
    play,
    plot,
    train,
    vary,
)
from musicrel.errors import MusicrelError, UsageError

COMMANDS: Final = {
    "generate": (generate, "write chorales"),
    "harmonise": (harmonise, "write three voices to a melody or to the soprano of a piece"),
    "infill": (infill, "rewrite some voices of a piece over some steps"),
    "continue": (continue_, "write more bars at the end of a piece"),
    "vary": (vary, "rewrite some of the notes of a piece"),
    "evaluate": (evaluate, "measure how well a model predicts notes, in nats per note"),
    "diagnose": (diagnose, "test a model for hidden defects"),
    "grade": (grade, "measure how close chorales come to Bach"),
    "models": (models, "list the available models"),
    "play": (play, "play a piece"),
    "convert": (convert, "convert a piece to another file format"),
    "plot": (plot, "draw a piece, the attention of a model in it, or the curves of a study"),
    "train": (train, "train a model from a recipe"),
    "compare": (compare, "run a study: compare models over several seeds"),
    "bench": (bench, "measure how fast this machine writes, renders sound and draws"),
}
_FAILED: Final = 1
_WRONG_USAGE: Final = 2
_INTERRUPTED: Final = 130


def main(words: Sequence[str]) -> int:
    """Run the command that ``words`` name and return its exit code."""
    logging.basicConfig(format="%(message)s", level=logging.WARNING)
    try:
        try:
            return _run(_parser().parse_args(words))
        finally:
            output.flush()
    except output.OutputError as reason:
        output.discard()
        if not reason.reader_is_gone:
            output.print_message(f"musicrel: {reason}")
        return _FAILED


def _run(options: argparse.Namespace) -> int:
    """Run a command and return its exit code; an error becomes one sentence."""
    try:
        code: int = options.run(options)
    except UsageError as reason:
        output.print_message(f"musicrel {options.command}: {reason}")
        return _WRONG_USAGE
    except MusicrelError as reason:
        output.print_message(f"musicrel {options.command}: {reason}")
        return _FAILED
    except KeyboardInterrupt:
        output.print_message("interrupted")
        return _INTERRUPTED
    except OSError as reason:
        problem = _description(reason)
        output.print_message(f"musicrel {options.command}: the system reports: {problem}")
        return _FAILED
    return code


def _description(reason: OSError) -> str:
    """Return the system's text for an error, with the file's name if there is one."""
    text = reason.strerror or str(reason) or type(reason).__name__
    return f"{text}: {reason.filename}" if reason.filename is not None else text


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="musicrel",
        description="Four-voice chorales by vanilla and relative-attention transformers. "
        "Without a command the app opens. 'musicrel COMMAND --help' lists a command's options.",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, (module, summary) in COMMANDS.items():
        command = commands.add_parser(name, help=summary, description=summary)
        module.add(command)
        command.set_defaults(run=module.run)
    return parser
