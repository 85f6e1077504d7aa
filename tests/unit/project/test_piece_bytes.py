"""Pieces as bytes, in a project and from one."""

from __future__ import annotations

import dataclasses
import json
import zlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from musicrel.chorale import MAX_STEPS, Chorale, Key, Lyric, Meter, Provenance, Voice
from musicrel.errors import DataError, FileError, UsageError
from musicrel.generation.heads.mutes import Mutes
from musicrel.presentation import lock_cells
from musicrel.presentation.compose.form import Form
from musicrel.project import piece_bytes, project_piece, take_table
from musicrel.project.contents import Contents, Take
from musicrel.project.project_file import ProjectFile
from musicrel.project.take_table import TakeRow
from tests.helpers.music import minuet, random_chorale, with_words
from tests.helpers.projects import full_contents

PIECES = [random_chorale(number) for number in range(1, 9)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "piece.musicrel"


def write_takes(path: Path, *names: str) -> None:
    takes = tuple(
        Take(number=number, name=name, piece=PIECES[number - 1], form=Form())
        for number, name in enumerate(names, 1)
    )
    ProjectFile.create(path, Contents(takes=takes)).close()


@pytest.mark.parametrize("steps", [1, 2, 7, 8, 9, 64, 333])
def test_every_field_is_restored(steps: int) -> None:
    piece = replace(
        with_words(random_chorale(steps, steps)),
        tempo=66.7,
        title="Ä ♪ \n日本",
        subtitle="For choir",
        composer="J. S. Bäch",
        poet="Paul Gerhardt",
        tune="ASSAM",
        copyright="© nobody",
        provenance=Provenance(model="m", sha256="s", seed=2**62, settings={"locks": [[1, 2]]}),
    )

    restored = piece_bytes.from_bytes(piece_bytes.to_bytes(piece))

    assert restored == piece
    assert restored.pitches.dtype == np.int16
    assert restored.onsets.dtype == np.bool_


def test_half_of_a_surrogate_pair_is_replaced() -> None:
    words = (Lyric(Voice.SOPRANO, 1, 0, "\udc00h"),)
    piece = replace(minuet(), title="Air \ud800", composer="\udfff", lyrics=words)
    restored = piece_bytes.from_bytes(piece_bytes.to_bytes(piece))
    assert (restored.title, restored.composer) == ("Air ?", "?")
    assert [word.text for word in restored.lyrics] == ["?h"]


def test_a_piece_of_an_earlier_version_has_neither_composer_nor_words() -> None:
    """Its bytes are those that it has today, so that it is stored once."""
    piece = random_chorale(3, 8)
    content = piece_bytes.to_bytes(piece)

    assert not any(
        name in content for name in (b"subtitle", b"composer", b"poet", b"tune", b"lyrics")
    )
    assert piece_bytes.from_bytes(content) == piece
    assert piece_bytes.to_bytes(replace(piece, composer="Jörg")) != content


def test_the_longest_piece_has_place() -> None:
    piece = random_chorale(0, MAX_STEPS)
    packed = piece_bytes.pack(piece_bytes.to_bytes(piece))
    assert piece_bytes.from_bytes(piece_bytes.unpack(packed)) == piece


def test_flags_of_another_length_are_refused() -> None:
    with pytest.raises(DataError, match="32 flags have 3 bytes: expected 4"):
        piece_bytes.unpack_flags(b"abc", 8)


def test_a_long_provenance_is_refused() -> None:
    """It would not be read again."""
    origin = Provenance(model="x" * piece_bytes.MAX_BYTES, sha256="", seed=0)
    with pytest.raises(DataError, match=r"a piece would have 4,000,... bytes, more than 4,000,000"):
        piece_bytes.to_bytes(replace(minuet(), provenance=origin))


@pytest.mark.parametrize(
    ("start", "end", "message"),
    [
        (b"{", b"", "it is not valid JSON"),
        (b"\xff", b"", "a piece does not begin with JSON"),
        (b"[1]\n", b"", "it is not a musicrel chorale"),
        (b"", b"more", "7 flags have 5 bytes: expected 1"),
    ],
)
def test_other_bytes_are_refused(start: bytes, end: bytes, message: str) -> None:
    content = start + piece_bytes.to_bytes(minuet()) + end
    with pytest.raises(DataError, match=message):
        piece_bytes.from_bytes(content)


def test_a_piece_that_is_cut_off_is_refused() -> None:
    content = piece_bytes.to_bytes(minuet())
    for length in range(len(content)):
        with pytest.raises(DataError):
            piece_bytes.from_bytes(content[:length])


def test_invalid_notes_are_refused() -> None:
    content = piece_bytes.to_bytes(Chorale.of([[60, 55, 50, 45]] * 8))
    with pytest.raises(DataError, match="pitches run from -2"):
        piece_bytes.from_bytes(content.replace(bytes([60]), b"\xfe", 1))


@pytest.mark.parametrize(
    ("packed", "message"),
    [
        (b"", "cut off"),
        (b"no zlib", "is damaged"),
        (zlib.compress(b"a piece")[:-1], "cut off"),
        (zlib.compress(bytes(piece_bytes.MAX_BYTES + 1)), "holds more than 4,000,000 bytes"),
    ],
)
def test_damaged_and_oversized_bytes_are_not_unpacked(packed: bytes, message: str) -> None:
    with pytest.raises(DataError, match=message):
        piece_bytes.unpack(packed)


_DEFAULTS = Form()


def test_every_field_survives_json() -> None:
    form = full_contents().form
    assert form is not None
    words = (Lyric(Voice.SOPRANO, 1, 0, "A", hyphen=True), Lyric(Voice.SOPRANO, 1, 4, "men"))
    for each in (form, Form(), Form(bars=1, rhythm=(0, 4), lyrics=words)):
        stored = json.loads(json.dumps(piece_bytes.form_to_plain(each)))
        assert stored.keys() == {field.name for field in dataclasses.fields(Form)} - {"muted"}
        assert piece_bytes.form_from_plain(stored) == each


def test_unknown_entries_are_ignored_and_missing_ones_get_their_defaults() -> None:
    form = piece_bytes.form_from_plain({"bars": 8, "orchestra": "yes"})
    assert form == dataclasses.replace(_DEFAULTS, bars=8, begins_on="", form="")
    assert piece_bytes.form_from_plain(["no form"]) == Form()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("bars", "8"), ("bars", True), ("bars", -4), ("bars", 10**30), ("seed", -1), ("seed", 1.5),
        ("temperature", "hot"), ("temperature", -1), ("temperature", 10**400),
        ("temperature", float("nan")), ("meter", "4/0"), ("meter", 4), ("key", "H major"),
        ("key", ["G"]), ("rules", "range"), ("rules", [1]), ("phrases", "2" * 100_000),
        ("phrases", None), ("quality", "excellent"), ("begins_on", "sixth"), ("form", "rondo"),
        ("rhythm", ["0"]), ("lyrics", [{"voice": 0, "verse": 1, "step": 0, "text": ""}]),
    ],
)  # fmt: skip
def test_an_unusable_entry_gets_its_default(name: str, value: object) -> None:
    plain = piece_bytes.form_to_plain(
        Form(key=Key("D", "minor"), meter=Meter(3, 4), cadence="half")
    )
    form = piece_bytes.form_from_plain(plain | {name: value})
    assert getattr(form, name) == getattr(_DEFAULTS, name)
    assert form.cadence == "half"


VERSION_1 = Form(bars=8, begins_on="", form="")
"""A piece of version 1 began on any chord and repeated nothing."""


@pytest.mark.parametrize("muted", [{"full": {"mute": "2.1", "mute_by": "zero"}}, None, 3])
def test_muted_heads_of_version_1_0_0_are_not_read(muted: object) -> None:
    assert piece_bytes.form_from_plain({"bars": 8, "muted": muted}) == VERSION_1


PIECE = Chorale.of([(72, 67, 64, 48)] * 16, title="Air")


OTHER = replace(
    Chorale.of([(72, 69, 64, 48)] * 16), provenance=Provenance(model="relative", sha256="", seed=7)
)


TAKES = (
    Take(number=1, name="Air", piece=PIECE, form=Form(), action="opened", accepted=True),
    Take(number=2, name="Zion", piece=OTHER, form=Form(), action="rewritten", parent=1, rating=2),
    Take(number=3, name="bell", piece=OTHER, form=Form(), action="generated", parent=2, rating=3),
)


def rows(show: str = "all", order: str = "newest", current: int | None = None) -> list[TakeRow]:
    return list(take_table.rows(TAKES, TAKES, current=current, show=show, order=order))


def numbers(show: str = "all", order: str = "newest") -> list[int]:
    return [row.number for row in rows(show, order)]


@pytest.mark.parametrize(
    ("show", "expected"),
    [
        ("all", [3, 2, 1]), ("accepted", [1]), ("rated", [3, 2]), ("rewritten", [2]),
        ("opened", [1]), ("continued", []),
    ],
)  # fmt: skip
def test_takes_are_filtered(show: str, expected: list[int]) -> None:
    assert numbers(show) == expected


@pytest.mark.parametrize(
    ("order", "expected"),
    [("newest", [3, 2, 1]), ("oldest", [1, 2, 3]), ("rating", [3, 2, 1]), ("name", [1, 3, 2])],
)
def test_takes_are_sorted(order: str, expected: list[int]) -> None:
    assert numbers(order=order) == expected


def test_a_derived_take_is_compared_with_the_one_it_was_made_from_a_new_one_with_none() -> None:
    (row,) = take_table.rows(TAKES, TAKES[1:2], current=2, show="all", order="newest")
    assert (row.origin, row.source) == ("rewritten from “Air”", "Relative · seed 7")
    assert row.before is PIECE
    assert row.details == "1 note changed  ·  rewritten from “Air”  ·  Relative · seed 7"

    row = rows()[0]
    assert (row.origin, row.before, row.changes) == ("generated", None, "")
    assert rows()[2].details == "opened"


def test_a_screen_reader_gets_everything_in_words() -> None:
    assert rows(current=2)[1].spoken == (
        "Zion, current take, rewritten from “Air”, 1 note changed, Relative, seed 7, rated 2 of 3"
    )
    assert rows()[2].spoken == "Air, opened, not rated"


QUARTERS = np.repeat(
    [[72 + n % 2, 67 + n % 2, 64 + n % 2, 48 + n % 2] for n in range(16)], 4, axis=0
)
AIR = Chorale.of(QUARTERS, title="Air")


def changed(voices: tuple[int, ...], first: int, last: int) -> Chorale:
    """Return the air with other notes in some voices and bars, counted from 1."""
    pitches = QUARTERS.copy()
    pitches[(first - 1) * 16 : last * 16, voices] += 5
    return Chorale.of(pitches, title="Air")


@pytest.mark.parametrize(
    ("piece", "action", "name"),
    [
        (changed((3,), 2, 3), "rewritten", "Bass, bars 2–3"),
        (changed((1, 2), 4, 4), "rewritten", "Alto and tenor, bar 4"),
        (changed((1, 2, 3), 1, 4), "rewritten", "Lower voices, bars 1–4"),
        (changed((0, 1, 2, 3), 1, 2), "varied", "All voices, bars 1–2"),
        (changed((1, 2, 3), 1, 4), "harmonised", "Air, harmonised"),
        (AIR, "rewritten", "Unchanged"),
        (AIR.padded(32), "continued", "Added 2 bars"),
        (changed((3,), 2, 3), "generated", "Air"),
        (replace(AIR, title=""), "opened", "Take 7"),
    ],
)
def test_a_new_take_is_named_by_what_changed(piece: Chorale, action: str, name: str) -> None:
    """A new piece is named by its title, or its number without one."""
    assert take_table.name_of(piece, AIR, action, 7) == name


def test_a_take_names_its_muted_heads() -> None:
    provenance = Provenance(
        model="relative", sha256="", seed=7, settings=Mutes.parse("2.3").to_json()
    )
    take = replace(TAKES[2], piece=replace(OTHER, provenance=provenance))
    (row,) = take_table.rows((take,), (take,), current=None, show="all", order="newest")
    assert row.source == "Relative, 2.3 muted · seed 7"


def test_the_piece_on_the_sheet_is_read_and_a_deleted_take_is_not_found(path: Path) -> None:
    ProjectFile.create(path, full_contents()).close()
    found = project_piece.read_piece(path)
    assert found.chorale == full_contents().states[1].piece
    assert found.report == ()

    # Undo would bring it back, in the app.
    contents = full_contents()
    ProjectFile.create(path, contents).close()
    with pytest.raises(UsageError, match=r"no take '1': expected --take with one of 4 \(日本\)$"):
        project_piece.read_piece(path, "1")


@pytest.mark.parametrize(
    ("name", "number"), [("Hymn", 1), ("hymn", 2), ("HYMNUS", 3), ("3", 4), ("2", 2), ("5", 5)]
)
def test_a_take_is_found_by_name_or_number(path: Path, name: str, number: int) -> None:
    write_takes(path, "Hymn", "hymn", "Hymnus", "3", "")
    assert project_piece.read_piece(path, name).chorale == PIECES[number - 1]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Fugue", r"no take 'Fugue': expected --take with one of 1 \(A\), 2 \(A\), 3 \(B\), 4 \(C"),
        ("A", "has 2 takes 'A': expected a number, as in --take 1; theirs are 1 and 2"),
        ("9", r"no take '9': .* 5 \(D\) \.\.\.$"),
        ("0", "no take '0'"),
    ],
)
def test_an_unknown_or_ambiguous_name_is_a_sentence(path: Path, name: str, message: str) -> None:
    write_takes(path, "A", "A", "B", "C", "D", "E")
    with pytest.raises(UsageError, match=message):
        project_piece.read_piece(path, name)


def test_an_empty_sheet_is_a_sentence(path: Path) -> None:
    write_takes(path, "A")
    with pytest.raises(
        FileError, match=r"empty; expected musicrel convert --take with one of 1 \(A\)"
    ):
        project_piece.read_piece(path)

    ProjectFile.create(path).close()
    with pytest.raises(FileError, match="its sheet is empty; it has no takes"):
        project_piece.read_piece(path)
    with pytest.raises(UsageError, match="no take '1': it has no takes"):
        project_piece.read_piece(path, "1")


def test_a_project_in_use_is_read(path: Path) -> None:
    project = ProjectFile.create(path, full_contents())
    edited = replace(project.read(), position=2)
    project.write(edited)

    assert project_piece.read_piece(path).chorale == edited.states[2].piece

    project.write(replace(edited, position=0))
    project.close()
    assert [found.name for found in path.parent.iterdir()] == [path.name]


def test_locks_and_form_of_a_piece_are_kept(path: Path) -> None:
    form = Form(bars=2, phrases=(1, 1), pickup=0, seed=7, begins_on="tonic", form="")
    settings = form.request().to_json()
    origin = Provenance(model=form.model, seed=7, settings=settings, sha256="")
    locked = np.zeros((32, 4), dtype=np.bool_)
    locked[4:20, 3] = True
    piece = replace(random_chorale(7, 32), provenance=origin)
    piece = lock_cells.with_locks_in_provenance(piece, locked)
    project_piece.write_piece(piece, path)

    contents = ProjectFile.open(path, read_only=True).read()
    assert contents.current is not None
    assert (contents.current.locks == locked).all()
    assert contents.form == contents.current.form == contents.takes[0].form == form
    assert project_piece.read_piece(path).chorale == piece


def test_a_piece_becomes_a_project_of_one_take(path: Path) -> None:
    project_piece.write_piece(minuet(), path)

    project = ProjectFile.open(path)
    contents = project.read()
    project.close()
    (take,) = contents.takes
    assert (take.name, take.action, take.accepted) == ("Minuet", "opened", True)
    assert contents.current is not None
    assert contents.current.piece == take.piece == minuet()
    assert not contents.current.locks.any()
    assert (contents.current.take, len(contents.states)) == (1, 1)
    assert project.problems == ()
