"""Parts of all scripts: their exit code, tables of Markdown, and pages of stored figures."""

from __future__ import annotations

import json
import shlex
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, Final, NamedTuple

from musicrel import paths
from musicrel.errors import MusicrelError

RESULTS: Final = Path(__file__).parent / "results"


def script(run: Callable[[Sequence[str]], None]) -> Callable[..., int]:
    """Return a function that runs a script with its arguments and returns its exit code.

    An expected error is printed in one sentence.
    """

    @wraps(run)
    def main(words: Sequence[str] | None = None) -> int:
        try:
            run(sys.argv[1:] if words is None else words)
        except MusicrelError as reason:
            print(reason, file=sys.stderr)
            return 1
        return 0

    return main


def parser(name: str, description: str | None) -> ArgumentParser:
    kind = RawDescriptionHelpFormatter
    return ArgumentParser(
        prog=f"python -m training.{name}", description=description, formatter_class=kind
    )


def command(name: str, words: Sequence[str]) -> str:
    """Return the line that runs a script again; of absolute paths the name alone."""
    named = [Path(word).name if Path(word).is_absolute() else word for word in words]
    return f"python -m training.{name} {shlex.join(named)}"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def write_asset(name: str, content: Mapping[str, Any]) -> Path:
    target = paths.assets() / name
    paths.write_text(target, json.dumps(content, indent=1) + "\n")
    return target


class Page(NamedTuple):
    """Figures of writers, or of ways of reading, in sections: a JSON file and its tables."""

    name: str  # of both files, without suffix
    title: str
    introduction: str
    body: Callable[[str, Mapping[str, Any]], str]  # returns the tables of a section

    def store(self, section: str, command: str, found: Mapping[str, Any]) -> None:
        """Add figures to those of a section; earlier ones of the same writer are replaced."""
        file = RESULTS / f"{self.name}.json"
        stored: dict[str, Any] = json.loads(file.read_text("utf-8")) if file.exists() else {}
        entries = stored.setdefault(section, {})
        entries |= {writer: {"command": command, "figures": one} for writer, one in found.items()}
        paths.write_text(file, json.dumps(stored, indent=1) + "\n")
        paths.write_text(file.with_suffix(".md"), self.markdown(stored))

    def markdown(self, stored: Mapping[str, Any]) -> str:
        parts = [f"# {self.title}", self.introduction]
        for section, entries in stored.items():
            commands = dict.fromkeys(entry["command"] for entry in entries.values())
            figures = {writer: entry["figures"] for writer, entry in entries.items()}
            listed = "\n".join(f"    {command}" for command in commands)
            parts += [f"## {section}", listed, self.body(section, figures)]
        return "\n\n".join(parts) + "\n"
