"""The command line: finds the command, turns errors into one sentence and an exit code.

Exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted.
"""

from __future__ import annotations

import argparse
import logging
from collections.abc import Sequence
from importlib import import_module
from typing import Final, NoReturn

from musicrel.cli import output
from musicrel.errors import MusicrelError, UsageError, readable, torch_may_be_missing

# All commands, and what they do.
COMMANDS: Final = {
    "generate": "write chorales",
    "harmonise": "write three voices to a melody or to the soprano of a piece",
    "infill": "rewrite some voices of a piece over some steps",
    "continue": "write more bars at the end of a piece",
    "vary": "rewrite some of the notes of a piece",
    "evaluate": "measure how well a model predicts notes, in nats per note",
    "diagnose": "test a model for hidden defects",
    "ablate": "measure what the heads of a model do for a note or a piece",
    "grade": "measure how close chorales come to Bach",
    "models": "list the available models",
    "play": "play a piece",
    "convert": "convert a piece to another file format",
    "plot": "draw a piece, the attention of a model in it, or the curves of a study",
    "train": "train a model from a recipe",
    "compare": "run a study: compare models over several seeds",
    "check": "check that all models work on a device of this machine",
    "verify": "check that models, corpus, runs and projects are undamaged",
    "bench": "measure how fast this machine writes, renders sound and draws",
}
# Modules of ``commands``, and their commands.
_MODULES: Final = {
    "writing": ("generate", "harmonise", "infill", "continue", "vary"),
    "measuring": ("evaluate", "diagnose", "grade"),
    "ablate": ("ablate",),
    "checks": ("models", "check", "verify", "bench"),
    "pieces": ("play", "convert"),
    "plot": ("plot",),
    "training": ("train", "compare"),
}
_FIRST_PIECE: Final = "musicrel-first-piece"
_FAILED: Final = 1
_WRONG_USAGE: Final = 2
_INTERRUPTED: Final = 130


def main(words: Sequence[str]) -> int:
    logging.basicConfig(format="%(message)s", level=logging.WARNING)
    output.forget_reports()
    try:
        try:
            return _run(words)
        finally:
            output.flush()
    except output.OutputError as reason:
        output.discard()
        if not reason.reader_is_gone:
            output.print_message(f"musicrel: {reason}")
        return _FAILED


def write_first_piece() -> int:
    """Write a chorale into a folder below the current one, without a display; return the code."""
    output.print_message(
        "There is no display to open the window on, so here is a chorale as files instead; "
        "'musicrel --help' lists the commands that need none."
    )
    words = ["generate", "--bars", "8", "--phrases", "2,2,2,2", "--out", f"{_FIRST_PIECE}/"]
    return main([*words, "--format", "mid,musicxml,json,svg,png"])


def _run(words: Sequence[str]) -> int:
    parser = parser_of(words[:1])
    for word in words:
        if word.startswith("--") and word.endswith("=--"):  # argparse makes it a list
            parser.error(f"argument {word[:-3]}: expected a value")
    try:
        options = parser.parse_args(words)
        with torch_may_be_missing():
            code: int | None = options.run(options)
    except KeyboardInterrupt:
        output.print_message("interrupted")
        return _INTERRUPTED
    except (MusicrelError, OSError) as reason:
        text = str(reason) if isinstance(reason, MusicrelError) else _description(reason)
        output.print_message(f"musicrel {words[0]}: {text}")
        return _WRONG_USAGE if isinstance(reason, UsageError) else _FAILED
    return code or 0


def _description(reason: OSError) -> str:
    text = reason.strerror or str(reason) or type(reason).__name__
    named = f"{text}: {reason.filename}" if reason.filename is not None else text
    return f"the system reports: {readable(named)}"


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Print the message and exit; one about the value of an option goes without the usage."""
        if ": invalid " in message:
            self.exit(_WRONG_USAGE, f"{self.prog}: {readable(message)}\n")
        super().error(readable(message))


class _PrintVersions(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_arguments: object) -> None:
        from musicrel.presentation.words.versions import versions

        output.print_text("\n".join(f"{name} {version}" for name, version in versions().items()))
        parser.exit()


def parser_of(chosen: Sequence[str]) -> argparse.ArgumentParser:
    parser = _Parser(
        prog="musicrel",
        description="Four-voice chorales by vanilla and relative-attention transformers. "
        "Without a command the app opens. 'musicrel COMMAND --help' lists a command's options.",
    )
    parser.add_argument(
        "--version", action=_PrintVersions, nargs=0, help="print the versions of all parts"
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, summary in COMMANDS.items():
        command = commands.add_parser(name, help=summary, description=summary)
        if name in chosen:
            from musicrel.cli import arguments

            module = next(module for module, inside in _MODULES.items() if name in inside)
            found = import_module(f"musicrel.cli.commands.{module}").COMMANDS[name]
            arguments.add(command, found)
    return parser
