"""The reference of ``import musicrel``, made from signatures and docstrings."""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Iterator, Mapping
from typing import Final, is_typeddict

import musicrel
from musicrel import api, chorale
from musicrel.analysis.assessment import Assessment
from musicrel.analysis.grade import Grade
from musicrel.analysis.voice_leading import Rates
from musicrel.experiment.objectives.evaluation import Evaluation
from musicrel.experiment.runs.events import PieceLoss
from musicrel.generation.candidates import candidate_job, ranking
from musicrel.generation.request import GenerationRequest
from musicrel.interpretability import results

TITLE: Final = "# Python reference"
INTRODUCTION: Final = """\
`import musicrel` offers the functions and classes of the first two sections.
[The command line and Python](../cli.md) has examples. Importing the package is cheap; torch is
imported where nothing else can compute.

Errors are subclasses of `musicrel.errors.MusicrelError`, whose text is one sentence: `UsageError`
(an argument), `DataError` (a piece), `FileError` (a file) and `ModelError` (a model).

This page is made from the code by `packaging/build_reference.py`."""
FUNCTIONS: Final = (
    *("load_model", "generate", "harmonise", "infill", "grade", "evaluate"),
    *("attention", "attributions", "ablate", "sources", "lens", "places"),
    *("to_pretty_midi", "from_pretty_midi"),
)
CLASSES: Final = ("Chorale", "LoadedModel")
OPTIONS: Final = (api.RequestOptions, api.EditOptions, GenerationRequest)
"""Keyword arguments, and the object of which they are fields."""
VALUES: Final = (
    *(chorale.Key, chorale.Meter, chorale.Voice, chorale.Provenance),
    *(candidate_job.CandidateSet, candidate_job.Candidate, candidate_job.Stuck, ranking.Measures),
    *(Assessment, Grade, Rates, Evaluation, PieceLoss),
    *(api.Attention, results.Attributions, results.LocalEffects, results.GlobalEffects),
    *(results.SourceEffects, results.Source, results.Lens, results.NoteOutput, results.Places),
)
"""Classes of arguments and results."""
_SECTION: Final = re.compile(r"^(Args|Attributes|Raises|Yields|Returns):$")
_ENTRY: Final = re.compile(r"^    (\**\w+): (.*)$")
_LONG: Final = 88
"""Characters of a signature on one line."""
_STARS: Final[Mapping[object, str]] = {
    inspect.Parameter.VAR_POSITIONAL: "*",
    inspect.Parameter.VAR_KEYWORD: "**",
}
_TITLES: Final = {"Args": "Arguments", "Raises": "Errors"}
"""Section of a docstring -> its title on the page, if it has another."""


def page() -> str:
    """Return the page in Markdown.

    Raises:
        LookupError: a public name of the package is in no section.
    """
    missing = set(musicrel.__all__) - {*FUNCTIONS, *CLASSES}
    if missing:
        raise LookupError(f"no section of the Python reference has {sorted(missing)}")
    parts = [TITLE, INTRODUCTION, "## Functions"]
    for name in FUNCTIONS:
        parts += _function(getattr(musicrel, name), f"musicrel.{name}")
    parts += ["## Classes", *_docstring(inspect.getdoc(chorale) or "")]
    for name in CLASSES:
        parts += _class(getattr(musicrel, name), f"musicrel.{name}")
    parts.append("## Options of requests")
    for kind in OPTIONS:
        parts += _class(kind, kind.__name__)
    parts.append("## Arguments and results")
    for value in VALUES:
        parts += _class(value, value.__name__)
    return "\n\n".join(parts) + "\n"


def _function(function: object, name: str) -> Iterator[str]:
    """Yield the parts of the description of a function or method."""
    yield f"### {name}"
    yield _call(name.rpartition(".")[2], function)
    yield from _docstring(inspect.getdoc(function) or "")


def _class(kind: type, name: str) -> Iterator[str]:
    """Yield the parts of the description of a class, with its public methods and properties."""
    yield f"### {name}"
    yield from _docstring(inspect.getdoc(kind) or "", _types(kind))
    if is_typeddict(kind):
        yield "\n".join(f"- `{field}`: `{text}`" for field, text in _keys(kind).items())
        return
    rows = list(_members(kind))
    if rows:
        yield "\n".join(["| member | meaning |", "|---|---|", *rows])


def _members(kind: type) -> Iterator[str]:
    """Yield a row of a table for each public method and property of a class."""
    for name, member in vars(kind).items():
        if name.startswith("_"):
            continue
        if isinstance(member, property):
            yield f"| `.{name}` | {_first(member.fget)} |"
        elif isinstance(member, classmethod | staticmethod):
            call = f"{kind.__name__}.{name}{signature(getattr(kind, name))}"
            yield f"| `{_cell(call)}` | {_first(member)} |"
        elif inspect.isfunction(member):
            yield f"| `{_cell(f'.{name}{signature(member)}')}` | {_first(member)} |"


def signature(function: object) -> str:
    """Return parameters and result of a function without ``self``, in brackets and on one line."""
    parameters, result = _parts(function)
    return f"({', '.join(parameters)}){result}"


def _call(name: str, function: object) -> str:
    """Return a function with its parameters as a block of code, on several lines if it is long."""
    call = name + signature(function)
    if len(call) > _LONG:
        parameters, result = _parts(function)
        call = "\n".join([f"{name}(", *(f"    {one}," for one in parameters), f"){result}"])
    return "\n".join(f"    {line}" for line in call.splitlines())


def _parts(function: object) -> tuple[list[str], str]:
    """Return the parameters of a function as they are written, and its result with an arrow.

    The text of ``inspect.Signature`` puts annotations into quotes, and differs between Pythons.
    """
    assert callable(function)  # noqa: S101  # for the type checker
    found = inspect.signature(function)
    parameters: list[str] = []
    for name, one in found.parameters.items():
        if one.kind is one.KEYWORD_ONLY and "*" not in parameters:
            parameters.append("*")
        if name != "self":
            parameters.append(_STARS.get(one.kind, "") + _parameter(name, one))
    return parameters, f" -> {found.return_annotation}"


def _parameter(name: str, one: inspect.Parameter) -> str:
    default = "" if one.default is one.empty else f" = {one.default!r}"
    return f"{name}: {one.annotation}{default}"


def _docstring(text: str, types: dict[str, str] | None = None) -> Iterator[str]:
    """Yield the paragraphs of a docstring, its sections as lists.

    Args:
        text: the docstring.
        types: the types of attributes, written behind their names.
    """
    for block in re.split(r"\n\n+", text.strip()):
        title, _, rest = block.partition("\n")
        match = _SECTION.match(title)
        if match:
            yield f"**{_TITLES.get(match[1], match[1])}**"
            yield "\n".join(_entries(rest, types or {}))
        else:
            yield _plain(block)


def _entries(text: str, types: dict[str, str]) -> Iterator[str]:
    """Yield the entries of a section as lines of a list."""
    lines: list[str] = []
    for line in text.splitlines():
        match = _ENTRY.match(line)
        if match:
            kind = f" (`{types[match[1]]}`)" if match[1] in types else ""
            lines.append(f"- `{match[1]}`{kind}: {match[2]}")
        else:
            lines[-1] += f" {line.strip()}"
    yield from map(_plain, lines)


def _types(kind: type) -> dict[str, str]:
    """Return the types of the fields of a dataclass as they are written in the code."""
    if not dataclasses.is_dataclass(kind):
        return {}
    return {one.name: str(one.type) for one in dataclasses.fields(kind)}


def _keys(kind: type) -> dict[str, str]:
    """Return the keys of a typed dictionary and of those it is based on, with their types."""
    return {name: _type_text(one) for name, one in kind.__annotations__.items()}


def _type_text(annotation: object) -> str:
    text = getattr(annotation, "__forward_arg__", None)
    if text is not None:
        return str(text)
    return annotation.__name__ if isinstance(annotation, type) else str(annotation)


def _first(function: object) -> str:
    """Return the first sentence of a docstring, for a cell of a table."""
    text = (inspect.getdoc(function) or "").partition("\n\n")[0]
    return _cell(_plain(text.replace("\n", " ")))


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _plain(text: str) -> str:
    """Return a text of a docstring in Markdown: double backticks become single ones."""
    return text.replace("``", "`")
