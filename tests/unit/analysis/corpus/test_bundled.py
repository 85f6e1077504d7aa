"""The bundled corpus: the properties its readers rely on."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from musicrel import paths
from musicrel.analysis import memorisation
from musicrel.analysis.corpus import bundled, jsb, melodies
from musicrel.analysis.corpus.splits import SPLITS, Split
from musicrel.chorale import REST, Chorale, Key, Meter, Voice
from musicrel.errors import FileError, UsageError
from musicrel.score import files

Corpus = Mapping[Split, list[Chorale]]


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return bundled.load_all()


def test_the_splits_have_their_sizes(corpus: Corpus) -> None:
    """Figures of a model name this corpus; it does not change by accident."""
    sizes = {split: (len(corpus[split]), sum(c.steps for c in corpus[split])) for split in SPLITS}
    assert sizes == {"train": (230, 50_804), "valid": (72, 15_280), "test": (75, 16_632)}


def test_every_piece_comes_back_from_the_archive(corpus: Corpus) -> None:
    content = (paths.assets() / bundled.FILE_NAME).read_bytes()
    assert bundled.unpack(bundled.pack(corpus)) == corpus
    assert bundled.unpack(content) == corpus


@pytest.mark.parametrize("held_out", ["valid", "test"])
def test_no_piece_of_valid_or_test_is_in_train(corpus: Corpus, held_out: Split) -> None:
    reference = memorisation.chunk_set(corpus["train"], 32)
    for chorale in corpus[held_out]:
        assert memorisation.share_found(chorale, reference, 32) < 0.2, chorale.title


def test_an_unknown_split_is_named() -> None:
    with pytest.raises(UsageError, match="no split 'dev': expected train, valid or test"):
        bundled.load("dev")  # type: ignore[arg-type]  # what a command line may pass


def test_changing_a_loaded_list_changes_nothing_for_others() -> None:
    bundled.load("test").clear()
    assert bundled.load("test")


def test_the_source_note_lies_beside_the_corpus() -> None:
    note = Path(paths.assets() / bundled.FILE_NAME).with_name("SOURCE.md").read_text("utf-8")
    assert "not under the MIT licence" in note
    assert "music21/corpus/license.txt" in note


CHORD = [67, 62, 59, 43]
REPEATED = np.array([[True] * 4, [True] * 4, [False] * 4])


def pieces() -> dict[Split, list[Chorale]]:
    one = Chorale.of(
        [CHORD] * 3,
        onsets=REPEATED.copy(),
        fermatas=np.array([False, True, True]),
        meter=Meter(3, 4),
        pickup=2,
        key=Key("G", "major"),
        title="BWV 1 Süßer Trost",
    )
    return {"train": [one, Chorale.of([CHORD])], "valid": [], "test": [Chorale.of([CHORD, CHORD])]}


def test_packed_pieces_are_restored_and_always_have_the_same_bytes() -> None:
    assert bundled.unpack(bundled.pack(pieces())) == pieces()

    assert bundled.pack(pieces()) == bundled.pack(pieces())


@pytest.mark.parametrize("damage", [b"", b"PK", b"not a zip"])
def test_bytes_of_another_kind_are_called_damaged(damage: bytes) -> None:
    with pytest.raises(FileError, match=r"the corpus file is damaged .*: install musicrel again"):
        bundled.unpack(damage)


def test_a_cut_file_or_a_flipped_byte_is_called_damaged() -> None:
    content = bundled.pack(pieces())
    with pytest.raises(FileError, match="the corpus file is damaged"):
        bundled.unpack(content[: len(content) // 2])

    flipped = bytearray(content)
    flipped[60] ^= 0xFF
    with pytest.raises(FileError, match="the corpus file is damaged"):
        bundled.unpack(bytes(flipped))


def test_pickled_objects_are_never_opened() -> None:
    content = io.BytesIO()
    np.savez(content, lengths=np.array([object()], dtype=object))
    with pytest.raises(FileError, match="the corpus file is damaged"):
        bundled.unpack(content.getvalue())


LOWEST, HIGHEST = 60, 81


def test_there_are_a_dozen_each_with_its_origin() -> None:
    source = (paths.assets() / melodies.FOLDER / "SOURCE.md").read_text(encoding="utf-8")
    assert len(melodies.names()) >= 12
    for name in melodies.names():
        assert f"| {name} | {files.read(melodies.path(name)).title} |" in source


@pytest.mark.parametrize("name", melodies.names())
def test_a_tune_is_ready_to_be_harmonised(name: str) -> None:
    tune = files.read(melodies.path(name))

    pitches = tune.pitches[:, Voice.SOPRANO]
    assert pitches.min() >= LOWEST
    assert pitches.max() <= HIGHEST
    assert (tune.pitches[:, Voice.ALTO :] == REST).all()
    assert tune.key is not None
    assert pitches[-1] % 12 in {tune.key.pitch_class, (tune.key.pitch_class + 7) % 12}
    assert tune.fermatas[-1]
    assert (tune.steps % tune.meter.steps) == 0


Write = Callable[[Any], Path]
PUBLISHED = paths.shared_data() / "jsb" / jsb.FILE_NAME


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write(content: Any) -> Path:
        path = tmp_path / "some.json"
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

    return write


def splits(piece: Any) -> dict[str, Any]:
    return {"train": [[CHORD]], "valid": [[CHORD], piece], "test": [[CHORD]]}


def test_a_note_begins_where_its_pitch_changes(write: Write) -> None:
    read = jsb.read(write(splits([CHORD, CHORD, [69, 62, 59, REST]])))
    assert [piece.title for piece in read["valid"]] == ["JSB16 valid 0", "JSB16 valid 1"]
    onsets = read["valid"][1].onsets
    assert onsets.tolist() == [[True] * 4, [False] * 4, [True, False, False, False]]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("{", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ([], "it has no train, valid, test: expected lists named train, valid, test"),
        ({"train": [], "test": []}, "it has no valid: expected lists named train, valid, test"),
        ({"train": [], "valid": {}, "test": []}, "valid is {}: expected a list"),
    ],
)
def test_a_foreign_file_is_refused(write: Write, content: Any, text: str) -> None:
    with pytest.raises(FileError, match=text):
        jsb.read(write(content))


@pytest.mark.parametrize(
    ("piece", "text"),
    [
        ([], r"valid\[1\] is \[\]: expected a list of length >= 1"),
        ("x", r"valid\[1\] is 'x': expected a list"),
        ([CHORD, [60, 60, 60]], r"valid\[1\]\[1\] is .* expected a list of length 4"),
        ([CHORD, [60, 60, 60, 60.5]], r"valid\[1\]\[1\]\[3\] is 60.5: expected a whole number"),
        ([CHORD, CHORD, [60, 60, 128, 40]], r"valid\[1\]\[2\]\[2\] is 128: expected a whole"),
        ([[60, 60, -2, 40]], r"valid\[1\]\[0\]\[2\] is -2: expected"),
        ([[60, 10**30, 50, 40]], r"valid\[1\]\[0\]\[1\] is 1000"),
    ],
)
def test_a_faulty_piece_is_named_with_its_step(write: Write, piece: Any, text: str) -> None:
    with pytest.raises(FileError, match=text):
        jsb.read(write(splits(piece)))


@pytest.mark.skipif(not PUBLISHED.exists(), reason="no shared data: the published JSB16 file")
def test_the_published_file_has_the_published_size() -> None:
    read = jsb.read(PUBLISHED)
    counts = {
        split: (
            len(read[split]),
            sum(c.steps for c in read[split]),
            sum(int(np.sum(c.pitches == REST)) for c in read[split]),
        )
        for split in SPLITS
    }
    assert counts == {
        "train": (229, 55_228, 411),
        "valid": (76, 18_408, 589),
        "test": (77, 18_900, 284),
    }
