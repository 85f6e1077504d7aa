"""Engraving: ink without SVG, which note stands where, and Roman numerals."""

from __future__ import annotations

import itertools
import sys
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from musicrel import jobs
from musicrel.analysis.corpus import bundled
from musicrel.analysis.numeral_search import numerals
from musicrel.chorale import (
    REST,
    Chorale,
    Key,
    Lyric,
    Mark,
    Meter,
    Voice,
    onsets_where_pitch_changes,
)
from musicrel.errors import DataError
from musicrel.figures import engraver, roll
from musicrel.figures.engraver import EngraverSource, EngravingCache, SystemReader
from musicrel.figures.score import (
    SPACE,
    Column,
    Glyph,
    Head,
    Ink,
    Score,
    Shape,
    Stroke,
    System,
    Words,
)
from musicrel.score.editing.notes import Note
from musicrel.score.musicxml.musicxml_writer import Layout
from musicrel.score.verses.harmonies import with_own_harmony
from tests.helpers.music import minuet

LAYOUTS: tuple[Layout, ...] = ("staves", "parts")
WIDTH = 24_000.0
WIDE = 24_000.0
NARROW = 9_000.0


def kinds() -> list[Chorale]:
    every = itertools.chain.from_iterable(bundled.load_all().values())
    return list({(str(p.meter), p.pickup > 0): p for p in every}.values())


def long_piece(bars: int, **fields: object) -> Chorale:
    bar = np.repeat([[72, 67, 64, 48], [74, 65, 62, 50]] * 2, 4, axis=0)
    return Chorale.of(np.tile(bar, (bars, 1)), **fields)


def engraved(piece: Chorale, layout: Layout = "staves", width: float = WIDTH) -> Score:
    return jobs.run(engraver.engrave(piece, width=width, layout=layout))


def heads(score: Score) -> list[Head]:
    return [head for system in score.systems for head in system.heads]


@pytest.fixture(scope="module")
def piece() -> Chorale:
    return bundled.load("valid")[1]


def numbered(piece: Chorale, layout: Layout = "staves", width: float = WIDE) -> Score:
    return jobs.run(engraver.engrave(piece, width=width, layout=layout, numerals=True))


def labels(system: System) -> list[Words]:
    return [ink for ink in system.ink if isinstance(ink, Words) and ink.style == "numeral"]


# ---------------------------------------------------------------------- ink


@pytest.mark.parametrize("layout", LAYOUTS)
def test_score_is_plain_ink(layout: Layout) -> None:
    score = engraved(kinds()[0], layout)
    ink = [part for system in score.systems for part in system.ink]

    assert {type(part) for part in ink} == {Glyph, Stroke, Shape, Words}
    assert not any(part.path.isEmpty() for part in ink if isinstance(part, Glyph | Shape))


def test_the_tempo_is_a_glyph_and_text() -> None:
    words = [part for part in engraved(minuet()).systems[0].ink if isinstance(part, Words)]
    glyphs = [part.name for part in engraved(minuet()).systems[0].ink if isinstance(part, Glyph)]

    assert "=\xa080" in [part.text for part in words]
    assert "ECA5" in glyphs
    assert all(ord(letter) < 0xE000 for part in words for letter in part.text)


def test_tempo_of_a_compound_meter_is_a_dotted_note() -> None:
    piece = Chorale.of([[72, 67, 64, 48]] * 24, meter=Meter(6, 8), tempo=80)
    ink = engraved(piece).systems[0].ink
    note, dot = (part for part in ink if isinstance(part, Glyph) and part.name in ("ECA5", "ECB7"))
    words = next(part for part in ink if isinstance(part, Words) and "=" in part.text)

    assert (note.name, dot.name, words.text) == ("ECA5", "ECB7", "=\xa053")
    assert note.x < dot.x < words.x
    assert note.y == dot.y


def test_what_cannot_be_drawn_is_refused() -> None:
    group = ET.fromstring("<g xmlns='http://www.w3.org/2000/svg'><g><image/></g></g>")  # noqa: S314
    with pytest.raises(DataError, match="has an element 'image': expected lines and glyphs"):
        SystemReader(EngraverSource(minuet(), "staves"), {}).system(group)


# ---------------------------------------------------------------------- which note stands where


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("piece", kinds(), ids=lambda p: f"{p.meter}+{p.pickup}")
def test_every_note_has_its_heads(piece: Chorale, layout: Layout) -> None:
    found: dict[Note, list[tuple[int, int]]] = {}
    for head in heads(engraved(piece, layout)):
        found.setdefault(head.note, []).append((head.start, head.stop))

    assert {*found} == {*roll.draw(piece).notes}
    for note, spans in found.items():
        edges = [note.start, *(stop for _, stop in sorted(spans))]
        assert sorted(spans) == list(itertools.pairwise(edges))
        assert edges[-1] == note.stop


def test_time_runs_from_system_to_system() -> None:
    piece = kinds()[0]
    systems = engraved(piece, width=12_000).systems

    assert len(systems) > 2
    assert (systems[0].start, systems[-1].stop) == (0, piece.steps)
    for one, other in itertools.pairwise(systems):
        assert one.stop == other.start
    for system in systems:
        assert all(a.x < b.x and a.step < b.step for a, b in itertools.pairwise(system.columns))


def test_pickup_rests_and_fermatas_of_a_minuet() -> None:
    (system,) = engraved(minuet()).systems

    assert [column.step for column in system.columns] == [0, 4, 6, 7]
    assert [line.step for line in system.lines] == [0, 4, 7]
    assert {head.note.voice for head in system.sounding(0)} == {0, 1, 2, 3}
    assert {head.note.voice for head in system.sounding(6.5)} == {1, 2, 3}
    signs = [part.name for part in system.ink if isinstance(part, Glyph)]
    assert {"E4C0", "E4C1"} <= {*signs}, "fermatas above and below"


def test_silent_bar_can_be_pointed_at() -> None:
    piece = Chorale.of([[REST] * 4] * 32 + [[72, 67, 64, 48]] * 16)
    (system,) = engraved(piece).systems

    assert [column.step for column in system.columns] == [0, 16, 32, 48]
    assert system.step_at(system.x_at(20)) == 16
    assert system.sounding(3) == ()


def test_point_finds_note_and_step() -> None:
    piece = kinds()[0]
    system = engraved(piece).systems[0]
    for head in system.heads:
        found = system.head_at(head.x, head.y)
        assert found is not None
        assert abs(found.x - head.x) + abs(found.y - head.y) <= SPACE
        assert system.step_at(head.x) == head.start
    assert system.head_at(system.heads[0].x, system.bottom + 10 * SPACE) is None
    line = system.lines[2]
    assert system.step_at(line.x - 1) < line.step
    assert system.step_at(line.x + 1) == line.step


def test_moment_between_two_columns_stands_between_them() -> None:
    system = engraved(long_piece(1)).systems[0]
    one, other = system.columns[:2]

    assert system.x_at(one.step + 1) == pytest.approx(one.x + (other.x - one.x) / 4)
    assert system.x_at(-5) == one.x
    assert system.x_at(99) == system.columns[-1].x


# ---------------------------------------------------------------------- layout


def test_long_piece_comes_in_sections() -> None:
    piece = long_piece(100)
    sections = list(engraver.engrave(piece, width=WIDTH))

    assert [round(one.share, 2) for one in sections] == [0.25, 0.5, 0.75, 1.0]
    assert engraver.sections(piece) == [(0, 25), (25, 50), (50, 75), (75, 100)]
    assert len(heads(sections[-1].score)) == 1600
    assert sections[0].score.systems == sections[-1].score.systems[: len(sections[0].score.systems)]


def test_a_harmony_of_a_verse_begins_a_section_also_within_a_bar() -> None:
    words = tuple(Lyric(Voice.SOPRANO, verse, 0, "la") for verse in (1, 2))
    piece, _, own = with_own_harmony(replace(long_piece(8), pickup=4, lyrics=words), 2)
    assert own.start == 8 * 16
    assert engraver.sections(piece) == [(0, 9), (9, 18)]
    systems = engraved(piece).systems
    assert own.start in {system.start for system in systems}


def test_section_ends_where_no_voice_holds_a_note() -> None:
    """Else the tie over its end would be lost."""
    piece = long_piece(48)
    onsets = piece.onsets.copy()
    pitches = piece.pitches.copy()
    pitches[24 * 16 : 24 * 16 + 4] = pitches[24 * 16 - 1]
    onsets[24 * 16] = False
    held = replace(piece, pitches=pitches, onsets=onsets)

    assert engraver.sections(piece) == [(0, 24), (24, 48)]
    assert engraver.sections(held) in ([(0, 23), (23, 48)], [(0, 25), (25, 48)])


def test_meter_is_printed_once_and_every_section_has_its_key() -> None:
    piece = long_piece(48, key=Key("D", "major"))
    names = [
        [part.name for part in system.ink if isinstance(part, Glyph) and part.owner is None]
        for system in engraved(piece).systems
    ]

    assert [system.count("E084") for system in names] == [4] + [0] * (len(names) - 1)
    assert all(system.count("E262") == 4 for system in names), "two sharps on each staff"


def test_every_section_has_the_key_in_force() -> None:
    change = Mark(kind="key", start=16 * 30, stop=16 * 30, value=Key("Eb", "major"))
    score = engraved(long_piece(80, key=Key("D", "major"), marks=(change,)))

    for system in score.systems:
        flats = [ink for ink in system.ink if isinstance(ink, Glyph) and ink.name == "E260"]
        assert (len(flats) >= 6) == (system.lines[-1].step >= 16 * 30)


def test_another_tempo_and_a_ritardando_are_drawn() -> None:
    marks = (
        Mark(kind="tempo", start=16, stop=16, value=96.0),
        Mark(kind="slowing", start=24, stop=32, value=60.0),
    )
    words = [i for i in engraved(long_piece(3, marks=marks)).systems[0].ink if isinstance(i, Words)]
    found = [(ink.text.split()[-1], ink.style) for ink in words]
    assert [one for one in found if one[1]] == [
        ("80", "bold"), ("96", "bold"), ("rit.", "italic"), ("tempo", "bold"),
    ]  # fmt: skip


@pytest.mark.parametrize("which", ["crescendo", "diminuendo"])
def test_a_hairpin_is_two_lines_that_meet_on_its_softer_side(which: str) -> None:
    mark = Mark(kind="hairpin", start=4, stop=12, value=which)
    plain, drawn = (engraved(long_piece(3, marks=marks)).systems[0] for marks in ((), (mark,)))
    first, last = [
        ink
        for ink in drawn.ink
        if isinstance(ink, Stroke) and ink.x1 != ink.x2 and ink.y1 != ink.y2
    ]
    assert len(drawn.ink) == len(plain.ink) + 2
    assert (first.x2, first.y2) == (last.x1, last.y1)
    assert (first.x2 < first.x1) == (which == "crescendo")


@pytest.mark.parametrize(
    ("bars", "starts"),
    [([4, 4, 1], [4, 7]), ([4, 4, 2], []), ([5], []), ([2, 1], []), ([3, 1], [2])],
)
def test_last_system_has_no_single_bar(bars: list[int], starts: list[int]) -> None:
    assert engraver.without_widow(bars) == starts


def test_no_bundled_chorale_ends_with_a_single_bar() -> None:
    for piece in kinds():
        assert len(engraved(piece, width=20_000).systems[-1].lines) > 2


def test_unfinished_piece_has_no_final_bar_line() -> None:
    thick = [
        [part for part in score.systems[-1].ink if isinstance(part, Stroke) and part.width > 80]
        for score in (
            engraved(minuet()),
            jobs.run(engraver.engrave(minuet(), width=WIDTH, ended=False)),
        )
    ]
    assert [bool(lines) for lines in thick] == [True, False]


def edited(piece: Chorale, rng: np.random.Generator) -> Chorale:
    start, voice = int(rng.integers(piece.steps)), int(rng.integers(4))
    cells = slice(start, start + int(rng.choice([1, 2, 4, 20])))
    pitches, onsets = piece.pitches.copy(), piece.onsets.copy()
    pitches[cells, voice] = rng.choice([REST, *range(50, 72)])
    onsets[cells, voice] = False
    onsets |= onsets_where_pitch_changes(pitches)
    return replace(piece, pitches=pitches, onsets=onsets)


def drawn(score: Score) -> list[object]:
    return [
        (
            [_lifted(ink, system.top) for ink in system.ink],
            [head._replace(y=head.y - system.top) for head in system.heads],
            [(s.top - system.top, s.bottom - system.top, s.voices) for s in system.staves],
            system.columns,
            system.lines,
            (system.height, system.right),
        )
        for system in score.systems
    ]


def _lifted(ink: Ink, top: float) -> Ink:
    match ink:
        case Stroke():
            return ink._replace(y1=ink.y1 - top, y2=ink.y2 - top)
        case Shape():
            return ink._replace(path=ink.path.translated(0, -top))
        case _:
            return ink._replace(y=ink.y - top)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_an_edited_piece_looks_as_engraved_afresh(layout: Layout) -> None:
    """Systems without a change are the same objects, so that their pictures can be kept."""
    rng, cache, piece = (
        np.random.default_rng(20),
        EngravingCache(),
        long_piece(40, key=Key("C", "major")),
    )
    kept = 0
    before = jobs.run(engraver.engrave(piece, width=WIDTH, layout=layout, cache=cache))
    for _ in range(6):
        piece = edited(piece, rng)
        score = jobs.run(engraver.engrave(piece, width=WIDTH, layout=layout, cache=cache))
        assert drawn(score) == drawn(engraved(piece, layout))
        kept += len({*map(id, before.systems)} & {*map(id, score.systems)})
        before = score

    assert kept >= 6 * (len(before.systems) - 3)


@pytest.mark.parametrize("step", [0, 200, 16 * 24 - 1])
def test_what_is_written_is_seen_before_the_rest_is_engraved_again(step: int) -> None:
    """Its system is engraved alone, as it looks in the whole piece; the job has not ended then."""
    cache, piece = EngravingCache(), long_piece(24, key=Key("C", "major"))
    jobs.run(engraver.engrave(piece, width=WIDTH, cache=cache))
    pitches = piece.pitches.copy()
    pitches[step, Voice.BASS] -= 2
    piece = replace(piece, pitches=pitches, onsets=onsets_where_pitch_changes(pitches))

    first, *_, last = engraver.engrave(piece, width=WIDTH, cache=cache)

    assert drawn(first.score) == drawn(last.score) == drawn(engraved(piece))
    assert first.score is not last.score
    assert len({*map(id, first.score.systems)} & {*map(id, last.score.systems)}) > 0


def test_a_piece_that_has_changed_everywhere_is_engraved_once() -> None:
    cache, piece = EngravingCache(), long_piece(12)
    jobs.run(engraver.engrave(piece, width=WIDTH, cache=cache))

    events = list(engraver.engrave(piece.transposed(1), width=WIDTH, cache=cache))

    assert len(events) == 1


def test_another_width_or_layout_is_engraved_anew() -> None:
    cache, piece = EngravingCache(), long_piece(8)
    for width, layout, ended in (
        (WIDTH, "staves", True),
        (9_000.0, "staves", True),
        (WIDTH, "parts", True),
        (WIDTH, "staves", False),
    ):
        wanted: dict[str, Any] = {"width": width, "layout": layout, "ended": ended}
        score = jobs.run(engraver.engrave(piece, cache=cache, **wanted))
        assert drawn(score) == drawn(jobs.run(engraver.engrave(piece, **wanted)))


@pytest.mark.parametrize("meter", [Meter(1, 16), Meter(6, 8), Meter(32, 1), Meter(7, 4)])
def test_any_meter_can_be_engraved(meter: Meter) -> None:
    piece = Chorale.of([[72, 67, 64, 48], [74, 65, 62, 50]] * 256, meter=meter)
    score = engraved(piece, width=1.0)

    assert score.width == engraver.MIN_PAGE_WIDTH
    assert len(heads(score)) == 2048
    assert score.widest >= max(system.right for system in score.systems)


def test_without_verovio_the_reason_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "verovio", None)

    with pytest.raises(DataError, match="the package verovio is missing"):
        engraved(minuet())


def test_disabled_reason_names_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert engraver.disabled_reason() == ""
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    assert "verovio is missing" in engraver.disabled_reason()


def system() -> System:
    return System(
        ink=(), heads=(), staves=(), columns=(Column(0, 0.0),), lines=(), top=0.0, bottom=1.0,
        right=1.0,
    )  # fmt: skip


def test_what_was_not_used_for_long_is_forgotten() -> None:
    cache, first, second = EngravingCache(), (system(),), (system(),)
    cache.put("first", first)
    cache.put("second", second)
    for number in range(399):
        cache.put(number, (system(),))
        assert cache.get("first") is first

    assert cache.get("second") == ()


def test_verses_are_drawn_below_their_staff_with_their_numbers() -> None:
    words = (
        Lyric(Voice.SOPRANO, 1, 0, "Ma", hyphen=True), Lyric(Voice.SOPRANO, 1, 4, "ri‿a"),
        Lyric(Voice.SOPRANO, 2, 0, "Lo"), Lyric(Voice.ALTO, 1, 0, "Ma"),
    )  # fmt: skip
    (system,) = engraved(replace(long_piece(1), lyrics=words)).systems
    found = [ink for ink in system.ink if isinstance(ink, Words) and ink.style == "lyric"]

    assert sorted(ink.text for ink in found) == ["1.", "2.", "Lo", "Ma", "a", "ri‿"]
    upper, lower = system.staves
    assert all(upper.bottom < ink.y < lower.top for ink in found)
    place = {ink.text: (ink.x, ink.y) for ink in found}
    assert place["1."][1] == place["Ma"][1] < place["2."][1] == place["Lo"][1]
    assert place["1."][0] < place["Ma"][0] < place["ri‿"][0] < place["a"][0]


@pytest.mark.parametrize("width", [18_000, 19_500, 21_000])
def test_words_keep_apart_where_a_system_is_narrowed_to_fit(piece: Chorale, width: int) -> None:
    """In Times, for which Verovio leaves room, the word has 3.94 times the size of its type."""
    word = Lyric(Voice.SOPRANO, 1, 0, "wondrous")
    starts = np.flatnonzero(piece.onsets[:, Voice.SOPRANO]).tolist()
    words = tuple(replace(word, step=step) for step in starts)
    for system in engraved(replace(piece, lyrics=words), width=width).systems:
        line = [ink for ink in system.ink if isinstance(ink, Words) and ink.style == "lyric"]
        for one, other in itertools.pairwise(sorted(line, key=lambda ink: ink.x)):
            assert (other.x - one.x) / one.size > 3.94 + 0.2


def test_a_single_verse_has_no_number() -> None:
    piece = replace(long_piece(1), lyrics=(Lyric(Voice.SOPRANO, 1, 0, "Lo"),))
    texts = {ink.text for ink in engraved(piece).systems[0].ink if isinstance(ink, Words)}
    assert "Lo" in texts
    assert "1." not in texts


@pytest.mark.parametrize("layout", ["staves", "parts"])
def test_all_numerals_are_drawn_below_the_lowest_staff(piece: Chorale, layout: Layout) -> None:
    score = numbered(piece, layout)

    found = [ink.text for system in score.systems for ink in labels(system)]
    assert found == [numeral.text for numeral in numerals(piece)]
    for system in score.systems:
        assert all(ink.y > system.staves[-1].bottom + SPACE for ink in labels(system))
        assert all(ink.y < system.bottom for ink in labels(system))


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_numerals_of_a_system_share_a_line_and_do_not_overlap(piece: Chorale, width: float) -> None:
    for system in numbered(piece, width=width).systems:
        row = labels(system)
        assert len({ink.y for ink in row}) == 1
        assert all(one.x + SPACE < other.x for one, other in itertools.pairwise(row))


def test_numerals_stand_at_their_chords(piece: Chorale) -> None:
    starts = [numeral.start for numeral in numerals(piece)]
    score = numbered(piece)

    drawn = [(system, ink.x) for system in score.systems for ink in labels(system)]
    for step, (system, x) in zip(starts, drawn, strict=True):
        assert system.start <= step < system.stop
        assert abs(system.x_at(step) - x) < 3 * SPACE


def test_without_numerals_the_score_has_none(piece: Chorale) -> None:
    cache = EngravingCache()
    for on in (True, False):
        job = engraver.engrave(piece, width=WIDE, numerals=on, cache=cache)
        found = [ink for system in jobs.run(job).systems for ink in labels(system)]
        assert bool(found) is on
