"""Assignment of the lines of a source to voices, and its report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from musicrel.chorale import Voice
from musicrel.score.importing import satb_import, voice_names
from musicrel.score.importing.source import Line, RawNote, Source
from musicrel.score.notes import notes

_QUARTETS = (
    "Soprano Contralto Tenor Bajo", "Sopran Alt Tenor Bas", "Soprano Alto Ténor Basse",
    "Dessus Haute-contre Taille Basse", "Cantus Altus Tenor Bassus", "Treble Alto Tenor Bass",
    "Sopraan Alt Tenor Bariton", "Mezzo Alto Tenor Bass", "Soprano Mezzo Tenor Bass",
    "S1 S2 A1 A2", "T1 T2 B1 B2", "Tenor Tenor Baritone Bass", "Tenor Baritone Bass Bass",
    "Soprano Alto Baritone Bass", "Soprano_1 Soprano_2 Alto Bass", "S A T ?", "? A T B", "S ? T B",
    "S C T B", "Superius Contratenor Tenor Gravis", "Erste Zweite Dritte Vierte", "A B C D",
    "Flute Oboe Tenor Bass", "Сопрано Альт Тенор Бас", "ソプラノ アルト テノール バス",
    "女高音 女低音 男高音 男低音", "Tenor Tenor Tenor Tenor", "S A T Organ", "S A T Continuo",
    "Soprano Alto Tenor Basso_continuo", "S A T Harmonium", "S A T Guitar", "S A T Piano_LH",
    "S A T Orgelbass", "Organ A T B", "S A Organ B", "S1 S2 A Organ", "Tenor Lead Baritone Bass",
    "Tenor Melody Baritone Bass", "Tenor ? Bariton ?",
)  # fmt: skip
_HEIGHTS = (72, 67, 60, 52)


def line(name: str, pitch: int, staff: int = 0, *, start: int = 0, count: int = 8) -> Line:
    """Build a line of quarters about ``pitch``; a number in the name after a space is kept."""
    found = [RawNote(4.0 * i, 4.0 * i + 4, pitch + i % 2) for i in range(start, start + count)]
    return Line(name=name.replace("_", " "), notes=tuple(found), end=32.0, staff=staff)


def lines(*parts: tuple[str, int]) -> tuple[Line, ...]:
    """Build a line on a staff of its own for each name and pitch."""
    return tuple(line(name, pitch, staff) for staff, (name, pitch) in enumerate(parts))


def read(found: Sequence[Line], *, score: bool = True) -> tuple[list[int], tuple[str, ...]]:
    """Return the lowest pitch of each voice, 0 for a rest, and the report."""
    imported = satb_import.import_satb(Source(lines=tuple(found), in_score_order=score))
    voices = [notes(imported.chorale, voice) for voice in Voice]
    return [min((note.pitch for note in part), default=0) for part in voices], imported.report


@pytest.mark.parametrize("score", [False, True])
@pytest.mark.parametrize("names", _QUARTETS)
def test_four_monophonic_lines_are_four_voices(names: str, *, score: bool) -> None:
    """Whatever they are called."""
    quartet = lines(*zip(names.split(), _HEIGHTS, strict=True))

    assert read(quartet, score=score)[0] == list(_HEIGHTS)


@pytest.mark.parametrize("names", [one for one in _QUARTETS if "?" not in one])
def test_the_order_of_tracks_does_not_matter(names: str) -> None:
    """A MIDI file may begin with the bass."""
    quartet = lines(*zip(names.split(), _HEIGHTS, strict=True))

    assert read(quartet[::-1], score=False)[0] == list(_HEIGHTS)


def test_lead_is_the_second_voice_of_a_barbershop_quartet() -> None:
    """Also where it is the higher one, or where there is an instrument."""
    quartet = lines(("Tenor", 64), ("Lead", 65), ("Baritone", 57), ("Bass", 48))

    for found in (quartet, [*quartet, *_PIANO]):
        for score in (False, True):
            assert read(found, score=score)[0] == [64, 65, 57, 48]


def test_names_decide_where_voices_cross() -> None:
    """The alto lies above the soprano, and the line without a known name is above both."""
    crossing = lines(("?", 79), ("Alto", 74), ("Soprano", 67), ("Bass", 52))

    for score in (False, True):
        assert read(crossing, score=score) == ([67, 74, 79, 52], ())


_CHORDS = Line(name="Piano", notes=(*line("", 60).notes, *line("", 64).notes), end=32.0, staff=9)
_PIANO = (line("Piano", 48, 9), line("Piano", 55, 9), line("Piano", 64, 8))
_MORE: tuple[tuple[Sequence[Line], list[int], tuple[str, ...]], ...] = (
    (
        lines(("S", 72), ("A", 67), ("T", 60), ("Baritone", 55), ("B", 52)), [72, 67, 60, 52],
        ("Baritone was left out: only the four parts taken as the voices were kept",),
    ),
    (
        lines(("S I", 74), ("S II", 72), ("A", 67), ("T", 60), ("B 1", 52), ("B 2", 50)),
        [74, 67, 60, 50],
        ("S II and B 1 were left out: only the four parts taken as the voices were kept",),
    ),
    (
        lines(("S1", 74), ("A1", 67), ("T1", 60), ("B1", 52),
              ("S2", 75), ("A2", 68), ("T2", 61), ("B2", 50)),
        [74, 67, 60, 52],
        ("S2, A2, T2 and B2 were left out: only the four parts taken as the voices were kept",),
    ),
    (
        (*lines(("T1", 67), ("T2", 64), ("B1", 57), ("B2", 50)), *_PIANO), [67, 64, 57, 50],
        ("Piano was left out: only the four parts named after voices were kept",
         "T1, T2 and B1 were taken as the soprano, alto and tenor"),
    ),
    (
        (*lines(("Soprano", 72), ("Alto", 67), ("Tenor", 60), ("Gravis", 52)), *_PIANO),
        [72, 67, 60, 52],
        ("Piano was left out: only the four parts taken as the voices were kept",),
    ),
    (
        (*lines(("S 1", 72), ("S 2", 69), ("A", 65)), *_PIANO), [72, 69, 65, 0],
        ("Piano was left out: only the three parts named after voices were kept",
         "S 2 and A were taken as the alto and tenor"),
    ),
    (
        lines(("S", 72), ("A", 67), ("B", 52), ("Organ", 48)), [72, 67, 0, 52],
        ("Organ was left out: only the three parts named after voices were kept",),
    ),
    (
        lines(("S", 72), ("A", 67), ("T", 60), ("Continuo", 52)), [72, 67, 60, 52],
        ("Continuo was taken as the bass",),
    ),
    (
        (*lines(("S", 72), ("A", 67), ("T", 60), ("Organ pedal", 50)), _CHORDS),
        [72, 67, 60, 50],
        ("Piano was left out: only the four parts taken as the voices were kept",
         "Organ pedal was taken as the bass"),
    ),
    (
        lines(("S", 72), ("A", 67), ("T", 60), ("B", 52), ("Organ", 40)), [72, 67, 60, 52],
        ("Organ was left out: only the four parts named after voices were kept",),
    ),
    (
        lines(("T", 67), ("T", 64), ("T", 62), ("B", 55), ("B", 52)), [67, 64, 62, 55],
        ("B (staff 5) was left out: only the four parts taken as the voices were kept",
         "T (staff 1) and T (staff 2) were taken as the soprano and alto"),
    ),
    (
        (line("S 1", 72, count=4), *lines(("", 0), ("A", 67), ("T", 60), ("B", 52))[1:],
         line("S 2", 74, 5, start=4, count=4)), [72, 67, 60, 52],
        ("S 1 and S 2 were combined into the soprano",),
    ),
    (
        lines(("Erste", 72), ("Zweite", 67), ("Dritte", 60), ("Vierte", 52), ("Pedal organ", 40)),
        [72, 67, 60, 52],
        ("Pedal organ was left out: only the four parts taken as the voices were kept",),
    ),
    (
        (*lines(("Erste", 72), ("Zweite", 67), ("Dritte", 60), ("Vierte", 52)),
         Line(name="Klavier", notes=(*_PIANO[0].notes, *_PIANO[1].notes), end=32.0, staff=9)),
        [72, 67, 60, 52],
        ("Klavier was left out: only the four parts taken as the voices were kept",),
    ),
)  # fmt: skip


@pytest.mark.parametrize(("found", "pitches", "report"), _MORE)
def test_of_more_lines_those_named_after_voices_are_chosen(
    found: Sequence[Line], pitches: list[int], report: tuple[str, ...]
) -> None:
    """The report names exactly those that were left out."""
    assert read(found) == (pitches, report)
    assert read(found, score=False)[0] == pitches


def test_the_report_names_twelve_lines_and_counts_the_rest() -> None:
    """A piece for four choirs."""
    choirs = [(f"{voice} {n}", 74 - 7 * i) for n in range(1, 5) for i, voice in enumerate("SATB")]

    found, report = read(lines(*choirs, *((f"Viol {n}", 70) for n in range(3))))

    assert found == [74, 67, 60, 53]
    assert report[0].startswith("S 2, A 2, T 2, B 2, S 3, A 3, T 3, B 3, S 4, A 4, T 4, B 4 and 3 ")


@pytest.mark.parametrize("names", [("Soprano", "Bass"), ("", ""), ("Women", "Men"), ("T", "S")])
@pytest.mark.parametrize("score", [False, True])
def test_two_staves_with_two_voices_each_are_a_hymn(names: tuple[str, str], *, score: bool) -> None:
    """Whatever the staves are called."""
    hymn = [line(names[i // 2], pitch, i // 2) for i, pitch in enumerate(_HEIGHTS)]

    assert read(hymn, score=score) == (list(_HEIGHTS), ())


@pytest.mark.parametrize("count", [3, 4])
def test_voices_of_one_name_may_alternate(count: int) -> None:
    found = [
        line("T 1", 67, 0, count=4), line("T 2", 64, 1, start=4, count=4), line("B 1", 52, 2),
        line("B 2", 48, 3),
    ]  # fmt: skip

    assert read(found[:count])[0] == ([67, 64, 52, 48] if count == 4 else [0, 67, 64, 52])


def test_a_voice_may_divide() -> None:
    """Its outer notes are kept, and the report names the bars."""
    names = ("Soprano", "Alto", "Tenor", "Gravis"), ("T 1", "T 2", "B 1", "B 2"), ("", "", "", "")
    for quartet in (lines(*zip(each, _HEIGHTS, strict=True)) for each in names):
        below = RawNote(4.0, 8.0, 45), RawNote(24.0, 28.0, 45)
        bass = replace(quartet[3], notes=tuple(sorted((*quartet[3].notes, *below))))

        found, report = read([*quartet[:3], bass])

        assert found == [72, 67, 60, 45]
        assert report[0] == "chords within one voice were reduced to the outer note in bar 1"


def test_two_staves_of_chords_are_separated_whatever_they_are_called() -> None:
    """No voice is lost."""
    hymn = [
        Line(name=name, notes=tuple(sorted((*line("", upper).notes, *line("", lower).notes))),
             end=32.0, staff=staff)
        for staff, (name, upper, lower) in enumerate([("Soprano", 72, 67), ("Bass", 60, 52)])
    ]  # fmt: skip

    assert read(hymn) == (list(_HEIGHTS), ("voices were assigned by pitch and motion",))


@pytest.mark.parametrize(
    ("parts", "pitches", "report"),
    [
        ((("", 72), ("", 52)), [72, 0, 0, 52], ("2 voices, taken as the soprano and bass",)),
        ((("", 72), ("", 60), ("", 50)), [72, 0, 60, 50], ("3 voices, taken as the soprano, ",)),
        ((("S", 72), ("A", 65)), [72, 65, 0, 0], ()),
        ((("S", 72), ("A", 65), ("Men", 52)), [72, 65, 0, 52], ("3 voices, taken as ",)),
        ((("S", 72), ("M", 68), ("A", 65)), [72, 68, 65, 0], ("A was taken as the tenor",)),
        ((("T", 64), ("Bar", 57), ("B", 50)), [0, 64, 57, 50], ("T and Bar were taken as the ",)),
        ((("Tenor", 60),), [0, 0, 60, 0], ("it has only one voice, taken as the tenor",)),
    ],
)
def test_up_to_three_lines_stay_whole(
    parts: tuple[tuple[str, int], ...], pitches: list[int], report: tuple[str, ...]
) -> None:
    """The others rest; the report names the voices that were chosen by pitch."""
    found, sentences = read(lines(*parts))

    assert found == pitches
    assert len(sentences) == len(report)
    assert all(part in sentence for part, sentence in zip(report, sentences, strict=True))


def test_a_named_line_without_notes_is_a_voice_that_rests() -> None:
    """No other line takes its place."""
    found = [*lines(("S", 72), ("A", 67), ("T", 60), ("Cello", 48)), line("B", 0, 4, count=0)]

    assert read(found) == ([72, 67, 60, 0], (
        "Cello was left out: only the four parts named after voices were kept",
    ))  # fmt: skip


def test_a_second_voice_of_a_few_notes_is_no_line_of_its_own() -> None:
    """It begins where the first one rests, on one of four staves."""
    quartet = lines(*zip(("", "", "", ""), _HEIGHTS, strict=True))
    soprano = line("", 72, count=6), line("", 74, start=6, count=2)

    assert read([*soprano, *quartet[1:]]) == (list(_HEIGHTS), ())


@pytest.mark.parametrize(
    ("name", "voice"),
    [
        ("Soprano I", Voice.SOPRANO), ("2nd Tenor", Voice.TENOR), ("B.", Voice.BASS),
        ("Bass\0", Voice.BASS), ("Tenor (solo)", Voice.TENOR), ("Choir II Alto", Voice.ALTO),
        ("Mezzo-soprano", Voice.ALTO), ("Haute-contre", Voice.ALTO), ("Bässe", Voice.BASS),
        ("TÉNOR", Voice.TENOR), ("Bariton", Voice.BASS), ("Alto Sax", None), ("S/A", None),
        ("Bass Guitar", None), ("Basso continuo", None), ("SATB", None), ("", None), ("12", None),
    ],
)  # fmt: skip
def test_names_of_voices(name: str, voice: Voice | None) -> None:
    """Numbers, accents and words for a choir do not matter; instruments and several do."""
    found = voice_names.parse(name)

    assert (found and found.voice) == voice
