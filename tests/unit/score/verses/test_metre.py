"""Metres: as hymnals print them, and counted from texts of our own in several languages."""

from __future__ import annotations

import pytest

from musicrel.errors import UsageError
from musicrel.score.verses.metre import Metre
from musicrel.score.verses.syllables import verses

# Metre, counted by hand, language and text.
TEXTS = (
    ("C.M.", "English", """The morning lifts its golden light
        Above the sleeping hills,
        And every river, clear and bright,
        With quiet singing fills."""),
    ("L.M.", "English", """O let us walk the winter road
        Beneath the stars that brightly burn,
        And share with all a common load
        Until the gentle days return."""),
    ("S.M.", "English", """The lamp is burning low,
        The bread is on the board;
        Come in, you trav'llers from the snow,
        And find your strength restored."""),
    ("8.7.8.7", "English", """Harvest fields are gold and waiting,
        Apples redden on the bough;
        Neighbours, leave your idle prating,
        Bring the baskets, gather now!"""),
    ("7.7.7.7", "English", """Small the seed and deep the ground,
        Long the sleep without a sound;
        Yet the green will break the clay
        On a warm and shining day."""),
    ("8.7.8.7 D", "English", """Wake, my heart, and cease complaining,
        Lift your eyes above the mist;
        Though the weary clouds are raining,
        Every hill the sun has kissed.
        Silver larks are loudly praising
        What the patient earth has grown;
        All the sheep are softly grazing,
        And the shepherd sings alone."""),
    ("10.10.10.10", "English", """Remember now the houses by the sea,
        The salted rope, the lantern and the door,
        The father mending nets upon his knee,
        The children gathering shells along the shore."""),
    ("6.6.6.6.8.8", "English", """Be still and hear the rain
        That falls upon the roof;
        It taps the window pane,
        It drums a distant hoof.
        It tells of meadows wide and free,
        It tells of rivers to the sea."""),
    ("11.10.11.10", "English", """Bright is the candle that burns at the window,
        Warm is the welcome of friends at the gate;
        Wander no longer in darkness and shadow,
        Here is the table and here is your plate."""),
    ("7.6.7.6", "English", """The swallows build in Maytime,
        The foxes dig their den;
        We labour in the daytime,
        And rest at evening then."""),
    ("5.5.5.4", "English", """Deep in the valley
        Waters are calling,
        Rising and falling,
        Never at rest."""),
    ("8.8.8", "English", """A thousand miles of silent snow,
        A thousand years for trees to grow,
        And yet you tell me time is slow."""),
    ("8.7.8.7", "German", """Leise sinkt der Abend nieder,
        Wolken ziehen übers Feld,
        und die Amsel singt die Lieder
        einer müden, stillen Welt."""),
    ("7.6.7.6", "German", """Der Winter ist vergangen,
        die Bäche rauschen laut,
        wir hören und wir fangen
        das Licht, das niedertaut."""),
    ("8.8.8.8", "German", """Wir bauen heute unser Haus
        aus Steinen, Holz und festem Lehm,
        wir ruhen von der Arbeit aus
        und sitzen abends angenehm."""),
    ("6.6.6.6", "German", """Die Mühle geht im Bach,
        das Korn ist reif und schwer,
        der Müller wird nicht schwach
        und mahlt sein Häuflein leer."""),
    ("8.8.8.8", "Latin", """Aurora lucet montibus,
        et aves cantant dulciter;
        nos agros nostros colimus
        et ambulamus leviter."""),
    ("8.7.8.7", "Latin", """Sole novo surgit dies,
        umbra cedit lumini;
        venit mundo longa quies,
        pax est data homini."""),
    ("7.7.7.7", "Latin", """Stella maris fulgida,
        duc me nunc ad patriam;
        fulget unda placida,
        cano tibi gratiam."""),
    ("8.8.8.8", "Italian", """La sera scende sopra il mar,
        la barca torna verso il suol,
        la voce canta per amar
        e il vento inizia a sospirar."""),
    ("7.7.7.7", "Spanish", """La mañana despierta
        con la luz en el campo,
        y la puerta está abierta
        para ver lo que aguardo."""),
    ("8.8.8.8", "Dutch", """De molen draait, de wind is fris,
        de vogel zingt zijn hoge lied,
        er ligt een brood, er ligt een vis,
        en niemand kent er nog verdriet."""),
    ("8.8.8.8", "Swedish", """Nu sjunger vinden genom natt,
        och skogen svarar mjukt och tyst,
        den gamle mannen tar sin hatt,
        av månens bleka strålar kysst."""),
    ("6.5.6.5", "French", """Le soleil se lève
        sur les prés fleuris;
        la nuit et son rêve
        quittent le pays."""),
    ("7.6.7.6 D", "English", """The ploughman in the furrow,
        The weaver at the loom,
        The rabbit in the burrow,
        The bride beside the groom,
        They hear the bells of Sunday
        Ring out across the lea,
        And wish each weary Monday
        As happy and as free."""),
)  # fmt: skip


def test_the_metre_of_a_text_is_the_one_counted_by_hand() -> None:
    """The one that is missed has "gathering", set to two notes, as a word of three syllables."""
    right = [
        text for text in TEXTS if Metre.of(verses(text[2], text[1])[0]) == Metre.parse(text[0])
    ]
    assert len(TEXTS) == 25
    assert len(right) >= 0.95 * len(TEXTS)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("8.7.8.7", (8, 7, 8, 7)),
        ("87.87", (8, 7, 8, 7)),
        ("8 7 8 7 D", (8, 7, 8, 7) * 2),
        ("8787", (8, 7, 8, 7)),
        ("8.7.8.7.D.", (8, 7, 8, 7) * 2),
        ("11.10.11.10", (11, 10, 11, 10)),
        ("C.M.", (8, 6, 8, 6)),
        ("cm", (8, 6, 8, 6)),
        ("L.M.", (8, 8, 8, 8)),
        ("S.M.D.", (6, 6, 8, 6) * 2),
        ("15 15 15 6", (15, 15, 15, 6)),
    ],
)
def test_a_metre_is_read_as_hymnals_print_it(text: str, lines: tuple[int, ...]) -> None:
    metre = Metre.parse(text)
    assert metre.lines == lines
    assert Metre.parse(str(metre)) == metre
    assert not metre.name or Metre.parse(metre.name) == metre


def test_a_metre_is_shown_with_its_name() -> None:
    shown = [(str(metre), metre.name) for metre in map(Metre.parse, ("CMD", "8.7.8.7 D", "6.6.6"))]
    assert shown == [("8.6.8.6 D", "C.M.D."), ("8.7.8.7 D", ""), ("6.6.6", "")]


@pytest.mark.parametrize("text", ["", "D", "Irregular", "8.7 with refrain", "8.0.8", "1." * 33])
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"unknown metre '.*': expected"):
        Metre.parse(text)
