"""Findings in order, rates in their units, and Bach's own rates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from musicrel import paths
from musicrel.analysis import rules, voice_leading
from musicrel.analysis.rules import DEFAULT_RULES, RULES
from musicrel.analysis.voice_leading import Finding
from musicrel.chorale import RANGES, REST, Chorale, Key, Provenance, Voice
from musicrel.errors import FileError, UsageError
from tests.helpers import published
from tests.helpers.music import random_chorale

FIFTHS = Chorale.of([(67, REST, REST, 60), (69, REST, REST, 62)])


def test_findings_of_the_rules_that_are_asked_for_come_by_step() -> None:
    steps = [finding.step for finding in voice_leading.find(random_chorale(3, 60))]
    assert len(steps) > 10
    assert steps == sorted(steps)

    music = random_chorale(3, 60)
    asked = voice_leading.find(music, ("overlap",))
    usual = voice_leading.find(music)
    assert {finding.rule for finding in asked} == {"overlap"}
    assert {finding.rule for finding in usual} <= set(DEFAULT_RULES)
    assert [finding for finding in usual if finding.rule == "overlap"] == asked


def test_an_unknown_rule_is_named() -> None:
    with pytest.raises(UsageError, match="there is no rule 'fun': expected one of parallel_fifths"):
        voice_leading.find(FIFTHS, ("fun",))


def test_rates_are_by_note_or_by_step() -> None:
    rates = voice_leading.rates(FIFTHS)
    assert (rates.notes, rates.steps) == (4, 2)
    assert rates.parallels == rates.of("parallel_fifths") == 250.0
    crossed = voice_leading.rates(Chorale.of([(60, 67, 54, 43), (72, 67, 55, 43)]))
    assert (crossed.crossing, crossed.spacing) == (50.0, 50.0)


def test_a_passage_counts_once_and_its_rate_by_its_steps() -> None:
    piece = Chorale.of([(60, 67, 54, 43)] * 5 + [(72, 67, 55, 43)] * 3 + [(60, 67, 50, 43)] * 2)
    rates = voice_leading.rates(piece, rules=tuple(RULES))
    found = [finding.rule for finding in voice_leading.find(piece, tuple(RULES))]
    assert rates.counts == {rule: found.count(rule) for rule in RULES}
    assert rates.total == len(found)
    assert (rates.counts["crossing"], rates.crossing) == (2, 70.0)


def test_held_notes_count_once_and_silence_has_no_parallels() -> None:
    assert voice_leading.rates(Chorale.of([(60, REST, 55, 48)] * 4)).notes == 3

    assert voice_leading.rates(Chorale.of([[REST] * 4])).parallels == 0.0


def test_several_pieces_are_pooled() -> None:
    long = Chorale.of([(67, 60, 52, 45)] * 18)
    both = voice_leading.rates(FIFTHS, long)
    assert (both.notes, both.steps) == (8, 20)
    assert both.parallels == 125.0


PUBLISHED = {
    "train": (0.65, 0.59, 1.46, 0.53, 28.1, 2.37, 1.32, 0.59),
    "valid": (0.75, 0.38, 1.32, 0.69, 30.7, 2.95, 1.12, 0.50),
    "test": (0.86, 0.34, 1.71, 0.34, 24.9, 1.99, 1.59, 0.46),
    "js-fakes": (4.59, 4.71, 1.78, 0.61, 16.4, 1.14, 0.79, 0.58),
}
"""Fifths, octaves and unisons, hidden fifths, hidden octaves, overlap, crossing, spacing, leaps."""


def pieces_of(name: str) -> list[Chorale]:
    return published.js_fakes() if name == "js-fakes" else published.jsb16(name)


@published.needs_both
@pytest.mark.parametrize("name", list(PUBLISHED))
def test_the_rates_of_bach_and_his_imitation_are_the_published_ones(name: str) -> None:
    rates = voice_leading.rates(*pieces_of(name))
    octaves = rates.of("parallel_octaves") + rates.of("parallel_unisons")
    found = [rates.of("parallel_fifths"), octaves]
    rules = ("hidden_fifths", "hidden_octaves", "overlap", "crossing", "spacing", "wide_leap")
    found += [rates.of(rule) for rule in rules]
    for figure, expected in zip(found, PUBLISHED[name], strict=True):
        assert figure == pytest.approx(expected, abs=0.051 if expected > 10 else 0.0051)


@published.needs_both
@pytest.mark.parametrize(
    ("name", "share"), [("train", 82), ("valid", 83), ("test", 82), ("js-fakes", 24)]
)
def test_the_share_of_pieces_without_parallels_is_the_published_one(name: str, share: int) -> None:
    pieces = pieces_of(name)
    clean = sum(not voice_leading.find(piece, voice_leading.PARALLELS) for piece in pieces)
    assert round(100 * clean / len(pieces)) == share


def test_a_rule_is_broken_in_cells_that_the_violation_touches() -> None:
    music = Chorale.of([(67, REST, REST, 60)] * 4 + [(69, REST, REST, 62)] * 4)
    cells = np.zeros((8, 4), dtype=np.bool_)
    assert not voice_leading.breaks(music, "parallel_fifths", cells)
    cells[3, 3] = True
    assert voice_leading.breaks(music, "parallel_fifths", cells)
    assert not voice_leading.breaks(music, "parallel_octaves", cells)
    cells[:, 3], cells[:, 1:3], cells[:3, 0], cells[5:, 0] = False, True, True, True
    assert not voice_leading.breaks(music, "parallel_fifths", cells)


@pytest.fixture(autouse=True)
def clear_cache() -> Iterator[None]:
    voice_leading.bach_rates.cache_clear()
    yield
    voice_leading.bach_rates.cache_clear()


def test_every_rule_has_its_rate() -> None:
    rates = voice_leading.bach_rates()
    assert set(rates.counts) == set(RULES)
    assert rates.parallels < 2
    assert 20 < rates.of("overlap") < 35


def test_a_rate_is_formatted_with_its_unit() -> None:
    assert voice_leading.format_bach_rate("parallel_fifths") == "Bach: 0.64 per 1,000 notes"
    assert voice_leading.format_bach_rate("crossing") == "Bach: 2.28 % of steps"


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"notes": 1, "steps": 1, "counts": {}}'])
def test_a_damaged_file_is_an_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: str
) -> None:
    monkeypatch.setattr(paths, "assets", lambda: tmp_path)
    file = tmp_path / voice_leading.BACH_RATES
    file.parent.mkdir()
    file.write_text(content, encoding="utf-8")
    with pytest.raises(FileError, match=r"holds no rates of the rules .*: install musicrel again"):
        voice_leading.bach_rates()


S, A, T, B = Voice


DOMINANT = (71, 67, 62, 43)


def piece(*chords: tuple[int, ...], key: str = "C major") -> Chorale:
    return Chorale.of(chords, key=Key.parse(key))


def voices_found(rule: str, music: Chorale) -> list[tuple[Voice, ...]]:
    return [finding.voices for finding in voice_leading.find(music, (rule,))]


def outer(*pairs: tuple[int, int]) -> Chorale:
    return Chorale.of([(soprano, REST, REST, bass) for soprano, bass in pairs])


@pytest.mark.parametrize(
    ("rule", "pairs"),
    [
        ("parallel_fifths", [(67, 60), (69, 62)]),
        ("parallel_fifths", [(67, 60), (81, 62)]),  # fifth to twelfth
        ("parallel_fifths", [(60, 67), (62, 69)]),  # voices crossed
        ("parallel_octaves", [(72, 60), (74, 62)]),
        ("parallel_octaves", [(72, 60), (74, 74)]),  # into the unison
        ("parallel_unisons", [(60, 60), (62, 62)]),
        ("contrary_perfects", [(67, 60), (69, 50)]),
        ("contrary_perfects", [(72, 60), (74, 50)]),
        ("hidden_fifths", [(64, 60), (69, 62)]),
        ("hidden_octaves", [(67, 60), (74, 62)]),
        ("hidden_octaves", [(67, 60), (62, 50)]),  # downwards
    ],
)
def test_a_forbidden_motion_is_found_at_the_step_it_leads_to(
    rule: str, pairs: list[tuple[int, int]]
) -> None:
    finding = Finding(rule=rule, step=1, stop=2, voices=(S, B), previous=0)
    assert voice_leading.find(outer(*pairs), (rule,)) == [finding]


@pytest.mark.parametrize(
    ("rule", "pairs"),
    [
        ("parallel_fifths", [(67, 60), (67, 60)]),  # nobody moves
        ("parallel_fifths", [(67, 60), (68, 62)]),  # to a diminished fifth
        ("parallel_fifths", [(67, 60), (69, 50)]),  # contrary motion
        ("parallel_octaves", [(60, 60), (62, 62)]),  # unisons have a rule of their own
        ("parallel_unisons", [(72, 60), (74, 62)]),
        ("contrary_perfects", [(60, 60), (67, 55)]),  # out of the unison
        ("contrary_perfects", [(72, 60), (67, 67)]),  # into it
        ("hidden_fifths", [(67, 60), (69, 62)]),  # already a fifth: parallel
        ("hidden_fifths", [(67, 59), (69, 62)]),  # the soprano goes by step
        ("hidden_fifths", [(76, 60), (69, 62)]),  # contrary motion
        ("hidden_octaves", [(64, 60), (69, 62)]),  # another interval
    ],
)
def test_a_motion_that_is_nearly_forbidden_is_not_found(
    rule: str, pairs: list[tuple[int, int]]
) -> None:
    assert voice_leading.find(outer(*pairs), (rule,)) == []


@pytest.mark.parametrize(
    ("rule", "chords", "found"),
    [
        ("hidden_fifths", [(76, 64, 60, 48), (76, 69, 62, 48)], []),  # inner voices may
        ("parallel_fifths", [(72, 67, 60, 48), (74, 69, 62, 50)], [(A, T), (A, B)]),
        ("parallel_octaves", [(72, 67, 60, 48), (74, 69, 62, 50)], [(S, T), (S, B), (T, B)]),
        ("crossing", [(60, 60, REST, 48), (REST, 60, 60, 48)], []),  # a unison, a rest
        ("overlap", [(67, 60, 55, 48), (69, 68, 55, 48)], [(S, A)]),
        ("overlap", [(67, 60, 55, 48), (72, 71, 55, 48)], [(S, A)]),
        ("overlap", [(67, 60, 55, 48), (67, 60, 50, 48)], []),
        ("overlap", [(67, 65, 55, 48), (64, 60, 55, 48)], [(S, A)]),  # downwards
        ("spacing", [(79, 66, 53, 38), (78, 66, 54, 38)], [(S, A), (A, T)]),  # not the bass
        ("spacing", [(79, REST, 65, 48)], []),
        ("range", [(82, 53, 44, 36), (81, 53, 45, 64)], [(S,), (T,)]),
        ("wide_leap", [(60, 60, 50, 40), (73, 72, 56, 50)], [(S,)]),
        ("awkward_leap", [(60, 60, 50, 40), (73, 72, 56, 50)], [(T,), (B,)]),
        ("leading_tone", [DOMINANT, (72, 67, 64, 48)], []),  # it rises to the tonic
        ("leading_tone", [DOMINANT, (67, 64, 60, 48)], [(S,)]),  # it falls to the fifth
        ("leading_tone", [DOMINANT, (67, 64, 60, 52)], []),  # no tonic in the bass: no full close
        ("leading_tone", [DOMINANT, (69, 65, 60, 48)], []),  # not the tonic's chord
        ("leading_tone", [DOMINANT, (REST, 64, 60, 48)], []),  # it falls silent
        ("leading_tone", [(67, 65, 59, 43), (67, 64, 55, 48)], []),  # an inner voice may fall
    ],
)
def test_a_rule_finds_these_voices(
    rule: str, chords: list[tuple[int, ...]], found: list[tuple[Voice, ...]]
) -> None:
    assert voices_found(rule, piece(*chords)) == found


def test_parallels_are_found_where_notes_are_long_but_not_repeated_or_after_a_rest() -> None:
    held = np.array([(67, REST, REST, 60)] * 2)
    music = Chorale.of(held, onsets=held != REST)
    assert voice_leading.find(music, voice_leading.PARALLELS) == []

    music = outer((67, 60), (67, 60), (69, 62), (69, 62))
    assert [finding.step for finding in voice_leading.find(music)] == [2]

    music = outer((67, 60), (REST, REST), (69, 62), (REST, 60), (83, 64))
    assert voice_leading.find(music, (*voice_leading.PARALLELS, "wide_leap")) == []


def test_crossing_is_one_finding_as_long_as_it_lasts() -> None:
    music = piece((60, 67, 55, 48), (60, 65, 55, 48), (72, 65, 55, 48))
    assert voice_leading.find(music, ("crossing",)) == [
        Finding(rule="crossing", step=0, stop=2, voices=(S, A))
    ]


def test_after_a_fermata_the_leading_tone_is_free() -> None:
    music = Chorale.of([DOMINANT, (67, 64, 60, 48)], fermatas=np.array([True, False]))
    assert voices_found("leading_tone", music) == []


def test_in_another_key_the_same_notes_are_no_full_close() -> None:
    assert voices_found("leading_tone", piece(DOMINANT, (67, 64, 60, 48), key="G major")) == []


PIECE = Chorale.of([(72, 67, 60, 40)] * 8)
NARROW = [[60, 72], [57, 69], [50, 62], [43, 55]]


def with_ranges(ranges: Any) -> Chorale:
    settings = {"ranges": ranges}
    return replace(PIECE, provenance=Provenance(model="m", sha256="0", seed=0, settings=settings))


def test_notes_are_out_of_the_ranges_that_were_requested() -> None:
    found = voice_leading.find(with_ranges(NARROW), ["range"])
    assert [(one.step, one.stop, one.voices) for one in found] == [(0, 8, (Voice.BASS,))]
    assert voice_leading.find(PIECE, ["range"]) == []


@pytest.mark.parametrize("ranges", [7, [[60, 72]], [["a", "b"]] * 4, [[1, 2, 3]] * 4, "60-81"])
def test_damaged_settings_count_as_none(ranges: Any) -> None:
    assert rules.requested_ranges(with_ranges(ranges)) == RANGES
