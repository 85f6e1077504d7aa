"""Division of texts into verses, lines and syllables."""

from __future__ import annotations

import pytest

from musicrel.errors import UsageError
from musicrel.score.verses.syllables import LANGUAGES, Syllable, verses

# Words as they are set to notes, by language.
WORDS = {
    "English": """the a-bove heav-en heav'n ev-ery ev'-ry glo-ri-ous Zi-on peo-ple ta-ble lit-tle
        loved love love-ly prais-es crea-tures cre-a-tion al-le-lu-ia Is-ra-el Mes-si-ah dy-ing
        joy-ous ne'er o'er queen ques-tion there-fore E-ter-nal wil-der-ness yes year rhyme
        tri-umph vi-o-let sci-ence beau-ty re-joice thou-sand voic-es whis-per hymn
        Em-ma-nu-el Ga-bri-el Ju-de-a No-el sea un-der-sea quell""",
    "German": """Herr-lich-keit Gna-de Freu-den Ma-ri-a ü-ber A-bend Quel-le Häu-ser lie-be
        Him-mel schau-en Feu-er See-le wa-chet rau-schen Mor-gen-stern""",
    "Latin": """do-mi-ne glo-ri-a De-us Ie-su iam lau-da-te qui quo-que san-guis ae-ter-ne
        cae-lum fi-li-i cui lin-gua al-le-lu-ia a-do-re-mus qui-es Is-ra-el""",
    "Italian": "gio-ia? glo-ria a-mo-re cre-a-to-re quan-do cie-lo cuo-re mio",
    "French": "où d’où dou-ce nuit joie ciel Dieu é-toi-le chan-ter oi-seaux guer-re",
    "Dutch": "lief-de he-mel hee-re nieu-we zin-gen blij-de",
    "Swedish": "him-mel stjär-nor",
    "Czech": "vlk nou-ze",
    "Polish": "nie-bo Bo-że",
    "Finnish": "maa-il-ma yö-tä",
}


@pytest.mark.parametrize("language", WORDS)
def test_words_are_divided_as_they_are_sung(language: str) -> None:
    words = [word for word in WORDS[language].split() if "?" not in word]
    divided = [
        "-".join(syllable.text for syllable in verses(word.replace("-", ""), language)[0][0])
        for word in words
    ]
    assert divided == words


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_divides_without_losing_a_letter(language: str) -> None:
    text = "Kyrie eleison, Ĉiuj birdoj (kantas) «l'eau» — 12 x! Straße für ęćůő"
    syllables = verses(text, language)[0][0]
    joined = "".join(one.text + " " * (not one.hyphen) for one in syllables).strip()
    assert joined.replace("\u00a0", " ").replace("‿", " ") == text


def test_blank_lines_divide_verses_and_line_ends_lines() -> None:
    text = "\n\n1. Red the rose\r\nand white\n  \t\n\n2 Green the tree of 12 years\n"
    found = [[[one.text for one in line] for line in verse] for verse in verses(text, "English")]
    assert found == [
        [["Red", "the", "rose"], ["and", "white"]],
        [["Green", "the", "tree", "of", "12", "years"]],
    ]
    assert verses(" \n \n", "English") == ()


def test_given_hyphens_and_joins_are_respected() -> None:
    assert verses("glo-rious the~ev-ery o\u203fa", "English")[0][0] == (
        Syllable("glo", hyphen=True),
        Syllable("rious"),
        Syllable("the\u203fev", hyphen=True),
        Syllable("ery"),
        Syllable("o\u203fa"),
    )


def test_vowels_that_meet_are_sung_together_where_the_language_does_so() -> None:
    def texts(language: str) -> list[str]:
        return [one.text for one in verses("sopra il mar", language)[0][0]]

    assert texts("Italian") == ["so", "pra\u203fil", "mar"]
    assert texts("Latin") == ["so", "pra", "il", "mar"]


def test_signs_stay_with_the_words_beside_them() -> None:
    texts = [one.text for one in verses("« Well – you , too ! … ", "English")[0][0]]
    assert texts == ["«\u00a0Well\u00a0–", "you\u00a0,", "too\u00a0!\u00a0…"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Glo - - ri - a", ["Glo\u00a0-\u00a0-", "ri\u00a0-", "a"]),
        ("to God - - -", ["to", "God\u00a0-\u00a0-\u00a0-"]),
        ("me - .", ["me\u00a0-\u00a0."]),
        ("- - -", ["-\u00a0-\u00a0-"]),
        ("a -- b-c~- d", ["a\u00a0--", "b", "c\u203f-", "d"]),
        ("a ~ b", ["a", "b"]),
        ("~ ~", []),
    ],
)
def test_hyphens_between_spaces_are_signs(text: str, expected: list[str]) -> None:
    lines = [line for verse in verses(text, "English") for line in verse]
    assert [one.text for line in lines for one in line] == expected


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(UsageError, match="unknown language 'Klingon': expected one of Czech, "):
        verses("a", "Klingon")
