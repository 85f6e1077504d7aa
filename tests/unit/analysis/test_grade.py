"""The grade: its parts, and the published scale."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from statistics import median

import numpy as np
import pytest

from musicrel import paths
from musicrel.analysis import assessment, events, grade_reference, memorisation, voice_leading
from musicrel.analysis.corpus import bundled, jsb
from musicrel.analysis.grade import (
    FEATURES,
    NO_INTERVAL,
    Reference,
    distance,
    distributions_of,
    grade,
)
from musicrel.analysis.memorisation import Passages
from musicrel.chorale import REST, Chorale
from musicrel.errors import DataError, FileError
from musicrel.validated import convert
from tests.helpers import published
from tests.helpers.music import jsb_file, random_chorale

MAJOR = Chorale.of(
    [(69, 65, 60, 53), (71, 67, 62, 55), (69, 69, 60, 53), (71, 67, 62, 55), (72, 67, 64, 48)]
)
MINOR = Chorale.of([(69, 65, 62, 50), (69, 64, 61, 45), (70, 65, 62, 50), (69, 65, 62, 50)])
REFERENCE = Reference.of([MAJOR, MINOR], "two pieces")


def test_the_reference_itself_is_near() -> None:
    features = grade(MINOR, REFERENCE).features
    assert list(features) == list(FEATURES)
    for feature in ("note", "harmony", "soprano", "alto", "tenor", "bass"):
        assert features[feature] == pytest.approx(0.0, abs=1e-12)
    assert features["rhythm"] > 0


def test_the_grade_is_the_plain_sum_and_the_same_in_every_key() -> None:
    of_piece = grade(MAJOR.transposed(1), REFERENCE)
    assert of_piece.total == pytest.approx(sum(of_piece.features.values()))

    assert grade(MAJOR.transposed(2), REFERENCE).total == grade(MAJOR, REFERENCE).total


def test_parallels_are_weighted_by_their_ratio() -> None:
    fifths = Chorale.of([(67, REST, REST, 60), (69, REST, REST, 62), (71, REST, REST, 64)])
    pooled = REFERENCE.counts["parallels"]["both"]
    apart = distance({"fifths": 2}, pooled)
    ratio = (2 / 6) / (sum(pooled.values()) / REFERENCE.notes)
    assert grade(fifths, REFERENCE).features["parallels"] == pytest.approx(apart * ratio)
    assert grade(MINOR, REFERENCE).features["parallels"] == 0.0


def test_too_small_a_reference_is_refused() -> None:
    with pytest.raises(
        DataError, match="one piece, with 1 pieces, has no note in minor to compare"
    ):
        Reference.of([MAJOR], "one piece")
    with pytest.raises(DataError, match="has no parallels in major or minor to compare with"):
        Reference.of([MINOR, Chorale.of([(72, 67, 64, 48), (72, 67, 64, 52)])], "clean")


def moved(music: Chorale, share: float, rng: np.random.Generator) -> Chorale:
    pitches = music.pitches.copy()
    for voice in range(4):
        notes, lengths = events.merge_repeats(pitches[:, voice])
        off = rng.choice([-2, -1, 1, 2], len(notes)) * (rng.random(len(notes)) < share)
        pitches[:, voice] += np.repeat(off * (notes != REST), lengths).astype(np.int16)
    return Chorale.of(pitches)


@cache
def jsb16_reference() -> Reference:
    return Reference.of(published.jsb16("train"), "JSB16")


def grades(pieces: list[Chorale]) -> list[float]:
    return [grade(piece, jsb16_reference()).total for piece in pieces]


@published.needs_both
@pytest.mark.parametrize(
    ("name", "middle", "mean", "deviation"),
    [
        ("train", 4.16, 4.52, 1.65),
        ("valid", 4.31, 5.01, 2.54),
        ("test", 4.12, 4.61, 2.10),
        ("js-fakes", 5.33, 5.80, 2.23),
    ],
)
def test_the_scale_is_the_published_one(
    name: str, middle: float, mean: float, deviation: float
) -> None:
    pieces = published.js_fakes() if name == "js-fakes" else published.jsb16(name)
    found = grades(pieces)
    figures = [median(found), np.mean(found), np.std(found)]
    assert figures == pytest.approx([middle, mean, deviation], abs=0.0051)


@published.needs_both
@pytest.mark.parametrize(("steps", "bach", "fakes"), [(128, 5.11, 6.40), (192, 4.57, 5.50)])
def test_short_pieces_grade_worse(steps: int, bach: float, fakes: float) -> None:
    for pieces, expected in ((published.jsb16("test"), bach), (published.js_fakes(), fakes)):
        starts = [piece.cropped(0, steps) for piece in pieces if piece.steps >= steps]
        assert median(grades(starts)) == pytest.approx(expected, abs=0.0051)


@published.needs_both
@pytest.mark.parametrize(("share", "middle"), [(0.05, 6.89), (0.1, 9.68), (0.2, 16.33)])
def test_wrong_notes_raise_the_grade(share: float, middle: float) -> None:
    rng = np.random.default_rng(0)
    found = grades([moved(piece, share, rng) for piece in published.jsb16("test")])
    assert median(found) == pytest.approx(middle, rel=0.08)


SYMBOLS = {"often": 6, "seldom": 1, "sometimes": 3}


def test_the_same_shares_are_at_no_distance() -> None:
    doubled = {symbol: 2 * count for symbol, count in SYMBOLS.items()}
    assert distance(doubled, SYMBOLS) == 0.0


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ({"often": 1}, 0.3 * 1 + 0.1 * 2),  # what is missing is carried from ranks 1 and 2
        ({"sometimes": 1}, 0.6 * 1 + 0.1 * 1),
        ({"seldom": 1}, 0.6 * 2 + 0.3 * 1),
        ({"unheard": 1}, 0.6 * 3 + 0.3 * 2 + 0.1 * 1),
    ],
)
def test_the_distance_is_the_work_of_carrying_all_mass(
    counts: dict[str, int], expected: float
) -> None:
    assert distance(counts, SYMBOLS) == pytest.approx(expected)


CADENCE = Chorale.of(
    [(69, 65, 60, 53), (71, 67, 62, 55), (71, 67, 62, 55), (72, 67, 64, 48), (72, REST, 64, 48)]
)
"""F, G, C major, the alto silent at the end."""


def counts(feature: str, music: Chorale = CADENCE) -> dict[str, int]:
    return dict(distributions_of(music).counts[feature])


@pytest.mark.parametrize(
    ("feature", "music", "expected"),
    [
        ("note", CADENCE, {"0": 5, "7": 5, "4": 2, "5": 2, "9": 1, "11": 2, "2": 2, "rest": 1}),
        ("rhythm", CADENCE, {"1": 5, "2": 6, "3": 1}),
        ("harmony", CADENCE, {"0 3 8": 3, "0 4": 1}),
        ("soprano", CADENCE, {"+2": 1, "+1": 1}),
        ("bass", CADENCE, {"+2": 1, "-7": 1}),
        (
            "soprano",
            Chorale.of([(60, 60, 55, 48), (REST, 60, 55, 48), (60, 62, 55, 48)]),
            {"+0": 1},
        ),
        ("tenor", Chorale.of([(60, 60, 55, 48)]), {NO_INTERVAL: 1}),  # not near to Bach
        (
            "parallels",
            Chorale.of([(72, 67, 60, 60), (74, 69, 62, 62)]),
            {"fifths": 2, "octaves": 3},
        ),
        ("parallels", Chorale.of([(60, 60, 55, 48)]), {}),
    ],
)
def test_a_piece_has_these_distributions(
    feature: str, music: Chorale, expected: dict[str, int]
) -> None:
    """They are the same in every key."""
    assert counts(feature, music) == counts(feature, music.transposed(3)) == expected


def test_repeated_notes_are_merged() -> None:
    repeated = Chorale.of(CADENCE.pitches, onsets=CADENCE.pitches != REST)
    assert distributions_of(repeated) == distributions_of(CADENCE)


def test_a_silent_piece_is_refused() -> None:
    with pytest.raises(DataError, match="Pause has no note"):
        distributions_of(Chorale.of([[REST] * 4], title="Pause"))


def test_the_shipped_reference_is_jsb16() -> None:
    shipped = grade_reference.load()
    assert (shipped.reference.pieces, shipped.reference.notes) == (229, 49_300)
    bach = shipped.bach
    figures = [bach.grade, bach.parallels, bach.crossing, bach.spacing]
    assert figures == pytest.approx([4.12, 1.20, 1.99, 1.59], abs=0.0051)
    assert bach.pieces == 77


def test_a_reference_survives_json() -> None:
    made = grade_reference.load("chorales")
    stored = json.loads(json.dumps(grade_reference.to_json(made)))
    again = convert(stored, grade_reference.GradeReference, "the reference")
    assert again.bach == made.bach
    for piece in bundled.load("valid")[:10]:
        assert grade(piece, again.reference) == grade(piece, made.reference)


def test_the_bundled_chorales_are_nearly_the_same_reference() -> None:
    shipped = grade_reference.load().reference
    found = median(grade(piece, shipped).total for piece in bundled.load("test"))
    assert found == pytest.approx(4.03, abs=0.01)
    assert grade_reference.load("chorales").bach.grade == pytest.approx(4.01, abs=0.01)


@published.needs_jsb16
def test_the_published_file_gives_the_shipped_reference() -> None:
    assert grade_reference.to_json(
        grade_reference.load(f"jsb:{published.JSB16}")
    ) == grade_reference.to_json(grade_reference.load())


def test_a_file_with_too_little_music_is_refused(tmp_path: Path) -> None:
    few = {"train": [], "valid": [], "test": [random_chorale(1)]}
    with pytest.raises(DataError, match="with 0 pieces, has no note in major"):
        grade_reference.load(f"jsb:{jsb_file(tmp_path / 'few.json', few)}")
    few["test"] = []
    with pytest.raises(DataError, match="the test split of JSB16 is empty"):
        grade_reference.load(f"jsb:{jsb_file(tmp_path / 'none.json', few)}")


@pytest.mark.parametrize("content", ["[]", "{}", "no JSON", '{"reference": {"counts": 1}}'])
def test_a_damaged_asset_is_named(
    content: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / grade_reference.FILE_NAME
    target.parent.mkdir()
    target.write_text(content, encoding="utf-8")
    monkeypatch.setattr(paths, "assets", lambda: tmp_path)
    with pytest.raises(FileError, match=r"grade_reference\.json holds no reference for the grade"):
        grade_reference.load()


def test_an_assessment_holds_every_measure() -> None:
    reference = grade_reference.load().reference
    known, new = bundled.load("train")[0], bundled.load("test")[0]
    found = assessment.assess(new, reference, assessment.known_chunks([known]))
    assert found.grade == grade(new, reference)
    assert found.rates == voice_leading.rates(new)
    assert list(found.memorisation) == [1, 2, 4]
    assert max(found.memorisation.values()) < 0.1


def test_a_copy_is_found_at_every_length() -> None:
    known = bundled.load("train")[0]
    copy = known.transposed(2)
    found = assessment.assess(
        copy, grade_reference.load().reference, assessment.known_chunks([known])
    )
    assert dict(found.memorisation) == {1: 1.0, 2: 1.0, 4: 1.0}


PUBLISHED = paths.shared_data() / "jsb" / jsb.FILE_NAME


def melody(*soprano: int) -> Chorale:
    return Chorale.of([[pitch, 60, 55, 48] for pitch in soprano])


def test_a_piece_is_found_in_itself_and_transposed_but_not_by_one_voice() -> None:
    piece = melody(67, 69, 71, 72)
    assert memorisation.share_found(piece, memorisation.chunk_set([piece], 2), 2) == 1.0

    piece = melody(67, 69, 71, 72)
    reference = memorisation.chunk_set([piece.transposed(3)], 4)
    assert memorisation.share_found(piece, reference, 4) == 1.0

    reference = memorisation.chunk_set([melody(67, 69, 71, 72)], 4)
    assert memorisation.share_found(melody(69, 71, 73, 74), reference, 4) == 0.0


def test_chunks_begin_at_every_step_and_the_share_counts_them_down_to_none() -> None:
    reference = memorisation.chunk_set([melody(67, 69)], 2)
    assert memorisation.count_found([melody(65, 67, 69, 76)], reference, 2) == (1, 3)

    assert memorisation.share_found(melody(67), frozenset(), 2) == 0.0


def test_rests_stay_rests_in_every_key() -> None:
    piece = Chorale.of([[REST, 60, 55, 48], [67, 60, 55, 48]])
    reference = memorisation.chunk_set([piece], 2)
    assert memorisation.share_found(piece.transposed(-2), reference, 2) == 1.0
    assert memorisation.share_found(melody(66, 67), reference, 2) == 0.0


def test_repeated_and_held_notes_are_the_same_and_may_be_left_out() -> None:
    held = melody(67, 67)
    repeated = Chorale.of(held.pitches, onsets=np.ones((2, 4), dtype=np.bool_))
    assert memorisation.chunks(held, 2) == memorisation.chunks(repeated, 2)

    # Every chunk must have two sonorities.
    assert len(memorisation.chunks(melody(67, 67, 67, 69), 2, least_sonorities=2)) == 1


def test_silence_is_no_chunk() -> None:
    silence = [[REST] * 4]
    piece = Chorale.of([[67, 60, 55, 48], *silence * 3])
    assert len(memorisation.chunks(piece, 2)) == 1


@pytest.mark.skipif(not PUBLISHED.exists(), reason="no shared data: the published JSB16 file")
@pytest.mark.parametrize(
    ("steps", "test", "valid"), [(16, 3.31, 5.59), (32, 0.24, 1.71), (64, 0.01, 1.22)]
)
def test_the_shares_of_jsb16_are_the_published_ones(steps: int, test: float, valid: float) -> None:
    pieces = jsb.read(PUBLISHED)
    reference = memorisation.chunk_set(pieces["train"], steps)
    counts = [memorisation.count_found(pieces[one], reference, steps) for one in ("test", "valid")]
    shares = [100 * found / total for found, total in counts]
    assert shares == pytest.approx([test, valid], abs=0.005)


OTHERS = [random_chorale(seed, 40, margin=3) for seed in range(3)]


def spliced(inside: Chorale, at: int) -> Chorale:
    around = random_chorale(99, 60, margin=3).pitches.copy()
    around[at : at + inside.steps] = inside.pitches
    return Chorale.of(around)


@pytest.mark.parametrize("semitones", [-2, 0, 3])
def test_a_passage_is_found_wherever_it_is_and_in_any_key(semitones: int) -> None:
    taken = OTHERS[1].cropped(7, 19).transposed(semitones)
    assert Passages.of(OTHERS).longest(spliced(taken, 20)) == 12


def test_a_passage_is_found_whole_in_its_own_voicing_and_silence_nowhere() -> None:
    assert Passages.of(OTHERS).longest(OTHERS[0]) == 40
    both = Chorale.of(np.concatenate([OTHERS[0].pitches, OTHERS[1].pitches]))
    assert Passages.of(OTHERS).longest(both) == 40

    moved = OTHERS[0].pitches.copy()
    moved[:, 3] = np.where(moved[:, 3] == REST, 40, REST)
    assert Passages.of(OTHERS[:1]).longest(Chorale.of(moved)) == 0

    silence = Chorale.of([[REST] * 4] * 8)
    assert Passages.of([silence]).longest(silence) == 0
    assert Passages.of([]).longest(OTHERS[0]) == 0


def test_a_passage_is_as_long_as_the_longest_chunk_that_is_found() -> None:
    piece = spliced(OTHERS[2].cropped(3, 30).transposed(1), 11)
    found = [
        steps
        for steps in range(1, 60)
        if memorisation.share_found(piece, memorisation.chunk_set(OTHERS, steps), steps)
    ]
    assert Passages.of(OTHERS).longest(piece) == max(found)
