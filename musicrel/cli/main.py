"""The command line: finds the command, turns errors into one sentence and an exit code.

0 done, 1 failed, 2 wrong usage, 130 interrupted.

This file knows the commands' names; what they do stands in their own files.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
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
    "harmonise": (harmonise, "write three voices to a melody, or anew to a piece's"),
    "infill": (infill, "write some voices of a piece anew over some steps"),
    "continue": (continue_, "write more bars at the end of a piece"),
    "vary": (vary, "write some of the notes of a piece anew"),
    "evaluate": (evaluate, "measure how well a model foretells notes, in nats a note"),
    "diagnose": (diagnose, "look for what is wrong with a model"),
    "grade": (grade, "measure how near chorales come to Bach"),
    "models": (models, "list the models at hand"),
    "play": (play, "let a piece be heard"),
    "convert": (convert, "turn a piece into another kind of file"),
    "plot": (plot, "draw a piece, what a model looks at in it, or how a study learned"),
    "train": (train, "train a model after a recipe"),
    "compare": (compare, "carry out a study: which kind of model is better, over several seeds"),
    "bench": (bench, "measure how fast this machine writes, sounds and draws"),
}
_FAILED: Final = 1
_WRONG_USAGE: Final = 2
_INTERRUPTED: Final = 130


def main(words: Sequence[str]) -> int:
    """Run the command that ``words`` name; the exit code."""
    logging.basicConfig(format="%(message)s", level=logging.WARNING)
    asked = _parser().parse_args(words)
    try:
        code: int = asked.run(asked)
    except UsageError as reason:
        output.note(f"musicrel {asked.command}: {reason}")
        return _WRONG_USAGE
    except MusicrelError as reason:
        output.note(f"musicrel {asked.command}: {reason}")
        return _FAILED
    except KeyboardInterrupt:
        output.note("interrupted")
        return _INTERRUPTED
    except OSError as reason:  # our own output: its reader has gone, or its disk is full
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(reason, BrokenPipeError):
            output.note(f"musicrel {asked.command}: {reason}")
        return _FAILED
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="musicrel",
        description="Four-voice chorales by vanilla and relative-attention transformers. "
        "Without a command the app opens. musicrel COMMAND --help tells more of each.",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, (module, says) in COMMANDS.items():
        command = commands.add_parser(name, help=says, description=says)
        module.add(command)
        command.set_defaults(run=module.run)
    return parser
