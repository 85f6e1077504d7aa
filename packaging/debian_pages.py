"""The pages that every Debian package has: the manual page and the package's changelog."""

from __future__ import annotations

import gzip
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Final

from musicrel.cli.main import COMMANDS

MAINTAINER: Final = "The musicrel authors <authors@musicrel.invalid>"

_CHANGELOG: Final = """\
{package} ({version}) stable; urgency=medium

  * Version {version}: the guides, which Help opens, list its changes.

 -- {maintainer}  {date}
"""
_MANUAL: Final = r"""
.TH MUSICREL 1 "" "musicrel {version}" "User commands"
.SH NAME
musicrel \- desktop studio for four\-voice chorales
.SH SYNOPSIS
.B musicrel
.RI [ FILE ]
.br
.B musicrel
.I COMMAND
.RI [ OPTIONS ]
.SH DESCRIPTION
Without a command the window opens, with
.I FILE
if it is given: a project (.musicrel), MIDI, MusicXML or JSON.
.B musicrel
.I COMMAND
.B \-\-help
lists the options of a command.
.SH COMMANDS
{commands}.SH EXIT STATUS
0 done, 1 failed, 2 wrong usage, 130 interrupted.
""".lstrip()


def changelog(package: str, version: str, epoch: int) -> bytes:
    """Return the compressed changelog of a package.

    Args:
        package: its name.
        version: of the program.
        epoch: its time in seconds.
    """
    date = format_datetime(datetime.fromtimestamp(epoch, UTC))
    text = _CHANGELOG.format(package=package, version=version, maintainer=MAINTAINER, date=date)
    return _packed(text)


def manual(version: str) -> bytes:
    """Return the compressed manual page of the program."""
    lines = [f".TP\n.B {name}\n{summary}\n" for name, summary in COMMANDS.items()]
    return _packed(_MANUAL.format(version=version, commands="".join(lines)))


def _packed(text: str) -> bytes:
    return gzip.compress(text.encode("utf-8"), 9, mtime=0)
