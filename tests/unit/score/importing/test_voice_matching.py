"""Assignment of the lines of a source to voices, and its report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from musicrel.analysis.corpus import bundled, melodies
from musicrel.chorale import RANGES, Key, Voice
from musicrel.errors import DataError
from musicrel.score import files
from musicrel.score.importing import melody_import, satb_import, voice_matching
from musicrel.score.importing.conversion import Report
from musicrel.score.importing.quantisation import KeyEvent, ended, paired
from musicrel.score.importing.satb_import import Placed, separate_voices
from musicrel.score.importing.source import (
    BarLine,
    Issue,
    Line,
    RawNote,
    Source,
    from_chorale,
)
from musicrel.score.notes import Note, notes

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
    return tuple(line(name, pitch, staff) for staff, (name, pitch) in enumerate(parts))


def read(found: Sequence[Line], *, score: bool = True) -> tuple[list[int], tuple[str, ...]]:
    imported = satb_import.import_satb(Source(lines=tuple(found), in_score_order=score))
    voices = [notes(imported.chorale, voice) for voice in Voice]
    return [min((note.pitch for note in part), default=0) for part in voices], imported.report


@pytest.mark.parametrize("score", [False, True])
@pytest.mark.parametrize("names", _QUARTETS)
def test_four_monophonic_lines_are_four_voices(names: str, *, score: bool) -> None:
    quartet = lines(*zip(names.split(), _HEIGHTS, strict=True))
    assert read(quartet, score=score)[0] == list(_HEIGHTS)


@pytest.mark.parametrize("names", [one for one in _QUARTETS if "?" not in one])
def test_the_order_of_tracks_does_not_matter(names: str) -> None:
    quartet = lines(*zip(names.split(), _HEIGHTS, strict=True))
    assert read(quartet[::-1], score=False)[0] == list(_HEIGHTS)


def test_names_decide_for_barbershop_quartets_and_where_voices_cross() -> None:
    quartet = lines(("Tenor", 64), ("Lead", 65), ("Baritone", 57), ("Bass", 48))
    for found in (quartet, [*quartet, *_PIANO]):
        for score in (False, True):
            assert read(found, score=score)[0] == [64, 65, 57, 48]

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
    assert read(found) == (pitches, report)
    assert read(found, score=False)[0] == pitches


def test_the_report_names_twelve_lines_and_counts_the_rest() -> None:
    choirs = [(f"{voice} {n}", 74 - 7 * i) for n in range(1, 5) for i, voice in enumerate("SATB")]
    found, report = read(lines(*choirs, *((f"Viol {n}", 70) for n in range(3))))
    assert found == [74, 67, 60, 53]
    assert report[0].startswith("S 2, A 2, T 2, B 2, S 3, A 3, T 3, B 3, S 4, A 4, T 4, B 4 and 3 ")


@pytest.mark.parametrize("names", [("Soprano", "Bass"), ("", ""), ("Women", "Men"), ("T", "S")])
@pytest.mark.parametrize("score", [False, True])
def test_two_staves_with_two_voices_each_are_a_hymn(names: tuple[str, str], *, score: bool) -> None:
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
    names = ("Soprano", "Alto", "Tenor", "Gravis"), ("T 1", "T 2", "B 1", "B 2"), ("", "", "", "")
    for quartet in (lines(*zip(each, _HEIGHTS, strict=True)) for each in names):
        below = RawNote(4.0, 8.0, 45), RawNote(24.0, 28.0, 45)
        bass = replace(quartet[3], notes=tuple(sorted((*quartet[3].notes, *below))))
        found, report = read([*quartet[:3], bass])
        assert found == [72, 67, 60, 45]
        assert report[0] == "chords within one voice were reduced to the outer note in bar 1"


def test_two_staves_of_chords_are_separated_whatever_they_are_called() -> None:
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
    found, sentences = read(lines(*parts))
    assert found == pitches
    assert len(sentences) == len(report)
    assert all(part in sentence for part, sentence in zip(report, sentences, strict=True))


def test_a_named_line_without_notes_is_a_voice_that_rests() -> None:
    found = [*lines(("S", 72), ("A", 67), ("T", 60), ("Cello", 48)), line("B", 0, 4, count=0)]
    assert read(found) == ([72, 67, 60, 0], (
        "Cello was left out: only the four parts named after voices were kept",
    ))  # fmt: skip


def test_a_second_voice_of_a_few_notes_is_no_line_of_its_own() -> None:
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
    found = voice_matching.parse(name)
    assert (found and found.voice) == voice


def test_bachs_voices_are_recovered() -> None:
    """At least 98 % of the pooled notes of the test chorales get their voice."""
    right = total = 0
    for piece in bundled.load("test"):
        pool = [Placed(note, 0) for voice in Voice for note in notes(piece, voice)]
        found = separate_voices(pool, Report(Source(lines=())))
        for voice in Voice:
            right += len(set(notes(piece, voice)) & set(found[voice]))
            total += len(notes(piece, voice))
    assert right / total > 0.98


def test_four_simultaneous_notes_are_kept_in_the_voices_nearest_in_pitch_and_staff() -> None:
    piece = bundled.load("test")[1]
    pool = [Placed(note, 0) for voice in Voice for note in notes(piece, voice)]
    found = separate_voices(pool, Report(Source(lines=())))
    assert sorted(note for voice in found for note in voice) == sorted(p.note for p in pool)

    pool = [Placed(Note(0, 4, pitch), 0) for pitch in (72, 64, 55, 48)]
    pool += [Placed(Note(4, 4, pitch), 0) for pitch in (74, 56)]
    found = separate_voices(pool, Report(Source(lines=())))
    assert [[note.pitch for note in voice] for voice in found] == [[72, 74], [64], [55, 56], [48]]

    for side, voice in ((-1, Voice.ALTO), (1, Voice.TENOR)):
        found = separate_voices([Placed(Note(0, 4, 62), side)], Report(Source(lines=())))
        assert [bool(voice_notes) for voice_notes in found].index(True) == voice


def test_doubled_and_inner_notes_of_large_chords_are_left_out() -> None:
    chord = [Placed(Note(0, 4, pitch), 0) for pitch in (48, 52, 55, 60, 64, 67)]
    report = Report(Source(lines=()))

    found = separate_voices(chord, report)

    assert [voice[0].pitch for voice in found] == [67, 64, 52, 48]
    assert report.sentences() == (
        "more than four notes sound together, inner notes were left out in bar 1",
    )

    chord = [Placed(Note(0, 4, pitch), 0) for pitch in (48, 55, 64, 72) * 2]
    report = Report(Source(lines=()))

    found = separate_voices(chord, report)

    assert [[note.pitch for note in voice] for voice in found] == [[72], [64], [55], [48]]
    assert report.sentences() == ()


_END = 20.0


def _events(text: str) -> list[KeyEvent]:
    """Parse events such as ``+60@4``, a press of 60 at step 4, and ``-60@8``, its release."""
    found = []
    for word in text.split():
        pitch, time = word[1:].split("@")
        found.append(KeyEvent(float(time), word[0] == "+", int(pitch)))
    return found


def _notes(text: str) -> list[RawNote]:
    found = []
    for word in text.split():
        pitch, span = word.split(":")
        start, stop = span.split("-")
        found.append(RawNote(float(start), float(stop), int(pitch)))
    return found


@pytest.mark.parametrize(
    ("events", "notes"),
    [
        ("+60@0 -60@4 +60@4 -60@8", "60:0-4 60:4-8"),
        ("+60@0 +60@4 -60@4 -60@8", "60:0-4 60:4-8"),
        ("+60@0 +60@4 -60@4.2 +60@8 -60@8.2 -60@12", "60:0-4.2 60:4-8.2 60:8-12"),
        ("+60@0 +60@4 -60@7 +60@8 -60@11 -60@12", "60:0-7 60:4-11 60:8-12"),
        ("+60@0 +60@4 +60@8 -60@12 -60@12 -60@12", "60:0-12 60:4-12 60:8-12"),
        ("+60@0 +60@0 -60@4 -60@4 +60@4 -60@8", "60:0-4 60:0-4 60:4-8"),
        ("+60@0 +60@0 -60@4 +60@4 -60@4 +62@4 -60@8 -62@8", "60:0-4 60:0-4 60:4-8 62:4-8"),
        ("+60@0 -60@4 -60@4 -60@6 +60@8 -60@12", "60:0-4 60:8-12"),
        ("+60@4 -60@4 +62@4 -62@8", "62:4-8"),
        ("-60@0 +60@4 -60@8", "60:4-8"),
    ],
    ids=[
        *("repeated", "started before ended", "legato", "long overlaps", "held by a pedal"),
        *("unison", "unison, then one", "ended twice", "no length", "ended before"),
    ],
)
def test_each_note_on_has_its_note_off(events: str, notes: str) -> None:
    assert ended(paired(_events(events)), _END) == _notes(notes)


@pytest.mark.parametrize(
    ("events", "notes"),
    [
        ("+60@0 +62@4 -62@8", "60:0-4 62:4-8"),
        ("+60@0 +60@4 -60@8", "60:0-4 60:4-8"),
        ("+60@0 +62@4 -62@8 +60@8 -60@12", "60:0-4 60:8-12 62:4-8"),
        ("+60@0 -60@4 +62@4", "60:0-4 62:4-20"),
        ("+60@0 +62@4 +64@8", "60:0-4 62:4-8 64:8-20"),
        ("+60@16 -60@20 +62@20", "60:16-20 62:20-24"),
        ("+60@0 +60@4 -60@4.2 +60@8 -60@8.2", "60:0-4.2 60:4-8.2 60:8-20"),
        ("+8@0 +60@0 -60@4 +62@4 -62@8 +9@8 -9@9 +60@8 -60@9", "8:0-8 60:0-4 62:4-8 9:8-9 60:8-9"),
        ("+1@0 +5@0 +8@0 -5@4 -8@4 +2@4 +5@4 -2@8 -5@8", "1:0-4 5:0-4 8:0-4 2:4-8 5:4-8"),
        ("+48@0 +52@0 +47@4 +50@4", "47:4-20 48:0-4 50:4-20 52:0-4"),
    ],
    ids=[
        *("before the next note", "before its repetition", "with a later note of its pitch"),
        *("at the end", "every note", "where its track ends", "after legato"),
        *("a bass under a melody", "in a chord", "chords without any end"),
    ],
)  # fmt: skip
def test_a_note_without_an_end_leaves_the_others_alone(events: str, notes: str) -> None:
    """It ends as soon as more notes than usual would sound, at the latest with the track."""
    assert ended(paired(_events(events)), _END) == sorted(_notes(notes))


def source(bars: int = 40) -> Source:
    """Build bars of 4/4, numbered from 0."""
    lines = tuple(BarLine(float(16 * n), str(n)) for n in range(bars))
    return Source(lines=(), bar_lines=lines, issues=(Issue("grace", float(17)),))


@pytest.mark.parametrize(
    ("bars", "named"),
    [
        ([3], "bar 3"),
        ([3, 4], "bars 3 and 4"),
        ([5, 3, 4], "bars 3 to 5"),
        ([0, 7, 8, 9, 20, 21], "bars 0, 7 to 9, 20 and 21"),
        (
            range(0, 40, 2),
            "bars 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22 and 8 more places",
        ),
    ],
)
def test_bars_are_listed_as_ranges(bars: list[int], named: str) -> None:
    """Adjacent bars form a range; of many ranges only the first are named."""
    assert Report(source()).bars(bars) == named


def test_each_kind_of_issue_is_one_clause() -> None:
    report = Report(source())
    report.add_sentence("it is a test")
    for time in (0, 15, 16, 40):
        report.add_issue("moved", time)
    assert report.sentences() == (
        "notes off the sixteenth-note grid (triplets?) were quantised in bars 0 to 2",
        "grace notes were left out in bar 1",
        "it is a test",
    )


def melody_line(*notes_: tuple[float, float, int], name: str = "") -> Line:
    """Build a line from start, stop and pitch, in quarters."""
    exact = [RawNote(float(4 * a), float(4 * b), pitch) for a, b, pitch in notes_]
    return Line(name=name, notes=tuple(exact), end=max(sound.stop for sound in exact))


def scale(*pitches: int, name: str = "") -> Line:
    return melody_line(*[(i, i + 1, pitch) for i, pitch in enumerate(pitches)], name=name)


def test_bundled_melodies_are_unchanged() -> None:
    for name in melodies.names():
        piece = files.read(melodies.path(name))
        assert melody_import.import_melody(from_chorale(piece)).chorale == piece


@pytest.mark.parametrize("voice", Voice)
def test_the_requested_voice_of_a_chorale_is_chosen(voice: Voice) -> None:
    piece = bundled.load("test")[0]
    read = melody_import.import_melody(from_chorale(piece), voice)
    assert notes(read.chorale, voice) == notes(piece, voice)
    assert read.report == (f"of its 4 lines with notes '{voice.title}' was taken as the melody",)


@pytest.mark.parametrize(
    ("pitches", "shift"),
    [
        ((60, 81), 0), ((59, 71), 1), ((70, 83), -2), ((48, 60), 12), ((36, 48), 24),
        ((43, 59), 17), ((84, 96), -24), ((90, 108), -27), ((50, 80, 79, 82), -1),
        ((55, 57, 59, 62), 12),
    ],
)  # fmt: skip
def test_a_melody_is_transposed_by_few_semitones_or_by_octaves(
    pitches: tuple[int, ...], shift: int
) -> None:
    assert melody_import.shift_into_range(pitches, Voice.SOPRANO) == shift


@pytest.mark.parametrize("voice", Voice)
@pytest.mark.parametrize("top", [12, 40, 60, 90, 127])
def test_any_melody_fits_any_voice_and_can_be_restored(voice: Voice, top: int) -> None:
    source = Source(lines=(scale(top, top - 5, top - 12),), key=Key("G", "major"))

    read = melody_import.import_melody(source, voice)

    low, high = RANGES[voice]
    assert all(low <= note.pitch <= high for note in notes(read.chorale, voice))
    back = read.chorale.transposed(-read.semitones)
    assert [note.pitch for note in notes(back, voice)] == [top, top - 5, top - 12]
    assert back.key is not None
    assert back.key.pitch_class == 7


def test_the_transposition_is_reported() -> None:
    assert melody_import.import_melody(Source(lines=(scale(48, 60),))).report == (
        "it was transposed up by 1 octave into the range of the soprano",
    )
    assert melody_import.import_melody(Source(lines=(scale(71, 84),))).report == (
        "it was transposed down by 3 semitones into the range of the soprano",
    )


@pytest.mark.parametrize(("lowest", "highest"), [(58, 70), (70, 83), (60, 81)])
def test_a_melody_near_the_range_stays_where_it_was_written(lowest: int, highest: int) -> None:
    read = melody_import.import_melody(Source(lines=(scale(lowest, highest),)))
    assert [note.pitch for note in notes(read.chorale, Voice.SOPRANO)] == [lowest, highest]
    assert (read.semitones, read.report) == (0, ())


def test_a_melody_wider_than_the_range_is_folded_and_the_bars_named() -> None:
    read = melody_import.import_melody(Source(lines=(scale(62, 64, 65, 67, 50, 69, 81),)))
    assert [note.pitch for note in notes(read.chorale, Voice.SOPRANO)] == [
        62, 64, 65, 67, 62, 69, 81,
    ]  # fmt: skip
    assert read.report == (
        "notes outside the range of the voice were transposed by octaves in bar 1",
    )


def test_silence_before_the_melody_is_removed_and_the_bar_lines_kept() -> None:
    read = melody_import.import_melody(Source(lines=(melody_line((11, 12, 67), (12, 16, 72)),)))
    assert (read.chorale.pickup, read.chorale.steps) == (4, 20)
    assert notes(read.chorale, Voice.SOPRANO)[0] == Note(0, 4, 67)
    assert read.report == ("2.75 bars of silence before the first note were removed",)


def test_the_outer_note_of_chords_is_the_melody_and_no_accompaniment_below_it() -> None:
    chords = melody_line((0, 1, 64), (0, 1, 67), (1, 2, 60), (1, 2, 71))
    for voice, pitches in ((Voice.SOPRANO, [67, 71]), (Voice.BASS, [64, 60])):
        read = melody_import.import_melody(Source(lines=(chords,)), voice)
        assert [note.pitch for note in notes(read.chorale, voice)] == pitches
        assert read.report[0].endswith("were reduced to the outer note in bar 1")

    read = melody_import.import_melody(
        Source(lines=(melody_line((0, 4, 72), (1, 2, 60), (2, 3, 64), (4, 5, 71)),))
    )
    assert notes(read.chorale, Voice.SOPRANO) == [Note(0, 16, 72), Note(16, 4, 71)]


@pytest.mark.parametrize(
    ("names", "chosen"),
    [
        (("Piano", "Melody", "Strings"), 1),
        (("Piano", "Bass", "Soprano"), 2),
        (("", "", ""), 0),
    ],
)
def test_the_melody_is_found_by_name_or_by_pitch(names: tuple[str, ...], chosen: int) -> None:
    lines = tuple(replace(scale(76 - i, name=name), staff=i) for i, name in enumerate(names))

    read = melody_import.import_melody(Source(lines=lines))

    assert read.chorale.pitches[0, 0] == 76 - chosen
    called = f"'{names[chosen]}'" if names[chosen] else "the one on track 1"
    assert read.report == (f"of its 3 lines with notes {called} was taken as the melody",)


def test_the_upper_staff_of_a_piano_is_the_melody() -> None:
    upper = [scale(72, 74), melody_line((2, 3, 76), (3, 4, 77))]
    lower = replace(scale(48, 50, 52, 53), staff=1)

    split = melody_import.import_melody(Source(lines=(*upper, lower)))
    led = melody_import.import_melody(Source(lines=(scale(72, 74, 76, 77), scale(64), lower)))

    for read in (split, led):
        assert [n.pitch for n in notes(read.chorale, Voice.SOPRANO)] == [72, 74, 76, 77]


def test_a_piece_beyond_the_length_limit_is_cut() -> None:
    long = melody_line(*[(i, i + 1, 60 + i % 12) for i in range(4800)])
    read = melody_import.import_melody(Source(lines=(long,)))
    assert read.chorale.steps == 16_384
    assert read.report == (
        "it is 19,200 sixteenths long, too long for a piece: the first 16,384 were kept",
    )


def test_an_empty_melody_is_refused() -> None:
    with pytest.raises(DataError, match="it has no notes: expected a melody"):
        melody_import.import_melody(Source(lines=()))
    with pytest.raises(DataError, match="no notes within the longest piece"):
        melody_import.import_melody(Source(lines=(melody_line((1, 1, 60)),)))
    with pytest.raises(DataError, match="no notes within the longest piece"):
        melody_import.import_melody(Source(lines=(melody_line((9000, 9001, 60)),)))
