"""Text of SOURCE.md: the corpus's origin, the rules of conversion, the works left out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from training import allocation, corpus_facts, key_votes, music21_reader
from training.allocation import Allocation
from training.corpus_facts import Pieces
from training.music21_reader import Reading

_HEAD = """# The bundled chorales

`chorales.npz` holds Johann Sebastian Bach's four-part chorales on the sixteenth grid. It is made
by `python -m training.build_corpus` from the corpus that comes with music21 {version}; do not edit
it or this file by hand. The music is in the public domain; the encodings are not ours:

**These data are not under the MIT licence of the program.** They stand under the terms music21
states for its corpus (`music21/corpus/license.txt`), quoted here:

{notice}
"""

_READING = """## How the files were read

{reader}

### The key

{key}

### Titles

A title is the number in Bach's works list, as music21 names its files, and the hymn's first line
where music21's table of the Riemenschneider edition has it.

### What did not fit
"""

_SPLITTING = """## Splits, duplicates, leaks

{allocation}

`works.csv` (in `training/`) maps the pieces of the published JSB16 data set to works. JSB16 itself
is used only to measure; none of it is in this folder. Thresholds:
{thresholds}.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """The contents of the note."""

    version: str
    notice: str  # the text of music21's corpus notice
    readings: Mapping[str, Reading]
    refused: Mapping[str, str]  # file -> the reason for the refusal
    allocation: Allocation  # the split of each file
    pieces: Pieces  # the corpus as written
    jsb: Pieces  # the pieces of JSB16, to measure overlaps with


def text(sources: Sources) -> str:
    """Format the whole note as Markdown."""
    return (
        "\n\n".join(
            part.strip()
            for part in (
                _HEAD.format(version=sources.version, notice=_quoted(sources.notice)),
                "## Size\n\n" + corpus_facts.size_table(sources.pieces),
                _overlaps(sources),
                _READING.format(
                    reader=_rules(music21_reader.__doc__), key=_rules(key_votes.__doc__)
                ),
                _exceptions(sources.readings),
                _SPLITTING.format(allocation=_rules(allocation.__doc__), thresholds=_thresholds()),
                _left_out(sources),
                _facts(sources.pieces),
            )
        )
        + "\n"
    )


def _quoted(notice: str) -> str:
    lines = [line.lstrip("#- ").rstrip() for line in notice.splitlines()]
    paragraphs = re.sub(r"\n{2,}", "\n\n", "\n".join(lines)).strip()
    return "\n".join(f"> {line}".rstrip() for line in paragraphs.splitlines())


def _rules(docstring: str | None) -> str:
    """Return the rules in a module's docstring: all after its first paragraph."""
    paragraphs = (docstring or "").strip().split("\n\n")
    return "\n\n".join(paragraphs[1:])


def _thresholds() -> str:
    return (
        f"same piece {allocation.SAME_PIECE}, same setting {allocation.SAME_SETTING}, "
        f"leak {allocation.LEAK}, sure match {allocation.SURE_MATCH}, "
        f"runs of {allocation.RUN_INTERVALS} intervals"
    )


def _overlaps(sources: Sources) -> str:
    ours, jsb = sources.pieces, sources.jsb
    table = corpus_facts.overlap_table(
        [
            ("valid", ours["valid"], "train", ours["train"]),
            ("test", ours["test"], "train", ours["train"]),
            ("test", ours["test"], "valid", ours["valid"]),
            ("JSB16 valid", jsb["valid"], "train", ours["train"]),
            ("JSB16 test", jsb["test"], "train", ours["train"]),
            ("JSB16 train", jsb["train"], "train", ours["train"]),
            ("valid", ours["valid"], "JSB16 train", jsb["train"]),
            ("test", ours["test"], "JSB16 train", jsb["train"]),
            ("JSB16 valid", jsb["valid"], "JSB16 train", jsb["train"]),
            ("JSB16 test", jsb["test"], "JSB16 train", jsb["train"]),
        ]
    )
    return (
        "## Overlap\n\nShare of four-voice chunks (in any key, one at every step) found in "
        f"another set; 16, 32, 64 steps are 1, 2, 4 bars of 4/4.\n\n{table}"
    )


def _exceptions(readings: Mapping[str, Reading]) -> str:
    off_grid = {name: r for name, r in readings.items() if r.off_grid}
    crooked = {name: r for name, r in readings.items() if r.bar_lines_off}
    silent = {name: r for name, r in readings.items() if r.silent_bars_cut}
    return "\n".join(
        [
            f"{len(readings)} files could be read. In brackets, how many a file has of:",
            "",
            "- thirty-seconds that begin between two steps, and how many of them are lost: "
            + _listed({name: f"{r.off_grid}, {r.lost}" for name, r in off_grid.items()}),
            "- bars off the meter: "
            + _listed({name: str(r.bar_lines_off) for name, r in crooked.items()}),
            "- bars of silence taken out: "
            + _listed({name: str(r.silent_bars_cut) for name, r in silent.items()}),
        ]
    )


def _left_out(sources: Sources) -> str:
    sections = {
        "Refused": sources.refused,
        "Counted once, as": sources.allocation.duplicates,
        "Left out of train for what they share with valid or test": sources.allocation.leaks,
        "Put where an uncertain piece of JSB16 is": sources.allocation.moved,
    }
    return "\n\n".join(
        f"### {title} ({len(entries)})\n\n"
        + "\n".join(f"- {name}: {reason}" for name, reason in entries.items())
        for title, entries in sections.items()
    )


def _facts(pieces: Pieces) -> str:
    everything = [chorale for group in pieces.values() for chorale in group]
    return (
        f"## Facts\n\nAll {len(everything)} chorales:\n\n{corpus_facts.fact_list(everything)}"
        f"\n\nThe {len(pieces['train'])} of train:\n\n{corpus_facts.fact_list(pieces['train'])}"
    )


def _listed(names: Mapping[str, str]) -> str:
    return ", ".join(f"{name} ({count})" for name, count in names.items())
