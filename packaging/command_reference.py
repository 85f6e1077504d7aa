"""The reference of the command line, made from the parsers of all commands."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import Final

from musicrel.cli import main as command_line

TITLE: Final = "# Command reference"
INTRODUCTION: Final = """\
`musicrel` opens the app, and `musicrel FILE` opens a project or a piece in it. `musicrel COMMAND`
runs one of the commands below; `musicrel COMMAND --help` prints its options.
[The command line](../cli.md) has examples and explains them.

The exit code is 0 if the command did its work, 1 if it failed, 2 if its arguments are wrong and 130
if it was interrupted. Results go to standard output, messages and progress to standard error.

This page is made from the code by `packaging/build_reference.py`."""
_HEAD: Final = "| argument | meaning |\n|---|---|"


def page() -> str:
    """Return the page in Markdown."""
    parts = [TITLE, INTRODUCTION, "\n".join(_contents())]
    for name in command_line.COMMANDS:
        parts += _command(f"musicrel {name}", parser_of(name), level=2)
    return "\n\n".join(parts) + "\n"


def parser_of(command: str) -> argparse.ArgumentParser:
    """Return the parser of one command with all its options."""
    whole = command_line.parser_of([command])
    return next(_subcommands(whole)).choices[command]


def _contents() -> Iterator[str]:
    """Yield a list of all commands with their summaries."""
    for name, summary in command_line.COMMANDS.items():
        yield f"- [`{name}`](#musicrel-{name}): {summary}"


def _command(name: str, parser: argparse.ArgumentParser, level: int) -> Iterator[str]:
    """Yield the parts of the description of a command, and of its own commands."""
    yield f"{'#' * level} {name}"
    if parser.description:
        yield _sentence(parser.description)
    inner = list(_subcommands(parser))
    if not inner:
        yield f"    {_usage(name, parser)}"
    yield from _tables(parser)
    for group in inner:
        for word, one in group.choices.items():
            yield from _command(f"{name} {word}", one, level + 1)


def _usage(name: str, parser: argparse.ArgumentParser) -> str:
    """Return the command with what it requires; argparse's own text differs between Pythons."""
    shown = _shown(parser._actions)  # noqa: SLF001  # argparse has no public list
    required = [_invocation(one) for one in shown if one.required and one.option_strings]
    places = [_value(one) for one in shown if not one.option_strings]
    return " ".join([name, *required, "[OPTIONS]", *places])


def _tables(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Yield a table of the arguments of each group, below the description of the group."""
    for group in parser._action_groups:  # noqa: SLF001  # argparse has no public list
        if group.description:
            yield f"**{_sentence(group.title or '')}** {_sentence(group.description)}"
        rows = [_row(one, parser) for one in _shown(group._group_actions)]  # noqa: SLF001
        if rows:
            yield "\n".join([_HEAD, *rows])


def _row(action: argparse.Action, parser: argparse.ArgumentParser) -> str:
    names = ", ".join(action.option_strings[:-1])
    first = f"`{names}, `" if names else ""
    invocation = _invocation(action).replace("|", "\\|")
    return f"| {first}`{invocation}` | {_help(action, parser)} |"


def _invocation(action: argparse.Action) -> str:
    """Return an option with its value, or the name of a positional argument."""
    value = _value(action)
    name = action.option_strings[-1] if action.option_strings else ""
    return f"{name} {value}".strip()


def _value(action: argparse.Action) -> str:
    """Return the name of the value of an argument; "" for a switch."""
    if action.nargs == 0:
        return ""
    if isinstance(action.metavar, str):
        name = action.metavar
    elif action.choices is not None:
        name = "|".join(str(choice) for choice in action.choices)
    else:
        name = action.dest.upper()
    return {"*": f"[{name} ...]", "+": f"{name} ...", "?": f"[{name}]"}.get(str(action.nargs), name)


def _help(action: argparse.Action, parser: argparse.ArgumentParser) -> str:
    """Return what an argument means, with its default filled in."""
    fields = {**vars(action), "prog": parser.prog}
    text = (action.help or "") % fields
    for sign in "|<>*_":
        text = text.replace(sign, f"\\{sign}")
    return f"{text}; required" if action.required and action.option_strings else text


def _shown(actions: Sequence[argparse.Action]) -> list[argparse.Action]:
    """Return the arguments that a user can give."""
    hidden = (argparse._HelpAction, argparse._SubParsersAction)  # noqa: SLF001  # their only names
    return [
        one for one in actions if one.help is not argparse.SUPPRESS and not isinstance(one, hidden)
    ]


def _subcommands(
    parser: argparse.ArgumentParser,
) -> Iterator[argparse._SubParsersAction[argparse.ArgumentParser]]:
    for action in parser._actions:  # noqa: SLF001  # argparse has no public list
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001  # its only name
            yield action


def _sentence(text: str) -> str:
    """Return a text with a capital letter and a full stop."""
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", ":")) else f"{text}."
