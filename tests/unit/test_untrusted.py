"""Content of untrusted origin."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest

from musicrel import untrusted
from musicrel.errors import DataError, FileError, UsageError
from musicrel.validated import convert

POSIX = pytest.mark.skipif(os.name == "nt", reason="Windows has no pipes and devices in folders")


@pytest.fixture
def limit(monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(untrusted, "LIMITS", {**untrusted.LIMITS, "card": 999})
    return 999


def test_a_file_is_read_up_to_its_limit(tmp_path: Path, limit: int) -> None:
    (tmp_path / "file").write_bytes(bytes(limit))
    (tmp_path / "long").write_bytes(bytes(limit + 1))
    assert untrusted.read(tmp_path / "file", "card") == bytes(limit)
    with pytest.raises(FileError, match="long has 1,000 bytes, but at most 999 are read here"):
        untrusted.read(tmp_path / "long", "card")


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    for path in (tmp_path / "nothing", tmp_path, tmp_path / ("x" * 5000), tmp_path / "a\0b"):
        with pytest.raises(FileError, match=r"cannot read .*: "):
            untrusted.read(path, "card")


@POSIX
def test_devices_and_pipes_are_refused(tmp_path: Path) -> None:
    (tmp_path / "endless").symlink_to("/dev/zero")
    os.mkfifo(tmp_path / "pipe")
    for name in ("endless", "pipe"):
        with pytest.raises(FileError, match=f"{name}: it is a device or a pipe, expected a file"):
            untrusted.read(tmp_path / name, "card")


@POSIX
@pytest.mark.parametrize(
    ("flags", "left"),
    [
        (os.O_RDONLY, b"ours"),
        (os.O_RDWR | os.O_CREAT, b"ours"),
        (os.O_WRONLY | os.O_CREAT | os.O_APPEND, b"ours"),
        (os.O_WRONLY | os.O_CREAT | os.O_TRUNC, b""),
    ],
)
def test_files_beside_another_are_not_followed(tmp_path: Path, flags: int, left: bytes) -> None:
    victim, own = tmp_path / "victim", tmp_path / "own"
    victim.write_bytes(b"precious")
    own.write_bytes(b"ours")
    made: dict[str, Callable[[Path], object]] = {
        "link": lambda path: path.symlink_to(victim),
        "endless": lambda path: path.symlink_to("/dev/zero"),
        "nowhere": lambda path: path.symlink_to(tmp_path / "made"),
        "pipe": os.mkfifo,
        "folder": Path.mkdir,
        "name": lambda path: path.hardlink_to(victim),
    }
    for name, make in made.items():
        make(tmp_path / name)
        if (name, flags) == ("name", os.O_RDONLY):
            continue
        with pytest.raises(OSError, match=r"not a regular file|it has another name"):
            untrusted.descriptor(tmp_path / name, flags)

    assert victim.read_bytes() == b"precious"
    assert not (tmp_path / "made").exists()
    os.close(untrusted.descriptor(own, flags))
    assert own.read_bytes() == left


@POSIX
def test_a_loop_of_links_is_refused(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(FileError, match="loop: Too many levels of symbolic links"):
        untrusted.read(tmp_path / "loop", "card")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "Expecting property name .* in line 1, column 2"),
        ("[NaN]", "NaN is not a JSON number"),
        ("1e999", "1e999 is not a JSON number"),
        (b"\xff", "it is not UTF-8 text"),
        ("9" * 5000, "a number has too many digits"),
        ("[1" + "0" * 320 + "]", "a number has too many digits"),
        ("[" * 100_000, "it is nested too deeply"),
        ("[" * 65 + "]" * 65, "it is nested too deeply"),
        ('["\\ud800"]', "a text holds half of a surrogate pair"),
        ('{"a\\uDFFF": 1}', "a text holds half of a surrogate pair"),
        ('["\udc80"]', "a text holds half of a surrogate pair"),
    ],
)
def test_json_is_refused_with_the_reason(text: str | bytes, reason: str) -> None:
    with pytest.raises(DataError, match=f"not valid JSON: {reason}"):
        untrusted.parse_json(text, "the card")


def test_json_is_parsed() -> None:
    """With NaN where our own files have it, and with the mark that Windows puts first."""
    assert untrusted.parse_json('{"a": [1, 2.5]}') == {"a": [1, 2.5]}
    assert untrusted.parse_json(b"\xef\xbb\xbf[true]") == [True]
    assert np.isnan(untrusted.parse_json("NaN", finite=False))
    assert untrusted.parse_json("[" * 63 + "]" * 63)
    assert untrusted.parse_json('"\\ud83c\\udfb5"') == "\N{MUSICAL NOTE}"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a = ", "Invalid value"),
        (b"\xff", "it is not UTF-8 text"),
        ("a = " + "9" * 5000, "a number has too many digits"),
        ("a = 1" + "0" * 320, "a number has too many digits"),
        ("a = " + "[" * 50_000, "it is nested too deeply"),
        (".".join("a" * 100) + " = 1", "it is nested too deeply"),
    ],
)
def test_toml_is_refused_with_the_reason(text: str | bytes, reason: str) -> None:
    with pytest.raises(DataError, match=f"the recipe is not valid TOML: {reason}"):
        untrusted.parse_toml(text, "the recipe")


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_the_errors_of_every_codec_are_caught(method: int) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("member", np.random.default_rng(0).bytes(3000), method)
    damaged = bytearray(packed.getvalue())
    damaged[60:90] = bytes(30)

    with (
        pytest.raises(DataError, match=r"^it is a damaged archive$"),
        untrusted.unpacking(),
        zipfile.ZipFile(io.BytesIO(damaged)) as archive,
    ):
        archive.read("member")


def test_json_of_few_bytes_and_many_values_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(untrusted, "_MAX_VALUES", 1000)
    assert len(untrusted.parse_json(f"[{','.join(['10'] * 990)}]")) == 990
    with pytest.raises(DataError, match="a list has more than 1,000 values, too many to be read"):
        untrusted.parse_json(f"[{','.join(['[]'] * 990)}]", "a list")


def test_arrays_of_few_bytes_and_much_memory_are_refused(limit: int) -> None:
    small, large = io.BytesIO(), io.BytesIO()
    np.savez_compressed(small, one=np.zeros(limit // 2, np.uint8))
    np.savez_compressed(large, one=np.zeros(limit, np.uint8))

    assert untrusted.unpack_arrays(small.getvalue(), "card")["one"].sum() == 0
    with pytest.raises(DataError, match=r"decompresses to 1,127 bytes, more than 999"):
        untrusted.unpack_arrays(large.getvalue(), "card")
    with pytest.raises(DataError, match="it is a damaged archive"):
        untrusted.unpack_arrays(large.getvalue()[:-40], "card")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Name:
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    number: int = 1
    share: float = 0.0
    word: Literal["a", "b"] = "a"
    names: tuple[str, ...] = ()
    options: Mapping[str, float | str] = field(default_factory=dict)
    wholes: tuple[_Name, ...] = ()

    def __post_init__(self) -> None:
        if self.number < 0:
            raise UsageError(f"number is {self.number}: expected 0 or more")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Whole:
    name: str
    part: _Part = field(default_factory=_Part)
    parts: tuple[_Part, ...] = ()
    last: _Name | None = None


def test_whole_numbers_fit_floats_and_lists_fit_tuples() -> None:
    assert convert({"share": 1, "names": ["x"]}, _Part, "it") == _Part(share=1.0, names=("x",))


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        (
            {"name": "x", "part": {"number": True}},
            "it: part.number is True: expected a whole number",
        ),
        ({"name": "x", "part": {"number": 1.0}}, "it: part.number is 1.0: expected a whole number"),
        ({"name": "x", "part": {"share": "1"}}, "it: part.share is '1': expected a number"),
        ({"name": "x", "part": {"word": "c"}}, "it: part.word is 'c': expected 'a' or 'b'"),
        ({"name": "x", "part": {"names": ["a", 1]}}, "it: part.names[1] is 1: expected a text"),
        (
            {"name": "x", "part": {"options": {"k": []}}},
            "it: part.options is {'k': []}: expected a number or a text",
        ),
        ({"name": "x", "parts": [{}, {"number": None}]}, "it: parts[1].number is None: expected"),
        ({"name": "x", "part": []}, "it: part is []: expected a table"),
        ({"name": "x", "last": {"q": 1}}, "it: last has unknown entry 'q': it takes name"),
        ({"name": "x", "last": {"name": 1}}, "it: last.name is 1: expected a text"),
        ({"part": {}}, "it: it lacks 'name'"),
        ({"name": "x", "parts": [{"wholes": [{}]}]}, "it: parts[0].wholes[0] lacks 'name'"),
        ([], "it: it is []: expected a table"),
        ({"name": "x", "part": {"number": -1}}, "it: number is -1: expected 0 or more"),
        ({"name": "x", "parts": [{"q": 1}]}, "it: parts[0] has unknown entry 'q': it takes"),
    ],
)
def test_a_wrong_value_is_refused_with_its_place_and_what_is_expected(
    values: Any, sentence: str
) -> None:
    with pytest.raises(FileError) as caught:
        convert(values, _Whole, "it", error=FileError, exact=True)
    assert str(caught.value).startswith(sentence)


def test_unknown_entries_are_ignored_unless_exactly_the_fields_are_expected() -> None:
    assert convert({"name": "x", "more": 1}, _Whole, "it") == _Whole(name="x")
