"""The translations have every text of the program, with the same fields, mnemonics and spaces."""

from __future__ import annotations

import ast
import re
import string
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import PySide6
import pytest

from musicrel.ui import languages
from musicrel.ui.actions.commands import COMMANDS, sequences

CODES = languages.available()[1:]
# the beginnings of texts with keys that cannot be changed: of views, dialogs, pages and voices
FIXED = (
    "M mutes the head", "Colour notes by surprisal", "Add bars at the end", "Note input, {voice}",
    "A to G", "Leave ", "Space:", "Ctrl+Up, Ctrl+Down", "Shift+Left, Shift+Right",
    "Shift+Up, Shift+Down", "Stop and keep the recording", "{voice}", "Search in all guides",
    "Note input is on", "{} (Ctrl+{})", "Search, such as",
)  # fmt: skip


def fields(text: str) -> list[tuple[str, str, str | None]]:
    """Return the fields of a text: names, specs and conversions, in alphabetical order."""
    try:
        parts = [*string.Formatter().parse(text)]
    except ValueError:  # a text with a brace, which has no fields
        return []
    return sorted(
        (name, spec or "", conversion) for _, name, spec, conversion in parts if name is not None
    )


def edges(text: str) -> tuple[str, str]:
    return text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]


def mnemonics(text: str) -> int:
    return text.replace("&&", "").count("&")


def translated(code: str) -> dict[tuple[str, str], str]:
    return dict(languages.read(languages.folder() / f"{code}.ts"))


@pytest.mark.parametrize("code", CODES)
def test_every_text_is_translated_and_no_other(code: str, translations: ModuleType) -> None:
    """``python packaging/translations.py`` adds new texts and removes those that are gone."""
    texts, found = {*translations.find()}, translated(code)

    assert found.keys() - texts == set()
    assert {text for text in texts if not found.get(text)} == set()


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize(
    "of", [fields, edges, mnemonics, str.splitlines], ids=lambda of: of.__name__
)
def test_translations_agree_with_their_texts(code: str, of: object) -> None:
    assert callable(of)
    measure = of if of is not str.splitlines else lambda text: len(text.splitlines())

    differ = [
        text for (text, _), there in translated(code).items() if measure(text) != measure(there)
    ]

    assert differ == []


@pytest.mark.parametrize("code", CODES)
def test_the_file_is_what_the_script_would_write(code: str, translations: ModuleType) -> None:
    path = languages.folder() / f"{code}.ts"

    text = translations.written(code, tuple(translations.find()), languages.read(path))

    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("code", CODES)
def test_qt_reads_the_file(code: str, tmp_path: Path) -> None:
    release = Path(PySide6.__file__).with_name("lrelease")
    path = languages.folder() / f"{code}.ts"

    made = subprocess.run(
        [release, "-fail-on-unfinished", path, "-qm", tmp_path / "out.qm"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert made.returncode == 0, made.stdout + made.stderr


def test_a_text_that_is_no_literal_is_an_error(translations: ModuleType) -> None:
    call = ast.parse("tr(text)").body[0]
    assert isinstance(call, ast.Expr)
    assert isinstance(call.value, ast.Call)

    with pytest.raises(ValueError, match="no literal"):
        list(translations.texts_of(call.value))


@pytest.mark.usefixtures("qapp")
def test_a_key_that_can_be_changed_is_a_field_of_the_texts(translations: ModuleType) -> None:
    keys = "|".join(
        re.escape(key.toString()) for one in COMMANDS.values() for key in sequences(one.keys)
    )
    literal = re.compile(rf"\((?:{keys})\)|\b(?:Space|Esc|F[289]|(?:Ctrl|Alt|Shift)\+\S)")
    texts = [text for text, _ in translations.find()]

    fields = {key for text in texts for key in re.findall(r"\{key\[(.*?)\]\}", text)}

    assert [one for one in texts if literal.search(one) and not one.startswith(FIXED)] == []
    assert fields <= COMMANDS.keys()


def test_no_text_is_looked_up_before_the_language_is_known() -> None:
    code = """
from musicrel import language
language.install(lambda text, sense: 1 / 0)
import musicrel.settings, musicrel.__main__
from musicrel.ui import display, languages, startup
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
