"""Search in the guides."""

from __future__ import annotations

from pathlib import Path

from musicrel.presentation.words.guide_search import Section, search, sections

PAGE = """\
# Playing

Press **Space** to play. See [the score](07-score.md).

![The mixer](pictures/mixer.png)

## Practice files

| format | for |
|---|---|
| MP3 | phones |

```
# no heading
musicrel convert
```

## Mixer

1. Volume and pan of `each` voice.
"""
DOCS = Path(__file__).parents[4] / "docs"


def test_a_page_is_read_as_plain_sections() -> None:
    assert [*sections(PAGE)] == [
        Section("Playing", "Playing", "Press Space to play. See the score."),
        Section("Playing", "Practice files", "format for MP3 phones no heading musicrel convert"),
        Section("Playing", "Mixer", "Volume and pan of each voice."),
    ]
    assert [*sections("no headings")] == []


def test_all_words_are_found_in_any_order_and_headings_come_first() -> None:
    found = [*sections(PAGE)]
    assert [hit.title for hit in search(found, "mp3 PRACTICE")] == ["Playing: Practice files"]
    assert [hit.title for hit in search(found, "play")] == [
        "Playing",
    ]
    assert search(found, "  ") == search(found, "trumpet") == ()
    (hit,) = search(found, "pan")
    assert (hit.place, hit.excerpt) == (2, "Volume and pan of each voice.")


def test_long_sections_are_cut_around_the_word_at_whole_words() -> None:
    text = " ".join(f"word{number}" for number in range(100))
    (hit,) = search([Section("Page", "Page", text)], "word50")
    assert hit.excerpt.startswith("… word")
    assert hit.excerpt.endswith(" …")
    assert set(hit.excerpt.strip("… ").split()) <= set(text.split())


def test_what_users_ask_for_is_found_in_the_user_guide() -> None:
    found = [
        section
        for path in sorted((DOCS / "guide").glob("*.md"))
        for section in sections(path.read_text(encoding="utf-8"))
    ]
    for words in ("fermata", "drag MIDI", "metronome", "roman numerals", "transpose", "shortcuts"):
        assert search(found, words), words
